//! Makes a large map of a small one: `tile-map MAP -o OUT.bsp --tiles 4x3` or `--brushes 20000`.
//!
//! In: an IBSP 46 map. Out: an IBSP 46 map whose world repeats the first one's in a grid of turned,
//! mirrored and shifted tiles; the same bytes for the same options on every machine.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use onion_tests::command;
use onion_tests::tiles::{Grid, Size, tile};

/// Repeats the world of a map side by side, with variations.
#[derive(Parser)]
struct Args {
    /// A Quake III BSP file (IBSP version 46).
    map: PathBuf,
    /// Where to write.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    size: SizeArgs,
    /// Another seed gives other turns, shifts and gaps.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(clap::Args)]
#[group(required = true, multiple = false)]
struct SizeArgs {
    /// Columns and rows of tiles.
    #[arg(long, value_name = "NxM", value_parser = grid)]
    tiles: Option<Grid>,
    /// Exactly this number of brushes, in the smallest grid that reaches them.
    #[arg(long, value_name = "COUNT")]
    brushes: Option<usize>,
}

fn grid(text: &str) -> Result<Grid, String> {
    let numbers = text
        .split_once('x')
        .and_then(|(n, m)| Some((n.parse().ok()?, m.parse().ok()?)));
    match numbers {
        Some((columns @ 1..=65_536, rows @ 1..=65_536)) => Ok(Grid { columns, rows }),
        _ => Err("give columns and rows, such as 4x3".to_owned()),
    }
}

fn main() -> ExitCode {
    command::ended("tile-map", run(&Args::parse()))
}

fn run(args: &Args) -> Result<(), String> {
    let size = match (args.size.tiles, args.size.brushes) {
        (Some(grid), _) => Size::Tiles(grid),
        (None, count) => Size::Brushes(count.unwrap_or_default()),
    };
    let at = |path: &PathBuf, error: String| format!("{}: {error}", path.display());
    let map = fs::read(&args.map).map_err(|error| at(&args.map, error.to_string()))?;
    let tiled = tile(&map, size, args.seed).map_err(|error| at(&args.map, error))?;
    fs::write(&args.output, &tiled.bytes).map_err(|error| at(&args.output, error.to_string()))?;
    println!(
        "{} by {} tiles of {} units: {} brushes, {} patches, {} bytes",
        tiled.grid.columns,
        tiled.grid.rows,
        tiled.side,
        tiled.n_brushes(),
        tiled.n_patches(),
        tiled.bytes.len()
    );
    Ok(())
}
