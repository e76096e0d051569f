//! Tests are where Cargo runs them: crates that are tested from outside say so in their manifest (`test = false`), and
//! Cargo would skip tests within them.

use std::fs;

use crate::assert_none;
use crate::code::{places, tokens};
use crate::sources::{self, CRATES, root};

#[test]
fn no_test_is_passed_over() {
    let is_from_outside = |folder: &&str| {
        let manifest = root().join(folder).join("Cargo.toml");
        fs::read_to_string(manifest)
            .unwrap()
            .contains("test = false")
    };
    let crates: Vec<_> = CRATES.into_iter().filter(is_from_outside).collect();
    assert!(crates.len() >= 7, "{crates:?}");
    let mut sources: Vec<_> = crates.into_iter().flat_map(sources::of_crate).collect();
    // Of the crate of tests, only the programs are tested from outside.
    let is_tested = |path: &str| path.starts_with("tests/") && !path.starts_with("tests/src/bin/");
    sources.retain(|source| !is_tested(&source.path));
    let mut found = Vec::new();
    for source in sources {
        let tokens = tokens(&source.text);
        let marks = places(&tokens, &["#", "[", "test"]).into_iter();
        found.extend(marks.map(|at| format!("{}:{}", source.path, tokens[at].line)));
    }
    assert_none("Move these tests to tests/tests", &found);
}
