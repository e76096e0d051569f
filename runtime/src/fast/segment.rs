//! A segment, or a point, on its way down a tree: its coordinates scaled to the normals of nodes, and the rounding
//! error of its distances.

use onion_format::{NORMAL_ONE, NodeRecord};

use crate::math::coordinate::{Coordinate, narrowed};
use crate::math::segment::{longest_step, point_at};
use crate::tolerance::{CERTAIN, MAX_SIZE, ROUNDED_END};

/// The value of one unit of a normal in a file. Products with coordinates scaled by this equal, to the last bit,
/// those of coordinates with unit normals, because it is a power of two.
const NORMAL_UNIT: f64 = 1.0 / NORMAL_ONE as f64;

/// A segment on its way.
#[derive(Clone, Copy)]
pub(crate) struct Segment {
    /// The coordinates of both ends, for each axis, in units. Stored in pairs, because they are read in pairs: see
    /// [`HullView::trace_between`](crate::HullView::trace_between).
    axes: [[f64; 2]; 3],
    /// The same, times [`NORMAL_UNIT`].
    scaled: [[f64; 2]; 3],
    /// Length along the longest axis, in units.
    pub(super) longest: f64,
    /// A point of the segment is certainly on one side of a plane if its computed distance exceeds this, in units.
    pub(super) error: f64,
    /// The distance that a trace keeps from the plane that it hits, in units.
    pub(super) margin: f64,
    /// The larger sum of absolute coordinates of the ends, in units.
    pub(super) size: f64,
    /// Whether both ends are farther than `error` inside of their block's reach. A stop between them is then as far
    /// inside, and needs no query if the planes that were crossed are as far from it.
    pub(super) is_inside: bool,
}

impl Segment {
    /// Returns a segment, or `None` if the reference must decide.
    #[inline(always)]
    pub(super) fn new(ends: [[f64; 3]; 2], margin: f64) -> Option<Self> {
        let (size, other) = (size_of(&ends[0]), size_of(&ends[1]));
        // False for an end that is not finite, too.
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

    /// Returns its ends, in the type of the query.
    #[inline(always)]
    pub(crate) fn narrowed<T: Coordinate>(&self) -> [[T; 3]; 2] {
        self.ends().map(narrowed)
    }

    /// Returns its ends, in units.
    #[inline(always)]
    pub(super) fn ends(&self) -> [[f64; 3]; 2] {
        let [x, y, z] = self.axes;
        [[x[0], y[0], z[0]], [x[1], y[1], z[1]]]
    }

    /// Returns the point at a fraction of the way from the first end to the second, in units.
    #[inline(always)]
    pub(super) fn point(&self, fraction: f64) -> [f64; 3] {
        point_at(&self.ends(), fraction)
    }

    /// Returns the signed distances of its ends in front of a plane, in units; the normal is in the whole numbers of
    /// a file. The same as [`distance`](crate::math::plane::distance) to the last bit, but without a branch for axial
    /// planes.
    #[inline(always)]
    pub(super) fn distances(&self, normal: [i32; 3], dist: f64) -> [f64; 2] {
        let [x, y, z] = normal.map(f64::from);
        let [xs, ys, zs] = &self.scaled;
        let of = |end: usize| (x * xs[end] + y * ys[end] + z * zs[end]) - dist;
        [of(0), of(1)]
    }
}

/// A point, scaled to the normals of nodes.
#[derive(Clone, Copy)]
pub(super) struct ScaledPoint([f64; 3]);

impl ScaledPoint {
    /// Fills what no point is stored in yet.
    pub(super) const ORIGIN: Self = Self([0.0; 3]);

    /// Scales a point in units by the length of a normal that is stored as whole numbers.
    #[inline(always)]
    pub(super) fn new([x, y, z]: &[f64; 3]) -> Self {
        Self([x * NORMAL_UNIT, y * NORMAL_UNIT, z * NORMAL_UNIT])
    }

    /// Returns the signed distance in front of the plane of a node, in units.
    #[inline(always)]
    pub(super) fn ahead(&self, node: &NodeRecord) -> f64 {
        let [x, y, z] = node.normal.map(f64::from);
        (x * self.0[0] + y * self.0[1] + z * self.0[2]) - node.dist
    }
}

/// Returns the sum of the absolute coordinates of a point.
#[inline(always)]
pub(super) fn size_of(point: &[f64; 3]) -> f64 {
    point[0].abs() + point[1].abs() + point[2].abs()
}
