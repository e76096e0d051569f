//! Expanded brushes against the oracle's Minkowski sum, which uses another method: the volumes agree, and every
//! vertex of each is inside the other, for random convex brushes and all brushes of maps.

use glam::DVec3;
use onion_compiler::brush::bevel::bevels;
use onion_compiler::brush::{self, BrushSource};
use onion_compiler::expand::expand;
use onion_compiler::hull::{HullEdges, HullSpec};
use onion_geometry::grid::DIST_ONE;
use onion_geometry::plane::exact_normal;
use onion_geometry::{Cell, Location, PlaneSet};
use onion_maps::{Halfspace, Map, MapBrush, MapModel};
use onion_tests::cases::{all_cases, prism_cases};
use onion_tests::effort::Cases;
use onion_tests::fixtures::assert_none_wrong;
use onion_tests::oracle::{self, Expanded, Plane};
use onion_tests::random::Random;
use onion_tests::solid::{map_brush, map_of, random_planes};
use onion_tests::subject;
use rayon::prelude::*;

const HULLS: [&str; 4] = [
    "stand:16x56",
    "crouch:16x32",
    "point:point",
    "odd:mins=-3,-20,-1:maxs=7,4,90",
];

/// Hulls that are flat along axes, and a point off its origin.
const FLAT: [&str; 4] = [
    "plate:mins=-16,-16,0:maxs=16,16,0",
    "pane:mins=0,-20,-1:maxs=0,4,90",
    "line:mins=0,0,-24:maxs=0,0,32",
    "high:mins=0,0,8:maxs=0,0,8",
];

/// A hull whose corners are odd multiples of the smallest steps.
const FINE: [&str; 1] =
    ["fine:mins=-3.00048828125,-20.00048828125,-1:maxs=7,4.00146484375,90.00048828125"];

/// Largest distance of a vertex of one outside the other, in units. Planes computed by the compiler are rounded
/// outward by at most a tilt of 2^-30 over the brush.
const OUTSIDE: f64 = 1e-5;

/// Largest difference of the volumes, as a thickness over the surface, in units.
const MARGIN: f64 = 2e-6;

const RANDOM_BRUSHES: Cases = Cases::new(2_500, 20_000);

/// Number of sums of random brushes and prisms.
const PRISM_CASES: Cases = Cases::new(4_000, 100_000);

#[test]
fn random_brushes_expand_to_their_minkowski_sums() {
    let mut random = Random::new(2);
    let brushes =
        (0..RANDOM_BRUSHES.count()).map(|number| map_brush(number, &random_planes(&mut random)));
    let map = Map {
        models: vec![MapModel {
            brushes: brushes.collect(),
            ..MapModel::default()
        }],
        ..Map::default()
    };
    for hulls in [HULLS, FLAT] {
        let n_compared = compare(&map, "random", &subject::hulls(&hulls));
        assert!(
            n_compared > 4 * RANDOM_BRUSHES.count() * 9 / 10,
            "{n_compared}"
        );
    }
}

/// Prisms of 8, 16 and 32 sides around and within cylinders of random sizes, and random ones, each expanding some
/// brushes.
#[test]
fn random_brushes_expand_by_prisms() {
    const BRUSHES: usize = 100;
    let mut random = Random::new(5);
    let (mut n_compared, mut n_batches) = (0, 0);
    while n_batches * BRUSHES * 4 < PRISM_CASES.count() {
        let mut hulls = vec![];
        for (sides, place) in [
            ([8, 16, 32][n_batches % 3], ""),
            ([16, 32, 8][n_batches % 3], ":within"),
        ] {
            let size = 10f64.powf(random.between(-0.5, 2.0));
            let option = format!(
                "h{sides}:cylinder:{size}x{}:sides={sides}{place}",
                2.0 * size
            );
            hulls.extend(subject::hulls(&[&option]));
        }
        let size = 10f64.powf(random.between(-0.5, 2.0));
        hulls.extend(["a", "b"].map(|name| subject::random_prism(name, size, &mut random)));
        let brushes = (0..BRUSHES).map(|number| map_brush(number, &random_planes(&mut random)));
        let map = Map {
            models: vec![MapModel {
                brushes: brushes.collect(),
                ..MapModel::default()
            }],
            ..Map::default()
        };
        n_compared += compare(&map, &format!("batch {n_batches}"), &hulls);
        n_batches += 1;
    }
    println!("{n_compared} sums of brushes and prisms");
    assert!(n_compared > PRISM_CASES.count() * 9 / 10, "{n_compared}");
}

