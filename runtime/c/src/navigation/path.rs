//! Paths: two positions of an agent in; the points where its way turns out, in both precisions. The memory of a search
//! is the caller's, and the points are kept there too until they are written.

use onion_runtime::Coordinate;
/// The C type `onion_path_costs`.
pub use onion_runtime::navigation::PathCosts;
use onion_runtime::navigation::{Path, PathError, PathPoint};

use super::agent_class::with_links;
use super::state::{PathCostsState, PathPointState};
use crate::hull::hull_id;
use crate::pointer::{In, MapIn, Out, Scratch};
use crate::precision::{PointIn, export_in_both_precisions};
use crate::status::Status;

/// The C type `onion_path_result`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "onion.h tells what they are")]
pub struct PathResult {
    pub length: f64,
    pub cost: f64,
    pub n_points: u32,
    pub reserved: u32,
}

impl From<Path> for PathResult {
    fn from(path: Path) -> Self {
        Self {
            length: path.length,
            cost: path.cost,
            n_points: path.n_points as u32,
            reserved: 0,
        }
    }
}

impl From<PathError> for Status {
    fn from(error: PathError) -> Self {
        match error {
            PathError::NoStart => Self::NoStart,
            PathError::NoGoal => Self::NoGoal,
            PathError::NoWay => Self::NoWay,
            PathError::OutOfScratch => Self::PathScratch,
            PathError::TooManyPoints => Self::PathPoints,
            _ => Self::NoAgent,
        }
    }
}

/// Wraps `PathCosts::default`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_default_path_costs(costs: Out<PathCostsState>) -> Status {
    Status::of(|| {
        costs.place()?.write(PathCosts::default().into());
        Ok(())
    })
}

/// Wraps `OnionMap::path_scratch`, with room for the points.
#[unsafe(no_mangle)]
pub extern "C" fn onion_path_scratch_count(
    map: MapIn,
    capacity: usize,
    count: Out<usize>,
) -> Status {
    Status::of(|| {
        let count = count.place()?;
        let n_nodes = with_links(&map)?.path_scratch();
        count.write(Scratch::count(n_nodes, capacity)?);
        Ok(())
    })
}

export_in_both_precisions! {
    /// Wraps `OnionMap::path`.
    onion_path, onion_path_double = path(
        map: MapIn, hull: u64; start: PointIn, goal: PointIn; costs: In<PathCostsState>, scratch: Scratch,
        n_scratch: usize, points: Out<PathPointState>, capacity: usize, path: Out<PathResult>
    );
}

#[allow(
    clippy::too_many_arguments,
    reason = "they are those of the C function"
)]
fn path<T: Coordinate>(
    map: MapIn,
    hull: u64,
    start: PointIn<T>,
    goal: PointIn<T>,
    costs: In<PathCostsState>,
    scratch: Scratch,
    n_scratch: usize,
    points: Out<PathPointState>,
    capacity: usize,
    path: Out<PathResult>,
) -> Result<(), Status> {
    let (path, places) = (path.place()?, points.places(capacity)?);
    let (start, goal, costs) = (start.read()?, goal.read()?, costs.read()?);
    let map = with_links(&map)?;
    let hull = hull_id(map, hull)?;
    scratch.lend(
        n_scratch,
        (PathPoint::default(), capacity),
        |scratch, points| {
            let found = map.path(hull, start, goal, &costs.into(), scratch, points)?;
            path.write(found.into());
            let found = points.iter().take(found.n_points);
            for (&point, place) in found.zip(places) {
                place.write(point.into());
            }
            Ok(())
        },
    )
}
