//! The lengths of files and functions. Lines of functions count if they contain code: comments and blank lines do
//! not.

use std::collections::{BTreeMap, BTreeSet};

use crate::assert_none;
use crate::code::{Function, functions};
use crate::sources::{self, Source};

/// Limit on the entries of a folder of the product.
const FOLDER: usize = 24;

/// Limit on the lines of a file.
const FILE: usize = 500;

/// Limit on the lines of a file of tests: tables are long.
const FILE_OF_TESTS: usize = 900;

/// Limit on the lines of a short function.
const SHORT: usize = 25;

/// Limit on the lines of a short test function: the setup and the checks of a test belong together.
const SHORT_IN_TESTS: usize = 35;

/// At least this many of a hundred functions are short.
const PERCENT_SHORT: usize = 90;

/// A function longer than this gives its reason, in a line of its comment that begins with [`REASON`].
const LONG: usize = 60;

const REASON: &str = "Long: ";

#[test]
fn files_are_short() {
    let too_long = |source: Source| {
        let is_test = source.path.starts_with("tests/");
        let limit = if is_test { FILE_OF_TESTS } else { FILE };
        let n_lines = source.text.lines().count();
        (n_lines > limit).then(|| format!("{}: {n_lines} lines of at most {limit}", source.path))
    };
    let found: Vec<_> = sources::all().into_iter().filter_map(too_long).collect();
    assert_none("Split these files by what they do", &found);
}

#[test]
fn folders_are_small() {
    let mut counts = BTreeMap::<String, BTreeSet<String>>::new();
    let product = sources::all().into_iter();
    for source in product.filter(|source| !source.path.starts_with("tests/")) {
        let mut path = source.path.as_str();
        while let Some((folder, entry)) = path.rsplit_once('/') {
            let entries = counts.entry(folder.to_owned()).or_default();
            entries.insert(entry.to_owned());
            path = folder;
        }
    }
    let large = counts
        .iter()
        .filter(|(_, entries)| entries.len() > FOLDER)
        .map(|(folder, entries)| format!("{folder}: {} entries", entries.len()));
    assert_none(
        &format!("Divide these folders by what they hold, {FOLDER} entries at most"),
        &large.collect::<Vec<_>>(),
    );
}

#[test]
fn functions_are_short() {
    for folder in sources::CRATES {
        let short = if folder == "tests" {
            SHORT_IN_TESTS
        } else {
            SHORT
        };
        let mut all = Vec::new();
        for source in sources::of_crate(folder) {
            let found = functions(&source.text).into_iter();
            all.extend(found.map(|function| (source.path.clone(), function)));
        }
        all.sort_by_key(|(_, function)| std::cmp::Reverse(function.n_lines));
        let tell = |(path, function): &(String, Function)| at(path, function);
        let found: Vec<_> = all
            .iter()
            .take_while(|(_, function)| function.n_lines > short)
            .map(tell)
            .collect();
        let n_allowed = all.len() * (100 - PERCENT_SHORT) / 100;
        assert!(
            found.len() <= n_allowed,
            "{folder}: {} of {} functions have more than {short} lines, and {n_allowed} may: split some\n{}\n",
            found.len(),
            all.len(),
            found.join("\n")
        );
    }
}

#[test]
fn long_functions_say_why() {
    let mut found = Vec::new();
    for source in sources::all() {
        let long = functions(&source.text).into_iter();
        let long = long.filter(|function| function.n_lines > LONG);
        let unexplained = long.filter(|function| !says_why(&source.text, function.line));
        found.extend(unexplained.map(|function| at(&source.path, &function)));
    }
    let what = format!("Split these functions, or say why not in a comment line `{REASON}…` above");
    assert_none(&what, &found);
}

fn at(path: &str, function: &Function) -> String {
    let Function {
        name,
        line,
        n_lines,
    } = function;
    format!("{path}:{line}: fn {name} has {n_lines} lines")
}

/// Whether the comment above a line has a reason.
fn says_why(text: &str, line: usize) -> bool {
    let above: Vec<&str> = text.lines().take(line - 1).map(str::trim_start).collect();
    let head = above.iter().rev();
    let mut head = head.take_while(|line| line.starts_with("//") || line.starts_with("#["));
    head.any(|line| line.trim_start_matches(['/', ' ']).starts_with(REASON))
}
