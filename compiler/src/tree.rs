//! Stage 6, tree: the skins of all hulls in, one onion tree for each model and group of hulls out
//! (Golodetz, section 3.1, listings 1 and 2). The builder carries the exact convex cell. A hull that
//! has no face left in the cell is wholly solid or empty there and is classified at once; the cell is
//! a leaf when all hulls are.

use glam::DVec3;
use rayon::prelude::*;

use crate::classify::solid_at;
use crate::error::CompileError;
use crate::expand::ModelSolids;
use crate::geometry::plane::PlaneEntry;
use crate::geometry::winding::Division;
use crate::geometry::{Bounds, Cell, Cut, Location, PlaneId, PlaneSet};
use crate::splitter::{self, AxialGrid, Effort};
use crate::union::Face;

/// Cells with fewer faces than this are not worth a task of their own.
const FACES_FOR_A_TASK: usize = 256;

/// So many faces are divided by several threads, at the top of the trees of large maps.
const FACES_FOR_MANY_TASKS: usize = 1 << 14;

/// A tree or a part of one.
#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    /// A cell that is wholly solid or empty for every hull.
    Leaf {
        /// Bit `h` is set when it is solid for hull `h`.
        solidity: u64,
    },
    /// A cell that is split by a plane.
    Node {
        /// The plane, in its canonical facing.
        plane: PlaneId,
        /// Whether faces in the plane look to its front, and whether any look to its back.
        faces: [bool; 2],
        /// Whose faces lie in it inside the cell, in order, none twice; nobody's in a tree that was read
        /// from a file.
        owners: Box<[Owner]>,
        /// The parts in front of and behind the plane.
        children: Box<[Tree; 2]>,
    },
}

/// Whose face lies in the plane of a node, inside its cell: a hull's and, of those, a brush's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Owner {
    /// Number of the hull.
    pub hull: u8,
    /// Number of the brush in its model.
    pub brush: u32,
}

/// The tree of a model for a group of hulls, and the box it was built in.
#[derive(Clone, Debug)]
pub struct ModelTree {
    /// Number of the model.
    pub model: usize,
    /// The hulls that share the tree, one bit each.
    pub hulls: u64,
    /// The tree.
    pub tree: Tree,
    /// The six planes of the box around all expanded brushes, with a unit to spare. No brush is
    /// outside of it, and the outermost leaves reach beyond it.
    pub bounds: [PlaneId; 6],
}

impl Tree {
    /// Number of its nodes.
    pub fn n_nodes(&self) -> usize {
        match self {
            Self::Leaf { .. } => 0,
            Self::Node { children, .. } => {
                let [front, back] = &**children;
                1 + front.n_nodes() + back.n_nodes()
            }
        }
    }
}

/// A face inside a cell, with its box for quick estimates.
#[derive(Clone, Debug)]
pub struct CellFace {
    /// The face.
    pub face: Face,
    /// Center of its box.
    pub center: DVec3,
    /// Half the size of its box.
    pub half_size: DVec3,
}

impl CellFace {
    fn new(face: Face) -> Self {
        let Bounds { mins, maxs } = face.winding.bounds();
        Self {
            face,
            center: (mins + maxs) / 2.0,
            half_size: (maxs - mins) / 2.0,
        }
    }

    /// The side of a plane that certainly holds all of the face, if there is one.
    fn locate(&self, plane: &PlaneEntry) -> Option<Location> {
        Bounds::locate_box(self.center, self.half_size, plane)
    }
}

/// Builds the trees of every model, one for each group of hulls, in the order of models and groups.
///
/// # Errors
/// A tree deeper than the format allows.
pub fn build(
    models: &[ModelSolids],
    skins: Vec<Vec<Face>>,
    groups: &[u64],
    effort: Effort,
    set: &mut PlaneSet,
) -> Result<Vec<ModelTree>, CompileError> {
    let boxes: Vec<_> = models
        .iter()
        .map(|solids| {
            let grid = AxialGrid::new(set, &roomy_bounds(solids));
            (cell_bounds(set, solids), grid)
        })
        .collect();
    let set = &*set;
    let inputs = skins.into_iter().enumerate().flat_map(|(model, skin)| {
        let mut skin: Vec<_> = skin.into_par_iter().map(CellFace::new).collect();
        groups.iter().map(move |&hulls| {
            let of_group = |face: &mut CellFace| hulls >> face.face.hull & 1 == 1;
            (
                model,
                hulls,
                skin.extract_if(.., of_group).collect::<Vec<_>>(),
            )
        })
    });
    let inputs: Vec<_> = inputs.collect();
    let trees = inputs.into_par_iter().map(|(model, hulls, faces)| {
        let (bounds, grid) = &boxes[model];
        let Some(cell) = Cell::from_planes(set, *bounds, []) else {
            unreachable!("the box has a volume");
        };
        let builder = Builder {
            set,
            solids: &models[model],
            hulls,
            effort,
            grid,
            model,
        };
        let tree = builder.subtree(cell, faces, Known::default(), 0)?;
        Ok(ModelTree {
            model,
            hulls,
            tree,
            bounds: *bounds,
        })
    });
    trees.collect()
}

