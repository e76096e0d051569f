//! The native part of the Python module `onion`: a checked map whose queries take and return flat arrays, one row for
//! each point, agents that walk in it, and paths that they follow. `onion/__init__.py` adds shapes and names. Answers
//! are those of `onion_runtime` in `f64`; other Python threads run during a query.

mod agents;
mod arrays;
mod floors;
mod followers;
mod map;
mod navigation;

use pyo3::prelude::*;

use crate::agents::Agents;
use crate::followers::Followers;
use crate::map::Map;
use crate::navigation::PathError;

/// The native part of `onion`.
#[pymodule]
fn _onion(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("DEFAULT_MARGIN", onion_runtime::DEFAULT_MARGIN)?;
    module.add("DEFAULT_COSTS", navigation::default_costs())?;
    module.add("PathError", module.py().get_type::<PathError>())?;
    module.add_class::<Agents>()?;
    module.add_class::<Followers>()?;
    module.add_class::<Map>()
}
