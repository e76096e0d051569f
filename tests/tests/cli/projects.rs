//! Project files: the settings in `onion.toml` apply unless the command line overrides them, and an error names the
//! faulty entry. `constants` writes the hulls for the source of a game.

use std::process::Command;

use onion_tests::effort::Cases;
use onion_tests::fuzz::OPTIONS;
use onion_tests::random::Random;
use rayon::prelude::*;

use crate::folder::*;

/// Number of projects with random changes.
const CHANGES: Cases = Cases::new(100, 1_000);

/// Returns the names of the hulls of a compiled map.
fn names_of_hulls(folder: &Folder, file: &str) -> Vec<String> {
    let info = folder.succeed_json(&format!("info {file} --json"));
    texts(&info["hulls"], "name")
}

/// Returns the options of a compile that a file records, except for its hulls.
fn options(info: &serde_json::Value) -> Vec<String> {
    let mut options = texts(&info["options"], "");
    options.retain(|option| !option.starts_with("--hull"));
    options
}

/// Makes a folder with a project in it, and the map of a sample below.
fn project(toml: &str) -> Folder {
    let folder = Folder::new();
    folder.make_folder("maps");
    folder.write("maps/map.bsp", sample_bytes("room"));
    folder.write("onion.toml", toml);
    folder
}

#[test]
fn the_project_above_a_map_counts() {
    let folder =
        project("hull = ['tall:16x72', 'stand:16x56']\nno-fill = true\noutput = 'build'\n");
    folder.succeed("maps/map.bsp");
    assert_eq!(
        names_of_hulls(&folder, "build/map.onion"),
        ["tall", "stand"]
    );
    let info = folder.succeed_json("info build/map.onion --json");
    assert_eq!(options(&info), ["--no-fill"]);
}

#[test]
fn the_command_line_wins() {
    let folder = project("preset = 'quake3'\nno-fill = true\npatch-error = 8\n");
    folder.succeed("maps/map.bsp --hull low:16x20 --fill-from info_player_deathmatch -o a.onion");
    assert_eq!(names_of_hulls(&folder, "a.onion"), ["low"]);
    let info = folder.succeed_json("info a.onion --json");
    let options = ["--patch-error=8", "--fill-from=info_player_deathmatch"];
    assert_eq!(self::options(&info), options);
    folder.fail("maps/map.bsp --no-config", USAGE, &["--hull", "--preset"]);
}

/// A preset says how the agents of a game move, unless a project has hulls or agents of its own.
#[test]
fn presets_have_agents() {
    let recorded = |arguments: &str| {
        let folder = project("preset = 'quake'\n");
        folder.succeed(&format!("maps/map.bsp {arguments} -o a.onion"));
        options(&folder.succeed_json("info a.onion --json"))
    };
    let monster = "--agent=monster:large:jump=0:drop=0";
    assert_eq!(recorded(""), ["--agent=player:stand:drop=264", monster]);
    let own = "--agent=walker:stand,large";
    assert_eq!(recorded("--agent walker:stand,large"), [own]);
    assert_eq!(recorded("--preset quake --hull low:16x20"), [""; 0]);
    // Those of the other games are read, too.
    for game in ["quake2", "quake3", "halflife"] {
        let found = recorded(&format!("--preset {game}"));
        assert!(
            found[0].starts_with("--agent=player:stand,crouch"),
            "{found:?}"
        );
    }
}

#[test]
fn hulls_may_be_a_table_in_the_order_of_the_file() {
    let folder = project("[hull]\nstand = '16x56'\ncrouch = '16x32'\nbig = '32x72'\n");
    folder.succeed("maps/map.bsp");
    assert_eq!(
        names_of_hulls(&folder, "maps/map.onion"),
        ["stand", "crouch", "big"]
    );
}

/// Any project is read, or refused with a message.
#[test]
fn changed_projects_are_read_or_refused() {
    let seeds = [
        "hull = ['tall:16x72', 'stand:16x56@24']\nno-fill = true\npatch-error = 0.7\ngroup = 'each'\n",
        "preset = 'quake3'\nseal = 0.25\nfill-from = ['info_*', 'item_*']\nmax-nodes = 5000\n",
        "scale = 2.5\nup = 'y'\nno-fast = true\n[hull]\nstand = '16x56'\npoint = 'point:contents=water+0x100'\n",
    ];
    let is_read = |number: usize| {
        let mut toml = seeds[number % seeds.len()].as_bytes().to_vec();
        let mut random = Random::new(number as u64);
        for _ in 0..random.below(3) {
            (OPTIONS.mutate)(&mut toml, &mut random);
        }
        let folder = project("");
        folder.write("onion.toml", &toml);
        let run = folder.run("maps/map.bsp");
        let what = format!("{}\n{}", String::from_utf8_lossy(&toml), run.stderr);
        assert!(run.code <= FAILED, "{what}");
        let is_told = run.stderr.starts_with("onionc: error: ");
        assert!(is_told || run.code == 0, "{what}");
        run.code == 0
    };
    let n_changes = CHANGES.count();
    let changes = (0..n_changes).into_par_iter();
    let n_read = changes.filter(|&number| is_read(number)).count();
    assert!(n_read > n_changes / 5, "{n_read} of {n_changes} were read");
    assert!(n_read < n_changes * 4 / 5, "{n_read} of {n_changes}");
}

