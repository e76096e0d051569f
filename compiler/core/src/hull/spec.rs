//! A hull on the grid: its name, its box, the sides of a prism and its contents, with the checks of all of these; and
//! the few facts that expanding a brush by a sum of segments needs: its support, and the directions of its edges.

use std::fmt;
use std::str::FromStr;

use nalgebra::Vector3;
use onion_format::{HULL_BITS, HULL_LIMIT, HULL_ONE, MAX_HULL_NAME, MAX_HULLS, MAX_PRISM_SIDES};
use onion_geometry::grid::{DIST_BITS, NORMAL_BITS, ceil_shift};
use onion_geometry::plane::gcd;
use onion_maps::contents::{self, Contents};
use serde::Serialize;

use crate::error::{HullOptionError, HullSpecError, SealError};

/// A hull: a named box or prism relative to its origin, and the contents that block it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HullSpec {
    /// Name, 1 to 32 bytes.
    pub name: String,
    /// Lower corner, in units; a multiple of 2^-11.
    pub mins: [f32; 3],
    /// Upper corner, in units; a multiple of 2^-11.
    pub maxs: [f32; 3],
    /// Half of each side of an upright prism, as vectors in the xy plane, in units: one for each pair of opposite
    /// sides, counterclockwise from the x axis. Multiples of 2^-11; together they have the extent of the box. Empty
    /// for a box.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sides: Vec<[f32; 2]>,
    /// Contents that block the hull.
    pub contents: Contents,
}

/// Checks the characters and the length of a name.
pub(super) fn check_name(name: &str) -> Result<(), HullOptionError> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    if !name.is_empty() && name.len() <= MAX_HULL_NAME && name.bytes().all(allowed) {
        Ok(())
    } else {
        Err(HullOptionError::BadName(name.to_owned()))
    }
}

/// Returns the nearest corner that a hull may have.
pub(super) fn on_grid(corner: [f64; 3]) -> Result<[f32; 3], HullOptionError> {
    if corner.iter().any(|number| number.abs() > HULL_LIMIT) {
        return Err(HullOptionError::TooLarge);
    }
    // At most 23 bits and a sign: exact in f32. Adding zero turns -0 into 0.
    Ok(corner
        .map(|number| ((number * f64::from(HULL_ONE)).round() / f64::from(HULL_ONE)) as f32 + 0.0))
}

/// Reads a number that is finite.
pub(super) fn number(text: &str) -> Result<f64, HullOptionError> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err(HullOptionError::BadNumber(text.to_owned())),
    }
}

/// The width that an opening must have to count for a hull without extent, in steps of 1/2048 unit; 0 if every
/// opening counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SealWidth(i64);

impl Default for SealWidth {
    /// Returns an eighth of a unit: far above the rounding error between brushes, far below what a player sees.
    fn default() -> Self {
        Self(HULL_ONE as i64 / 8)
    }
}

impl SealWidth {
    /// Whether some openings do not count.
    pub fn seals(self) -> bool {
        self.0 > 0
    }
}

impl FromStr for SealWidth {
    type Err = SealError;

    fn from_str(text: &str) -> Result<Self, SealError> {
        let fail = || SealError(text.to_owned());
        let units = number(text).map_err(|_| fail())?;
        let steps = (units * f64::from(HULL_ONE)).round() as i64;
        let is_lost = steps == 0 && units != 0.0;
        let is_width = (0.0..=HULL_LIMIT).contains(&units) && !is_lost;
        is_width.then_some(Self(steps)).ok_or_else(fail)
    }
}

impl fmt::Display for SealWidth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 as f64 / f64::from(HULL_ONE))
    }
}

/// Checks that a compile can take some hulls, which need not come from [`resolve`](super::resolve).
///
/// # Errors
/// There is no hull, there are more than 64, two have one name, or a hull has a bad name or a bad box.
pub fn check(hulls: &[HullSpec]) -> Result<(), HullSpecError> {
    let fail = |hull: &str, error| {
        let hull = hull.to_owned();
        Err(HullSpecError { hull, error })
    };
    if hulls.is_empty() {
        return fail("", HullOptionError::NoHull);
    }
    if let Some(first) = hulls.get(MAX_HULLS) {
        return fail(&first.name, HullOptionError::TooMany(hulls.len()));
    }
    for (number, HullSpec { name, .. }) in hulls.iter().enumerate() {
        if hulls[..number].iter().any(|other| other.name == *name) {
            return fail(name, HullOptionError::Repeated);
        }
        hulls[number].check().or_else(|error| fail(name, error))?;
    }
    Ok(())
}

impl HullSpec {
    /// Checks the name, the box and the sides. A corner that is not on the grid would be truncated when brushes are
    /// expanded, and expanded brushes would be too small.
    pub(super) fn check(&self) -> Result<(), HullOptionError> {
        check_name(&self.name)?;
        let mut corners = self.mins.into_iter().chain(self.maxs).map(f64::from);
        // Written so that NaN fails.
        if !corners.clone().all(|number| number.abs() <= HULL_LIMIT) {
            return Err(HullOptionError::TooLarge);
        }
        if corners.any(|number| (number * f64::from(HULL_ONE)).fract() != 0.0) {
            return Err(HullOptionError::OffGrid);
        }
        if (0..3).any(|axis| self.extent(axis) < 0.0) {
            return Err(HullOptionError::Inverted);
        }
        if self.sides.is_empty() || self.is_prism() {
            Ok(())
        } else {
            Err(HullOptionError::NoPrism)
        }
    }

