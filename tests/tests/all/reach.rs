//! The report of `onionc reach`, against facts worked out by hand: the tunnel that only crouching fits, rooms that
//! are high enough everywhere, and an item in a wall.

use onion_compiler::Fill;
use onion_maps::Map;
use onion_runtime::OnionMap;
use onion_tests::cases::sample_case;
use onion_tests::fixtures::{add_entity, compiled, declare_portals, filled, loaded, made};
use onion_tests::samples;
use onion_tests::subject::{self, HULLS};
use onion_views::reach::{Reach, SealedPockets, Seam, SeamKind, reach, sealed, seams};

/// Returns the sealed pockets of a map, compiled with filling or without.
fn sealed_in(map: &Map, fill: Fill) -> SealedPockets {
    let compiled = compiled(map, &HULLS, |options| options.fill = fill);
    let file = OnionMap::from_bytes(compiled.bytes).unwrap();
    sealed(&file, map).unwrap()
}

/// Makes two rooms of 160 by 160 by 160 in one shell, x from -176 to -16 and from 16 to 176, with a start in the
/// western one. The wall between them has a hole in its middle, from the floor up, and so may the eastern wall; each
/// hole is given by width and height.
fn two_rooms(between: [f64; 2], out: [f64; 2]) -> Map {
    rooms_with(between, out, &[])
}

/// Makes two rooms as above, with blocks, given by their corners.
fn rooms_with(between: [f64; 2], out: [f64; 2], blocks: &[[[f64; 3]; 2]]) -> Map {
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
    for &[mins, maxs] in blocks {
        rooms.cuboid(wall, mins, maxs);
    }
    rooms.spawn([-100, 0, 24], 0);
    made(&rooms)
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
    // The result is the same without filling.
    assert_eq!(sealed_in(&two_rooms(NO_HOLE, NO_HOLE), Fill::Off), found);
}

#[test]
fn a_hole_for_crouching_opens_the_room_for_both() {
    // An agent that crouches through can stand up beyond it.
    let found = sealed_in(&two_rooms([64.0, 40.0], NO_HOLE), Fill::default());
    assert_eq!(
        (found.pockets.len(), found.leaks.len()),
        (0, 0),
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
        let mut holes = way
            .path
            .iter()
            .filter(|at| (176.0..=192.0).contains(&at[0]));
        assert!(holes.clone().count() > 0);
        assert!(holes.all(|at| at[1].abs() < 32.0 && at[2] < 64.0));
    }
    // The void around a map is not a pocket, whether the map leaks or not.
    let found = sealed_in(&two_rooms(NO_HOLE, [64.0, 64.0]), Fill::default());
    assert_eq!(
        (found.pockets.len(), found.leaks.len()),
        (0, 0),
        "{found:?}"
    );
}

#[test]
fn linked_portals_open_a_room() {
    // From the western room, against its eastern wall, into the middle of the eastern one.
    let pair = [("-40 0 80", "180", "a", "b"), ("96 0 80", "0", "b", "a")];
    let linked = |out| {
        let mut rooms = two_rooms(NO_HOLE, out);
        declare_portals(&mut rooms, "64 128", &pair);
        rooms
    };
    let closed = linked(NO_HOLE);
    let found = sealed_in(&closed, Fill::default());
    assert_eq!((found.pockets, found.leaks), (vec![], vec![]));
    assert_eq!(reach_of(&closed).stuck, []);
    // A hull gets out of the eastern room, in which no agent starts.
    let open = linked([64.0, 64.0]);
    let found = sealed_in(&open, Fill::default());
    let ways = found.leaks.iter().map(|way| (&*way.hull, way.entity));
    let out = open.entities.len() - 1;
    assert!(
        ways.eq([("stand", out), ("crouch", out)]),
        "{:?}",
        found.leaks
    );
    assert!(found.leaks.iter().all(|way| way.path[0][0] > 16.0));
    // The eastern one is moved into the wall around its room, where agents would arrive.
    let mut walled = two_rooms(NO_HOLE, NO_HOLE);
    declare_portals(
        &mut walled,
        "64 128",
        &[pair[0], ("184 0 80", "0", "b", "a")],
    );
    let stuck = reach_of(&walled).stuck;
    let found = stuck
        .iter()
        .map(|stuck| (stuck.is_arrival, stuck.hulls.join(" ")));
    assert!(
        found.eq([(true, "stand crouch point".to_owned())]),
        "{stuck:?}"
    );
    assert_eq!(sealed_in(&walled, Fill::default()).pockets.len(), 2);
}

