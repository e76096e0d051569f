//! `onionc compile`, or `onionc MAP` for short: finds the maps and where each goes, and makes them all; or prints
//! the options that it would use.

use onionc::error::CommandError;

use super::compile_options::Args;
use super::targets::Wanted;
use super::{batch, project};

/// Runs the command.
pub fn run(args: &Args) -> Result<(), CommandError> {
    let options = args.options()?;
    if args.print_config {
        return project::print(&options, &args.reading.options());
    }
    let wanted = Wanted {
        maps: &args.maps,
        all: args.all,
        output: args.output.as_deref(),
        dump: args.dump,
    };
    batch::run(args, &options, &wanted.targets()?)
}
