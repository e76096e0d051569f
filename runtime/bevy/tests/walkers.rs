//! Walkers in an app without a window: they load a level, walk into a wall and stop, exactly where the runtime's agents
//! do; crouch, jump and are teleported; and go on when the level is loaded again. The facts are those of the sample
//! map `low_tunnel`: the mouth of the tunnel, which is 40 units high, is at x = -64.

use std::f32::consts::FRAC_PI_2;
use std::path::Path;
use std::time::{Duration, Instant};
use std::{fs, thread};

use bevy_app::{App, TaskPoolPlugin};
use bevy_asset::{AssetPlugin, AssetServer, Assets, Handle, LoadState};
use bevy_ecs::entity::Entity;
use bevy_math::{Quat, Vec3};
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::components::Transform;
use onion_bevy::onion_runtime::OnionMap;
use onion_bevy::onion_runtime::navigation::{PathCosts, PathFollower, PathPoint};
use onion_bevy::{
    Agent, HullHandle, MapSpace, OnionLevel, OnionPlugin, PathError, Progress, WalkSettings, Walker,
};

const FILE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../tests/golden/low_tunnel.onion"
);
/// The same map with floors and links.
const FLOORS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../tests/golden/low_tunnel-floors.onion"
);
const STAND: [[f32; 3]; 2] = [[-16.0, -16.0, -24.0], [16.0, 16.0, 32.0]];
/// Seconds of a tick of Bevy's fixed clock, unless a game sets another.
const TICK: f32 = 1.0 / 64.0;
/// The origin of a standing player in the west, on the ground, 200 units before the middle of the map.
const WEST: [f32; 3] = [-200.0, 0.0, 24.0];

/// An app whose assets are in a folder; each update is one tick.
fn app(assets: &Path, plugin: OnionPlugin) -> App {
    let mut app = App::new();
    app.add_plugins((
        TaskPoolPlugin::default(),
        TimePlugin,
        AssetPlugin {
            file_path: assets.to_str().unwrap().to_owned(),
            watch_for_changes_override: Some(true),
            ..AssetPlugin::default()
        },
        plugin,
    ));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app
}

/// A folder with the level in it.
fn folder() -> tempfile::TempDir {
    folder_of(FILE)
}

fn folder_of(file: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(file, folder.path().join("level.onion")).unwrap();
    folder
}

fn load(app: &App) -> Handle<OnionLevel> {
    app.world().resource::<AssetServer>().load("level.onion")
}

/// Waits until something is so.
fn wait(app: &mut App, what: &str, mut is_so: impl FnMut(&mut App) -> bool) {
    let start = Instant::now();
    while !is_so(app) {
        assert!(start.elapsed() < Duration::from_secs(30), "never: {what}");
        thread::sleep(Duration::from_millis(5));
        app.update();
    }
}

fn state(app: &App, level: &Handle<OnionLevel>) -> LoadState {
    app.world().resource::<AssetServer>().load_state(level)
}

/// An app with a loaded level, and a walker that stands in the west of it.
fn walking(assets: &Path) -> (App, Handle<OnionLevel>, Entity) {
    let [mins, maxs] = STAND;
    let mut app = app(assets, OnionPlugin::default().require("stand", mins, maxs));
    let level = load(&app);
    let handle = level.clone();
    wait(&mut app, "loaded", |app| state(app, &handle).is_loaded());
    let place = Transform::from_translation(MapSpace::default().to_bevy(WEST));
    let walker = Walker::new(HullHandle::new(level.clone(), "stand"));
    let entity = app.world_mut().spawn((walker, place)).id();
    (app, level, entity)
}

fn walker(app: &mut App, entity: Entity) -> bevy_ecs::world::Mut<'_, Walker> {
    app.world_mut().get_mut::<Walker>(entity).unwrap()
}

fn place(app: &App, entity: Entity) -> Vec3 {
    app.world().get::<Transform>(entity).unwrap().translation
}

#[test]
fn axes_and_units_are_as_written() {
    let space = MapSpace::default();
    // North and up in the map: 64 units north, 96 up. Bevy's north is -z.
    assert_eq!(space.to_bevy([32.0, 64.0, 96.0]), Vec3::new(1.0, 3.0, -2.0));
    assert_eq!(space.to_map(Vec3::new(1.0, 3.0, -2.0)), [32.0, 64.0, 96.0]);
    assert_eq!(space.direction_to_bevy([0.0, 0.0, 1.0]), Vec3::Y);
    assert_eq!(space.direction_to_map(Vec3::Z), [0.0, -1.0, 0.0]);
    // Right-handed stays right-handed: what x cross y is in the map, it is in Bevy.
    let [x, y, z] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
        .map(|axis| space.direction_to_bevy(axis));
    assert_eq!(x.cross(y), z);
    // A quarter turn counterclockwise, seen from above, turns east to north.
    let place = Transform::from_xyz(1.0, 3.0, -2.0);
    let turned = place.with_rotation(Quat::from_rotation_y(FRAC_PI_2));
    let pose = space.pose_to_map(&turned).unwrap();
    assert_eq!(pose.origin::<f32>(), [32.0, 64.0, 96.0]);
    let north: [f32; 3] = pose.turn_to_world([1.0f32, 0.0, 0.0]);
    assert!((north[1] - 1.0).abs() < 1e-6, "{north:?}");
    let inches = MapSpace {
        units_per_meter: 40.0,
    };
    assert_eq!(inches.to_bevy([0.0, 0.0, 56.0]), Vec3::new(0.0, 1.4, 0.0));
}

