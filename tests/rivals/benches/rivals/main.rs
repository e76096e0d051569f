//! The onion against other ways to answer the same traces, in one process, on the same maps, with the
//! same queries, for each hull given; every rival must first give the same answers, or say how often it
//! does not.
//!
//! `cargo bench -p onion-rivals -- --maps DIR --hull stand:16x56 --hull point:point
//! --json FILE`. Paths count from the root of the repository, wherever Cargo starts benchmarks.

mod agents;
mod agreement;
mod bevel_tree;
mod bsp;
mod bvh2;
mod cwbvh;
mod hull_check;
mod leaf_brushes;
mod loading;
mod measure;
mod onion;
mod onion_visits;
mod parry;
mod plane_shift;
mod queries;
mod rival;
mod rows;
mod slabs;
mod solids;
mod tables;
mod timing;
mod tree;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use onion_tests::command;
use onion_tests::maps::maps_in;
use onionc::hull::{HullOption, HullSpec, resolve};

use queries::{KINDS, Kind, ORDERS, Order};
use rows::Rows;
use timing::Evictor;

/// The hulls, unless told otherwise.
const HULLS: [&str; 4] = ["stand:16x56", "crouch:16x32", "point:point", "big:32x72"];

/// Measures the onion and its rivals.
#[derive(Parser)]
struct Args {
    /// A folder: all IBSP 46 maps in it.
    #[arg(long, value_name = "DIR")]
    maps: PathBuf,
    /// Only maps whose names hold one of these texts.
    #[arg(long, value_name = "TEXT", value_delimiter = ',')]
    only: Vec<String>,
    /// A hull, as the compiler takes it; once for each.
    #[arg(long = "hull", value_name = "HULL", default_values = HULLS)]
    hulls: Vec<HullOption>,
    /// Distinct queries of each short kind, for each hull and map; long ones are fewer.
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    queries: usize,
    /// Kinds of queries.
    #[arg(long, value_name = "KIND", value_enum, value_delimiter = ',', default_values_t = KINDS)]
    kinds: Vec<Kind>,
    /// Orders of queries.
    #[arg(long, value_name = "ORDER", value_enum, value_delimiter = ',', default_values_t = ORDERS)]
    orders: Vec<Order>,
    /// Only these rivals, by their names in the tables; the onion always takes part.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    rivals: Vec<String>,
    /// Only say so where answers differ more often than they may.
    #[arg(long)]
    keep_going: bool,
    /// Where to write all that was measured.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Cargo gives this to every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
}

impl Args {
    fn hulls(&self) -> Result<Vec<HullSpec>, String> {
        resolve(&self.hulls, None).map_err(|(name, error)| format!("hull {name}: {error}"))
    }

    fn wants(&self, rival: &str) -> bool {
        self.rivals.is_empty() || self.rivals.iter().any(|name| name == rival)
    }
}

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
    println!("ns a query, and over the onion's; above 1 the onion is faster.\n");
    let evictor = Evictor::new();
    let mut rows = Rows::default();
    for map in &maps {
        measure::measure(map, args, &evictor, &mut rows)?;
    }
    rows.print_summary();
    let Some(path) = &args.json else {
        return Ok(());
    };
    std::fs::write(path, rows.json()?).map_err(|error| format!("{}: {error}", path.display()))
}
