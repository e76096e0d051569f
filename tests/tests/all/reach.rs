//! What `onionc reach` tells, against facts worked out by hand: the tunnel that only crouching fits, rooms where all
//! is high enough, and an item in a wall.

use onion_runtime::OnionMap;
use onion_tests::cases::sample_case;
use onion_tests::{samples, subject};
use onionc::map::Map;
use onionc::reach::{Reach, Sealed, reach, sealed};
use onionc::seeds::Fill;

const HULLS: [&str; 3] = ["stand:16x56", "crouch:16x32", "point:point"];

/// What is sealed in a map, compiled with filling or without.
fn sealed_in(map: &Map, fill: Fill) -> Sealed {
    let compiled = subject::compile_filled(map, subject::hulls(&HULLS), fill);
    let file = OnionMap::from_bytes(&compiled.bytes[..]).unwrap();
    sealed(&file, map).unwrap()
}

/// Two rooms of 160 by 160 by 160 in one shell, x from -176 to -16 and from 16 to 176, with a start in the western one.
/// The wall between them has a hole in its middle, from the floor up, and the eastern one too if they are to: its width
/// and height.
fn two_rooms(between: [f64; 2], out: [f64; 2]) -> Map {
    let mut rooms = samples::Map::new("rooms", "Two rooms");
    let wall = samples::Shader::Wall;
    rooms.cuboid(wall, [-192.0, -96.0, -16.0], [192.0, 96.0, 0.0]);
    rooms.cuboid(wall, [-192.0, -96.0, 160.0], [192.0, 96.0, 176.0]);
    rooms.cuboid(wall, [-192.0, -96.0, 0.0], [192.0, -80.0, 160.0]);
    rooms.cuboid(wall, [-192.0, 80.0, 0.0], [192.0, 96.0, 160.0]);
    rooms.cuboid(wall, [-192.0, -80.0, 0.0], [-176.0, 80.0, 160.0]);
    for ([from, to], [width, height]) in [([-16.0, 16.0], between), ([176.0, 192.0], out)] {
        let half = width / 2.0;
        rooms.cuboid(wall, [from, -80.0, height], [to, 80.0, 160.0]);
        if height > 0.0 {
            rooms.cuboid(wall, [from, -80.0, 0.0], [to, -half, height]);
            rooms.cuboid(wall, [from, half, 0.0], [to, 80.0, height]);
        }
    }
    rooms.spawn([-100, 0, 24], 0);
    subject::parse(&samples::write(&rooms))
}

const NO_HOLE: [f64; 2] = [0.0, 0.0];

#[test]
fn a_closed_room_is_a_pocket() {
    let found = sealed_in(&two_rooms(NO_HOLE, NO_HOLE), Fill::default());
    assert!(found.leaks.is_empty(), "{found:?}");
    // The origin keeps 16 from the walls, 24 from the floor and 32 or 8 from the ceiling.
    let expected = [("crouch", 152.0), ("stand", 128.0)];
    let boxes = found.pockets.iter().map(|pocket| {
        let at = &pocket.at;
        let is_within = (0..3).all(|k| pocket.mins[k] < at[k] && at[k] < pocket.maxs[k]);
        assert!(is_within, "{pocket:?}");
        (&*pocket.hull, pocket.mins, pocket.maxs)
    });
    let expected = expected.map(|(hull, top)| (hull, [32.0, -64.0, 24.0], [160.0, 64.0, top]));
    assert!(boxes.eq(expected), "{:?}", found.pockets);
    // Found alike where nothing was filled.
    assert_eq!(sealed_in(&two_rooms(NO_HOLE, NO_HOLE), Fill::Off), found);
}

#[test]
fn a_hole_for_crouching_opens_the_room_for_both() {
    // Whoever crouches through can stand up behind it.
    let found = sealed_in(&two_rooms([64.0, 40.0], NO_HOLE), Fill::default());
    assert!(
        found.pockets.is_empty() && found.leaks.is_empty(),
        "{found:?}"
    );
    // A hole of 31 is too narrow for either.
    let found = sealed_in(&two_rooms([31.0, 40.0], NO_HOLE), Fill::default());
    assert_eq!(found.pockets.len(), 2, "{found:?}");
}

