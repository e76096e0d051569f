//! The sample game in Bevy: a low tunnel, a door, a pool, a ladder, a lift and a target to shoot. After each tick, the
//! player is exactly where it is in the terminal's game, `runtime/examples/game.rs`.
//!
//! ```text
//! onionc sample-maps/game.map --hull stand:16x56 --hull crouch:16x32 --hull bullet:point --brushes
//! cd runtime/bevy && cargo run --example game -- ../../sample-maps/game.onion
//! ```
//!
//! # Keys
//! `a` and `d` walk west and east, `w` jumps, swims or climbs up, `s` crouches or dives, `f` shoots. This program has
//! no window: it reads lines with keys and a number of ticks, of which a second has 60, such as `d 60`. README.md has
//! an app with a window, where the keyboard has the same keys.

use bevy_app::{TaskPoolPlugin, prelude::*};
use bevy_asset::prelude::*;
use bevy_color::Color;
use bevy_ecs::prelude::*;
use bevy_input::ButtonInput;
use bevy_input::keyboard::KeyCode::{self, KeyA, KeyD, KeyF, KeyS, KeyW};
use bevy_math::Vec3;
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::components::Transform;
use onion_bevy::onion_runtime::contents::{LADDER, LAVA, SLIME, WATER};
use onion_bevy::onion_runtime::{Aabb, Scene, movement::WaterLevel, shape::Shape};
use onion_bevy::*;

/// The box of the standing player, in units of the map. All other lengths are in meters.
const MINS: [f32; 3] = [-16.0, -16.0, -24.0];
const MAXS: [f32; 3] = [16.0, 16.0, 32.0];
const RUN: f32 = 10.0;
const SWIM: f32 = 5.0;
const JUMP: f32 = 270.0 / 32.0;
/// Speed of the door and of the lift, and how far they rise.
const MOVER_SPEED: f32 = 3.0;
const DOOR_RISE: f32 = 3.125;
const LIFT_RISE: f32 = 5.5;

/// The state of the game. The app inserts it before `Startup`.
#[derive(Resource)]
pub(crate) struct Game {
    pub(crate) level: Handle<OnionLevel>,
    pub(crate) has_won: bool,
}

/// The rules of the game. The app draws it.
pub(crate) struct GamePlugin;

/// What rises while the player is near, and sinks otherwise.
#[derive(Component)]
enum Riser {
    Door,
    Lift,
}

impl Plugin for GamePlugin {
    fn build(&self, app: &mut App) {
        let steering = (wait, steer).after(OnionSystems::Ride);
        app.add_plugins(OnionPlugin::default().require("stand", MINS, MAXS))
            .insert_resource(Time::<Fixed>::from_hz(60.0))
            .init_resource::<ButtonInput<KeyCode>>()
            .add_systems(Startup, start)
            .add_systems(FixedUpdate, rise.before(OnionSystems::Ride))
            .add_systems(FixedUpdate, steering.before(OnionSystems::Walk))
            .add_systems(FixedUpdate, shoot.after(OnionSystems::Walk));
    }
}

fn start(mut commands: Commands, game: Res<Game>) {
    let level = &game.level;
    let stand = HullHandle::new(level.clone(), "stand");
    let place = Transform::from_xyz(-14.0, 0.75, 0.0);
    let color = Color::WHITE;
    let look = DrawHull { color };
    commands.spawn((Walker::new(stand), look, place));
    for (riser, model) in [(Riser::Door, 1), (Riser::Lift, 2)] {
        commands.spawn((riser, LevelMover::new(level.clone(), model), look));
    }
}

/// Moves the door and the lift to where they are after the tick.
fn rise(
    player: Single<(&Walker, &Transform)>,
    time: Res<Time>,
    mut risers: Query<(Entity, &Riser, &mut Transform), Without<Walker>>,
) {
    let (walker, place) = *player;
    for (entity, riser, mut transform) in &mut risers {
        let (rises, top) = match riser {
            Riser::Door => ((place.translation.x - 4.25).abs() < 3.0, DOOR_RISE),
            Riser::Lift => (walker.stands_on() == Some(entity), LIFT_RISE),
        };
        let speed = if rises { MOVER_SPEED } else { -MOVER_SPEED };
        let height = transform.translation.y + speed * time.delta_secs();
        transform.translation.y = height.clamp(0.0, top);
    }
}

