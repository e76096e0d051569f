//! The recipes of `compiler/doc/builds.md`, exactly as printed there: each compiles all maps, does nothing if nothing
//! changed, and recompiles the outputs of a changed file.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

use onion_tests::skips::skip;

use crate::folder::*;

const MAPS: [&str; 2] = ["room", "wedge"];

/// Returns the blocks of code in a language, in the order of the document.
fn blocks(language: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../compiler/doc/builds.md");
    let text = fs::read_to_string(path).unwrap();
    let mark = format!("```{language}\n");
    let blocks = text.split(&mark).skip(1);
    let blocks = blocks.map(|block| block.split_once("```").unwrap().0.to_owned());
    blocks.collect()
}

/// Makes a project with a recipe and two maps.
fn project(name: &str, recipe: &str) -> Folder {
    let folder = Folder::new();
    folder.make_folder("maps");
    for map in MAPS {
        folder.write(&format!("maps/{map}.bsp"), sample_bytes(map));
    }
    folder.write("onion.toml", &blocks("toml")[0]);
    folder.write(name, recipe);
    folder
}

/// Runs a tool in a folder, with `onionc` and Cargo among the programs. Returns `None` if the tool is not installed.
fn run(folder: &Folder, line: &str) -> Option<String> {
    let folders = [binary(), Path::new(env!("CARGO"))].map(|program| program.parent().unwrap());
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{}:{path}", folders[0].display(), folders[1].display());
    let mut words = line.split(' ');
    let output = Command::new(words.next().unwrap())
        .args(words)
        .current_dir(folder.0.path())
        .env("PATH", path)
        .output()
        .ok()?;
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8(text).unwrap();
    assert!(output.status.success(), "{line}: {text}");
    Some(text)
}

fn times(folder: &Folder, outputs: &[String]) -> Vec<SystemTime> {
    outputs.iter().map(|name| folder.time_of(name)).collect()
}

/// Returns, for each output, whether a build makes it again.
fn made(folder: &Folder, outputs: &[String], line: &str) -> Vec<bool> {
    let before = times(folder, outputs);
    // The times of files have no finer resolution than this on some systems.
    std::thread::sleep(Duration::from_millis(20));
    run(folder, line).unwrap();
    let pairs = before.into_iter().zip(times(folder, outputs));
    pairs.map(|(before, after)| before != after).collect()
}

/// Builds everything, nothing, one map, and everything for another hull.
fn check(folder: &Folder, build: &str, outputs: [&str; 2]) {
    let outputs = outputs.map(str::to_owned);
    run(folder, build).unwrap();
    let check = |change: &dyn Fn(), expected: [bool; 2]| {
        std::thread::sleep(Duration::from_millis(20));
        change();
        assert_eq!(made(folder, &outputs, build), expected, "{build}");
    };
    let hulls = "hull = ['stand:16x56', 'crouch:16x32']\n";
    check(&|| {}, [false, false]);
    check(
        &|| folder.write("maps/room.bsp", sample_bytes("door")),
        [true, false],
    );
    check(&|| folder.write("onion.toml", hulls), [true, true]);
    check(&|| {}, [false, false]);
    let info = folder.succeed_json(&format!("info {} --json", outputs[1]));
    assert_eq!(info["hulls"].as_array().unwrap().len(), 2);
}

#[test]
fn make_compiles_what_changed() {
    let folder = project("Makefile", &blocks("make")[0]);
    if run(&folder, "make --version").is_none() {
        return skip("the recipe for make: there is no make");
    }
    check(&folder, "make", ["maps/room.onion", "maps/wedge.onion"]);
    assert_eq!(run(&folder, "make").unwrap().matches("onionc").count(), 0);
}

#[test]
fn ninja_compiles_what_changed() {
    let folder = project("build.ninja", &blocks("ninja")[0]);
    if run(&folder, "ninja --version").is_none() {
        return skip("the recipe for ninja: there is no ninja");
    }
    check(&folder, "ninja", ["build/room.onion", "build/wedge.onion"]);
    let text = run(&folder, "ninja").unwrap();
    assert!(text.contains("no work to do"), "{text}");
}

#[test]
fn cmake_compiles_what_changed() {
    let folder = project("CMakeLists.txt", &blocks("cmake")[0]);
    if run(&folder, "cmake --version").is_none() {
        return skip("the recipe for CMake: there is no cmake");
    }
    for (generator, tool) in [("Ninja", "ninja"), ("Unix Makefiles", "make")] {
        if run(&folder, &format!("{tool} --version")).is_none() {
            skip(&format!(
                "the recipe for CMake with {tool}, which is not there"
            ));
            continue;
        }
        let build = format!("out-{tool}");
        let configure = Command::new("cmake")
            .args(["-S", ".", "-B", &build, "-G", generator])
            .arg(format!("-DONIONC={}", binary().display()))
            .current_dir(folder.0.path())
            .output()
            .unwrap();
        let message = String::from_utf8_lossy(&configure.stderr);
        assert!(configure.status.success(), "{message}");
        folder.write("maps/room.bsp", sample_bytes("room"));
        folder.write("onion.toml", "hull = ['stand:16x56']\n");
        let outputs = MAPS.map(|map| format!("{build}/{map}.onion"));
        check(
            &folder,
            &format!("cmake --build {build}"),
            outputs.each_ref().map(|name| name.as_str()),
        );
    }
}

#[test]
fn cargo_compiles_what_changed() {
    let [build, game] = blocks("rust").try_into().unwrap();
    let folder = project("build.rs", &build);
    let manifest =
        "[package]\nname = \"game\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n";
    folder.write("Cargo.toml", manifest);
    folder.make_folder("src");
    folder.write("src/main.rs", game);
    let cargo = "cargo run --quiet --offline --target-dir target";
    let printed = |map: &str, hulls: &str| {
        std::thread::sleep(Duration::from_millis(20));
        folder.write("maps/room.bsp", sample_bytes(map));
        folder.write("onion.toml", format!("hull = {hulls}\n"));
        let printed = run(&folder, cargo).unwrap();
        folder.succeed("maps/room.bsp --force -q -o expected.onion");
        let bytes = folder.read("expected.onion").len();
        assert_eq!(printed, format!("{bytes} bytes\n"), "{map} {hulls}");
    };
    printed("room", "['stand:16x56']");
    printed("door", "['stand:16x56']");
    printed("door", "['stand:16x56', 'crouch:16x32']");
}
