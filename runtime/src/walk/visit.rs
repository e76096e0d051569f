//! Visits the leaves of a tree that a segment touches, each with the interval of the segment between the crossings
//! with the planes of the leaf's ancestors.

use core::ops::ControlFlow;

use onion_format::{Child, NodePlane, PlaneRecord};

use crate::file::hull::LeafId;
use crate::file::stack::Stack;
use crate::file::view::View;
use crate::math::plane::distance;
use crate::math::segment::{longest_step, quotient};
use crate::tolerance::{GRAZE, ON_PLANE};

/// A plane that was crossed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Crossed {
    /// Number of the plane in the file.
    pub(crate) plane: u32,
    /// Whether some face in it faces the motion. Only such a plane can bound solid that is entered; if several planes
    /// are crossed at once, this excludes most of the others.
    pub(super) faces: bool,
}

/// The entry of a walk from one leaf to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LeafEntry {
    /// Fraction of the segment, 0 to 1.
    pub(crate) fraction: f64,
    /// The plane that was crossed; `None` at the start of the segment.
    pub(crate) plane: Option<Crossed>,
    /// The leaf that is entered.
    pub(crate) leaf: LeafId,
}

/// A segment to walk.
pub(crate) struct WalkSegment {
    /// Its start and its end, in units, from which every crossing is computed.
    pub(super) ends: [[f64; 3]; 2],
    /// [`GRAZE`] as a fraction of the segment.
    pub(super) slack: f64,
}

impl WalkSegment {
    /// Returns the segment between two points that are finite and within the domain.
    pub(crate) fn new(ends: [[f64; 3]; 2]) -> Self {
        // Infinite for a segment without length, of which only the end then counts.
        let slack = GRAZE / longest_step(&ends);
        Self { ends, slack }
    }

    /// Returns the signed distances of the ends in front of a plane, in units.
    #[inline]
    pub(super) fn distances(&self, plane: &PlaneRecord) -> [f64; 2] {
        self.ends.each_ref().map(|end| distance(plane, end))
    }

    /// Whether a stretch of the segment is too short to count.
    pub(super) fn grazes(&self, from: f64, to: f64) -> bool {
        // A segment that ends in solid enters it, however short the last stretch is.
        to < 1.0 && to - from <= self.slack
    }

    /// Whether the segment is first not solid in an empty leaf: the leaf holds the start, or enough of the segment to
    /// count.
    pub(super) fn starts_empty(&self, visit: &Visit) -> bool {
        let from = visit.entry.fraction;
        // The start is a point that a caller asks about, so touching empty space is enough there.
        from == 0.0 || !self.grazes(from, visit.end)
    }
}

/// The start of a solid part of a segment, or of one that is not solid.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    /// Not solid; the first one is at fraction 0 if the segment starts in empty space.
    Empty(LeafEntry),
    /// Solid, after a part that is not solid.
    Solid(LeafEntry),
}

/// A leaf that the segment touches, with the interval it holds.
pub(super) struct Visit {
    /// The leaf, the fraction at which its interval begins, and the plane that was crossed there.
    pub(super) entry: LeafEntry,
    /// Fraction at which its interval ends; equal to the entry's if only a point of the segment touches the leaf.
    pub(super) end: f64,
    /// Whether the leaf is solid for the hull.
    pub(super) solid: bool,
}

/// A part of the tree to visit, with the stretch of the segment it holds and the plane that was
/// crossed to enter it.
#[derive(Clone, Copy)]
struct TreeSide {
    /// Its root.
    at: Child,
    /// Fraction at which the segment enters it, up to the slack of crossings.
    from: f64,
    /// Fraction at which the segment leaves it, likewise.
    to: f64,
    /// The last plane that was crossed; `None` if the segment starts in it.
    plane: Option<Crossed>,
}

impl TreeSide {
    /// Fills the unused entries of a stack.
    const NONE: Self = Self {
        at: Child(0),
        from: 0.0,
        to: 0.0,
        plane: None,
    };

    /// Returns the visit of a side that is a leaf.
    #[inline]
    fn visit(&self, solid: bool) -> Visit {
        Visit {
            entry: LeafEntry {
                fraction: self.from,
                plane: self.plane,
                leaf: LeafId(self.at.index()),
            },
            end: self.to,
            solid,
        }
    }
}

/// The parameters of a walk.
pub(super) struct Walker<'a> {
    /// The file with the nodes of the tree.
    pub(super) map: &'a View<'a>,
    /// The root of the tree, or a leaf if the tree has no nodes.
    pub(super) root: Child,
    /// The hull's bit in the masks of nodes.
    pub(super) bit: u8,
    /// The segment, prepared for distances from planes.
    pub(super) segment: &'a WalkSegment,
}

impl Walker<'_> {
    /// Calls `on_leaf` for every leaf that the segment touches, nearest first, with some of its stretch in `window`.
    /// A node whose plane contains the whole segment ends an `IN_ORDER` walk, which then returns `false`; otherwise
    /// both its sides are visited, and leaves come in order only within a side.
    // Long: one loop over all that is still to come, whose parts share its whole state.
    // Many branches: each is a way in which a plane can lie to the stretch.
    #[inline]
    pub(super) fn visit_leaves<const DEPTH: usize, const IN_ORDER: bool>(
        &self,
        window: impl Fn(f64, f64) -> bool,
        mut on_leaf: impl FnMut(Visit) -> ControlFlow<()>,
    ) -> bool {
        let mut stored = [TreeSide::NONE; DEPTH];
        let mut far_sides = Stack::on(&mut stored);
        let mut side = TreeSide {
            at: self.root,
            from: 0.0,
            to: 1.0,
            plane: None,
        };
        loop {
            while !side.at.is_leaf() && window(side.from, side.to) {
                let node = self.map.node(side.at.index());
                let splitter = self.map.plane_of(&node);
                let [front, back] = node.children(side.at.index());
                let [d_start, d_end] = self.segment.distances(&splitter);
                // The ends of the whole segment are compared, not those of the stretch: so a plane is decided alike at
                // every depth, and most need no division.
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
                    // In the plane: both sides hold the same stretch.
                    None => {
                        side.at = front;
                        TreeSide { at: back, ..side }
                    }
                    Some((fraction, starts_in_front)) => {
                        let plane = NodePlane(node.plane);
                        let (near, far, faces) = if starts_in_front {
                            (front, back, plane.has_front_faces())
                        } else {
                            (back, front, plane.has_back_faces())
                        };
                        // Beyond the stretch by more than the slack: the plane does not cut it.
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
                        TreeSide {
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
                far_sides.push(far);
            }
            if side.at.is_leaf() && window(side.from, side.to) {
                let solid = self.map.is_solid(side.at, self.bit);
                if on_leaf(side.visit(solid)).is_break() {
                    return true;
                }
            }
            match far_sides.pop() {
                Some(far) => side = far,
                None => return true,
            }
        }
    }
}

/// Returns the fraction, 0 to 1, at which a segment whose ends are at these distances crosses a plane, and whether it
/// does so from the front, or `None` if both ends are on the plane. An end on the plane is the crossing.
#[inline]
pub(super) fn crossing(d_start: f64, d_end: f64) -> Option<(f64, bool)> {
    let [start_is_on, end_is_on] = [d_start, d_end].map(|dist| dist.abs() <= ON_PLANE);
    match (start_is_on, end_is_on) {
        (true, true) => None,
        (true, false) => Some((0.0, d_end < 0.0)),
        (false, true) => Some((1.0, d_start > 0.0)),
        (false, false) => Some((quotient(d_start, d_end), d_start > 0.0)),
    }
}
