//! Floors in Python: the fields of each as a tuple, and the floors that a query finds for rows of three numbers as
//! arrays.

use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray2};
use onion_runtime::navigation::Floor;
use pyo3::prelude::*;

use crate::arrays::{columns, rows};

/// A floor: its number in the file, normal, distance, corners.
pub(crate) type FloorFields<'py> = (u32, (f64, f64, f64), f64, Bound<'py, PyArray2<f64>>);

/// The floors under positions: number (-1 if there is none), and the point of the floor there (0 if there is none).
pub(crate) type FloorPlaces<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray2<f64>>);

/// Runs a query for each row of three numbers.
pub(crate) fn floor_places<'py, 'a>(
    py: Python<'py>,
    numbers: &PyReadonlyArray2<'py, f64>,
    query: impl Fn([f64; 3]) -> Option<(Floor<'a>, [f64; 3])> + Sync,
) -> PyResult<FloorPlaces<'py>> {
    let numbers: Vec<[f64; 3]> = rows(numbers)?;
    let found = |numbers| match query(numbers) {
        Some((floor, point)) => (i64::from(floor.number), point),
        None => (-1, [0.0; 3]),
    };
    let places: Vec<_> = py.detach(|| numbers.into_iter().map(found).collect());
    let (numbers, points): (Vec<i64>, Vec<[f64; 3]>) = places.into_iter().unzip();
    Ok((numbers.into_pyarray(py), columns(py, &points)?))
}
