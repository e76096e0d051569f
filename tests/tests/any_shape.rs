//! Shapes of any size among all brushes of a map: facts worked out by hand, compiled hulls' boxes against
//! the traces of the hulls, random boxes against the oracle, other shapes against crate `parry3d-f64`, an
//! iterative method, and the contents of points against the planes of all brushes.
//!
//! `ONION_ANY_SHAPE_CASES` sets the number of motions that are compared with `parry3d-f64`.

use onion_runtime::shape::{Shape, ShapeTrace};
use onion_runtime::{HullId, Model, OnionMap, Side, Source, Trace};
use onion_tests::facts::{self, TraceFact};
use onion_tests::maps::{RealMap, all_maps};
use onion_tests::oracle::vec3::{V3, add, dot, length, lerp, scale, sub};
use onion_tests::oracle::{Answer, Body, Gap, HullWorld, Plane, read_ibsp, sandwich, vertices};
use onion_tests::queries::{KINDS, Queries, Segment};
use onion_tests::random::Random;
use onion_tests::samples;
use onion_tests::subject::{self, HULLS, OracleWorlds};
use onionc::Compiled;
use onionc::hull::HullSpec;
use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::query::{Ray, RayCast, ShapeCastOptions, cast_shapes};
use parry3d_f64::shape as parry;
use rayon::prelude::*;

/// Motions that are compared with `parry3d-f64`, unless the environment says otherwise.
const CASES: usize = 60_000;

/// Traces of each kind, hull and map that are compared with the hull's.
const HULL_CASES: usize = 1_000;

/// Traces of each kind, box and map that the oracle judges.
const BOX_CASES: usize = 300;

/// Points of each map.
const POINTS: usize = 4_000;

/// Contents of brushes in maps: solid, water, and what stops players.
const SOLID: u32 = 1;
const LAVA: u32 = 8;
const WATER: u32 = 32;
const PLAYERCLIP: u32 = 0x1_0000;

/// Planes of sample maps are in single precision, so facts on slopes hold to this, in units.
const STORED_PRECISION: f64 = 1e-4;

/// The same for normals.
const NORMAL_PRECISION: f64 = 1e-6;

/// A side's normal and that of a trace that met it, both made as long as 1.
const SAME_NORMAL: f64 = 1e-9;

/// At most one hit in this many of a hull may name a brush that is not there.
const MOST_MISNAMED: usize = 5_000;

/// Two answers across the surface that was hit, in units.
const SAME: f64 = 1e-6;

/// The solids of file and oracle may differ by this, in units: planes of files are on a grid, those of the
/// oracle are not.
const SHELL: f64 = 1e-5;

/// A box that is larger by this does not slip through a seam, in units.
const LARGER: f64 = 1.0 / (1u64 << 18) as f64;

/// Distance to keep from what is hit, in units.
const SKIN: f64 = 1.0 / 32.0;

/// Answers that differ from `parry3d-f64`'s by less are the same, in units: its iterations stop somewhere.
const OFF: f64 = 0.01;

/// Fractions at which the gap to a brush is looked at, before a search between two of them.
const SAMPLES: usize = 32;

/// Steps of that search, each of which leaves two thirds.
const STEPS: usize = 60;

