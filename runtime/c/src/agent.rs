//! The structs of walking agents: the ground under them, and their state between ticks. Calls with
//! pointers are in `movement`.

use onion_runtime::movement::{Footing, Ground, Ride};

use crate::scene_state::NO_MOVER;

/// The C type `onion_ground`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs, reason = "onion.h tells what they are")]
pub struct GroundResult {
    pub normal: [f32; 3],
    pub velocity: [f32; 3],
    pub object: u32,
    pub brush: u32,
    pub contents: u32,
    pub surface: u32,
    pub surface_flags: u32,
    pub found: u8,
    pub has_surface: u8,
    pub reserved: [u8; 2],
}

impl From<Option<Ground<f32>>> for GroundResult {
    fn from(ground: Option<Ground<f32>>) -> Self {
        let Some(ground) = ground else {
            return Self::default();
        };
        let footing = ground.footing.unwrap_or(NO_FOOTING);
        Self {
            normal: ground.normal,
            velocity: ground.velocity,
            object: ground.object,
            brush: footing.brush,
            contents: footing.contents,
            surface: footing.surface,
            surface_flags: footing.surface_flags,
            found: 1,
            has_surface: ground.footing.is_some().into(),
            reserved: [0; 2],
        }
    }
}

const NO_FOOTING: Footing = Footing {
    brush: 0,
    contents: 0,
    surface: 0,
    surface_flags: 0,
};

impl From<GroundResult> for Option<Ground<f32>> {
    fn from(ground: GroundResult) -> Self {
        let footing = Footing {
            brush: ground.brush,
            contents: ground.contents,
            surface: ground.surface,
            surface_flags: ground.surface_flags,
        };
        (ground.found != 0).then_some(Ground {
            normal: ground.normal,
            object: ground.object,
            velocity: ground.velocity,
            footing: (ground.has_surface != 0).then_some(footing),
        })
    }
}

/// The C type `onion_agent`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "onion.h tells what they are")]
pub struct AgentState {
    pub stance: u64,
    pub position: [f32; 3],
    pub velocity: [f32; 3],
    pub ground: GroundResult,
    pub met: GroundResult,
}

/// The C type `onion_ride`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "onion.h tells what they are")]
pub struct RideResult {
    pub crushed_by: u32,
    pub pushed_by: u32,
}

impl From<Ride> for RideResult {
    fn from(ride: Ride) -> Self {
        let number = |mover: Option<usize>| mover.map_or(NO_MOVER, |mover| mover as u32);
        Self {
            crushed_by: number(ride.crushed_by),
            pushed_by: number(ride.pushed_by),
        }
    }
}
