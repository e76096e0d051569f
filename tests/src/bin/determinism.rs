//! The same map gives the same bytes: builds `onionc` four ways (without optimization, as tests are built, for
//! release, and for this machine's own processor), compiles sample maps and those of a folder with several numbers of
//! threads again and again, and compares every output with the first one of its map. Prints a table; fails at the
//! first difference and reports it.
//!
//! The whole matrix takes hours; `--only`, `--largest`, `--builds` and `--repeats` run a part of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use clap::Parser;
use onion_tests::choice::Choice;
use onion_tests::command;
use onion_tests::maps::files_in;
use onion_tests::subject::HULLS;
use tempfile::TempDir;

/// Compiles sample maps and BSP files in many ways and compares the bytes.
#[derive(Parser)]
struct Args {
    #[command(flatten)]
    choice: Choice,
    /// Builds to try: unoptimized, dev, release, native.
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "unoptimized,dev,release,native",
        value_parser = ["unoptimized", "dev", "release", "native"]
    )]
    builds: Vec<String>,
    /// Numbers of threads to try.
    #[arg(
        long,
        value_name = "NUMBERS",
        value_delimiter = ',',
        default_value = "1,2,3,8"
    )]
    threads: Vec<u16>,
    /// Compiles of each map, build and number of threads.
    #[arg(long, default_value_t = 20)]
    repeats: usize,
}

/// A way to build `onionc`: name, Cargo's profile, more arguments, Rust flags.
type Build = (
    &'static str,
    &'static str,
    &'static [&'static str],
    &'static str,
);

const BUILDS: [Build; 4] = [
    (
        "unoptimized",
        "dev",
        &["--config", "profile.dev.opt-level=0"],
        "",
    ),
    ("dev", "dev", &[], ""),
    ("release", "release", &[], ""),
    ("native", "release", &[], "-Ctarget-cpu=native"),
];

fn main() -> ExitCode {
    command::ended("determinism", run(&Args::parse()))
}

fn run(args: &Args) -> Result<(), String> {
    let maps = args.choice.all_maps(|folder| files_in(folder, "bsp"));
    if maps.is_empty() {
        return Err("there are no such maps".to_owned());
    }
    let binaries = binaries(args)?;
    let names: Vec<String> = binaries
        .iter()
        .map(|(name, _)| format!("{name} s"))
        .collect();
    println!("| map | bytes | compiles | {} |", names.join(" | "));
    println!("|---|---|---|{}", "---|".repeat(names.len()));
    let folder = TempDir::new().map_err(|error| error.to_string())?;
    let mut n_compiles = 0;
    for map in &maps {
        let path = folder.path().join("map.bsp");
        fs::write(&path, &map.bytes).map_err(|error| error.to_string())?;
        let mut first = None;
        let mut seconds = Vec::new();
        for (build, binary) in &binaries {
            let start = Instant::now();
            for (threads, repeat) in runs(args) {
                let bytes = compile(binary, &path, threads)?;
                let what = format!("{build}, {threads} threads, repeat {repeat}");
                let (first_what, first_bytes) =
                    first.get_or_insert_with(|| (what.clone(), bytes.clone()));
                if let Some(difference) = difference(first_bytes, &bytes) {
                    let name = &map.name;
                    return Err(format!(
                        "{name}: {first_what} and {what} differ: {difference}"
                    ));
                }
                n_compiles += 1;
            }
            seconds.push(format!("{:.1}", start.elapsed().as_secs_f64()));
        }
        let size = first.map_or(0, |(_, bytes)| bytes.len());
        let n_runs = binaries.len() * runs(args).count();
        println!(
            "| {} | {size} | {n_runs} | {} |",
            map.name,
            seconds.join(" | ")
        );
    }
    println!("{} maps, {n_compiles} compiles, no difference", maps.len());
    Ok(())
}

/// Returns the numbers of threads, each with all repeats.
fn runs(args: &Args) -> impl Iterator<Item = (u16, usize)> {
    let repeats = args.repeats;
    let threads = args.threads.iter();
    threads.flat_map(move |&threads| (1..=repeats).map(move |repeat| (threads, repeat)))
}

/// Builds the binaries, each in its own target folder.
fn binaries(args: &Args) -> Result<Vec<(&'static str, PathBuf)>, String> {
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/determinism");
    let wanted = BUILDS.into_iter();
    let wanted = wanted.filter(|(name, ..)| args.builds.iter().any(|build| build == name));
    wanted
        .map(|(name, profile, arguments, flags)| {
            eprintln!("building onionc: {name} ...");
            let binary = command::build(&target.join(name), profile, arguments, flags)?;
            Ok((name, binary))
        })
        .collect()
}

/// Compiles a map from scratch, whatever files an earlier compile left.
fn compile(onionc: &Path, map: &Path, threads: u16) -> Result<Vec<u8>, String> {
    let output = map.with_extension("onion");
    let mut command = Command::new(onionc);
    for hull in HULLS {
        command.args(["--hull", hull]);
    }
    let run = command
        .arg(map)
        .args(["--force", "--threads", &threads.to_string(), "-o"])
        .arg(&output)
        .stdout(Stdio::null())
        .output()
        .map_err(|error| format!("{}: {error}", onionc.display()))?;
    if !run.status.success() {
        return Err(String::from_utf8_lossy(&run.stderr).into_owned());
    }
    fs::read(&output).map_err(|error| format!("{}: {error}", output.display()))
}

/// Returns the first difference between two files, or `None` if they are equal.
fn difference(a: &[u8], b: &[u8]) -> Option<String> {
    if a == b {
        return None;
    }
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    Some(format!(
        "{} and {} bytes, the same up to byte {same}",
        a.len(),
        b.len()
    ))
}
