//! The walk: a segment and one hull in, the first place that is not solid and the first entry
//! into solid after it out (Golodetz, "Object-Environment Collision Detection using Onion BSPs",
//! section 4, made iterative and exact about ties).
//!
//! A leaf holds a closed interval of the segment, between the crossings with its ancestors'
//! planes. Because solid is open, a point of the segment is *not* solid as soon as one empty leaf
//! touches it. So the walk grows the stretch that empty leaves cover, nearest leaf first, and
//! solid begins where the stretch ends. Every crossing comes from the original end points, so no
//! error grows with depth. Where the segment lies in a splitting plane both sides hold the same
//! interval and leaves no longer come in order; then the walk is repeated around the end of the
//! stretch until that stops growing.

use core::cell::Cell;
use core::ops::ControlFlow;

use onion_format::{Child, MAX_DEPTH, NodePlane, PlaneRecord};

use crate::map::{LeafId, ON_PLANE, OnionMap, distance, unit_normal};
use crate::point::solidity_at;

/// The largest fraction below 1: a crossing with the end point truly behind it stays before the
/// end, so that a solid end is always found.
const BELOW_ONE: f64 = 1.0 - f64::EPSILON / 2.0;

/// A stretch of solid that is shorter than this counts as touched, in units along the longest
/// axis of the segment. Planes that were to meet in one line were rounded apart when they were
/// made, and their crossings again here; what opens between them is below 2^-28 units for planes
/// that do not meet at a glancing angle. This leaves a factor of 16 and is still far below
/// anything a map means. A segment that ends in solid always enters it.
pub(crate) const GRAZE: f64 = 1.0 / (1u64 << 24) as f64;

/// Crossings at one point differ by less than this fraction of the segment, from the rounding of
/// two quotients of distances that have lost a few bits to cancellation.
const SAME_CROSSING: f64 = 64.0 * f64::EPSILON;

/// A look at whether a plane is a face at a point, in units.
#[derive(Clone, Copy)]
struct Probe {
    /// How far in front of and behind the plane: well above rounding.
    ahead: f64,
    /// How far around the point: far enough that another plane through the point is seen to be
    /// another.
    around: f64,
}

/// Looks below what maps are made of, and again below the slivers between pieces of patches, which
/// were to meet in a line and miss it by a few millionths of a unit.
const PROBES: [Probe; 2] = [
    Probe {
        ahead: 1.0 / (1u64 << 13) as f64,
        around: 1.0 / (1u64 << 7) as f64,
    },
    Probe {
        ahead: 1.0 / (1u64 << 27) as f64,
        around: 1.0 / (1u64 << 18) as f64,
    },
];

/// A plane that was crossed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Crossed {
    /// Its number.
    pub(crate) plane: u32,
    /// Whether some face in it looks against the motion. Only such a plane can bound solid that is
    /// entered; where several planes are crossed at once, this tells most others apart.
    faces: bool,
}

/// Where a walk passes from one leaf to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Passage {
    /// Fraction of the segment, 0 to 1.
    pub(crate) fraction: f64,
    /// The plane that was crossed; none at the start of the segment.
    pub(crate) plane: Option<Crossed>,
    /// The leaf that is entered.
    pub(crate) leaf: LeafId,
}

/// A segment to walk.
pub(crate) struct Segment {
    ends: [[f64; 3]; 2],
    /// [`GRAZE`] as a fraction of the segment.
    slack: f64,
}

impl Segment {
    /// The segment between two points that are finite and within the domain.
    pub(crate) fn new(ends: [[f64; 3]; 2]) -> Self {
        let slack = GRAZE / longest_step(&ends);
        Self { ends, slack }
    }

    /// Whether a stretch of the segment is too short to count.
    fn grazes(&self, from: f64, to: f64) -> bool {
        to < 1.0 && to - from <= self.slack
    }

    /// Whether an empty leaf is where the segment first is not solid: it holds the start, or
    /// enough of the segment to count.
    fn starts_empty(&self, visit: &Visit) -> bool {
        let from = visit.passage.fraction;
        from == 0.0 || !self.grazes(from, visit.end)
    }
}

