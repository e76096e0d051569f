//! Finds the visible parts of walls: the parts of faces that no other wall covers. Where walls meet, their ends lie
//! inside each other; a page that drew these ends would show dots and dashes along every seam. Positions are rounded;
//! they serve display only.

use glam::DVec3;
use onion_geometry::polygon::split;
use onion_geometry::spatial::SpatialIndex;
use onion_geometry::tolerance::ON_SKIN;
use onion_geometry::{Split, subtract};
use onion_maps::contents::{SOLID, WINDOW};
use rayon::prelude::*;

use crate::walls::{Wall, WallFace};

/// Returns the walls with the visible parts of their faces, each part as a face. Walls without a visible part are left
/// out.
///
/// Walls of the world that block sight cover all walls. Other walls cover only walls of their kind, which are clips or
/// parts of one model. Of faces that coincide and face the same way, one is kept.
pub fn visible_faces(walls: &[Wall]) -> Vec<Wall> {
    let index = SpatialIndex::new(walls.iter().map(|wall| wall.bounds));
    let seen = walls.par_iter().enumerate().map(|(number, wall)| {
        let near = index.touching(&wall.bounds).into_iter();
        let covers = near.map(|other| other as usize).filter(|&other| {
            other != number && (is_rock(&walls[other]) || kind(&walls[other]) == kind(wall))
        });
        let rank = |number: usize| (!is_rock(&walls[number]), number);
        let covers = covers.map(|other| (&walls[other], rank(other) < rank(number)));
        let covers: Vec<(&Wall, bool)> = covers.collect();
        let faces = wall.faces.iter().flat_map(|face| parts(face, &covers));
        Wall {
            faces: faces.collect(),
            ..wall.clone()
        }
    });
    let seen = seen.filter(|wall| !wall.faces.is_empty());
    seen.collect()
}

/// Whether a wall belongs to the world and blocks sight.
fn is_rock(wall: &Wall) -> bool {
    wall.model == 0 && stops_sight(wall)
}

/// Whether a wall blocks sight.
fn stops_sight(wall: &Wall) -> bool {
    wall.contents & (SOLID | WINDOW) != 0
}

/// Returns the kind of a wall; walls of one kind are drawn the same way.
fn kind(wall: &Wall) -> (usize, bool) {
    (wall.model, stops_sight(wall))
}

/// Returns the parts of a face that are not covered. Each covering wall comes with whether its face is the one that is
/// kept where two coincide.
fn parts(face: &WallFace, covers: &[(&Wall, bool)]) -> Vec<WallFace> {
    let whole = vec![face.corners.clone()];
    let corners = covers.iter().fold(whole, |parts, &(cover, is_kept)| {
        let left = parts.into_iter();
        let left = left.flat_map(|part| uncovered(part, face.normal, cover, is_kept));
        left.collect()
    });
    let parts = corners.into_iter().map(|corners| WallFace {
        corners,
        ..face.clone()
    });
    parts.collect()
}

/// Returns the parts of a polygon with this normal that a wall does not cover. If the polygon coincides with a face of
/// the wall and faces the same way, the wall covers it only if the wall's face is kept.
pub(crate) fn uncovered(
    whole: Vec<DVec3>,
    normal: DVec3,
    cover: &Wall,
    is_kept: bool,
) -> Vec<Vec<DVec3>> {
    subtract(whole, &cover.faces, |inside, side| {
        let ahead = |corner: &DVec3| side.normal.dot(*corner) - side.dist;
        if inside.iter().all(|corner| ahead(corner).abs() <= ON_SKIN) {
            // Faces that touch back to back hide each other.
            return if side.normal.dot(normal) < 0.0 || is_kept {
                Split::Back
            } else {
                Split::Front
            };
        }
        match split(inside.clone(), side.normal, side.dist) {
            [Some(front), Some(back)] => Split::Both(front, back),
            [_, Some(_)] => Split::Back,
            [_, None] => Split::Front,
        }
    })
}
