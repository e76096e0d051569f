//! Calls from C: every function with every hull and model of a map is compared with the runtime itself, by the bytes
//! of the answers, and may not allocate; and calls that must be refused.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::ops::ControlFlow;
use std::process::Command;

use onion_runtime::{Aabb, DEFAULT_MARGIN, HullId, Model, OnionMap, Transition};
use onion_tests::cases::sample_case;
use onion_tests::fixtures::compiled;
use onion_tests::random::Random;
use onion_tests::strange::golden;
use onion_tests::subject;
use tempfile::TempDir;

use super::bytes::{Bytes, Precision};
use super::{program, source, succeed};

/// The linker options that redirect all allocations of the library to `calls.c`, on systems whose linker supports
/// them.
const WRAPPED: &[&str] = if cfg!(target_os = "linux") {
    &[
        "-DWRAPPED",
        "-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=posix_memalign",
    ]
} else {
    &[]
};

/// The constants of `calls.c`: the margin, the size of a batch, the places for transitions, the amount added to a
/// hull's box on each side, and the radius of a search.
const MARGIN: f64 = 0.25;
const BATCH: usize = 256;
const CAPACITY: usize = 2;
const MOST: usize = 600;
const RADIUS: f32 = 8.0;

/// A model and a hull, either of which may not exist.
#[derive(Clone, Copy)]
struct Asked<'a> {
    model: Result<Model<'a>, u32>,
    hull: Option<HullId>,
}

impl<'a> Asked<'a> {
    fn both(&self) -> Result<(Model<'a>, HullId), u32> {
        self.model
            .and_then(|model| Ok((model, self.hull.ok_or(NO_HULL)?)))
    }

    fn by_hull(&self, answer: impl Fn(Bytes, &Model<'_>, HullId) -> Bytes) -> Answer {
        let both = self.both();
        both.map(|(model, hull)| answer(Bytes::default(), &model, hull))
    }

    fn by_model(&self, answer: impl Fn(Bytes, &Model<'_>) -> Bytes) -> Answer {
        self.model.map(|model| answer(Bytes::default(), &model))
    }
}

/// Returns all transitions along a segment.
fn transitions(
    model: &Model<'_>,
    hull: HullId,
    [start, end]: [[f64; 3]; 2],
) -> Vec<Transition<f64>> {
    let mut all = Vec::new();
    model.transitions(hull, start, end, |transition| {
        all.push(transition);
        ControlFlow::Continue(())
    });
    all
}

/// The expected output of `calls.c`.
struct Expected<'a> {
    map: &'a OnionMap<&'a [u8]>,
    points: Vec<[f64; 3]>,
    text: String,
}

/// The bytes of an answer, or the status with which a call fails.
type Answer = Result<Bytes, u32>;

const NO_MODEL: u32 = 4;
const NO_HULL: u32 = 5;
const OTHER_BOX: u32 = 6;
const NO_LEAF: u32 = 7;
const NO_BRUSHES: u32 = 8;
const NO_SURFACE: u32 = 9;
const NO_HIT_DATA: u32 = 10;
const NO_ENTITY: u32 = 11;
const NO_ENTITIES: u32 = 12;

impl Expected<'_> {
    /// Writes the line of a call whose answer has this size.
    fn call(&mut self, name: &str, size: usize, answer: Answer) {
        let (status, Bytes(mut bytes)) = match answer {
            Ok(bytes) => (0, bytes),
            Err(status) => (status, Bytes::default()),
        };
        assert!(bytes.len() <= size, "{name}");
        // A call leaves the other bytes as they were.
        bytes.resize(size, 0xaa);
        writeln!(self.text, "{name} {status} {}", Bytes(bytes).hex()).unwrap();
    }

