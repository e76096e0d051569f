//! Part of stage 4, fill: cracks are openings too narrow for a cube of the width of `--seal`. A hull without extent
//! that would get out of the map through one does not pass through any: a cube floods the world in its place. A point
//! that stays inside is flooded like other hulls, which costs far less. With a cube, the point can reach three
//! kinds of leaves of that flood's tree: those that contain the center of a reachable cube, those too narrow for a
//! center that share volume with such a cube, and narrow niches that lead nowhere else. All other leaves are filled,
//! and caps close them off.
//!
//! # The sky
//! In Quake and Half-Life, points fly into the sky, and what lies behind it is solid because the game's compiler fills
//! it. If the point would get out of the map, the sky stops the cube, so that it closes the map. Where points stop in
//! such a sky, the tree decides.

use onion_format::HullSet;

use crate::brush::ModelBrushes;
use crate::bsp::{ModelTree, Tree};
use crate::contents::{self, Contents};
use crate::error::CompileError;
use crate::expand::{ModelCells, ModelSolids, expand_model, grown, grown_box};
use crate::flood::Flood;
use crate::geometry::{Bounds, Cell, Cut, Location, PlaneSet};
use crate::hull::{HullSpec, SealWidth};
use crate::id::{BrushId, HullId, Owner};
use crate::leak::Leak;
use crate::map::Map;
use crate::options::CompileOptions;
use crate::portals::{At, LeafTree, Marks, Opening, Unreachable};
use crate::seeds::{Fill, Seed, seeds, seeds_of_cube};
use crate::union::{self, Face};

/// The cube among the two hulls of a seal.
pub const CUBE: HullId = HullId::FIRST;
/// The point among them.
pub const POINT: HullId = HullId::SECOND;

/// A cube that floods in place of a point.
#[derive(Clone, Debug)]
pub struct StandIn {
    /// The point, among the hulls of the compile.
    pub hull: HullId,
    /// Cube and point.
    pub hulls: [HullSpec; 2],
    /// What is solid for them in the world.
    pub solids: ModelSolids,
    /// Where the cube begins.
    pub seeds: Vec<Seed>,
}

/// Where a point may get to, as it is to be proven.
#[derive(Clone, Debug)]
pub struct Seal {
    /// Who floods.
    pub by: StandIn,
    /// A tree whose leaves are solid for the cube where it does not get, and for the point where that may not get.
    pub tree: ModelTree,
}

/// The flood of a hull without extent.
pub enum PointFlood {
    /// It does not get out of the map, through however narrow a crack: it is flooded like any hull.
    Own(HullId, Flood),
    /// A cube floods in its place.
    ByCube(StandIn, Flood),
}

impl PointFlood {
    /// The hull.
    pub fn hull(&self) -> HullId {
        match self {
            Self::Own(hull, _) => *hull,
            Self::ByCube(by, _) => by.hull,
        }
    }
}

/// Floods the world for each hull without extent, in the order of hulls. Planes get their numbers in the order in which
/// they are met, and trees depend on it: this comes right after expansion, so that a compile and a verification make
/// the same.
///
/// # Errors
/// The flood's tree is deeper than the format allows.
pub fn floods(
    map: &Map,
    options: &CompileOptions,
    brushes: &ModelBrushes,
    world: &ModelSolids,
    planes: &mut PlaneSet,
) -> Result<Vec<PointFlood>, CompileError> {
    let CompileOptions {
        hulls, fill, seal, ..
    } = options;
    let mut floods = Vec::new();
    for (point, solid) in HullId::first(hulls.len()).zip(hulls).zip(world) {
        let blocks = !solid.brushes.is_empty();
        if !point.1.is_point() || !blocks || !seal.seals() || *fill == Fill::Off {
            continue;
        }
        // What a flood that leaks adds is forgotten.
        let mut own_planes = planes.clone();
        let own = own_flood(map, fill, point.1, brushes, &mut own_planes)?;
        if own.leaks(HullId::FIRST) {
            let mut flood = |closing| {
                let (by, cells) =
                    StandIn::new((map, fill), (*seal, closing), point, brushes, planes);
                let flood = by.flood(cells, planes)?;
                Ok((by, flood))
            };
            let (mut by, mut open) = flood(0)?;
            if has_sky(brushes) && by.path_out(&open).is_some() {
                (by, open) = flood(contents::SKY)?;
            }
            floods.push(PointFlood::ByCube(by, open));
        } else {
            *planes = own_planes;
            floods.push(PointFlood::Own(point.0, own));
        }
    }
    Ok(floods)
}

