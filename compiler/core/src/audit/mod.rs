//! Stage 7, audit, proves every leaf of every tree for every hull by volume. It walks the trees and cuts their cells
//! again from scratch. An empty leaf shares no volume with any brush. A solid leaf is covered completely by brushes
//! or, for a filled hull, up to a rest that [`seal`] proves to be out of reach. The audit shares no code with the
//! classification at a point, and a tree that fails it is not written.

pub mod cover;
pub mod seal;

use onion_format::HullSet;
use onion_geometry::{Cell, Cut, PlaneId, PlaneSet};
use rayon::prelude::*;
use serde::Serialize;

use crate::audit::cover::{Cover, all_uncovered};
use crate::audit::seal::{Above, Chart, Claim, Leaf, SealChart};
use crate::bsp::{ModelTree, Tree};
use crate::error::CompileError;
use crate::expand::ModelSolids;
use crate::fill::cracks::Seal;
use crate::fill::kept::CUBE;
use crate::hull::HullSpec;
use crate::id::{HullIndex, ModelId};

/// The result of an audit.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Audit {
    /// Pairs of leaf and hull that were checked.
    pub leaf_hulls: u64,
    /// Pairs for which a part of the leaf is not as the leaf says.
    pub impure: u64,
    /// Model, hull and position of the first of these pairs, or `None` if there are none.
    pub first: Option<String>,
}

impl Audit {
    /// The audit of a leaf that is right for a hull.
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

/// Trees whose leaves are all proven.
#[derive(Clone, Debug)]
pub struct Proven {
    /// The trees.
    pub trees: Vec<ModelTree>,
    /// The hulls that are filled.
    pub filled: HullSet,
    /// The result of the audit.
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

/// Audits all trees. The claim is about the trees of the world.
pub fn audit(
    models: &[ModelSolids],
    trees: &[ModelTree],
    hulls: &[HullSpec],
    claim: Claim<'_>,
    planes: &PlaneSet,
) -> Audit {
    let seals: Vec<_> = claim.seals.iter().map(SealChart::new).collect();
    let audits = trees.par_iter().map(|tree| {
        let of_world = tree.model == ModelId::WORLD;
        let others = trees.iter().filter(|other| other.model == tree.model);
        let others = others.filter(|other| other.hulls != tree.hulls);
        let others: Vec<_> = others
            .map(|other| Chart::new(&other.tree, other.hulls))
            .collect();
        let auditor = Auditor {
            planes,
            hulls,
            model: tree.model,
            bounds: tree.bounds,
            claim: if of_world { claim } else { Claim::default() },
            own: tree.hulls,
            others: &others,
            seals: if of_world { &seals } else { &[] },
        };
        auditor.tree(&tree.tree, &models[tree.model.index()])
    });
    let audits = audits.chain(claim.seals.par_iter().map(|seal| audit_seal(seal, planes)));
    audits.reduce(Audit::default, Audit::add)
}

/// Audits the tree that says where a cube gets. Only its wrong leaves are counted, because it is in no file.
fn audit_seal(seal: &Seal, planes: &PlaneSet) -> Audit {
    let Seal { by, reach, .. } = seal;
    let claim = Claim {
        filled: CUBE.alone(),
        seeds: &by.seeds,
        stances: &[CUBE.alone()],
        seals: &[],
    };
    let auditor = Auditor {
        planes,
        hulls: std::slice::from_ref(&by.cube),
        model: reach.model,
        bounds: reach.bounds,
        claim,
        own: reach.hulls,
        others: &[],
        seals: &[],
    };
    let audit = auditor.tree(&reach.tree, &by.solids);
    Audit {
        leaf_hulls: audit.impure,
        ..audit
    }
}

/// The number of brushes touching a cell from which on the cell gets a task of its own.
const PARTS_FOR_A_TASK: usize = 64;

struct Auditor<'a> {
    planes: &'a PlaneSet,
    hulls: &'a [HullSpec],
    model: ModelId,
    bounds: [PlaneId; 6],
    claim: Claim<'a>,
    /// The hulls of the tree.
    own: HullSet,
    /// The trees of the model's other hulls.
    others: &'a [Chart<'a>],
    /// The seals of hulls for which cracks do not count, if the tree is the world's.
    seals: &'a [SealChart<'a>],
}

impl<'a> Auditor<'a> {
    fn tree(&self, tree: &Tree, solids: &'a ModelSolids) -> Audit {
        let cell = Cell::from_box(self.planes, self.bounds);
        if let Some(hull) = self.claim.unfounded(self.planes, &self.bounds).first() {
            return self.wrong(&cell, hull);
        }
        let solids = HullIndex::first(solids.len()).zip(solids);
        let solids = solids.filter(|(hull, _)| hull.is_in(self.own));
        let covers = solids.map(|(hull, solid)| (hull, Cover::of(solid)));
        let chart = Chart::new(tree, self.own);
        self.subtree(&chart, &cell, covers.collect(), None)
    }

