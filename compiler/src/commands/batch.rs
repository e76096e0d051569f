//! Compiles all maps of a command line in parallel: makes each target, and prints the outcomes in the order of the
//! command line. If a map fails, the others are still compiled.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use onion_compiler::CompileOptions;
use onion_compiler::report::Report;
use onion_maps::Warning;
use onionc::error::CommandError;

use super::compile_options::Args;
use super::job::{self, Done, Outcome};
use super::progress::Progress;
use super::tally::Tally;
use super::targets::Target;
use super::{depfile, files, project, summary};

/// Makes all targets.
pub fn run(
    args: &Args,
    options: &CompileOptions,
    targets: &[Target],
) -> Result<Tally, CommandError> {
    let mut tally = Tally::default();
    let is_several = args.wanted().is_several();
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
        files::print(|out| {
            let summary = tally.summary();
            summary.lines().try_for_each(|line| writeln!(out, "{line}"))
        })?;
    }
    if let Some(depfile) = &args.depfile {
        let rules = tally.rules(args.config.as_ref());
        // If nothing was made, the rules of an earlier run still hold.
        if !rules.is_empty() {
            depfile::write(depfile, &rules)?;
        }
    }
    Ok(tally)
}

/// The parameters that all targets share.
struct Batch<'a> {
    args: &'a Args,
    options: &'a CompileOptions,
    pool: rayon::ThreadPool,
    progress: Progress,
}

impl Batch<'_> {
    /// Makes a target, and shows its progress.
    fn make(&self, number: usize, target: &Target) -> Result<Done, CommandError> {
        let options = CompileOptions {
            observer: self.progress.begin(number, &target.map),
            ..self.options.clone()
        };
        let done = self.pool.install(|| job::run(self.args, &options, target));
        self.progress.end(number);
        done
    }

    /// Makes the only target.
    fn one(&self, target: &Target, tally: &mut Tally) {
        let mut done = self.make(0, target);
        self.progress.clear();
        if let Ok(Done {
            outcome: Outcome::Compiled(report, _),
            idle,
            ..
        }) = &mut done
        {
            // A class in a project file need not occur in every map.
            let option = "--fill-from";
            let is_shared = project::is_of_project(self.args.config.as_deref(), option);
            let is_own = |warning: &Warning| !is_shared || !warning.place.starts_with(option);
            report.warnings.extend(idle.drain(..).filter(is_own));
        }
        note(tally, target, done, |done| {
            print_one(self.args, target, &done.outcome)
        });
    }

    /// Makes several targets. Each thread of the pool takes one after another and makes it by itself. When no target
    /// is left, it helps with those that other threads are making.
    fn all(&self, targets: &[Target], tally: &mut Tally) {
        let next = AtomicUsize::new(0);
        let results = Mutex::new((InOrder::default(), tally));
        // N.B. If the targets were put into the pool from outside, a thread that waits for help with one would begin
        // another, and the first would not go on until that one is made.
        self.pool.broadcast(|_| {
            while let Some((number, target)) = take(&next, targets) {
                let done = self.make(number, target);
                let mut results = results.lock().unwrap_or_else(|poison| poison.into_inner());
                let (in_order, tally) = &mut *results;
                self.progress.suspend(|| {
                    in_order.add(number, (target, done), |(target, done)| {
                        let print =
                            |done: &Done| print_one_of_many(self.args, target, &done.outcome);
                        note(tally, target, done, print);
                    });
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

/// Takes the next target and its number, or `None` if all are taken.
fn take<'a>(next: &AtomicUsize, targets: &'a [Target]) -> Option<(usize, &'a Target)> {
    let number = next.fetch_add(1, Ordering::Relaxed);
    Some((number, targets.get(number)?))
}

/// Reorders items that arrive in any order into the order of their numbers.
struct InOrder<T> {
    next: usize,
    waiting: BTreeMap<usize, T>,
}

impl<T> Default for InOrder<T> {
    fn default() -> Self {
        Self {
            next: 0,
            waiting: BTreeMap::new(),
        }
    }
}

impl<T> InOrder<T> {
    /// Adds an item, and passes on all items whose turn it is.
    fn add(&mut self, number: usize, thing: T, mut each: impl FnMut(T)) {
        self.waiting.insert(number, thing);
        while let Some(thing) = self.waiting.remove(&self.next) {
            each(thing);
            self.next += 1;
        }
    }
}

/// Prints the outcome of the only target.
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

/// Prints the outcome of one of several targets.
fn print_one_of_many(args: &Args, target: &Target, outcome: &Outcome) -> Result<(), CommandError> {
    let Outcome::Compiled(report, _) = outcome else {
        return print_one(args, target, outcome);
    };
    summary::print_warnings(Some(&target.map), &report.warnings);
    if !args.prints_text() {
        return Ok(());
    }
    files::print(|out| {
        if args.verbose {
            return summary::write_brief(out, report, &target.output)
                .and_then(|()| summary::write_details(out, report));
        }
        summary::write_line(out, report, &target.output)
    })
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
    let write = |out: &mut dyn Write| -> io::Result<()> {
        summary::write_brief(out, report, output)?;
        if args.verbose {
            summary::write_details(out, report)?;
        }
        if let Some(next) = next.filter(|_| !files::is_stdio(output)) {
            writeln!(out, "next: {next}")?;
        }
        Ok(())
    };
    if files::is_stdio(output) {
        write(&mut files::Printed(io::stderr().lock())).map_err(CommandError::Print)
    } else {
        files::print(write)
    }
}

fn pool(threads: Option<usize>) -> Result<rayon::ThreadPool, CommandError> {
    // Zero lets rayon choose: one thread per processor.
    let threads = threads.unwrap_or(0);
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads);
    builder
        .build()
        .map_err(|error| CommandError::Usage(format!("--threads {threads}: {error}")))
}
