//! Arrays of points: a NumPy array in, its rows out, and the other way round. `onion/__init__.py` makes rows of
//! points of any shape.

use numpy::{PyArray2, PyArrayMethods, PyReadonlyArray2, ToPyArray};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Copies an array into rows of `N` numbers.
pub(crate) fn rows<const N: usize>(array: &PyReadonlyArray2<'_, f64>) -> PyResult<Vec<[f64; N]>> {
    let array = array.as_array();
    if array.ncols() != N {
        let message = format!("points have {N} coordinates, not {}", array.ncols());
        return Err(PyValueError::new_err(message));
    }
    let rows = array.rows().into_iter();
    Ok(rows
        .map(|row| std::array::from_fn(|column| row[column]))
        .collect())
}

/// Copies rows into an array of three columns.
pub(crate) fn columns<'py>(
    py: Python<'py>,
    rows: &[[f64; 3]],
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    rows.as_flattened().to_pyarray(py).reshape([rows.len(), 3])
}
