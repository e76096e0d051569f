//! The Rust files of the repository, crate by crate: path and text of each. A file in a crate that is inside
//! another one belongs to the inner one.

use std::fs;
use std::path::{Path, PathBuf};

/// A Rust file.
pub struct Source {
    /// Its path from the root of the repository, with `/` in between.
    pub path: String,
    pub text: String,
}

impl Source {
    fn read(path: &Path) -> Self {
        let name = path.strip_prefix(root()).expect("it is in the repository");
        let text = fs::read_to_string(path).unwrap();
        Self {
            path: name.to_str().expect("paths are plain").replace('\\', "/"),
            text,
        }
    }
}

/// The crates, by their folders; the benchmark of rivals counts as tests. Folders within others come first: a file is
/// in the first that contains it.
pub const CRATES: [&str; 10] = [
    "format-spec",
    "runtime/bevy",
    "runtime/c",
    "runtime",
    "compiler/geometry",
    "compiler/maps",
    "compiler/core",
    "compiler/views",
    "compiler",
    "tests",
];

/// Returns the root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns the Rust files of a crate, ordered by path.
pub fn of_crate(folder: &str) -> Vec<Source> {
    let mut paths = Vec::new();
    collect(&root().join(folder), &mut paths);
    paths.sort();
    let sources = paths.iter().map(|path| Source::read(path));
    let sources: Vec<_> = sources
        .filter(|source| crate_of(&source.path) == folder)
        .collect();
    assert!(!sources.is_empty(), "{folder} has no sources");
    sources
}

/// Returns the Rust files of all crates.
pub fn all() -> Vec<Source> {
    CRATES.into_iter().flat_map(of_crate).collect()
}

/// Returns the crate that a file belongs to.
fn crate_of(path: &str) -> &'static str {
    let mut crates = CRATES.into_iter();
    let holds = |folder: &&str| {
        path.strip_prefix(*folder)
            .is_some_and(|rest| rest.starts_with('/'))
    };
    crates.find(holds).expect("each folder is one of a crate")
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if !path.ends_with("target") {
                collect(&path, paths);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            paths.push(path);
        }
    }
}
