//! Counts as English has them, for reports, warnings and errors: `1 node`, `2 nodes`. Nouns come in both
//! forms, because not all take an s.

/// A number with its noun.
pub fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
