//! The conditions of `onionc reach`: options that turn a report into a gate of a build, and the lines and the error for
//! what breaks them.

use std::path::Path;

use onion_maps::wording::counted;
use onion_runtime::OnionMap;
use onion_views::proof::{
    Conditions, EntityPlace, FloorPlace, Missing, Only, Pattern, Proof, ProofError, Requirement,
    prove,
};
use onionc::error::{CommandError, usage};

use super::drawing::{self, add_places};
use super::heading;

/// Limit on the starts that a line lists.
const MAX_STARTS: usize = 3;

#[derive(clap::Args)]
#[command(next_help_heading = heading::CONDITIONS)]
pub struct ConditionArgs {
    /// Agents must get to every entity of one class from each entity of another, such as 'item_* from info_player_*';
    /// "from any" asks for one start only. Repeat it for more.
    #[arg(long, value_name = "CLASS from CLASS")]
    require: Vec<Requirement>,
    /// No place that agents get into from a start may be one from which they get back to no start.
    #[arg(long)]
    forbid_traps: bool,
    /// The entities that agents start from, except for --require. [default: those that players start from]
    #[arg(long, value_name = "CLASS")]
    starts: Option<Pattern>,
    /// Examine this class of agents; repeat it for more. [default: all that have floors]
    #[arg(long, value_name = "NAME")]
    agent: Vec<String>,
}

impl ConditionArgs {
    /// Proves what the options ask for; `None` if they ask for nothing.
    pub fn prove<D: AsRef<[u8]>>(&self, map: &OnionMap<D>) -> Result<Option<Proof>, CommandError> {
        let conditions = Conditions {
            requirements: self.require.clone(),
            forbids_traps: self.forbid_traps,
            starts: self.starts.clone(),
            agents: self.agent.clone(),
        };
        if conditions == Conditions::default() {
            return Ok(None);
        }
        let proof = prove(map, &conditions);
        let refuse = |error: ProofError| usage(error.to_string());
        proof.map(Some).map_err(refuse)
    }
}

/// Returns an error if a condition is broken.
pub fn check(file: &Path, proof: &Proof) -> Result<(), CommandError> {
    let counts = [
        (
            proof.stranded.len(),
            "start without a floor",
            "starts without a floor",
        ),
        (
            proof.missing.len(),
            "entity that is not reached",
            "entities that are not reached",
        ),
        (proof.traps.len(), "trap", "traps"),
    ];
    let broken = counts.iter().filter(|(count, ..)| *count > 0);
    let broken: Vec<String> = broken
        .map(|&(count, one, many)| counted(count, one, many))
        .collect();
    match broken.is_empty() {
        true => Ok(()),
        false => Err(CommandError::Broken(file.to_owned(), broken.join(", "))),
    }
}

/// Returns the positions of everything that breaks a condition, in the order of the text.
pub fn points(proof: &Proof) -> impl Iterator<Item = [f64; 3]> {
    let stranded = proof.stranded.iter().map(|stranded| stranded.entity.at);
    let missing = proof.missing.iter().map(|missing| missing.entity.at);
    let traps = proof.traps.iter().map(|trap| trap.place.at);
    stranded.chain(missing).chain(traps)
}

/// Describes the reach of each class, and everything that breaks a condition.
pub fn text(proof: &Proof) -> Vec<String> {
    let agents = proof.agents.iter().map(|agents| {
        let starts = counted(agents.starts, "start", "starts");
        let [reached, floor] = [agents.reached, agents.floor].map(f64::round);
        format!(
            "class {} reaches {reached} of {floor} square units of floor, from {starts}",
            agents.agent
        )
    });
    let mut lines: Vec<String> = agents.collect();
    let only = proof.only.iter().map(describe_only).collect();
    add_places(&mut lines, only, ["smaller place", "smaller places"]);
    lines.extend(proof.stranded.iter().map(|stranded| {
        let (agent, entity) = (&stranded.agent, describe(&stranded.entity));
        format!("{agent} stands on no floor at {entity}")
    }));
    let missing = proof.missing.iter().map(describe_missing).collect();
    add_places(&mut lines, missing, ["entity", "entities"]);
    let traps = proof.traps.iter().map(|trap| {
        let (agent, place) = (&trap.agent, describe_place(&trap.place));
        format!("{agent} does not get back from a trap: {place}")
    });
    add_places(&mut lines, traps.collect(), ["trap", "traps"]);
    if proof.n_broken() == 0 {
        lines.push("every condition is met".to_owned());
    }
    lines
}

/// Returns the line of a place that only one of two classes reaches.
fn describe_only(only: &Only) -> String {
    let (agent, other, place) = (&only.agent, &only.other, describe_place(&only.place));
    format!("{agent} reaches and {other} does not: {place}")
}

/// Returns the line of an entity that is not reached.
fn describe_missing(missing: &Missing) -> String {
    let (agent, entity) = (&missing.agent, describe(&missing.entity));
    let starts = missing.from.iter().take(MAX_STARTS).map(describe);
    let mut starts: Vec<String> = starts.collect();
    let more = missing.from.len().saturating_sub(MAX_STARTS);
    if more > 0 {
        starts.push(format!("{more} more"));
    }
    match starts.is_empty() {
        true => format!("{agent} does not get to {entity}"),
        false => format!(
            "{agent} does not get to {entity} from {}",
            starts.join(", ")
        ),
    }
}

/// Returns an entity with its position.
fn describe(place: &EntityPlace) -> String {
    let (class, entity, at) = (&place.class, place.entity, drawing::place(place.at));
    format!("{class} (entity {entity}) at {at}")
}

/// Returns a place with its area and box.
fn describe_place(place: &FloorPlace) -> String {
    let [at, mins, maxs] = [place.at, place.mins, place.maxs].map(drawing::place);
    // Smaller than a unit is not nothing.
    let area = place.area.ceil();
    let floors = counted(place.floors, "floor", "floors");
    let near = drawing::near(place.near.as_ref());
    format!("{area} square units on {floors} at {at}, from {mins} to {maxs}{near}")
}
