//! Finds the sealed pockets of a map, with room for a hull but closed to agents, and the paths out of a map that leaks.
//! It floods the world again from the seeds, through the portals of a temporary tree, as stage 4, fill, does. It uses
//! only the hulls and options of the compiled file. Points are left out, because they get through every crack.

use glam::DVec3;
use onion_compiler::bsp::ModelTree;
use onion_compiler::bsp::leaf_tree::{LeafTree, NodeOrLeaf};
use onion_compiler::error::VerifyError;
use onion_compiler::expand::{self, ModelSolids};
use onion_compiler::fill::flood::Flood;
use onion_compiler::fill::seeds::{Fill, Seed, seeds};
use onion_compiler::hull::{HullSpec, stances};
use onion_compiler::id::HullIndex;
use onion_compiler::options::arguments::{self, Recorded};
use onion_compiler::{brush, union};
use onion_format::HullSet;
use onion_geometry::{Bounds, Cell, PlaneSet, Split};
use onion_maps::Map;
use onion_runtime::OnionMap;
use serde::Serialize;

/// The sealed pockets of a map, and its leaks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SealedPockets {
    /// Whether the file was compiled from these bytes of the map.
    pub same_map: bool,
    /// The pockets of all hulls, the largest boxes first.
    pub pockets: Vec<Pocket>,
    /// The paths out of the map, one for each hull that leaks.
    pub leaks: Vec<WayOut>,
}

/// Space with room for a hull that is closed on all sides and that no agent enters.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pocket {
    /// Name of the hull.
    pub hull: String,
    /// A position of the hull's origin in it, in units.
    pub at: [f64; 3],
    /// Lower corner of the box around all positions of the hull's origin in it, in units.
    pub mins: [f64; 3],
    /// Upper corner, in units.
    pub maxs: [f64; 3],
}

/// A path out of the map from an entity that agents start from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WayOut {
    /// Name of the hull.
    pub hull: String,
    /// Number of the entity where it begins.
    pub entity: usize,
    /// The path, in units: straight from each point to the next.
    pub path: Vec<[f64; 3]>,
}

/// The world of a map for some hulls, and the result of its flood.
struct Flooded {
    hulls: Vec<HullSpec>,
    /// For each hull, the stances of its agent.
    stances: Vec<HullSet>,
    /// The hulls to examine: those with extent that any brush blocks and that have a seed in any stance.
    asked: HullSet,
    /// Which leaves the hulls reach.
    flood: Flood,
    planes: PlaneSet,
}

/// Examines the world of the map that a file was compiled from.
///
/// # Errors
/// The file records options that are not a compiler's, or the map cannot be compiled with them.
pub fn sealed<D: AsRef<[u8]>>(file: &OnionMap<D>, map: &Map) -> Result<SealedPockets, VerifyError> {
    let flooded = Flooded::new(file, map)?;
    let boxes = leaf_bounds(&flooded.flood.sketch, &flooded.flood.tree, &flooded.planes);
    let mut sealed = SealedPockets {
        same_map: file.inspect().info().map_digest == map.digest,
        pockets: Vec::new(),
        leaks: Vec::new(),
    };
    for hull in flooded.asked.iter().map(HullIndex::new) {
        sealed.pockets.extend(flooded.pockets(hull, &boxes));
        sealed.leaks.extend(flooded.way_out(hull));
    }
    let volume = |pocket: &Pocket| {
        let extents = DVec3::from_array(pocket.maxs) - DVec3::from_array(pocket.mins);
        extents.element_product()
    };
    let by_volume = |a: &Pocket, b: &Pocket| volume(b).total_cmp(&volume(a));
    sealed.pockets.sort_by(by_volume);
    Ok(sealed)
}

impl Flooded {
    /// Runs the stages of a compile up to its flood, with the options that the file records.
    fn new<D: AsRef<[u8]>>(file: &OnionMap<D>, map: &Map) -> Result<Self, VerifyError> {
        let hulls = file.hulls().map(HullSpec::from).collect();
        let Recorded { options, .. } = arguments::recorded(hulls, file.inspect().options())?;
        let (hulls, mut planes) = (options.hulls, PlaneSet::default());
        let patch_error = file.inspect().info().patch_error;
        let brushes = brush::build(map, patch_error, &mut planes, &mut Vec::new())?;
        let (world, cells) = expand::expand_model(&brushes[0], &hulls, &mut planes);
        let skin = union::skin(&world, cells, &planes);
        // If the file was compiled without filling, the flood starts from the default entities.
        let fill = match options.fill {
            Fill::Off => Fill::default(),
            fill @ Fill::From(_) => fill,
        };
        let seeds = seeds(map, &fill, &world, &hulls, &mut planes, &mut Vec::new());
        let stances = stances(&hulls, &options.agents);
        let asked = asked(&hulls, &stances, &world, &seeds);
        let flood = Flood::new(&world, asked, &skin, &seeds, &stances, &mut planes)?;
        Ok(Self {
            hulls,
            stances,
            asked,
            flood,
            planes,
        })
    }

