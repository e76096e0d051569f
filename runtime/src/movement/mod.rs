//! Movement of walking agents, for games without movement code: ticks of sliding along walls, stepping up and down
//! stairs, standing, falling, crouching and riding on lifts, at a velocity that the game wishes for. Nothing else in
//! the crate depends on it. The behavior is that of Quake III's players (`bg_slidemove.c`, `bg_pmove.c`) without their
//! acceleration and friction, on the traces of Golodetz's onion BSPs. Golodetz uses several hulls for the same
//! purpose: to let agents switch stances.
//!
//! # A walking player
//!
//! ```
//! use onion_runtime::{Aabb, OnionMap};
//! use onion_runtime::movement::{Agent, WalkSettings};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/golden/low_tunnel.onion");
//! # let bytes = std::fs::read(golden)?;
//! let map = OnionMap::from_bytes(&bytes)?;
//! let stand = map.require_hull("stand", Aabb::new([-16.0, -16.0, -24.0], [16.0, 16.0, 32.0]))?;
//! let crouch = map.require_hull("crouch", Aabb::new([-16.0, -16.0, -24.0], [16.0, 16.0, 8.0]))?;
//! let (world, settings) = (map.world(), WalkSettings::default());
//! let mut player = Agent::new(stand, [-200.0f32, 0.0, 24.0]);
//!
//! # let (mut n_ticks, keys) = (0, [320.0f32, 0.0]);
//! # let mut crouch_key = false;
//! # let jump_key = false;
//! while n_ticks < 120 {
//!     let wish_velocity: [f32; 2] = keys; // From the keys, in units a second.
//!     if jump_key {
//!         player.jump(270.0);
//!     }
//!     // Standing up under a low ceiling fails until there is room.
//!     player.switch_stance(&world, if crouch_key { crouch } else { stand });
//!     player.walk(&world, &settings, wish_velocity, 1.0 / 60.0);
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
//! # Doors and lifts
//!
//! In each tick the movers of a `Scene` go first: `Agent::ride` (feature `shapes`) carries the player with the mover
//! that it stands on, and pushes it out of the way of others. Then it walks, among movers that stand still.
//!
//! ```
//! # #[cfg(not(feature = "shapes"))]
//! # fn main() {}
//! # #[cfg(feature = "shapes")]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use onion_runtime::movement::{Agent, WalkSettings};
//! use onion_runtime::{Mover, OnionMap, Scene};
//!
//! # let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/golden/low_tunnel.onion");
//! # let map = OnionMap::from_bytes(std::fs::read(golden)?)?;
//! # let stand = map.find_hull("stand").ok_or("no such hull")?;
//! let (settings, dt) = (WalkSettings::default(), 1.0 / 60.0);
//! let mut player = Agent::new(stand, [-200.0f32, 0.0, 24.0]);
//! let mut movers: Vec<Mover> = map.movers().collect();
//!
//! # for _tick in 0..60 {
//! // Every tick, each mover goes on from where it was. Here all of them rise, at 120 units per second.
//! for lift in &mut movers {
//!     let [x, y, z]: [f64; 3] = lift.to.origin();
//!     lift.from = lift.to;
//!     lift.to = lift.to.with_origin([x, y, z + 2.0]);
//! }
//! let ride = player.ride(&Scene::new(&map, &movers)?, &settings, dt);
//! if let Some(crusher) = ride.crushed_by {
//!     // It has not moved, and here the mover does not, either. A game may also let the mover go on, and take health.
//!     movers[crusher].to = movers[crusher].from;
//!     let _ = player.ride(&Scene::new(&map, &movers)?, &settings, dt);
//! }
//! player.walk(&Scene::new(&map, &movers)?, &settings, [0.0, 0.0], dt);
//! # }
//! # assert!(player.on_ground.is_some() && player.on_ground.unwrap().object == 0);
//! # Ok(())
//! # }
//! ```
//!
//! A game with many agents keeps copies of them: if a mover crushes one and stays, the others ride again.
//!
//! # Guarantees
//!
//! * Agents that are not in solid never get into it, to the last bit of their positions, in files as the compiler
//!   wrote them. In a damaged file whose checksum is right nevertheless, the fast form may contradict the trees, and
//!   a trace may end in solid. Agents that are in solid can get out: see [`Agent::walk`].
//! * When an agent meets planes, its velocity becomes the nearest one that goes into none of them: speed
//!   along a wall is kept, and no agent is thrown back. Slopes too steep to stand on first remove the part of
//!   the velocity that would climb them.
//! * A rider that nothing is in the way of keeps its place on its mover, to the rounding of its position. If movers
//!   leave an agent no room, the game gets the mover that crushes it.
//! * Every call is bounded: [`MAX_BUMPS`] traces per slide, [`MAX_TRACES`] per tick, `MAX_PUSHES` and one more per
//!   ride, no allocation. Through linked portals, each of them may become 65 traces of the scene. Nothing panics, and
//!   input that is not finite moves nothing.
//! * The same input gives the same answer on every machine.
//!
//! # Worlds
//!
//! Agents query their world through the trait [`World`], which models, views of a hull and scenes implement. In
//! the view of its hull ([`Model::view`](crate::Model::view)), an agent's tick takes about a tenth less time than in
//! the model. In a scene, the movers stand still where their ways end, and [`Ground::object`] identifies the mover that
//! an agent met or stands on. A game with moving things of its own implements the trait for the map and all of them
//! together. An agent that one of them closes on is in solid, and the next tick pushes it out.

mod agent;
mod limits;
mod linked;
mod planes;
#[cfg(feature = "shapes")]
mod pushes;
#[cfg(feature = "shapes")]
mod ride;
mod settings;
mod slide;
mod swim;
mod world;
mod worlds;

pub use agent::Agent;
#[cfg(feature = "shapes")]
#[cfg_attr(docsrs, doc(cfg(feature = "shapes")))]
pub use limits::MAX_PUSHES;
pub use limits::{MAX_BUMPS, MAX_TRACES};
pub use linked::{LinkedPortal, LinkedWorld};
#[cfg(feature = "shapes")]
#[cfg_attr(docsrs, doc(cfg(feature = "shapes")))]
pub use ride::Ride;
pub use settings::WalkSettings;
pub use slide::clip_velocity;
pub use swim::WaterLevel;
pub use world::{Footing, Ground, Stop, World};
