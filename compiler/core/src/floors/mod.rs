//! Stage 5, floors, finds where agents stand: the faces of each hull's skin in the world whose planes are level enough,
//! without the parts that bound filled space. The skin is that of expanded brushes, so a point of a floor is a place of
//! the hull's origin, and the hull has room there (Golodetz, section 4). Faces of one plane become convex pieces, as
//! few as [`merge`] finds, in the order of the tree that queries search ([`tree`]).

pub mod merge;
pub mod tree;

use onion_geometry::{Bounds, PlaneSet, Winding};
use onion_runtime::movement::WalkSettings;
use rayon::prelude::*;

use crate::fill::Filling;
use crate::fill::filled_space::FilledSpace;
use crate::hull::{AgentSpec, HullSpec, classes};
use crate::id::HullIndex;
use crate::options::CompileOptions;
use crate::tolerance::THINNEST;
use crate::union::Face;

/// For each hull, its floors: convex polygons that do not overlap, in the order of the tree. Points have none.
pub type Floors = Vec<Vec<Winding>>;

/// Returns the floors of all hulls, given the skins of the world, or `None` if the options leave them out.
pub fn floors(
    options: &CompileOptions,
    skin: &[Face],
    filling: &Filling,
    planes: &PlaneSet,
) -> Option<Floors> {
    if !options.floors {
        return None;
    }
    let classes = classes(&options.hulls, &options.agents);
    let hulls = options.hulls.par_iter().enumerate();
    let floors = hulls.map(|(number, hull)| match settings_of(hull, &classes) {
        None => Vec::new(),
        Some(settings) => floors_of(
            HullIndex::new(number),
            settings,
            skin,
            filling.spaces(),
            planes,
        ),
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

/// Returns the floors of a hull.
fn floors_of(
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
    tree::ordered(planes, joined(pieces, planes))
}

/// Whether a piece is narrower than [`THINNEST`], judged by its area: that of a convex polygon is at most its width
/// times its diameter.
fn is_thin(piece: &Winding) -> bool {
    let Bounds { mins, maxs } = piece.bounds();
    piece.area() < THINNEST * mins.distance(maxs)
}

/// Joins the pieces of each plane, and leaves out what is too thin to stand on.
fn joined(mut pieces: Vec<Winding>, planes: &PlaneSet) -> Vec<Winding> {
    pieces.sort_by_key(|piece| piece.plane);
    let planar = pieces.chunk_by(|one, next| one.plane == next.plane);
    let joined = planar.flat_map(|pieces| merge::merged(planes, pieces.to_vec()));
    joined.filter(|piece| !is_thin(piece)).collect()
}
