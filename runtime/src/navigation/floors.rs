//! Floors: where hulls stand. A hull in; the convex polygons on which its origin is when it stands in the world out,
//! as the compiler wrote them with `--floors`, and the one under a point.

use onion_format::FloorCornerRecord;

use crate::OnionMap;
use crate::file::hull::HullId;
use crate::file::records::Records;
use crate::file::view::View;
use crate::math::coordinate::{Coordinate, narrowed, widened};
use crate::math::vector::Vector;
use crate::tolerance::NEAR;

/// A floor of a hull: a convex polygon in the world. An agent that stands on it has its origin the margin of a trace
/// above it.
#[derive(Clone, Copy, Debug)]
pub struct Floor<'a> {
    /// The number of the floor in the file.
    pub number: u32,
    /// Unit normal, which points up.
    pub normal: [f64; 3],
    /// Distance of its plane from the origin along the normal, in units.
    pub dist: f64,
    /// Its corners in x and y, in units, counterclockwise.
    corners: Records<'a, FloorCornerRecord>,
}

impl Floor<'_> {
    /// Returns its corners, counterclockwise as seen from above, in units.
    pub fn corners(&self) -> impl ExactSizeIterator<Item = [f64; 3]> + Clone {
        let lifted = |[x, y]: [f64; 2]| [x, y, self.height([x, y])];
        self.corners.iter().map(move |corner| lifted(corner.place))
    }

    /// Returns the height of its plane at a place, in units.
    pub fn height(&self, [x, y]: [f64; 2]) -> f64 {
        let [a, b, c] = self.normal;
        (self.dist - a * x - b * y) / c
    }

    /// Whether a place is above, below or on the floor: within its outline as seen from above. Places within 2^-20
    /// units of an edge are on the floors on both sides.
    pub fn contains(&self, [x, y]: [f64; 2]) -> bool {
        let places = self.corners.iter().map(|corner| corner.place);
        let next = places.clone().cycle().skip(1);
        places.zip(next).all(|([ax, ay], [bx, by])| {
            let [dx, dy] = [bx - ax, by - ay];
            let left = dx * (y - ay) - dy * (x - ax);
            left >= 0.0 || left * left <= NEAR * NEAR * (dx * dx + dy * dy)
        })
    }
}

impl<'a> View<'a> {
    /// Returns the ends of an edge of a floor in x and y: the corner with this number, and the next one.
    pub(super) fn edge(&self, floor: u32, number: u16) -> Option<[[f64; 2]; 2]> {
        let record = self.floors().get(floor as usize)?;
        let start = u32::from(number);
        let next = if start + 1 < record.n_corners {
            start + 1
        } else {
            0
        };
        let [start, end] = [start, next].map(|number| {
            let corner = record.first_corner.checked_add(number)?;
            self.floor_corners().get(corner as usize)
        });
        Some([start?.place, end?.place])
    }

    pub(super) fn floor(&self, number: u32) -> Option<Floor<'a>> {
        let record = self.floors().get(number as usize)?;
        let (first, count) = (record.first_corner as usize, record.n_corners as usize);
        let (normal, dist) = self.facing_plane(record.plane);
        Some(Floor {
            number,
            normal,
            dist,
            corners: self.floor_corners().slice(first, count)?,
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
        let all = map.floors();
        let first = |hull: u32| all.partition_point(|floor| floor.hull < hull) as u32;
        let own = u32::from(hull.index);
        let range = match map.has(hull) {
            true => first(own)..first(own + 1),
            false => 0..0,
        };
        range.filter_map(move |number| map.floor(number))
    }

    /// Returns the floor of a hull under a position of its origin, at most `reach` units below it, and the point of
    /// the floor there; `None` if there is no such floor. The highest counts, then the first in the file. Takes time
    /// proportional to the number of the hull's floors.
    pub fn floor_at<T: Coordinate>(
        &self,
        hull: HullId,
        position: impl Into<[T; 3]>,
        reach: T,
    ) -> Option<(Floor<'_>, [T; 3])> {
        let [x, y, z]: Vector = widened(position.into());
        let below = self.floors(hull).filter_map(|floor| {
            let height = floor.height([x, y]);
            let is_near = z - reach.widen() <= height && height <= z + NEAR;
            (is_near && floor.contains([x, y])).then_some((height, floor))
        });
        let higher = |best: (f64, _), next: (f64, _)| if next.0 > best.0 { next } else { best };
        let (height, floor) = below.reduce(higher)?;
        Some((floor, narrowed([x, y, height])))
    }
}
