//! Checks blocks and rooms: every hull of every model has a grid, walks begin at nodes of the hull's own tree, and
//! walls are at the sides of their rooms. Nodes refer only to later nodes, so every walk ends. The compiler proves
//! that walks may begin there, that rooms are empty and their walls solid; a file damaged later fails its checksum.

use core::ops::Range;

use onion_format::{
    BlockRecord, Child, GRID_ONE, GridRecord, MAX_HULLS, MAX_REACH, NO_ROOM, NO_WALL, PlaneRecord,
    ROOM_LIMIT, ROOM_ONE, Record, RoomRecord,
};

use crate::error::{LoadError, require};
use crate::file::view::View;
use crate::math::coordinate::is_whole;

/// Limit on the coordinates of a grid's corner and on its size, in units.
const GRID_LIMIT: f32 = (1u32 << 18) as f32;

/// Number of bits of a block's reach to all six sides.
const REACH_BITS: u32 = 6 * MAX_REACH.count_ones();

/// Checks the chunks of blocks and rooms, if the file has them.
// Many branches: each is a rule, in the order in which records rely on each other.
pub(super) fn check(map: &View<'_>) -> Result<(), LoadError> {
    if !map.has_blocks() {
        return Ok(());
    }
    let (grids, blocks, rooms) = (map.grids(), map.blocks(), map.rooms());
    let n_hulls = map.layout.n_hulls;
    let is_count = grids.len() == map.models().len() * n_hulls;
    require::<GridRecord>(is_count, grids.len(), "every hull of every model has one")?;
    let rule = "a box with a volume on the grid, with the planes of its walls at its sides";
    for (index, room) in rooms.iter().enumerate() {
        require::<RoomRecord>(is_room(map, &room), index, rule)?;
    }
    // Trees are in the order of models as well, so each model takes its own when its first grid comes.
    let mut trees = nodes_of_trees(map);
    // Of the current model, by group: several hulls walk the same tree.
    let mut nodes_of_groups = [const { 0..0 }; MAX_HULLS];
    let (mut n_blocks, mut n_rooms) = (0, 0);
    for (index, grid) in grids.iter().enumerate() {
        // Each grid first by itself, because what follows computes with its counts.
        let rule = "corner, size, counts and outside are allowed";
        require::<GridRecord>(is_grid(&grid), index, rule)?;
        let end = n_blocks_of(&grid).and_then(|own| own.checked_add(n_blocks));
        let next = grids.get(index + 1);
        // A grid stores only its first room: the next grid's first one ends the list.
        let end_room = next.map_or(rooms.len(), |next| next.first_room as usize);
        let own_rooms = grid.first_room as usize..end_room;
        let is_next = grid.first == n_blocks && own_rooms.start == n_rooms;
        let is_right = is_next && n_rooms <= end_room && end_room <= rooms.len();
        // Blocks name rooms by 16 bits, counted from the first one of their grid; the largest number stands for none.
        let is_right = is_right && end.is_some() && own_rooms.len() <= usize::from(NO_ROOM);
        let rule = "blocks and rooms follow those of the grid before, as many as there are numbers";
        require::<GridRecord>(is_right, index, rule)?;
        // The rule above requires the end, so the default is never taken.
        let end = end.unwrap_or(n_blocks);
        // Grids are in the order of models, and in a model in that of hulls: the first hull begins a model, whose trees
        // come next.
        let hull = index % n_hulls;
        if hull == 0 {
            let of_model = nodes_of_groups.iter_mut().take(map.layout.n_groups);
            of_model
                .zip(&mut trees)
                .for_each(|(own, nodes)| *own = nodes);
        }
        // In the tree of another group, the hull's bit would be that of another hull.
        let group = map.hull_id(hull).map_or(0, |hull| hull.group.into());
        let nodes: &Range<u32> = &nodes_of_groups[group];
        let is_block = |number: u32| {
            let block = blocks.get(number as usize);
            block.is_some_and(|block| is_block(block, nodes, own_rooms.len()))
        };
        let rule = "walks start in the grid's own tree and rooms, and the reach has 30 bits";
        for number in n_blocks..end {
            require::<BlockRecord>(is_block(number), number as usize, rule)?;
        }
        (n_blocks, n_rooms) = (end, end_room);
    }
    let n_blocks = n_blocks as usize;
    require::<BlockRecord>(
        blocks.len() == n_blocks,
        n_blocks,
        "every block is in a grid",
    )
}

