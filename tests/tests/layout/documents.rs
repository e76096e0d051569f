//! Rust in documents is compiled: blocks in Markdown files because `onion-tests` includes the files in its
//! documentation tests, blocks in documentation comments by Cargo; `ignore` skips none of them. Prose stays within
//! the line width of rustfmt.

use std::fs;
use std::path::Path;

use crate::assert_none;
use crate::sources::{self, root};

/// The documents that `tests/src/lib.rs` includes, or that the test of recipes builds.
const COMPILED: [&str; 2] = ["README.md", "compiler/doc/builds.md"];

/// Limit on the characters in a line of prose.
const WIDTH: usize = 120;

/// Folders with documents.
const FOLDERS: [&str; 15] = [
    "",
    "compiler",
    "compiler/doc",
    "format-spec",
    "runtime",
    "runtime/bevy",
    "runtime/c",
    "runtime/godot",
    "runtime/js",
    "runtime/python",
    "sample-maps",
    "tests",
    "tests/golden",
    "tests/regressions",
    "tests/src",
];

/// Returns the documents: the path of each from the root of the repository, and its text.
fn all() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for folder in FOLDERS {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if name.ends_with(".md") {
                let path = Path::new(folder).join(name);
                let text = fs::read_to_string(root().join(&path)).unwrap();
                all.push((path.display().to_string(), text));
            }
        }
    }
    all
}

/// Returns the languages of the blocks of code in a text, with their lines.
fn blocks(text: &str) -> Vec<(usize, &str)> {
    let marks = (1..).zip(text.lines()).filter_map(|(number, line)| {
        let line = line
            .trim_start()
            .trim_start_matches(['/', '!'])
            .trim_start();
        Some((number, line.strip_prefix("```")?.trim()))
    });
    marks.step_by(2).collect()
}

fn is_rust(language: &str) -> bool {
    let words: Vec<&str> = language.split(',').map(str::trim).collect();
    words.contains(&"rust") || words.contains(&"ignore") || words.contains(&"no_run")
}

#[test]
fn rust_in_documents_is_compiled() {
    let mut found = Vec::new();
    for (path, text) in all() {
        for (line, language) in blocks(&text) {
            let is_compiled = COMPILED.contains(&path.as_str());
            let ignores = language.contains("ignore");
            if ignores || is_rust(language) && !is_compiled || language.is_empty() {
                found.push(format!("{path}:{line}: ```{language}"));
            }
        }
    }
    assert_none(
        "Name the language of these blocks; include Rust in tests/src/lib.rs, without `ignore`",
        &found,
    );
}

#[test]
fn rust_in_comments_is_compiled() {
    let mut found = Vec::new();
    for source in sources::all() {
        let blocks = blocks(&source.text).into_iter();
        let ignored = blocks.filter(|(_, language)| language.contains("ignore"));
        found.extend(ignored.map(|(line, _)| format!("{}:{line}", source.path)));
    }
    assert_none("Let these blocks compile, without `ignore`", &found);
}

/// Returns the lines of comments, and those of documents outside of code, each with its place.
pub fn prose() -> Vec<(String, String)> {
    let mut lines = Vec::new();
    let mut add = |path: &str, number: usize, line: &str| {
        lines.push((format!("{path}:{}", number + 1), line.to_owned()));
    };
    for source in sources::all() {
        let comments = source.text.lines().enumerate();
        let comments = comments.filter(|(_, line)| line.trim_start().starts_with("//"));
        comments.for_each(|(number, line)| add(&source.path, number, line));
    }
    for (path, text) in all() {
        let mut is_code = false;
        for (number, line) in text.lines().enumerate() {
            is_code ^= line.trim_start().starts_with("```");
            if !is_code {
                add(&path, number, line);
            }
        }
    }
    lines
}

#[test]
fn lines_of_prose_are_narrow() {
    let wide = prose().into_iter().filter(|(_, line)| is_wide(line));
    let found: Vec<_> = wide.map(|(place, _)| place).collect();
    assert_none(&format!("Break these lines before column {WIDTH}"), &found);
}

/// Whether a line is too long; table rows are exempt, and so is text without a space to break at.
fn is_wide(line: &str) -> bool {
    let line_width = line.chars().count();
    let text = line.trim_start_matches(['/', '!', ' ']);
    line_width > WIDTH && text.contains(' ') && !text.starts_with('|')
}
