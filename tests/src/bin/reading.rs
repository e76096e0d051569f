//! The share of reading in the compile of a map: `reading --maps DIR`.
//!
//! In: the `.bsp`, `.map`, `.glb` and `.gltf` files below a folder. Out: a table of milliseconds for each, the one
//! with the largest share first: reading, and the whole compile for the hulls of most tests on one thread. Each is
//! the fastest of several runs that take turns, because a busy machine slows single runs.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use onion_compiler::CompileOptions;
use onion_compiler::compile;
use onion_maps::{Map, ReadOptions};
use onion_tests::maps::{RealMap, files_in};
use onion_tests::subject;

/// Measures what reading maps takes of compiling them.
#[derive(Parser)]
struct Args {
    /// The folder of the maps.
    #[arg(long, value_name = "DIR")]
    maps: PathBuf,
    /// Only maps whose names hold this text.
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// How often each map is read and compiled.
    #[arg(long, value_name = "COUNT", default_value_t = 3)]
    repeats: usize,
}

/// Seconds that a map took.
struct Times {
    name: String,
    reading: f64,
    compile: f64,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let measured = pool.map(|pool| pool.install(|| measure(&args)));
    let Ok(mut all) = measured else {
        eprintln!("reading: error: no threads");
        return ExitCode::FAILURE;
    };
    all.sort_by(|a, b| b.share().total_cmp(&a.share()));
    println!("| map | reading, ms | reading and compile, ms | share |\n|---|--:|--:|--:|");
    for times in &all {
        let Times {
            name,
            reading,
            compile,
        } = times;
        let [reading, whole] = [*reading, reading + compile].map(|seconds| seconds * 1e3);
        println!(
            "| {name} | {reading:.2} | {whole:.1} | {:.1}% |",
            times.share() * 100.0
        );
    }
    ExitCode::SUCCESS
}

impl Times {
    fn share(&self) -> f64 {
        self.reading / (self.reading + self.compile)
    }
}

fn measure(args: &Args) -> Vec<Times> {
    let maps = ["bsp", "map", "glb", "gltf"].map(|extension| files_in(&args.maps, extension));
    let maps = maps
        .into_iter()
        .flatten()
        .filter(|map| map.name.contains(&args.only));
    maps.filter_map(|map| of_map(&map, &args.maps, args.repeats))
        .collect()
}

/// Measures the times of a map. Returns `None` if it cannot be read or compiled.
fn of_map(file: &RealMap, folder: &Path, repeats: usize) -> Option<Times> {
    let options = ReadOptions {
        folder: Some(folder.to_owned()),
        ..ReadOptions::default()
    };
    let hulls = CompileOptions::new(subject::hulls(&subject::HULLS[..2]));
    let (mut reading, mut compiling) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..repeats.max(1) {
        let (map, seconds): (Option<Map>, f64) =
            timed(|| onion_maps::parse(&file.bytes, &options).ok());
        reading = reading.min(seconds);
        let (compiled, seconds) = timed(|| compile(&map?, &hulls).ok());
        compiled?;
        compiling = compiling.min(seconds);
    }
    Some(Times {
        name: file.name.clone(),
        reading,
        compile: compiling,
    })
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed().as_secs_f64())
}