const AXES: [V3; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

fn n_cases() -> usize {
    std::env::var("ONION_ANY_SHAPE_CASES").map_or(CASES, |text| text.parse().unwrap())
}

fn sample(name: &str) -> Compiled {
    let (_, bytes) = samples::all()
        .into_iter()
        .find(|(own, _)| *own == name)
        .unwrap();
    subject::compile_with_brushes(&subject::parse(&bytes), subject::hulls(&HULLS))
}

fn shape_of(hull: &HullSpec) -> Shape {
    let [mins, maxs] = [hull.mins, hull.maxs].map(|corner| corner.map(f64::from));
    Shape::axial_box(mins, maxs).unwrap()
}

/// Boxes that are larger than a hull to one side, each of which does not slip through a seam there.
fn larger_shapes_of(hull: &HullSpec) -> [Shape; 6] {
    let corners = [hull.mins, hull.maxs].map(|corner| corner.map(f64::from));
    std::array::from_fn(|side| {
        let [mut mins, mut maxs] = corners;
        if side < 3 {
            mins[side] -= LARGER;
        } else {
            maxs[side - 3] += LARGER;
        }
        Shape::axial_box(mins, maxs).unwrap()
    })
}

/// The facts of the sample maps are about hulls. They hold for shapes of the same size, but for seams of
/// brushes that, grown by the hull, only touch; there they hold for a box that is a bit larger.
#[test]
fn facts_hold_for_shapes_of_the_hulls_sizes() {
    let mut wrong = Vec::new();
    let (mut n_facts, mut n_seams) = (0, 0);
    for name in samples::maps().iter().map(|map| map.name) {
        let compiled = sample(name);
        let onion = subject::load(&compiled);
        let hulls = subject::hulls(&HULLS);
        let facts = facts::read(name);
        for fact in &facts.trace {
            let hull = hulls.iter().find(|hull| hull.name == fact.hull).unwrap();
            let model = onion.model(fact.model).unwrap();
            let check = |shape: &Shape, slack| {
                let trace = model.trace_shape(shape, hull.contents, fact.start, fact.end, SKIN);
                disagreement(fact, &trace.unwrap(), slack)
            };
            if let Some(what) = check(&shape_of(hull), 0.0) {
                n_seams += 1;
                let mut larger = larger_shapes_of(hull).into_iter();
                if !larger.any(|shape| check(&shape, LARGER).is_none()) {
                    wrong.push(format!("{name} ({}): {what}", fact.why));
                }
            }
        }
        for fact in &facts.point {
            let hull = hulls.iter().find(|hull| hull.name == fact.hull).unwrap();
            let model = onion.model(fact.model).unwrap();
            let check = |shape: &Shape| {
                model.shape_is_solid(shape, hull.contents, fact.at) == Some(fact.solid)
            };
            if !check(&shape_of(hull)) {
                n_seams += 1;
                if !larger_shapes_of(hull).iter().any(check) {
                    wrong.push(format!("{name} ({})", fact.why));
                }
            }
        }
        n_facts += facts.trace.len() + facts.point.len();
    }
    assert!(n_facts > 300, "only {n_facts} facts were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(n_seams, 13, "facts about seams");
}

fn disagreement(fact: &TraceFact, trace: &ShapeTrace<'_, f64>, slack: f64) -> Option<String> {
    if (trace.start_solid, trace.all_solid) != (fact.start_solid, fact.all_solid) {
        return Some("flags differ".to_owned());
    }
    let off = (trace.hit_fraction - fact.hit_fraction.value()).abs();
    let off = off * length(sub(fact.end, fact.start));
    // What is larger meets a slope at 45 degrees twice as much earlier, and less steep ones are not met.
    if off > fact.tolerance + STORED_PRECISION + 4.0 * slack {
        return Some(format!("the hit is {off} units off"));
    }
    let normals = fact.normal_any.iter().flatten().chain(&fact.normal);
    let mut normals = normals.peekable();
    normals.peek()?;
    let agrees = |wanted: &V3| trace.normal.is_some_and(|normal| is_near(normal, *wanted));
    (!normals.any(agrees)).then(|| "the normal differs".to_owned())
}

fn is_near(a: V3, b: V3) -> bool {
    (0..3).all(|axis| (a[axis] - b[axis]).abs() < NORMAL_PRECISION)
}

/// Where a shape is stopped, by what, and how: nothing of it in the other tests.
#[test]
fn facts_worked_out_by_hand() {
    let ball = |radius| Shape::sphere([0.0; 3], radius).unwrap();
    let check =
        |map: &str, shape: &Shape, contents, [start, end]: Segment, fraction: f64, normal| {
            let compiled = sample(map);
            let onion = subject::load(&compiled);
            let world = onion.model(0).unwrap();
            let trace = world.trace_shape(shape, contents, start, end, 0.0).unwrap();
            let off = (trace.hit_fraction - fraction).abs() * length(sub(end, start));
            assert!(off < STORED_PRECISION, "{map}: {trace:?}");
            assert!(is_near(trace.normal.unwrap(), normal), "{map}: {trace:?}");
            let hit = trace.hit.unwrap();
            assert_ne!(hit.contents() & contents, 0, "{map}: {trace:?}");
            hit.brush
        };
    // A ball in the room: the wall at 256, less 16, is 240 of 400.
    let east = [[0.0, 0.0, 100.0], [400.0, 0.0, 100.0]];
    check("room", &ball(16.0), SOLID, east, 0.6, [-1.0, 0.0, 0.0]);
    // A box of 20 that stands on an edge reaches 10 times the root of 2.
    let half = 0.5f64.sqrt();
    let axes = [[half, half, 0.0], [-half, half, 0.0], [0.0, 0.0, 1.0]];
    let turned = Shape::oriented_box([0.0; 3], [10.0; 3], axes).unwrap();
    let stops = (256.0 - 200f64.sqrt()) / 400.0;
    check("room", &turned, SOLID, east, stops, [-1.0, 0.0, 0.0]);
    // A ball off its point: 5 ahead of it.
    let ahead = Shape::sphere([5.0, 0.0, 0.0], 16.0).unwrap();
    check("room", &ahead, SOLID, east, 235.0 / 400.0, [-1.0, 0.0, 0.0]);

    // The ramp rises 1 in 2 and is 64 high at x = 0: a ball of 10 rests half the root of 5 times 10 higher.
    let slope = 5f64.sqrt().recip();
    let uphill = [-slope, 0.0, 2.0 * slope];
    let falls = [[0.0, -96.0, 200.0], [0.0, -96.0, 0.0]];
    let rests = 64.0 + 5.0 * 5f64.sqrt();
    check(
        "ramp_stairs",
        &ball(10.0),
        SOLID,
        falls,
        (200.0 - rests) / 200.0,
        uphill,
    );
    // So does an upright capsule with its lower end.
    let upright = Shape::capsule([0.0, 0.0, -20.0], [0.0, 0.0, 20.0], 10.0).unwrap();
    check(
        "ramp_stairs",
        &upright,
        SOLID,
        falls,
        (180.0 - rests) / 200.0,
        uphill,
    );
    // A ray.
    check("ramp_stairs", &Shape::POINT, SOLID, falls, 0.68, uphill);

    // The knife's vertical edge is at (-128, 32). A ball of 16 that passes 9.6 south of it touches it 12.8
    // west of it (9.6, 12.8, 16), with a normal that no face has: x = -140.8, 100 of 200.
    let past = [[-240.8, 22.4, 64.0], [-40.8, 22.4, 64.0]];
    check("wedge", &ball(16.0), SOLID, past, 0.5, [-0.8, -0.6, 0.0]);

    // Players only: the clip wall at x = 64 stops what asks for it. Who asks for solid flies to 256.
    let fly = [[0.0, 0.0, 100.0], [400.0, 0.0, 100.0]];
    let west = [-1.0, 0.0, 0.0];
    let clip = check("clip_water", &ball(16.0), PLAYERCLIP, fly, 0.12, west);
    assert_eq!(clip.contents, PLAYERCLIP);
    check(
        "clip_water",
        &ball(16.0),
        SOLID | PLAYERCLIP,
        fly,
        0.12,
        west,
    );
    check("clip_water", &ball(16.0), SOLID, fly, 0.6, west);
    // The pillar at 112 is in a clip brush from 96 on.
    let at_pillar = [[80.0, 112.0, 32.0], [280.0, 112.0, 32.0]];
    check(
        "clip_water",
        &ball(4.0),
        SOLID,
        at_pillar,
        28.0 / 200.0,
        west,
    );
    check(
        "clip_water",
        &ball(4.0),
        PLAYERCLIP,
        at_pillar,
        12.0 / 200.0,
        west,
    );
    // Water is 64 high.
    let dive = [[-128.0, 0.0, 164.0], [-128.0, 0.0, 64.0]];
    let dive = [dive[0], [-128.0, 0.0, -36.0]];
    let water = check(
        "clip_water",
        &ball(10.0),
        WATER,
        dive,
        0.45,
        [0.0, 0.0, 1.0],
    );
    assert_eq!(water.contents, WATER);
    check(
        "clip_water",
        &ball(10.0),
        WATER | SOLID,
        dive,
        0.45,
        [0.0, 0.0, 1.0],
    );
    check(
        "clip_water",
        &ball(10.0),
        SOLID,
        dive,
        154.0 / 200.0,
        [0.0, 0.0, 1.0],
    );
}

#[test]
fn contents_at_places_of_the_sample_maps() {
    let compiled = sample("clip_water");
    let onion = subject::load(&compiled);
    let world = onion.model(0).unwrap();
    let facts = [
        ([0.0, 0.0, 100.0], 0, "in the open"),
        ([260.0, 0.0, 100.0], SOLID, "in the wall from 256 to 272"),
        ([-128.0, 0.0, 32.0], WATER, "in the water"),
        ([-64.0, 0.0, 32.0], 0, "at its side"),
        ([-128.0, 0.0, 64.0], 0, "on its surface"),
        ([-128.0, 200.0, 16.0], LAVA, "in the lava"),
        ([68.0, 0.0, 100.0], PLAYERCLIP, "in the clip wall"),
        (
            [128.0, 112.0, 32.0],
            SOLID | PLAYERCLIP,
            "in the pillar and the clip brush around it",
        ),
        ([100.0, 112.0, 32.0], PLAYERCLIP, "only in the clip brush"),
        ([0.0, 0.0, 9000.0], 0, "outside"),
    ];
    for (at, contents, why) in facts {
        assert_eq!(world.contents_at(at), Some(contents), "{why}");
    }
    // The models of doors know of their own brushes alone; the lift is about its origin.
    let compiled = sample("door");
    let onion = subject::load(&compiled);
    let contents = |model, at| onion.model(model).unwrap().contents_at(at);
    assert_eq!(contents(0, [0.0, 0.0, 50.0]), Some(0));
    assert_eq!(contents(1, [0.0, 0.0, 50.0]), Some(SOLID));
    assert_eq!(contents(1, [0.0, 64.0, 50.0]), Some(0));
    assert_eq!(contents(2, [0.0, 0.0, 50.0]), Some(SOLID));
    assert_eq!(contents(2, [160.0, 64.0, 8.0]), Some(0));
    for wrong in [f64::NAN, f64::INFINITY, -2f64.powi(31)] {
        assert_eq!(contents(0, [0.0, wrong, 0.0]), None);
    }
}

#[test]
fn starts_in_solid_and_places_that_are_none() {
    let compiled = sample("room");
    let onion = subject::load(&compiled);
    let world = onion.model(0).unwrap();
    let trace = |start: V3, end: V3| {
        world
            .trace_shape(&Shape::POINT, SOLID, start, end, 0.0)
            .unwrap()
    };
    // The floor is 16 thick, and ends at 0; the ceiling begins at 256.
    let out = trace([0.0, 0.0, -8.0], [0.0, 0.0, 92.0]);
    assert!(
        out.start_solid && !out.all_solid && out.hit.is_none(),
        "{out:?}"
    );
    assert_eq!((out.fraction, out.end_pos), (1.0, [0.0, 0.0, 92.0]));
    let through = trace([0.0, 0.0, -8.0], [0.0, 0.0, 392.0]);
    assert!(through.start_solid && !through.all_solid, "{through:?}");
    assert_eq!(
        (through.hit_fraction, through.normal),
        (0.66, Some([0.0, 0.0, -1.0]))
    );
    assert_eq!(through.end_pos, [0.0, 0.0, 256.0]);
    let within = trace([0.0, 0.0, -8.0], [0.0, 8.0, -4.0]);
    assert!(within.start_solid && within.all_solid && within.hit.is_none());
    assert_eq!((within.fraction, within.end_pos), (0.0, [0.0, 0.0, -8.0]));
    let still = trace([0.0, 0.0, -8.0], [0.0, 0.0, -8.0]);
    assert!(still.start_solid && still.all_solid);
    let free = trace([0.0, 0.0, 8.0], [0.0, 0.0, 8.0]);
    assert!(!free.start_solid && free.fraction == 1.0);
    for wrong in [f64::NAN, f64::INFINITY, 2f64.powi(31)] {
        for ends in [[[wrong; 3], [0.0; 3]], [[0.0; 3], [0.0, wrong, 0.0]]] {
            let trace = trace(ends[0], ends[1]);
            assert!(trace.start_solid && trace.all_solid && trace.fraction == 0.0);
        }
        let solid = world.shape_is_solid(&Shape::POINT, SOLID, [wrong, 0.0, 8.0]);
        assert_eq!(solid, Some(true));
    }
    // Nothing has contents of no bits.
    let nothing = world.trace_shape(&Shape::POINT, 0, [0.0, 0.0, -8.0], [0.0, 0.0, 400.0], 0.0);
    assert!(nothing.is_some_and(|trace| trace.fraction == 1.0 && !trace.start_solid));
    // A skin keeps that far from the wall at 256, in single precision too; bad ones count as none.
    for (skin, x) in [
        (0.25, 255.75),
        (0.0, 256.0),
        (-1.0, 256.0),
        (f64::NAN, 256.0),
    ] {
        let ends = [[0.0f32, 0.0, 100.0], [400.0, 0.0, 100.0]];
        let trace = world
            .trace_shape(&Shape::POINT, SOLID, ends[0], ends[1], skin)
            .unwrap();
        assert!(
            (trace.end_pos[0] - x).abs() < 1e-3 && trace.end_pos[0] <= x,
            "{skin}: {trace:?}"
        );
    }
    let tight = world.trace_shape(
        &Shape::POINT,
        SOLID,
        [0.0, 0.0, 9.0],
        [0.0, 0.0, -9.0],
        f64::INFINITY,
    );
    assert_eq!(tight.unwrap().fraction, 0.0);
}

#[test]
fn files_without_brushes_answer_nothing() {
    let (_, bytes) = samples::all().swap_remove(0);
    let compiled = subject::compile_map(&subject::parse(&bytes), subject::hulls(&HULLS));
    let onion = subject::load(&compiled);
    let world = onion.model(0).unwrap();
    let at = [0.0, 0.0, -8.0];
    assert!(
        world
            .trace_shape(&Shape::POINT, SOLID, at, at, 0.0)
            .is_none()
    );
    assert_eq!(world.shape_is_solid(&Shape::POINT, SOLID, at), None);
    assert_eq!(world.contents_at(at), None);
}

#[test]
fn shapes_of_hulls_are_traced_as_the_hulls() {
    let mut all = Agreement::default();
    for map in all_maps() {
        let of_map = compare_hulls(&map);
        println!("{}: {}", map.name, of_map.summary());
        all.merge(of_map);
    }
    println!("all: {}", all.summary());
    let first: Vec<_> = all.wrong.iter().take(5).collect();
    assert!(
        all.wrong.is_empty(),
        "{} wrong: {first:#?}",
        all.wrong.len()
    );
    assert!(
        all.hits * 4 > all.traces
            && all.grazes * 1000 < all.traces
            && all.misnamed * MOST_MISNAMED <= all.hits,
        "{}",
        all.summary()
    );
}

/// How traces of shapes and of hulls agree.
#[derive(Default)]
struct Agreement {
    traces: usize,
    hits: usize,
    /// Points that slip along the seam of two brushes that touch, and boxes that fit exactly between two
    /// brushes: a box that is larger to one side is stopped as
    /// the hull is.
    seams: [usize; 2],
    /// Other answers that differ where the oracle allows both, with its solids grown or shrunk by [`SHELL`].
    grazes: usize,
    /// Hits that name another brush, which is touched at the same place too.
    ties: usize,
    /// Hits for which the hull's trace names a brush that is not there, where it grazes an edge.
    misnamed: usize,
    worst_perpendicular: f64,
    worst_along: f64,
    wrong: Vec<String>,
}

impl Agreement {
    fn merge(&mut self, other: Self) {
        self.traces += other.traces;
        self.hits += other.hits;
        self.grazes += other.grazes;
        self.seams = [0, 1].map(|kind| self.seams[kind] + other.seams[kind]);
        self.ties += other.ties;
        self.misnamed += other.misnamed;
        self.worst_perpendicular = self.worst_perpendicular.max(other.worst_perpendicular);
        self.worst_along = self.worst_along.max(other.worst_along);
        self.wrong.extend(other.wrong);
    }

    fn summary(&self) -> String {
        format!(
            "{} traces, {} hits, {} points and {} boxes in seams, {} grazes, {} ties, {} misnamed by the hull; worst {:.1e} perpendicular, {:.1e} along",
            self.traces,
            self.hits,
            self.seams[0],
            self.seams[1],
            self.grazes,
            self.ties,
            self.misnamed,
            self.worst_perpendicular,
            self.worst_along,
        )
    }
}

fn compare_hulls(real: &RealMap) -> Agreement {
    let map = subject::parse(&real.bytes);
    let hulls = subject::hulls(&HULLS);
    let compiled = subject::compile_with_brushes(&map, hulls.clone());
    let onion = subject::load(&compiled);
    let worlds = OracleWorlds::new(&real.bytes, &map);
    let mut agreement = Agreement::default();
    for spec in &hulls {
        for index in 0..onion.n_models() {
            let world = worlds.world(index, spec);
            let Some(queries) = Queries::new(&world) else {
                continue;
            };
            let pair = Pair {
                onion: &onion,
                model: onion.model(index).unwrap(),
                hull: onion.hull(&spec.name).unwrap(),
                spec,
                shape: shape_of(spec),
                world: &world,
            };
            // The world gets all queries, inline models share as many.
            let share = if index == 0 { 1 } else { onion.n_models() - 1 };
            for kind in KINDS {
                let found: Vec<Agreement> = (0..HULL_CASES.div_ceil(share))
                    .into_par_iter()
                    .map(|number| {
                        let seed = (index as u64) << 40 ^ (kind as u64) << 32 ^ number as u64;
                        pair.compare(queries.query(kind, &mut Random::new(seed)))
                    })
                    .collect();
                found.into_iter().for_each(|one| agreement.merge(one));
            }
        }
    }
    agreement
}

/// A hull and the shape of its size.
struct Pair<'a> {
    onion: &'a OnionMap<'a>,
    model: Model<'a>,
    hull: HullId,
    spec: &'a HullSpec,
    shape: Shape,
    world: &'a HullWorld,
}

impl Pair<'_> {
    fn compare(&self, segment: Segment) -> Agreement {
        let [start, end] = segment;
        let contents = self.spec.contents;
        let ours = self
            .model
            .trace_shape(&self.shape, contents, start, end, 0.0)
            .unwrap();
        let hull = self.model.trace_f64(self.hull, start, end, 0.0);
        let mut agreement = Agreement {
            traces: 1,
            hits: usize::from(ours.hit.is_some()),
            ..Agreement::default()
        };
        if let Err(why) = self.judge(segment, &ours, &hull, &mut agreement) {
            let text = format!("{why}: {} {segment:?}\n{ours:?}\n{hull:?}", self.spec.name);
            agreement.wrong.push(text);
        }
        agreement
    }

    fn judge(
        &self,
        segment: Segment,
        ours: &ShapeTrace<'_, f64>,
        hull: &Trace<f64>,
        agreement: &mut Agreement,
    ) -> Result<(), String> {
        let [start, end] = segment;
        let step = sub(end, start);
        let contents = self.spec.contents;
        let flags = |start_solid: bool, all_solid: bool, hit: bool| [start_solid, all_solid, hit];
        let [mine, theirs] = [
            flags(ours.start_solid, ours.all_solid, ours.hit.is_some()),
            flags(hull.start_solid, hull.all_solid, hull.plane.is_some()),
        ];
        let later = (ours.hit_fraction - hull.hit_fraction).abs();
        let normals = ours
            .normal
            .iter()
            .chain(hull.plane.iter().map(|plane| &plane.normal));
        let across = normals.map(|normal| dot(*normal, step).abs() * later);
        let across = across.fold(f64::INFINITY, f64::min);
        if mine == theirs && (later == 0.0 || across <= SAME) {
            if ours.hit.is_some() {
                agreement.worst_perpendicular = agreement.worst_perpendicular.max(across);
                agreement.worst_along = agreement.worst_along.max(later * length(step));
                return self.judge_brush(segment, ours, hull, agreement);
            }
            return Ok(());
        }
        // Both are right, if the solids are a bit larger or smaller: a point passes along the seam of two
        // brushes, or both graze something.
        let our_answer = answer(ours);
        sandwich(self.world, start, end, our_answer, SHELL)?;
        sandwich(self.world, start, end, subject::answer(hull), SHELL)?;
        let is_longer = !ours.start_solid && ours.hit_fraction > hull.hit_fraction;
        let is_like_the_hull = |shape: Shape| {
            let larger = self
                .model
                .trace_shape(&shape, contents, start, end, 0.0)
                .unwrap();
            let flags = [larger.start_solid, larger.all_solid, larger.hit.is_some()];
            flags == theirs || is_longer && larger.hit_fraction < ours.hit_fraction
        };
        if larger_shapes_of(self.spec)
            .into_iter()
            .any(is_like_the_hull)
        {
            agreement.seams[usize::from(!self.spec.is_point())] = 1;
        } else {
            agreement.grazes = 1;
        }
        Ok(())
    }

    /// The brush that was hit is the one that the hull hit, or one that is touched at the same place.
    fn judge_brush(
        &self,
        [start, end]: Segment,
        ours: &ShapeTrace<'_, f64>,
        hull: &Trace<f64>,
        agreement: &mut Agreement,
    ) -> Result<(), String> {
        let named = self.model.hit(self.hull, start, end, hull);
        let (Some(named), Some(hit)) = (named, ours.hit) else {
            return Err("no brush is named".to_owned());
        };
        if hit.brush.contents & self.spec.contents == 0 {
            return Err("the brush is of other contents".to_owned());
        }
        let normal = ours.normal.unwrap_or_default();
        let mut sides = self.onion.sides(hit.brush.number);
        let is_same = |side: &Side<'_>| {
            let along = scale(side.normal, length(side.normal).recip());
            (0..3).all(|axis| (along[axis] - normal[axis]).abs() < SAME_NORMAL)
        };
        if sides.any(|side| !side.is_bevel && is_same(&side)) && !is_same(&hit.side) {
            return Err("another side has the normal".to_owned());
        }
        if named.brush == hit.brush {
            return Ok(());
        }
        let at = lerp(start, end, ours.hit_fraction);
        let off = [named.brush, hit.brush].map(|brush| self.ahead(brush.number, at));
        let [theirs, ours] = off.map(|off| off.abs() < SHELL);
        agreement.ties = usize::from(theirs);
        agreement.misnamed = usize::from(!theirs);
        if ours {
            return Ok(());
        }
        Err(format!("not a tie of brushes, which are {off:?} away"))
    }

    /// How far ahead of a brush grown by the hull a point is: of its faces and bevels.
    fn ahead(&self, brush: u32, at: V3) -> f64 {
        let sides = self.onion.sides(brush);
        let ahead = sides.map(|side| {
            let reach = (0..3).map(|axis| {
                let corners = [self.spec.mins[axis], self.spec.maxs[axis]];
                let [a, b] = corners.map(|corner| -side.normal[axis] * f64::from(corner));
                a.max(b)
            });
            dot(side.normal, at) - side.dist - reach.sum::<f64>()
        });
        ahead.fold(f64::NEG_INFINITY, f64::max)
    }
}

