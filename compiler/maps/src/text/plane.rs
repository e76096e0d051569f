//! Computes the exact plane of a face as written, rounded to the grid once. The numbers of most maps are small enough
//! to compute in 127 bits; others use integers of any size.

use dashu_int::IBig;
use nalgebra::Vector3;

use super::decimal::{Decimal, power_of_ten};
use super::syntax::TextPlane;
use crate::parts::Halfspace;

/// A position as written.
type Point = [Decimal; 3];

/// A normal and its dot product with a point of the plane, in any unit.
type Equation = ([IBig; 3], IBig);

/// Returns the half-space of a face, moved so that an origin is at zero, or `None` if its plane has no direction.
/// Doom 3 writes equations around the origin already (`idMapBrush::Parse`).
pub fn halfspace(plane: &TextPlane, origin: Point) -> Option<Halfspace> {
    match plane {
        TextPlane::Points(points) => {
            let numbers = points.as_flattened().iter().chain(&origin);
            let places = numbers.map(|number| number.places()).max()?;
            let small = through_small(points, &origin, places);
            let (normal, dist) = small.unwrap_or_else(|| through(points, origin, places));
            Halfspace::exact(&normal, &dist, &power_of_ten(places))
        }
        TextPlane::Equation(numbers) => {
            let places = numbers.iter().map(|number| number.places()).max()?;
            let [x, y, z, plus] = numbers.map(|number| number.scaled(places));
            Halfspace::exact(&[x, y, z], &-plus, &power_of_ten(0))
        }
    }
}

/// Returns the plane through three points, clockwise seen from in front, in units of `10^-places`.
fn through(points: &[Point; 3], origin: Point, places: u32) -> Equation {
    let scaled = |point: Point| point.map(|number| number.scaled(places));
    let [a, b, c] = points.map(scaled);
    let normal = cross(&difference(&c, &a), &difference(&b, &a));
    let dist = dot(&normal, &difference(&a, &scaled(origin)));
    (normal, dist)
}

/// Computes the same in 127 bits, or returns `None` if a number is not small. A difference has one bit more than the
/// numbers; a difference of two products of differences has twice that plus one bit; and the sum of three products of
/// such a term with a difference has 126 bits.
fn through_small(points: &[Point; 3], origin: &Point, places: u32) -> Option<Equation> {
    let small = |[x, y, z]: &Point| {
        let number = |number: &Decimal| number.scaled_small(places);
        Some(Vector3::new(number(x)?, number(y)?, number(z)?))
    };
    let [a, b, c] = points;
    let (a, b, c) = (small(a)?, small(b)?, small(c)?);
    let normal = (c - a).cross(&(b - a));
    let dist = normal.dot(&(a - small(origin)?));
    let [x, y, z] = normal.into();
    Some(([x, y, z].map(IBig::from), IBig::from(dist)))
}

fn difference(a: &[IBig; 3], b: &[IBig; 3]) -> [IBig; 3] {
    std::array::from_fn(|axis| &a[axis] - &b[axis])
}

fn cross(a: &[IBig; 3], b: &[IBig; 3]) -> [IBig; 3] {
    std::array::from_fn(|axis| {
        let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
        &a[next] * &b[last] - &a[last] * &b[next]
    })
}

fn dot(a: &[IBig; 3], b: &[IBig; 3]) -> IBig {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
