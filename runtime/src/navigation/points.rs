//! The points of a path: the nodes of a search in, from the goal back to the start; the places where an agent changes
//! its direction, its floor other than by walking on, or its height out. Shortest ways touch the corners of walls and
//! ledges, and points keep a little away from them.

use super::cone::{Cone, Place, Sight, between, distance};
use super::corner::{apart, beside, direction, inside, onto};
use super::costs::PathError;
use super::links::{Link, LinkKind};
use super::scratch::{Memory, NONE, Node};
use crate::file::hull::HullId;
use crate::file::view::View;
use crate::tolerance::{FROM_CORNER, LEVEL, TOUCHES};

/// A place where a path begins, turns, crosses from one floor to another in a way that is not walking, or ends.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
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

/// A place on a floor of an agent.
pub(super) struct Standing {
    pub(super) floor: u32,
    pub(super) place: Place,
}

/// The points of a path, from its goal on.
pub(super) struct PointList<'a, 'p> {
    map: View<'a>,
    memory: &'p Memory<'p>,
    points: &'p mut [PathPoint],
    n_points: usize,
    /// The place of the last one, or the corner that it is beside.
    last: Place,
    /// How the way turns around that corner.
    turned: Sight,
}

impl<'a, 'p> PointList<'a, 'p> {
    pub(super) fn new(map: View<'a>, memory: &'p Memory<'p>, points: &'p mut [PathPoint]) -> Self {
        Self {
            map,
            memory,
            points,
            n_points: 0,
            last: [0.0; 2],
            turned: Sight::Straight,
        }
    }

    /// Writes the points on the way from the start to a node at the goal. Returns their number.
    pub(super) fn write(
        mut self,
        found: u32,
        [start, goal]: [&Standing; 2],
    ) -> Result<usize, PathError> {
        self.push(goal.place, goal.floor, LinkKind::Walk)?;
        let mut later = self.node(found);
        while later.parent != NONE {
            let earlier = self.node(later.parent);
            let sight = self.push_across(&earlier, &later, goal.place)?;
            if !self.push_before_lift(&earlier, &later)? {
                self.push_passing(&earlier, sight)?;
            }
            later = earlier;
        }
        self.push(start.place, start.floor, LinkKind::Walk)?;
        self.points[..self.n_points].reverse();
        Ok(self.n_points)
    }

    fn node(&self, number: u32) -> Node {
        self.memory.node(number).copied().unwrap_or_default()
    }

    fn push(&mut self, place: Place, floor: u32, kind: LinkKind) -> Result<(), PathError> {
        let point = self.points.get_mut(self.n_points);
        let point = point.ok_or(PathError::TooManyPoints)?;
        let on = self.map.floor(floor).ok_or(PathError::NoWay)?;
        let record = self.map.floors().get(floor as usize);
        let hull = record.and_then(|record| self.map.hull_id(record.hull() as usize));
        *point = PathPoint {
            position: [place[0], place[1], on.height(place)],
            hull: hull.ok_or(PathError::NoWay)?,
            floor,
            kind,
        };
        self.n_points += 1;
        (self.last, self.turned) = (place, Sight::Straight);
        Ok(())
    }

    /// Whether the last point is at a place of a floor.
    fn has_just(&self, place: Place, floor: u32) -> bool {
        let last = self.n_points.checked_sub(1);
        let last = last.and_then(|last| self.points.get(last));
        last.is_some_and(|last| last.floor == floor && last.position[..2] == place)
    }