/// A trace as the oracle's sandwich rule takes it.
fn answer<T>(trace: &ShapeTrace<'_, T>) -> Answer {
    Answer {
        start_solid: trace.start_solid,
        all_solid: trace.all_solid,
        hit: trace.hit.is_some().then_some(trace.hit_fraction),
    }
}

#[test]
fn boxes_of_any_size_agree_with_the_oracle() {
    let mut n_hits = 0;
    let mut wrong = Vec::new();
    for map in all_maps() {
        let found = boxes_of(&map);
        let worst = found
            .iter()
            .flatten()
            .fold(0.0, |worst, &off| f64::max(worst, off));
        println!(
            "{}: {} traces, worst {worst:.1e} perpendicular",
            map.name,
            found.len()
        );
        n_hits += found.iter().flatten().filter(|off| **off > 0.0).count();
        wrong.extend(found.into_iter().filter_map(Result::err));
    }
    let first: Vec<_> = wrong.iter().take(5).collect();
    assert!(wrong.is_empty(), "{} wrong: {first:#?}", wrong.len());
    assert!(n_hits > 1000, "{n_hits}");
}

/// How far traces of boxes of some map are off across the surface, or what is wrong with them.
fn boxes_of(real: &RealMap) -> Vec<Result<f64, String>> {
    let map = subject::parse(&real.bytes);
    let compiled = subject::compile_with_brushes(&map, subject::hulls(&["point:point"]));
    let onion = subject::load(&compiled);
    let model = onion.model(0).unwrap();
    let worlds = OracleWorlds::new(&real.bytes, &map);
    let mut random = Random::new(real.bytes.len() as u64);
    let mut found = Vec::new();
    for contents in [SOLID, SOLID | PLAYERCLIP | WATER] {
        // Not about the origin, and sometimes flat.
        let size = random.between(2.0, 60.0);
        let corner = |random: &mut Random| random.point([-size; 3], [size; 3]).map(|x| x as f32);
        let corners = [corner(&mut random), corner(&mut random)];
        let mut spec = subject::hulls(&["box:2x2"]).swap_remove(0);
        spec.contents = contents;
        for axis in 0..3 {
            let [a, b] = corners.map(|corner| corner[axis]);
            (spec.mins[axis], spec.maxs[axis]) = (a.min(b), a.max(b));
        }
        let shape = shape_of(&spec);
        let world = worlds.world(0, &spec);
        let Some(queries) = Queries::new(&world) else {
            continue;
        };
        for kind in KINDS {
            let seed = random.bits();
            found.par_extend((0..BOX_CASES).into_par_iter().map(|number| {
                let segment = queries.query(kind, &mut Random::new(seed ^ number as u64));
                judge_box(&model, &world, &shape, contents, segment)
            }));
        }
    }
    found
}

