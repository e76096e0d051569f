//! The search for the shortest way over floors: Polyanya (Cui, Harabor and Grastien, "Compromise-free Pathfinding on a
//! Navigation Mesh", IJCAI 2017). A node of the search is a floor, seen through a window from the last place where the
//! way turned. Where agents walk on from floor to floor, the way is the shortest there is as seen from above. Where a
//! link takes them across, the search goes on from one place on its other side, the one in the direction of the goal.

use onion_format::LinkRecord;

use super::cone::{Cone, Place, Sight, between, distance, is_behind, widened};
use super::costs::{PathCosts, PathError};
use super::links::{Link, LinkKind};
use super::reach::leads_to;
use super::scratch::{Memory, NONE, Node};
use crate::file::floor_graph::FloorGraph;
use crate::file::floors::FloorRange;
use crate::tolerance::NEAR;

/// A search that has taken this many nodes first finds out whether links lead to the goal at all: most end sooner, and
/// one that has no goal would go everywhere.
const PATIENCE: usize = 256;

/// What is searched.
pub(super) struct Search<'a, 's> {
    pub(super) graph: FloorGraph<'a>,
    pub(super) costs: &'a PathCosts,
    /// The floors on which a unit of the way costs 1; on others, agents crouch.
    pub(super) tallest: FloorRange,
    pub(super) goal: Place,
    /// Number of the floor that the goal is on.
    pub(super) goal_floor: u32,
    /// Whether this is the second attempt, in which paths may turn at any end of a link and take any crouching link.
    pub(super) is_thorough: bool,
    pub(super) memory: Memory<'s>,
}

/// How a part of a line is reached from a node: its last turn, and the cost up to there.
#[derive(Clone, Copy)]
struct Reached {
    root: Place,
    cost: f64,
    turned: u32,
}

impl Search<'_, '_> {
    /// Returns the number of the node at the goal.
    ///
    /// # Errors
    /// No way leads there, or the memory is too small.
    pub(super) fn run(&mut self, start: Place, floor: u32) -> Result<u32, PathError> {
        if let Some(found) = self.look(start, floor)? {
            return Ok(found);
        }
        if !self.can_reach(floor)? {
            return Err(PathError::NoWay);
        }
        // A corner is missing among those that paths turn around, such as one that is part of a step; or agents cannot
        // stand up where they should.
        self.memory.forget();
        self.is_thorough = true;
        self.look(start, floor)?.ok_or(PathError::NoWay)
    }

    /// Returns the number of the node at the goal, or `None` if no way was found.
    fn look(&mut self, start: Place, floor: u32) -> Result<Option<u32>, PathError> {
        self.push(Node {
            cone: Cone::all_around(start),
            bound: distance(start, self.goal),
            floor,
            passed: bit(floor),
            before: NONE,
            link: NONE,
            parent: NONE,
            turned: NONE,
            ..Node::default()
        })?;
        let mut n_taken = 0;
        while let Some(number) = self.memory.pop() {
            let Some(&node) = self.memory.node(number) else {
                break;
            };
            n_taken += 1;
            if n_taken == PATIENCE && !self.can_reach(floor)? {
                break;
            }
            if node.is_goal.is_set() {
                return Ok(Some(number));
            }
            // A cheaper way to the root was found meanwhile.
            if node.turned == NONE || node.cost <= self.memory.least(node.turned) + NEAR {
                self.expand(number, &node)?;
            }
        }
        Ok(None)
    }

    /// Whether links lead from a floor to the goal's.
    fn can_reach(&mut self, floor: u32) -> Result<bool, PathError> {
        leads_to(self.graph, &mut self.memory, floor, self.goal_floor)
    }

    fn push(&mut self, node: Node) -> Result<(), PathError> {
        let has_room = self.memory.push(node);
        has_room.then_some(()).ok_or(PathError::OutOfScratch)
    }

