//! Pieces that stand for patches: near to the true surface on both counts (no part of the surface is far from a
//! piece, no piece reaches far in front of the surface), behind its visible side, without gaps, and few.

use glam::DVec3;
use onion_tests::effort::Cases;
use onion_tests::maps::real_maps;
use onion_tests::random::Random;
use onion_tests::{samples, subject};
use onionc::geometry::Bounds;
use onionc::geometry::{Cell, Plane, PlaneSet};
use onionc::map::{Patch, patch};
use rayon::prelude::*;

/// Patches that are turned at random.
const TURNED: Cases = Cases::new(30, 300);

/// Patches that end in a point.
const FANS: Cases = Cases::new(60, 300);

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
    let mut wrong = Vec::new();
    for (name, bytes) in samples.chain(real) {
        let map = subject::parse(&bytes);
        let patches: Vec<&Patch> = map.models.iter().flat_map(|model| &model.patches).collect();
        for error in [4.0, 1.0] {
            let found = patches.par_iter().filter_map(|patch| {
                let what = check(patch, error)?;
                Some(format!("{name} {} at {error}: {what}", patch.number))
            });
            wrong.par_extend(found);
        }
        n_patches += patches.len();
    }
    assert!(wrong.is_empty(), "{} wrong: {wrong:#?}", wrong.len());
    assert!(
        n_patches >= 8,
        "the sample maps alone have 8 patches, not {n_patches}"
    );
}

/// No piece of a patch of real maps reaches more than the default error in front of it, over tips and edges either.
#[test]
fn no_piece_reaches_far_in_front() {
    let error = f64::from(onionc::DEFAULT_PATCH_ERROR);
    for map in real_maps() {
        let parsed = subject::parse(&map.bytes);
        let patches: Vec<&Patch> = parsed
            .models
            .iter()
            .flat_map(|model| &model.patches)
            .collect();
        let high = patches.par_iter().find_map_first(|patch| {
            let what = too_high(patch, error)?;
            Some(format!("{} {}: {what}", map.name, patch.number))
        });
        assert_eq!(high, None);
    }
}

/// The pieces of a patch, however many.
fn pieces_of(patch: &Patch, error: f64) -> Vec<Vec<Plane>> {
    patch::pieces(patch, error, usize::MAX).unwrap()
}

/// Whether a surface is one somewhere (some patches are curves, because all of their rows are the same), and does not
/// lie on a line but for a unit.
fn has_area(surface: &[(DVec3, DVec3)]) -> bool {
    let first = surface[0].0;
    let far = |a: &&(DVec3, DVec3), b: &&(DVec3, DVec3)| {
        let distance = |at: &(DVec3, DVec3)| at.0.distance_squared(first);
        distance(a).total_cmp(&distance(b))
    };
    let along = surface.iter().max_by(far).unwrap().0 - first;
    let along = along.normalize_or_zero();
    let off = |at: &(DVec3, DVec3)| (at.0 - first).cross(along).length();
    let is_surface = surface.iter().any(|(_, normal)| *normal != DVec3::ZERO);
    is_surface && along != DVec3::ZERO && surface.iter().any(|at| off(at) > 1.0)
}

/// A patch of which one edge is a single point, as the tip of a cone has it.
#[test]
fn a_patch_with_a_collapsed_edge_is_there() {
    let fan = patch_of([3, 3], [0.0, 0.0, 1.0], |x, y| {
        [(x - 1.0) * 50.0 * y, 50.0 * y, 0.0]
    });
    let pieces: Vec<Solid> = pieces_of(&fan, 1.0)
        .iter()
        .filter_map(|piece| solid(piece))
        .collect();
    for (at, is_there) in [
        (DVec3::new(0.0, 50.0, -0.0625), true),
        (DVec3::new(40.0, 90.0, -0.0625), true),
        (DVec3::new(60.0, 50.0, -0.0625), false),
    ] {
        let found = pieces.iter().any(|(planes, _)| outside(planes, at) <= 0.0);
        assert_eq!(found, is_there, "{at} in {} pieces", pieces.len());
    }
}

