//! Stage 5, group, decides which hulls share a tree. For `--group auto` it builds the trees of several groupings,
//! counts their nodes and takes the cheapest. On request, it also counts another grouping than that of the compile:
//! `auto` beside one tree for all hulls, and one tree for all beside any other grouping. [`grouping`] says which
//! groupings there are.

pub mod grouping;

use onion_format::HullSet;
use onion_geometry::PlaneSet;
use serde::Serialize;

use crate::error::CompileError;
use crate::expand::ModelSolids;
use crate::fill::Filling;
use crate::options::CompileOptions;
use crate::tree;
use crate::union::Face;
use grouping::Grouping;

/// A grouping that was not asked for.
#[derive(Clone, Debug, Serialize)]
pub struct Rival {
    /// The groups, as `--group` takes them.
    pub groups: String,
    /// Nodes of its trees.
    pub nodes: usize,
}

/// The groups of a compile: those that were asked for. `auto` stands for the fewest nodes among one tree for all,
/// the groups of similar hulls and a tree for each; among equals, for the first of these.
///
/// # Errors
/// A tree deeper than the format allows.
pub fn groups(
    options: &CompileOptions,
    solids: &[ModelSolids],
    filling: &Filling,
    skins: &[Vec<Face>],
    planes: &PlaneSet,
) -> Result<Vec<HullSet>, CompileError> {
    let groups = |grouping: &Grouping| grouping::groups(grouping, &options.hulls, skins);
    if options.grouping != Grouping::Auto {
        return Ok(groups(&options.grouping));
    }
    let mut candidates = vec![groups(&Grouping::One)];
    candidates.push(groups(&Grouping::Auto));
    candidates.push(groups(&Grouping::Each));
    candidates.dedup();
    if candidates.len() == 1 {
        return Ok(candidates.remove(0));
    }
    let mut counted = Vec::new();
    for groups in candidates {
        let n_nodes = count(solids, filling, skins, &groups, planes)?;
        counted.push((n_nodes, groups));
    }
    // The first of those with the fewest.
    let cheapest = counted.into_iter().min_by_key(|&(n_nodes, _)| n_nodes);
    Ok(cheapest.map_or_else(Vec::new, |(_, groups)| groups))
}

/// Nodes of the trees of some groups, which are those that a compile of these groups makes: each count begins with the
/// same planes, as their numbers decide between splits that are worth the same.
fn count(
    solids: &[ModelSolids],
    filling: &Filling,
    skins: &[Vec<Face>],
    groups: &[HullSet],
    planes: &PlaneSet,
) -> Result<usize, CompileError> {
    let mut planes = planes.clone();
    let skins = skins.to_vec();
    let trees = tree::build(solids, filling.unreachable(), skins, groups, &mut planes)?;
    Ok(trees.iter().map(|tree| tree.tree.n_nodes()).sum())
}

/// What the other choice of groups would cost, if that is asked for; none if it is the same.
///
/// # Errors
/// A tree deeper than the format allows.
pub fn rival(
    options: &CompileOptions,
    solids: &[ModelSolids],
    filling: &Filling,
    skins: &[Vec<Face>],
    groups: &[HullSet],
    planes: &PlaneSet,
) -> Result<Option<Rival>, CompileError> {
    if !options.compare_groups {
        return Ok(None);
    }
    let grouped = |other| grouping::groups(&other, &options.hulls, skins);
    let mut others = [Grouping::One, Grouping::Auto].into_iter().map(grouped);
    let Some(other) = others.find(|other| other != groups) else {
        return Ok(None);
    };
    Ok(Some(Rival {
        groups: grouping::names(&other, &options.hulls),
        nodes: count(solids, filling, skins, &other, planes)?,
    }))
}
