//! One compile in a separate process: a command in; its wall time, its peak memory and its report out. A separate
//! process is the only way to measure the memory of one compile.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::Value;

/// Interval between readings of a process's memory.
const POLL: Duration = Duration::from_millis(2);

/// A compile.
#[derive(Serialize)]
pub struct Run {
    /// Wall time of the process.
    pub seconds: f64,
    /// Peak resident memory, in bytes, on systems that report it.
    pub peak_bytes: Option<u64>,
    /// The report of `onionc --json`.
    pub report: Value,
}

impl Run {
    /// Returns a count of the report.
    pub fn count(&self, key: &str) -> u64 {
        self.report[key].as_u64().unwrap_or_default()
    }

    /// Returns the stages' names and seconds.
    pub fn stages(&self) -> Vec<(&str, f64)> {
        let stages = self.report["stages"].as_array();
        let stages = stages.into_iter().flatten();
        stages
            .filter_map(|stage| Some((stage[0].as_str()?, stage[1].as_f64()?)))
            .collect()
    }
}

/// All compiles of a map.
#[derive(Serialize)]
pub struct Measured {
    /// Its name.
    pub map: String,
    /// Number of hulls.
    pub n_hulls: usize,
    /// Runs at 1 thread.
    pub one: Vec<Run>,
    /// Runs at 2 threads.
    pub two: Vec<Run>,
    /// Runs of another binary at 1 thread, if one was given.
    pub baseline: Vec<Run>,
}

/// Compiles a map.
///
/// # Errors
/// The command does not run or does not succeed.
pub fn compile(
    onionc: &Path,
    map: &Path,
    hulls: &[String],
    threads: usize,
    folder: &Path,
) -> Result<Run, String> {
    let at = |error: &str| format!("{} {}: {error}", onionc.display(), map.display());
    let io = |error: std::io::Error| at(&error.to_string());
    // Files, not pipes, because pipes are not read while the process runs.
    let [report, errors] = ["report.json", "errors.txt"].map(|name| folder.join(name));
    let mut command = Command::new(onionc);
    command.arg(map);
    for hull in hulls {
        command.args(["--hull", hull]);
    }
    command
        .args(["--threads", &threads.to_string(), "--json", "-o"])
        .arg(folder.join("out.onion"))
        .stdin(Stdio::null())
        .stdout(File::create(&report).map_err(io)?)
        .stderr(File::create(&errors).map_err(io)?);
    let start = Instant::now();
    let mut child = command.spawn().map_err(io)?;
    let done = AtomicBool::new(false);
    let id = child.id();
    let (status, seconds, peak_bytes) = thread::scope(|scope| {
        let watch = scope.spawn(|| watch(id, &done));
        let status = child.wait();
        let seconds = start.elapsed().as_secs_f64();
        done.store(true, Ordering::Relaxed);
        (status, seconds, watch.join().unwrap_or_default())
    });
    if !status.map_err(io)?.success() {
        return Err(at(&fs::read_to_string(&errors).unwrap_or_default()));
    }
    let report = fs::read(&report).map_err(io)?;
    Ok(Run {
        seconds,
        peak_bytes,
        report: serde_json::from_slice(&report).map_err(|error| at(&error.to_string()))?,
    })
}

/// Polls the peak of a process's memory until the process is done. Memory allocated in its last moments may be
/// missed.
fn watch(id: u32, done: &AtomicBool) -> Option<u64> {
    let mut peak = None;
    while !done.load(Ordering::Relaxed) {
        peak = peak_of(id).max(peak);
        thread::sleep(POLL);
    }
    peak
}

/// Returns the peak of a process's resident memory so far; known on Linux.
fn peak_of(id: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes = line.trim().strip_suffix("kB")?.trim();
    Some(kibibytes.parse::<u64>().ok()? * 1024)
}
