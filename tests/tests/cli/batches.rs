//! Several maps in one call, and targets that are up to date: the maps that are compiled, those that are left alone,
//! and the information for build tools.

use std::fs;

use onion_tests::{rooms, samples};

use crate::folder::*;

const SAMPLES: [&str; 3] = ["ramp_stairs", "room", "wedge"];

/// Makes a folder with sample maps in `maps`.
fn folder_of_maps() -> Folder {
    let folder = Folder::new();
    folder.make_folder("maps");
    for sample in SAMPLES {
        folder.write(&format!("maps/{sample}.bsp"), sample_bytes(sample));
    }
    folder.write("maps/notes.txt", "no map");
    folder
}

#[test]
fn all_maps_of_a_folder_are_compiled_as_each_alone() {
    let folder = folder_of_maps();
    let printed = folder.succeed("maps --hull stand:16x56 -o build/");
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines.len(), 4, "{printed}");
    for (line, sample) in lines.iter().zip(SAMPLES) {
        let start = format!("wrote build/{sample}.onion: ");
        assert!(line.starts_with(&start), "{line}");
        let command = format!("maps/{sample}.bsp --hull stand:16x56");
        folder.succeed(&format!("{command} -o alone.onion"));
        let together = folder.read(&format!("build/{sample}.onion"));
        assert_eq!(folder.read("alone.onion"), together);
        fs::remove_file(folder.0.path().join("alone.onion")).unwrap();
    }
    assert_eq!(lines[3], "3 maps: 3 compiled, 0 up to date, 0 failed");
    let pattern = folder.succeed("maps/r*.bsp maps/wedge.bsp --hull stand:16x56 -o build");
    let end = "3 maps: 0 compiled, 3 up to date, 0 failed\n";
    assert!(pattern.ends_with(end), "{pattern}");
}

#[test]
fn a_map_that_fails_keeps_no_other_from_its_target() {
    let folder = folder_of_maps();
    folder.write("maps/bad.bsp", b"IBSP");
    let run = folder.run("maps --hull stand:16x56");
    assert_eq!(run.code, BAD_INPUT, "{}", run.stderr);
    assert!(run.stderr.contains("bad.bsp"), "{}", run.stderr);
    let end = "4 maps: 3 compiled, 0 up to date, 1 failed\n";
    assert!(run.stdout.ends_with(end), "{}", run.stdout);
    for name in SAMPLES {
        assert!(!folder.read(&format!("maps/{name}.onion")).is_empty());
    }
}

#[test]
fn maps_with_one_target_are_refused() {
    let folder = folder_of_maps();
    folder.write("maps/room.map", "{}");
    folder.fail_each(
        USAGE,
        "maps/room.bsp maps/room.map --hull stand:16x56 => room.bsp & room.map & room.onion
         maps/room.bsp maps/wedge.bsp --hull stand:16x56 -o a.onion => a.onion & folder & write -o a.onion/
         maps/room.bsp maps/wedge.bsp --hull stand:16x56 -o maps/room.bsp => which this is not
         maps/z*.bsp --hull stand:16x56 => z*.bsp",
    );
}

/// In every mapper's folder the source is beside the compiled map, which is the one that the game loads.
#[test]
fn of_maps_with_one_name_a_folder_has_one() {
    let folder = folder_of_maps();
    folder.write("maps/room.map", "{}");
    folder.write("maps/wedge.glb", "glTF");
    let run = folder.run("maps --hull stand:16x56");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let end = "3 maps: 3 compiled, 0 up to date, 0 failed\n";
    assert!(run.stdout.ends_with(end), "{}", run.stdout);
    let note = "onionc: left out: maps/room.map and 1 more, because a map of the same name beside it is compiled; a \
                pattern such as '*.map' names others\n";
    assert_eq!(run.stderr, note);
    assert_eq!(folder.run("maps --hull stand:16x56 -q").stderr, "");
}

/// The classes in a project apply to all of its maps together.
#[test]
fn a_class_is_missed_if_no_map_has_it() {
    let folder = folder_of_maps();
    let hull = "hull = ['stand:16x56']\n";
    let fill = "fill-from = ['info_player_deathmatch', 'info_player_typo', 'info_*']\n";
    folder.write("onion.toml", format!("{hull}{fill}"));
    let warning = "onionc: warning: --fill-from info_player_typo: no entity of this class has an origin; check the \
                   spelling\n";
    assert_eq!(folder.run("maps -o build/").stderr, warning);
    assert_eq!(folder.succeed("maps/room.bsp --force").lines().count(), 2);
    let own = folder.run("maps/room.bsp --force --fill-from info_player_typo --fill-from info_*");
    assert_eq!(own.stderr, warning);
}

/// The options of scenes, in a run in which some maps are not scenes.
#[test]
fn an_option_is_told_if_it_has_no_effect_on_any_map() {
    let folder = folder_of_maps();
    folder.write("onion.toml", "scale = 32\nhull = ['stand:16x56']\n");
    let warning =
        "onionc: warning: --scale: this has no effect: it is for glTF scenes (.gltf, .glb)\n";
    assert_eq!(folder.run("maps").stderr, warning);
    assert_eq!(folder.run("maps/room.bsp --force").stderr, warning);
    folder.write(
        "maps/door.glb",
        fs::read(samples::dir().join("door.glb")).unwrap(),
    );
    folder.succeed("maps --force");
    folder.succeed("maps/door.glb --force");
}

