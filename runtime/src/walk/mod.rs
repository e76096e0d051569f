//! The reference walk: a segment and a hull in; the first place that is not solid and the first entry into solid
//! after it out (Golodetz, "Object-Environment Collision Detection using Onion BSPs", section 4, made iterative and
//! exact about ties).
//!
//! # Method
//! A leaf holds a closed interval of the segment, between the crossings with its ancestors' planes. Because solid is
//! open, a point of the segment is *not* solid as soon as one empty leaf touches it. So the walk extends the stretch
//! that empty leaves cover, nearest leaf first, and solid begins where the stretch ends. Every crossing comes from
//! the original end points, so errors do not grow with depth. If the segment is in a splitting plane, both sides hold
//! the same interval, and leaves no longer come in order; then the walk is repeated around the end of the stretch
//! until the stretch stops growing.

pub(crate) mod descend;
mod ends;
mod visit;

use core::ops::ControlFlow;

use onion_format::{Child, MAX_DEPTH};

use crate::file::hull::LeafId;
use crate::file::view::View;

pub(crate) use visit::{LeafEntry, Part, WalkSegment};
use visit::{Walker, crossing};

/// The result of a walk.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Walk {
    /// First place that is not solid; `None` if all of the segment is solid.
    pub(crate) empty: Option<LeafEntry>,
    /// First entry into solid after that.
    pub(crate) solid: Option<LeafEntry>,
}

/// Walks a segment whose end points are finite and within the domain.
pub(crate) fn walk(map: &View<'_>, root: Child, bit: u8, segment: &WalkSegment) -> Walk {
    let mut found = Walk::default();
    parts(map, root, bit, segment, |part, _| match part {
        Part::Empty(entry) => {
            found.empty = Some(entry);
            ControlFlow::Continue(())
        }
        Part::Solid(entry) => {
            found.solid = Some(entry);
            ControlFlow::Break(())
        }
    });
    found
}

/// Walks a segment and calls `on_part` for each part of it, in order, with the leaf before the part: empty and solid
/// parts in turn, beginning with the first empty one, until the callback breaks.
pub(crate) fn parts(
    map: &View<'_>,
    root: Child,
    bit: u8,
    segment: &WalkSegment,
    mut on_part: impl FnMut(Part, Option<LeafId>) -> ControlFlow<()>,
) {
    let walker = Walker {
        map,
        root,
        bit,
        segment,
    };
    let on_part = |part, before| on_part(walker.settled(part), before);
    // A shorter stack costs less to clear: clearing 256 entries takes longer than a short walk.
    match map.layout.depth {
        ..=32 => walker.parts::<32>(on_part),
        33..=48 => walker.parts::<48>(on_part),
        49..=80 => walker.parts::<80>(on_part),
        _ => walker.parts::<MAX_DEPTH>(on_part),
    }
}

impl Walker<'_> {
    /// Returns a part with its start moved to the crossing with the plane that is named for it. The part was found at
    /// the end of a stretch that may have been cut by another plane, which is nearer than
    /// [`GRAZE`](crate::tolerance::GRAZE) and may or may not be in the tree.
    fn settled(&self, part: Part) -> Part {
        let Part::Solid(entry) = part else {
            return part;
        };
        let Some(crossed) = entry.plane else {
            return part;
        };
        let plane = self.map.plane(crossed.plane);
        let [d_start, d_end] = self.segment.distances(&plane);
        match crossing(d_start, d_end) {
            Some((fraction, _)) => Part::Solid(LeafEntry { fraction, ..entry }),
            // Both ends are on the plane, so no fraction is better than the one that was found.
            None => part,
        }
    }

    /// Reports the parts of the segment in order; [`Walker::parts_in_plane`] goes on if the segment is in a splitting
    /// plane.
    fn parts<const DEPTH: usize>(
        &self,
        mut on_part: impl FnMut(Part, Option<LeafId>) -> ControlFlow<()>,
    ) {
        // The last reported part, its end so far if it is empty, and the last leaf of each kind.
        let mut told: Option<Part> = None;
        let mut covered = 0.0;
        let [mut last_empty, mut last_solid] = [None; 2];
        // The first solid leaf at the end of the covered stretch, and whether it holds only this point of the
        // segment: then more than one plane is crossed there.
        let mut touched: Option<(LeafEntry, bool)> = None;
        let in_order = self.visit_leaves::<DEPTH, true>(
            |_, _| true,
            |visit| {
                let LeafEntry { fraction, leaf, .. } = visit.entry;
                let in_empty = matches!(told, Some(Part::Empty(_)));
                if !visit.solid {
                    if !in_empty {
                        // An empty leaf that is only grazed does not interrupt solid, as a solid one that is grazed
                        // does not stop a trace.
                        if !self.segment.starts_empty(&visit) {
                            return ControlFlow::Continue(());
                        }
                        let part = Part::Empty(visit.entry);
                        told = Some(part);
                        on_part(part, last_solid)?;
                    }
                    last_empty = Some(leaf);
                    // Solid leaves at the end of the stretch were only touched if an empty leaf goes on from there.
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
                // Crossings at one place come in any order by rounding; the stretch that is known to be empty does not
                // shrink.
                let fraction = fraction.max(covered);
                let here = LeafEntry {
                    fraction,
                    ..visit.entry
                };
                let (entry, holds_no_more) = *touched.get_or_insert((here, visit.end <= fraction));
                // Leaves that are too short to count add up: what matters is where the first of them began.
                if visit.end > entry.fraction && !self.segment.grazes(entry.fraction, visit.end) {
                    // Another plane is crossed at the same place if the leaf was only a point of the segment, or if
                    // its plane has no face there that could bound solid.
                    let is_tie = holds_no_more || !entry.plane.is_some_and(|crossed| crossed.faces);
                    let entry = if is_tie {
                        self.entry_at::<DEPTH>(entry.fraction)
                    } else {
                        LeafEntry { leaf, ..entry }
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
}
