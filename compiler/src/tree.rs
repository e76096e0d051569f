//! Stage 6, tree, builds one onion tree over the skins of each model and group of hulls (Golodetz, section
//! 3.1, listings 1 and 2). The builder carries the exact convex cell. A hull that has no face left in the cell
//! is wholly solid or empty there and is classified at once; when all hulls are, the cell is a leaf. A node
//! whose children are equal leaves becomes that leaf (Quake II's `PruneNodes`).

use onion_format::HullSet;
use rayon::prelude::*;

use crate::bsp::{ModelTree, Tree};
use crate::classify::{classify, solid_at};
use crate::error::CompileError;
use crate::expand::{HullSolid, ModelSolids, roomy_bounds};
use crate::geometry::winding::Division;
use crate::geometry::{Cell, Cut, Location, PlaneId, PlaneSet};
use crate::id::{HullId, ModelId, Owner};
use crate::portals::Unreachable;
use crate::splitter::{self, AxialGrid, CellFace, Effort};
use crate::union::Face;

/// Cells with fewer faces than this are not worth a task of their own.
const FACES_FOR_A_TASK: usize = 256;

/// From this number on, the faces of a cell are divided by several threads: at the top of the trees of large
/// maps.
const FACES_FOR_MANY_TASKS: usize = 1 << 14;

/// Builds the trees of every model, one for each group of hulls, in the order of models and groups. What
/// is unreachable in the world, model 0, is solid there.
///
/// # Errors
/// A tree deeper than the format allows.
pub fn build(
    solids: &[ModelSolids],
    unreachable: Option<&Unreachable>,
    skins: Vec<Vec<Face>>,
    groups: &[HullSet],
    planes: &mut PlaneSet,
) -> Result<Vec<ModelTree>, CompileError> {
    let plots = solids.iter().map(|solids| Plot::new(planes, solids));
    let plots: Vec<_> = plots.collect();
    let planes = &*planes;
    let models = (0..).map(ModelId).zip(skins);
    let skins = models.flat_map(|(model, skin)| {
        let skins = groups.iter().zip(by_group(skin, groups));
        skins.map(move |(&hulls, skin)| (model, hulls, skin))
    });
    let skins: Vec<_> = skins.collect();
    let trees = skins.into_par_iter().map(|(model, hulls, skin)| {
        let builder = Builder {
            planes,
            solids: &solids[model.index()],
            unreachable: unreachable.filter(|_| model == ModelId::WORLD),
            hulls,
            effort: Effort::FULL,
            grid: &plots[model.index()].grid,
            model,
        };
        builder.tree(plots[model.index()].bounds, skin)
    });
    trees.collect()
}

/// Builds one tree of the world for all hulls in a hurry, to be used once and thrown away.
///
/// # Errors
/// A tree deeper than the format allows.
pub fn sketch(
    world: &ModelSolids,
    skin: &[Face],
    planes: &mut PlaneSet,
) -> Result<ModelTree, CompileError> {
    let Plot { grid, bounds } = Plot::new(planes, world);
    let builder = Builder {
        planes,
        solids: world,
        unreachable: None,
        hulls: HullSet::FULL,
        effort: Effort::QUICK,
        grid: &grid,
        model: ModelId::WORLD,
    };
    let skin = skin.par_iter().cloned().map(CellFace::new);
    builder.tree(bounds, skin.collect())
}

/// Where the trees of a model stand.
struct Plot {
    grid: AxialGrid,
    /// The planes of the cell that they divide.
    bounds: [PlaneId; 6],
}

impl Plot {
    fn new(planes: &mut PlaneSet, solids: &ModelSolids) -> Self {
        let bounds = roomy_bounds(solids);
        Self {
            grid: AxialGrid::new(planes, &bounds),
            bounds: bounds.insert_planes(planes),
        }
    }
}

/// The faces of a skin by groups of hulls.
fn by_group(skin: Vec<Face>, groups: &[HullSet]) -> Vec<Vec<CellFace>> {
    let mut skin: Vec<_> = skin.into_par_iter().map(CellFace::new).collect();
    let groups = groups.iter().map(|&hulls| {
        let of_group = |face: &mut CellFace| face.face.owner.hull.is_in(hulls);
        skin.extract_if(.., of_group).collect()
    });
    groups.collect()
}

/// What is known of a cell: for which hulls it is resolved, and for which of those it is solid.
#[derive(Clone, Copy, Default)]
struct Known {
    resolved: HullSet,
    solidity: HullSet,
}

struct Builder<'a> {
    planes: &'a PlaneSet,
    solids: &'a ModelSolids,
    /// What else is solid, for the hulls that are filled.
    unreachable: Option<&'a Unreachable>,
    /// The hulls of the tree.
    hulls: HullSet,
    effort: Effort,
    grid: &'a AxialGrid,
    model: ModelId,
}

