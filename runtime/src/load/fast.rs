//! Checks blocks: every hull of every model has a grid, and walks begin at nodes of the hull's own tree. Nodes refer
//! only to nodes behind them, so every walk ends. The compiler proves that walks may begin there; a file damaged later
//! fails its checksum.

use core::ops::Range;

use onion_format::{BlockRecord, Child, GRID_ONE, GridRecord, MAX_REACH};

use crate::error::LoadError;
use crate::view::View;

/// Corners of grids are nearer to the origin than this on each axis, in units, and grids are smaller.
const GRID_LIMIT: f32 = (1u32 << 18) as f32;

/// Bits of a block's reach to all sides.
const REACH_BITS: u32 = 6 * MAX_REACH.count_ones();

/// Checks the chunks of blocks, if the file has them.
pub(super) fn check(map: &View<'_>) -> Result<(), LoadError> {
    let (grids, blocks) = (map.grids(), map.blocks());
    if grids.is_empty() && blocks.is_empty() {
        return Ok(());
    }
    let n_hulls = map.layout.n_hulls;
    if grids.len() != map.models().len() * n_hulls {
        return Err(LoadError::record(GridRecord::TAG, grids.len()));
    }
    let mut n_blocks = 0;
    for (index, grid) in grids.iter().enumerate() {
        let end = is_grid(&grid).then(|| n_blocks_of(&grid)).flatten();
        let end = end.and_then(|own| own.checked_add(n_blocks));
        let Some(end) = end.filter(|_| grid.first == n_blocks) else {
            return Err(LoadError::record(GridRecord::TAG, index));
        };
        let nodes = nodes_of(map, index / n_hulls, index % n_hulls);
        let is_block = |number: u32| {
            let block = blocks.get(number as usize);
            block.is_some_and(|block| is_block(block, &nodes))
        };
        if let Some(wrong) = (n_blocks..end).find(|&number| !is_block(number)) {
            return Err(LoadError::record(BlockRecord::TAG, wrong as usize));
        }
        n_blocks = end;
    }
    if blocks.len() != n_blocks as usize {
        return Err(LoadError::record(BlockRecord::TAG, n_blocks as usize));
    }
    Ok(())
}

/// The numbers of the nodes of a hull's tree in a model. Trees stand one behind the other.
fn nodes_of(map: &View<'_>, model: usize, hull: usize) -> Range<u32> {
    let group = map.hull_id(hull).map_or(0, |hull| hull.group.into());
    let tree = model * map.layout.n_groups + group;
    let root = |tree: usize| Some(Child(map.roots().get(tree)?.root));
    let n_nodes = map.nodes.len() as u32;
    let mut later = (tree + 1..map.roots().len()).filter_map(root);
    let next = later.find(|root| !root.is_leaf());
    match root(tree) {
        Some(root) if !root.is_leaf() => root.0..next.map_or(n_nodes, |next| next.0),
        _ => 0..0,
    }
}

fn is_block(block: BlockRecord, nodes: &Range<u32>) -> bool {
    let start = block.start();
    let is_start = start.is_empty() || start.is_solid() || nodes.contains(&start.0);
    is_start && block.reach >> REACH_BITS == 0
}

fn is_grid(grid: &GridRecord) -> bool {
    let is_size = grid.size >= 1.0 && grid.size <= GRID_LIMIT && grid.size.to_bits() << 9 == 0;
    let is_whole = |number: f32| (number as i32) as f32 == number;
    let is_near = |&corner: &f32| corner.abs() < GRID_LIMIT && is_whole(corner * GRID_ONE);
    let is_known = grid.is_solid_outside().is_some() || grid.outside == GridRecord::UNKNOWN;
    is_size
        && is_known
        && grid.origin.iter().all(is_near)
        && grid
            .counts
            .iter()
            .all(|&count| count > 0 && count as f32 * grid.size <= GRID_LIMIT)
}

fn n_blocks_of(grid: &GridRecord) -> Option<u32> {
    let [x, y, z] = grid.counts;
    x.checked_mul(y)?.checked_mul(z)
}
