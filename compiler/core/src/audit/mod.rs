//! Stage 8, audit, proves every leaf of every tree for every hull by volume. It walks the trees and cuts their cells
//! again from scratch. An empty leaf shares no volume with any brush. Brushes cover a solid leaf completely or, for a
//! filled hull, except for a rest that [`seal`] proves to be out of reach. The audit shares no code with the
//! classification of points, and a tree that fails it is not written.

mod cover;
pub mod seal;

use onion_format::HullSet;
use onion_geometry::{Cell, PlaneId, PlaneSet, Split};
use rayon::prelude::*;
use serde::Serialize;

use crate::audit::cover::{Cover, all_uncovered};
use crate::audit::seal::{Above, Claim, Leaf, SealChart};
use crate::bsp::ModelTree;
use crate::bsp::leaf_tree::{Branch, Chart};
use crate::error::CompileError;
use crate::expand::ModelSolids;
use crate::fill::cracks::Seal;
use crate::fill::kept::CUBE;
use crate::hull::HullSpec;
use crate::id::{HullIndex, ModelId};

/// The result of an audit.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Audit {
    /// The number of pairs of a leaf and a hull that were checked.
    pub leaf_hulls: u64,
    /// The number of pairs that are wrong: not all of the leaf is solid, or empty, as the leaf says.
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

impl Proven {
    /// Returns the groups of hulls, which are the same in every model.
    pub fn groups(&self) -> impl Iterator<Item = HullSet> {
        let of_world = self.trees.iter();
        of_world
            .filter(|tree| tree.model == ModelId::WORLD)
            .map(|tree| tree.hulls)
    }
}

/// Proves trees with [`audit`].
///
/// # Errors
/// A leaf is wrong: such a tree must not be shipped.
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
    let seals = claim.seals.iter().map(|seal| SealChart::new(seal, planes));
    let seals: Vec<_> = seals.collect();
    let charts = trees.iter().map(|tree| Chart::new(&tree.tree, tree.hulls));
    let charts: Vec<_> = charts.collect();
    let audits = trees.par_iter().zip(&charts).map(|(tree, chart)| {
        let of_world = tree.model == ModelId::WORLD;
        let others = trees
            .iter()
            .zip(&charts)
            .filter(|(other, _)| other.model == tree.model && other.hulls != tree.hulls);
        let others: Vec<_> = others.map(|(_, chart)| chart.whole(planes)).collect();
        let auditor = Auditor {
            planes,
            hulls,
            tree,
            claim: if of_world { claim } else { Claim::default() },
            others: &others,
            seals: if of_world { &seals } else { &[] },
        };
        auditor.whole(chart, &models[tree.model.index()])
    });
    let audits = audits.chain(claim.seals.par_iter().map(|seal| audit_seal(seal, planes)));
    audits.reduce(Audit::default, Audit::add)
}

/// Audits the tree of the positions that a cube reaches. Only wrong leaves are counted, because the tree is in no file.
fn audit_seal(seal: &Seal, planes: &PlaneSet) -> Audit {
    let Seal {
        stand_in, reach, ..
    } = seal;
    let claim = Claim {
        filled: CUBE.alone(),
        seeds: &stand_in.seeds,
        stances: &[CUBE.alone()],
        seals: &[],
    };
    let auditor = Auditor {
        planes,
        hulls: std::slice::from_ref(&stand_in.cube),
        tree: reach,
        claim,
        others: &[],
        seals: &[],
    };
    let audit = auditor.whole(&Chart::new(&reach.tree, reach.hulls), &stand_in.solids);
    Audit {
        leaf_hulls: audit.impure,
        ..audit
    }
}

/// The number of brushes that may touch a cell, over all hulls, from which on its children are audited in parallel.
const PARTS_FOR_A_TASK: usize = 64;

/// The audit of one tree.
struct Auditor<'a> {
    /// The planes of everything here.
    planes: &'a PlaneSet,
    /// The hulls of the compile.
    hulls: &'a [HullSpec],
    /// The tree, with its model and its hulls.
    tree: &'a ModelTree,
    /// The claim of filling, which the audit proves for every filled leaf.
    claim: Claim<'a>,
    /// The trees of the same model for the other groups of hulls.
    others: &'a [Branch<'a>],
    /// The seals of hulls without extent, if the tree is the world's.
    seals: &'a [SealChart<'a>],
}

impl<'a> Auditor<'a> {
    fn whole(&self, chart: &Chart, solids: &'a ModelSolids) -> Audit {
        let bounds = &self.tree.bounds;
        let cell = Cell::from_box(self.planes, *bounds);
        if let Some(hull) = self.claim.unfounded(self.planes, bounds).first() {
            return self.wrong(&cell, Some(HullIndex::new(hull)));
        }
        let solids = HullIndex::first(solids.len()).zip(solids);
        let solids = solids.filter(|(hull, _)| hull.is_in(self.tree.hulls));
        let covers = solids.map(|(hull, solid)| (hull, Cover::of(solid)));
        self.branch(chart.whole(self.planes), &cell, covers.collect(), None)
    }

