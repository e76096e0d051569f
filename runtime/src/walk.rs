//! The walk: a segment and one hull in, the first place that is not solid and the first entry
//! into solid after it out (Golodetz, "Object-Environment Collision Detection using Onion BSPs",
//! section 4, made iterative and exact about ties).
//!
//! A leaf holds a closed interval of the segment, between the crossings with its ancestors'
//! planes. Because solid is open, a point of the segment is *not* solid as soon as one empty leaf
//! touches it. So the walk grows the stretch that empty leaves cover, nearest leaf first, and
//! solid begins where the stretch ends. Every crossing comes from the original end points, so no
//! error grows with depth. Where the segment lies in a splitting plane both sides hold the same
//! interval and leaves no longer come in order; then the walk is repeated until the stretch stops
//! growing.

use core::ops::ControlFlow;

use onion_format::{Child, LeafRecord, MAX_DEPTH, Record};

use crate::map::{LeafId, OnionMap, distance};

/// Most trees are this shallow; a shorter stack costs less to clear.
const SHALLOW: usize = 32;

/// The largest fraction below 1: a crossing with the end point truly behind it stays before the
/// end, so that a solid end is always found.
const BELOW_ONE: f64 = 1.0 - f64::EPSILON / 2.0;

/// A stretch of solid that is shorter than this counts as touched, in units along the longest
/// axis of the segment. Where planes meet in one line, rounding puts their crossings in any order;
/// a distance within 2^17 units of the origin is off by at most 2^-31 units, so this is above the
/// error for planes that are not met at a glancing angle, and far below anything a map means. A
/// segment that ends in solid always enters it.
const GRAZE: f64 = 1.0 / (1u64 << 28) as f64;

/// Where a walk passes from one leaf to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Passage {
    /// Fraction of the segment, 0 to 1.
    pub(crate) fraction: f64,
    /// The plane that was crossed; none at the start of the segment.
    pub(crate) plane: Option<u32>,
    /// The leaf that is entered.
    pub(crate) leaf: LeafId,
}

/// What a walk found.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Walk {
    /// First place that is not solid; none if all of the segment is solid.
    pub(crate) empty: Option<Passage>,
    /// First entry into solid after that.
    pub(crate) solid: Option<Passage>,
    /// The leaf of the start.
    pub(crate) first: Option<LeafId>,
    /// The last empty leaf before the entry into solid, or before the end.
    pub(crate) last_empty: Option<LeafId>,
}

/// A leaf that the segment touches, with the interval it holds.
struct Visit {
    passage: Passage,
    end: f64,
    solid: bool,
}

/// The side of a node that is visited later, with the stretch of the segment it holds and the
/// plane that was crossed to enter it.
#[derive(Clone, Copy)]
struct FarSide {
    at: Child,
    from: f64,
    to: f64,
    plane: Option<u32>,
}

impl FarSide {
    const NONE: Self = Self {
        at: Child(0),
        from: 0.0,
        to: 0.0,
        plane: None,
    };
}

/// Walks a segment whose end points are finite and within the domain.
pub(crate) fn walk(map: &OnionMap<'_>, root: Child, hull: u64, segment: &[[f64; 3]; 2]) -> Walk {
    if map.info.depth as usize <= SHALLOW {
        walk_within::<SHALLOW>(map, root, hull, segment)
    } else {
        walk_within::<MAX_DEPTH>(map, root, hull, segment)
    }
}

