//! Stage 11, serialize: turns trees, planes, hulls and brushes into the bytes of a `.onion` file, as
//! `FORMAT.md` specifies it. Only planes in use are written. The same trees always give the same
//! bytes: ids are assigned in the order of one walk.

use onion_format::{
    GroupRecord, HULL_FILLED, HullRecord, InfoRecord, MAX_HULL_NAME, ModelRecord, OptionsRecord,
    PlaneRecord, RootRecord,
};
use serde::Serialize;

use crate::arguments;
use crate::audit::Audit;
use crate::brush::ModelBrushes;
use crate::bsp::ModelTree;
use crate::error::CompileError;
use crate::geometry::PlaneSet;
use crate::hull::HullSpec;
use crate::map::{Map, MapModel};
use crate::options::CompileOptions;
use crate::provenance::BrushTable;
use crate::shape::{Shapes, above, below};
use brushes::{brush_records, face_records};
use document::Document;
use trees::TreeWriter;

mod brushes;
mod document;
mod trees;

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
    let mut writer = TreeWriter::new(set);
    let mut roots = Vec::new();
    for tree in content.trees {
        let root = writer.write(&tree.tree, tree.hulls, 0)?.child;
        roots.push(RootRecord { root: root.0 });
    }
    let n_tree_planes = writer.planes.len();
    let sides = content
        .table
        .map(|table| brush_records(content.models, table, &mut writer));
    let sides = sides.transpose()?;
    let n_side_planes = writer.planes.len() - n_tree_planes;

    let mut document = Document::new();
    document.push(&[content.info(writer.depth)]);
    document.push(&option_records(content.options));
    document.push(&hull_records(&content.options.hulls, content.filled));
    document.push(&content.model_records());
    document.push(&content.group_records());
    document.push(&roots);
    document.push(&writer.planes);
    document.push(&writer.nodes);
    document.push(&writer.leaves);
    let mut sizes = Sizes::default();
    if let (Some(table), Some((brushes, sides))) = (content.table, &sides) {
        sizes.table = n_side_planes * PlaneRecord::SIZE
            + document.push(&table.surfaces)
            + document.push(brushes)
            + document.push(sides);
    }
    if let Some(faces) = content.faces {
        let (firsts, faces) = face_records(faces)?;
        sizes.faces = document.push(&firsts) + document.push(&faces);
    }
    if let Some(shapes) = content.shapes {
        sizes.shapes = document.push(&shapes.solids)
            + document.push(&shapes.corners)
            + document.push(&shapes.edges)
            + document.push(&shapes.models)
            + document.push(&shapes.boxes);
    }
    Ok((document.into_bytes(), sizes))
}

impl Content<'_> {
    fn info(&self, depth: u32) -> InfoRecord {
        InfoRecord {
            leaf_hulls: self.audit.leaf_hulls,
            depth,
            patch_error: self.options.patch_error,
            map_digest: self.map.digest,
        }
    }

    fn model_records(&self) -> Vec<ModelRecord> {
        let models = self.map.models.iter().zip(self.models);
        models
            .map(|(model, brushes)| model_record(model, brushes))
            .collect()
    }

    fn group_records(&self) -> Vec<GroupRecord> {
        self.groups
            .iter()
            .map(|&hulls| GroupRecord { hulls })
            .collect()
    }
}

/// The compiler and the options as text, byte by byte.
fn option_records(options: &CompileOptions) -> Vec<OptionsRecord> {
    let text = arguments::to_text(options);
    text.bytes().map(|byte| OptionsRecord { byte }).collect()
}

/// A short name with zero bytes behind it.
fn padded<const N: usize>(name: &str) -> [u8; N] {
    let mut padded = [0; N];
    padded[..name.len()].copy_from_slice(name.as_bytes());
    padded
}

fn hull_records(hulls: &[HullSpec], filled: u64) -> Vec<HullRecord> {
    let records = hulls.iter().enumerate();
    records
        .map(|(number, hull)| hull_record(hull, filled >> number & 1 == 1))
        .collect()
}

fn hull_record(hull: &HullSpec, filled: bool) -> HullRecord {
    HullRecord {
        name: padded::<MAX_HULL_NAME>(&hull.name),
        mins: hull.mins,
        maxs: hull.maxs,
        contents: hull.contents,
        flags: if filled { HULL_FILLED } else { 0 },
    }
}

fn model_record(model: &MapModel, brushes: &ModelBrushes) -> ModelRecord {
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
        entity: model.entity.unwrap_or(u32::MAX),
        mins,
        maxs,
        origin: model.origin,
    }
}