#[test]
fn a_walker_is_where_the_agent_is_to_the_last_bit() {
    let folder = folder();
    let (mut app, _, entity) = walking(folder.path());
    let map = OnionMap::from_bytes(fs::read(FILE).unwrap()).unwrap();
    let [stand, crouch] = ["stand", "crouch"].map(|name| map.find_hull(name).unwrap());
    let mut agent = Agent::new(stand, WEST);
    let mut seen = [0; 3];
    for tick in 0..600 {
        // East, then northeast, south, and east again, crouching from the second second on; jumps now and then.
        let wish = [[320.0, 0.0], [200.0, 130.0], [0.0, -320.0], [320.0, 0.0]][tick / 150];
        let (hull, jumps) = (
            ["stand", "crouch"][usize::from(tick > 128)],
            tick % 50 == 40,
        );
        let mut walker = walker(&mut app, entity);
        walker.wish = Vec3::new(wish[0], 0.0, -wish[1]) / 32.0;
        walker.hull.name = hull.into();
        if jumps {
            walker.jump(270.0 / 32.0);
            agent.jump(270.0);
        }
        agent.switch_stance(&map.world(), [stand, crouch][usize::from(tick > 128)]);
        let met = agent.walk(&map.world(), &WalkSettings::default(), wish, TICK);
        app.update();
        let of_app = walker_state(&app, entity);
        assert_eq!(
            of_app.position.map(f32::to_bits),
            agent.position.map(f32::to_bits)
        );
        assert_eq!(
            of_app.velocity.map(f32::to_bits),
            agent.velocity.map(f32::to_bits)
        );
        assert_eq!(
            place(&app, entity),
            MapSpace::default().to_bevy(agent.position)
        );
        seen[0] += usize::from(met.is_some());
        seen[1] += usize::from(agent.on_ground.is_none());
        seen[2] += usize::from(agent.stance == crouch);
    }
    assert!(seen.into_iter().all(|times| times > 20), "{seen:?}");
}

fn walker_state(app: &App, entity: Entity) -> Agent<f32> {
    let walker = app.world().get::<Walker>(entity).unwrap();
    walker.agent().copied().unwrap()
}

/// East through the tunnel, which is too low to stand in.
#[test]
fn a_walker_goes_where_it_is_sent() {
    let folder = folder_of(FLOORS);
    let (mut app, _, entity) = walking(folder.path());
    let map = OnionMap::from_bytes(fs::read(FLOORS).unwrap()).unwrap();
    let stand = map.find_hull("stand").unwrap();
    let class = map.agent_of(stand).unwrap();
    let east = [200.0, 0.0, 24.0];
    let mut scratch = vec![Default::default(); map.path_scratch()];
    let mut points = vec![PathPoint::default(); 256];
    let costs = PathCosts::default();
    let path = map.path(stand, WEST, east, &costs, &mut scratch, &mut points);
    points.truncate(path.unwrap().n_points);
    let (mut agent, mut follower) = (Agent::new(stand, WEST), PathFollower::new());
    assert_eq!(walker(&mut app, entity).errand(), None);
    let goal = MapSpace::default().to_bevy(east);
    walker(&mut app, entity).go_to(goal);
    let mut has_crouched = false;
    loop {
        // Sent there again and again, it goes on.
        walker(&mut app, entity).go_to(goal);
        app.update();
        let progress = follower.walk(&mut agent, &map.world(), &class, &points, TICK);
        let of_app = walker_state(&app, entity);
        assert_eq!(
            of_app.position.map(f32::to_bits),
            agent.position.map(f32::to_bits)
        );
        let mut walker = walker(&mut app, entity);
        has_crouched |= walker.stance() == Some("crouch");
        assert_eq!(walker.errand(), Some(Ok(progress)));
        if progress == Progress::Arrived {
            walker.stop();
            break;
        }
        assert_eq!(progress, Progress::Following, "{agent:?}");
    }
    assert!(has_crouched);
    assert!(place(&app, entity).distance(goal) < 0.1);
    assert_eq!(walker(&mut app, entity).stance(), Some("stand"));
    // Then wishes move it again.
    walker(&mut app, entity).wish = Vec3::NEG_X;
    app.update();
    assert!(place(&app, entity).x < goal.x - 0.01);
    // It cannot stand in the air.
    walker(&mut app, entity).go_to(goal + Vec3::Y * 4.0);
    app.update();
    let refused = walker(&mut app, entity).errand();
    assert_eq!(refused, Some(Err(PathError::NoGoal)));
}