/// Planes and corners of a piece.
type Solid = (Vec<(DVec3, f64)>, Vec<DVec3>);

/// What is wrong with the pieces of a patch, if anything.
fn check(patch: &Patch, error: f64) -> Option<String> {
    let pieces = pieces_of(patch, error);
    let solids: Vec<Solid> = pieces.iter().filter_map(|planes| solid(planes)).collect();
    let surface = surface(patch, SAMPLES);
    if solids.is_empty() {
        let has_area = has_area(&surface);
        return has_area.then(|| "it has an area, but no piece".to_owned());
    }
    let outline = outline(patch);
    let wrong = surface.iter().find_map(|&sample| {
        too_far(&solids, sample.0, error)
            .or_else(|| too_near(patch, &solids, &surface, sample, error))
            .or_else(|| gap(&solids, &outline, sample, error))
    });
    // Between samples the surface bends away from them by no more than its spacing allows.
    let most = 4.0 * THICKNESS + 3.0 * error + spacing(patch);
    let mut vertices = solids.iter().flat_map(|(_, vertices)| vertices);
    wrong.or_else(|| {
        let far = vertices.find(|vertex| nearest(&surface, **vertex) > most)?;
        Some(format!(
            "a corner of a piece at {far} is far from the surface"
        ))
    })
}

/// Whether the surface is too far from every piece somewhere.
fn too_far(solids: &[Solid], point: DVec3, error: f64) -> Option<String> {
    let off = solids.iter().map(|(planes, _)| outside(planes, point));
    let off = off.fold(f64::INFINITY, f64::min);
    let what = || format!("the surface at {point} is {off} units from every piece");
    (off > error + ROUNDING).then(what)
}

/// Whether a piece reaches too far in front of the surface somewhere.
fn too_near(
    patch: &Patch,
    solids: &[Solid],
    surface: &[(DVec3, DVec3)],
    (point, normal): (DVec3, DVec3),
    error: f64,
) -> Option<String> {
    let ahead = point + normal * (error + ROUNDING);
    let mut planes = solids.iter().map(|(planes, _)| planes);
    let is_inside = planes.any(|planes| outside(planes, ahead) <= 0.0);
    let what = || format!("a piece is in front of the surface, at {ahead}");
    // The nearest place may lie between the samples.
    let is_far = || {
        nearest(surface, ahead) > error
            && nearest(&self::surface(patch, 10 * SAMPLES), ahead) > error
    };
    (is_inside && is_far()).then(what)
}

/// Whether a corner of a piece, or the middle between two, is in front of the surface and too far from it: beyond the
/// outline too, where a sample's normal does not lead.
fn too_high(patch: &Patch, error: f64) -> Option<String> {
    let pieces = pieces_of(patch, error);
    let solids: Vec<Solid> = pieces.iter().filter_map(|planes| solid(planes)).collect();
    let places: Vec<Place> = places(patch, 2 * SAMPLES).collect();
    let points: Vec<DVec3> = places.iter().map(|at| at.point(patch)).collect();
    let middles = solids.iter().flat_map(|(_, corners)| {
        let pairs = corners.iter().enumerate();
        pairs.flat_map(|(at, a)| corners[at..].iter().map(move |b| a.midpoint(*b)))
    });
    let seems_high = |point: &DVec3| {
        let distance = |at: &usize| points[*at].distance_squared(*point);
        let numbers = 0..points.len();
        let nearest = numbers.min_by(|a, b| distance(a).total_cmp(&distance(b)));
        let nearest = &places[nearest.unwrap()];
        let (at, normal) = place(patch, nearest.span, nearest.at);
        let is_high = at.distance(*point) > error && normal.dot(point - at) > 0.0;
        is_high && nearest.descended(patch, *point) > error
    };
    middles.filter(seems_high).find_map(|point| {
        let (at, normal) = projected(patch, point);
        let (off, ahead) = (at.distance(point), normal.dot(point - at));
        let what = || format!("{point} in a piece is {off} units from the surface, and in front");
        (off > error + ROUNDING && ahead > 0.0).then(what)
    })
}

