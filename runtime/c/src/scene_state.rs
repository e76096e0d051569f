//! The structs of a scene's parts: poses and movers, plain numbers in the caller's memory. Scenes and the calls are
//! in `scene`.

use onion_runtime::{Mover, Pose};

use crate::status::Status;

/// `ONION_NO_MOVER`: the mover of an answer in which there is none.
pub const NO_MOVER: u32 = u32::MAX;

/// The C type `onion_pose`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "onion.h tells what they are")]
pub struct PoseState {
    pub origin: [f64; 3],
    pub rotation: [f64; 4],
}

/// The C type `onion_mover`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "onion.h tells what they are")]
pub struct MoverState {
    pub from: PoseState,
    pub to: PoseState,
    pub model: u32,
    pub reserved: u32,
}

impl PoseState {
    fn pose(&self) -> Result<Pose, Status> {
        Pose::quaternion(self.origin, self.rotation).ok_or(Status::Pose)
    }
}

impl MoverState {
    /// Returns a mover at rest at this place.
    pub(crate) fn at_rest(model: usize, origin: [f64; 3]) -> Self {
        let rotation = [0.0, 0.0, 0.0, 1.0];
        let pose = PoseState { origin, rotation };
        Self {
            from: pose,
            to: pose,
            model: model as u32,
            reserved: 0,
        }
    }

    pub(crate) fn mover(&self) -> Result<Mover, Status> {
        Ok(Mover {
            model: self.model as usize,
            from: self.from.pose()?,
            to: self.to.pose()?,
        })
    }
}
