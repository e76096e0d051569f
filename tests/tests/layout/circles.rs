//! Modules do not depend on each other in a circle: each can be read after those that it uses. The test reports a
//! circle with the lines that close it.

use std::collections::{BTreeMap, VecDeque};

use crate::assert_none;
use crate::modules::{Modules, Use};
use crate::sources::{self, Source};

/// Whether a file is the root of a crate: a library, a program, a test, a benchmark or an example.
fn is_root(source: &Source) -> bool {
    let parts: Vec<&str> = source.path.rsplit('/').collect();
    matches!(
        parts[..],
        ["lib.rs" | "main.rs", ..] | [_, "bin" | "tests" | "benches" | "examples", ..]
    )
}

#[test]
fn no_modules_use_each_other() {
    let mut found = Vec::new();
    for folder in sources::CRATES {
        let sources = sources::of_crate(folder);
        for root in sources.iter().filter(|source| is_root(source)) {
            found.extend(circles(&Modules::of_root(root, &sources)));
        }
    }
    assert_none(
        "Move what both need into a module that uses neither of them",
        &found,
    );
}

/// Returns the shortest circle through each module that is in one, without duplicates.
fn circles(modules: &Modules) -> Vec<String> {
    let paths: Vec<&str> = modules.iter().map(|module| module.path).collect();
    let uses: Vec<Vec<Use>> = (0..paths.len())
        .map(|number| modules.uses(number))
        .collect();
    let mut found = BTreeMap::new();
    for start in 0..paths.len() {
        let Some(circle) = shortest(&uses, start) else {
            continue;
        };
        let mut members: Vec<usize> = circle.iter().map(|&(at, _)| at).collect();
        members.sort_unstable();
        let tell = |&(at, Use { line, of }): &(usize, Use)| {
            format!("{}:{line} uses {}", paths[at], paths[of])
        };
        let told: Vec<String> = circle.iter().map(tell).collect();
        found.insert(members, told.join(", "));
    }
    found.into_values().collect()
}

/// Returns the shortest path from a module back to it, as the uses along it.
fn shortest(uses: &[Vec<Use>], start: usize) -> Option<Vec<(usize, Use)>> {
    let mut reached_by: BTreeMap<usize, (usize, Use)> = BTreeMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(at) = queue.pop_front() {
        for &step in &uses[at] {
            if reached_by.contains_key(&step.of) {
                continue;
            }
            reached_by.insert(step.of, (at, step));
            if step.of == start {
                return Some(way_back(&reached_by, start));
            }
            queue.push_back(step.of);
        }
    }
    None
}

fn way_back(reached_by: &BTreeMap<usize, (usize, Use)>, start: usize) -> Vec<(usize, Use)> {
    let mut way = vec![reached_by[&start]];
    while way[way.len() - 1].0 != start {
        way.push(reached_by[&way[way.len() - 1].0]);
    }
    way.reverse();
    way
}
#[test]
fn a_circle_is_found_through_what_modules_pass_on() {
    let source = |path: &str, text: &str| Source {
        path: path.to_owned(),
        text: text.to_owned(),
    };
    let of = |texts: [&str; 4]| {
        let paths = ["a/lib.rs", "a/noun/mod.rs", "a/noun/part.rs", "a/verb.rs"];
        let sources: Vec<_> = (0..4).map(|at| source(paths[at], texts[at])).collect();
        circles(&Modules::of_root(&sources[0], &sources)).len()
    };
    let root = "mod noun; mod verb; pub use noun::Part;";
    let noun = "mod part; pub use part::Part; pub struct Whole;";
    let verb = "use crate::noun::{self as other, Part}; fn verb() { other::Whole; }";
    let part = "pub struct Part; // crate::verb::verb()";
    assert_eq!(of([root, noun, part, verb]), 0);
    assert_eq!(
        of([
            root,
            noun,
            "pub struct Part; mod m { use super::super::Whole; }",
            verb
        ]),
        0
    );
    let uses = "pub struct Part; fn f() { crate::verb::verb() }";
    assert_eq!(of([root, noun, uses, verb]), 1);
    assert_eq!(
        of([
            root,
            noun,
            &format!("#[cfg(test)] mod tests {{ {uses} }} pub struct Part;"),
            verb
        ]),
        0
    );
    let whole = "mod part; pub use part::Part; pub struct Whole(Part);";
    let above = "pub struct Part; use super::Whole;";
    assert_eq!(of([root, whole, above, verb]), 1);
}
