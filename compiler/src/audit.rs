//! Stage 6, audit: trees and the expanded brushes in, the number of wrong leaves out. It walks
//! each tree anew, cuts its cells again, and proves every leaf for every hull by volume: an empty
//! leaf shares no volume with any brush, a solid leaf is covered by brushes without a rest. This
//! is the second, independent answer to the classification at a point.

use rayon::prelude::*;
use serde::Serialize;

use crate::error::CompileError;
use crate::expand::{HullBrush, ModelSolids};
use crate::geometry::{Cell, Cut, Location, PlaneSet};
use crate::hull::HullSpec;
use crate::tree::{ModelTree, Tree};

/// What an audit found.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Audit {
    /// Pairs of leaf and hull that were checked.
    pub leaf_hulls: u64,
    /// Pairs that are not wholly as the leaf says.
    pub impure: u64,
    /// Hull and position of the first of those.
    pub first: Option<String>,
}

impl Audit {
    fn add(mut self, other: Self) -> Self {
        self.leaf_hulls += other.leaf_hulls;
        self.impure += other.impure;
        self.first = self.first.or(other.first);
        self
    }
}

/// Audits all trees.
///
/// # Errors
/// Any leaf that is wrong: such a tree must not be shipped.
pub fn audit(
    models: &[ModelSolids],
    trees: &[ModelTree],
    hulls: &[HullSpec],
    set: &PlaneSet,
) -> Result<Audit, CompileError> {
    let audits = models
        .par_iter()
        .zip(trees)
        .enumerate()
        .map(|(model, (solids, tree))| {
            let Some(cell) = Cell::from_planes(set, tree.bounds, []) else {
                unreachable!("the box has a volume");
            };
            let auditor = Auditor {
                set,
                solids,
                hulls,
                model,
            };
            let nearby = solids.iter().map(|solid| solid.brushes.iter().collect());
            auditor.subtree(&tree.tree, cell, nearby.collect())
        });
    let audit = audits
        .collect::<Vec<_>>()
        .into_iter()
        .fold(Audit::default(), Audit::add);
    match audit {
        Audit { impure: 0, .. } => Ok(audit),
        Audit {
            leaf_hulls,
            impure,
            first,
        } => Err(CompileError::Impure {
            impure,
            leaf_hulls,
            place: first.unwrap_or_default(),
        }),
    }
}

/// For each hull, the brushes that may share volume with a cell.
type Nearby<'a> = Vec<Vec<&'a HullBrush>>;

struct Auditor<'a> {
    set: &'a PlaneSet,
    solids: &'a ModelSolids,
    hulls: &'a [HullSpec],
    model: usize,
}

impl<'a> Auditor<'a> {
    fn subtree(&self, tree: &Tree, cell: Cell, nearby: Nearby<'a>) -> Audit {
        match tree {
            Tree::Leaf { solidity } => self.leaf(*solidity, &cell, &nearby),
            Tree::Node { plane, children } => {
                let [front, back] = &**children;
                let Cut::Both(front_cell, back_cell) = cell.cut(self.set, *plane) else {
                    // A splitter that does not cut its cell leaves one child without a place.
                    return self.wrong(&cell, 0);
                };
                let front_nearby = narrowed(&nearby, &front_cell);
                let back_nearby = narrowed(&nearby, &back_cell);
                let (front, back) = rayon::join(
                    || self.subtree(front, front_cell, front_nearby),
                    || self.subtree(back, back_cell, back_nearby),
                );
                front.add(back)
            }
        }
    }

    fn leaf(&self, solidity: u64, cell: &Cell, nearby: &Nearby<'a>) -> Audit {
        let checks = nearby.iter().enumerate().map(|(hull, brushes)| {
            let right = if solidity >> hull & 1 == 0 {
                !brushes.iter().any(|brush| meets(self.set, cell, brush))
            } else {
                covered(self.set, cell, brushes)
            };
            if right {
                Audit {
                    leaf_hulls: 1,
                    ..Audit::default()
                }
            } else {
                self.wrong(cell, hull)
            }
        });
        debug_assert_eq!(nearby.len(), self.solids.len());
        checks.fold(Audit::default(), Audit::add)
    }

    fn wrong(&self, cell: &Cell, hull: usize) -> Audit {
        let place = cell.interior_point(self.set, 0).position;
        let hull = self.hulls.get(hull).map_or("", |hull| &hull.name);
        Audit {
            leaf_hulls: 1,
            impure: 1,
            first: Some(format!("model {}, hull {hull}, {place}", self.model)),
        }
    }
}

fn narrowed<'a>(nearby: &Nearby<'a>, cell: &Cell) -> Nearby<'a> {
    let bounds = cell.bounds();
    let narrow = |brushes: &Vec<&'a HullBrush>| {
        let touching = brushes.iter().filter(|brush| brush.bounds.touches(&bounds));
        touching.copied().collect()
    };
    nearby.iter().map(narrow).collect()
}

/// Whether a cell and a brush share volume.
fn meets(set: &PlaneSet, cell: &Cell, brush: &HullBrush) -> bool {
    let mut rest = Vec::new();
    for plane in brush.cell.planes() {
        let locations = cell.locate(set, plane);
        if !locations.contains(&Location::Back) {
            return false;
        }
        if locations.contains(&Location::Front) {
            rest.push(plane);
        }
    }
    let whole = Some(cell.clone());
    let inside = rest
        .into_iter()
        .fold(whole, |part, plane| part?.clip(set, plane));
    inside.is_some()
}

/// Whether brushes together cover all of a cell.
fn covered(set: &PlaneSet, cell: &Cell, brushes: &[&HullBrush]) -> bool {
    let mut rest = vec![cell.clone()];
    for brush in brushes {
        rest = rest
            .into_iter()
            .flat_map(|part| outside(set, part, brush))
            .collect();
        if rest.is_empty() {
            return true;
        }
    }
    false
}

/// The parts of a cell outside of a brush.
fn outside(set: &PlaneSet, cell: Cell, brush: &HullBrush) -> Vec<Cell> {
    if !meets(set, &cell, brush) {
        return vec![cell];
    }
    let mut parts = Vec::new();
    let mut inside = cell;
    for plane in brush.cell.planes() {
        match inside.cut(set, plane) {
            Cut::Back => {}
            Cut::Front => unreachable!("the cell meets the brush"),
            Cut::Both(front, back) => {
                parts.push(front);
                inside = back;
            }
        }
    }
    parts
}
