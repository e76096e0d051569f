//! Proves properties of a level by the floors and links of a compiled file, for builds: that agents get to the entities
//! that they must get to, that no place is a trap, and where one class of agents gets and another does not. In: a
//! file with links, and conditions. Out: everything that breaks a condition, with positions.
//!
//! The compiler drove an agent across each link, so what counts as reached is reached. Doors, lifts and teleporters
//! have no links, so a place that only they lead to counts as not reached.

mod agents;
mod conditions;
mod found;
mod places;
mod presence;
mod ways;

use onion_runtime::OnionMap;

use crate::marked_entities;
use agents::Agents;
pub use conditions::{Conditions, Pattern, ProofError, Requirement};
pub use found::{AgentReach, EntityPlace, Missing, Only, Proof, Stranded, Trap};
pub use places::FloorPlace;

/// Examines a file.
///
/// # Errors
/// The file has no links or no entities, or lacks what a condition names.
pub fn prove<D: AsRef<[u8]>>(
    map: &OnionMap<D>,
    conditions: &Conditions,
) -> Result<Proof, ProofError> {
    if !map.has_links() {
        return Err(ProofError::NoLinks);
    }
    let entities = marked_entities::all(map).map_err(ProofError::NoEntities)?;
    conditions.check(&entities)?;
    let marks = marked_entities::reached(map);
    let classes = conditions.agents_of(map)?.into_iter();
    let agents = classes.map(|class| Agents::new(map, class, conditions, &entities, &marks));
    let agents: Vec<Agents<'_, D>> = agents.collect();
    let mut proof = Proof::default();
    for own in &agents {
        proof.agents.push(own.reach());
        for requirement in &conditions.requirements {
            own.require(requirement, &mut proof);
        }
        if conditions.forbids_traps {
            own.forbid_traps(&mut proof);
        }
        let others = agents.iter().filter(|other| other.name != own.name);
        proof
            .only
            .extend(others.flat_map(|other| own.beyond(other)));
    }
    Ok(proof)
}
