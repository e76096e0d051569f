//! The walk gives exactly the answers of the reference. Only the reference answers in files without blocks, so every
//! answer is compared, bit for bit, with the answer of the same file without blocks.

use onion_compiler::fill::seeds::Fill;
use onion_format::{NORMAL_ONE, PlaneRecord};
use onion_maps::Map;
use onion_runtime::{HullId, HullSet, Model, OnionMap, Trace};
use onion_tests::cases::{Case, real_cases, sample_case, sample_cases};
use onion_tests::effort::Cases;
use onion_tests::oracle::vec3::cross;
use onion_tests::planted::without_blocks;
use onion_tests::queries::{KINDS, Queries, Segment, along, dot};
use onion_tests::random::Random;
use onion_tests::samples;
use onion_tests::subject::{self, HULLS};
use rayon::prelude::*;

/// Number of queries of each kind for each hull of a real map.
const QUERIES: Cases = Cases::new(2_000, 2_500);

fn bits(trace: &Trace<f32>) -> impl PartialEq + std::fmt::Debug + use<> {
    let plane = trace
        .plane
        .map(|plane| (plane.normal.map(f32::to_bits), plane.dist.to_bits()));
    (
        [trace.fraction, trace.hit_fraction].map(f64::to_bits),
        trace.end_pos.map(f32::to_bits),
        plane,
        [trace.start_solid, trace.all_solid],
    )
}

/// A file of a map, and the same file without blocks.
struct Pair<'a> {
    walk: Model<'a>,
    hulls: Vec<HullId>,
    reference: Model<'a>,
    reference_hulls: Vec<HullId>,
}

impl<'a> Pair<'a> {
    fn new([walk, reference]: &'a [OnionMap<Vec<u8>>; 2]) -> Self {
        let hulls = |map: &OnionMap<Vec<u8>>| map.hulls().map(|hull| hull.id).collect();
        Self {
            walk: walk.world(),
            hulls: hulls(walk),
            reference: reference.world(),
            reference_hulls: hulls(reference),
        }
    }

    /// Returns a hull's id in the reference's file.
    fn theirs(&self, hull: HullId) -> HullId {
        self.reference_hulls[hull.index()]
    }

    fn check(&self, hull: usize, [start, end]: Segment) {
        let hull = self.hulls[hull];
        let [walk, reference] = [&self.walk, &self.reference];
        let theirs = self.theirs(hull);
        let exact = [(walk, hull), (reference, theirs)]
            .map(|(model, hull)| model.with_margin(0.0).trace(hull, start, end));
        assert_eq!(exact[0], exact[1], "{start:?} {end:?}");
        let points = [start, end];
        let solid = points.map(|point| {
            let [ours, theirs] = [walk, reference].map(|model| model.solidity(point));
            assert_eq!(ours, theirs, "{point:?}");
            ours.contains(hull.index())
        });
        for (point, solid) in points.iter().zip(solid) {
            assert_eq!(walk.is_solid(hull, *point), solid, "{point:?}");
        }

        let [start, end] = [start, end].map(|point| point.map(|component| component as f32));
        let expected = reference.trace(theirs, start, end);
        let [ours, right] = [walk.trace(hull, start, end), expected].map(|trace| bits(&trace));
        assert!(ours == right, "{ours:?} {right:?} {start:?} {end:?}");
        let points = [start, end];
        let mut batch = [false; 2];
        walk.is_solid_batch(hull, &points, &mut batch);
        assert_eq!(batch, points.map(|point| reference.is_solid(theirs, point)));
        let mut batch = [HullSet::EMPTY; 2];
        walk.solidity_batch(&points, &mut batch);
        assert_eq!(batch, points.map(|point| reference.solidity(point)));
    }

    /// Checks the points of a list.
    fn check_list(&self, points: &[[f32; 3]]) {
        let mut found = vec![HullSet::EMPTY; points.len()];
        self.walk.solidity_batch(points, &mut found);
        for (point, found) in points.iter().zip(&found) {
            let expected = self.reference.solidity(*point);
            assert_eq!(*found, expected, "{point:?}");
        }
        let mut is_solid = vec![false; points.len()];
        for (index, &hull) in self.hulls.iter().enumerate() {
            self.walk.is_solid_batch(hull, points, &mut is_solid);
            let mut answers = is_solid.iter().zip(&found);
            let is_alike = |(&one, all): (&bool, &HullSet)| one == all.contains(index);
            assert!(answers.all(is_alike), "{hull:?}");
        }
    }
}

