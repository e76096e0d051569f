//! The options for reading a map (`--game`, `--up`, `--scale`, `--all-meshes`) are recorded in the compiled file, so
//! that no user has to repeat them, and the digest of a map covers all the files that were read.

use std::fs;

use onion_tests::samples::{self, Scene, Up, scene};

use crate::folder::*;

const HULL: &str = "--hull stand:16x56";

/// A table by which the courtyard's walls are empty but its clips still stop agents.
const TABLE: &str = "# \"Walls\" are air.\nbase = 'quake3'\ntextures = [\n\
                     { starts = \"sample/\", contents = \"none\" },\n]\r\n";

/// Makes a folder with a sample as text in `map.map`.
fn with_text(name: &str) -> Folder {
    let folder = Folder::new();
    let mut texts = samples::all_texts().into_iter();
    let text = texts.find(|(sample, _)| *sample == name).unwrap().1;
    folder.write("map.map", text);
    folder
}

fn door() -> Scene {
    let maps = samples::maps();
    let door = maps.iter().find(|map| map.name == "door").unwrap();
    scene(door, Up::Z, 0.25)
}

fn options(folder: &Folder) -> Vec<String> {
    let info = folder.succeed_json("info map.onion --json");
    texts(&info["options"], "")
}

#[test]
fn verify_reads_a_map_as_its_compile_did() {
    let folder = with_text("courtyard");
    folder.write("table.toml", TABLE);
    let mut files = Vec::new();
    for game in ["quake3", "halflife", "table.toml"] {
        folder.run(&format!("map.map --game {game} {HULL} --no-fill"));
        assert_eq!(folder.run("verify map.onion map.map").code, 0, "{game}");
        files.push(folder.read("map.onion"));
    }
    assert!(files[0] != files[1] && files[0] != files[2] && files[1] != files[2]);
    // The table is in the file, even if the user's own is gone.
    fs::remove_file(folder.0.path().join("table.toml")).unwrap();
    folder.succeed("verify map.onion map.map");
    let game = options(&folder)
        .into_iter()
        .find_map(|option| Some(option.strip_prefix("--game=")?.to_owned()));
    let table: String = serde_json::from_str(&game.unwrap()).unwrap();
    assert_eq!(table, TABLE);
}

/// If the map were read with the table, its walls would be missing.
#[test]
fn a_file_without_options_is_read_by_default() {
    let folder = with_text("courtyard");
    folder.write("table.toml", TABLE);
    folder.run(&format!("map.map {HULL} --no-fill"));
    assert!(
        options(&folder)
            .iter()
            .all(|option| !option.starts_with("--game"))
    );
    folder.succeed("verify map.onion map.map");
}

#[test]
fn verify_reads_a_scene_as_its_compile_did() {
    let folder = Folder::new();
    let mut scene = door();
    for node in scene.json["nodes"].as_array_mut().unwrap() {
        if let Some(name) = node["name"].as_str() {
            node["name"] = name.replace("UCX_", "part ").into();
        }
    }
    folder.write("map.glb", scene.glb());
    folder.succeed(&format!("map.glb {HULL} --up z --scale 4 --all-meshes"));
    let recorded = options(&folder);
    for option in ["--up=z", "--scale=4", "--all-meshes"] {
        assert!(recorded.iter().any(|found| found == option), "{recorded:?}");
    }
    folder.succeed("verify map.onion map.glb");
}

#[test]
fn the_digest_covers_the_files_beside_a_scene() {
    let folder = Folder::new();
    let mut scene = door();
    // The last byte is one that no mesh refers to.
    scene.buffer.push(0);
    scene.json["buffers"][0]["byteLength"] = scene.buffer.len().into();
    let json = scene.gltf("room.bin");
    folder.write("map.gltf", &json);
    folder.write("room.bin", &scene.buffer);
    folder.succeed(&format!("map.gltf {HULL} --up z --scale 4"));
    let info = folder.succeed_json("info map.onion --json");
    let digest = blake3::hash(&[&json[..], &scene.buffer].concat());
    assert_eq!(info["map_digest"], digest.to_hex().as_str());
    folder.succeed("verify map.onion map.gltf");
    // A rule names the buffer even if nothing is compiled.
    for _ in 0..2 {
        folder.succeed(&format!(
            "map.gltf {HULL} --up z --scale 4 --depfile deps.d"
        ));
        let rules = folder.read_text("deps.d");
        assert_eq!(rules, "map.onion: map.gltf room.bin\n");
    }
    *scene.buffer.last_mut().unwrap() = 1;
    folder.write("room.bin", &scene.buffer);
    let run = folder.run("verify map.onion map.gltf");
    assert!(run.stderr.contains("its bytes differ"), "{}", run.stderr);
    assert_eq!(run.code, 0);
}
