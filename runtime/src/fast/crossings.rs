//! The planes that divide a stretch of a segment on its way down the tree, and the children behind them that are
//! still to be visited. They are in the order in which they were met; the last one is the nearest.

use onion_format::Start;

/// Maximum number of planes that a stretch may cross; few stretches cross four. A power of two.
const MAX_CROSSINGS: usize = 8;

/// A plane that divides a stretch.
#[derive(Clone, Copy, Default)]
pub(super) struct PlaneCrossing {
    /// Fraction of the segment.
    pub(super) at: f64,
    /// How much nearer to the plane, from in front, the segment's end is than its start, in units.
    pub(super) approach: f64,
    /// The node that the plane is of, which says whether a face in it faces the segment.
    pub(super) node: u32,
    /// The child beyond the plane.
    pub(super) beyond: Start,
}

/// The planes that divide a stretch, and the pending ones: those beyond which a part of the stretch is still to be
/// walked. Such a part ends where the next pending one begins, which was pushed before it.
pub(super) struct Crossings {
    /// `None` before the first push, so that a walk that crosses nothing need not clear the array.
    all: Option<[PlaneCrossing; MAX_CROSSINGS]>,
    /// Number of planes, pending or not: those that were passed may still be near the end of the trace.
    len: usize,
    /// One bit per pending plane.
    waiting: u32,
    /// Whether a plane near the stretch was decided to be on one side.
    pub(super) is_near: bool,
}

impl Crossings {
    /// Returns the empty list. It costs nothing until the first push.
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self {
            all: None,
            len: 0,
            waiting: 0,
            is_near: false,
        }
    }

    /// Removes all of them.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.len = 0;
        self.waiting = 0;
        self.is_near = false;
    }

    /// Adds a crossing. Returns `false` if there are too many.
    #[inline(always)]
    pub(super) fn push(&mut self, crossing: PlaneCrossing) -> bool {
        let all = self.all.get_or_insert_default();
        let Some(place) = all.get_mut(self.len) else {
            return false;
        };
        *place = crossing;
        self.waiting |= 1 << self.len;
        self.len += 1;
        true
    }

    /// Takes the last pending crossing. Returns it, and the next pending one.
    #[inline(always)]
    pub(super) fn pop(&mut self) -> Option<(&PlaneCrossing, Option<&PlaneCrossing>)> {
        // The highest bit is the crossing that was pushed last, which is the nearest one.
        let last = self.waiting.checked_ilog2()?;
        self.waiting ^= 1 << last;
        let next = self.waiting.checked_ilog2();
        let all = self.all.as_ref()?;
        let next = next.and_then(|next| all.get(next as usize));
        Some((all.get(last as usize)?, next))
    }

    /// Whether the point at a fraction stays in its leaf when it is rounded.
    #[inline(always)]
    pub(super) fn is_clear(&self, fraction: f64, error: f64) -> bool {
        let all = self.all.as_ref();
        let crossings = all.and_then(|all| all.get(..self.len)).unwrap_or(&[]);
        let is_far =
            |crossing: &PlaneCrossing| ((fraction - crossing.at) * crossing.approach).abs() > error;
        // Also those that were passed: the stop lies before the hit, near planes that were crossed on the way to it.
        !self.is_near && crossings.iter().all(is_far)
    }
}
