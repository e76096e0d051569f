//! Part of stage 5, group: what another grouping would cost, for those who ask. The trees of the other
//! grouping are built and their nodes counted: those of similar hulls beside one tree for all, and one
//! tree for all beside any other grouping. It takes as long as stage 6 and has no part in the file.

use onion_format::HullSet;
use serde::Serialize;

use crate::error::CompileError;
use crate::expand::ModelSolids;
use crate::fill::Filling;
use crate::geometry::PlaneSet;
use crate::group::{self, Grouping};
use crate::options::CompileOptions;
use crate::tree;
use crate::union::Face;

/// A grouping that was not asked for.
#[derive(Clone, Debug, Serialize)]
pub struct Rival {
    /// The groups, as `--group` takes them.
    pub groups: String,
    /// Nodes of its trees.
    pub nodes: usize,
}

/// What the other choice of groups would cost, if that is asked for; none if it is the same.
///
/// # Errors
/// A tree deeper than the format allows.
pub fn compare(
    options: &CompileOptions,
    solids: &[ModelSolids],
    filling: &Filling,
    skins: &[Vec<Face>],
    groups: &[HullSet],
    planes: &mut PlaneSet,
) -> Result<Option<Rival>, CompileError> {
    if !options.compare_groups {
        return Ok(None);
    }
    let one = groups.len() == 1;
    let other = if one { Grouping::Auto } else { Grouping::One };
    let other = group::groups(&other, &options.hulls, skins);
    if other == groups {
        return Ok(None);
    }
    let skins = skins.to_vec();
    let trees = tree::build(solids, filling.unreachable(), skins, &other, planes)?;
    Ok(Some(Rival {
        groups: group::names(&other, &options.hulls),
        nodes: trees.iter().map(|tree| tree.tree.n_nodes()).sum(),
    }))
}