/// What a walk found.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Walk {
    /// First place that is not solid; none if all of the segment is solid.
    pub(crate) empty: Option<Passage>,
    /// First entry into solid after that.
    pub(crate) solid: Option<Passage>,
}

/// Where a part of a segment begins that is not solid, or that is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    /// Not solid; the first one is at fraction 0 if the segment starts in empty.
    Empty(Passage),
    /// Solid, after a part that is not.
    Solid(Passage),
}

/// A leaf that the segment touches, with the interval it holds.
struct Visit {
    passage: Passage,
    end: f64,
    solid: bool,
}

/// A part of the tree to visit, with the stretch of the segment it holds and the plane that was
/// crossed to enter it.
#[derive(Clone, Copy)]
struct Side {
    at: Child,
    from: f64,
    to: f64,
    plane: Option<Crossed>,
}

impl Side {
    const NONE: Self = Self {
        at: Child(0),
        from: 0.0,
        to: 0.0,
        plane: None,
    };

    /// The visit of a side that is a leaf.
    #[inline]
    fn visit(&self, solid: bool) -> Visit {
        Visit {
            passage: Passage {
                fraction: self.from,
                plane: self.plane,
                leaf: LeafId(self.at.index()),
            },
            end: self.to,
            solid,
        }
    }
}

/// Walks a segment whose end points are finite and within the domain.
pub(crate) fn walk(map: &OnionMap<'_>, root: Child, hull: u64, segment: &Segment) -> Walk {
    let mut found = Walk::default();
    parts(map, root, hull, segment, |part, _| match part {
        Part::Empty(passage) => {
            found.empty = Some(passage);
            ControlFlow::Continue(())
        }
        Part::Solid(passage) => {
            found.solid = Some(passage);
            ControlFlow::Break(())
        }
    });
    found
}

/// Walks a segment and tells of each part of it that begins, in order, with the leaf before: empty and
/// solid ones in turn, beginning with the first that is empty, until told to stop.
pub(crate) fn parts(
    map: &OnionMap<'_>,
    root: Child,
    hull: u64,
    segment: &Segment,
    on_part: impl FnMut(Part, Option<LeafId>) -> ControlFlow<()>,
) {
    let walker = Walker {
        map,
        root,
        hull,
        segment,
    };
    // A shorter stack costs less to clear: of 256 entries, that is more than a short walk.
    match map.info.depth {
        ..=32 => walker.parts::<32>(on_part),
        33..=48 => walker.parts::<48>(on_part),
        49..=80 => walker.parts::<80>(on_part),
        _ => walker.parts::<MAX_DEPTH>(on_part),
    }
}

/// What a walk is about.
struct Walker<'a> {
    map: &'a OnionMap<'a>,
    root: Child,
    /// The hull's bit in a solidity.
    hull: u64,
    segment: &'a Segment,
}

