//! `onionc compile`, or `onionc MAP` for short: finds the maps and their targets and compiles them all, or prints the
//! options that it would use.

use std::path::PathBuf;

use onionc::error::CommandError;

use crate::commands::compiling::compile_options::Args;
use crate::commands::compiling::run_report::{self, Failure, ReportPath, RunReport};
use crate::commands::compiling::tally::Tally;
use crate::commands::compiling::{batch, plan, watch};
use crate::commands::input::project;
use crate::commands::output::{files, message};

/// Runs the command. The report of the run is written even if the run fails.
pub fn run(args: &Args) -> Result<(), CommandError> {
    let several_as_json = args.json.as_ref().filter(|_| args.is_several());
    let reports = [
        ("--report", args.report.as_ref()),
        ("--json", several_as_json),
    ]
    .into_iter();
    let reports = reports.filter_map(|(option, path)| Some((option, path?.clone())));
    let reports: Vec<ReportPath> = reports.collect();
    watch_memory(args, reports.clone());
    if args.watch {
        return watch::run(args);
    }
    for (option, path) in &reports {
        run_report::output(option, path).check()?;
    }
    let (report, error) = match make(args) {
        Ok(tally) => tally.finish(),
        Err(error) => (RunReport::of_failure((&error).into()), Some(error)),
    };
    // A report with the same path as a target was rejected, so it must not be written.
    let is_apart = |(_, path): &&ReportPath| files::is_stdio(path) || !report.has_target(path);
    let mut apart = reports.iter().filter(is_apart);
    let unwritten = apart.find_map(|(option, path)| report.write(option, path).err());
    if let (Some(error), Some(_)) = (&error, &unwritten) {
        message::error(error);
    }
    unwritten.or(error).map_or(Ok(()), Err)
}

/// Ends the run, with its reports written, if it takes too much memory.
fn watch_memory(args: &Args, reports: Vec<ReportPath>) {
    args.max_memory.watch(move |message, exit_code| {
        let message = message.to_owned();
        let report = RunReport::of_failure(Failure { exit_code, message });
        for (option, path) in &reports {
            if let Err(error) = report.write(option, path) {
                message::warning(error);
            }
        }
    });
}

fn make(args: &Args) -> Result<Tally, CommandError> {
    let options = args.options();
    let options = options.map_err(|error| project::blame(args.config.as_deref(), error))?;
    if args.print_config {
        project::print(args, &options)?;
        return Ok(Tally::default());
    }
    let targets = args.targets()?;
    if !args.quiet {
        tell_left_out(&args.left_out());
    }
    if let Some(engine) = args.plan {
        plan::run(args, engine, &options, &targets)?;
        return Ok(Tally::default());
    }
    batch::run(args, &options, &targets)
}

/// Reports the maps of a folder that are not compiled because one of the same name is.
fn tell_left_out(maps: &[PathBuf]) {
    let [first, ..] = maps else {
        return;
    };
    let ending = first.extension().unwrap_or_default().display();
    let first = first.display();
    let more = match maps.len() {
        1 => String::new(),
        n_maps => format!(" and {} more", n_maps - 1),
    };
    message::note(format!(
        "left out: {first}{more}, because a map of the same name beside it is compiled; a pattern such as '*.{ending}' \
         names others"
    ));
}
