//! Ends of stretches: the plane to name if a segment enters solid and crosses several planes at once, and the parts
//! of a segment in a splitting plane, where leaves do not come in order.

use core::cell::Cell;
use core::ops::ControlFlow;

use onion_format::PlaneRecord;

use super::visit::{LeafEntry, Part, Walker};
use crate::file::hull::LeafId;
use crate::math::plane::unit_normal;
use crate::math::probes::probes;
use crate::math::segment::point_at;
use crate::math::vector::along;
use crate::tolerance::{PROBES, Probe, SAME_CROSSING};
use crate::walk::descend::is_solid_at;

impl Walker<'_> {
    /// Visits the parts of a segment in a splitting plane, after the last part that was reported.
    pub(super) fn parts_in_plane<const DEPTH: usize>(
        &self,
        mut told: Option<Part>,
        mut on_part: impl FnMut(Part, Option<LeafId>) -> ControlFlow<()>,
    ) {
        // Parts alternate: the end of an empty stretch is an entry into solid, and the next empty place ends that.
        loop {
            // Each part is searched for from the root: where both sides of a plane hold the same stretch, a later leaf
            // may begin before an earlier one, and nothing that was seen can be carried over.
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

    /// Returns the first empty place of a segment in a splitting plane, after an entry into solid if one is given.
    fn empty_after<const DEPTH: usize>(&self, entered: Option<LeafEntry>) -> Option<LeafEntry> {
        // All leaves are visited, because the nearest one may come last.
        let mut first: Option<LeafEntry> = None;
        self.visit_leaves::<DEPTH, false>(
            |_, to| entered.is_none_or(|entry| to > entry.fraction),
            |visit| {
                let fraction = visit.entry.fraction;
                let is_behind = entered.is_none_or(|entry| fraction > entry.fraction);
                let is_nearer = first.is_none_or(|first| fraction < first.fraction);
                if !visit.solid && self.segment.starts_empty(&visit) && is_behind && is_nearer {
                    first = Some(visit.entry);
                }
                ControlFlow::Continue(())
            },
        );
        first
    }

    /// Returns a solid leaf that holds the stretch before a fraction of a segment in a splitting plane, or `None` at
    /// its start.
    fn solid_until<const DEPTH: usize>(&self, fraction: f64) -> Option<LeafId> {
        let mut found = None;
        // Any one of them will do: it only tells games what lies before the part.
        let before = |from, to| from < fraction && to >= fraction - self.segment.slack;
        self.visit_leaves::<DEPTH, false>(before, |visit| {
            if !visit.solid {
                return ControlFlow::Continue(());
            }
            found = Some(visit.entry.leaf);
            ControlFlow::Break(())
        });
        found
    }

    /// Returns the fraction up to which a segment in a splitting plane stays empty, and the last leaf that it is
    /// empty in.
    fn empty_until<const DEPTH: usize>(&self, empty: &LeafEntry) -> (f64, LeafId) {
        // Only leaves around the end of the stretch can extend it, so a pass is short.
        let covered = Cell::new(empty.fraction);
        let mut last_empty = empty.leaf;
        let around = |from, to| to > covered.get() && from <= covered.get() + self.segment.slack;
        let mut grows = true;
        while grows {
            // Each pass may open the way for leaves that earlier passes met too early.
            grows = false;
            self.visit_leaves::<DEPTH, false>(around, |visit| {
                let from = visit.entry.fraction;
                let is_long = !self.segment.grazes(from, visit.end);
                if !visit.solid && (from <= covered.get() || is_long) {
                    covered.set(visit.end);
                    last_empty = visit.entry.leaf;
                    grows = true;
                }
                ControlFlow::Continue(())
            });
        }
        (covered.get(), last_empty)
    }

    /// Returns the entry into solid at the end of the covered stretch. If several planes are crossed there, it names
    /// the one that is a face at most places around, then one that ends the stretch, then the first.
    pub(super) fn entry_at<const DEPTH: usize>(&self, covered: f64) -> LeafEntry {
        let at = point_at(&self.segment.ends, covered);
        let mut best_rank = None;
        let mut best = LeafEntry {
            fraction: covered,
            plane: None,
            leaf: LeafId(0),
        };
        // Leaves that are left or entered within the slack meet at the place.
        let around = |from: f64, to: f64| {
            from <= covered + self.segment.slack && to >= covered - self.segment.slack
        };
        self.visit_leaves::<DEPTH, false>(around, |visit| {
            let LeafEntry {
                fraction, plane, ..
            } = visit.entry;
            let near = (fraction - covered).abs() <= self.segment.slack;
            if let (true, true, Some(crossed)) = (visit.solid, near, plane) {
                let record = self.map.plane(crossed.plane);
                let ends_stretch = (fraction - covered).abs() <= SAME_CROSSING;
                // Probes cost a descent each, so planes without a face that faces the motion are not probed.
                let n_faces = if crossed.faces {
                    PROBES.map(|probe| self.count_faces(&at, &record, probe))
                } else {
                    [0; 2]
                };
                // In this order: faces at the wide probes, at the close ones, then the end of the stretch. Among
                // equals, the first stays.
                let rank = (n_faces, ends_stretch, crossed.faces);
                if best_rank.is_none_or(|best| rank > best) {
                    (best_rank, best) = (Some(rank), visit.entry);
                }
            }
            ControlFlow::Continue(())
        });
        // The rank chose the plane only; the place is the end of the stretch, however far off its leaf was entered.
        best.fraction = covered;
        best
    }

    /// Returns the number of probes, of eight around a point, at which a plane through the point is empty in front
    /// and solid behind, seen against the motion.
    fn count_faces(&self, at: &[f64; 3], plane: &PlaneRecord, probe: Probe) -> usize {
        let [d_start, d_end] = self.segment.distances(plane);
        let Probe { ahead, around } = probe;
        // In front is where the segment comes from, whichever way the plane of the file faces.
        let toward_start = if d_start >= d_end { ahead } else { -ahead };
        let normal = unit_normal(plane);
        let is_solid = |place: &[f64; 3], by: f64| {
            let point = along(place, &normal, by);
            is_solid_at(self.map, self.root, self.bit, &point)
        };
        let is_face =
            |place: &&[f64; 3]| is_solid(place, -toward_start) && !is_solid(place, toward_start);
        let places = probes(at, &normal, around);
        places.iter().filter(is_face).count()
    }
}
