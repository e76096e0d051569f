//! `onionc export` writes the skins, floors and portals of hulls, unions and leaves, the walls or the costliest of
//! them, and the path of a leak for other programs: a glTF scene, Wavefront text, or portals and brushes for map
//! editors. It also writes the floors and links of a class of agents as a navigation mesh of Detour or Godot.

use std::path::{Path, PathBuf};

use onion_maps::wording::counted;
use onion_runtime::{HullId, OnionMap};
use onion_views::export::{self, DetourError, ExportFormat, ExportPart, Object, Risers};
use onion_views::proof::{Conditions, ProofError};
use onionc::error::{CommandError, usage};

use super::drawing::{self, Source};
use crate::commands::input::sources;
use crate::commands::output::files;
use crate::commands::output::kinds::Kind;
use crate::commands::output::outputs::Output;

#[derive(clap::Args)]
#[command(
    after_help = "Examples: onionc export level.onion level.bsp --parts skins,walls -o level.glb\n          onionc export level.onion -o level.tscn"
)]
pub struct Args {
    /// The compiled map; - is standard input.
    file: PathBuf,
    /// The map it was compiled from, for its walls; not needed if it was compiled with --brushes.
    map: Option<PathBuf>,
    /// Where to write: a glTF scene (.glb), Wavefront text (.obj), portals for map editors (.prt), brushes (.map), or a
    /// navigation mesh of Detour (.bin) or Godot (.tscn), of the floors and links of a class of agents.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// What to write: skins, floors (if it was compiled with --floors), portals (between the leaves of the world where
    /// a hull is free), union (expanded brushes united, before filling; needs the map), leaves (the cells of the tree),
    /// walls, costliest (the 50 brushes with the most nodes), leak (the path in the .pts file beside the compiled map),
    /// or several, such as skins,walls.
    #[arg(
        long,
        value_name = "PARTS",
        value_delimiter = ',',
        default_value = "skins"
    )]
    parts: Vec<ExportPart>,
    /// Write the skins, floors and portals of one hull only.
    #[arg(long, value_name = "NAME")]
    hull: Option<String>,
    /// The class of agents of a navigation mesh; needed if several have floors.
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
}

// Many branches: each part that may be exported is a case of its own.
pub fn run(args: &Args) -> Result<(), CommandError> {
    let extension = args.output.extension().unwrap_or_default();
    let is_own = |kind: &Kind| extension.eq_ignore_ascii_case(kind.endings()[0]);
    if let Some(kind) = [Kind::Detour, Kind::Godot].into_iter().find(is_own) {
        return write_nav_mesh(args, kind);
    }
    let format = ExportFormat::of_extension(&extension.to_string_lossy()).ok_or_else(|| {
        let output = args.output.display();
        usage(format!(
            "-o {output}: end the name with .glb, .obj, .prt, .map, .bin or .tscn"
        ))
    })?;
    let bytes = sources::read_before(args.map.as_ref(), &args.file, "export")?;
    let map = super::load(&args.file, bytes)?;
    let hull = hull(args, &map)?;
    let source = drawing::source(&map, &args.file, args.map.as_ref())?;
    let output = Output::new("-o", &args.output, Kind::Export(format));
    output.check()?;
    let walls = drawing::walls(&map, source.as_ref())?;
    let needs_walls = |part: &ExportPart| matches!(part, ExportPart::Walls | ExportPart::Costliest);
    if walls.is_empty() && args.parts.iter().any(needs_walls) {
        return Err(usage(
            "no walls are known; name the map too, or compile it with --brushes",
        ));
    }
    if args.parts.contains(&ExportPart::Floors) && !map.has_floors() {
        return Err(usage("the file has no floors; compile it with --floors"));
    }
    let is_surface = |part: &ExportPart| {
        matches!(
            part,
            ExportPart::Skins | ExportPart::Floors | ExportPart::Portals | ExportPart::Union
        )
    };
    if format == ExportFormat::Map && args.parts.iter().any(is_surface) {
        let advice = "write .prt to see them in a map editor";
        return Err(usage(format!(
            "skins, floors, portals and unions are surfaces, not brushes; {advice}"
        )));
    }
    let mut objects = export::objects(&map, &walls, &args.parts, hull);
    if args.parts.contains(&ExportPart::Union) {
        let message = "--parts union needs the map too, as it is before filling";
        let Source { path, map: source } = source.as_ref().ok_or_else(|| usage(message))?;
        let union = export::union(&map, source);
        objects.extend(union.map_err(|error| CommandError::Compile(path.to_path_buf(), error))?);
    }
    if args.parts.contains(&ExportPart::Leak) {
        objects.push(leak(&args.file)?);
    }
    output.write(&export::write(&objects, format))?;
    let n_polygons = objects.iter().map(|object| object.polygons.len()).sum();
    let objects = counted(objects.len(), "object", "objects");
    let polygons = counted(n_polygons, "polygon", "polygons");
    let output = args.output.display();
    files::print(|out| writeln!(out, "wrote {output}: {objects}, {polygons}"))
}

