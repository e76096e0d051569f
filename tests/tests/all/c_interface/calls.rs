//! Calls from C: every function with every hull and model of a map is compared with the runtime itself, by the bytes
//! of the answers, and may not allocate; and calls that must be refused.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;

use onion_compiler::CompileOptions;
use onion_compiler::fill::seeds::Fill;
use onion_runtime::{
    Crossing, DEFAULT_MARGIN, Hit, HullId, Model, OnionMap, Source, Trace, Transition, Unsupported,
};
use onion_tests::random::Random;
use onion_tests::{samples, subject};
use tempfile::TempDir;

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
const RADIUS: f32 = 8.0;

/// The bytes of an answer, member by member, in the order of the layout.
#[derive(Default)]
struct Bytes(Vec<u8>);

impl Bytes {
    fn u8(mut self, values: impl IntoIterator<Item = u8>) -> Self {
        self.0.extend(values);
        self
    }

    fn u32(self, value: u32) -> Self {
        self.u8(value.to_ne_bytes())
    }

    fn u64(self, value: u64) -> Self {
        self.u8(value.to_ne_bytes())
    }

    fn f32(self, values: [f32; 3]) -> Self {
        self.u8(values.into_iter().flat_map(f32::to_ne_bytes))
    }

    fn f64(self, values: impl IntoIterator<Item = f64>) -> Self {
        self.u8(values.into_iter().flat_map(f64::to_ne_bytes))
    }

    fn trace(self, trace: &Trace<f32>) -> Self {
        let (normal, dist, number) = trace.plane.map_or(([0.0; 3], 0.0, u32::MAX), |at| {
            (at.normal, at.dist, at.number)
        });
        let bytes = self.f64([trace.fraction, trace.hit_fraction, dist]);
        let bytes = bytes
            .f32(trace.start)
            .f32(trace.end)
            .f32(trace.end_pos)
            .f32(normal)
            .u32(number);
        bytes.flags([trace.start_solid, trace.all_solid, trace.plane.is_some()])
    }

    fn trace_double(self, trace: &Trace<f64>) -> Self {
        let (normal, dist, number) = trace.plane.map_or(([0.0; 3], 0.0, u32::MAX), |at| {
            (at.normal, at.dist, at.number)
        });
        let bytes = self.f64([trace.fraction, trace.hit_fraction, dist]);
        let bytes = bytes
            .f64(trace.start)
            .f64(trace.end)
            .f64(trace.end_pos)
            .f64(normal)
            .u32(number);
        bytes.flags([trace.start_solid, trace.all_solid, trace.plane.is_some()])
    }

    /// Appends the end of a trace.
    fn flags(self, flags: [bool; 3]) -> Self {
        self.u8(flags.map(u8::from)).u8([0; 9])
    }

    fn hit(self, hit: Option<Hit<'_>>) -> Self {
        let Some(Hit { brush, side }) = hit else {
            return self.u8([0; 36]).u32(u32::MAX).u8([0; 8]);
        };
        let (kind, source) = match brush.source {
            Source::Brush(number) => (0, number),
            Source::Patch(number) => (1, number),
        };
        let bytes = self.u32(brush.number).u32(brush.contents);
        let bytes = bytes.u32(kind).u32(source).u32(side.number);
        let surface = side.surface;
        let bytes = bytes.u32(surface.number);
        let bytes = bytes.u32(surface.flags).u32(surface.contents);
        let bytes = bytes.u32(brush.model as u32);
        let bytes = bytes.u32(brush.entity.unwrap_or(u32::MAX));
        bytes.u8([1, side.is_bevel.into()]).u8([0; 6])
    }

    fn fit(self, point: Option<[f32; 3]>) -> Self {
        let bytes = self.f32(point.unwrap_or_default());
        bytes.u8([point.is_some().into(), 0, 0, 0])
    }

