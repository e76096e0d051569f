//! The cost of more hulls: compiles every map for each hull alone and for growing sets of hulls, as one tree and as
//! groups of similar hulls, and prints nodes and bytes relative to the sum of the files of single hulls, and the time
//! of traces relative to the hull's own file (same queries, in turn).
//!
//! `cargo bench -p onion-tests --bench bloat -- --maps DIR --json FILE`. Paths are relative to the root of the
//! repository, wherever Cargo starts benchmarks.

mod timing;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use onion_compiler::CompileOptions;
use onion_compiler::Compiled;
use onion_compiler::compile;
use onion_compiler::fill::seeds::Fill;
use onion_compiler::group::grouping::Grouping;
use onion_geometry::grid::DIST_ONE;
use onion_maps::{Halfspace, Map};
use onion_runtime::OnionMap;
use onion_tests::command;
use onion_tests::maps::{RealMap, maps_in};
use onion_tests::subject;
use serde::Serialize;

use timing::{Queries, trace_ratio};

/// The hulls; the sets are the first two, three and four of them, and all.
const HULLS: [&str; 8] = [
    "stand:16x56",
    "crouch:16x32",
    "point:point",
    "big:32x72",
    "h8:8x16",
    "h24:24x64",
    "h48:48x96",
    "h12:12x40",
];
const SETS: [usize; 4] = [2, 3, 4, 8];
const GROUPINGS: [(&str, Grouping); 2] = [("one", Grouping::One), ("auto", Grouping::Auto)];

/// Measures what more hulls cost.
#[derive(Parser)]
struct Args {
    /// A folder: all IBSP 46 maps in it.
    #[arg(long, value_name = "DIR")]
    maps: PathBuf,
    /// Only maps whose names hold this text.
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// Do not fill what no agent can reach.
    #[arg(long)]
    no_fill: bool,
    /// Traces of each kind, for each hull and map; 0 measures no times.
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    queries: usize,
    /// Where to write all that was measured.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Cargo gives this to every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
}

/// A map compiled for a set of hulls.
#[derive(Serialize)]
struct Row {
    map: String,
    hulls: usize,
    grouping: &'static str,
    groups: String,
    nodes: usize,
    bytes: usize,
    depth: u32,
    /// Nodes relative to the sum of the nodes of the single hulls' files.
    nodes_ratio: f64,
    /// Bytes relative to the same sum of bytes.
    bytes_ratio: f64,
    /// Time of walks relative to the single hulls' files, geometric mean over the hulls.
    walk_ratio: Option<f64>,
    /// The same ratio for long shots.
    shot_ratio: Option<f64>,
}

fn main() -> ExitCode {
    command::benchmark("bloat", || run(&Args::parse()))
}

