//! JavaScript gives the bits of Rust for contents, shapes and scenes: random queries in the sample maps, each of which
//! gets a model of random brushes that moves and turns. Queries and answers are numbers in files: a query is its
//! kind and the numbers that [`Query::answer`] takes.

use std::fs;
use std::path::Path;
use std::process::Command;

use onion_maps::{Map, MapBrush, MapModel};
use onion_runtime::shape::{Shape, ShapeTrace};
use onion_runtime::{Aabb, Hit, HullId, Model, Mover, OnionMap, Pose, Scene, Source};
use onion_tests::cases::sample_cases;
use onion_tests::effort::Cases;
use onion_tests::fixtures::has_or_skips;
use onion_tests::maps::say;
use onion_tests::oracle::vec3::{add, dot, scale};
use onion_tests::random::Random;
use onion_tests::subject;
use tempfile::TempDir;

use crate::c_interface::succeed;
use crate::movers::random_brush;

/// Number of queries on all maps together, and of angles.
const QUERIES: Cases = Cases::new(10_000, 250_000);
const ANGLES: Cases = Cases::new(100_000, 1_000_000);

/// Number of random brushes in the model that is added to a map.
const BRUSHES: usize = 4;

/// The kinds of queries; those about angles are the last.
const KINDS: [&str; 5] = ["contents", "traces of shapes", "shapes", "sweeps", "held"];
const ANGLE: f64 = 5.0;

/// Number of kinds of places, equally likely.
const PLACES: usize = 40;

/// The numbers of queries, as they are written and read.
struct Words {
    numbers: Vec<f64>,
    at: usize,
}

impl Words {
    fn next(&mut self) -> f64 {
        self.at += 1;
        self.numbers[self.at - 1]
    }

    fn several<const N: usize>(&mut self) -> [f64; N] {
        std::array::from_fn(|_| self.next())
    }

    fn shape(&mut self) -> Shape {
        let kind = self.next();
        let shape = match kind as usize {
            0 => Shape::axial_box(Aabb::new(self.several::<3>(), self.several::<3>())),
            1 => Shape::sphere(self.several::<3>(), self.next()),
            2 => Shape::capsule(self.several::<3>(), self.several::<3>(), self.next()),
            3 => {
                let [center, half, x, y, z] = [0; 5].map(|_| self.several::<3>());
                Shape::oriented_box(center, half, [x, y, z])
            }
            4 => {
                let center = self.several::<3>();
                Shape::cylinder(center, self.next(), self.next(), self.next() as usize)
            }
            _ => {
                let n_corners = self.next() as usize;
                let corners: Vec<_> = (0..n_corners).map(|_| self.several::<3>()).collect();
                Shape::convex(&corners)
            }
        };
        shape.unwrap()
    }

    fn pose(&mut self) -> Pose {
        let kind = self.next();
        let origin: [f64; 3] = self.several();
        match kind as usize {
            0 => Pose::at(origin),
            1 => Pose::turned(origin, self.several::<3>(), self.next()).unwrap(),
            _ => Pose::quaternion(origin, self.several::<4>()).unwrap(),
        }
    }

    /// Returns a margin and movers.
    fn scene(&mut self) -> (f64, Vec<Mover>) {
        let margin = self.next();
        let n_movers = self.next() as usize;
        let mut mover = || Mover {
            model: self.next() as usize,
            from: self.pose(),
            to: self.pose(),
        };
        (margin, (0..n_movers).map(|_| mover()).collect())
    }

    fn hull(&mut self, map: &OnionMap<Vec<u8>>) -> HullId {
        map.hulls().nth(self.next() as usize).unwrap().id
    }

