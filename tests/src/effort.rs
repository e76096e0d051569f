//! How much a run of the tests does: moderate numbers of random cases and small real maps by default, more
//! and all of them with the feature `long`. `ONION_EFFORT` multiplies the numbers of either.

use std::sync::LazyLock;

/// Whether this is the long run.
pub const LONG: bool = cfg!(feature = "long");

/// How many random cases a test looks at.
#[derive(Clone, Copy, Debug)]
pub struct Cases(usize);

impl Cases {
    /// A number of random cases by default and one in the long run.
    pub const fn new(by_default: usize, long: usize) -> Self {
        Self(if LONG { long } else { by_default })
    }

    /// The number for this run.
    pub fn count(self) -> usize {
        static EFFORT: LazyLock<usize> = LazyLock::new(|| {
            let text = std::env::var("ONION_EFFORT").unwrap_or("1".to_owned());
            let number = text.parse().ok().filter(|&number| number > 0);
            number.unwrap_or_else(|| panic!("ONION_EFFORT={text}: not a whole number above 0"))
        });
        self.0 * *EFFORT
    }
}