/// Whether the sky closes a world off.
fn has_sky(brushes: &ModelBrushes) -> bool {
    brushes
        .iter()
        .any(|brush| brush.contents & contents::SKY != 0)
}

/// The flood of a hull alone, as the first and only one.
fn own_flood(
    map: &Map,
    fill: &Fill,
    hull: &HullSpec,
    brushes: &ModelBrushes,
    planes: &mut PlaneSet,
) -> Result<Flood, CompileError> {
    let hulls = std::slice::from_ref(hull);
    let (solids, cells) = expand_model(brushes, hulls, planes);
    let seeds = seeds(map, fill, &solids, hulls, planes, &mut Vec::new());
    let skin = union::skin(&solids, cells, planes);
    let alone = HullId::FIRST.alone();
    Flood::new(&solids, alone, &skin, &seeds, &[alone], planes)
}

impl StandIn {
    /// The cube of a point, and what the cells of both are; `closing` are contents that stop the cube alone.
    fn new(
        (map, fill): (&Map, &Fill),
        (width, closing): (SealWidth, Contents),
        (hull, point): (HullId, &HullSpec),
        brushes: &ModelBrushes,
        planes: &mut PlaneSet,
    ) -> (Self, ModelCells) {
        let mut cube = point.widened(width);
        cube.contents |= closing;
        let hulls = [cube, point.clone()];
        let (solids, cells) = expand_model(brushes, &hulls, planes);
        let seeds = seeds_of_cube(map, fill, &hulls, &solids, planes);
        let by = Self {
            hull,
            hulls,
            solids,
            seeds,
        };
        (by, cells)
    }

    /// Its seeds as those of the point.
    pub fn seeds_of_point(&self) -> impl Iterator<Item = Seed> {
        let seeds = self.seeds.iter().cloned();
        seeds.map(|seed| Seed {
            hull: self.hull,
            ..seed
        })
    }

    fn flood(&self, cells: ModelCells, planes: &mut PlaneSet) -> Result<Flood, CompileError> {
        let skin = union::skin(&self.solids, cells, planes);
        let both = [CUBE, POINT].map(HullId::alone);
        let hulls = both[0] | both[1];
        Flood::new(&self.solids, hulls, &skin, &self.seeds, &both, planes)
    }

    /// The way out of the map, if the cube gets out.
    pub fn path_out(&self, flood: &Flood) -> Option<Leak> {
        let leak = flood.path_out(CUBE, CUBE.alone());
        leak.map(|leak| Leak {
            hull: self.hull,
            ..leak
        })
    }
}

/// For each leaf of a flood, whether the point may get there.
pub fn kept(by: &StandIn, flood: &Flood, planes: &PlaneSet) -> Vec<bool> {
    let mut kept: Vec<_> = flood
        .reached
        .iter()
        .map(|&hulls| CUBE.is_in(hulls))
        .collect();
    let is_narrow = |hulls: HullSet| CUBE.is_in(hulls) && !POINT.is_in(hulls);
    let narrow = flood.tree.solidity.iter().map(|&hulls| is_narrow(hulls));
    let narrow: Vec<_> = narrow.collect();
    // A cube whose center is near an opening reaches through it.
    for portal in &flood.portals.portals {
        let [front, back] = portal.leaves.map(|leaf| leaf as usize);
        for (leaf, other) in [(front, back), (back, front)] {
            kept[leaf] |= narrow[leaf] && CUBE.is_in(flood.reached[other]);
        }
    }
    let near = Near {
        tree: &flood.tree,
        in_reach: flood.tree.marks(flood.reached.clone()),
        cube: &by.hulls[0],
        planes,
    };
    let unsure = narrow.iter().zip(&kept);
    let marks = unsure.map(|(&narrow, &kept)| point_if(narrow && !kept));
    let marks = marks.collect();
    let marks = flood.tree.marks(marks);
    let near = flood
        .tree
        .cells(planes, flood.sketch.bounds, &marks, &|leaf, cell| {
            near.covers(cell).then_some(leaf)
        });
    for leaf in near {
        kept[leaf as usize] = true;
    }
    keep_niches(flood, &narrow, &mut kept);
    kept
}

