//! Finds the intervals of a segment that are solid for a hull, from the transitions that the runtime reports. Slices of
//! pictures and comparisons of files are made of them.

use std::ops::ControlFlow;

use glam::DVec3;
use onion_runtime::{HullId, Model, Transition};

/// Calls `on_part` for each interval of a segment that is solid for a hull, with its ends as fractions of the segment,
/// from 0 to 1. The segment is in the model's own space, in units.
pub fn each_solid(
    model: &Model<'_>,
    hull: HullId,
    [start, end]: [DVec3; 2],
    mut on_part: impl FnMut([f64; 2]),
) {
    let mut from = Some(0.0);
    model.transitions(hull, start.to_array(), end.to_array(), |transition| {
        match transition {
            Transition::Empty => from = None,
            Transition::Solid => {}
            Transition::EnterSolid(crossing) => from = Some(crossing.fraction),
            Transition::LeaveSolid(crossing) => {
                on_part([from.unwrap_or(0.0), crossing.fraction]);
                from = None;
            }
        }
        ControlFlow::Continue(())
    });
    if let Some(from) = from {
        on_part([from, 1.0]);
    }
}
