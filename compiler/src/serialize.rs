//! Stage 9, serialize: trees, planes and hulls in, the bytes of a `.onion` file out. The records
//! are those of `onion-format`, written with bincode in its fixed-int little-endian layout. Only
//! planes in use are written, numbered in the order of their first use; nodes stand in pre-order
//! and leaves are numbered in visit order, so the same trees always give the same bytes.

use std::collections::HashMap;

use onion_format::{
    CHECKSUM_OFFSET, CHUNK_ORDER, Child, GroupRecord, HULL_FILLED, HullRecord, InfoRecord,
    LeafRecord, MAGIC, MAX_HULL_NAME, ModelRecord, NORMAL_ONE, NodePlane, NodeRecord, PlaneRecord,
    RootRecord, VERSION,
};
use serde::Serialize;

use crate::CompileOptions;
use crate::audit::Audit;
use crate::brush::ModelBrushes;
use crate::error::CompileError;
use crate::geometry::{PlaneId, PlaneSet};
use crate::hull::HullSpec;
use crate::map::{Map, MapModel};
use crate::tree::{ModelTree, Tree};

/// A chunk: a tag, the size of its records, and the records.
#[derive(Serialize)]
struct Chunk<R> {
    tag: [u8; 4],
    record_size: u32,
    records: Vec<R>,
}

/// The whole file, in file order.
#[derive(Serialize)]
struct Document {
    magic: [u8; 8],
    version: u32,
    n_chunks: u32,
    length: u64,
    checksum: u64,
    info: Chunk<InfoRecord>,
    hulls: Chunk<HullRecord>,
    models: Chunk<ModelRecord>,
    groups: Chunk<GroupRecord>,
    roots: Chunk<RootRecord>,
    planes: Chunk<PlaneRecord>,
    nodes: Chunk<NodeRecord>,
    leaves: Chunk<LeafRecord>,
}

/// Where the length stands in the header.
const LENGTH_OFFSET: usize = 16;

/// What goes into a file.
#[derive(Clone, Copy, Debug)]
pub struct Content<'a> {
    /// The map.
    pub map: &'a Map,
    /// Its brushes.
    pub models: &'a [ModelBrushes],
    /// How it was compiled.
    pub options: &'a CompileOptions,
    /// The hulls that are filled, one bit each.
    pub filled: u64,
    /// The groups of hulls.
    pub groups: &'a [u64],
    /// For each model, the trees of the groups.
    pub trees: &'a [ModelTree],
    /// What the audit found.
    pub audit: &'a Audit,
}

/// The bytes of a file.
///
/// # Errors
/// More nodes, leaves or planes than 30 bits can number.
pub fn serialize(content: Content<'_>, set: &PlaneSet) -> Result<Vec<u8>, CompileError> {
    let Content {
        map,
        models,
        options,
        filled,
        groups,
        trees,
        audit,
    } = content;
    let mut writer = TreeWriter::new(set);
    let mut model_records = Vec::new();
    let mut roots = Vec::new();
    for tree in trees {
        let root = writer.write(&tree.tree, tree.hulls, 0)?.child;
        if tree.hulls == groups[0] {
            let (model, brushes) = (&map.models[tree.model], &models[tree.model]);
            model_records.push(model_record(root, model, brushes));
        }
        roots.push(RootRecord { root: root.0 });
    }
    let info = InfoRecord {
        leaf_hulls: audit.leaf_hulls,
        impure: audit.impure,
        depth: writer.depth,
        patch_error: options.patch_error,
    };
    let document = Document {
        magic: MAGIC,
        version: VERSION,
        n_chunks: CHUNK_ORDER.len() as u32,
        length: 0,
        checksum: 0,
        info: chunk(InfoRecord::TAG, InfoRecord::SIZE, vec![info]),
        hulls: chunk(
            HullRecord::TAG,
            HullRecord::SIZE,
            hull_records(&options.hulls, filled),
        ),
        models: chunk(ModelRecord::TAG, ModelRecord::SIZE, model_records),
        groups: chunk(
            GroupRecord::TAG,
            GroupRecord::SIZE,
            groups.iter().map(|&hulls| GroupRecord { hulls }).collect(),
        ),
        roots: chunk(RootRecord::TAG, RootRecord::SIZE, roots),
        planes: chunk(PlaneRecord::TAG, PlaneRecord::SIZE, writer.planes),
        nodes: chunk(NodeRecord::TAG, NodeRecord::SIZE, writer.nodes),
        leaves: chunk(LeafRecord::TAG, LeafRecord::SIZE, writer.leaves),
    };
    let encoded = bincode::serde::encode_to_vec(document, bincode::config::legacy());
    let Ok(mut bytes) = encoded else {
        unreachable!("records of plain numbers always encode");
    };
    let length = bytes.len() as u64;
    bytes[LENGTH_OFFSET..][..8].copy_from_slice(&length.to_le_bytes());
    let checksum = onion_format::checksum(&bytes);
    bytes[CHECKSUM_OFFSET..][..8].copy_from_slice(&checksum.to_le_bytes());
    Ok(bytes)
}

fn chunk<R>(tag: [u8; 4], size: usize, records: Vec<R>) -> Chunk<R> {
    Chunk {
        tag,
        record_size: size as u32,
        records,
    }
}

