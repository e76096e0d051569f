//! What `onionc reach` tells, against facts worked out by hand: the tunnel that only crouching fits, rooms where all
//! is high enough, and an item in a wall.

use onion_runtime::OnionMap;
use onion_tests::cases::sample_case;
use onion_tests::subject;
use onionc::map::Map;
use onionc::reach::{Reach, reach};
use onionc::seeds::Fill;

const HULLS: [&str; 3] = ["stand:16x56", "crouch:16x32", "point:point"];

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