/// Returns the hull whose skins, floors and portals are written; `None` for all.
fn hull(args: &Args, map: &OnionMap<Vec<u8>>) -> Result<Option<HullId>, CommandError> {
    if args.agent.is_some() {
        let advice = "for others, use --hull";
        return Err(usage(format!(
            "--agent is for navigation meshes (-o NAME.bin or NAME.tscn); {advice}"
        )));
    }
    let hull = args.hull.as_ref().map(|name| drawing::hull(map, name));
    hull.transpose()
}

/// Writes the floors and links of a class of agents as a navigation mesh.
fn write_nav_mesh(args: &Args, kind: Kind) -> Result<(), CommandError> {
    if args.hull.is_some() || args.parts != [ExportPart::Skins] {
        let advice = "leave out --parts and --hull";
        return Err(usage(format!(
            "a navigation mesh has the floors of all stances: {advice}"
        )));
    }
    let map = super::open(&args.file)?;
    if !map.has_links() {
        return Err(usage(
            "the file has no floors and links; compile it with --floors",
        ));
    }
    let conditions = Conditions {
        agents: args.agent.iter().cloned().collect(),
        ..Conditions::default()
    };
    let refuse = |error: ProofError| usage(error.to_string());
    let classes = conditions.agents_of(&map).map_err(refuse)?;
    let [class] = classes[..] else {
        let names = classes.iter().filter_map(|class| map.agent_name(class));
        let names = names.collect::<Vec<_>>().join(", ");
        return Err(usage(format!(
            "a navigation mesh is for one class of agents; add --agent: {names}"
        )));
    };
    let output = Output::new("-o", &args.output, kind);
    output.check()?;
    let (n_polygons, n_links) = if kind == Kind::Detour {
        let mesh = export::detour(&map, &class).map_err(|error| usage(error.to_string()))?;
        output.write(&mesh.bytes)?;
        (mesh.n_polygons, mesh.n_connections)
    } else {
        let mesh = export::nav_mesh(&map, &class, Risers::Upright);
        let scene = export::godot(&mesh).ok_or_else(|| usage(DetourError::NoFloors.to_string()))?;
        output.write(scene.as_bytes())?;
        (mesh.polygons.len(), mesh.links.len())
    };
    let polygons = counted(n_polygons, "polygon", "polygons");
    let links = counted(n_links, "off-mesh connection", "off-mesh connections");
    let output = args.output.display();
    files::print(|out| writeln!(out, "wrote {output}: {polygons}, {links}"))
}

/// Reads the path of a leak beside a compiled map.
fn leak(file: &Path) -> Result<Object, CommandError> {
    let points = drawing::leak(file);
    if points.len() < 2 {
        let (path, advice) = (
            file.with_extension("pts"),
            "a compile writes it if the map leaks",
        );
        let path = path.display();
        return Err(usage(format!(
            "--parts leak: {path} holds no path; {advice}"
        )));
    }
    Ok(export::leak(&points))
}
