//! Random walkers in sample and real maps: `walkers --maps DIR --steps 10000000`.
//!
//! In: maps and a number of ticks, divided among the maps. Out: a table of what the walkers did, and everything that
//! went wrong: a walker in solid, out of the world, stuck where the oracle sees a way, in a stance that does not fit.
//! Fails if anything did.

use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use onion_tests::choice::Choice;
use onion_tests::maps::maps_in;
use onion_tests::walkers::{Course, Outcome};

/// Lets random walkers walk in sample maps and those of Quake III, and looks where they get to.
#[derive(Parser)]
struct Args {
    #[command(flatten)]
    choice: Choice,
    /// Ticks of all walkers in all maps together.
    #[arg(long, value_name = "COUNT", default_value_t = 10_000_000)]
    steps: usize,
    /// Another seed gives other walkers.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let maps = args.choice.all_maps(maps_in);
    let columns = [
        "map",
        "ticks",
        "blocked",
        "on ground",
        "swum",
        "units",
        "switches",
        "refused",
    ];
    println!("| {} | stops | looks | faults |", columns.join(" | "));
    println!("|---|{}", "--:|".repeat(columns.len() + 2));
    let mut n_faults = 0;
    let mut n_ticks = 0;
    let start = Instant::now();
    for (number, map) in maps.iter().enumerate() {
        // The share of maps without a start goes to the others.
        let left = args.steps.saturating_sub(n_ticks);
        let share = left.div_ceil(maps.len() - number);
        let outcome = Course::new(&map.name, &map.bytes).walk(share, args.seed);
        print(&map.name, &outcome);
        n_ticks += outcome.ticks;
        n_faults += outcome.faults.len();
    }
    println!(
        "{n_ticks} ticks, {n_faults} faults, {:.0} s",
        start.elapsed().as_secs_f64()
    );
    if n_faults == 0 && n_ticks >= args.steps {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn print(name: &str, outcome: &Outcome) {
    let counts = [
        outcome.ticks,
        outcome.blocked,
        outcome.on_ground,
        outcome.swum,
        outcome.way as usize,
        outcome.switches,
        outcome.refusals,
        outcome.stops,
        outcome.looks,
        outcome.faults.len(),
    ];
    println!(
        "| {name} | {} |",
        counts.map(|count| count.to_string()).join(" | ")
    );
    for fault in &outcome.faults {
        println!("{fault}");
    }
}
