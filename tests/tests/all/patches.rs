//! Pieces that stand for patches: no point of the true surface is farther from them than the error, no point of them
//! is farther than the error in front of it, and few pieces represent a large surface. The tests' own code evaluates
//! the surface.

use glam::DVec3;
use onion_compiler::CompileOptions;
use onion_compiler::brush;
use onion_compiler::brush::patch_coverage;
use onion_compiler::error::CompileError;
use onion_geometry::{Bounds, Cell, ExactPlane, PlaneSet};
use onion_maps::{Patch, patch};
use onion_runtime::Aabb;
use onion_tests::bezier::{Bezier, Kind, map_text};
use onion_tests::cases::all_cases;
use onion_tests::effort::Cases;
use onion_tests::fixtures::loaded;
use onion_tests::random::Random;
use onion_tests::subject;
use rayon::prelude::*;

/// Number of random patches of all kinds.
const RANDOM: Cases = Cases::new(180, 900);

/// Numbers of random patches that had pieces too far in front, at folds, borders and corners.
const MENDED: [usize; 7] = [1602, 4079, 5631, 5820, 6504, 6791, 7395];

/// Limit on the cells of a random patch: with more, a test takes minutes.
const MOST: usize = 1 << 9;

/// Number of samples along each side of a span.
const SAMPLES: usize = 8;

/// Thickness of a piece, in units.
const THICKNESS: f64 = 1.0;

/// Points of a patch are rounded to 2^-16 units, and planes are moved outward by less than this, in units.
const ROUNDING: f64 = 1e-3;

/// A piece as a solid: planes, corners, and the corners of a box around it.
struct Solid {
    planes: Vec<(DVec3, f64)>,
    corners: Vec<DVec3>,
    bounds: [DVec3; 2],
}

