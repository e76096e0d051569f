//! The list of what tests leave out because something is missing: tests report it here, and the last test program
//! prints it.
//!
//! The list of a run is the file `skipped.txt` in the target folder. Its first line is the number of the process that
//! started the test programs, so that the list of an earlier run is recognized and dropped.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use crate::command;

/// Adds a line to the list: the part that is not tested, and what it needs.
///
/// # Panics
/// If the list cannot be written: a skipped test must not pass for one that ran.
pub fn skip(what: &str) {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let path = begun();
    let mut file = OpenOptions::new().append(true).open(path).unwrap();
    writeln!(file, "{what}").unwrap();
}

/// Returns the lines of this run without duplicates.
///
/// # Panics
/// If the list cannot be read.
pub fn list() -> BTreeSet<String> {
    let text = fs::read_to_string(begun()).unwrap();
    text.lines().skip(1).map(str::to_owned).collect()
}

/// Returns the path of the list of this run, which is created if it does not exist.
fn begun() -> PathBuf {
    let path = command::target_folder().unwrap().join("skipped.txt");
    let run = format!("run {}\n", starter());
    let is_ours = fs::read_to_string(&path).is_ok_and(|text| text.starts_with(&run));
    if !is_ours {
        fs::write(&path, run).unwrap();
    }
    path
}

/// Returns the number of the process that started this one.
fn starter() -> u32 {
    #[cfg(unix)]
    return std::os::unix::process::parent_id();
    #[cfg(not(unix))]
    return 0;
}