/// A place in a 3 by 3 piece of a patch.
#[derive(Clone, Copy)]
struct Place {
    span: [usize; 2],
    at: [f64; 2],
}

impl Place {
    fn point(&self, patch: &Patch) -> DVec3 {
        place(patch, self.span, self.at).0
    }

    /// How far from a point the surface is around here, at most: ever smaller steps lead toward it.
    fn descended(mut self, patch: &Patch, point: DVec3) -> f64 {
        const STEPS: usize = 10;
        let distance = |at: [f64; 2]| place(patch, self.span, at).0.distance_squared(point);
        let mut least = distance(self.at);
        let mut step = 1.0 / SAMPLES as f64;
        for _ in 0..STEPS {
            step /= 2.0;
            for [u, v] in [[-step, 0.0], [step, 0.0], [0.0, -step], [0.0, step]] {
                let at = [self.at[0] + u, self.at[1] + v].map(|at| at.clamp(0.0, 1.0));
                let found = distance(at);
                if found < least {
                    (least, self.at) = (found, at);
                }
            }
        }
        least.sqrt()
    }
}

/// Places all over a patch.
fn places(patch: &Patch, samples: usize) -> impl Iterator<Item = Place> {
    spans(patch).flat_map(move |span| grid(samples).map(move |at| Place { span, at }))
}

/// The place of the surface that is nearest to a point, and the normal there: for each of many rows the nearest place,
/// then between the best rows.
fn projected(patch: &Patch, point: DVec3) -> (DVec3, DVec3) {
    const ROWS: usize = 64;
    const COLUMNS: usize = 8;
    let distance =
        |span: [usize; 2], at: [f64; 2]| place(patch, span, at).0.distance_squared(point);
    let in_row = |span: [usize; 2], v: f64| descended(COLUMNS, |u| distance(span, [u, v]));
    let in_span = |span: [usize; 2]| {
        let v = descended(ROWS, |v| distance(span, [in_row(span, v), v]));
        let at = [in_row(span, v), v];
        (distance(span, at), span, at)
    };
    let best = spans(patch).map(in_span).min_by(|a, b| a.0.total_cmp(&b.0));
    let (_, span, at) = best.unwrap();
    place(patch, span, at)
}

/// Where from 0 to 1 a function is least: at one of so many steps, then in ever smaller ones around it.
fn descended(steps: usize, value: impl Fn(f64) -> f64) -> f64 {
    const LEAST: f64 = 1e-6;
    let least = |places: &mut dyn Iterator<Item = f64>| {
        let values = places.map(|at| (value(at), at));
        values.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap()
    };
    let mut best = least(&mut (0..=steps).map(|step| step as f64 / steps as f64));
    let mut width = 1.0 / steps as f64;
    while width > LEAST {
        width /= 2.0;
        let beside = [best.1 - width, best.1 + width].map(|at| at.clamp(0.0, 1.0));
        let found = least(&mut beside.into_iter());
        best = if found.0 < best.0 { found } else { best };
    }
    best.1
}

/// Whether a shot meets nothing, from where a bullet is certainly in front of the surface to where it is certainly
/// behind. Nearer to the outline than the error the shot may pass: the pieces' outline may be so far inside.
fn gap(
    solids: &[Solid],
    outline: &[[DVec3; 2]],
    (point, normal): (DVec3, DVec3),
    error: f64,
) -> Option<String> {
    let way = normal * (error + 1.0);
    let shot = [point + way, point - way];
    let is_met = solids.iter().any(|(planes, _)| hits(planes, shot));
    if normal == DVec3::ZERO || is_met {
        return None;
    }
    let distances = outline.iter().map(|&edge| distance_to(edge, point));
    let distance = distances.fold(f64::INFINITY, f64::min);
    let what =
        || format!("a shot at {point} along {normal}, {distance} from the outline, meets no piece");
    (distance > error + ROUNDING).then(what)
}