#[test]
fn a_way_out_is_told() {
    let found = sealed_in(&two_rooms([64.0, 64.0], [64.0, 64.0]), Fill::default());
    assert!(found.pockets.is_empty(), "{found:?}");
    let hulls: Vec<&str> = found.leaks.iter().map(|way| &*way.hull).collect();
    assert_eq!(hulls, ["stand", "crouch"]);
    for way in &found.leaks {
        let [first, last] = [way.path[0], way.path[way.path.len() - 1]];
        assert!(first[0] < 0.0, "it begins at the start: {way:?}");
        let is_out = last[0] > 192.0 || last[1].abs() > 96.0 || last[2] < -16.0 || last[2] > 176.0;
        assert!(is_out, "{way:?}");
        // Through the hole, not through the wall.
        let holes = way
            .path
            .iter()
            .filter(|at| (176.0..=192.0).contains(&at[0]));
        assert!(holes.clone().count() > 0);
        assert!(
            holes
                .into_iter()
                .all(|at| at[1].abs() < 32.0 && at[2] < 64.0)
        );
    }
    // The void around a map that leaks is no pocket, nor is that around one that does not.
    let found = sealed_in(&two_rooms(NO_HOLE, [64.0, 64.0]), Fill::default());
    assert!(
        found.pockets.is_empty() && found.leaks.is_empty(),
        "{found:?}"
    );
}

fn reach_of(map: &Map) -> Reach {
    let compiled = subject::compile_filled(map, subject::hulls(&HULLS), Fill::default());
    reach(&OnionMap::from_bytes(&compiled.bytes[..]).unwrap())
}

#[test]
fn the_tunnel_is_for_crouching() {
    let found = reach_of(&sample_case("low_tunnel").map);
    let [low] = &found.low[..] else {
        panic!("{:?}", found.low)
    };
    assert_eq!([&*low.fits, &*low.too_large], ["crouch", "stand"]);
    // The tunnel is 128 long and 64 wide; standing is solid 16 before its mouths, and both are 16 from its walls.
    assert_eq!(low.area, 160.0 * 32.0);
    // Places are the middles of cells, which are 4 units wide.
    assert_eq!(low.mins.map(f64::round), [-78.0, -14.0, 24.0]);
    assert_eq!(low.maxs.map(f64::round), [78.0, 14.0, 24.0]);
    let near = low.near.as_ref().unwrap();
    assert_eq!(
        (near.class.as_str(), near.distance),
        ("info_player_deathmatch", 198.0)
    );
    // Both rooms, 256 x 256 each, less the box, and the tunnel.
    let room = (256.0 - 16.0 - 16.0) * (256.0 - 32.0);
    let floor = |name: &str| {
        found
            .hulls
            .iter()
            .find(|hull| hull.hull == name)
            .unwrap()
            .floor
    };
    assert_eq!(floor("stand"), Some(2.0 * room));
    assert_eq!(floor("crouch"), Some(2.0 * room + low.area));
    assert_eq!(floor("point"), None);
    assert!(found.stuck.is_empty(), "{:?}", found.stuck);
}

#[test]
fn a_room_is_for_all() {
    let found = reach_of(&sample_case("room").map);
    assert!(found.low.is_empty() && found.stuck.is_empty(), "{found:?}");
    assert_eq!(found.hulls[0].floor, Some(480.0 * 480.0));
}

#[test]
fn an_item_in_a_wall_has_no_room() {
    let mut map = sample_case("low_tunnel").map.clone();
    let mut add = |origin: &str| {
        let mut entity = onionc::map::Entity::default();
        entity.insert("classname".to_owned(), "item_health".to_owned());
        entity.insert("origin".to_owned(), origin.to_owned());
        map.entities.push(entity);
    };
    add("0 -80 80"); // In the block beside the tunnel.
    add("0 0 8"); // In the tunnel: crouching alone has room, lifted from the floor; a point has.
    add("-200 0 0"); // On the floor of the room.
    let found = reach_of(&map);
    let stuck: Vec<(f64, String)> = found
        .stuck
        .iter()
        .map(|stuck| (stuck.origin[1], stuck.hulls.join(" ")))
        .collect();
    let expected = [(-80.0, "stand crouch point"), (0.0, "stand")];
    assert_eq!(stuck, expected.map(|(y, hulls)| (y, hulls.to_owned())));
}
