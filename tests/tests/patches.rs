//! Pieces that stand for patches: near to the true surface on both counts (no part of the surface
//! is far from a piece, no piece is far from the surface), and never in front of it.

use glam::DVec3;
use onion_tests::maps::real_maps;
use onion_tests::{samples, subject};
use onionc::brush::box_planes;
use onionc::geometry::Bounds;
use onionc::geometry::{Cell, Plane, PlaneSet};
use onionc::map::{Patch, patch};
use rayon::prelude::*;

/// Samples along each side of a 3 by 3 piece of a patch.
const SAMPLES: usize = 9;

/// Pieces are 1 unit thick.
const THICKNESS: f64 = 1.0;

/// Points of a patch are rounded to 2^-16 units, planes outward by less than this, in units.
const ROUNDING: f64 = 1e-3;

#[test]
fn pieces_keep_within_the_error() {
    let samples = samples::all()
        .into_iter()
        .map(|(name, bytes)| (name.to_owned(), bytes));
    let real = real_maps().into_iter().map(|map| (map.name, map.bytes));
    let mut n_patches = 0;
    for (name, bytes) in samples.chain(real) {
        let map = subject::parse(&bytes);
        let patches: Vec<&Patch> = map.models.iter().flat_map(|model| &model.patches).collect();
        for error in [4.0, 1.0] {
            let wrong: Vec<String> = patches
                .par_iter()
                .filter_map(|patch| {
                    check(patch, error).map(|what| format!("{name} {}: {what}", patch.number))
                })
                .collect();
            assert!(
                wrong.is_empty(),
                "{} wrong: {:#?}",
                wrong.len(),
                &wrong[..wrong.len().min(5)]
            );
        }
        n_patches += patches.len();
    }
    assert!(
        n_patches >= 8,
        "the sample maps alone have 8 patches, not {n_patches}"
    );
}

/// Planes and corners of a piece.
type Solid = (Vec<(DVec3, f64)>, Vec<DVec3>);

fn check(patch: &Patch, error: f64) -> Option<String> {
    let pieces = patch::pieces(patch, error);
    let solids: Vec<Solid> = pieces.iter().filter_map(|planes| solid(planes)).collect();
    let surface = surface(patch);
    if solids.is_empty() {
        return None;
    }
    for &point in &surface {
        let off = solids
            .iter()
            .map(|(planes, _)| outside(planes, point))
            .fold(f64::INFINITY, f64::min);
        if off > error + ROUNDING {
            return Some(format!(
                "the surface at {point} is {off} units from every piece"
            ));
        }
    }
    // Between samples the surface bends away from them by no more than its spacing allows.
    let spacing = spacing(patch);
    for vertex in solids.iter().flat_map(|(_, vertices)| vertices) {
        let nearest = surface
            .iter()
            .map(|point| point.distance(*vertex))
            .fold(f64::INFINITY, f64::min);
        if nearest > 4.0 * THICKNESS + error + spacing {
            return Some(format!(
                "a corner of a piece at {vertex} is {nearest} units from the surface"
            ));
        }
    }
    None
}

/// A piece as a solid.
fn solid(planes: &[Plane]) -> Option<Solid> {
    let mut set = PlaneSet::default();
    let limit = DVec3::splat(65_536.0);
    let world = box_planes(
        &mut set,
        Bounds {
            mins: -limit,
            maxs: limit,
        },
    );
    let ids: Vec<_> = planes.iter().map(|&plane| set.insert(plane)).collect();
    let cell = Cell::from_planes(&set, world, ids)?;
    let planes = cell
        .planes()
        .map(|id| (set[id].normal, set[id].dist))
        .collect();
    Some((
        planes,
        cell.vertices()
            .iter()
            .map(|vertex| vertex.position)
            .collect(),
    ))
}

/// How far a point is outside of a convex solid, at least.
fn outside(planes: &[(DVec3, f64)], point: DVec3) -> f64 {
    planes
        .iter()
        .map(|(normal, dist)| normal.dot(point) - dist)
        .fold(0.0, f64::max)
}

/// Points of the true surface, by de Casteljau's construction.
fn surface(patch: &Patch) -> Vec<DVec3> {
    let point =
        |x: usize, y: usize| DVec3::from_array(patch.points[y * patch.width + x].map(f64::from));
    let between = |t: f64, a: DVec3, b: DVec3| a + (b - a) * t;
    let curve = |t: f64, [a, b, c]: [DVec3; 3]| between(t, between(t, a, b), between(t, b, c));
    let mut points = Vec::new();
    for row in (0..patch.height - 2).step_by(2) {
        for column in (0..patch.width - 2).step_by(2) {
            for v in 0..=SAMPLES {
                for u in 0..=SAMPLES {
                    let [u, v] = [u, v].map(|step| step as f64 / SAMPLES as f64);
                    let rows =
                        [0, 1, 2].map(|y| curve(u, [0, 1, 2].map(|x| point(column + x, row + y))));
                    points.push(curve(v, rows));
                }
            }
        }
    }
    points
}

/// Longest step between neighboring control points.
fn spacing(patch: &Patch) -> f64 {
    let point = |at: usize| DVec3::from_array(patch.points[at].map(f64::from));
    let across = (0..patch.points.len() - 1).map(|at| point(at).distance(point(at + 1)));
    let down =
        (0..patch.points.len() - patch.width).map(|at| point(at).distance(point(at + patch.width)));
    across.chain(down).fold(0.0, f64::max)
}
