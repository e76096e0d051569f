//! The text of a `--hull` option: parsed to a name, a shape, an origin and contents; resolved to a hull on the grid.
//! Sizes in units become corners in steps of 1/2048 unit, and cylinders become prisms.

use std::str::FromStr;

use onion_format::{HULL_LIMIT, HULL_ONE};
use onion_maps::contents::{self, Contents};

use super::cylinder;
use super::spec::{HullSpec, check, check_name, number, on_grid};
use crate::error::{HullOptionError, HullSpecError};

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

/// The number of sides of a cylinder by default.
const CYLINDER_SIDES: usize = 16;

/// The shape of a hull as written, before its origin is known.
#[derive(Clone, Debug, PartialEq)]
enum HullShape {
    /// `point`: a hull without extent.
    Point,
    /// `RxH`: a box with a square base.
    Box {
        /// Distance of its four walls from the origin, in units.
        half_width: f64,
        /// Distance from its feet to its head, in units.
        height: f64,
    },
    /// `cylinder:RxH`: a prism around or within an upright cylinder.
    Cylinder {
        /// Radius of the cylinder, in units.
        radius: f64,
        /// Distance from its feet to its head, in units.
        height: f64,
        /// Number of sides of the prism: 8, 16 or 32.
        n_sides: usize,
        /// Whether the prism lies within the cylinder; otherwise it lies around it.
        is_within: bool,
    },
    /// `mins=…:maxs=…`: a box or prism, by its corners relative to the origin.
    Corners {
        /// Lower corner, in units.
        mins: [f64; 3],
        /// Upper corner, in units.
        maxs: [f64; 3],
        /// Halves of the sides of a prism, as vectors in the xy plane, in units; empty for a box.
        sides: Vec<[f64; 2]>,
    },
}

/// A `--hull` option as written.
#[derive(Clone, Debug, PartialEq)]
pub struct HullOption {
    /// The name, 1 to 32 bytes.
    name: String,
    /// The shape, without its height above the origin.
    shape: HullShape,
    /// The origin after `@`, or `None` for that of `--origin`.
    origin: Option<Origin>,
    /// The contents that block the hull, or `None` for solid and the clip that suits the shape.
    contents: Option<Contents>,
}

impl FromStr for HullOption {
    type Err = HullOptionError;

