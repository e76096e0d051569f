//! Planes on the grid, and the set of distinct planes, which gives each a small id. The ids of a plane and of its flip
//! are adjacent (`id ^ 1`), so flipping a plane never adds one.

use dashu_int::IBig;
use foldhash::fast::RandomState;
use glam::DVec3;
use indexmap::IndexSet;
use nalgebra::Vector3;

use super::grid::{self, DIST_BITS, DIST_LIMIT, DIST_ONE, NORMAL_BITS, NORMAL_ONE};

/// A plane with integer coefficients. A point `p` in units is in front when `normal . p / 2^30 - dist / 2^36` is
/// positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ExactPlane {
    /// Normal in units of 2^-30; its length is 1 within 2^-10.
    pub normal: Vector3<i64>,
    /// Distance from the origin in units of 2^-36.
    pub dist: i64,
}

impl ExactPlane {
    /// Returns the axial plane whose normal points along `axis` (0 to 2), forward or back.
    pub fn axial(axis: usize, forward: bool, dist: i64) -> Self {
        let mut normal = Vector3::zeros();
        normal[axis] = if forward { NORMAL_ONE } else { -NORMAL_ONE };
        Self { normal, dist }
    }

    /// Returns the axial plane at an integer number of units along its normal.
    pub fn whole(axis: usize, forward: bool, units: i64) -> Self {
        Self::axial(axis, forward, units * DIST_ONE)
    }

    /// Returns the plane nearest to a unit normal and a distance in units, or `None` if the distance is out of range.
    pub fn nearest(normal: DVec3, dist: f64) -> Option<Self> {
        let normal = grid_normal(normal);
        grid::dist(dist).map(|dist| Self { normal, dist })
    }

    /// Returns the plane nearest to the points `p`, in units, with `normal . p * scale = dist`, or `None` if the
    /// distance is out of range. The normal may have any length but zero, and `scale` is above zero. All ways to write
    /// the same plane give the same result.
    pub fn exact(normal: &[IBig; 3], dist: &IBig, scale: &IBig) -> Option<Self> {
        if let Some(plane) = Self::exact_axial(normal, dist, scale) {
            return plane;
        }
        let square: IBig = normal.iter().map(|component| component * component).sum();
        let component = |of: &IBig| grid::nearest_over_root(&(of << NORMAL_BITS as usize), &square);
        let [x, y, z] = normal;
        let normal = Vector3::new(component(x)?, component(y)?, component(z)?);
        let square = square * scale * scale;
        let dist = grid::nearest_over_root(&(dist << DIST_BITS as usize), &square)?;
        (dist.abs() < DIST_LIMIT).then_some(Self { normal, dist })
    }

    /// Does the same for an axial plane whose numbers fit into 128 bits, without a root. The outer option is `None` for
    /// any other plane.
    fn exact_axial(normal: &[IBig; 3], dist: &IBig, scale: &IBig) -> Option<Option<Self>> {
        let axis = normal.iter().position(|component| !component.is_zero())?;
        if !normal[axis + 1..].iter().all(IBig::is_zero) {
            return None;
        }
        let small = |number: &IBig| i128::try_from(number).ok();
        let [component, dist, scale] = [small(&normal[axis])?, small(dist)?, small(scale)?];
        let divisor = component.checked_abs()?.checked_mul(scale)?;
        let dist = dist.checked_mul(1 << DIST_BITS)?;
        let nearest = grid::nearest_over(dist, divisor)?;
        let plane = |dist: i64| Self::axial(axis, component > 0, dist);
        let nearest = i64::try_from(nearest).ok();
        Some(nearest.filter(|dist| dist.abs() < DIST_LIMIT).map(plane))
    }

    /// Returns a plane on the grid, with a normal near `normal`, that has all points behind it or in it and is nearest
    /// to them, or `None` if a distance is out of range. Points are in units of 2^-16. The normal is rounded coarsely,
    /// so that planes that should be parallel or axial are, in spite of rounding errors in `normal`.
    pub fn supporting(normal: DVec3, points: impl Iterator<Item = [i64; 3]>) -> Option<Self> {
        let normal = normal.to_array().map(grid::coarse_normal_component);
        Self::behind(Vector3::from(normal), points)
    }

    /// Does the same with a finely rounded normal, unless the normal is nearly axial.
    pub fn around(normal: DVec3, points: impl Iterator<Item = [i64; 3]>) -> Option<Self> {
        let coarse = Vector3::from(normal.to_array().map(grid::coarse_normal_component));
        let is_axial = coarse.iter().filter(|&&component| component != 0).count() == 1;
        let fine = || grid_normal(normal);
        Self::behind(if is_axial { coarse } else { fine() }, points)
    }

    /// Returns the plane with this normal that has all points behind it or in it, and is nearest to them.
    fn behind(normal: Vector3<i64>, points: impl Iterator<Item = [i64; 3]>) -> Option<Self> {
        let wide = normal.map(i128::from);
        let along = |point| wide.dot(&Vector3::from(point).map(i128::from));
        let farthest = points.map(along).max()?;
        grid::dist_ceil(farthest).map(|dist| Self { normal, dist })
    }

    /// Returns the same plane, facing the other way.
    pub fn flipped(self) -> Self {
        Self {
            normal: -self.normal,
            dist: -self.dist,
        }
    }

