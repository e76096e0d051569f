//! Random agents among models that swing and turn, in sample and real maps: `riders --maps DIR --steps 10000000`.
//! Prints what they did in each map, and everything that went wrong; fails if anything did.

use std::process::ExitCode;

use clap::Parser;
use onion_tests::choice::Choice;
use onion_tests::maps::maps_in;
use onion_tests::riders::ride;

/// Lets random agents walk among models that move, in sample maps and those of Quake III.
#[derive(Parser)]
struct Args {
    #[command(flatten)]
    choice: Choice,
    /// Ticks of all agents in all maps together.
    #[arg(long, value_name = "COUNT", default_value_t = 10_000_000)]
    steps: usize,
    /// Another seed gives other agents.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let maps = args.choice.all_maps(maps_in);
    let share = args.steps.div_ceil(maps.len().max(1));
    let mut n_faults = 0;
    let mut n_ticks = 0;
    println!(
        "| map | ticks | held | crushed | blocked | by models | faults |\n|---|--:|--:|--:|--:|--:|--:|"
    );
    for map in &maps {
        let ride = ride(&map.bytes, share, args.seed);
        let counts = [
            ride.ticks,
            ride.held,
            ride.crushed,
            ride.blocked,
            ride.by_models,
        ];
        let counts = counts.map(|count| count.to_string());
        println!(
            "| {} | {} | {} |",
            map.name,
            counts.join(" | "),
            ride.faults.len()
        );
        ride.faults.iter().for_each(|fault| println!("{fault}"));
        n_faults += ride.faults.len();
        n_ticks += ride.ticks;
    }
    println!("{n_ticks} ticks, {n_faults} faults");
    if n_faults == 0 && n_ticks > 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
