//! What runs from outside: benchmarks, from the root of the repository, and the `onionc` command, built
//! by Cargo and found where Cargo puts it.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Runs a benchmark from the root of the repository, wherever Cargo starts it, and tells what went wrong.
pub fn benchmark(name: &str, run: impl FnOnce() -> Result<(), String>) -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let result = std::env::set_current_dir(root).map_err(|error| error.to_string());
    match result.and_then(|()| run()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            crate::maps::say(&format!("{name}: error: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// Builds `onionc` with more Cargo arguments and Rust flags, and returns the binary. `profile` is
/// Cargo's name of the profile.
///
/// # Errors
/// Cargo does not run, or the build fails; what is wrong is on the error stream.
pub fn build(
    target: &Path,
    profile: &str,
    arguments: &[&str],
    flags: &str,
) -> Result<PathBuf, String> {
    let mut command = Command::new(env!("CARGO"));
    command
        .args(["build", "--quiet", "-p", "onionc", "--bin", "onionc"])
        .args(["--profile", profile])
        .args(arguments)
        .arg("--target-dir")
        .arg(target)
        .current_dir(env!("CARGO_MANIFEST_DIR"));
    if !flags.is_empty() {
        command.env("RUSTFLAGS", flags);
    }
    let status = command
        .status()
        .map_err(|error| format!("cargo: {error}"))?;
    if !status.success() {
        return Err("onionc does not build".to_owned());
    }
    let folder = if profile == "dev" { "debug" } else { profile };
    let binary = format!("onionc{}", std::env::consts::EXE_SUFFIX);
    Ok(target.join(folder).join(binary))
}

/// Builds `onionc` in the profile of the running test or benchmark.
///
/// # Errors
/// As [`build`], or the executable is not where Cargo puts tests.
pub fn build_alike() -> Result<PathBuf, String> {
    // <target>/<profile>/deps/<name>-<hash>
    let executable = std::env::current_exe().map_err(|error| error.to_string())?;
    let folder = executable.ancestors().nth(2);
    let place = folder.and_then(|folder| Some((folder.parent()?, folder.file_name()?.to_str()?)));
    match place {
        Some((target, "debug")) => build(target, "dev", &[], ""),
        Some((target, profile)) => build(target, profile, &[], ""),
        None => Err(format!("{}: no place of a test", executable.display())),
    }
}