fn judge_box(
    model: &Model<'_>,
    world: &HullWorld,
    shape: &Shape,
    contents: u32,
    [start, end]: Segment,
) -> Result<f64, String> {
    let trace = model.trace_shape(shape, contents, start, end, 0.0).unwrap();
    let differences = sandwich(world, start, end, answer(&trace), SHELL)?;
    for (point, solid) in [(start, trace.start_solid), (end, trace.all_solid)] {
        let own = model.shape_is_solid(shape, contents, point).unwrap();
        let [grown, shrunk] = [SHELL, -SHELL].map(|shell| world.solid(point, shell));
        if own && !grown || shrunk && !own || solid && !own && point == start {
            return Err(format!("solid is {own} at {point:?}, {trace:?}"));
        }
    }
    // Who does not start in solid does not end there, rounded or not.
    let ends = [start, end].map(|point| point.map(|x| x as f32));
    for skin in [0.0, 1.0 / 32.0] {
        let trace = model
            .trace_shape(shape, contents, ends[0], ends[1], skin)
            .unwrap();
        let end = trace.end_pos.map(f64::from);
        let inside = model.shape_is_solid(shape, contents, end).unwrap();
        if !trace.start_solid && (inside || world.solid(end, -SHELL)) {
            return Err(format!("ends in solid: {ends:?} {trace:?}"));
        }
        if trace.fraction > trace.hit_fraction {
            return Err(format!("moves beyond its hit: {ends:?} {trace:?}"));
        }
    }
    // Where the start is in the shell, one may begin inside and the other outside.
    let is_same_start = !differences.flags_differ;
    Ok(if is_same_start {
        differences.perpendicular
    } else {
        0.0
    })
}

