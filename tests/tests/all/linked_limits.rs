//! What is wrong with linked portals: keys of entities, of which the compiler warns and for which the runtime returns
//! errors; and lists that a game makes itself, whose portals lead nowhere if they are wrong.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use onion_compiler::CompileOptions;
use onion_compiler::fill::seeds::Fill;
use onion_maps::Map;
use onion_runtime::movement::{Agent, WalkSettings, World};
use onion_runtime::{LinkedPortal, LinkedWorld, OnionMap};
use onion_tests::fixtures::{compiled, declare_portals, has_or_skips, made};
use onion_tests::random::Random;
use onion_tests::samples;
use onion_tests::subject::HULLS;
use tempfile::TempDir;

use crate::c_interface::{program, source, succeed};
use crate::linked::{Free, hull, load, portals};

/// Makes a room of 128 by 128 by 128 around the z axis, from z = 0 up.
fn room() -> Map {
    let mut room = samples::Map::new("room", "A room");
    room.room([-64.0, -64.0, 0.0], [64.0, 64.0, 128.0]);
    room.spawn([0, 0, 24], 0);
    made(&room)
}

/// Returns the errors of a map's portals, and the warnings of its compile about them, which say the same.
fn wrong(map: &Map) -> Vec<String> {
    let compiled = compiled(map, &HULLS, |_| ());
    let warnings = compiled.report.warnings.iter();
    let told = warnings.filter(|warning| warning.message.contains("linked portal"));
    let told: Vec<String> = told
        .map(|at| format!("{}: {}", at.place, at.message))
        .collect();
    let file = load(compiled.bytes);
    let errors = file.linked_portals().unwrap().filter_map(Result::err);
    let errors: Vec<String> = errors.map(|error| error.to_string()).collect();
    let as_told = |error: &String| {
        error.replace(
            ", a linked portal: ",
            ": a linked portal that leads nowhere: ",
        )
    };
    assert_eq!(told, errors.iter().map(as_told).collect::<Vec<_>>());
    errors
}

/// Changes of a key of the first of two portals, and the word of its error; no value removes the key.
const WRONG_KEYS: [(&str, Option<&str>, &str); 26] = [
    ("origin", None, "origin"),
    ("origin", Some(""), "origin"),
    ("origin", Some("0 0"), "origin"),
    ("origin", Some("0 0 0 0"), "origin"),
    ("origin", Some("0 x 0"), "origin"),
    ("origin", Some("0 nan 0"), "origin"),
    ("origin", Some("0 0 -inf"), "origin"),
    ("origin", Some("1e999 0 0"), "origin"),
    ("angle", Some("45"), "must be 0"),
    ("angle", Some("-90"), "must be 0"),
    ("angle", Some("360"), "must be 0"),
    ("angle", Some(""), "not a number"),
    ("angle", Some("east"), "not a number"),
    ("angle", Some("NaN"), "not a number"),
    ("angle", Some("90 0"), "not a number"),
    ("size", None, "size"),
    ("size", Some("64"), "size"),
    ("size", Some("64 0"), "size"),
    ("size", Some("-64 64"), "size"),
    ("size", Some("64 nan"), "size"),
    ("size", Some("inf 64"), "size"),
    ("size", Some("64 32"), "partner"),
    ("target", None, "partner"),
    ("target", Some("nobody"), "partner"),
    // A portal that is linked with itself.
    ("target", Some("a"), "partner"),
    ("targetname", None, "partner"),
];

/// Returns a room with two portals.
fn linked_room() -> Map {
    let mut map = room();
    let pair = [("0 0 64", "0", "a", "b"), ("0 0 64", "180", "b", "a")];
    declare_portals(&mut map, "64 64", &pair);
    map
}

/// Returns the rooms with a key that is wrong, each with the number of the entity, and the word of the error.
fn wrong_rooms() -> Vec<(Map, usize, &'static str)> {
    let change = |(key, value, what): (&str, Option<&str>, _)| {
        let mut map = linked_room();
        let at = map.entities.len() - 2;
        match value {
            Some(value) => map.entities[at].insert(key.to_owned(), value.to_owned()),
            None => map.entities[at].shift_remove(key),
        };
        (map, at, what)
    };
    WRONG_KEYS.map(change).into()
}