/// Returns the seams of two rooms with a hole between them, compiled with filling.
fn seams_with_hole(hole: [f64; 2]) -> Vec<Seam> {
    seams_in(&two_rooms(hole, NO_HOLE))
}

fn seams_in(map: &Map) -> Vec<Seam> {
    seams(&filled(map, &HULLS), map).unwrap()
}

/// Asserts that a seam has a box, up to the rounding of its places.
fn assert_is_box(seam: &Seam, mins: [f64; 3], maxs: [f64; 3]) {
    let found = [seam.mins, seam.maxs];
    let pairs = found.iter().flatten().zip([mins, maxs].concat());
    let mut errors = pairs.map(|(at, expected)| (at - expected).abs());
    assert!(errors.all(|error| error < 1e-9), "{seam:?}");
}

/// The wall is 32 thick, from x = -16 to 16, so that origins up to 16 in front of and behind it are between the
/// hole's sides.
#[test]
fn a_hole_as_wide_as_the_hulls_is_a_seam_of_both() {
    let found = seams_with_hole([32.0, 80.0]);
    // From the floor, where the origin is 24 high, up to 32 or 8 below the edge of the hole at 80.
    for (hull, top) in [("stand", 48.0), ("crouch", 72.0)] {
        let own: Vec<&Seam> = found.iter().filter(|seam| seam.hull == hull).collect();
        let [seam] = own[..] else {
            panic!("{hull}: {found:?}")
        };
        assert_eq!(seam.room, 0.0);
        assert_is_box(seam, [-32.0, 0.0, 24.0], [32.0, 0.0, top]);
        let near = seam.near.as_ref().unwrap();
        assert_eq!(near.class, "info_player_deathmatch");
        let mut sources = seam.between.iter();
        assert!(sources.all(|source| source.starts_with("brush ")));
    }
    assert_eq!(found.len(), 2, "{found:?}");
}

#[test]
fn a_hole_as_high_as_one_hull_is_a_seam_of_that_one() {
    let found = seams_with_hole([64.0, 56.0]);
    let [seam] = &found[..] else {
        panic!("{found:?}")
    };
    assert_eq!(seam.hull, "stand");
    assert_is_box(seam, [-32.0, -16.0, 24.0], [32.0, 16.0, 24.0]);
}

#[test]
fn only_gaps_within_what_traces_keep_are_seams() {
    let rooms = |width: f64| {
        let found = seams_with_hole([width, 80.0]);
        found.iter().map(|seam| seam.room).collect::<Vec<f64>>()
    };
    // Traces keep 1/32 from each side.
    assert_eq!(rooms(32.0 + 1.0 / 32.0), [1.0 / 32.0; 2]);
    for width in [31.0, 32.25, 33.0, 64.0] {
        assert!(rooms(width).is_empty(), "{width}");
    }
    assert!(seams_with_hole(NO_HOLE).is_empty());
}

fn reach_of(map: &Map) -> Reach {
    reach_for(map, &HULLS)
}

fn reach_for(map: &Map, hulls: &[&str]) -> Reach {
    reach(&filled(map, hulls)).unwrap()
}

fn unfilled_reach(map: &Map, hulls: &[&str]) -> Reach {
    reach(&loaded(map, hulls)).unwrap()
}