/// Distance of a point to an edge.
fn distance_to([from, to]: [DVec3; 2], point: DVec3) -> f64 {
    let edge = to - from;
    let along = (point - from).dot(edge) / edge.length_squared().max(f64::MIN_POSITIVE);
    point.distance(from + edge * along.clamp(0.0, 1.0))
}

/// The outline of a patch as edges so short that they are as good as the curve.
fn outline(patch: &Patch) -> Vec<[DVec3; 2]> {
    const EDGES: usize = 64;
    let at =
        |x: usize, y: usize| DVec3::from_array(patch.points[y * patch.width + x].map(f64::from));
    let [right, top] = [patch.width - 1, patch.height - 1];
    let across = (0..right)
        .step_by(2)
        .flat_map(|x| [0, top].map(|y| [at(x, y), at(x + 1, y), at(x + 2, y)]));
    let down = (0..top)
        .step_by(2)
        .flat_map(|y| [0, right].map(|x| [at(x, y), at(x, y + 1), at(x, y + 2)]));
    let edges = across.chain(down).flat_map(|[a, b, c]| {
        let point = move |number: usize| {
            let t = number as f64 / EDGES as f64;
            a.lerp(b, t).lerp(b.lerp(c, t), t)
        };
        (0..EDGES).map(move |number| [point(number), point(number + 1)])
    });
    edges.collect()
}

/// Distance to the nearest of some points of the surface.
fn nearest(surface: &[(DVec3, DVec3)], point: DVec3) -> f64 {
    nearest_sample(surface, point).0.distance(point)
}

/// The nearest of some points of the surface, and the normal there.
fn nearest_sample(surface: &[(DVec3, DVec3)], point: DVec3) -> (DVec3, DVec3) {
    let distance = |(at, _): &(DVec3, DVec3)| at.distance_squared(point);
    let places = surface.iter().copied();
    places
        .min_by(|a, b| distance(a).total_cmp(&distance(b)))
        .unwrap()
}

/// Whether a segment meets a convex solid.
fn hits(planes: &[(DVec3, f64)], [from, to]: [DVec3; 2]) -> bool {
    let mut part = [0.0_f64, 1.0];
    for (normal, dist) in planes {
        let (start, end) = (normal.dot(from) - dist, normal.dot(to) - dist);
        if start > 0.0 && end > 0.0 {
            return false;
        }
        let crossing = start / (start - end);
        if start > 0.0 {
            part[0] = part[0].max(crossing);
        } else if end > 0.0 {
            part[1] = part[1].min(crossing);
        }
    }
    part[0] <= part[1]
}

/// A patch through points that a function gives for column and row, seen from where `normal` points.
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

/// A sheet of many spans without a curve is one plate, and so is a disc whatever its outline takes.
#[test]
fn a_flat_patch_is_one_piece() {
    let up = [0.0, 0.0, 1.0];
    let sheet = patch_of([9, 5], up, |x, y| [32.0 * x, 48.0 * y, 16.0]);
    assert_eq!(pieces_of(&sheet, 4.0).len(), 1);
    let tilted = patch_of([5, 5], up, |x, y| [32.0 * x, 48.0 * y, 7.0 * x - 3.0 * y]);
    assert_eq!(pieces_of(&tilted, 4.0).len(), 1);
}