#[test]
fn wrong_keys_are_told_when_compiling_and_when_loading() {
    assert_eq!(wrong(&linked_room()), [""; 0]);
    for (map, at, what) in wrong_rooms() {
        let found = wrong(&map);
        let start = format!("entity {at}, a linked portal: ");
        let is_told = found[0].starts_with(&start) && found[0].contains(what);
        assert!(is_told, "{:?}: {found:?}", map.entities[at]);
    }
}

#[test]
fn wrong_keys_are_told_alike_in_javascript() {
    if !has_or_skips("node", "wrong linked portals in JavaScript") {
        return;
    }
    let folder = TempDir::new().unwrap();
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all");
    let mut node = Command::new("node");
    node.arg(tests.join("conformance/linked_errors.mjs"));
    let mut expected = String::new();
    for (number, (map, ..)) in wrong_rooms().into_iter().enumerate() {
        let path = folder.path().join(format!("{number}.onion"));
        fs::write(&path, compiled(&map, &HULLS, |_| ()).bytes).unwrap();
        node.arg(path);
        writeln!(expected, "{}", wrong(&map)[0]).unwrap();
    }
    let output = succeed(&mut node);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
}

#[test]
fn wrong_portals_have_a_status_in_c() {
    let folder = TempDir::new().unwrap();
    let mut program = Command::new(program(&source("linked.c"), &[], &folder));
    let (map, ..) = wrong_rooms().swap_remove(0);
    let without = |options: &mut CompileOptions| options.entities = false;
    let mut full = full_room();
    declare_portals(&mut full, "64 64", &[("0 0 64", "0", "c", "a0")]);
    let files = [
        (compiled(&map, &HULLS, |_| ()), "a linked portal is not"),
        (compiled(&full, &HULLS, |_| ()), "a linked portal is not"),
        (compiled(&map, &HULLS, without), "the file has no entities"),
    ];
    for (file, text) in files {
        let [path, input] = ["map.onion", "input"].map(|name| folder.path().join(name));
        fs::write(&path, file.bytes).unwrap();
        fs::write(&input, format!("{}\n", path.display())).unwrap();
        let output = program
            .stdin(fs::File::open(input).unwrap())
            .output()
            .unwrap();
        assert!(!output.status.success());
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.starts_with(text), "{told}");
    }
}

#[test]
fn a_portal_has_one_partner() {
    let mut map = room();
    let both = [("0 0 64", "0", "a", "b"), ("0 0 64", "180", "b", "a")];
    declare_portals(&mut map, "64 64", &[both[0], both[1], both[0]]);
    // The second could lead to the first and to the third.
    let found = wrong(&map);
    let start = format!(
        "entity {}, a linked portal: it needs one partner",
        map.entities.len() - 2
    );
    assert!(
        found.len() == 1 && found[0].starts_with(&start),
        "{found:?}"
    );
}

#[test]
fn a_portal_outside_the_world_has_one_warning() {
    let mut map = room();
    let place = format!("entity {}", map.entities.len());
    let both = [("0 0 70000", "0", "a", "b"), ("0 0 64", "180", "b", "a")];
    declare_portals(&mut map, "64 64", &both);
    let from_portals = |options: &mut CompileOptions| options.fill = Fill::default();
    let warnings = compiled(&map, &HULLS, from_portals).report.warnings;
    let of_portal = warnings.iter().filter(|warning| warning.place == place);
    let told: Vec<&str> = of_portal.map(|warning| &*warning.message).collect();
    assert_eq!(
        told,
        ["its origin is outside the world; no agent starts there"]
    );
}

/// Returns a room with 256 portals.
fn full_room() -> Map {
    let mut map = room();
    for pair in 0..128 {
        let [a, b] = [format!("a{pair}"), format!("b{pair}")];
        let both = [("0 0 64", "0", &*a, &*b), ("0 0 64", "180", &*b, &*a)];
        declare_portals(&mut map, "64 64", &both);
    }
    map
}

