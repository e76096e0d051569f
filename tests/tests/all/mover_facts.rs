//! Hulls against models that move and turn: each fact was worked out by hand, as explained
//! beside it.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use onion_runtime::movement::{Agent, WalkSettings, World};
use onion_runtime::shape::{Shape, ShapeTrace};
use onion_runtime::{Aabb, HullId, Mover, OnionMap, Pose, Scene, Unsupported};
use onion_tests::cases::sample_case;
use onion_tests::fixtures::{compiled, made};
use onion_tests::samples::{self, Brush, Shader};
use onion_tests::subject::HULLS;

type V3 = [f64; 3];
type Level = OnionMap<Vec<u8>>;

/// Rounding error of a fraction.
const ROUNDING: f64 = 1e-9;

/// Largest distance in units by which a contact with a turning model may be reported too early.
const EARLY: f64 = 1e-6;

/// Loads the sample map with a doorway: its door is model 1 (x -4 to 4, y -32 to 32, z 0 to 96), its lift model 2 (a
/// plate of 64 x 64 x 16 with a mast of 8 x 8 up to 64).
fn door_map(brushes: bool) -> Level {
    let map = &sample_case("door").map;
    let file = compiled(map, &HULLS, |options| options.brushes = brushes);
    OnionMap::from_bytes(file.bytes).unwrap()
}

/// Compiles a floor far below and a model of these brushes, for the usual hulls or others.
fn model_for(hulls: &[&str], brushes: Vec<(Brush, Shader)>) -> Level {
    let mut map = samples::Map::new("model", "One model");
    let floor = [[-512.0, -512.0, -1024.0], [512.0, 512.0, -1008.0]];
    map.cuboid(Shader::Floor, floor[0], floor[1]);
    map.door(None, 0, vec![]);
    map.models[1].brushes = brushes;
    let file = compiled(&made(&map), hulls, |options| options.brushes = true);
    OnionMap::from_bytes(file.bytes).unwrap()
}

fn model_map(brushes: &[Brush]) -> Level {
    let brushes = brushes.iter().map(|brush| (brush.clone(), Shader::Door));
    model_for(&HULLS, brushes.collect())
}

/// Compiles a cube of 64 units about the origin.
fn cube_map() -> Level {
    model_map(&[Brush::cuboid([-32.0; 3], [32.0; 3])])
}

fn hull(map: &OnionMap<impl AsRef<[u8]>>, name: &str) -> HullId {
    map.find_hull(name).unwrap()
}

fn moving(model: usize, from: V3, to: V3) -> Mover {
    Mover {
        model,
        from: Pose::at(from),
        to: Pose::at(to),
    }
}

/// Makes a model turn about z, by angles in radians.
fn turning(model: usize, from: f64, to: f64) -> Mover {
    let [from, to] =
        [from, to].map(|angle| Pose::turned([0.0; 3], [0.0, 0.0, 1.0], angle).unwrap());
    Mover { model, from, to }
}

/// Traces without a margin.
fn trace<'a>(
    map: &'a Level,
    movers: &[Mover],
    name: &str,
    [start, end]: [V3; 2],
) -> ShapeTrace<'a, f64> {
    let scene = Scene::new(map, movers).unwrap();
    scene.with_margin(0.0).trace(hull(map, name), start, end)
}

#[track_caller]
fn assert_near(a: f64, b: f64, within: f64) {
    assert!((a - b).abs() <= within, "{a} is not {b}");
}

#[track_caller]
fn assert_normal(answer: &ShapeTrace<'_, f64>, normal: V3) {
    let met = answer.normal.unwrap();
    for (a, b) in met.iter().zip(normal) {
        assert_near(*a, b, 1e-7);
    }
}

#[track_caller]
fn assert_free(answer: &ShapeTrace<'_, f64>) {
    let trace = answer;
    assert!(
        trace.normal.is_none() && trace.fraction == 1.0 && answer.mover.is_none(),
        "{answer:?}"
    );
}

