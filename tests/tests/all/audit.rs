//! The audit catches faults planted in every stage: a bevel that is skipped, faces that are lost, bits that are
//! flipped, children that are swapped. (`verify.rs`, `fill.rs` and `groups.rs` plant them in files; `expansion.rs`
//! compares bevels with its own oracle.)

use std::collections::BTreeSet;

use onion_compiler::CompileOptions;
use onion_compiler::audit::audit;
use onion_compiler::audit::seal::Claim;
use onion_compiler::brush;
use onion_compiler::bsp::{ModelTree, Tree};
use onion_compiler::expand::{ModelCells, ModelSolids, expand};
use onion_compiler::fill::fill;
use onion_compiler::hull::HullSpec;
use onion_compiler::tree;
use onion_compiler::union::{Face, unite};
use onion_format::HullSet;
use onion_geometry::spatial::SpatialIndex;
use onion_geometry::{Bounds, Cell, PlaneId, PlaneSet};
use onion_tests::cases::sample_case;
use onion_tests::fixtures::made;
use onion_tests::{rooms, samples, subject};

/// The stages up to the tree, for a sample map.
struct Stages {
    hulls: Vec<HullSpec>,
    set: PlaneSet,
    solids: Vec<ModelSolids>,
    cells: Vec<ModelCells>,
    skins: Vec<Vec<Face>>,
}

impl Stages {
    fn of(name: &str) -> Self {
        let map = &sample_case(name).map;
        let hulls = subject::hulls(&subject::HULLS);
        let mut set = PlaneSet::default();
        let brushes = brush::build(map, 4.0, &mut set, &mut Vec::new()).unwrap();
        let (solids, cells) = expand(&brushes, &hulls, &mut set);
        let skins = unite(&solids, cells.clone(), &set);
        Self {
            hulls,
            set,
            solids,
            cells,
            skins,
        }
    }

    fn trees(&mut self, skins: Vec<Vec<Face>>) -> Vec<ModelTree> {
        let plan = vec![HullSet::FULL].into();
        tree::build(&self.solids, &[], skins, plan, &mut self.set).unwrap()
    }

    /// Returns the number of wrong leaf-hulls.
    fn impure(&self, trees: &[ModelTree]) -> u64 {
        let Self {
            solids, hulls, set, ..
        } = self;
        audit(solids, trees, hulls, Claim::default(), set).impure
    }
}

fn leaves<'a>(tree: &'a mut Tree, found: &mut Vec<&'a mut HullSet>) {
    match tree {
        Tree::Leaf { solidity } => found.push(solidity),
        Tree::Node { children, .. } => {
            for child in children.iter_mut() {
                leaves(child, found);
            }
        }
    }
}

#[test]
fn a_right_tree_passes() {
    let mut stages = Stages::of("wedge");
    let trees = stages.trees(stages.skins.clone());
    assert_eq!(stages.impure(&trees), 0);
}

#[test]
fn every_single_wrong_bit_is_caught() {
    let mut stages = Stages::of("wedge");
    let mut trees = stages.trees(stages.skins.clone());
    let n_hulls = stages.hulls.len();
    let n_leaves = {
        let mut found = Vec::new();
        leaves(&mut trees[0].tree, &mut found);
        found.len()
    };
    for leaf in 0..n_leaves {
        for hull in 0..n_hulls {
            let mut wrong = trees.clone();
            let mut found = Vec::new();
            leaves(&mut wrong[0].tree, &mut found);
            if found[leaf].contains(hull) {
                found[leaf].remove(hull)
            } else {
                found[leaf].insert(hull)
            }
            assert_eq!(stages.impure(&wrong), 1, "leaf {leaf}, hull {hull}");
        }
    }
}

/// Without the faces in a plane no node splits there, and some leaf is partly solid and partly empty. (A single face
/// may be lost without harm, if the planes of others bound the same leaves.)
#[test]
fn lost_faces_are_caught() {
    let mut stages = Stages::of("ramp_stairs");
    let planes: BTreeSet<PlaneId> = stages.skins[0].iter().map(plane_of).collect();
    assert!(planes.len() > 20);
    for lost in planes {
        let mut skins = stages.skins.clone();
        skins[0].retain(|face| plane_of(face) != lost);
        let trees = stages.trees(skins);
        assert!(stages.impure(&trees) > 0, "{lost:?}");
    }
}

