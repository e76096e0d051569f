//! What a target is, and what all of them do: count the answers that they look at, and take random numbers that depend
//! on an input alone.

use std::fs;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::random::Random;

/// A target.
pub struct Target {
    /// Its name, which is that of its corpus and of its program.
    pub name: &'static str,
    /// Runs one input.
    ///
    /// # Panics
    /// If the input shows a fault.
    pub run: fn(&[u8]),
    /// Inputs to begin with.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Changes an input.
    pub mutate: fn(&mut Vec<u8>, &mut Random),
    /// Makes right what any change of bytes makes wrong, such as a checksum.
    pub mend: fn(&mut [u8]),
}

/// Answers are noted down each time that so many more were looked at.
const NOTE_EACH: u64 = 1 << 13;

static SUM: AtomicU64 = AtomicU64::new(0);

/// Counts answers that were looked at. Their number, rounded down, is in the file that the environment variable
/// `ONION_FUZZ_COUNT` names, if it names one.
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

/// Answers that were looked at so far.
pub fn answers() -> u64 {
    SUM.load(Ordering::Relaxed)
}

/// Leaves an input as it is.
pub fn as_it_is(_: &mut [u8]) {}

/// Random numbers that depend on an input alone.
pub fn random_of(input: &[u8]) -> Random {
    Random::new(onion_format::checksum(input))
}