#[test]
fn a_door_slides_up_while_an_agent_walks_under_it() {
    let map = door_map(true);
    let walk = [[-100.0, 0.0, 24.0], [100.0, 0.0, 24.0]];
    // The box reaches the door at x = -20, after 80 of 200. Then the door is up by 0.4 of its way, and
    // the box is 56 high.
    let up = |by: f64| [moving(1, [0.0; 3], [0.0, 0.0, by])];
    let slow = trace(&map, &up(120.0), "stand", walk);
    assert_near(slow.hit_fraction, 0.4, ROUNDING);
    assert_eq!(slow.mover, Some(0));
    let hit = slow.hit.unwrap();
    assert_eq!((hit.brush.model, hit.side.normal), (1, [-1.0, 0.0, 0.0]));
    assert_free(&trace(&map, &up(141.0), "stand", walk));
    // A box 32 high is under it in time even with the slow one, but the door comes down on a box that waits there:
    // from 120 to 0, on a head at 32, after 88 of 120.
    assert_free(&trace(&map, &up(120.0), "crouch", walk));
    let down = moving(1, [0.0, 0.0, 120.0], [0.0; 3]);
    let waiting = trace(&map, &[down], "crouch", [[0.0, 0.0, 24.0]; 2]);
    assert_near(waiting.hit_fraction, 88.0 / 120.0, ROUNDING);
    assert_normal(&waiting, [0.0, 0.0, -1.0]);
}

#[test]
fn a_lift_carries() {
    let map = door_map(true);
    let lift = moving(2, [160.0, 64.0, 0.0], [160.0, 64.0, 40.0]);
    // Feet on the plate, touching the mast as well.
    let feet = [180.0, 64.0, 16.0 + 24.0];
    let up = |by: f64| [feet, [feet[0], feet[1], feet[2] + by]];
    assert_free(&trace(&map, &[lift], "stand", up(40.0)));
    assert_free(&trace(&map, &[lift], "stand", up(50.0)));
    for by in [0.0, 39.0] {
        let answer = trace(&map, &[lift], "stand", up(by));
        assert_eq!(answer.hit_fraction, 0.0);
        assert!(!answer.start_solid);
        assert_normal(&answer, [0.0, 0.0, 1.0]);
    }
    // It falls 20 while the plate rises 40: they are 30 apart, and meet after half of it.
    let fall = [[180.0, 64.0, 70.0], [180.0, 64.0, 50.0]];
    let answer = trace(&map, &[lift], "stand", fall);
    assert_near(answer.hit_fraction, 0.5, ROUNDING);
    assert_near(answer.end_pos[2], 60.0, 1e-6);
    // The plate goes down faster than the box falls: no hit.
    let sinking = moving(2, [160.0, 64.0, 40.0], [160.0, 64.0, 0.0]);
    let fall = [[180.0, 64.0, 80.0], [180.0, 64.0, 60.0]];
    assert_free(&trace(&map, &[sinking], "stand", fall));
}

#[test]
fn a_door_hits_somebody_who_stands_and_can_be_left_when_it_has_closed() {
    let map = door_map(true);
    // The box ends at y = 16, the door begins at 100 - 32 = 68: after 52 of 100.
    let closing = moving(1, [0.0, 100.0, 0.0], [0.0; 3]);
    let standing = [[0.0, 0.0, 24.0]; 2];
    let answer = trace(&map, &[closing], "stand", standing);
    assert_near(answer.hit_fraction, 0.52, ROUNDING);
    assert_eq!(answer.end_pos, standing[0]);
    assert_normal(&answer, [0.0, -1.0, 0.0]);
    // It moves away from the door as fast as the door comes, or faster; and into it.
    let away = |by: f64| [[100.0, 0.0, 24.0], [100.0, by, 24.0]];
    let beside = moving(1, [100.0, 48.0, 0.0], [100.0, -32.0, 0.0]);
    assert_free(&trace(&map, &[beside], "stand", away(-80.0)));
    let into = trace(&map, &[beside], "stand", away(-79.0));
    assert_eq!(into.hit_fraction, 0.0);
    let closed = [Mover::still(1, Pose::at([0.0; 3]))];
    let at = [0.0, 0.0, 24.0];
    let out = trace(&map, &closed, "stand", [at, [100.0, 0.0, 24.0]]);
    assert!(out.start_solid && !out.all_solid);
    assert_eq!((out.fraction, out.mover), (1.0, None));
    let stuck = trace(&map, &closed, "stand", [at, [0.0, 0.0, 30.0]]);
    assert!(stuck.start_solid && stuck.all_solid);
    assert_eq!((stuck.fraction, stuck.end_pos), (0.0, at));
}

