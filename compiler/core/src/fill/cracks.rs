//! Part of stage 4, fill: cracks are openings too narrow for a cube whose edge is the width of `--seal`. A hull without
//! extent (a point) that leaks is kept out of cracks by flooding such a cube in its place; a point that does not leak
//! is flooded like any other hull. Point and cube each flood a tree of their own. Of the leaves that the point reaches,
//! it keeps those that share volume with a cube at a reached position, and narrow niches that lead nowhere else. A kept
//! leaf that also has room for the center of a cube that does not get there is split by the cube's tree. Everything
//! else is filled, and caps close it off.
//!
//! # The sky
//! In Quake and Half-Life, points fly into the sky, and the space behind it is solid because the game's compiler fills
//! it. So sky brushes are solid for the cube. How far a point gets into such a sky depends on the two trees.

use onion_format::HullSet;
use onion_geometry::PlaneSet;
use onion_maps::{Map, contents};

use crate::brush::ModelBrushes;
use crate::bsp::{ModelTree, Tree};
use crate::error::CompileError;
use crate::expand::{ModelCells, ModelSolids, expand_model};
use crate::fill::flood::Flood;
use crate::fill::kept::{CUBE, Places};
use crate::fill::leak::Leak;
use crate::fill::seeds::{Fill, Seed, seeds_of_cube};
use crate::hull::HullSpec;
use crate::id::HullIndex;
use crate::options::CompileOptions;
use crate::union::{self, Face};

/// The cube that is flooded in place of a point.
#[derive(Clone, Debug)]
pub struct StandIn {
    /// The point, by its index among the hulls of the compile.
    pub hull: HullIndex,
    /// The cube, as a hull.
    pub cube: HullSpec,
    /// The brushes of the world, expanded for the cube.
    pub solids: ModelSolids,
    /// Where the flood of the cube begins.
    pub seeds: Vec<Seed>,
}

/// The space that a point may reach, as trees whose only hull is [`CUBE`], for the audit to prove.
#[derive(Clone, Debug)]
pub struct Seal {
    /// The cube that was flooded.
    pub stand_in: StandIn,
    /// A tree whose leaves are solid where the cube's center does not get.
    pub reach: ModelTree,
    /// A tree whose leaves are solid where the point may not get.
    pub kept: Tree,
}

/// The way in which a point is flooded.
pub enum PointFlood {
    /// The point does not get out of the map, not even through cracks: its own flood fills the map, as for other hulls.
    Own(HullIndex, Box<Flood>),
    /// The point gets out of the map: a cube is flooded in its place.
    ByCube(Box<ByCube>),
}

/// The flood of a point that gets out of the map, and the flood of its cube.
pub struct ByCube {
    /// The cube.
    pub stand_in: StandIn,
    /// The flood of the point, which gets out of the map.
    pub own: Flood,
    /// The flood of the cube.
    pub cube: Flood,
}

impl PointFlood {
    pub fn hull(&self) -> HullIndex {
        match self {
            Self::Own(hull, _) => *hull,
            Self::ByCube(flood) => flood.stand_in.hull,
        }
    }
}

/// Returns the points that must not pass through cracks: those that any brush blocks, if sealing and filling are on.
fn points(options: &CompileOptions, world: &ModelSolids) -> impl Iterator<Item = HullIndex> {
    let CompileOptions {
        hulls, fill, seal, ..
    } = options;
    let is_sealed = seal.seals() && *fill != Fill::Off;
    let all = HullIndex::first(hulls.len()).zip(hulls).zip(world);
    let points = all.filter(move |((_, hull), solid)| {
        is_sealed && hull.is_point() && !solid.brushes.is_empty()
    });
    points.map(|((id, _), _)| id)
}

/// Floods the world for each point, in the order of hulls. Call this right after the seeds are found: it adds planes to
/// the set, trees depend on the order of the planes, and a verification must build the same trees as the compile.
///
/// # Errors
/// The flood's tree is deeper than the format allows.
pub fn floods(
    map: &Map,
    options: &CompileOptions,
    brushes: &ModelBrushes,
    world: &ModelSolids,
    skin: &[Face],
    seeds: &[Seed],
    planes: &mut PlaneSet,
) -> Result<Vec<PointFlood>, CompileError> {
    let floods = points(options, world).map(|hull| {
        let alone = hull.alone();
        let own = Flood::new(world, alone, skin, seeds, &[alone], planes)?;
        if !own.leaks(hull) {
            return Ok(PointFlood::Own(hull, Box::new(own)));
        }
        let (stand_in, cells) = StandIn::new(map, options, hull, world, brushes, planes);
        let cube = stand_in.flood(cells, planes)?;
        Ok(PointFlood::ByCube(Box::new(ByCube {
            stand_in,
            own,
            cube,
        })))
    });
    floods.collect()
}