/// Exact, and so more precise than the oracle: no corner of a brush is in front of its bevels.
#[test]
fn bevels_hold_every_corner_exactly() {
    let mut random = Random::new(2);
    let mut n_corners = 0;
    for _ in 0..500 {
        let map = map_of(&random_planes(&mut random));
        let mut set = PlaneSet::default();
        let Ok(models) = brush::build(&map, 4.0, &mut set, &mut Vec::new()) else {
            continue;
        };
        for brush in &models[0] {
            let prism = subject::random_prism("prism", 30.0, &mut random);
            for bevel in bevels(&set, &brush.cell, &HullEdges::of_all(&[prism])) {
                let plane = set.insert(bevel);
                let corners = brush.cell.vertices().iter();
                let ahead = corners
                    .filter(|corner| corner.locate(&set, plane) == Location::Front)
                    .count();
                assert_eq!(ahead, 0, "{bevel:?}");
                n_corners += brush.cell.vertices().len();
            }
        }
    }
    assert!(n_corners > 10_000, "{n_corners}");
}

/// A plane moves outward by the least whole step that is not below the required distance: exactly, in units of 2^-41,
/// for normals in steps of 2^-30 and corners in steps of 2^-11.
#[test]
fn planes_move_outward_by_the_least_step_that_is_enough() {
    const STEP: i128 = 1 << (41 - 36);
    let mut random = Random::new(4);
    let mut n_rounded = 0;
    for hull in subject::hulls(&[&HULLS[..], &FINE, &subject::PRISMS].concat()) {
        let summand = subject::summand_of(&hull);
        for _ in 0..1_000 {
            let normal = [0, 1, 2].map(|_| random.below(1 << 31) as i64 - (1 << 30));
            let along = |corner: &[f64; 3]| -> i128 {
                let part = |axis: usize| i128::from(normal[axis]) * (corner[axis] * 2048.0) as i128;
                (0..3).map(part).sum()
            };
            let reach = summand.corners().iter().map(along).max().unwrap();
            let moved = STEP * i128::from(hull.support(&normal.into()));
            assert!(moved >= reach, "{normal:?} {hull:?}");
            assert!(moved - STEP < reach, "{normal:?} {hull:?}");
            n_rounded += usize::from(moved != reach);
        }
    }
    assert!(n_rounded > 500, "{n_rounded}");
}

#[test]
fn map_brushes_expand_to_their_minkowski_sums() {
    let boxes = all_cases().map(|case| (case, subject::hulls(&HULLS)));
    let prisms = prism_cases().iter();
    for (case, hulls) in boxes.chain(prisms.map(|case| (case, case.hulls.clone()))) {
        let name = &case.name;
        let n_compared = compare(&case.map, name, &hulls);
        assert!(n_compared > 0, "{name}");
    }
}