#[test]
fn who_is_in_something_that_turns_gets_out_or_does_not_move() {
    let map = cube_map();
    for mover in [turning(1, 0.0, 0.5), turning(1, 0.5, 0.5)] {
        let out = trace(&map, &[mover], "stand", [[0.0; 3], [100.0, 0.0, 0.0]]);
        assert!(out.start_solid && !out.all_solid && out.fraction == 1.0);
        let stuck = trace(&map, &[mover], "stand", [[0.0; 3], [20.0, 0.0, 0.0]]);
        assert!(stuck.all_solid && stuck.fraction == 0.0, "{stuck:?}");
    }
    // Out of one cube and into another, 100 units away, turned by 45 degrees: a point meets its edge at 100 - 32 root
    // 2.
    let map = model_map(&[
        Brush::cuboid([-32.0; 3], [32.0; 3]),
        Brush::cuboid([68.0, -32.0, -32.0], [132.0, 32.0, 32.0]),
    ]);
    for last in [0.0, 1e-9] {
        let mover = [turning(1, 0.0, last)];
        let out = trace(&map, &mover, "point", [[0.0; 3], [100.0, 0.0, 0.0]]);
        assert!(out.start_solid && !out.all_solid);
        assert_near(out.hit_fraction, 0.68, EARLY);
        assert_eq!(out.hit.unwrap().brush.number, 2);
    }
}

#[test]
fn who_gets_from_one_brush_into_the_next_is_still_inside() {
    // Three bars that overlap, from -32 to 150: a point in an outer one passes all of them, in whatever order they
    // are visited.
    let bars = [[-32.0, 40.0], [30.0, 90.0], [80.0, 150.0]];
    let bars = bars.map(|[from, to]| Brush::cuboid([from, -8.0, -8.0], [to, 8.0, 8.0]));
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2], [1, 2, 0]] {
        let map = model_map(&order.map(|number: usize| bars[number].clone()));
        for walk in [[0.0, 200.0], [120.0, -80.0], [0.0, 140.0]] {
            for turn in [0.0, 1e-3] {
                let mover = [turning(1, 1e-3, 1e-3 + turn)];
                let out = trace(&map, &mover, "point", walk.map(|x| [x, 0.0, 0.0]));
                let is_free = out.start_solid && out.normal.is_none();
                assert!(is_free, "{order:?} {out:?}");
                assert_eq!(out.all_solid, walk[1] == 140.0);
            }
        }
    }
}

#[test]
fn only_contents_that_block_a_hull_stop_it() {
    let cube = |x: f64| Brush::cuboid([x - 8.0, -8.0, -8.0], [x + 8.0, 8.0, 8.0]);
    let brushes = vec![(cube(0.0), Shader::Water), (cube(100.0), Shader::Clip)];
    let map = model_for(&HULLS, brushes);
    let walk = [[-60.0, 0.0, 0.0], [140.0, 0.0, 0.0]];
    for [from, to] in [[0.0; 2], [1e-9; 2], [0.0, 1e-9]] {
        let mover = turning(1, from, to);
        assert_free(&trace(&map, &[mover], "point", walk));
        // The clip brush begins at x = 92: the box meets it after 136 of 200.
        let answer = trace(&map, &[mover], "stand", walk);
        assert_near(answer.hit_fraction, 0.68, EARLY);
        let inside = trace(&map, &[mover], "stand", [[0.0; 3]; 2]);
        assert!(!inside.start_solid);
    }
}

