//! Times of path searches: compiled files in; for each, the times of paths between random places of one hull out, as a
//! Markdown table.
//!
//! `cargo bench -p onion-tests --bench paths -- FILE.onion...`. Paths of files are relative to the root of the
//! repository, wherever Cargo starts benchmarks.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use onion_runtime::OnionMap;
use onion_runtime::navigation::{PathCosts, PathError, PathPoint, PathScratch};
use onion_tests::command;
use onion_tests::random::Random;

/// Room for the points of a path.
const MOST_POINTS: usize = 4096;

/// Measures path searches.
#[derive(Parser)]
struct Args {
    /// Files that were compiled with `--floors`.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The hull that finds its way.
    #[arg(long, default_value = "stand")]
    hull: String,
    /// Pairs of places in each file; those without a path between them are not counted.
    #[arg(long, default_value_t = 10_000)]
    pairs: usize,
    /// Cargo gives this to every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> ExitCode {
    command::benchmark("paths", || run(&Args::parse()))
}

fn run(args: &Args) -> Result<(), String> {
    println!("| file | floors | links | paths | median, µs | 95%, µs |");
    println!("|---|--:|--:|--:|--:|--:|");
    for path in &args.files {
        let at = |error: &dyn ToString| format!("{}: {}", path.display(), error.to_string());
        let bytes = fs::read(path).map_err(|error| at(&error))?;
        let map = OnionMap::from_bytes(bytes).map_err(|error| at(&error))?;
        let mut times = times(&map, args).map_err(|error| at(&error))?;
        times.sort_by(f64::total_cmp);
        let quantile = |part: usize| times.get(times.len() * part / 100).unwrap_or(&f64::NAN);
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let n_floors = map.hulls().map(|hull| map.floors(hull.id).count());
        let (n_floors, n_links) = (n_floors.sum::<usize>(), map.n_links());
        let (n_paths, median, most) = (times.len(), quantile(50), quantile(95));
        println!("| {name} | {n_floors} | {n_links} | {n_paths} | {median:.0} | {most:.0} |");
    }
    Ok(())
}

/// Returns the times of searches between random places of a hull, in microseconds.
fn times(map: &OnionMap<Vec<u8>>, args: &Args) -> Result<Vec<f64>, String> {
    let hull = map.find_hull(&args.hull).ok_or("there is no such hull")?;
    let mut scratch = vec![PathScratch::default(); 4 * map.path_scratch()];
    let mut points = vec![PathPoint::default(); MOST_POINTS];
    let mut random = Random::new(1);
    let mut place = || {
        let numbers = [0; 3].map(|_| random.between(0.0, 1.0));
        let found = map.random_place(hull, numbers);
        found.map(|(_, place)| place).ok_or("it has no floors")
    };
    let mut times = Vec::new();
    for _ in 0..args.pairs {
        let [start, goal] = [place()?, place()?];
        let begin = Instant::now();
        let found = map.path(
            hull,
            start,
            goal,
            &PathCosts::default(),
            &mut scratch,
            &mut points,
        );
        let micros = begin.elapsed().as_secs_f64() * 1e6;
        match found {
            Ok(_) => times.push(micros),
            Err(PathError::NoWay) => {}
            Err(error) => return Err(error.to_string()),
        }
    }
    Ok(times)
}
