//! Computes the exact plane of a face as written, rounded to the grid once. The numbers of most maps are small enough
//! to compute in 127 bits; others use integers of any size.

use std::iter::Sum;

use dashu_int::IBig;
use nalgebra::{ClosedAddAssign, ClosedMulAssign, ClosedSubAssign, Scalar, Vector3};

use super::decimal::{Decimal, power_of_ten};
use super::syntax::TextPlane;
use crate::parts::Halfspace;

type Point = [Decimal; 3];

/// A normal and its dot product with a point of the plane, in any unit.
type Equation = ([IBig; 3], IBig);

/// Returns the half-space of a face, moved so that an origin is at zero, or `None` if its plane has no direction.
/// Doom 3 writes equations around the origin already (`idMapBrush::Parse`).
pub fn halfspace(plane: &TextPlane, origin: Point) -> Option<Halfspace> {
    match plane {
        TextPlane::Points([a, b, c]) => {
            let points = [*a, *b, *c, origin];
            let numbers = points.as_flattened().iter();
            let places = numbers.map(|number| number.places()).max()?;
            let (normal, dist) = through_small(points, places).unwrap_or_else(|| {
                through(points.map(|point| point.map(|number| number.scaled(places)).into()))
            });
            Halfspace::exact(&normal, &dist, &power_of_ten(places))
        }
        TextPlane::Equation(numbers) => {
            let places = numbers.iter().map(|number| number.places()).max()?;
            let [x, y, z, plus] = numbers.map(|number| number.scaled(places));
            Halfspace::exact(&[x, y, z], &-plus, &power_of_ten(0))
        }
    }
}

/// Computes the plane in 127 bits, or returns `None` if a number is not small. A difference has one bit more than the
/// numbers; a difference of two products of differences has twice that plus one bit; and the sum of three products of
/// such a term with a difference has 126 bits.
fn through_small(points: [Point; 4], places: u32) -> Option<Equation> {
    let mut small = [Vector3::<i128>::zeros(); 4];
    for (small, number) in small.iter_mut().flatten().zip(points.as_flattened()) {
        *small = number.scaled_small(places)?;
    }
    let (normal, dist) = through(small);
    Some((normal.map(IBig::from), dist.into()))
}

/// Returns the plane through three points, clockwise seen from in front, around an origin, in units of `10^-places`.
fn through<T>([a, b, c, origin]: [Vector3<T>; 4]) -> ([T; 3], T)
where
    T: Scalar + ClosedAddAssign + ClosedSubAssign + ClosedMulAssign + Sum,
{
    let normal = (c - &a).cross(&(b - &a));
    let dist = normal.component_mul(&(a - origin));
    let [x, y, z] = dist.into();
    (normal.into(), [x, y, z].into_iter().sum())
}
