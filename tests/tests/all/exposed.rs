//! The parts of walls that pages draw: a place on a face is drawn if and only if the point just in front of it is in
//! no other wall, by the planes of all walls, at random places of sample maps and real ones; and two floors by hand.

use glam::DVec3;
use onion_compiler::brush::BrushSource;
use onion_geometry::Bounds;
use onion_runtime::OnionMap;
use onion_tests::cases::{Case, real_cases, sample_case};
use onion_tests::effort::{self, Cases};
use onion_tests::random::Random;
use onion_views::visible_faces::visible_faces;
use onion_views::walls::{self, Wall, WallFace};

/// Distance in front of a face at which a place is tested, in units, and half of it.
const BEFORE: f64 = 0.1;
const MARGIN: f64 = BEFORE / 2.0;
const PLACES: Cases = Cases::new(2_000, 10_000);

/// Whether a wall is in the world and opaque to the reader: solid, or a window.
fn is_rock(wall: &Wall) -> bool {
    wall.model == 0 && wall.contents & 3 != 0
}

/// Picks a random place on a face.
fn place(face: &WallFace, random: &mut Random) -> DVec3 {
    let weights = face.corners.iter().map(|_| random.unit().powi(2));
    let weights: Vec<f64> = weights.collect();
    let weighted = face.corners.iter().zip(&weights);
    let sum: DVec3 = weighted.map(|(&corner, &weight)| corner * weight).sum();
    sum / weights.iter().sum::<f64>()
}

/// Whether a convex face contains a place of its plane.
fn holds(face: &WallFace, at: DVec3) -> bool {
    let next = face.corners.iter().cycle().skip(1);
    let mut edges = face.corners.iter().zip(next);
    edges.all(|(&from, &to)| {
        let inward = (to - from).cross(at - from).dot(face.normal);
        inward >= -MARGIN / 10.0 * (to - from).length()
    })
}

/// Returns a lower bound on the distance of a place outside a wall; negative inside.
fn outside(wall: &Wall, at: DVec3) -> f64 {
    let ahead = wall
        .faces
        .iter()
        .map(|face| face.normal.dot(at) - face.dist);
    ahead.fold(f64::NEG_INFINITY, f64::max)
}

/// Whether a wall covers a place on a face with this normal, or `None` if the place is too close to a border
/// to decide.
fn covers(wall: &Wall, normal: DVec3, at: DVec3) -> Option<bool> {
    let before = outside(wall, at + normal * BEFORE);
    if before > BEFORE + MARGIN || (before > MARGIN && outside(wall, at) > MARGIN) {
        return Some(false);
    }
    (before < -MARGIN && outside(wall, at) < MARGIN / 50.0).then_some(true)
}

/// Whether other walls cover a place on a face of a wall, or `None` if the place is too close to a border to
/// decide.
fn is_covered(walls: &[Wall], own: usize, normal: DVec3, at: DVec3) -> Option<bool> {
    let kind = |wall: &Wall| (wall.model, is_rock(wall));
    let mut is_covered = false;
    for (number, wall) in walls.iter().enumerate() {
        if number != own && (is_rock(wall) || kind(wall) == kind(&walls[own])) {
            is_covered |= covers(wall, normal, at)?;
        }
    }
    Some(is_covered)
}

/// Tests places of a case, and counts the visible and the covered ones.
fn compare(case: &Case, counts: &mut [usize; 2]) {
    let map = OnionMap::from_bytes(&case.filled().bytes[..]).unwrap();
    let all = walls::of_map(&map, &case.map).unwrap();
    let drawn = visible_faces(&all);
    let mut random = Random::new(15);
    for _ in 0..PLACES.count() {
        let number = random.below(all.len());
        let Wall { source, faces, .. } = &all[number];
        let face = &faces[random.below(faces.len())];
        let at = place(face, &mut random);
        if let Some(is_covered) = is_covered(&all, number, face.normal, at) {
            let own = drawn.iter().filter(|wall| wall.source == *source);
            let mut parts = own.flat_map(|wall| &wall.faces);
            let is_drawn = parts.any(|part| part.normal == face.normal && holds(part, at));
            assert_ne!(is_drawn, is_covered, "{}: {source} at {at}", case.name);
            counts[usize::from(is_covered)] += 1;
        }
    }
}