/// A flat piece reaches 1/128 units beyond the border on all sides, so that those of two patches overlap there.
#[test]
fn flat_pieces_reach_over_the_border() {
    const REACH: f64 = 1.0 / 128.0;
    let sheet = patch_of([3, 3], [0.0, 0.0, 1.0], |x, y| [32.0 * x, 48.0 * y, 16.0]);
    let pieces = pieces_of(&sheet, 4.0);
    let (_, vertices) = solid(&pieces[0]).unwrap();
    let [mins, maxs] = [DVec3::new(0.0, 0.0, 15.0), DVec3::new(64.0, 96.0, 16.0)];
    let over = DVec3::new(REACH, REACH, 0.0);
    let [mins, maxs] = [mins - over, maxs + over];
    let near = |found: DVec3, right: DVec3| (found - right).abs().max_element() < REACH / 256.0;
    let all = vertices.iter();
    let [low, high] = all.fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |[low, high], at| {
        [low.min(*at), high.max(*at)]
    });
    assert!(near(low, mins) && near(high, maxs), "{low} to {high}");
}

/// The corner between two walls and an arch, as maps close bevels: an arch that bends inward takes the fewest chords
/// that are off by the error, and no piece reaches farther over the arch.
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
    let surface = surface(&corner, 100);
    for (_, vertices) in pieces.iter().filter_map(|piece| solid(piece)) {
        for vertex in vertices {
            let flat = vertex.with_z(8.0);
            assert!(nearest(&surface, flat) <= ERROR, "{vertex}");
            assert!(vertex.z <= 8.0 + ROUNDING && vertex.z >= 8.0 - THICKNESS - ROUNDING);
        }
    }
}

/// Control points at random make folds and self-intersections, for which no visible side makes sense: the surface is
/// still near to pieces everywhere, and no piece is far from it.
#[test]
fn folded_patches_have_near_pieces_too() {
    const ERROR: f64 = 4.0;
    let mut random = Random::new(13);
    for number in 0..40 {
        let patch = patch_of([3, 3], [0.0, 0.0, 1.0], |x, y| {
            let mut off = || random.between(-48.0, 48.0) as f32;
            [64.0 * x, 64.0 * y, 0.0].map(|at| at + off())
        });
        let pieces = pieces_of(&patch, ERROR);
        let solids: Vec<Solid> = pieces.iter().filter_map(|planes| solid(planes)).collect();
        let surface = surface(&patch, 60);
        let mut wrong = surface
            .iter()
            .filter_map(|&(point, _)| too_far(&solids, point, ERROR));
        assert_eq!(wrong.next(), None, "patch {number}");
        let mut vertices = solids.iter().flat_map(|(_, vertices)| vertices);
        let far = vertices.find(|vertex| nearest(&surface, **vertex) > THICKNESS + 3.0 * ERROR);
        assert_eq!(far, None, "patch {number}");
    }
}

/// Surfaces that bulge and twist, turned anywhere: none of their pieces is too near or too far, whatever axis its sides
/// may stand along.
#[test]
fn turned_patches_keep_within_the_error() {
    let mut random = Random::new(5);
    let patches: Vec<Patch> = (0..TURNED.count())
        .map(|_| turned_patch(&mut random))
        .collect();
    patches.par_iter().enumerate().for_each(|(number, patch)| {
        let error = [4.0, 1.0, 0.25][number % 3];
        assert_eq!(check(patch, error), None, "patch {number} at {error}");
        // Many thousand corners of the finest pieces would take minutes.
        let high = (error >= 1.0).then(|| too_high(patch, error)).flatten();
        assert_eq!(high, None, "patch {number} at {error}");
    });
}

