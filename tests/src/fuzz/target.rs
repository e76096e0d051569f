//! The definition of a fuzz target, and the tasks that all targets share: counting the answers that they check, and
//! random numbers that depend on an input alone.

use std::fs;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::random::Random;

/// A target.
pub struct Target {
    /// Its name, which is also the name of its corpus and of its program.
    pub name: &'static str,
    /// Runs one input.
    ///
    /// # Panics
    /// If the input shows a fault.
    pub run: fn(&[u8]),
    /// Returns the seeds.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Changes an input.
    pub mutate: fn(&mut Vec<u8>, &mut Random),
    /// Repairs the parts that any change of bytes breaks, such as a checksum.
    pub mend: fn(&mut [u8]),
}

impl Target {
    /// Returns a target whose changed inputs need no repair.
    pub(super) const fn new(
        name: &'static str,
        run: fn(&[u8]),
        seeds: fn() -> Vec<Vec<u8>>,
        mutate: fn(&mut Vec<u8>, &mut Random),
    ) -> Self {
        Self {
            name,
            run,
            seeds,
            mutate,
            mend: |_| {},
        }
    }
}

/// The count is written each time that this many more answers were checked.
const NOTE_EACH: u64 = 1 << 13;

static SUM: AtomicU64 = AtomicU64::new(0);

/// Counts answers that were checked. Their number, rounded down, goes to the file that the environment variable
/// `ONION_FUZZ_COUNT` names, if it is set.
///
/// # Panics
/// If that file cannot be written.
pub fn count(n_answers: u64) {
    static FILE: LazyLock<Option<String>> =
        LazyLock::new(|| std::env::var("ONION_FUZZ_COUNT").ok());
    let before = SUM.fetch_add(n_answers, Ordering::Relaxed);
    let after = before + n_answers;
    if before / NOTE_EACH != after / NOTE_EACH
        && let Some(path) = &*FILE
    {
        fs::write(path, after.to_string()).unwrap();
    }
}

/// Returns the number of answers checked so far.
pub fn answers() -> u64 {
    SUM.load(Ordering::Relaxed)
}

/// Returns random numbers that depend on an input alone.
pub fn random_of(input: &[u8]) -> Random {
    Random::new(onion_format::checksum(input))
}
