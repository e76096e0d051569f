//! Growth of a compile's time and memory with the map: compiles maps of growing size with the `onionc` command at 1
//! and 2 threads, interleaved, and prints Markdown tables.
//!
//! `cargo bench -p onion-tests --bench scale -- --map FILE --brushes 5000,20000,80000` makes the maps of tiles (see
//! `onion_tests::tiles`), `--maps DIR` takes those of a folder, `--curves KIND` makes maps of curved patches (see
//! `onion_tests::curved`), `--baseline BINARY` compares with another `onionc`, `--json FILE` writes all measurements.
//! Paths are relative to the root of the repository, wherever Cargo starts benchmarks.

mod measure;
mod tables;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use onion_tests::curved::Curves;
use onion_tests::maps::maps_in;
use onion_tests::subject::HULLS;
use onion_tests::tiles::{Size, tile};
use onion_tests::{command, samples};
use tempfile::TempDir;

use measure::{Measured, Run, compile};

/// Measures how compiles grow with the map.
#[derive(Parser)]
struct Args {
    /// A Quake III BSP file (IBSP version 46) to make larger maps of.
    #[arg(long, value_name = "FILE", required_unless_present_any = ["maps", "curves"])]
    map: Option<PathBuf>,
    /// Sizes of the maps to make, in brushes.
    #[arg(
        long,
        value_name = "COUNTS",
        value_delimiter = ',',
        default_value = "5000,20000,80000"
    )]
    brushes: Vec<usize>,
    /// Maps of curved patches of a kind instead of tiles.
    #[arg(long, value_name = "KIND", conflicts_with_all = ["map", "maps"])]
    curves: Option<Curves>,
    /// Sizes of the maps to make, in curved patches.
    #[arg(
        long,
        value_name = "COUNTS",
        value_delimiter = ',',
        default_value = "10,30,100,300,1000"
    )]
    patches: Vec<usize>,
    /// Seed of the tiles' variations.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A folder: all IBSP 46 maps in it instead of tiles.
    #[arg(long, value_name = "DIR", conflicts_with = "map")]
    maps: Option<PathBuf>,
    /// Only maps whose names hold this text.
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// Hulls, as onionc takes them.
    #[arg(long = "hull", value_name = "HULL", default_values_t = HULLS.map(str::to_owned))]
    hulls: Vec<String>,
    /// Compiles of each map, binary and number of threads.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    repeats: u32,
    /// Another onionc to compare with, at 1 thread.
    #[arg(long, value_name = "BINARY")]
    baseline: Option<PathBuf>,
    /// Where to write all that was measured.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Cargo gives this to every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
}

/// A map to compile.
struct Input {
    name: String,
    path: PathBuf,
}

fn main() -> ExitCode {
    command::benchmark("scale", || run(&Args::parse()))
}

fn run(args: &Args) -> Result<(), String> {
    let folder = TempDir::new().map_err(|error| error.to_string())?;
    let onionc = command::build_alike()?;
    let mut all = Vec::new();
    for input in inputs(args, folder.path())? {
        eprintln!("{} ...", input.name);
        all.push(measure(args, &onionc, &input, folder.path())?);
    }
    if all.is_empty() {
        return Err("there are no such maps".to_owned());
    }
    println!("{}", tables::growth(&all));
    println!("{}", tables::stages(&all));
    if args.baseline.is_some() {
        println!("{}", tables::baseline(&all));
    }
    if let Some(path) = &args.json {
        let text = serde_json::to_string_pretty(&all).map_err(|error| error.to_string())?;
        fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

/// Makes the maps, from small to large.
fn inputs(args: &Args, folder: &Path) -> Result<Vec<Input>, String> {
    if let Some(maps) = &args.maps {
        let found = maps_in(maps).into_iter();
        let found = found.filter(|map| map.name.contains(&args.only));
        return found
            .map(|map| input(folder, &map.name, &map.bytes))
            .collect();
    }
    if let Some(curves) = args.curves {
        let mut counts = args.patches.clone();
        counts.sort_unstable();
        let map = |count| {
            let name = format!("{}-{count}", curves.name());
            input(folder, &name, &samples::write(&curves.map(count)))
        };
        return counts.into_iter().map(map).collect();
    }
    let path = args.map.as_deref().unwrap_or(Path::new(""));
    let at = |error: String| format!("{}: {error}", path.display());
    let source = fs::read(path).map_err(|error| at(error.to_string()))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let mut counts = args.brushes.clone();
    counts.sort_unstable();
    let maps = counts.into_iter().map(|count| {
        let tiled = tile(&source, Size::Brushes(count), args.seed).map_err(at)?;
        input(folder, &format!("{name}-{count}"), &tiled.bytes)
    });
    maps.collect()
}

fn input(folder: &Path, name: &str, bytes: &[u8]) -> Result<Input, String> {
    let path = folder.join(name).with_extension("bsp");
    fs::write(&path, bytes).map_err(|error| format!("{}: {error}", path.display()))?;
    let name = name.to_owned();
    Ok(Input { name, path })
}

/// Compiles a map repeatedly: each round has every binary and number of threads once, so that a slow minute of the
/// machine slows all of them.
fn measure(args: &Args, onionc: &Path, input: &Input, folder: &Path) -> Result<Measured, String> {
    let [mut one, mut two, mut baseline] = [const { Vec::<Run>::new() }; 3];
    for _ in 0..args.repeats {
        one.push(compile(onionc, &input.path, &args.hulls, 1, folder)?);
        two.push(compile(onionc, &input.path, &args.hulls, 2, folder)?);
        if let Some(binary) = &args.baseline {
            // A name without a folder would be looked up in the search path.
            let binary = &Path::new(".").join(binary);
            baseline.push(compile(binary, &input.path, &args.hulls, 1, folder)?);
        }
    }
    Ok(Measured {
        map: input.name.clone(),
        n_hulls: args.hulls.len(),
        one,
        two,
        baseline,
    })
}
