//! Point and segment queries against the union of expanded solids.
//!
//! In: the [`Expanded`] solids of one model and one box. Out: exact answers to "is this origin inside", "where does
//! this segment enter and leave", "which planes are near this point". Method: the planes of each solid near the
//! segment clip it to one interval; the intervals are sorted and joined. A tree of bounding boxes only skips solids
//! that cannot matter. `grow` moves all planes of all solids outward (inward when negative), in units.

use super::convex::{Plane, polytope};
use super::expand::Expanded;
use super::vec3::{V3, add, bounds, dot, length, lerp, scale, sub};

/// A point less deep than this inside a solid counts as outside, in units; well above rounding error, so that
/// touching a face and sliding in it are free.
pub const DEEP: f64 = 1e-9;
/// A piece of a segment shorter than this does not count, in units.
const SHORTEST: f64 = 1e-9;
/// Intervals of two solids join across a gap this wide, measured along the planes' normals.
const SEAM: f64 = 1e-8;
/// The segment is extended by this much beyond both ends, in units, to find the solids that contain its ends.
const OVERHANG: f64 = 1e-6;
/// The tree's boxes hold the solids grown by this, in units; queries that grow more visit every solid.
const MAX_TREE_GROW: f64 = 1.0 / 64.0;
/// Solids per leaf of the tree.
const LEAF: usize = 4;

/// All expanded solids of one model for one box.
#[derive(Clone, Debug)]
pub struct HullWorld {
    solids: Vec<Expanded>,
    nodes: Vec<Node>,
    /// Solid indices in the order of the leaves.
    order: Vec<usize>,
}

/// A box of the tree around some solids, grown by [`MAX_TREE_GROW`].
#[derive(Clone, Debug)]
struct Node {
    lo: V3,
    hi: V3,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// Range of `order`.
    Leaf(usize, usize),
    /// Two nodes.
    Inner(usize, usize),
}

/// The events along a segment, as fractions of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OracleTrace {
    /// Whether the start is in the interior of the union.
    pub start_solid: bool,
    /// Whether the start and everything up to the end are.
    pub all_solid: bool,
    /// Fraction at which the segment enters the union from outside; after a solid start, at which it enters again.
    pub first_enter: Option<f64>,
    /// Fraction at which the segment first leaves the union after a solid start.
    pub leave: Option<f64>,
}

/// One solid's part of the line through a segment.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    pub solid: usize,
    pub lo: f64,
    pub hi: f64,
    /// Largest gap, in fractions, over which each end still joins another solid's interval.
    lo_slack: f64,
    hi_slack: f64,
}

/// A plane found by [`HullWorld::nearest_planes`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearPlane {
    /// Index into [`HullWorld::solids`].
    pub solid: usize,
    /// Outward unit normal and distance.
    pub plane: Plane,
    /// Signed distance of the point, positive in front.
    pub distance: f64,
}

impl HullWorld {
    /// Takes the solids and builds the tree.
    pub fn new(solids: Vec<Expanded>) -> Self {
        let boxes: Vec<(V3, V3)> = solids.iter().map(grown_bounds).collect();
        let mut world = HullWorld {
            order: (0..solids.len()).collect(),
            nodes: Vec::new(),
            solids,
        };
        if !boxes.is_empty() {
            world.build(&boxes, 0, boxes.len());
        }
        world
    }

    /// Returns the solids in the order they were given.
    pub fn solids(&self) -> &[Expanded] {
        &self.solids
    }

    /// Whether `p` is strictly inside some solid after moving its planes outward by `grow`.
    pub fn solid(&self, p: V3, grow: f64) -> bool {
        let mut found = false;
        self.visit(p, p, grow, |index| {
            found = found || outside_by(&self.solids[index], p) < grow - DEEP;
        });
        found
    }

    /// Follows a segment through the union of the solids with planes moved outward by `grow`.
    ///
    /// Touching is free, and so is sliding exactly in a face. The seam of two abutting solids is
    /// solid to a segment that crosses it.
    pub fn trace(&self, start: V3, end: V3, grow: f64) -> OracleTrace {
        let (start_solid, list) = self.intervals(start, end, grow);
        let end_fraction = 1.0 - SHORTEST / length(sub(end, start)).max(SHORTEST * 2.0);
        let leave = list.first().filter(|_| start_solid).map(|first| first.1);
        let leave = leave.filter(|&t| t < end_fraction);
        OracleTrace {
            start_solid,
            all_solid: start_solid && leave.is_none(),
            first_enter: list.get(usize::from(start_solid)).map(|next| next.0),
            leave,
        }
    }