    fn from_str(text: &str) -> Result<Self, HullOptionError> {
        let (name, rest) = text.split_once(':').ok_or(HullOptionError::NoShape)?;
        check_name(name)?;
        let mut parts = Parts::default();
        rest.split(':').try_for_each(|part| parts.set(part))?;
        let (origin, contents) = (parts.origin, parts.contents);
        let shape = parts.shape()?;
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

/// The parts after the name of a hull, which may stand in any order.
#[derive(Default)]
struct Parts {
    /// The shape that `RxH` or `point` describes.
    size: Option<HullShape>,
    /// The origin after the `@` of a size.
    origin: Option<Origin>,
    /// The lower corner of a box, relative to the origin, in units.
    mins: Option<[f64; 3]>,
    /// The upper corner.
    maxs: Option<[f64; 3]>,
    /// Halves of the sides of a prism, as vectors in the xy plane, in units.
    sides: Vec<[f64; 2]>,
    /// The parts that make a box a cylinder.
    base: Base,
    /// The contents that block the hull.
    contents: Option<Contents>,
}

impl Parts {
    /// Reads one part.
    // Many branches: one for each kind of part, and each may fail.
    fn set(&mut self, part: &str) -> Result<(), HullOptionError> {
        if let Some(corner) = part.strip_prefix("mins=") {
            set("mins=", &mut self.mins, numbers_of(corner)?)?;
        } else if let Some(corner) = part.strip_prefix("maxs=") {
            set("maxs=", &mut self.maxs, numbers_of(corner)?)?;
        } else if let Some(side) = part.strip_prefix("side=") {
            self.sides.push(numbers_of(side)?);
        } else if let Some(names) = part.strip_prefix("contents=") {
            let bits = contents::from_names(names).map_err(HullOptionError::BadContents)?;
            set("contents=", &mut self.contents, bits)?;
        } else if !self.base.set(part)? {
            let (size, above) = part.split_once('@').unzip();
            set("the size", &mut self.size, size_of(size.unwrap_or(part))?)?;
            self.origin = above.map(str::parse).transpose()?;
        }
        Ok(())
    }

    /// Returns the shape that the parts make together.
    fn shape(self) -> Result<HullShape, HullOptionError> {
        let (base, sides) = (self.base, self.sides);
        match (self.size, self.mins, self.maxs) {
            (Some(_), Some(_), _) | (Some(_), _, Some(_)) => Err(HullOptionError::SizeAndCorners),
            (None, Some(_), None) => Err(HullOptionError::OneCorner("mins", "maxs")),
            (None, None, Some(_)) => Err(HullOptionError::OneCorner("maxs", "mins")),
            (_, None, None) if !sides.is_empty() => Err(HullOptionError::SidesOfNoBox),
            (Some(size), ..) => base.of(size),
            _ if base != Base::default() => Err(HullOptionError::NoCylinder),
            (None, Some(mins), Some(maxs)) => Ok(HullShape::Corners { mins, maxs, sides }),
            (None, None, None) => Err(HullOptionError::NoShape),
        }
    }
}

/// The parts that make a box a cylinder.
#[derive(Default, PartialEq)]
struct Base {
    /// `cylinder`, if it is written.
    is_cylinder: Option<()>,
    /// The number after `sides=`.
    n_sides: Option<usize>,
    /// `within`, if it is written.
    is_within: Option<()>,
}

impl Base {
    /// Reads `cylinder`, `sides=N` or `within`. Whether the part is one of them.
    fn set(&mut self, part: &str) -> Result<bool, HullOptionError> {
        match (part, part.strip_prefix("sides=")) {
            ("cylinder", _) => set("cylinder", &mut self.is_cylinder, ())?,
            ("within", _) => set("within", &mut self.is_within, ())?,
            (_, Some(count)) => {
                let n_sides = count
                    .parse()
                    .ok()
                    .filter(|count| [8, 16, 32].contains(count));
                let n_sides = n_sides.ok_or_else(|| HullOptionError::BadSides(count.to_owned()));
                set("sides=", &mut self.n_sides, n_sides?)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Returns the shape that a size has with these parts.
    fn of(self, shape: HullShape) -> Result<HullShape, HullOptionError> {
        match (shape, self.is_cylinder) {
            (HullShape::Box { half_width, height }, Some(())) => Ok(HullShape::Cylinder {
                radius: half_width,
                height,
                n_sides: self.n_sides.unwrap_or(CYLINDER_SIDES),
                is_within: self.is_within.is_some(),
            }),
            (shape, None) if self == Self::default() => Ok(shape),
            _ => Err(HullOptionError::NoCylinder),
        }
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

fn numbers_of<const N: usize>(text: &str) -> Result<[f64; N], HullOptionError> {
    let numbers: Vec<f64> = text.split(',').map(number).collect::<Result<_, _>>()?;
    numbers
        .try_into()
        .map_err(|_| HullOptionError::BadPart(text.to_owned()))
}

impl HullOption {
    /// Returns the name of the hull.
    fn name(&self) -> &str {
        &self.name
    }

    /// Returns the hull's shape and contents; `origin` is the value of `--origin`, if given.
    fn resolve(&self, origin: Option<Origin>) -> Result<HullSpec, HullOptionError> {
        let above_feet = |height| {
            let origin = self.origin.or(origin);
            let below = origin.unwrap_or_else(|| Origin::default_for(height));
            below.above_feet(height)
        };
        let box_of = |[x, y]: [f64; 2], height| {
            let below = above_feet(height);
            ([-x, -y, -below], [x, y, height - below])
        };
        let mut halves = Vec::new();
        let (mins, maxs) = match &self.shape {
            HullShape::Point => ([0.0; 3], [0.0; 3]),
            HullShape::Corners { mins, maxs, sides } => {
                let side =
                    |side: &[f64; 2]| side.map(|at| (at * f64::from(HULL_ONE)).round() as i64);
                halves.extend(sides.iter().map(side));
                (*mins, *maxs)
            }
            HullShape::Box { half_width, height } => box_of([*half_width; 2], *height),
            HullShape::Cylinder {
                radius,
                height,
                n_sides,
                is_within,
            } => {
                halves = sides_of(*radius, *n_sides, *is_within)?;
                let half_width =
                    |axis| cylinder::extent(&halves, axis) as f64 / f64::from(HULL_ONE);
                box_of([0, 1].map(half_width), *height)
            }
        };
        let clip = if mins == maxs {
            contents::SHOTCLIP
        } else {
            contents::PLAYERCLIP
        };
        let units = |half: [i64; 2]| half.map(|at| at as f32 / HULL_ONE);
        let spec = HullSpec {
            name: self.name.clone(),
            mins: on_grid(mins)?,
            maxs: on_grid(maxs)?,
            sides: halves.into_iter().map(units).collect(),
            contents: self.contents.unwrap_or(contents::SOLID | clip),
        };
        spec.check()?;
        if (0..3).any(|axis| mins[axis] != maxs[axis] && spec.extent(axis) == 0.0) {
            return Err(HullOptionError::TooThin);
        }
        Ok(spec)
    }
}

/// Returns halves of the sides of a cylinder's prism, in steps of 1/2048 unit.
fn sides_of(
    radius: f64,
    n_sides: usize,
    is_within: bool,
) -> Result<Vec<[i64; 2]>, HullOptionError> {
    if radius > HULL_LIMIT {
        return Err(HullOptionError::TooLarge);
    }
    let radius = (radius * f64::from(HULL_ONE)).round() as i64;
    let sides = if is_within {
        cylinder::within(radius, n_sides)
    } else {
        cylinder::around(radius, n_sides)
    };
    sides.ok_or(HullOptionError::TooManySides(n_sides))
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
        let hull = option.name().to_owned();
        let resolved = option.resolve(origin);
        resolved.map_err(|error| HullSpecError { hull, error })
    });
    let hulls = hulls.collect::<Result<Vec<_>, _>>()?;
    check(&hulls)?;
    Ok(hulls)
}
