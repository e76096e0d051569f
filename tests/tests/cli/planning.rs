//! `--plan`: its commands, run by a shell in the order of each engine's plan, write what a compile writes; a plan lists
//! all inputs.
#![cfg(unix)]

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::folder::*;

const MAPS: [&str; 3] = ["room", "wedge", "low tunnel"];
const OPTIONS: &str = "maps -o built/ --max-nodes 5000 --verify";

/// Makes a project of maps, one of them with a name that shells divide, and compiles it.
pub fn project() -> Folder {
    let folder = Folder::new();
    folder.make_folder("maps");
    for map in MAPS {
        folder.write(
            &format!("maps/{map}.bsp"),
            sample_bytes(&map.replace(' ', "_")),
        );
    }
    let table = "base = \"quake3\"\ntextures = [{ starts = \"samples/\", contents = \"solid\" }]\n";
    folder.write("it's.toml", table);
    let options = "hull = ['round:cylinder:16x56:sides=8', 'bullet:point']\nbrushes = true\npatch-error = 0.5\n";
    folder.write("onion.toml", options);
    folder.succeed("maps -o expected/");
    folder
}

/// Runs a command where `onionc` is among the programs.
fn run(folder: &Folder, program: &str, arguments: &[&str], task: usize) {
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", binary().parent().unwrap().display());
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder.0.path())
        .env("PATH", path)
        .env("SLURM_ARRAY_TASK_ID", task.to_string())
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program} {arguments:?}: {stderr}");
}

/// The compiled maps are those of the compile; removes them.
pub fn assert_built(folder: &Folder) {
    for map in MAPS {
        let [built, expected] = ["built", "expected"].map(|name| format!("{name}/{map}.onion"));
        assert!(folder.read(&built) == folder.read(&expected), "{map}");
        std::fs::remove_file(folder.0.path().join(built)).unwrap();
    }
}

#[test]
fn plans_build_what_a_compile_builds() {
    let folder = project();
    let plan = folder.succeed(&format!("{OPTIONS} --plan json"));
    let plan: Value = serde_json::from_str(&plan).unwrap();
    let actions = plan["actions"].as_array().unwrap();
    assert_eq!(actions.len(), MAPS.len());
    let words = |action: &Value, list: &str| -> Vec<String> {
        let words = action[list].as_array().unwrap().iter();
        words
            .map(|word| word.as_str().unwrap().to_owned())
            .collect()
    };
    for action in actions {
        let command = words(action, "command");
        let output = action["output"].as_str().unwrap();
        assert!(command.contains(&output.to_owned()), "{action}");
        assert!(command.contains(&words(action, "inputs")[0]), "{action}");
        for limit in [
            "--max-nodes=5000",
            "--verify",
            "--patch-error=0.5",
            "--no-config",
        ] {
            assert!(command.contains(&limit.to_owned()), "{action}");
        }
        let words: Vec<&str> = command[1..].iter().map(String::as_str).collect();
        run(&folder, &command[0], &words, 0);
    }
    assert_built(&folder);

    let script = folder.succeed(&format!("{OPTIONS} --plan slurm"));
    assert!(script.contains("#SBATCH --array=0-2\n"), "{script}");
    folder.write("farm.sh", script);
    for task in 0..MAPS.len() {
        run(&folder, "sh", &["farm.sh"], task);
    }
    assert_built(&folder);

    folder.write(
        "build.ninja",
        folder.succeed(&format!("{OPTIONS} --plan ninja")),
    );
    if onion_tests::fixtures::has_or_skips("ninja", "plans for ninja") {
        run(&folder, "ninja", &[], 0);
        assert_built(&folder);
    }
}

/// Tables of textures and scenes' files are inputs, and a command names the table's file.
#[test]
fn plans_have_all_inputs() {
    let folder = project();
    let line = "maps/room.bsp --game";
    let arguments: Vec<&str> = line
        .split(' ')
        .chain(["it's.toml", "--plan", "json"])
        .collect();
    let output = Command::new(binary())
        .args(&arguments)
        .current_dir(folder.0.path())
        .output()
        .unwrap();
    let plan: Value = serde_json::from_slice(&output.stdout).unwrap();
    let action = &plan["actions"][0];
    assert_eq!(
        action["inputs"],
        serde_json::json!(["maps/room.bsp", "it's.toml"])
    );
    let has_game = action["command"]
        .as_array()
        .unwrap()
        .contains(&"--game=it's.toml".into());
    assert!(has_game, "{action}");
}

#[test]
fn plans_that_cannot_hold_are_refused() {
    let folder = project();
    folder.fail("- --plan json", USAGE, &["--plan", "line breaks"]);
    folder.fail("maps --plan json --watch", USAGE, &["--plan"]);
    assert!(!Path::new(&folder.0.path().join("maps/room.onion")).exists());
}
