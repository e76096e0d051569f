//! Stage 7, audit, proves every leaf of every tree for every hull by volume. It walks the trees anew and cuts
//! their cells again: an empty leaf shares no volume with any brush, and a solid leaf is covered by brushes
//! without a rest or, for a filled hull, with a rest that [`seal`](crate::seal) proves out of reach. The
//! audit shares no code with the classification at a point, and a tree that fails it is not written.

use std::cell::OnceCell;

use onion_format::HullSet;
use rayon::prelude::*;
use serde::Serialize;

use crate::bsp::{ModelTree, Tree};
use crate::error::CompileError;
use crate::expand::{HullBrush, HullSolid, ModelSolids};
use crate::geometry::relation::{Relation, Sides, outside, relation};
use crate::geometry::{Bounds, Cell, Cut, PlaneId, PlaneSet};
use crate::hull::HullSpec;
use crate::id::{HullId, ModelId};
use crate::seal::{Above, Claim, Leaf};

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
    /// A leaf that is right for a hull.
    const RIGHT: Self = Self {
        leaf_hulls: 1,
        impure: 0,
        first: None,
    };

    fn add(mut self, other: Self) -> Self {
        self.leaf_hulls += other.leaf_hulls;
        self.impure += other.impure;
        self.first = self.first.or(other.first);
        self
    }
}

/// Trees of which every leaf is proven.
#[derive(Clone, Debug)]
pub struct Proven {
    /// The trees.
    pub trees: Vec<ModelTree>,
    /// The hulls that are filled.
    pub filled: HullSet,
    /// What the audit found.
    pub audit: Audit,
}

/// Proves trees, as [`audit`] does.
///
/// # Errors
/// Any leaf that is wrong: such a tree must not be shipped.
pub fn prove(
    models: &[ModelSolids],
    trees: Vec<ModelTree>,
    hulls: &[HullSpec],
    claim: Claim<'_>,
    planes: &PlaneSet,
) -> Result<Proven, CompileError> {
    let audit = audit(models, &trees, hulls, claim, planes);
    if audit.impure > 0 {
        return Err(CompileError::Impure {
            impure: audit.impure,
            leaf_hulls: audit.leaf_hulls,
            place: audit.first.unwrap_or_default(),
        });
    }
    Ok(Proven {
        trees,
        filled: claim.filled,
        audit,
    })
}

/// Audits all trees. The claim is about the first, the world's.
pub fn audit(
    models: &[ModelSolids],
    trees: &[ModelTree],
    hulls: &[HullSpec],
    claim: Claim<'_>,
    planes: &PlaneSet,
) -> Audit {
    let audits = trees.par_iter().map(|tree| {
        let of_world = tree.model == ModelId::WORLD;
        let others = trees.iter().filter(|other| other.model == tree.model);
        let others = others.filter(|other| other.hulls != tree.hulls);
        let others: Vec<_> = others.map(|other| (other.hulls, &other.tree)).collect();
        let auditor = Auditor {
            planes,
            hulls,
            model: tree.model,
            bounds: tree.bounds,
            claim: if of_world { claim } else { Claim::default() },
            own: tree.hulls,
            others: &others,
        };
        auditor.tree(&tree.tree, &models[tree.model.index()])
    });
    audits.reduce(Audit::default, Audit::add)
}

/// Cells that fewer brushes touch are not worth a task of their own.
const PARTS_FOR_A_TASK: usize = 64;

/// What brushes do to a cell, for one hull.
#[derive(Clone)]
enum Cover<'a> {
    /// One brush holds all of it.
    Whole,
    /// These may share volume with it.
    Parts(Vec<Part<'a>>),
}

/// A brush that may share volume with a cell.
#[derive(Clone)]
struct Part<'a> {
    bounds: &'a Bounds,
    /// The planes of the brush that do not have all of the cell behind them. Neither do they in any
    /// part of the cell, so the others need not be asked again.
    sides: Sides,
}

impl<'a> Cover<'a> {
    fn of(solid: &'a HullSolid) -> Self {
        let part = |brush: &'a HullBrush| Part {
            bounds: &brush.bounds,
            sides: brush.cell.planes().collect(),
        };
        Self::Parts(solid.brushes.iter().map(part).collect())
    }
}

impl Cover<'_> {
    fn n_parts(&self) -> usize {
        match self {
            Self::Whole => 0,
            Self::Parts(parts) => parts.len(),
        }
    }
}

struct Auditor<'a> {
    planes: &'a PlaneSet,
    hulls: &'a [HullSpec],
    model: ModelId,
    bounds: [PlaneId; 6],
    claim: Claim<'a>,
    /// The hulls of the tree.
    own: HullSet,
    /// The trees of the model's other hulls.
    others: &'a [(HullSet, &'a Tree)],
}

impl<'a> Auditor<'a> {
    fn tree(&self, tree: &Tree, solids: &'a ModelSolids) -> Audit {
        let cell = Cell::from_box(self.planes, self.bounds);
        if let Some(hull) = self.claim.unfounded(self.planes, &self.bounds).first() {
            return self.wrong(&cell, hull);
        }
        let solids = HullId::first(solids.len()).zip(solids);
        let solids = solids.filter(|(hull, _)| hull.is_in(self.own));
        let covers = solids.map(|(hull, solid)| (hull, Cover::of(solid)));
        self.subtree(tree, cell, covers.collect(), None)
    }

