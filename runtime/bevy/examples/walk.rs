//! Walks a player through a level in an app without a window, and prints where it is, in Bevy's axes and meters.
//!
//! ```text
//! onionc sample-maps/courtyard.bsp --hull stand:16x56 --hull crouch:16x32
//! cd runtime/bevy && cargo run --example walk -- ../../sample-maps/courtyard.onion
//! ```
//!
//! The player stands in the gate, runs north for five seconds, and jumps every second.

use std::path::Path;
use std::time::Duration;

use bevy_app::{App, AppExit, FixedUpdate, ScheduleRunnerPlugin, Startup, TaskPoolPlugin};
use bevy_asset::{AssetPlugin, AssetServer, LoadState};
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_time::{Fixed, Time, TimePlugin};
use bevy_transform::components::Transform;
use onion_bevy::{HullHandle, MapSpace, OnionPlugin, OnionSystems, Walker};

/// Where the player starts, in units of the map.
const START: [f32; 3] = [0.0, -640.0, 24.0];
/// Meters a second.
const RUN: f32 = 10.0;
const JUMP: f32 = 8.5;

/// The file, in Bevy's folder of assets.
#[derive(Resource)]
struct Level(String);

fn main() -> AppExit {
    let file = std::env::args().nth(1).unwrap_or_default();
    let Some(name) = Path::new(&file).file_name() else {
        eprintln!("usage: walk LEVEL.onion");
        return AppExit::error();
    };
    // Bevy loads from a folder: that of the file.
    let folder = std::path::absolute(&file).unwrap_or_default();
    let file_path = folder.with_file_name("").to_string_lossy().into_owned();
    App::new()
        .add_plugins((
            TaskPoolPlugin::default(),
            TimePlugin,
            ScheduleRunnerPlugin::run_loop(Duration::from_millis(5)),
            AssetPlugin {
                file_path,
                ..AssetPlugin::default()
            },
            OnionPlugin::default().require("stand", [-16.0, -16.0, -24.0], [16.0, 16.0, 32.0]),
        ))
        .insert_resource(Level(name.to_string_lossy().into_owned()))
        .add_systems(Startup, start)
        .add_systems(FixedUpdate, steer.before(OnionSystems::Walk))
        .run()
}

fn start(
    mut commands: Commands,
    assets: Res<AssetServer>,
    level: Res<Level>,
    space: Res<MapSpace>,
) {
    let stand = HullHandle::new(assets.load(level.0.clone()), "stand");
    let place = Transform::from_translation(space.to_bevy(START));
    commands.spawn((Walker::new(stand), place));
}

fn steer(
    mut walker: Single<(&mut Walker, &Transform)>,
    time: Res<Time<Fixed>>,
    assets: Res<AssetServer>,
    mut exit: MessageWriter<AppExit>,
) {
    let (walker, transform) = &mut *walker;
    if let LoadState::Failed(error) = assets.load_state(&walker.hull.level) {
        eprintln!("walk: error: {error}");
        exit.write(AppExit::error());
        return;
    }
    walker.wish = Vec3::NEG_Z * RUN;
    let second = time.timestep();
    if time.elapsed().as_millis() % 1000 < second.as_millis() {
        println!("{:5.2} s: {}", time.elapsed_secs(), transform.translation);
        walker.jump(JUMP);
    }
    if time.elapsed_secs() > 5.0 {
        exit.write(AppExit::Success);
    }
}
