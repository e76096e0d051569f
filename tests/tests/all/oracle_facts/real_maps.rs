//! Checks of the oracle on every brush of real maps, and on random ones.
//!
//! In: the `.bsp` files below the folder named by `ONION_MAPS` (default `../../shared/maps` from the crate's own
//! folder). Out: a failed test, or one line of counts per map; where there are no maps, that is listed as skipped.
//! Method: a hull given by corners is too small at worst, one given by planes too large at worst, so both are
//! compared with the brush itself. Bounds on the brush come from linear programming duality, where a sum of planes is
//! itself the proof.

use super::testing::{inside_any, random_brush};
use onion_tests::maps::{RealMap, files_in, folder};
use onion_tests::oracle::convex::{Plane, Polytope, polytope};
use onion_tests::oracle::expand::{Expanded, expand, expand_points};
use onion_tests::oracle::ibsp::{OracleModel, read_ibsp};
use onion_tests::oracle::sandwich::{Answer, sandwich};
use onion_tests::oracle::vec3::{V3, add, bounds, cross, dot, length, lerp, scale, sub, unit};
use onion_tests::oracle::world::HullWorld;
use onion_tests::random::Random;

const HULLS: [(V3, V3); 4] = [
    ([-16.0, -16.0, -24.0], [16.0, 16.0, 32.0]),
    ([-16.0, -16.0, -24.0], [16.0, 16.0, 8.0]),
    ([0.0; 3], [0.0; 3]),
    ([-3.0, -20.0, -1.0], [7.0, 4.0, 90.0]),
];

/// Unoptimized builds check one brush in this many.
const STRIDE: usize = if cfg!(debug_assertions) { 60 } else { 1 };

/// Required agreement, in units.
const CLOSE: f64 = 1e-6;

/// Returns the maps that the oracle can read, by their names.
fn maps() -> Vec<(String, Vec<OracleModel>)> {
    let files = files_in(&folder(), "bsp").into_iter();
    let read = |map: RealMap| Some((map.name, read_ibsp(&map.bytes).ok()?));
    let found: Vec<_> = files.filter_map(read).collect();
    if found.is_empty() {
        onion_tests::skips::skip("the oracle's own tests on real maps: set ONION_MAPS");
    }
    found
}

/// Returns the largest `u . p` over the points.
fn reach(points: &[V3], u: V3) -> f64 {
    points
        .iter()
        .map(|&p| dot(u, p))
        .fold(f64::NEG_INFINITY, f64::max)
}

/// Returns an upper bound on the distance between any two of the points.
fn diameter(points: &[V3]) -> f64 {
    bounds(points).map_or(0.0, |(lo, hi)| length(sub(hi, lo)))
}

/// Returns the support of the reflected box.
fn box_reach(mins: V3, maxs: V3, u: V3) -> f64 {
    (0..3).map(|k| (-mins[k] * u[k]).max(-maxs[k] * u[k])).sum()
}

/// Returns an upper bound for `u . p` over all points inside the planes, proved by duality: `u` as a combination of
/// three normals with nonnegative weights. Tries the planes near `at`.
fn dual_bound(planes: &[Plane], u: V3, at: V3, size: f64) -> f64 {
    let mut best = f64::INFINITY;
    for within in [1e-7, 1e-5, 1e-3] {
        let near: Vec<Plane> = planes
            .iter()
            .copied()
            .filter(|&(n, d)| (dot(n, at) - d).abs() < within)
            .collect();
        for (i, a) in near.iter().enumerate() {
            for (j, b) in near.iter().enumerate().skip(i + 1) {
                let ab = cross(a.0, b.0);
                for c in &near[j + 1..] {
                    best = best.min(combination([a, b, c], ab, u, at, size));
                }
            }
        }
        if best < dot(u, at) + 0.1 * CLOSE {
            break;
        }
    }
    best
}

/// Returns the best bound found at any of the farthest points, of which a face may have many.
fn least_dual_bound(planes: &[Plane], u: V3, points: &[V3]) -> f64 {
    let far = reach(points, u);
    let size = diameter(points);
    let mut best = f64::INFINITY;
    for &at in points.iter().filter(|&&p| dot(u, p) > far - 1e-7) {
        best = best.min(dual_bound(planes, u, at, size));
        if best < far + 0.1 * CLOSE {
            break;
        }
    }
    best
}

