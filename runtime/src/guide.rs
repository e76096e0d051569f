//! From a map to a player who walks in it: a first level, the call in a game, the choice of hulls, what bullets cost,
//! and what to do when a player gets stuck. Nothing but documentation is here.
//!
//! # Your first level
//!
//! Make a room in a map editor (TrenchBroom, NetRadiant) with a floor, four walls, a ceiling and an
//! `info_player_start`, or in Blender of convex meshes named `UCX_...`. Then compile it for the boxes of your agents:
//!
//! ```text
//! onionc room.map --hull stand:16x56 --hull crouch:16x32
//! onionc render room.onion          # a picture of where each hull fits
//! onionc view room.onion room.map   # a page to walk in
//! ```
//!
//! The report says whether a hull *leaks*: whether an agent can get out of the map. A path out is in `room.pts`, which
//! map editors draw. Close the hole; until then, the void around the map counts as empty for this hull.
//!
//! # In a game
//!
//! In Rust, load the file once, ask for each hull with the box that the game means, and trace:
//!
//! ```
//! use onion_runtime::OnionMap;
//! use onion_runtime::movement::{Agent, WalkSettings};
//!
//! # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/golden/low_tunnel.onion");
//! let map = OnionMap::from_bytes(std::fs::read(file)?)?;
//! // An error if the map was compiled for another box: found when the level loads, not when a player is stuck.
//! let stand = map.require_hull("stand", [-16.0, -16.0, -24.0], [16.0, 16.0, 32.0])?;
//! let crouch = map.require_hull("crouch", [-16.0, -16.0, -24.0], [16.0, 16.0, 8.0])?;
//!
//! let mut player = Agent::new(stand, [-200.0f32, 0.0, 24.0]);
//! for _tick in 0..60 {
//!     player.walk(&map, &WalkSettings::default(), [320.0, 0.0], 1.0 / 60.0);
//! }
//! assert!(player.position[0] < -64.0); // The tunnel is too low to stand in.
//! assert!(player.switch_stance(&map, crouch));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`movement`](crate::movement) is for games that have no movement of their own. One that has keeps it, and calls
//! [`trace`](crate::OnionMap::trace) where it called its engine's: it is a trace of a box, except that the box is
//! named.
//!
//! - **C and C++**: `runtime/c` has `onion.h` and builds `libonion`; `onion_trace` and `onion_agent_walk` are these
//!   calls.
//! - **JavaScript**: `runtime/js` is a package without dependencies: `map.trace(stand, start, end)`.
//! - **Python**: `runtime/python` asks about arrays of points at once, for tools and notebooks.
//! - **Bevy**: `runtime/bevy` is a plugin: levels are assets, `Walker` is a component, in Bevy's axes and meters.
//! - **Other engines whose y is up**: the map's x, y, z are x, z, -y of such an engine, in units; a scale of 1/32 makes
//!   meters of them. Convert the two points of a trace on the way in, and the end and the normal on the way out. With
//!   glTF scenes, `--scale` chooses units.
//!
//! `onionc constants --rust` (`--c`, `--js`) writes the names and boxes of hulls as source, from the same file that the
//! build takes them from, so that game and maps cannot disagree.
//!
//! # Choose hulls
//!
//! Compile a hull for every box that walks often: each answers at full speed, and with [`hit`](crate::OnionMap::hit)
//! for what was met. A box has one size for all directions, so it does not turn; choose its width by the narrowest
//! door, not by the shoulders of a model.
//!
//! - Hulls of like boxes share most of their planes: standing and crouching in one tree have 32% fewer nodes than in
//!   two. Boxes of different widths share few, so one tree of both is larger than two; `--group auto` measures that and
//!   chooses.
//! - For a box that is rarely asked about, [`trace_box`](crate::Model::trace_box) uses a compiled hull within it. It
//!   never stops too late, and tells by how much it may stop too early.
//! - Balls and capsules are traced against the brushes themselves, with the feature `shapes` and a map that was
//!   compiled with `--brushes`.
//! - Every hull is blocked by contents of its own: `--hull ghost:16x56:contents=playerclip` passes walls.
//!
//! # Bullets: why a point hull costs
//!
//! `--hull bullet:point` makes bullets, lines of sight and cameras as quick as walks. But a point gets everywhere:
//! behind pipes, into every niche, over every roof. All of that is surface that an agent's hull does not have, because
//! its box smooths small things over. On five OpenArena maps a file for standing, crouching and a point is 1.8 to 2.8
//! times as large as one without the point. What helps, and what does not:
//!
//! - **A tree of its own**: with `--group stand+crouch,bullet` (or `auto`, which tries) the same files are 1.6 to 1.9
//!   times as large as without the point. A place is then no longer one leaf for all three.
//! - **No surfaces**: `--no-surfaces` leaves out what tells a game which brush and surface a trace hit.
//! - A thin box instead of a point, such as `bullet:1x2@center:contents=solid`, does not help: it gets nearly
//!   everywhere too, and has more planes. Nor do the brushes themselves (`--brushes`, for traces of any shape): they
//!   take as much room as the point.
//! - `--seal WIDTH` closes cracks up to that width for points, 1/8 unit unless told, so that what lies behind them is
//!   solid and costs nothing.
//!
//! # When a player gets stuck
//!
//! Agents of this crate never end a move in solid if they did not start in it: the trace promises that, to the last
//! bit. So a player who is stuck was put there, in one of these ways:
//!
//! - **By a start or a teleport.** `onionc reach level.onion` lists the entities at which a hull has no room.
//! - **By another box.** A game that moves by one box and was compiled for another stops early, or gets stuck at
//!   corners. [`require_hull`](crate::OnionMap::require_hull) finds it when the level loads.
//! - **By standing up.** Ask [`switched_position`](crate::Model::switched_position), or let an
//!   [`Agent`](crate::movement::Agent) do it: it stays low where there is no room.
//! - **By a door or a lift** that moved into the player. Push the player with the door, or stop the door: a `Scene`
//!   (feature `shapes`) tells whether one is in the way. An agent in solid looks for a way out by itself.
//! - **By rounding after the trace.** Take [`end_pos`](crate::Trace) as it is. A position that was scaled, compressed
//!   for the network or added to may lie in the wall again, by less than the skin of 1/32 unit if it was rounded by
//!   less.
//!
//! [`nearest_fit`](crate::Model::nearest_fit) finds the nearest place with room. To see what the hull sees, open
//! `onionc view`, choose the hull, and click.
