//! Steps that many tests share: they make, compile and load maps, run tools, and fail with lists of errors. Unlike
//! `cases`, which keeps everything made from a map, each call compiles again.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use onion_compiler::fill::seeds::Fill;
use onion_compiler::{CompileOptions, Compiled, compile};
use onion_maps::{Map, MapEntity, PointEntity};
use onion_runtime::OnionMap;

use crate::skips::skip;
use crate::{command, samples, subject};

/// Returns the map that the readers make of a map built by a test.
pub fn made(map: &samples::Map) -> Map {
    subject::parse(&samples::write(map))
}

/// Compiles a map for hulls given as `--hull` options: without filling, with all other options as `change` leaves them.
pub fn compiled(map: &Map, hulls: &[&str], change: impl FnOnce(&mut CompileOptions)) -> Compiled {
    let mut options = CompileOptions {
        fill: Fill::Off,
        ..CompileOptions::new(subject::hulls(hulls))
    };
    change(&mut options);
    compile(map, &options).unwrap()
}

/// Compiles a map without filling, and loads it.
pub fn loaded(map: &Map, hulls: &[&str]) -> OnionMap<Vec<u8>> {
    OnionMap::from_bytes(compiled(map, hulls, |_| ()).bytes).unwrap()
}

/// Compiles a map with the usual filling, and loads it.
pub fn filled(map: &Map, hulls: &[&str]) -> OnionMap<Vec<u8>> {
    let file = compiled(map, hulls, |options| options.fill = Fill::default());
    OnionMap::from_bytes(file.bytes).unwrap()
}

/// Adds an entity of a class to a map that was read.
pub fn add_entity(map: &mut Map, class: &str, origin: &str) {
    let mut entity = MapEntity::default();
    entity.insert("classname".to_owned(), class.to_owned());
    entity.insert("origin".to_owned(), origin.to_owned());
    map.entities.push(entity);
}

/// Adds entities that declare linked portals of a size to a map that was read: origin, angle, name and target of each.
pub fn declare_portals(map: &mut Map, size: &str, portals: &[(&str, &str, &str, &str)]) {
    for &(origin, angle, name, target) in portals {
        map.points.push(PointEntity {
            number: map.entities.len(),
            class: "info_linked_portal".to_owned(),
            origin: onion_maps::entities::vector(origin).unwrap(),
        });
        add_entity(map, "info_linked_portal", origin);
        let keys = [
            ("angle", angle),
            ("targetname", name),
            ("target", target),
            ("size", size),
        ];
        let keys = keys.map(|(key, value)| (key.to_owned(), value.to_owned()));
        map.entities.last_mut().unwrap().extend(keys);
    }
}

/// Returns `n` `--hull` options by their numbers.
pub fn many_hulls(n: usize, hull: impl Fn(usize) -> String) -> Vec<&'static str> {
    (0..n).map(|at| &*hull(at).leak()).collect()
}

/// Returns the path of the `onionc` binary, built once in the profile of the tests.
pub fn onionc() -> &'static Path {
    static BINARY: LazyLock<PathBuf> = LazyLock::new(|| command::build_alike().unwrap());
    &BINARY
}

/// Whether a tool runs; if not, lists what it would test as skipped.
pub fn has_or_skips(tool: &str, tested: &str) -> bool {
    let is_there = Command::new(tool).arg("--version").output().is_ok();
    if !is_there {
        skip(&format!("{tested}: no {tool} on the PATH"));
    }
    is_there
}

/// Fails with the number of errors and the first few, if there are any.
#[track_caller]
pub fn assert_none_wrong(what: &str, wrong: &[String]) {
    let first = &wrong[..wrong.len().min(5)];
    assert!(
        wrong.is_empty(),
        "{what}: {} wrong: {first:#?}",
        wrong.len()
    );
}

/// Returns the answers of checks, none of which may be wrong.
#[track_caller]
pub fn all_right<T>(what: &str, results: impl IntoIterator<Item = Result<T, String>>) -> Vec<T> {
    let (mut right, mut wrong) = (Vec::new(), Vec::new());
    for result in results {
        match result {
            Ok(answer) => right.push(answer),
            Err(why) => wrong.push(why),
        }
    }
    assert_none_wrong(what, &wrong);
    right
}

/// Asserts that bytes are those of a golden file, which `ONION_BLESS=1` rewrites.
#[track_caller]
pub fn assert_golden(name: &str, bytes: &[u8]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("golden")
        .join(name);
    if std::env::var_os("ONION_BLESS").is_some() {
        std::fs::write(&path, bytes).unwrap();
    }
    if std::fs::read(&path).is_ok_and(|kept| kept == bytes) {
        return;
    }
    let now = std::str::from_utf8(bytes).unwrap_or("other bytes");
    panic!("{name} is not as kept (ONION_BLESS=1 rewrites it); now it is\n{now}");
}
