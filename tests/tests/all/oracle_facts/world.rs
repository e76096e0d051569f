//! Facts about traces and points among solids: rows of boxes, and random worlds against a look at each solid, in;
//! fractions and solidity out.

use super::testing::{inside_any, random_world, row};
use onion_tests::oracle::vec3::{V3, lerp};
use onion_tests::oracle::world::*;
use onion_tests::random::Random;

const POINT: (V3, V3) = ([0.0; 3], [0.0; 3]);

fn along_x(world: &HullWorld, from: f64, to: f64, y: f64, grow: f64) -> OracleTrace {
    world.trace([from, y, 5.0], [to, y, 5.0], grow)
}

fn free(enter: Option<f64>) -> OracleTrace {
    OracleTrace {
        start_solid: false,
        all_solid: false,
        first_enter: enter,
        leave: None,
    }
}

#[test]
fn entering_touching_sliding() {
    let w = row();
    for (from, to, y, grow, enter) in [
        (-10.0, 10.0, 5.0, 0.0, Some(0.5)),
        // Ends at the face.
        (-10.0, 0.0, 5.0, 0.0, None),
        // Slides in a face.
        (-10.0, 50.0, 10.0, 0.0, None),
        (-10.0, 50.0, 0.0, 0.0, None),
        // Leaves from a face, and enters from one.
        (0.0, -10.0, 5.0, 0.0, None),
        (0.0, 10.0, 5.0, 0.0, Some(0.0)),
        (-10.0, 50.0, 10.0, 0.5, Some(9.5 / 60.0)),
        (-10.0, 50.0, 10.0, -0.5, None),
    ] {
        let found = along_x(&w, from, to, y, grow);
        assert_eq!(found, free(enter), "{from} {to} {y} {grow}");
    }
    let corner = w.trace([-5.0, 5.0, 5.0], [5.0, -5.0, 5.0], 0.0);
    assert_eq!(corner, free(None), "touches an edge");
}

#[test]
fn seams_are_solid_unless_shrunk() {
    let w = row();
    let inside = |leave, enter| OracleTrace {
        start_solid: true,
        all_solid: false,
        first_enter: enter,
        leave: Some(leave),
    };
    assert_eq!(along_x(&w, 5.0, 25.0, 5.0, 0.0), inside(0.75, None));
    assert_eq!(along_x(&w, 10.0, 50.0, 5.0, 0.0), inside(0.25, Some(0.5)));
    assert!(along_x(&w, 10.0, 18.0, 5.0, 0.0).all_solid);
    // Ends at the last face.
    assert!(along_x(&w, 5.0, 20.0, 5.0, 0.0).all_solid);
    let shrunk = along_x(&w, 6.0, 14.0, 5.0, -1.0);
    assert_eq!(shrunk, inside(0.375, Some(0.625)));
    // A point inside, and one on a face.
    assert!(along_x(&w, 5.0, 5.0, 5.0, 0.0).all_solid);
    assert_eq!(along_x(&w, 0.0, 0.0, 5.0, 0.0), free(None));
}

#[test]
fn large_grow_is_served_without_the_tree() {
    let w = row();
    assert!(w.solid([-2.0, 5.0, 5.0], 2.5));
    assert!(!w.solid([-2.0, 5.0, 5.0], 1.5));
    assert!(along_x(&w, 21.0, 29.0, 5.0, 5.0).all_solid);
    let empty = HullWorld::new(Vec::new());
    assert!(!empty.solid([0.0; 3], 100.0));
    assert_eq!(empty.trace([0.0; 3], [1.0; 3], 0.0), free(None));
}

#[test]
fn planes_near_a_face_an_edge_and_nothing() {
    let w = row();
    let at_face = w.nearest_planes([0.005, 5.0, 5.0], 0.01);
    assert_eq!(at_face.len(), 1);
    assert_eq!(at_face[0].plane, ([-1.0, 0.0, 0.0], 0.0));
    assert!((at_face[0].distance + 0.005).abs() < 1e-12);
    assert_eq!(w.nearest_planes([10.0, 10.0, 5.0], 0.01).len(), 4);
    // A plane far from its solid.
    assert!(w.nearest_planes([25.0, 10.0, 5.0], 0.01).is_empty());
}

#[test]
fn trace_agrees_with_dense_sampling() {
    let mut random = Random::new(7);
    for round in 0..40 {
        let hull = ([-16.0, -16.0, -24.0], [16.0, 16.0, 8.0]);
        let hull = if round % 2 == 0 { hull } else { POINT };
        let w = random_world(&mut random, 30, 60.0, hull);
        for _ in 0..50 {
            let start = random.point([-250.0; 3], [250.0; 3]);
            let end = random.point([-250.0; 3], [250.0; 3]);
            let grow = random.between(-2.0, 2.0);
            let (start_solid, parts) = w.intervals(start, end, grow);
            assert_eq!(start_solid, inside_any(&w, start, grow, DEEP));
            for k in 0..=400 {
                let t = f64::from(k) / 400.0;
                let p = lerp(start, end, t);
                let at_border = parts
                    .iter()
                    .any(|i| (i.0 - t).abs().min((i.1 - t).abs()) < 1e-6);
                if !at_border {
                    let expected = parts.iter().any(|i| i.0 < t && t < i.1);
                    assert_eq!(
                        inside_any(&w, p, grow, DEEP),
                        expected,
                        "round {round} t {t}"
                    );
                    assert_eq!(w.solid(p, grow), expected);
                }
            }
        }
    }
}
