//! Batched point queries: several points descend the tree in lockstep, so that their cache misses overlap. A point
//! that reaches the end of its walk frees its lane for the next one.

use onion_format::Start;

use super::Fast;
use super::segment::ScaledPoint;
use crate::math::coordinate::{Coordinate, widened};

/// Number of points that descend in lockstep.
const AT_ONCE: usize = 8;

/// A point on its way down the tree.
#[derive(Clone, Copy)]
struct Lane {
    /// Number of the point.
    number: usize,
    /// The point, in the form that nodes are asked with.
    point: ScaledPoint,
    /// The node that it comes to next.
    at: Start,
}

impl Lane {
    /// Fills the lanes that no point is in.
    const NONE: Self = Self {
        number: 0,
        point: ScaledPoint::ORIGIN,
        at: Start::EMPTY,
    };
}

impl Fast<'_> {
    /// Runs [`Fast::is_solid`] on many points, and passes each answer to `on_end` with the number of its point.
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
            // Free lanes take the next points; those whose walk ends where it begins are answered at once.
            while n_lanes < AT_ONCE
                && let Some((number, &point)) = queue.next()
            {
                let point = widened(point.into());
                match self.start(&point) {
                    Some(at) if !at.is_whole() => {
                        let point = ScaledPoint::new(&point);
                        lanes[n_lanes] = Lane { number, point, at };
                        n_lanes += 1;
                    }
                    end => on_end(number, end.map(Start::is_solid)),
                }
            }
            if n_lanes == 0 {
                return;
            }
            // One step for each lane: the loads of different lanes do not wait for each other.
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
                        // The last lane fills the gap: answers carry their numbers, so they may come in any order.
                        n_lanes -= 1;
                        lanes[number] = lanes[n_lanes];
                    }
                }
            }
        }
    }
}