    fn branch(
        &self,
        branch: Branch<'_>,
        cell: &Cell,
        covers: Vec<(HullIndex, Cover<'a>)>,
        above: Option<&Above<'_>>,
    ) -> Audit {
        let Some((plane, [front, back])) = branch.split() else {
            return self.leaf(branch.not_all(), cell, &covers, above);
        };
        let Split::Both(front_cell, back_cell) = cell.split(self.planes, plane) else {
            // A splitter that does not cut its cell leaves one child without volume.
            return self.wrong(cell, None);
        };
        let n_parts: usize = covers.iter().map(|(_, cover)| cover.n_parts()).sum();
        let [front_covers, back_covers] =
            self.split_covers(covers, plane, [&front_cell, &back_cell]);
        let path = |other| Above {
            plane,
            other,
            above,
        };
        let [front_path, back_path] = [path(back), path(front)];
        let front = || self.branch(front, &front_cell, front_covers, Some(&front_path));
        let back = || self.branch(back, &back_cell, back_covers, Some(&back_path));
        let (front, back) = if n_parts >= PARTS_FOR_A_TASK {
            rayon::join(front, back)
        } else {
            (front(), back())
        };
        front.add(back)
    }

    /// Returns the covers of the parts of a cell in front of and behind a plane.
    fn split_covers(
        &self,
        covers: Vec<(HullIndex, Cover<'a>)>,
        plane: PlaneId,
        cells: [&Cell; 2],
    ) -> [Vec<(HullIndex, Cover<'a>)>; 2] {
        let cells = cells.map(|cell| (cell, cell.bounds()));
        let mut split = [const { Vec::new() }; 2];
        for (hull, cover) in covers {
            let parts = cover.split(self.planes, plane, cells);
            for (covers, part) in split.iter_mut().zip(parts) {
                covers.push((hull, part));
            }
        }
        split
    }

    fn leaf(
        &self,
        solidity: HullSet,
        cell: &Cell,
        covers: &[(HullIndex, Cover<'a>)],
        above: Option<&Above<'_>>,
    ) -> Audit {
        let own = self.tree.hulls;
        let open = (self.claim.filled & own).without(solidity);
        if let Some(open) = open.first()
            && cell.planes().any(|plane| self.tree.bounds.contains(&plane))
        {
            return self.wrong(cell, Some(HullIndex::new(open)));
        }
        let leaf = Leaf {
            planes: self.planes,
            claim: self.claim,
            own,
            others: self.others,
            cell,
            solidity,
            above,
        };
        let checks = covers.iter().map(|&(hull, ref cover)| {
            if self.is_as_sealed(&leaf, hull) && self.is_right(&leaf, hull, cover) {
                Audit::RIGHT
            } else {
                self.wrong(cell, Some(hull))
            }
        });
        checks.fold(Audit::default(), Audit::add)
    }

    /// Whether the solidity of a leaf is right for a hull.
    fn is_right(&self, leaf: &Leaf<'_>, hull: HullIndex, cover: &Cover<'_>) -> bool {
        let (planes, cell) = (self.planes, leaf.cell);
        match cover {
            Cover::Whole => hull.is_in(leaf.solidity),
            Cover::Parts(parts) if !hull.is_in(leaf.solidity) => {
                !parts.iter().any(|part| part.meets(planes, cell))
            }
            Cover::Parts(parts) => {
                let seal = self.seal_of(hull);
                let is_shut = |rest: &Cell| seal.is_some_and(|seal| seal.shuts(rest));
                hull.is_in(self.claim.filled) && leaf.is_sealed(hull, parts)
                    || all_uncovered(planes, cell.clone(), parts, &is_shut)
            }
        }
    }

    fn seal_of(&self, hull: HullIndex) -> Option<&SealChart<'_>> {
        let mut seals = self.seals.iter();
        seals.find(|chart| chart.seal.stand_in.hull == hull)
    }

    /// Whether the solidity of a leaf agrees with the hull's seal, if it has one.
    fn is_as_sealed(&self, leaf: &Leaf<'_>, hull: HullIndex) -> bool {
        let is_solid = hull.is_in(leaf.solidity);
        let seal = self.seal_of(hull);
        seal.is_none_or(|seal| seal.agrees(leaf.cell, is_solid))
    }

    fn wrong(&self, cell: &Cell, hull: Option<HullIndex>) -> Audit {
        let place = cell.interior_point(self.planes, 0).position;
        let model = self.tree.model.index();
        let spec = hull.and_then(|hull| self.hulls.get(hull.index()));
        let name = spec.map_or("any", |spec| &spec.name);
        Audit {
            leaf_hulls: 1,
            impure: 1,
            first: Some(format!("model {model}, hull {name}, {place:.3}")),
        }
    }
}