fn run(args: &Args) -> Result<(), String> {
    let mut maps = maps_in(&args.maps);
    maps.retain(|map| map.name.contains(&args.only));
    if maps.is_empty() {
        return Err(format!("no IBSP 46 maps in {}", args.maps.display()));
    }
    println!("| map | hulls | groups | nodes | of sum | bytes of sum | depth | walks | shots |");
    println!("|---|--:|---|--:|--:|--:|--:|--:|--:|");
    let mut rows = Vec::new();
    for map in &maps {
        for row in measure(map, args)? {
            println!("{}", row.line());
            rows.push(row);
        }
    }
    println!(
        "\nGeometric means over {} maps, and the worst map by nodes:\n",
        maps.len()
    );
    println!("| hulls | trees | nodes | bytes | walks | shots | worst |");
    println!("|--:|---|--:|--:|--:|--:|---|");
    for hulls in SETS {
        for (grouping, _) in GROUPINGS {
            let same = |row: &&Row| row.hulls == hulls && row.grouping == grouping;
            println!("{}", summary(&rows.iter().filter(same).collect::<Vec<_>>()));
        }
    }
    let Some(path) = &args.json else {
        return Ok(());
    };
    let text = serde_json::to_string_pretty(&rows).map_err(|error| error.to_string())?;
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// Measures all rows of a map.
fn measure(real: &RealMap, args: &Args) -> Result<Vec<Row>, String> {
    let fail = |error: String| format!("{}: {error}", real.name);
    let map = onion_maps::parse(&real.bytes, &Default::default())
        .map_err(|error| fail(error.to_string()))?;
    let compiled = |hulls: &[&str], grouping: &Grouping| {
        let options = CompileOptions {
            fill: if args.no_fill {
                Fill::Off
            } else {
                Fill::default()
            },
            grouping: grouping.clone(),
            surfaces: false,
            ..CompileOptions::new(subject::hulls(hulls))
        };
        compile(&map, &options).map_err(|error| fail(error.to_string()))
    };
    let singles: Vec<Compiled> = HULLS
        .iter()
        .map(|hull| compiled(&[hull], &Grouping::One))
        .collect::<Result<_, _>>()?;
    let queries: Vec<Queries> = singles
        .iter()
        .map(|single| Queries::new(subject::load(single), bounds(&map), args.queries))
        .collect();
    let mut rows = Vec::new();
    for n_hulls in SETS {
        for (name, grouping) in &GROUPINGS {
            let file = compiled(&HULLS[..n_hulls], grouping)?;
            let loaded = subject::load(&file);
            let singles = &singles[..n_hulls];
            let sum = |of: fn(&Compiled) -> usize| singles.iter().map(of).sum::<usize>() as f64;
            let ratio = |kind: fn(&Queries) -> &timing::Segments| {
                let files = singles.iter().zip(&queries).zip(loaded.hulls());
                let ratios = files.map(|((single, queries), hull)| {
                    let own: OnionMap<&[u8]> = subject::load(single);
                    trace_ratio((loaded, hull.id), own, kind(queries))
                });
                (args.queries > 0).then(|| geometric_mean(ratios))
            };
            rows.push(Row {
                map: real.name.clone(),
                hulls: n_hulls,
                grouping: name,
                groups: file.report.groups.clone(),
                nodes: file.report.n_nodes,
                bytes: file.report.bytes,
                depth: file.report.depth,
                nodes_ratio: file.report.n_nodes as f64 / sum(|single| single.report.n_nodes),
                bytes_ratio: file.report.bytes as f64 / sum(|single| single.report.bytes),
                walk_ratio: ratio(|queries| &queries.walks),
                shot_ratio: ratio(|queries| &queries.shots),
            });
        }
    }
    Ok(rows)
}

/// Returns the corners of a box around the world's sides that face along an axis, in units.
fn bounds(map: &Map) -> [[f64; 3]; 2] {
    let [mut mins, mut maxs] = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
    for side in map.models[0].brushes.iter().flat_map(|brush| &brush.sides) {
        for axis in 0..3 {
            if let Halfspace::Behind(plane) = side.halfspace
                && plane.axis() == Some(axis)
            {
                let at = (plane.dist * plane.normal[axis].signum()) as f64 / DIST_ONE as f64;
                mins[axis] = mins[axis].min(at);
                maxs[axis] = maxs[axis].max(at);
            }
        }
    }
    [mins, maxs]
}

impl Row {
    fn line(&self) -> String {
        format!(
            "| {} | {} | {} | {} | {:.3} | {:.3} | {} | {} | {} |",
            self.map,
            self.hulls,
            self.groups,
            self.nodes,
            self.nodes_ratio,
            self.bytes_ratio,
            self.depth,
            shown(self.walk_ratio),
            shown(self.shot_ratio)
        )
    }
}

/// Writes the means of the rows of one set and grouping.
fn summary(rows: &[&Row]) -> String {
    let mean = |of: fn(&Row) -> f64| geometric_mean(rows.iter().map(|row| of(row)));
    let time = |of: fn(&Row) -> Option<f64>| {
        let times: Option<Vec<f64>> = rows.iter().map(|row| of(row)).collect();
        shown(times.map(|times| geometric_mean(times.into_iter())))
    };
    let worst = rows
        .iter()
        .max_by(|a, b| a.nodes_ratio.total_cmp(&b.nodes_ratio));
    let worst = worst.map_or(String::new(), |row| {
        format!("{} {:.3}", row.map, row.nodes_ratio)
    });
    format!(
        "| {} | {} | {:.3} | {:.3} | {} | {} | {worst} |",
        rows[0].hulls,
        rows[0].grouping,
        mean(|row| row.nodes_ratio),
        mean(|row| row.bytes_ratio),
        time(|row| row.walk_ratio),
        time(|row| row.shot_ratio)
    )
}

fn shown(ratio: Option<f64>) -> String {
    ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.3}"))
}

fn geometric_mean(numbers: impl Iterator<Item = f64>) -> f64 {
    let logs: Vec<f64> = numbers.map(f64::ln).collect();
    (logs.iter().sum::<f64>() / logs.len() as f64).exp()
}
