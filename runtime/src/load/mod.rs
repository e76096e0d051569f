//! Loading: bytes in, chunks whose every record has been checked out, in one pass over the file.
//!
//! The order matters: header, checksum, chunk frame, then records, each check relying on those
//! before it. Because nodes stand in pre-order and leaves are numbered in visit order, one pass
//! with a stack of fixed size proves that every tree is a tree: no cycle, no sharing, no
//! unreachable record, no path deeper than the format allows. After that no query can fail.

mod brushes;

use onion_format::{
    BoxRecord, BoxesRecord, BrushRecord, CHECKSUM_OFFSET, CHUNK_HEADER_SIZE, Child, CornerRecord,
    DIST_LIMIT, DIST_ONE, EdgeRecord, FaceRecord, Field, FirstFaceRecord, GroupRecord, HEADER_SIZE,
    HULL_FILLED, HULL_LIMIT, HullRecord, InfoRecord, LENGTH_OFFSET, LeafRecord, MAGIC, MAX_DEPTH,
    MAX_HULLS, ModelRecord, N_CHUNKS_OFFSET, NORMAL_LENGTH_ERROR, NORMAL_ONE, NodePlane,
    NodeRecord, OptionsRecord, PlaneRecord, Record, RootRecord, SideRecord, SolidRecord,
    SurfaceRecord, VERSION, VERSION_OFFSET, unpadded,
};

use crate::brushes::Brushes;

use crate::error::LoadError;
use crate::map::OnionMap;

pub(crate) fn load(bytes: &[u8]) -> Result<OnionMap<'_>, LoadError> {
    let n_chunks = check_header(bytes)?;
    let mut reader = ChunkReader {
        bytes,
        at: HEADER_SIZE,
        n_chunks: 0,
    };
    let info = reader.records::<{ InfoRecord::SIZE }>(InfoRecord::TAG)?;
    let options = reader.records::<{ OptionsRecord::SIZE }>(OptionsRecord::TAG)?;
    let hulls = reader.records(HullRecord::TAG)?;
    let models = reader.records(ModelRecord::TAG)?;
    let groups = reader.records(GroupRecord::TAG)?;
    let roots = reader.records(RootRecord::TAG)?;
    let planes = reader.records(PlaneRecord::TAG)?;
    let nodes = reader.records(NodeRecord::TAG)?;
    let leaves = reader.records(LeafRecord::TAG)?;
    let brushes = read_brushes(&mut reader)?;
    if reader.n_chunks != n_chunks || reader.at != bytes.len() {
        return Err(LoadError::BadChunk(reader.at));
    }

    let [info] = info else {
        return Err(bad(InfoRecord::TAG, 0));
    };
    let map = OnionMap {
        bytes,
        info: InfoRecord::read(info),
        options: text(OptionsRecord::TAG, options.as_flattened())?,
        hulls,
        models,
        groups,
        roots,
        planes,
        nodes,
        leaves,
        brushes,
    };
    check_hulls(&map)?;
    check_groups(&map)?;
    check_planes(&map)?;
    check_trees(&map)?;
    brushes::check(&map)?;
    Ok(map)
}

/// The optional chunks.
fn read_brushes<'a>(reader: &mut ChunkReader<'a>) -> Result<Brushes<'a>, LoadError> {
    let mut brushes = Brushes::NONE;
    if !reader.is_next(SurfaceRecord::TAG) {
        return Ok(brushes);
    }
    brushes.surfaces = reader.records(SurfaceRecord::TAG)?;
    brushes.brushes = reader.records(BrushRecord::TAG)?;
    brushes.sides = reader.records(SideRecord::TAG)?;
    if reader.is_next(FirstFaceRecord::TAG) {
        brushes.first_faces = reader.records(FirstFaceRecord::TAG)?;
        brushes.faces = reader.records(FaceRecord::TAG)?;
    }
    if reader.is_next(SolidRecord::TAG) {
        brushes.solids = reader.records(SolidRecord::TAG)?;
        brushes.corners = reader.records(CornerRecord::TAG)?;
        brushes.edges = reader.records(EdgeRecord::TAG)?;
        brushes.models = reader.records(BoxesRecord::TAG)?;
        brushes.boxes = reader.records(BoxRecord::TAG)?;
    }
    Ok(brushes)
}