fn hull_records(hulls: &[HullSpec], filled: u64) -> Vec<HullRecord> {
    let records = hulls.iter().enumerate();
    records
        .map(|(number, hull)| hull_record(hull, filled >> number & 1 == 1))
        .collect()
}

fn hull_record(hull: &HullSpec, filled: bool) -> HullRecord {
    let mut name = [0; MAX_HULL_NAME];
    name[..hull.name.len()].copy_from_slice(hull.name.as_bytes());
    HullRecord {
        name,
        mins: hull.mins,
        maxs: hull.maxs,
        contents: hull.contents,
        flags: if filled { HULL_FILLED } else { 0 },
    }
}

fn model_record(root: Child, model: &MapModel, brushes: &ModelBrushes) -> ModelRecord {
    let positions = brushes.iter().flat_map(|brush| brush.cell.vertices());
    let bounds = positions
        .map(|vertex| vertex.position)
        .fold(None, |bounds, at| {
            let (mins, maxs) = bounds.unwrap_or((at, at));
            Some((at.min(mins), at.max(maxs)))
        });
    let (mins, maxs) = bounds.unwrap_or_default();
    let mins = mins
        .to_array()
        .map(|wide| narrow(wide, f32::next_down, |near| near <= wide));
    let maxs = maxs
        .to_array()
        .map(|wide| narrow(wide, f32::next_up, |near| near >= wide));
    ModelRecord {
        root: root.0,
        entity: model.entity.unwrap_or(u32::MAX),
        mins,
        maxs,
        origin: model.origin,
        reserved: 0,
    }
}

/// The nearest f32 value, or the next one outward if that is inside.
fn narrow(wide: f64, outward: fn(f32) -> f32, is_outside: impl Fn(f64) -> bool) -> f32 {
    let nearest = wide as f32;
    if is_outside(f64::from(nearest)) {
        nearest
    } else {
        outward(nearest)
    }
}

/// A tree that was written.
struct Written {
    child: Child,
    /// The hulls for which all of it is solid.
    solid: u64,
    /// The hulls for which all of it is empty.
    empty: u64,
}

/// Flattens trees into records.
struct TreeWriter<'a> {
    set: &'a PlaneSet,
    numbers: HashMap<PlaneId, u32>,
    planes: Vec<PlaneRecord>,
    nodes: Vec<NodeRecord>,
    leaves: Vec<LeafRecord>,
    depth: u32,
}

impl<'a> TreeWriter<'a> {
    fn new(set: &'a PlaneSet) -> Self {
        Self {
            set,
            numbers: HashMap::new(),
            planes: Vec::new(),
            nodes: Vec::new(),
            leaves: Vec::new(),
            depth: 0,
        }
    }

    fn write(&mut self, tree: &Tree, hulls: u64, depth: u32) -> Result<Written, CompileError> {
        self.depth = self.depth.max(depth);
        match tree {
            Tree::Leaf { solidity } => {
                let index = number(self.leaves.len())?;
                self.leaves.push(LeafRecord {
                    solidity: *solidity,
                });
                Ok(Written {
                    child: Child::leaf(index),
                    solid: *solidity & hulls,
                    empty: !solidity & hulls,
                })
            }
            Tree::Node {
                plane,
                faces,
                children,
                ..
            } => {
                let index = number(self.nodes.len())?;
                let plane = self.plane_number(*plane)?;
                let node = self.node(NodePlane::new(plane, faces[0], faces[1]));
                self.nodes.push(node);
                let (mut solid, mut empty) = (hulls, hulls);
                for (side, child) in children.iter().enumerate() {
                    let written = self.write(child, hulls, depth + 1)?;
                    let node = &mut self.nodes[index as usize];
                    node.children[side] = written.child.0;
                    // Of the hulls that have a bit there.
                    node.resolved[side] = (written.solid | written.empty) as u8;
                    node.solid[side] = written.solid as u8;
                    solid &= written.solid;
                    empty &= written.empty;
                }
                Ok(Written {
                    child: Child::node(index),
                    solid,
                    empty,
                })
            }
        }
    }

    /// A node without children.
    fn node(&self, plane: NodePlane) -> NodeRecord {
        let record = self.planes[plane.index() as usize];
        let unit = |component| f64::from(component) / f64::from(NORMAL_ONE);
        NodeRecord {
            normal: record.normal.map(|component| unit(component) as f32),
            dist: record.dist as f32,
            children: [0; 2],
            plane: plane.0,
            resolved: [0; 2],
            solid: [0; 2],
        }
    }

    fn plane_number(&mut self, plane: PlaneId) -> Result<u32, CompileError> {
        debug_assert!(plane.is_canonical());
        if let Some(&number) = self.numbers.get(&plane) {
            return Ok(number);
        }
        let number = number(self.planes.len())?;
        let entry = &self.set[plane];
        self.planes.push(PlaneRecord {
            // Components of a normal are below 2^31, as its length is 1 within 2^-10.
            normal: entry.plane.normal.map(|component| component as i32).into(),
            axis: entry.axis.map_or(3, u32::from),
            dist: entry.dist,
        });
        self.numbers.insert(plane, number);
        Ok(number)
    }
}

fn number(length: usize) -> Result<u32, CompileError> {
    let number = u32::try_from(length)
        .ok()
        .filter(|&number| number < 1 << 30);
    number.ok_or(CompileError::TooLarge)
}
