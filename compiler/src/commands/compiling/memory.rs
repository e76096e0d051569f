//! The memory limit of a run (`--max-memory`): a run that takes more ends with an error and leaves nothing half-done.
//! A thread checks a hundred times a second how much memory the process uses, if the system reports it (`/proc` on
//! Linux). Elsewhere there is no limit.

use std::str::FromStr;
use std::time::Duration;
use std::{fmt, fs, thread};

use crate::commands::compiling::interrupt;

/// Interval between checks.
const EACH: Duration = Duration::from_millis(10);

/// Letters of units, and the shifts of their numbers, in bits.
const UNITS: [(char, u32); 3] = [('K', 10), ('M', 20), ('G', 30)];

/// The exit code of a limit that was exceeded.
const FAILED: u8 = 6;

/// Limit on the memory of a run, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaxMemory(u64);

/// Eight gigabytes: several times what the largest maps of games take.
impl Default for MaxMemory {
    fn default() -> Self {
        Self(8 << 30)
    }
}

impl FromStr for MaxMemory {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut units = UNITS.iter();
        let parts = units.find_map(|&(letter, bits)| Some((text.strip_suffix(letter)?, bits)));
        let (number, bits) = parts.unwrap_or((text, 0));
        let number: Option<u64> = number.parse().ok();
        let bytes = number.and_then(|number| number.checked_mul(1 << bits));
        let bytes = bytes.filter(|&bytes| bytes > 0);
        bytes.map(Self).ok_or_else(|| {
            "expected a number of bytes above 0, or one with K, M or G such as 2G".to_owned()
        })
    }
}

impl fmt::Display for MaxMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fits = |(_, bits): &&(char, u32)| self.0.trailing_zeros() >= *bits;
        match UNITS.iter().rev().find(fits) {
            Some((letter, bits)) => write!(f, "{}{letter}", self.0 >> bits),
            None => write!(f, "{}", self.0),
        }
    }
}

impl MaxMemory {
    /// From now on, ends the process if it takes more memory. Before that, calls `before` with the reason and the
    /// exit code.
    pub fn watch(self, before: impl FnOnce(&str, u8) + Send + 'static) {
        thread::spawn(move || {
            while let Some(bytes) = resident() {
                if bytes > self.0 {
                    let message = format!(
                        "this run takes more than {self} of memory; allow more with --max-memory, compile fewer maps at once, or \
                         look for brushes and patches of absurd size"
                    );
                    before(&message, FAILED);
                    interrupt::end(&message, FAILED.into());
                }
                thread::sleep(EACH);
            }
        });
    }
}

/// Returns the resident memory of the process, in bytes, or `None` if the system does not report it.
fn resident() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}
