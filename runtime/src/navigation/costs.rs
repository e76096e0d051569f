//! What parts of a path cost, and the reasons why there is no path: what a game gives to a search, and what it gets
//! when the search fails.

use super::links::LinkKind;

/// What parts of a path cost, beside 1 for each unit of the way as seen from above.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct PathCosts {
    /// Cost of a unit of the way in other stances than the tallest, at least 1.
    pub crouched: f64,
    /// Cost of a change of stance, 0 or more, as all that follow.
    pub switch: f64,
    /// Cost of a drop.
    pub drop: f64,
    /// Cost of a jump.
    pub jump: f64,
    /// Cost of swimming up, of climbing a ladder, or of riding a lift.
    pub climb: f64,
}

impl Default for PathCosts {
    /// Returns costs with which an agent takes detours of a few steps to avoid a drop, a jump, a climb or a lift, and
    /// at most twice the way to avoid crouching.
    fn default() -> Self {
        Self {
            crouched: 2.0,
            switch: 0.0,
            drop: 64.0,
            jump: 128.0,
            climb: 128.0,
        }
    }
}

impl PathCosts {
    /// Returns what a link of a kind costs, beside the way across.
    pub fn of(&self, kind: LinkKind) -> f64 {
        match kind {
            LinkKind::Walk | LinkKind::Teleport | LinkKind::JumpPad => 0.0,
            LinkKind::Crouch | LinkKind::Stand => self.switch,
            LinkKind::Drop => self.drop,
            LinkKind::Jump => self.jump,
            LinkKind::Swim | LinkKind::Climb | LinkKind::Lift => self.climb,
        }
    }
}

/// The reason why there is no path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathError {
    /// The file has no links, or the hull is not one of an agent of this map: compile it with `--floors`.
    NoAgent,
    /// The start is not on a floor of the agent's, nor at most a step above one.
    NoStart,
    /// The goal is not on a floor of the agent's, nor at most a step above one.
    NoGoal,
    /// No links lead from the start to the goal.
    NoWay,
    /// The search needs more memory: [`OnionMap::path_scratch`](crate::OnionMap::path_scratch) says how much is enough
    /// for most. Try again with twice as much.
    OutOfScratch,
    /// The path has more points than there is room for.
    TooManyPoints,
}

impl core::error::Error for PathError {}

impl core::fmt::Display for PathError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::NoAgent => {
                "the file has no links for this hull: compile the map with --floors, and find the hull in it"
            }
            Self::NoStart => {
                "the start is not on a floor where the agent can stand: nearest_floor finds a place near it"
            }
            Self::NoGoal => {
                "the goal is not on a floor where the agent can stand: nearest_floor finds a place near it"
            }
            Self::NoWay => "no way leads from the start to the goal",
            Self::OutOfScratch => {
                "the search needs more scratch memory: try again with twice as much"
            }
            Self::TooManyPoints => {
                "the path has more points than there is room for: pass a longer slice of them"
            }
        })
    }
}
