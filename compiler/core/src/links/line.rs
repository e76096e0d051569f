//! The edges of floors as seen from above, and their parts: an edge and a polygon beyond it in; the part of the edge
//! beyond which the polygon lies out. These numbers choose what is tried; the agent that is driven decides.

use onion_format::{LinkRecord, WHOLE_EDGE};

/// A place as seen from above: x and y, in units.
pub(super) type Place = [f64; 2];

/// A part of a line, from 0 at its right end to 1 at its left end.
pub(super) type Part = [f64; 2];

/// An edge of a floor, as an agent on the floor sees it that faces it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// Number of its first corner.
    pub(super) number: u16,
    /// Its first corner: its right end.
    pub(super) right: Place,
    /// Its second corner.
    pub(super) left: Place,
    /// Unit vector that points away from the floor.
    pub(super) outward: Place,
    /// In units, above 0.
    pub(super) length: f64,
}

impl Line {
    /// Returns the edge between two corners, or `None` if they are at one place.
    pub(super) fn new(number: u16, right: Place, left: Place) -> Option<Self> {
        let [x, y] = [left[0] - right[0], left[1] - right[1]];
        let length = distance(right, left);
        (length > 0.0).then_some(Self {
            number,
            right,
            left,
            outward: [y / length, -x / length],
            length,
        })
    }

    /// Returns the place at a part of the line.
    pub(super) fn at(&self, part: f64) -> Place {
        [0, 1].map(|axis| self.right[axis] + (self.left[axis] - self.right[axis]) * part)
    }

    /// Returns the place `distance` units beyond a part of the line.
    pub(super) fn beyond(&self, part: f64, distance: f64) -> Place {
        moved(self.at(part), self.outward, distance)
    }

    /// Returns the part of the line that a place is straight beyond or behind.
    pub(super) fn part_at(&self, [x, y]: Place) -> f64 {
        let [dx, dy] = self.outward;
        ((y - self.right[1]) * dx - (x - self.right[0]) * dy) / self.length
    }

    /// Returns how far beyond the line the nearest and the farthest of some places are, in units: negative if they are
    /// on this side of it.
    pub(super) fn distances(&self, places: &[Place]) -> [f64; 2] {
        let [x, y] = self.outward;
        let beyond = |at: &Place| (at[0] - self.right[0]) * x + (at[1] - self.right[1]) * y;
        places.iter().map(beyond).fold(
            [f64::INFINITY, f64::NEG_INFINITY],
            |[nearest, farthest], at| [nearest.min(at), farthest.max(at)],
        )
    }

    /// Returns the part of the line for which the places `beyond` units beyond it are in a convex polygon whose
    /// corners are counterclockwise, at least `inside` units from its edges (Cyrus and Beck, 1978).
    pub(super) fn part_before(&self, polygon: &[Place], beyond: f64, inside: f64) -> Option<Part> {
        let [from, to] = [self.beyond(0.0, beyond), self.beyond(1.0, beyond)];
        let [mut start, mut end] = [0.0, 1.0];
        let next = polygon.iter().cycle().skip(1);
        for (&a, &b) in polygon.iter().zip(next) {
            let [dx, dy] = [b[0] - a[0], b[1] - a[1]];
            let least = inside * distance(a, b);
            let depth = |[x, y]: Place| dx * (y - a[1]) - dy * (x - a[0]) - least;
            match [depth(from), depth(to)] {
                [a, b] if a < 0.0 && b < 0.0 => return None,
                [a, b] if a < 0.0 => start = f64::max(start, a / (a - b)),
                [a, b] if b < 0.0 => end = f64::min(end, a / (a - b)),
                _ => {}
            }
        }
        (start < end).then_some([start, end])
    }
}

/// Returns the place `distance` units from another in the direction of a unit vector.
pub(super) fn moved([x, y]: Place, [dx, dy]: Place, distance: f64) -> Place {
    [x + dx * distance, y + dy * distance]
}

/// Returns the distance between two places, in units.
pub(super) fn distance([ax, ay]: Place, [bx, by]: Place) -> f64 {
    let [x, y] = [bx - ax, by - ay];
    (x * x + y * y).sqrt()
}

/// Returns the place at most `most` units from one place to another.
pub(super) fn toward(from: Place, to: Place, most: f64) -> Place {
    let part = most / distance(from, to);
    if part < 1.0 {
        [0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * part)
    } else {
        to
    }
}

/// Returns the part where a value that changes evenly from one end to the other is within limits.
pub(super) fn part_within(
    [start, end]: Part,
    [a, b]: [f64; 2],
    [low, high]: [f64; 2],
) -> Option<Part> {
    let at = |value: f64| start + (end - start) * ((value - a) / (b - a));
    let [first, last] = if a <= b { [low, high] } else { [high, low] };
    let is_within = |value: f64| low <= value && value <= high;
    let start = if is_within(a) { start } else { at(first) };
    let end = if is_within(b) { end } else { at(last) };
    let is_reached = f64::min(a, b) <= high && low <= f64::max(a, b);
    (is_reached && start < end).then_some([start, end])
}

/// Returns what is left of parts without another.
pub(super) fn without(parts: Vec<Part>, [start, end]: Part) -> Vec<Part> {
    let rest = parts
        .into_iter()
        .flat_map(|[from, to]| [[from, f64::min(to, start)], [f64::max(from, end), to]]);
    rest.filter(|[from, to]| from < to).collect()
}

/// Returns the part of an edge that a link leads over.
pub(super) fn part_of(link: &LinkRecord) -> Part {
    link.part.map(|end| f64::from(end) / f64::from(WHOLE_EDGE))
}

/// Returns the part that two have in common.
pub(super) fn common([a, b]: Part, [c, d]: Part) -> Option<Part> {
    let both = [f64::max(a, c), f64::min(b, d)];
    (both[0] < both[1]).then_some(both)
}
