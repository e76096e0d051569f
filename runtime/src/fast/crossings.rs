//! The planes that divide a stretch of a segment on its way down the tree, and what waits behind them. They
//! stand in the order in which they were met; the one that was met last is the nearest.

use onion_format::Start;

/// Planes that a stretch may cross; few cross four. A power of two.
const MAX_CROSSINGS: usize = 8;

/// A plane that divides a stretch.
#[derive(Clone, Copy, Default)]
pub(super) struct Crossing {
    /// Fraction of the segment.
    pub(super) at: f64,
    /// How fast the segment approaches the plane from in front: units of distance from its start to its end.
    pub(super) approach: f64,
    pub(super) node: u32,
    /// What lies beyond.
    pub(super) beyond: Start,
}

/// The planes that divide a stretch, and those behind which a part of it still waits. That part ends where the
/// next one that waits begins, which is the one added before.
pub(super) struct Crossings {
    /// None before the first, so that a walk that crosses nothing need not clear them.
    all: Option<[Crossing; MAX_CROSSINGS]>,
    len: usize,
    /// A bit for each.
    waiting: u32,
    /// Whether a plane near the stretch was settled to be on one side.
    pub(super) is_near: bool,
}

impl Crossings {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self {
            all: None,
            len: 0,
            waiting: 0,
            is_near: false,
        }
    }

    /// Forgets all of them.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.len = 0;
        self.waiting = 0;
        self.is_near = false;
    }

    /// Adds one, unless there are too many; whether it was added.
    #[inline(always)]
    pub(super) fn push(&mut self, crossing: Crossing) -> bool {
        let all = self.all.get_or_insert([Crossing::default(); MAX_CROSSINGS]);
        let Some(place) = all.get_mut(self.len) else {
            return false;
        };
        *place = crossing;
        self.waiting |= 1 << self.len;
        self.len += 1;
        true
    }

    /// Takes up the last one that waits: gives it, and the one that waits behind it.
    #[inline(always)]
    pub(super) fn pop(&mut self) -> Option<(&Crossing, Option<&Crossing>)> {
        let last = self.waiting.checked_ilog2()?;
        self.waiting ^= 1 << last;
        let next = self.waiting.checked_ilog2();
        let all = self.all.as_ref()?;
        let next = next.and_then(|next| all.get(next as usize));
        Some((all.get(last as usize)?, next))
    }

    /// Whether the point at a fraction stays where it is in the tree when it is rounded.
    #[inline(always)]
    pub(super) fn is_clear(&self, fraction: f64, error: f64) -> bool {
        let all = self.all.as_ref();
        let crossings = all.and_then(|all| all.get(..self.len)).unwrap_or(&[]);
        let is_far =
            |crossing: &Crossing| ((fraction - crossing.at) * crossing.approach).abs() > error;
        !self.is_near && crossings.iter().all(is_far)
    }
}