/// The planes of the cell that a model's tree divides: a box around all that is solid, with room.
pub fn cell_bounds(set: &mut PlaneSet, solids: &ModelSolids) -> [PlaneId; 6] {
    set.insert_box(roomy_bounds(solids))
}

/// Whole-numbered box around all expanded brushes with at least one unit to spare.
fn roomy_bounds(solids: &ModelSolids) -> Bounds {
    let brushes = solids.iter().flat_map(|solid| &solid.brushes);
    let around = brushes.fold(Bounds::NONE, |bounds, brush| bounds.union(brush.bounds));
    if around.mins.cmpgt(around.maxs).any() {
        return Bounds {
            mins: DVec3::NEG_ONE,
            maxs: DVec3::ONE,
        };
    }
    Bounds {
        mins: (around.mins - 1.0).floor(),
        maxs: (around.maxs + 1.0).ceil(),
    }
}

/// What is known of a cell: for which hulls it is resolved, and for which of those it is solid.
#[derive(Clone, Copy, Default)]
struct Known {
    resolved: u64,
    solidity: u64,
}

struct Builder<'a> {
    set: &'a PlaneSet,
    solids: &'a ModelSolids,
    /// The hulls of the tree.
    hulls: u64,
    effort: Effort,
    grid: &'a AxialGrid,
    model: usize,
}

impl Builder<'_> {
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
        let plane = splitter::choose(self.set, self.grid, &cell, &faces, self.effort, depth);
        let Cut::Both(front_cell, back_cell) = cell.cut(self.set, plane) else {
            unreachable!("a face inside a cell has a plane that cuts the cell");
        };
        let parallel = faces.len() >= FACES_FOR_A_TASK;
        let ([front_faces, back_faces], faces, owners) = self.divide(faces, plane);
        let front = || self.subtree(front_cell, front_faces, known, depth + 1);
        let back = || self.subtree(back_cell, back_faces, known, depth + 1);
        let (front, back) = if parallel {
            rayon::join(front, back)
        } else {
            (front(), back())
        };
        Ok(Tree::Node {
            plane,
            faces,
            owners,
            children: Box::new([front?, back?]),
        })
    }

    /// Classifies the hulls that have no face left in the cell.
    fn resolve(&self, cell: &Cell, faces: &[CellFace], known: &mut Known) {
        let unresolved = faces
            .iter()
            .fold(0u64, |bits, face| bits | 1 << face.face.hull);
        for (hull, solid) in self.solids.iter().enumerate() {
            let bit = 1 << hull;
            if self.hulls & !(known.resolved | unresolved) & bit != 0 {
                known.resolved |= bit;
                known.solidity |= u64::from(solid_at(self.set, solid, cell)) << hull;
            }
        }
    }

    /// The faces in front of and behind a plane. Those in the plane bound both cells and are done;
    /// of them only remains whether any look to the front and to the back, and whose they are.
    fn divide(
        &self,
        faces: Vec<CellFace>,
        plane: PlaneId,
    ) -> ([Vec<CellFace>; 2], [bool; 2], Box<[Owner]>) {
        let mut looks = [false; 2];
        let mut owners = Vec::new();
        let mut front_faces = Vec::with_capacity(faces.len());
        let mut back_faces = Vec::with_capacity(faces.len());
        let division = |face: &CellFace| match face.locate(&self.set[plane]) {
            Some(Location::Front) => Division::Front,
            Some(_) => Division::Back,
            None => face.face.winding.divide(self.set, plane),
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
                        [face.face.winding.plane, plane].map(|id| self.set[id].normal);
                    looks[usize::from(own.dot(splitter) < 0.0)] = true;
                    // A piece so thin that it is a line lies in other planes too, and is nobody's there.
                    if face.face.winding.plane.canonical() == plane.canonical() {
                        let Face { hull, brush, .. } = face.face;
                        owners.push(Owner { hull, brush });
                    }
                }
                Division::Both(front, back) => {
                    let Face { hull, brush, .. } = face.face;
                    let part = |winding| {
                        CellFace::new(Face {
                            hull,
                            brush,
                            winding,
                        })
                    };
                    front_faces.push(part(front));
                    back_faces.push(part(back));
                }
            }
        }
        owners.sort_unstable();
        owners.dedup();
        ([front_faces, back_faces], looks, owners.into())
    }

    fn too_deep(&self, cell: &Cell, depth: usize) -> CompileError {
        CompileError::TooDeep {
            model: self.model,
            depth,
            limit: onion_format::MAX_DEPTH,
            place: cell.interior_point(self.set, 0).position.to_string(),
        }
    }
}
