//! Paths: two positions of an agent in; the places where its way turns, and how it gets from one to the next, out. The
//! search finds nodes, and a list of points is made of them.

use super::agents::AgentClass;
use super::cone::distance;
use super::corner::inside;
use super::costs::{PathCosts, PathError};
use super::points::{PathPoint, PointList, Standing};
use super::scratch::{Memory, PathScratch};
use super::search::Search;
use crate::OnionMap;
use crate::file::floors::FloorRange;
use crate::file::hull::HullId;
use crate::fit::with_feet_of;
use crate::math::coordinate::{Coordinate, widened};
use crate::tolerance::NEAR;

/// A path that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Path {
    /// Number of its points, at least 2.
    pub n_points: usize,
    /// Its length as seen from above, in units.
    pub length: f64,
    /// Its cost: about the length, which the clearance from corners makes a little greater, and what [`PathCosts`]
    /// adds.
    pub cost: f64,
}

impl<D: AsRef<[u8]>> OnionMap<D> {
    /// Returns the number of [`PathScratch`] that a search in this map should have: enough for two nodes for each end
    /// of a link, one for each floor, and some more.
    pub fn path_scratch(&self) -> usize {
        let n_floors = self.view().floors().len();
        let n_nodes = (self.n_links().saturating_mul(4))
            .saturating_add(n_floors)
            .saturating_add(256);
        PathScratch::count(n_nodes)
    }

    /// Finds the way of least cost for an agent from one position to another. Both are origins of `hull`, on the floor
    /// or at most a step above it. The agent may change its stance on the way: the first point has the tallest one
    /// that has room at the start. The points are where the way turns and where it crosses links other than walking
    /// ones; the first is the start on its floor, the last is the goal on its floor.
    ///
    /// Of ways that only walk, no other is shorter as seen from above by more than rounding; where links take the
    /// agent across, it leaves a floor in the direction of the goal, and another place may be better.
    ///
    /// # Errors
    /// See [`PathError`].
    pub fn path<T: Coordinate>(
        &self,
        hull: HullId,
        start: impl Into<[T; 3]>,
        goal: impl Into<[T; 3]>,
        costs: &PathCosts,
        scratch: &mut [PathScratch],
        points: &mut [PathPoint],
    ) -> Result<Path, PathError> {
        let class = self.agent_of(hull).ok_or(PathError::NoAgent)?;
        let on_floor = |position: [T; 3]| self.standing(hull, widened(position), &class);
        let start = on_floor(start.into()).ok_or(PathError::NoStart)?;
        let goal = on_floor(goal.into()).ok_or(PathError::NoGoal)?;
        let tallest = self.view().stances(&class).next();
        let mut search = Search {
            graph: self.view().floor_graph(),
            costs,
            tallest: tallest.map_or(FloorRange::default(), |hull| self.view().floors_of(hull)),
            goal: goal.place,
            goal_floor: goal.floor,
            is_thorough: false,
            memory: Memory::new(scratch),
        };
        let found = search.run(start.place, start.floor)?;
        let list = PointList::new(self.view(), &search.memory, points);
        let n_points = list.write(found, [&start, &goal])?;
        let points = points.get(..n_points).unwrap_or(&[]);
        let ways = points.windows(2).map(|pair| {
            let [from, to] = [0, 1].map(|end: usize| pair[end].position);
            distance([from[0], from[1]], [to[0], to[1]])
        });
        Ok(Path {
            n_points,
            length: ways.sum(),
            cost: search.memory.node(found).map_or(0.0, |node| node.cost),
        })
    }

    /// Returns where an agent at a position of one of its hulls stands: in the tallest stance with a floor there.
    pub(super) fn standing(
        &self,
        hull: HullId,
        position: [f64; 3],
        class: &AgentClass,
    ) -> Option<Standing> {
        let map = self.view();
        let feet = |hull: HullId| Some(map.hulls().get(hull.index())?.mins[2]);
        let mut stances = map.stances(class);
        stances.find_map(|stance| {
            let position = with_feet_of(position, feet(hull)?, feet(stance)?);
            let reach = f64::from(class.settings.step_height);
            let (floor, [x, y, _]) = self.floor_at(stance, position, reach)?;
            Some(Standing {
                floor: floor.number,
                // Beyond an edge, it would not see the links over it.
                place: inside(&floor, [x, y], NEAR),
            })
        })
    }
}