    /// Returns the runtime's answer to the next query.
    fn answer(&mut self, map: &OnionMap<Vec<u8>>) -> Vec<f64> {
        let kind = self.next();
        match kind as usize {
            0 => {
                let model = map.model(self.next() as usize).unwrap();
                vec![f64::from(model.contents_at(self.several::<3>()).unwrap())]
            }
            1 => {
                let model = map.model(self.next() as usize).unwrap();
                let model = model.with_margin(self.next());
                let (shape, contents) = (self.shape(), self.next() as u32);
                let [start, end] = [0; 2].map(|_| self.several::<3>());
                numbers_of(&model.trace_shape(&shape, contents, start, end).unwrap())
            }
            2 => {
                let model = map.model(self.next() as usize).unwrap();
                let (shape, contents) = (self.shape(), self.next() as u32);
                let solid = model.shape_is_solid(&shape, contents, self.several::<3>());
                vec![flag(solid.unwrap())]
            }
            3 => {
                let (margin, movers) = self.scene();
                let scene = Scene::new(map, &movers).unwrap().with_margin(margin);
                let hull = self.hull(map);
                let [start, end] = [0; 2].map(|_| self.several::<3>());
                numbers_of(&scene.trace(hull, start, end))
            }
            4 => {
                let (margin, movers) = self.scene();
                let scene = Scene::new(map, &movers).unwrap().with_margin(margin);
                let (hull, at) = (self.hull(map), self.several::<3>());
                vec![flag(scene.is_solid(hull, at, self.next()))]
            }
            _ => {
                let [x, y] = self.several();
                // Scenes need no angle of a point to the left or below.
                vec![libm::sin(x), libm::cos(x), libm::atan2(y.abs(), x.abs())]
            }
        }
    }
}

fn flag(holds: bool) -> f64 {
    f64::from(u8::from(holds))
}

/// Returns the numbers of a hit; all are NaN without one.
fn of_hit(hit: Option<Hit<'_>>) -> [f64; 13] {
    let Some(Hit { brush, side }) = hit else {
        return [f64::NAN; 13];
    };
    let (is_patch, number) = match brush.source {
        Source::Brush(number) => (false, number),
        Source::Patch(number) => (true, number),
    };
    let [x, y, z] = side.normal;
    let of_surface = [side.surface.flags, side.surface.contents].map(f64::from);
    let [flags, contents] = of_surface;
    [
        flag(is_patch),
        f64::from(number),
        f64::from(brush.contents),
        brush.model as f64,
        brush.entity.map_or(-1.0, f64::from),
        f64::from(side.number),
        flag(side.is_bevel),
        flags,
        contents,
        x,
        y,
        z,
        side.dist,
    ]
}

/// Returns the numbers of a trace, the mover in the eleventh place.
fn numbers_of(trace: &ShapeTrace<'_, f64>) -> Vec<f64> {
    let mover = trace.mover.map_or(-1.0, |mover| mover as f64);
    let mut numbers = vec![trace.fraction, trace.hit_fraction];
    numbers.extend(trace.end_pos);
    numbers.extend(trace.normal.unwrap_or([f64::NAN; 3]));
    numbers.extend([flag(trace.start_solid), flag(trace.all_solid), mover]);
    numbers.extend(of_hit(trace.hit));
    numbers
}

/// A writer of random queries to a map.
struct Writer<'a> {
    map: &'a OnionMap<Vec<u8>>,
    random: Random,
    numbers: Vec<f64>,
}

impl<'a> Writer<'a> {
    fn write(&mut self, numbers: &[f64]) {
        self.numbers.extend(numbers);
    }

    /// Picks a place in and around the world: anywhere, on a grid, where zeros may have a sign, or seldom far away.
    fn place(&mut self) -> [f64; 3] {
        let kind = self.random.below(PLACES);
        self.place_of(kind)
    }

    fn place_of(&mut self, kind: usize) -> [f64; 3] {
        let Aabb { mins, maxs } = self.map.world().bounds();
        let [mins, maxs] = [mins, maxs].map(|corner| corner.map(f64::from));
        let place = self.random.point(mins, maxs);
        match kind {
            0 => place.map(|at| at * 1e4),
            1 => [f64::NAN, place[1], place[2]],
            2..14 => place.map(|at| (at / 16.0).round() * 16.0),
            14..20 => place.map(f64::round),
            _ => place,
        }
    }

