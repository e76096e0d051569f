//! The entities of a compiled file that have a position and that agents start from or go to. Pictures mark them, and
//! reports name the nearest of them.

use glam::DVec3;
use onion_runtime::{Entity, OnionMap};

use crate::seeds::Fill;

/// An entity that stands somewhere.
#[derive(Clone, Debug)]
pub struct Placed {
    /// Its number in the map.
    pub number: u32,
    /// Its class.
    pub class: String,
    /// Where it stands, in units.
    pub place: DVec3,
    /// Where it looks, in degrees from x to y.
    pub angle: f64,
}

/// The entities of a file that agents start from or are meant to get to; none if it has no entities.
pub fn reached<D: AsRef<[u8]>>(map: &OnionMap<D>) -> Vec<Placed> {
    let Ok(entities) = map.entities() else {
        return Vec::new();
    };
    let placed = entities.filter_map(|entity| placed(&entity));
    let classes = Fill::default();
    placed
        .filter(|entity| classes.names(&entity.class))
        .collect()
}

fn placed(entity: &Entity<'_>) -> Option<Placed> {
    let numbers = entity.get("origin")?.split_whitespace();
    let numbers: Vec<f64> = numbers.map_while(|word| word.parse().ok()).collect();
    let place = DVec3::from_array(<[f64; 3]>::try_from(numbers).ok()?);
    let angle = entity.get("angle").and_then(|angle| angle.parse().ok());
    place.is_finite().then_some(Placed {
        number: entity.number(),
        class: entity.get("classname")?.to_owned(),
        place,
        angle: angle.filter(|angle: &f64| angle.is_finite()).unwrap_or(0.0),
    })
}
