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
    /// The classes of entities that the file was filled from, if it was compiled with this option.
    #[arg(long, value_name = "CLASSNAME")]
    fill_from: Vec<String>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), CommandError> {
    let file = super::read(&args.file)?;
    let bytes = super::read(&args.map)?;
    super::load(&args.file, &file)?;
    let map = map::parse(&bytes).map_err(|error| super::bad_input(&args.map, error.to_string()))?;
    let fill = super::fill_from(&args.fill_from);
    let audit = verify(&file, &map, &fill).map_err(|source| CommandError::Verify {
        path: args.file.clone(),
        source,
    })?;
    super::print(|out| {
        writeln!(
            out,
            "{} leaf-hulls proven, {} impure",
            audit.leaf_hulls, audit.impure
        )
    })
}
