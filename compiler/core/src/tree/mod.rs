//! Stage 7, tree, builds one onion tree over the skins of each model and group of hulls (Golodetz, section 3.1,
//! listings 1 and 2). The builder carries the exact convex cell. A cell without faces of a hull is all solid or all
//! empty for it, and is classified at once. When all hulls are classified, the cell is a leaf. A node whose children
//! are equal leaves becomes that leaf (Quake II's `PruneNodes`).

mod auxiliary;
mod classify;
pub(crate) mod lattice;
pub(crate) mod splitter;

use std::borrow::Cow;

use onion_format::HullSet;
use onion_geometry::winding::PlaneSide;
use onion_geometry::{Cell, Location, PlaneId, PlaneSet, Split};
use rayon::prelude::*;
use smallvec::SmallVec;

use crate::bsp::{ModelTree, Tree};
use crate::error::CompileError;
use crate::expand::{HullSolid, ModelSolids};
use crate::fill::filled_space::FilledSpace;
use crate::id::{HullIndex, ModelId, distinct};
use crate::tree::auxiliary::Auxiliary;
use crate::tree::classify::{classify, solid_at};
use crate::union::Face;
use splitter::{CellFace, Effort};

/// The number of faces from which on the two children of a cell are built in parallel.
const FACES_FOR_A_TASK: usize = 256;

/// The number of faces from which on several threads find the sides of a cell's faces: only at the top of the trees of
/// large maps.
const FACES_FOR_MANY_TASKS: usize = 1 << 14;

/// A model with faces in more than `LARGE` planes is divided along the lattice, down to cells with faces in at most
/// `MANY_PLANES`. With 16 for the latter, six maps have 7% fewer bytes, and traces take 5% longer.
const LARGE: usize = 64;
const MANY_PLANES: usize = 8;

/// The groups of hulls that share a tree, and the trees if stage 6, group, has built them to compare their sizes.
pub struct Plan {
    /// The groups of hulls; each has a tree in every model.
    pub groups: Vec<HullSet>,
    /// The trees, and the planes of the compile with those that the trees added, or `None` if they are not built yet.
    pub built: Option<(Vec<ModelTree>, PlaneSet)>,
}

impl From<Vec<HullSet>> for Plan {
    fn from(groups: Vec<HullSet>) -> Self {
        Self {
            groups,
            built: None,
        }
    }
}

/// Builds the trees of every model, one for each group of hulls, ordered by model and group, or takes them from the
/// plan. In the world, model 0, unreachable space is solid.
///
/// # Errors
/// A tree is deeper than the format allows.
pub fn build(
    solids: &[ModelSolids],
    filled: &[FilledSpace],
    skins: Vec<Vec<Face>>,
    plan: Plan,
    planes: &mut PlaneSet,
) -> Result<Vec<ModelTree>, CompileError> {
    if let Some((trees, of_trees)) = plan.built {
        *planes = of_trees;
        return Ok(trees);
    }
    let groups = &plan.groups;
    let auxiliary = solids.iter().zip(&skins).map(|(solids, skin)| {
        let is_large = n_planes(skin) > LARGE;
        let skin = skin.iter().map(|face| (face.owner, &face.winding));
        Auxiliary::new(planes, solids, skin, is_large)
    });
    let auxiliary: Vec<_> = auxiliary.collect();
    let planes = &*planes;
    let models = (0..).map(ModelId).zip(skins);
    let parts = models.flat_map(|(model, skin)| {
        let parts = groups.iter().zip(by_group(skin, groups));
        parts.map(move |(&hulls, part)| (model, hulls, part))
    });
    let parts: Vec<_> = parts.collect();
    let trees = parts.into_par_iter().map(|(model, hulls, skin)| {
        let builder = Builder {
            planes,
            solids: &solids[model.index()],
            filled: if model == ModelId::WORLD { filled } else { &[] },
            hulls,
            is_sketch: false,
            auxiliary: &auxiliary[model.index()],
            model,
        };
        builder.tree(skin)
    });
    trees.collect()
}

/// Quickly builds a temporary tree of the world for some hulls.
///
/// # Errors
/// The tree is deeper than the format allows.
pub fn sketch(
    world: &ModelSolids,
    hulls: HullSet,
    skin: Vec<CellFace<'_>>,
    planes: &mut PlaneSet,
) -> Result<ModelTree, CompileError> {
    let faces = skin.iter().map(|face| (face.owner, &*face.winding));
    let auxiliary = Auxiliary::new(planes, world, faces, false);
    let builder = Builder {
        planes,
        solids: world,
        filled: &[],
        hulls,
        is_sketch: true,
        auxiliary: &auxiliary,
        model: ModelId::WORLD,
    };
    builder.tree(skin)
}

