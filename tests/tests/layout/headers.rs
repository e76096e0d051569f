//! The header of a module: two to eight lines that say what it does, what goes in and what comes out. More text is
//! below a heading.

use crate::assert_none;
use crate::sources;

const FEWEST: usize = 2;
const MOST: usize = 8;

#[test]
fn modules_say_what_they_do() {
    let mut found = Vec::new();
    for source in sources::all() {
        let header = source
            .text
            .lines()
            .map_while(|line| line.strip_prefix("//!"));
        let first = header.take_while(|line| !line.starts_with(" #"));
        // The empty line before the heading.
        let lines: Vec<&str> = first.map(str::trim).collect();
        let n_lines = lines.len() - usize::from(lines.last() == Some(&""));
        if !(FEWEST..=MOST).contains(&n_lines) {
            found.push(format!("{}:1: {n_lines} lines", source.path));
        }
    }
    let what = format!(
        "Begin these modules with {FEWEST} to {MOST} lines of `//!`, and put more below a heading"
    );
    assert_none(&what, &found);
}