    /// Whether the start is inside, and the solid parts of the segment as ascending, disjoint fractions.
    /// After a solid start the first part begins at 0.
    pub fn intervals(&self, start: V3, end: V3, grow: f64) -> (bool, Vec<(f64, f64)>) {
        let len = length(sub(end, start));
        if len < SHORTEST {
            let inside = self.solid(start, grow);
            let all = if inside { vec![(0.0, 1.0)] } else { Vec::new() };
            return (inside, all);
        }
        let shortest = SHORTEST / len;
        let mut start_solid = false;
        let mut parts = Vec::new();
        for (lo, hi) in joined(self.spans(start, end, grow)) {
            start_solid |= lo < -shortest && hi > shortest;
            let (lo, hi) = (lo.max(0.0), hi.min(1.0));
            if hi - lo > shortest {
                parts.push((lo, hi));
            }
        }
        (start_solid, parts)
    }

    /// Returns the part of the segment in each solid, unsorted, reaching slightly beyond the segment's ends.
    pub fn spans(&self, start: V3, end: V3, grow: f64) -> Vec<Span> {
        let mut spans = Vec::new();
        self.visit(start, end, grow, |index| {
            spans.extend(span(&self.solids[index], index, start, end, grow));
        });
        spans
    }

    /// Returns planes of solids that pass within `within` of `p` and whose solid comes that near to `p`.
    ///
    /// Serves to check the plane of a hit: the solid has points just behind `p` there.
    pub fn nearest_planes(&self, p: V3, within: f64) -> Vec<NearPlane> {
        let mut found = Vec::new();
        self.visit(p, p, within, |solid| {
            let e = &self.solids[solid];
            if outside_by(e, p) <= within {
                for &plane in &e.planes {
                    let distance = dot(plane.0, p) - plane.1;
                    if distance.abs() <= within {
                        found.push(NearPlane {
                            solid,
                            plane,
                            distance,
                        });
                    }
                }
            }
        });
        found
    }

    /// Splits `order[from..to]` at the median of the widest axis; returns the node's index.
    fn build(&mut self, boxes: &[(V3, V3)], from: usize, to: usize) -> usize {
        let (mut lo, mut hi) = boxes[self.order[from]];
        let middle = |i: usize| scale(add(boxes[i].0, boxes[i].1), 0.5);
        let mut middles = Vec::with_capacity(to - from);
        for &i in &self.order[from..to] {
            for k in 0..3 {
                lo[k] = lo[k].min(boxes[i].0[k]);
                hi[k] = hi[k].max(boxes[i].1[k]);
            }
            middles.push(middle(i));
        }
        let index = self.nodes.len();
        let kind = Kind::Leaf(from, to);
        self.nodes.push(Node { lo, hi, kind });
        if to - from > LEAF {
            let (low, high) = bounds(&middles).unwrap_or((lo, hi));
            let mut axis = 0;
            for k in 1..3 {
                if high[k] - low[k] > high[axis] - low[axis] {
                    axis = k;
                }
            }
            let half = (to - from) / 2;
            self.order[from..to]
                .select_nth_unstable_by(half, |&a, &b| middle(a)[axis].total_cmp(&middle(b)[axis]));
            let left = self.build(boxes, from, from + half);
            let right = self.build(boxes, from + half, to);
            self.nodes[index].kind = Kind::Inner(left, right);
        }
        index
    }

    /// Calls `f` for every solid that can meet the segment after growing, and for some that cannot.
    fn visit(&self, start: V3, end: V3, grow: f64, mut f: impl FnMut(usize)) {
        if grow > MAX_TREE_GROW {
            (0..self.solids.len()).for_each(f);
            return;
        }
        let mut todo = Vec::with_capacity(64);
        if !self.nodes.is_empty() {
            todo.push(0);
        }
        while let Some(index) = todo.pop() {
            let node = &self.nodes[index];
            if !meets(node, start, end) {
                continue;
            }
            match node.kind {
                Kind::Inner(left, right) => todo.extend([left, right]),
                Kind::Leaf(from, to) => self.order[from..to].iter().for_each(|&i| f(i)),
            }
        }
    }
}

