//! Twins are planes that nearly coincide with the plane of a local node where a segment may enter through it: on
//! the node's face, which is what of its plane lies in its cell. There the tree alone says which plane is entered.
//!
//! The walk and the reference place a crossing within 2^-30 units of every plane that it is not beyond, and the
//! reference looks at what lies within 2^-22 units of it. So the planes above the node bound its face with
//! [`TWIN_SLACK`] to spare, far more than both and than what rounds off here, and f64 decides safely. A node looks at
//! the kin of its plane alone, which nearly coincide with it somewhere around.

use std::collections::HashMap;

use glam::DVec3;
use smallvec::SmallVec;

use crate::geometry::{Bounds, PlaneEntry, PlaneId, PlaneSet};
use crate::tolerance::{TWIN_DISTANCE, TWIN_SLACK, TWIN_TILT};

/// A plane above a local node, and the side of it that the node lies on: 0 in front, 1 behind.
pub type Above = (PlaneId, usize);

/// The corners of a convex polygon.
type Polygon = SmallVec<[DVec3; 16]>;

/// For each plane that a tree has in a box, those that nearly coincide with it somewhere there, in the order of their
/// ids. A box is small, so that planes of a large map are not all compared with each other.
#[derive(Default)]
pub struct Kin(HashMap<PlaneId, Vec<PlaneId>>);

impl Kin {
    /// For canonical planes, each of them once.
    pub fn new(planes: &PlaneSet, ids: &[PlaneId], bounds: &Bounds) -> Self {
        let alike = Alike::new(planes, ids, bounds);
        let kin_of = |&id: &PlaneId| {
            let entry = &planes[id];
            let is_kin = |&other: &PlaneId| {
                other != id && coincide(entry, &planes[other], bounds, alike.near)
            };
            let mut kin: Vec<_> = alike.to(entry).filter(is_kin).collect();
            kin.sort_unstable();
            kin.dedup();
            (id, kin)
        };
        Self(ids.iter().map(kin_of).collect())
    }

    /// Whether it is a plane that the tree has in the box.
    pub fn has(&self, plane: PlaneId) -> bool {
        self.0.contains_key(&plane)
    }

    fn of(&self, plane: PlaneId) -> &[PlaneId] {
        self.0.get(&plane).map_or(&[], Vec::as_slice)
    }
}

/// Planes, each both ways around, by their normals in steps of [`TWIN_TILT`], and by their distances from the center of
/// a box among those.
struct Alike {
    by_steps: HashMap<[i32; 3], Vec<(f64, PlaneId)>>,
    center: DVec3,
    /// Planes that nearly coincide in the box have distances that are at most so far apart.
    apart: f64,
    /// Twice what makes twins, so that rounding hides none.
    near: f64,
}

impl Alike {
    fn new(planes: &PlaneSet, ids: &[PlaneId], bounds: &Bounds) -> Self {
        let near = 2.0 * TWIN_DISTANCE;
        let half_size = (bounds.maxs - bounds.mins) / 2.0;
        let mut alike = Self {
            by_steps: HashMap::new(),
            center: (bounds.mins + bounds.maxs) / 2.0,
            apart: TWIN_TILT * half_size.length() + near,
            near,
        };
        for &id in ids {
            for way in [id, id.flipped()] {
                let entry = &planes[way];
                let dist = alike.dist(entry);
                let own = alike.by_steps.entry(steps(entry.normal)).or_default();
                own.push((dist, id));
            }
        }
        let by_dist = |one: &(f64, PlaneId), other: &(f64, PlaneId)| one.0.total_cmp(&other.0);
        let lists = alike.by_steps.values_mut();
        lists.for_each(|own| own.sort_unstable_by(by_dist));
        alike
    }

    /// The distance of a plane from the center of the box, in units.
    fn dist(&self, entry: &PlaneEntry) -> f64 {
        entry.dist - entry.normal.dot(self.center)
    }

    /// Those whose normals are at most a step away on each axis, and whose distances are near enough.
    fn to(&self, entry: &PlaneEntry) -> impl Iterator<Item = PlaneId> {
        let dist = self.dist(entry);
        let [x, y, z] = steps(entry.normal);
        let around = (0..27).map(move |at| [x + at % 3 - 1, y + at / 3 % 3 - 1, z + at / 9 - 1]);
        around.flat_map(move |steps| {
            let own = self.by_steps.get(&steps).map_or(&[][..], Vec::as_slice);
            let first = own.partition_point(|&(other, _)| other < dist - self.apart);
            let near = own[first..].iter();
            near.take_while(move |&&(other, _)| other <= dist + self.apart)
                .map(|&(_, id)| id)
        })
    }
}

/// A normal in steps of [`TWIN_TILT`].
fn steps(normal: DVec3) -> [i32; 3] {
    normal
        .to_array()
        .map(|component| (component / TWIN_TILT).floor() as i32)
}

/// Finds the twins of the nodes of a block.
pub struct Twins<'a> {
    planes: &'a PlaneSet,
    kin: &'a Kin,
    bounds: Bounds,
}

impl<'a> Twins<'a> {
    /// For the box of a block, and the kin of the planes that the tree has around it.
    pub fn new(planes: &'a PlaneSet, kin: &'a Kin, bounds: Bounds) -> Self {
        Self {
            planes,
            kin,
            bounds,
        }
    }

    /// The twins of a node with this plane among those that the tree has in the block, in the order of their ids.
    pub fn of(
        &self,
        plane: PlaneId,
        above: &[Above],
        has_plane: impl Fn(PlaneId) -> bool,
    ) -> impl Iterator<Item = PlaneId> {
        let entry = &self.planes[plane];
        let mut face = None;
        let kin = self.kin.of(plane).iter().copied();
        kin.filter(move |&other| {
            let near = &self.planes[other];
            coincide(entry, near, &self.bounds, TWIN_DISTANCE)
                && comes_near(
                    face.get_or_insert_with(|| self.face(entry, above)),
                    entry,
                    near,
                )
                && has_plane(other)
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

/// Whether two planes are nearly parallel and somewhere in a box not farther apart than this, in units. Canonical
/// planes may face opposite ways and be nearly the same.
fn coincide(one: &PlaneEntry, other: &PlaneEntry, bounds: &Bounds, most: f64) -> bool {
    let turn = one.normal.dot(other.normal).signum();
    let tilt = one.normal - other.normal * turn;
    if tilt.length_squared() > TWIN_TILT * TWIN_TILT {
        return false;
    }
    let center = (bounds.mins + bounds.maxs) / 2.0;
    let half_size = (bounds.maxs - bounds.mins) / 2.0;
    let apart = tilt.dot(center) - (one.dist - other.dist * turn);
    apart.abs() <= tilt.abs().dot(half_size) + most
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
