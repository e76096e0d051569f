//! The answer to a trace as a C struct, made from the runtime's trace. It also converts back, for the calls
//! that ask about a hit.

use onion_runtime::{Plane, Trace};

/// `ONION_NO_PLANE`: the plane number of a trace that hit none.
pub const NO_PLANE: u32 = u32::MAX;

/// The C types `onion_trace_result` and `onion_trace_result_double`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "onion.h tells what they are")]
pub struct TraceResult<T> {
    pub fraction: f64,
    pub hit_fraction: f64,
    pub dist: f64,
    pub start: [T; 3],
    pub end: [T; 3],
    pub end_pos: [T; 3],
    pub normal: [T; 3],
    pub plane: u32,
    pub start_solid: u8,
    pub all_solid: u8,
    pub hit: u8,
    pub reserved: [u8; 9],
}

impl<T: Default + Copy> From<Trace<T>> for TraceResult<T> {
    #[inline]
    fn from(trace: Trace<T>) -> Self {
        let (normal, dist, number) = match trace.plane {
            Some(plane) => (plane.normal, plane.dist, plane.number),
            None => ([T::default(); 3], 0.0, NO_PLANE),
        };
        Self {
            fraction: trace.fraction,
            hit_fraction: trace.hit_fraction,
            dist,
            start: trace.start,
            end: trace.end,
            end_pos: trace.end_pos,
            normal,
            plane: number,
            start_solid: trace.start_solid.into(),
            all_solid: trace.all_solid.into(),
            hit: trace.plane.is_some().into(),
            reserved: [0; 9],
        }
    }
}

/// Back from C, where a game may have changed any member: queries that take a trace check the number of its plane.
impl<T> From<TraceResult<T>> for Trace<T> {
    fn from(result: TraceResult<T>) -> Self {
        let plane = Plane {
            normal: result.normal,
            dist: result.dist,
            number: result.plane,
        };
        Self {
            start: result.start,
            end: result.end,
            fraction: result.fraction,
            hit_fraction: result.hit_fraction,
            end_pos: result.end_pos,
            plane: (result.hit != 0).then_some(plane),
            start_solid: result.start_solid != 0,
            all_solid: result.all_solid != 0,
        }
    }
}