/// Returns the bound from three planes. Rounding error in the proof (a weight below zero, a remainder of `u`) is
/// charged at the solid's size.
fn combination([a, b, c]: [&Plane; 3], ab: V3, u: V3, at: V3, size: f64) -> f64 {
    let det = dot(ab, c.0);
    if det == 0.0 {
        return f64::INFINITY;
    }
    let weights = [
        dot(u, cross(b.0, c.0)) / det,
        dot(u, cross(c.0, a.0)) / det,
        dot(u, ab) / det,
    ];
    // Relative to `at`, so that large distances do not cancel.
    let mut bound = dot(u, at);
    let mut rest = u;
    let mut unproved = 0.0;
    for (w, p) in weights.iter().zip([a, b, c]) {
        bound += w * (p.1 - dot(p.0, at));
        rest = sub(rest, scale(p.0, *w));
        unproved += (-w).max(0.0);
    }
    bound + (unproved + length(rest)) * size
}

/// Returns directions that find trouble: axes and diagonals, the normals of the solid, and random ones.
fn directions(random: &mut Random, planes: &[Plane]) -> Vec<V3> {
    let mut list = Vec::new();
    for i in 1..27i32 {
        let v = [i % 3, i / 3 % 3, i / 9].map(|x| if x == 2 { -1.0 } else { f64::from(x) });
        list.push(scale(v, 1.0 / length(v)));
    }
    for &(n, _) in planes.iter().take(12) {
        let near = add(n, scale(random.direction(), 1e-3));
        list.push(scale(near, 1.0 / length(near)));
    }
    list.extend((0..16).map(|_| random.direction()));
    list
}

/// Computes Steiner's formula for a box: volume + extents x shadows + extent pairs x widths + box.
fn steiner_volume(brush: &Polytope, mins: V3, maxs: V3) -> f64 {
    let extent = sub(maxs, mins);
    let areas = brush.areas();
    let mut sum = brush.volume() + extent[0] * extent[1] * extent[2];
    for k in 0..3 {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        let shadow: f64 = areas.iter().map(|a| a[k].abs()).sum::<f64>() / 2.0;
        let mut axis = [0.0; 3];
        axis[k] = 1.0;
        let width = reach(&brush.points, axis) + reach(&brush.points, scale(axis, -1.0));
        sum += extent[k] * shadow + extent[i] * extent[j] * width;
    }
    sum
}

/// The worst disagreements over many brushes, in units (volume: in units of surface offset).
#[derive(Debug, Default)]
struct Worst {
    brush: f64,
    corners: f64,
    planes: f64,
    valid: f64,
    spike: f64,
    volume: f64,
    most_planes: usize,
    most_corners: usize,
}

impl Worst {
    /// Asserts that no disagreement is large.
    fn check(&self, name: &str) {
        println!("{name}: {self:?}");
        let all = [
            self.brush,
            self.corners,
            self.planes,
            self.valid,
            self.spike,
            self.volume,
        ];
        assert!(all.iter().all(|&x| x < CLOSE), "{name}: {self:?}");
    }
}

fn check_brush(random: &mut Random, worst: &mut Worst, planes: &[Plane], brush: &Polytope) {
    let sides: Vec<Plane> = planes
        .iter()
        .map(|&(n, d)| (scale(n, 1.0 / length(n)), d / length(n)))
        .collect();
    let points: Vec<V3> = brush.points.iter().map(|&p| add(p, brush.center)).collect();
    for u in directions(random, &sides) {
        let gap = least_dual_bound(&sides, u, &points) - reach(&points, u);
        worst.brush = worst.brush.max(gap.abs());
    }
    for &(n, d) in &sides {
        worst.brush = worst.brush.max(reach(&points, n) - d);
    }
}

fn check_sum(
    random: &mut Random,
    worst: &mut Worst,
    brush: &Polytope,
    e: &Expanded,
    hull: (V3, V3),
) {
    let points: Vec<V3> = brush.points.iter().map(|&p| add(p, brush.center)).collect();
    let outer = check_hull(random, worst, &points, e, hull);
    let surface: f64 = outer.areas().iter().map(|&a| length(a)).sum();
    let steiner = steiner_volume(brush, hull.0, hull.1);
    for volume in [e.volume, outer.volume()] {
        worst.volume = worst.volume.max((volume - steiner).abs() / surface);
    }
}