/// Returns the number of planes that contain the faces of a skin.
fn n_planes(skin: &[Face]) -> usize {
    distinct(skin.iter().map(|face| face.winding.plane.canonical())).len()
}

/// Distributes the faces of a skin over groups of hulls. Each hull of the skin must be in a group.
fn by_group(skin: Vec<Face>, groups: &[HullSet]) -> Vec<Vec<CellFace<'static>>> {
    let owned = |face: Face| CellFace::new(face.owner, Cow::Owned(face.winding));
    let mut skin: Vec<_> = skin.into_par_iter().map(owned).collect();
    let Some((_, first)) = groups.split_last() else {
        return Vec::new();
    };
    let first = first.iter().map(|&hulls| {
        let of_group = |face: &mut CellFace<'_>| face.owner.hull.is_in(hulls);
        skin.extract_if(.., of_group).collect()
    });
    let mut by_group: Vec<_> = first.collect();
    // The last group gets all the rest, without a copy.
    by_group.push(skin);
    by_group
}

/// The state of a cell: the hulls that are classified, those of them for which it is solid, and the number of nodes
/// above it that planes of the lattice split.
#[derive(Clone, Copy, Default)]
struct Known {
    /// The hulls that are classified.
    resolved: HullSet,
    /// Those of them for which the cell is solid.
    solidity: HullSet,
    /// Number of nodes above that planes of the lattice split.
    n_of_lattice: usize,
}

struct Builder<'a> {
    planes: &'a PlaneSet,
    solids: &'a ModelSolids,
    /// For filled hulls, the leaves that they reach; all other space is solid for them.
    filled: &'a [FilledSpace],
    /// The hulls of the tree.
    hulls: HullSet,
    /// Whether the tree is temporary.
    is_sketch: bool,
    auxiliary: &'a Auxiliary,
    model: ModelId,
}