    /// Writes the ends of a motion: from one place to another, a walk, along an axis, or along a diagonal, which meets
    /// several planes at once.
    fn motion(&mut self) {
        let kind = self.random.below(PLACES);
        let (start, mut end) = (self.place_of(kind), self.place_of(kind));
        match self.random.below(4) {
            0 => {
                let axis = self.random.below(3);
                end = std::array::from_fn(|k| if k == axis { end[k] } else { start[k] });
            }
            1 => {
                let way = self.random.between(0.0, 48.0);
                let direction = self.random.direction();
                end = std::array::from_fn(|k| start[k] + way * direction[k]);
            }
            2 => {
                let way = 16.0 * self.random.below(16) as f64;
                end = start.map(|at| at + way * (self.random.below(3) as f64 - 1.0));
            }
            _ => {}
        }
        self.write(&start);
        self.write(&end);
    }

    fn model(&mut self) -> Model<'a> {
        let model = self.random.below(2) * self.random.below(self.map.n_models());
        self.write(&[model as f64]);
        self.map.model(model).unwrap()
    }

    /// Picks a motion that starts where a shape touches a brush, often along it; half of the time `None`.
    fn touching(&mut self, model: Model<'_>, shape: &Shape) -> Option<[[f64; 3]; 2]> {
        let kind = self.random.below(2 * PLACES);
        let [start, end] = [0; 2].map(|_| self.place_of(kind));
        let model = model.with_margin(0.0);
        let trace = model.trace_shape(shape, u32::MAX, start, end).unwrap();
        let normal = trace.normal.filter(|_| kind < PLACES)?;
        let direction = self.random.direction();
        let into = dot(direction, normal) * self.random.below(2) as f64;
        let way = self.random.between(0.0, 64.0);
        let step = add(direction, scale(normal, -into));
        Some([trace.end_pos, add(trace.end_pos, scale(step, way))])
    }

    fn margin(&mut self) {
        let margin = [1.0 / 32.0, 1.0 / 32.0, 0.0, 3.75, -1.0][self.random.below(5)];
        self.write(&[margin]);
    }

    fn shape(&mut self) -> Shape {
        let first = self.numbers.len();
        let size = [8.0, 16.0, 10f64.powf(self.random.between(-1.0, 1.8))][self.random.below(3)];
        let half: [f64; 3] = std::array::from_fn(|_| match self.random.below(3) {
            0 => size,
            1 => size * self.random.unit(),
            _ => size * self.random.below(2) as f64,
        });
        let center = [0; 3].map(|_| size * self.random.below(3) as f64 - size);
        let [low, high]: [[f64; 3]; 2] =
            [-1.0, 1.0].map(|sign| std::array::from_fn(|k| center[k] + sign * half[k]));
        let radius = size * [0.0, 1.0, self.random.unit()][self.random.below(3)];
        match self.random.below(6) {
            0 => self.write(&[&[0.0], &low[..], &high[..]].concat()),
            1 => self.write(&[&[1.0], &center[..], &[radius]].concat()),
            2 => self.write(&[&[2.0], &low[..], &high[..], &[radius]].concat()),
            3 => {
                let height = size * (1.0 + self.random.unit());
                let n_sides = [8.0, 16.0, 32.0][self.random.below(3)];
                self.write(&[&[4.0], &center[..], &[size, height, n_sides]].concat());
            }
            4 => {
                // Corners on a coarse grid, where many lie in planes and on lines, and anywhere; four span a volume.
                let n_corners = 4 + self.random.below(12);
                self.write(&[5.0, n_corners as f64]);
                let anywhere = self.random.below(2) == 0;
                for number in 0..n_corners {
                    let corner: [f64; 3] = std::array::from_fn(|axis| match number {
                        0..4 => size * f64::from(number == axis),
                        _ if anywhere => self.random.between(-size, size),
                        _ => size * (self.random.below(3) as f64 - 1.0),
                    });
                    self.write(&[0, 1, 2].map(|axis| center[axis] + corner[axis]));
                }
            }
            _ => {
                let axis = self.random.direction();
                let angle = self.random.between(-3.0, 3.0);
                let pose = Pose::turned([0.0; 3], axis, angle).unwrap();
                let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
                let axes: [[f64; 3]; 3] = axes.map(|axis| pose.turn_to_world(axis));
                self.write(&[&[3.0], &center[..], &half[..], axes.as_flattened()].concat());
            }
        }
        let numbers = self.numbers[first..].to_vec();
        Words { numbers, at: 0 }.shape()
    }

    fn contents(&mut self) {
        let contents = [1.0, 65_537.0, 4_294_967_295.0][self.random.below(3)];
        self.write(&[contents]);
    }

    /// Writes the rotation of a pose, after its kind and its origin.
    fn pose(&mut self, kind: usize, origin: [f64; 3], rotation: [f64; 4]) {
        self.write(&[kind as f64]);
        self.write(&origin);
        self.write(if kind == 0 { &[] } else { &rotation });
    }

    fn rotation(&mut self) -> [f64; 4] {
        let [x, y, z] = if self.random.below(3) == 0 {
            [0.0, 0.0, 1.0]
        } else {
            self.random.direction()
        };
        let eighths = self.random.below(16) as f64 - 8.0;
        let angles = [
            self.random.between(-4.0, 4.0),
            eighths * std::f64::consts::FRAC_PI_4,
            self.random.between(-1e9, 1e9),
        ];
        [x, y, z, angles[self.random.below(3)]]
    }

    /// Writes a margin and up to three movers: at rest, moving, turned or turning.
    fn scene(&mut self) {
        self.margin();
        let n_movers = self.random.below(4);
        self.write(&[n_movers as f64]);
        for _ in 0..n_movers {
            let model = 1 + self.random.below(self.map.n_models() - 1);
            self.write(&[model as f64]);
            let place = |writer: &mut Self| {
                writer
                    .place()
                    .map(|at| if at.abs() < 1e4 { at } else { 0.0 })
            };
            let (from, kind, rotation) = (place(self), self.random.below(3), self.rotation());
            self.pose(kind, from, rotation);
            let to = if self.random.below(3) == 0 {
                from
            } else {
                place(self)
            };
            let next = if self.random.below(3) == 0 {
                rotation
            } else {
                self.rotation()
            };
            self.pose(kind, to, next);
        }
        let hull = self.random.below(self.map.hulls().count());
        self.write(&[hull as f64]);
    }

    fn query(&mut self, kind: usize) {
        self.write(&[kind as f64]);
        match KINDS[kind] {
            "contents" => {
                self.model();
                let place = self.place();
                self.write(&place);
            }
            "traces of shapes" => {
                let model = self.model();
                self.margin();
                let shape = self.shape();
                self.contents();
                match self.touching(model, &shape) {
                    Some([start, end]) => self.write(&[start, end].concat()),
                    None => self.motion(),
                }
            }
            "shapes" => {
                let model = self.model();
                let shape = self.shape();
                self.contents();
                let touching = self.touching(model, &shape);
                let place = touching.map_or_else(|| self.place(), |[start, _]| start);
                self.write(&place);
            }
            "sweeps" => {
                self.scene();
                self.motion();
            }
            _ => {
                self.scene();
                let place = self.place();
                self.write(&place);
                let moment = [self.random.between(-0.2, 1.2), f64::NAN][self.random.below(8) / 7];
                self.write(&[moment]);
            }
        }
    }
}

