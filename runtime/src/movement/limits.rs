//! How many queries an agent may make of its world in one tick. These limits bound the time of a move, whatever the
//! map looks like.

/// The most things that a slide meets before it ends where it is: more than the three that stop it in a corner, and
/// the few more that steps and curved walls add.
pub const MAX_BUMPS: usize = 8;

/// A tick on the ground that something disturbs is walked in parts of at most this many units: half the width of
/// Quake's players, and no more than the depth of a stair's treads.
pub(super) const LONGEST_PART: f64 = 16.0;

/// The most parts of a tick. Those of a longer tick are longer.
pub(super) const MAX_PARTS: usize = 8;

/// The most traces that [`Agent::walk`](super::Agent::walk) takes, for the whole tick and for each part of it: those
/// of a slide; for each try of a step, the way up, a slide and the way down; and the search for ground.
pub const MAX_TRACES: usize =
    (1 + MAX_PARTS) * (MAX_BUMPS + 1 + STEP_PARTS.len() * (MAX_BUMPS + 1) + 1);

/// The parts of a tick that a step tries to last, the longest first: the whole of it, and a few units of
/// what an agent goes in a long one.
pub(super) const STEP_PARTS: [f64; 2] = [1.0, 1.0 / 4.0];