    /// Returns the axis of the normal, or `None` if the plane is not axial.
    pub fn axis(&self) -> Option<usize> {
        (0..3).find(|&axis| self.normal[axis].abs() == NORMAL_ONE && self.is_along(axis))
    }

    fn is_along(&self, axis: usize) -> bool {
        (0..3).all(|other| other == axis || self.normal[other] == 0)
    }

    fn is_canonical(&self) -> bool {
        self.normal.iter().find(|&&component| component != 0) > Some(&0)
    }

    /// Whether another plane has the same points, facing either way. The coefficients may differ by a factor.
    pub fn coincides(&self, other: &Self) -> bool {
        let times = |plane: &Self, factor| plane.normal.map(i128::from) * i128::from(factor);
        self.normal.cross(&other.normal) == Vector3::zeros()
            && times(self, other.dist) == times(other, self.dist)
    }

    /// Returns the same plane, facing the same way, with the smallest integer coefficients.
    fn reduced(self) -> Self {
        let numbers = self.normal.iter().chain([&self.dist]);
        let divisor = numbers.fold(0, |divisor, number| gcd(number.unsigned_abs(), divisor)) as i64;
        Self {
            normal: self.normal / divisor,
            dist: self.dist / divisor,
        }
    }

    /// Scales these smallest coefficients to a unit normal along an axis, or returns `None` if the plane is not axial
    /// or not on the grid.
    fn as_axial(&self) -> Option<Self> {
        let axis = (0..3).find(|&axis| self.is_along(axis))?;
        let component = self.normal[axis];
        let factor = NORMAL_ONE / component.abs();
        let dist = self.dist.checked_mul(factor)?;
        let is_on_grid = factor * component.abs() == NORMAL_ONE && dist.abs() < DIST_LIMIT;
        is_on_grid.then(|| Self::axial(axis, component > 0, dist))
    }
}

/// Returns the greatest common divisor.
pub fn gcd(mut one: u64, mut other: u64) -> u64 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

/// Returns the grid normal nearest to a unit normal.
pub fn grid_normal(normal: DVec3) -> Vector3<i64> {
    Vector3::from(normal.to_array().map(grid::normal_component))
}

/// Returns the normal in f64, which holds it exactly.
pub fn exact_normal(normal: &Vector3<i64>) -> DVec3 {
    let exact = normal.map(|component| component as f64 / NORMAL_ONE as f64);
    DVec3::from_array(exact.into())
}

/// A plane of a [`PlaneSet`], facing one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PlaneId(u32);

impl PlaneId {
    /// Returns the same plane, facing the other way.
    pub fn flipped(self) -> Self {
        Self(self.0 ^ 1)
    }

    /// Returns the same plane, facing the way whose first nonzero normal component is positive.
    pub fn canonical(self) -> Self {
        Self(self.0 & !1)
    }

    /// Whether this is the canonical facing.
    pub fn is_canonical(self) -> bool {
        self.0 & 1 == 0
    }
}

/// A plane with the values that predicates need, computed in advance.
#[derive(Clone, Copy, Debug)]
pub struct PlaneEntry {
    /// The exact plane.
    pub plane: ExactPlane,
    /// The normal, exact in f64.
    pub normal: DVec3,
    /// The distance in units, exact in f64.
    pub dist: f64,
    /// The axis of the normal, or `None` if the plane is not axial.
    pub axis: Option<u8>,
}

impl PlaneEntry {
    fn new(plane: ExactPlane) -> Self {
        Self {
            plane,
            normal: exact_normal(&plane.normal),
            dist: plane.dist as f64 / DIST_ONE as f64,
            axis: plane.axis().map(|axis| axis as u8),
        }
    }
}

/// The distinct planes of a compile, in the order of their first insertion. Planes of the same points are one entry,
/// although normals of maps are a little longer or shorter than 1: the entry has the coefficients of the axial plane if
/// it is axial, otherwise those that were inserted first.
#[derive(Clone, Debug, Default)]
pub struct PlaneSet {
    /// The planes in canonical facing, with their smallest coefficients.
    canonical: IndexSet<ExactPlane, RandomState>,
    entries: Vec<PlaneEntry>,
}

impl PlaneSet {
    /// Returns the id of a plane, which is added if it is new.
    ///
    /// # Panics
    /// If there are 2^31 planes.
    pub fn insert(&mut self, plane: ExactPlane) -> PlaneId {
        let flip = !plane.is_canonical();
        let canonical = if flip { plane.flipped() } else { plane };
        let reduced = canonical.reduced();
        let (index, new) = self.canonical.insert_full(reduced);
        if new {
            assert!(index < 1 << 31, "more than 2^31 planes");
            let canonical = reduced.as_axial().unwrap_or(canonical);
            self.entries.push(PlaneEntry::new(canonical));
            self.entries.push(PlaneEntry::new(canonical.flipped()));
        }
        PlaneId((index as u32) << 1 | u32::from(flip))
    }

    /// Returns the id of a canonical plane, or `None` if it is not in the set.
    pub fn find(&self, plane: ExactPlane) -> Option<PlaneId> {
        debug_assert!(plane.is_canonical());
        let index = self.canonical.get_index_of(&plane.reduced())?;
        Some(PlaneId((index as u32) << 1))
    }
}

impl std::ops::Index<PlaneId> for PlaneSet {
    type Output = PlaneEntry;

    fn index(&self, id: PlaneId) -> &PlaneEntry {
        &self.entries[id.0 as usize]
    }
}
