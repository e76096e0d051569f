//! A hull is a named box with the contents that block it. This module reads the text of `--hull` options and
//! puts the corners of their boxes on the grid.

use std::fmt;
use std::str::FromStr;

use nalgebra::Vector3;
use onion_format::{HULL_LIMIT, MAX_HULL_NAME, MAX_HULLS};
use onion_geometry::grid::{DIST_BITS, HULL_BITS, HULL_ONE, NORMAL_BITS, ceil_shift};
use onion_maps::contents::{self, Contents};
use serde::Serialize;

use crate::error::{HullOptionError, HullSpecError, SealError};

/// The default height of a box's origin above its feet, in units: that of Quake's players.
const ORIGIN_ABOVE_FEET: f64 = 24.0;

/// The position of a box's origin between its lower and upper face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Origin {
    /// At the feet.
    Feet,
    /// In the middle.
    Center,
    /// This many units above the feet.
    Above(f64),
}

impl Origin {
    /// Returns the height of the origin above the feet of a box of this height, in units.
    fn above_feet(self, height: f64) -> f64 {
        match self {
            Self::Feet => 0.0,
            Self::Center => height / 2.0,
            Self::Above(units) => units,
        }
    }

    /// Returns the default: 24 units above the feet, or the center of a box no taller than that, because an origin
    /// above its own head would surprise.
    fn default_for(height: f64) -> Self {
        if height <= ORIGIN_ABOVE_FEET {
            Self::Center
        } else {
            Self::Above(ORIGIN_ABOVE_FEET)
        }
    }
}

impl FromStr for Origin {
    type Err = HullOptionError;

    fn from_str(text: &str) -> Result<Self, HullOptionError> {
        match (text, number(text)) {
            ("feet", _) => Ok(Self::Feet),
            ("center", _) => Ok(Self::Center),
            (_, Ok(units)) => Ok(Self::Above(units)),
            (_, Err(_)) => Err(HullOptionError::BadOrigin(text.to_owned())),
        }
    }
}

/// The shape of a hull as written, before its origin is known.
#[derive(Clone, Copy, Debug, PartialEq)]
enum HullShape {
    Point,
    Box { half_width: f64, height: f64 },
    Corners { mins: [f64; 3], maxs: [f64; 3] },
}

/// A `--hull` option as written.
#[derive(Clone, Debug, PartialEq)]
pub struct HullOption {
    name: String,
    shape: HullShape,
    origin: Option<Origin>,
    contents: Option<Contents>,
}

/// A hull: a named box relative to its origin, and the contents that block it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HullSpec {
    /// Name, 1 to 32 bytes.
    pub name: String,
    /// Lower corner, in units; a multiple of 2^-11.
    pub mins: [f32; 3],
    /// Upper corner, in units; a multiple of 2^-11.
    pub maxs: [f32; 3],
    /// Contents that block the hull.
    pub contents: Contents,
}

impl FromStr for HullOption {
    type Err = HullOptionError;

    fn from_str(text: &str) -> Result<Self, HullOptionError> {
        let (name, rest) = text.split_once(':').ok_or(HullOptionError::NoShape)?;
        check_name(name)?;
        let (mut mins, mut maxs, mut shape) = (None, None, None);
        let (mut origin, mut contents) = (None, None);
        for part in rest.split(':') {
            if let Some(corner) = part.strip_prefix("mins=") {
                set("mins", &mut mins, corner_of(corner)?)?;
            } else if let Some(corner) = part.strip_prefix("maxs=") {
                set("maxs", &mut maxs, corner_of(corner)?)?;
            } else if let Some(names) = part.strip_prefix("contents=") {
                let bits = contents::from_names(names).map_err(HullOptionError::BadContents)?;
                set("contents", &mut contents, bits)?;
            } else if shape.is_none() && mins.is_none() {
                let (size, above) = part.split_once('@').unzip();
                origin = above.map(str::parse).transpose()?;
                shape = Some(size_of(size.unwrap_or(part))?);
            } else {
                return Err(HullOptionError::BadPart(part.to_owned()));
            }
        }
        let shape = match (shape, mins, maxs) {
            (Some(shape), None, None) => shape,
            (None, Some(mins), Some(maxs)) => HullShape::Corners { mins, maxs },
            (None, Some(_), None) => return Err(HullOptionError::OneCorner("mins", "maxs")),
            (None, None, Some(_)) => return Err(HullOptionError::OneCorner("maxs", "mins")),
            _ => return Err(HullOptionError::NoShape),
        };
        if shape == HullShape::Point && origin.is_some() {
            return Err(HullOptionError::PointOrigin(name.to_owned()));
        }
        Ok(Self {
            name: name.to_owned(),
            shape,
            origin,
            contents,
        })
    }
}