impl StandIn {
    fn new(
        map: &Map,
        options: &CompileOptions,
        hull: HullIndex,
        world: &ModelSolids,
        brushes: &ModelBrushes,
        planes: &mut PlaneSet,
    ) -> (Self, ModelCells) {
        let point = &options.hulls[hull.index()];
        let mut cube = point.widened(options.seal);
        cube.contents |= contents::SKY;
        let (solids, cells) = expand_model(brushes, std::slice::from_ref(&cube), planes);
        let places = [(&cube, &solids[0]), (point, &world[hull.index()])];
        let seeds = seeds_of_cube(map, &options.fill, places, planes);
        let stand_in = Self {
            hull,
            cube,
            solids,
            seeds,
        };
        (stand_in, cells)
    }

    /// Returns the seeds of the cube as seeds of the point.
    pub fn seeds_of_point(&self) -> impl Iterator<Item = Seed> {
        let seeds = self.seeds.iter().cloned();
        seeds.map(|seed| Seed {
            hull: self.hull,
            ..seed
        })
    }

    fn flood(&self, cells: ModelCells, planes: &mut PlaneSet) -> Result<Flood, CompileError> {
        let skin = union::skin(&self.solids, cells, planes);
        let alone = CUBE.alone();
        Flood::new(&self.solids, alone, &skin, &self.seeds, &[alone], planes)
    }
}

impl ByCube {
    /// Returns the cube's path out of the map, attributed to the point, or `None` if the cube does not get out.
    pub fn path_out(&self) -> Option<Leak> {
        let leak = self.cube.path_out(CUBE, CUBE.alone());
        leak.map(|leak| Leak {
            hull: self.stand_in.hull,
            ..leak
        })
    }

    /// Returns the space that the point may reach. The cube must not get out of the map.
    pub(super) fn places(&self, planes: &PlaneSet) -> Places {
        Places::new(&self.own, &self.cube, &self.stand_in.cube, planes)
    }

    /// Returns that space as a seal, for the audit to prove.
    pub(super) fn seal(self, places: &Places) -> Seal {
        let reached = self.cube.reached.iter();
        let mut shut = reached.map(|&hulls| CUBE.alone().without(hulls));
        let tree = merged(relabeled(&self.cube.sketch.tree, &mut shut));
        let left = |kept| if kept { HullSet::EMPTY } else { CUBE.alone() };
        let kept = relabeled(&places.tree, &mut places.kept().map(left));
        let reach = ModelTree {
            tree,
            ..self.cube.sketch
        };
        Seal {
            stand_in: self.stand_in,
            reach,
            kept,
        }
    }
}

/// Makes the seals of the filled points from scratch, from the expanded brushes of the world, for a verification.
///
/// # Errors
/// As of [`floods`].
pub fn seals(
    map: &Map,
    options: &CompileOptions,
    brushes: &ModelBrushes,
    world: &ModelSolids,
    mut cells: ModelCells,
    seeds: &[Seed],
    planes: &mut PlaneSet,
) -> Result<Vec<Seal>, CompileError> {
    let skins = points(options, world).map(|hull| {
        let cells = std::mem::take(&mut cells[hull.index()]);
        union::skin_of(hull, &world[hull.index()], cells, planes)
    });
    let skin = skins.collect::<Vec<_>>().concat();
    let floods = floods(map, options, brushes, world, &skin, seeds, planes)?;
    let seals = floods.into_iter().filter_map(|flood| match flood {
        PointFlood::ByCube(flood)
            if !flood.stand_in.seeds.is_empty() && flood.path_out().is_none() =>
        {
            let places = flood.places(planes);
            Some(flood.seal(&places))
        }
        _ => None,
    });
    Ok(seals.collect())
}

/// Returns a tree with the same nodes and other solidities of its leaves, which are given in pre-order.
fn relabeled(tree: &Tree, leaves: &mut dyn Iterator<Item = HullSet>) -> Tree {
    match tree {
        Tree::Leaf { solidity } => Tree::Leaf {
            solidity: leaves.next().unwrap_or(*solidity),
        },
        Tree::Node {
            plane, children, ..
        } => {
            let children = children.each_ref().map(|child| relabeled(child, leaves));
            Tree::node(*plane, &[], children)
        }
    }
}

/// Replaces every node whose children are equal leaves by such a leaf, from the bottom up.
fn merged(tree: Tree) -> Tree {
    let Tree::Node {
        plane, children, ..
    } = tree
    else {
        return tree;
    };
    match children.map(merged) {
        [Tree::Leaf { solidity }, Tree::Leaf { solidity: other }] if solidity == other => {
            Tree::Leaf { solidity }
        }
        children => Tree::node(plane, &[], children),
    }
}
