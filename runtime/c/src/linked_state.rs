//! The structs of linked portals: the portals in the caller's memory, and the answer to a trace. The calls are in
//! `linked`.

use onion_runtime::LinkedPortal;
use onion_runtime::movement::Stop;

use crate::status::Status;

/// `ONION_MAX_LINKED_PORTALS`: the number of linked portals that fits into a call's stack, which a map may have.
pub const MAX_LINKED_PORTALS: usize = 256;

/// The C type `onion_linked_portal`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "onion.h tells what they are")]
pub struct LinkedPortalState {
    pub center: [f64; 3],
    pub half_size: [f64; 2],
    pub facing: u32,
    pub partner: u32,
}

impl LinkedPortalState {
    /// Returns the portal, which is in a list of `count`.
    pub(crate) fn portal(&self, count: usize) -> Result<LinkedPortal, Status> {
        let portal = LinkedPortal {
            center: self.center,
            facing: self.facing as u8,
            half_size: self.half_size,
            partner: self.partner as usize,
        };
        let mut numbers = self.center.iter().chain(&self.half_size);
        let is_right =
            numbers.all(|number| number.is_finite()) && self.facing < 4 && portal.partner < count;
        is_right.then_some(portal).ok_or(Status::Portal)
    }
}

impl From<LinkedPortal> for LinkedPortalState {
    fn from(portal: LinkedPortal) -> Self {
        Self {
            center: portal.center,
            half_size: portal.half_size,
            facing: portal.facing.into(),
            partner: portal.partner as u32,
        }
    }
}

/// The C types `onion_linked_trace_result` and `onion_linked_trace_result_double`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "onion.h tells what they are")]
pub struct LinkedTraceResult<T> {
    pub fraction: f64,
    pub end_pos: [T; 3],
    pub normal: [T; 3],
    pub object: u32,
    pub hit: u8,
    pub reserved: [u8; 3],
}

impl<T: Default + Copy> From<Stop<T>> for LinkedTraceResult<T> {
    fn from(stop: Stop<T>) -> Self {
        let met = stop.met.map(|met| (met.normal, met.object));
        let (normal, object) = met.unwrap_or_default();
        Self {
            fraction: stop.fraction,
            end_pos: stop.end_pos,
            normal,
            object,
            hit: stop.met.is_some().into(),
            reserved: [0; 3],
        }
    }
}
