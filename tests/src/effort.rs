//! The amount of work in a run of the tests: moderate numbers of random cases and small real maps by default, the large
//! maps in their place with `ONION_LONG=large`, all maps and more cases with `ONION_LONG=1`. `ONION_EFFORT` multiplies
//! the numbers of cases.

use std::sync::LazyLock;

/// Whether this is the long run.
pub fn is_long() -> bool {
    length() == "1"
}

/// Returns whether the tests read the large real maps in this run.
pub fn has_large_maps() -> bool {
    matches!(length(), "1" | "large")
}

/// Returns whether the tests read the small real maps in this run.
pub fn has_small_maps() -> bool {
    length() != "large"
}

fn length() -> &'static str {
    static LENGTH: LazyLock<String> = LazyLock::new(|| {
        let text = std::env::var("ONION_LONG").unwrap_or_default();
        let is_known = matches!(&*text, "" | "0" | "1" | "large");
        assert!(
            is_known,
            "ONION_LONG={text}: write 1 or large, or leave it out"
        );
        text
    });
    &LENGTH
}

/// The number of random cases in a test.
#[derive(Clone, Copy, Debug)]
pub struct Cases {
    by_default: usize,
    long: usize,
}

impl Cases {
    /// Sets the number of random cases by default and in the long run.
    pub const fn new(by_default: usize, long: usize) -> Self {
        Self { by_default, long }
    }

    /// Returns the number for this run.
    pub fn count(self) -> usize {
        static EFFORT: LazyLock<usize> = LazyLock::new(|| {
            let text = std::env::var("ONION_EFFORT").unwrap_or("1".to_owned());
            let number = text.parse().ok().filter(|&number| number > 0);
            number.unwrap_or_else(|| panic!("ONION_EFFORT={text}: not a whole number above 0"))
        });
        let number = if is_long() {
            self.long
        } else {
            self.by_default
        };
        number * *EFFORT
    }
}