impl Builder<'_> {
    fn tree(&self, skin: Vec<CellFace<'_>>) -> Result<ModelTree, CompileError> {
        let bounds = self.auxiliary.bounds;
        let cell = Cell::from_box(self.planes, bounds);
        Ok(ModelTree {
            model: self.model,
            hulls: self.hulls,
            tree: self.subtree(cell, skin, Known::default(), 0)?,
            bounds,
        })
    }

    fn subtree(
        &self,
        cell: Cell,
        faces: Vec<CellFace<'_>>,
        mut known: Known,
        depth: usize,
    ) -> Result<Tree, CompileError> {
        self.resolve(&cell, &faces, &mut known);
        if faces.is_empty() {
            return Ok(Tree::Leaf {
                solidity: known.solidity,
            });
        }
        if depth == onion_format::MAX_DEPTH {
            return Err(self.too_deep(&cell, depth));
        }
        let (planes, auxiliary) = (self.planes, self.auxiliary);
        let effort = if self.is_sketch {
            Effort::QUICK
        } else {
            Effort::FULL
        };
        let of_lattice = self.lattice_splitter(&cell, &faces);
        known.n_of_lattice += usize::from(of_lattice.is_some());
        let plane = of_lattice.unwrap_or_else(|| {
            let depth = depth - known.n_of_lattice;
            splitter::choose(planes, auxiliary, &cell, &faces, effort, depth)
        });
        let Split::Both(front_cell, back_cell) = cell.split(self.planes, plane) else {
            unreachable!("a face inside a cell has a plane that cuts the cell");
        };
        let parallel = faces.len() >= FACES_FOR_A_TASK;
        let ([front_faces, back_faces], faces, in_plane) = self.split(faces, plane);
        let front = || self.subtree(front_cell, front_faces, known, depth + 1);
        let back = || self.subtree(back_cell, back_faces, known, depth + 1);
        let (front, back) = if parallel {
            rayon::join(front, back)
        } else {
            (front(), back())
        };
        Ok(match [front?, back?] {
            // A node that decides nothing.
            [Tree::Leaf { solidity }, Tree::Leaf { solidity: other }] if solidity == other => {
                Tree::Leaf { solidity }
            }
            children => Tree::Node {
                plane,
                faces,
                owners: distinct(in_plane.iter().map(|face| face.owner)).into(),
                shared: self.shared(in_plane),
                children: Box::new(children),
            },
        })
    }

    /// Returns the plane of the lattice that splits a cell, or `None` if the model is small, the faces lie in few
    /// planes or no plane of the lattice cuts the cell.
    fn lattice_splitter(&self, cell: &Cell, faces: &[CellFace<'_>]) -> Option<PlaneId> {
        let lattice = self.auxiliary.lattice.as_ref()?;
        let mut seen = SmallVec::<[PlaneId; MANY_PLANES + 1]>::new();
        for face in faces {
            let plane = face.winding.plane.canonical();
            if !seen.contains(&plane) {
                seen.push(plane);
                if seen.len() > MANY_PLANES {
                    return lattice.splitter(&cell.bounds());
                }
            }
        }
        None
    }

    /// Classifies the hulls that have no faces in the cell and are not classified yet.
    fn resolve(&self, cell: &Cell, faces: &[CellFace<'_>], known: &mut Known) {
        let here: HullSet = faces.iter().map(|face| face.hull().index()).collect();
        let hulls = self.hulls.without(known.resolved | here);
        for (hull, solid) in HullIndex::first(self.solids.len()).zip(self.solids) {
            if hull.is_in(hulls) {
                known.resolved |= hull.alone();
                if self.is_solid(hull, solid, cell) {
                    known.solidity |= hull.alone();
                }
            }
        }
    }

    /// Whether a cell without faces of a hull is solid for it.
    fn is_solid(&self, hull: HullIndex, solid: &HullSolid, cell: &Cell) -> bool {
        let planes = self.planes;
        let mut filled = self.filled.iter();
        match filled.find(|space| hull.is_in(space.filled)) {
            // The flood's tree contains the brushes, because the flood must stop at them.
            Some(space) => classify(planes, cell, |point| space.solid_at(planes, hull, point)),
            None => classify(planes, cell, |point| solid_at(planes, solid, point)),
        }
    }

    /// Splits the faces into those in front of a plane, behind it and in it, and returns whether any face in it faces
    /// its front, and whether any faces its back. Faces in the plane bound both children, and are not passed on.
    fn split<'f>(
        &self,
        faces: Vec<CellFace<'f>>,
        plane: PlaneId,
    ) -> ([Vec<CellFace<'f>>; 2], [bool; 2], Vec<CellFace<'f>>) {
        let mut looks = [false; 2];
        let mut in_plane = Vec::new();
        let mut back_faces = Vec::new();
        let known = self.known_sides(&faces, plane);
        let mut known = known.into_iter();
        let in_front = |face: CellFace<'f>| {
            match known.next().unwrap_or_else(|| self.side(&face, plane)) {
                PlaneSide::Front => return Some(face),
                PlaneSide::Back => back_faces.push(face),
                PlaneSide::On => {
                    let own = face.winding.plane;
                    let turned = self.planes[own].normal.dot(self.planes[plane].normal) < 0.0;
                    looks[usize::from(turned)] = true;
                    // A degenerate piece (a line) lies in several planes, but only its own plane keeps it.
                    if own.canonical() == plane.canonical() {
                        in_plane.push(face);
                    }
                }
                PlaneSide::Both => {
                    let split = face.winding.split(self.planes, plane);
                    let Some(Split::Both(front, back)) = split else {
                        unreachable!("the face is on both sides");
                    };
                    let part = |winding| CellFace::new(face.owner, Cow::Owned(winding));
                    back_faces.push(part(back));
                    return Some(part(front));
                }
            }
            None
        };
        // Reuses the memory of `faces`, because no more faces come out than go in.
        let front_faces = faces.into_iter().filter_map(in_front).collect();
        ([front_faces, back_faces], looks, in_plane)
    }

    /// Returns the side of a plane on which each face is. Several threads find it; the list is empty if there are too
    /// few faces to be worth that.
    fn known_sides(&self, faces: &[CellFace<'_>], plane: PlaneId) -> Vec<PlaneSide> {
        if faces.len() < FACES_FOR_MANY_TASKS {
            return Vec::new();
        }
        let sides = faces.par_iter().map(|face| self.side(face, plane));
        sides.collect()
    }

    fn side(&self, face: &CellFace<'_>, plane: PlaneId) -> PlaneSide {
        match face.locate(&self.planes[plane]) {
            Some(Location::Front) => PlaneSide::Front,
            Some(_) => PlaneSide::Back,
            None => face.winding.side(self.planes, plane),
        }
    }

    /// Returns the faces in a node's plane if they belong to several sides of brushes. Otherwise their owners suffice,
    /// and the list is empty, as in a temporary tree.
    fn shared(&self, faces: Vec<CellFace<'_>>) -> Box<[Face]> {
        let side = |face: &CellFace<'_>| (face.owner.brush, face.winding.plane);
        let is_of_one = |pair: &[CellFace<'_>]| side(&pair[0]) == side(&pair[1]);
        if self.is_sketch || faces.windows(2).all(is_of_one) {
            return Box::default();
        }
        let face = |face: CellFace<'_>| Face {
            owner: face.owner,
            winding: face.winding.into_owned(),
        };
        faces.into_iter().map(face).collect()
    }

    fn too_deep(&self, cell: &Cell, depth: usize) -> CompileError {
        CompileError::TooDeep {
            model: self.model.index(),
            depth,
            limit: onion_format::MAX_DEPTH,
            place: format!("{:.3}", cell.interior_point(self.planes, 0).position),
        }
    }
}
