//! Places: floors of a class, or parts of them, that ways join, in. Their areas, a position on each, boxes around them,
//! and the nearest entities, for designers, out.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;
use onion_geometry::Bounds;
use serde::Serialize;

use super::ways::{Piece, Ways};
use crate::marked_entities::MarkedEntity;
use crate::outline;
use crate::reach::{Near, nearest};
use crate::tolerance::TOUCH;

/// Some floors of a class that ways join.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FloorPlace {
    /// Area as seen from above, in square units.
    pub area: f64,
    /// Number of floors.
    pub floors: usize,
    /// A position of a hull's origin on the largest floor, in units.
    pub at: [f64; 3],
    /// Lower corner of the box around all positions of origins there, in units.
    pub mins: [f64; 3],
    /// Upper corner, in units.
    pub maxs: [f64; 3],
    /// The nearest entity that agents start from or get to.
    pub near: Option<Near>,
}

/// A part of a floor, or all of it.
pub(super) struct Part {
    /// The number of the floor among those of the class.
    pub piece: usize,
    /// A convex polygon on it.
    pub corners: Vec<DVec3>,
    /// Whether it is the whole floor.
    pub is_whole: bool,
}

/// Joins parts of the floors of a class, in the order of floors, to places, the largest first. Two parts are joined if
/// a way leads from one floor to the other, and both are whole or they touch.
pub(super) fn places(ways: &Ways<'_>, parts: Vec<Part>, marks: &[MarkedEntity]) -> Vec<FloorPlace> {
    let bounds = parts
        .iter()
        .map(|part| Bounds::of(part.corners.iter().copied()).widened(TOUCH));
    let bounds: Vec<Bounds> = bounds.collect();
    let of = |piece: usize| {
        let [first, end] =
            [piece, piece + 1].map(|at| parts.partition_point(|part| part.piece < at));
        first..end
    };
    let mut is_left = vec![true; parts.len()];
    let mut places = Vec::new();
    for first in 0..parts.len() {
        let mut members = Vec::new();
        let mut pending = vec![first];
        while let Some(at) = pending.pop() {
            if std::mem::take(&mut is_left[at]) {
                members.push(&parts[at]);
                let near = ways
                    .beside(parts[at].piece)
                    .chain([parts[at].piece])
                    .flat_map(of);
                pending.extend(near.filter(|&other| {
                    let are_whole = parts[at].is_whole && parts[other].is_whole;
                    is_left[other] && (are_whole || bounds[at].touches(&bounds[other]))
                }));
            }
        }
        places.extend(place(ways, &members, marks));
    }
    places.sort_by(|one, other| other.area.total_cmp(&one.area));
    places
}

/// Returns the area of floors as seen from above, in square units, given the area of each. Where several stances stand,
/// only that with the most floor counts.
pub(super) fn area<'a>(pieces: impl Iterator<Item = (&'a Piece<'a>, f64)>) -> f64 {
    let mut areas = BTreeMap::<usize, f64>::new();
    for (piece, area) in pieces {
        *areas.entry(piece.hull.id.index()).or_default() += area;
    }
    areas.into_values().fold(0.0, f64::max)
}

/// Describes a place, given its parts; `None` if it has none.
fn place(ways: &Ways<'_>, parts: &[&Part], marks: &[MarkedEntity]) -> Option<FloorPlace> {
    let size = |part: &Part| outline::area(&part.corners);
    let largest = parts.iter().max_by(|one, other| {
        let by_size = size(one).total_cmp(&size(other));
        // The order in which parts were found does not count.
        by_size.then(other.piece.cmp(&one.piece))
    })?;
    let at = outline::middle(&largest.corners).to_array();
    let bounds = Bounds::of(parts.iter().flat_map(|part| part.corners.iter().copied()));
    let floors: BTreeSet<usize> = parts.iter().map(|part| part.piece).collect();
    Some(FloorPlace {
        area: area(
            parts
                .iter()
                .map(|part| (&ways.pieces[part.piece], size(part))),
        ),
        floors: floors.len(),
        at,
        mins: bounds.mins.to_array(),
        maxs: bounds.maxs.to_array(),
        near: nearest(marks, at),
    })
}