/// A corner of a vault, as oa_shouse has it, of which two columns of control points are one: its pieces end in sharp
/// tips there, none of which reaches beyond it by more than the error.
#[test]
fn sharp_tips_do_not_reach_far() {
    const TIP: [f32; 3] = [320.0, 704.0, 960.0];
    const FAR: [[f32; 2]; 3] = [[320.0, 896.0], [512.0, 896.0], [512.0, 704.0]];
    /// Normals at the tip and beyond it, row by row.
    const NORMALS: [[[f32; 3]; 2]; 3] = [
        [[-0.485, -0.485, -0.728], [0.0, -0.555, -0.832]],
        [[-0.376, -0.376, -0.847], [-0.302, -0.302, -0.905]],
        [[-0.485, -0.485, -0.728], [-0.555, 0.0, -0.832]],
    ];
    let mut corner = patch_of([3, 3], [0.0; 3], |x, y| match x as usize {
        2 => [FAR[y as usize][0], FAR[y as usize][1], 832.0],
        _ => TIP,
    });
    corner.normals = NORMALS
        .iter()
        .flat_map(|&[tip, far]| [tip, far, far])
        .collect();
    for error in [4.0, 1.0, 0.25] {
        assert_eq!(too_high(&corner, error), None, "at {error}");
    }
}

/// Fans, which end in a point: no sliver reaches far beyond it, be the error fine or coarse.
#[test]
fn fans_do_not_reach_beyond_their_tip() {
    let mut random = Random::new(4);
    let fans: Vec<Patch> = (0..FANS.count()).map(|_| fan(&mut random)).collect();
    fans.par_iter().enumerate().for_each(|(number, patch)| {
        // Fine errors take longest.
        let error = [4.0, 1.0, 4.0, 1.0, 0.25][number % 5];
        let high = too_high(patch, error);
        assert_eq!(high, None, "fan {number} at {error}: {patch:?}");
    });
}

/// A patch of which one edge is a point, and what is opposite of it an arc of up to 170 degrees, up or down hill, with
/// its true normals; not folded, so that all of it has one visible side.
fn fan(random: &mut Random) -> Patch {
    /// Least cosine between two normals.
    const FOLDED: f64 = 0.5;
    loop {
        let half = random.between(0.1, 1.48);
        let sizes = [60.0, 240.0].map(|most| random.between(40.0, most));
        let most = [0.5, 10.0, 120.0, 400.0][random.below(4)];
        let heights = [0, 1, 2].map(|_| random.between(-most, most));
        let shares = [0.0, random.between(0.0, 0.5), 1.0];
        let bulge = [1.0, 1.0 / half.cos().max(0.3)][random.below(2)];
        let side = [-1.0, 1.0][random.below(2)];
        let patch = patch_of([3, 3], [0.0; 3], |x, y| {
            let (sin, cos) = (half * (f64::from(y) - 1.0)).sin_cos();
            let out = if y == 1.0 { bulge } else { 1.0 };
            let at = DVec3::new(
                cos * sizes[1] * out,
                sin * sizes[0] * out,
                heights[y as usize],
            );
            (at * shares[x as usize]).as_vec3().to_array()
        });
        let patch = with_true_normals(patch, side);
        let normals: Vec<DVec3> = surface(&patch, SAMPLES).iter().map(|at| at.1).collect();
        let is_bent = |a: &DVec3| normals.iter().any(|b| a.dot(*b) < FOLDED);
        if !normals.iter().any(is_bent) {
            return patch;
        }
    }
}

/// A patch with normals that are those of the surface at the corners, the middles of edges and the middle.
fn with_true_normals(mut patch: Patch, side: f64) -> Patch {
    /// How far from the edges they are taken: on an edge that is a point there are none.
    const OFF: f64 = 1e-4;
    let normal = |number: usize| {
        let at = [number % 3, number / 3].map(|at| (at as f64 / 2.0).clamp(OFF, 1.0 - OFF));
        let along = |axis: usize| {
            let [low, high] = [-OFF, OFF].map(|off| {
                let mut at = at;
                at[axis] += off;
                place(&patch, [0, 0], at).0
            });
            high - low
        };
        along(0).cross(along(1)).normalize_or_zero() * side
    };
    let normals: [DVec3; 9] = std::array::from_fn(normal);
    // The middle value of a curve through three.
    let through = |[a, b, c]: [DVec3; 3]| [a, b * 2.0 - (a + c) / 2.0, c];
    let rows = [0, 3, 6].map(|row| through([0, 1, 2].map(|column| normals[row + column])));
    let columns = [0, 1, 2].map(|column| through(rows.map(|row| row[column])));
    let values = (0..9).map(|at| columns[at % 3][at / 3].as_vec3().to_array());
    patch.normals = values.collect();
    patch
}

