//! Twins are planes that nearly coincide with the plane of a local node where a segment may enter through it: on
//! the node's face, which is what of its plane lies in its cell. There the tree alone says which plane is entered.
//!
//! The walk and the reference place a crossing within 2^-30 units of every plane that it is not beyond, and the
//! reference looks at what lies within 2^-22 units of it. So the planes above the node bound its face with
//! [`TWIN_SLACK`] to spare, far more than both and than what rounds off here, and f64 decides safely.

use glam::DVec3;
use smallvec::SmallVec;

use crate::geometry::{Bounds, PlaneEntry, PlaneId, PlaneSet};
use crate::tolerance::{TWIN_DISTANCE, TWIN_SLACK, TWIN_TILT};

/// A plane above a local node, and the side of it that the node lies on: 0 in front, 1 behind.
pub type Above = (PlaneId, usize);

/// The corners of a convex polygon.
type Polygon = SmallVec<[DVec3; 16]>;

/// The planes of a tree in a block, which may be twins of those of its local tree.
pub struct Twins<'a> {
    planes: &'a PlaneSet,
    others: &'a [PlaneId],
    bounds: Bounds,
}

impl<'a> Twins<'a> {
    /// For the box of a block, and the planes that the tree has in it.
    pub fn new(planes: &'a PlaneSet, others: &'a [PlaneId], bounds: Bounds) -> Self {
        Self {
            planes,
            others,
            bounds,
        }
    }

    /// The twins of a node with this plane, in the order of their ids.
    pub fn of(&self, plane: PlaneId, above: &[Above]) -> impl Iterator<Item = PlaneId> {
        let entry = &self.planes[plane];
        let mut face = None;
        let others = self.others.iter().copied();
        others.filter(move |&other| {
            let near = &self.planes[other];
            other != plane && coincide(entry, near, &self.bounds) && {
                let face = face.get_or_insert_with(|| self.face(entry, above));
                comes_near(face, entry, near)
            }
        })
    }

    /// The face of a node, a little larger.
    fn face(&self, plane: &PlaneEntry, above: &[Above]) -> Polygon {
        let mut face = in_box(plane, &self.bounds);
        for &(plane, side) in above {
            let entry = &self.planes[plane];
            let turn = if side == 0 { 1.0 } else { -1.0 };
            face = clip(&face, |corner| {
                (entry.normal.dot(*corner) - entry.dist) * turn
            });
        }
        face
    }
}

/// A polygon in a plane that holds all of the plane that lies in a box.
fn in_box(plane: &PlaneEntry, bounds: &Bounds) -> Polygon {
    let steepness = plane.normal.abs();
    let axis = (0..3).fold(0, |best, axis| {
        if steepness[axis] > steepness[best] {
            axis
        } else {
            best
        }
    });
    let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    let corners = [[false, false], [true, false], [true, true], [false, true]];
    let corner = |upper: [bool; 2]| {
        let mut corner = DVec3::ZERO;
        for (axis, upper) in [u, v].into_iter().zip(upper) {
            corner[axis] = if upper { bounds.maxs } else { bounds.mins }[axis];
        }
        corner[axis] = (plane.dist - plane.normal.dot(corner)) / plane.normal[axis];
        corner
    };
    let face = corners.into_iter().map(corner).collect();
    let face = clip(&face, |corner| corner[axis] - bounds.mins[axis]);
    clip(&face, |corner| bounds.maxs[axis] - corner[axis])
}

/// The part of a polygon where a distance is at least zero, and [`TWIN_SLACK`] more.
fn clip(polygon: &Polygon, distance: impl Fn(&DVec3) -> f64) -> Polygon {
    let inside = |corner: &DVec3| distance(corner) + TWIN_SLACK;
    let mut part = Polygon::new();
    let Some(mut from) = polygon.last() else {
        return part;
    };
    for to in polygon {
        let [d_from, d_to] = [from, to].map(inside);
        if (d_from < 0.0) != (d_to < 0.0) {
            part.push(from + (to - from) * (d_from / (d_from - d_to)));
        }
        if d_to >= 0.0 {
            part.push(*to);
        }
        from = to;
    }
    part
}

/// Whether two planes are nearly parallel and nearly coincide somewhere in a box. Canonical planes may face
/// opposite ways and be nearly the same.
fn coincide(one: &PlaneEntry, other: &PlaneEntry, bounds: &Bounds) -> bool {
    let turn = one.normal.dot(other.normal).signum();
    let tilt = one.normal - other.normal * turn;
    if tilt.abs().element_sum() > TWIN_TILT {
        return false;
    }
    let center = (bounds.mins + bounds.maxs) / 2.0;
    let half_size = (bounds.maxs - bounds.mins) / 2.0;
    let apart = tilt.dot(center) - (one.dist - other.dist * turn);
    apart.abs() <= tilt.abs().dot(half_size) + TWIN_DISTANCE
}

/// Whether a plane comes near to a face of another.
fn comes_near(face: &Polygon, one: &PlaneEntry, other: &PlaneEntry) -> bool {
    let turn = one.normal.dot(other.normal).signum();
    let tilt = one.normal - other.normal * turn;
    let apart = |corner: &DVec3| tilt.dot(*corner) - (one.dist - other.dist * turn);
    let is_ahead = face.iter().all(|corner| apart(corner) > TWIN_DISTANCE);
    let is_behind = face.iter().all(|corner| apart(corner) < -TWIN_DISTANCE);
    !is_ahead && !is_behind
}
