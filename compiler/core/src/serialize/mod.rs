//! Stage 12, serialize, turns trees, planes, hulls and brushes into the bytes of a `.onion` file, as `FORMAT.md`
//! specifies it. Only planes in use are written. The same trees always give the same bytes, because numbers are
//! assigned in the order of one walk.

use onion_format::{
    Child, FaceRecord, GroupRecord, HULL_FILLED, HullRecord, HullSet, InfoRecord, MAX_HULL_NAME,
    ModelRecord, OptionsRecord, RootRecord,
};
use onion_geometry::PlaneSet;
use onion_maps::{Map, MapModel};
use onion_runtime::OnionMap;
use serde::Serialize;

use crate::arguments;
use crate::audit::Proven;
use crate::brush::ModelBrushes;
use crate::bsp::{ModelTree, Tree};
use crate::error::CompileError;
use crate::fast::form::FastForm;
use crate::hull::HullSpec;
use crate::id::{HullIndex, ModelId};
use crate::options::CompileOptions;
use crate::provenance::Hits;
use crate::shape::{Shapes, above, below};
use brushes::{BrushWriter, HitRecords, NameRecords};
use document::Document;
use entities::entity_records;
use fast::{FastRecords, fast_records};
use trees::{TreeWriter, number};

mod brushes;
mod document;
mod entities;
mod fast;
mod trees;

/// The bytes that optional chunks take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sizes {
    /// The entities of the map.
    pub entities: usize,
    /// The blocks.
    pub fast: usize,
    /// Surfaces, brushes and sides.
    pub names: usize,
    /// The hits at nodes, and planes that nothing else uses.
    pub hits: usize,
    /// The shapes of brushes, and planes that nothing else uses.
    pub shapes: usize,
}

/// A written file, which loads.
#[derive(Clone, Debug)]
pub struct OnionFile {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Nodes of all trees.
    pub n_nodes: usize,
    /// Leaves of all trees.
    pub n_leaves: usize,
    /// Distinct planes.
    pub n_planes: usize,
    /// Nodes on the longest path from a root to a leaf.
    pub depth: u32,
    /// The sizes of its optional parts.
    pub optional: Sizes,
}

/// The parts that a file may have besides its trees.
#[derive(Clone, Debug, Default)]
pub struct Extras {
    /// The blocks.
    pub fast: Option<FastForm>,
    /// The data that a game receives about hits.
    pub hits: Option<Hits>,
    /// The data that traces of any shape need.
    pub shapes: Option<Shapes>,
}

/// Writes everything and loads the written file.
///
/// # Errors
/// More nodes or planes than 30 bits can number, or a file that does not load, which is a bug.
pub fn serialize(
    map: &Map,
    options: &CompileOptions,
    models: &[ModelBrushes],
    proven: &Proven,
    extras: Extras,
    planes: &PlaneSet,
) -> Result<OnionFile, CompileError> {
    let Extras { fast, hits, shapes } = extras;
    let mut writer = TreeWriter::new(planes);
    let roots = root_records(&proven.trees, &mut writer)?;
    let fast = fast.map(|form| fast_records(&form, &mut writer));
    let fast = fast.transpose()?;
    let brushes = hits.as_ref().map(|hits| BrushWriter {
        map,
        models,
        hits,
        all: options.brushes,
    });
    let brushes = brushes.map(|from| brush_records(&from, shapes, &mut writer));
    let brushes = brushes.transpose()?;

    let mut document = Document::new();
    document.push(&[info_record(map, options, proven, writer.depth)]);
    document.push(&option_records(map, options));
    document.push(&hull_records(&options.hulls, proven.filled));
    document.push(&model_records(map, models));
    document.push(&group_records(&proven.trees));
    document.push(&roots);
    document.push(&writer.plane_records);
    document.push(&writer.nodes);
    let entities = push_entities(&mut document, map, options)?;
    let fast = fast.map_or(0, |fast| push_fast(&mut document, &fast));
    let brushes = brushes.map(|brushes| push_brushes(&mut document, &brushes));
    let optional = Sizes {
        entities,
        fast,
        ..brushes.unwrap_or_default()
    };
    let bytes = document.into_bytes();
    OnionMap::from_bytes(&bytes).map_err(CompileError::SelfCheck)?;
    Ok(OnionFile {
        bytes,
        n_nodes: writer.nodes.len(),
        // A tree has one more leaf than nodes.
        n_leaves: writer.nodes.len() + roots.len(),
        n_planes: writer.plane_records.len(),
        depth: writer.depth,
        optional,
    })
}