#[test]
fn a_map_has_at_most_256() {
    let mut map = full_room();
    assert_eq!(wrong(&map), [""; 0]);
    let all = portals(&load(compiled(&map, &HULLS, |_| ()).bytes));
    let partners: Vec<u32> = all.iter().map(|portal| portal.partner).collect();
    assert_eq!(partners, (0..256).map(|own| own ^ 1).collect::<Vec<_>>());
    let last = map.entities.len();
    for (number, name) in ["c", "d", "e"].into_iter().enumerate() {
        declare_portals(&mut map, "64 64", &[("0 0 64", "0", name, "a0")]);
        // However many there are, the error is one.
        let expected = format!("entity {last}, a linked portal: there are more than 256");
        assert_eq!(wrong(&map), [expected], "{} more", number + 1);
    }
}

#[test]
fn portals_in_solid_are_warned_about() {
    // In the western wall, and in front of it.
    for (x, expected) in [("-72", 1), ("-40", 0)] {
        let mut map = room();
        let pair = [
            (&*format!("{x} 0 64"), "0", "a", "b"),
            ("0 0 64", "180", "b", "a"),
        ];
        declare_portals(&mut map, "64 64", &pair);
        let file = compiled(&map, &["stand:16x56"], |options| {
            options.fill = Fill::default()
        });
        let about = format!("entity {}", map.entities.len() - 2);
        let warnings = file.report.warnings.iter();
        let told = warnings.filter(|warning| warning.place == about);
        assert_eq!(told.count(), expected, "{x}: {:?}", file.report.warnings);
    }
}

/// A portal of 128 by 128 at x = 100 that faces west.
const WESTWARD: LinkedPortal = LinkedPortal {
    center: [100.0, 0.0, 0.0],
    facing: 2,
    half_size: [64.0, 64.0],
    partner: 1,
};

/// Its partner, at y = 500 and facing north.
const NORTHWARD: LinkedPortal = LinkedPortal {
    center: [0.0, 500.0, 0.0],
    facing: 1,
    half_size: [64.0, 64.0],
    partner: 0,
};

/// Returns the place of a point 30 behind the first portal and `left` to the left of its middle, seen from the origin.
fn place(list: &[LinkedPortal], left: f64) -> ([f64; 3], u8) {
    let world = LinkedWorld::new(&Free, list, [0.0, left, 0.0]);
    let end = [130.0, left, 0.0];
    let stop = world.trace(hull(), [0.0, left, 0.0], end);
    assert_eq!((stop.fraction, stop.met), (1.0, None));
    world.place(end)
}

#[test]
fn wrong_portals_of_a_game_lead_nowhere() {
    let nan = f64::NAN;
    for portal in [
        LinkedPortal {
            center: [nan, 0.0, 0.0],
            ..WESTWARD
        },
        LinkedPortal {
            center: [100.0, nan, 0.0],
            ..WESTWARD
        },
        LinkedPortal {
            center: [f64::INFINITY, 0.0, 0.0],
            ..WESTWARD
        },
        LinkedPortal {
            half_size: [nan, 64.0],
            ..WESTWARD
        },
        LinkedPortal {
            half_size: [64.0, -64.0],
            ..WESTWARD
        },
        LinkedPortal {
            half_size: [0.0, 0.0],
            ..WESTWARD
        },
        LinkedPortal {
            partner: 2,
            ..WESTWARD
        },
        LinkedPortal {
            partner: u32::MAX,
            ..WESTWARD
        },
    ] {
        let found = place(&[portal, NORTHWARD], 8.0);
        assert_eq!(found, ([130.0, 8.0, 0.0], 0), "{portal:?}");
    }
}