/// Returns the bits of a number; all NaNs count as one.
fn bits(number: f64) -> u64 {
    if number.is_nan() {
        u64::MAX
    } else {
        number.to_bits()
    }
}

/// Asks JavaScript, and returns the answers of the runtime, which must be the same.
fn compare(folder: &Path, map: &OnionMap<Vec<u8>>, numbers: Vec<f64>) -> Vec<Vec<f64>> {
    let bytes: Vec<u8> = numbers
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect();
    fs::write(folder.join("queries"), bytes).unwrap();
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut node = Command::new("node");
    node.arg(tests.join("tests/all/conformance/scenes.mjs"));
    node.arg(tests.join("../runtime/js"));
    succeed(
        node.args(["map.onion", "queries", "answers"])
            .current_dir(folder),
    );
    let found = fs::read(folder.join("answers")).unwrap();
    let (found, rest) = found.as_chunks::<8>();
    assert!(rest.is_empty());
    let mut found = found.iter().copied().map(f64::from_le_bytes);
    let mut words = Words { numbers, at: 0 };
    let mut answers = Vec::new();
    while words.at < words.numbers.len() {
        let first = words.at;
        let expected = words.answer(map);
        let own: Vec<f64> = found.by_ref().take(expected.len()).collect();
        let is_same = own
            .iter()
            .copied()
            .map(bits)
            .eq(expected.iter().copied().map(bits));
        let query = &words.numbers[first..words.at];
        assert!(is_same, "{query:?}:\n{own:?}, not\n{expected:?}");
        answers.push(expected);
    }
    assert!(found.next().is_none());
    answers
}

