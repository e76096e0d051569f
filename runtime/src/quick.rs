//! The quick walk finds, for a segment and some hulls of a tree, where each hull first enters solid, or reports that
//! the case is unclear. Its answers are those of the reference, [`crate::walk`].
//!
//! # How it walks
//! Nodes hold their planes, and the current stretch of the segment is compared with them in f32
//! ([`crate::filter`]). If the stretch is certainly on one side of a plane, nothing more is needed. Any other
//! plane is decided as in the reference, in f64 from the original end points: either the stretch is on one side
//! after all, or it is divided there. If crossings coincide or an end is on a plane, more than one cell is
//! touched at once, and the reference decides.
//!
//! Steps down the tree are branches, not arithmetic: the processor predicts them and runs ahead, which it cannot
//! do if the next node's number is computed. Only [`Quick::solidity_of_many`] computes it.
//!
//! # Measured and lost
//! Times in ns of walks in random order, moves of one agent, long shots, and points, on four maps with four hulls
//! in one tree. This walk takes 155, 62, 485, 95, the reference 210, 105, 680, 98:
//!
//! * Treelets of seven planes tested together: 138, 78, 488, 64 with AVX2, 150, 88, 484, 67 with SSE2. Fewer
//!   branches are mispredicted, but every test waits for the one before. It takes 50 bytes more for each node, and
//!   unsafe code to detect AVX2. Fifteen planes are 10% slower; the shape of treelets makes a difference of 10%.
//! * With treelets: crossings from the f32 distances (+5%), skipping stretches that touch only empty leaves (+10%),
//!   deciding near and far side at once (+5%), jumps by child (walks +20%, moves -5%), a pyramid of grid cells to
//!   start from (saves half of the tests and no time).
//! * The axis of axial planes in the node, nodes aligned to cache lines, keeping the points of sides that wait (no
//!   change); comparing both ends before either decides (moves +25%). A walk written for a single hull is 5% faster,
//!   and was given up for one that serves both cases.
//! * Many segments that descend in step before each is walked by itself (+10%).

use onion_format::{Child, HullSet, KNOWN_HULLS, NodePlane, NodeRecord, Record};

use crate::coordinate::{Coordinate, widened};
use crate::filter::{self, Split, point_error, rounded, segment_error, split};
use crate::plane::distance;
use crate::segment::{longest_step, point_at};
use crate::stack::Stack;
use crate::tolerance::{LONG, ON_PLANE};
use crate::view::View;

/// Sides that can wait at once; few walks have eight.
const MAX_SIDES: usize = 16;

/// What a quick walk found for a hull.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Found {
    /// The whole segment is empty.
    Nothing,
    /// The segment starts in empty and enters solid.
    Solid(Entry),
    /// Ask the reference.
    Unclear,
}

/// An entry into solid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    /// Fraction of the segment.
    pub(crate) fraction: f64,
    /// Number of the plane.
    pub(crate) plane: u32,
    /// The last node whose cell holds all of the segment, and what rounding makes of its points.
    pub(crate) common: Child,
}

/// The sides of a node, as indices.
const FRONT: usize = 0;
const BACK: usize = 1;

/// The far side of a node that divides the segment: where it begins on the segment, and which side it
/// is. It ends where the next side that waits begins.
#[derive(Clone, Copy)]
struct Waiting {
    from: f64,
    node: Child,
    side: u32,
}

impl Waiting {
    const NONE: Self = Self {
        from: 0.0,
        node: Child(0),
        side: 0,
    };
}

/// A segment, or a point if both ends are the same, ready to go down a tree.
#[derive(Clone, Copy)]
pub(crate) struct Stretch {
    start: [f32; 3],
    end: [f32; 3],
    /// Bound on the error of their signed distances, in units.
    error: f32,
}

impl Stretch {
    /// A segment; none if it is for the reference.
    #[inline(always)]
    pub(crate) fn new([start, end]: &[[f64; 3]; 2]) -> Option<Self> {
        let (start, end) = (rounded(start), rounded(end));
        let error = segment_error(&start, &end)?;
        Some(Self { start, end, error })
    }

    /// Whether it is certainly in front of a node's plane.
    #[inline(always)]
    fn is_ahead(&self, node: &NodeRecord) -> bool {
        ahead(node, &self.start) > self.error && ahead(node, &self.end) > self.error
    }

    /// Whether it is certainly behind a node's plane.
    #[inline(always)]
    fn is_behind(&self, node: &NodeRecord) -> bool {
        ahead(node, &self.start) < -self.error && ahead(node, &self.end) < -self.error
    }
}

/// Points that go down in step.
const AT_ONCE: usize = 8;

