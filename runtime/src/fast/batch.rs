//! Many points at once: some go down the tree in step, so that a processor waits for their nodes together, and one
//! whose way ends makes place for the next.

use onion_format::Start;

use super::Fast;
use super::segment::Point;
use crate::coordinate::{Coordinate, widened};

/// Points that go down in step.
const AT_ONCE: usize = 8;

/// A point on its way.
#[derive(Clone, Copy)]
struct Lane {
    /// Number of the point.
    number: usize,
    point: Point,
    at: Start,
}

impl Lane {
    const NONE: Self = Self {
        number: 0,
        point: Point::ORIGIN,
        at: Start::EMPTY,
    };
}

impl Fast<'_> {
    /// [`Fast::is_solid`] of many points; gives each by its number.
    #[inline(always)]
    pub(crate) fn are_solid<T: Coordinate, P: Into<[T; 3]> + Copy>(
        &self,
        points: &[P],
        mut on_end: impl FnMut(usize, Option<bool>),
    ) {
        let mut queue = points.iter().enumerate();
        let mut lanes = [Lane::NONE; AT_ONCE];
        let mut n_lanes = 0;
        loop {
            // Lanes that are free take the next points that do not end where they begin.
            while n_lanes < AT_ONCE
                && let Some((number, &point)) = queue.next()
            {
                let point = widened(point.into());
                match self.start(&point) {
                    Some(at) if !at.is_whole() => {
                        let point = Point::new(&point);
                        lanes[n_lanes] = Lane { number, point, at };
                        n_lanes += 1;
                    }
                    end => on_end(number, end.map(Start::is_solid)),
                }
            }
            if n_lanes == 0 {
                return;
            }
            let mut number = 0;
            while number < n_lanes {
                let lane = &mut lanes[number];
                match self.below(lane.at, &lane.point) {
                    Some(at) if !at.is_whole() => {
                        lane.at = at;
                        number += 1;
                    }
                    end => {
                        on_end(lane.number, end.map(Start::is_solid));
                        n_lanes -= 1;
                        lanes[number] = lanes[n_lanes];
                    }
                }
            }
        }
    }
}
