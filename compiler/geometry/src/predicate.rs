//! Predicates decide exactly whether a vertex or a point is in front of a plane, behind it or on it. A floating-point
//! filter answers nearly always; integer arithmetic decides the rest.
//!
//! # Integer arithmetic
//! A vertex is the meeting of three planes. In units of 1/64, where plane `i` reads `normal_i . q = dist_i` in
//! integers, Cramer's rule gives it as four integers `(x, y, z) / w`: cross products of normals stay below 2^61, `w`
//! below 2^91 and `x, y, z` below 2^116 (distances below 2^53). So all of it fits in i128, and only the last dot
//! product needs 256 bits.
//!
//! # The filter
//! A component of the vertex is the quotient of two correctly rounded integers: its relative error is below 3u, u =
//! 2^-53. The dot product with an exact normal of components up to 1 adds one rounding for each product and three for
//! the sums, so the error of `normal . p - dist` is below 8u (|x| + |y| + |z|) + u |dist|; the filter requires twice
//! that.

use ethnum::I256;
use glam::DVec3;
use nalgebra::Vector3;
use smallvec::SmallVec;

use super::grid::{DIST_BITS, NORMAL_BITS};
use super::plane::{ExactPlane, PlaneEntry, PlaneId, PlaneSet, exact_normal};
use crate::tolerance::{FILTER, OUTWARD_MARGIN};

/// Homogeneous coordinates count in 1/64 unit, so that normals and distances share a scale.
const SCALE: f64 = (1u64 << (DIST_BITS - NORMAL_BITS)) as f64;

/// The location of a point relative to a plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// Behind the plane: inside, for a plane of a brush.
    Back,
    /// Exactly on the plane.
    On,
    /// In front of the plane: outside, for a plane of a brush.
    Front,
}

impl Location {
    fn of(sign: i64) -> Self {
        match sign {
            0 => Self::On,
            1.. => Self::Front,
            _ => Self::Back,
        }
    }

    /// Returns the location relative to the flipped plane.
    pub fn flipped(self) -> Self {
        match self {
            Self::Back => Self::Front,
            Self::On => Self::On,
            Self::Front => Self::Back,
        }
    }
}

/// The locations of several vertices relative to a plane; usually few enough for the stack.
pub type Locations = SmallVec<[Location; 32]>;

/// An exact point in homogeneous coordinates, with its nearest position in f64.
#[derive(Clone, Copy, Debug)]
pub struct PointH {
    /// Position times `w`, in units of 1/64.
    xyz: Vector3<i128>,
    /// The common denominator, always positive.
    w: i128,
    /// Position in units, each component within a relative error of 3 * 2^-53.
    pub position: DVec3,
}

impl PointH {
    fn new(xyz: Vector3<i128>, w: i128) -> Self {
        debug_assert!(w > 0);
        let divisor = w as f64 * SCALE;
        let position = DVec3::from_array(xyz.map(|component| component as f64 / divisor).into());
        Self { xyz, w, position }
    }

    /// Returns the point whose coordinates are these multiples of 2^-36 units.
    pub fn on_grid(coordinates: [i64; 3]) -> Self {
        // A distance counts in 2^-36 units, a homogeneous coordinate in 2^-6.
        Self::new(Vector3::from(coordinates).map(i128::from), 1 << NORMAL_BITS)
    }

    /// Returns the point where three planes meet, or `None` if they have no single point in common.
    pub fn meet([a, b, c]: [&PlaneEntry; 3]) -> Option<Self> {
        let [a, b, c] = [&a.plane, &b.plane, &c.plane];
        let wide = |narrow: Vector3<i64>| narrow.map(i128::from);
        let [bc, ca, ab] = [
            wide(b.normal.cross(&c.normal)),
            wide(c.normal.cross(&a.normal)),
            wide(a.normal.cross(&b.normal)),
        ];
        let w = wide(a.normal).dot(&bc);
        let xyz = bc * i128::from(a.dist) + ca * i128::from(b.dist) + ab * i128::from(c.dist);
        match w {
            0 => None,
            1.. => Some(Self::new(xyz, w)),
            _ => Some(Self::new(-xyz, -w)),
        }
    }

    /// Returns the exact mean of points with positive integer weights (each times the point's own `w`), or `None` if
    /// there are no points. It lies inside the convex hull of the points. The weights must add up to at most 2^11.
    pub fn weighted_mean(points: impl Iterator<Item = (PointH, i128)>) -> Option<Self> {
        let mut xyz = Vector3::zeros();
        let mut w = 0;
        for (point, weight) in points {
            xyz += point.xyz * weight;
            w += point.w * weight;
        }
        (w > 0).then(|| Self::new(xyz, w))
    }

    /// Returns the smallest integer distance, in units of 2^-36, of a plane with this normal that has the point
    /// behind it or in it.
    fn dist_along(&self, normal: &Vector3<i64>) -> I256 {
        let [x, y, z] = self.xyz.map(I256::from).into();
        let [a, b, c] = normal.map(I256::from).into();
        let (along, w) = (x * a + y * b + z * c, I256::from(self.w));
        let floor = along.div_euclid(w);
        floor + I256::from((floor * w < along) as i64)
    }

