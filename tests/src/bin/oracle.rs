//! Queries compiled maps of all formats and the oracle in the same way, with the wanted number of random points and
//! traces of each hull: the world of a map gets all of them, and its other models together get the same number.
//! Prints a row for each map and the sums; fails if any answer differs from the oracle's, or if no query was made.
//! The tests make queries of the same kinds, but fewer.

use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use onion_tests::cases::{Case, Subject, sample_cases, scene_cases};
use onion_tests::choice::Choice;
use onion_tests::maps::files_in;
use onion_tests::oracle::sandwich;
use onion_tests::queries::{KINDS, Queries};
use onion_tests::subject::{HULLS, answer};
use rayon::prelude::*;

/// Answers must lie between those for solids grown and shrunk by this, in units.
const SHELL: f64 = 0.001;

/// Compares answers with the oracle's, in samples, scenes, BSP files and texts of maps.
#[derive(Parser)]
struct Args {
    #[command(flatten)]
    choice: Choice,
    /// Points for each hull.
    #[arg(long, default_value_t = 10_000_000)]
    points: usize,
    /// Traces for each hull.
    #[arg(long, default_value_t = 1_000_000)]
    traces: usize,
}

/// The number of queries, and of answers that differ from the oracle's.
#[derive(Clone, Copy, Default)]
struct Count {
    points: usize,
    /// Points that are not nearer to a surface than the thickness of the shell.
    decided: usize,
    traces: usize,
    wrong: usize,
}

impl Count {
    fn add(self, other: Self) -> Self {
        Self {
            points: self.points + other.points,
            decided: self.decided + other.decided,
            traces: self.traces + other.traces,
            wrong: self.wrong + other.wrong,
        }
    }
}

fn main() -> ExitCode {
    let args = Args::parse();
    println!("| map | points | decided | traces | wrong | s |\n|---|--:|--:|--:|--:|--:|");
    let samples = sample_cases().iter().chain(scene_cases());
    let samples = samples.filter(|case| args.choice.is_wanted(&case.name, &case.bytes));
    let mut sum = samples
        .map(|case| check_map(case, &args))
        .fold(Count::default(), Count::add);
    let mut maps = args
        .choice
        .real_maps(|folder| [files_in(folder, "bsp"), files_in(folder, "map")].concat());
    // Small ones first: a run that is stopped early has done most of them.
    maps.sort_by_key(|map| map.bytes.len());
    for map in &maps {
        let case = Case::new(&map.name, &map.bytes, &HULLS, "one");
        sum = sum.add(check_map(&case, &args));
    }
    println!(
        "{} points, {} traces, {} wrong",
        sum.points, sum.traces, sum.wrong
    );
    if sum.wrong == 0 && sum.points + sum.traces > 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn check_map(case: &Case, args: &Args) -> Count {
    let start = Instant::now();
    let sum = case.subjects().map(|subject| check(&subject, args));
    let sum = sum.fold(Count::default(), Count::add);
    let Count {
        points,
        decided,
        traces,
        wrong,
    } = sum;
    let seconds = start.elapsed().as_secs();
    println!(
        "| {} | {points} | {decided} | {traces} | {wrong} | {seconds} |",
        case.name
    );
    sum
}

/// Checks one hull in one model.
fn check(subject: &Subject<'_>, args: &Args) -> Count {
    let Some(queries) = Queries::new(subject.world) else {
        return Count::default();
    };
    let n_points = subject.share_of(args.points);
    let points = (0..n_points).into_par_iter();
    let points = points.map(|number| point(subject, &queries, number));
    let n_traces = subject.share_of(args.traces) / KINDS.len() * KINDS.len();
    let traces = (0..n_traces).into_par_iter();
    let traces = traces.map(|number| trace(subject, &queries, number));
    points.chain(traces).reduce(Count::default, Count::add)
}

fn point(subject: &Subject<'_>, queries: &Queries<'_>, number: usize) -> Count {
    let point = subject
        .random(KINDS.len(), number)
        .point(queries.mins, queries.maxs);
    let solid = subject.model.is_solid(subject.hull, point);
    let [grown, shrunk] = [SHELL, -SHELL].map(|shell| subject.world.solid(point, shell));
    let is_wrong = grown == shrunk && solid != grown;
    if is_wrong {
        eprintln!("{}: {point:?} is solid: {solid}", subject.name);
    }
    Count {
        points: 1,
        decided: usize::from(grown == shrunk),
        wrong: usize::from(is_wrong),
        ..Count::default()
    }
}

fn trace(subject: &Subject<'_>, queries: &Queries<'_>, number: usize) -> Count {
    let kind = number % KINDS.len();
    let [start, end] = queries.query(KINDS[kind], &mut subject.random(kind, number));
    let trace = subject
        .model
        .with_margin(0.0)
        .trace(subject.hull, start, end);
    let right = sandwich(subject.world, start, end, answer(&trace), SHELL);
    if let Err(what) = &right {
        eprintln!("{}: {start:?} to {end:?}: {what}", subject.name);
    }
    Count {
        traces: 1,
        wrong: usize::from(right.is_err()),
        ..Count::default()
    }
}