    /// Adds the points of a way across, if one leads from a node to the next. Returns how the node sees the rest of the
    /// way.
    fn push_across(&mut self, node: &Node, next: &Node, goal: Place) -> Result<Sight, PathError> {
        if next.is_goal.is_set() {
            return Ok(node.cone.sight(goal));
        }
        let link = self
            .map
            .floor_graph()
            .link_at(next.link)
            .ok_or(PathError::NoWay)?;
        let lands = next.cone.root;
        if link.kind == LinkKind::Walk {
            return Ok(node.cone.turn_at(lands));
        }
        self.push(lands, next.floor, link.kind)?;
        let leaves = [lands[0] - link.across[0], lands[1] - link.across[1]];
        // Not on the very edge, over which it would slip at full speed.
        let [x, y] = direction(lands, leaves);
        let from = self.map.floor(link.from).ok_or(PathError::NoWay)?;
        let parts = [1.0, 0.5, 0.25].map(|part| part * FROM_CORNER);
        let mut before = parts
            .map(|by| [leaves[0] + x * by, leaves[1] + y * by])
            .into_iter();
        let before = before.find(|&place| from.contains(place));
        self.push(before.unwrap_or(leaves), link.from, LinkKind::Walk)?;
        Ok(node.cone.sight(leaves))
    }

    /// Adds the place before the floor under a lift where a walker waits until the lift is down: beyond the walking
    /// link that a node on that floor is entered by. Returns whether a lift takes agents from there to the next node.
    fn push_before_lift(&mut self, node: &Node, next: &Node) -> Result<bool, PathError> {
        let graph = self.map.floor_graph();
        let link = |node: &Node, kind: LinkKind| {
            let link = graph.link_at(node.link);
            link.filter(|link| link.kind == kind)
        };
        let (Some(entered), Some(_)) = (link(node, LinkKind::Walk), link(next, LinkKind::Lift))
        else {
            return Ok(false);
        };
        let Link { right, left, .. } = entered;
        let length = distance(right, left);
        let from_end = (length / 2.0).min(FROM_CORNER);
        let along = distance(right, node.cone.crossing(self.last));
        let along = along.max(from_end).min(length - from_end);
        let [x, y] = direction(right, left);
        let place = [
            right[0] + x * along - y * FROM_CORNER,
            right[1] + y * along + x * FROM_CORNER,
        ];
        self.push(place, entered.from, LinkKind::Walk)?;
        Ok(true)
    }