/// Loads a file, and the same file without blocks.
fn with_and_without(file: &[u8]) -> [OnionMap<Vec<u8>>; 2] {
    [file.to_vec(), without_blocks(file)].map(|file| OnionMap::from_bytes(file).unwrap())
}

fn check_map(case: &Case, n_queries: usize) -> usize {
    let files = with_and_without(&case.unfilled().bytes);
    let pair = Pair::new(&files);
    let mut n_checked = 0;
    for (index, hull) in files[0].hulls().enumerate() {
        let Some(queries) = Queries::new(case.world(0, hull.id)) else {
            continue;
        };
        let mut random = Random::new(index as u64 + 1);
        for kind in KINDS {
            for _ in 0..n_queries {
                let segment = queries.query(kind, &mut random);
                pair.check(index, segment);
                // On whole numbers, where most planes are.
                pair.check(index, segment.map(|end| end.map(f64::round)));
                n_checked += 2;
            }
        }
    }
    n_checked
}

#[test]
fn sample_maps_have_the_answers_of_the_reference() {
    for case in sample_cases() {
        assert!(check_map(case, 500) > 0);
    }
}

#[test]
fn real_maps_have_the_answers_of_the_reference() {
    let cases = real_cases().par_iter();
    let n_checked: usize = cases.map(|case| check_map(case, QUERIES.count())).sum();
    assert!(n_checked > 0 || real_cases().is_empty());
}

/// Picks a place in a box, moved to at most `most` from a plane, where f32 alone would often be wrong.
fn beside(
    plane: &PlaneRecord,
    [mins, maxs]: [[f64; 3]; 2],
    most: f64,
    random: &mut Random,
) -> [f64; 3] {
    let normal = normal(plane);
    let place = random.point(mins, maxs);
    let ahead = dot(normal, place) - plane.dist;
    let place = along(place, normal, random.between(-most, most) - ahead);
    place.map(|at| f64::from(at as f32))
}

/// Queries places beside the sloped planes of a file, and segments between them.
fn check_beside(file: &[u8], bounds: Option<[[f64; 3]; 2]>, most: f64) {
    let files = with_and_without(file);
    let (pair, onion) = (Pair::new(&files), &files[0]);
    let (mins, maxs) = onion.world().bounds();
    let bounds = bounds.unwrap_or([mins, maxs].map(|corner| corner.map(f64::from)));
    let sloped = |plane: &PlaneRecord| plane.axis == 3;
    let planes: Vec<_> = onion.inspect().planes().filter(sloped).collect();
    let mut random = Random::new(11);
    let mut points = Vec::new();
    for number in 0..6_000 {
        let plane = &planes[random.below(planes.len())];
        let segment = [0, 1].map(|_| beside(plane, bounds, most, &mut random));
        pair.check(number % HULLS.len(), segment);
        points.extend(segment.map(|point| point.map(|at| at as f32)));
    }
    pair.check_list(&points);
}

#[test]
fn places_beside_planes_have_the_answers_of_the_reference() {
    for name in ["wedge", "patch_arch"] {
        let map = &sample_case(name).map;
        let file = subject::compile_in_one_tree(map, subject::hulls(&HULLS), Fill::Off).bytes;
        check_beside(&file, None, 4e-5);
    }
}

/// Around the origin rounding error is smallest; the slope of a bar and the slope of a column go through it.
#[test]
fn places_beside_planes_at_the_origin_have_the_answers_of_the_reference() {
    let mut map = samples::Map::new("origin", "Slopes through the origin");
    let bar = [[-64.0, -64.0], [64.0, -64.0], [64.0, 32.0], [-64.0, -32.0]];
    map.add(
        samples::Shader::Wall,
        samples::Brush::bar_y(&bar, -64.0, 64.0),
    );
    let column = [[-64.0, 64.0], [-64.0, -48.0], [64.0, 48.0], [64.0, 64.0]];
    map.add(
        samples::Shader::Wall,
        samples::Brush::column(&column, -64.0, 64.0),
    );
    let map = subject::parse(&samples::write(&map));
    let file = subject::compile_in_one_tree(&map, subject::hulls(&HULLS), Fill::Off).bytes;
    check_beside(&file, Some([[-0.2; 3], [0.2; 3]]), 1e-6);
}

