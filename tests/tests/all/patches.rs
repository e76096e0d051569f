//! Pieces that stand for patches: near to the true surface on both counts (no part of the surface
//! is far from a piece, no piece is far from the surface), and behind its visible side.

use glam::DVec3;
use onion_tests::maps::real_maps;
use onion_tests::{samples, subject};
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
    let surface = surface(patch, SAMPLES);
    if solids.is_empty() {
        return None;
    }
    for &(point, _) in &surface {
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
            .map(|(point, _)| point.distance(*vertex))
            .fold(f64::INFINITY, f64::min);
        if nearest > 4.0 * THICKNESS + error + spacing {
            return Some(format!(
                "a corner of a piece at {vertex} is {nearest} units from the surface"
            ));
        }
    }
    None
}

/// On the sample maps' vaults the visible side is known at every point: a piece may reach beyond
/// it by the error and the overlap at the border, and must reach behind it by its thickness.
#[test]
fn pieces_lie_behind_the_visible_side() {
    const ERROR: f64 = 0.25;
    const OVERLAP: f64 = 1.0 / 128.0;
    /// Dense enough that the surface is flat to a hundredth of a unit between samples.
    const DENSE: usize = 80;
    let mut n_pieces = 0;
    for (name, bytes) in samples::all() {
        let map = subject::parse(&bytes);
        for patch in map.models.iter().flat_map(|model| &model.patches) {
            let surface = surface(patch, DENSE);
            let ahead = |vertex: &DVec3| {
                let distance = |at: &&(DVec3, DVec3)| at.0.distance_squared(*vertex);
                let nearest = surface
                    .iter()
                    .min_by(|a, b| distance(a).total_cmp(&distance(b)));
                let (point, normal) = nearest.unwrap();
                normal.dot(*vertex - *point)
            };
            for (_, vertices) in patch::pieces(patch, ERROR)
                .iter()
                .filter_map(|piece| solid(piece))
            {
                let most = vertices.iter().map(ahead).fold(f64::NEG_INFINITY, f64::max);
                let least = vertices.iter().map(ahead).fold(f64::INFINITY, f64::min);
                let place = format!("{name} patch {}: {least} to {most}", patch.number);
                assert!(most <= ERROR + OVERLAP, "{place}");
                assert!(least <= -THICKNESS + ERROR + OVERLAP, "{place}");
                n_pieces += 1;
            }
        }
    }
    assert!(n_pieces > 50, "{n_pieces}");
}

/// A piece as a solid.
fn solid(planes: &[Plane]) -> Option<Solid> {
    let mut set = PlaneSet::default();
    let limit = DVec3::splat(65_536.0);
    let world = Bounds {
        mins: -limit,
        maxs: limit,
    };
    let world = world.insert_planes(&mut set);
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

/// Points of the true surface, by de Casteljau's construction, with unit normals on the visible side.
fn surface(patch: &Patch, samples: usize) -> Vec<(DVec3, DVec3)> {
    let between = |t: f64, a: DVec3, b: DVec3| a + (b - a) * t;
    let curve = |t: f64, [a, b, c]: [DVec3; 3]| between(t, between(t, a, b), between(t, b, c));
    let evaluate = |values: &[[f32; 3]], [column, row]: [usize; 2], [u, v]: [f64; 2]| {
        let value = |x: usize, y: usize| {
            DVec3::from_array(values[(row + y) * patch.width + column + x].map(f64::from))
        };
        curve(
            v,
            [0, 1, 2].map(|y| curve(u, [0, 1, 2].map(|x| value(x, y)))),
        )
    };
    let mut points = Vec::new();
    for row in (0..patch.height - 2).step_by(2) {
        for column in (0..patch.width - 2).step_by(2) {
            for step in 0..(samples + 1) * (samples + 1) {
                let steps = [step % (samples + 1), step / (samples + 1)];
                let at = steps.map(|step| step as f64 / samples as f64);
                let point = evaluate(&patch.points, [column, row], at);
                let normal = evaluate(&patch.normals, [column, row], at).normalize_or_zero();
                points.push((point, normal));
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
