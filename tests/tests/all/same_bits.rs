//! C and JavaScript give the same bits as Rust: random traces on three small maps, printed by the example in C and by
//! a program in JavaScript as the shortest decimals that read back as the same numbers, against the runtime's own
//! answers.

use std::fs;
use std::path::Path;
use std::process::Command;

use onion_runtime::{Aabb, HullId, OnionMap, Trace};
use onion_tests::cases::sample_case;
use onion_tests::effort::Cases;
use onion_tests::fixtures::{has_or_skips, loaded};
use onion_tests::random::Random;
use onion_tests::subject;
use tempfile::TempDir;

use crate::c_interface::{example, succeed};

/// Number of traces on each map.
const TRACES: Cases = Cases::new(6_000, 400_000);

/// Maps with axial planes, with slopes, and with planes that are not on any grid.
const MAPS: [&str; 3] = ["courtyard", "wedge", "patch_arch"];

type Segment = [[f64; 3]; 2];

/// Picks segments in and around a map: anywhere, on whole numbers, along axes, in single precision, and walks of up
/// to 32 units.
fn segments(map: &OnionMap<Vec<u8>>, n_segments: usize, seed: u64) -> Vec<Segment> {
    let mut random = Random::new(seed);
    let Aabb { mins, maxs } = map.world().bounds();
    let mins = mins.map(|corner| f64::from(corner) - 32.0);
    let maxs = maxs.map(|corner| f64::from(corner) + 32.0);
    let mut segment = || {
        let kind = random.below(5);
        let point = |random: &mut Random| {
            let point = random.point(mins, maxs);
            match kind {
                0 => point,
                1 => point.map(|at| f64::from(at as f32)),
                _ => point.map(f64::round),
            }
        };
        let (start, mut end) = (point(&mut random), point(&mut random));
        if kind == 3 {
            let axis = random.below(3);
            end = std::array::from_fn(|k| if k == axis { end[k] } else { start[k] });
        }
        if kind == 4 {
            let way = random.between(0.0, 32.0);
            let direction = random.direction();
            end = std::array::from_fn(|k| start[k] + way * direction[k]);
        }
        [start, end]
    };
    (0..n_segments).map(|_| segment()).collect()
}

/// Returns the bits of the numbers that a trace prints.
fn bits(trace: &Trace<f64>) -> [u64; 11] {
    let plane = trace.plane;
    let (normal, dist) = plane.map_or(([0.0; 3], 0.0), |plane| (plane.normal, plane.dist));
    let [x, y, z] = trace.end_pos;
    let [a, b, c] = normal;
    let flags = [trace.start_solid, trace.all_solid].map(|flag| f64::from(u8::from(flag)));
    let numbers = [trace.fraction, trace.hit_fraction, x, y, z, a, b, c, dist];
    std::array::from_fn(|at| *numbers.iter().chain(&flags).nth(at).unwrap()).map(f64::to_bits)
}

/// Returns the bits of a printed row.
fn printed(row: &str) -> [u64; 11] {
    let numbers = row.split(',').map(|text| text.parse::<f64>().unwrap());
    let bits: Vec<u64> = numbers.map(f64::to_bits).collect();
    bits.try_into().unwrap()
}

/// Checks traces on each of the maps, by a program that takes the arguments of `onionc trace`.
fn check(language: &str, run: impl Fn(&Path, &[&str]) -> String) {
    let folder = TempDir::new().unwrap();
    for (seed, name) in MAPS.into_iter().enumerate() {
        let file = loaded(&sample_case(name).map, &subject::HULLS).into_bytes();
        fs::write(folder.path().join("map.onion"), &file).unwrap();
        let map = OnionMap::from_bytes(file).unwrap();
        let hulls: Vec<(&str, HullId)> = map.hulls().map(|hull| (hull.name, hull.id)).collect();
        for (number, &(hull_name, hull)) in hulls.iter().enumerate() {
            let seed = (seed * hulls.len() + number) as u64;
            let segments = segments(&map, TRACES.count() / hulls.len(), seed);
            let rows = segments
                .iter()
                .map(|[[a, b, c], [d, e, f]]| format!("{a},{b},{c},{d},{e},{f}"));
            let csv: Vec<String> = rows.collect();
            let csv = format!("sx,sy,sz,ex,ey,ez\n{}", csv.join("\n"));
            fs::write(folder.path().join("rows.csv"), csv).unwrap();
            let arguments = ["map.onion", "--hull", hull_name, "--batch", "rows.csv"];
            let text = run(folder.path(), &arguments);
            let mut n_hits = 0;
            let found: Vec<&str> = text.lines().skip(1).collect();
            assert_eq!(found.len(), segments.len());
            for (row, [start, end]) in found.into_iter().zip(segments) {
                let trace = map.world().trace(hull, start, end);
                n_hits += usize::from(trace.plane.is_some());
                let same = printed(row) == bits(&trace);
                let what = format!("{language}, {name}, {hull_name}");
                assert!(same, "{what}: {row}, not {trace:?}");
            }
            assert!(n_hits > TRACES.count() / 100, "{name}: only {n_hits} hits");
        }
    }
}

#[test]
fn c_gives_the_bits_of_rust() {
    check("C", |folder, arguments| {
        let mut command = Command::new(example());
        let output = succeed(command.args(arguments).current_dir(folder));
        String::from_utf8(output.stdout).unwrap()
    });
}

#[test]
fn javascript_gives_the_bits_of_rust() {
    if !has_or_skips("node", "the reader in JavaScript") {
        return;
    }
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = tests.join("tests/all/conformance/trace.mjs");
    check("JavaScript", |folder, arguments| {
        let mut command = Command::new("node");
        command.arg(&program).arg(tests.join("../runtime/js"));
        command.arg("trace").args(arguments);
        let output = succeed(command.current_dir(folder));
        String::from_utf8(output.stdout).unwrap()
    });
}
