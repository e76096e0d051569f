//! Walking agents from C: after each tick of a random walk all bytes of an agent are what the runtime's agent in
//! `f32` says, and calls that cannot be answered are refused.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use onion_runtime::OnionMap;
use onion_runtime::movement::{Agent, Ground, WalkSettings};
use onion_tests::cases::{Case, sample_cases};
use onion_tests::random::Random;
use tempfile::TempDir;

use super::{program, source, succeed};

const TICKS: usize = 400;
const STANCES: [&str; 2] = ["stand", "crouch"];

/// An agent's bytes as `onion.h` has them.
pub(super) fn bytes_of(stance: u64, agent: &Agent<f32>, met: Option<Ground<f32>>) -> Vec<u8> {
    let mut bytes = stance.to_ne_bytes().to_vec();
    let numbers = [agent.position, agent.velocity];
    bytes.extend(numbers.as_flattened().iter().flat_map(|x| x.to_ne_bytes()));
    for ground in [agent.on_ground, met] {
        let Some(ground) = ground else {
            bytes.extend([0; 36]);
            continue;
        };
        bytes.extend(ground.normal.iter().flat_map(|x| x.to_ne_bytes()));
        let footing = ground.footing.map(|footing| {
            let surface = [footing.surface, footing.surface_flags];
            [footing.brush, footing.contents, surface[0], surface[1]]
        });
        let numbers = [[ground.object].as_slice(), &footing.unwrap_or([0; 4])].concat();
        bytes.extend(numbers.iter().flat_map(|number| number.to_ne_bytes()));
        bytes.extend([1, footing.is_some().into(), 0, 0]);
    }
    bytes
}

/// A random script for a map with the lines that the program must print, and how many ticks of it stood,
/// met something and crouched.
fn walk(
    map: &OnionMap<&[u8]>,
    start: [f32; 3],
    random: &mut Random,
) -> (String, String, [usize; 3]) {
    let stances = STANCES.map(|name| map.find_hull(name).unwrap());
    let [x, y, z] = start;
    let mut agent = Agent::new(stances[0], start);
    let (mut script, mut expected, mut counts) = (String::new(), String::new(), [0; 3]);
    let mut wish = [0.0f32; 2];
    let mut met = None;
    for tick in 0..=TICKS {
        let mut answer = 0;
        match random.below(12) {
            _ if tick == 0 => writeln!(script, "start stand {x} {y} {z}").unwrap(),
            0 => {
                writeln!(script, "jump 270").unwrap();
                answer = u8::from(agent.jump(270.0));
            }
            number @ 1..=2 => {
                writeln!(script, "stance {}", STANCES[number - 1]).unwrap();
                answer = u8::from(agent.switch_stance(map, stances[number - 1]));
            }
            number => {
                if number == 3 {
                    wish = [0, 1].map(|_| random.between(-400.0, 400.0) as f32);
                }
                writeln!(script, "walk {} {} 0.0166", wish[0], wish[1]).unwrap();
                met = agent.walk(map, &WalkSettings::default(), wish, 0.0166);
            }
        }
        counts[0] += usize::from(agent.on_ground.is_some());
        counts[1] += usize::from(met.is_some());
        counts[2] += usize::from(agent.stance == stances[1]);
        for byte in bytes_of(agent.stance.to_bits(), &agent, met) {
            write!(expected, "{byte:02x}").unwrap();
        }
        writeln!(expected, " 0 {answer}").unwrap();
    }
    (script, expected, counts)
}

/// Walks in a map from a place with room; returns what the walk counted.
fn check(case: &Case, program: &Path, folder: &Path, seed: u64) -> [usize; 3] {
    let bytes = &case.filled().bytes;
    let map = OnionMap::from_bytes(bytes.as_slice()).unwrap();
    let mut random = Random::new(seed);
    let (mins, maxs) = map.world().bounds();
    let mut places = std::iter::repeat_with(|| {
        [0, 1, 2].map(|k| random.between(mins[k].into(), maxs[k].into()).round() as f32)
    });
    let stand = map.find_hull("stand").unwrap();
    let start = places.find(|&place| !map.is_solid(stand, place)).unwrap();
    let (script, expected, counts) = walk(&map, start, &mut random);
    let [file, path] = ["map.onion", "script"].map(|name| folder.join(name));
    fs::write(&file, bytes).unwrap();
    fs::write(&path, script).unwrap();
    let output = succeed(Command::new(program).arg(file).arg(path));
    let found = String::from_utf8(output.stdout).unwrap();
    for (line, (found, expected)) in found.lines().zip(expected.lines()).enumerate() {
        assert_eq!(found, expected, "{}, line {line}", case.name);
    }
    assert_eq!(found.len(), expected.len());
    counts
}

#[test]
fn agents_are_where_the_runtime_has_them() {
    let folder = TempDir::new().unwrap();
    let program = program(&source("movement.c"), &[], &folder);
    let counts = (0..)
        .zip(sample_cases())
        .map(|(seed, case)| check(case, &program, folder.path(), seed));
    let counts = counts.fold([0; 3], |sum, more| {
        [0, 1, 2].map(|kind| sum[kind] + more[kind])
    });
    assert!(counts.iter().all(|&count| count > TICKS / 2), "{counts:?}");
}
