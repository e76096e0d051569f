//! Outlines of floors as seen from above: two convex polygons in; whether they overlap, and what they have in common or
//! not, out. Outlines are rounded, and overlaps thinner than a tolerance do not count.

use glam::{DVec2, DVec3};
use onion_geometry::{Bounds, polygon};

use crate::tolerance::SAME_PLACE;

/// Whether two convex polygons overlap.
pub(crate) fn overlap(one: &[DVec3], other: &[DVec3]) -> bool {
    // They are apart exactly if a line along an edge of one of them parts them.
    let along = |corners: &[DVec3]| {
        let next = corners.iter().cycle().skip(1);
        let edges = corners.iter().zip(next).map(|(a, b)| (b - a).truncate());
        edges.filter_map(DVec2::try_normalize).collect()
    };
    let mut edges: Vec<DVec2> = along(one);
    edges.extend(along(other));
    edges.into_iter().all(|edge| {
        let range = |corners: &[DVec3]| {
            let places = corners.iter().map(|at| at.truncate().perp_dot(edge));
            places.fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], at| {
                [least.min(at), most.max(at)]
            })
        };
        let [[a, b], [c, d]] = [range(one), range(other)];
        b.min(d) - a.max(c) > SAME_PLACE
    })
}

/// Returns the parts of a polygon that are neither above, in nor below another convex one that is widened by a box of
/// this half-width.
pub(crate) fn without(one: Vec<DVec3>, other: &[DVec3], half: DVec2) -> Vec<Vec<DVec3>> {
    let bounds = Bounds::of(other.iter().copied());
    let axial = sides_of(bounds);
    let mut rest = Some(one);
    let mut parts = Vec::new();
    for (out, dist) in edges(other).chain(axial) {
        let wider = half.dot(out.truncate().abs());
        let halves = rest.map(|rest| polygon::split(rest, out, dist + wider));
        let [front, behind] = halves.unwrap_or_default();
        parts.extend(front);
        rest = behind;
    }
    parts
}

/// Returns the part of a polygon above, in and below another convex one; `None` if it is empty or has no area.
pub(crate) fn common(one: &[DVec3], other: &[DVec3]) -> Option<Vec<DVec3>> {
    edges(other).try_fold(one.to_vec(), |part, (out, dist)| behind(part, out, dist))
}

/// Returns the upright planes through the edges of a polygon, which face out.
fn edges(corners: &[DVec3]) -> impl Iterator<Item = (DVec3, f64)> {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(a, b)| {
        let along = (b - a).truncate();
        let out = DVec3::new(along.y, -along.x, 0.0).normalize_or_zero();
        (out, a.dot(out))
    })
}

/// Returns the four upright sides of a box.
fn sides_of(bounds: Bounds) -> [(DVec3, f64); 4] {
    [
        (DVec3::X, bounds.maxs.x),
        (DVec3::NEG_X, -bounds.mins.x),
        (DVec3::Y, bounds.maxs.y),
        (DVec3::NEG_Y, -bounds.mins.y),
    ]
}

/// Returns the part of a polygon above, in and below a box; `None` if it is empty or has no area.
pub(crate) fn column(corners: &[DVec3], bounds: Bounds) -> Option<Vec<DVec3>> {
    let mut sides = sides_of(bounds).into_iter();
    sides.try_fold(corners.to_vec(), |part, (normal, dist)| {
        behind(part, normal, dist)
    })
}

/// Returns the part of a polygon behind a plane; `None` if it is empty or has no area.
pub(crate) fn behind(corners: Vec<DVec3>, normal: DVec3, dist: f64) -> Option<Vec<DVec3>> {
    let [_, behind] = polygon::split(corners, normal, dist);
    behind
}

/// Returns the mean of some corners.
pub(crate) fn middle(corners: &[DVec3]) -> DVec3 {
    corners.iter().sum::<DVec3>() / corners.len() as f64
}

/// Returns the area of a polygon as seen from above, in square units.
pub(crate) fn area(corners: &[DVec3]) -> f64 {
    let flat: Vec<DVec3> = corners.iter().map(|corner| corner.with_z(0.0)).collect();
    polygon::area(&flat)
}
