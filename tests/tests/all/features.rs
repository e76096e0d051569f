//! `runtime/FEATURES.md` names a test for each of its rows: the rows are those of the list of features, and the
//! tests exist.

use std::fs;
use std::path::{Path, PathBuf};

fn rows() -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime/FEATURES.md");
    let text = fs::read_to_string(path).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| ")).skip(1);
    let cells = |row: &str| {
        row.trim_matches('|')
            .split(" | ")
            .map(|cell| cell.trim().to_owned())
            .collect()
    };
    rows.map(cells).collect()
}

#[test]
fn every_row_is_there_once_and_in_order() {
    let found: Vec<String> = rows().into_iter().map(|row| row[0].clone()).collect();
    let sources = (1..=39).map(|number| format!("E{number}"));
    let engines = (47..=77).map(|number: u32| number.to_string());
    let expected: Vec<String> = sources.chain(engines).collect();
    assert_eq!(found, expected);
}

#[test]
fn every_row_has_an_answer_and_a_test_that_exists() {
    for row in rows() {
        let [number, feature, call, test] = &row[..] else {
            panic!("{row:?}");
        };
        assert!(!feature.is_empty() && !call.is_empty(), "{number}");
        let (file, function) = test.trim_matches('`').split_once("::").unwrap();
        let sources = sources_of(file);
        let is_there = sources.iter().filter(|path| path.is_file()).any(|path| {
            let text = fs::read_to_string(path).unwrap();
            text.contains(&format!("#[test]\nfn {function}()"))
        });
        assert!(is_there, "{number}: there is no test {test}");
    }
}

/// The files of a module of tests.
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
