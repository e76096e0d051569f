//! `onionc export` writes the skins of hulls, the walls or the costliest of them for other programs: a glTF scene,
//! Wavefront text, or portals that map editors draw.

use std::path::PathBuf;

use onionc::error::CommandError;
use onionc::export::{self, Format, Part};
use onionc::text::counted;

use super::{drawing, files};

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
    /// Where to write: a glTF scene (.glb), Wavefront text (.obj), or portals for map editors (.prt).
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// What to write: skins, walls, costliest (the 50 brushes with the most nodes), or several, as skins,walls.
    #[arg(long, value_name = "PARTS", value_delimiter = ',', default_value = "skins", value_parser = part)]
    parts: Vec<Part>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), CommandError> {
    let extension = args.output.extension().unwrap_or_default();
    let format = Format::of_extension(&extension.to_string_lossy()).ok_or_else(|| {
        let output = args.output.display();
        CommandError::Usage(format!("-o {output}: end the name with .glb, .obj or .prt"))
    })?;
    let map = super::load(&args.file, super::read_compiled(&args.file)?)?;
    let walls = drawing::walls(&map, &args.file, args.map.as_deref())?;
    if walls.is_empty() && args.parts.iter().any(|&part| part != Part::Skins) {
        let message = "no walls are known; name the map too, or compile it with --brushes";
        return Err(CommandError::Usage(message.to_owned()));
    }
    let objects = export::objects(&map, &walls, &args.parts);
    files::check_target(&args.file, &args.output)?;
    files::write(&args.output, &export::write(&objects, format))?;
    let n_polygons = objects.iter().map(|object| object.polygons.len()).sum();
    let objects = counted(objects.len(), "object", "objects");
    let polygons = counted(n_polygons, "polygon", "polygons");
    let output = args.output.display();
    files::print(|out| writeln!(out, "wrote {output}: {objects}, {polygons}"))
}

fn part(text: &str) -> Result<Part, String> {
    text.parse()
}
