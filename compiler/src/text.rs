//! Text for reports, warnings and errors: counts in English (`1 node`, `2 nodes`), with both forms of each noun
//! because not all plurals end in s, and shortened quotes from files.

/// A number with its noun.
pub fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// The beginning of a text that may be of any length.
pub fn shortened(text: &str) -> String {
    let mut characters = text.chars();
    let start: String = characters.by_ref().take(60).collect();
    let rest = if characters.next().is_some() {
        "…"
    } else {
        ""
    };
    start + rest
}
