//! Finds the brushes whose boxes a moving box may touch along a segment, nearest first. Walks the bounding-volume
//! tree over a model's brushes.

use onion_format::{BoxRecord, BoxesRecord, MAX_BOX_DEPTH};

use crate::file::stack::Stack;
use crate::math::aabb::Aabb;
use crate::model::Model;
use crate::tolerance::BOX_MARGIN;

/// The limit of a search that goes on to the end of the way.
pub(crate) const SEARCH_ALL: f64 = 1.0;

/// The limit of a search that is over: nothing comes before the start, which is 0.
#[cfg(feature = "shapes")]
pub(crate) const SEARCH_OVER: f64 = -1.0;

/// A moving box.
#[derive(Clone, Copy)]
pub(crate) struct Sweep {
    /// The start of its point, in units, finite and within the domain.
    pub(crate) start: [f64; 3],
    /// The end of its point, likewise.
    pub(crate) end: [f64; 3],
    /// The box, relative to the point.
    pub(crate) bounds: Aabb<f64>,
}

impl Sweep {
    /// Returns the sweep of a point that does not move.
    pub(crate) fn of_point(point: [f64; 3]) -> Self {
        Self {
            start: point,
            end: point,
            bounds: Aabb::default(),
        }
    }

    /// Returns the first fraction of the way at which the sweep may touch a box, or `None` if it never does.
    fn touches(&self, record: &BoxRecord) -> Option<f64> {
        let (mut from, mut to) = (0.0, 1.0);
        for axis in 0..3 {
            let least = f64::from(record.mins[axis]) - self.bounds.maxs[axis] - BOX_MARGIN;
            let most = f64::from(record.maxs[axis]) - self.bounds.mins[axis] + BOX_MARGIN;
            let (start, step) = (self.start[axis], self.end[axis] - self.start[axis]);
            // Nothing moves along this axis: the extents overlap all the way, or never.
            if step == 0.0 {
                if start < least || start > most {
                    return None;
                }
                continue;
            }
            let [a, b] = [(least - start) / step, (most - start) / step];
            let (near, far) = if a < b { (a, b) } else { (b, a) };
            from = if near > from { near } else { from };
            to = if far < to { far } else { to };
        }
        (from <= to).then_some(from)
    }
}

/// A box still to visit, and the fraction at which the sweep reaches it.
#[derive(Clone, Copy)]
struct PendingBox {
    /// Number of the box in the list of its model.
    number: u32,
    /// Fraction of the sweep, 0 to 1.
    from: f64,
}

impl Model<'_> {
    /// Calls `on_brush` with the numbers of the brushes whose boxes a moving box may touch, nearest first. Each call
    /// returns the fraction of the way up to which the search goes on: [`SEARCH_ALL`], less once something was met,
    /// below 0 to end it.
    pub(crate) fn brushes_near(&self, sweep: &Sweep, mut on_brush: impl FnMut(u32) -> f64) {
        let boxes = self.map.boxes();
        // A box holds all boxes below it, so one that is not touched hides its whole subtree.
        let look = |number: u32| {
            let from = sweep.touches(&boxes.get(number as usize)?)?;
            Some(PendingBox { number, from })
        };
        let own = self.map.boxes_of_models().get(self.index);
        // A model without brushes has no box either.
        let Some(BoxesRecord { first, .. }) = own.filter(|own| own.n_boxes > 0) else {
            return;
        };
        // Loading proved that no path is longer than the stack.
        let mut places = [PendingBox {
            number: 0,
            from: 0.0,
        }; MAX_BOX_DEPTH];
        let mut pending = Stack::on(&mut places);
        let mut limit = SEARCH_ALL;
        let mut next = look(first);
        loop {
            let Some(PendingBox { number, .. }) = next.take().filter(|next| next.from <= limit)
            else {
                next = pending.pop();
                if next.is_none() {
                    return;
                }
                continue;
            };
            let Some(BoxRecord { second, brush, .. }) = boxes.get(number as usize) else {
                return;
            };
            if second == 0 {
                // The head of the loop drops boxes that the sweep reaches only after the limit.
                limit = on_brush(brush);
                continue;
            }
            // The second child follows its parent, so every walk ends, even if the bytes have changed since loading
            // checked them.
            let (a, b) = (look(number + 1), look(second.max(number + 1)));
            let (near, far) = match (a, b) {
                (Some(a), Some(b)) if b.from < a.from => (Some(b), Some(a)),
                (Some(_), _) => (a, b),
                (None, _) => (b, None),
            };
            next = near;
            if let Some(far) = far {
                pending.push(far);
            }
        }
    }
}
