//! Where agents get: a position in; the floors that links lead to from there out, or whether they lead to a goal. The
//! memory of the flood belongs to the caller.

use super::costs::PathError;
use super::floors::Floor;
use super::scratch::{Memory, NONE, PathScratch};
use crate::OnionMap;
use crate::file::floor_graph::FloorGraph;
use crate::file::hull::HullId;
use crate::math::coordinate::{Coordinate, widened};

impl<D: AsRef<[u8]>> OnionMap<D> {
    /// Returns the floors that an agent gets to from a position, the one it is on first, then by the number of links on
    /// the way. They are those of all its stances, without floors that are too narrow to walk along. The position is
    /// the origin of `hull`, as in [`path`](OnionMap::path).
    ///
    /// # Errors
    /// [`PathError::NoAgent`], [`PathError::NoStart`], or [`PathError::OutOfScratch`] if there are too few parts for
    /// the floors; [`path_scratch`](OnionMap::path_scratch) says how many are enough.
    pub fn reachable<'a, T: Coordinate>(
        &'a self,
        hull: HullId,
        start: impl Into<[T; 3]>,
        scratch: &'a mut [PathScratch],
    ) -> Result<impl Iterator<Item = Floor<'a>>, PathError> {
        let (map, mut memory) = (self.view(), Memory::new(scratch));
        let class = self.agent_of(hull).ok_or(PathError::NoAgent)?;
        let start = self.standing(hull, widened(start.into()), &class);
        leads_to(
            map.floor_graph(),
            &mut memory,
            start.ok_or(PathError::NoStart)?.floor,
            NONE,
        )?;
        let floors = (0..).map_while(move |number| memory.flooded(number));
        Ok(floors.filter_map(move |number| map.floor(number)))
    }

    /// Whether an agent gets from one position to another: whether [`path`](OnionMap::path) finds a way, which takes
    /// longer. Both are origins of `hull`.
    ///
    /// # Errors
    /// [`PathError::NoAgent`], [`PathError::NoStart`], [`PathError::NoGoal`], or [`PathError::OutOfScratch`] if there
    /// are too few parts for the floors.
    pub fn can_reach<T: Coordinate>(
        &self,
        hull: HullId,
        start: impl Into<[T; 3]>,
        goal: impl Into<[T; 3]>,
        scratch: &mut [PathScratch],
    ) -> Result<bool, PathError> {
        let class = self.agent_of(hull).ok_or(PathError::NoAgent)?;
        let floor = |position| Some(self.standing(hull, widened(position), &class)?.floor);
        let start = floor(start.into()).ok_or(PathError::NoStart)?;
        let goal = floor(goal.into()).ok_or(PathError::NoGoal)?;
        leads_to(
            self.view().floor_graph(),
            &mut Memory::new(scratch),
            start,
            goal,
        )
    }
}

/// Whether links lead from one floor to another. The floors that they lead to are those that the memory has flooded,
/// all of them if none is the goal. Of those that are too narrow to walk along, only the goal counts.
///
/// # Errors
/// The memory is too small.
pub(super) fn leads_to(
    graph: FloorGraph<'_>,
    memory: &mut Memory<'_>,
    from: u32,
    goal: u32,
) -> Result<bool, PathError> {
    let mut has_room = memory.flood(from);
    let mut number = 0;
    while let Some(floor) = memory.flooded(number) {
        if floor == goal {
            return Ok(true);
        }
        for to in graph.links_to(floor, goal) {
            has_room &= memory.flood(to);
        }
        number += 1;
    }
    has_room.then_some(false).ok_or(PathError::OutOfScratch)
}