#[test]
fn a_cube_turned_by_an_eighth_is_met_at_its_edge_and_at_its_faces() {
    let map = cube_map();
    let eighth = Pose::turned([0.0; 3], [0.0, 0.0, 3.0], FRAC_PI_4).unwrap();
    let eighth = [Mover::still(1, eighth)];
    let at_x = |name: &str, y: f64| {
        let answer = trace(&map, &eighth, name, [[200.0, y, 0.0], [0.0, y, 0.0]]);
        (200.0 * (1.0 - answer.hit_fraction), answer)
    };
    let reach = 32.0 * 2f64.sqrt();
    let (x, _) = at_x("point", 0.0);
    assert_near(x, reach, 1e-6);
    // The face of the box meets the edge of the cube.
    let (x, answer) = at_x("stand", 0.0);
    assert_near(x, reach + 16.0, 1e-6);
    assert_normal(&answer, [1.0, 0.0, 0.0]);
    // The edge of the box at y = 26 - 16 meets the face of the cube, where x + y = 32 root 2.
    let (x, answer) = at_x("stand", 26.0);
    assert_near(x, reach - 10.0 + 16.0, 1e-6);
    assert_normal(&answer, [0.5f64.sqrt(), 0.5f64.sqrt(), 0.0]);
    let side = answer.hit.unwrap().side;
    assert!(!side.is_bevel && side.normal[1].abs() + side.normal[0].abs() == 1.0);
    // A box farther out passes, though the planes of the turned cube, expanded by the unturned box, would stop it.
    let (_, answer) = at_x("stand", reach + 16.0);
    assert_free(&answer);
    // The same holds where the bounding boxes of both overlap: beside the edge that points along y.
    let beside = [[20.0, 100.0, 0.0], [20.0, reach - 4.0 + 16.0, 0.0]];
    assert_free(&trace(&map, &eighth, "stand", beside));
}

#[test]
fn a_cube_on_its_edge_meets_a_box_edge_to_edge() {
    // Turned by 45 degrees about x and then about z, the edge of the cube through (0, 32, 32) runs along (1, 1, 0) at
    // z = 32 root 2. The box above it moves down: its face meets the edge, or its corner meets the face beside it.
    let map = cube_map();
    let (half_sine, half_cosine) = (FRAC_PI_4 / 2.0).sin_cos();
    // The product of the quaternions (0, 0, s, c) and (s, 0, 0, c).
    let both = [
        half_sine * half_cosine,
        half_sine * half_sine,
        half_sine * half_cosine,
        half_cosine * half_cosine,
    ];
    let mover = [Mover::still(1, Pose::quaternion([0.0; 3], both).unwrap())];
    let fall = |x: f64, y: f64| {
        let answer = trace(&map, &mover, "stand", [[x, y, 200.0], [x, y, 0.0]]);
        (200.0 * (1.0 - answer.hit_fraction), answer)
    };
    let top = 32.0 * 2f64.sqrt();
    let (z, answer) = fall(0.0, 0.0);
    assert_near(z, top + 24.0, 1e-6);
    assert_normal(&answer, [0.0, 0.0, 1.0]);
    // The face beside the edge has the normal (1, -1, root 2) / 2. The corner of the box that is nearest to
    // the edge, at (x - 16, y + 16), is 8 root 2 from it: the face is that much lower there.
    let (z, answer) = fall(24.0, -24.0);
    assert_near(z, top - 8.0 * 2f64.sqrt() + 24.0, 1e-6);
    assert_normal(&answer, [0.5, -0.5, 0.5f64.sqrt()]);
    // From the side, the box's upright edge at (-16, 16) meets the edge of the cube through (0, 32, -32), which runs
    // along (1, 1, 0) at z = 0, 32 root 2 from the middle.
    let answer = trace(&map, &mover, "stand", [[100.0, -100.0, 0.0], [0.0; 3]]);
    let x = 100.0 * (1.0 - answer.hit_fraction);
    assert_near((x - 16.0) * 2f64.sqrt(), top, 1e-6);
    assert_normal(&answer, [0.5f64.sqrt(), -(0.5f64.sqrt()), 0.0]);
}

/// Compiles a leaf of 64 units on an axis through the origin, 4 thick.
fn turnstile() -> Level {
    model_map(&[Brush::cuboid([0.0, -2.0, -64.0], [64.0, 2.0, 64.0])])
}