fn check_name(name: &str) -> Result<(), HullOptionError> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    match !name.is_empty() && name.len() <= MAX_HULL_NAME && name.bytes().all(allowed) {
        true => Ok(()),
        false => Err(HullOptionError::BadName(name.to_owned())),
    }
}

/// Sets a part of a hull, which may be written only once.
fn set<T>(name: &'static str, part: &mut Option<T>, value: T) -> Result<(), HullOptionError> {
    match part.replace(value) {
        None => Ok(()),
        Some(_) => Err(HullOptionError::Twice(name)),
    }
}

/// Reads `point` or `RxH`.
fn size_of(text: &str) -> Result<HullShape, HullOptionError> {
    if text == "point" {
        return Ok(HullShape::Point);
    }
    if !text.contains('x') || text.starts_with(char::is_alphabetic) {
        return Err(HullOptionError::BadPart(text.to_owned()));
    }
    let numbers: Result<Vec<f64>, _> = text.split('x').map(number).collect();
    let Ok(&[half_width, height]) = numbers.as_deref() else {
        return Err(HullOptionError::BadSize(text.to_owned()));
    };
    if half_width <= 0.0 || height <= 0.0 {
        return Err(HullOptionError::NotAbove0);
    }
    Ok(HullShape::Box { half_width, height })
}

fn corner_of(text: &str) -> Result<[f64; 3], HullOptionError> {
    let numbers: Vec<f64> = text.split(',').map(number).collect::<Result<_, _>>()?;
    numbers
        .try_into()
        .map_err(|_| HullOptionError::BadPart(text.to_owned()))
}

fn number(text: &str) -> Result<f64, HullOptionError> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err(HullOptionError::BadNumber(text.to_owned())),
    }
}

impl HullOption {
    /// Returns the hull's box and contents; `origin` is the value of `--origin`, if given.
    fn resolve(&self, origin: Option<Origin>) -> Result<HullSpec, HullOptionError> {
        let (mins, maxs) = match self.shape {
            HullShape::Point => ([0.0; 3], [0.0; 3]),
            HullShape::Corners { mins, maxs } => (mins, maxs),
            HullShape::Box { half_width, height } => {
                let origin = self.origin.or(origin);
                let origin = origin.unwrap_or_else(|| Origin::default_for(height));
                let below = origin.above_feet(height);
                (
                    [-half_width, -half_width, -below],
                    [half_width, half_width, height - below],
                )
            }
        };
        let clip = if mins == maxs {
            contents::SHOTCLIP
        } else {
            contents::PLAYERCLIP
        };
        let spec = HullSpec {
            name: self.name.clone(),
            mins: on_grid(mins)?,
            maxs: on_grid(maxs)?,
            contents: self.contents.unwrap_or(contents::SOLID | clip),
        };
        spec.check()?;
        if (0..3).any(|axis| mins[axis] != maxs[axis] && spec.extent(axis) == 0.0) {
            return Err(HullOptionError::TooThin);
        }
        Ok(spec)
    }
}

/// Returns the nearest corner that a hull may have.
fn on_grid(corner: [f64; 3]) -> Result<[f32; 3], HullOptionError> {
    if corner.iter().any(|number| number.abs() > HULL_LIMIT) {
        return Err(HullOptionError::TooLarge);
    }
    // At most 23 bits and a sign: exact in f32. Adding zero turns -0 into 0.
    Ok(corner.map(|number| ((number * HULL_ONE as f64).round() / HULL_ONE as f64) as f32 + 0.0))
}