    fn subtree(
        &self,
        chart: &Chart<'_>,
        cell: &Cell,
        covers: Vec<(HullIndex, Cover<'a>)>,
        above: Option<&Above<'_>>,
    ) -> Audit {
        let (plane, [front, back]) = match (chart.division(), chart.tree) {
            (None, Tree::Leaf { solidity }) => return self.leaf(*solidity, cell, &covers, above),
            (Some(division), _) => division,
            (None, Tree::Node { .. }) => unreachable!("the chart of a node divides it"),
        };
        let Cut::Both(front_cell, back_cell) = cell.cut(self.planes, plane) else {
            // A splitter that does not cut its cell leaves one child without a volume.
            return self.wrong(cell, 0);
        };
        let n_parts: usize = covers.iter().map(|(_, cover)| cover.n_parts()).sum();
        let [front_covers, back_covers] = self.divided(covers, plane, [&front_cell, &back_cell]);
        let path = |other| Above {
            plane,
            other,
            above,
        };
        let [front_path, back_path] = [path(back), path(front)];
        let front = || self.subtree(front, &front_cell, front_covers, Some(&front_path));
        let back = || self.subtree(back, &back_cell, back_covers, Some(&back_path));
        let (front, back) = if n_parts >= PARTS_FOR_A_TASK {
            rayon::join(front, back)
        } else {
            (front(), back())
        };
        front.add(back)
    }

    /// Returns the covers of the parts of a cell in front of and behind a plane.
    fn divided(
        &self,
        covers: Vec<(HullIndex, Cover<'a>)>,
        plane: PlaneId,
        cells: [&Cell; 2],
    ) -> [Vec<(HullIndex, Cover<'a>)>; 2] {
        let cells = cells.map(|cell| (cell, cell.bounds()));
        let mut divided = [const { Vec::new() }; 2];
        for (hull, cover) in covers {
            let parts = cover.divide(self.planes, plane, cells);
            for (covers, part) in divided.iter_mut().zip(parts) {
                covers.push((hull, part));
            }
        }
        divided
    }

    fn leaf(
        &self,
        solidity: HullSet,
        cell: &Cell,
        covers: &[(HullIndex, Cover<'a>)],
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
            cell,
            solidity,
            above,
        };
        let checks = covers.iter().map(|&(hull, ref cover)| {
            if self.is_as_sealed(&leaf, hull) && self.is_right(&leaf, hull, cover) {
                Audit::RIGHT
            } else {
                self.wrong(cell, hull.index())
            }
        });
        checks.fold(Audit::default(), Audit::add)
    }

    /// Whether a leaf is what it says for a hull.
    fn is_right(&self, leaf: &Leaf<'_>, hull: HullIndex, cover: &Cover<'_>) -> bool {
        let (planes, cell) = (self.planes, leaf.cell);
        match cover {
            Cover::Whole => hull.is_in(leaf.solidity),
            Cover::Parts(parts) if !hull.is_in(leaf.solidity) => {
                !parts.iter().any(|part| part.meets(planes, cell))
            }
            Cover::Parts(parts) => {
                let seal = self.seal_of(hull);
                let mut is_shut = |rest: &Cell| seal.is_some_and(|seal| seal.shuts(planes, rest));
                hull.is_in(self.claim.filled) && leaf.is_sealed(hull, parts)
                    || all_uncovered(planes, cell.clone(), parts, &mut is_shut)
            }
        }
    }

    fn seal_of(&self, hull: HullIndex) -> Option<&SealChart<'_>> {
        let mut seals = self.seals.iter();
        seals.find(|chart| chart.hull() == hull)
    }

    /// Whether a leaf is as the seal of a hull says, if the hull has one.
    fn is_as_sealed(&self, leaf: &Leaf<'_>, hull: HullIndex) -> bool {
        self.seal_of(hull).is_none_or(|seal| {
            let is_solid = hull.is_in(leaf.solidity);
            seal.agrees(self.planes, leaf.cell, is_solid)
        })
    }

    fn wrong(&self, cell: &Cell, hull: usize) -> Audit {
        let place = cell.interior_point(self.planes, 0).position;
        let hull = self.hulls.get(hull).map_or("", |hull| &hull.name);
        Audit {
            leaf_hulls: 1,
            impure: 1,
            first: Some(format!(
                "model {}, hull {hull}, {place:.3}",
                self.model.index()
            )),
        }
    }
}
