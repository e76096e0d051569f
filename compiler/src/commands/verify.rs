//! `onionc verify FILE MAP` proves every leaf of a compiled map against the brushes of its map. It needs no options,
//! because the file records them.

use std::path::PathBuf;

use onion_compiler::verify::{read_options, verify};
use onionc::error::CommandError;

use crate::commands::input::reading::parse_map;
use crate::commands::input::sources;
use crate::commands::output::{files, message};

#[derive(clap::Args)]
#[command(after_help = "Example: onionc verify level.onion level.bsp")]
pub struct Args {
    /// The compiled map; - is standard input.
    file: PathBuf,
    /// The map it was compiled from; - is standard input.
    map: PathBuf,
}

/// Proves a compiled file against its map, which is read as the file records.
pub fn run(args: &Args) -> Result<(), CommandError> {
    let file = sources::read_before(Some(&args.map), &args.file, "verify")?;
    let compiled = super::load(&args.file, &file)?;
    let fail = |error| CommandError::Verify(args.file.clone(), error);
    let map = parse_map(&args.map, read_options(&compiled).map_err(fail)?)?;
    let audit = verify(&file, &map).map_err(fail)?;
    if compiled.inspect().info().map_digest != map.digest {
        let (map, file) = (args.map.display(), args.file.display());
        message::warning(format!(
            "{map}: its bytes differ from the map that {file} was compiled from, though its brushes do not"
        ));
    }
    let proven = audit.leaf_hulls;
    files::print(|out| writeln!(out, "verified: {proven} pairs of leaf and hull proven"))
}