/// Compares every expanded brush of a map with the oracle's, and returns the number of comparisons.
fn compare(map: &Map, name: &str, hulls: &[HullSpec]) -> usize {
    let mut set = PlaneSet::default();
    let mut all = hulls.to_vec();
    for hull in &mut all {
        hull.contents = u32::MAX;
    }
    let models = brush::build(map, 4.0, &mut set, &mut Vec::new()).unwrap();
    let (solids, cells) = expand(&models, &all, &mut set);
    let mut n_compared = 0;
    for (model, (brushes, solids)) in models.iter().zip(&solids).enumerate() {
        for ((hull, solid), cells) in hulls.iter().zip(solids).zip(&cells[model]) {
            let wrong: Vec<String> = solid
                .brushes
                .par_iter()
                .zip(cells)
                .filter_map(|(expanded, cell)| {
                    let source = brushes[expanded.brush.index()].source;
                    let BrushSource::Brush(number) = source else {
                        return None;
                    };
                    let original = &map.models[model].brushes;
                    let original = original.iter().find(|brush| brush.number == number)?;
                    let truth = oracle_sum(original, hull);
                    let place = format!("{name} {source} {}", hull.name);
                    match truth {
                        Some(truth) => difference(&set, cell, &truth, &place),
                        None => Some(format!("{place}: the oracle finds it empty")),
                    }
                })
                .collect();
            let place = format!("{name} {}", hull.name);
            assert_none_wrong(&place, &wrong);
            n_compared += solid.brushes.len();
        }
    }
    n_compared
}

fn oracle_sum(brush: &MapBrush, hull: &HullSpec) -> Option<Expanded> {
    let planes = brush.sides.iter().filter_map(|side| match side.halfspace {
        Halfspace::Behind(plane) => {
            let normal = exact_normal(&plane.normal).to_array();
            Some((normal, plane.dist as f64 / DIST_ONE as f64))
        }
        Halfspace::World | Halfspace::Nothing => None,
    });
    let planes: Vec<Plane> = planes.collect();
    oracle::expand_by(&planes, &subject::summand_of(hull))
}

fn difference(set: &PlaneSet, expanded: &Cell, truth: &Expanded, place: &str) -> Option<String> {
    let ours: Vec<DVec3> = expanded
        .vertices()
        .iter()
        .map(|vertex| vertex.position)
        .collect();
    let theirs = truth
        .vertices
        .iter()
        .map(|vertex| DVec3::from_array(*vertex));
    let own_planes = expanded
        .planes()
        .map(|plane| (set[plane].normal, set[plane].dist));
    let own_planes: Vec<_> = own_planes.collect();
    let outside_ours = theirs
        .flat_map(|vertex| {
            own_planes
                .iter()
                .map(move |(normal, dist)| normal.dot(vertex) - dist)
        })
        .fold(f64::NEG_INFINITY, f64::max);
    let outside_theirs = ours
        .iter()
        .flat_map(|vertex| {
            let ahead = |plane: &Plane| DVec3::from_array(plane.0).dot(*vertex) - plane.1;
            truth.planes.iter().map(ahead)
        })
        .fold(f64::NEG_INFINITY, f64::max);
    let (volume, surface) = volume_and_surface(expanded);
    let volume_off = (volume - truth.volume).abs() / surface;
    (outside_ours > OUTSIDE || outside_theirs > OUTSIDE || volume_off > MARGIN).then(|| {
        format!(
            "{place}: the oracle's vertices are outside by {outside_ours:e}, ours by \
             {outside_theirs:e}; volumes {volume} and {} differ by a margin of {volume_off:e}",
            truth.volume
        )
    })
}

fn volume_and_surface(expanded: &Cell) -> (f64, f64) {
    let hub = expanded.vertices()[0].position;
    let mut six_volumes = 0.0;
    let mut surface = 0.0;
    for winding in expanded.windings() {
        let corner = |at: usize| winding.corners[at].position - hub;
        let mut twice_area = DVec3::ZERO;
        for at in 2..winding.corners.len() {
            let [a, b, c] = [corner(0), corner(at - 1), corner(at)];
            six_volumes += a.dot(b.cross(c));
            twice_area += (b - a).cross(c - a);
        }
        surface += twice_area.length() / 2.0;
    }
    (six_volumes / 6.0, surface)
}