    /// Whether the sides are those of a prism with the hull's box around it.
    fn is_prism(&self) -> bool {
        let is_on_grid = |at: f32| (f64::from(at) * f64::from(HULL_ONE)).fract() == 0.0;
        let extent = |axis: usize| self.sides.iter().map(|side| side[axis].abs()).sum::<f32>();
        let turns_left = |[a, b]: [f32; 2], [c, d]: [f32; 2]| {
            let [a, b, c, d] = [a, b, c, d].map(f64::from);
            a * d > b * c
        };
        (2..=MAX_PRISM_SIDES).contains(&self.sides.len())
            && self.sides.as_flattened().iter().all(|&at| is_on_grid(at))
            && self
                .sides
                .iter()
                .all(|&[x, y]| y > 0.0 || y == 0.0 && x > 0.0)
            && self
                .sides
                .windows(2)
                .all(|pair| turns_left(pair[0], pair[1]))
            && [0, 1]
                .iter()
                .all(|&axis| 2.0 * extent(axis) == self.extent(axis))
            && self.extent(2) > 0.0
    }

    /// Whether the box has no extent at all.
    pub fn is_point(&self) -> bool {
        self.mins == self.maxs
    }

    /// Returns the hull with this much more extent on each axis, half to either side.
    pub fn widened(&self, SealWidth(steps): SealWidth) -> Self {
        let below = steps / 2;
        let moved = |corner: [f32; 3], by: i64| corner.map(|at| at + by as f32 / HULL_ONE);
        Self {
            mins: moved(self.mins, -below),
            maxs: moved(self.maxs, steps - below),
            ..self.clone()
        }
    }

    /// Returns the extent of the box along an axis, in units.
    pub fn extent(&self, axis: usize) -> f32 {
        self.maxs[axis] - self.mins[axis]
    }

    /// Returns the distance that the reflected hull reaches along a grid normal, in units of 2^-36, rounded up. A
    /// plane moves outward by this distance when its brush is expanded. Rounding up keeps every expanded brush at
    /// least as large as the true sum, so it never loses its volume.
    pub fn support(&self, normal: &Vector3<i64>) -> i64 {
        let [x, y, z] = [0, 1, 2].map(|axis| {
            [self.mins[axis], self.maxs[axis]].map(|corner| -normal[axis] * steps(corner))
        });
        let reach = if self.sides.is_empty() {
            [x, y, z]
                .map(|[mins, maxs]| i128::from(mins.max(maxs)))
                .iter()
                .sum()
        } else {
            // The sum of opposite corners is twice the center.
            let center = (x[0] + x[1] + y[0] + y[1]) / 2;
            let along = |[x, y]: &[f32; 2]| (normal[0] * steps(*x) + normal[1] * steps(*y)).abs();
            let halves = self.sides.iter().map(|side| i128::from(along(side)));
            i128::from(center) + halves.sum::<i128>() + i128::from(z[0].max(z[1]))
        };
        ceil_shift(reach, NORMAL_BITS + HULL_BITS - DIST_BITS) as i64
    }

    /// Returns the directions of the hull's edges, and the normals of its faces that are not axial.
    pub fn edges(&self) -> HullEdges {
        let mut edges = HullEdges::along(if self.sides.is_empty() {
            [0, 1, 2].map(|axis| self.extent(axis) > 0.0)
        } else {
            [false, false, true]
        });
        for side in &self.sides {
            edges.add(side.map(steps));
        }
        edges
    }
}

/// Returns a hull's coordinate in steps of 2^-11 unit.
fn steps(units: f32) -> i64 {
    (units * HULL_ONE) as i64
}

/// The directions of the edges of hulls, and the normals of their faces that are not axial, in whole numbers without
/// a common factor.
#[derive(Clone, Debug, PartialEq)]
pub struct HullEdges {
    /// Directions of edges.
    pub directions: Vec<Vector3<i64>>,
    /// Normals of faces.
    pub normals: Vec<Vector3<i64>>,
}

impl HullEdges {
    /// Returns the edges of boxes that extend along some axes.
    pub fn along(axes: [bool; 3]) -> Self {
        let axes = (0..3).filter(|&axis| axes[axis]);
        Self {
            directions: axes.map(|axis| Vector3::ith(axis, 1)).collect(),
            normals: Vec::new(),
        }
    }

    /// Returns the edges of all boxes and of some hulls.
    pub fn of_all(hulls: &[HullSpec]) -> Self {
        let mut edges = Self::along([true; 3]);
        for side in hulls.iter().flat_map(|hull| &hull.sides) {
            edges.add(side.map(steps));
        }
        edges
    }

    /// Adds a side of a prism.
    fn add(&mut self, [x, y]: [i64; 2]) {
        let factor = gcd(x.unsigned_abs(), y.unsigned_abs()) as i64;
        let [x, y] = [x / factor, y / factor];
        let direction = Vector3::new(x, y, 0);
        if self.directions.contains(&direction) {
            return;
        }
        self.directions.push(direction);
        if x != 0 && y != 0 {
            let normals = [Vector3::new(y, -x, 0), Vector3::new(-y, x, 0)];
            self.normals.extend(normals);
        }
    }
}

impl From<onion_runtime::Hull<'_>> for HullSpec {
    fn from(hull: onion_runtime::Hull<'_>) -> Self {
        Self {
            name: hull.name.to_owned(),
            mins: hull.bounds.mins,
            maxs: hull.bounds.maxs,
            sides: hull.sides().collect(),
            contents: hull.contents,
        }
    }
}

impl fmt::Display for HullSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [[a, b, c], [d, e, g]] = [self.mins, self.maxs];
        let (name, contents) = (&self.name, contents::to_names(self.contents));
        write!(f, "{name}: mins {a} {b} {c}, maxs {d} {e} {g}")?;
        if !self.sides.is_empty() {
            write!(f, ", {} sides", 2 * self.sides.len())?;
        }
        write!(f, ", blocked by {contents}")
    }
}