fn plane_of(face: &Face) -> PlaneId {
    face.winding.plane.canonical()
}

/// If a brush lacks a bevel, or any other sloped plane, the tree over the brushes is wrong where the brush then
/// sticks out.
#[test]
fn a_skipped_bevel_is_caught() {
    let mut stages = Stages::of("wedge");
    let limit = glam::DVec3::splat(4096.0);
    let around = Bounds {
        mins: -limit,
        maxs: limit,
    };
    let around = around.insert_planes(&mut stages.set);
    let (mut n_skipped, mut n_caught) = (0, 0);
    for hull in 0..stages.hulls.len() {
        for number in 0..stages.solids[0][hull].brushes.len() {
            let planes = stages.solids[0][hull].brushes[number].planes.to_vec();
            let mut sloped = planes.clone();
            sloped.retain(|plane| stages.set[*plane].axis.is_none());
            for skipped in sloped {
                let rest = planes.iter().copied().filter(|plane| *plane != skipped);
                let mut wrong = stages.solids.clone();
                let mut cells = stages.cells.clone();
                let cell = &mut cells[0][hull][number];
                *cell = Cell::from_planes(&stages.set, around, rest).unwrap();
                let brush = &mut wrong[0][hull].brushes[number];
                brush.planes = cell.planes().collect();
                brush.bounds = cell.bounds();
                let boxes = wrong[0][hull].brushes.iter().map(|brush| brush.bounds);
                wrong[0][hull].index = SpatialIndex::new(boxes);
                let skins = unite(&wrong, cells, &stages.set);
                let plan = vec![HullSet::FULL].into();
                let trees = tree::build(&wrong, &[], skins, plan, &mut stages.set).unwrap();
                n_caught += usize::from(stages.impure(&trees) > 0);
                n_skipped += 1;
            }
        }
    }
    // Some bevels would extend only into other brushes, which changes nothing.
    let are_caught = n_skipped > 6 && n_caught * 2 > n_skipped;
    assert!(are_caught, "{n_caught} of {n_skipped}");
}

#[test]
fn swapped_children_are_caught() {
    let mut stages = Stages::of("touching");
    let mut trees = stages.trees(stages.skins.clone());
    if let Tree::Node { children, .. } = &mut trees[0].tree {
        children.swap(0, 1);
    }
    assert!(stages.impure(&trees) > 0);
}

/// A seal shuts a point out of all space, in the seal's own tree and in the tree of the file, though a cube starts
/// there.
#[test]
fn a_seal_that_shuts_too_much_is_caught() {
    let mut map = rooms::with_pocket();
    // A crack in the east wall of the larger room, from floor to ceiling.
    let [mins, maxs] = [[256.0, -272.0, 0.0], [272.0, 272.0, 256.0]];
    map.models[0].brushes[3].0 = samples::Brush::cuboid(mins, [maxs[0], 0.0, maxs[2]]);
    map.cuboid(samples::Shader::Wall, [mins[0], 1.0 / 64.0, mins[2]], maxs);
    let map = made(&map);
    let options = CompileOptions::new(subject::hulls(&["bullet:point"]));
    let mut set = PlaneSet::default();
    let brushes = brush::build(&map, 4.0, &mut set, &mut Vec::new()).unwrap();
    let (solids, cells) = expand(&brushes, &options.hulls, &mut set);
    let skins = unite(&solids, cells, &set);
    let filled = fill(&map, &options, &brushes[0], &solids[0], skins, &mut set);
    let (skins, filling) = filled.unwrap();
    let plan = vec![HullSet::FULL].into();
    let mut trees = tree::build(&solids, filling.spaces(), skins, plan, &mut set).unwrap();
    let claim = filling.claim();
    assert_eq!(claim.seals.len(), 1);
    let found = audit(&solids, &trees, &options.hulls, claim, &set);
    assert_eq!(found.impure, 0, "{found:?}");
    let mut seals = claim.seals.to_vec();
    let solidity = HullSet::single(0);
    seals[0].kept = Tree::Leaf { solidity };
    let mut found = Vec::new();
    leaves(&mut trees[0].tree, &mut found);
    found.into_iter().for_each(|leaf| *leaf = solidity);
    let claim = Claim {
        seals: &seals,
        ..claim
    };
    let found = audit(&solids, &trees, &options.hulls, claim, &set);
    assert!(found.impure > 0, "{found:?}");
}
