//! Movement of walking agents, for games that have none of their own: a wished velocity in, one tick of
//! sliding along walls, stepping up and down stairs, standing, falling and crouching out. Nothing else
//! in the crate knows of it. The behavior is that of Quake III's players (`bg_slidemove.c`,
//! `bg_pmove.c`) without their acceleration and friction, on the traces of Golodetz's onion BSPs;
//! switching stances is his reason for having several hulls.
//!
//! # A walking player
//!
//! ```
//! use onion_runtime::OnionMap;
//! use onion_runtime::movement::{Agent, Settings};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/golden/low_tunnel.onion");
//! # let bytes = std::fs::read(golden)?;
//! let map = OnionMap::from_bytes(&bytes)?;
//! let stand = map.require_hull("stand", [-16.0, -16.0, -24.0], [16.0, 16.0, 32.0])?;
//! let crouch = map.require_hull("crouch", [-16.0, -16.0, -24.0], [16.0, 16.0, 8.0])?;
//! let settings = Settings::default();
//! let mut player = Agent::new(stand, [-200.0, 0.0, 24.0]);
//!
//! # let (mut n_ticks, keys) = (0, [320.0, 0.0]);
//! # let mut crouch_key = false;
//! # let jump_key = false;
//! while n_ticks < 120 {
//!     let wish: [f32; 2] = keys; // From the keys, in units a second.
//!     if jump_key {
//!         player.jump(270.0);
//!     }
//!     // Standing up under a low ceiling fails until there is room.
//!     player.switch_stance(&map, if crouch_key { crouch } else { stand });
//!     player.walk(&map, &settings, wish, 1.0 / 60.0);
//! #   n_ticks += 1;
//! #   if n_ticks == 60 {
//! #       // The mouth of the tunnel is at -64, the box reaches 16 ahead.
//! #       assert!((player.position[0] - (-80.0 - 1.0 / 32.0)).abs() < 1e-3, "{player:?}");
//! #       crouch_key = true;
//! #   }
//! }
//! # assert!(player.position[0] > 200.0, "{player:?}");
//! # Ok(())
//! # }
//! ```
//!
//! # What holds
//!
//! * Agents that are not in solid never get there, to the last bit of their positions. Those that are
//!   can get out: see [`Agent::walk`].
//! * Whatever an agent meets, its velocity becomes the nearest to what it was that goes into none of the
//!   planes met: speed along a wall is kept, and nobody is thrown back. Slopes too steep to stand on first
//!   take what would climb them.
//! * Every call is bounded: [`MAX_BUMPS`] traces a slide, [`MAX_TRACES`] a tick, no allocation. Nothing panics, and what is
//!   not finite moves nothing.
//! * The same input gives the same answer on every machine.
//!
//! # Worlds
//!
//! Agents ask their world through the trait [`Tracer`], which maps and models have. A game with doors
//! that move implements it for all of them together; [`Surface::object`] then tells what an agent met or
//! stands on. Agents that a door closes on are in solid, and are pushed out of it by the next tick.

mod agent;
mod planes;
mod slide;
mod tracer;
mod vector;

pub use agent::{Agent, Settings};
pub use slide::clip_velocity;
pub use tracer::{Contact, Surface, Tracer};

/// How many things a slide meets at most before it ends where it is: more than the three that stop it
/// in a corner, and the few more that steps and curved walls put in the way.
pub const MAX_BUMPS: usize = 8;

/// How many traces [`Agent::walk`] takes at most: those of a slide, the way up of a step, for each try of
/// a step a slide and the way down, and the look for ground.
pub const MAX_TRACES: usize = MAX_BUMPS + 1 + STEP_PARTS.len() * (MAX_BUMPS + 1) + 1;

/// The parts of a tick that a step tries to last, the longest first: the whole of it, and a few units of
/// what somebody fast goes in a long one.
const STEP_PARTS: [f32; 3] = [1.0, 1.0 / 4.0, 1.0 / 16.0];

/// How far below an agent its ground may be, in units: Quake III's. Far more than the skin that a trace
/// keeps from a slope, too little to see.
const GROUND_REACH: f32 = 0.25;
