//! How much a run of the tests does: moderate numbers of random cases and small real maps by default, more
//! and all of them with the feature `long`.

/// Whether this is the long run.
pub const LONG: bool = cfg!(feature = "long");

/// The number of random cases of a test, by default and in the long run.
pub const fn cases(by_default: usize, long: usize) -> usize {
    if LONG { long } else { by_default }
}
