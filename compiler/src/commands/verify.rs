//! `onionc verify FILE MAP` proves every leaf of a compiled map against the brushes of its map. It needs no options,
//! because the file records them.

use std::path::PathBuf;

use onion_compiler::verify::{read_options, verify};
use onionc::error::CommandError;

use super::reading::parse_map;
use super::{files, message, sources};

/// Options of the command.
#[derive(clap::Args)]
#[command(after_help = "Example: onionc verify level.onion level.bsp")]
pub struct Args {
    /// The compiled map; - is standard input.
    file: PathBuf,
    /// The map it was compiled from; - is standard input.
    map: PathBuf,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), CommandError> {
    let file = sources::read_before(Some(&args.map), &args.file, "verify")?;
    let compiled = super::load(&args.file, &file)?;
    let fail = |source| CommandError::Verify {
        path: args.file.clone(),
        source,
    };
    let map = parse_map(&args.map, read_options(&compiled).map_err(fail)?)?;
    let audit = verify(&file, &map).map_err(fail)?;
    if compiled.inspect().info().map_digest != map.digest {
        message::warning(format!(
            "{}: its bytes differ from the map that {} was compiled from, though its \
             brushes do not",
            args.map.display(),
            args.file.display()
        ));
    }
    files::print(|out| {
        writeln!(
            out,
            "verified: {} pairs of leaf and hull proven",
            audit.leaf_hulls
        )
    })
}
