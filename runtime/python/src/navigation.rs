//! Classes of agents, links and paths in Python: the fields of each as tuples, and arrays with a row for each point of
//! a path. A search takes as much memory as it needs.

use numpy::{IntoPyArray, PyArray1, PyArray2};
use onion_runtime::navigation::{
    AgentClass, Link, Path, PathCosts, PathError as Error, PathPoint, PathScratch,
};
use onion_runtime::{HullId, OnionMap};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

use crate::arrays::columns;

pyo3::create_exception!(
    onion,
    PathError,
    PyException,
    "There is no path; the message says why."
);

/// A class of agents: number, name, indices of its hulls, then speed, jump, drop, speeds at which it swims and climbs,
/// step height, least upward part of the normal of ground, gravity.
pub(crate) type AgentFields = (u32, String, Vec<usize>, [f64; 8]);

/// A link: number, the floors that it leaves and leads to, kind, right and left end, whether paths may turn there, way
/// across, whether it serves only paths whose goal is on the floor it leads to, whether a taller stance can walk there.
pub(crate) type LinkFields = (
    u32,
    (u32, u32),
    u8,
    (f64, f64),
    (f64, f64),
    (bool, bool),
    (f64, f64),
    (bool, bool),
);

/// A path: positions, indices of hulls, numbers of floors, kinds, length, cost.
pub(crate) type PathFields<'py> = (
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<u8>>,
    f64,
    f64,
);

/// The number of points for which there is room at first.
const FEW_POINTS: usize = 64;

/// Returns the default costs in the order of [`PathCosts`].
pub(crate) fn default_costs() -> [f64; 5] {
    let costs = PathCosts::default();
    [
        costs.crouched,
        costs.switch,
        costs.drop,
        costs.jump,
        costs.climb,
    ]
}

pub(crate) fn agent_fields(map: &OnionMap<Vec<u8>>, class: &AgentClass) -> AgentFields {
    let name = map.agent_name(class).unwrap_or_default();
    let hulls = class.hulls.iter().collect();
    let settings = &class.settings;
    let [step, ground, gravity] = [
        settings.step_height,
        settings.min_ground_z,
        settings.gravity,
    ]
    .map(f64::from);
    let AgentClass {
        speed,
        jump,
        drop,
        swim,
        climb,
        ..
    } = *class;
    let numbers = [speed, jump, drop, swim, climb, step, ground, gravity];
    (class.number, name.to_owned(), hulls, numbers)
}

pub(crate) fn link_fields(link: Link) -> LinkFields {
    (
        link.number,
        (link.from, link.to),
        link.kind as u8,
        link.right.into(),
        link.left.into(),
        link.turns.into(),
        link.across.into(),
        (link.only_to_goal, link.upright),
    )
}

/// Finds a path between two positions, with more memory each time it is not enough.
pub(crate) fn path(
    map: &OnionMap<Vec<u8>>,
    hull: HullId,
    [start, goal]: [[f64; 3]; 2],
    costs: &PathCosts,
    scratch: &mut Vec<PathScratch>,
) -> Result<(Path, Vec<PathPoint>), Error> {
    let mut points = vec![PathPoint::default(); FEW_POINTS];
    loop {
        match map.path(hull, start, goal, costs, scratch, &mut points) {
            Err(Error::OutOfScratch) => {
                scratch.resize(scratch.len() * 2, PathScratch::default());
            }
            Err(Error::TooManyPoints) => points.resize(points.len() * 2, PathPoint::default()),
            Err(error) => return Err(error),
            Ok(path) => {
                points.truncate(path.n_points);
                return Ok((path, points));
            }
        }
    }
}

/// Turns an error into the exception of Python.
pub(crate) fn or_no_path<T>(found: Result<T, Error>) -> PyResult<T> {
    found.map_err(|error| PathError::new_err(error.to_string()))
}

/// Splits a path into one array for each part of its points.
pub(crate) fn path_fields(
    py: Python<'_>,
    found: Result<(Path, Vec<PathPoint>), Error>,
) -> PyResult<PathFields<'_>> {
    let (path, points) = or_no_path(found)?;
    let points = || points.iter();
    let hulls = points().map(|point| point.hull.index() as i64);
    let floors = points().map(|point| i64::from(point.floor));
    let kinds = points().map(|point| point.kind as u8);
    Ok((
        columns(py, &Vec::from_iter(points().map(|point| point.position)))?,
        Vec::from_iter(hulls).into_pyarray(py),
        Vec::from_iter(floors).into_pyarray(py),
        Vec::from_iter(kinds).into_pyarray(py),
        path.length,
        path.cost,
    ))
}
