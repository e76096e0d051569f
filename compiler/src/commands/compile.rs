//! `onionc compile`, or `onionc MAP` for short: finds the maps and their targets and compiles them all, or prints the
//! options that it would use.

use std::path::PathBuf;

use onionc::error::CommandError;

use super::compile_options::Args;
use super::run_report::{self, RunReport};
use super::tally::Tally;
use super::{batch, message, project, watch};

/// Runs the command. The report of the run is written whatever goes wrong.
pub fn run(args: &Args) -> Result<(), CommandError> {
    let several_as_json = args.json.as_ref().filter(|_| args.wanted().is_several());
    let reports = args.report.iter().chain(several_as_json);
    let reports: Vec<PathBuf> = reports.cloned().collect();
    watch_memory(args, reports.clone());
    if args.watch {
        return watch::run(args);
    }
    for path in &reports {
        run_report::check(path)?;
    }
    let tally = make(args);
    let (error, report) = match tally {
        Ok(tally) => tally.finish(),
        Err(error) => {
            let report = RunReport::of_failure(&error);
            (Some(error), report)
        }
    };
    let unwritten = reports.iter().find_map(|path| report.write(path).err());
    if let (Some(error), Some(_)) = (&error, &unwritten) {
        message::error(error);
    }
    unwritten.or(error).map_or(Ok(()), Err)
}

/// Sees to it that the run ends if it takes too much memory, with its reports written.
fn watch_memory(args: &Args, reports: Vec<PathBuf>) {
    args.max_memory.watch(move |why, exit_code| {
        let report = RunReport::of_end(why, exit_code);
        for path in reports {
            if let Err(error) = report.write(&path) {
                message::warning(error);
            }
        }
    });
}

/// Makes all targets, or prints the options.
fn make(args: &Args) -> Result<Tally, CommandError> {
    let options = args.options()?;
    if args.print_config {
        project::print(args, &options)?;
        return Ok(Tally::default());
    }
    batch::run(args, &options, &args.wanted().targets()?)
}
