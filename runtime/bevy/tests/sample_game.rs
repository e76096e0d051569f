//! The sample game, played without a window: the player is where the terminal's game has it, and wins. What movers do
//! to walkers that the game does not show: they crush them, and can be taken away below them.
#![cfg(feature = "gizmos")]

use std::any::TypeId;
use std::sync::LazyLock;

use bevy_app::App;
use bevy_asset::Assets;
use bevy_ecs::entity::Entity;
use bevy_gizmos::{GizmoAsset, GizmoHandles, GizmoPlugin};
use bevy_math::Vec3;
use bevy_transform::components::Transform;
use onion_bevy::{HullGizmos, LevelMover, OnionGizmoPlugin, OnionLevel, Walker};
use onion_compiler::hull::{HullOption, resolve};
use onion_compiler::{CompileOptions, Fill, compile};
use onion_maps::ReadOptions;

#[path = "../examples/game.rs"]
#[allow(dead_code)] // Its `main`.
mod game;
#[path = "../../examples/game.rs"]
#[allow(dead_code)]
mod terminal;

const MAP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample-maps/game.map");

/// The lines of the test of the terminal's game, and after the shot more of everything: jumps, falls, dives and the
/// door from the other side.
const WAY: [&str; 9] = [
    "d 120", "ds 110", "d 120", "dw 90", "d 50", ". 140", "d 30", "a 15", "d 15",
];
const MORE: [&str; 11] = [
    "a 60", "as 40", "aw 200", "sd 90", "d 20", "d 120", "dw 90", "d 50", ". 140", "d 30", "df 30",
];

/// The compiled map of the game.
static FILE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let map = onion_maps::parse(&std::fs::read(MAP).unwrap(), &ReadOptions::default()).unwrap();
    let hulls = ["stand:16x56", "crouch:16x32", "bullet:point"];
    let hulls = hulls.map(|hull| hull.parse::<HullOption>().unwrap());
    let options = CompileOptions {
        brushes: true,
        fill: Fill::Off,
        ..CompileOptions::new(resolve(&hulls, None).unwrap())
    };
    compile(&map, &options).unwrap().bytes
});

fn app() -> App {
    game::without_window(OnionLevel::from_bytes(FILE.clone()).unwrap())
}

fn player(app: &mut App) -> &Walker {
    let mut walkers = app.world_mut().query::<&Walker>();
    walkers.single(app.world()).unwrap()
}

fn place(app: &mut App, mover: Entity) -> &mut Transform {
    app.world_mut()
        .get_mut::<Transform>(mover)
        .unwrap()
        .into_inner()
}

/// Returns the mover that shows a model.
fn mover(app: &mut App, model: usize) -> Entity {
    let mut movers = app.world_mut().query::<(Entity, &LevelMover)>();
    let mut movers = movers.iter(app.world());
    let found = movers.find(|(_, mover)| mover.model == model);
    found.unwrap().0
}

/// An app whose player rides on the lift, and the lift.
fn riding() -> (App, Entity) {
    let mut app = app();
    for line in WAY.into_iter().take(5).chain([". 70"]) {
        game::play(&mut app, line);
    }
    let lift = mover(&mut app, 2);
    assert_eq!(player(&mut app).stands_on(), Some(lift));
    (app, lift)
}

#[test]
fn the_player_is_where_the_terminal_has_it() {
    for (end, wins) in [
        (&["f 1"][..], true),
        (&MORE[..], true),
        (&["d 1"][..], false),
    ] {
        let mut app = app();
        let mut terminal = terminal::Session::new(FILE.clone()).unwrap();
        for line in WAY.iter().chain(end) {
            let input = format!("{line}\n");
            terminal::play(&mut terminal, input.as_bytes(), std::io::sink()).unwrap();
            let position = game::play(&mut app, line).unwrap();
            let expected = terminal.player.position;
            assert_eq!(
                position.map(f32::to_bits),
                expected.map(f32::to_bits),
                "{line}"
            );
            assert_eq!(player(&mut app).agent(), Some(&terminal.player), "{line}");
        }
        let has_won = app.world().resource::<game::Game>().has_won;
        assert_eq!((has_won, terminal.has_won), (wins, wins));
    }
}

#[test]
fn a_lift_that_comes_down_crushes_and_waits() {
    let mut app = app();
    game::play(&mut app, ". 10");
    let level = app.world().resource::<game::Game>().level.clone();
    // The lift's plate again, 96 wide, with its middle above the player at -448, and 100 above the ground.
    let start = Transform::from_xyz((-448.0 - 512.0) / 32.0, 100.0 / 32.0, 0.0);
    let press = app
        .world_mut()
        .spawn((LevelMover::new(level, 2), start))
        .id();
    let mut n_crushed = 0;
    for _ in 0..60 {
        place(&mut app, press).translation.y -= 0.05;
        app.update();
        let player = player(&mut app);
        n_crushed += usize::from(player.crushed_by() == Some(press));
        assert!(player.agent().unwrap().on_ground.is_some());
    }
    // It comes 44 units down to the player's head at 56, 1.6 units a tick; then the game lets it wait.
    assert_eq!(n_crushed, 60 - 27);
    let height = place(&mut app, press).translation.y * 32.0;
    assert!((56.0..57.6).contains(&height), "{height}");
}

#[test]
fn a_rider_keeps_its_lift_when_movers_come_and_falls_when_it_goes() {
    let (mut app, lift) = riding();
    let before = player(&mut app).agent().unwrap().position;
    // A mover that comes before the lift in scenes.
    let level = app.world().resource::<game::Game>().level.clone();
    app.world_mut().spawn((
        LevelMover::new(level, 1),
        Transform::from_xyz(-8.0, 0.0, 0.0),
    ));
    let [x, y, z] = game::play(&mut app, ". 1").unwrap();
    assert_eq!(player(&mut app).stands_on(), Some(lift));
    assert_eq!([x, y], [before[0], before[1]]);
    assert!((z - before[2] - 1.6).abs() < 1e-3, "{z}");

    app.world_mut().despawn(lift);
    let [_, _, lower] = game::play(&mut app, ". 10").unwrap();
    assert!(lower < z - 2.0, "{lower}");
    assert_eq!(player(&mut app).stands_on(), None);
}

#[test]
fn boxes_are_around_movers() {
    let (mut app, lift) = riding();
    app.add_plugins((GizmoPlugin, OnionGizmoPlugin));
    app.update();
    let height = place(&mut app, lift).translation.y;
    let handles = app.world().resource::<GizmoHandles>().handles();
    let handle = handles[&TypeId::of::<HullGizmos>()]
        .as_ref()
        .expect("it draws");
    let gizmos = app.world().resource::<Assets<GizmoAsset>>();
    let corners = &gizmos
        .get(handle)
        .unwrap()
        .buffer()
        .buffer()
        .strip_positions;
    // The plate is from 464, -48, 0 to 560, 48, 16.
    for corner in [[464.0, 0.0, -48.0], [560.0, 16.0, 48.0]] {
        let corner = Vec3::from_array(corner) / 32.0 + Vec3::Y * height;
        assert!(
            corners.iter().any(|at| at.distance(corner) < 1e-3),
            "{corners:?}"
        );
    }
}
