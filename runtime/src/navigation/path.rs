//! Paths: two positions of an agent in; the places where its way turns, and how it gets from one to the next, out. The
//! search finds nodes, and this module turns them into points.

use super::agents::AgentClass;
use super::cone::{Place, Sight, distance};
use super::costs::{PathCosts, PathError};
use super::links::LinkKind;
use super::scratch::{Memory, NONE, Node, PathScratch};
use super::search::Search;
use crate::OnionMap;
use crate::file::hull::HullId;
use crate::file::view::View;
use crate::fit::with_feet_of;
use crate::math::coordinate::{Coordinate, widened};
use crate::tolerance::FROM_CORNER;

/// A place where a path begins, turns, crosses from one floor to another in a way that is not walking, or ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathPoint {
    /// The origin of the hull on the floor, in units.
    pub position: [f64; 3],
    /// The stance in which an agent arrives there.
    pub hull: HullId,
    /// Number of the floor.
    pub floor: u32,
    /// How it gets there from the point before.
    pub kind: LinkKind,
}

/// A path that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Path {
    /// Number of its points, at least 2.
    pub n_points: usize,
    /// Its length as seen from above, in units.
    pub length: f64,
    /// Its cost: the length, and what [`PathCosts`] adds.
    pub cost: f64,
}

/// A place on a floor of an agent.
pub(super) struct Standing {
    pub(super) floor: u32,
    place: Place,
}

impl<D: AsRef<[u8]>> OnionMap<D> {
    /// Returns the number of [`PathScratch`] that a search in this map should have: two for each end of a link, one
    /// for each floor, and some more.
    pub fn path_scratch(&self) -> usize {
        let n_floors = self.view().floors().len();
        (self.n_links().saturating_mul(4))
            .saturating_add(n_floors)
            .saturating_add(256)
    }

    /// Finds the way of least cost for an agent from one position to another. Both are origins of `hull`, on the floor
    /// or at most a step above it. The agent may change its stance on the way: the first point has the tallest one
    /// that has room at the start. The points are where the way turns and where it crosses links other than walking
    /// ones; the first is the start, the last is the goal.
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
            map: self.view(),
            costs,
            tallest: tallest.map_or(0, |hull| u32::from(hull.index)),
            goal: goal.place,
            goal_floor: goal.floor,
            turns_anywhere: false,
            memory: Memory::new(scratch),
        };
        let found = search.run(start.place, start.floor)?;
        let (goal_cost, n_points) = self.points(&search, found, [&start, &goal], points)?;
        let points = points.get(..n_points).unwrap_or(&[]);
        let ways = points.windows(2).map(|pair| {
            let [from, to] = [0, 1].map(|end: usize| pair[end].position);
            distance([from[0], from[1]], [to[0], to[1]])
        });
        Ok(Path {
            n_points,
            length: ways.sum(),
            cost: goal_cost,
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
                place: [x, y],
            })
        })
    }

    /// Writes the points of a path. Returns its cost and the number of points.
    fn points(
        &self,
        search: &Search<'_, '_>,
        found: u32,
        [start, goal]: [&Standing; 2],
        points: &mut [PathPoint],
    ) -> Result<(f64, usize), PathError> {
        let node = |number: u32| search.memory.node(number).copied().unwrap_or_default();
        let last = node(found);
        // From the goal to the start.
        let mut list = PointList {
            map: self.view(),
            points,
            n_points: 0,
            last: goal.place,
        };
        list.push(goal.place, goal.floor, LinkKind::Walk)?;
        let mut later = last;
        while later.parent != NONE {
            let earlier = node(later.parent);
            list.push_between(&earlier, &later, goal.place)?;
            later = earlier;
        }
        list.push(start.place, start.floor, LinkKind::Walk)?;
        let PointList {
            points, n_points, ..
        } = list;
        points[..n_points].reverse();
        Ok((last.cost, n_points))
    }
}