fn bad(tag: [u8; 4], index: usize) -> LoadError {
    LoadError::BadRecord { tag, index }
}

/// Bytes that must be UTF-8.
fn text(tag: [u8; 4], bytes: &[u8]) -> Result<&str, LoadError> {
    core::str::from_utf8(bytes).map_err(|error| bad(tag, error.valid_up_to()))
}

/// Checks everything before the first chunk and returns the number of chunks.
fn check_header(bytes: &[u8]) -> Result<u64, LoadError> {
    if !bytes.starts_with(&MAGIC) {
        return Err(LoadError::BadMagic);
    }
    if bytes.len() < HEADER_SIZE {
        return Err(LoadError::Truncated(HEADER_SIZE));
    }
    let version = u32::read(bytes, VERSION_OFFSET);
    if version != VERSION {
        return Err(LoadError::UnknownVersion(version));
    }
    let length = u64::read(bytes, LENGTH_OFFSET);
    if length != bytes.len() as u64 {
        return Err(LoadError::BadLength(length));
    }
    if u64::read(bytes, CHECKSUM_OFFSET) != onion_format::checksum(bytes) {
        return Err(LoadError::BadChecksum);
    }
    // Four bytes after the version are zero.
    if u32::read(bytes, VERSION_OFFSET + 4) != 0 {
        return Err(LoadError::BadChunk(VERSION_OFFSET + 4));
    }
    Ok(u64::read(bytes, N_CHUNKS_OFFSET))
}

struct ChunkReader<'a> {
    bytes: &'a [u8],
    at: usize,
    n_chunks: u64,
}

impl<'a> ChunkReader<'a> {
    /// Whether a chunk with this tag comes next.
    fn is_next(&self, tag: [u8; 4]) -> bool {
        let rest = self.bytes.get(self.at..);
        rest.is_some_and(|rest| rest.starts_with(&tag))
    }

    /// The records of the next chunk, which must have this tag.
    fn records<const SIZE: usize>(&mut self, tag: [u8; 4]) -> Result<&'a [[u8; SIZE]], LoadError> {
        let start = self.at;
        let rest = self.bytes.get(start..).unwrap_or(&[]);
        let Some((header, rest)) = rest.split_at_checked(CHUNK_HEADER_SIZE) else {
            return Err(LoadError::Truncated(start + CHUNK_HEADER_SIZE));
        };
        if !header.starts_with(&tag) || u32::read(header, 4) as usize != SIZE {
            return Err(LoadError::BadChunk(start));
        }
        let n_bytes = u64::read(header, 8);
        let records = usize::try_from(n_bytes)
            .ok()
            .and_then(|end| rest.get(..end));
        let records = records.ok_or(LoadError::Truncated(self.bytes.len()))?;
        let (records, []) = records.as_chunks() else {
            return Err(LoadError::BadChunk(start));
        };
        self.at = start + CHUNK_HEADER_SIZE + records.len() * SIZE;
        self.n_chunks += 1;
        Ok(records)
    }
}

fn check_hulls(map: &OnionMap<'_>) -> Result<(), LoadError> {
    let ok = |record: &HullRecord| {
        let name = unpadded(&record.name);
        let padding = &record.name[name.len()..];
        let corners = record.mins.iter().zip(&record.maxs);
        record.flags & !HULL_FILLED == 0
            && !name.is_empty()
            && padding.iter().all(|&byte| byte == 0)
            && core::str::from_utf8(name).is_ok()
            && corners.clone().all(|(mins, maxs)| mins <= maxs)
            && corners
                .flat_map(|(mins, maxs)| [*mins, *maxs])
                .all(|corner| f64::from(corner).abs() <= HULL_LIMIT)
    };
    if map.hulls.is_empty() || map.hulls.len() > MAX_HULLS {
        return Err(bad(HullRecord::TAG, map.hulls.len()));
    }
    for (index, bytes) in map.hulls.iter().enumerate() {
        let record = HullRecord::read(bytes);
        let repeated = map.hulls[..index]
            .iter()
            .any(|earlier| HullRecord::read(earlier).name == record.name);
        if repeated || !ok(&record) {
            return Err(bad(HullRecord::TAG, index));
        }
    }
    Ok(())
}

