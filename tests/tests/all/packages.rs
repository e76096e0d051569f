//! The public crates are fit to be published: each has a description, a readme and both licenses, and its package
//! holds the files that belong there and no others.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

/// The contents of each package besides its sources and examples.
const PACKAGES: [(&str, &[&str]); 4] = [
    ("onion-format", &["FORMAT.md"]),
    ("onion-runtime", &["FEATURES.md", "README.md"]),
    (
        "onion-c",
        &["Makefile", "README.md", "example.c", "game.c", "onion.h"],
    ),
    ("onionc", &["ARCHITECTURE.md", "README.md"]),
];

/// The crates below the command, which hold nothing but sources and licenses.
const INNER: [&str; 4] = [
    "onion-geometry",
    "onion-maps",
    "onion-compiler",
    "onion-views",
];

/// The folders and file endings of sources. The tables of games' textures are compiled into the command, and so are
/// the parts of a page; the readme shows pictures and a schema; and templates install the library for C.
const SOURCES: [(&str, &str); 8] = [
    ("src/", ".rs"),
    ("doc/", ".md"),
    ("doc/", ".png"),
    ("src/page/web/", ""),
    ("schema/", ".json"),
    ("install/", ".in"),
    ("examples/", ".rs"),
    ("src/games/", ".toml"),
];

/// The files that Cargo adds to every package, and the licenses.
const COMMON: [&str; 6] = [
    ".cargo_vcs_info.json",
    "Cargo.lock",
    "Cargo.toml",
    "Cargo.toml.orig",
    "LICENSE-APACHE",
    "LICENSE-MIT",
];

/// Returns the output of a Cargo command.
fn cargo(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .arg("--offline")
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {stderr}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_crate_says_what_it_is() {
    let metadata = cargo(&["metadata", "--no-deps", "--format-version=1"]);
    let metadata: Value = serde_json::from_str(&metadata).unwrap();
    for (name, own) in PACKAGES {
        let mut packages = metadata["packages"].as_array().unwrap().iter();
        let package = packages.find(|package| package["name"] == name).unwrap();
        for key in ["description", "license", "readme", "rust_version"] {
            assert!(package[key].is_string(), "{name} has no {key}");
        }
        assert!(own.iter().any(|file| package["readme"] == *file), "{name}");
        for key in ["keywords", "categories"] {
            let words = package[key].as_array().unwrap();
            // crates.io refuses more than five.
            assert!((1..=5).contains(&words.len()), "{name}: {key} {words:?}");
        }
    }
}

#[test]
fn packages_hold_what_belongs_there() {
    let inner = INNER.map(|name| (name, &[][..]));
    for (name, own) in PACKAGES.into_iter().chain(inner) {
        let list = cargo(&["package", "--list", "--allow-dirty", "-p", name]);
        let files: BTreeSet<&str> = list.lines().collect();
        let belongs = |file: &str| {
            let is_source = SOURCES
                .iter()
                .any(|(at, ending)| file.starts_with(at) && file.ends_with(ending));
            is_source || own.contains(&file) || COMMON.contains(&file)
        };
        let others: Vec<_> = files.iter().filter(|file| !belongs(file)).collect();
        assert!(others.is_empty(), "{name} holds {others:?}");
        for file in ["LICENSE-APACHE", "LICENSE-MIT", "src/lib.rs"] {
            assert!(files.contains(file), "{name} has no {file}");
        }
    }
}