    fn transition(self, transition: &Transition<f64>) -> Self {
        let (kind, crossing) = match transition {
            Transition::Empty => (0, None),
            Transition::Solid => (1, None),
            Transition::EnterSolid(crossing) => (2, Some(*crossing)),
            Transition::LeaveSolid(crossing) => (3, Some(*crossing)),
        };
        let Some(Crossing {
            fraction,
            point,
            plane,
            from,
            to,
        }) = crossing
        else {
            let bytes = self.f64([1.0]).f64([0.0; 7]).u32(kind);
            return bytes.u32(u32::MAX).u32(u32::MAX).u32(0);
        };
        let (normal, dist) = plane.map_or(Default::default(), |at| (at.normal, at.dist));
        let bytes = self.f64([fraction, dist]).f64(point).f64(normal).u32(kind);
        let bytes = bytes.u32(from.map_or(u32::MAX, |leaf| leaf.index() as u32));
        bytes
            .u32(to.index() as u32)
            .u8([plane.is_some().into(), 0, 0, 0])
    }
}

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

    fn by_hull(&self, answer: &dyn Fn(Bytes, &Model<'_>, HullId) -> Bytes) -> Answer {
        let both = self.both();
        both.map(|(model, hull)| answer(Bytes::default(), &model, hull))
    }

    fn by_model(&self, answer: &dyn Fn(Bytes, &Model<'_>) -> Bytes) -> Answer {
        self.model.map(|model| answer(Bytes::default(), &model))
    }
}

/// Returns the hit of a trace, or the status of a file without hit data.
fn hit(hit: Result<Option<Hit<'_>>, Unsupported>) -> Answer {
    hit.map_err(|_| NO_HIT_DATA)
        .map(|hit| Bytes::default().hit(hit))
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
    exact: Vec<[f64; 3]>,
    narrow: Vec<[f32; 3]>,
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
        let (status, bytes) = match answer {
            Ok(Bytes(bytes)) => (0, bytes),
            Err(status) => (status, Vec::new()),
        };
        assert!(bytes.len() <= size, "{name}");
        write!(self.text, "{name} {status} ").unwrap();
        let untouched = std::iter::repeat_n(0xaa, size - bytes.len());
        for byte in bytes.into_iter().chain(untouched) {
            write!(self.text, "{byte:02x}").unwrap();
        }
        self.text.push('\n');
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
            let info =
                Bytes::default()
                    .u64(hull.id.to_bits())
                    .u8(name)
                    .u8([hull.filled.into(), 0, 0]);
            let info = info.f32(hull.mins).f32(hull.maxs).u32(hull.contents);
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
            let margin = Bytes::default().f64([DEFAULT_MARGIN]);
            self.call("onion_get_model", 8, Ok(margin));
            let (mins, maxs) = model.bounds();
            let info = Bytes::default().f32(model.origin()).f32(mins).f32(maxs);
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

    /// Returns the ends of a segment, in both precisions.
    fn ends(&self, segment: usize) -> ([[f32; 3]; 2], [[f64; 3]; 2]) {
        let points = [2 * segment, 2 * segment + 1];
        let narrow = points.map(|point| self.narrow[point]);
        (narrow, points.map(|point| self.exact[point]))
    }

    /// Writes the calls with the segment between two points.
    // Long: a table, one row for each function.
    fn one_by_one(&mut self, asked: Asked<'_>, segment: usize) {
        let ([start, end], [start_f64, end_f64]) = self.ends(segment);
        let calls: [(&str, usize, Answer); 9] = [
            (
                "onion_trace",
                88,
                asked.by_hull(&|bytes, model, hull| bytes.trace(&model.trace(hull, start, end))),
            ),
            (
                "onion_trace_double",
                136,
                asked.by_hull(&|bytes, model, hull| {
                    bytes.trace_double(&model.trace(hull, start_f64, end_f64))
                }),
            ),
            (
                "onion_is_solid",
                1,
                asked.by_hull(&|bytes, model, hull| bytes.u8([model.is_solid(hull, start).into()])),
            ),
            (
                "onion_is_solid_double",
                1,
                asked.by_hull(&|bytes, model, hull| {
                    bytes.u8([model.is_solid(hull, start_f64).into()])
                }),
            ),
            (
                "onion_solidity",
                8,
                asked.by_model(&|bytes, model| bytes.u64(model.solidity(start).bits())),
            ),
            (
                "onion_solidity_double",
                8,
                asked.by_model(&|bytes, model| bytes.u64(model.solidity(start_f64).bits())),
            ),
            (
                "onion_leaf_at",
                4,
                asked.by_model(&|bytes, model| {
                    bytes.u32(
                        model
                            .leaf_at(start)
                            .map_or(u32::MAX, |leaf| leaf.index() as u32),
                    )
                }),
            ),
            (
                "onion_find_first_transition",
                80,
                asked.by_hull(&|bytes, model, hull| {
                    let [start, end] = [start, end].map(|end| end.map(f64::from));
                    bytes.transition(&model.find_first_transition(hull, start, end))
                }),
            ),
            (
                "onion_find_first_transition_double",
                80,
                asked.by_hull(&|bytes, model, hull| {
                    bytes.transition(&model.find_first_transition(hull, start_f64, end_f64))
                }),
            ),
        ];
        for (name, size, answer) in calls {
            self.call(name, size, answer);
        }
    }

    /// Writes the calls about the hits of a segment's traces.
    fn hits(&mut self, asked: Asked<'_>, segment: usize) {
        let ([start, end], [start_f64, end_f64]) = self.ends(segment);
        let trace = |model: &Model<'_>, hull| model.trace(hull, start, end);
        let trace_f64 = |model: &Model<'_>, hull| model.trace(hull, start_f64, end_f64);
        let calls = [
            (
                "onion_trace",
                88,
                asked.by_hull(&|bytes, model, hull| bytes.trace(&trace(model, hull))),
            ),
            (
                "onion_hit",
                48,
                asked
                    .both()
                    .and_then(|(model, hull)| hit(model.hit(hull, &trace(&model, hull)))),
            ),
            (
                "onion_trace_double",
                136,
                asked.by_hull(&|bytes, model, hull| bytes.trace_double(&trace_f64(model, hull))),
            ),
            (
                "onion_hit_double",
                48,
                asked
                    .both()
                    .and_then(|(model, hull)| hit(model.hit(hull, &trace_f64(&model, hull)))),
            ),
        ];
        for (name, size, answer) in calls {
            self.call(name, size, answer);
        }
    }

    /// Writes the calls about the contents at the start of a segment, and the hulls that fit there.
    fn contents_and_room(&mut self, asked: Asked<'_>, segment: usize) {
        let ([start, _], [start_f64, _]) = self.ends(segment);
        let first = self.map.inspect().hull_id(0).unwrap();
        let has_brushes = self.map.has_brush_shapes();
        for (name, point) in [
            ("onion_contents_at", start.map(f64::from)),
            ("onion_contents_at_double", start_f64),
        ] {
            let model = asked.model.and_then(|model| match has_brushes {
                true => Ok(model),
                false => Err(NO_BRUSHES),
            });
            let contents = model.map(|model| model.contents_at(point).unwrap_or(u32::MAX));
            self.call(name, 4, contents.map(|bits| Bytes::default().u32(bits)));
        }
        let calls = [
            (
                "onion_hulls_that_fit",
                8,
                asked.by_model(&|bytes, model| bytes.u64(model.hulls_that_fit(start).bits())),
            ),
            (
                "onion_hulls_that_fit_double",
                8,
                asked.by_model(&|bytes, model| bytes.u64(model.hulls_that_fit(start_f64).bits())),
            ),
            (
                "onion_switched_position",
                16,
                asked.by_hull(&|bytes, model, hull| {
                    bytes.fit(model.switched_position(hull, first, start))
                }),
            ),
            (
                "onion_switched_position",
                16,
                asked.by_hull(&|bytes, model, hull| {
                    bytes.fit(model.switched_position(first, hull, start))
                }),
            ),
            (
                "onion_nearest_fit",
                16,
                asked.by_hull(&|bytes, model, hull| {
                    bytes.fit(model.nearest_fit(hull, start, RADIUS))
                }),
            ),
        ];
        for (name, size, answer) in calls {
            self.call(name, size, answer);
        }
    }

    /// Writes all changes along a segment; an array that is too small gets the first ones.
    fn transitions(&mut self, asked: Asked<'_>, segment: usize) {
        let (narrow, exact) = self.ends(segment);
        let widened = narrow.map(|end| end.map(f64::from));
        let n_bytes = size_of::<usize>();
        let count = |ends| {
            asked.by_hull(&|bytes, model, hull| {
                bytes.u8(transitions(model, hull, ends).len().to_ne_bytes())
            })
        };
        let first = |ends| {
            let both = asked.both();
            let all = both.map(|(model, hull)| transitions(&model, hull, ends));
            let all = all.unwrap_or_default();
            let first = all.iter().take(CAPACITY);
            first.fold(Bytes::default(), Bytes::transition)
        };
        self.call("onion_transitions", n_bytes, count(widened));
        self.call("transitions", CAPACITY * 80, Ok(first(widened)));
        self.call("onion_transitions_double", n_bytes, count(exact));
        self.call("transitions", CAPACITY * 80, Ok(first(exact)));
        self.call("onion_transitions_double", n_bytes, count(exact));
    }

    /// Writes the calls with many points, each the start of a segment to the next.
    fn with_all(&mut self, asked: Asked<'_>, count: usize) {
        const MOST: usize = 600;
        let (of, both) = (asked.model, asked.both());
        let (exact, narrow) = (&self.exact, &self.narrow);
        let fold = |one: &dyn Fn(Bytes, usize) -> Bytes| (0..count).fold(Bytes::default(), one);
        let calls = [
            (
                "onion_trace_batch",
                88,
                both.map(|(model, hull)| {
                    fold(&|bytes, at| bytes.trace(&model.trace(hull, narrow[at], narrow[at + 1])))
                }),
            ),
            (
                "onion_trace_batch_double",
                136,
                both.map(|(model, hull)| {
                    fold(&|bytes, at| {
                        bytes.trace_double(&model.trace(hull, exact[at], exact[at + 1]))
                    })
                }),
            ),
            (
                "onion_is_solid_batch",
                1,
                both.map(|(model, hull)| {
                    fold(&|bytes, at| bytes.u8([model.is_solid(hull, narrow[at]).into()]))
                }),
            ),
            (
                "onion_solidity_batch",
                8,
                of.map(|model| fold(&|bytes, at| bytes.u64(model.solidity(narrow[at]).bits()))),
            ),
        ];
        for (name, size, answer) in calls {
            self.call(name, MOST * size, answer);
        }
    }

    fn all(mut self) -> String {
        let map = self.map;
        self.text += "onion_version 1 ";
        self.text += &0x00_01_00u32
            .to_ne_bytes()
            .map(|byte| format!("{byte:02x}"))
            .concat();
        self.text += "\n";
        self.call(
            "ONION_DEFAULT_MARGIN",
            8,
            Ok(Bytes::default().f64([DEFAULT_MARGIN])),
        );
        self.text += "done 0 \n";
        self.about_map();
        self.about_entities();
        for number in 0..=map.n_models() {
            let model = map.model(number).map(|model| model.with_margin(MARGIN));
            let model = model.ok_or(NO_MODEL);
            let hulls = map.hulls().map(|hull| Some(hull.id)).chain([None]);
            for hull in hulls {
                let asked = Asked { model, hull };
                for segment in 0..self.exact.len() / 2 {
                    self.one_by_one(asked, segment);
                    self.hits(asked, segment);
                    self.contents_and_room(asked, segment);
                    self.transitions(asked, segment);
                }
                for count in [self.exact.len() - 1, BATCH, 0] {
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
    let (mins, maxs) = map.world().bounds();
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
    let too_many = Bytes::default().u8((CAPACITY + 1).to_ne_bytes());
    let too_many = too_many.0.iter().map(|byte| format!("{byte:02x}"));
    let too_many = too_many.collect::<String>();
    assert!(answers("onion_transitions").contains(&*too_many));
}

/// Compares all answers for a file, and returns them.
fn check(name: &str, bytes: &[u8]) -> String {
    let folder = TempDir::new().unwrap();
    let [file, segments] = ["map.onion", "segments"].map(|name| folder.path().join(name));
    let map = OnionMap::from_bytes(bytes).unwrap();
    let exact = points(&map, 300);
    let numbers = exact.iter().flatten().flat_map(|x| x.to_ne_bytes());
    fs::write(&file, bytes).unwrap();
    fs::write(&segments, numbers.collect::<Vec<u8>>()).unwrap();
    let narrow = exact.iter().map(|point| point.map(|x| x as f32)).collect();
    let text = String::new();
    let expected = Expected {
        map: &map,
        exact,
        narrow,
        text,
    }
    .all();
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
        let path = samples::dir().join(name).with_extension("bsp");
        let map = subject::parse(&fs::read(path).unwrap());
        let options = CompileOptions {
            fill: Fill::Off,
            brushes: true,
            ..CompileOptions::new(subject::hulls(&subject::HULLS))
        };
        printed += &check(
            name,
            &onion_compiler::compile(&map, &options).unwrap().bytes,
        );
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
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    for name in [
        "low_tunnel-bare",
        "low_tunnel-bare-groups",
        "low_tunnel",
        "low_tunnel-groups",
    ] {
        let path = golden.join(name).with_extension("onion");
        check(name, &fs::read(path).unwrap());
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
    let map = subject::parse(&fs::read(samples::dir().join("door.bsp")).unwrap());
    let compiled = subject::compile_map(&map, subject::hulls(&hulls));
    fs::write(&file, &compiled.bytes).unwrap();
    let program = program(&source("bad_calls.c"), &[], &folder);
    succeed(Command::new(program).arg(file));
}