    fn about_map(&mut self) {
        let map = self.map;
        let version = Bytes::default().u32(map.inspect().version());
        self.call("onion_file_version", 4, Ok(version));
        let n_hulls = map.hulls().count() as u32;
        self.call("onion_hull_count", 4, Ok(Bytes::default().u32(n_hulls)));
        let n_models = map.n_models() as u32;
        self.call("onion_model_count", 4, Ok(Bytes::default().u32(n_models)));
        for hull in map.hulls() {
            let name = hull.name.bytes().chain(std::iter::repeat(0)).take(33);
            let info = Bytes::default().u64(hull.id.to_bits()).u8(name);
            let info = info.u8([hull.filled.into(), 0, 0]);
            let info = info.numbers(hull.bounds.mins).numbers(hull.bounds.maxs);
            let info = info.u32(hull.contents);
            self.call("onion_get_hull_info", 72, Ok(info));
            let bits = hull.id.to_bits();
            self.call("onion_find_hull", 8, Ok(Bytes::default().u64(bits)));
            self.call("onion_require_hull", 8, Ok(Bytes::default().u64(bits)));
            self.call("onion_require_hull", 8, Err(OTHER_BOX));
        }
        self.call("onion_get_hull_info", 72, Err(NO_HULL));
        self.call("onion_find_hull", 8, Err(NO_HULL));
        self.call("onion_require_hull", 8, Err(NO_HULL));
        for number in 0..n_models as usize {
            let model = map.model(number).unwrap();
            let margin = Bytes::default().numbers([DEFAULT_MARGIN]);
            self.call("onion_get_model", 8, Ok(margin));
            let Aabb { mins, maxs } = model.bounds();
            let info = Bytes::default().numbers([model.origin(), mins, maxs].concat());
            let info = info.u32(model.entity_number().unwrap_or(u32::MAX));
            self.call("onion_get_model_info", 40, Ok(info));
        }
        self.call("onion_get_model", 8, Err(NO_MODEL));
        self.call("onion_get_model_info", 40, Err(NO_MODEL));
        for leaf in (0..8).chain([u32::MAX]) {
            let hulls = map.inspect().leaf(leaf).ok_or(NO_LEAF);
            let bytes = hulls.map(|hulls| Bytes::default().u64(hulls.bits()));
            self.call("onion_leaf_solidity", 8, bytes);
        }
        let n_surfaces = map.inspect().surfaces().count() as u32;
        let n_surfaces = Bytes::default().u32(n_surfaces);
        self.call("onion_surface_count", 4, Ok(n_surfaces));
        for surface in map.inspect().surfaces() {
            let name = surface.name_bytes.iter().copied();
            let name = name.chain(std::iter::repeat(0)).take(65);
            self.call("onion_get_surface_name", 65, Ok(Bytes::default().u8(name)));
        }
        self.call("onion_get_surface_name", 65, Err(NO_SURFACE));
    }

    fn about_entities(&mut self) {
        let Ok(entities) = self.map.entities() else {
            self.call("onion_entity_count", 4, Err(NO_ENTITIES));
            self.call("onion_entity_pair", 0, Err(NO_ENTITIES));
            self.call("onion_entity_pair", 0, Err(NO_ENTITIES));
            return;
        };
        let count = Bytes::default().u32(entities.len() as u32);
        self.call("onion_entity_count", 4, Ok(count));
        for entity in entities {
            for (key, value) in entity.pairs() {
                self.text("onion_entity_pair", key);
                self.text("onion_entity_pair", value);
                self.text("onion_entity_value", entity.get(key).unwrap());
                // A key without its first letter.
                self.text("onion_entity_value", entity.get(&key[1..]).unwrap_or(""));
            }
            self.text("onion_entity_pair", "");
            self.text("onion_entity_pair", "");
        }
        self.call("onion_entity_pair", 0, Err(NO_ENTITY));
        self.call("onion_entity_pair", 0, Err(NO_ENTITY));
    }

