//! Random agents among models that swing and turn, in sample and real maps: `riders --maps DIR --steps 10000000`.
//! Prints what they did in each map, and everything that went wrong; fails if anything did.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use onion_tests::maps::maps_in;
use onion_tests::riders::ride;
use onion_tests::samples;

/// Lets random agents walk among models that move.
#[derive(Parser)]
struct Args {
    /// A folder: all IBSP 46 maps in it are used, besides the sample maps.
    #[arg(long, value_name = "DIR")]
    maps: Option<PathBuf>,
    /// Ticks of all agents in all maps together.
    #[arg(long, value_name = "COUNT", default_value_t = 10_000_000)]
    steps: usize,
    /// Another seed gives other agents.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let samples = samples::all().into_iter();
    let mut maps: Vec<_> = samples
        .map(|(name, bytes)| (name.to_owned(), bytes))
        .collect();
    let real = args.maps.iter().flat_map(|folder| maps_in(folder));
    maps.extend(real.map(|map| (map.name, map.bytes)));
    let share = args.steps.div_ceil(maps.len());
    let mut n_faults = 0;
    let mut n_ticks = 0;
    println!("| map | ticks | held | blocked | by models | faults |\n|---|--:|--:|--:|--:|--:|");
    for (name, bytes) in &maps {
        let ride = ride(bytes, share, args.seed);
        let counts =
            [ride.ticks, ride.held, ride.blocked, ride.by_models].map(|count| count.to_string());
        println!(
            "| {name} | {} | {} |",
            counts.join(" | "),
            ride.faults.len()
        );
        ride.faults.iter().for_each(|fault| println!("{fault}"));
        n_faults += ride.faults.len();
        n_ticks += ride.ticks;
    }
    println!("{n_ticks} ticks, {n_faults} faults");
    if n_faults == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
