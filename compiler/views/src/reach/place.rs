//! The low places of a report: floors where a hull fits and a larger one does not. The entity nearest to each of them
//! tells a designer where it is.

use glam::DVec3;
use serde::Serialize;

use crate::marked_entities::MarkedEntity;

/// A floor where a hull fits and a larger one does not.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LowPlace {
    /// The hull that fits.
    pub fits: String,
    /// The larger hull.
    pub too_large: String,
    /// Its size, in square units.
    pub area: f64,
    /// A position of the hull that fits, in units.
    pub at: [f64; 3],
    /// Lower corner of the box around all of its positions, in units.
    pub mins: [f64; 3],
    /// Upper corner, in units.
    pub maxs: [f64; 3],
    /// The nearest entity that agents start from or get to.
    pub near: Option<Near>,
}

/// An entity near a position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Near {
    /// Number of the entity in the map.
    pub entity: u32,
    /// Its class.
    pub class: String,
    /// Its distance, in units.
    pub distance: f64,
}

/// Returns the entity nearest to a position, or `None` if there are no entities.
pub(crate) fn nearest(entities: &[MarkedEntity], at: [f64; 3]) -> Option<Near> {
    let distance = |entity: &MarkedEntity| entity.place.distance(DVec3::from_array(at));
    let nearest = entities
        .iter()
        .min_by(|one, other| distance(one).total_cmp(&distance(other)))?;
    Some(Near {
        entity: nearest.number,
        class: nearest.class.clone(),
        distance: distance(nearest).round(),
    })
}
