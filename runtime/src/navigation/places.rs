//! Places on floors: a position in; the floor under it, or the nearest one, out. Three random numbers in; a random
//! place where a hull stands out.

use super::floors::{Floor, is_over};
use crate::OnionMap;
use crate::file::hull::HullId;
use crate::math::aabb::Aabb;
use crate::math::coordinate::{Coordinate, narrowed, widened};
use crate::math::vector::{Vector, dot, sub};
use crate::tolerance::NEAR;

/// The floor of least cost so far, and its point.
type Best<'a> = Option<(f64, Floor<'a>, Vector)>;

impl<D: AsRef<[u8]>> OnionMap<D> {
    /// Returns the floor of a hull under a position of its origin, at most `reach` units below it, and the point of
    /// the floor there; `None` if there is no such floor. The highest counts, then the first in the file. In usual maps
    /// the time grows with the logarithm of the number of the hull's floors.
    pub fn floor_at<T: Coordinate>(
        &self,
        hull: HullId,
        position: impl Into<[T; 3]>,
        reach: T,
    ) -> Option<(Floor<'_>, [T; 3])> {
        let [x, y, z] = widened(position.into());
        let (lowest, highest) = (z - reach.widen(), z + NEAR);
        let bound = |bounds: Aabb<f64>| {
            let [bottom, top] = [bounds.mins[2], bounds.maxs[2]];
            (lowest <= top && bottom <= highest && is_over(&bounds, [x, y])).then_some(-top)
        };
        let point = |floor: &Floor<'_>| {
            if !floor.contains([x, y]) {
                return None;
            }
            // Beside a steep floor, its plane goes on.
            let height = floor.bounds().nearest(&[x, y, floor.height([x, y])])[2];
            let is_near = lowest <= height && height <= highest;
            is_near.then_some((-height, [x, y, height]))
        };
        self.best_floor(hull, bound, point)
    }

    /// Returns the floor of a hull that is nearest to a position of its origin, at most `max_distance` units away, and
    /// its nearest point; `None` if there is no such floor. Of equally near ones the first in the file counts. In usual
    /// maps the time grows with the logarithm of the number of the hull's floors.
    pub fn nearest_floor<T: Coordinate>(
        &self,
        hull: HullId,
        position: impl Into<[T; 3]>,
        max_distance: T,
    ) -> Option<(Floor<'_>, [T; 3])> {
        let (position, most) = (widened(position.into()), max_distance.widen());
        let cost = |point: &Vector| {
            let way = sub(&position, point);
            let square = dot(&way, &way);
            (most >= 0.0 && square <= most * most && square.is_finite()).then_some(square)
        };
        let bound = |bounds: Aabb<f64>| cost(&bounds.nearest(&position));
        let point = |floor: &Floor<'_>| {
            let nearest = floor.nearest(position);
            Some((cost(&nearest)?, nearest))
        };
        self.best_floor(hull, bound, point)
    }

    /// Returns the floor of least cost, then the first in the file, with its point. `bound` gives a lower bound on the
    /// cost of all floors in a box, and `point` the cost of a floor and its point; `None` for those that do not count.
    fn best_floor<T: Coordinate>(
        &self,
        hull: HullId,
        bound: impl Fn(Aabb<f64>) -> Option<f64>,
        point: impl Fn(&Floor<'_>) -> Option<(f64, Vector)>,
    ) -> Option<(Floor<'_>, [T; 3])> {
        let map = self.view();
        let mut best: Best<'_> = None;
        map.search_floors(hull, bound, |number| {
            let found = map
                .floor(number)
                .and_then(|floor| Some((point(&floor)?, floor)));
            if let Some(((cost, point), floor)) = found
                && best.is_none_or(|(least, first, _)| {
                    cost < least || (cost == least && number < first.number)
                })
            {
                best = Some((cost, floor, point));
            }
            best.map_or(f64::INFINITY, |(least, ..)| least)
        });
        best.map(|(_, floor, point)| (floor, narrowed(point)))
    }

    /// Returns a random place of a hull: a floor and its point, as likely everywhere on the hull's floors as seen from
    /// above. The three numbers are uniform random ones from 0 to 1; equal numbers give equal places. `None` if the
    /// hull has no floors, or a number is not from 0 to 1. Takes time proportional to the number of the hull's floors.
    pub fn random_place<T: Coordinate>(
        &self,
        hull: HullId,
        random: impl Into<[T; 3]>,
    ) -> Option<(Floor<'_>, [T; 3])> {
        let [which, random @ ..] = widened(random.into());
        let areas = || self.floors(hull).map(|floor| (floor.area(), floor));
        let (_, floor) = picked(areas, which)?;
        Some((floor, narrowed(floor.random_point(random)?)))
    }
}

impl Floor<'_> {
    /// Returns its area as seen from above, in square units.
    pub fn area(&self) -> f64 {
        self.triangles().map(|(area, _)| area).sum()
    }

    /// Returns a random point of the floor, as likely everywhere as seen from above, for two uniform random numbers
    /// from 0 to 1. `None` for other numbers, or if it has no area.
    pub fn random_point(&self, [which, far]: [f64; 2]) -> Option<[f64; 3]> {
        // What is left of the number that picks a triangle is as uniform.
        let (rest, [a, b, c]) = picked(|| self.triangles(), which)?;
        if !(0.0..=1.0).contains(&far) {
            return None;
        }
        // The upper half of a parallelogram is the lower half, turned.
        let [u, v] = match rest + far > 1.0 {
            true => [1.0 - rest, 1.0 - far],
            false => [rest, far],
        };
        let at = |axis: usize| a[axis] + (b[axis] - a[axis]) * u + (c[axis] - a[axis]) * v;
        let place = [at(0), at(1)];
        Some([place[0], place[1], self.height(place)])
    }

    /// Returns the triangles between its first corner and its edges, with their areas.
    fn triangles(&self) -> impl Iterator<Item = (f64, [[f64; 2]; 3])> {
        let first = self.places().next().unwrap_or_default();
        let edges = self.places().skip(1).zip(self.places().skip(2));
        edges.map(move |(start, end)| {
            let [a, b] = [start, end].map(|[x, y]| [x - first[0], y - first[1]]);
            let twice = a[0] * b[1] - a[1] * b[0];
            let area = if twice > 0.0 { twice / 2.0 } else { 0.0 };
            (area, [first, start, end])
        })
    }
}

/// Picks one of some items with areas by a number from 0 to 1. Returns the part of the item's area up to the number,
/// 0 to 1, and the item; `None` if the number is another, or nothing has an area.
fn picked<T, I: Iterator<Item = (f64, T)>>(items: impl Fn() -> I, number: f64) -> Option<(f64, T)> {
    if !(0.0..=1.0).contains(&number) {
        return None;
    }
    let mut rest = number * items().map(|(area, _)| area).sum::<f64>();
    let mut found = None;
    for (area, item) in items().filter(|(area, _)| *area > 0.0) {
        let is_here = rest < area;
        found = Some((if is_here { rest / area } else { 1.0 }, item));
        if is_here {
            break;
        }
        rest -= area;
    }
    found
}