    /// Writes the line of a call that answers with a text.
    fn text(&mut self, name: &str, text: &str) {
        let bytes = Bytes::default().u8(text.bytes());
        self.call(name, text.len(), Ok(bytes));
    }

    /// Returns some points in a precision.
    fn points<T: Precision>(&self, numbers: impl Iterator<Item = usize>) -> Vec<[T; 3]> {
        let points = numbers.map(|number| self.points[number].map(T::narrow));
        points.collect()
    }

    /// Writes the calls with the segment between two points in a precision.
    fn one_by_one<T: Precision>(&mut self, asked: Asked<'_>, segment: usize) {
        let ends = self.points::<T>(2 * segment..2 * segment + 2);
        let [start, end] = ends[..] else {
            unreachable!("a segment has two ends")
        };
        let wide = [start, end].map(|end| end.map(T::widen));
        let name = |call: &str| format!("{call}{}", T::SUFFIX);
        let trace = |model: &Model<'_>, hull| model.trace(hull, start, end);
        let answer = asked.by_hull(|bytes, model, hull| bytes.trace(&trace(model, hull)));
        self.call(&name("onion_trace"), 40 + 12 * size_of::<T>(), answer);
        let hit = asked.both().and_then(|(model, hull)| {
            let hit = model.hit(hull, &trace(&model, hull));
            hit.map_err(|_| NO_HIT_DATA)
        });
        let answer = hit.map(|hit| Bytes::default().hit(hit));
        self.call(&name("onion_hit"), 48, answer);
        let answer =
            asked.by_hull(|bytes, model, hull| bytes.u8([model.is_solid(hull, start).into()]));
        self.call(&name("onion_is_solid"), 1, answer);
        let answer = asked.by_model(|bytes, model| bytes.u64(model.solidity(start).bits()));
        self.call(&name("onion_solidity"), 8, answer);
        let answer = asked.by_hull(|bytes, model, hull| {
            bytes.transition(&model.find_first_transition(hull, wide[0], wide[1]))
        });
        self.call(&name("onion_find_first_transition"), 80, answer);
        let model = if self.map.has_brush_shapes() {
            asked.model
        } else {
            asked.model.and(Err(NO_BRUSHES))
        };
        let contents = model.map(|model| model.contents_at(wide[0]).unwrap_or(u32::MAX));
        let answer = contents.map(|bits| Bytes::default().u32(bits));
        self.call(&name("onion_contents_at"), 4, answer);
        let answer = asked.by_model(|bytes, model| bytes.u64(model.hulls_that_fit(start).bits()));
        self.call(&name("onion_hulls_that_fit"), 8, answer);
        // All changes along the segment; an array that is too small gets the first ones.
        let both = asked.both();
        let all = both.map(|(model, hull)| transitions(&model, hull, wide));
        let count = |all: &Vec<_>| Bytes::default().u8(all.len().to_ne_bytes());
        let answer = all.as_ref().map(count).map_err(|status| *status);
        self.call(&name("onion_transitions"), size_of::<usize>(), answer);
        let first = all.iter().flatten().take(CAPACITY);
        let first = first.fold(Bytes::default(), Bytes::transition);
        self.call("transitions", CAPACITY * 80, Ok(first));
    }

    /// Writes the calls with a point and a segment that have one precision.
    fn in_one_precision(&mut self, asked: Asked<'_>, segment: usize) {
        let start = self.points[2 * segment].map(|x| x as f32);
        let first = self.map.inspect().hull_id(0).unwrap();
        let answer = asked.by_model(|bytes, model| {
            let leaf = model.leaf_at(start);
            bytes.u32(leaf.map_or(u32::MAX, |leaf| leaf.index() as u32))
        });
        self.call("onion_leaf_at", 4, answer);
        let answer = asked
            .by_hull(|bytes, model, hull| bytes.fit(model.switched_position(hull, first, start)));
        self.call("onion_switched_position", 16, answer);
        let answer = asked
            .by_hull(|bytes, model, hull| bytes.fit(model.switched_position(first, hull, start)));
        self.call("onion_switched_position", 16, answer);
        let answer =
            asked.by_hull(|bytes, model, hull| bytes.fit(model.nearest_fit(hull, start, RADIUS)));
        self.call("onion_nearest_fit", 16, answer);
        let ends = [0, 1].map(|end| self.points[2 * segment + end]);
        let answer = asked.by_hull(|bytes, model, hull| {
            bytes.u8(transitions(model, hull, ends).len().to_ne_bytes())
        });
        self.call("onion_transitions_double", size_of::<usize>(), answer);
    }