#[test]
fn what_is_drawn_of_walls_is_what_no_other_covers() {
    let samples = ["courtyard", "ramp_stairs", "patch_arch", "touching"].map(sample_case);
    let n_real = if effort::is_long() { 4 } else { 1 };
    let mut counts = [0; 2];
    for case in samples.into_iter().chain(real_cases().iter().take(n_real)) {
        compare(case, &mut counts);
    }
    assert!(counts.iter().all(|&count| count > 500), "{counts:?}");
}

/// Makes a box as a wall of the world.
fn boxed(number: usize, mins: DVec3, maxs: DVec3) -> Wall {
    let faces = (0..6).map(|side| {
        let (k, is_max) = (side / 2, side % 2 == 1);
        let [u, v] = [(k + 1) % 3, (k + 2) % 3];
        let corners = [[false, false], [true, false], [true, true], [false, true]];
        let corners = corners.map(|[a, b]| {
            let mut corner = if is_max { maxs } else { mins };
            corner[u] = if a { maxs[u] } else { mins[u] };
            corner[v] = if b { maxs[v] } else { mins[v] };
            corner
        });
        let axis = DVec3::AXES[k];
        let mut corners = corners.to_vec();
        if !is_max {
            corners.reverse();
        }
        WallFace {
            normal: if is_max { axis } else { -axis },
            dist: if is_max { maxs[k] } else { -mins[k] },
            corners,
            surface: String::new(),
        }
    });
    Wall {
        source: BrushSource::Brush(number),
        model: 0,
        contents: 1,
        faces: faces.collect(),
        bounds: Bounds { mins, maxs },
    }
}

/// Returns the drawn area of a box's side.
fn area(walls: &[Wall], number: usize, normal: DVec3) -> f64 {
    let own = walls
        .iter()
        .filter(|wall| wall.source == BrushSource::Brush(number));
    let faces = own.flat_map(|wall| &wall.faces);
    let areas = faces.filter(|face| face.normal == normal).map(|face| {
        let corners = &face.corners;
        let fans = corners[1..].windows(2).map(|pair| {
            (pair[0] - corners[0])
                .cross(pair[1] - corners[0])
                .dot(normal)
                / 2.0
        });
        fans.sum::<f64>()
    });
    areas.sum()
}

/// Two floors are side by side, one 32 thick and one 8, both 64 by 64, and a third fills the lower half of the first.
#[test]
fn sides_are_covered_as_far_as_neighbors_reach() {
    let walls = [
        boxed(0, DVec3::new(0.0, 0.0, -32.0), DVec3::new(64.0, 64.0, 0.0)),
        boxed(1, DVec3::new(64.0, 0.0, -8.0), DVec3::new(128.0, 64.0, 0.0)),
        boxed(
            2,
            DVec3::new(0.0, 0.0, -32.0),
            DVec3::new(64.0, 64.0, -16.0),
        ),
    ];
    let drawn = visible_faces(&walls);
    // The thin one covers a part of the thick one's end; the thin one's own end is covered entirely, and their tops
    // are whole.
    assert_eq!(area(&drawn, 0, DVec3::X), 64.0 * 24.0);
    assert_eq!(area(&drawn, 1, DVec3::NEG_X), 0.0);
    assert_eq!(area(&drawn, 0, DVec3::Z), 64.0 * 64.0);
    assert_eq!(area(&drawn, 1, DVec3::Z), 64.0 * 64.0);
    // Where walls are inside each other, the first is kept.
    assert_eq!(area(&drawn, 0, DVec3::NEG_Z), 64.0 * 64.0);
    assert!(
        drawn
            .iter()
            .all(|wall| wall.source != BrushSource::Brush(2))
    );
}