/// Returns the numbers of the nodes of each tree, in the order of the trees. The nodes of a tree are consecutive, so
/// they end where the next tree that has nodes begins. Looking for that from every tree would take quadratic time in a
/// file of many trees without nodes: here a second iterator runs ahead and reads each root once.
fn nodes_of_trees(map: &View<'_>) -> impl Iterator<Item = Range<u32>> {
    let n_nodes = map.nodes.len() as u32;
    let roots = map.roots().iter().map(|record| Child(record.root));
    let firsts = roots.clone().filter(|root| !root.is_leaf());
    let mut ends = firsts.map(|root| root.0).chain([n_nodes]).skip(1);
    roots.map(move |root| {
        if root.is_leaf() {
            0..0
        } else {
            root.0..ends.next().unwrap_or(n_nodes)
        }
    })
}

/// Whether walks in a block begin in the grid's own tree (the numbers of its nodes are given), and its rooms exist.
fn is_block(block: BlockRecord, nodes: &Range<u32>, n_rooms: usize) -> bool {
    let start = block.start();
    let is_start = start.is_empty() || start.is_solid() || nodes.contains(&start.0);
    let is_room = |number: u16| number == NO_ROOM || usize::from(number) < n_rooms;
    is_start && block.reach >> REACH_BITS == 0 && block.rooms.into_iter().all(is_room)
}

/// Whether a room has a volume, and its walls' planes are in the right places.
fn is_room(map: &View<'_>, room: &RoomRecord) -> bool {
    let corners = [room.mins, room.maxs];
    let is_size = (0..3).all(|axis| room.mins[axis] < room.maxs[axis]);
    let is_corner = |&at: &f32| at.abs() <= ROOM_LIMIT && is_whole(f64::from(at * ROOM_ONE));
    // One step behind the side of the room. Queries compute this distance from the corner and do not read the plane, so
    // both must agree to the bit.
    let is_wall = |side: usize| {
        let (axis, upper) = (side / 2, side % 2);
        let outward = [-1.0, 1.0][upper];
        let dist = corners[upper][axis] + outward / ROOM_ONE;
        let bytes = map.planes.get(room.walls[side] as usize);
        let plane = bytes.map(|bytes| PlaneRecord::read(bytes));
        let is_at = |plane: PlaneRecord| {
            plane.axis == axis as u32 && plane.dist.to_bits() == f64::from(dist).to_bits()
        };
        room.walls[side] == NO_WALL || plane.is_some_and(is_at)
    };
    is_size && corners.as_flattened().iter().all(is_corner) && (0..6).all(is_wall)
}

/// Whether a grid is valid by itself. The size is a power of two, so that dividing by it is exact.
fn is_grid(grid: &GridRecord) -> bool {
    // A power of two has no bits in its mantissa.
    let is_size = grid.size >= 1.0 && grid.size <= GRID_LIMIT && grid.size.to_bits() << 9 == 0;
    let is_near =
        |&corner: &f32| corner.abs() < GRID_LIMIT && is_whole(f64::from(corner * GRID_ONE));
    let is_known = grid.is_solid_outside().is_some() || grid.outside == GridRecord::UNKNOWN;
    is_size
        && is_known
        && grid.origin.iter().all(is_near)
        && grid
            .counts
            .iter()
            .all(|&count| count > 0 && count as f32 * grid.size <= GRID_LIMIT)
}

/// Returns the number of a grid's blocks, or `None` if a `u32` cannot count them.
fn n_blocks_of(grid: &GridRecord) -> Option<u32> {
    let [x, y, z] = grid.counts;
    x.checked_mul(y)?.checked_mul(z)
}
