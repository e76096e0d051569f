//! Stage 6, group, decides which hulls share a tree. For `--group auto` it builds the trees of several groupings,
//! counts their nodes and takes the cheapest. On request, it also counts a grouping that the compile does not use:
//! groups of similar hulls beside one tree for all, and one tree for all beside any other grouping. [`grouping`] says
//! which groupings there are.

pub mod grouping;

use onion_format::HullSet;
use onion_geometry::PlaneSet;
use serde::Serialize;

use crate::error::CompileError;
use crate::expand::ModelSolids;
use crate::fill::Filling;
use crate::options::CompileOptions;
use crate::tree::{self, Plan};
use crate::union::Face;
use grouping::Grouping;

/// A grouping that the compile does not use, for comparison.
#[derive(Clone, Debug, Serialize)]
pub struct OtherGrouping {
    /// The groups, as `--group` takes them.
    pub groups: String,
    /// Nodes of its trees.
    pub n_nodes: usize,
}

/// Returns the groups of a compile, as the options choose them, and, if requested, another grouping for comparison.
/// `auto` takes the fewest nodes among one tree for all hulls, the groups of similar hulls and a tree for each hull; on
/// a tie, the first of these.
///
/// # Errors
/// A tree is deeper than the format allows.
pub fn group(
    options: &CompileOptions,
    solids: &[ModelSolids],
    filling: &Filling,
    skins: &[Vec<Face>],
    planes: &PlaneSet,
) -> Result<(Plan, Option<OtherGrouping>), CompileError> {
    let choices_of = |grouping| grouping::choices(grouping, &options.hulls, skins);
    // All groupings start from the same planes, because plane numbers decide between splits of equal cost.
    let build = |groups: Vec<HullSet>| -> Result<(usize, Plan), CompileError> {
        let (mut planes, skins) = (planes.clone(), skins.to_vec());
        let plan = Plan::from(groups.clone());
        let trees = tree::build(solids, filling.spaces(), skins, plan, &mut planes)?;
        let n_nodes: usize = trees.iter().map(|tree| tree.tree.n_nodes()).sum();
        let built = Some((trees, planes));
        Ok((n_nodes, Plan { groups, built }))
    };
    let is_auto = options.grouping == Grouping::Auto;
    let choices = choices_of(&options.grouping);
    let mut plan = Plan::from(choices[0].clone());
    // The groupings whose trees are built, with the nodes of each.
    let mut built: Vec<(&Vec<HullSet>, usize)> = Vec::new();
    for groups in choices.iter().filter(|_| is_auto) {
        if built.iter().any(|(other, _)| *other == groups) {
            continue;
        }
        let (n_nodes, own) = build(groups.clone())?;
        if built.iter().all(|&(_, other)| n_nodes < other) {
            plan = own;
        }
        built.push((groups, n_nodes));
    }
    // One tree for all hulls, or else the groups of similar hulls.
    let others = match options.compare_groups {
        true if is_auto => choices.clone(),
        true => choices_of(&Grouping::Auto),
        false => Vec::new(),
    };
    let mut others = others.into_iter().take(2);
    let Some(other) = others.find(|other| *other != plan.groups) else {
        return Ok((plan, None));
    };
    let groups = grouping::names(&other, &options.hulls);
    let n_nodes = match built.iter().find(|(groups, _)| **groups == other) {
        Some(&(_, n_nodes)) => n_nodes,
        None => build(other)?.0,
    };
    Ok((plan, Some(OtherGrouping { groups, n_nodes })))
}