#[test]
fn contents_are_those_of_the_brushes_around_a_point() {
    let mut seen = 0;
    for map in all_maps() {
        seen |= check_contents(&map);
    }
    let wanted = SOLID | LAVA | WATER | PLAYERCLIP;
    assert_eq!(seen & wanted, wanted, "{seen:x}");
}

/// Compares many points of a map; returns all contents that were found.
fn check_contents(real: &RealMap) -> u32 {
    let map = subject::parse(&real.bytes);
    let compiled = subject::compile_with_brushes(&map, subject::hulls(&["point:point"]));
    let onion = subject::load(&compiled);
    let models = read_ibsp(&real.bytes).unwrap();
    let mut random = Random::new(7);
    let mut seen = 0;
    for (index, own) in models.iter().enumerate() {
        let model = onion.model(index).unwrap();
        let of_map = own
            .brushes
            .iter()
            .map(|brush| (brush.contents, brush.planes.clone()));
        let pieces = onion
            .brushes()
            .filter(|brush| brush.model == index && matches!(brush.source, Source::Patch(_)));
        let of_patches = pieces.map(|brush| (brush.contents, faces(&onion, brush.number)));
        let brushes: Vec<(u32, Vec<Plane>)> = of_map.chain(of_patches).collect();
        let solids: Vec<(u32, Vec<V3>)> = brushes
            .iter()
            .filter_map(|(contents, planes)| Some((*contents, vertices(planes)?)))
            .collect();
        let share = if index == 0 { 1 } else { models.len() - 1 };
        for _ in 0..POINTS.div_ceil(share) {
            let point = place(&solids, &mut random);
            let found = model.contents_at(point).unwrap();
            let [outer, inner] = [SHELL, -SHELL].map(|shell| contents_of(&brushes, point, shell));
            let is_right = found & !outer == 0 && inner & !found == 0;
            assert!(is_right, "{} model {index} {point:?}: {found:x}", real.name);
            seen |= found;
            let solid = model.shape_is_solid(&Shape::POINT, WATER | SOLID, point);
            assert_eq!(solid, Some(found & (WATER | SOLID) != 0), "{point:?}");
        }
    }
    seen
}