/// The points of a path, from its goal on.
struct PointList<'a, 'p> {
    map: View<'a>,
    points: &'p mut [PathPoint],
    n_points: usize,
    /// The place of the last one.
    last: Place,
}

impl PointList<'_, '_> {
    fn push(&mut self, place: Place, floor: u32, kind: LinkKind) -> Result<(), PathError> {
        let point = self.points.get_mut(self.n_points);
        let point = point.ok_or(PathError::TooManyPoints)?;
        let on = self.map.floor(floor).ok_or(PathError::NoWay)?;
        let record = self.map.floors().get(floor as usize);
        let hull = record.and_then(|record| self.map.hull_id(record.hull as usize));
        *point = PathPoint {
            position: [place[0], place[1], on.height(place)],
            hull: hull.ok_or(PathError::NoWay)?,
            floor,
            kind,
        };
        self.n_points += 1;
        self.last = place;
        Ok(())
    }

    /// Adds the points between two nodes of the search, one of which is the parent of the other.
    fn push_between(&mut self, earlier: &Node, later: &Node, goal: Place) -> Result<(), PathError> {
        let link = self.map.link(later.link);
        let across = link.filter(|link| link.kind != LinkKind::Walk && !later.is_goal.is_set());
        let sight = match across {
            None if later.is_goal.is_set() => earlier.cone.sight(goal),
            None if later.cone.root == earlier.cone.root => Sight::Straight,
            None if later.cone.root == earlier.cone.right => Sight::AroundRight,
            None => Sight::AroundLeft,
            Some(link) => {
                let [x, y] = later.cone.root;
                let leaves = [x - link.across[0], y - link.across[1]];
                self.push(later.cone.root, later.floor, link.kind)?;
                // Not on the very edge, over which it would slip at full speed.
                let [x, y] = direction(later.cone.root, leaves);
                let before = [leaves[0] + x * FROM_CORNER, leaves[1] + y * FROM_CORNER];
                self.push(before, link.from, LinkKind::Walk)?;
                earlier.cone.sight(leaves)
            }
        };
        match sight {
            Sight::Straight => Ok(()),
            _ => self.push_turn(earlier, sight),
        }
    }

    /// Adds the point where a path turns around an end of a node's window, which is the corner of a wall or a ledge:
    /// at a distance from both ways that meet there, on the side away from the corner.
    fn push_turn(&mut self, node: &Node, sight: Sight) -> Result<(), PathError> {
        let corner = node.cone.turning_place(sight);
        // Where two corners touch, the way leads through the place between them.
        if distance(corner, self.last) < FROM_CORNER
            || distance(corner, node.cone.root) < FROM_CORNER
        {
            self.push(corner, node.floor, LinkKind::Walk)?;
            return Ok(());
        }
        let [ax, ay] = direction(node.cone.root, corner);
        let [bx, by] = direction(corner, self.last);
        let side = if sight == Sight::AroundLeft {
            FROM_CORNER
        } else {
            -FROM_CORNER
        };
        let [x, y] = [(ay + by) * side, -(ax + bx) * side];
        // 2 if the way hardly turns, 0 if it turns back.
        let straightness = 1.0 + ax * bx + ay * by;
        let place = match straightness < 0.5 {
            // Past the end of a thin obstacle.
            true => [
                corner[0] + ax * FROM_CORNER + x,
                corner[1] + ay * FROM_CORNER + y,
            ],
            false => [corner[0] + x / straightness, corner[1] + y / straightness],
        };
        self.push(place, node.floor, LinkKind::Walk)?;
        self.last = corner;
        Ok(())
    }
}

/// Returns the unit vector from one place to another, or zero if they are one.
fn direction(from: Place, to: Place) -> Place {
    let length = distance(from, to);
    if length > 0.0 {
        [(to[0] - from[0]) / length, (to[1] - from[1]) / length]
    } else {
        [0.0; 2]
    }
}
