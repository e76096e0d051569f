//! Stage 13, serialize, turns trees, planes, hulls and brushes into the bytes of a `.onion` file, as `FORMAT.md`
//! specifies it. Only planes in use are written. The same trees always give the same bytes, because numbers are
//! assigned in the order of one walk.

use glam::DVec3;
use onion_format::{
    AgentRecord, FloorLinksRecord, GroupRecord, HULL_FILLED, HullRecord, HullSet, InfoRecord,
    LinkRecord, ModelRecord, OptionsRecord, PrismRecord,
};
use onion_geometry::{Bounds, PlaneSet};
use onion_maps::{Map, MapModel, Warning};
use onion_runtime::OnionMap;
use serde::Serialize;

use crate::audit::Proven;
use crate::brush::ModelBrushes;
use crate::error::CompileError;
use crate::fast::form::FastForm;
use crate::floors::Floors;
use crate::hull::HullSpec;
use crate::options::CompileOptions;
use crate::options::arguments;
use crate::provenance::Hits;
use crate::shape::{Shapes, above, below};
use brushes::BrushWriter;
use document::Document;
use entities::push_entities;
use fast::push_fast;
use floors::push_floors;
use trees::TreeWriter;
pub(crate) use trees::padded;

mod brushes;
mod document;
mod entities;
mod fast;
mod floors;
mod trees;

/// The bytes that optional chunks take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sizes {
    /// The floors, and planes that nothing before them uses.
    pub floors: usize,
    /// The classes of agents, and the links between floors.
    pub links: usize,
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
pub(crate) struct OnionFile {
    /// The whole file.
    pub(crate) bytes: Vec<u8>,
    pub(crate) warnings: Vec<Warning>,
    /// Nodes of all trees.
    pub(crate) n_nodes: usize,
    /// Leaves of all trees.
    pub(crate) n_leaves: usize,
    /// Planes of the file, each once.
    pub(crate) n_planes: usize,
    /// Nodes on the longest path from a root to a leaf.
    pub(crate) depth: u32,
    pub(crate) optional: Sizes,
}

/// The parts that a file may have besides its trees.
#[derive(Clone, Debug, Default)]
pub(crate) struct Extras {
    pub(crate) floors: Option<Floors>,
    pub(crate) fast: Option<FastForm>,
    pub(crate) hits: Option<Hits>,
    pub(crate) shapes: Option<Shapes>,
}

impl OnionFile {
    /// Returns the file with the chunks of links at its end, given the links in the order of the floors that they
    /// leave, with the numbers of these.
    ///
    /// # Errors
    /// More than 2^32 links, or a file that does not load, which is a bug.
    pub(crate) fn with_links(
        mut self,
        agents: &[AgentRecord],
        n_floors: usize,
        links: &[(u32, LinkRecord)],
    ) -> Result<Self, CompileError> {
        let first =
            |floor| trees::number(links.partition_point(|&(from, _)| (from as usize) < floor));
        let firsts = (0..n_floors).map(|floor| {
            Ok(FloorLinksRecord {
                first: first(floor)?,
            })
        });
        let firsts = firsts.collect::<Result<Vec<_>, CompileError>>()?;
        let links = Vec::from_iter(links.iter().map(|&(_, link)| link));
        let mut chunks = Document::default();
        self.optional.links = chunks.push(agents) + chunks.push(&firsts) + chunks.push(&links);
        self.bytes = chunks.appended_to(self.bytes);
        OnionMap::from_bytes(&self.bytes).map_err(CompileError::SelfCheck)?;
        Ok(self)
    }
}

impl Extras {
    pub(crate) fn new(
        floors: Option<Floors>,
        fast: Option<FastForm>,
        hits: Option<Hits>,
        shapes: Option<Shapes>,
    ) -> Self {
        Self {
            floors,
            fast,
            hits,
            shapes,
        }
    }
}

/// Writes everything and loads the written file.
///
/// # Errors
/// More nodes or planes than 30 bits can number, or a file that does not load, which is a bug.
pub(crate) fn serialize(
    map: &Map,
    options: &CompileOptions,
    models: &[ModelBrushes],
    proven: &Proven,
    extras: Extras,
    planes: &PlaneSet,
) -> Result<OnionFile, CompileError> {
    let mut writer = TreeWriter::new(planes);
    let roots = proven.trees.iter().map(|tree| writer.write(tree));
    let roots = roots.collect::<Result<Vec<_>, _>>()?;
    // Optional chunks are last in the file, but made first, because they may add planes.
    let (last, optional) = optional_chunks(map, options, models, extras, &mut writer)?;
    let mut document = Document::default();
    document.push(&[info_record(map, options, proven, writer.depth)]);
    document.push(&option_records(map, options));
    document.push(&hull_records(&options.hulls, proven.filled));
    document.push(&model_records(map, models));
    let groups = proven.groups().map(HullSet::bits);
    document.push(&Vec::from_iter(groups.map(|hulls| GroupRecord { hulls })));
    document.push(&roots);
    document.push(&writer.plane_records);
    document.push(&writer.nodes);
    let bytes = document.into_bytes(last);
    let file = OnionMap::from_bytes(&bytes).map_err(CompileError::SelfCheck)?;
    let portals = file.linked_portals().into_iter().flatten();
    let warnings = portals.filter_map(Result::err).map(|wrong| {
        let message = format!("a linked portal that leads nowhere: {}", wrong.what);
        Warning::new(format!("entity {}", wrong.entity), message)
    });
    Ok(OnionFile {
        warnings: warnings.collect(),
        bytes,
        n_nodes: writer.nodes.len(),
        // A tree has one more leaf than nodes.
        n_leaves: writer.nodes.len() + roots.len(),
        n_planes: writer.plane_records.len(),
        depth: writer.depth,
        optional,
    })
}

