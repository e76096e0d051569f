//! Makes the path of a leak a thin rod of square beams, which every editor, viewer and modeler can show. In: points.
//! Out: a beam for each straight part of the path.

use glam::DVec3;

use super::object::Object;
use crate::tolerance::SAME_PLACE;

/// Half the thickness of the rod, in units.
const HALF: f64 = 1.0;

/// Returns the path through some points, in units.
pub fn leak(points: &[[f64; 3]]) -> Object {
    let corners = corners(points);
    let beams = corners.windows(2).map(|ends| beam(ends[0], ends[1]));
    let beams: Vec<_> = beams.collect();
    Object {
        name: "leak".to_owned(),
        color: [0.90, 0.10, 0.20],
        brushes: beams.iter().map(|faces| faces.len()).collect(),
        polygons: beams.into_iter().flatten().collect(),
        ..Object::default()
    }
}

/// Returns the points where the path turns, and its ends.
fn corners(points: &[[f64; 3]]) -> Vec<DVec3> {
    let mut corners: Vec<DVec3> = Vec::new();
    for &point in points {
        let point = DVec3::from_array(point);
        if let [.., from, last] = corners[..] {
            let along = (point - from).normalize_or_zero();
            let is_straight = (last - from).cross(along).length() < SAME_PLACE;
            if is_straight && (point - last).dot(last - from) > 0.0 {
                corners.pop();
            }
        }
        if corners
            .last()
            .is_none_or(|last| last.distance(point) > SAME_PLACE)
        {
            corners.push(point);
        }
    }
    corners
}

/// Returns the six faces of a beam.
fn beam(from: DVec3, to: DVec3) -> [(DVec3, Vec<DVec3>); 6] {
    let along = (to - from).normalize();
    let (side, up) = along.any_orthonormal_pair();
    let axes = [along, side, up];
    let middle = (from + to) / 2.0;
    let halves = [from.distance(to) / 2.0 + HALF, HALF, HALF];
    let face = |number: usize| {
        let (axis, sign) = (number / 2, [1.0, -1.0][number % 2]);
        let normal = axes[axis] * sign;
        let [one, two] = [(axis + 1) % 3, (axis + 2) % 3].map(|other| axes[other] * halves[other]);
        let center = middle + normal * halves[axis];
        let around = [-one - two, one - two, one + two, two - one];
        let mut corners = around.map(|offset| center + offset).to_vec();
        if sign < 0.0 {
            corners.reverse();
        }
        (normal, corners)
    };
    [0, 1, 2, 3, 4, 5].map(face)
}