/// Compares with support functions; returns the solid inside the planes.
fn check_hull(
    random: &mut Random,
    worst: &mut Worst,
    points: &[V3],
    e: &Expanded,
    (mins, maxs): (V3, V3),
) -> Polytope {
    let expected = |u: V3| reach(points, u) + box_reach(mins, maxs, u);
    for u in directions(random, &e.planes) {
        let want = expected(u);
        worst.corners = worst.corners.max((reach(&e.vertices, u) - want).abs());
        let bound = least_dual_bound(&e.planes, u, &e.vertices);
        worst.planes = worst.planes.max((bound - want).abs());
    }
    for &(n, d) in &e.planes {
        worst.valid = worst.valid.max((d - expected(n)).abs());
        worst.valid = worst.valid.max(reach(&e.vertices, n) - d);
    }
    // A missing facet leaves a corner of the planes far from all corners of the sum.
    let Some(outer) = polytope(&e.planes) else {
        panic!("the expanded planes are empty");
    };
    for (i, &p) in outer.points.iter().enumerate() {
        let around = outer.faces.iter().filter(|f| f.ring.contains(&i));
        let out = around.fold([0.0; 3], |sum, f| add(sum, f.normal));
        if let Some(u) = unit(out, 1e-3) {
            let beyond = dot(u, add(p, outer.center)) - reach(&e.vertices, u);
            worst.spike = worst.spike.max(beyond);
        }
    }
    worst.most_planes = worst.most_planes.max(e.planes.len());
    worst.most_corners = worst.most_corners.max(e.vertices.len());
    outer
}

#[test]
fn expanded_brushes_agree_with_support_functions_and_volumes() {
    let mut random = Random::new(1);
    for (name, models) in maps() {
        let (mut worst, mut empty, mut count) = (Worst::default(), 0, 0);
        for brush in models.iter().flat_map(|m| &m.brushes).step_by(STRIDE) {
            let Some(solid) = polytope(&brush.planes) else {
                empty += 1;
                assert!(expand(&brush.planes, HULLS[0].0, HULLS[0].1).is_none());
                continue;
            };
            count += 1;
            check_brush(&mut random, &mut worst, &brush.planes, &solid);
            for hull in HULLS {
                let Some(e) = expand(&brush.planes, hull.0, hull.1) else {
                    panic!("{name}: not expanded");
                };
                check_sum(&mut random, &mut worst, &solid, &e, hull);
            }
        }
        worst.check(&format!("{name}: {count} brushes, {empty} empty"));
    }
}

/// Rounds planes the way a map file does, and adds bevels and near-duplicates.
fn as_stored(random: &mut Random, planes: &[Plane], middle: V3) -> Vec<Plane> {
    let single = |x: f64| f64::from(x as f32);
    let mut out: Vec<Plane> = Vec::new();
    for &(n, d) in planes {
        out.push((n.map(single), single(d)));
        if random.between(0.0, 1.0) < 0.2 {
            let tilt = [0.0, 1e-7, 1e-5, 1e-3][random.below(4)];
            let m = add(n, scale(random.direction(), tilt));
            let m = scale(m, 1.0 / length(m));
            let e = d + dot(sub(m, n), middle) + random.between(-1e-3, 1e-3);
            out.push((m.map(single), single(e)));
        }
    }
    out
}

#[test]
fn random_brushes_from_tiny_to_huge_agree_too() {
    let mut random = Random::new(4);
    let mut worst = Worst::default();
    for round in 0..3000 / STRIDE {
        let size = [0.01, 0.05, 1.0, 30.0, 500.0, 6000.0][round % 6];
        let middle = random.point([-9000.0; 3], [9000.0; 3]);
        // Single precision is too coarse for tiny brushes far away; those keep full precision.
        let sides = [0, 1, 4, 20, 64][random.below(5)];
        let mut planes = random_brush(&mut random, middle, size, sides);
        if size >= 1.0 {
            planes = as_stored(&mut random, &planes, middle);
        }
        let Some(solid) = polytope(&planes) else {
            panic!("round {round} has no interior: {planes:?}");
        };
        check_brush(&mut random, &mut worst, &planes, &solid);
        for hull in HULLS {
            let e = expand(&planes, hull.0, hull.1).expect("solid");
            check_sum(&mut random, &mut worst, &solid, &e, hull);
        }
    }
    worst.check("random brushes");
}

