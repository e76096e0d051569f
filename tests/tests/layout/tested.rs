//! Tests are where Cargo runs them: crates that are tested from outside say so in their manifest, and Cargo would
//! skip tests within them.

use crate::assert_none;
use crate::code::tokens;
use crate::sources;

/// Crates whose manifest says `test = false`.
const FROM_OUTSIDE: [&str; 6] = [
    "runtime/c",
    "compiler/geometry",
    "compiler/maps",
    "compiler/core",
    "compiler/views",
    "compiler",
];

#[test]
fn no_test_is_passed_over() {
    let programs = sources::of_crate("tests").into_iter();
    let programs = programs.filter(|source| source.path.starts_with("tests/src/bin/"));
    let sources = FROM_OUTSIDE.into_iter().flat_map(sources::of_crate);
    let mut found = Vec::new();
    for source in sources.chain(programs) {
        let tokens = tokens(&source.code);
        let marks = tokens
            .windows(3)
            .filter(|part| part.iter().map(|token| token.text).eq(["#", "[", "test"]));
        found.extend(marks.map(|mark| format!("{}:{}", source.path, mark[0].line)));
    }
    assert_none("Move these tests to tests/tests", &found);
}
