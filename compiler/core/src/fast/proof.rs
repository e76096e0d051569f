//! Proves blocks and rooms: it finds the first block, room or outside of a grid that disagrees with its tree. Octree
//! cubes of blocks with the same start are proven at once, as a region: all of it must lie in the cell of the node
//! where walks start, or in cells that are all empty or all solid. Rooms must be empty, and the space right behind
//! their walls solid. The proof shares with the builder the grid, the slabs outside of it, the seams between blocks,
//! the boxes of rooms and the test of a region against a tree, but not the search that makes rooms.

use std::iter;
use std::ops::Range;

use onion_format::Start;
use onion_geometry::{PlaneSet, Region, Split};
use rayon::prelude::*;

use super::branch::charts;
use super::form::{FastForm, HullBlocks};
use super::grid::OctreeCube;
use super::outside::slabs;
use super::reach::Seams;
use crate::bsp::ModelTree;
use crate::bsp::leaf_tree::{Branch, Chart};
use crate::id::HullIndex;

/// Proves all blocks, rooms and outsides of grids. The trees are in the order of the file.
///
/// # Errors
/// The first block, room or outside that is wrong, with its hull and model.
pub fn prove(form: &FastForm, trees: &[ModelTree], planes: &mut PlaneSet) -> Result<(), String> {
    for (tree, chart) in charts(trees) {
        for hull in tree.hulls.iter().map(HullIndex::new) {
            let is_own = |blocks: &&HullBlocks| (blocks.model, blocks.hull) == (tree.model, hull);
            let Some(blocks) = form.hulls.iter().find(is_own) else {
                let (hull, model) = (hull.index(), tree.model.index());
                return Err(format!("hull {hull} has no blocks in model {model}"));
            };
            prove_hull(blocks, &chart, planes)?;
        }
    }
    Ok(())
}

fn prove_hull(blocks: &HullBlocks, chart: &Chart, planes: &mut PlaneSet) -> Result<(), String> {
    let grid = &blocks.grid;
    grid.insert_planes(planes);
    let slabs = slabs(grid, planes);
    let claims = claims(blocks, planes)?;
    let prover = Prover {
        whole: chart.whole(planes),
        hull: blocks.hull,
    };
    if let Some(solid) = blocks.outside
        && !slabs.iter().all(|slab| prover.is_all(slab, solid))
    {
        let (hull, model) = (blocks.hull.index(), blocks.model.index());
        return Err(format!(
            "what is outside of the grid of hull {hull} in model {model} differs from its tree"
        ));
    }
    let room = claims
        .into_par_iter()
        .find_first(|claim| !prover.is_all(&claim.region, claim.is_solid));
    if let Some(RoomClaim { room, .. }) = room {
        return Err(wrong_room(blocks, room, "differs from its tree"));
    }
    let wrong = alike(blocks)?.into_par_iter().find_first(|(cube, start)| {
        let region = grid.cuboid_of(*cube).region(planes);
        !prover.holds(*start, &region.expect("a cube has a volume"))
    });
    match wrong {
        Some((cube, _)) => Err(wrong_block(blocks, cube.at, "differs from its tree")),
        None => Ok(()),
    }
}

fn wrong_block(blocks: &HullBlocks, at: [u32; 3], what: &str) -> String {
    let [x, y, z] = blocks.grid.corner(at);
    let (model, hull) = (blocks.model.index(), blocks.hull.index());
    format!("the block at ({x} {y} {z}) of hull {hull} in model {model} {what}")
}

/// The claim of a room that a region is all solid or all empty.
struct RoomClaim {
    /// Number of the room.
    room: usize,
    region: Region,
    /// Whether the claim is that it is solid; otherwise, that it is empty.
    is_solid: bool,
}

/// Returns the claims of all rooms: they are empty, and solid right behind their walls. Loading checks that the planes
/// of walls lie in their sides.
fn claims(blocks: &HullBlocks, planes: &mut PlaneSet) -> Result<Vec<RoomClaim>, String> {
    let mut claims = Vec::new();
    for (number, room) in blocks.rooms.iter().enumerate() {
        let walls = (0..6).filter(|&side| room.walls[side].is_some());
        let behind = walls.map(|side| (room.cuboid.swept(side, 1), true));
        for (cuboid, is_solid) in iter::once((room.cuboid, false)).chain(behind) {
            cuboid.insert_planes(planes);
            let region = cuboid.region(planes);
            claims.push(RoomClaim {
                room: number,
                region: region.ok_or_else(|| wrong_room(blocks, number, "has no volume"))?,
                is_solid,
            });
        }
    }
    Ok(claims)
}

fn wrong_room(blocks: &HullBlocks, number: usize, what: &str) -> String {
    let (model, hull) = (blocks.model.index(), blocks.hull.index());
    format!("room {number} of hull {hull} in model {model} {what}")
}

/// Returns the largest octree cubes whose blocks have the same start. Also checks that all blocks within the reach of a
/// block have its start: once all starts are proven, so are the reaches.
fn alike(blocks: &HullBlocks) -> Result<Vec<(OctreeCube, Start)>, String> {
    let grid = &blocks.grid;
    let seams = Seams::new(grid, &blocks.blocks);
    for (index, block) in blocks.blocks.iter().enumerate() {
        let at = grid.position(index);
        if !seams.is_right(at, block.reach) {
            return Err(wrong_block(blocks, at, "reaches too far"));
        }
    }
    let mut found = Vec::new();
    let mut left = grid.tops();
    while let Some(cube) = left.pop() {
        let start = blocks.blocks[grid.index(cube.at)].start;
        let is_start =
            |row: Range<usize>| blocks.blocks[row].iter().all(|block| block.start == start);
        if grid.rows(cube).all(is_start) {
            found.push((cube, start));
        } else {
            left.extend(grid.octants(cube));
        }
    }
    Ok(found)
}

/// The proof of the claims about one hull in one tree.
struct Prover<'a> {
    whole: Branch<'a>,
    hull: HullIndex,
}

impl Prover<'_> {
    /// Whether all of a region lies in the cell of the node `start`, or is all solid or all empty as `start` says.
    fn holds(&self, start: Start, region: &Region) -> bool {
        if start.is_whole() {
            return self.is_all(region, start.is_solid());
        }
        let mut branch = self.whole;
        while let Some((plane, [front, back])) = branch.split() {
            if start == Start(branch.number_in_file()) {
                return true;
            }
            branch = match region.split(branch.planes, plane) {
                Split::Front => front,
                Split::Back => back,
                Split::Both(..) => return false,
            };
        }
        false
    }

    /// Whether all of a region is solid, or all of it empty if `solid` is false.
    fn is_all(&self, region: &Region, solid: bool) -> bool {
        let hull = self.hull.alone();
        self.whole.alike_in(region, hull)[usize::from(!solid)] == hull
    }
}