    /// Locates the point relative to a plane.
    pub fn locate(&self, plane: &PlaneEntry) -> Location {
        filter(&self.position, plane).unwrap_or_else(|| self.locate_exactly(plane))
    }

    fn locate_exactly(&self, plane: &PlaneEntry) -> Location {
        let [x, y, z] = self.xyz.map(I256::from).into();
        let [a, b, c] = plane.plane.normal.map(I256::from).into();
        let distance = x * a + y * b + z * c - I256::from(self.w) * I256::from(plane.plane.dist);
        Location::of(distance.signum128() as i64)
    }
}

/// Locates a position with the relative error of a [`PointH`], or returns `None` if its location is not certain.
#[inline]
fn filter(position: &DVec3, plane: &PlaneEntry) -> Option<Location> {
    let magnitude = position.x.abs() + position.y.abs() + position.z.abs() + plane.dist.abs();
    let distance = plane.normal.dot(*position) - plane.dist;
    let bound = FILTER * magnitude;
    if distance > bound {
        Some(Location::Front)
    } else if distance < -bound {
        Some(Location::Back)
    } else {
        None
    }
}

/// Returns the exact point where three axial planes meet, or `None` unless they are of three different axes.
fn axial_meeting(entries: [&PlaneEntry; 3]) -> Option<DVec3> {
    let mut position = DVec3::NAN;
    for entry in entries {
        let axis = usize::from(entry.axis?);
        // The sum makes a negative zero positive.
        position[axis] = entry.normal[axis] * entry.dist + 0.0;
    }
    (!position.is_nan()).then_some(position)
}

/// A vertex: three planes and the nearest position in f64.
#[derive(Clone, Copy, Debug)]
pub struct Vertex {
    /// Planes that meet in the vertex, facing either way.
    pub meeting: [PlaneId; 3],
    /// Position in units, with the relative error of [`PointH::position`].
    pub position: DVec3,
    /// Whether the position is exact, as it is where three axial planes meet.
    exact: bool,
}

impl Vertex {
    /// Returns the vertex where three planes meet, or `None` if they have no single point in common.
    pub fn new(planes: &PlaneSet, meeting: [PlaneId; 3]) -> Option<Self> {
        let entries = meeting.map(|plane| &planes[plane]);
        let exact = entries.iter().all(|entry| entry.axis.is_some());
        let position = if exact {
            axial_meeting(entries)?
        } else {
            PointH::meet(entries)?.position
        };
        Some(Self {
            meeting,
            position,
            exact,
        })
    }

    /// Returns the nearest plane with this normal, on the grid, that has all vertices behind it or in it. Vertices
    /// below 2^17 units keep its distance below 2^18 units.
    pub fn supporting_plane(
        planes: &PlaneSet,
        vertices: &[Self],
        normal: Vector3<i64>,
    ) -> ExactPlane {
        let direction = exact_normal(&normal);
        let along = |vertex: &Self| direction.dot(vertex.position);
        let farthest = vertices.iter().map(along).fold(f64::NEG_INFINITY, f64::max);
        // Two positions that differ by more than both their errors are in the right order.
        let contenders = vertices
            .iter()
            .filter(|vertex| along(vertex) >= farthest - OUTWARD_MARGIN);
        let dists = contenders.map(|vertex| vertex.point(planes).dist_along(&normal));
        let dist = dists.max().map_or(0, |dist| dist.as_i64());
        ExactPlane { normal, dist }
    }

    /// Computes the exact coordinates again.
    pub fn point(&self, planes: &PlaneSet) -> PointH {
        let meeting = PointH::meet(self.meeting.map(|plane| &planes[plane]));
        meeting.expect("a vertex is only made where its planes meet")
    }

    /// Locates the vertex in which three planes meet, given its position, relative to another plane.
    #[inline]
    pub fn locate_meeting(
        planes: &PlaneSet,
        meeting: [PlaneId; 3],
        position: &DVec3,
        plane: PlaneId,
    ) -> Location {
        filter(position, &planes[plane]).unwrap_or_else(|| {
            let vertex = Self {
                meeting,
                position: *position,
                exact: meeting.iter().all(|&own| planes[own].axis.is_some()),
            };
            vertex.locate(planes, plane)
        })
    }

    /// Locates the vertex relative to a plane.
    #[inline]
    pub fn locate(&self, planes: &PlaneSet, plane: PlaneId) -> Location {
        let entry = &planes[plane];
        if let Some(location) = filter(&self.position, entry) {
            return location;
        }
        let canonical = plane.canonical();
        if self.meeting.iter().any(|own| own.canonical() == canonical) {
            return Location::On;
        }
        if let (true, Some(axis)) = (self.exact, entry.axis) {
            // Both numbers are multiples of 2^-36 below 2^17, so the comparison is exact.
            let axis = usize::from(axis);
            let ahead = self.position[axis] * entry.normal[axis] - entry.dist;
            return Location::of((ahead > 0.0) as i64 - (ahead < 0.0) as i64);
        }
        self.point(planes).locate_exactly(entry)
    }
}