/// The planes of a brush of a file, without bevels.
fn faces(onion: &OnionMap<'_>, brush: u32) -> Vec<Plane> {
    let faces = onion.sides(brush).filter(|side| !side.is_bevel);
    faces.map(|side| (side.normal, side.dist)).collect()
}

/// A place in or near a brush, of rare contents as often as of others.
fn place(solids: &[(u32, Vec<V3>)], random: &mut Random) -> V3 {
    let Some(mut solid) = solids.get(random.below(solids.len().max(1))) else {
        return random.point([-100.0; 3], [100.0; 3]);
    };
    for _ in 0..8 * random.below(2) {
        if solid.0 != SOLID {
            break;
        }
        solid = &solids[random.below(solids.len())];
    }
    let corners = &solid.1;
    let mut corner = || corners[random.below(corners.len())];
    let [a, b, c] = [corner(), corner(), corner()];
    let inside = lerp(lerp(a, b, random.unit()), c, random.unit());
    let off = [0.0, 0.001, 1.0, 50.0][random.below(4)];
    add(inside, scale(random.direction(), off))
}

/// All contents around a point, by planes moved outward.
fn contents_of(brushes: &[(u32, Vec<Plane>)], point: V3, grow: f64) -> u32 {
    let inside = |planes: &[Plane]| {
        let mut planes = planes.iter();
        planes.all(|&(normal, dist)| dot(normal, point) - dist < grow)
    };
    let around = brushes.iter().filter(|(_, planes)| inside(planes));
    around.fold(0, |contents, (own, _)| contents | own)
}