#[test]
fn what_lists_of_a_game_may_hold() {
    let beyond = |left: f64| ([-left, 530.0, 0.0], 1);
    assert_eq!(place(&[WESTWARD, NORTHWARD], 8.0), beyond(8.0));
    // A full turn of the direction is none.
    for turns in [6, u32::MAX - 1] {
        let portal = LinkedPortal {
            facing: turns,
            ..WESTWARD
        };
        assert_eq!(place(&[portal, NORTHWARD], 8.0), beyond(8.0), "{turns}");
    }
    // What goes into a portal that is linked with itself comes out where it went in, turned by a half turn.
    let portal = LinkedPortal {
        partner: 0,
        ..WESTWARD
    };
    assert_eq!(place(&[portal], 8.0), ([70.0, -8.0, 0.0], 2));
    // Of openings of different sizes, the one that is entered counts.
    let narrow = LinkedPortal {
        half_size: [16.0, 64.0],
        ..NORTHWARD
    };
    let list = [WESTWARD, narrow];
    assert_eq!(place(&list, 50.0), beyond(50.0));
    let back = LinkedWorld::new(&Free, &list, [50.0, 600.0, 0.0]);
    assert_eq!(back.place([50.0, 470.0, 0.0]), ([50.0, 470.0, 0.0], 0));
}

/// Returns a whole number or, now and then, one that is not finite, or huge or tiny.
fn strange(random: &mut Random) -> f64 {
    let strange = [
        f64::NAN,
        f64::INFINITY,
        -f64::INFINITY,
        1e300,
        -1e300,
        1e-320,
    ];
    match random.below(4) {
        0 => strange[random.below(strange.len())],
        1 => 0.0,
        _ => random.between(-100.0, 100.0).round(),
    }
}

#[test]
fn no_numbers_make_a_query_panic() {
    let map = OnionMap::from_bytes(compiled(&room(), &HULLS, |_| ()).bytes).unwrap();
    let (stand, mut random) = (map.find_hull("stand").unwrap(), Random::new(3));
    for _ in 0..20_000 {
        let portals: Vec<LinkedPortal> = (0..3)
            .map(|_| LinkedPortal {
                center: [0; 3].map(|_| strange(&mut random)),
                facing: random.below(256) as u32,
                half_size: [0; 2].map(|_| strange(&mut random)),
                partner: random.below(4) as u32,
            })
            .collect();
        let [eye, start, end, wish] = [0; 4].map(|_| [0; 3].map(|_| strange(&mut random)));
        let world = map.world();
        let seen = LinkedWorld::new(&world, &portals, eye);
        let stop = seen.trace(stand, start, end);
        assert!(
            (0.0..=1.0).contains(&stop.fraction),
            "{portals:?} {start:?} {end:?} {stop:?}"
        );
        let mut agent = Agent::new(stand, start);
        agent.swim(&seen, &WalkSettings::default(), wish, 0.01);
        assert!(seen.arrive(&mut agent) < 4);
    }
}

/// Agents that walk into a portal whose partner lies in solid get no farther than its opening.
#[test]
fn a_partner_in_solid_stops_agents() {
    let map = OnionMap::from_bytes(compiled(&room(), &HULLS, |_| ()).bytes).unwrap();
    let stand = map.find_hull("stand").unwrap();
    let mut random = Random::new(4);
    for run in 0..200 {
        let opening = LinkedPortal {
            center: [20.0, 0.0, 64.0],
            ..WESTWARD
        };
        // In the northern wall, as deep as may be.
        let y = random.between(64.0, 80.0);
        let walled = LinkedPortal {
            center: [0.0, y, 64.0],
            ..NORTHWARD
        };
        let portals = [opening, walled];
        let mut agent = Agent::new(
            stand,
            [-20.0, random.between(-30.0, 30.0), 24.0].map(|x| x as f32),
        );
        let wish = [320.0, random.between(-100.0, 100.0) as f32];
        for tick in 0..100 {
            let world = map.world();
            let seen = LinkedWorld::new(&world, &portals, agent.position);
            agent.walk(&seen, &WalkSettings::default(), wish, 0.01);
            assert_eq!(seen.arrive(&mut agent), 0, "{run} {tick}: {agent:?}");
            assert!(
                !map.world().is_solid(stand, agent.position),
                "{run} {tick}: {agent:?}"
            );
        }
        // A tick takes it 3.2 units to the east.
        assert!(agent.position[0] > 16.5, "{run}: {agent:?}");
    }
}
