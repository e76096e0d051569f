//! Local trees: what a tree is for one hull in one block, with only the planes that matter there. Equal parts
//! of local trees are stored once, whichever block and hull they belong to.

use foldhash::fast::RandomState;
use glam::DVec3;
use indexmap::IndexSet;

use super::source::{Division, Part, Source};
use super::twin::{Above, Twins};
use crate::geometry::region::Parts;
use crate::geometry::{PlaneId, PlaneSet, Region};
use crate::id::HullId;

/// Comparisons of two subtrees that visit more pairs of parts than this are given up.
const MAX_PAIRS: u32 = 64;

/// A part of a local tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Local {
    /// Empty for the hull.
    Empty,
    /// Solid for the hull.
    Solid,
    /// Divided by the node of this number.
    Node(u32),
}

impl Local {
    /// All solid, or all empty.
    fn of(solid: bool) -> Self {
        if solid { Self::Solid } else { Self::Empty }
    }
}

/// A node of local trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LocalNode {
    /// Its plane, canonical.
    pub plane: PlaneId,
    /// Number of its [`TwinList`] in the pool: the planes of the tree that nearly coincide with it on the node's
    /// face.
    pub twins: u32,
    /// The parts in front and behind.
    pub children: [Local; 2],
}

/// The twins of a node: canonical planes in the order of their ids.
pub type TwinList = Vec<PlaneId>;

/// Nodes of local trees and lists of their twins, none twice; children come before their parents.
#[derive(Clone, Debug)]
pub struct Pool {
    nodes: IndexSet<LocalNode, RandomState>,
    /// The first is empty.
    twins: IndexSet<TwinList, RandomState>,
}

impl Default for Pool {
    fn default() -> Self {
        Self {
            nodes: IndexSet::default(),
            twins: IndexSet::from_iter([TwinList::new()]),
        }
    }
}

impl Pool {
    /// The list that has no twins.
    pub const NO_TWINS: u32 = 0;

    /// The part that a node divides.
    pub fn insert(&mut self, node: LocalNode) -> Local {
        Local::Node(self.nodes.insert_full(node).0 as u32)
    }

    /// Number of a list of twins.
    pub fn insert_twins(&mut self, twins: TwinList) -> u32 {
        self.twins.insert_full(twins).0 as u32
    }

    /// The nodes, children before their parents.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = &LocalNode> {
        self.nodes.iter()
    }

    /// A node.
    pub fn node(&self, number: u32) -> &LocalNode {
        &self.nodes[number as usize]
    }

    /// The twins of a node.
    pub fn twins(&self, node: &LocalNode) -> &TwinList {
        &self.twins[node.twins as usize]
    }

    /// Whether a tree has at most so many nodes, each counted as often as a path leads to it.
    pub fn has_at_most(&self, root: Local, most: usize) -> bool {
        self.count(root, most).is_some()
    }

    fn count(&self, part: Local, most: usize) -> Option<usize> {
        let Local::Node(number) = part else {
            return Some(0);
        };
        let [front, back] = self.node(number).children;
        let front = self.count(front, most.checked_sub(1)?)?;
        let back = self.count(back, most - 1 - front)?;
        Some(1 + front + back)
    }

    /// What a part is at a point, but for rounding.
    fn at(&self, planes: &PlaneSet, mut part: Local, point: DVec3) -> Local {
        while let Local::Node(number) = part {
            let node = self.node(number);
            let entry = &planes[node.plane];
            let is_behind = entry.normal.dot(point) < entry.dist;
            part = node.children[usize::from(is_behind)];
        }
        part
    }
}

/// Makes local trees of a block.
pub struct Localizer<'a> {
    planes: &'a PlaneSet,
    /// What of the tree lies in the block.
    source: &'a Source,
    twins: Twins<'a>,
}

