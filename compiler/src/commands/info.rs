//! `onionc info`: tells what is in a compiled map, as text or JSON.

use std::path::PathBuf;

use onion_runtime::{Hull, OnionMap};
use onionc::arguments;
use onionc::contents;
use onionc::error::CommandError;
use onionc::group;
use onionc::hull::HullSpec;
use serde::Serialize;

/// Options of the command.
#[derive(clap::Args)]
pub struct Args {
    /// The compiled map.
    file: PathBuf,
    /// Print JSON.
    #[arg(long)]
    json: bool,
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
    hulls: Vec<HullInfo<'a>>,
    /// The hulls that share trees, as `--group` takes them.
    groups: String,
    models: Vec<ModelInfo>,
    /// Surfaces that sides have; none if the file cannot tell what was hit.
    surfaces: Option<usize>,
    /// Brushes and pieces of patches; none if they cannot be traced.
    brushes: Option<usize>,
    audit: AuditInfo,
}

#[derive(Serialize)]
struct HullInfo<'a> {
    name: &'a str,
    mins: [f32; 3],
    maxs: [f32; 3],
    contents: u32,
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
    let bytes = super::read(&args.file)?;
    let info = info(&super::load(&args.file, &bytes)?);
    super::print(|out| {
        if args.json {
            serde_json::to_writer_pretty(&mut *out, &info)?;
            return writeln!(out);
        }
        writeln!(out, "format version {}, {} bytes", info.version, info.bytes)?;
        writeln!(
            out,
            "compiled by {} from a map with BLAKE3 {}",
            info.compiler, info.map_digest
        )?;
        writeln!(out, "options: {}", info.options.join(" "))?;
        writeln!(
            out,
            "{} nodes, {} leaves, {} planes, depth {}, {} models",
            info.nodes,
            info.leaves,
            info.planes,
            info.depth,
            info.models.len()
        )?;
        for HullInfo {
            name,
            mins,
            maxs,
            contents_names,
            filled,
            ..
        } in &info.hulls
        {
            writeln!(
                out,
                "hull {name}: mins {mins:?}, maxs {maxs:?}, blocked by {contents_names}{}",
                if *filled { ", filled" } else { "" }
            )?;
        }
        writeln!(out, "groups of hulls: {}", info.groups)?;
        if let Some(surfaces) = info.surfaces {
            writeln!(out, "tells what was hit: {surfaces} surfaces")?;
        }
        if let Some(brushes) = info.brushes {
            writeln!(out, "has the brushes for any shape: {brushes}")?;
        }
        let AuditInfo { leaf_hulls } = info.audit;
        writeln!(out, "audit: {leaf_hulls} leaf-hulls proven")
    })
}

fn info<'a>(map: &OnionMap<'a>) -> Info<'a> {
    let hull_info = |hull: Hull<'a>| HullInfo {
        name: hull.name,
        mins: hull.mins,
        maxs: hull.maxs,
        contents: hull.contents,
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
            entity: model.entity(),
        }
    });
    let hulls: Vec<HullSpec> = map.hulls().map(HullSpec::from).collect();
    let groups = (0..map.n_groups()).map(|group| map.hulls_of_group(group));
    let groups: Vec<u64> = groups.collect();
    Info {
        version: map.version(),
        compiler: map.compiler(),
        map_digest: hex(&map.info().map_digest),
        options: hulls
            .iter()
            .map(arguments::hull_argument)
            .chain(map.options().map(str::to_owned))
            .collect(),
        bytes: map.n_bytes(),
        nodes: map.n_nodes(),
        leaves: map.n_leaves(),
        planes: map.n_planes(),
        depth: map.info().depth,
        hulls: map.hulls().map(hull_info).collect(),
        groups: group::names(&groups, &hulls),
        models: model_infos.collect(),
        surfaces: map.has_surfaces().then(|| map.surfaces().count()),
        brushes: map.has_brushes().then(|| map.brushes().count()),
        audit: AuditInfo {
            leaf_hulls: map.info().leaf_hulls,
        },
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
