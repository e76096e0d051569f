//! `onionc info` describes a compiled map, as text or JSON: its hulls and groups, its sizes, and the options of its
//! compile.

use std::io::{self, Write};
use std::path::PathBuf;

use onion_compiler::arguments;
use onion_compiler::group::grouping;
use onion_compiler::hull::HullSpec;
use onion_maps::contents;
use onion_maps::wording::counted;
use onion_runtime::{Hull, OnionMap};
use onionc::error::CommandError;
use serde::Serialize;

use super::files;
use super::outputs::Output;

/// Options of the command.
#[derive(clap::Args)]
#[command(after_help = "Example: onionc info level.onion --json")]
pub struct Args {
    /// The compiled map; - is standard input.
    file: PathBuf,
    /// Print JSON instead of text; --json=FILE writes it there and prints the text too.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true,
          default_missing_value = "-")]
    json: Option<PathBuf>,
}

#[derive(Serialize)]
struct Info<'a> {
    version: u32,
    /// Name and version of the compiler that wrote the file.
    compiler: &'a str,
    /// BLAKE3 hash of the map file, in hexadecimal digits.
    map_digest: String,
    /// The options of the compile, as command-line arguments.
    options: Vec<String>,
    bytes: usize,
    nodes: usize,
    leaves: usize,
    planes: usize,
    depth: u32,
    hulls: Vec<HullInfo>,
    /// The hulls that share trees, as `--group` takes them.
    groups: String,
    models: Vec<ModelInfo>,
    /// Entities; null with `--no-entities`.
    entities: Option<usize>,
    /// Blocks of the fast form; null without one.
    blocks: Option<usize>,
    /// Rooms of the fast form; null without one.
    rooms: Option<usize>,
    /// Surfaces of brush sides and patches; null without hit data.
    surfaces: Option<usize>,
    /// Brushes and pieces of patches; null without `--brushes`.
    brushes: Option<usize>,
    audit: AuditInfo,
}

#[derive(Serialize)]
struct HullInfo {
    #[serde(flatten)]
    spec: HullSpec,
    contents_names: String,
    filled: bool,
}

#[derive(Serialize)]
struct ModelInfo {
    origin: [f32; 3],
    mins: [f32; 3],
    maxs: [f32; 3],
    entity: Option<u32>,
}

#[derive(Serialize)]
struct AuditInfo {
    leaf_hulls: u64,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), CommandError> {
    let map = super::load(&args.file, super::read_compiled(&args.file)?)?;
    let info = info(&map);
    if let Some(json) = &args.json {
        Output::json(json, "version").write_json(&info)?;
        if files::is_stdio(json) {
            return Ok(());
        }
    }
    files::print(|out| write_text(out, &info))
}

fn write_text(out: &mut dyn Write, info: &Info<'_>) -> io::Result<()> {
    writeln!(out, "compiled by {}", info.compiler)?;
    writeln!(out, "options: {}", info.options.join(" "))?;
    writeln!(out, "map: BLAKE3 {}", info.map_digest)?;
    for hull in &info.hulls {
        let filled = if hull.filled { "filled" } else { "not filled" };
        writeln!(out, "hull {}; {filled}", hull.spec)?;
    }
    writeln!(out, "groups: {}", info.groups)?;
    writeln!(
        out,
        "tree: {} nodes, {} leaves, {} planes, depth {}, {}",
        info.nodes,
        info.leaves,
        info.planes,
        info.depth,
        counted(info.models.len(), "model", "models")
    )?;
    match info.entities {
        Some(entities) => writeln!(out, "entities: {entities}")?,
        None => writeln!(out, "entities: none (--no-entities)")?,
    }
    match info.blocks.zip(info.rooms) {
        Some((blocks, rooms)) => writeln!(out, "fast form: {blocks} blocks, {rooms} rooms")?,
        None => writeln!(out, "fast form: none (--no-fast)")?,
    }
    match info.surfaces {
        Some(surfaces) => writeln!(out, "hit data: {surfaces} surfaces")?,
        None => writeln!(out, "hit data: none (--no-surfaces)")?,
    }
    match info.brushes {
        Some(brushes) => writeln!(out, "brushes for any shape: {brushes}")?,
        None => writeln!(out, "brushes for any shape: none (compile with --brushes)")?,
    }
    writeln!(
        out,
        "audit: {} pairs of leaf and hull proven",
        info.audit.leaf_hulls
    )?;
    writeln!(
        out,
        "file: {} bytes, format version {}",
        info.bytes, info.version
    )
}

fn info(map: &OnionMap<Vec<u8>>) -> Info<'_> {
    let hull_info = |hull: Hull<'_>| HullInfo {
        spec: HullSpec::from(hull),
        contents_names: contents::to_names(hull.contents),
        filled: hull.filled,
    };
    let models = (0..map.n_models()).filter_map(|index| map.model(index));
    let model_infos = models.map(|model| {
        let (mins, maxs) = model.bounds();
        ModelInfo {
            origin: model.origin(),
            mins,
            maxs,
            entity: model.entity_number(),
        }
    });
    let hulls: Vec<HullSpec> = map.hulls().map(HullSpec::from).collect();
    let file = map.inspect();
    let groups = (0..file.n_groups()).map(|group| file.hulls_of_group(group));
    let groups: Vec<_> = groups.collect();
    Info {
        version: file.version(),
        compiler: file.compiler(),
        map_digest: hex(&file.info().map_digest),
        options: hulls
            .iter()
            .map(arguments::hull_argument)
            .chain(file.options().map(str::to_owned))
            .collect(),
        bytes: file.n_bytes(),
        nodes: file.n_nodes(),
        leaves: file.n_leaves(),
        planes: file.n_planes(),
        depth: file.info().depth,
        hulls: map.hulls().map(hull_info).collect(),
        groups: grouping::names(&groups, &hulls),
        models: model_infos.collect(),
        entities: map.entities().ok().map(|entities| entities.len()),
        blocks: file.has_fast_form().then(|| file.blocks().len()),
        rooms: file.has_fast_form().then(|| file.rooms().len()),
        surfaces: map.has_hit_data().then(|| file.surfaces().count()),
        brushes: map.has_brush_shapes().then(|| file.brushes().count()),
        audit: AuditInfo {
            leaf_hulls: file.info().leaf_hulls,
        },
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