/// A point on its way down.
#[derive(Clone, Copy)]
struct Lane {
    at: Child,
    number: usize,
    point: [f32; 3],
    /// Bound on the error of its signed distances, in units; infinite or not a number for points that are
    /// for the reference.
    error: f32,
}

impl Lane {
    const NONE: Self = Self {
        at: Child(0),
        number: 0,
        point: [0.0; 3],
        error: 0.0,
    };

    #[inline(always)]
    fn new(root: Child, number: usize, point: [f32; 3]) -> Self {
        Self {
            at: root,
            number,
            point,
            error: point_error(&point),
        }
    }
}

/// Some hulls of a tree.
#[derive(Clone, Copy)]
pub(crate) struct Quick<'a> {
    map: &'a View<'a>,
    /// Their bits in what nodes know of their children.
    hulls: u8,
}

impl<'a> Quick<'a> {
    /// For some hulls; none if nodes have no bits for all of them, or there are no nodes.
    #[inline(always)]
    pub(crate) fn new(map: &'a View<'a>, hulls: HullSet) -> Option<Self> {
        let known = hulls.bits() >> KNOWN_HULLS == 0 && !map.nodes.is_empty();
        known.then_some(Self {
            map,
            hulls: hulls.bits() as u8,
        })
    }

    /// A node; none for a leaf.
    #[inline(always)]
    fn node(&self, at: Child) -> Option<NodeRecord> {
        let bytes = self.map.nodes.get(at.0 as usize)?;
        Some(NodeRecord::read(bytes))
    }

    /// Goes down as long as a stretch is certainly on one side and nothing is known of that side for
    /// some hulls: gives the node where that ends, and the side if it is certain.
    #[inline(always)]
    fn descend(
        &self,
        at: &mut Child,
        stretch: &Stretch,
        hulls: u8,
    ) -> Option<(NodeRecord, Option<usize>)> {
        loop {
            let mut node = self.node(*at)?;
            while stretch.is_ahead(&node) {
                if node.resolved[FRONT] & hulls != 0 {
                    return Some((node, Some(FRONT)));
                }
                *at = child_of(*at, node.children[FRONT]);
                node = self.node(*at)?;
            }
            if !stretch.is_behind(&node) {
                return Some((node, None));
            }
            if node.resolved[BACK] & hulls != 0 {
                return Some((node, Some(BACK)));
            }
            *at = child_of(*at, node.children[BACK]);
        }
    }

    /// [`Self::solidity`] of many points, some at a time in step, so that they wait for memory and for the
    /// results of comparisons together. Gives each by its number.
    #[inline(always)]
    pub(crate) fn solidity_of_many<T: Coordinate, P: Into<[T; 3]> + Copy>(
        &self,
        root: Child,
        points: &[P],
        mut on_end: impl FnMut(usize, Option<u8>),
    ) {
        // The rest of the way, from the point itself.
        let mut end = |lane: &Lane| {
            if let Some(point) = points.get(lane.number) {
                let point = widened((*point).into());
                on_end(lane.number, self.solidity(lane.at, &point));
            }
        };
        let mut queue = points.iter().enumerate();
        let lane_of = |(number, point): (usize, &P)| {
            Lane::new(root, number, rounded(&widened((*point).into())))
        };
        let mut lanes = [Lane::NONE; AT_ONCE];
        for n_lanes in 0..AT_ONCE {
            match queue.next() {
                Some(next) => lanes[n_lanes] = lane_of(next),
                None => return lanes[..n_lanes].iter().for_each(end),
            }
        }
        loop {
            for number in 0..AT_ONCE {
                let lane = &mut lanes[number];
                if self.step(lane) {
                    continue;
                }
                end(lane);
                match queue.next() {
                    Some(next) => *lane = lane_of(next),
                    None => {
                        let others = lanes.iter().enumerate();
                        let others = others.filter(|(other, _)| *other != number);
                        return others.for_each(|(_, lane)| end(lane));
                    }
                }
            }
        }
    }

    /// Goes one node down, if the point is certainly on one side and nothing is known of that side. The
    /// side is computed, not guessed: the other lanes fill the time.
    #[inline(always)]
    fn step(&self, lane: &mut Lane) -> bool {
        let Some(node) = self.node(lane.at) else {
            return false;
        };
        let dist = ahead(&node, &lane.point);
        // Bits instead of a choice, which might become a branch.
        let all = u32::from(dist < 0.0).wrapping_neg();
        let [front, back] = node.children;
        let known = u16::from_le_bytes(node.resolved) >> (all & 8);
        let goes_on = (dist.abs() > lane.error) & (known as u8 & self.hulls == 0);
        if goes_on {
            lane.at = child_of(lane.at, front ^ ((front ^ back) & all));
        }
        goes_on
    }

