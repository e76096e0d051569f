//! Shapes from C: all bytes of the answers to random queries, in both precisions, match the runtime; and calls of
//! shapes, scenes and agents that have no answer are refused.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use onion_runtime::shape::Shape;
use onion_runtime::{Aabb, OnionMap, Pose};
use onion_tests::cases::sample_case;
use onion_tests::fixtures::compiled;
use onion_tests::random::Random;
use onion_tests::strange::golden;
use onion_tests::subject;
use tempfile::TempDir;

use super::bytes::{Bytes, Precision};
use super::{program, source, succeed};

/// Number of queries of each kind for each map.
const ROUNDS: usize = 60;
/// Status of a file without brushes.
const NO_BRUSHES: u32 = 8;

/// A script, the answers to it, and the numbers of misses and of hits among them.
struct Script<'a> {
    map: &'a OnionMap<&'a [u8]>,
    random: Random,
    text: String,
    answers: String,
    met: [usize; 2],
}

fn line(words: &mut String, word: &str, numbers: &[f64]) {
    let numbers: String = numbers.iter().map(|number| format!(" {number}")).collect();
    writeln!(words, "{word}{numbers}").unwrap();
}

impl Script<'_> {
    fn answer(&mut self, status: u32, bytes: Bytes) {
        writeln!(self.answers, "{status} {}", bytes.hex()).unwrap();
    }

    fn point(&mut self) -> [f64; 3] {
        let Aabb { mins, maxs } = self.map.world().bounds();
        [0, 1, 2].map(|k| self.random.between(mins[k].into(), maxs[k].into()))
    }

    /// Makes a shape of any kind, and its line.
    fn shape(&mut self) -> Shape {
        let half = [0, 1, 2].map(|_| self.random.between(0.0, 24.0));
        let [a, b] = [half.map(|x| -x), half];
        let turn = [0; 4].map(|_| self.random.between(-1.0, 1.0));
        let turn = Pose::quaternion([0.0; 3], turn).unwrap();
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let axes = axes.map(|axis: [f64; 3]| turn.turn_to_world::<f64>(axis));
        let kind = self.random.below(4);
        let (shape, numbers) = match kind {
            0 => (Shape::axial_box(Aabb::new(a, b)), [a, b]),
            1 => (Shape::capsule(a, b, 6.5), [a, b]),
            2 => (Shape::oriented_box(a, b, axes), [a, b]),
            _ => (Shape::cylinder(a, 6.5, b[2], 16), [a, b]),
        };
        let mut all = vec![kind as f64];
        all.extend(numbers.as_flattened().iter().chain(axes.as_flattened()));
        all.push(6.5);
        line(&mut self.text, "shape", &all);
        shape.unwrap()
    }

    fn shapes(&mut self) {
        let shape = self.shape();
        let [start, end] = [self.point(), self.point()];
        let numbers = [&[1.0], start.as_slice(), &end].concat();
        line(&mut self.text, "trace", &numbers);
        line(&mut self.text, "fits", &numbers[..4]);
        if !self.map.has_brush_shapes() {
            for size in [96, 120, 1, 1] {
                self.answer(NO_BRUSHES, Bytes(vec![0xaa; size]));
            }
            return;
        }
        let single = [start, end].map(|end| end.map(|x| x as f32));
        let solid = [self.trace(&shape, single), self.trace(&shape, [start, end])];
        for solid in solid {
            self.answer(0, Bytes(vec![solid.into()]));
        }
    }

    /// Writes the trace of a shape, and returns whether it is solid at its start.
    fn trace<T: Precision>(&mut self, shape: &Shape, [start, end]: [[T; 3]; 2]) -> bool {
        let world = self.map.world();
        let trace = world.trace_shape(shape, 1, start, end).unwrap();
        self.met[usize::from(trace.hit.is_some())] += 1;
        self.answer(0, Bytes::default().shape_trace(&trace));
        world.shape_is_solid(shape, 1, start).unwrap()
    }
}

/// Compares the queries on a file, and returns the numbers of misses and of hits.
fn check(name: &str, bytes: &[u8], program: &Path, folder: &Path) -> [usize; 2] {
    let map = OnionMap::from_bytes(bytes).unwrap();
    let mut script = Script {
        map: &map,
        random: Random::new(bytes.len() as u64),
        text: String::new(),
        answers: String::new(),
        met: [0; 2],
    };
    for _ in 0..ROUNDS {
        script.shapes();
    }
    let [file, path] = ["map.onion", "script"].map(|name| folder.join(name));
    fs::write(&file, bytes).unwrap();
    fs::write(&path, &script.text).unwrap();
    let output = succeed(Command::new(program).arg(file).arg(path));
    let found = String::from_utf8(output.stdout).unwrap();
    for (number, (found, expected)) in found.lines().zip(script.answers.lines()).enumerate() {
        assert_eq!(found, expected, "{name}, answer {number}");
    }
    assert_eq!(found.len(), script.answers.len());
    script.met
}

#[test]
fn shapes_are_answered_as_the_runtime_does() {
    let folder = TempDir::new().unwrap();
    let program = program(&source("shapes.c"), &[], &folder);
    let mut met = [0; 2];
    for name in ["door", "courtyard"] {
        let map = &sample_case(name).map;
        let compiled = compiled(map, &subject::HULLS, |options| options.brushes = true);
        let more = check(name, &compiled.bytes, &program, folder.path());
        met = [0, 1].map(|kind| met[kind] + more[kind]);
    }
    assert!(met.iter().all(|&count| count > ROUNDS / 4), "{met:?}");
    let bare = golden("low_tunnel-bare");
    check("without brushes", &bare, &program, folder.path());
}
