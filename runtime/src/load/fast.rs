//! Checks the fast form: every hull of every model has a grid, blocks refer to existing nodes, and nodes refer only
//! to nodes before them, so that every walk ends. The compiler proves that local trees are right; a file damaged
//! later fails its checksum.

use onion_format::{
    BlockRecord, GridRecord, LocalChild, LocalPlane, LocalRecord, MAX_REACH, PlaneRecord, Record,
    TwinRecord,
};

use crate::error::LoadError;
use crate::view::View;

/// Corners of grids are nearer to the origin than this on each axis, in units, and grids are smaller.
const GRID_LIMIT: f32 = (1u32 << 18) as f32;

/// Bits of a block's reach to all sides.
const REACH_BITS: u32 = 6 * MAX_REACH.count_ones();

/// Checks the chunks of the fast form, if the file has one.
pub(super) fn check(map: &View<'_>) -> Result<(), LoadError> {
    let (grids, blocks, nodes) = (map.grids(), map.blocks(), map.locals());
    if grids.is_empty() && blocks.is_empty() && nodes.is_empty() && map.twins().is_empty() {
        return Ok(());
    }
    if grids.len() != map.models().len() * map.layout.n_hulls {
        return Err(LoadError::record(GridRecord::TAG, grids.len()));
    }
    let mut n_blocks = 0;
    for (index, grid) in grids.iter().enumerate() {
        let end = is_grid(&grid).then(|| n_blocks_of(&grid)).flatten();
        let end = end.and_then(|own| own.checked_add(n_blocks));
        n_blocks = match end {
            Some(end) if grid.first == n_blocks => end,
            _ => return Err(LoadError::record(GridRecord::TAG, index)),
        };
    }
    if blocks.len() != n_blocks as usize {
        return Err(LoadError::record(BlockRecord::TAG, blocks.len()));
    }
    let n_nodes = nodes.len() as u32;
    let is_block =
        |block: BlockRecord| is_child(block.root(), n_nodes) && block.reach >> REACH_BITS == 0;
    if let Some(index) = blocks.iter().position(|block| !is_block(block)) {
        return Err(LoadError::record(BlockRecord::TAG, index));
    }
    check_twins(map)?;
    for (index, node) in (0..).zip(nodes.iter()) {
        let mut children = node.children.into_iter().map(LocalChild);
        if !has_plane(map, &node) || !children.all(|child| is_child(child, index)) {
            return Err(LoadError::record(LocalRecord::TAG, index as usize));
        }
    }
    Ok(())
}

/// Whether a node has its plane as the file has it.
fn has_plane(map: &View<'_>, node: &LocalRecord) -> bool {
    let number = match node.local_plane() {
        LocalPlane::Plane(number) => Some(number),
        LocalPlane::List(first) => first_of_list(map, first as usize),
    };
    let bytes = number.and_then(|number| map.planes.get(number as usize));
    bytes.is_some_and(|bytes| {
        let plane = PlaneRecord::read(bytes);
        plane.normal == node.normal && plane.dist.to_bits() == node.dist.to_bits()
    })
}

/// The number of the first plane of a list; none if no list of two or more begins at a record.
fn first_of_list(map: &View<'_>, first: usize) -> Option<u32> {
    if let Some(before) = first.checked_sub(1) {
        map.twins().get(before).filter(|twin| twin.is_last())?;
    }
    let own = map.twins().get(first)?;
    (!own.is_last()).then(|| own.index())
}

fn check_twins(map: &View<'_>) -> Result<(), LoadError> {
    let (twins, n_planes) = (map.twins(), map.planes.len() as u32);
    let ends = |index: usize, twin: TwinRecord| index + 1 < twins.len() || twin.is_last();
    for (index, twin) in twins.iter().enumerate() {
        if twin.index() >= n_planes || !ends(index, twin) {
            return Err(LoadError::record(TwinRecord::TAG, index));
        }
    }
    Ok(())
}

fn is_grid(grid: &GridRecord) -> bool {
    let is_size = grid.size >= 1.0 && grid.size <= GRID_LIMIT && grid.size.to_bits() << 9 == 0;
    let is_near = |&corner: &f32| corner.abs() < GRID_LIMIT && (corner as i32) as f32 == corner;
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

/// Whether a child is a leaf or a node before the one of this number.
fn is_child(child: LocalChild, before: u32) -> bool {
    child.is_empty() || child.is_solid() || child.0 < before
}