/// The width that an opening must have to count for a hull without extent, in steps of 1/2048 unit; 0 if every
/// opening counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SealWidth(i64);

impl Default for SealWidth {
    /// Returns an eighth of a unit: far above the rounding error between brushes, far below what a player sees.
    fn default() -> Self {
        Self(HULL_ONE / 8)
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
        let steps = (units * HULL_ONE as f64).round() as i64;
        let is_lost = steps == 0 && units != 0.0;
        let is_width = (0.0..=HULL_LIMIT).contains(&units) && !is_lost;
        is_width.then_some(Self(steps)).ok_or_else(fail)
    }
}

impl fmt::Display for SealWidth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 as f64 / HULL_ONE as f64)
    }
}

/// Resolves all hulls of a compile.
///
/// # Errors
/// A hull cannot be made, or [`check`] refuses them.
pub fn resolve(
    options: &[HullOption],
    origin: Option<Origin>,
) -> Result<Vec<HullSpec>, HullSpecError> {
    let hulls = options.iter().map(|option| {
        let hull = option.name.clone();
        let resolved = option.resolve(origin);
        resolved.map_err(|error| HullSpecError { hull, error })
    });
    let hulls = hulls.collect::<Result<Vec<_>, _>>()?;
    check(&hulls)?;
    Ok(hulls)
}

/// Checks that a compile can take some hulls, which need not come from [`resolve`].
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
    /// Checks the name and the box. A corner that is not on the grid would be truncated when brushes are expanded, and
    /// expanded brushes would be too small.
    fn check(&self) -> Result<(), HullOptionError> {
        check_name(&self.name)?;
        let mut corners = self.mins.into_iter().chain(self.maxs).map(f64::from);
        // Written so that NaN fails.
        if !corners.clone().all(|number| number.abs() <= HULL_LIMIT) {
            return Err(HullOptionError::TooLarge);
        }
        if corners.any(|number| (number * HULL_ONE as f64).fract() != 0.0) {
            return Err(HullOptionError::OffGrid);
        }
        match (0..3).any(|axis| self.extent(axis) < 0.0) {
            true => Err(HullOptionError::Inverted),
            false => Ok(()),
        }
    }

    /// Whether the box has no extent at all.
    pub fn is_point(&self) -> bool {
        self.mins == self.maxs
    }

    /// Returns the hull with this much more extent on each axis, half to either side.
    pub fn widened(&self, SealWidth(steps): SealWidth) -> Self {
        let below = steps / 2;
        let moved = |corner: [f32; 3], by: i64| corner.map(|at| at + by as f32 / HULL_ONE as f32);
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

    /// Returns the distance that the reflected box reaches along a grid normal, in units of 2^-36, rounded up. A
    /// plane moves outward by this distance when its brush is expanded. Rounding up keeps every expanded brush at
    /// least as large as the true sum, so it never loses its volume.
    pub fn support(&self, normal: &Vector3<i64>) -> i64 {
        let corner = |units: f32| (units * HULL_ONE as f32) as i64;
        let reach = (0..3).map(|axis| {
            let [mins, maxs] = [self.mins, self.maxs].map(|corners| corner(corners[axis]));
            i128::from((-normal[axis] * mins).max(-normal[axis] * maxs))
        });
        ceil_shift(reach.sum(), NORMAL_BITS + HULL_BITS - DIST_BITS) as i64
    }
}

impl From<onion_runtime::Hull<'_>> for HullSpec {
    fn from(hull: onion_runtime::Hull<'_>) -> Self {
        Self {
            name: hull.name.to_owned(),
            mins: hull.bounds.mins,
            maxs: hull.bounds.maxs,
            contents: hull.contents,
        }
    }
}

impl fmt::Display for HullSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [[a, b, c], [d, e, g]] = [self.mins, self.maxs];
        let (name, contents) = (&self.name, contents::to_names(self.contents));
        write!(
            f,
            "{name}: mins {a} {b} {c}, maxs {d} {e} {g}, blocked by {contents}"
        )
    }
}
