//! A guide from a map to a player who walks in it: a first level, the calls in a game, choosing hulls, the cost of
//! bullets, water and lifts, bots that find their way, what outlives a compile, large worlds, and what to do when a
//! player gets stuck. This module holds only documentation.
//!
//! # Your first level
//!
//! Maps are in units, of which Quake has 32 to a meter, and z is up. In a map editor (TrenchBroom, NetRadiant), make a
//! room with a floor, four walls, a ceiling and an `info_player_start`; or build one in Blender from convex meshes
//! named `UCX_...`. Compile it for your agents' boxes:
//!
//! ```text
//! onionc room.map --hull stand:16x56 --hull crouch:16x32
//! onionc render room.onion          # a picture of where each hull fits
//! onionc view room.onion room.map   # a page to walk in
//! ```
//!
//! The report says whether a hull *leaks*, that is, whether an agent can get out of the map. If so, `room.pts` holds a
//! path out, which map editors draw. Close the hole; until then, the void around the map counts as empty for this hull.
//!
//! # In a game
//!
//! In Rust, load the file once, request each hull with the box that the game uses, and trace:
//!
//! ```
//! use onion_runtime::{Aabb, OnionMap};
//! use onion_runtime::movement::{Agent, WalkSettings};
//!
//! # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/golden/low_tunnel.onion");
//! let map = OnionMap::from_bytes(std::fs::read(file)?)?;
//! // If the map was compiled for another box, this fails when the level loads, not when a player is stuck.
//! let stand = map.require_hull("stand", Aabb::new([-16.0, -16.0, -24.0], [16.0, 16.0, 32.0]))?;
//! let crouch = map.require_hull("crouch", Aabb::new([-16.0, -16.0, -24.0], [16.0, 16.0, 8.0]))?;
//!
//! let mut player = Agent::new(stand, [-200.0f32, 0.0, 24.0]);
//! for _tick in 0..60 {
//!     player.walk(&map.world(), &WalkSettings::default(), [320.0, 0.0], 1.0 / 60.0);
//! }
//! assert!(player.position[0] < -64.0); // The tunnel is too low to stand in.
//! assert!(player.switch_stance(&map.world(), crouch));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`movement`](crate::movement) is for games without movement code. A game that has its own keeps it, and calls
//! [`trace`](crate::Model::trace) instead of its engine's box trace; the only difference is that the box is given by
//! its hull.
//!
//! - **C and C++**: `runtime/c` has `onion.h` and builds `libonion`. The calls above are `onion_trace` and
//!   `onion_agent_walk`.
//! - **JavaScript**: `runtime/js` is a package without dependencies: `map.trace(stand, start, end)`.
//! - **Python**: `runtime/python` queries whole arrays of points, for tools and notebooks.
//! - **Bevy**: `runtime/bevy` is a plugin in Bevy's axes and meters: levels are assets, `Walker` is a component.
//! - **Other engines with y up**: the map's x, y, z become x, z, -y in the engine, in map units; scale by 1/32 to get
//!   meters. Convert the two points of a trace on the way in, and its end and normal on the way out. For glTF scenes,
//!   `--scale` sets the units.
//!
//! `onionc constants --rust` (`--c`, `--js`) writes the names and boxes of hulls as source code, from the `onion.toml`
//! that the build reads, so game and maps cannot disagree.
//!
//! # Choose hulls
//!
//! Compile a hull for every box that moves often: each is traced at full speed, and [`hit`](crate::Model::hit) names
//! the brush that it met. A hull never turns with its agent; choose its width by the narrowest door, not by the
//! shoulders of a character. A cylinder (`--hull stand:cylinder:16x56`) is about as wide in all directions, so an agent
//! gets through diagonal doors of its width. It costs nodes: three quarters more than a box, on ten maps.
//!
//! - Hulls with similar boxes share most of their planes: one tree for standing and crouching has 32% fewer nodes than
//!   two trees. Boxes of different widths share few planes, so one tree for both is larger than two; `--group auto`
//!   measures this and chooses.
//! - A box or a cylinder that is rarely queried, and balls and capsules, are traced against the brushes themselves.
//!   This takes the feature `shapes` and a map compiled with `--brushes`. `Shape::convex` takes the corners of any
//!   other object, turned as it is; keep the shape as long as it does not turn, because making it costs as much as
//!   a few traces, or dozens if it has many corners. Leave out small details: time grows with corners and edges.
//! - Each hull chooses the contents that block it: `--hull ghost:16x56:contents=playerclip` passes through walls.
//!
//! # Bullets: why a point hull is expensive
//!
//! `--hull bullet:point` makes traces of bullets, lines of sight and cameras as fast as walks. But a point gets
//! everywhere: behind pipes, into every niche, over every roof. An agent's hull has no surface there, because its box
//! smooths small details away. On five maps of Quake, Nexuiz and OpenArena, a file for standing, crouching and a point
//! is 1.4 to 1.8 times as large as one without the point. What helps, and what does not:
//!
//! - **A separate tree** is the default for points (`--group kinds`). With one tree for all hulls (`--group one`) files
//!   are larger, but then a place is one leaf for all three hulls.
//! - **No surfaces**: `--no-surfaces` leaves out hit data, from which a game gets the brush and surface of a hit.
//! - A thin box instead of a point, such as `bullet:1x2@center:contents=solid`, does not help: it also gets nearly
//!   everywhere, and has more planes. Nor does storing the brushes themselves (`--brushes`, for traces of any shape):
//!   they take as much room as the point.
//! - Where a point would get out of the map, cracks narrower than `--seal WIDTH` (1/8 unit by default) stop it, so that
//!   the space behind them is solid and costs nothing. A point that stays in the map passes through every crack.
//!
//! # What a hull costs
//!
//! On five maps of Quake, Nexuiz and OpenArena, a file for standing and crouching is 1.5 to 2.0 times as large as one
//! for standing alone; a third, wider box adds 0.8 to 1.2 times the first file, a point 0.6 to 1.2 times. The report of
//! a compile has the nodes and bytes of each hull (`--report FILE`). The time of a trace does not depend on the other
//! hulls.
//!
//! # Water, ladders and lifts
//!
//! In files compiled with `--brushes`, [`Agent::water_level`](crate::movement::Agent::water_level) tells how deep an
//! agent is in a liquid. An agent that swims, climbs or flies moves by [`Agent::swim`](crate::movement::Agent::swim). A
//! ladder is a brush that the game recognizes: by its contents ([`contents::LADDER`](crate::contents::LADDER)) at the
//! agent, or by the surface that a trace ahead hits. `Agent::ride` (feature `shapes`) moves an agent with lifts, trains
//! and doors. The example `game` has all of these, and an input that wins it.
//!
//! # Portals
//!
//! Two entities of the class `info_linked_portal` make two openings one: `origin` is the middle of an opening that
//! stands upright, `angle` the direction that it faces (0, 90, 180 or 270), `size` its width and height, such as
//! `128 160`, and each names the other's `targetname` as its `target`. In a glTF scene they are empty nodes with these
//! keys as extras. Around both there has to be room for the hull, since what passes is its origin. Filling counts both
//! places as reached, from the middles of the openings. The compiler warns of keys that are wrong, and of openings in
//! solid.
//!
//! ```
//! # #![allow(unused)]
//! use onion_runtime::movement::{Agent, WalkSettings};
//! use onion_runtime::{LinkedPortal, LinkedWorld, OnionMap};
//!
//! # let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/golden/low_tunnel.onion");
//! # let map = OnionMap::from_bytes(std::fs::read(golden)?)?;
//! # let stand = map.find_hull("stand").ok_or("no such hull")?;
//! # let mut player = Agent::new(stand, [-200.0f32, 0.0, 24.0]);
//! let portals: Vec<LinkedPortal> = map.linked_portals()?.collect::<Result<_, _>>()?;
//! // In each tick:
//! let map_world = map.world();
//! let world = LinkedWorld::new(&map_world, &portals, player.position);
//! player.walk(&world, &WalkSettings::default(), [320.0, 0.0], 1.0 / 60.0);
//! let quarters = world.arrive(&mut player);
//! // The game turns its view by this many quarter turns to the left, which no player notices.
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | language | portals of the map | traces | agents |
//! |---|---|---|---|
//! | Rust | `OnionMap::linked_portals` | `LinkedWorld` over any world | walk, swim |
//! | C | `onion_linked_portals` | `onion_linked_trace` in a scene | `onion_linked_agent_walk` and `_swim` |
//! | JavaScript | `linkedPortals` | `LinkedWorld` over a map or a scene | walk, swim |
//! | Python | `linked_portals` | `trace_linked` in the world | |
//!
//! Answers are the same to the last bit; a game may also make the list of portals itself.
//!
//! # Where an agent can stand
//!
//! A file compiled with `--floors` holds the floors of each hull: convex polygons on which its origin is when it
//! stands, without those in space that filling closed. They are exact, and few: about one for each step of a stair.
//! They take 7 to 14% of the file. `--agent NAME:HULL,HULL` names the hulls that are the stances of one agent, so
//! that a large monster's floors end where it does not get.
//!
//! ```
//! use onion_runtime::{HullId, OnionMap};
//!
//! /// Returns a place to flee to: of eight random ones, the one that is farthest from a threat.
//! fn refuge(
//!     map: &OnionMap<Vec<u8>>,
//!     hull: HullId,
//!     threat: [f64; 3],
//!     mut random: impl FnMut() -> f64, // from 0 to 1, of the game's own generator
//! ) -> Option<[f64; 3]> {
//!     let distance = |point: &[f64; 3]| -> f64 {
//!         point.iter().zip(threat).map(|(a, b)| (a - b) * (a - b)).sum()
//!     };
//!     let places = (0..8).filter_map(|_| map.random_place(hull, [random(), random(), random()]));
//!     let points = places.map(|(_, point)| point);
//!     points.max_by(|a, b| distance(a).total_cmp(&distance(b)))
//! }
//! ```
//!
//! [`OnionMap::floor_at`](crate::OnionMap::floor_at) has the floor under a position. An agent stands at most the
//! margin of a trace above its floor, 1/32 unit, so a reach of 1/4 unit tells ground from air.
//! [`OnionMap::nearest_floor`](crate::OnionMap::nearest_floor) has the nearest place where an agent could stand: drop
//! an item or an agent there. With the feature `navigation`, `OnionMap::reachable` lists the floors that an agent gets
//! to, and `OnionMap::can_reach` tells whether it gets from one place to another: ask it before you search for a path,
//! or before you spawn an item.
//!
//! `onionc export map.onion --parts floors -o floors.glb` writes them for other programs.
//!
//! # Bots that find their way
//!
//! A file compiled with `--floors` also holds the ways between floors: up and down steps, through passages where only a
//! lower stance fits, over ledges and across gaps. The compiler drove an agent across each, so what a path says can be
//! done.
//!
//! ```sh
//! onionc sample-maps/game.map --hull stand:16x56 --hull crouch:16x32 --floors
//! cargo run -p onion-runtime --features navigation --example bot -- \
//!     sample-maps/game.onion info_player_start item_health
//! ```
//!
//! The second command runs `examples/bot.rs`, a whole program: a bot crouches through a tunnel, drops into a pool and
//! climbs a ladder to an item.
//!
//! An agent has *stances*, the hulls that it changes between, such as standing and crouching. Agents with the same
//! stances and abilities are a *class*: `--agent human:stand,crouch:jump=56` says which hulls are the stances of one
//! and what it can do. Without it, hulls of equal width are, with the abilities of Quake III's players, and the class
//! has the name of the first. With `features = ["navigation"]` in the game's `Cargo.toml`, the crate finds paths and
//! follows them:
//!
#![cfg_attr(feature = "navigation", doc = "```")]
#![cfg_attr(not(feature = "navigation"), doc = "```ignore")]
//! use onion_runtime::OnionMap;
//! use onion_runtime::movement::Agent;
//! use onion_runtime::navigation::{PathCosts, PathFollower, Progress};
//!
//! # let tunnel = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/golden/low_tunnel-floors.onion");
//! let map = OnionMap::from_bytes(std::fs::read(tunnel)?)?;
//! let stand = map.find_hull("stand").ok_or("no such hull")?;
//! let class = map.agent_of(stand).ok_or("no links: compile with --floors")?;
//! // The `origin` of an entity: three numbers in a text. `examples/bot.rs` finds it by the entity's class.
//! let spawn = [-200.0, 0.0, 40.0];
//! let item = [200.0, 0.0, 16.0];
//! // Agents that stand there have their origin elsewhere, so the nearest places on floors count.
//! let (_, start) = map.nearest_floor(stand, spawn, 64.0).ok_or("no floor is near the start")?;
//! let (_, goal) = map.nearest_floor(stand, item, 64.0).ok_or("no floor is near the item")?;
//!
//! // Memory for searches and paths belongs to the game, which keeps it.
//! let mut scratch = vec![Default::default(); map.path_scratch()];
//! let mut points = vec![Default::default(); 256];
//! let costs = PathCosts::default();
//! let path = map.path(stand, start, goal, &costs, &mut scratch, &mut points)?;
//! let points = &points[..path.n_points];
//! let mut bot = Agent::new(points[0].hull, points[0].position);
//!
//! // In each tick, a step of the game's time:
//! let mut follower = PathFollower::new();
//! # let mut n_ticks = 0;
//! loop {
//! #   n_ticks += 1;
//! #   assert!(n_ticks < 600);
//!     match follower.walk(&mut bot, &map.world(), &class, points, 1.0 / 60.0) {
//!         Progress::Following => {}
//!         Progress::Arrived => break,
//!         Progress::Stuck => return Err("something is in the way: find another path".into()),
//!     }
//! }
//! # assert!((bot.position[0] - 200.0).abs() < 1.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The bot runs to the tunnel, crouches through it and stands up behind it. A path starts on a floor or at most a step
//! above it, so a bot that falls, jumps or climbs looks for another one when it stands again. Where only a lower stance
//! has room beside an item, ask `nearest_floor` and `path` with that stance, as the example does. A path needs no
//! radius: hulls were expanded by the compiler, so a bot may touch the corners it walks around. With other
//! [`PathCosts`](crate::navigation::PathCosts) it avoids jumps, drops or low passages.
//!
//! The walker swims and climbs with [`Agent::swim`](crate::movement::Agent::swim) where a link does: it swims straight
//! up and jumps out of the water, and moves up and down ladders. Under water it walks on the ground like elsewhere.
//! Lava, slime and `trigger_hurt` have no floors, so no path leads through them.
//!
//! Teleporters and jump pads of the Quake family (`trigger_teleport`, `trigger_push` with a target) are links as well,
//! and paths go around those that they do not need. The game moves the bot, as it moves players: when it touches the
//! brushes, put it at the target, or set its velocity and `on_ground = None`. The walker waits for that, and goes on
//! from where the bot comes down.
//!
//! Links lead up on lifts that start when an agent steps onto them (`func_plat`). Move the lifts as usual, and pass a
//! `Scene` to the walker (feature `shapes`): it waits beside the lift until the lift is down, goes to the middle of it,
//! rides up, and walks off. If the lift does not come for half a minute, the walker is
//! [`Stuck`](crate::navigation::Progress::Stuck).
//!
//! | language | a path | a walker on it |
//! |---|---|---|
//! | Rust | `OnionMap::path` | `PathFollower::walk` |
//! | C | `onion_path` | `onion_agent_follow` |
//! | JavaScript | `map.path` | `PathFollower.walk` |
//! | Python | `OnionMap.path` | `Followers.walk` |
//! | Bevy | `Walker::go_to` | the plugin, in each tick |
//! | Godot | `OnionLevel.go_to` | `OnionLevel.follow` |
//!
//! Answers are the same to the last bit, those of agents where these have the same precision: it is `f32` in C and
//! `f64` in JavaScript and Python. Put the agent at the first point, which is the start on its floor, rounded.
//! `runtime/c/README.md` shows the calls in C.
//!
//! Links lead through doors as if these stood open. The world of a map alone has no doors: pass a `Scene` to the walker
//! (feature `shapes`; in C, call `onion_scene_agent_follow`), and a bot that a closed door stops is
//! [`Stuck`](crate::navigation::Progress::Stuck): it waits or finds another path.
//!
//! # What movement does not do
//!
//! Agents have no acceleration and no friction on the ground: the wished velocity takes effect at once, and a game that
//! wants inertia changes its wish gradually. They do not turn, do not collide with each other (unless a game's
//! [`World`](crate::movement::World) says so), and are pushed up slopes but not up steps.
//!
//! # Reload, save, and send over a network
//!
//! - **Reload**: load the new bytes, request the hulls again, and replace the map at once. A [`HullId`](crate::HullId)
//!   belongs to one file; for a hull of another file everything is solid. Then give each agent its new `stance`; if it
//!   is in solid now, move it to [`nearest_fit`](crate::Model::nearest_fit).
//! - **Save**: the names of hulls, and positions and velocities to the bit. Numbers of models, entities, brushes and
//!   surfaces are those of the map: they stay the same until the map is edited. Numbers of leaves, nodes and planes,
//!   and the bits of a `HullId`, may change with each compile.
//! - **Network**: the same file, input and precision give the same bits on every machine, so agents can be predicted on
//!   a client and replayed on a server. Compare the checksum of the file when a client connects. Send positions as they
//!   are, because rounded ones may be in solid.
//!
//! # Large worlds, in meters
//!
//! A world reaches 65,536 units from its origin along each axis. With 32 units to the meter, as in Quake, that is 2 km
//! to each side; with 8 units to the meter it is 8 km, but then the margin of 1/32 unit is 4 mm, and a step of 18 units
//! is over 2 m: give [`WalkSettings`](crate::movement::WalkSettings) other lengths. In `f32`, positions near the border
//! are multiples of 1/128 unit; use `f64` there. Larger worlds are several files, each with an origin of its own,
//! overlapping by at least the longest trace.
//!
//! # Seams
//!
//! Two brushes that touch leave no gap for a trace to slip into, and a gap that is exactly as wide as a box is closed
//! to it. A gap that is a little wider, by less than the two margins of 1/32 unit, lets the box in and then holds it.
//! `onionc reach level.onion map.bsp` lists such places.
//!
//! # When a player gets stuck
//!
//! An [`Agent`](crate::movement::Agent) that does not start in solid never ends a move in solid: the trace guarantees
//! it, to the last bit. So something else put the stuck player there:
//!
//! - **A start or a teleport.** `onionc reach level.onion` lists the entities at which a hull has no room.
//! - **The wrong box.** If the game moves one box and the map was compiled for another, players stop early or get stuck
//!   at corners. [`require_hull`](crate::OnionMap::require_hull) finds this when the level loads.
//! - **Standing up.** Ask [`switched_position`](crate::Model::switched_position) first, or let an `Agent` do it: it
//!   stays low where there is no room.
//! - **A door or a lift** that moved into the player. `Agent::ride` (feature `shapes`) moves the player with the
//!   movers, and tells which of them would crush it. An `Agent` in solid looks for a way out by itself.
//! - **Rounding after the trace.** Use [`end_pos`](crate::Trace) as it is. A position that was scaled, offset or
//!   compressed for the network may be inside a wall again; if that changed it by less than the margin of 1/32 unit, it
//!   is in the wall by less than the margin.
//!
//! [`nearest_fit`](crate::Model::nearest_fit) finds the nearest place with room. To see what the hull sees, open
//! `onionc view`, choose the hull, and click.