/// Patches of every kind, turned and scaled, with whole and fractional coordinates, at coarse and fine errors.
#[test]
fn random_patches_keep_within_the_error() {
    let numbers = (0..RANDOM.count()).chain(MENDED).collect::<Vec<_>>();
    let wrong = numbers.into_par_iter().filter_map(|number| {
        let kind = Kind::ALL[number % Kind::ALL.len()];
        let error = [4.0, 1.0, 0.25, 8.0][number / Kind::ALL.len() % 4];
        let columns = kind.columns(&mut Random::new(number as u64));
        let map = subject::parse(map_text(&[columns]).as_bytes());
        let patch = &map.models[0].patches[0];
        // Some bend too much for the limit on pieces.
        let pieces = patch::pieces(patch, error, MOST)?;
        let what = check(patch, &pieces, error)?;
        Some(format!("{kind:?} {number} at {error}: {what}"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn patches_of_maps_keep_within_the_error() {
    let mut n_patches = 0;
    for case in all_cases() {
        let (name, models) = (&case.name, &case.map.models);
        let patches: Vec<&Patch> = models.iter().flat_map(|model| &model.patches).collect();
        for error in [4.0, 1.0] {
            let wrong = patches.par_iter().find_map_first(|patch| {
                let what = check(patch, &pieces_of(patch, error), error)?;
                Some(format!("{name} {} at {error}: {what}", patch.number))
            });
            assert_eq!(wrong, None);
        }
        n_patches += patches.len();
    }
    assert!(
        n_patches >= 8,
        "the sample maps alone have 8 patches, not {n_patches}"
    );
}

/// Control points of tubes and trays along the axes, and a line of the surface of each at which a small box must meet
/// something: the middles of all sides.
#[test]
fn flat_sides_at_right_angles_are_all_there() {
    const TUBE: [[f64; 2]; 9] = [
        [0.0, 0.0],
        [32.0, 0.0],
        [64.0, 0.0],
        [64.0, 32.0],
        [64.0, 64.0],
        [32.0, 64.0],
        [0.0, 64.0],
        [0.0, 32.0],
        [0.0, 0.0],
    ];
    const TRIANGLE: [[f64; 2]; 7] = [
        [0.0, 0.0],
        [32.0, 0.0],
        [64.0, 0.0],
        [32.0, 32.0],
        [0.0, 64.0],
        [0.0, 32.0],
        [0.0, 0.0],
    ];
    for outline in [&TUBE[..], &TUBE[..7], &TRIANGLE] {
        let column = |at: &[f64; 2]| {
            [0.0, 64.0, 128.0]
                .map(|z| DVec3::new(at[0], at[1], z))
                .to_vec()
        };
        let map = subject::parse(map_text(&[outline.iter().map(column).collect()]).as_bytes());
        let file = loaded(&map, &["c:mins=-5,-5,-5:maxs=5,5,5"]);
        let hull = file
            .require_hull("c", Aabb::new([-5.0; 3], [5.0; 3]))
            .unwrap();
        for side in outline.iter().skip(1).step_by(2) {
            let at = [side[0] as f32, side[1] as f32, 64.0];
            assert!(file.world().is_solid(hull, at), "{at:?} of {outline:?}");
        }
    }
}

/// Without one of its pieces, a patch is uncovered somewhere, and the compiler detects it.
#[test]
fn a_dropped_piece_is_found() {
    let columns = Kind::Wave.columns(&mut Random::new(1));
    let map = subject::parse(map_text(&[columns]).as_bytes());
    let mut planes = PlaneSet::default();
    let brushes = brush::build(&map, 1.0, &mut planes, &mut Vec::new()).unwrap();
    let options = CompileOptions {
        patch_error: 1.0,
        ..CompileOptions::new(Vec::new())
    };
    patch_coverage::prove(&map, &brushes, &options, &planes).unwrap();
    assert!(brushes[0].len() > 2);
    for dropped in 0..brushes[0].len() {
        let mut fewer = brushes.clone();
        fewer[0].remove(dropped);
        let found = patch_coverage::prove(&map, &fewer, &options, &planes);
        assert!(
            matches!(found, Err(CompileError::BarePatch(_))),
            "{dropped}"
        );
    }
}

/// Returns the pieces of a patch without a limit on their number; empty for a patch without an area.
fn pieces_of(patch: &Patch, error: f64) -> Vec<Vec<ExactPlane>> {
    match brush::left_out_patch(patch) {
        Some(_) => Vec::new(),
        None => patch::pieces(patch, error, usize::MAX).unwrap(),
    }
}

/// Returns an error in the pieces of a patch, or `None` if they are correct.
fn check(patch: &Patch, pieces: &[Vec<ExactPlane>], error: f64) -> Option<String> {
    if brush::left_out_patch(patch).is_some() {
        return None;
    }
    let solids: Vec<Solid> = pieces
        .iter()
        .filter_map(|planes| Solid::new(planes))
        .collect();
    let bezier = Bezier::new(patch, SAMPLES);
    let bare = bezier.points().find_map(|point| {
        let is_near = |solid: &&Solid| solid.outside(point) <= error + ROUNDING;
        let is_covered = solids.iter().any(|solid| is_near(&solid));
        (!is_covered).then(|| format!("the surface at {point} is farther from every piece"))
    });
    let mut random = Random::new(patch.points.len() as u64);
    bare.or_else(|| {
        solids
            .iter()
            .find_map(|solid| solid.misplaced(&bezier, error, &mut random))
    })
}

impl Solid {
    fn new(planes: &[ExactPlane]) -> Option<Self> {
        let mut set = PlaneSet::default();
        let limit = DVec3::splat(65_536.0);
        let world = Bounds {
            mins: -limit,
            maxs: limit,
        };
        let world = world.insert_planes(&mut set);
        let ids: Vec<_> = planes.iter().map(|&plane| set.insert(plane)).collect();
        let cell = Cell::from_planes(&set, world, ids)?;
        let corners: Vec<DVec3> = cell
            .vertices()
            .iter()
            .map(|vertex| vertex.position)
            .collect();
        Some(Self {
            planes: cell
                .planes()
                .map(|id| (set[id].normal, set[id].dist))
                .collect(),
            bounds: [
                corners.iter().fold(DVec3::INFINITY, |low, at| low.min(*at)),
                corners
                    .iter()
                    .fold(DVec3::NEG_INFINITY, |high, at| high.max(*at)),
            ],
            corners,
        })
    }

    /// Returns a lower bound on the distance of a point outside.
    fn outside(&self, point: DVec3) -> f64 {
        let [low, high] = self.bounds;
        let off = (low - point).max(point - high).max_element().max(0.0);
        let planes = self.planes.iter();
        planes
            .map(|(normal, dist)| normal.dot(point) - dist)
            .fold(off, f64::max)
    }

    /// Returns a point that is too far in front of the surface, or behind it: a corner, the middle between two, or a
    /// random point.
    fn misplaced(&self, bezier: &Bezier, error: f64, random: &mut Random) -> Option<String> {
        const INSIDE: usize = 30;
        /// Least cosine between a direction in front of the surface and the normal: above rounding error.
        const AHEAD: f64 = 1e-6;
        let mut any = || self.corners[random.below(self.corners.len())];
        let pairs: Vec<DVec3> = (0..INSIDE).map(|_| any().midpoint(any())).collect();
        let inner: Vec<DVec3> = (0..INSIDE).map(|_| (any() + any() + any()) / 3.0).collect();
        let deepest = 3.0 * error + 4.0 * THICKNESS;
        self.corners
            .iter()
            .chain(&pairs)
            .chain(&inner)
            .find_map(|&point| {
                let (place, distance) = bezier.nearest(point, error);
                let ahead = |place| bezier.normal(place).dot(point - bezier.point(place));
                if distance <= error || (distance <= deepest && ahead(place) < -0.3 * distance) {
                    return None;
                }
                let is_ahead = ahead(place) > AHEAD * distance;
                let most = if is_ahead { error } else { deepest };
                let where_ = if is_ahead { "in front" } else { "behind" };
                let what =
                    || format!("{point} in a piece is {distance} units {where_} of the surface");
                (distance > most + ROUNDING).then(what)
            })
    }
}

/// A patch with an edge that is a single point, like the tip of a cone.
#[test]
fn a_patch_with_a_collapsed_edge_is_there() {
    let fan = patch_of([3, 3], [0.0, 0.0, 1.0], |x, y| {
        [(x - 1.0) * 50.0 * y, 50.0 * y, 0.0]
    });
    let pieces = pieces_of(&fan, 1.0);
    let pieces: Vec<Solid> = pieces
        .iter()
        .filter_map(|piece| Solid::new(piece))
        .collect();
    for (at, is_there) in [
        (DVec3::new(0.0, 50.0, -0.0625), true),
        (DVec3::new(40.0, 90.0, -0.0625), true),
        (DVec3::new(60.0, 50.0, -0.0625), false),
    ] {
        let found = pieces.iter().any(|piece| piece.outside(at) <= 0.0);
        assert_eq!(found, is_there, "{at} in {} pieces", pieces.len());
    }
}

/// A flat sheet of many spans is one plate, and so is a disc, whatever its outline needs.
#[test]
fn a_flat_patch_is_one_piece() {
    let up = [0.0, 0.0, 1.0];
    let sheet = patch_of([9, 5], up, |x, y| [32.0 * x, 48.0 * y, 16.0]);
    assert_eq!(pieces_of(&sheet, 4.0).len(), 1);
    let tilted = patch_of([5, 5], up, |x, y| [32.0 * x, 48.0 * y, 7.0 * x - 3.0 * y]);
    assert_eq!(pieces_of(&tilted, 4.0).len(), 1);
}

/// A flat piece extends 1/128 units beyond the border on all sides, so that the pieces of two patches overlap there.
#[test]
fn flat_pieces_reach_over_the_border() {
    const REACH: f64 = 1.0 / 128.0;
    let sheet = patch_of([3, 3], [0.0, 0.0, 1.0], |x, y| [32.0 * x, 48.0 * y, 16.0]);
    let pieces = pieces_of(&sheet, 4.0);
    let [low, high] = Solid::new(&pieces[0]).unwrap().bounds;
    let [mins, maxs] = [DVec3::new(0.0, 0.0, 15.0), DVec3::new(64.0, 96.0, 16.0)];
    let over = DVec3::new(REACH, REACH, 0.0);
    let [mins, maxs] = [mins - over, maxs + over];
    let near = |found: DVec3, right: DVec3| (found - right).abs().max_element() < REACH / 256.0;
    assert!(near(low, mins) && near(high, maxs), "{low} to {high}");
}

/// The corner between two walls and an arch, as maps close bevels: an arch that bends inward takes the fewest chords
/// within the error, and no piece extends farther over the arch.
#[test]
fn a_flat_corner_behind_an_arch_is_a_piece_for_each_chord() {
    const SIZE: f32 = 64.0;
    const ERROR: f64 = 4.0;
    let arch = [[SIZE, 0.0], [0.0, 0.0], [0.0, SIZE]];
    let corner = patch_of([3, 3], [0.0, 0.0, 1.0], |x, y| {
        let [across, up] = arch[x as usize];
        [across * y / 2.0, up * y / 2.0, 8.0]
    });
    let pieces = pieces_of(&corner, ERROR);
    // The arch is off its chord by 64 / 8^0.5 units, so that 3 chords are off by a ninth of that, 2.5, and 2 by 5.7.
    assert_eq!(pieces.len(), 3);
    let surface = Bezier::new(&corner, 100);
    for solid in pieces.iter().filter_map(|piece| Solid::new(piece)) {
        for vertex in solid.corners {
            let flat = vertex.with_z(8.0);
            assert!(surface.nearest(flat, 0.0).1 <= ERROR, "{vertex}");
            assert!(vertex.z <= 8.0 + ROUNDING && vertex.z >= 8.0 - THICKNESS - ROUNDING);
        }
    }
}

/// A sheet that is bent across the whole world needs thousands of cells: a limit stops the division itself, not a
/// later step.
#[test]
fn a_limit_ends_the_division() {
    let mut random = Random::new(3);
    let huge = patch_of([9, 9], [0.0, 0.0, 1.0], |x, y| {
        [x * 4000.0, y * 4000.0, random.between(-3e4, 3e4) as f32]
    });
    assert!(patch::pieces(&huge, 4.0, 1000).is_none());
}

/// A vault has pieces along its arch alone, whatever its number of spans lengthwise, and at most a quarter more than
/// the fewest chords within the error.
#[test]
fn straight_directions_are_not_divided() {
    // A parabola that rises by 64: n equal chords are off by 64 / n^2, so that 4, 8 and 16 would just do.
    let arch = [[0.0, 0.0], [128.0, 128.0], [256.0, 0.0]];
    for (error, most) in [(4.0, 5), (1.0, 10), (0.25, 20)] {
        let vault = patch_of([3, 9], [0.0, 0.0, -1.0], |x, y| {
            let [across, up] = arch[x as usize];
            [across, 100.0 * y, up]
        });
        let n_pieces = pieces_of(&vault, error).len();
        assert!(
            n_pieces <= most,
            "{n_pieces} pieces for an error of {error}"
        );
    }
}

/// Makes a patch through points given by a function of column and row, visible from the side that `normal` points to.
fn patch_of(
    size: [usize; 2],
    normal: [f32; 3],
    mut point: impl FnMut(f32, f32) -> [f32; 3],
) -> Patch {
    let [width, height] = size;
    let places = (0..height).flat_map(|row| (0..width).map(move |column| (column, row)));
    let points: Vec<_> = places
        .map(|(column, row)| point(column as f32, row as f32))
        .collect();
    Patch {
        number: 0,
        contents: 1,
        surface: 0,
        width,
        height,
        normals: vec![normal; points.len()],
        points,
    }
}
