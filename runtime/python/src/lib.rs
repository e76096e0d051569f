//! The native part of the Python module `onion`: a checked map whose queries take and return flat arrays, one row for
//! each point, and agents that walk in it. `onion/__init__.py` adds shapes and names. Answers are those of
//! `onion_runtime` in `f64`; other Python threads run during a query.

mod agents;
mod map;

use pyo3::prelude::*;

use crate::agents::Agents;
use crate::map::Map;

/// The native part of `onion`.
#[pymodule]
fn _onion(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("DEFAULT_MARGIN", onion_runtime::DEFAULT_MARGIN)?;
    module.add_class::<Agents>()?;
    module.add_class::<Map>()
}
