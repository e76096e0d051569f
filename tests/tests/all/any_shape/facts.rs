//! Shapes in the sample maps: the facts of the hulls, for shapes of the same size, and facts of shapes that are not
//! hulls, worked out by hand.

use onion_runtime::shape::{Shape, ShapeTrace};
use onion_tests::facts::{self, TraceFact};
use onion_tests::oracle::vec3::{V3, length, sub};
use onion_tests::queries::Segment;
use onion_tests::samples;
use onion_tests::subject::{self, HULLS};

use super::{LARGER, MARGIN, PLAYERCLIP, SOLID, WATER, larger_shapes_of, sample, shape_of};

/// Planes of sample maps are in single precision, so facts on slopes hold to this tolerance, in units.
const STORED_PRECISION: f64 = 1e-4;

/// The same for normals.
const NORMAL_PRECISION: f64 = 1e-6;

/// The facts of the sample maps are about hulls. They hold for shapes of the same size, except at seams of brushes
/// that only touch when expanded by the hull; there they hold for a slightly larger box.
#[test]
fn facts_hold_for_shapes_of_the_hulls_sizes() {
    let mut wrong = Vec::new();
    let (mut n_facts, mut n_seams) = (0, 0);
    for name in samples::maps().iter().map(|map| map.name) {
        let onion = sample(name);
        let hulls = subject::hulls(&HULLS);
        let facts = facts::read(name);
        for fact in &facts.trace {
            let hull = hulls.iter().find(|hull| hull.name == fact.hull).unwrap();
            let model = onion.model(fact.model).unwrap();
            let check = |shape: &Shape, slack| {
                let model = model.with_margin(MARGIN);
                let trace = model.trace_shape(shape, hull.contents, fact.start, fact.end);
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
                model.shape_is_solid(shape, hull.contents, fact.at) == Ok(fact.solid)
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
    assert_eq!(n_seams, 12, "facts about seams");
}

fn disagreement(fact: &TraceFact, trace: &ShapeTrace<'_, f64>, slack: f64) -> Option<String> {
    if (trace.start_solid, trace.all_solid) != (fact.start_solid, fact.all_solid) {
        return Some("flags differ".to_owned());
    }
    let off = (trace.hit_fraction - fact.hit_fraction.value()).abs();
    let off = off * length(sub(fact.end, fact.start));
    // A larger box meets a slope at 45 degrees earlier by twice as much; no gentler slope is met.
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

/// The place where a shape is stopped, the brush that stops it, and the normal: the other tests cover none of this.
// Long: a table, one row for each fact.
#[test]
fn facts_worked_out_by_hand() {
    let ball = |radius| Shape::sphere([0.0; 3], radius).unwrap();
    let check =
        |map: &str, shape: &Shape, contents, [start, end]: Segment, fraction: f64, normal| {
            let onion = sample(map);
            let world = onion.model(0).unwrap().with_margin(0.0);
            let trace = world.trace_shape(shape, contents, start, end).unwrap();
            let off = (trace.hit_fraction - fraction).abs() * length(sub(end, start));
            assert!(off < STORED_PRECISION, "{map}: {trace:?}");
            assert!(is_near(trace.normal.unwrap(), normal), "{map}: {trace:?}");
            let hit = trace.hit.unwrap();
            assert_ne!(hit.brush.contents & contents, 0, "{map}: {trace:?}");
            hit.brush.contents
        };
    // A ball in the room: the wall at 256, minus 16, is 240 of 400.
    let east = [[0.0, 0.0, 100.0], [400.0, 0.0, 100.0]];
    check("room", &ball(16.0), SOLID, east, 0.6, [-1.0, 0.0, 0.0]);
    // A box of 20 on its edge extends 10 times the root of 2.
    let half = 0.5f64.sqrt();
    let axes = [[half, half, 0.0], [-half, half, 0.0], [0.0, 0.0, 1.0]];
    let turned = Shape::oriented_box([0.0; 3], [10.0; 3], axes).unwrap();
    let stops = (256.0 - 200f64.sqrt()) / 400.0;
    check("room", &turned, SOLID, east, stops, [-1.0, 0.0, 0.0]);
    // A ball whose center is 5 ahead of its point.
    let ahead = Shape::sphere([5.0, 0.0, 0.0], 16.0).unwrap();
    check("room", &ahead, SOLID, east, 235.0 / 400.0, [-1.0, 0.0, 0.0]);

    // The ramp rises 1 in 2 and is 64 high at x = 0: a ball of radius 10 rests half the root of 5 times 10 higher.
    let slope = 5f64.sqrt().recip();
    let uphill = [-slope, 0.0, 2.0 * slope];
    let falls = [[0.0, -96.0, 200.0], [0.0, -96.0, 0.0]];
    let rests = 64.0 + 5.0 * 5f64.sqrt();
    let meets = |at: f64| (at - rests) / 200.0;
    check(
        "ramp_stairs",
        &ball(10.0),
        SOLID,
        falls,
        meets(200.0),
        uphill,
    );
    // So does an upright capsule with its lower end.
    let upright = Shape::capsule([0.0, 0.0, -20.0], [0.0, 0.0, 20.0], 10.0).unwrap();
    check("ramp_stairs", &upright, SOLID, falls, meets(180.0), uphill);
    // A ray.
    check("ramp_stairs", &Shape::POINT, SOLID, falls, 0.68, uphill);

    // The knife's vertical edge is at (-128, 32). A ball of 16 that passes 9.6 south of it touches it 12.8
    // west of it (9.6, 12.8, 16), with a normal that no face has: x = -140.8, 100 of 200.
    let past = [[-240.8, 22.4, 64.0], [-40.8, 22.4, 64.0]];
    check("wedge", &ball(16.0), SOLID, past, 0.5, [-0.8, -0.6, 0.0]);

    // Players only: the clip wall at x = 64 stops a trace for its contents. A trace for solid flies to 256.
    let west = [-1.0, 0.0, 0.0];
    let in_water = |radius, contents, segment, fraction, normal| {
        check(
            "clip_water",
            &ball(radius),
            contents,
            segment,
            fraction,
            normal,
        )
    };
    assert_eq!(in_water(16.0, PLAYERCLIP, east, 0.12, west), PLAYERCLIP);
    in_water(16.0, SOLID | PLAYERCLIP, east, 0.12, west);
    in_water(16.0, SOLID, east, 0.6, west);
    // The pillar at 112 is in a clip brush from 96 on.
    let at_pillar = [[80.0, 112.0, 32.0], [280.0, 112.0, 32.0]];
    in_water(4.0, SOLID, at_pillar, 28.0 / 200.0, west);
    in_water(4.0, PLAYERCLIP, at_pillar, 12.0 / 200.0, west);
    // Water is 64 high.
    let (dive, up) = (
        [[-128.0, 0.0, 164.0], [-128.0, 0.0, -36.0]],
        [0.0, 0.0, 1.0],
    );
    assert_eq!(in_water(10.0, WATER, dive, 0.45, up), WATER);
    in_water(10.0, WATER | SOLID, dive, 0.45, up);
    in_water(10.0, SOLID, dive, 154.0 / 200.0, up);
}

#[test]
fn starts_in_solid_and_places_that_are_none() {
    let onion = sample("room");
    let world = onion.model(0).unwrap().with_margin(0.0);
    let of_point = |contents, start: V3, end: V3| {
        world
            .trace_shape(&Shape::POINT, contents, start, end)
            .unwrap()
    };
    let trace = |start: V3, end: V3| of_point(SOLID, start, end);
    // The floor is 16 thick, and ends at 0; the ceiling begins at 256.
    let out = trace([0.0, 0.0, -8.0], [0.0, 0.0, 92.0]);
    let gets_out = out.start_solid && !out.all_solid && out.hit.is_none();
    assert!(gets_out, "{out:?}");
    assert_eq!((out.fraction, out.end_pos), (1.0, [0.0, 0.0, 92.0]));
    let through = trace([0.0, 0.0, -8.0], [0.0, 0.0, 392.0]);
    assert!(through.start_solid && !through.all_solid, "{through:?}");
    let (fraction, normal) = (through.hit_fraction, through.normal);
    assert_eq!((fraction, normal), (0.66, Some([0.0, 0.0, -1.0])));
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
        assert_eq!(solid, Ok(true));
    }
    // Contents without bits match no brush.
    let nothing = of_point(0, [0.0, 0.0, -8.0], [0.0, 0.0, 400.0]);
    assert!(nothing.fraction == 1.0 && !nothing.start_solid);
    // A margin keeps that distance from the wall at 256, in single precision too; invalid ones count as zero.
    for (margin, x) in [
        (0.25, 255.75),
        (0.0, 256.0),
        (-1.0, 256.0),
        (f64::NAN, 256.0),
    ] {
        let ends = [[0.0f32, 0.0, 100.0], [400.0, 0.0, 100.0]];
        let world = world.with_margin(margin);
        let trace = world
            .trace_shape(&Shape::POINT, SOLID, ends[0], ends[1])
            .unwrap();
        let is_kept = (trace.end_pos[0] - x).abs() < 1e-3 && trace.end_pos[0] <= x;
        assert!(is_kept, "{margin}: {trace:?}");
    }
    let (world, ends) = (
        world.with_margin(f64::INFINITY),
        [[0.0, 0.0, 9.0], [0.0, 0.0, -9.0]],
    );
    let tight = world.trace_shape(&Shape::POINT, SOLID, ends[0], ends[1]);
    assert_eq!(tight.unwrap().fraction, 0.0);
}
