//! What a proof finds: the reach of each class of agents, and everything that breaks a condition, with positions, as
//! reports print it.

use serde::Serialize;

use super::places::FloorPlace;
use crate::marked_entities::MarkedEntity;

/// What was proven about a level, and what breaks a condition.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Proof {
    /// The classes of agents that were examined.
    pub agents: Vec<AgentReach>,
    /// Entities that agents of a class must start from, and at which they come to stand on no floor.
    pub stranded: Vec<Stranded>,
    /// Entities that agents of a class must reach, and do not.
    pub missing: Vec<Missing>,
    /// Places that agents get into from a start, and from which they get back to no start, the largest of a class
    /// first.
    pub traps: Vec<Trap>,
    /// Places that agents of one class get to and those of another do not, the largest of a pair first.
    pub only: Vec<Only>,
}

/// The reach of a class of agents.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AgentReach {
    /// Name of the class.
    pub agent: String,
    /// Number of entities that players start from at which its agents stand on a floor.
    pub starts: usize,
    /// Area of its floors as seen from above, in square units.
    pub floor: f64,
    /// Area of those that it reaches from any of the starts, in square units.
    pub reached: f64,
}

/// An entity at which an agent stands on no floor.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stranded {
    /// Name of the class of agents.
    pub agent: String,
    /// The entity.
    #[serde(flatten)]
    pub entity: EntityPlace,
}

/// An entity that is not reached.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Missing {
    /// Name of the class of agents.
    pub agent: String,
    /// The requirement, as it was given.
    pub require: String,
    /// The entity.
    #[serde(flatten)]
    pub entity: EntityPlace,
    /// The starts from which it is not reached.
    pub from: Vec<EntityPlace>,
}

/// An entity with its position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EntityPlace {
    /// Number of the entity in the map.
    pub entity: u32,
    /// Its class.
    pub class: String,
    /// Its position, or the middle of its brushes, in units.
    pub at: [f64; 3],
}

/// A place that agents do not get back from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trap {
    /// Name of the class of agents.
    pub agent: String,
    /// The place.
    #[serde(flatten)]
    pub place: FloorPlace,
}

/// A place that only one of two classes reaches.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Only {
    /// Name of the class that reaches it.
    pub agent: String,
    /// Name of the class that does not.
    pub other: String,
    /// The place.
    #[serde(flatten)]
    pub place: FloorPlace,
}

impl Proof {
    /// Returns the number of results that break a condition.
    pub fn n_broken(&self) -> usize {
        self.stranded.len() + self.missing.len() + self.traps.len()
    }
}

impl EntityPlace {
    pub(super) fn of(entity: &MarkedEntity) -> Self {
        Self {
            entity: entity.number,
            class: entity.class.clone(),
            at: entity.place.to_array(),
        }
    }
}