    /// Walks a segment from a node that holds all of it, and tells for some bits of hulls at a time what
    /// was found; hulls that are not mentioned find nothing.
    // Long: one loop whose state stays in registers.
    #[inline(always)]
    pub(crate) fn walk(
        &self,
        top: Child,
        segment: &[[f64; 3]; 2],
        mut on_found: impl FnMut(u8, Found),
    ) {
        let mut pending = self.hulls;
        let Some(whole) = Stretch::new(segment) else {
            return on_found(pending, Found::Unclear);
        };
        let longest = longest_step(segment);
        let point = |fraction| rounded(&point_at(segment, fraction));
        let mut places = [Waiting::NONE; MAX_SIDES];
        let mut waiting = Stack::on(&mut places);
        let (mut from, mut to) = (0.0, 1.0);
        let mut stretch = whole;
        let mut entered = None;
        let mut common = None;
        let mut at = top;
        // Those of which nothing is known here.
        let mut open = pending;
        loop {
            let Some((mut node, side)) = self.descend(&mut at, &stretch, open) else {
                return on_found(pending, Found::Unclear);
            };
            let mut side = match side {
                Some(side) => side,
                None => {
                    common = common.or(Some(at));
                    let plane = self.map.plane_of(&node);
                    let distances = segment.each_ref().map(|end| distance(&plane, end));
                    match split(distances, longest, [from, to]) {
                        Split::One(side) => side,
                        Split::Both(fraction, near) => {
                            let far = Waiting {
                                from: fraction,
                                node: at,
                                side: near as u32 ^ 1,
                            };
                            if !waiting.push(far) {
                                return on_found(pending, Found::Unclear);
                            }
                            to = fraction;
                            stretch.end = point(to);
                            near
                        }
                        Split::Unclear => return on_found(pending, Found::Unclear),
                    }
                }
            };
            loop {
                let solid = node.solid[side] & open;
                if solid != 0 {
                    let counts = to == 1.0 || (to - from) * longest > LONG;
                    let found = match (entered, common) {
                        (Some(side), Some(common)) if counts => self.enter(side, common),
                        _ => Found::Unclear,
                    };
                    on_found(solid, found);
                    pending &= !solid;
                    if pending == 0 {
                        return;
                    }
                }
                open &= pending & !node.resolved[side];
                if open != 0 {
                    at = child_of(at, node.children[side]);
                    break;
                }
                // All of the stretch is known; go on with the next one.
                let Some(next) = waiting.pop() else {
                    return;
                };
                let Some(next_node) = self.node(next.node) else {
                    return on_found(pending, Found::Unclear);
                };
                from = next.from;
                to = waiting.last().map_or(1.0, |beyond| beyond.from);
                (stretch.start, stretch.end) = (point(from), point(to));
                (at, node, side) = (next.node, next_node, next.side as usize & 1);
                entered = Some(next);
                open = pending;
            }
        }
    }

    /// An entry into a solid side, unless the reference looks at it twice: through a plane without a
    /// face that looks this way.
    #[inline(always)]
    fn enter(&self, side: Waiting, common: Child) -> Found {
        let Some(node) = self.node(side.node) else {
            return Found::Unclear;
        };
        let plane = NodePlane(node.plane);
        let has_faces = if side.side as usize == BACK {
            plane.has_front_faces()
        } else {
            plane.has_back_faces()
        };
        if !has_faces {
            return Found::Unclear;
        }
        Found::Solid(Entry {
            fraction: side.from,
            plane: plane.index(),
            common,
        })
    }

    /// For which hulls a point in the cell of a node is solid; none if the reference decides.
    #[inline(always)]
    pub(crate) fn solidity(&self, top: Child, point: &[f64; 3]) -> Option<u8> {
        let stretch = Stretch::new(&[*point; 2])?;
        let mut at = top;
        let (mut open, mut solid) = (self.hulls, 0);
        loop {
            let (node, side) = self.descend(&mut at, &stretch, open)?;
            let side = match side {
                Some(side) => side,
                None => {
                    let dist = distance(&self.map.plane_of(&node), point);
                    if dist.abs() <= ON_PLANE {
                        return None;
                    }
                    usize::from(dist < 0.0)
                }
            };
            solid |= node.solid[side] & open;
            open &= !node.resolved[side];
            if open == 0 {
                return Some(solid);
            }
            at = child_of(at, node.children[side]);
        }
    }
}

/// A child of a node. Children follow their nodes, and leaves have a higher bit, so every walk ends, even if the bytes
/// are others than those that loading checked.
#[inline(always)]
fn child_of(node: Child, child: u32) -> Child {
    Child(child.max(node.0.wrapping_add(1)))
}

/// Signed distance of a point in front of a node's plane, in units.
#[inline(always)]
fn ahead(node: &NodeRecord, point: &[f32; 3]) -> f32 {
    filter::ahead(node.normal, node.dist, point)
}
