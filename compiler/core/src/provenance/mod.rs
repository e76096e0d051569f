//! Stage 10, provenance, lists the data that a game receives about a hit: the sides of all brushes, and for each node
//! the side that is hit there. If only one side has a face in a node's plane and cell, the hit is that side; if several
//! have, a few choices divide the plane among them.

use onion_geometry::PlaneSet;
use rayon::prelude::*;

use crate::audit::Proven;
use crate::brush::ModelBrushes;
use crate::bsp::{ModelTree, Tree};
use crate::hull::HullSpec;
use crate::options::CompileOptions;
use choices::{NodePiece, choose};
use sides::SideFinder;

mod choices;
mod hit_tree;
mod sides;

pub use hit_tree::{HitChoice, HitTree};
pub use sides::{BrushSides, SolidSide, sides};

/// Hit data: the data that a game receives about a hit.
#[derive(Clone, Debug)]
pub struct Hits {
    /// The sides of the brushes of each model.
    pub sides: Vec<Vec<BrushSides>>,
    /// For each node of all trees, in pre-order, the hit there, or `None` if the file does not hold hits.
    pub nodes: Option<Vec<HitTree>>,
}

/// Lists the sides of all brushes and the hit at each node, or returns `None` if the options ask for neither.
pub fn hits(
    options: &CompileOptions,
    models: &[ModelBrushes],
    proven: &Proven,
    planes: &mut PlaneSet,
) -> Option<Hits> {
    if !options.surfaces && !options.brushes {
        return None;
    }
    let sides = sides(models, &options.hulls, planes);
    let nodes = || nodes(&proven.trees, &sides, &options.hulls, planes);
    Some(Hits {
        nodes: options.surfaces.then(nodes),
        sides,
    })
}

fn nodes(
    trees: &[ModelTree],
    sides: &[Vec<BrushSides>],
    hulls: &[HullSpec],
    planes: &PlaneSet,
) -> Vec<HitTree> {
    let mut nodes = Vec::new();
    for tree in trees {
        let finder = SideFinder::new(&sides[tree.model.index()], hulls, planes);
        let splits = tree.tree.nodes();
        let hits = splits.into_par_iter().filter_map(|node| hit(&finder, node));
        nodes.par_extend(hits);
    }
    nodes
}

/// Returns the hit at a node, or `None` for a leaf.
fn hit(finder: &SideFinder<'_>, tree: &Tree) -> Option<HitTree> {
    let Tree::Node {
        plane,
        owners,
        shared,
        ..
    } = tree
    else {
        return None;
    };
    Some(match &**owners {
        [] => HitTree::Nothing,
        [owner, ..] if shared.is_empty() => match finder.side(owner, *plane) {
            Some(side) => HitTree::Side(side),
            None => HitTree::Nothing,
        },
        _ => {
            let piece = |face| Some(NodePiece::new(face, finder.side_of(face)?));
            let pieces = shared.iter().filter_map(piece).collect();
            choose(finder.planes, *plane, pieces)
        }
    })
}
