//! The same map gives the same bytes: in every run, and with any number of threads. Each compile is
//! its own process.

use onion_tests::maps::real_maps;
use onion_tests::samples;
use onion_tests::skips::skip;

use crate::folder::*;

/// Maps below this size in bytes are compiled many times.
const SMALL: usize = 1_000_000;

/// Compiles a map with 1, 2, 3 and 8 threads and with the number of processors, repeatedly.
fn assert_deterministic(name: &str, bytes: &[u8], repeats: usize) {
    let folder = Folder::new();
    folder.write("map.bsp", bytes);
    let compile = |options: &str| {
        let run = folder.run(&format!(
            "map.bsp --hull stand:16x56 --hull crouch:16x32 --hull point:point {options}"
        ));
        assert_eq!(run.code, 0, "{name}: {}", run.stderr);
        (folder.read("map.onion"), run.stderr)
    };
    let first = compile("--threads 1");
    for options in [
        "--threads 1",
        "--threads 2",
        "--threads 3",
        "--threads 8",
        "",
    ] {
        for _ in 0..repeats {
            assert!(compile(options) == first, "{name} differs: {options:?}");
        }
    }
}

#[test]
fn the_same_map_gives_the_same_bytes() {
    for (name, bytes) in samples::all() {
        assert_deterministic(name, &bytes, 2);
    }
}

#[test]
fn the_same_real_map_gives_the_same_bytes() {
    let small = real_maps()
        .into_iter()
        .filter(|map| map.bytes.len() < SMALL);
    match small.max_by_key(|map| map.bytes.len()) {
        Some(map) => assert_deterministic(&map.name, &map.bytes, 3),
        None => skip("one real map compiled again and again: none is small"),
    }
}