/// Returns the distance of `p` in front of the solid's worst plane; negative inside.
pub fn outside_by(solid: &Expanded, p: V3) -> f64 {
    let ahead = |&(n, d): &Plane| dot(n, p) - d;
    solid
        .planes
        .iter()
        .map(ahead)
        .fold(f64::NEG_INFINITY, f64::max)
}

/// Returns the bounds of the solid with its planes moved outward by [`MAX_TREE_GROW`]; sharp edges move farther.
fn grown_bounds(solid: &Expanded) -> (V3, V3) {
    let moved: Vec<Plane> = solid
        .planes
        .iter()
        .map(|&(n, d)| (n, d + MAX_TREE_GROW))
        .collect();
    let (mut lo, mut hi) = (solid.mins, solid.maxs);
    if let Some(p) = polytope(&moved)
        && let Some((low, high)) = bounds(&p.points)
    {
        for k in 0..3 {
            lo[k] = lo[k].min(low[k] + p.center[k]);
            hi[k] = hi[k].max(high[k] + p.center[k]);
        }
    }
    // This margin covers the overhang of segments and the tolerances.
    for k in 0..3 {
        lo[k] -= MAX_TREE_GROW;
        hi[k] += MAX_TREE_GROW;
    }
    (lo, hi)
}

/// Whether the segment touches the node's box; may return true for a near miss.
fn meets(node: &Node, start: V3, end: V3) -> bool {
    let (mut from, mut to) = (0.0f64, 1.0f64);
    for k in 0..3 {
        let (s, step) = (start[k], end[k] - start[k]);
        let (below, above) = (node.lo[k] - s, node.hi[k] - s);
        if step.abs() < 1e-9 {
            if below > 0.0 || above < 0.0 {
                return false;
            }
        } else {
            let (a, b) = (below / step, above / step);
            from = from.max(a.min(b));
            to = to.min(a.max(b));
        }
    }
    from <= to + 1e-9
}

/// Clips the line through the segment to one solid. Returns `None` if no part that is deep and long enough is left.
fn span(solid: &Expanded, index: usize, start: V3, end: V3, grow: f64) -> Option<Span> {
    let step = sub(end, start);
    let len = length(step);
    let mut s = Span {
        solid: index,
        lo: -OVERHANG / len.max(SHORTEST),
        hi: 1.0 + OVERHANG / len.max(SHORTEST),
        lo_slack: 0.0,
        hi_slack: 0.0,
    };
    if len < SHORTEST {
        return (outside_by(solid, start) < grow - DEEP).then_some(s);
    }
    for &(n, d) in &solid.planes {
        let ahead = dot(n, start) - d - grow;
        let rate = dot(n, step);
        let at = -ahead / rate;
        if rate < 0.0 {
            if at > s.lo {
                (s.lo, s.lo_slack) = (at, SEAM / -rate);
            }
        } else if rate > 0.0 {
            if at < s.hi {
                (s.hi, s.hi_slack) = (at, SEAM / rate);
            }
        } else if ahead >= 0.0 {
            return None;
        }
        if s.hi <= s.lo {
            return None;
        }
    }
    // Judge depth inside the segment if any of the span is there, otherwise beyond its end.
    let (lo, hi) = (s.lo.max(0.0), s.hi.min(1.0));
    let (lo, hi) = if (hi - lo) * len > SHORTEST {
        (lo, hi)
    } else {
        (s.lo, s.hi)
    };
    let middle = lerp(start, end, 0.5 * (lo + hi));
    let deep = outside_by(solid, middle) < grow - DEEP;
    (deep && (hi - lo) * len > SHORTEST).then_some(s)
}

/// Sorts the spans and joins those that overlap or abut.
fn joined(mut spans: Vec<Span>) -> Vec<(f64, f64)> {
    spans.sort_by(|a, b| a.lo.total_cmp(&b.lo));
    let mut out: Vec<(f64, f64)> = Vec::new();
    let mut slack = 0.0f64;
    for s in spans {
        match out.last_mut() {
            Some(last) if s.lo <= last.1 + slack.min(s.lo_slack) => {
                if s.hi > last.1 {
                    (last.1, slack) = (s.hi, s.hi_slack);
                }
            }
            _ => {
                out.push((s.lo, s.hi));
                slack = s.hi_slack;
            }
        }
    }
    out
}