#[test]
fn other_shapes_agree_with_another_method_or_it_is_wrong() {
    let maps = all_maps();
    let n_cases = n_cases().div_ceil(maps.len());
    let mut all = [Score::default(); MOVERS.len()];
    for map in &maps {
        let of_map = compare_with_parry(map, n_cases);
        let total = of_map.into_iter().fold(Score::default(), Score::merge);
        println!("{}: {total:?}", map.name);
        all = std::array::from_fn(|kind| all[kind].merge(of_map[kind]));
    }
    for (kind, score) in MOVERS.iter().zip(&all) {
        println!("{kind}: {score:?}");
        assert_eq!(score.ours_wrong, 0, "{kind}");
        // Were it a few, there would be nothing to learn from the others.
        let n_all = score.same + score.both_right + score.parry_early + score.parry_late;
        assert!(
            score.same * 10 > n_all * 7 && score.hits * 10 > n_all,
            "{kind}"
        );
    }
}

/// The kinds of shapes that are compared.
const MOVERS: [&str; 5] = ["ray", "ball", "capsule", "box", "turned box"];

/// How often who was right.
#[derive(Clone, Copy, Debug, Default)]
struct Score {
    same: usize,
    hits: usize,
    /// They differ, and the gaps allow both: a graze.
    both_right: usize,
    parry_early: usize,
    parry_late: usize,
    ours_wrong: usize,
}

impl Score {
    fn merge(self, other: Self) -> Self {
        Self {
            same: self.same + other.same,
            hits: self.hits + other.hits,
            both_right: self.both_right + other.both_right,
            parry_early: self.parry_early + other.parry_early,
            parry_late: self.parry_late + other.parry_late,
            ours_wrong: self.ours_wrong + other.ours_wrong,
        }
    }
}

/// A brush as the rival has it, about its center.
struct Part {
    planes: Vec<Plane>,
    center: V3,
    /// Bounds.
    mins: V3,
    maxs: V3,
    /// None if it is too thin for the rival.
    polyhedron: Option<parry::ConvexPolyhedron>,
}

impl Part {
    fn new(planes: Vec<Plane>) -> Option<Self> {
        let corners = vertices(&planes)?;
        let bound = |farther: fn(f64, f64) -> f64| {
            let bound = |a: V3, b: V3| std::array::from_fn(|axis| farther(a[axis], b[axis]));
            corners.iter().copied().reduce(bound)
        };
        let (mins, maxs) = (bound(f64::min)?, bound(f64::max)?);
        let center = lerp(mins, maxs, 0.5);
        let points = corners
            .iter()
            .map(|&corner| Vector::from_array(sub(corner, center)));
        let polyhedron = parry::ConvexPolyhedron::from_convex_hull(&points.collect::<Vec<_>>());
        Some(Self {
            planes,
            center,
            mins,
            maxs,
            polyhedron,
        })
    }

    /// Whether a box that moves may touch the brush: slabs, a bit grown.
    fn is_near(&self, [start, end]: Segment, (mins, maxs): (V3, V3)) -> bool {
        let (mut from, mut to) = (0.0f64, 1.0f64);
        for axis in 0..3 {
            let [low, high] = [
                self.mins[axis] - maxs[axis] - 1.0,
                self.maxs[axis] - mins[axis] + 1.0,
            ];
            let step = end[axis] - start[axis];
            if step == 0.0 {
                if start[axis] < low || start[axis] > high {
                    return false;
                }
                continue;
            }
            let [a, b] = [low, high].map(|bound| (bound - start[axis]) / step);
            (from, to) = (from.max(a.min(b)), to.min(a.max(b)));
        }
        from <= to
    }
}

/// A shape for the runtime, for the rival and for the oracle.
struct Mover {
    shape: Shape,
    body: Body,
    /// None for a ray.
    parry: Option<Box<dyn parry::Shape>>,
    pose: Pose,
    /// What the pose is at, from the point that moves.
    center: V3,
}

impl Mover {
    /// From 1 to 40 units large.
    fn random(kind: &str, random: &mut Random) -> Self {
        let center = random.point([-20.0; 3], [20.0; 3]);
        let radius = random.between(1.0, 40.0);
        let half = random.point([1.0; 3], [40.0; 3]);
        let turn = match kind {
            "turned box" => scale(random.direction(), random.between(0.0, 3.0)),
            _ => [0.0; 3],
        };
        let pose = Pose::new(Vector::ZERO, Vector::from_array(turn));
        let axes = AXES.map(|axis| pose.transform_vector(Vector::from_array(axis)).to_array());
        let cuboid = || Box::new(parry::Cuboid::new(Vector::from_array(half)));
        let (shape, body, parry, center): (_, _, Option<Box<dyn parry::Shape>>, _) = match kind {
            "ray" => {
                let body = Body::Box {
                    center: [0.0; 3],
                    half: [0.0; 3],
                    axes,
                };
                (Shape::POINT, body, None, [0.0; 3])
            }
            "ball" => {
                let body = Body::Capsule {
                    ends: [center; 2],
                    radius,
                };
                let shape = Shape::sphere(center, radius).unwrap();
                (
                    shape,
                    body,
                    Some(Box::new(parry::Ball::new(radius))),
                    center,
                )
            }
            "capsule" => {
                let ends = [center, random.point([-20.0; 3], [20.0; 3])];
                let [a, b] = ends;
                let shape = Shape::capsule(a, b, radius).unwrap();
                let [a, b] = ends.map(Vector::from_array);
                let parry = Box::new(parry::Capsule::new(a, b, radius));
                (shape, Body::Capsule { ends, radius }, Some(parry), [0.0; 3])
            }
            "box" => {
                let shape = Shape::axial_box(sub(center, half), add(center, half)).unwrap();
                (
                    shape,
                    Body::Box { center, half, axes },
                    Some(cuboid()),
                    center,
                )
            }
            _ => {
                let shape = Shape::oriented_box(center, half, axes).unwrap();
                (
                    shape,
                    Body::Box { center, half, axes },
                    Some(cuboid()),
                    center,
                )
            }
        };
        Self {
            shape,
            body,
            parry,
            pose,
            center,
        }
    }

