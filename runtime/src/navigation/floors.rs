//! Floors: where hulls stand. A hull in; the convex polygons on which its origin is when it stands in the world out,
//! as the compiler wrote them with `--floors`.

use core::mem::replace;

use onion_format::{FloorCornerRecord, FloorPlaceRecord};

use crate::OnionMap;
use crate::file::floors::FloorRange;
use crate::file::hull::HullId;
use crate::file::records::Records;
use crate::file::view::View;
use crate::math::aabb::Aabb;
use crate::math::plane;
use crate::math::vector::{along, dot, sub};
use crate::tolerance::ON_FLOOR;

/// A floor of a hull: a convex polygon in the world. An agent that stands on it has its origin at most the margin of
/// a trace above it.
#[derive(Clone, Copy, Debug)]
pub struct Floor<'a> {
    /// The number of the floor in the file.
    pub number: u32,
    /// Unit normal, which points up.
    pub normal: [f64; 3],
    /// Distance of its plane from the origin along the normal, in units.
    pub dist: f64,
    /// Its corners, counterclockwise.
    corners: Records<'a, FloorCornerRecord>,
    /// The places of the corners of all floors.
    places: Records<'a, FloorPlaceRecord>,
}

impl Floor<'_> {
    /// Returns its corners, counterclockwise as seen from above, in units.
    pub fn corners(&self) -> impl ExactSizeIterator<Item = [f64; 3]> + Clone {
        let lifted = |[x, y]: [f64; 2]| [x, y, self.height([x, y])];
        self.places().map(lifted)
    }

    /// Returns the height of its plane at a place, in units.
    pub fn height(&self, place: [f64; 2]) -> f64 {
        plane::height(&self.normal, self.dist, place)
    }

    /// Whether a place is above, below or on the floor: within its outline as seen from above. Places within 2^-8
    /// units of an edge are on the floors on both sides.
    pub fn contains(&self, place: [f64; 2]) -> bool {
        let is_near = |left: f64, edge: [f64; 2]| {
            left * left <= ON_FLOOR * ON_FLOOR * (edge[0] * edge[0] + edge[1] * edge[1])
        };
        // Around a sharp corner, places far away are near both lines.
        self.is_left_of_edges(place, is_near) && is_over(&self.bounds(), place)
    }

    /// Returns its point that is nearest to a position, in units.
    pub fn nearest(&self, position: [f64; 3]) -> [f64; 3] {
        let ahead = dot(&self.normal, &position) - self.dist;
        let [x, y, _] = along(&position, &self.normal, 0.0 - ahead);
        let point = match self.is_left_of_edges([x, y], |_, _| false) {
            true => [x, y, self.height([x, y])],
            false => self.nearest_of_edges(position),
        };
        // Rounding may put it outside.
        self.bounds().nearest(&point)
    }

    /// Returns the point of its edges that is nearest to a position; of equally near ones the first.
    fn nearest_of_edges(&self, position: [f64; 3]) -> [f64; 3] {
        let next = self.corners().cycle().skip(1);
        let points = self.corners().zip(next).map(|(start, end)| {
            let edge = sub(&end, &start);
            let part = dot(&sub(&position, &start), &edge) / dot(&edge, &edge);
            // Written so that NaN, of an edge without length, is its start.
            let part = if part > 0.0 { part } else { 0.0 };
            along(&start, &edge, if part < 1.0 { part } else { 1.0 })
        });
        let far = |point: &[f64; 3]| {
            let way = sub(&position, point);
            dot(&way, &way)
        };
        let nearer = |one: [f64; 3], next| if far(&next) < far(&one) { next } else { one };
        points.reduce(nearer).unwrap_or_default()
    }

    /// Whether a place is to the left of each edge, or counts as near to it: by its distance to the left, multiplied by
    /// the length of the edge, and the edge as a vector.
    fn is_left_of_edges(&self, [x, y]: [f64; 2], is_near: impl Fn(f64, [f64; 2]) -> bool) -> bool {
        let mut before = self.places().next_back().unwrap_or_default();
        self.places().all(|end| {
            let [[ax, ay], [bx, by]] = [replace(&mut before, end), end];
            let [dx, dy] = [bx - ax, by - ay];
            let left = dx * (y - ay) - dy * (x - ax);
            left >= 0.0 || is_near(left, [dx, dy])
        })
    }

    /// Returns its corners in x and y.
    pub(super) fn places(
        &self,
    ) -> impl DoubleEndedIterator<Item = [f64; 2]> + ExactSizeIterator + Clone {
        let at = |place| self.places.get(place as usize).map(|place| place.at);
        // Loading checked that all places exist.
        let corners = self.corners.iter();
        corners.map(move |corner| at(corner.place).unwrap_or_default())
    }

    /// Returns the box around its corners.
    pub(super) fn bounds(&self) -> Aabb<f64> {
        let first = self.corners().next().unwrap_or_default();
        let [mut mins, mut maxs] = [first; 2];
        for corner in self.corners() {
            for axis in 0..3 {
                let at = corner[axis];
                mins[axis] = if at < mins[axis] { at } else { mins[axis] };
                maxs[axis] = if at > maxs[axis] { at } else { maxs[axis] };
            }
        }
        Aabb { mins, maxs }
    }
}

/// Whether a place is within 2^-8 units of a box, as seen from above.
#[inline]
pub(super) fn is_over(bounds: &Aabb<f64>, place: [f64; 2]) -> bool {
    (0..2).all(|axis| {
        bounds.mins[axis] - ON_FLOOR <= place[axis] && place[axis] <= bounds.maxs[axis] + ON_FLOOR
    })
}

impl<'a> View<'a> {
    pub(super) fn floor(&self, number: u32) -> Option<Floor<'a>> {
        let record = self.floors().get(number as usize)?;
        let (normal, dist) = self.facing_plane(record.plane);
        Some(Floor {
            number,
            normal,
            dist,
            corners: self.floor_graph().corners(number)?,
            places: self.floor_places(),
        })
    }
}

impl<D: AsRef<[u8]>> OnionMap<D> {
    /// Whether the file holds floors (it was compiled with `--floors`).
    pub fn has_floors(&self) -> bool {
        self.view().has_floors()
    }

    /// Returns the floor with this number in the file, or `None` if there is none.
    pub fn floor(&self, number: u32) -> Option<Floor<'_>> {
        self.view().floor(number)
    }

    /// Returns the floors of a hull; none for a point or a hull of another map.
    pub fn floors(&self, hull: HullId) -> impl Iterator<Item = Floor<'_>> {
        let map = self.view();
        let FloorRange { first, end } = map.floors_of(hull);
        (first..end).filter_map(move |number| map.floor(number))
    }
}