fn walk_within<const DEPTH: usize>(
    map: &OnionMap<'_>,
    root: Child,
    hull: u64,
    segment: &[[f64; 3]; 2],
) -> Walk {
    let mut found = Walk::default();
    let mut covered = 0.0;
    // The first solid leaf that touches the end of the covered stretch names the plane: leaves
    // that hold no more of the segment than this come before the one that holds what follows.
    let mut touched: Option<Passage> = None;
    let in_order = visit_leaves::<DEPTH, true>(map, root, hull, segment, |visit| {
        let Passage { fraction, leaf, .. } = visit.passage;
        found.first = found.first.or(Some(leaf));
        if !visit.solid {
            found.empty = found.empty.or(Some(visit.passage));
            found.last_empty = Some(leaf);
            if visit.end > covered {
                covered = visit.end;
                touched = None;
            }
        } else if found.empty.is_some() {
            let entry = *touched.get_or_insert(Passage {
                fraction: fraction.max(covered),
                ..visit.passage
            });
            if visit.end > entry.fraction && !grazes(segment, entry.fraction, visit.end) {
                found.solid = Some(Passage { leaf, ..entry });
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    });
    if in_order {
        found
    } else {
        walk_in_plane::<DEPTH>(map, root, hull, segment)
    }
}

/// Whether a stretch of the segment is too short to count.
fn grazes(segment: &[[f64; 3]; 2], from: f64, to: f64) -> bool {
    let [start, end] = segment;
    let steps = start
        .iter()
        .zip(end)
        .map(|(start, end)| (end - start).abs());
    to < 1.0 && steps.fold(0.0, f64::max) * (to - from) <= GRAZE
}

/// The walk for segments that lie in a splitting plane.
fn walk_in_plane<const DEPTH: usize>(
    map: &OnionMap<'_>,
    root: Child,
    hull: u64,
    segment: &[[f64; 3]; 2],
) -> Walk {
    let mut found = Walk::default();
    visit_leaves::<DEPTH, false>(map, root, hull, segment, |visit| {
        found.first = found.first.or(Some(visit.passage.leaf));
        let nearer = |best: Passage| visit.passage.fraction < best.fraction;
        if !visit.solid && found.empty.is_none_or(nearer) {
            found.empty = Some(visit.passage);
        }
        ControlFlow::Continue(())
    });
    let Some(empty) = found.empty else {
        return found;
    };
    found.last_empty = Some(empty.leaf);
    let mut covered = empty.fraction;
    let mut grows = true;
    while grows {
        grows = false;
        visit_leaves::<DEPTH, false>(map, root, hull, segment, |visit| {
            if visit.solid || visit.end <= covered {
                return ControlFlow::Continue(());
            }
            let from = visit.passage.fraction;
            if from <= covered || grazes(segment, covered, from) {
                covered = visit.end;
                found.last_empty = Some(visit.passage.leaf);
                grows = true;
            }
            ControlFlow::Continue(())
        });
    }
    visit_leaves::<DEPTH, false>(map, root, hull, segment, |visit| {
        let at = visit.passage.fraction;
        let nearer = |best: Passage| at > best.fraction;
        if visit.solid && at <= covered && visit.end > covered && found.solid.is_none_or(nearer) {
            found.solid = Some(visit.passage);
        }
        ControlFlow::Continue(())
    });
    if let Some(solid) = &mut found.solid {
        solid.fraction = covered;
    }
    found
}

/// Calls `on_leaf` for every leaf that the segment touches, nearest first. A node whose plane
/// holds the whole segment ends an `IN_ORDER` walk, which then returns false; otherwise both its
/// sides are visited, and leaves come in order only within a side.
#[inline]
fn visit_leaves<const DEPTH: usize, const IN_ORDER: bool>(
    map: &OnionMap<'_>,
    root: Child,
    hull: u64,
    segment: &[[f64; 3]; 2],
    mut on_leaf: impl FnMut(Visit) -> ControlFlow<()>,
) -> bool {
    let mut far_sides = [FarSide::NONE; DEPTH];
    let mut n_far = 0usize;
    let [start, end] = segment;
    let (mut at, mut from, mut to, mut plane) = (root, 0.0, 1.0, None);
    loop {
        while !at.is_leaf() {
            let node = map.node(at.index());
            let splitter = map.plane(node.plane);
            let d_start = distance(&splitter, start);
            let d_end = distance(&splitter, end);
            let [front, back] = node.children.map(Child);
            if d_start > 0.0 && d_end > 0.0 {
                at = front;
                continue;
            }
            if d_start < 0.0 && d_end < 0.0 {
                at = back;
                continue;
            }
            let side = if d_start == 0.0 && d_end == 0.0 {
                if IN_ORDER {
                    return false;
                }
                at = front;
                FarSide {
                    at: back,
                    from,
                    to,
                    plane,
                }
            } else {
                let mut crossing = (d_start / (d_start - d_end)).max(0.0);
                if d_end != 0.0 {
                    crossing = crossing.min(BELOW_ONE);
                }
                let starts_in_front = d_start > 0.0 || (d_start == 0.0 && d_end < 0.0);
                let (near, far) = if starts_in_front {
                    (front, back)
                } else {
                    (back, front)
                };
                if crossing > to || crossing < from {
                    at = if crossing > to { near } else { far };
                    continue;
                }
                let side = FarSide {
                    at: far,
                    from: crossing,
                    to,
                    plane: Some(node.plane),
                };
                (at, to) = (near, crossing);
                side
            };
            // Loading proved that no path is deeper than the stack.
            if let Some(slot) = far_sides.get_mut(n_far) {
                *slot = side;
                n_far += 1;
            }
        }
        let leaf = LeafId(at.index());
        let solid = match map.leaves.get(leaf.index()) {
            Some(bytes) => LeafRecord::read(bytes).solidity & hull != 0,
            None => false,
        };
        let passage = Passage {
            fraction: from,
            plane,
            leaf,
        };
        let visit = Visit {
            passage,
            end: to,
            solid,
        };
        if on_leaf(visit).is_break() {
            return true;
        }
        match n_far.checked_sub(1).and_then(|last| far_sides.get(last)) {
            Some(&side) => {
                FarSide {
                    at,
                    from,
                    to,
                    plane,
                } = side;
                n_far -= 1;
            }
            None => return true,
        }
    }
}
