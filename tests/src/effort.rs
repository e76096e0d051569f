//! The amount of work in a run of the tests: moderate numbers of random cases and small real maps by default, more
//! cases and all maps with `ONION_LONG=1`. `ONION_EFFORT` multiplies the numbers of either.

use std::sync::LazyLock;

/// Whether this is the long run.
pub fn is_long() -> bool {
    static IS_LONG: LazyLock<bool> = LazyLock::new(|| match std::env::var("ONION_LONG") {
        Ok(text) if text == "1" => true,
        Ok(text) if !text.is_empty() && text != "0" => {
            panic!("ONION_LONG={text}: write 1, or leave it out")
        }
        _ => false,
    });
    *IS_LONG
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