#[test]
fn a_turnstile_hits_who_stands_in_its_way() {
    let map = turnstile();
    let quarter = [turning(1, 0.0, FRAC_PI_2)];
    let standing = |y: f64| trace(&map, &quarter, "stand", [[0.0, y, 0.0]; 2]);
    // The corner (16, 44) meets the face in front: -16 sin a + 44 cos a = 2.
    let angle = (2.0 / 16f64.hypot(44.0)).acos() - 16f64.atan2(44.0);
    let answer = standing(60.0);
    let early = EARLY / 64.0;
    assert_near(answer.hit_fraction, angle / FRAC_PI_2, early);
    let met = answer.normal.unwrap();
    assert_near(met[0], -angle.sin(), 1e-6);
    assert_near(met[1], angle.cos(), 1e-6);
    assert_eq!(answer.hit.unwrap().side.normal, [0.0, 1.0, 0.0]);
    // The outer corner (64, 2) meets the face y = 63 before the leaf reaches the corner of the box.
    let angle = (63.0 / 64f64.hypot(2.0)).asin() - 2f64.atan2(64.0);
    let answer = standing(79.0);
    assert_near(answer.hit_fraction, angle / FRAC_PI_2, early);
    assert_normal(&answer, [0.0, 1.0, 0.0]);
    // The leaf misses a box beyond the reach of its corner: root (64 * 64 + 4) + 16 = 80.03.
    assert_free(&standing(80.04));
    assert!(standing(80.02).normal.is_some());
    // Turned the other way, by the shorter angle: the leaf ends along -y.
    let back = [turning(1, 0.0, -FRAC_PI_2)];
    assert_free(&trace(&map, &back, "stand", [[0.0, 60.0, 0.0]; 2]));
    let other = trace(&map, &back, "stand", [[0.0, -60.0, 0.0]; 2]);
    assert!(other.normal.is_some());
    let far = [turning(1, 0.0, 1.5 * PI)];
    assert_free(&trace(&map, &far, "stand", [[0.0, 60.0, 0.0]; 2]));
    // A box that moves along with it, in front of it, is not hit; but a chord is shorter than the arc.
    let point = |ends| trace(&map, &quarter, "point", ends);
    let along = point([[40.0, 3.0, 0.0], [-3.0, 40.0, 0.0]]);
    assert!(along.normal.is_some(), "{along:?}");
    assert_free(&point([[40.0, 40.0, 0.0], [-40.0, 40.0, 0.0]]));
}

#[test]
fn a_corner_that_passes_through_for_a_moment_is_not_missed() {
    // The outer corner of the leaf is highest, root (64 * 64 + 4), when the leaf is nearly upright: it meets a face
    // that is lower by a thousandth of a unit, and misses one that is higher.
    let map = turnstile();
    let half = [turning(1, 0.0, 0.9 * PI)];
    let top = 64f64.hypot(2.0);
    for off in [1e-2, 1e-3, 1e-4, 1e-5] {
        let at = |y: f64| trace(&map, &half, "stand", [[0.0, y + 16.0, 0.0]; 2]);
        assert_free(&at(top + off));
        let answer = at(top - off);
        assert!(answer.normal.is_some(), "missed by {off}");
        let angle = ((top - off) / top).asin() - 2f64.atan2(64.0);
        // Rounding error and EARLY move it along a slope that is nearly flat.
        let early = EARLY / (2.0 * off * top).sqrt();
        assert_near(answer.hit_fraction * 0.9 * PI, angle, early + EARLY);
    }
}

#[test]
fn who_stands_on_a_turntable_is_not_stopped() {
    let map = model_map(&[Brush::cuboid([-128.0, -128.0, -8.0], [128.0, 128.0, 0.0])]);
    for angle in [1e-6, 0.3, FRAC_PI_2, 3.1] {
        let table = [turning(1, 0.0, angle)];
        for at in [[0.0, 0.0], [60.0, -50.0]] {
            let feet = [at[0], at[1], 24.0];
            assert_free(&trace(&map, &table, "stand", [feet; 2]));
            let walk = [feet, [at[0] + 20.0, at[1] + 30.0, 24.0]];
            assert_free(&trace(&map, &table, "stand", walk));
            let sink = trace(&map, &table, "stand", [feet, [at[0], at[1], 23.9]]);
            assert_eq!(sink.fraction, 0.0);
            assert_normal(&sink, [0.0, 0.0, 1.0]);
        }
        // It rises while it turns: from 10 units below, by 40.
        let mut rising = turning(1, 0.0, angle);
        rising.from = rising.from.with_origin([0.0, 0.0, -10.0]);
        rising.to = rising.to.with_origin([0.0, 0.0, 30.0]);
        let answer = trace(&map, &[rising], "stand", [[30.0, 30.0, 24.0]; 2]);
        assert_near(answer.hit_fraction, 0.25, EARLY / 40.0);
    }
}

