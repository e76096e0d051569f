//! The border of a patch, as chains of straight edges. A chain depends only on the control points of its edge. So two
//! patches that share an edge have the same chain, and the pieces of both contain it.

use std::ops::Range;

use glam::DVec3;

use super::surface::{Control, PatchSurface, on_grid, part, seen_from};

/// Maximum number of edges across one span.
const MAX_EDGES: f64 = 4096.0;

/// A chain of edges for each span along each side of a patch; sides are numbered as in a cell.
pub struct Border {
    /// For each side, the chains of the spans along it, in the direction of the parameter.
    chains: [Vec<Chain>; 4],
}

/// The edges that approximate the border of one span: its curve and the number of edges.
struct Chain {
    /// The control points of the quadratic curve.
    curve: [DVec3; 3],
    /// The number of edges, which is whole; each spans an equal part of the parameter.
    n_edges: f64,
    /// Whether each point of the edges is within the error of the curve's point at the same parameter.
    is_even: bool,
}

impl Border {
    /// Returns the border of a surface, at most `error` units from it.
    pub fn new(surface: &PatchSurface, error: f64) -> Self {
        let all = surface.n_spans.map(|n_spans| 0..n_spans);
        let along = |side| chains(surface, &all, side, error).collect();
        let chains = [0, 1, 2, 3].map(along);
        Self { chains }
    }

    /// Returns the point of a side of a span at a parameter, 0 to 1.
    pub fn point(&self, side: usize, span: usize, at: f64) -> DVec3 {
        self.chains[side][span].point(at)
    }

    /// Returns the corners of the chain strictly between two parameters.
    pub fn between(&self, side: usize, span: usize, [from, to]: [f64; 2]) -> Vec<DVec3> {
        let chain = &self.chains[side][span];
        let numbers = 1..chain.n_edges as usize;
        let places = numbers.map(|number| number as f64 / chain.n_edges);
        let inner = places.filter(|&at| from < at && at < to);
        inner.map(|at| chain.point(at)).collect()
    }
}

/// Returns the border of a block of spans, in a circle, at most `error` units from the surface, on the grid of points.
pub fn outline(surface: &PatchSurface, block: &[Range<usize>; 2], error: f64) -> Vec<DVec3> {
    let sides = (0..4).flat_map(|side| {
        let chains = chains(surface, block, side, error);
        let mut corners: Vec<DVec3> = chains.flat_map(Chain::corners).collect();
        if side >= 2 {
            corners.reverse();
        }
        corners
    });
    let mut corners: Vec<DVec3> = sides.map(on_grid).collect();
    corners.dedup();
    if corners.first() == corners.last() {
        corners.pop();
    }
    corners
}

/// Returns the chains along a side of a block of spans.
fn chains(
    surface: &PatchSurface,
    block: &[Range<usize>; 2],
    side: usize,
    error: f64,
) -> impl Iterator<Item = Chain> {
    let (along, across) = (side % 2, 1 - side % 2);
    block[along].clone().map(move |number| {
        let mut span = [number; 2];
        span[across] = match side {
            0 | 3 => block[across].start,
            _ => block[across].end - 1,
        };
        Chain::new(surface.side(span, side), error)
    })
}

/// Returns the control points of a side of a rectangle, in the direction of its parameter.
pub fn side_of(control: &Control, side: usize) -> [DVec3; 5] {
    [0, 1, 2, 3, 4].map(|at| control[seen_from(side, 5, [at, 0])])
}

impl Chain {
    /// Creates a chain of edges of equal parameter length that keep within the error, with the fewest edges that a
    /// search from below finds.
    fn new(curve: [DVec3; 3], error: f64) -> Self {
        let [a, b, c] = curve;
        let bend = ((a + c) - b * 2.0) / 4.0;
        // The component of the bend along the chord moves points along the edge, not away from it.
        let off = match (c - a).try_normalize() {
            Some(chord) => bend.reject_from_normalized(chord),
            None => bend,
        };
        // `most` edges keep each point within the error of the point at its parameter. Fewer may do, because only the
        // distance from the edge counts: the search begins with the part of the bend across the chord.
        let [least, most] =
            [off, bend].map(|off| (off.length() / error).sqrt().ceil().clamp(1.0, MAX_EDGES));
        let mut chain = Self {
            curve,
            n_edges: least,
            is_even: true,
        };
        while chain.n_edges < most && chain.off() > error {
            // Long chains gain several edges at a time, because each attempt examines all edges.
            chain.n_edges = (chain.n_edges + 1.0 + (chain.n_edges / 8.0).floor()).min(most);
        }
        chain.is_even = chain.n_edges == most;
        chain
    }

    /// Returns an upper bound on the distance between the curve and its edges, in units.
    fn off(&self) -> f64 {
        let numbers = (0..self.n_edges as usize).map(|number| number as f64);
        let offs = numbers.map(|number| {
            let range = [number, number + 1.0].map(|at| at / self.n_edges);
            let [a, b, c] = part(self.curve, range);
            let (edge, control) = (c - a, b - a);
            let along = control.dot(edge) / edge.length_squared();
            let place = if (0.0..=1.0).contains(&along) {
                edge * along
            } else {
                // The curve extends beyond the ends of the edge.
                edge / 2.0
            };
            // A quadratic curve is at most half as far from its chord as its control point is.
            control.distance(place) / 2.0
        });
        offs.fold(0.0, f64::max)
    }

    /// Returns the ends of all edges, in the direction of the parameter.
    fn corners(self) -> impl Iterator<Item = DVec3> {
        let numbers = 0..=self.n_edges as usize;
        numbers.map(move |number| self.point(number as f64 / self.n_edges))
    }

    /// Returns a point of the edges that is within the error of the curve's point at a parameter.
    fn point(&self, at: f64) -> DVec3 {
        let on_curve = |number: f64| part(self.curve, [number / self.n_edges; 2])[0];
        let number = (at * self.n_edges).floor().min(self.n_edges - 1.0);
        let [from, to] = [number, number + 1.0].map(on_curve);
        if self.is_even {
            let rest = at * self.n_edges - number;
            return from * (1.0 - rest) + to * rest;
        }
        let edge = to - from;
        if edge == DVec3::ZERO {
            return from;
        }
        let along = (on_curve(at * self.n_edges) - from).dot(edge) / edge.length_squared();
        from.lerp(to, along.clamp(0.0, 1.0))
    }
}
