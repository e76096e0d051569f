//! Shapes from C: all bytes of the answers to random queries, in both precisions, match the runtime; and calls of
//! shapes, scenes and agents that have no answer are refused.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use onion_runtime::shape::{Shape, ShapeTrace};
use onion_runtime::{Hit, OnionMap, Pose, Source};
use onion_tests::random::Random;
use onion_tests::{samples, subject};
use tempfile::TempDir;

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

/// Returns the bytes of a hit in the layout of `onion.h`.
fn hit_bytes(hit: Option<Hit<'_>>) -> Vec<u8> {
    let (mut numbers, mut flags) = ([0; 10], [0; 8]);
    numbers[9] = u32::MAX;
    if let Some(hit) = hit {
        let (kind, number) = match hit.brush.source {
            Source::Brush(number) => (0, number),
            Source::Patch(number) => (1, number),
        };
        let (brush, surface) = (hit.brush, hit.surface());
        numbers = [
            brush.number,
            hit.contents(),
            kind,
            number,
            hit.side.number,
            surface.number,
            surface.flags,
            surface.contents,
            brush.model as u32,
            brush.entity.unwrap_or(u32::MAX),
        ];
        flags[..2].copy_from_slice(&[1, hit.side.is_bevel.into()]);
    }
    let numbers = numbers.iter().flat_map(|number| number.to_ne_bytes());
    numbers.chain(flags).collect()
}

/// Returns the bytes of a trace in the layout of `onion.h`, with its points already as bytes.
fn trace_bytes<T>(trace: &ShapeTrace<'_, T>, points: [Vec<u8>; 2]) -> Vec<u8> {
    let mut bytes: Vec<u8> = [trace.fraction, trace.hit_fraction]
        .iter()
        .flat_map(|number| number.to_ne_bytes())
        .collect();
    bytes.extend(points.concat());
    bytes.extend(hit_bytes(trace.hit));
    // No mover.
    bytes.extend(u32::MAX.to_ne_bytes());
    bytes.extend([trace.start_solid, trace.all_solid, trace.normal.is_some()].map(u8::from));
    bytes.push(0);
    bytes
}

fn single(trace: &ShapeTrace<'_, f32>) -> Vec<u8> {
    let points = [trace.end_pos, trace.normal.unwrap_or_default()];
    let points = points.map(|point| point.iter().flat_map(|x| x.to_ne_bytes()).collect());
    trace_bytes(trace, points)
}

fn double(trace: &ShapeTrace<'_, f64>) -> Vec<u8> {
    let points = [trace.end_pos, trace.normal.unwrap_or_default()];
    let points = points.map(|point| point.iter().flat_map(|x| x.to_ne_bytes()).collect());
    trace_bytes(trace, points)
}

fn narrow(point: [f64; 3]) -> [f32; 3] {
    point.map(|x| x as f32)
}

impl Script<'_> {
    fn answer(&mut self, bytes: &[u8]) {
        self.status(0, bytes);
    }

    fn status(&mut self, status: u32, bytes: &[u8]) {
        let bytes: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        writeln!(self.answers, "{status} {bytes}").unwrap();
    }

    fn point(&mut self) -> [f64; 3] {
        let (mins, maxs) = self.map.world().bounds();
        [0, 1, 2].map(|k| self.random.between(mins[k].into(), maxs[k].into()))
    }

    /// Makes a shape of any kind, and its line.
    fn shape(&mut self) -> Shape {
        let half = [0, 1, 2].map(|_| self.random.between(0.0, 24.0));
        let [a, b] = [half.map(|x| -x), half];
        let turn = Pose::quaternion([0.0; 3], self.quaternion()).unwrap();
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let axes = axes.map(|axis: [f64; 3]| turn.turn_to_world::<f64>(axis));
        let kind = self.random.below(3);
        let (shape, numbers) = match kind {
            0 => (Shape::axial_box(a, b), [a, b]),
            1 => (Shape::capsule(a, b, 6.5), [a, b]),
            _ => (Shape::oriented_box(a, b, axes), [a, b]),
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
        let world = self.map.world();
        let (start_f32, end_f32) = (narrow(start), narrow(end));
        let Ok(trace) = world.trace_shape(&shape, 1, start_f32, end_f32) else {
            for size in [96, 120, 1, 1] {
                self.status(NO_BRUSHES, &vec![0xaa; size]);
            }
            return;
        };
        self.met[usize::from(trace.hit.is_some())] += 1;
        self.answer(&single(&trace));
        let exact = world.trace_shape(&shape, 1, start, end).unwrap();
        self.answer(&double(&exact));
        let solid = [
            world.shape_is_solid(&shape, 1, start_f32),
            world.shape_is_solid(&shape, 1, start),
        ];
        for solid in solid {
            self.answer(&[solid.unwrap().into()]);
        }
    }

    fn quaternion(&mut self) -> [f64; 4] {
        [0; 4].map(|_| self.random.between(-1.0, 1.0))
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
        let path = samples::dir().join(name).with_extension("bsp");
        let map = subject::parse(&fs::read(path).unwrap());
        let hulls = subject::hulls(&subject::HULLS);
        let compiled = subject::compile_with_brushes(&map, hulls);
        let more = check(name, &compiled.bytes, &program, folder.path());
        met = [0, 1].map(|kind| met[kind] + more[kind]);
    }
    assert!(met.iter().all(|&count| count > ROUNDS / 4), "{met:?}");
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/low_tunnel-bare.onion");
    let bytes = fs::read(golden).unwrap();
    check("without brushes", &bytes, &program, folder.path());
}