#[test]
fn a_model_where_it_was_made_is_traced_bit_for_bit() {
    let map = cube_map();
    let model = map.model(1).unwrap();
    let mut random = onion_tests::random::Random::new(7);
    let mut n_hits = 0;
    for _ in 0..2_000 {
        let origin = random.point([-200.0; 3], [200.0; 3]).map(f64::round);
        let mut end = || random.point([-120.0; 3], [120.0; 3]);
        let [start, end] = [end(), end()].map(|end| end.map(|x| (x * 64.0).round() / 64.0));
        let moved = |point: V3| std::array::from_fn(|axis| point[axis] + origin[axis]);
        let hull = hull(&map, HULLS[random.below(3)].split(':').next().unwrap());
        let own = model.with_margin(1.0 / 32.0).trace(hull, start, end);
        let movers = [Mover::still(1, Pose::at(origin))];
        let scene = Scene::new(&map, &movers).unwrap().with_margin(1.0 / 32.0);
        let trace = scene.trace::<f64>(hull, moved(start), moved(end));
        assert_eq!(trace.fraction.to_bits(), own.fraction.to_bits());
        assert_eq!(trace.hit_fraction.to_bits(), own.hit_fraction.to_bits());
        assert_eq!(trace.normal, own.plane.map(|plane| plane.normal));
        assert_eq!(
            (trace.start_solid, trace.all_solid),
            (own.start_solid, own.all_solid)
        );
        assert_eq!(trace.hit, model.hit(hull, &own).unwrap());
        n_hits += usize::from(trace.normal.is_some());
    }
    assert!(n_hits > 200);
}

#[test]
fn the_first_of_several_things_stops() {
    let map = door_map(true);
    let walk = [[-100.0, 0.0, 24.0], [100.0, 0.0, 24.0]];
    let door = |x: f64| Mover::still(1, Pose::at([x, 0.0, 0.0]));
    // Doors at x = 40 and at 20, and a lift at 64 that approaches the box. Contact is 20 before a door, and 16 + 32
    // before the lift.
    let lift = moving(2, [160.0, 0.0, 0.0], [60.0, 0.0, 0.0]);
    let answer = trace(&map, &[door(40.0), door(20.0), lift], "stand", walk);
    assert_near(answer.hit_fraction, 0.5, ROUNDING);
    assert_eq!(answer.mover, Some(1));
    // Of two at one place, the hit names the first.
    let answer = trace(&map, &[door(40.0), door(20.0), door(20.0)], "stand", walk);
    assert_eq!(answer.mover, Some(1));
    // The lift alone: 100 + 160 - 48 apart, 300 in all.
    let answer = trace(&map, &[lift], "stand", walk);
    assert_near(answer.hit_fraction, 212.0 / 300.0, ROUNDING);
    assert_eq!(answer.mover, Some(0));
    // Beside the doorway the wall of the world is first, at x = -24.
    let wall = [[-100.0, 60.0, 24.0], [100.0, 60.0, 24.0]];
    let answer = trace(&map, &[lift], "stand", wall);
    assert_near(answer.hit_fraction, 0.38, ROUNDING);
    assert_eq!(answer.mover, None);
    assert_eq!(answer.hit.unwrap().brush.model, 0);
    // A floor that is met later at a flat angle does not hold back a box that meets a door first, with or without a
    // margin.
    let sinking = [[-100.0, 0.0, 24.001], [100.0, 0.0, 23.999]];
    let movers = [door(-40.0)];
    let scene = Scene::new(&map, &movers).unwrap().with_margin(0.125);
    let answer = scene.trace::<f64>(hull(&map, "stand"), sinking[0], sinking[1]);
    assert_eq!(answer.mover, Some(0));
    assert_near(answer.fraction, (40.0 - 0.125) / 200.0, ROUNDING);
}

