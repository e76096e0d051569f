//! The floors of a class of agents that a navigation mesh has, and the links between them. Where the tallest stance
//! stands, floors of lower stances are left out, because an agent stands there.

use std::collections::HashMap;

use glam::DVec3;
use onion_geometry::Bounds;
use onion_runtime::navigation::{AgentClass, Link};
use onion_runtime::{Hull, OnionMap};

use super::ring::Ring;
use crate::outline;
use crate::tolerance::UNCOVERED;

/// A floor.
pub(super) struct Ground {
    /// Its number in the file.
    pub number: u32,
    /// The rank of its hull among the stances, the tallest first.
    pub rank: usize,
    /// Distance from the origin of the hull down to the feet, in units; negative.
    pub feet: f64,
    /// The outline where feet are.
    pub ring: Ring,
}

/// A link between two of these floors.
pub(super) struct Way {
    pub from: usize,
    pub to: usize,
    pub link: Link,
}

/// Returns the stances of a class, the tallest first.
pub(super) fn stances<'a, D: AsRef<[u8]>>(
    map: &'a OnionMap<D>,
    class: &AgentClass,
) -> Vec<Hull<'a>> {
    let mut hulls: Vec<_> = map.hulls().collect();
    hulls.retain(|hull| class.hulls.contains(hull.id.index()));
    let height = |hull: &Hull<'_>| hull.bounds.size()[2];
    hulls.sort_by(|one, other| height(other).total_cmp(&height(one)));
    hulls
}

/// Returns the floors of stances, those of the tallest first.
pub(super) fn grounds<D: AsRef<[u8]>>(map: &OnionMap<D>, hulls: &[Hull<'_>]) -> Vec<Ground> {
    let mut grounds: Vec<Ground> = Vec::new();
    for (rank, hull) in hulls.iter().enumerate() {
        let feet = f64::from(hull.bounds.mins[2]);
        let own = map.floors(hull.id).map(|floor| Ground {
            number: floor.number,
            rank,
            feet,
            ring: Ring::new(
                floor
                    .corners()
                    .map(|at| DVec3::from(at) + DVec3::Z * feet)
                    .collect(),
            ),
        });
        let taller = outlines(&grounds);
        grounds.extend(own.filter(|ground| !is_covered(&ground.ring.corners, &taller)));
    }
    grounds
}

fn outlines(grounds: &[Ground]) -> Vec<(Bounds, Vec<DVec3>)> {
    let corners = grounds.iter().map(|ground| &ground.ring.corners);
    let outlines = corners.map(|corners| (Bounds::of(corners.iter().copied()), corners.clone()));
    outlines.collect()
}

/// Whether other floors of the same height cover all of a floor.
fn is_covered(corners: &[DVec3], others: &[(Bounds, Vec<DVec3>)]) -> bool {
    let bounds = Bounds::of(corners.iter().copied());
    // Hulls of one width stand on the same plane; a unit allows for others.
    let near = others
        .iter()
        .filter(|(other, _)| other.touches(&bounds.widened(1.0)));
    let common = near.filter_map(|(_, other)| outline::common(corners, other));
    let covered: f64 = common.map(|part| outline::area(&part)).sum();
    covered >= outline::area(corners) * (1.0 - UNCOVERED)
}

/// Returns the links from one of some floors to another.
pub(super) fn ways<D: AsRef<[u8]>>(map: &OnionMap<D>, grounds: &[Ground]) -> Vec<Way> {
    let numbers = grounds.iter().zip(0..);
    let by_number: HashMap<u32, usize> = numbers.map(|(ground, at)| (ground.number, at)).collect();
    let floors = grounds.iter().enumerate();
    let ways = floors.flat_map(|(from, ground)| {
        let links = map
            .links_from(ground.number)
            .filter(|link| !link.only_to_goal);
        let by_number = &by_number;
        links.filter_map(move |link| {
            let to = *by_number.get(&link.to)?;
            Some(Way { from, to, link })
        })
    });
    ways.collect()
}
