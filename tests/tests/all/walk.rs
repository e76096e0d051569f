//! The walk gives exactly the answers of the reference. Only the reference answers in files without blocks, so every
//! answer is compared, bit for bit, with the answer of the same file without blocks.

use onion_compiler::Grouping;
use onion_format::{NORMAL_ONE, PlaneRecord};
use onion_runtime::{Aabb, HullSet, OnionMap};
use onion_tests::cases::{Case, real_cases, sample_case, sample_cases};
use onion_tests::effort::Cases;
use onion_tests::fixtures::{compiled, loaded, made, many_hulls};
use onion_tests::oracle::vec3::cross;
use onion_tests::planted::without_blocks;
use onion_tests::queries::{KINDS, Queries, Segment, along, dot};
use onion_tests::random::Random;
use onion_tests::samples::{self, Brush, Shader};
use onion_tests::subject::HULLS;
use rayon::prelude::*;

use crate::fast::{Pair, bits, with_and_without};

/// Number of queries of each kind for each hull of a real map.
const QUERIES: Cases = Cases::new(2_000, 2_500);

impl Pair<'_> {
    /// Checks a segment in f64 without a margin and in f32 with one, and its ends one by one and in a batch.
    fn check_walk(&self, [start, end]: Segment) {
        let ([walk, reference], [hull, theirs]) = (&self.models, self.hulls);
        let exact = [(walk, hull), (reference, theirs)]
            .map(|(model, hull)| model.with_margin(0.0).trace(hull, start, end));
        assert_eq!(exact[0], exact[1], "{start:?} {end:?}");
        for point in [start, end] {
            let solidity = walk.solidity(point);
            assert_eq!(solidity, reference.solidity(point), "{point:?}");
            let solid = solidity.contains(hull.index());
            assert_eq!(walk.is_solid(hull, point), solid, "{point:?}");
        }

        let points = [start, end].map(|point| point.map(|component| component as f32));
        let [start, end] = points;
        let expected = reference.trace(theirs, start, end);
        let [ours, right] = [walk.trace(hull, start, end), expected].map(|trace| bits(&trace));
        assert!(ours == right, "{ours:?} {right:?} {start:?} {end:?}");
        let mut batch = [false; 2];
        walk.is_solid_batch(hull, &points, &mut batch);
        assert_eq!(batch, points.map(|point| reference.is_solid(theirs, point)));
        let mut batch = [HullSet::EMPTY; 2];
        walk.solidity_batch(&points, &mut batch);
        assert_eq!(batch, points.map(|point| reference.solidity(point)));
    }
}

/// Checks the points of a list for all hulls.
fn check_list([walk, reference]: &[OnionMap<Vec<u8>>; 2], points: &[[f32; 3]]) {
    let mut found = vec![HullSet::EMPTY; points.len()];
    walk.world().solidity_batch(points, &mut found);
    for (point, found) in points.iter().zip(&found) {
        let expected = reference.world().solidity(*point);
        assert_eq!(*found, expected, "{point:?}");
    }
    let mut is_solid = vec![false; points.len()];
    for hull in walk.hulls() {
        walk.world().is_solid_batch(hull.id, points, &mut is_solid);
        let mut answers = is_solid.iter().zip(&found);
        let is_alike = |(&one, all): (&bool, &HullSet)| one == all.contains(hull.id.index());
        assert!(answers.all(is_alike), "{}", hull.name);
    }
}

