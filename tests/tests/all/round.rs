//! Round brushes: prisms, cones and balls of 60 to 2,000 sides, as the text of map editors, for one to three hulls.
//! Each side of a convex brush has all others behind it, so a tree that divides it by the planes of its sides alone is
//! as deep as the brush has sides; the format allows 256 nodes. Every compile proves its leaves.

use std::f64::consts::{PI, TAU};
use std::fmt::Write;

use glam::DVec3;
use onion_compiler::CompileOptions;
use onion_compiler::compile;
use onion_maps::Map;
use onion_tests::effort::is_long;
use onion_tests::subject;

/// Limit on the depth of trees for round brushes: far below the limit of the format.
const MAX_NODES_DEEP: u32 = 128;

const HULLS: [&str; 3] = ["stand:16x56", "crouch:16x32", "bullet:point"];

/// Makes a map of one convex brush, given by three points of each side, in any order.
fn brush(sides: &[[DVec3; 3]], middle: DVec3) -> Map {
    let mut text = "{\n\"classname\" \"worldspawn\"\n{\n".to_owned();
    for &[a, b, c] in sides {
        let is_outward = (c - a).cross(b - a).dot(a - middle) > 0.0;
        let points = if is_outward { [a, b, c] } else { [a, c, b] };
        for DVec3 { x, y, z } in points {
            write!(text, "( {x:.6} {y:.6} {z:.6} ) ").unwrap();
        }
        text.push_str("wall 0 0 0 1 1\n");
    }
    text.push_str("}\n}\n");
    onion_maps::parse(text.as_bytes(), &Default::default()).unwrap()
}

const RADIUS: f64 = 320.0;
const HEIGHT: f64 = 512.0;

/// Makes sides around the z axis from a regular polygon to the same polygon scaled by `top` and moved aside, or to a
/// point.
fn around(n: usize, top: f64) -> Map {
    let corner = |at: usize| {
        let angle = TAU * (at as f64 + 0.37) / n as f64;
        RADIUS * DVec3::new(angle.cos(), angle.sin(), 0.0)
    };
    let above = |low: DVec3| low * top + DVec3::new(0.25 * RADIUS * (1.0 - top), 0.0, HEIGHT);
    let sides = (0..n).map(|at| [corner(at), corner(at + 1), above(corner(at))]);
    let level = |z: f64| [DVec3::ZERO, DVec3::X, DVec3::Y].map(|at| 64.0 * at + z * DVec3::Z);
    let ends = [level(0.0), level(HEIGHT)];
    let sides: Vec<_> = sides.chain(ends).collect();
    brush(&sides, DVec3::Z * HEIGHT / 4.0)
}

/// Makes a ball of planes that touch it, evenly spread along a spiral.
fn ball(n: usize) -> Map {
    let side = |at: usize| {
        let z = 1.0 - (2 * at + 1) as f64 / n as f64;
        let angle = PI * (3.0 - 5f64.sqrt()) * at as f64;
        let ring = (1.0 - z * z).sqrt();
        let out = DVec3::new(ring * angle.cos(), ring * angle.sin(), z);
        let along = out.any_orthonormal_pair();
        [out, out + along.0, out + along.1].map(|at| RADIUS * at)
    };
    let sides: Vec<_> = (0..n).map(side).collect();
    brush(&sides, DVec3::ZERO)
}

#[test]
fn round_brushes_are_halved() {
    let counts: &[usize] = if is_long() {
        &[60, 100, 200, 320, 500, 700, 1000, 1500, 2000]
    } else {
        &[60, 200, 700]
    };
    for &n in counts {
        for (name, map) in [
            ("prism", around(n, 1.0)),
            ("frustum", around(n, 0.5)),
            ("cone", around(n, 0.0)),
            ("ball", ball(n)),
        ] {
            for n_hulls in 1..=HULLS.len() {
                let options = CompileOptions::new(subject::hulls(&HULLS[..n_hulls]));
                let compiled = compile(&map, &options);
                let report = compiled.unwrap_or_else(|error| panic!("{name}, {n} sides: {error}"));
                let depth = report.report.depth;
                assert!(
                    depth <= MAX_NODES_DEEP,
                    "{name}, {n} sides, {n_hulls} hulls: {depth}"
                );
            }
        }
    }
}
