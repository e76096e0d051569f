//! Small numbers that affect decisions have a name and a place: the module of tolerances of their crate, where their
//! order is asserted.

use crate::assert_none;
use crate::code::tokens;
use crate::sources;

/// Crates whose numbers affect decisions. Tests may define their own tolerances.
const DECIDING: [&str; 8] = [
    "format-spec",
    "runtime",
    "runtime/c",
    "compiler/geometry",
    "compiler/maps",
    "compiler/core",
    "compiler/views",
    "compiler",
];

/// The module of tolerances has this name in each crate.
const MODULE: &str = "/tolerance.rs";

#[test]
fn tolerances_are_in_one_place() {
    let mut found = Vec::new();
    for source in DECIDING.into_iter().flat_map(sources::of_crate) {
        let code = source.code.split("#[cfg(test)]").next().unwrap_or_default();
        let small = tokens(code).into_iter().filter(|token| {
            token.text.starts_with(|first: char| first.is_ascii_digit())
                && token.text.ends_with('e')
                && code[token.at + token.text.len()..].starts_with('-')
        });
        if !source.path.ends_with(MODULE) {
            found.extend(
                small.map(|token| format!("{}:{}: {}-…", source.path, token.line, token.text)),
            );
        }
    }
    assert_none(
        "Name these numbers in the crate's module of tolerances",
        &found,
    );
}