impl Walker<'_> {
    fn parts<const DEPTH: usize>(
        &self,
        mut on_part: impl FnMut(Part, Option<LeafId>) -> ControlFlow<()>,
    ) {
        // The last part that was told, where it ends so far if it is empty, and the last leaf of each kind.
        let mut told: Option<Part> = None;
        let mut covered = 0.0;
        let [mut last_empty, mut last_solid] = [None; 2];
        // The first solid leaf at the end of the covered stretch, and whether it holds no more of the
        // segment than this point: then more than one plane is crossed there.
        let mut touched: Option<(Passage, bool)> = None;
        let in_order = self.visit_leaves::<DEPTH, true>(
            |_, _| true,
            |visit| {
                let Passage { fraction, leaf, .. } = visit.passage;
                let in_empty = matches!(told, Some(Part::Empty(_)));
                if !visit.solid {
                    if !in_empty {
                        if !self.segment.starts_empty(&visit) {
                            return ControlFlow::Continue(());
                        }
                        let part = Part::Empty(visit.passage);
                        told = Some(part);
                        on_part(part, last_solid)?;
                    }
                    last_empty = Some(leaf);
                    if visit.end > covered {
                        covered = visit.end;
                        touched = None;
                    }
                    return ControlFlow::Continue(());
                }
                last_solid = Some(leaf);
                if !in_empty {
                    return ControlFlow::Continue(());
                }
                let fraction = fraction.max(covered);
                let here = Passage {
                    fraction,
                    ..visit.passage
                };
                let (entry, holds_no_more) = *touched.get_or_insert((here, visit.end <= fraction));
                if visit.end > entry.fraction && !self.segment.grazes(entry.fraction, visit.end) {
                    let is_tie = holds_no_more || !entry.plane.is_some_and(|crossed| crossed.faces);
                    let entry = if is_tie {
                        self.entry_at::<DEPTH>(entry.fraction)
                    } else {
                        Passage { leaf, ..entry }
                    };
                    let part = Part::Solid(entry);
                    told = Some(part);
                    touched = None;
                    on_part(part, last_empty)?;
                }
                ControlFlow::Continue(())
            },
        );
        if !in_order {
            self.parts_in_plane::<DEPTH>(told, on_part);
        }
    }

    /// The parts of a segment that lies in a splitting plane, behind the last one that was told.
    fn parts_in_plane<const DEPTH: usize>(
        &self,
        mut told: Option<Part>,
        mut on_part: impl FnMut(Part, Option<LeafId>) -> ControlFlow<()>,
    ) {
        loop {
            let (part, before) = match told {
                Some(Part::Empty(empty)) => {
                    let (covered, last_empty) = self.empty_until::<DEPTH>(&empty);
                    if covered >= 1.0 {
                        return;
                    }
                    let entry = self.entry_at::<DEPTH>(covered);
                    (Part::Solid(entry), Some(last_empty))
                }
                None | Some(Part::Solid(_)) => {
                    let entered = match told {
                        Some(Part::Solid(entry)) => Some(entry),
                        _ => None,
                    };
                    let Some(empty) = self.empty_after::<DEPTH>(entered) else {
                        return;
                    };
                    let last_solid = self.solid_until::<DEPTH>(empty.fraction);
                    (Part::Empty(empty), last_solid)
                }
            };
            if on_part(part, before).is_break() {
                return;
            }
            told = Some(part);
        }
    }

    /// The first place of a segment in a splitting plane that is empty, behind an entry into solid if
    /// there is one.
    fn empty_after<const DEPTH: usize>(&self, entered: Option<Passage>) -> Option<Passage> {
        let mut first: Option<Passage> = None;
        self.visit_leaves::<DEPTH, false>(
            |_, to| entered.is_none_or(|entry| to > entry.fraction),
            |visit| {
                let fraction = visit.passage.fraction;
                let is_behind = entered.is_none_or(|entry| fraction > entry.fraction);
                let is_nearer = first.is_none_or(|first| fraction < first.fraction);
                if !visit.solid && self.segment.starts_empty(&visit) && is_behind && is_nearer {
                    first = Some(visit.passage);
                }
                ControlFlow::Continue(())
            },
        );
        first
    }

    /// A solid leaf that holds the stretch before a fraction of a segment in a splitting plane; none at
    /// its start.
    fn solid_until<const DEPTH: usize>(&self, fraction: f64) -> Option<LeafId> {
        let mut found = None;
        let before = |from, to| from < fraction && to >= fraction - self.segment.slack;
        self.visit_leaves::<DEPTH, false>(before, |visit| {
            if !visit.solid {
                return ControlFlow::Continue(());
            }
            found = Some(visit.passage.leaf);
            ControlFlow::Break(())
        });
        found
    }

    /// How far a segment in a splitting plane stays empty, and the last leaf that it is empty in.
    fn empty_until<const DEPTH: usize>(&self, empty: &Passage) -> (f64, LeafId) {
        // Only leaves around the end of the stretch can make it grow, so a pass is short.
        let covered = Cell::new(empty.fraction);
        let mut last_empty = empty.leaf;
        let around = |from, to| to > covered.get() && from <= covered.get() + self.segment.slack;
        let mut grows = true;
        while grows {
            grows = false;
            self.visit_leaves::<DEPTH, false>(around, |visit| {
                let from = visit.passage.fraction;
                let is_long = !self.segment.grazes(from, visit.end);
                if !visit.solid && (from <= covered.get() || is_long) {
                    covered.set(visit.end);
                    last_empty = visit.passage.leaf;
                    grows = true;
                }
                ControlFlow::Continue(())
            });
        }
        (covered.get(), last_empty)
    }

    /// The entry into solid at the end of the covered stretch. Several planes may be crossed there;
    /// the one to name is a face at most places around, ends the stretch, and is the first of those.
    fn entry_at<const DEPTH: usize>(&self, covered: f64) -> Passage {
        let at = point_at(&self.segment.ends, covered);
        let mut best = (
            None,
            Passage {
                fraction: covered,
                plane: None,
                leaf: LeafId(0),
            },
        );
        let around = |from: f64, to: f64| {
            from <= covered + self.segment.slack && to >= covered - self.segment.slack
        };
        self.visit_leaves::<DEPTH, false>(around, |visit| {
            let Passage {
                fraction,
                plane,
                leaf,
            } = visit.passage;
            let near = (fraction - covered).abs() <= self.segment.slack;
            if let (true, true, Some(crossed)) = (visit.solid, near, plane) {
                let record = self.map.plane(crossed.plane);
                let ends_stretch = (fraction - covered).abs() <= SAME_CROSSING;
                let n_faces = if crossed.faces {
                    PROBES.map(|probe| self.count_faces(&at, &record, probe))
                } else {
                    [0; 2]
                };
                let rank = (n_faces, ends_stretch, crossed.faces);
                if best.0.is_none_or(|best| rank > best) {
                    best = (
                        Some(rank),
                        Passage {
                            fraction: covered,
                            plane,
                            leaf,
                        },
                    );
                }
            }
            ControlFlow::Continue(())
        });
        best.1
    }

    /// At how many of eight places around a point a plane through it is empty in front and solid
    /// behind, seen against the motion.
    fn count_faces(&self, at: &[f64; 3], plane: &PlaneRecord, probe: Probe) -> usize {
        // Points of a circle, turned so that no map's planes are likely to share them.
        const CIRCLE: [[f64; 2]; 4] = [
            [0.936, 0.352],
            [0.413, 0.911],
            [-0.352, 0.936],
            [-0.911, 0.413],
        ];
        let [d_start, d_end] = self
            .segment
            .ends
            .each_ref()
            .map(|point| distance(plane, point));
        let Probe { ahead, around } = probe;
        let toward_start = if d_start >= d_end { ahead } else { -ahead };
        let normal = unit_normal(plane);
        let [u, v] = tangents(&normal);
        let is_solid = |[along_u, along_v]: [f64; 2], ahead: f64| {
            let point = core::array::from_fn(|axis| {
                let aside = u[axis] * along_u + v[axis] * along_v;
                at[axis] + aside * around + normal[axis] * ahead
            });
            solidity_at(self.map, self.root, &point) & self.hull != 0
        };
        let circle = CIRCLE.into_iter().flat_map(|[x, y]| [[x, y], [-x, -y]]);
        let is_face =
            |place: &[f64; 2]| is_solid(*place, -toward_start) && !is_solid(*place, toward_start);
        circle.filter(is_face).count()
    }

    /// Calls `on_leaf` for every leaf that the segment touches, nearest first, with some of its stretch
    /// in `window`. A node whose plane holds the whole segment ends an `IN_ORDER` walk, which then
    /// returns false; otherwise both its sides are visited, and leaves come in order only within a side.
    #[inline]
    fn visit_leaves<const DEPTH: usize, const IN_ORDER: bool>(
        &self,
        window: impl Fn(f64, f64) -> bool,
        mut on_leaf: impl FnMut(Visit) -> ControlFlow<()>,
    ) -> bool {
        let mut far_sides = [Side::NONE; DEPTH];
        let mut n_far = 0usize;
        let mut side = Side {
            at: self.root,
            from: 0.0,
            to: 1.0,
            plane: None,
        };
        loop {
            while !side.at.is_leaf() && window(side.from, side.to) {
                let node = self.map.node(side.at.index());
                let splitter = self.map.plane_of(&node);
                let [front, back] = node.children.map(Child);
                let [d_start, d_end] = self
                    .segment
                    .ends
                    .each_ref()
                    .map(|end| distance(&splitter, end));
                if d_start > ON_PLANE && d_end > ON_PLANE {
                    side.at = front;
                    continue;
                }
                if d_start < -ON_PLANE && d_end < -ON_PLANE {
                    side.at = back;
                    continue;
                }
                let far = match crossing(d_start, d_end) {
                    None if IN_ORDER => return false,
                    None => {
                        side.at = front;
                        Side { at: back, ..side }
                    }
                    Some((fraction, starts_in_front)) => {
                        let plane = NodePlane(node.plane);
                        let (near, far, faces) = if starts_in_front {
                            (front, back, plane.has_front_faces())
                        } else {
                            (back, front, plane.has_back_faces())
                        };
                        if fraction > side.to + self.segment.slack {
                            side.at = near;
                            continue;
                        }
                        if fraction < side.from - self.segment.slack {
                            side.at = far;
                            continue;
                        }
                        let fraction = fraction.clamp(side.from, side.to);
                        let to = side.to;
                        (side.at, side.to) = (near, fraction);
                        Side {
                            at: far,
                            from: fraction,
                            to,
                            plane: Some(Crossed {
                                plane: plane.index(),
                                faces,
                            }),
                        }
                    }
                };
                // Loading proved that no path is deeper than the stack.
                if let Some(slot) = far_sides.get_mut(n_far) {
                    *slot = far;
                    n_far += 1;
                }
            }
            if side.at.is_leaf() && window(side.from, side.to) {
                let solidity = self.map.leaf_solidity(LeafId(side.at.index()));
                if on_leaf(side.visit(solidity & self.hull != 0)).is_break() {
                    return true;
                }
            }
            match n_far.checked_sub(1).and_then(|last| far_sides.get(last)) {
                Some(&far) => {
                    side = far;
                    n_far -= 1;
                }
                None => return true,
            }
        }
    }
}

