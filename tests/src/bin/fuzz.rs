//! Runs the targets of `onion_tests::fuzz` without a fuzzer: changes seeds and kept inputs at random, on all
//! processors. It runs more inputs a second than `tests/fuzz/run`, which is guided by the coverage of the code.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{fs, process};

use clap::Parser;
use onion_tests::fuzz::{TARGETS, Target, answers};
use onion_tests::random::Random;

/// Number of inputs between two checks of the clock.
const BATCH: u64 = 256;
/// Longest inputs, in bytes.
const LONGEST: usize = 1 << 16;

/// Fuzzes without a fuzzer; prints inputs and answers of each target, and ends with 1 at a fault.
#[derive(Parser)]
struct Args {
    /// Targets; all by default.
    targets: Vec<String>,
    /// Seconds for each target.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Where the random numbers begin; another number, other inputs.
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

fn main() {
    let args = Args::parse();
    println!("{:<12} {:>14} {:>16}", "target", "inputs", "answers");
    let wanted = |target: &&Target| {
        args.targets.is_empty() || args.targets.iter().any(|name| name == target.name)
    };
    for target in TARGETS.into_iter().filter(wanted) {
        let before = answers();
        let n_inputs = run(target, args.seed, Duration::from_secs(args.seconds));
        println!(
            "{:<12} {n_inputs:>14} {:>16}",
            target.name,
            answers() - before
        );
    }
}

/// Runs a target for some time, and returns the number of inputs.
fn run(target: &Target, seed: u64, time: Duration) -> u64 {
    let begun = Instant::now();
    let kept = kept(target);
    let next = AtomicU64::new(0);
    rayon::broadcast(|_| {
        while begun.elapsed() < time {
            let first = next.fetch_add(BATCH, Ordering::Relaxed);
            for number in first..first + BATCH {
                let mut random = Random::new(Random::new(seed).bits() ^ number);
                one(target, &kept, &mut random);
            }
        }
    });
    next.into_inner()
}

/// Changes an input and runs it. Writes down an input that shows a fault.
fn one(target: &Target, kept: &[Vec<u8>], random: &mut Random) {
    let mut input = kept[random.below(kept.len())].clone();
    for _ in 0..1 + random.below(6) {
        (target.mutate)(&mut input, random);
    }
    input.truncate(LONGEST);
    (target.mend)(&mut input);
    if std::panic::catch_unwind(|| (target.run)(&input)).is_err() {
        let path = format!("{}-fault", target.name);
        fs::write(&path, input).expect("the input is written");
        eprintln!("a fault; the input is in {path}");
        process::exit(1);
    }
}

/// Returns the seeds and the kept inputs of the corpora.
fn kept(target: &Target) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    let folders = ["corpus", "target/fuzz"].map(|of| folder.join(of).join(target.name));
    let entries = folders
        .iter()
        .flat_map(|folder| fs::read_dir(folder).into_iter().flatten());
    let files = entries.filter_map(|entry| fs::read(entry.ok()?.path()).ok());
    let mut all = (target.seeds)();
    all.extend(files);
    all
}
