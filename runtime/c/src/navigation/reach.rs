//! Where agents get: a position in; the floors that links lead to from there out, or whether they lead to a goal, in
//! both precisions. The memory of the flood is the caller's.

use onion_runtime::navigation::{LinkKind, PathPoint};
use onion_runtime::{Coordinate, HullId};

use super::agent_class::with_links;
use crate::hull::hull_id;
use crate::pointer::{MapIn, Out, Scratch};
use crate::precision::{PointIn, export_in_both_precisions};
use crate::status::Status;

export_in_both_precisions! {
    /// Wraps `OnionMap::reachable`.
    onion_reachable_floors, onion_reachable_floors_double = reachable(
        map: MapIn, hull: u64; start: PointIn; scratch: Scratch, n_scratch: usize, floors: Out<u32>, capacity: usize,
        count: Out<usize>
    );
    /// Wraps `OnionMap::can_reach`.
    onion_can_reach, onion_can_reach_double = can_reach(
        map: MapIn, hull: u64; start: PointIn, goal: PointIn; scratch: Scratch, n_scratch: usize, reaches: Out<u8>
    );
}

#[allow(
    clippy::too_many_arguments,
    reason = "they are those of the C function"
)]
fn reachable<T: Coordinate>(
    map: MapIn,
    hull: u64,
    start: PointIn<T>,
    scratch: Scratch,
    n_scratch: usize,
    floors: Out<u32>,
    capacity: usize,
    count: Out<usize>,
) -> Result<(), Status> {
    let (count, mut places) = (count.place()?, floors.places(capacity)?);
    let start = start.read()?;
    let map = with_links(&map)?;
    let hull = hull_id(map, hull)?;
    scratch.lend(n_scratch, no_points(hull), |scratch, _| {
        let mut n_floors = 0;
        for floor in map.reachable(hull, start, scratch)? {
            places
                .next()
                .into_iter()
                .for_each(|place| place.write(floor.number));
            n_floors += 1;
        }
        count.write(n_floors);
        Ok(())
    })
}

fn can_reach<T: Coordinate>(
    map: MapIn,
    hull: u64,
    start: PointIn<T>,
    goal: PointIn<T>,
    scratch: Scratch,
    n_scratch: usize,
    reaches: Out<u8>,
) -> Result<(), Status> {
    let reaches = reaches.place()?;
    let (start, goal) = (start.read()?, goal.read()?);
    let map = with_links(&map)?;
    let hull = hull_id(map, hull)?;
    scratch.lend(n_scratch, no_points(hull), |scratch, _| {
        reaches.write(map.can_reach(hull, start, goal, scratch)?.into());
        Ok(())
    })
}

/// Returns what a search without points borrows for them: a point, and how many.
fn no_points(hull: HullId) -> (PathPoint, usize) {
    let point = PathPoint {
        position: [0.0; 3],
        hull,
        floor: 0,
        kind: LinkKind::Walk,
    };
    (point, 0)
}