#[test]
fn the_tunnel_is_for_crouching() {
    let found = reach_of(&sample_case("low_tunnel").map);
    let [low] = &found.low[..] else {
        panic!("{:?}", found.low)
    };
    assert_eq!([&*low.fits, &*low.too_large], ["crouch", "stand"]);
    // The tunnel is 128 long and 64 wide; standing is solid from 16 in front of its mouths on, and both hulls stay 16
    // away from its walls.
    assert_eq!(low.area, 160.0 * 32.0);
    // Places are centers of cells, which are 4 units wide.
    assert_eq!(low.mins.map(f64::round), [-78.0, -14.0, 24.0]);
    assert_eq!(low.maxs.map(f64::round), [78.0, 14.0, 24.0]);
    let near = low.near.as_ref().unwrap();
    let named = (near.class.as_str(), near.distance);
    assert_eq!(named, ("info_player_deathmatch", 198.0));
    // Both rooms, 256 x 256 each, minus the box, and the tunnel.
    let room = (256.0 - 16.0 - 16.0) * (256.0 - 32.0);
    let floor = |name: &str| {
        let mut hulls = found.hulls.iter();
        hulls.find(|hull| hull.hull == name).unwrap().floor
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

/// A hole as wide as a hull goes from the floor through the wall, is closed in its middle, or is high above the
/// floor.
#[test]
fn ways_come_before_niches_and_what_is_high() {
    let hole = [32.0, 120.0];
    let middle = [[-4.0, -16.0, 0.0], [4.0, 16.0, 120.0]];
    let below = [[-16.0, -16.0, 0.0], [16.0, 16.0, 40.0]];
    let cases: [(&[_], SeamKind); 3] = [
        (&[], SeamKind::Way),
        (&[middle], SeamKind::Niche),
        (&[below], SeamKind::High),
    ];
    for (blocks, kind) in cases {
        let found = seams_in(&rooms_with(hole, NO_HOLE, blocks));
        assert!(found.len() >= 2, "{kind:?}: {found:?}");
        let mut kinds = found.iter().map(|seam| seam.kind);
        assert!(kinds.all(|own| own == kind), "{kind:?}: {found:?}");
    }
    // A niche between two blocks at the western wall, and the passage past a thin wall, which is smaller.
    let blocks = [
        [[-176.0, -80.0, 0.0], [-136.0, -56.0, 160.0]],
        [[-176.0, -24.0, 0.0], [-136.0, 0.0, 160.0]],
        [[-72.0, -80.0, 0.0], [-68.0, 48.0, 160.0]],
    ];
    let found = seams_in(&rooms_with(NO_HOLE, NO_HOLE, &blocks));
    let kinds: Vec<SeamKind> = found.iter().map(|seam| seam.kind).collect();
    let expected = [[SeamKind::Way; 2], [SeamKind::Niche; 2]].concat();
    assert_eq!(kinds, expected, "{found:?}");
}

/// These are not low places: the space of a narrower box beside a wall from which the wider one is kept out; and a
/// floor for a box of another agent.
#[test]
fn only_low_ceilings_make_low_places() {
    let room = &sample_case("room").map;
    let tunnel = &sample_case("low_tunnel").map;
    for (map, crouch, is_stance, n_places) in [
        (room, "crouch:8x32", true, 0),
        (tunnel, "crouch:8x32", true, 1),
        (tunnel, "crouch:8x32", false, 0),
        (tunnel, "crouch:16x32", false, 1),
        (tunnel, "crouch:16x32:contents=solid", false, 0),
    ] {
        let file = compiled(map, &["stand:16x56", crouch], |options| {
            options.fill = Fill::default();
            let classes = ["player:stand,crouch"].iter().take(is_stance.into());
            options.agents = classes.map(|class| class.parse().unwrap()).collect();
        });
        let found = reach(&subject::load(&file)).unwrap();
        assert_eq!(found.low.len(), n_places, "{crouch}: {:?}", found.low);
    }
}

/// A step does not divide a place, and the reported point of a place with a corner is on its floor. The largest comes
/// first.
#[test]
fn low_places_are_whole() {
    let step = [[0.0, -32.0, 0.0], [16.0, 32.0, 16.0]];
    let ceilings = [
        [[-176.0, -80.0, 40.0], [-144.0, 80.0, 160.0]],
        [[-144.0, -80.0, 40.0], [-16.0, -48.0, 160.0]],
    ];
    let map = rooms_with([64.0, 50.0], NO_HOLE, &[&[step][..], &ceilings].concat());
    let file = filled(&map, &HULLS);
    let found = reach(&file).unwrap().low;
    // The ceilings are 32 wide, and standing is solid 16 beside them: the hulls' distance from the walls is the same.
    let [corner, hole] = &found[..] else {
        panic!("{found:?}")
    };
    assert!(corner.area > hole.area, "{found:?}");
    assert_eq!([hole.mins[2], hole.maxs[2]].map(f64::round), [24.0, 40.0]);
    for place in &found {
        let [stand, crouch] = ["stand", "crouch"].map(|name| file.find_hull(name).unwrap());
        assert!(file.world().is_solid(stand, place.at) && !file.world().is_solid(crouch, place.at));
    }
}

/// The entity named near a place or a gap is the nearest to it in space: not the nearest to its corner, nor the
/// nearest on the map from above, nor the first or last of the map.
#[test]
fn the_nearest_entity_is_named() {
    let items = |mut map: Map, origins: &[&str]| {
        for origin in origins {
            add_entity(&mut map, "item_health", origin);
        }
        map
    };
    let tunnel = sample_case("low_tunnel").map.clone();
    let first = tunnel.entities.len() as u32;
    let low = reach_of(&items(tunnel, &["-90 0 24", "62 0 24", "0 0 200"])).low;
    assert_eq!(low[0].near.as_ref().unwrap().entity, first + 1, "{low:?}");
    let rooms = two_rooms([32.0, 80.0], NO_HOLE);
    let first = rooms.entities.len() as u32;
    for seam in seams_in(&items(rooms, &["-44 0 24", "40 0 24", "0 0 140"])) {
        assert_eq!(seam.near.as_ref().unwrap().entity, first + 1, "{seam:?}");
    }
}

/// The crouching box's origin is at other heights above its feet than the standing box's: both stand on the same
/// floors.
#[test]
fn feet_may_be_at_other_heights() {
    let map = &sample_case("low_tunnel").map;
    for crouch in [
        "mins=-16,-16,-24:maxs=16,16,8",
        "mins=-16,-16,-4:maxs=16,16,28",
        "mins=-16,-16,-60:maxs=16,16,-28",
    ] {
        let crouch = format!("crouch:{crouch}");
        let found = unfilled_reach(map, &["stand:16x56", &crouch]);
        // Without filling, roofs are floors too, for both.
        let areas: Vec<f64> = found.low.iter().map(|low| low.area).collect();
        assert_eq!(areas, [160.0 * 32.0], "{crouch}: {:?}", found.low);
    }
}

/// A room of 512 by 512, with an item of a class at its southwestern corner, `beyond` units outside its walls: the
/// game that has the class decides the boxes by which it can be touched.
#[test]
fn items_have_the_boxes_of_their_game() {
    // A box of 32 touches it if the box's middle is at most 0.9375 of the possible distance away from the item's
    // middle.
    let (quake, half_life, quake3) = ("item_spikes", "item_battery", "ammo_shells");
    for (game, class, beyond, is_stuck) in [
        (quake, "item_shells", 0.0, false), // From the corner to 32, and 15 wider; its middle is 16 from the corner.
        (quake, "item_health", 43.0, false),
        (quake, "item_health", 45.0, true),
        (quake, "weapon_nailgun", 27.0, false), // 16 around its origin, and 15 wider.
        (quake, "weapon_nailgun", 29.0, true),
        (quake, "item_armor2", 27.0, false),
        (quake, "item_armor2", 29.0, true),
        (quake, "item_key1", 27.0, false),
        (quake, "item_key1", 29.0, true),
        (quake3, "item_health", 8.0, false), // 15 around its origin.
        (quake3, "item_health", 13.5, true),
        (half_life, "item_health", 13.5, false), // 16 around its origin.
        (half_life, "item_health", 15.0, true),
        (half_life, "ammo_9mmclip", 15.0, true),
        (half_life, "weapon_9mmAR", 21.0, false), // 24 around its origin.
        (half_life, "weapon_9mmAR", 22.0, true),
        (quake3, "info_teleport_destination", -4.0, true), // A box must fit exactly there.
        (quake3, "info_player_start", -4.0, true),
        (quake3, "monster_army", -4.0, true),
        (quake3, "monster_army", -17.0, false),
    ] {
        let mut map = sample_case("room").map.clone();
        for (class, at) in [(game, 0.0), (class, -256.0 - beyond)] {
            add_entity(&mut map, class, &format!("{at} {at} 24"));
        }
        let found = reach_for(&map, &["stand:16x56"]).stuck;
        let what = format!("{class} of {game}, {beyond} beyond: {found:?}");
        assert_eq!(!found.is_empty(), is_stuck, "{what}");
    }
}

/// A slab of 256 by 256, with nothing above it, counts as a floor, although origins above it are beyond all brushes.
#[test]
fn the_highest_floor_is_one() {
    let mut slab = samples::Map::new("slab", "A slab");
    slab.cuboid(samples::Shader::Wall, [0.0; 3], [256.0, 256.0, 16.0]);
    let hulls = ["stand:16x56", "high:mins=-16,-16,8:maxs=16,16,64"];
    let found = unfilled_reach(&made(&slab), &hulls);
    let floors = found.hulls.iter().map(|hull| hull.floor);
    assert!(floors.eq([Some(256.0 * 256.0); 2]), "{:?}", found.hulls);
}

/// Starts of agents come first, whatever their number in the map.
#[test]
fn the_most_urgent_comes_first() {
    let mut map = sample_case("room").map.clone();
    for class in [
        "target_position",
        "monster_army",
        "item_health",
        "misc_teleporter_dest",
        "info_player_start",
    ] {
        add_entity(&mut map, class, "900 900 900");
    }
    let stuck = reach_of(&map).stuck;
    let found: Vec<(&str, bool)> = stuck
        .iter()
        .map(|stuck| (stuck.class.as_str(), stuck.is_arrival))
        .collect();
    let expected = [
        ("misc_teleporter_dest", true),
        ("info_player_start", true),
        ("item_health", false),
        ("monster_army", false),
        ("target_position", false),
    ];
    assert_eq!(found, expected);
}

#[test]
fn an_item_in_a_wall_has_no_room() {
    let mut map = sample_case("low_tunnel").map.clone();
    let mut add = |origin: &str| add_entity(&mut map, "item_health", origin);
    add("0 -80 80"); // In the block beside the tunnel.
    add("0 0 8"); // In the tunnel: only crouching has room, lifted from the floor; a point has room.
    add("-200 0 0"); // On the floor of the room.
    add("-200 1 -8"); // Below it: the box is lifted by its reach below its origin plus 9, which is enough.
    add("-200 2 -10");
    let found = reach_of(&map);
    let stuck: Vec<(f64, String)> = found
        .stuck
        .iter()
        .map(|stuck| (stuck.origin[1], stuck.hulls.join(" ")))
        .collect();
    let all = "stand crouch point";
    let expected = [(-80.0, all), (0.0, "stand"), (2.0, all)];
    assert_eq!(stuck, expected.map(|(y, hulls)| (y, hulls.to_owned())));
}
