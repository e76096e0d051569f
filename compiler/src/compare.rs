//! Comparison of groupings: the skins and the groups that were asked for in, the nodes that the other
//! choice would make out. The other choice is the grouping of similar hulls beside one tree for all,
//! and one tree for all beside any other grouping.

use serde::Serialize;

use crate::error::CompileError;
use crate::expand::ModelSolids;
use crate::geometry::PlaneSet;
use crate::group::{self, Grouping};
use crate::hull::HullSpec;
use crate::portals::Unreachable;
use crate::splitter::Effort;
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

/// What the other choice of groups would cost; none if it is the same.
///
/// # Errors
/// A tree deeper than the format allows.
pub fn compare(
    solids: &[ModelSolids],
    unreachable: Option<&Unreachable>,
    skins: &[Vec<Face>],
    groups: &[u64],
    hulls: &[HullSpec],
    set: &mut PlaneSet,
) -> Result<Option<Rival>, CompileError> {
    let other = match groups {
        [_] => Grouping::Auto,
        _ => Grouping::One,
    };
    let other = group::groups(&other, hulls, skins);
    if other == groups {
        return Ok(None);
    }
    let trees = tree::build(
        solids,
        unreachable,
        skins.to_vec(),
        &other,
        Effort::FULL,
        set,
    )?;
    Ok(Some(Rival {
        groups: group::names(&other, hulls),
        nodes: trees.iter().map(|tree| tree.tree.n_nodes()).sum(),
    }))
}