    fn subtree(
        &self,
        tree: &Tree,
        cell: Cell,
        covers: Vec<(HullId, Cover<'a>)>,
        above: Option<&Above<'_>>,
    ) -> Audit {
        match tree {
            Tree::Leaf { solidity } => self.leaf(*solidity, &cell, &covers, above),
            Tree::Node {
                plane, children, ..
            } => {
                let [front, back] = &**children;
                let Cut::Both(front_cell, back_cell) = cell.cut(self.planes, *plane) else {
                    // A splitter that does not cut its cell leaves one child without a place.
                    return self.wrong(&cell, 0);
                };
                let front_covers = self.narrowed(&covers, &front_cell);
                let back_covers = self.narrowed(&covers, &back_cell);
                let path = |other| Above {
                    plane: *plane,
                    other,
                    above,
                };
                let parts = covers.iter().map(|(_, cover)| cover.n_parts());
                let parallel = parts.sum::<usize>() >= PARTS_FOR_A_TASK;
                drop(covers);
                let front_path = path(back);
                let back_path = path(front);
                let front = || self.subtree(front, front_cell, front_covers, Some(&front_path));
                let back = || self.subtree(back, back_cell, back_covers, Some(&back_path));
                let (front, back) = if parallel {
                    rayon::join(front, back)
                } else {
                    (front(), back())
                };
                front.add(back)
            }
        }
    }

    /// What is left of the covers of a cell in a part of it.
    fn narrowed(&self, covers: &[(HullId, Cover<'a>)], cell: &Cell) -> Vec<(HullId, Cover<'a>)> {
        let bounds = cell.bounds();
        let narrow = |cover: &Cover<'a>| {
            let Cover::Parts(brushes) = cover else {
                return Cover::Whole;
            };
            let mut parts = Vec::new();
            for part in brushes.iter().filter(|part| part.bounds.touches(&bounds)) {
                match relation(self.planes, cell, &bounds, part.sides.iter().copied()) {
                    Relation::Apart => {}
                    Relation::Inside => return Cover::Whole,
                    Relation::Near(sides) => parts.push(Part { sides, ..*part }),
                }
            }
            Cover::Parts(parts)
        };
        let narrow = |(hull, cover): &(HullId, _)| (*hull, narrow(cover));
        covers.iter().map(narrow).collect()
    }

    fn leaf(
        &self,
        solidity: HullSet,
        cell: &Cell,
        covers: &[(HullId, Cover<'a>)],
        above: Option<&Above<'_>>,
    ) -> Audit {
        let open = (self.claim.filled & self.own).without(solidity);
        if let Some(open) = open.first()
            && cell.planes().any(|plane| self.bounds.contains(&plane))
        {
            return self.wrong(cell, open);
        }
        let leaf = Leaf {
            planes: self.planes,
            claim: self.claim,
            own: self.own,
            others: self.others,
            solidity,
            above,
        };
        let exposed = OnceCell::new();
        let sealed = |hull: HullId, rest: &[Cell]| {
            let exposed = exposed.get_or_init(|| leaf.exposed(cell));
            leaf.is_sealed(hull, rest, hull.is_in(*exposed))
        };
        let checks = covers.iter().map(|&(hull, ref cover)| {
            let right = match cover {
                Cover::Whole => hull.is_in(solidity),
                Cover::Parts(brushes) if hull.is_in(solidity) => {
                    let rest = rest(self.planes, cell, brushes);
                    rest.is_empty() || hull.is_in(self.claim.filled) && sealed(hull, &rest)
                }
                Cover::Parts(brushes) => {
                    !brushes.iter().any(|brush| meets(self.planes, cell, brush))
                }
            };
            if right {
                Audit::RIGHT
            } else {
                self.wrong(cell, hull.index())
            }
        });
        checks.fold(Audit::default(), Audit::add)
    }

    fn wrong(&self, cell: &Cell, hull: usize) -> Audit {
        let place = cell.interior_point(self.planes, 0).position;
        let hull = self.hulls.get(hull).map_or("", |hull| &hull.name);
        Audit {
            leaf_hulls: 1,
            impure: 1,
            first: Some(format!(
                "model {}, hull {hull}, {place}",
                self.model.index()
            )),
        }
    }
}

/// Whether a cell and a brush share volume.
fn meets(planes: &PlaneSet, cell: &Cell, brush: &Part<'_>) -> bool {
    let mut sides = brush.sides.iter();
    let inside = sides.try_fold(cell.clone(), |part, &plane| part.clip(planes, plane));
    inside.is_some()
}

/// What brushes together leave of a cell.
fn rest(planes: &PlaneSet, cell: &Cell, brushes: &[Part<'_>]) -> Vec<Cell> {
    let mut rest = vec![cell.clone()];
    for brush in brushes {
        let sides = || brush.sides.iter().copied();
        rest = rest
            .into_iter()
            .flat_map(|part| outside(planes, part, sides()))
            .collect();
        if rest.is_empty() {
            break;
        }
    }
    rest
}