impl Builder<'_> {
    fn tree(&self, bounds: [PlaneId; 6], skin: Vec<CellFace>) -> Result<ModelTree, CompileError> {
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
        faces: Vec<CellFace>,
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
        let plane = splitter::choose(self.planes, self.grid, &cell, &faces, self.effort, depth);
        let Cut::Both(front_cell, back_cell) = cell.cut(self.planes, plane) else {
            unreachable!("a face inside a cell has a plane that cuts the cell");
        };
        let parallel = faces.len() >= FACES_FOR_A_TASK;
        let ([front_faces, back_faces], faces, in_plane) = self.divide(faces, plane);
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
                owners: owners(&in_plane),
                shared: shared(in_plane),
                children: Box::new(children),
            },
        })
    }

    /// Classifies the hulls that have no face left in the cell.
    fn resolve(&self, cell: &Cell, faces: &[CellFace], known: &mut Known) {
        let here: HullSet = faces.iter().map(|face| face.hull().index()).collect();
        let hulls = self.hulls.without(known.resolved | here);
        for (hull, solid) in HullId::first(self.solids.len()).zip(self.solids) {
            if hull.is_in(hulls) {
                known.resolved |= hull.alone();
                if self.is_solid(hull, solid, cell) {
                    known.solidity |= hull.alone();
                }
            }
        }
    }

    /// Whether a cell without faces of a hull is solid for it.
    fn is_solid(&self, hull: HullId, solid: &HullSolid, cell: &Cell) -> bool {
        let planes = self.planes;
        match self.unreachable.filter(|places| places.are_known(hull)) {
            // The tree that knows them knows the brushes too.
            Some(places) => classify(planes, cell, |point| places.solid_at(planes, hull, point)),
            None => classify(planes, cell, |point| solid_at(planes, solid, point)),
        }
    }

    /// The faces in front of, behind and in a plane, and whether any of the last look to its front and to its
    /// back. Those bound both cells and are done.
    fn divide(
        &self,
        faces: Vec<CellFace>,
        plane: PlaneId,
    ) -> ([Vec<CellFace>; 2], [bool; 2], Vec<Face>) {
        let mut looks = [false; 2];
        let mut in_plane = Vec::new();
        let mut front_faces = Vec::with_capacity(faces.len());
        let mut back_faces = Vec::with_capacity(faces.len());
        let division = |face: &CellFace| match face.locate(&self.planes[plane]) {
            Some(Location::Front) => Division::Front,
            Some(_) => Division::Back,
            None => face.face.winding.divide(self.planes, plane),
        };
        let mut known = Vec::new();
        if faces.len() >= FACES_FOR_MANY_TASKS {
            known = faces.par_iter().map(division).collect();
        }
        let mut known = known.into_iter();
        for face in faces {
            match known.next().unwrap_or_else(|| division(&face)) {
                Division::Front => front_faces.push(face),
                Division::Back => back_faces.push(face),
                Division::On => {
                    let [own, splitter] =
                        [face.face.winding.plane, plane].map(|id| self.planes[id].normal);
                    looks[usize::from(own.dot(splitter) < 0.0)] = true;
                    // A piece so thin that it is a line lies in other planes too, and is nobody's there.
                    if face.face.winding.plane.canonical() == plane.canonical() {
                        in_plane.push(face.face);
                    }
                }
                Division::Both(front, back) => {
                    let owner = face.face.owner;
                    let part = |winding| CellFace::new(Face { owner, winding });
                    front_faces.push(part(front));
                    back_faces.push(part(back));
                }
            }
        }
        ([front_faces, back_faces], looks, in_plane)
    }

    fn too_deep(&self, cell: &Cell, depth: usize) -> CompileError {
        CompileError::TooDeep {
            model: self.model.index(),
            depth,
            limit: onion_format::MAX_DEPTH,
            place: cell.interior_point(self.planes, 0).position.to_string(),
        }
    }
}

/// Whose some faces are, in order, none twice.
fn owners(faces: &[Face]) -> Box<[Owner]> {
    let mut owners: Vec<_> = faces.iter().map(|face| face.owner).collect();
    owners.sort_unstable();
    owners.dedup();
    owners.into()
}

/// The faces of a plane if they are of several sides; otherwise their owners say it all.
fn shared(faces: Vec<Face>) -> Box<[Face]> {
    let side = |face: &Face| (face.owner.brush, face.winding.plane);
    if faces
        .windows(2)
        .all(|pair| side(&pair[0]) == side(&pair[1]))
    {
        Box::default()
    } else {
        faces.into()
    }
}