/// Lets a mover that has no room wait for this tick.
fn wait(player: Single<&Walker>, mut movers: Query<(&LevelMover, &mut Transform)>) {
    let crushing = player.crushed_by().map(|mover| movers.get_mut(mover));
    if let Some(Ok((mover, mut transform))) = crushing {
        *transform = mover.start().unwrap_or(*transform);
    }
}

/// Lets the player do what the held keys say, from where the movers have brought it.
fn steer(
    keys: Res<ButtonInput<KeyCode>>,
    levels: Res<Assets<OnionLevel>>,
    mut walker: Single<&mut Walker>,
) -> Result {
    let (Some((level, _)), Some(agent)) = (walker.hull.get(&levels), walker.agent()) else {
        return Ok(()); // The level is not loaded yet.
    };
    let held = |key| f32::from(u8::from(keys.pressed(key)));
    let (east, up) = (held(KeyD) - held(KeyA), held(KeyW) - held(KeyS));
    let world = level.map().world();
    let depth = agent.water_level(&world, WATER | SLIME | LAVA);
    let body = Shape::axial_box(Aabb::new(MINS, MAXS))?;
    let is_on_ladder = world.shape_is_solid(&body, LADDER, agent.position)?;
    walker.swims = depth >= WaterLevel::Waist || is_on_ladder;
    walker.wish = Vec3::new(east, up, 0.0) * if walker.swims { SWIM } else { RUN };
    let crouches = up < 0.0 && !walker.swims;
    walker.hull.name = if crouches { "crouch" } else { "stand" }.into();
    if up > 0.0 && !walker.swims {
        walker.jump(JUMP);
    }
    Ok(())
}

fn shoot(
    keys: Res<ButtonInput<KeyCode>>,
    levels: Res<Assets<OnionLevel>>,
    movers: LevelMovers,
    walker: Single<&Walker>,
    mut game: ResMut<Game>,
) -> Result {
    let (Some(level), Some(agent)) = (levels.get(&game.level), walker.agent()) else {
        return Ok(());
    };
    if keys.pressed(KeyF) {
        // From the eyes to the east, in the axes and units of the map.
        let bullet = level.hull("bullet").ok_or("no hull bullet")?;
        let (_, movers) = movers.of(&game.level);
        let [x, y, z] = agent.position;
        let (from, to) = ([x, y, z + 26.0], [x + 2048.0, y, z + 26.0]);
        let shot = Scene::new(level.map(), &movers)?.trace(bullet, from, to);
        let name = shot.hit.map(|hit| hit.side.surface.name().to_string());
        if name.is_some_and(|name| name.ends_with("target")) && !game.has_won {
            game.has_won = true;
            println!("You hit the target.");
        }
    }
    Ok(())
}

/// Returns the game in an app without a window, each update of which is one tick.
pub(crate) fn without_window(level: OnionLevel) -> App {
    let mut app = App::new();
    let assets = AssetPlugin::default();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, assets, GamePlugin));
    let mut levels = app.world_mut().resource_mut::<Assets<_>>();
    let (level, has_won) = (levels.add(level), false);
    app.insert_resource(Game { level, has_won });
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.update(); // Only starts the clock.
    app
}

/// Plays a line of keys and a number of ticks. Returns where the player is then, in units of the map.
pub(crate) fn play(app: &mut App, line: &str) -> Option<[f32; 3]> {
    let mut words = line.split_whitespace();
    let held = words.next().unwrap_or("");
    let n_ticks = words.next().and_then(|word| word.parse().ok()).unwrap_or(1);
    let mut keys = app.world_mut().resource_mut::<ButtonInput<KeyCode>>();
    keys.release_all();
    for (name, key) in "adwsf".chars().zip([KeyA, KeyD, KeyW, KeyS, KeyF]) {
        if held.contains(name) {
            keys.press(key);
        }
    }
    (0..n_ticks).for_each(|_| app.update());
    let mut walkers = app.world_mut().query::<&Walker>();
    let walker = walkers.single(app.world()).ok()?;
    Some(walker.agent()?.position)
}

fn main() -> Result {
    let file = std::env::args().nth(1).ok_or("usage: game LEVEL.onion")?;
    let mut app = without_window(OnionLevel::from_bytes(std::fs::read(file)?)?);
    for line in std::io::stdin().lines() {
        let line = line?;
        let [x, y, z] = play(&mut app, &line).ok_or("the level has no hull stand")?;
        println!("{line}: at {x:.1} {y:.1} {z:.1}");
        if app.world().resource::<Game>().has_won {
            break;
        }
    }
    Ok(())
}
