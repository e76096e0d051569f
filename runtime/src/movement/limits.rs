//! Limits on the queries that an agent makes of its world in one tick. They bound the time of a move, whatever the
//! map contains.

/// Limit on the surfaces that a slide meets before it ends where it is: more than the three that stop it in a corner,
/// and the few more that steps and curved walls add.
pub const MAX_BUMPS: usize = 8;

/// A tick on the ground that is obstructed is walked in parts of at most this many units: half the width of Quake's
/// players, and no more than the depth of a stair's treads.
pub(super) const LONGEST_PART: f64 = 16.0;

/// Limit on the parts of a tick. A longer tick has longer parts.
pub(super) const MAX_PARTS: usize = 8;

/// Limit on the traces of [`Agent::walk`](super::Agent::walk). The sum counts, for the whole tick and for each part
/// of it: the traces of a slide; the way up to a step; for each attempt at the step, a slide and the way down; and the
/// search for ground.
pub const MAX_TRACES: usize =
    (1 + MAX_PARTS) * (MAX_BUMPS + 1 + STEP_PARTS.len() * (MAX_BUMPS + 1) + 1);

/// Limit on the traces of [`Agent::ride`](super::Agent::ride), less the last one, which looks whether the agent is
/// crushed: more than an agent takes that slides along a mover that turns fast.
#[cfg(feature = "shapes")]
pub const MAX_PUSHES: usize = 64;

/// Limit on the planes that an agent meets at one moment: three times the planes that it remembers.
#[cfg(feature = "shapes")]
pub(super) const MAX_PUSHES_AT_ONCE: usize = 12;

/// The parts of a tick for which a step is attempted, the longest first: all of it, and a few units of a long tick's
/// way.
pub(super) const STEP_PARTS: [f64; 2] = [1.0, 1.0 / 4.0];