fn check_map(case: &Case, n_queries: usize) -> usize {
    let files = with_and_without(&case.unfilled().bytes);
    let mut n_checked = 0;
    for (index, hull) in files[0].hulls().enumerate() {
        let Some(queries) = Queries::new(case.world(0, hull.id)) else {
            continue;
        };
        let pair = Pair::new(&files, 0, index);
        let mut random = Random::new(index as u64 + 1);
        for kind in KINDS {
            for _ in 0..n_queries {
                let segment = queries.query(kind, &mut random);
                pair.check_walk(segment);
                // On whole numbers, where most planes are.
                pair.check_walk(segment.map(|end| end.map(f64::round)));
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
    let (onion, pairs) = (&files[0], [0, 1, 2].map(|hull| Pair::new(&files, 0, hull)));
    let Aabb { mins, maxs } = onion.world().bounds();
    let bounds = bounds.unwrap_or([mins, maxs].map(|corner| corner.map(f64::from)));
    let sloped = |plane: &PlaneRecord| plane.axis == 3;
    let planes: Vec<_> = onion.inspect().planes().filter(sloped).collect();
    let mut random = Random::new(11);
    let mut points = Vec::new();
    for number in 0..6_000 {
        let plane = &planes[random.below(planes.len())];
        let segment = [0, 1].map(|_| beside(plane, bounds, most, &mut random));
        pairs[number % HULLS.len()].check_walk(segment);
        points.extend(segment.map(|point| point.map(|at| at as f32)));
    }
    check_list(&files, &points);
}

#[test]
fn places_beside_planes_have_the_answers_of_the_reference() {
    for name in ["wedge", "patch_arch"] {
        let case = sample_case(name);
        let file = compiled(&case.map, &HULLS, |options| {
            options.grouping = Grouping::One
        });
        check_beside(&file.bytes, None, 4e-5);
    }
}

/// Around the origin rounding error is smallest; the slope of a bar and the slope of a column go through it.
#[test]
fn places_beside_planes_at_the_origin_have_the_answers_of_the_reference() {
    let mut map = samples::Map::new("origin", "Slopes through the origin");
    let bar = [[-64.0, -64.0], [64.0, -64.0], [64.0, 32.0], [-64.0, -32.0]];
    map.add(Shader::Wall, Brush::bar_y(&bar, -64.0, 64.0));
    let column = [[-64.0, 64.0], [-64.0, -48.0], [64.0, 48.0], [64.0, 64.0]];
    map.add(Shader::Wall, Brush::column(&column, -64.0, 64.0));
    let file = compiled(&made(&map), &HULLS, |options| {
        options.grouping = Grouping::One
    });
    check_beside(&file.bytes, Some([[-0.2; 3], [0.2; 3]]), 1e-6);
}

/// A place counts as on a plane up to 2^-31 units away from it, and not beyond.
#[test]
fn places_exactly_as_far_from_planes_as_touches_have_the_answers_of_the_reference() {
    let mut random = Random::new(5);
    for case in sample_cases() {
        let files = with_and_without(&case.unfilled().bytes);
        let pairs = [0, 1, 2].map(|hull| Pair::new(&files, 0, hull));
        let Aabb { mins, maxs } = files[0].world().bounds();
        let planes = files[0].inspect().planes();
        let axial: Vec<_> = planes.filter(|plane| plane.axis < 3).collect();
        for number in 0..10_000 {
            let plane = &axial[random.below(axial.len())];
            let mut at = random.point(mins.map(f64::from), maxs.map(f64::from));
            let sides = [1.0, -1.0, 1.5, -1.5].map(|side| side * 0.5f64.powi(31));
            at[plane.axis as usize] = plane.dist + sides[random.below(4)];
            let Pair { models, hulls } = &pairs[number % HULLS.len()];
            let [ours, right] = [0, 1].map(|file| models[file].is_solid(hulls[file], at));
            assert_eq!(ours, right, "{} {at:?}", case.name);
        }
    }
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
        let (whole, pairs) = (&files[0], [0, 1, 2].map(|hull| Pair::new(&files, 0, hull)));
        let planes: Vec<_> = whole.inspect().planes().collect();
        let Aabb { mins, maxs } = whole.world().bounds();
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
            pairs[number % HULLS.len()].check_walk(segment);
        }
    }
}

/// Makes boxes and wedges with corners at whole steps of 128 units from `origin` along each axis.
fn wedges(origin: f64, random: &mut Random) -> samples::Map {
    let mut map = samples::Map::new("wedges", "Boxes and wedges");
    for _ in 0..8 + random.below(20) {
        let [x, y, z] = [0; 3].map(|_| 128.0 * random.below(5) as f64 + origin);
        let [a, b, c] = [0; 3].map(|_| 8.0 * (1 + random.below(12)) as f64);
        let brush = match random.below(4) {
            0 => Brush::cuboid([x, y, z], [x + a, y + b, z + c]),
            1 => Brush::bar_y(&[[x, z], [x + a, z], [x, z + b]], y, y + c),
            2 => Brush::bar_x(&[[y, z], [y + a, z], [y + 8.0, z + b]], x, x + c),
            _ => Brush::column(&[[x, y], [x - a, y], [x, y - b]], z, z - c),
        };
        map.add(Shader::Wall, brush);
    }
    map
}

/// Returns the place where three planes meet, and the directions of the lines where two of them do, or `None` if two
/// are nearly parallel.
fn corner(planes: [&PlaneRecord; 3]) -> Option<([f64; 3], [[f64; 3]; 3])> {
    let [a, b, c] = planes.map(normal);
    let lines = [cross(b, c), cross(c, a), cross(a, b)];
    let volume = dot(a, lines[0]);
    let parts = [0, 1, 2].map(|at| planes[at].dist / volume);
    let place = [0, 1, 2].map(|axis| (0..3).map(|at| parts[at] * lines[at][axis]).sum());
    (volume.abs() > 0.05).then_some((place, lines))
}

/// Short segments end at corners and close to edges near them, at places where one plane has more of a face than
/// another. Half of the maps have their faces in the borders of blocks.
#[test]
fn passing_corners_has_the_answers_of_the_reference() {
    for seed in 0..12 {
        let mut random = Random::new(seed);
        let origin = [0.0, 177.0 / 64.0][seed as usize % 2];
        let files = loaded_twice(&wedges(origin, &mut random), "stand:16x56");
        let pairs = [0, 1].map(|hull| Pair::new(&files, 0, hull));
        let planes: Vec<_> = files[0].inspect().planes().collect();
        for number in 0..100_000 {
            let three = [0; 3].map(|_| &planes[random.below(planes.len())]);
            let Some((place, lines)) = corner(three) else {
                continue;
            };
            let beside = [0.0, 0.5f64.powi(random.below(30) as i32 - 3)][random.below(2)];
            let place = along(place, lines[random.below(3)], beside);
            let near = 0.5f64.powi(18 + random.below(24) as i32);
            let place = along(place, random.point([-1.0; 3], [1.0; 3]), near);
            let length = 0.5f64.powi(random.below(26) as i32 - 9);
            let way = match random.below(4) {
                0 => lines[random.below(3)].map(|at| at * length),
                _ => random.point([-length; 3], [length; 3]),
            };
            let ends = [[-1.0, 1.0], [-1.0, 0.0], [0.0, 1.0], [-1.0, 0.001]][number % 4];
            let [start, end] = ends.map(|share| along(place, way, share));
            let Pair { models, hulls } = &pairs[number / 4 % 2];
            let [ours, right] = [0, 1].map(|file| {
                let free = models[file].with_margin(0.0);
                let traces =
                    [&free, &models[file]].map(|model| model.trace(hulls[file], start, end));
                traces.map(|trace| bits(&trace))
            });
            assert!(
                ours == right,
                "{seed}: {ours:?} {right:?} {start:?} {end:?}"
            );
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
            Shader::Wall,
            Brush::bar_y(&outline, 2.0 * at, 2.0 * at + 16.0),
        );
    }
    let file = compiled(&made(&map), &["point:point"], |_| ()).bytes;
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
    let hulls = many_hulls(10, |hull| {
        format!("h{hull}:{}x{}", 4 + 4 * hull, 16 + 6 * hull)
    });
    let case = Case::new("ten hulls", &sample_case("room").bytes, &hulls, "one");
    assert!(check_map(&case, 500) > 0);
}

/// Invalid points, points too far away, and batches of all lengths.
#[test]
fn batches_have_the_answers_of_single_points() {
    let onion = loaded(&sample_case("room").map, &HULLS);
    let (world, hull) = (onion.world(), onion.find_hull("stand").unwrap());
    let mut random = Random::new(7);
    let mut points: Vec<[f32; 3]> = (0..40)
        .map(|_| random.point([-600.0; 3], [600.0; 3]).map(|at| at as f32))
        .collect();
    for (at, strange) in [(3, f32::NAN), (9, f32::INFINITY), (17, 1e30), (30, 2e9)] {
        points[at][at % 3] = strange;
    }
    for length in 0..points.len() {
        let (points, all) = (&points[..length], &points);
        let expected: Vec<bool> = points.iter().map(|&at| world.is_solid(hull, at)).collect();
        let mut solid = vec![false; length];
        world.is_solid_batch(hull, points, &mut solid);
        assert_eq!(solid, expected);
        // Fewer places for answers than points.
        let mut fewer = vec![false; length / 2];
        world.is_solid_batch(hull, points, &mut fewer);
        assert_eq!(fewer, expected[..length / 2]);
        let expected = points.iter().map(|&point| world.solidity(point));
        let mut solidity = vec![HullSet::FULL; length];
        world.solidity_batch(all, &mut solidity);
        assert_eq!(solidity, expected.collect::<Vec<_>>());
    }
}

/// Queries extend 2^30 units along each axis. A coordinate slightly farther away is rounded to that in single
/// precision, and is outside all the same: solid, as is the whole of a segment with such an end.
#[test]
fn what_is_a_little_too_far_away_is_outside() {
    const FARTHEST: f64 = (1u32 << 30) as f64;
    let mut map = samples::Map::new("beside", "A block beside the origin");
    map.cuboid(Shader::Wall, [-96.0, -32.0, -32.0], [-64.0, 32.0, 32.0]);
    let compiled = compiled(&made(&map), &HULLS, |_| ());
    for file in [&compiled.bytes, &without_blocks(&compiled.bytes)] {
        let onion = OnionMap::from_bytes(file).unwrap();
        let (world, hull) = (onion.world(), onion.find_hull("point").unwrap());
        for axis in 0..3 {
            for (far, is_outside) in [(FARTHEST, false), (FARTHEST + 1.0, true)] {
                let mut end = [0.0; 3];
                end[axis] = far;
                let trace = world.trace(hull, [0.0; 3], end);
                let flags = [trace.start_solid, trace.all_solid];
                assert_eq!(flags, [is_outside; 2], "{trace:?}");
                assert_eq!(trace.fraction, if is_outside { 0.0 } else { 1.0 });
                assert_eq!(world.is_solid(hull, end), is_outside, "{end:?}");
            }
        }
    }
}

/// Loads the file of a map, for a point and for another hull, and the same file without its blocks.
fn loaded_twice(map: &samples::Map, hull: &str) -> [OnionMap<Vec<u8>>; 2] {
    let file = compiled(&made(map), &["point:point", hull], |options| {
        options.grouping = Grouping::One
    });
    with_and_without(&file.bytes)
}

/// Faces of blocks are 128 units apart and go through 177/64, so they hold the sides of columns for a hull that extends
/// that far beyond its origin. Places on a side touch it from either block, and places inside are solid. A segment
/// along a side only touches it.
#[test]
fn solid_that_ends_at_the_border_of_blocks_is_touched_there() {
    const REACH: f64 = 177.0 / 64.0;
    let mut map = samples::Map::new("columns", "Columns that end at borders");
    map.cuboid(Shader::Floor, [0.0, 0.0, -160.0], [1024.0, 1024.0, 0.0]);
    let steps = (1..=6).map(|step| 128.0 * f64::from(step));
    let places: Vec<[f64; 2]> = (steps.clone())
        .flat_map(|x| steps.clone().map(move |y| [x, y]))
        .collect();
    for &[x, y] in &places {
        map.cuboid(Shader::Wall, [x - 32.0, y - 24.0, 0.0], [x, y, 128.0]);
    }
    let hull = format!("odd:mins=-{REACH},-{REACH},-{REACH}:maxs=4,4,4");
    for onion in loaded_twice(&map, &hull) {
        let hull = onion.find_hull("odd").unwrap();
        let is_solid = |at: [f64; 3]| onion.world().is_solid(hull, at);
        for [x, y] in &places {
            let [x, y] = [x + REACH, y + REACH];
            for side in [
                [x, y - 9.0, 50.0],
                [x - 9.0, y, 50.0],
                [x - 9.0, y - 9.0, 128.0 + REACH],
            ] {
                assert!(!is_solid(side), "{side:?}");
                assert!(is_solid(side.map(|at| at - 0.001)), "{side:?}");
            }
            // Along a side, and within rounding of it.
            for (off, z) in [(0.0, 50.0), (2e-11, 50.0), (-2e-11, 40.0)] {
                let [near, far] = [64.0, -64.0].map(|way| [x + off, y + way, z]);
                for (start, end) in [(near, far), (far, near)] {
                    let trace = onion.world().trace(hull, start, end);
                    assert_eq!(trace.fraction, 1.0, "{trace:?}");
                }
            }
        }
    }
}

/// Makes two slabs on top of each other, of which the lower one sticks out along y: their common plane z = 0 is a plane
/// of the tree. `lefts` are the left ends of the upper and of the lower slab, and both end at `right`.
fn slabs(lefts: [f64; 2], right: f64) -> samples::Map {
    let mut map = samples::Map::new("slabs", "Slabs on top of each other");
    let [upper, lower] = lefts;
    map.cuboid(Shader::Wall, [upper, -32.0, 0.0], [right, 32.0, 64.0]);
    map.cuboid(Shader::Wall, [lower, -48.0, -64.0], [right, 48.0, 0.0]);
    map
}

/// A stretch of solid that is shorter than 2^-24 units is passed, also right after the start; a longer one is not.
#[test]
fn thin_slabs_are_passed_in_a_plane_of_the_tree() {
    const STEP: f64 = 1.0 / (1u64 << 27) as f64;
    for (thickness, is_passed) in [(5.0, true), (7.0, true), (9.0, false), (1e6, false)] {
        for onion in loaded_twice(&slabs([0.0; 2], thickness * STEP), "stand:16x56") {
            let hull = onion.find_hull("point").unwrap();
            for before in [1.0, 7.0, 64.0, 1e7] {
                let world = onion.world().with_margin(0.0);
                let trace = world.trace(hull, [-before * STEP, 0.0, 0.0], [1.0, 0.0, 0.0]);
                let passes = trace.plane.is_none() && trace.fraction == 1.0;
                assert_eq!(passes, is_passed, "{thickness} {before}: {trace:?}");
            }
        }
    }
}

/// In their common plane, solid begins where the second slab does: of two planes that are nearly met at once, the one
/// that ends the empty stretch is named.
#[test]
fn in_a_plane_of_the_tree_solid_begins_at_the_second_slab() {
    const APART: f64 = 1.0 / (1u64 << 28) as f64;
    for lefts in [[0.0, APART], [APART, 0.0]] {
        for onion in loaded_twice(&slabs(lefts, 64.0), "stand:16x56") {
            let hull = onion.find_hull("point").unwrap();
            let trace = onion.world().trace(hull, [-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
            assert_eq!(trace.hit_fraction, (1.0 + APART) / 2.0, "{lefts:?}");
            let plane = trace.plane.unwrap();
            assert_eq!((plane.normal, plane.dist), ([-1.0, 0.0, 0.0], -APART));
        }
    }
}
