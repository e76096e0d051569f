//! `runtime/FEATURES.md` names a test for each of its rows: every topic has rows, no feature is listed twice, and the
//! tests exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn text() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime/FEATURES.md");
    fs::read_to_string(path).unwrap()
}

/// Returns the cells of the rows of a topic, below the names of the columns.
fn rows(topic: &str) -> Vec<Vec<String>> {
    let rows = topic.lines().filter(|line| line.starts_with("| ")).skip(1);
    let cells = |row: &str| {
        let cells = row.trim_matches('|').split(" | ");
        cells.map(|cell| cell.trim().to_owned()).collect()
    };
    rows.map(cells).collect()
}

#[test]
fn every_feature_stands_there_once() {
    let text = text();
    let topics: Vec<&str> = text.split("\n## ").skip(1).collect();
    assert_eq!(topics.len(), 9);
    let mut seen = BTreeSet::new();
    for topic in topics {
        let rows = rows(topic);
        assert!(rows.len() > 1, "{topic}");
        for row in rows {
            assert!(seen.insert(row[0].clone()), "twice: {}", row[0]);
        }
    }
    assert!(seen.len() > 85, "only {}", seen.len());
}

#[test]
fn every_row_has_an_answer_and_a_test_that_exists() {
    for row in text().split("\n## ").flat_map(rows) {
        let [feature, call, test] = &row[..] else {
            panic!("{row:?}");
        };
        assert!(!feature.is_empty() && !call.is_empty(), "{row:?}");
        let (file, function) = test.trim_matches('`').split_once("::").unwrap();
        let sources = sources_of(file);
        let is_there = sources.iter().filter(|path| path.is_file()).any(|path| {
            let text = fs::read_to_string(path).unwrap();
            text.contains(&format!("#[test]\nfn {function}()"))
        });
        assert!(is_there, "{feature}: there is no test {test}");
    }
}

/// Returns the files of a module of tests.
fn sources_of(name: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let folders = [folder.join("all"), folder];
    let files = folders
        .iter()
        .map(|folder| folder.join(name).with_extension("rs"));
    let modules = folders
        .iter()
        .filter_map(|folder| fs::read_dir(folder.join(name)).ok());
    let modules = modules.flatten().map(|entry| entry.unwrap().path());
    files.filter(|file| file.exists()).chain(modules).collect()
}