#[test]
fn what_to_do_about_leaks_is_told_at_the_end() {
    let folder = folder_of_maps();
    folder.write(
        "maps/hole.bsp",
        samples::write(&rooms::with_hole(64.0, 64.0)),
    );
    let advice = "next: maps/hole.bsp: open maps/hole.pts in a map editor, close the gap";
    for (extra, start) in [
        ("", advice),
        ("maps2", "next (and for 1 more): maps/hole.bsp: "),
    ] {
        if !extra.is_empty() {
            folder.make_folder(extra);
            folder.write("maps2/hole.bsp", folder.read("maps/hole.bsp"));
        }
        let run = folder.run(&format!("maps {extra} --hull stand:4x32 --force"));
        let last = run.stdout.lines().last().unwrap();
        assert!(last.starts_with(start), "{}", run.stdout);
        assert!(last.ends_with("needs --no-fill"), "{last}");
    }
}

#[test]
fn what_is_up_to_date_is_left_as_it_is() {
    let folder = Folder::with_map("room");
    let command = "map.bsp --hull stand:16x56";
    folder.succeed(command);
    let (bytes, time) = (folder.read("map.onion"), folder.time_of("map.onion"));
    assert_eq!(folder.succeed(command), "up to date: map.onion\n");
    // Nor are identical bytes written again.
    let forced = folder.succeed(&format!("{command} --force"));
    assert_says(&forced, &["wrote map.onion"]);
    assert_eq!(folder.time_of("map.onion"), time);
    for other in [" --hull crouch:16x32", " --no-fill"] {
        folder.succeed(&format!("{command}{other}"));
        assert_ne!(folder.read("map.onion"), bytes, "{other}");
        folder.succeed(command);
        assert_eq!(folder.read("map.onion"), bytes, "{other}");
    }
    folder.write("map.bsp", sample_bytes("wedge"));
    assert_says(&folder.succeed(command), &["wrote map.onion"]);
    let mut damaged = folder.read("map.onion");
    *damaged.last_mut().unwrap() ^= 1;
    folder.write("map.onion", &damaged);
    assert_says(&folder.succeed(command), &["wrote map.onion"]);
}

#[test]
fn limits_count_for_what_is_up_to_date() {
    let folder = Folder::with_map("room");
    folder.succeed("map.bsp --hull stand:16x56");
    folder.fail_each(
        FAILED,
        "map.bsp --hull stand:16x56 --max-nodes 1 => nodes
         map.bsp --hull stand:16x56 --max-bytes 10 => bytes",
    );
}

#[test]
fn rules_name_what_was_read() {
    let folder = folder_of_maps();
    folder.write("onion.toml", "hull = ['stand:16x56']\n");
    fs::rename(
        folder.0.path().join("maps/room.bsp"),
        folder.0.path().join("maps/a $ #ro\\:om.bsp"),
    )
    .unwrap();
    folder.succeed("maps --depfile deps.d -q");
    let rules = folder.read_text("deps.d");
    let wanted = "maps/a\\ $$\\ \\#ro\\\\\\:om.onion: maps/a\\ $$\\ \\#ro\\\\\\:om.bsp onion.toml\n\
                  maps/ramp_stairs.onion: maps/ramp_stairs.bsp onion.toml\n\
                  maps/wedge.onion: maps/wedge.bsp onion.toml\n";
    assert_eq!(rules, wanted);
    folder.succeed("maps --depfile deps.d -q");
    assert_eq!(folder.read("deps.d"), wanted.as_bytes(), "up to date");
}

/// In a folder, extensions of maps are recognized in any case, and of maps with one name the one that a game loads is
/// compiled.
#[test]
fn maps_of_a_folder_are_chosen_by_their_endings() {
    let room = sample_bytes("room");
    let others: [&[&str]; 4] = [
        &["a.BSP"],
        &["a.bsp", "a.map", "a.glb", "a.gltf"],
        &["a.bsp", "a.gltf"],
        &["a.Bsp", "a.MAP"],
    ];
    for names in others {
        let folder = Folder::new();
        folder.make_folder("maps");
        for name in names {
            folder.write(&format!("maps/{name}"), &room);
        }
        // Maps that are left out give a warning.
        assert_eq!(folder.run("maps --hull stand:16x56").code, 0);
        assert!(!folder.read("maps/a.onion").is_empty(), "{names:?}");
    }
    // The text takes precedence over scenes.
    let folder = Folder::new();
    folder.make_folder("maps");
    folder.write("maps/a.glb", "no scene");
    folder.write("maps/a.map", "{\n\"classname\" \"worldspawn\"\n}\n");
    assert_eq!(folder.run("maps --hull stand:16x56").code, 0);
}

/// A file made by another version of the compiler is compiled again.
#[test]
fn another_version_is_not_up_to_date() {
    let folder = Folder::with_map("room");
    folder.succeed("map.bsp --hull stand:16x56");
    let made = folder.read("map.onion");
    let version = env!("CARGO_PKG_VERSION").as_bytes();
    let mut other = made.clone();
    let at = other
        .windows(version.len())
        .position(|part| part == version);
    other[at.unwrap()] = b'9';
    onion_tests::planted::sign(&mut other);
    folder.write("map.onion", other);
    folder.succeed("map.bsp --hull stand:16x56");
    assert_eq!(folder.read("map.onion"), made);
}