/// Two directions that span a plane, of any length around 1.
fn tangents(normal: &[f64; 3]) -> [[f64; 3]; 2] {
    let [x, y, z] = *normal;
    let u = if x.abs() < 0.5 {
        [0.0, z, -y]
    } else {
        [-z, 0.0, x]
    };
    let v = [
        y * u[2] - z * u[1],
        z * u[0] - x * u[2],
        x * u[1] - y * u[0],
    ];
    [u, v]
}

/// Where a segment whose ends lie at these distances crosses a plane, 0 to 1, and whether it does so
/// from the front; none if both ends are on the plane. An end on the plane is where it crosses.
#[inline]
fn crossing(d_start: f64, d_end: f64) -> Option<(f64, bool)> {
    let [start_is_on, end_is_on] = [d_start, d_end].map(|dist| dist.abs() <= ON_PLANE);
    match (start_is_on, end_is_on) {
        (true, true) => None,
        (true, false) => Some((0.0, d_end < 0.0)),
        (false, true) => Some((1.0, d_start > 0.0)),
        (false, false) => Some((quotient(d_start, d_end), d_start > 0.0)),
    }
}

/// Where a segment crosses a plane, if its ends are on different sides of it.
#[inline(always)]
pub(crate) fn quotient(d_start: f64, d_end: f64) -> f64 {
    let fraction = d_start / (d_start - d_end);
    if fraction < BELOW_ONE {
        fraction
    } else {
        BELOW_ONE
    }
}

/// The length of a segment along its longest axis, in units.
#[inline(always)]
pub(crate) fn longest_step([start, end]: &[[f64; 3]; 2]) -> f64 {
    let step = |axis: usize| (end[axis] - start[axis]).abs();
    let longer = |a: f64, b: f64| if a > b { a } else { b };
    longer(longer(step(0), step(1)), step(2))
}

/// The point at a fraction between two ends.
#[inline(always)]
pub(crate) fn point_at([start, end]: &[[f64; 3]; 2], fraction: f64) -> [f64; 3] {
    let at = |axis: usize| start[axis] + (end[axis] - start[axis]) * fraction;
    [at(0), at(1), at(2)]
}