/// Finds what cubes cover whose centers are in reach.
struct Near<'a> {
    tree: &'a LeafTree,
    in_reach: Marks,
    cube: &'a HullSpec,
    planes: &'a PlaneSet,
}

impl Near<'_> {
    /// Whether a cube shares volume with a cell.
    fn covers(&self, cell: &Cell) -> bool {
        if !self.may_meet(self.tree.root(), &grown_box(cell.bounds(), self.cube)) {
            return false;
        }
        let mut own = PlaneSet::default();
        let centers = grown(self.planes, cell, self.cube, &mut own);
        self.meets(self.tree.root(), centers, &mut own)
    }

    /// Whether a leaf in reach may share volume with a box.
    fn may_meet(&self, at: At, bounds: &Bounds) -> bool {
        let At::Node(node) = at else {
            return CUBE.is_in(self.in_reach.at(at));
        };
        let (plane, [front, back]) = self.tree.node(node);
        let side = bounds.locate(&self.planes[plane]);
        CUBE.is_in(self.in_reach.at(at))
            && (side != Some(Location::Back) && self.may_meet(front, bounds)
                || side != Some(Location::Front) && self.may_meet(back, bounds))
    }

    fn meets(&self, at: At, centers: Cell, own: &mut PlaneSet) -> bool {
        if !CUBE.is_in(self.in_reach.at(at)) {
            return false;
        }
        let At::Node(node) = at else {
            return true;
        };
        let (plane, [front, back]) = self.tree.node(node);
        let plane = own.insert(self.planes[plane].plane);
        match centers.cut(own, plane) {
            Cut::Front => self.meets(front, centers, own),
            Cut::Back => self.meets(back, centers, own),
            Cut::Both(in_front, behind) => {
                self.meets(front, in_front, own) || self.meets(back, behind, own)
            }
        }
    }
}

/// Keeps narrow places that can be left to nothing but what is kept, such as the tips of corners.
fn keep_niches(flood: &Flood, narrow: &[bool], kept: &mut [bool]) {
    let neighbors = flood.portals.neighbors();
    let is_open = |portal: u32| POINT.is_in(flood.portals.portals[portal as usize].hulls);
    let mut seen = vec![false; kept.len()];
    for first in 0..kept.len() {
        let mut niche = Vec::new();
        let mut pending = vec![first];
        let (mut is_next_to_kept, mut is_way_out) = (false, false);
        while let Some(leaf) = pending.pop() {
            if kept[leaf] {
                is_next_to_kept = true;
            } else if !narrow[leaf] {
                is_way_out = true;
            } else if !std::mem::replace(&mut seen[leaf], true) {
                niche.push(leaf);
                let around = neighbors.of(leaf as u32).iter();
                let around = around.filter(|(_, portal)| is_open(*portal));
                pending.extend(around.map(|&(other, _)| other as usize));
            }
        }
        if is_next_to_kept && !is_way_out {
            niche.into_iter().for_each(|leaf| kept[leaf] = true);
        }
    }
}

/// What is to be proven of hulls that are filled and for which cracks do not count, made anew.
///
/// # Errors
/// As of [`floods`].
pub fn seals(
    map: &Map,
    options: &CompileOptions,
    brushes: &ModelBrushes,
    world: &ModelSolids,
    planes: &mut PlaneSet,
) -> Result<Vec<Seal>, CompileError> {
    let floods = floods(map, options, brushes, world, planes)?;
    let filled = floods.into_iter().filter_map(|flood| match flood {
        PointFlood::Own(..) => None,
        PointFlood::ByCube(by, flood) => {
            let is_filled = !by.seeds.is_empty() && by.path_out(&flood).is_none();
            is_filled.then_some((by, flood))
        }
    });
    let seals = filled.map(|(by, flood)| {
        let kept = kept(&by, &flood, planes);
        Seal::new(by, &flood, &kept)
    });
    Ok(seals.collect())
}

