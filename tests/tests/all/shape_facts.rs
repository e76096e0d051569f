//! Traces of shapes against a cube and a wedge. Their answers were worked out by hand, as explained
//! beside them.

use std::f64::consts::PI;

use onion_runtime::Aabb;
use onion_runtime::shape::FacePlane;
use onion_runtime::shape::{
    Convex, Edge, Passage, Shape, ShapeError, Touch, cast, overlaps, separation,
};
use onion_tests::oracle::box_planes;
use onion_tests::oracle::vec3::{V3, add, cross, dot, length, scale, sub};
use onion_tests::solid::Solid;

/// A map stores planes in f32: 0.8 and 0.6 are off by 2^-25, and places 40 units away by as much times 40.
const NEAR: f64 = 2e-6;

const HALF_ROOT: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// The axes of a box that is not turned.
const AXES: [V3; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

const ALL_SOLID: Passage<f64> = Passage {
    enter: 0.0,
    leave: 1.0,
    touch: None,
};

/// Makes a cube from 0 to 100 on every axis.
fn cube() -> Solid {
    Solid::new(&box_planes([0.0; 3], [100.0; 3])).unwrap()
}

/// Makes a wedge that is right-angled in z: legs 30 along x and 40 along y, 100 high, so the sloped side is 24 from
/// the corner.
fn wedge() -> Solid {
    let mut planes = box_planes([0.0; 3], [30.0, 40.0, 100.0]);
    planes.push(([0.8, 0.6, 0.0], 24.0));
    Solid::new(&planes).unwrap()
}

fn ball(radius: f64) -> Shape {
    Shape::sphere([0.0; 3], radius).unwrap()
}

/// Makes an upright capsule with ends 10 above and below the point.
fn post(radius: f64) -> Shape {
    Shape::capsule([0.0, 0.0, -10.0], [0.0, 0.0, 10.0], radius).unwrap()
}

fn near(ours: f64, truth: f64) {
    assert!((ours - truth).abs() < NEAR, "{ours} is not {truth}");
}

/// Asserts that a contact starts outside, and that the point is then at `at`.
#[track_caller]
fn hit(shape: &Shape, [start, end]: [V3; 2], solid: &Solid, at: V3, normal: V3) -> Touch<f64> {
    let contact = cast(shape, start, end, solid).expect("a hit");
    let place: V3 = std::array::from_fn(|k| start[k] + contact.enter * (end[k] - start[k]));
    assert!(length(sub(place, at)) < NEAR, "{place:?} is not {at:?}");
    let touch = contact.touch.expect("a start outside");
    assert!(
        length(sub(touch.normal, normal)) < NEAR,
        "{touch:?} is not {normal:?}"
    );
    touch
}

fn normal_of(solid: &Solid, touch: &Touch<f64>) -> V3 {
    solid.faces[touch.face].normal
}

#[test]
fn a_point_passes_through() {
    let (start, end) = ([-100.0, 50.0, 50.0], [300.0, 50.0, 50.0]);
    let solid = cube();
    let contact = cast(&Shape::POINT, start, end, &solid).unwrap();
    assert_eq!([contact.enter, contact.leave], [0.25, 0.5]);
    let touch = contact.touch.unwrap();
    assert_eq!(touch.normal, [-1.0, 0.0, 0.0]);
    assert_eq!(normal_of(&solid, &touch), touch.normal);
}

/// Three above the top, a ball of radius 5 is 5 from the edge when it is 4 before it: moved planes would have stopped
/// it at 5.
#[test]
fn a_ball_meets_an_edge_later_than_moved_planes() {
    let solid = cube();
    let motion = [[-20.0, 50.0, 103.0], [20.0, 50.0, 103.0]];
    let at = [-4.0, 50.0, 103.0];
    let touch = hit(&ball(5.0), motion, &solid, at, [-0.8, 0.0, 0.6]);
    // The side is nearer to the normal than the top.
    assert_eq!(normal_of(&solid, &touch), [-1.0, 0.0, 0.0]);
    let (higher, at) = (motion.map(|[x, y, _]| [x, y, 104.0]), [-3.0, 50.0, 104.0]);
    let touch = hit(&ball(5.0), higher, &solid, at, [-0.6, 0.0, 0.8]);
    assert_eq!(normal_of(&solid, &touch), [0.0, 0.0, 1.0]);
}

/// Down a slope of 45 degrees, straight at an edge and past it.
#[test]
fn a_ball_at_45_degrees() {
    let solid = cube();
    let from_edge = |out: f64, on: f64| {
        // Outward along the middle of the edge's two normals, and on along the motion across it.
        let (out, on) = (out * HALF_ROOT, on * HALF_ROOT);
        [on - out, 50.0, 100.0 + on + out]
    };
    let normal = [-HALF_ROOT, 0.0, HALF_ROOT];
    let motion = [from_edge(70.0, 0.0), from_edge(-70.0, 0.0)];
    let touch = hit(&ball(5.0), motion, &solid, from_edge(5.0, 0.0), normal);
    // Both faces are equally near: the first one.
    let faces = [[-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
    let mut all = solid.faces.iter();
    let first = all.position(|face| faces.contains(&face.normal));
    assert_eq!(Some(touch.face), first);

    let past = |out: f64| [from_edge(out, -30.0), from_edge(out, 30.0)];
    // 4 and 3 make 5.
    let at = from_edge(4.0, -3.0);
    let offset = sub(at, [0.0, 50.0, 100.0]).map(|component| component / 5.0);
    hit(&ball(5.0), past(4.0), &solid, at, offset);
    let [start, end] = past(4.0);
    let contact = cast(&ball(5.0), start, end, &solid).unwrap();
    near(contact.leave, (30.0 + 3.0) / 60.0);
    for out in [5.0, 5.0 + 1e-9, 7.0] {
        let [start, end] = past(out);
        assert_eq!(cast(&ball(5.0), start, end, &solid), None, "{out}");
    }
}

/// One beside and two above the corner: two before it makes 3. Farther away, planes alone would stop it.
#[test]
fn a_ball_at_a_corner() {
    let solid = cube();
    let motion = [[-12.0, -1.0, 102.0], [8.0, -1.0, 102.0]];
    let normal = [-2.0, -1.0, 2.0].map(|component: f64| component / 3.0);
    let touch = hit(&ball(3.0), motion, &solid, [-2.0, -1.0, 102.0], normal);
    assert!(normal_of(&solid, &touch) != [0.0, -1.0, 0.0]);
    let [start, end] = motion.map(|[x, _, _]| [x, -2.0, 102.5]);
    assert_eq!(cast(&ball(3.0), start, end, &solid), None);
}

#[test]
fn a_capsule_at_a_corner_an_edge_and_the_top() {
    let solid = cube();
    // The lower end is at the place of the ball's center.
    let motion = [[-12.0, -1.0, 112.0], [8.0, -1.0, 112.0]];
    let normal = [-2.0, -1.0, 2.0].map(|component: f64| component / 3.0);
    hit(&post(3.0), motion, &solid, [-2.0, -1.0, 112.0], normal);
    // Beside the upright edge, one off: 1 and 8 make 9.
    let motion = motion.map(|[x, y, _]| [x, y, 105.0]);
    let far = 8f64.sqrt();
    let (at, normal) = ([-far, -1.0, 105.0], [-far / 3.0, -1.0 / 3.0, 0.0]);
    hit(&post(3.0), motion, &solid, at, normal);
    // Falling onto the top: 10 and 3 above it.
    let (motion, at) = (
        [[50.0, 50.0, 300.0], [50.0, 50.0, 0.0]],
        [50.0, 50.0, 113.0],
    );
    hit(&post(3.0), motion, &solid, at, [0.0, 0.0, 1.0]);
}

/// A capsule at 45 degrees falls across an edge: its middle is its radius off, times the root of 2 upward.
#[test]
fn a_sloped_capsule_falls_across_an_edge() {
    let solid = cube();
    let motion = [[0.0, 50.0, 200.0], [0.0, 50.0, 0.0]];
    let normal = [-HALF_ROOT, 0.0, HALF_ROOT];
    for radius in [5.0, 0.0] {
        let shape = Shape::capsule([-10.0, 0.0, -10.0], [10.0, 0.0, 10.0], radius).unwrap();
        let at = [0.0, 50.0, 100.0 + radius * 2f64.sqrt()];
        hit(&shape, motion, &solid, at, normal);
    }
    let axes = [
        [HALF_ROOT, 0.0, HALF_ROOT],
        [0.0, 1.0, 0.0],
        [-HALF_ROOT, 0.0, HALF_ROOT],
    ];
    let plank = Shape::oriented_box([0.0; 3], [14.0, 3.0, 5.0], axes).unwrap();
    let at = [0.0, 50.0, 100.0 + 5.0 * 2f64.sqrt()];
    hit(&plank, motion, &solid, at, normal);
}

/// A box stops with its own face, wherever its point is inside it.
#[test]
fn an_asymmetric_box() {
    let solid = cube();
    let bounds = Aabb::new([-3.0, -20.0, -1.0], [7.0, 4.0, 90.0]);
    let shape = Shape::axial_box(bounds).unwrap();
    assert_eq!(shape.bounds(), bounds);
    for (from, to, stops, normal) in [
        ([-50.0, 50.0], [50.0, 50.0], [-7.0, 50.0], [-1.0, 0.0, 0.0]),
        ([150.0, 50.0], [50.0, 50.0], [103.0, 50.0], [1.0, 0.0, 0.0]),
        ([50.0, 200.0], [50.0, 0.0], [50.0, 101.0], [0.0, 0.0, 1.0]),
        ([50.0, -200.0], [50.0, 0.0], [50.0, -90.0], [0.0, 0.0, -1.0]),
    ] {
        let [from, to, stops] = [from, to, stops].map(|[x, z]| [x, 50.0, z]);
        hit(&shape, [from, to], &solid, stops, normal);
    }
}

/// A cylinder stops at its radius before a face and, as a side faces the diagonal, before an upright edge; beside the
/// edge, its octagon passes nearer than a box would.
#[test]
fn a_cylinder_at_faces_and_edges() {
    let solid = cube();
    let along = 16.0 * HALF_ROOT;
    let diagonal = [-HALF_ROOT, -HALF_ROOT, 0.0];
    for n_sides in [8, 16, 32] {
        let shape = Shape::cylinder([0.0; 3], 16.0, 10.0, n_sides).unwrap();
        for (from, to, at, normal) in [
            (
                [-99.0, 50.0, 50.0],
                [50.0; 3],
                [-16.0, 50.0, 50.0],
                [-1.0, 0.0, 0.0],
            ),
            (
                [50.0, 199.0, 50.0],
                [50.0; 3],
                [50.0, 116.0, 50.0],
                [0.0, 1.0, 0.0],
            ),
            (
                [50.0, 50.0, 199.0],
                [50.0; 3],
                [50.0, 50.0, 110.0],
                [0.0, 0.0, 1.0],
            ),
            (
                [-99.0, -99.0, 50.0],
                [50.0; 3],
                [-along, -along, 50.0],
                diagonal,
            ),
        ] {
            hit(&shape, [from, to], &solid, at, normal);
        }
        let [start, end] = [[-99.0, -16.0, 50.0], [99.0, -16.0, 50.0]];
        assert_eq!(cast(&shape, start, end, &solid), None, "{n_sides}");
    }
    // About a place of its own, where the slanted side meets the edge: x + y = 16 root 2.
    let octagon = Shape::cylinder([1.0, 2.0, 3.0], 16.0, 10.0, 8).unwrap();
    let [start, end] = [[-99.0, -17.0, 50.0], [50.0, -17.0, 50.0]];
    let at = [15.0 - 2.0 * along - 1.0, -17.0, 50.0];
    hit(&octagon, [start, end], &solid, at, diagonal);
    let Aabb { mins, maxs } = octagon.bounds();
    for (found, corner) in [(mins, [-15.0, -14.0, -7.0]), (maxs, [17.0, 18.0, 13.0])] {
        assert!(length(sub(found, corner)) < NEAR, "{found:?}");
    }
}

/// Half of a side is 16 (root 2 - 1), on the slanted ones divided by root 2 along each axis. Along (0.8, 0.6) these add
/// up to 0.8 + 0.6 and (0.8 + 0.6) / root 2 + (0.8 - 0.6) / root 2 of it.
#[test]
fn a_cylinder_at_a_slope() {
    let octagon = Shape::cylinder([0.0; 3], 16.0, 10.0, 8).unwrap();
    let reach = 16.0 * (2f64.sqrt() - 1.0) * (1.4 + 1.6 * HALF_ROOT);
    let out = |far: f64| [15.0 + 0.8 * far, 20.0 + 0.6 * far, 50.0];
    let motion = [out(99.0), out(0.0)];
    hit(&octagon, motion, &wedge(), out(reach), [0.8, 0.6, 0.0]);
}

/// Half of a cube of 16, with the corner at its point.
const TETRAHEDRON: [V3; 4] = [
    [0.0; 3],
    [16.0, 0.0, 0.0],
    [0.0, 16.0, 0.0],
    [0.0, 0.0, 16.0],
];

/// A tetrahedron meets faces with its own faces and with its tips. Toward a corner of the cube it turns its slanted
/// face, so x + y + z is -16 there; toward an upright edge, the edge where x + y is 16. On the way to another upright
/// edge its tip passes below the next face, y = -16, before its upright face meets x = 100.
#[test]
fn a_tetrahedron_at_faces_edges_and_a_corner() {
    let solid = cube();
    let shape = Shape::convex(&TETRAHEDRON).unwrap();
    let (third, up) = (-1.0 / 3f64.sqrt(), [0.0, 0.0, 1.0]);
    for (from, to, at, normal) in [
        ([50.0, 50.0, 199.0], [50.0; 3], [50.0, 50.0, 100.0], up),
        (
            [50.0, 50.0, -99.0],
            [50.0; 3],
            [50.0, 50.0, -16.0],
            [0.0, 0.0, -1.0],
        ),
        (
            [-99.0, 50.0, 50.0],
            [50.0; 3],
            [-16.0, 50.0, 50.0],
            [-1.0, 0.0, 0.0],
        ),
        (
            [50.0, 199.0, 50.0],
            [50.0; 3],
            [50.0, 100.0, 50.0],
            [0.0, 1.0, 0.0],
        ),
        ([-99.0; 3], [50.0; 3], [-16.0 / 3.0; 3], [third; 3]),
        (
            [-99.0, -99.0, 50.0],
            [50.0; 3],
            [-8.0, -8.0, 50.0],
            [-HALF_ROOT, -HALF_ROOT, 0.0],
        ),
        (
            [199.0, -99.0, 50.0],
            [50.0, 50.0, 50.0],
            [100.0, 0.0, 50.0],
            [1.0, 0.0, 0.0],
        ),
    ] {
        hit(&shape, [from, to], &solid, at, normal);
    }
    // Past the upright edge, where a box around it would be stopped.
    let [start, end] = [[-99.0, -8.0, 50.0], [-8.0, -8.0, 50.0]];
    assert_eq!(cast(&shape, start, end, &solid), None);
    let Aabb { mins, maxs } = shape.bounds();
    assert_eq!([mins, maxs], [[0.0; 3], [16.0; 3]]);
}

/// Corners that are given twice, or that are inside, on faces or on edges of the others, change nothing, in any order.
#[test]
fn corners_that_are_none_change_nothing() {
    let half = |x: f64, y: f64, z: f64| [8.0 + 8.0 * x, 8.0 * y, 8.0 * z];
    let sides = [-1.0, 0.0, 1.0];
    let all = sides.map(|x| sides.map(|y| sides.map(|z| half(x, y, z))));
    let mut corners: Vec<V3> = all.as_flattened().as_flattened().to_vec();
    corners.extend([half(1.0, 1.0, 1.0), half(0.3, 0.1, -0.2)]);
    let axial = Aabb::new(half(-1.0, -1.0, -1.0), half(1.0, 1.0, 1.0));
    let axial = Shape::axial_box(axial).unwrap();
    let [solid, wedge] = [cube(), wedge()];
    for turn in 0..corners.len() {
        corners.rotate_left(1);
        let shape = Shape::convex(&corners).unwrap();
        let start = [150.0 - turn as f64, 199.0, 110.0 - 3.0 * turn as f64];
        for solid in [&solid, &wedge] {
            let [found, expected] =
                [&shape, &axial].map(|shape| cast(shape, start, [9.0; 3], solid));
            let [found, expected] = [found.unwrap(), expected.unwrap()];
            near(found.enter, expected.enter);
            near(found.leave, expected.leave);
            assert_eq!(found.touch.unwrap().face, expected.touch.unwrap().face);
        }
    }
}

/// The most corners, as those of a cylinder of 16 sides.
#[test]
fn a_cylinder_by_its_corners() {
    let cylinder = Shape::cylinder([1.0, 2.0, 3.0], 16.0, 10.0, 16).unwrap();
    let corner = |number: u8| {
        let (sin, cos) = (f64::from(2 * (number / 2) + 1) * PI / 16.0).sin_cos();
        let far = 16.0 / (PI / 16.0).cos();
        let up = [10.0, -10.0][usize::from(number % 2)];
        [1.0 + far * cos, 2.0 + far * sin, 3.0 + up]
    };
    let corners: Vec<V3> = (0..32).map(corner).collect();
    let set = Shape::convex(&corners).unwrap();
    for number in 0..200 {
        let angle = f64::from(number);
        let start = [
            50.0 + 150.0 * angle.cos(),
            50.0 + 150.0 * angle.sin(),
            2.0 * angle - 150.0,
        ];
        let end = [50.0, 50.0, angle / 2.0];
        for solid in [cube(), wedge()] {
            let [found, expected] = [&set, &cylinder].map(|shape| cast(shape, start, end, &solid));
            assert_eq!(found.is_some(), expected.is_some());
            if let (Some(found), Some(expected)) = (found, expected) {
                near(found.enter, expected.enter);
                near(found.leave, expected.leave);
            }
        }
    }
}

#[test]
fn corners_without_a_volume_are_refused() {
    let bad = Err(ShapeError::BadCorners);
    let flat = |lift: f64| Shape::convex(&[[0.0; 3], AXES[0], AXES[1], [1.0, 1.0, lift]]);
    let none: [V3; 0] = [];
    assert_eq!(Shape::convex(&none), bad);
    assert_eq!(Shape::convex(&[[7.0; 3]; 32]), bad);
    assert_eq!(
        Shape::convex(&TETRAHEDRON.map(|[x, ..]| [x, 2.0 * x, 9.0 - x])),
        bad
    );
    // A cube's slanted section, turned so that no coordinate is whole.
    let [x, y] = [[0.6, 0.48, 0.64], [-0.8, 0.36, 0.48]];
    let place = |a: f64, b: f64| [0, 1, 2].map(|k| 1000.0 + a * x[k] + b * y[k]);
    let ring = [
        (0.0, 9.0),
        (9.0, 3.0),
        (7.0, -8.0),
        (-4.0, -7.0),
        (-9.0, 0.1),
    ];
    assert_eq!(Shape::convex(&ring.map(|(a, b)| place(a, b))), bad);
    assert_eq!(flat(0.5f64.powi(32)), bad);
    assert!(flat(0.5f64.powi(29)).is_ok());
    // On a sphere no four are in a plane, so 32 corners have 60 faces.
    let spiral = |number: usize| {
        let (z, angle) = (number as f64 / 16.5 - 1.0, 2.4 * number as f64);
        let across = 100.0 * (1.0 - z * z).sqrt();
        [across * angle.cos(), across * angle.sin(), 100.0 * z]
    };
    let many: Vec<V3> = (1..33).map(spiral).collect();
    assert!(Shape::convex(&many).is_ok());
    let more: Vec<V3> = (0..33).map(spiral).collect();
    assert_eq!(Shape::convex(&more), bad);
    for strange in [f64::NAN, f64::INFINITY, -f64::INFINITY] {
        let mut corners = TETRAHEDRON;
        corners[2][1] = strange;
        assert_eq!(Shape::convex(&corners), Err(ShapeError::NotFinite));
    }
    let far = |far: f64| Shape::convex(&TETRAHEDRON.map(|corner| corner.map(|x| far + x)));
    assert_eq!(far(65_521.0), Err(ShapeError::TooLarge));
    assert!(far(65_520.0).is_ok());
}

/// The sloped side moves outward by 0.8 and 0.6 of 16. At the wedge's sharp edge, where x is 30, the box stops at its
/// own half width: without a bevel the moved slope would have stopped it at 65.5.
#[test]
fn a_box_at_a_wedge() {
    let solid = wedge();
    let shape = Shape::axial_box(Aabb::new([-16.0, -16.0, -24.0], [16.0, 16.0, 32.0])).unwrap();
    let along = |k: f64| [4.0 * k, 3.0 * k, 50.0];
    let slope = [0.8, 0.6, 0.0];
    // 5 k is 24 + 22.4.
    let motion = [along(50.0), along(0.0)];
    hit(&shape, motion, &solid, along(9.28), slope);
    let motion = [[200.0, -10.0, 50.0], [0.0, -10.0, 50.0]];
    let touch = hit(&shape, motion, &solid, [46.0, -10.0, 50.0], [1.0, 0.0, 0.0]);
    assert!(length(sub(normal_of(&solid, &touch), slope)) < NEAR);
}

/// A roof whose ridge is long and not axial, with sides at 60 degrees from the middle of their normals, and ends
/// whose normals are at only 30 degrees from it. A box meets the ridge with its edge along y, and meets none of its
/// ends.
#[test]
fn an_edge_is_named_after_its_own_faces() {
    let combine = |a: V3, by_a: f64, b: V3, by_b: f64| add(scale(a, by_a), scale(b, by_b));
    for step in 1..20 {
        let (sin, cos) = (0.05 * f64::from(step)).sin_cos();
        let up = [sin, 0.0, cos];
        let ridge = [0.8 * cos, 0.6, -0.8 * sin];
        let across = cross(up, ridge);
        let (half, most) = (0.5, 0.75f64.sqrt());
        let planes = [
            // The ends come first: their numbers are lower.
            (combine(up, most, ridge, half), 500.0),
            (combine(up, most, ridge, -half), 500.0),
            (combine(up, half, across, most), 0.0),
            (combine(up, half, across, -most), 0.0),
            (scale(up, -1.0), 50.0),
        ];
        let solid = Solid::new(&planes).unwrap();
        let shape = Shape::axial_box(Aabb::new([-16.0, -16.0, -24.0], [16.0, 16.0, 32.0])).unwrap();
        let motion = [scale(up, 300.0), [0.0; 3]];
        let at = 16.0 * sin + 24.0 * cos;
        let contact = cast(&shape, motion[0], motion[1], &solid).unwrap();
        let off = 300.0 * (1.0 - contact.enter) - at;
        assert!(off.abs() < NEAR, "{contact:?}");
        let own = normal_of(&solid, &contact.touch.unwrap());
        assert!((dot(own, up) - half).abs() < NEAR, "{own:?} is an end");
    }
}

#[test]
fn a_start_inside_says_where_it_gets_out() {
    let solid = cube();
    let leave = |start: V3, end: V3| {
        let contact = cast(&ball(5.0), start, end, &solid).unwrap();
        assert!(contact.start_solid() && contact.enter == 0.0);
        contact.leave
    };
    near(leave([50.0; 3], [150.0, 50.0, 50.0]), 0.55);
    // 3 before and 3 above the edge is inside; 4 and 3 is out.
    near(leave([-3.0, 50.0, 103.0], [-53.0, 50.0, 103.0]), 1.0 / 50.0);
    // From inside to touching: not out before the end.
    near(leave([50.0; 3], [50.0, 50.0, 105.0]), 1.0);
    near(leave([50.0; 3], [60.0, 50.0, 50.0]), 1.0);

    // 4 before and 4 above is outside, although it is behind both moved planes.
    let start = [-4.0, 50.0, 104.0];
    assert!(!overlaps(&ball(5.0), start, &solid));
    let motion = [start, [6.0, 50.0, 104.0]];
    let at = [-3.0, 50.0, 104.0];
    hit(&ball(5.0), motion, &solid, at, [-0.6, 0.0, 0.8]);
}

#[test]
fn touching_is_free() {
    let solid = cube();
    let axial = Shape::axial_box(Aabb::new([-16.0, -16.0, -24.0], [16.0, 16.0, 32.0])).unwrap();
    let free = |shape: &Shape, start: V3, end: V3| {
        assert!(!overlaps(shape, start, &solid) && !overlaps(shape, end, &solid));
        assert_eq!(cast(shape, start, end, &solid), None, "{start:?} {end:?}");
        assert_eq!(cast(shape, end, start, &solid), None, "{end:?} {start:?}");
    };
    // Along the top, along an edge, away from the top, down to it, and up to a corner from 3, 4 and 12 away.
    free(&axial, [-50.0, 50.0, 124.0], [150.0, 50.0, 124.0]);
    free(&ball(5.0), [-50.0, 50.0, 105.0], [150.0, 50.0, 105.0]);
    free(&ball(5.0), [-3.0, -50.0, 104.0], [-3.0, 150.0, 104.0]);
    free(&post(5.0), [-3.0, -50.0, 114.0], [-3.0, 150.0, 114.0]);
    free(&ball(5.0), [50.0, 50.0, 105.0], [50.0, 50.0, 300.0]);
    free(&ball(13.0), [-6.0, -8.0, 124.0], [-3.0, -4.0, 112.0]);
    free(&axial, [-16.0, -50.0, 50.0], [-16.0, 150.0, 50.0]);
    // And into it: an immediate hit.
    let down = [[50.0, 50.0, 105.0], [50.0, 50.0, 104.0]];
    hit(&ball(5.0), down, &solid, down[0], [0.0, 0.0, 1.0]);
    let down = [[-3.0, 50.0, 104.0], [-3.0, 50.0, 94.0]];
    hit(&ball(5.0), down, &solid, down[0], [-0.6, 0.0, 0.8]);
}

#[test]
fn without_a_motion_there_is_only_inside_and_outside() {
    let solid = cube();
    let cube_2 = Shape::axial_box(Aabb::new([-1.0; 3], [1.0; 3])).unwrap();
    let shapes = [Shape::POINT, ball(5.0), post(5.0), post(0.0), cube_2];
    for shape in shapes {
        let stay = |at: V3| cast(&shape, at, at, &solid);
        assert_eq!(stay([50.0; 3]), Some(ALL_SOLID));
        assert_eq!(stay([50.0, 50.0, 200.0]), None);
        assert!(overlaps(&shape, [50.0; 3], &solid));
    }
    let on_top = [50.0, 50.0, 105.0];
    assert_eq!(cast(&ball(5.0), on_top, on_top, &solid), None);
}

/// A ball without radius is a point, a capsule without length a ball, one without radius a segment.
#[test]
fn shapes_without_extent_are_simpler_ones() {
    let solid = wedge();
    let motion = [[100.0, 60.0, 50.0], [-20.0, 3.0, 31.0]];
    let contact = |shape: &Shape| cast(shape, motion[0], motion[1], &solid);
    let center = [1.0, 2.0, 3.0];
    let same = |a: Result<Shape, ShapeError>, b: Result<Shape, ShapeError>| {
        assert_eq!(contact(&a.unwrap()), contact(&b.unwrap()));
        assert!(contact(&b.unwrap()).is_some());
    };
    same(Shape::sphere([0.0; 3], 0.0), Ok(Shape::POINT));
    same(
        Shape::axial_box(Aabb::new(center, center)),
        Shape::sphere(center, 0.0),
    );
    let capsule = Shape::capsule(center, center, 2.0);
    same(capsule, Shape::sphere(center, 2.0));
    let fall = [[10.0, 10.0, 200.0], [10.0, 10.0, 0.0]];
    let at = [10.0, 10.0, 110.0];
    hit(&post(0.0), fall, &solid, at, [0.0, 0.0, 1.0]);
}

#[test]
fn distances() {
    let solid = cube();
    // 3 and 4 from an edge, 3, 4 and 12 from a corner, minus the radius; and 7 deep, plus the radius.
    near(separation(&ball(1.0), [-3.0, 50.0, 104.0], &solid), 4.0);
    near(separation(&ball(1.0), [-3.0, -4.0, 112.0], &solid), 12.0);
    near(separation(&Shape::POINT, [-3.0, -4.0, 112.0], &solid), 13.0);
    near(separation(&ball(1.0), [50.0, 7.0, 40.0], &solid), -8.0);
    near(separation(&post(1.0), [-3.0, -4.0, 122.0], &solid), 12.0);
    // For a box, only the distance by one plane.
    let axial = Shape::axial_box(Aabb::new([-1.0; 3], [1.0; 3])).unwrap();
    near(separation(&axial, [-4.0, 50.0, 105.0], &solid), 4.0);
}

#[test]
fn points_that_are_none_are_inside() {
    let solid = cube();
    for strange in [f64::NAN, f64::INFINITY, -f64::INFINITY, 1e10] {
        let at = [50.0, strange, 200.0];
        for shape in [Shape::POINT, ball(1.0), post(1.0)] {
            assert_eq!(cast(&shape, at, [0.0; 3], &solid), Some(ALL_SOLID));
            assert_eq!(cast(&shape, [0.0; 3], at, &solid), Some(ALL_SOLID));
            assert!(overlaps(&shape, at, &solid));
            assert_eq!(separation(&shape, at, &solid), f64::NEG_INFINITY);
        }
    }
}

#[test]
fn cylinders_that_are_none_are_refused() {
    let cylinder = |radius, height, n_sides| Shape::cylinder([0.0; 3], radius, height, n_sides);
    assert_eq!(
        [cylinder(-1.0, 1.0, 8), cylinder(1.0, -1.0, 8)],
        [Err(ShapeError::Negative); 2]
    );
    for (radius, height, n_sides) in [(0.0, 1.0, 8), (1.0, 0.0, 8), (1.0, 1.0, 12), (1.0, 1.0, 0)] {
        let bad = cylinder(radius, height, n_sides);
        assert_eq!(
            bad,
            Err(ShapeError::BadCylinder),
            "{radius} {height} {n_sides}"
        );
    }
    assert_eq!(cylinder(65_537.0, 1.0, 32), Err(ShapeError::TooLarge));
}

#[test]
fn shapes_that_are_none_are_refused() {
    for strange in [f64::NAN, f64::INFINITY] {
        let at = [0.0, strange, 0.0];
        let refused = [
            Shape::axial_box(Aabb::new(at, [1.0; 3])),
            Shape::axial_box(Aabb::new([-1.0; 3], at)),
            Shape::sphere(at, 1.0),
            Shape::sphere([0.0; 3], strange),
            Shape::capsule(at, [0.0; 3], 1.0),
            Shape::capsule([0.0; 3], [0.0; 3], strange),
            Shape::oriented_box(at, [1.0; 3], AXES),
            Shape::oriented_box([0.0; 3], at, AXES),
            Shape::oriented_box([0.0; 3], [1.0; 3], [AXES[0], at, AXES[2]]),
            Shape::cylinder(at, 1.0, 1.0, 8),
            Shape::cylinder([0.0; 3], strange, 1.0, 8),
            Shape::cylinder([0.0; 3], 1.0, strange, 8),
        ];
        for shape in refused {
            assert_eq!(shape, Err(ShapeError::NotFinite));
        }
    }
    let negative = Err(ShapeError::Negative);
    assert_eq!(
        Shape::axial_box(Aabb::new([0.0, 1.0, 0.0], [0.0; 3])),
        negative
    );
    assert_eq!(Shape::sphere([0.0; 3], -1e-9), negative);
    assert_eq!(Shape::capsule([0.0; 3], [1.0; 3], -1.0), negative);
    let boxed = |half, axes| Shape::oriented_box([0.0; 3], half, axes);
    assert_eq!(boxed([5.0, -1.0, 5.0], AXES), negative);
    let large = Err(ShapeError::TooLarge);
    assert_eq!(Shape::sphere([65_000.0, 0.0, 0.0], 537.0), large);
    assert!(Shape::sphere([65_000.0, 0.0, 0.0], 536.0).is_ok());
    assert_eq!(Shape::axial_box(Aabb::new([-65_537.0; 3], [0.0; 3])), large);
    let skewed = Err(ShapeError::SkewedAxes);
    // Each axis tilted toward each other one.
    for (axis, other) in [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)] {
        let mut sloped = AXES;
        sloped[axis][other] = 0.01;
        assert_eq!(boxed([1.0; 3], sloped), skewed, "{axis} {other}");
    }
    assert_eq!(boxed([1.0; 3], [[0.0; 3]; 3]), skewed);
    // A turn of 30 degrees in f32.
    let [sin, cos] = [0.5, f64::from(0.75f32.sqrt())];
    let turned = [[cos, sin, 0.0], [-sin, cos, 0.0], AXES[2]];
    assert!(boxed([1.0; 3], turned).is_ok());
    // The second and third are orthogonalized against the earlier ones.
    let (half, crooked) = (
        [1.0, 2.0, 3.0],
        [AXES[0], [0.0005, 1.0, 0.0], [0.0004, 0.0003, 1.0]],
    );
    assert_eq!(boxed(half, crooked), boxed(half, AXES));
}

/// Records of a file with false contents: zeros, or numbers that are not finite.
struct Nonsense(f64);

impl Convex for Nonsense {
    fn faces(&self) -> impl Iterator<Item = FacePlane> {
        let plane = FacePlane {
            normal: [self.0; 3],
            dist: self.0,
        };
        std::iter::repeat_n(plane, if self.0 == 0.0 { 0 } else { 2 })
    }

    fn bevels(&self) -> impl Iterator<Item = FacePlane> {
        self.faces()
    }

    fn vertices(&self) -> impl Iterator<Item = V3> {
        self.faces().map(|plane| plane.normal)
    }

    fn edges(&self) -> impl Iterator<Item = Edge> {
        let ends = [[self.0; 3], [-self.0; 3]];
        self.faces().map(move |_| Edge {
            ends,
            faces: [7, 9],
            normals: ends,
        })
    }
}

#[test]
fn nonsense_has_some_answer() {
    let shapes = [
        Shape::POINT,
        ball(5.0),
        post(5.0),
        post(0.0),
        Shape::axial_box(Aabb::new([-1.0; 3], [1.0; 3])).unwrap(),
        Shape::oriented_box([0.0; 3], [1.0; 3], AXES).unwrap(),
        Shape::convex(&TETRAHEDRON).unwrap(),
    ];
    for number in [0.0, f64::NAN, f64::INFINITY, 1e300, -1e300, 1e-300, 1.0] {
        for shape in &shapes {
            let brush = Nonsense(number);
            let at = [1.0, 2.0, 3.0];
            if let Some(contact) = cast(shape, at, [-9.0, 4.0, 5.0], &brush) {
                assert!((0.0..=1.0).contains(&contact.enter), "{number} {contact:?}");
                let is_inside = (contact.enter..=1.0).contains(&contact.leave);
                assert!(is_inside, "{number} {contact:?}");
            }
            overlaps(shape, at, &brush);
            separation(shape, at, &brush);
        }
    }
}