    /// Writes the calls with many points, each the start of a segment to the next.
    fn with_all(&mut self, asked: Asked<'_>, count: usize) {
        self.traces::<f32>(asked, count);
        self.traces::<f64>(asked, count);
        let points = self.points::<f32>(0..count);
        let answer = asked.by_hull(|bytes, model, hull| {
            bytes.u8(points.iter().map(|at| model.is_solid(hull, *at).into()))
        });
        self.call("onion_is_solid_batch", MOST, answer);
        let answer = asked.by_model(|bytes, model| {
            let each = points.iter().map(|at| model.solidity(*at).bits());
            each.fold(bytes, Bytes::u64)
        });
        self.call("onion_solidity_batch", MOST * 8, answer);
    }

    fn traces<T: Precision>(&mut self, asked: Asked<'_>, count: usize) {
        let points = self.points::<T>(0..if count > 0 { count + 1 } else { 0 });
        let answer = asked.by_hull(|bytes, model, hull| {
            let pairs = points.windows(2);
            pairs.fold(bytes, |bytes, ends| {
                bytes.trace(&model.trace(hull, ends[0], ends[1]))
            })
        });
        let size = MOST * (40 + 12 * size_of::<T>());
        self.call(&format!("onion_trace_batch{}", T::SUFFIX), size, answer);
    }

    fn all(mut self) -> String {
        let map = self.map;
        let version = Bytes::default().u32(0x00_01_00).hex();
        self.text += &format!("onion_version 1 {version}\n");
        let margin = Bytes::default().numbers([DEFAULT_MARGIN]);
        self.call("ONION_DEFAULT_MARGIN", 8, Ok(margin));
        self.text += "done 0 \n";
        self.about_map();
        self.about_entities();
        for number in 0..=map.n_models() {
            let model = map.model(number).map(|model| model.with_margin(MARGIN));
            let model = model.ok_or(NO_MODEL);
            let hulls = map.hulls().map(|hull| Some(hull.id)).chain([None]);
            for hull in hulls {
                let asked = Asked { model, hull };
                for segment in 0..self.points.len() / 2 {
                    self.one_by_one::<f32>(asked, segment);
                    self.one_by_one::<f64>(asked, segment);
                    self.in_one_precision(asked, segment);
                }
                for count in [self.points.len() - 1, BATCH, 0] {
                    self.with_all(asked, count);
                }
            }
        }
        self.text
    }
}

/// Picks points in and around a map, some on whole numbers, some invalid.
fn points(map: &OnionMap<impl AsRef<[u8]>>, n_points: usize) -> Vec<[f64; 3]> {
    let mut random = Random::new(46);
    let Aabb { mins, maxs } = map.world().bounds();
    let (mins, maxs) = (
        mins.map(|x| f64::from(x) - 64.0),
        maxs.map(|x| f64::from(x) + 64.0),
    );
    let one = |_| {
        let point = random.point(mins, maxs);
        match random.below(16) {
            0 => [point[0], f64::NAN, point[2]],
            1 => [point[0], point[1], 1e300],
            2..7 => point.map(f64::round),
            _ => point,
        }
    };
    (0..n_points).map(one).collect()
}

