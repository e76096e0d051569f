//! Rust in documents is compiled: blocks in Markdown files because `onion-tests` includes the files in its
//! documentation tests, blocks in documentation comments by Cargo; none of them is left out by `ignore`.

use std::fs;

use crate::assert_none;
use crate::sources::{self, root};

/// What `tests/src/lib.rs` includes.
const COMPILED: [&str; 1] = ["README.md"];

/// Folders with documents, besides the crates'.
const FOLDERS: [&str; 11] = [
    "",
    "compiler",
    "format-spec",
    "runtime",
    "runtime/bevy",
    "runtime/c",
    "runtime/js",
    "runtime/python",
    "sample-maps",
    "tests",
    "tests/golden",
];

/// The languages of the blocks of code in a text, with their lines.
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
    for folder in FOLDERS {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if !name.ends_with(".md") {
                continue;
            }
            let path = if folder.is_empty() {
                name
            } else {
                format!("{folder}/{name}")
            };
            let text = fs::read_to_string(root().join(&path)).unwrap();
            for (line, language) in blocks(&text) {
                let is_compiled = COMPILED.contains(&path.as_str());
                let ignores = language.contains("ignore");
                if ignores || is_rust(language) && !is_compiled || language.is_empty() {
                    found.push(format!("{path}:{line}: ```{language}"));
                }
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
