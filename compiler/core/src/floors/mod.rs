//! Stage 5, floors, finds where agents stand: the faces of each hull's skin in the world whose planes are level enough,
//! without the parts that bound filled space. The skin is that of expanded brushes, so a point of a floor is a place of
//! the hull's origin, and the hull has room there (Golodetz, section 4). Faces of one plane become convex pieces, as
//! few as [`merge`] finds, in the order of the tree that queries search ([`tree`]). Teleporters and jump pads have
//! floors of their own, and there is none where agents would be hurt ([`triggers`]).

pub mod lifts;
pub mod merge;
pub mod tree;
pub mod triggers;
pub mod volumes;

use onion_geometry::{Bounds, PlaneId, PlaneSet, Split, Winding};
use onion_runtime::movement::WalkSettings;
use rayon::prelude::*;

use crate::fill::Filling;
use crate::fill::filled_space::FilledSpace;
use crate::hull::{AgentSpec, HullSpec, classes};
use crate::id::HullIndex;
use crate::options::CompileOptions;
use crate::tolerance::THINNEST;
use crate::union::Face;
use triggers::Volumes;

/// For each hull, its floors: convex polygons that do not overlap, in the order of the tree. Points have none.
pub type Floors = Vec<Vec<Winding>>;

/// Returns the floors of all hulls, given the skins of all models and the volumes of the map, or `None` if the options
/// leave them out. Only the world has floors.
pub fn find(
    options: &CompileOptions,
    skins: &[Vec<Face>],
    filling: &Filling,
    volumes: &Volumes,
    planes: &PlaneSet,
) -> Option<Floors> {
    if !options.floors {
        return None;
    }
    let classes = classes(&options.hulls, &options.agents);
    let hulls = options.hulls.par_iter().enumerate();
    let floors = hulls.map(|(number, hull)| match settings_of(hull, &classes) {
        None => Vec::new(),
        Some(settings) => {
            let hull = HullIndex::new(number);
            let pieces = pieces(hull, settings, &skins[0], filling.spaces(), planes);
            let pieces = divided(hull, pieces, volumes, planes);
            tree::ordered(planes, joined(pieces, planes))
        }
    });
    Some(floors.collect())
}

/// Returns how the agents walk that a hull is a stance of, or `None` for a point.
fn settings_of(hull: &HullSpec, classes: &[AgentSpec]) -> Option<WalkSettings> {
    if hull.is_point() {
        return None;
    }
    let class = classes
        .iter()
        .find(|class| class.hulls.contains(&hull.name))?;
    Some(WalkSettings {
        min_ground_z: class.abilities.slope,
        ..WalkSettings::default()
    })
}

/// Returns the parts of the floors of a hull, as the skin has them.
fn pieces(
    hull: HullIndex,
    settings: WalkSettings,
    skin: &[Face],
    spaces: &[FilledSpace],
    planes: &PlaneSet,
) -> Vec<Winding> {
    let is_level = |winding: &&Winding| settings.is_ground(planes[winding.plane].normal);
    let own = skin.iter().filter(|face| face.owner.hull == hull);
    let faces = own.map(|face| &face.winding).filter(is_level);
    let mut pieces = Vec::new();
    match spaces.iter().find(|space| hull.is_in(space.filled)) {
        None => pieces.extend(faces.cloned()),
        Some(space) => {
            let marks = space.tree.marks(space.reached.clone());
            let whole = space.tree.whole(planes, &marks);
            for face in faces {
                whole.find_in_front_of(face, hull.alone(), &mut |part| {
                    pieces.push(part.clone());
                    false
                });
            }
        }
    }
    pieces
}

/// Divides pieces at the borders of triggers and lifts. Returns the parts, each with the index of what an agent touches
/// there, but none where a trigger hurts it.
fn divided(
    hull: HullIndex,
    pieces: Vec<Winding>,
    volumes: &Volumes,
    planes: &PlaneSet,
) -> Vec<(Option<usize>, Winding)> {
    let mut outside = pieces;
    let mut touching = Vec::new();
    for (number, (volume, hurts)) in volumes.bordered().enumerate() {
        for (sides, bounds) in volume.brushes(hull) {
            let (near, mut rest): (Vec<_>, Vec<_>) = outside
                .into_iter()
                .partition(|piece| piece.bounds().touches(bounds));
            for piece in near {
                let inside = cut(piece, sides, planes, &mut rest);
                let inside = inside.filter(|_| !hurts);
                touching.extend(inside.map(|part| (Some(number), part)));
            }
            outside = rest;
        }
    }
    touching.extend(outside.into_iter().map(|piece| (None, piece)));
    touching
}

/// Returns the part of a piece inside of a brush, if there is one. Adds the parts outside to others; a piece in the
/// plane of a side only touches the brush.
fn cut(
    piece: Winding,
    sides: &[PlaneId],
    planes: &PlaneSet,
    outside: &mut Vec<Winding>,
) -> Option<Winding> {
    let mut parts = Vec::new();
    let mut inside = piece.clone();
    for &side in sides {
        match inside.split(planes, side) {
            Some(Split::Back) => {}
            Some(Split::Both(front, back)) => {
                parts.push(front);
                inside = back;
            }
            Some(Split::Front) | None => {
                outside.push(piece);
                return None;
            }
        }
    }
    outside.extend(parts);
    Some(inside)
}

/// Whether a piece is narrower than [`THINNEST`], judged by its area: that of a convex polygon is at most its width
/// times its diameter.
fn is_thin(piece: &Winding) -> bool {
    let Bounds { mins, maxs } = piece.bounds();
    piece.area() < THINNEST * mins.distance(maxs)
}

/// Joins the pieces of each plane, but not across the border of a trigger or a lift, and leaves out what is too thin
/// to stand on.
fn joined(mut pieces: Vec<(Option<usize>, Winding)>, planes: &PlaneSet) -> Vec<Winding> {
    let key = |(trigger, piece): &(Option<usize>, Winding)| (piece.plane, *trigger);
    pieces.sort_by_key(key);
    let planar = pieces.chunk_by(|one, next| key(one) == key(next));
    let joined = planar.flat_map(|pieces| {
        let pieces = pieces.iter().map(|(_, piece)| piece.clone());
        merge::merged(planes, pieces.collect())
    });
    joined.filter(|piece| !is_thin(piece)).collect()
}
