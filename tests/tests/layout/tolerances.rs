//! Small numbers that affect decisions have a name and a place: the module of tolerances of their crate, where their
//! order is asserted.

use crate::assert_none;
use crate::code::{places, tokens};
use crate::sources::{self, CRATES};

/// Crates whose numbers affect no decisions: a plugin, and tests, which may define their own tolerances.
const OTHERS: [&str; 2] = ["runtime/bevy", "tests"];

/// The module of tolerances has this name in each crate.
const MODULE: &str = "/tolerance.rs";

#[test]
fn tolerances_are_in_one_place() {
    let mut found = Vec::new();
    let deciding = CRATES.into_iter().filter(|folder| !OTHERS.contains(folder));
    for source in deciding.flat_map(sources::of_crate) {
        let tokens = tokens(&source.text);
        let of_tests = places(&tokens, &["#", "[", "cfg", "(", "test"]);
        let own = &tokens[..of_tests.first().copied().unwrap_or(tokens.len())];
        let small = own.iter().filter(|token| {
            token.text.starts_with(|first: char| first.is_ascii_digit())
                && token.text.contains("e-")
        });
        if !source.path.ends_with(MODULE) {
            found.extend(
                small.map(|token| format!("{}:{}: {}", source.path, token.line, token.text)),
            );
        }
    }
    assert_none(
        "Name these numbers in the crate's module of tolerances",
        &found,
    );
}
