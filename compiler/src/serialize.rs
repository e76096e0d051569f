//! Stage 10, serialize: trees, planes, hulls and brushes in, the bytes of a `.onion` file out. The records
//! are those of `onion-format`, written with bincode in its fixed-int little-endian layout. Only
//! planes in use are written, numbered in the order of their first use; nodes stand in pre-order
//! and leaves are numbered in visit order, so the same trees always give the same bytes.

use std::collections::HashMap;

use onion_format::{
    BrushRecord, CHECKSUM_OFFSET, CHUNK_ORDER, Child, FaceRecord, FirstFaceRecord, GroupRecord,
    HULL_FILLED, HullRecord, InfoRecord, LeafRecord, MAGIC, MAX_HULL_NAME, ModelRecord, NORMAL_ONE,
    NodePlane, NodeRecord, PlaneRecord, Record, RootRecord, SIDE_LOOKS_BACK, SideRecord, VERSION,
};
use serde::Serialize;

use crate::CompileOptions;
use crate::audit::Audit;
use crate::brush::{ModelBrushes, Source};
use crate::error::CompileError;
use crate::geometry::{PlaneId, PlaneSet};
use crate::hull::HullSpec;
use crate::map::{Map, MapModel};
use crate::provenance::{BrushSides, BrushTable};
use crate::shape::{Shapes, above, below};
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
    /// What a game is told of a hit; none if the file is to have no brushes.
    pub table: Option<&'a BrushTable>,
    /// For each node, the sides that have a face there; none if hits are not to be named.
    pub faces: Option<&'a [Vec<u32>]>,
    /// The shapes of the brushes; none if there are to be no traces of any shape.
    pub shapes: Option<&'a Shapes>,
}

/// Bytes that optional chunks take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sizes {
    /// Surfaces, brushes, sides, and planes that no tree has.
    pub table: usize,
    /// Faces of nodes.
    pub faces: usize,
    /// Shapes of brushes.
    pub shapes: usize,
}

/// The bytes of a file, and how many of them are optional.
///
/// # Errors
/// More nodes, leaves or planes than 30 bits can number.
pub fn serialize(content: Content<'_>, set: &PlaneSet) -> Result<(Vec<u8>, Sizes), CompileError> {
    let Content {
        map,
        models,
        options,
        filled,
        groups,
        trees,
        audit,
        table,
        faces,
        shapes,
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
    let mut optional = OptionalChunks::default();
    let n_tree_planes = writer.planes.len();
    if let Some(table) = table {
        let (brushes, sides) = brush_records(models, table, &mut writer)?;
        optional.push(table.surfaces.clone());
        optional.push(brushes);
        optional.push(sides);
    }
    let n_more_planes = writer.planes.len() - n_tree_planes;
    let mut sizes = Sizes {
        table: optional.bytes.len() + n_more_planes * PlaneRecord::SIZE,
        ..Sizes::default()
    };
    if let Some(faces) = faces {
        let n_before = optional.bytes.len();
        let (firsts, faces) = face_records(faces)?;
        optional.push(firsts);
        optional.push(faces);
        sizes.faces = optional.bytes.len() - n_before;
    }
    if let Some(shapes) = shapes.cloned() {
        let n_before = optional.bytes.len();
        optional.push(shapes.solids);
        optional.push(shapes.corners);
        optional.push(shapes.edges);
        optional.push(shapes.models);
        optional.push(shapes.boxes);
        sizes.shapes = optional.bytes.len() - n_before;
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
        n_chunks: CHUNK_ORDER.len() as u32 + optional.n_chunks,
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
    let mut bytes = encoded(document);
    bytes.extend(optional.bytes);
    let length = bytes.len() as u64;
    bytes[LENGTH_OFFSET..][..8].copy_from_slice(&length.to_le_bytes());
    let checksum = onion_format::checksum(&bytes);
    bytes[CHECKSUM_OFFSET..][..8].copy_from_slice(&checksum.to_le_bytes());
    Ok((bytes, sizes))
}

fn encoded(value: impl Serialize) -> Vec<u8> {
    match bincode::serde::encode_to_vec(value, bincode::config::legacy()) {
        Ok(bytes) => bytes,
        Err(_) => unreachable!("records of plain numbers always encode"),
    }
}

/// Optional chunks, encoded.
#[derive(Default)]
struct OptionalChunks {
    n_chunks: u32,
    bytes: Vec<u8>,
}

impl OptionalChunks {
    fn push<R: Record + Serialize>(&mut self, records: Vec<R>) {
        self.bytes.extend(encoded(chunk(R::TAG, R::SIZE, records)));
        self.n_chunks += 1;
    }
}

/// The records of all brushes, and of their sides.
fn brush_records(
    models: &[ModelBrushes],
    table: &BrushTable,
    writer: &mut TreeWriter<'_>,
) -> Result<(Vec<BrushRecord>, Vec<SideRecord>), CompileError> {
    let (mut brushes, mut sides) = (Vec::new(), Vec::new());
    for ((model, own), listed) in (0..).zip(models).zip(&table.models) {
        for (brush, BrushSides { first, sides: all }) in own.iter().zip(listed) {
            let (kind, number) = match brush.source {
                Source::Brush(number) => (0, number),
                Source::Patch(number) => (1, number),
            };
            let n_faces = brush.faces.len() as u32;
            brushes.push(BrushRecord {
                model,
                kind,
                number: number as u32,
                contents: brush.contents,
                first_side: *first,
                n_faces,
                n_bevels: all.len() as u32 - n_faces,
            });
            for side in all {
                let looks_back = if side.plane.is_canonical() {
                    0
                } else {
                    SIDE_LOOKS_BACK
                };
                sides.push(SideRecord {
                    plane: writer.plane_number(side.plane.canonical())? | looks_back,
                    surface: side.face.surface,
                    number: side.face.number,
                });
            }
        }
    }
    Ok((brushes, sides))
}

/// Where the faces of each node begin, and the faces.
fn face_records(
    faces: &[Vec<u32>],
) -> Result<(Vec<FirstFaceRecord>, Vec<FaceRecord>), CompileError> {
    let all = faces.iter().flatten().map(|&side| FaceRecord { side });
    let all: Vec<_> = all.collect();
    number(all.len())?;
    let ends = faces.iter().scan(0, |end, faces| {
        *end += faces.len() as u32;
        Some(*end)
    });
    let firsts = std::iter::once(0).chain(ends);
    let firsts = firsts.map(|first| FirstFaceRecord { first });
    Ok((firsts.collect(), all))
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
    let (mins, maxs) = (mins.to_array().map(below), maxs.to_array().map(above));
    ModelRecord {
        root: root.0,
        entity: model.entity.unwrap_or(u32::MAX),
        mins,
        maxs,
        origin: model.origin,
        reserved: 0,
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