/// Returns the unit normal of a plane.
fn normal(plane: &PlaneRecord) -> [f64; 3] {
    plane.normal.map(|at| f64::from(at) / f64::from(NORMAL_ONE))
}

/// Returns a place on the line where two planes meet, or `None` if they are nearly parallel.
fn in_both(planes: [&PlaneRecord; 2], place: [f64; 3]) -> Option<[f64; 3]> {
    let normals = planes.map(normal);
    let [a, b] = [0, 1].map(|plane| dot(normals[plane], place) - planes[plane].dist);
    let cosine = dot(normals[0], normals[1]);
    let square = 1.0 - cosine * cosine;
    let [a, b] = [a - cosine * b, b - cosine * a].map(|moved| -moved / square);
    (square > 0.01).then(|| along(along(place, normals[0], a), normals[1], b))
}

/// Segments pass an edge, or end at it, so closely that rounding decides whether they touch it.
#[test]
fn passing_edges_has_the_answers_of_the_reference() {
    for name in ["wedge", "touching", "patch_arch"] {
        let files = with_and_without(&sample_case(name).unfilled().bytes);
        let (pair, whole) = (Pair::new(&files), &files[0]);
        let planes: Vec<_> = whole.inspect().planes().collect();
        let (mins, maxs) = whole.world().bounds();
        let mut random = Random::new(23);
        for number in 0..20_000 {
            let two = [0, 1].map(|_| &planes[random.below(planes.len())]);
            let place = random.point(mins.map(f64::from), maxs.map(f64::from));
            let Some(place) = in_both(two, place) else {
                continue;
            };
            let near = 0.5f64.powi(18 + random.below(20) as i32);
            let place = along(place, random.point([-1.0; 3], [1.0; 3]), near);
            // Some are a thousandth of a unit long, and some end far beyond the map; they go across the edge and
            // along it.
            let length = (1u64 << random.below(38)) as f64 / 1024.0;
            let way = match random.below(4) {
                0 => cross(normal(two[0]), normal(two[1])).map(|at| at * length),
                _ => random.point([-length; 3], [length; 3]),
            };
            let ends = [[-1.0, 1.0], [-1.0, 0.0], [0.0, 1.0]][number % 3];
            let segment = ends.map(|share| along(place, way, share));
            pair.check(number % HULLS.len(), segment);
        }
    }
}

/// Bars whose tops are in one slope of 3 in 4 through the origin, the first plane that the tree tests. Segments along
/// the slope, of up to 2^28 units on either side of their middle, pass above a bar or go through it: the rounding
/// error of single precision is many units there.
#[test]
fn slopes_are_passed_by_segments_of_any_length() {
    let mut map = samples::Map::new("slope", "Tops in a slope of 3 in 4");
    let bars = (0..5).map(|number| 16.0 * f64::from(number));
    for at in bars.clone() {
        let [near, far] = [-32.0 - at, 96.0 - at / 2.0];
        let (bottom, tops) = (-160.0 - at, [far, near].map(|x| 0.75 * x));
        let outline = [
            [near, bottom],
            [far, bottom],
            [far, tops[0]],
            [near, tops[1]],
        ];
        map.add(
            samples::Shader::Wall,
            samples::Brush::bar_y(&outline, 2.0 * at, 2.0 * at + 16.0),
        );
    }
    let map = subject::parse(&samples::write(&map));
    let file = subject::compile_map(&map, subject::hulls(&["point:point"])).bytes;
    let bars: Vec<f64> = bars.collect();
    let mut random = Random::new(29);
    for file in [&file, &without_blocks(&file)] {
        let onion = OnionMap::from_bytes(file).unwrap();
        let (world, hull) = (onion.world(), onion.find_hull("point").unwrap());
        for number in 0..4_000 {
            let length = (1u64 << (10 + number % 19)) as f64;
            let off = [-4.0, -1.0, -0.25, 0.25, 1.0, 4.0][random.below(6)];
            let y = 2.0 * bars[random.below(bars.len())] + random.between(1.0, 15.0);
            let mut end = |side: f64| {
                let far = side * length * random.between(0.75, 1.0);
                [0.8 * far - 0.6 * off, y, 0.6 * far + 0.8 * off]
            };
            let [start, end] = [end(-1.0), end(1.0)];
            let trace = world.trace(hull, start, end);
            assert_eq!(trace.plane.is_some(), off < 0.0, "{off}: {trace:?}");
        }
    }
}

