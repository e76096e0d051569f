//! Floors in C and JavaScript have the bits of Rust, and so do the floors under positions, the nearest ones and random
//! places. The programs read lines: the path of a file, then names of hulls, all of whose floors they print, and names
//! with a position, a reach, which is also the greatest distance, and three random numbers.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use onion_compiler::Fill;
use onion_maps::Map;
use onion_runtime::navigation::Floor;
use onion_runtime::{Coordinate, Hull, OnionMap};
use onion_tests::cases::{real_cases, sample_case};
use onion_tests::fixtures::{has_or_skips, made};
use onion_tests::random::Random;
use onion_tests::samples::{self, Brush, Shader};
use tempfile::TempDir;

use crate::c_interface::{program, source};
use crate::floors::{point_of, with_floors};
use crate::linked_bits::{Lines, write_bits};

const QUERIES: usize = 1_000;
const NAN: f64 = f64::NAN;
const INFINITY: f64 = f64::INFINITY;

/// How far below a position a floor may be, in units.
const REACHES: [f64; 6] = [8.0, 64.0, 0.25, 0.0, INFINITY, -1.0];

/// Positions and reaches that have no floor, and random numbers that have no place.
const NOWHERE: [[f64; 7]; 7] = [
    [NAN, 0.0, 24.0, 8.0, NAN, 0.0, 0.0],
    [0.0, NAN, 24.0, INFINITY, 0.0, NAN, 0.0],
    [0.0, 0.0, NAN, INFINITY, 0.0, 0.0, NAN],
    [INFINITY, 0.0, 24.0, INFINITY, 1.5, 0.0, 0.0],
    [0.0, 0.0, INFINITY, INFINITY, 0.0, -0.5, 0.0],
    [0.0, 0.0, -INFINITY, 8.0, 0.0, 0.0, INFINITY],
    [0.0, 0.0, 24.0, NAN, -1.0, 2.0, 3.0],
];

type File = OnionMap<Vec<u8>>;