#[test]
fn a_walker_stops_at_a_wall_and_crouches_below_it() {
    let folder = folder();
    let (mut app, _, entity) = walking(folder.path());
    walker(&mut app, entity).wish = Vec3::X * 10.0;
    (0..128).for_each(|_| app.update());
    // The box reaches 16 ahead and stops 1/32 before the mouth of the tunnel.
    assert_eq!(place(&app, entity).x, (-64.0 - 16.0 - 1.0 / 32.0) / 32.0);
    assert_eq!(
        walker(&mut app, entity).met().unwrap().normal,
        [-1.0, 0.0, 0.0]
    );

    walker(&mut app, entity).hull.name = "crouch".into();
    (0..32).for_each(|_| app.update());
    assert!(place(&app, entity).x > -60.0 / 32.0);
    // Inside, it cannot stand up.
    walker(&mut app, entity).hull.name = "stand".into();
    walker(&mut app, entity).wish = Vec3::ZERO;
    app.update();
    assert_eq!(walker(&mut app, entity).stance(), Some("crouch"));
}

#[test]
fn a_transform_that_is_set_teleports() {
    let folder = folder();
    let (mut app, _, entity) = walking(folder.path());
    (0..3).for_each(|_| app.update());
    assert!(walker_state(&app, entity).on_ground.is_some());
    let above = MapSpace::default().to_bevy([-150.0, 10.0, 34.0]);
    app.world_mut()
        .get_mut::<Transform>(entity)
        .unwrap()
        .translation = above;
    app.update();
    let agent = walker_state(&app, entity);
    assert_eq!(agent.position[..2], [-150.0, 10.0]);
    assert!(agent.on_ground.is_none() && agent.position[2] < 34.0);
    (0..64).for_each(|_| app.update());
    assert!(walker_state(&app, entity).on_ground.is_some());
}

#[test]
fn a_walker_rests_until_its_level_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = app(folder.path(), OnionPlugin::default());
    let walker = Walker::new(HullHandle::new(load(&app), "stand"));
    let entity = app
        .world_mut()
        .spawn((walker, Transform::from_xyz(1.0, 2.0, 3.0)))
        .id();
    (0..10).for_each(|_| app.update());
    assert_eq!(place(&app, entity), Vec3::new(1.0, 2.0, 3.0));
    assert!(app.world().get::<Walker>(entity).unwrap().agent().is_none());
}

#[test]
fn levels_with_other_boxes_or_damage_do_not_load() {
    let folder = folder();
    let plugin = OnionPlugin::default().require("stand", [-15.0; 3], [15.0; 3]);
    let mut other = app(folder.path(), plugin);
    let level = load(&other);
    wait(&mut other, "refused", |app| state(app, &level).is_failed());
    let LoadState::Failed(error) = state(&other, &level) else {
        unreachable!()
    };
    assert!(error.to_string().contains("stand"), "{error}");

    let mut bytes = fs::read(FILE).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(folder.path().join("level.onion"), bytes).unwrap();
    let mut damaged = app(folder.path(), OnionPlugin::default());
    let level = load(&damaged);
    wait(&mut damaged, "refused", |app| {
        state(app, &level).is_failed()
    });
}

#[test]
fn a_level_that_changes_is_loaded_again_and_walked_on() {
    let folder = folder();
    let (mut app, level, entity) = walking(folder.path());
    walker(&mut app, entity).wish = Vec3::X * 10.0;
    (0..20).for_each(|_| app.update());
    let before = place(&app, entity);

    // The same map, compiled otherwise: hulls have other ids, and there is no fast form.
    let bare = FILE.replace("low_tunnel", "low_tunnel-bare-groups");
    let bytes = |app: &App| {
        let levels = app.world().resource::<Assets<OnionLevel>>();
        levels.get(&level).map(|level| level.map().has_entities())
    };
    assert_eq!(bytes(&app), Some(true));
    fs::copy(bare, folder.path().join("level.onion")).unwrap();
    wait(&mut app, "loaded again", |app| bytes(app) == Some(false));
    (0..128).for_each(|_| app.update());
    assert!(place(&app, entity).x > before.x);
    assert_eq!(place(&app, entity).x, (-64.0 - 16.0 - 1.0 / 32.0) / 32.0);
}