/// A patch about 128 units wide that bulges and twists by up to 40.
fn turned_patch(random: &mut Random) -> Patch {
    let up = DVec3::from_array(random.direction());
    let (u, v) = up.any_orthonormal_pair();
    patch_of([3, 3], up.as_vec3().to_array(), |x, y| {
        let mut off = |most: f64| random.between(-most, most);
        let [x, y] = [x, y].map(|at| 64.0 * f64::from(at) + off(12.0));
        (u * x + v * y + up * off(40.0)).as_vec3().to_array()
    })
}

/// A sheet that is bent across the whole world needs thousands of cells: a limit ends the division instead of what
/// comes after it.
#[test]
fn a_limit_ends_the_division() {
    let mut random = Random::new(3);
    let huge = patch_of([9, 9], [0.0, 0.0, 1.0], |x, y| {
        [x * 4000.0, y * 4000.0, random.between(-3e4, 3e4) as f32]
    });
    let n_pieces = pieces_of(&huge, 4.0).len();
    assert!(n_pieces > 4000, "{n_pieces}");
    assert!(patch::pieces(&huge, 4.0, 1000).is_none());
}

/// A vault has pieces along its arch alone, however many spans it is long, and at most a quarter more than the
/// fewest chords that are off by the error.
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
                let (point, normal) = nearest_sample(&surface, *vertex);
                normal.dot(*vertex - point)
            };
            for (_, vertices) in pieces_of(patch, ERROR)
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

/// Points of the true surface with unit normals on the visible side.
fn surface(patch: &Patch, samples: usize) -> Vec<(DVec3, DVec3)> {
    let places = places(patch, samples);
    places.map(|of| place(patch, of.span, of.at)).collect()
}

/// Parameters from 0 to 1 in so many steps, row by row.
fn grid(steps: usize) -> impl Iterator<Item = [f64; 2]> {
    let at = move |step: usize| (step as f64) / steps as f64;
    (0..=steps).flat_map(move |v| (0..=steps).map(move |u| [at(u), at(v)]))
}

/// First column and row of each 3 by 3 piece of a patch.
fn spans(patch: &Patch) -> impl Iterator<Item = [usize; 2]> {
    let [right, top] = [patch.width - 2, patch.height - 2];
    let columns = move || (0..right).step_by(2);
    let rows = (0..top).step_by(2);
    rows.flat_map(move |row| columns().map(move |column| [column, row]))
}

/// A point of the true surface and the unit normal there on the visible side, by de Casteljau's construction.
fn place(patch: &Patch, [column, row]: [usize; 2], [u, v]: [f64; 2]) -> (DVec3, DVec3) {
    let curve = |t: f64, [a, b, c]: [DVec3; 3]| a.lerp(b, t).lerp(b.lerp(c, t), t);
    let value = |values: &[[f32; 3]]| {
        let at = |x: usize, y: usize| {
            DVec3::from_array(values[(row + y) * patch.width + column + x].map(f64::from))
        };
        curve(v, [0, 1, 2].map(|y| curve(u, [0, 1, 2].map(|x| at(x, y)))))
    };
    let normal = value(&patch.normals).normalize_or_zero();
    (value(&patch.points), normal)
}

/// Longest step between neighboring control points.
fn spacing(patch: &Patch) -> f64 {
    let point = |at: usize| DVec3::from_array(patch.points[at].map(f64::from));
    let across = (0..patch.points.len() - 1).map(|at| point(at).distance(point(at + 1)));
    let down =
        (0..patch.points.len() - patch.width).map(|at| point(at).distance(point(at + patch.width)));
    across.chain(down).fold(0.0, f64::max)
}