/// Appends the entities of the map, unless an option leaves them out; returns their size in bytes.
fn push_entities(
    document: &mut Document,
    map: &Map,
    options: &CompileOptions,
) -> Result<usize, CompileError> {
    if !options.entities {
        return Ok(0);
    }
    let (entities, text) = entity_records(&map.entities)?;
    Ok(document.push(&entities) + document.push(&text))
}

/// Appends the blocks; returns their size in bytes.
fn push_fast(document: &mut Document, fast: &FastRecords) -> usize {
    document.push(&fast.grids) + document.push(&fast.blocks) + document.push(&fast.rooms)
}

/// The records of brushes, and the bytes of the planes that they added.
struct BrushRecords {
    names: NameRecords,
    hits: Option<(HitRecords, usize)>,
    shapes: Option<(Shapes, Vec<FaceRecord>, usize)>,
}

fn brush_records(
    from: &BrushWriter<'_>,
    shapes: Option<Shapes>,
    writer: &mut TreeWriter<'_>,
) -> Result<BrushRecords, CompileError> {
    let names = from.names()?;
    let mut hits = None;
    if let Some(nodes) = &from.hits.nodes {
        let before = writer.n_plane_bytes();
        let records = names.hits(nodes, writer)?;
        hits = Some((records, writer.n_plane_bytes() - before));
    }
    let mut with_faces = None;
    if let Some(shapes) = shapes {
        let before = writer.n_plane_bytes();
        let faces = from.faces(&names, writer)?;
        with_faces = Some((shapes, faces, writer.n_plane_bytes() - before));
    }
    Ok(BrushRecords {
        names,
        hits,
        shapes: with_faces,
    })
}

/// Appends the records of brushes; returns their sizes in bytes.
fn push_brushes(document: &mut Document, brushes: &BrushRecords) -> Sizes {
    let BrushRecords {
        names,
        hits,
        shapes,
    } = brushes;
    let mut sizes = Sizes {
        names: document.push(&names.surfaces)
            + document.push(&names.brushes)
            + document.push(&names.sides),
        ..Sizes::default()
    };
    if let Some((hits, planes)) = hits {
        sizes.hits = planes + document.push(&hits.hits) + document.push(&hits.choices);
    }
    if let Some((shapes, faces, planes)) = shapes {
        sizes.shapes = planes
            + document.push(&shapes.solids)
            + document.push(faces)
            + document.push(&shapes.corners)
            + document.push(&shapes.edges)
            + document.push(&shapes.models)
            + document.push(&shapes.boxes);
    }
    sizes
}

/// Writes all trees; returns the records of their roots.
fn root_records(
    trees: &[ModelTree],
    writer: &mut TreeWriter<'_>,
) -> Result<Vec<RootRecord>, CompileError> {
    let root = |tree: &ModelTree| {
        let first = number(writer.nodes.len())?;
        let known = writer.write(&tree.tree, tree.hulls, 0)?;
        let is_leaf = matches!(tree.tree, Tree::Leaf { .. });
        let Child(leaf) = Child::leaf(known.solid.into());
        let root = if is_leaf { leaf } else { first };
        Ok(RootRecord { root })
    };
    trees.iter().map(root).collect()
}

fn info_record(map: &Map, options: &CompileOptions, proven: &Proven, depth: u32) -> InfoRecord {
    InfoRecord {
        leaf_hulls: proven.audit.leaf_hulls,
        depth,
        patch_error: options.patch_error,
        map_digest: map.digest,
    }
}

fn model_records(map: &Map, models: &[ModelBrushes]) -> Vec<ModelRecord> {
    let models = map.models.iter().zip(models);
    models
        .map(|(model, brushes)| model_record(model, brushes))
        .collect()
}

/// Returns the groups of hulls, which are the same in every model.
fn group_records(trees: &[ModelTree]) -> Vec<GroupRecord> {
    let of_world = trees.iter().filter(|tree| tree.model == ModelId::WORLD);
    let groups = of_world.map(|tree| GroupRecord {
        hulls: tree.hulls.bits(),
    });
    groups.collect()
}

/// Returns the compiler and the options as text, byte by byte.
fn option_records(map: &Map, options: &CompileOptions) -> Vec<OptionsRecord> {
    let text = arguments::to_text(options, &map.reading);
    text.bytes().map(|byte| OptionsRecord { byte }).collect()
}

/// Pads a short name with zero bytes.
fn padded<const N: usize>(name: &str) -> [u8; N] {
    let mut padded = [0; N];
    padded[..name.len()].copy_from_slice(name.as_bytes());
    padded
}

fn hull_records(hulls: &[HullSpec], filled: HullSet) -> Vec<HullRecord> {
    let hulls = HullIndex::first(hulls.len()).zip(hulls);
    hulls
        .map(|(id, hull)| hull_record(hull, id.is_in(filled)))
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