    /// Adds the nodes behind a node: the goal if it is on this floor, otherwise all floors that links lead to.
    fn expand(&mut self, number: u32, node: &Node) -> Result<(), PathError> {
        if node.floor == self.goal_floor {
            let root = node.cone.turning_place(node.cone.sight(self.goal));
            let way = distance(node.cone.root, root) + distance(root, self.goal);
            let cost = node.cost + self.weight(node.floor) * way;
            return self.push(Node {
                cost,
                bound: cost,
                parent: number,
                is_goal: true.into(),
                ..*node
            });
        }
        let from_root = distance(node.cone.root, node.cone.nearest());
        let graph = self.graph;
        for (link, record) in graph.links(node.floor) {
            if self.leaves_out(&record) || record.to() == node.before {
                continue;
            }
            let Some(link) = graph.read_link(node.floor, link, &record) else {
                continue;
            };
            self.enter(number, node, &link, from_root)?;
        }
        Ok(())
    }

    /// Returns whether the search ignores a link: it leads to a floor that is too narrow to walk along, or agents can
    /// walk there in a taller stance, and changes of stance are free.
    fn leaves_out(&self, link: &LinkRecord) -> bool {
        let leads_off = link.is_only_to_goal() && link.to() != self.goal_floor;
        leads_off || (link.is_upright() && self.costs.switch <= 0.0 && !self.is_thorough)
    }

    /// Adds the nodes behind a link, one for each way in which a node sees a part of it. The node's window is
    /// `from_root` units from its root.
    fn enter(
        &mut self,
        number: u32,
        node: &Node,
        link: &Link,
        from_root: f64,
    ) -> Result<(), PathError> {
        let walks = link.kind == LinkKind::Walk;
        let mut is_new = false;
        for (sight, part) in node.cone.parts(link.right, link.left) {
            // A way that turns in the middle of a line is not the shortest.
            if !node.may_turn(sight) {
                continue;
            }
            // Looked up late, because that takes long.
            if !is_new && self.has_been_on(node, link.to) {
                return Ok(());
            }
            is_new = true;
            let Some(reached) = self.turn(node, sight)? else {
                continue;
            };
            // Seen from behind, the link leads away from where the way comes from.
            if is_behind(link.right, link.left, reached.root) {
                continue;
            }
            let [right, left] = part.map(|part| between(link.right, link.left, part));
            let root = reached.root;
            let window = Cone { root, right, left };
            // A straight way leads away from its root, also along the line of the link that it passes.
            let away = distance(root, window.nearest());
            if sight == Sight::Straight && away + NEAR < from_root {
                continue;
            }
            let turns = link.turns.map(|turns| turns || self.is_thorough);
            let has_end = [part[0] <= 0.0, part[1] >= 1.0];
            let stays = [0, 1].map(|end: usize| turns[end] || !has_end[end] || !walks);
            let [right, left] = widened([right, left], stays);
            let entered = Node {
                cone: Cone { root, right, left },
                floor: link.to,
                passed: node.passed | bit(link.to),
                before: link.from,
                link: link.number,
                parent: number,
                turned: reached.turned,
                cost: reached.cost,
                has_right: (has_end[0] && turns[0]).into(),
                has_left: (has_end[1] && turns[1]).into(),
                ..Node::default()
            };
            if walks {
                self.walk(link, entered, away)?;
            } else {
                self.cross(link, entered)?;
            }
        }
        Ok(())
    }

    /// Whether the way to a node has been on a floor before: floors are convex, so it is not the shortest if it comes
    /// back to one.
    fn has_been_on(&self, node: &Node, floor: u32) -> bool {
        if node.passed & bit(floor) == 0 {
            return false;
        }
        let mut number = node.parent;
        while let Some(earlier) = self.memory.node(number) {
            if earlier.floor == floor {
                return true;
            }
            number = earlier.parent;
        }
        false
    }