impl Seal {
    /// What is to be proven of the leaves that the point may get to.
    pub fn new(by: StandIn, flood: &Flood, kept: &[bool]) -> Self {
        let leaves = flood.reached.iter().zip(kept);
        let mut leaves = leaves.map(|(&reached, &kept)| {
            let open = (reached & CUBE.alone()) | point_if(kept);
            (CUBE.alone() | POINT.alone()).without(open)
        });
        let tree = relabeled(&flood.sketch.tree, &mut leaves);
        let ModelTree {
            model,
            hulls,
            bounds,
            ..
        } = flood.sketch;
        let tree = ModelTree {
            model,
            hulls,
            tree,
            bounds,
        };
        Self { by, tree }
    }
}

fn point_if(condition: bool) -> HullSet {
    if condition {
        POINT.alone()
    } else {
        HullSet::EMPTY
    }
}

/// The nodes of a tree with other leaves, which are given in order.
fn relabeled(tree: &Tree, leaves: &mut dyn Iterator<Item = HullSet>) -> Tree {
    match tree {
        Tree::Leaf { solidity } => Tree::Leaf {
            solidity: leaves.next().unwrap_or(*solidity),
        },
        Tree::Node {
            plane, children, ..
        } => Tree::Node {
            plane: *plane,
            faces: [false; 2],
            owners: Box::default(),
            shared: Box::default(),
            children: Box::new(children.each_ref().map(|child| relabeled(child, leaves))),
        },
    }
}

/// What a point does not get to, as leaves of the flood's tree.
pub fn unreachable(hull: HullId, tree: LeafTree, kept: impl Iterator<Item = bool>) -> Unreachable {
    let reached = |kept| if kept { hull.alone() } else { HullSet::EMPTY };
    Unreachable {
        tree,
        reached: kept.map(reached).collect(),
        filled: hull.alone(),
    }
}

/// The faces that close what the point may get to: openings to leaves that it may not get to. Each belongs to a
/// brush that has a face in its plane, if there is one, otherwise to one nearby.
pub fn caps(by: &StandIn, flood: &Flood, kept: &[bool], planes: &PlaneSet) -> Vec<Face> {
    let mut brushes = Vec::new();
    owners(&flood.sketch.tree, BrushId(0), &mut brushes);
    let cap = |opening: Opening| {
        let winding = match opening.leaves.map(|leaf| kept[leaf as usize]) {
            [true, false] => opening.winding,
            [false, true] => opening.winding.flipped(),
            _ => return None,
        };
        let owner = Owner {
            hull: by.hull,
            brush: brushes[opening.node as usize],
        };
        Some(Face { owner, winding })
    };
    // Only leaves beside a cap matter.
    let mut beside = vec![HullSet::EMPTY; kept.len()];
    for portal in &flood.portals.portals {
        let leaves = portal.leaves.map(|leaf| leaf as usize);
        let is_capped = POINT.is_in(portal.hulls) && kept[leaves[0]] != kept[leaves[1]];
        if is_capped {
            for leaf in leaves {
                beside[leaf] = POINT.alone();
            }
        }
    }
    let marks = flood.tree.marks(beside);
    let bounds = flood.sketch.bounds;
    flood.tree.openings(planes, bounds, marks, &cap)
}

/// For each node in order, a brush with a face of the point's in its plane, or else of the cube's, or else that of
/// the node above.
fn owners(tree: &Tree, above: BrushId, brushes: &mut Vec<BrushId>) {
    if let Tree::Node {
        owners: here,
        children,
        ..
    } = tree
    {
        let of_point = here.iter().find(|owner| owner.hull == POINT);
        let brush = of_point.or(here.first()).map_or(above, |owner| owner.brush);
        brushes.push(brush);
        for child in &**children {
            owners(child, brush, brushes);
        }
    }
}
