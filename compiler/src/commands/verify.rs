//! `onionc verify FILE MAP` proves every leaf of a compiled map against the brushes of its map. It needs no
//! options, because the file records them.

use std::path::PathBuf;

use onionc::error::CommandError;
use onionc::verify::verify;

use super::files;

/// Options of the command.
#[derive(clap::Args)]
pub struct Args {
    /// The compiled map; - is standard input.
    file: PathBuf,
    /// The map it was compiled from; - is standard input.
    map: PathBuf,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), CommandError> {
    files::check_inputs([&args.file, &args.map])?;
    let file = files::read(&args.file)?;
    let compiled = super::load(&args.file, &file)?;
    let map = super::parse_map(&args.map)?;
    let audit = verify(&file, &map).map_err(|source| CommandError::Verify {
        path: args.file.clone(),
        source,
    })?;
    if compiled.inspect().info().map_digest != map.digest {
        eprintln!(
            "onionc: warning: {}: its bytes differ from the map that {} was compiled from, though its \
             brushes do not",
            args.map.display(),
            args.file.display()
        );
    }
    files::print(|out| {
        writeln!(
            out,
            "verified: {} pairs of leaf and hull proven",
            audit.leaf_hulls
        )
    })
}
