//! What gizmos draw: outlines of hulls, as lines in Bevy's axes and meters, in an app without a window. The level is
//! the sample map `low_tunnel`.
#![cfg(feature = "skins")]

use std::any::TypeId;

use bevy_app::App;
use bevy_asset::{AssetPlugin, Assets, Handle};
use bevy_color::Color;
use bevy_gizmos::retained::Gizmo;
use bevy_gizmos::{GizmoAsset, GizmoHandles, GizmoPlugin};
use bevy_math::Vec3;
use bevy_time::TimePlugin;
use bevy_transform::components::Transform;
use onion_bevy::{
    DrawHull, DrawSkin, HullGizmos, HullHandle, OnionGizmoPlugin, OnionLevel, OnionPlugin, Walker,
};

const FILE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../tests/golden/low_tunnel.onion"
);

fn app() -> App {
    let mut app = App::new();
    app.add_plugins((
        bevy_app::TaskPoolPlugin::default(),
        TimePlugin,
        AssetPlugin::default(),
        GizmoPlugin,
        OnionPlugin::default(),
        OnionGizmoPlugin,
    ));
    app
}

fn level(app: &mut App) -> Handle<OnionLevel> {
    let level = OnionLevel::from_bytes(std::fs::read(FILE).unwrap()).unwrap();
    app.world_mut()
        .resource_mut::<Assets<OnionLevel>>()
        .add(level)
}

/// The segments that are drawn for a hull, in meters.
fn outline(hull: &'static str) -> Vec<[Vec3; 2]> {
    let mut app = app();
    let level = level(&mut app);
    let draw = DrawSkin {
        hull: HullHandle::new(level, hull),
        color: Color::WHITE,
    };
    let entity = app.world_mut().spawn(draw).id();
    (0..3).for_each(|_| app.update());
    let handle = &app.world().get::<Gizmo>(entity).expect("it draws").handle;
    let gizmos = app.world().resource::<Assets<GizmoAsset>>();
    let buffer = gizmos.get(handle).unwrap().buffer();
    let ends = &buffer.buffer().list_positions;
    ends.chunks(2).map(|ends| [ends[0], ends[1]]).collect()
}

/// Whether some segment holds a stretch between two points that are given in units of the map.
fn holds(outline: &[[Vec3; 2]], ends: [[f32; 3]; 2]) -> bool {
    let ends = ends.map(|[x, y, z]| Vec3::new(x, z, -y) / 32.0);
    outline.iter().any(|[from, to]| {
        let way = to - from;
        ends.iter().all(|end| {
            let part = (*end - *from).dot(way) / way.length_squared();
            (-1e-3..=1.001).contains(&part) && (*from + way * part).distance(*end) < 1e-3
        })
    })
}

#[test]
fn outlines_are_where_the_hull_ends() {
    let crouch = outline("crouch");
    // The tunnel is 40 high and 64 wide from x = -64 to 64, so a crouching box of 32 by 32 keeps 16 from its walls.
    let mouth = [[-80.0, -16.0, 32.0], [-80.0, 16.0, 32.0]];
    assert!(holds(&crouch, mouth), "{crouch:?}");
    let stand = outline("stand");
    assert!(!holds(&stand, mouth));
    assert!(stand.iter().flatten().all(|end| end.is_finite()));
}

#[test]
fn no_outline_has_a_seam_in_a_plane() {
    // The floor of the western room, where a standing box keeps 16 from the walls and from the tunnel's mouth.
    let stand = outline("stand");
    let corners = [
        [-304.0, -112.0],
        [-80.0, -112.0],
        [-80.0, 112.0],
        [-304.0, 112.0],
    ];
    let [a, b, c, d] = corners.map(|[x, y]| [x, y, 24.0]);
    for edge in [[a, b], [b, c], [c, d], [d, a]] {
        assert!(holds(&stand, edge), "{edge:?}");
    }
    // The wall around the mouth, into which the tree cuts.
    let within = stand.iter().map(|[from, to]| (from + to) / 2.0 * 32.0);
    let mut within = within.filter(|middle| {
        let is_within = middle.y > 25.0 && middle.y < 127.0 && middle.z.abs() < 111.0;
        is_within && (middle.x + 80.0).abs() < 1.0
    });
    assert_eq!(within.next(), None);
}

#[test]
fn boxes_are_around_walkers() {
    let mut app = app();
    let walker = Walker::new(HullHandle::new(level(&mut app), "stand"));
    let look = DrawHull {
        color: Color::WHITE,
    };
    app.world_mut()
        .spawn((walker, look, Transform::from_xyz(-6.0, 0.75, 2.0)));
    app.update();
    let handles = app.world().resource::<GizmoHandles>().handles();
    let handle = handles[&TypeId::of::<HullGizmos>()]
        .as_ref()
        .expect("it draws");
    let gizmos = app.world().resource::<Assets<GizmoAsset>>();
    let buffer = gizmos.get(handle).unwrap().buffer();
    // Strips end with a marker in place of a position.
    let corners = buffer
        .buffer()
        .strip_positions
        .iter()
        .filter(|corner| corner.is_finite());
    let (least, most) = corners.fold((Vec3::MAX, Vec3::MIN), |(least, most), corner| {
        (least.min(*corner), most.max(*corner))
    });
    // 16 to all sides, 24 down and 32 up, in meters.
    assert_eq!(least, Vec3::new(-6.5, 0.0, 1.5));
    assert_eq!(most, Vec3::new(-5.5, 1.75, 2.5));
}
