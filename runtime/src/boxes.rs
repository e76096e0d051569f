//! Finds the brushes whose boxes a moving box may touch on its way along a segment, nearest first. It walks the tree
//! of boxes around a model's brushes.

use onion_format::{BoxRecord, BoxesRecord, MAX_BOX_DEPTH};

use crate::model::Model;
use crate::stack::Stack;
use crate::tolerance::BOX_MARGIN;

/// A box that moves.
#[derive(Clone, Copy)]
pub(crate) struct Sweep {
    /// Where its point starts, finite and within the domain.
    pub(crate) start: [f64; 3],
    /// Where its point is to go.
    pub(crate) end: [f64; 3],
    /// Corners about the point.
    pub(crate) mins: [f64; 3],
    pub(crate) maxs: [f64; 3],
}

impl Sweep {
    /// A point that does not move.
    pub(crate) fn of_point(point: [f64; 3]) -> Self {
        Self {
            start: point,
            end: point,
            mins: [0.0; 3],
            maxs: [0.0; 3],
        }
    }

    /// The fraction of the way at which it first may touch a box; none if it does not.
    fn touches(&self, record: &BoxRecord) -> Option<f64> {
        let (mut from, mut to) = (0.0, 1.0);
        for axis in 0..3 {
            let least = f64::from(record.mins[axis]) - self.maxs[axis] - BOX_MARGIN;
            let most = f64::from(record.maxs[axis]) - self.mins[axis] + BOX_MARGIN;
            let (start, step) = (self.start[axis], self.end[axis] - self.start[axis]);
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

/// A box to look into, and when it is reached.
#[derive(Clone, Copy)]
struct Waiting {
    number: u32,
    from: f64,
}

impl Model<'_> {
    /// Calls `on_brush` with the numbers of the brushes whose boxes a moving box may touch before a
    /// fraction of its way, which `on_brush` gives anew each time: 1 to go on, less when something was met.
    pub(crate) fn brushes_near(&self, sweep: &Sweep, mut on_brush: impl FnMut(u32) -> f64) {
        let boxes = self.map.boxes();
        let look = |number: u32| {
            let from = sweep.touches(&boxes.get(number as usize)?)?;
            Some(Waiting { number, from })
        };
        let own = self.map.boxes_of_models().get(self.index);
        let Some(BoxesRecord { first, .. }) = own.filter(|own| own.n_boxes > 0) else {
            return;
        };
        // Loading proved that no path is longer than the stack.
        let mut places = [Waiting {
            number: 0,
            from: 0.0,
        }; MAX_BOX_DEPTH];
        let mut pending = Stack::on(&mut places);
        let mut limit = 1.0;
        let mut next = look(first);
        loop {
            let Some(Waiting { number, .. }) = next.take().filter(|next| next.from <= limit) else {
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
                limit = on_brush(brush);
                continue;
            }
            // The second child comes later, so every walk ends, even if the bytes are others than those that loading
            // checked.
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
