//! Cleans up if the command is stopped while it works (by Ctrl-C, `kill`, a closed terminal, lack of memory):
//! unfinished files are removed, and the process ends as if by the signal. A file that grows beyond the system's
//! limit is an error, not a signal.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::{fs, io};

use tempfile::NamedTempFile;

/// Existing temporary files. Code that makes, moves or removes one holds the lock.
static PENDING: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Returns the unfinished files, which a signal removes. A panic in another thread does not keep it from that.
fn pending() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    PENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes a temporary file, which is removed if the command is stopped before it is [`placed`].
pub fn temporary(make: impl FnOnce() -> io::Result<NamedTempFile>) -> io::Result<NamedTempFile> {
    let mut pending = pending();
    let file = make()?;
    pending.insert(file.path().to_owned());
    Ok(file)
}

/// Moves a temporary file to its place.
pub fn placed(file: NamedTempFile, path: &Path) -> io::Result<()> {
    let mut pending = pending();
    pending.remove(file.path());
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// From now on, an interrupted command leaves no unfinished files. On a system without such signals, nothing changes.
pub fn listen() {
    #[cfg(unix)]
    signals::listen();
}

#[cfg(unix)]
mod signals {
    use std::fs;

    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    pub fn listen() {
        // `nohup` and shells start commands with some signals ignored.
        let stops = [SIGHUP, SIGINT, SIGQUIT, SIGTERM].into_iter();
        let stops = stops.filter(|&signal| !is_ignored(signal));
        // The command works without signal handlers, too.
        let Ok(mut signals) = Signals::new(stops.chain([SIGXFSZ])) else {
            return;
        };
        std::thread::spawn(move || {
            // An error for a file that is too large comes from its write.
            let stop = signals.forever().find(|&signal| signal != SIGXFSZ);
            if let Some(signal) = stop {
                super::clean_up();
                // Shells and make report the signal that ended a process.
                let _ = emulate_default_handler(signal);
            }
        });
    }

    /// Whether a signal is ignored, if the system reports that.
    fn is_ignored(signal: i32) -> bool {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let bits = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let bits = bits.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok());
        bits.is_some_and(|bits| bits >> (signal - 1) & 1 == 1)
    }
}

/// Removes unfinished files, and blocks new ones while the process ends.
#[cfg(unix)]
fn clean_up() {
    let pending = without_unfinished();
    crate::commands::output::message::error(
        "interrupted; files that were finished are whole, others are as they were: run it again to go on",
    );
    // The lock is kept until the process ends.
    std::mem::forget(pending);
}

/// Ends the process with an error and its exit code, and leaves no unfinished files behind.
pub fn end(message: &str, code: i32) -> ! {
    let _pending = without_unfinished();
    crate::commands::output::message::error(message);
    std::process::exit(code)
}

/// Removes unfinished files. No new ones can be made while the returned lock is held.
fn without_unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    let pending = pending();
    for path in pending.iter() {
        // It may be gone already.
        let _ = fs::remove_file(path);
    }
    pending
}
