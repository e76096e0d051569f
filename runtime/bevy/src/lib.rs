//! Compiled collision maps of `onionc` in Bevy: `.onion` files as assets that reload while the game runs, walking
//! agents, doors and lifts as components, and gizmos that draw boxes and whole hulls.
//!
//! # A player in a level
//!
//! ```no_run
//! use bevy_app::prelude::*;
//! use bevy_asset::AssetServer;
//! use bevy_ecs::prelude::*;
//! use bevy_math::Vec3;
//! use bevy_transform::components::Transform;
//! use onion_bevy::{HullHandle, OnionPlugin, Walker};
//!
//! fn start(mut commands: Commands, assets: Res<AssetServer>) {
//!     let stand = HullHandle::new(assets.load("courtyard.onion"), "stand");
//!     commands.spawn((Walker::new(stand), Transform::from_xyz(0.0, 0.75, 12.5)));
//! }
//!
//! fn steer(mut walkers: Query<&mut Walker>) {
//!     for mut walker in &mut walkers {
//!         walker.wish = Vec3::NEG_Z * 10.0; // From the keys, in meters per second.
//!     }
//! }
//!
//! # let mut app = App::new();
//! app.add_plugins(OnionPlugin::default().require("stand", [-16.0, -16.0, -24.0], [16.0, 16.0, 32.0]))
//!     .add_systems(Startup, start)
//!     .add_systems(Update, steer);
//! ```
//!
//! # A bot that finds its way
//!
//! In a level that was compiled with `--floors`, [`Walker::go_to`] sends a walker to a place, and [`Walker::errand`]
//! returns the state of that errand:
//!
//! ```no_run
//! use bevy_ecs::prelude::*;
//! use bevy_math::Vec3;
//! use onion_bevy::{Progress, Walker};
//!
//! fn think(mut walkers: Query<&mut Walker>) {
//!     for mut walker in &mut walkers {
//!         match walker.errand() {
//!             None => walker.go_to(Vec3::new(0.0, 0.75, -12.5)),
//!             Some(Ok(Progress::Following)) => {}
//!             Some(Ok(Progress::Arrived)) => walker.stop(),
//!             Some(Ok(_)) => walker.go_to(Vec3::ZERO), // Stuck: something is in its way.
//!             Some(Err(error)) => panic!("{error}"),
//!         }
//!     }
//! }
//! ```
//!
//! # Axes and units
//!
//! Maps have z up, and a unit is about an inch; Bevy has y up, and a unit is a meter. [`MapSpace`] converts: the map's
//! x, y, z are x, z, -y in Bevy, and 32 units are one meter unless the game sets another scale. Everything that this
//! crate shows to a game is in Bevy's axes and meters, except for types of `onion_runtime`: the [`Agent`], its
//! [`WalkSettings`] and the answers of [`OnionLevel::map`].
//!
//! If the scale is a power of two, such as 32, conversion rounds nothing, so a walker is where the same [`Agent`] of
//! `onion_runtime` would be, to the last bit.

mod errand;
#[cfg(feature = "gizmos")]
mod gizmos;
mod hull;
mod level;
mod mover;
#[cfg(feature = "skins")]
mod nav_mesh;
#[cfg(feature = "skins")]
mod outline;
mod plugin;
#[cfg(feature = "skins")]
mod skins;
mod space;
mod walker;

#[cfg(feature = "gizmos")]
pub use gizmos::{DrawHull, HullGizmos, OnionGizmoPlugin};
pub use hull::HullHandle;
pub use level::{OnionLevel, OnionLevelError, OnionLoader};
pub use mover::{LevelMover, LevelMovers};
#[cfg(feature = "skins")]
pub use nav_mesh::{LevelNavLink, LevelNavMesh};
pub use onion_runtime;
pub use onion_runtime::movement::{Agent, Ground, WalkSettings};
pub use onion_runtime::navigation::{LinkKind, PathError, Progress};
pub use plugin::{OnionPlugin, OnionSystems};
#[cfg(feature = "skins")]
pub use skins::DrawSkin;
pub use space::MapSpace;
pub use walker::Walker;
