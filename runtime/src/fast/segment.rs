//! A segment, or a point, on its way down a tree: its coordinates as planes of nodes take them, and what
//! may round off in a distance.

use onion_format::{NORMAL_ONE, NodeRecord};

use crate::coordinate::{Coordinate, narrowed};
use crate::segment::{longest_step, point_at};
use crate::tolerance::{CERTAIN, MAX_SIZE, ROUNDED_END};

/// What a unit of a normal is in a file. Products with coordinates times this are, to the last bit, those of
/// coordinates with unit normals, as it is a power of two.
const NORMAL_UNIT: f64 = 1.0 / NORMAL_ONE as f64;

/// A segment on its way.
#[derive(Clone, Copy)]
pub(crate) struct Segment {
    /// For each axis, the coordinates of both ends, in units. Pairs, as they are read: see
    /// [`HullView`](crate::HullView).
    axes: [[f64; 2]; 3],
    /// The same times [`NORMAL_UNIT`].
    scaled: [[f64; 2]; 3],
    /// Length along the longest axis, in units.
    pub(super) longest: f64,
    /// A point of the segment is certainly on a side of a plane if it comes out farther from it than this,
    /// in units.
    pub(super) error: f64,
    /// The distance that a trace is to keep from the plane that it hits, in units.
    pub(super) margin: f64,
    /// The larger sum of absolute coordinates of the ends, in units.
    pub(super) size: f64,
    /// Whether all of it is farther than `error` inside of what its block reaches.
    pub(super) is_inside: bool,
}

impl Segment {
    /// A segment; none if it is for the reference.
    #[inline(always)]
    pub(super) fn new(ends: [[f64; 3]; 2], margin: f64) -> Option<Self> {
        let (size, other) = (size_of(&ends[0]), size_of(&ends[1]));
        // Not true for what is not finite either.
        let is_small = size + other < MAX_SIZE;
        let size = if size > other { size } else { other };
        let scaled = |axis: usize| [ends[0][axis] * NORMAL_UNIT, ends[1][axis] * NORMAL_UNIT];
        is_small.then(|| Self {
            axes: [0, 1, 2].map(|axis| [ends[0][axis], ends[1][axis]]),
            scaled: [scaled(0), scaled(1), scaled(2)],
            longest: longest_step(&ends),
            error: CERTAIN + ROUNDED_END * size,
            margin,
            size,
            is_inside: false,
        })
    }

    /// Its ends, as they were asked about.
    #[inline(always)]
    pub(crate) fn narrowed<T: Coordinate>(&self) -> [[T; 3]; 2] {
        self.ends().map(narrowed)
    }

    /// Its ends, in units.
    #[inline(always)]
    pub(super) fn ends(&self) -> [[f64; 3]; 2] {
        let [x, y, z] = self.axes;
        [[x[0], y[0], z[0]], [x[1], y[1], z[1]]]
    }

    #[inline(always)]
    pub(super) fn point(&self, fraction: f64) -> [f64; 3] {
        point_at(&self.ends(), fraction)
    }

    /// Signed distances of its ends in front of a plane, whose normal is in units of a file, in units: as
    /// [`distance`](crate::plane::distance), without a branch for the axis, which makes no difference to the last
    /// bit.
    #[inline(always)]
    pub(super) fn distances(&self, normal: [i32; 3], dist: f64) -> [f64; 2] {
        let [x, y, z] = normal.map(f64::from);
        let [xs, ys, zs] = &self.scaled;
        let of = |end: usize| (x * xs[end] + y * ys[end] + z * zs[end]) - dist;
        [of(0), of(1)]
    }
}

/// A point, as planes of nodes take it.
#[derive(Clone, Copy)]
pub(super) struct Point([f64; 3]);

impl Point {
    pub(super) const ORIGIN: Self = Self([0.0; 3]);

    #[inline(always)]
    pub(super) fn new([x, y, z]: &[f64; 3]) -> Self {
        Self([x * NORMAL_UNIT, y * NORMAL_UNIT, z * NORMAL_UNIT])
    }

    /// Signed distance in front of the plane of a node, in units.
    #[inline(always)]
    pub(super) fn ahead(&self, node: &NodeRecord) -> f64 {
        let [x, y, z] = node.normal.map(f64::from);
        (x * self.0[0] + y * self.0[1] + z * self.0[2]) - node.dist
    }
}

/// Sum of the absolute coordinates of a point.
#[inline(always)]
pub(super) fn size_of(point: &[f64; 3]) -> f64 {
    point[0].abs() + point[1].abs() + point[2].abs()
}