/// The answers of [`places`] in a precision.
type Precision = fn(&File, &Hull<'_>, [f64; 7]) -> (String, [bool; 3]);

/// Returns what a program prints about a position in a precision, and whether each question has an answer.
fn places<T: Coordinate>(map: &File, hull: &Hull<'_>, asked: [f64; 7]) -> (String, [bool; 3]) {
    let [x, y, z, reach, random @ ..] = asked;
    let (position, reach) = ([x, y, z].map(T::narrow), T::narrow(reach));
    let found = [
        map.floor_at(hull.id, position, reach),
        map.nearest_floor(hull.id, position, reach),
        map.random_place(hull.id, random.map(T::narrow)),
    ];
    let mut text = String::new();
    for found in &found {
        let (number, point) = found.map_or((-1, [T::default(); 3]), |(floor, point)| {
            (i64::from(floor.number), point)
        });
        write_bits(&mut text, &point);
        writeln!(text, "{number}").unwrap();
    }
    (text, found.map(|found| found.is_some()))
}

/// Returns a position around a random floor: above it, at a corner, at an edge, or anywhere.
fn position(floors: &[Floor<'_>], random: &mut Random) -> [f64; 3] {
    let floor = &floors[random.below(floors.len())];
    let corners: Vec<[f64; 3]> = floor.corners().collect();
    let first = random.below(corners.len());
    let [a, b] = [first, first + 1].map(|at| corners[at % corners.len()]);
    let by = random.between(-2.0, 2.0) / f64::from(1 << 8);
    match random.below(4) {
        0 => a,
        1 => [0, 1, 2].map(|axis| (a[axis] + b[axis]) / 2.0 + by),
        2 => [0; 3].map(|_| random.between(-512.0, 512.0)),
        _ => {
            let [x, y, z] = point_of(floor, random);
            [x, y, z + random.between(-1.0, 16.0)]
        }
    }
}

/// Adds the floors of all hulls, and random positions.
fn add(lines: &mut Lines, map: &File, precisions: &[Precision]) {
    for hull in map.hulls() {
        writeln!(lines.input, "{}", hull.name).unwrap();
        for floor in map.floors(hull.id) {
            write_bits(&mut lines.expected, &floor.normal);
            write_bits(&mut lines.expected, &[floor.dist]);
            let corners: Vec<[f64; 3]> = floor.corners().collect();
            write_bits(&mut lines.expected, corners.as_flattened());
            writeln!(lines.expected, "{}", floor.number).unwrap();
        }
    }
    let stand = map.find_hull("stand").unwrap();
    let floors: Vec<Floor<'_>> = map.floors(stand).collect();
    let (mut random, mut n_found) = (Random::new(5), [0; 3]);
    let mut ask = |hull: Hull<'_>, asked: [f64; 7]| {
        let numbers = asked.map(|number| number.to_string()).join(" ");
        writeln!(lines.input, "{} {numbers}", hull.name).unwrap();
        let answers = precisions.iter().map(|places| places(map, &hull, asked));
        let is_found = answers.map(|(text, is_found)| {
            lines.expected += &text;
            is_found
        });
        is_found.last().unwrap()
    };
    for _ in 0..QUERIES {
        let [x, y, z] = position(&floors, &mut random);
        let hull = map.hulls().nth(random.below(3)).unwrap();
        let reach = REACHES[random.below(REACHES.len())];
        let [a, b, c] = [0; 3].map(|_| match random.below(16) {
            0 => 0.0,
            1 => 1.0,
            _ => random.between(0.0, 1.0),
        });
        let is_found = ask(hull, [x, y, z, reach, a, b, c]);
        n_found = [0, 1, 2].map(|at| n_found[at] + usize::from(is_found[at]));
    }
    let [at, nearest, place] = n_found;
    let is_enough = |count: usize| count > QUERIES / 5 && QUERIES - count > QUERIES / 5;
    assert!(is_enough(at) && is_enough(nearest), "{n_found:?}");
    assert!(place > QUERIES * 4 / 5, "{n_found:?}");
    for asked in NOWHERE {
        let answers = map.hulls().map(|hull| ask(hull, asked));
        assert!(answers.flatten().all(|is_found| !is_found), "{asked:?}");
    }
}

/// Makes a room with slopes that rise along both axes, so that the order of sums matters.
pub(crate) fn slopes() -> Map {
    let mut room = samples::Map::new("slopes", "A skewed pyramid");
    room.room([-256.0, -256.0, 0.0], [256.0, 256.0, 256.0]);
    let pyramid = [
        [-150.0, -120.0, 0.0],
        [140.0, -130.0, 0.0],
        [160.0, 110.0, 0.0],
        [-120.0, 150.0, 0.0],
        [13.0, -7.0, 40.0],
    ];
    room.add(Shader::Floor, Brush::hull(&pyramid));
    room.spawn([-200, -200, 24], 0);
    made(&room)
}

/// Compares the answers of a program that gives them in these precisions.
fn floors_are_alike(precisions: &[Precision], make: impl FnOnce(&TempDir) -> Command) {
    let folder = TempDir::new().unwrap();
    let mut command = make(&folder);
    let real = real_cases().iter().max_by_key(|case| case.bytes.len());
    let maps = [&sample_case("ramp_stairs").map, &slopes()];
    for map in maps.into_iter().chain(real.map(|case| &case.map)) {
        let map = with_floors(map, Fill::default());
        let path = folder.path().join("map.onion");
        let mut lines = Lines::default();
        writeln!(lines.input, "{}", path.display()).unwrap();
        add(&mut lines, &map, precisions);
        std::fs::write(&path, map.into_bytes()).unwrap();
        lines.compare(folder.path(), &mut command);
    }
}

#[test]
fn floors_have_the_same_bits_in_c() {
    floors_are_alike(&[places::<f32>, places::<f64>], |folder| {
        Command::new(program(&source("floors.c"), &[], folder))
    });
}

#[test]
fn floors_have_the_same_bits_in_javascript() {
    if has_or_skips("node", "floors in JavaScript") {
        floors_are_alike(&[places::<f64>], |_| {
            let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all");
            let mut node = Command::new("node");
            node.arg(tests.join("conformance/floors.mjs"));
            node
        });
    }
}