/// Compiles a sample map with its brushes and one more model.
fn compile(map: &Map, random: &mut Random) -> Vec<u8> {
    let mut map = map.clone();
    let brushes = (0..).filter_map(|number| random_brush(number, random));
    // The highest bit is a sign where numbers are signed.
    let brushes = brushes.map(|brush| MapBrush {
        contents: brush.contents | 1 << 31,
        ..brush
    });
    map.models.push(MapModel {
        brushes: brushes.take(BRUSHES).collect(),
        ..MapModel::default()
    });
    let hulls = subject::HULLS
        .iter()
        .copied()
        .chain(["round:cylinder:16x56"]);
    let hulls: Vec<&str> = hulls.collect();
    subject::compile_with_brushes(&map, subject::hulls(&hulls)).bytes
}

#[test]
fn shapes_and_scenes_have_the_bits_of_rust() {
    if !has_or_skips("node", "shapes and scenes in JavaScript") {
        return;
    }
    let folder = TempDir::new().unwrap();
    let mut counts = [[0; 2]; KINDS.len()];
    let (mut n_movers, mut n_names) = (0, 0);
    for (seed, case) in sample_cases().iter().enumerate() {
        let mut random = Random::new(seed as u64);
        let file = compile(&case.map, &mut random);
        fs::write(folder.path().join("map.onion"), &file).unwrap();
        let map = OnionMap::from_bytes(file).unwrap();
        let (map, numbers) = (&map, Vec::new());
        let mut writer = Writer {
            map,
            random,
            numbers,
        };
        let n_queries = QUERIES.count() / sample_cases().len();
        (0..n_queries).for_each(|number| writer.query(number % KINDS.len()));
        for (number, answer) in compare(folder.path(), map, writer.numbers)
            .iter()
            .enumerate()
        {
            let kind = number % KINDS.len();
            let has_met = match answer.get(1) {
                Some(&hit_fraction) => hit_fraction < 1.0,
                None => answer[0] != 0.0,
            };
            counts[kind][usize::from(has_met)] += 1;
            n_movers += usize::from(answer.get(10).is_some_and(|&mover| mover >= 0.0));
            n_names += usize::from(answer.get(11).is_some_and(|source| !source.is_nan()));
        }
    }
    say(&format!(
        "scene_bits: {counts:?} of {KINDS:?}, {n_movers} met movers, {n_names} named"
    ));
    for (kind, counts) in KINDS.iter().zip(counts) {
        assert!(
            counts.iter().min() > Some(&(QUERIES.count() / 50)),
            "{kind}: {counts:?}"
        );
    }
    assert!(
        n_movers > QUERIES.count() / 100,
        "only {n_movers} movers met"
    );
    assert!(n_names > QUERIES.count() / 20, "only {n_names} hits named");
}

#[test]
fn angles_have_the_bits_of_rust() {
    if !has_or_skips("node", "sines in JavaScript") {
        return;
    }
    let folder = TempDir::new().unwrap();
    let map = OnionMap::from_bytes(sample_cases()[0].unfilled().bytes.clone()).unwrap();
    let mut random = Random::new(1);
    let mut number = |kind: usize| match kind {
        0 => random.between(-7.0, 7.0),
        1 => random.between(-1e7, 1e7),
        2 => random.below(1 << 22) as f64 * std::f64::consts::FRAC_PI_2,
        3 => 2f64.powf(random.between(-60.0, 1023.0)),
        // Any bits, of a number that is not too large.
        _ => f64::from_bits(random.bits() & !(1 << 62)) * 2f64.powi(100),
    };
    let numbers = (0..ANGLES.count()).flat_map(|at| {
        let [x, y] = [0; 2].map(|_| number(at % 5));
        [ANGLE, x, y]
    });
    let numbers = numbers.collect();
    fs::write(
        folder.path().join("map.onion"),
        &sample_cases()[0].unfilled().bytes,
    )
    .unwrap();
    compare(folder.path(), &map, numbers);
}