/// Fails with each project of a table: a project, in which `\n` stands for the end of a line, ` => `, and a part of the
/// message.
fn fail_each(arguments: &str, table: &str) {
    for row in table.lines().map(str::trim) {
        let (toml, words) = row.split_once(" => ").expect(row);
        let folder = project(&toml.replace("\\n", "\n"));
        folder.fail(arguments, BAD_INPUT, &["onion.toml", words]);
    }
}

#[test]
fn a_project_is_named_where_it_is_wrong() {
    fail_each(
        "maps/map.bsp --hull stand:16x56",
        r#"gruop = 3\n => line 1: gruop is not an option of a project; did you mean group?
        \ncolour = 3\n => line 2: colour is not an option of a project; `onionc help compile` lists them
        hull = [\n'stand:tall']\n => line 1: invalid value 'stand:tall'
        [hull]\na = '1x2'\nb = 'tall'\n => line 3: invalid value 'b:tall'
        no-fill = true\njson = 'a.json'\n => line 2: json is not an option
        group = 2020-01-01\n => line 1: group: expected
        # text\n\nno-fill = 'yes'\n => line 3:
        no-fill = true\nno-fill = true\n => line 2: duplicate key
        no-fast = true\nno-fill = true\nfill-from = 'a'\n => line 3: the argument '--no-fill' cannot be used with '--fill-from
        [hull]\na = ['1x2', '1x3']\n => line 2: hull.a: expected a text
        preset = 'quake5'\n => [possible values: quake, quake2,
        output = "build\room"\n => line 1: output: there is a control character; write a path with /
        \noutput = "build\maps"\n => in single quotes ('build\maps')
        hull = [\n => line 1:"#,
    );
    let none = "maps/map.bsp --config none.toml";
    project("").fail(none, CANNOT_READ, &["none.toml"]);
}

/// Errors that depend on the other options, or on the command line.
#[test]
fn options_of_a_project_are_named_where_they_do_not_fit() {
    fail_each(
        "maps/map.bsp",
        r#"no-fill = true\ngroup = 'stand+crouchy'\n[hull]\nstand = '16x56'\n => line 2: group: no hull is named "crouchy"
        [hull]\nflat = '16x56'\nstand = 'mins=1,1,1:maxs=0,0,0'\n => line 3: hull stand: the box is inside out
        preset = 'quake'\nhull = ['stand:16x56']\n => line 2: hull stand: the name is used twice
        preset = 'quake'\n[agent]\nman = 'stand'\nogre = 'big'\n => line 4: agent ogre: no hull is named "big"
        preset = 'quake'\n[agent]\nman = 'stand'\nogre = 'stand,large'\n => line 2: agent hull stand is named twice
        preset = 'quake'\nagent = ['man:stand', 'man:large']\n => line 2: agent man: the name is used twice
        preset = 'quake'\n[agent]\nman = 'stand:jump=high'\n => line 3: invalid value 'man:stand:jump=high'
        preset = 'quake'\nagent = 'stand'\n => line 2: invalid value 'stand'"#,
    );
    let groups = project("group = 'crouchy'\n[hull]\nstand = '16x56'\n");
    groups.fail("maps/map.bsp --group crouch", USAGE, &["--group: no hull"]);
    let flat = project("[hull]\nstand = 'mins=1,1,1:maxs=0,0,0'\n");
    flat.fail("constants --js", BAD_INPUT, &["line 2: hull stand"]);
}

#[test]
fn what_is_printed_is_a_project() {
    let folder = project(
        "preset = 'halflife'\nagent = ['ogre:large:jump=0', 'man:stand,crouch:drop=300:step=20']\ngroup = 'auto'\nfill-from = ['a*', 'b']\nbrushes = true\noutput = 'build'\n\
         max-nodes = 5000\nmax-memory = '2G'\nverify = true\nthreads = 2\n",
    );
    let printed = folder.succeed("maps/map.bsp --print-config");
    let lines = r#"agent = ["ogre:large:jump=0", "man:stand,crouch:step=20:drop=300"]|output = "build"|max-nodes = 5000|max-memory = "2G"|verify = true|threads = 2"#;
    for line in lines.split('|') {
        let is_printed = printed.lines().any(|printed| printed == line);
        assert!(is_printed, "{line}: {printed}");
    }
    let again = project(&printed);
    assert_eq!(again.succeed("maps/map.bsp --print-config"), printed);
    assert_eq!(printed.matches("contents=").count(), 3, "{printed}");
}

/// The boxes come from the games' own sources: `hull_size` of Quake, `pmove` of Quake II and III, `CHalfLifeRules`.
#[test]
fn presets_are_the_boxes_of_the_games() {
    let folder = project("");
    let text = folder.succeed("constants --js --preset quake2");
    assert_says(
        &text,
        &["STAND = { name: \"stand\", mins: [-16.0, -16.0, -24.0], maxs: [16.0, 16.0, 32.0] }"],
    );
    assert_says(
        &text,
        &["CROUCH = { name: \"crouch\", mins: [-16.0, -16.0, -24.0], maxs: [16.0, 16.0, 4.0] }"],
    );
    let n_hulls = |preset: &str| {
        folder
            .succeed(&format!("constants --js --preset {preset}"))
            .matches("name")
            .count()
    };
    assert_eq!(
        ["quake", "quake2", "quake3", "halflife"].map(|name| n_hulls(name) - 1),
        [2, 2, 2, 3]
    );
}

#[test]
fn constants_are_the_hulls_of_the_project() {
    let folder = project(
        "output = 'build'\n[hull]\nstand = '16x56'\n2nd-bot = 'mins=-1,-2,-3:maxs=4,5,6.5'\n",
    );
    let rust = folder.succeed("constants --rust");
    assert_says(
        &rust,
        &[
            "pub const STAND: Hull = (\n    \"stand\",\n    Aabb {\n        mins: [-16.0, -16.0, -24.0],\n        maxs: [16.0, 16.0, 32.0],\n    },\n);",
        ],
    );
    assert_says(
        &rust,
        &[
            "pub const _2ND_BOT: Hull = (\n    \"2nd-bot\",",
            "mins: [-1.0, -2.0, -3.0],\n        maxs: [4.0, 5.0, 6.5],",
            "pub const CONTENTS_WATER: u32 = 0x20;",
        ],
    );
    let told = folder.succeed("constants --c -o hulls.h");
    assert_eq!(told, "wrote hulls.h: 2 hulls\n");
    folder.write(
        "use.c",
        "#include <string.h>\n#include \"hulls.h\"\nint main(void) {\n\
         return strcmp(HULL_STAND, \"stand\") || HULL__2ND_BOT_MAXS[2] != 6.5f || HULL_STAND_MINS[2] != -24.0f\n\
         || ONION_CONTENTS_NODROP != 0x80000000u;\n}\n",
    );
    let cc = |arguments: &[&str]| {
        Command::new("cc")
            .args(arguments)
            .current_dir(folder.0.path())
            .status()
    };
    assert!(
        cc(&["-Wall", "-Wextra", "-Werror", "use.c", "-o", "use"])
            .unwrap()
            .success()
    );
    assert!(
        Command::new(folder.0.path().join("use"))
            .status()
            .unwrap()
            .success()
    );
    let clash = "constants --js --hull a-b:1x2 --hull a.b:1x2";
    folder.fail(clash, USAGE, &["a.b", "A_B"]);
}

/// An option that belongs to one run is not an option of a project, and is refused by its line.
#[test]
fn options_of_one_run_are_no_options_of_a_project() {
    let options = "config no-config print-config help color json report dump force quiet watch verbose depfile";
    for option in options.split(' ') {
        let folder = Folder::with_map("room");
        folder.write(
            "onion.toml",
            format!("hull = ['stand:16x56']\n{option} = true\n"),
        );
        let told = format!("line 2: {option} is not an option");
        folder.fail("map.bsp", BAD_INPUT, &[&told]);
    }
}

/// A table of a game that a project names is beside the project, wherever the command runs.
#[test]
fn tables_of_games_lie_beside_their_project() {
    let folder = Folder::new();
    folder.make_folder("maps");
    folder.write("maps/a.map", "{\n\"classname\" \"worldspawn\"\n}\n");
    folder.write("maps/own.toml", "base = 'quake'\n");
    folder.write(
        "maps/onion.toml",
        "hull = ['stand:16x56']\ngame = 'own.toml'\n",
    );
    // The empty map gives a warning.
    assert_eq!(folder.run("maps/a.map").code, 0);
}