/// Nodes have bits for eight hulls; only leaves have those of the others.
#[test]
fn ten_hulls_have_the_answers_of_the_reference() {
    let options: Vec<String> = (0..10)
        .map(|hull| format!("h{hull}:{}x{}", 4 + 4 * hull, 16 + 6 * hull))
        .collect();
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let (_, bytes) = &samples::all()[0];
    assert!(check_map(&Case::new("ten hulls", bytes, &options, "one"), 500) > 0);
}

/// Invalid points, points too far away, and batches of all lengths.
#[test]
fn batches_have_the_answers_of_single_points() {
    let map: Map = subject::parse(&samples::all()[0].1);
    let compiled = subject::compile_map(&map, subject::hulls(&HULLS));
    let onion = subject::load(&compiled);
    let (world, hull) = (onion.world(), onion.find_hull("stand").unwrap());
    let mut random = Random::new(7);
    let mut points: Vec<[f32; 3]> = (0..40)
        .map(|_| random.point([-600.0; 3], [600.0; 3]).map(|at| at as f32))
        .collect();
    for (at, strange) in [(3, f32::NAN), (9, f32::INFINITY), (17, 1e30), (30, 2e9)] {
        points[at][at % 3] = strange;
    }
    for length in 0..points.len() {
        let expected: Vec<bool> = points[..length]
            .iter()
            .map(|&point| world.is_solid(hull, point))
            .collect();
        let mut solid = vec![false; length];
        world.is_solid_batch(hull, &points[..length], &mut solid);
        assert_eq!(solid, expected);
        // Fewer places for answers than points.
        let mut fewer = vec![false; length / 2];
        world.is_solid_batch(hull, &points[..length], &mut fewer);
        assert_eq!(fewer, expected[..length / 2]);
        let expected = points[..length].iter().map(|&point| world.solidity(point));
        let mut solidity = vec![HullSet::FULL; length];
        world.solidity_batch(&points, &mut solidity);
        assert_eq!(solidity, expected.collect::<Vec<_>>());
    }
}

/// Queries extend 2^30 units along each axis. A coordinate slightly farther away is rounded to that in single
/// precision, and is outside all the same: solid, as is the whole of a segment with such an end.
#[test]
fn what_is_a_little_too_far_away_is_outside() {
    const FARTHEST: f64 = (1u32 << 30) as f64;
    let mut map = samples::Map::new("beside", "A block beside the origin");
    map.cuboid(
        samples::Shader::Wall,
        [-96.0, -32.0, -32.0],
        [-64.0, 32.0, 32.0],
    );
    let compiled = subject::compile_map(
        &subject::parse(&samples::write(&map)),
        subject::hulls(&HULLS),
    );
    for file in [&compiled.bytes, &without_blocks(&compiled.bytes)] {
        let onion = OnionMap::from_bytes(file).unwrap();
        let (world, hull) = (onion.world(), onion.find_hull("point").unwrap());
        for axis in 0..3 {
            for (far, is_outside) in [(FARTHEST, false), (FARTHEST + 1.0, true)] {
                let mut end = [0.0; 3];
                end[axis] = far;
                let trace = world.trace(hull, [0.0; 3], end);
                assert_eq!(
                    [trace.start_solid, trace.all_solid],
                    [is_outside; 2],
                    "{trace:?}"
                );
                assert_eq!(trace.fraction, if is_outside { 0.0 } else { 1.0 });
                assert_eq!(world.is_solid(hull, end), is_outside, "{end:?}");
            }
        }
    }
}