/// Every hull is in one group, lowest hulls are in order, and every model has a root for each group.
fn check_groups(map: &OnionMap<'_>) -> Result<(), LoadError> {
    let mut free = all_hulls(map.hulls.len());
    for (index, bytes) in map.groups.iter().enumerate() {
        let GroupRecord { hulls } = GroupRecord::read(bytes);
        if hulls & !free != 0 || hulls & free & free.wrapping_neg() == 0 {
            return Err(bad(GroupRecord::TAG, index));
        }
        free &= !hulls;
    }
    if free != 0 {
        return Err(bad(GroupRecord::TAG, map.groups.len()));
    }
    let n_groups = map.groups.len();
    if map.models.len().checked_mul(n_groups) != Some(map.roots.len()) {
        return Err(bad(RootRecord::TAG, map.roots.len()));
    }
    Ok(())
}

fn check_planes(map: &OnionMap<'_>) -> Result<(), LoadError> {
    let ok = |plane: &PlaneRecord| {
        let normal = crate::map::unit_normal(plane);
        let length = normal
            .iter()
            .map(|component| component * component)
            .sum::<f64>();
        let unit = (length - 1.0).abs() <= 2.0 * NORMAL_LENGTH_ERROR;
        let front = normal.iter().find(|&&component| component != 0.0);
        let axis = (0..3).find(|&axis| {
            let mut unit = [0; 3];
            unit[axis] = NORMAL_ONE;
            plane.normal == unit
        });
        unit && front.is_some_and(|&component| component > 0.0)
            && plane.axis == axis.unwrap_or(3) as u32
            && plane.dist.abs() < DIST_LIMIT
            && is_whole(plane.dist * DIST_ONE)
    };
    match map
        .planes
        .iter()
        .position(|bytes| !ok(&PlaneRecord::read(bytes)))
    {
        Some(index) => Err(bad(PlaneRecord::TAG, index)),
        None => Ok(()),
    }
}

/// Whether a number below 2^53 is whole.
fn is_whole(number: f64) -> bool {
    (number as i64) as f64 == number
}

pub(crate) fn all_hulls(n_hulls: usize) -> u64 {
    u64::MAX >> (MAX_HULLS - n_hulls.clamp(1, MAX_HULLS))
}

fn check_trees(map: &OnionMap<'_>) -> Result<(), LoadError> {
    let mut order = PreOrder::default();
    if map.models.is_empty() {
        return Err(bad(ModelRecord::TAG, 0));
    }
    for (index, bytes) in map.models.iter().enumerate() {
        let model = ModelRecord::read(bytes);
        let numbers = [model.mins, model.maxs, model.origin];
        if !numbers
            .as_flattened()
            .iter()
            .all(|number| number.is_finite())
        {
            return Err(bad(ModelRecord::TAG, index));
        }
        for (group, root) in map.roots_of(index).enumerate() {
            if !order.expects(root) {
                return Err(bad(RootRecord::TAG, index * map.groups.len() + group));
            }
            order.check_tree(map, root, map.hulls_of_group(group))?;
        }
    }
    if order.n_nodes as usize != map.n_nodes() {
        return Err(bad(NodeRecord::TAG, order.n_nodes as usize));
    }
    if order.n_leaves as usize != map.leaves.len() {
        return Err(bad(LeafRecord::TAG, order.n_leaves as usize));
    }
    let patch_error = map.info.patch_error;
    let is_error = patch_error.is_finite() && patch_error > 0.0;
    if order.depth != map.info.depth || !is_error {
        return Err(bad(InfoRecord::TAG, 0));
    }
    Ok(())
}