#[test]
fn a_margin_is_kept_from_what_moves() {
    let map = cube_map();
    let stand = hull(&map, "stand");
    let margin = 0.25;
    // Head on, 100 units apart minus 48 for both boxes.
    let movers = [moving(1, [0.0; 3], [50.0, 0.0, 0.0])];
    let scene = Scene::new(&map, &movers).unwrap().with_margin(margin);
    let answer = scene.trace::<f64>(stand, [148.0, 0.0, 0.0], [90.0, 0.0, 0.0]);
    let apart = answer.end_pos[0] - 50.0 * answer.fraction - 48.0;
    assert_near(apart, margin, 1e-6);
    // With models that are turned or turn: at least nine tenths of it, and never more.
    let ends = [[148.0, 0.0, 0.0], [48.0, 0.0, 0.0]];
    for turn in [0.0, 0.001] {
        let movers = [turning(1, FRAC_PI_4, FRAC_PI_4 + turn)];
        let scene = Scene::new(&map, &movers).unwrap();
        let with = |margin| {
            scene
                .with_margin(margin)
                .trace::<f64>(stand, ends[0], ends[1])
        };
        let apart = with(margin).end_pos[0] - 32.0 * 2f64.sqrt() - 16.0;
        assert!(apart > 0.9 * margin && apart < margin + 1e-3, "{apart}");
        for none in [-1.0, f64::NAN, 0.0] {
            let answer = with(none);
            assert_near(answer.fraction, answer.hit_fraction, ROUNDING);
        }
    }
    // In a game's precision: the end is free after rounding.
    let movers = [turning(1, 0.1, 1.2)];
    let scene = Scene::new(&map, &movers).unwrap().with_margin(0.0);
    let answer = scene.trace::<f32>(stand, [148.0, 3.0, 5.0], [-48.0, 3.0, 5.0]);
    let end = answer.end_pos.map(f64::from);
    assert!(answer.normal.is_some());
    assert!(!scene.is_solid(stand, end, answer.fraction));
}