/// Asserts that the answers to a call differ, so that their bytes are a real test: hits and misses, and more
/// transitions than places for them.
fn assert_varied(map: &OnionMap<impl AsRef<[u8]>>, text: &str) {
    let answers = |call: &str| -> BTreeSet<&str> {
        let start = format!("{call} 0 ");
        let answers = text.lines().filter_map(|line| line.strip_prefix(&start));
        answers.collect()
    };
    let mut calls = vec![
        "onion_hulls_that_fit",
        "onion_switched_position",
        "onion_nearest_fit",
        "onion_transitions",
    ];
    calls.extend(map.has_hit_data().then_some("onion_hit"));
    calls.extend(map.has_brush_shapes().then_some("onion_contents_at"));
    for call in calls {
        assert!(answers(call).len() > 2, "{call}: {:?}", answers(call));
    }
    let too_many = Bytes::default().u8((CAPACITY + 1).to_ne_bytes()).hex();
    assert!(answers("onion_transitions").contains(&*too_many));
}

/// Compares all answers for a file, and returns them.
fn check(name: &str, bytes: &[u8]) -> String {
    let folder = TempDir::new().unwrap();
    let [file, segments] = ["map.onion", "segments"].map(|name| folder.path().join(name));
    let map = OnionMap::from_bytes(bytes).unwrap();
    let points = points(&map, 300);
    let numbers = points.iter().flatten().flat_map(|x| x.to_ne_bytes());
    fs::write(&file, bytes).unwrap();
    fs::write(&segments, numbers.collect::<Vec<u8>>()).unwrap();
    let expected = Expected {
        map: &map,
        points,
        text: String::new(),
    };
    let expected = expected.all();
    assert_varied(&map, &expected);

    let program = program(&source("calls.c"), WRAPPED, &folder);
    let output = succeed(Command::new(program).arg(file).arg(segments)).stdout;
    let printed = String::from_utf8(output).unwrap();
    for (number, (printed, expected)) in printed.lines().zip(expected.lines()).enumerate() {
        assert_eq!(printed, expected, "{name}, line {}", number + 1);
    }
    assert_eq!(printed.lines().count(), expected.lines().count(), "{name}");
    printed
}

/// A map with an inline model and one tree for all hulls; one with patches; and one with bevels.
#[test]
fn calls_answer_as_the_runtime_does() {
    let mut printed = String::new();
    for name in ["door", "patch_arch", "wedge"] {
        let map = &sample_case(name).map;
        let file = compiled(map, &subject::HULLS, |options| options.brushes = true);
        printed += &check(name, &file.bytes);
    }
    // Offsets by the layout: source_kind at 8, found and is_bevel at 40 and 41.
    let hits = printed
        .lines()
        .filter_map(|line| line.strip_prefix("onion_hit 0 "));
    let count = |is_meant: fn(&str) -> bool| hits.clone().filter(|hit| is_meant(hit)).count();
    assert!(count(|hit| &hit[80..82] == "01") > 100);
    assert!(count(|hit| &hit[82..84] == "01") > 0, "no bevel was met");
    assert!(count(|hit| &hit[16..24] != "00000000") > 0, "no patch was");
}

/// A tree for each hull or two, and files without surfaces and brushes.
#[test]
fn calls_answer_as_the_runtime_does_for_golden_files() {
    for name in [
        "low_tunnel-bare",
        "low_tunnel-bare-groups",
        "low_tunnel",
        "low_tunnel-groups",
    ] {
        check(name, &golden(name));
    }
}

#[test]
fn what_must_be_refused_is_refused() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("map.onion");
    let hulls = [
        "stand:16x56",
        "crouch:16x32",
        "a-name-that-has-thirty-two-bytes:point",
    ];
    let compiled = compiled(&sample_case("door").map, &hulls, |_| ());
    fs::write(&file, &compiled.bytes).unwrap();
    let program = program(&source("bad_calls.c"), &[], &folder);
    succeed(Command::new(program).arg(file));
}