/// Returns the optional chunks of a file, and their sizes.
fn optional_chunks(
    map: &Map,
    options: &CompileOptions,
    models: &[ModelBrushes],
    extras: Extras,
    writer: &mut TreeWriter<'_>,
) -> Result<(Document, Sizes), CompileError> {
    let (mut chunks, mut sizes) = (Document::default(), Sizes::default());
    let prisms = prism_records(&options.hulls);
    if !prisms.is_empty() {
        chunks.push(&prisms);
    }
    if let Some(floors) = extras.floors {
        sizes.floors = push_floors(&mut chunks, &floors, writer)?;
    }
    if options.entities {
        sizes.entities = push_entities(&mut chunks, &map.entities)?;
    }
    if let Some(form) = extras.fast {
        sizes.fast = push_fast(&mut chunks, &form, writer)?;
    }
    if let Some(hits) = extras.hits {
        let from = BrushWriter {
            map,
            models,
            hits: &hits,
            all: options.brushes,
        };
        push_brushes(&mut chunks, &from, extras.shapes, writer, &mut sizes)?;
    }
    Ok((chunks, sizes))
}

/// Appends the records of brushes, and sets their sizes.
fn push_brushes(
    document: &mut Document,
    from: &BrushWriter<'_>,
    shapes: Option<Shapes>,
    writer: &mut TreeWriter<'_>,
    sizes: &mut Sizes,
) -> Result<(), CompileError> {
    let names = from.names()?;
    sizes.names = document.push(&names.surfaces)
        + document.push(&names.brushes)
        + document.push(&names.sides);
    let before = writer.n_plane_bytes();
    if let Some(nodes) = &from.hits.nodes {
        let (hits, choices) = names.hits(nodes, writer)?;
        let planes = writer.n_plane_bytes() - before;
        sizes.hits = planes + document.push(&hits) + document.push(&choices);
    }
    let before = writer.n_plane_bytes();
    if let Some(shapes) = shapes {
        let faces = from.faces(&names, writer)?;
        sizes.shapes = writer.n_plane_bytes() - before
            + document.push(&shapes.solids)
            + document.push(&faces)
            + document.push(&shapes.corners)
            + document.push(&shapes.edges)
            + document.push(&shapes.models)
            + document.push(&shapes.boxes);
    }
    Ok(())
}

fn info_record(map: &Map, options: &CompileOptions, proven: &Proven, depth: u32) -> InfoRecord {
    InfoRecord {
        leaf_hulls: proven.audit.leaf_hulls,
        depth,
        patch_error: options.patch_error,
        map_digest: map.digest,
    }
}

pub(crate) fn model_records(map: &Map, models: &[ModelBrushes]) -> Vec<ModelRecord> {
    let record = |(model, brushes): (&MapModel, &ModelBrushes)| {
        let vertices = brushes.iter().flat_map(|brush| brush.cell.vertices());
        let Bounds { mins, maxs } = Bounds::of(vertices.map(|vertex| vertex.position));
        let or_origin = |corner: DVec3| {
            if brushes.is_empty() {
                DVec3::ZERO
            } else {
                corner
            }
        };
        let [mins, maxs] = [mins, maxs].map(or_origin);
        ModelRecord {
            entity: model.entity.unwrap_or(u32::MAX),
            mins: mins.to_array().map(below),
            maxs: maxs.to_array().map(above),
            origin: model.origin,
        }
    };
    map.models.iter().zip(models).map(record).collect()
}

/// Returns the compiler and the options as text, byte by byte.
fn option_records(map: &Map, options: &CompileOptions) -> Vec<OptionsRecord> {
    let text = arguments::to_text(options, &map.reading);
    text.bytes().map(|byte| OptionsRecord { byte }).collect()
}

fn hull_records(hulls: &[HullSpec], filled: HullSet) -> Vec<HullRecord> {
    let record = |(number, hull): (usize, &HullSpec)| HullRecord {
        name: trees::padded(hull.name.as_bytes()),
        mins: hull.mins,
        maxs: hull.maxs,
        contents: hull.contents,
        flags: u32::from(filled.contains(number)) * HULL_FILLED,
    };
    hulls.iter().enumerate().map(record).collect()
}

/// Returns the sides of the hulls that are prisms.
fn prism_records(hulls: &[HullSpec]) -> Vec<PrismRecord> {
    let all = (0..).zip(hulls);
    let records = all.flat_map(|(hull, spec)| {
        let sides = spec.sides.iter();
        sides.map(move |&half| PrismRecord { hull, half })
    });
    records.collect()
}
