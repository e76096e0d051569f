//! Compiles all maps of a command line in parallel: makes each target, and prints the outcomes in the order of the
//! command line. If a map fails, the others are still compiled.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use onion_compiler::CompileOptions;
use onion_compiler::report::Report;
use onion_maps::Warning;
use onionc::error::{CommandError, usage};

use crate::commands::compiling::compile_options::Args;
use crate::commands::compiling::job::{self, Done, Outcome};
use crate::commands::compiling::progress::Progress;
use crate::commands::compiling::tally::Tally;
use crate::commands::compiling::targets::Target;
use crate::commands::compiling::{depfile, summary};
use crate::commands::input::project;
use crate::commands::output::files;

pub fn run(
    args: &Args,
    options: &CompileOptions,
    targets: &[Target],
) -> Result<Tally, CommandError> {
    let mut tally = Tally::default();
    let is_several = args.is_several();
    let batch = Batch {
        args,
        options,
        pool: pool(args.threads)?,
        progress: Progress::new(targets.len(), !args.quiet),
    };
    match targets {
        [target] if !is_several => batch.one(target, &mut tally),
        _ => batch.all(targets, &mut tally),
    }
    batch.progress.clear();
    if is_several {
        summary::print_warnings(None, &tally.idle());
    }
    if is_several && args.prints_text() {
        files::print_lines(&tally.summary())?;
    }
    if let Some(depfile) = &args.depfile {
        let rules = tally.rules(args.config.as_ref())?;
        // If nothing was made, the rules of an earlier run still hold.
        if !rules.is_empty() {
            depfile::output(depfile).write(rules.as_bytes())?;
        }
    }
    Ok(tally)
}

/// The parameters that all targets share.
struct Batch<'a> {
    args: &'a Args,
    /// The options of each compile, except for the observer, which is set for each target.
    options: &'a CompileOptions,
    /// The threads that all compiles share.
    pool: rayon::ThreadPool,
    /// The bar over all targets.
    progress: Progress,
}

impl Batch<'_> {
    /// Makes a target in the pool of threads, while the bar shows its stages. `number` tells apart the maps that are
    /// compiled at the same time.
    fn make(&self, number: usize, target: &Target) -> Result<Done, CommandError> {
        let options = CompileOptions {
            observer: self.progress.begin(number, &target.map),
            ..self.options.clone()
        };
        let done = self.pool.install(|| job::run(self.args, &options, target));
        self.progress.end(number);
        done
    }

    /// Makes the only target. Options that have no effect are warned about at once, unless they come from a project
    /// file that other maps share.
    fn one(&self, target: &Target, tally: &mut Tally) {
        let mut done = self.make(0, target);
        self.progress.clear();
        if let Ok(done) = &mut done
            && let Outcome::Compiled(report, _) = &mut done.outcome
        {
            // A class in a project file need not occur in every map.
            let option = "--fill-from";
            let is_shared = project::is_of_project(self.args.config.as_deref(), option);
            let is_own = |warning: &Warning| !is_shared || !warning.place.starts_with(option);
            report.warnings.extend(done.idle.drain(..).filter(is_own));
        }
        note(tally, target, done, |done| {
            print_one(self.args, target, &done.outcome)
        });
    }

    /// Makes several targets. Each thread of the pool takes one after another and makes it by itself. When no target
    /// is left, it helps with those that other threads are making.
    fn all(&self, targets: &[Target], tally: &mut Tally) {
        let next = AtomicUsize::new(0);
        let take = || {
            let number = next.fetch_add(1, Ordering::Relaxed);
            Some((number, targets.get(number)?))
        };
        // Results wait for those of the targets before them.
        let results = Mutex::new((BTreeMap::new(), tally));
        // N.B. If the targets were put into the pool from outside, a thread that waits for help with one would begin
        // another, and the first would not go on until that one is made.
        self.pool.broadcast(|_| {
            while let Some((number, target)) = take() {
                let done = self.make(number, target);
                let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
                let (waiting, tally) = &mut *results;
                waiting.insert(number, (target, done));
                self.progress.suspend(|| {
                    while let Some((target, done)) = waiting.remove(&tally.n_targets()) {
                        note(tally, target, done, |done| {
                            print_one_of_many(self.args, target, &done.outcome)
                        });
                    }
                });
            }
        });
    }
}

/// Prints the outcome of a target, and counts it.
fn note(
    tally: &mut Tally,
    target: &Target,
    done: Result<Done, CommandError>,
    print: impl FnOnce(&Done) -> Result<(), CommandError>,
) {
    match done.and_then(|done| print(&done).map(|()| done)) {
        Ok(done) => tally.add(target, done),
        Err(error) => tally.fail(target, error),
    }
}

/// Prints the outcome of the only target: the full report, or one line if nothing was compiled.
fn print_one(args: &Args, target: &Target, outcome: &Outcome) -> Result<(), CommandError> {
    let output = &target.output;
    match outcome {
        Outcome::Compiled(report, next) => {
            summary::print_warnings(None, &report.warnings);
            print_report(args, report, output, next.as_deref())
        }
        _ if !args.prints_text() || files::is_stdio(output) => Ok(()),
        Outcome::Fresh => files::print(|out| writeln!(out, "up to date: {}", output.display())),
        Outcome::Dumped => files::print(|out| writeln!(out, "wrote {}", output.display())),
    }
}

/// Prints the outcome of one of several targets: one line, or the full report with `--verbose`.
fn print_one_of_many(args: &Args, target: &Target, outcome: &Outcome) -> Result<(), CommandError> {
    let Outcome::Compiled(report, _) = outcome else {
        return print_one(args, target, outcome);
    };
    summary::print_warnings(Some(&target.map), &report.warnings);
    match (args.prints_text(), args.verbose) {
        (false, _) => Ok(()),
        (true, false) => files::print_lines(&[summary::line(report, &target.output)]),
        (true, true) => files::print_lines(&summary::text(report, &target.output, true)),
    }
}

/// Prints the report, to standard error if the compiled map went to standard output.
fn print_report(
    args: &Args,
    report: &Report,
    output: &Path,
    next: Option<&str>,
) -> Result<(), CommandError> {
    if let Some(json) = &args.json {
        args.json_output(json).write_json(report)?;
    }
    if !args.prints_text() {
        return Ok(());
    }
    let mut lines = summary::text(report, output, args.verbose);
    if files::is_stdio(output) {
        let mut out = files::Printed(io::stderr().lock());
        let written = lines.iter().try_for_each(|line| writeln!(out, "{line}"));
        return written.map_err(CommandError::Print);
    }
    lines.extend(next.map(|next| format!("next: {next}")));
    files::print_lines(&lines)
}

/// Returns the threads for a compile; one for each processor by default.
fn pool(threads: Option<usize>) -> Result<rayon::ThreadPool, CommandError> {
    // Zero lets rayon choose: one thread per processor.
    let threads = threads.unwrap_or(0);
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads);
    let pool = builder.build();
    pool.map_err(|error| usage(format!("--threads {threads}: {error}")))
}
