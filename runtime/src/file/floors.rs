//! The floors of each hull as a balanced tree without pointers: the record in the middle of a range of floors has the
//! box around all of them, and the ranges before and after it are the same again. A search takes a bound that a box
//! gives, and visits the floors that may still count (Li and Rong, "Bedtk: finding interval overlap with implicit
//! interval tree", 2021, have the layout; Roussopoulos, Kelley and Vincent, "Nearest neighbor queries", 1995, the
//! search).

use onion_format::FloorRecord;

use crate::file::hull::HullId;
use crate::file::stack::Stack;
use crate::file::view::View;
use crate::math::aabb::Aabb;

/// Floors that follow one another in the file.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FloorRange {
    /// Number of the first one.
    pub(crate) first: u32,
    /// The number after the last one.
    pub(crate) end: u32,
}

impl FloorRange {
    /// Returns the number of the floor in the middle, or `None` for an empty range.
    pub(crate) fn middle(self) -> Option<u32> {
        let count = self.end.checked_sub(self.first)?;
        (count > 0).then_some(self.first + count / 2)
    }

    /// Returns whether the floor with this number is in the range.
    #[cfg(feature = "navigation")]
    pub(crate) fn contains(self, floor: u32) -> bool {
        self.first <= floor && floor < self.end
    }

    /// Returns the ranges before and after the middle.
    pub(crate) fn halves(self, middle: u32) -> [Self; 2] {
        let Self { first, end } = self;
        let before = Self { first, end: middle };
        let first = middle + 1;
        [before, Self { first, end }]
    }
}

/// Room for the ranges that wait in a walk. Ranges have fewer than 2^32 floors, and half as many on each level, so
/// those on level 31 have one at most, and nothing below. One range of each level waits, and on the lowest two.
pub(crate) const FLOOR_STACK: usize = 32;

impl View<'_> {
    /// Returns the range of a hull's floors, which is empty for a hull of another file.
    pub(crate) fn floors_of(&self, hull: HullId) -> FloorRange {
        if !self.has(hull) {
            return FloorRange::default();
        }
        let all = self.floors();
        let first = |hull: u32| all.partition_point(|floor| floor.hull() < hull) as u32;
        let own = u32::from(hull.index);
        FloorRange {
            first: first(own),
            end: first(own + 1),
        }
    }

    /// Searches a hull's floors for the one of least cost. `bound` returns a lower bound on the cost of all floors in
    /// a box, or `None` if none of them counts. `visit` is called with the numbers of floors, and returns
    /// the least cost so far; floors that cost certainly more are not visited.
    #[inline]
    pub(crate) fn search_floors(
        &self,
        hull: HullId,
        bound: impl Fn(Aabb<f64>) -> Option<f64>,
        mut visit: impl FnMut(u32) -> f64,
    ) {
        let floors = self.floors();
        let look = |range: FloorRange| {
            let middle = range.middle()?;
            let FloorRecord { mins, maxs, .. } = floors.get(middle as usize)?;
            Some((bound(Aabb::new(mins, maxs).widened())?, range, middle))
        };
        let mut places = [(0.0, FloorRange::default(), 0); FLOOR_STACK];
        let mut pending = Stack::on(&mut places);
        let mut least = f64::INFINITY;
        let mut next = look(self.floors_of(hull));
        while let Some((cost, range, middle)) = next.take().or_else(|| pending.pop()) {
            if cost > least {
                continue;
            }
            least = visit(middle);
            let [before, after] = range.halves(middle);
            let (before, after) = (look(before), look(after));
            // The half of the lower bound comes next.
            let is_swapped = matches!((before, after), (Some(one), Some(other)) if other.0 < one.0);
            let (near, far) = if is_swapped {
                (after, before)
            } else {
                (before, after)
            };
            far.map(|far| pending.push(far));
            next = near;
        }
    }
}