#[test]
fn random_flat_pieces_agree_too() {
    let mut random = Random::new(5);
    let mut worst = Worst::default();
    for round in 0..3000 / STRIDE {
        let middle = random.point([-9000.0; 3], [9000.0; 3]).map(f64::round);
        let size = [0.1, 8.0, 300.0][round % 3];
        let corners = 1 + random.below(4);
        let mut points: Vec<V3> = Vec::new();
        for _ in 0..corners {
            let step = random.point([-size; 3], [size; 3]);
            let whole = step.map(f64::round);
            points.push(add(middle, if round % 2 == 0 { step } else { whole }));
        }
        for hull in [HULLS[0], HULLS[3]] {
            let e = expand_points(&points, hull.0, hull.1).expect("solid");
            check_hull(&mut random, &mut worst, &points, &e, hull);
        }
    }
    worst.check("flat pieces");
}

/// The candidates from every pair and triple of corners give the same hull as those from the faces.
#[test]
fn small_brushes_agree_with_all_pairs_and_triples() {
    for (name, models) in maps() {
        for brush in models.iter().flat_map(|m| &m.brushes).step_by(7 * STRIDE) {
            let Some(solid) = polytope(&brush.planes).filter(|s| s.points.len() <= 12) else {
                continue;
            };
            let points: Vec<V3> = solid.points.iter().map(|&p| add(p, solid.center)).collect();
            for (mins, maxs) in HULLS {
                let a = expand(&brush.planes, mins, maxs).expect("solid");
                let b = expand_points(&points, mins, maxs).expect("solid");
                for (one, two) in [(&a, &b), (&b, &a)] {
                    for &(n, d) in &one.planes {
                        assert!((reach(&two.vertices, n) - d).abs() < CLOSE, "{name}");
                    }
                }
            }
        }
    }
}

fn world_of(models: &[OracleModel], hull: (V3, V3)) -> HullWorld {
    let blocking = |contents: u32| contents & 0x1_0001 != 0;
    let brushes = models.iter().take(1).flat_map(|m| &m.brushes);
    let solids = brushes
        .filter(|b| blocking(b.contents))
        .filter_map(|b| expand(&b.planes, hull.0, hull.1));
    HullWorld::new(solids.collect())
}

/// Picks a point near something: near the corner of a solid, within the map.
fn spot(random: &mut Random, world: &HullWorld) -> V3 {
    let solids = world.solids();
    let e = &solids[random.below(solids.len())];
    let v = e.vertices[random.below(e.vertices.len())];
    let spread = [0.0, 0.01, 4.0, 100.0, 1000.0][random.below(5)];
    add(v, scale(random.direction(), spread))
}

#[test]
fn traces_agree_with_dense_sampling() {
    let mut random = Random::new(2);
    for (name, models) in maps() {
        for hull in [HULLS[0], HULLS[2]] {
            let world = world_of(&models, hull);
            for _ in 0..60 / STRIDE {
                let (start, end) = (spot(&mut random, &world), spot(&mut random, &world));
                let grow = [0.0, 0.001, -0.001, 0.7][random.below(4)];
                let (start_solid, parts) = world.intervals(start, end, grow);
                let trace = world.trace(start, end, grow);
                assert_eq!(trace.start_solid, start_solid);
                for k in 1..60 {
                    let t = f64::from(k) / 60.0;
                    let border = 1e-6 / length(sub(end, start));
                    if parts
                        .iter()
                        .any(|i| (i.0 - t).abs().min((i.1 - t).abs()) < border)
                    {
                        continue;
                    }
                    let p = lerp(start, end, t);
                    let expected = parts.iter().any(|i| i.0 < t && t < i.1);
                    let ok = inside_any(&world, p, grow, 1e-9) == expected
                        && world.solid(p, grow) == expected;
                    // A point exactly on a seam is inside no single solid.
                    let seam = expected && inside_any(&world, p, grow + 1e-7, 1e-9);
                    assert!(ok || seam, "{name} {start:?} {end:?} {t} {grow}");
                }
            }
        }
    }
}

#[test]
fn own_answers_pass_the_sandwich() {
    let mut random = Random::new(3);
    for (name, models) in maps() {
        for hull in [HULLS[0], HULLS[2]] {
            let world = world_of(&models, hull);
            for _ in 0..2000 / STRIDE {
                let (start, end) = (spot(&mut random, &world), spot(&mut random, &world));
                for grow in [0.0, 0.0009, -0.0009] {
                    let answer = Answer::from(world.trace(start, end, grow));
                    let judged = sandwich(&world, start, end, answer, 0.001);
                    let exact = judged
                        .as_ref()
                        .map(|d| grow != 0.0 || d.along_ray == Some(0.0));
                    assert!(exact == Ok(true), "{name} grow {grow}: {judged:?}");
                }
            }
        }
    }
}
