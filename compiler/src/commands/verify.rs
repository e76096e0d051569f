//! `onionc verify FILE MAP`: proves every leaf of a compiled file against the map's brushes.

use std::path::PathBuf;

use onionc::error::CommandError;
use onionc::map;
use onionc::verify::verify;

/// Options of the command.
#[derive(clap::Args)]
pub struct Args {
    /// The compiled map.
    file: PathBuf,
    /// The map it was compiled from.
    map: PathBuf,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), CommandError> {
    let file = super::read(&args.file)?;
    let bytes = super::read(&args.map)?;
    let compiled = super::load(&args.file, &file)?;
    let map = map::parse(&bytes).map_err(|error| super::bad_input(&args.map, error.to_string()))?;
    let audit = verify(&file, &map).map_err(|source| CommandError::Verify {
        path: args.file.clone(),
        source,
    })?;
    if compiled.info().map_digest != map.digest {
        eprintln!(
            "onionc: warning: {}: not byte for byte the map that {} was compiled from",
            args.map.display(),
            args.file.display()
        );
    }
    super::print(|out| {
        writeln!(
            out,
            "{} leaf-hulls proven, {} impure",
            audit.leaf_hulls, audit.impure
        )
    })
}