    fn name(&self, hull: HullIndex) -> String {
        self.hulls[hull.index()].name.clone()
    }

    /// Returns the path out of the map if a hull leaks.
    fn way_out(&self, hull: HullIndex) -> Option<WayOut> {
        let leak = self.flood.path_out(hull, self.stances[hull.index()])?;
        Some(WayOut {
            hull: self.name(hull),
            entity: leak.entity,
            path: leak.path,
        })
    }

    /// Returns the pockets of a hull: connected leaves that have room for it and that it does not reach.
    fn pockets(&self, hull: HullIndex, boxes: &[Bounds]) -> Vec<Pocket> {
        let portals = &self.flood.portals;
        let neighbors = portals.neighbors();
        let solidity = self.flood.tree.solidity.iter().zip(&self.flood.reached);
        // What has room and was not reached; each leaf leaves the list when its pocket is found.
        let is_left = solidity.map(|(&solid, &reached)| !hull.is_in(solid) && !hull.is_in(reached));
        let mut is_left: Vec<bool> = is_left.collect();
        let mut pockets = Vec::new();
        for first in 0..is_left.len() {
            let mut leaves = Vec::new();
            let mut pending = vec![first as u32];
            while let Some(leaf) = pending.pop() {
                if std::mem::take(&mut is_left[leaf as usize]) {
                    leaves.push(leaf as usize);
                    let open = neighbors
                        .of(leaf)
                        .filter(|&(_, at)| hull.is_in(portals.list[at as usize].hulls));
                    pending.extend(open.map(|(other, _)| other));
                }
            }
            // Space that extends beyond the tree's box is the void around the map.
            let is_closed = leaves
                .iter()
                .all(|&leaf| portals.leaves[leaf].exit.is_none());
            if is_closed && !leaves.is_empty() {
                pockets.push(self.pocket(hull, &leaves, boxes));
            }
        }
        pockets
    }

    /// Describes connected leaves that a hull does not reach, by the box around them and the middle of the largest.
    fn pocket(&self, hull: HullIndex, leaves: &[usize], boxes: &[Bounds]) -> Pocket {
        let around = leaves
            .iter()
            .fold(Bounds::NONE, |all, &leaf| all.union(boxes[leaf]));
        let volume = |leaf: usize| boxes[leaf].volume();
        let larger = |one, other| {
            if volume(other) > volume(one) {
                other
            } else {
                one
            }
        };
        let largest = leaves.iter().copied().fold(leaves[0], larger);
        Pocket {
            hull: self.name(hull),
            at: self.flood.portals.leaves[largest].center.to_array(),
            mins: around.mins.to_array(),
            maxs: around.maxs.to_array(),
        }
    }
}

/// Returns the hulls with extent that any brush blocks and that have a seed, themselves or in another stance.
fn asked(hulls: &[HullSpec], stances: &[HullSet], world: &ModelSolids, seeds: &[Seed]) -> HullSet {
    let asked = HullIndex::first(hulls.len()).filter(|hull| {
        let index = hull.index();
        let starts = seeds.iter().any(|seed| seed.hull.is_in(stances[index]));
        !hulls[index].is_point() && !world[index].brushes.is_empty() && starts
    });
    asked.map(|hull| hull.index()).collect()
}

/// Returns boxes around the leaves of a tree, within the tree's own box.
fn leaf_bounds(sketch: &ModelTree, tree: &LeafTree, planes: &PlaneSet) -> Vec<Bounds> {
    let cell = Cell::from_box(planes, sketch.bounds);
    let mut boxes = vec![Bounds::NONE; tree.solidity.len()];
    let mut pending = vec![(tree.root(), cell)];
    while let Some((part, cell)) = pending.pop() {
        match part {
            NodeOrLeaf::Leaf(leaf) => {
                let corners = cell.vertices().iter().map(|vertex| vertex.position);
                boxes[leaf as usize] = Bounds::of(corners);
            }
            NodeOrLeaf::Node(node) => {
                let (plane, [front, back]) = tree.node(node);
                match cell.split(planes, plane) {
                    Split::Both(before, behind) => {
                        pending.extend([(front, before), (back, behind)])
                    }
                    Split::Front => pending.push((front, cell)),
                    Split::Back => pending.push((back, cell)),
                }
            }
        }
    }
    boxes
}