#[test]
fn odd_numbers_are_all_solid_and_end() {
    let map = cube_map();
    let stand = hull(&map, "stand");
    let odd = [f64::NAN, f64::INFINITY, -f64::INFINITY, 1e300, -1e300, 2e9];
    let still = [
        Mover::still(1, Pose::at([0.0; 3])),
        turning(1, 0.3, 0.3),
        turning(1, 0.3, 0.9),
    ];
    let all_solid = |movers: &[Mover], start: V3, end: V3| {
        let scene = Scene::new(&map, movers).unwrap();
        let trace = scene.with_margin(0.1).trace::<f64>(stand, start, end);
        trace.all_solid && trace.start_solid && trace.fraction == 0.0 && trace.normal.is_none()
    };
    for number in odd {
        for axis in 0..3 {
            let mut point = [0.0, 100.0, 0.0];
            point[axis] = number;
            for mover in still {
                assert!(all_solid(&[mover], point, [0.0; 3]));
                assert!(all_solid(&[mover], [0.0; 3], point));
                let (mut from, mut to) = (mover, mover);
                from.from = from.from.with_origin(point);
                to.to = to.to.with_origin(point);
                for mover in [from, to] {
                    assert!(all_solid(&[mover], [100.0; 3], [200.0; 3]), "{mover:?}");
                }
                let movers = [mover];
                let scene = Scene::new(&map, &movers).unwrap();
                assert!(scene.is_solid(stand, point, 0.5));
                assert!(scene.is_solid(stand, [0.0; 3], number));
                assert!(!scene.is_solid(stand, [300.0; 3], number));
            }
        }
        let (up, unturned) = ([0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(Pose::turned([number, 0.0, 0.0], up, 1.0), None);
        assert_eq!(Pose::quaternion([0.0, number, 0.0], unturned), None);
        if !number.is_finite() {
            assert_eq!(Pose::turned([0.0; 3], [number, 0.0, 1.0], 1.0), None);
            assert_eq!(Pose::turned([0.0; 3], up, number), None);
            assert_eq!(Pose::quaternion([0.0; 3], [0.0, number, 0.0, 1.0]), None);
        }
    }
    assert_eq!(Pose::turned([0.0; 3], [0.0; 3], 1.0), None);
    assert_eq!(Pose::quaternion([0.0; 3], [0.0; 4]), None);
    // Points as far away as allowed, and axes as small as allowed.
    let tiny = Pose::turned([1e9, 0.0, 0.0], [0.0, 0.0, 5e-324], FRAC_PI_2).unwrap();
    let turned = tiny.turn_to_world([1.0, 0.0, 0.0]);
    assert_near(turned[0], 0.0, 1e-15);
    assert_near(turned[1], 1.0, 1e-15);
    let far = [Mover {
        model: 1,
        from: tiny,
        to: Pose::at([-1e9, 0.0, 0.0]),
    }];
    let answer = trace(&map, &far, "stand", [[0.0; 3], [1e9, 1e9, 1e9]]);
    assert!((0.0..=1.0).contains(&answer.fraction));
}

#[test]
fn scenes_that_cannot_answer_say_so() {
    let walk = [[-100.0, 0.0, 24.0], [100.0, 0.0, 24.0]];
    let map = door_map(false);
    let stand = hull(&map, "stand");
    let ask = |mover: Mover| {
        let movers = [mover];
        let scene = Scene::new(&map, &movers)?;
        let answer = scene.trace(stand, walk[0], walk[1]);
        Ok((answer.mover, scene.is_solid(stand, walk[0], 0.5)))
    };
    let met = Ok((Some(0), false));
    assert_eq!(ask(moving(1, [0.0; 3], [0.0, 0.0, 8.0])), met);
    assert_eq!(ask(turning(1, 0.0, 0.0)), met);
    for (from, to) in [(0.0, 1.0), (1.0, 0.0), (1.0, 1.0)] {
        let lacking = Err(Unsupported::NoBrushShapes);
        assert_eq!(ask(turning(1, from, to)), lacking);
    }
    for model in [0, 9] {
        let lacking = Err(Unsupported::NoSuchModel(model));
        assert_eq!(ask(turning(model, 0.0, 0.0)), lacking);
    }
}

/// The door closes the doorway at x = 0: an agent in front of it stops a half-width and a margin before it, and
/// reports what stopped it. With the door up, it walks through.
#[test]
fn agents_walk_through_open_doors_alone() {
    let map = door_map(false);
    let stand = hull(&map, "stand");
    let end_of_walk = |height: f64| {
        let [x, y, z] = map.model(1).unwrap().origin().map(f64::from);
        let movers = [Mover::still(1, Pose::at([x, y, z + height]))];
        let scene = Scene::new(&map, &movers).unwrap();
        let mut agent = Agent::new(stand, [-128.0, y as f32, 24.0]);
        for _ in 0..60 {
            agent.walk(&scene, &WalkSettings::default(), [256.0, 0.0], 1.0 / 60.0);
        }
        let mut ahead = agent.position;
        ahead[0] += 1.0;
        let stop = World::trace(&scene, stand, agent.position, ahead);
        (agent.position[0], stop.met.map(|ground| ground.object))
    };
    let (x, met) = end_of_walk(0.0);
    assert!((x - (-4.0 - 16.0 - 1.0 / 32.0)).abs() < 0.02, "{x}");
    assert_eq!(met, Some(1));
    let (x, met) = end_of_walk(128.0);
    assert!(x > 100.0, "{x}");
    assert_eq!(met, None);
}

/// A box may extend farther down than up: it is stopped by a bar that turns at its feet.
#[test]
fn a_hull_reaches_as_far_as_its_farthest_corner() {
    let bar = Brush::cuboid([8.0, -2.0, -56.0], [64.0, 2.0, -48.0]);
    for [low, high] in [[-60.0, 4.0], [-58.0, 60.0]] {
        let hull = format!("own:mins=-4,-4,{low}:maxs=4,4,{high}");
        let map = model_for(&[&hull], vec![(bar.clone(), Shader::Door)]);
        let answer = trace(&map, &[turning(1, 0.0, 0.2)], "own", [[40.0, 8.0, 0.0]; 2]);
        assert_eq!(answer.mover, Some(0), "{hull}");
    }
}

/// A box that falls onto two brushes of equal height at once hits the one with the lower number, whatever their
/// positions.
#[test]
fn of_brushes_met_at_once_the_first_is_named() {
    let boxes = [[-32.0, 0.0], [0.0, 32.0]]
        .map(|[west, east]| Brush::cuboid([west, -32.0, -32.0], [east, 32.0, 32.0]));
    for order in [[0, 1], [1, 0]] {
        let map = model_map(&order.map(|at: usize| boxes[at].clone()));
        let shape = Shape::axial_box(Aabb::new([-8.0; 3], [8.0; 3])).unwrap();
        let model = map.model(1).unwrap();
        let ends = [[0.0, 0.0, 100.0], [0.0, 0.0, 0.0]];
        let trace = model.trace_shape(&shape, 1, ends[0], ends[1]).unwrap();
        let numbers = map.inspect().brushes().filter(|brush| brush.model == 1);
        let first = numbers.map(|brush| brush.number).min();
        assert_eq!(trace.hit.map(|hit| hit.brush.number), first, "{order:?}");
    }
}