    /// Adds the points where a way passes the walking link that a node is entered by, if some are needed: where it
    /// turns around an end, and where it touches a corner, which a walker has to keep away from.
    fn push_passing(&mut self, node: &Node, sight: Sight) -> Result<(), PathError> {
        let link = self.map.floor_graph().link_at(node.link);
        let Some(link) = link.filter(|link| link.kind == LinkKind::Walk) else {
            return Ok(());
        };
        let by = node.cone.turning_place(sight);
        if ![node.cone.root, link.right, link.left].contains(&by) {
            // A way across is left on the line to another window, and this one hides a part of that.
            return match distance(by, self.last) < FROM_CORNER {
                true => Ok(()),
                false => self.push(by, link.to, LinkKind::Walk),
            };
        }
        // A window that is one place may be the other end of the link.
        let sight = match (sight, by == link.right, by == link.left) {
            (Sight::AroundRight, false, true) => Sight::AroundLeft,
            (Sight::AroundLeft, true, false) => Sight::AroundRight,
            _ => sight,
        };
        let root = node.cone.root;
        let right = (
            Sight::AroundRight,
            link.right,
            node.has_right.is_set() || link.turns[0],
        );
        let left = (
            Sight::AroundLeft,
            link.left,
            node.has_left.is_set() || link.turns[1],
        );
        let is_right_first = distance(root, link.right) > distance(root, link.left);
        let is_narrow = distance(link.right, link.left) < 2.0 * FROM_CORNER;
        for (around, corner, is_corner) in if is_right_first {
            [right, left]
        } else {
            [left, right]
        } {
            let has_step = self.rise(&link, corner)?.abs() > LEVEL;
            let touches = || self.touches(root, by, corner, has_step || is_narrow);
            if sight == around || (is_corner && touches()) {
                self.push_turn(node, &link, around, has_step)?;
                if is_narrow {
                    // A point beside one end is beside the other as well.
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Returns how much higher the floor that a link leads to is at a place, in units.
    fn rise(&self, link: &Link, place: Place) -> Result<f64, PathError> {
        let [from, to] = [link.from, link.to].map(|floor| self.map.floor(floor));
        let (from, to) = from.zip(to).ok_or(PathError::NoWay)?;
        Ok(to.height(place) - from.height(place))
    }

    /// Returns whether the way from one place over a second one to the last point touches a corner. Corners that the
    /// path has already turned around count only if `is_any` is set, as it is at steps and narrow links.
    fn touches(&self, from: Place, by: Place, corner: Place, is_any: bool) -> bool {
        let off = f64::min(apart(from, by, corner), apart(by, self.last, corner));
        let mut ends = [from, self.last].into_iter();
        let is_passed = is_any || ends.all(|end| distance(end, corner) > TOUCHES);
        off < TOUCHES && is_passed
    }

    /// Adds the point where a path turns around an end of a link, which is the corner of a wall or a ledge; two if the
    /// link leads up or down a step.
    fn push_turn(
        &mut self,
        node: &Node,
        link: &Link,
        around: Sight,
        has_step: bool,
    ) -> Result<(), PathError> {
        let (root, right, left) = (node.cone.root, link.right, link.left);
        let corner = Cone { root, right, left }.turning_place(around);
        let (from, turned) = self.turn_before(node, corner);
        let is_near = distance(corner, self.last) < FROM_CORNER;
        let is_gap = |other| other != Sight::Straight && other != around;
        let place = beside(from, corner, self.last, around);
        let is_narrow = distance(right, left) < 2.0 * FROM_CORNER && link.turns == [true; 2];
        if has_step || is_narrow || is_gap(turned) || (is_near && is_gap(self.turned)) {
            // On both floors: up or down the step, or between two corners that touch.
            for floor in [link.to, link.from] {
                let floor = self.map.floor(floor).ok_or(PathError::NoWay)?;
                let moved = inside(&floor, place, FROM_CORNER);
                let place = match floor.contains(moved) {
                    true => onto(&floor, place).unwrap_or(moved),
                    // The floors touch in little more than a point.
                    false if is_narrow => between(right, left, 0.5),
                    false => continue,
                };
                // Corners of two steps may be at one place.
                if !self.has_just(place, floor.number) {
                    self.push(place, floor.number, LinkKind::Walk)?;
                }
            }
        } else if !is_near || self.turned == Sight::Straight {
            let place = self.on_floor(link, place)?;
            self.push(place, link.to, LinkKind::Walk)?;
        }
        (self.last, self.turned) = (corner, around);
        Ok(())
    }

    /// Returns a place beside an end of a link, moved onto the floor that the link leads to if it is on none of the
    /// floors there: those are too narrow to keep away from corners, and a walker would fall off.
    fn on_floor(&self, link: &Link, place: Place) -> Result<Place, PathError> {
        let graph = self.map.floor_graph();
        let ends = [link.to, link.from];
        let beside = ends.into_iter().flat_map(|end| graph.links(end));
        let floors = ends.into_iter().chain(beside.map(|(_, link)| link.to()));
        let mut floors = floors.filter_map(|floor| self.map.floor(floor));
        if floors.any(|floor| floor.contains(place)) {
            return Ok(place);
        }
        let to = self.map.floor(link.to).ok_or(PathError::NoWay)?;
        Ok(onto(&to, place).unwrap_or(place))
    }

    /// Returns the last turn before a node that is not at a corner, or the start, and how the way turns around the
    /// last one that is.
    fn turn_before(&self, node: &Node, corner: Place) -> (Place, Sight) {
        let (mut node, mut turned) = (*node, Sight::Straight);
        while distance(node.cone.root, corner) < FROM_CORNER && node.parent != NONE {
            let earlier = self.node(node.parent);
            if turned == Sight::Straight {
                turned = earlier.cone.turn_at(node.cone.root);
            }
            node = earlier;
        }
        (node.cone.root, turned)
    }
}