    /// Fraction of a motion before the shape meets a brush, by the rival.
    fn cast(&self, part: &Part, [start, end]: Segment) -> Option<f64> {
        let polyhedron = part.polyhedron.as_ref()?;
        let at = Vector::from_array(sub(add(start, self.center), part.center));
        let step = Vector::from_array(sub(end, start));
        let Some(shape) = &self.parry else {
            return polyhedron.cast_local_ray(&Ray::new(at, step), 1.0, true);
        };
        let options = ShapeCastOptions {
            max_time_of_impact: 1.0,
            target_distance: 0.0,
            stop_at_penetration: true,
            compute_impact_geometry_on_penetration: false,
        };
        let pose = Pose::from_parts(at, self.pose.rotation);
        let hit = cast_shapes(
            &Pose::IDENTITY,
            Vector::ZERO,
            polyhedron,
            &pose,
            step,
            &**shape,
            options,
        );
        hit.unwrap().map(|hit| hit.time_of_impact)
    }
}

fn compare_with_parry(real: &RealMap, n_cases: usize) -> [Score; MOVERS.len()] {
    const CONTENTS: u32 = SOLID | PLAYERCLIP;
    let map = subject::parse(&real.bytes);
    let mut hulls = subject::hulls(&["point:point"]);
    hulls[0].contents = CONTENTS;
    let compiled = subject::compile_with_brushes(&map, hulls.clone());
    let onion = subject::load(&compiled);
    let model = onion.model(0).unwrap();
    let world = OracleWorlds::new(&real.bytes, &map).world(0, &hulls[0]);
    let Some(queries) = Queries::new(&world) else {
        return [Score::default(); MOVERS.len()];
    };
    let brushes = onion
        .brushes()
        .filter(|brush| brush.model == 0 && brush.contents & CONTENTS != 0);
    let parts: Vec<Part> = brushes
        .filter_map(|brush| Part::new(faces(&onion, brush.number)))
        .collect();
    let scores = (0..n_cases).into_par_iter().map(|number| {
        let mut random = Random::new(number as u64 ^ (real.bytes.len() as u64) << 32);
        let kind = number % MOVERS.len();
        let mover = Mover::random(MOVERS[kind], &mut random);
        let motion = queries.query(KINDS[random.below(KINDS.len())], &mut random);
        let near: Vec<&Part> = parts
            .iter()
            .filter(|part| part.is_near(motion, mover.shape.bounds()))
            .collect();
        let trace = model
            .trace_shape(&mover.shape, CONTENTS, motion[0], motion[1], 0.0)
            .unwrap();
        let mut scores = [Score::default(); MOVERS.len()];
        scores[kind] = compare(&mover, motion, &near, &trace);
        let skinned = model
            .trace_shape(&mover.shape, CONTENTS, motion[0], motion[1], SKIN)
            .unwrap();
        let is_before =
            skinned.fraction <= trace.hit_fraction && trace.fraction <= trace.hit_fraction;
        scores[kind].ours_wrong += usize::from(!is_before);
        if scores[kind].ours_wrong > 0 {
            println!(
                "{}: {} {:?} {motion:?} {trace:?}",
                real.name, MOVERS[kind], mover.body
            );
        }
        scores
    });
    scores.reduce(
        || [Score::default(); MOVERS.len()],
        |a, b| std::array::from_fn(|kind| a[kind].merge(b[kind])),
    )
}

fn compare(mover: &Mover, motion: Segment, near: &[&Part], trace: &ShapeTrace<'_, f64>) -> Score {
    let ours = if trace.start_solid {
        Some(0.0)
    } else {
        trace.hit.is_some().then_some(trace.hit_fraction)
    };
    let casts = near.iter().filter_map(|part| mover.cast(part, motion));
    let theirs = casts.reduce(f64::min);
    let mut score = Score {
        hits: usize::from(ours.is_some()),
        ..Score::default()
    };
    let far = length(sub(motion[1], motion[0]));
    let is_same = match (ours, theirs) {
        (Some(ours), Some(theirs)) => (ours - theirs).abs() * far <= OFF,
        (ours, theirs) => ours.is_none() && theirs.is_none(),
    };
    if is_same {
        score.same = 1;
        return score;
    }
    let gaps: Vec<Gap> = near
        .iter()
        .filter_map(|part| Gap::new(&part.planes, &mover.body))
        .collect();
    score.ours_wrong = usize::from(judge(&gaps, motion, ours) != Verdict::Right);
    match judge(&gaps, motion, theirs) {
        Verdict::Right => score.both_right = 1,
        Verdict::Early => score.parry_early = 1,
        Verdict::Late => score.parry_late = 1,
    }
    score
}

/// What is wrong with the claim that a motion is free up to a fraction and meets a brush there, or is
/// free all the way: nothing, a meeting in mid-air, or that it is inside before.
#[derive(PartialEq)]
enum Verdict {
    Right,
    Early,
    Late,
}

fn judge(gaps: &[Gap], [start, end]: Segment, claim: Option<f64>) -> Verdict {
    let free = claim.unwrap_or(1.0);
    let stop = lerp(start, end, free);
    if claim != Some(0.0) && gaps.iter().any(|gap| least(gap, [start, stop]) < -OFF) {
        return Verdict::Late;
    }
    let touches = |gap: &Gap| gap.at(stop) <= OFF;
    if claim.is_some() && !gaps.iter().any(touches) {
        return Verdict::Early;
    }
    Verdict::Right
}

/// The least gap of a motion: it is convex along it.
fn least(gap: &Gap, [start, end]: Segment) -> f64 {
    let at = |fraction: f64| gap.at(lerp(start, end, fraction));
    let fraction = |sample: usize| sample as f64 / SAMPLES as f64;
    let samples = (0..=SAMPLES).map(|sample| (at(fraction(sample)), sample));
    let (mut least, best) = samples.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
    let (mut low, mut high) = (
        fraction(best.saturating_sub(1)),
        fraction((best + 1).min(SAMPLES)),
    );
    for _ in 0..STEPS {
        let [a, b] = [low + (high - low) / 3.0, high - (high - low) / 3.0];
        let gaps = [a, b].map(at);
        least = least.min(gaps[0]).min(gaps[1]);
        if gaps[0] < gaps[1] { high = b } else { low = a }
    }
    least
}
