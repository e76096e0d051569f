//! The external programs of tests and benchmarks: benchmarks themselves, run from the root of the repository; the
//! `onionc` command and the C library, built by Cargo and found where Cargo puts them; and the C compiler.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Runs a benchmark from the root of the repository, wherever Cargo starts it, and reports the error if it fails.
pub fn benchmark(name: &str, run: impl FnOnce() -> Result<(), String>) -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let result = std::env::set_current_dir(root).map_err(|error| error.to_string());
    ended(name, result.and_then(|()| run()))
}

/// Returns the exit code of a program, and reports the error if it failed.
pub fn ended(name: &str, result: Result<(), impl Display>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{name}: error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The file name of the command.
const ONIONC: &str = if cfg!(windows) {
    "onionc.exe"
} else {
    "onionc"
};

/// Builds `onionc` with more Cargo arguments and Rust flags, and returns the path of the binary. `profile` is Cargo's
/// name of the profile.
///
/// # Errors
/// Cargo does not run, or the build fails; what is wrong is on the error stream.
pub fn build(
    target: &Path,
    profile: &str,
    arguments: &[&str],
    flags: &str,
) -> Result<PathBuf, String> {
    let what = ["-p", "onionc", "--bin", "onionc"];
    let folder = cargo_build(&what, target, profile, arguments, flags)?;
    Ok(folder.join(ONIONC))
}

/// Builds a target with Cargo, and returns the folder it is in.
fn cargo_build(
    what: &[&str],
    target: &Path,
    profile: &str,
    arguments: &[&str],
    flags: &str,
) -> Result<PathBuf, String> {
    let mut command = Command::new(env!("CARGO"));
    command
        .args(["build", "--quiet"])
        .args(what)
        .args(["--profile", profile])
        .args(arguments)
        .arg("--target-dir")
        .arg(target)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    if !flags.is_empty() {
        command.env("RUSTFLAGS", flags);
    }
    let status = command
        .status()
        .map_err(|error| format!("cargo: {error}"))?;
    if !status.success() {
        return Err(format!("{} does not build", what.join(" ")));
    }
    let folder = if profile == "dev" { "debug" } else { profile };
    Ok(target.join(folder))
}

/// Builds `onionc` in the profile of the running test or benchmark. Names no package, so that every package has the
/// same features as in the build of the tests, and nothing is compiled twice.
///
/// # Errors
/// As [`build`], or the executable is not where Cargo puts tests.
pub fn build_alike() -> Result<PathBuf, String> {
    let (target, profile) = own_place()?;
    let folder = cargo_build(&["--bin", "onionc"], &target, &profile, &[], "")?;
    Ok(folder.join(ONIONC))
}

/// Returns the folder of the library for C, which Cargo builds in all its forms because the tests depend on it.
///
/// # Errors
/// The executable is not where Cargo puts tests.
pub fn library_folder() -> Result<PathBuf, String> {
    let executable = std::env::current_exe().map_err(|error| error.to_string())?;
    let folder = executable.parent().map(Path::to_owned);
    folder.ok_or_else(|| format!("{}: not where Cargo puts tests", executable.display()))
}

/// Returns the target folder of the running test or benchmark.
///
/// # Errors
/// The executable is not where Cargo puts tests.
pub fn target_folder() -> Result<PathBuf, String> {
    own_place().map(|(target, _)| target)
}

/// Returns the target folder and the profile of the running test or benchmark.
fn own_place() -> Result<(PathBuf, String), String> {
    // <target>/<profile>/deps/<name>-<hash>
    let executable = std::env::current_exe().map_err(|error| error.to_string())?;
    let folder = executable.ancestors().nth(2);
    let place = folder.and_then(|folder| Some((folder.parent()?, folder.file_name()?.to_str()?)));
    match place {
        Some((target, "debug")) => Ok((target.to_owned(), "dev".to_owned())),
        Some((target, profile)) => Ok((target.to_owned(), profile.to_owned())),
        None => Err(format!(
            "{}: not where Cargo puts tests",
            executable.display()
        )),
    }
}

/// Returns the compiler that an environment variable names, or else the first of the usual ones that is installed.
pub fn compiler(variable: &str, usual: &[&str]) -> Option<String> {
    let is_there = |name: &&str| Command::new(name).arg("--version").output().is_ok();
    let named = std::env::var(variable).ok();
    named.or_else(|| {
        usual
            .iter()
            .find(|name| is_there(name))
            .map(|&name| name.to_owned())
    })
}
