//! Agents in C and JavaScript pass linked portals with the bits of Rust, walking and swimming, and so do traces. The
//! programs read lines of numbers: a path, then for each agent its position and the length of a tick, then wished
//! velocities of two numbers for walking or three for swimming.

use std::fmt::Write as _;
use std::fs::File;
use std::path::Path;
use std::process::Command;

use onion_runtime::movement::{Agent, Stop, WalkSettings, World};
use onion_runtime::{Coordinate, LinkedPortal, LinkedWorld, OnionMap};
use onion_tests::fixtures::has_or_skips;
use onion_tests::random::Random;
use tempfile::TempDir;

use crate::c_interface::{program, source, succeed};
use crate::linked::{both, corridor, load, portals};

const AGENTS: usize = 60;
const TICKS: usize = 200;

/// How far a trace goes after each tick, in seconds at the wished velocity.
const FAR: f64 = 2.0;

/// The lines for a program, and those that it must print.
#[derive(Default)]
pub(crate) struct Lines {
    pub input: String,
    pub expected: String,
}

/// Writes numbers as the bits of doubles.
pub(crate) fn write_bits<T: Coordinate>(text: &mut String, numbers: &[T]) {
    for number in numbers {
        write!(text, "{:x} ", number.widen().to_bits()).unwrap();
    }
}

/// Returns what a program prints about a trace.
fn traced<T: Coordinate>(
    map: &OnionMap<Vec<u8>>,
    portals: &[LinkedPortal],
    (start, by): ([T; 3], [f64; 3]),
) -> String {
    let world = map.world();
    let end = [0, 1, 2].map(|k| T::narrow(start[k].widen() + by[k] * FAR));
    let seen = LinkedWorld::new(&world, portals, start);
    let stop: Stop<T> = seen.trace(map.find_hull("stand").unwrap(), start, end);
    let (place, quarters) = seen.place(stop.end_pos);
    let mut text = String::new();
    write_bits(&mut text, &[stop.fraction]);
    write_bits(&mut text, &[stop.end_pos, place].concat());
    let normal = stop.met.map(|met| met.normal);
    write_bits(&mut text, &normal.unwrap_or_default());
    writeln!(text, "{quarters} {}", u8::from(normal.is_some())).unwrap();
    text
}

impl Lines {
    /// Moves an agent from a start, in the precision of a language's agents.
    fn add<T: Coordinate>(&mut self, map: &OnionMap<Vec<u8>>, portals: &[LinkedPortal], run: u64) {
        let mut random = Random::new(run);
        let dt = [0.05, 0.015625, 0.008, 0.004][run as usize % 4];
        let [x, y] = [[-60.0, -10.0], [-50.0, 50.0]].map(|[a, b]| random.between(a, b));
        let mut agent = Agent::new(
            map.find_hull("stand").unwrap(),
            [x, y, 100.0].map(T::narrow),
        );
        writeln!(self.input, "{x} {y} 100 {dt}").unwrap();
        let mut wish = [320.0, 0.0, 0.0];
        let (world, settings) = (map.world(), WalkSettings::default());
        for tick in 0..TICKS {
            if tick % 10 == 9 {
                wish = random.direction().map(|x| x * 320.0);
            }
            let seen = LinkedWorld::new(&world, portals, agent.position);
            let [x, y, z] = wish.map(T::narrow);
            if tick % 50 < 40 {
                wish[2] = 0.0;
                writeln!(self.input, "{} {}", wish[0], wish[1]).unwrap();
                agent.walk(&seen, &settings, [x, y], T::narrow(dt));
            } else {
                writeln!(self.input, "{} {} {}", wish[0], wish[1], wish[2]).unwrap();
                agent.swim(&seen, &settings, [x, y, z], T::narrow(dt));
            }
            let quarters = seen.arrive(&mut agent);
            write_bits(
                &mut self.expected,
                &[agent.position, agent.velocity].concat(),
            );
            let stands = u8::from(agent.on_ground.is_some());
            writeln!(self.expected, "{quarters} {stands}").unwrap();
            self.expected += &traced(map, portals, (agent.position, wish));
            let wide = agent.position.map(T::widen);
            self.expected += &traced(map, portals, (wide, wish));
        }
    }

    /// Compares with what a program prints.
    pub fn compare(&self, folder: &Path, program: &mut Command) {
        let path = folder.join("input");
        std::fs::write(&path, &self.input).unwrap();
        let output = succeed(program.stdin(File::open(path).unwrap()));
        let found = String::from_utf8(output.stdout).unwrap();
        let mut pairs = found.lines().zip(self.expected.lines());
        let differs = pairs.position(|(a, b)| a != b);
        assert_eq!(
            differs,
            None,
            "{:?}",
            self.expected.lines().nth(differs.unwrap_or(0))
        );
        assert_eq!(found.lines().count(), self.expected.lines().count());
    }
}

/// Moves agents in a program whose agents have this precision.
fn agents_move_alike<T: Coordinate>(make: impl FnOnce(&TempDir) -> Command) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("cut.onion");
    let [_, file] = both(&corridor(&mut Random::new(7)));
    std::fs::write(&path, &file).unwrap();
    let map = load(file);
    let portals = portals(&map);
    let mut lines = Lines::default();
    writeln!(lines.input, "{}", path.display()).unwrap();
    for run in 0..AGENTS {
        lines.add::<T>(&map, &portals, run as u64);
    }
    // Agents pass, and traces pass that agents do not follow.
    let turned = |line: &&str| {
        [" 1 0", " 1 1", " 3 0", " 3 1"]
            .iter()
            .any(|end| line.ends_with(end))
    };
    let n_turned = lines.expected.lines().filter(turned).count();
    assert!(n_turned > 10 * AGENTS, "{n_turned}");
    lines.compare(folder.path(), &mut make(&folder));
}

#[test]
fn agents_and_traces_pass_alike_in_c() {
    agents_move_alike::<f32>(|folder| Command::new(program(&source("linked.c"), &[], folder)));
}

#[test]
fn agents_and_traces_pass_alike_in_javascript() {
    if has_or_skips("node", "linked portals in JavaScript") {
        agents_move_alike::<f64>(|_| {
            let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all");
            let mut node = Command::new("node");
            node.arg(tests.join("conformance/linked.mjs"));
            node
        });
    }
}
