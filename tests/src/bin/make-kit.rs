//! Writes the conformance kit: `make-kit FOLDER [--onionc PATH]`.
//!
//! In: the command `onionc`, whose answers become the kit's. Out: a folder of compiled maps, queries, answers and
//! damaged files with a readme, the same on every machine; it tests readers in any language.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use onion_tests::{command, kit};

/// Writes files, queries and answers that readers of compiled maps are tested with.
#[derive(Parser)]
struct Args {
    /// The folder to write to.
    folder: PathBuf,
    /// The command that answers.
    #[arg(long, default_value = "onionc")]
    onionc: PathBuf,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let onionc = args.onionc.canonicalize().unwrap_or(args.onionc);
    let written = kit::write(&args.folder, &onionc);
    let written = written.map_err(|error| format!("{}: {error}", args.folder.display()));
    command::ended("make-kit", written)
}
