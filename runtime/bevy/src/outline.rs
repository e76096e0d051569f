//! The outline of a skin: the edges of its faces, without the seams between coplanar pieces. All pieces list their
//! edges in the same direction of rotation; where two coplanar pieces meet, the shared stretch occurs in both
//! directions and cancels.

use std::collections::BTreeMap;

use bevy_math::DVec3;
use onion_views::skin::SkinPiece;

/// Planes and lines that are nearer than one unit divided by this, or whose directions differ by less, count as one.
/// Only the drawn lines depend on it.
const PARTS_OF_A_UNIT: f64 = 256.0;

/// A line in a plane: the plane's normal and distance, the line's direction and its point nearest to the origin, in
/// parts of a unit.
type Line = [[i64; 3]; 4];

/// The positions on a line where edges begin and end, each with the number of edges that begin minus those that end
/// there.
type Changes = Vec<(f64, i32)>;

/// Returns the segments of the outline of pieces of a skin, in units of the map.
pub(crate) fn outline(pieces: &[SkinPiece]) -> Vec<[DVec3; 2]> {
    let mut lines: BTreeMap<Line, (DVec3, DVec3, Changes)> = BTreeMap::new();
    for piece in pieces {
        // The pieces' vectors may come from another version of the vector crate than Bevy's.
        let corners: Vec<_> = piece.corners.iter().map(|&corner| vector(corner)).collect();
        let next = corners.iter().cycle().skip(1);
        for (&from, &to) in corners.iter().zip(next) {
            let Some((line, along, nearest)) = line(vector(piece.normal), from, to) else {
                continue;
            };
            let (_, _, changes) = lines
                .entry(line)
                .or_insert_with(|| (along, nearest, Vec::new()));
            changes.push((from.dot(along), 1));
            changes.push((to.dot(along), -1));
        }
    }
    lines.into_values().flat_map(segments).collect()
}

fn vector(vector: impl Into<[f64; 3]>) -> DVec3 {
    DVec3::from_array(vector.into())
}

/// Returns the line of an edge, its direction and its point nearest to the origin, or `None` for an edge without
/// length.
fn line(normal: DVec3, from: DVec3, to: DVec3) -> Option<(Line, DVec3, DVec3)> {
    let along = (to - from).try_normalize()?;
    // One direction for both ways: the one whose largest component is positive.
    let largest = along
        .to_array()
        .into_iter()
        .max_by(|a, b| a.abs().total_cmp(&b.abs()));
    let along = along * largest.unwrap_or(1.0).signum();
    let nearest = from - along * from.dot(along);
    let dist = DVec3::splat(from.dot(normal));
    let parts = [normal, dist, along, nearest].map(parts);
    Some((parts, along, nearest))
}

fn parts(vector: DVec3) -> [i64; 3] {
    // The cast saturates.
    (vector * PARTS_OF_A_UNIT)
        .round()
        .to_array()
        .map(|part| part as i64)
}

/// Returns the stretches of a line that edges cover in one direction only.
fn segments((along, nearest, mut changes): (DVec3, DVec3, Changes)) -> Vec<[DVec3; 2]> {
    changes.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let mut n_open = 0;
    let mut found = Vec::new();
    for pair in changes.windows(2) {
        n_open += pair[0].1;
        let [from, to] = [pair[0].0, pair[1].0];
        if n_open != 0 && to - from > PARTS_OF_A_UNIT.recip() {
            found.push([nearest + along * from, nearest + along * to]);
        }
    }
    found
}