/// What is known of a node or leaf: for which hulls all of it is solid or empty, and for which solid.
#[derive(Clone, Copy, Default)]
struct Known {
    resolved: u8,
    solid: u8,
}

impl Known {
    /// What a node knows of a child.
    fn of(node: &NodeRecord, side: usize) -> Self {
        Self {
            resolved: node.resolved[side],
            solid: node.solid[side],
        }
    }

    /// Whether it agrees with what is known of what it is a part of.
    fn follows(self, above: Self) -> bool {
        (self.solid & !self.resolved == 0)
            & (above.resolved & !self.resolved == 0)
            & (self.solid & above.resolved == above.solid)
    }
}

/// Whether a node has its plane, rounded.
fn has_plane(node: &NodeRecord, plane: &PlaneRecord) -> bool {
    let exact = crate::map::unit_normal(plane);
    let bits = |number: f32| number.to_bits();
    (bits(node.normal[0]) == bits(exact[0] as f32))
        & (bits(node.normal[1]) == bits(exact[1] as f32))
        & (bits(node.normal[2]) == bits(exact[2] as f32))
        & (bits(node.dist) == bits(plane.dist as f32))
}

/// The nodes and leaves seen so far in the walk over all trees, and the deepest path.
#[derive(Default)]
struct PreOrder {
    n_nodes: u32,
    n_leaves: u32,
    depth: u32,
}

impl PreOrder {
    /// Whether `child` is the next node or leaf of the pre-order.
    fn expects(&self, child: Child) -> bool {
        child.index()
            == if child.is_leaf() {
                self.n_leaves
            } else {
                self.n_nodes
            }
    }

    fn check_tree(&mut self, map: &OnionMap<'_>, root: Child, hulls: u64) -> Result<(), LoadError> {
        // Back children still to come, each with the number of nodes above it.
        let mut pending = [(Child(0), 0, Known::default()); MAX_DEPTH];
        let mut n_pending = 0;
        let (mut next, mut depth, mut known) = (root, 0, Known::default());
        loop {
            if next.is_leaf() {
                let index = self.n_leaves as usize;
                let leaf = map.leaves.get(index).map(|bytes| LeafRecord::read(bytes));
                let right = |LeafRecord { solidity }| {
                    // Everything is known of a leaf below a node.
                    let all = depth == 0
                        || (known.resolved == hulls as u8 && known.solid == solidity as u8);
                    all && solidity & !hulls == 0
                };
                if !leaf.is_some_and(right) {
                    return Err(bad(LeafRecord::TAG, index));
                }
                self.n_leaves += 1;
                if n_pending == 0 {
                    return Ok(());
                }
                n_pending -= 1;
                (next, depth, known) = pending[n_pending];
            } else {
                let index = self.n_nodes as usize;
                if index >= map.n_nodes() || depth == MAX_DEPTH {
                    return Err(bad(NodeRecord::TAG, index));
                }
                let node = map.node(index as u32);
                let plane = map.planes.get(NodePlane(node.plane).index() as usize);
                let Some(plane) = plane.map(|bytes| PlaneRecord::read(bytes)) else {
                    return Err(bad(NodeRecord::TAG, index));
                };
                let [front, back] = [Known::of(&node, 0), Known::of(&node, 1)];
                let agrees = front.follows(known)
                    && back.follows(known)
                    && (front.resolved | back.resolved) & !(hulls as u8) == 0
                    && has_plane(&node, &plane);
                if !agrees {
                    return Err(bad(NodeRecord::TAG, index));
                }
                self.n_nodes += 1;
                depth += 1;
                pending[n_pending] = (Child(node.children[1]), depth, back);
                n_pending += 1;
                self.depth = self.depth.max(depth as u32);
                (next, known) = (Child(node.children[0]), front);
            }
            if !self.expects(next) {
                return Err(bad(NodeRecord::TAG, self.n_nodes as usize));
            }
        }
    }
}
