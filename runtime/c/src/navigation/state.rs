//! The structs of navigation that calls read: classes of agents, points of paths and walkers, plain numbers in the
//! caller's memory. The calls are in the modules beside this one.

use onion_format::{HullSet, MAX_HULL_NAME};
use onion_runtime::OnionMap;
use onion_runtime::movement::WalkSettings;
use onion_runtime::navigation::{AgentClass, LinkKind, PathCosts, PathFollower, PathPoint};

use crate::status::Status;

/// The C type `onion_agent_class`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "onion.h tells what they are")]
pub struct AgentClassState {
    pub hulls: u64,
    pub speed: f64,
    pub jump: f64,
    pub drop: f64,
    pub swim: f64,
    pub climb: f64,
    pub settings: WalkSettings,
    pub name: [u8; MAX_HULL_NAME + 1],
    pub reserved: [u8; 3],
}

impl AgentClassState {
    pub(super) fn new(class: &AgentClass, text: &str) -> Self {
        let mut name = [0; MAX_HULL_NAME + 1];
        // The last byte stays 0, whatever the name.
        let bytes = text.bytes().take(MAX_HULL_NAME);
        name.iter_mut().zip(bytes).for_each(|(to, byte)| *to = byte);
        Self {
            hulls: class.hulls.bits(),
            speed: class.speed,
            jump: class.jump,
            drop: class.drop,
            swim: class.swim,
            climb: class.climb,
            settings: class.settings,
            name,
            reserved: [0; 3],
        }
    }

    /// Returns the class, without its number, which the struct in C does not have and walkers do not ask for.
    pub(super) fn class(&self) -> AgentClass {
        AgentClass {
            number: u32::MAX,
            hulls: HullSet::from_bits(self.hulls),
            speed: self.speed,
            jump: self.jump,
            drop: self.drop,
            swim: self.swim,
            climb: self.climb,
            settings: self.settings,
        }
    }
}

/// The C type `onion_path_costs`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "onion.h tells what they are")]
pub struct PathCostsState {
    pub crouched: f64,
    pub switch_stance: f64,
    pub drop: f64,
    pub jump: f64,
    pub climb: f64,
}

impl From<PathCosts> for PathCostsState {
    fn from(costs: PathCosts) -> Self {
        Self {
            crouched: costs.crouched,
            switch_stance: costs.switch,
            drop: costs.drop,
            jump: costs.jump,
            climb: costs.climb,
        }
    }
}

impl From<PathCostsState> for PathCosts {
    fn from(state: PathCostsState) -> Self {
        Self {
            crouched: state.crouched,
            switch: state.switch_stance,
            drop: state.drop,
            jump: state.jump,
            climb: state.climb,
        }
    }
}

/// The C type `onion_path_point`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "onion.h tells what they are")]
pub struct PathPointState {
    pub position: [f64; 3],
    pub hull: u64,
    pub floor: u32,
    pub kind: u32,
}

impl From<PathPoint> for PathPointState {
    fn from(point: PathPoint) -> Self {
        Self {
            position: point.position,
            hull: point.hull.to_bits(),
            floor: point.floor,
            kind: point.kind as u32,
        }
    }
}

impl PathPointState {
    /// Returns the point, of a path in this map.
    pub(super) fn point(&self, map: &OnionMap<&[u8]>) -> Result<PathPoint, Status> {
        let kind = LinkKind::ALL.get(self.kind as usize);
        Ok(PathPoint {
            position: self.position,
            hull: map.hull_from_bits(self.hull).ok_or(Status::Hull)?,
            floor: self.floor,
            kind: *kind.ok_or(Status::PathPoint)?,
        })
    }
}

/// The C type `onion_path_follower`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "onion.h tells what they are")]
pub struct FollowerState {
    pub nearest: f64,
    pub waited: f64,
    pub next: u32,
    pub has_jumped: u8,
    pub reserved: [u8; 3],
}

impl From<PathFollower> for FollowerState {
    fn from(follower: PathFollower) -> Self {
        Self {
            nearest: follower.nearest,
            waited: follower.waited,
            next: follower.next as u32,
            has_jumped: follower.has_jumped.into(),
            reserved: [0; 3],
        }
    }
}

impl From<FollowerState> for PathFollower {
    fn from(state: FollowerState) -> Self {
        Self {
            next: state.next as usize,
            has_jumped: state.has_jumped != 0,
            nearest: state.nearest,
            waited: state.waited,
        }
    }
}