impl<'a> Localizer<'a> {
    /// For the part of a tree that lies in a block with its margin.
    pub fn new(planes: &'a PlaneSet, source: &'a Source, twins: Twins<'a>) -> Self {
        Self {
            planes,
            source,
            twins,
        }
    }

    /// The tree of a hull in the block, whose nodes do not know of their twins yet.
    pub fn tree(&self, hull: HullId, region: &Region, pool: &mut Pool) -> Local {
        self.part(self.source.root, hull, region, pool)
    }

    /// A local tree whose nodes know of their twins.
    pub fn marked(&self, part: Local, above: &mut Vec<Above>, pool: &mut Pool) -> Local {
        let Local::Node(number) = part else {
            return part;
        };
        let LocalNode {
            plane, children, ..
        } = *pool.node(number);
        let has_plane = |other| self.source.has_plane(other);
        let twins = pool.insert_twins(self.twins.of(plane, above, has_plane).collect());
        let mut side = |side: usize| {
            above.push((plane, side));
            let child = self.marked(children[side], above, pool);
            above.pop();
            child
        };
        let children = [side(0), side(1)];
        pool.insert(LocalNode {
            plane,
            twins,
            children,
        })
    }

    fn part(&self, part: Part, hull: HullId, region: &Region, pool: &mut Pool) -> Local {
        let division = match (part.is_solid(hull), self.source.division(part)) {
            (Some(solid), _) => return Local::of(solid),
            (None, Some(division)) => division,
            (None, None) => unreachable!("a leaf is solid or empty"),
        };
        let Division { plane, children } = *division;
        let parts = region.parts(self.planes, plane);
        let mut side = |side: usize| match children[side].is_solid(hull) {
            Some(solid) => Local::of(solid),
            None => self.part(children[side], hull, parts.of(side), pool),
        };
        if !(parts.reaches(0) && parts.reaches(1)) {
            return side(usize::from(parts.reaches(1)));
        }
        let children = [side(0), side(1)];
        for one in 0..2 {
            let other = one ^ 1;
            if self.is_alike(children[one], children[other], &parts, other, pool) {
                return children[one];
            }
        }
        pool.insert(LocalNode {
            plane,
            twins: Pool::NO_TWINS,
            children,
        })
    }

    /// Whether a part is, on a side, the same as the other one, which was made for that side. Most that are not
    /// differ at the center or on the way from there to a corner.
    fn is_alike(&self, one: Local, own: Local, parts: &Parts, side: usize, pool: &Pool) -> bool {
        if one == own {
            return true;
        }
        // What was made for a side is not divided if all of it is alike.
        if !matches!(one, Local::Node(_)) {
            return false;
        }
        let region = parts.of(side);
        let center = region.center();
        let is_same = |point| pool.at(self.planes, one, point) == pool.at(self.planes, own, point);
        is_same(center)
            && region.all_corners(|corner| is_same((corner * 3.0 + center) / 4.0))
            && self.compare(one, own, region, pool, &mut 1)
    }

    /// Whether two parts that are not the same node are the same in a region.
    fn compare(
        &self,
        one: Local,
        other: Local,
        region: &Region,
        pool: &Pool,
        pairs: &mut u32,
    ) -> bool {
        let [one_node, other_node] = [one, other].map(|part| match part {
            Local::Node(number) => Some(pool.node(number)),
            Local::Empty | Local::Solid => None,
        });
        let Some(divider) = one_node.or(other_node).filter(|_| *pairs < MAX_PAIRS) else {
            return false;
        };
        let plane = divider.plane;
        let children = |part, node: Option<&LocalNode>| match node {
            Some(node) if node.plane == plane => node.children,
            _ => [part; 2],
        };
        let [one, other] = [children(one, one_node), children(other, other_node)];
        let parts = region.parts(self.planes, plane);
        let mut sides = (0..2).filter(|&side| parts.reaches(side));
        sides.all(|side| {
            *pairs += 1;
            one[side] == other[side]
                || self.compare(one[side], other[side], parts.of(side), pool, pairs)
        })
    }
}
