//! The `onionc` command: dispatches to one module for each subcommand, prints errors in one place
//! and turns them into exit codes.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use onionc::error::CommandError;

mod commands;

/// Compiles are made of many small vectors.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Compiles a map into one BSP tree over the expanded brushes of several hulls, in which moving a
/// hull's box is moving a point.
#[derive(Parser)]
#[command(
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Exit codes: 0 done, 2 command line not understood, 3 a file cannot be read, 4 a \
                  file is damaged or not what it should be, 5 a file cannot be written, 6 the \
                  compile or the verification failed, or the result is larger than --max-nodes or \
                  --max-bytes."
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    compile: Option<commands::compile::Args>,
}

#[derive(Subcommand)]
enum Command {
    /// Traces a hull through a compiled map; prints CSV.
    Trace(commands::trace::Args),
    /// Tells for every hull whether points are solid; prints CSV, one column of 0 or 1 for each
    /// hull.
    Point(commands::point::Args),
    /// Proves every leaf of a compiled map against the brushes of the map it was compiled from.
    Verify(commands::verify::Args),
    /// Tells what is in a compiled map.
    Info(commands::info::Args),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let result = match (cli.command, cli.compile) {
        (Some(Command::Trace(args)), _) => commands::trace::run(&args),
        (Some(Command::Point(args)), _) => commands::point::run(&args),
        (Some(Command::Verify(args)), _) => commands::verify::run(&args),
        (Some(Command::Info(args)), _) => commands::info::run(&args),
        (None, Some(args)) => commands::compile::run(&args),
        (None, None) => Err(CommandError::Usage(
            "name a map to compile, for example: onionc map.bsp --hull stand:16x56".to_owned(),
        )),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("onionc: error: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}