    /// Returns the last turn of the way to what a node sees in some way, or `None` if a shorter way there is known.
    fn turn(&mut self, node: &Node, sight: Sight) -> Result<Option<Reached>, PathError> {
        let (root, cost, turned) = (node.cone.root, node.cost, node.turned);
        if sight == Sight::Straight {
            return Ok(Some(Reached { root, cost, turned }));
        }
        let root = node.cone.turning_place(sight);
        let cost = cost + self.weight(node.before) * distance(node.cone.root, root);
        let turned = turning_place(node.link, sight);
        let least = self.memory.least(turned);
        if cost > least + NEAR {
            return Ok(None);
        }
        if cost < least && !self.memory.reach(turned, cost) {
            return Err(PathError::OutOfScratch);
        }
        Ok(Some(Reached { root, cost, turned }))
    }

    /// Adds the node behind a walking link, unless all of its window is reached at less cost along the link from one
    /// of its ends, or the last node behind the link is the same but for its cost: where several links end in one
    /// corner, ways turn around it in several ways. The window is `away` units from its root.
    fn walk(&mut self, link: &Link, entered: Node, away: f64) -> Result<(), PathError> {
        let Cone { root, right, left } = entered.cone;
        let weight = self.weight(link.from);
        let cost = |to: Place| entered.cost + weight * distance(root, to);
        let least = entered.cost + weight * away;
        let turned =
            [Sight::AroundRight, Sight::AroundLeft].map(|end| turning_place(link.number, end));
        let known = turned.map(|end| self.memory.least(end));
        let from_right = known[0] + weight * distance(link.right, left);
        let from_left = known[1] + weight * distance(link.left, right);
        // By more than rounding, which would leave out the way that it is compared with.
        if least > from_right + NEAR || least > from_left + NEAR {
            return Ok(());
        }
        let latest = self.memory.latest(link.number);
        if latest.is_some_and(|latest| latest.is_as_good_as(&entered)) {
            return Ok(());
        }
        let reached = [
            cost(right) + weight * distance(right, link.right),
            cost(left) + weight * distance(left, link.left),
        ];
        for end in 0..2 {
            if reached[end] < known[end] && !self.memory.reach(turned[end], reached[end]) {
                return Err(PathError::OutOfScratch);
            }
        }
        let bound = entered.cost + entered.cone.distance_to(self.goal);
        let node = Node { bound, ..entered };
        match self.memory.push_behind(link.number, node) {
            true => Ok(()),
            false => Err(PathError::OutOfScratch),
        }
    }

    /// Adds the node behind a link that takes agents across.
    fn cross(&mut self, link: &Link, entered: Node) -> Result<(), PathError> {
        let [x, y] = link.across;
        let toward = [self.goal[0] - x, self.goal[1] - y];
        let leaves = entered.cone.crossing(toward);
        let lands = [leaves[0] + x, leaves[1] + y];
        let way = self.weight(link.from) * distance(entered.cone.root, leaves)
            + distance(leaves, lands)
            + self.costs.of(link.kind);
        let (cost, turned) = (
            entered.cost + way,
            turning_place(link.number, Sight::AroundRight),
        );
        let bound = cost + distance(lands, self.goal);
        if bound >= self.memory.least(turned) {
            return Ok(());
        }
        if !self.memory.reach(turned, bound) {
            return Err(PathError::OutOfScratch);
        }
        self.push(Node {
            cone: Cone::all_around(lands),
            cost,
            bound,
            turned,
            ..entered
        })
    }

    /// Returns the cost of a unit of the way on a floor.
    fn weight(&self, floor: u32) -> f64 {
        if self.tallest.contains(floor) {
            1.0
        } else {
            self.costs.crouched
        }
    }
}

/// Returns the bit of [`Node::passed`] that stands for a floor.
fn bit(floor: u32) -> u64 {
    1 << (floor % u64::BITS)
}

/// Returns the number of an end of a link as a turning place.
fn turning_place(link: u32, sight: Sight) -> u32 {
    link.saturating_mul(2) + u32::from(sight == Sight::AroundLeft)
}
