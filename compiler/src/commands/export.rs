//! `onionc export` writes the skins of hulls, unions and leaves, the walls or the costliest of them, and the path of a
//! leak for other programs: a glTF scene, Wavefront text, or portals and brushes for map editors.

use std::path::{Path, PathBuf};

use onion_maps::wording::counted;
use onion_runtime::OnionMap;
use onion_views::export::{self, ExportFormat, ExportPart, Object};
use onionc::error::CommandError;

use super::drawing::{self, Source};
use super::kinds::Kind;
use super::outputs::Output;
use super::{files, sources};

/// Options of the command.
#[derive(clap::Args)]
#[command(
    after_help = "Example: onionc export level.onion level.bsp --parts skins,walls -o level.glb"
)]
pub struct Args {
    /// The compiled map; - is standard input.
    file: PathBuf,
    /// The map it was compiled from, for its walls; not needed if it was compiled with --brushes.
    map: Option<PathBuf>,
    /// Where to write: a glTF scene (.glb), Wavefront text (.obj), portals for map editors (.prt), or brushes (.map).
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// What to write: skins, union (expanded brushes united, before filling; needs the map), leaves (the cells of the
    /// tree), walls, costliest (the 50 brushes with the most nodes), leak (the path in the .pts file beside the
    /// compiled map), or several, such as skins,walls.
    #[arg(long, value_name = "PARTS", value_delimiter = ',', default_value = "skins", value_parser = part)]
    parts: Vec<ExportPart>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), CommandError> {
    let extension = args.output.extension().unwrap_or_default();
    let format = ExportFormat::of_extension(&extension.to_string_lossy()).ok_or_else(|| {
        let output = args.output.display();
        CommandError::Usage(format!(
            "-o {output}: end the name with .glb, .obj, .prt or .map"
        ))
    })?;
    let bytes = sources::read_before(args.map.as_ref(), &args.file, "export")?;
    let map = super::load(&args.file, bytes)?;
    let source = drawing::source(&map, &args.file, args.map.as_ref())?;
    let output = Output {
        option: "-o",
        path: &args.output,
        kind: Kind::Export(format),
    };
    output.check()?;
    let walls = drawing::walls(&map, source.as_ref())?;
    let needs_walls = |part: &ExportPart| matches!(part, ExportPart::Walls | ExportPart::Costliest);
    if walls.is_empty() && args.parts.iter().any(needs_walls) {
        let message = "no walls are known; name the map too, or compile it with --brushes";
        return Err(CommandError::Usage(message.to_owned()));
    }
    let is_surface = |part: &ExportPart| matches!(part, ExportPart::Skins | ExportPart::Union);
    if format == ExportFormat::Map && args.parts.iter().any(is_surface) {
        let message =
            "skins and unions are surfaces, not brushes; write .prt to see them in a map editor";
        return Err(CommandError::Usage(message.to_owned()));
    }
    let mut objects = export::objects(&map, &walls, &args.parts);
    if args.parts.contains(&ExportPart::Union) {
        objects.extend(union(&map, source.as_ref())?);
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

/// Returns the unions of the map that is named.
fn union<D: AsRef<[u8]>>(
    file: &OnionMap<D>,
    source: Option<&Source<'_>>,
) -> Result<Vec<Object>, CommandError> {
    let Some(Source { path, map }) = source else {
        let message = "--parts union needs the map too, as it is before filling";
        return Err(CommandError::Usage(message.to_owned()));
    };
    export::union(file, map).map_err(|source| CommandError::Compile {
        path: path.to_path_buf(),
        source,
    })
}

/// Reads the path of a leak beside a compiled map.
fn leak(file: &Path) -> Result<Object, CommandError> {
    let points = drawing::leak(file);
    if points.len() < 2 {
        let path = file.with_extension("pts");
        return Err(CommandError::Usage(format!(
            "--parts leak: {} holds no path; a compile writes it if the map leaks",
            path.display()
        )));
    }
    Ok(export::leak(&points))
}

fn part(text: &str) -> Result<ExportPart, String> {
    text.parse()
}
