//! Small numbers that affect decisions have a name and a place: the module of tolerances of their crate, where their
//! order is asserted.

use crate::assert_none;
use crate::code::{Token, places, tokens};
use crate::sources::{self, CRATES};

/// Crates whose numbers affect no decisions: a plugin, and tests, which may define their own tolerances.
const OTHERS: [&str; 2] = ["runtime/bevy", "tests"];

/// The module of tolerances has this name in each crate.
const MODULE: &str = "/tolerance.rs";

/// One over this, or over more, is a small number.
const LARGE: f64 = 128.0;

/// Whether a small number begins at the first token: a literal with a negative exponent, one over a large literal or
/// over a shift, or a power of a half.
fn is_small(tokens: &[Token<'_>]) -> bool {
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text);
    let is_large = || (text(2).parse()).is_ok_and(|number: f64| number >= LARGE);
    let is_shift = || [2, 4, 5].map(text) == ["(", "<", "<"];
    match text(0) {
        "half_to_the" => text(1) == "(",
        "1.0" if text(1) == "/" => is_large() || is_shift(),
        number => number.starts_with(|first: char| first.is_ascii_digit()) && number.contains("e-"),
    }
}

#[test]
fn tolerances_are_in_one_place() {
    let mut found = Vec::new();
    let deciding = CRATES.into_iter().filter(|folder| !OTHERS.contains(folder));
    for source in deciding.flat_map(sources::of_crate) {
        let tokens = tokens(&source.text);
        let of_tests = places(&tokens, &["#", "[", "cfg", "(", "test"]);
        let own = &tokens[..of_tests.first().copied().unwrap_or(tokens.len())];
        let small = (0..own.len()).filter(|&at| is_small(&own[at..]));
        if !source.path.ends_with(MODULE) {
            found.extend(small.map(|at| format!("{}:{}", source.path, own[at].line)));
        }
    }
    assert_none(
        "Name these numbers in the crate's module of tolerances",
        &found,
    );
}

#[test]
fn small_numbers_are_found() {
    let n_small = |code: &str| {
        let tokens = tokens(code);
        (0..tokens.len())
            .filter(|&at| is_small(&tokens[at..]))
            .count()
    };
    assert_eq!(n_small("const A: f64 = 1.0 / (1u64 << 31) as f64;"), 1);
    assert_eq!(n_small("[1.0 / 1024.0, half_to_the(9), 2e-9]"), 3);
    assert_eq!(
        n_small("[1.0 / 16.0, (1u64 << 30) as f64, 1.0 / (a + 1.0)]"),
        0
    );
}
