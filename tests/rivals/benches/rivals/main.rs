//! The onion against other ways to answer the same traces, in one process, on the same maps, with the same queries,
//! for each given hull; every rival must first give the same answers, or its number of differences is reported.
//!
//! `cargo bench -p onion-rivals -- --maps DIR --hull stand:16x56 --hull point:point --json FILE`. Paths are relative
//! to the root of the repository, wherever Cargo starts benchmarks.

mod agents;
mod agreement;
mod arguments;
mod bevel_tree;
mod bsp;
mod bvh2;
mod cwbvh;
#[cfg(feature = "embree")]
mod embree;
mod fast_form;
mod hull_check;
mod leaf_brushes;
mod loading;
mod measure;
mod onion;
mod parry;
mod plane_shift;
mod pmove;
mod queries;
mod rival;
mod rows;
mod slabs;
mod solids;
mod tables;
mod ticks;
mod timing;
mod tree;

use std::process::ExitCode;

use clap::Parser;
use onion_tests::command;
use onion_tests::maps::maps_in;

use arguments::Args;
use rows::Rows;
use timing::Evictor;

fn main() -> ExitCode {
    command::benchmark("rivals", || run(&Args::parse()))
}

fn run(args: &Args) -> Result<(), String> {
    let mut maps = maps_in(&args.maps);
    let wanted = |name: &str| args.only.iter().any(|text| name.contains(text));
    maps.retain(|map| args.only.is_empty() || wanted(&map.name));
    if maps.is_empty() {
        return Err(format!("no IBSP 46 maps in {}", args.maps.display()));
    }
    if !args.ticks {
        println!("ns a query, and over the onion's; above 1 the onion is faster.\n");
    }
    let evictor = Evictor::new();
    let mut rows = Rows::default();
    for map in &maps {
        measure::measure(map, args, &evictor, &mut rows)?;
    }
    if args.ticks {
        ticks::print_means(&rows.ticks);
        return Ok(());
    }
    rows.print_summary();
    let Some(path) = &args.json else {
        return Ok(());
    };
    std::fs::write(path, rows.json()?).map_err(|error| format!("{}: {error}", path.display()))
}
