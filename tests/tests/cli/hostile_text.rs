//! Text from files that tries to control a terminal, or to imitate other text: whatever command prints it, the output
//! shows it escaped, and no file gets such a name.

use std::process::Command;

use onion_tests::planted;
use serde_json::Value;

use crate::archives::pak;
use crate::folder::*;

/// Text that clears the screen, begins a line, reverses the writing direction, is one character of two bytes, or is a
/// direction mark.
const BAD: [&str; 5] = ["\u{1b}[2J", "\nok", "\u{202e}", "\u{9b}2J", "\u{200f}"];

/// Fails if a text contains characters that a terminal would obey.
fn assert_plain(text: &str, what: &str) {
    let is_mark = |letter: char| matches!(letter, '\u{200f}' | '\u{202e}' | '\u{e0041}');
    let is_bad = |letter: char| letter != '\n' && letter.is_control() || is_mark(letter);
    assert!(!text.contains(is_bad), "{what}: {text:?}");
    assert!(
        !text.lines().any(|line| line.starts_with("ok")),
        "{what}: {text:?}"
    );
}

/// Returns a compiled file in which every occurrence of a word in its text is replaced by another of the same length.
fn with_word(file: &[u8], word: &str, other: &str) -> Vec<u8> {
    assert_eq!(word.len(), other.len());
    let mut file = file.to_vec();
    let places = 0..file.len() - word.len();
    let places: Vec<usize> = places
        .filter(|&at| file[at..].starts_with(word.as_bytes()))
        .collect();
    assert!(!places.is_empty(), "{word} is not there");
    for at in places {
        file = planted::with(&file, at, other.as_bytes());
    }
    file
}

/// Long: a table of commands, and the text that each of them may not print.
#[test]
fn what_a_compiled_file_says_is_shown_plain() {
    let folder = Folder::with_map("low_tunnel");
    // Long enough for any of the bad texts.
    folder.succeed(
        "map.bsp --hull standing:16x56 --hull crouch:16x32 --fill-from info_player_deathmatch",
    );
    let good = folder.read("map.onion");
    let words = [
        "standing",
        "info_player_deathmatch",
        "textures/samples",
        "onionc 0",
    ];
    let commands = [
        "info FILE",
        "point FILE --at 0,0,24",
        "trace FILE --hull crouch --from 0,0,24 --to 4000,0,24 --hits",
        "trace FILE --hull none --from 0,0,24 --to 4000,0,24",
        "reach FILE",
        "reach FILE map.bsp",
        "diff FILE map.onion",
        "diff map.onion FILE",
        "verify FILE map.bsp",
        "render FILE --hull none",
        "export FILE -o a.obj",
        "export FILE --parts leaves -o a.map",
    ];
    for word in words {
        for bad in BAD {
            let other = format!("{bad}{}", &word[bad.len()..]);
            folder.write("bad.onion", with_word(&good, word, &other));
            let mut n_shown = 0;
            for command in commands {
                let command = command.replace("FILE", "bad.onion");
                let run = folder.run(&command);
                assert_plain(&run.stdout, &command);
                assert_plain(&run.stderr, &command);
                let escaped: String = bad
                    .chars()
                    .map(|letter| {
                        if letter.is_ascii_graphic() || letter == ' ' {
                            letter.to_string()
                        } else {
                            letter.escape_default().to_string()
                        }
                    })
                    .collect();
                n_shown +=
                    usize::from(run.stdout.contains(&escaped) || run.stderr.contains(&escaped));
                for name in ["a.obj", "a.map"] {
                    let text =
                        std::fs::read_to_string(folder.0.path().join(name)).unwrap_or_default();
                    assert_plain(&text, name);
                }
            }
            // Line ends separate recorded options, and names of hulls have no control characters.
            let is_apart = match word {
                "standing" => bad.contains(char::is_control),
                _ => bad.contains('\n'),
            };
            assert!(
                n_shown > 0 || is_apart,
                "{word} with {bad:?} is shown nowhere"
            );
        }
    }
    // JSON has its own escapes, and keeps the text.
    for (word, bad) in [
        ("onionc 0", "on\u{1b}onc 0"),
        ("onionc 0", "on\u{9b}nc 0"),
        ("standing", "s\u{e0041}ing"),
    ] {
        folder.write("bad.onion", with_word(&good, word, bad));
        assert_plain(&folder.run("info bad.onion --json").stdout, bad);
        let info: Value = folder.succeed_json("info bad.onion --json");
        let mut shown = [&info["hulls"][0]["name"], &info["compiler"]].into_iter();
        assert!(
            shown.any(|text| text.as_str().is_some_and(|text| text.starts_with(bad))),
            "{info}"
        );
    }
}

/// An invalid word may have any length; the message quotes only a part of it.
#[test]
fn messages_are_not_endless() {
    let folder = Folder::new();
    folder.write("a.map", "{\n\"classname\" \"worldspawn\"\n}\n");
    folder.write("own.toml", "k".repeat(900_000) + " = 1");
    let run = folder.run("a.map --hull stand:16x56 --game own.toml");
    assert_eq!(run.code, USAGE);
    assert!(run.stderr.contains("own.toml") && run.stderr.len() < 20_000);
}

#[test]
fn names_in_archives_are_plain() {
    let room = sample_bytes("room");
    for bad in BAD {
        let folder = Folder::new();
        let name = format!("maps/a{bad}.bsp");
        folder.write("maps.pak", pak(&[(&name, &room), ("b.bsp", b"no map")]));
        for command in [
            "maps.pak --hull s:1x1",
            "maps.pak --all --hull s:1x1",
            "maps.pak:none --hull s:1x1",
        ] {
            let run = folder.run(command);
            assert_plain(&run.stdout, command);
            assert_plain(&run.stderr, command);
        }
        let names = folder.names();
        assert_eq!(names.len(), 2, "{names:?}");
        assert!(names.iter().all(|name| name.is_ascii()), "{names:?}");
        names.iter().for_each(|name| assert_plain(name, "a file"));
        assert!(!names.iter().any(|name| name.contains('\n')), "{names:?}");
    }
}

/// The map's own text: classes and textures in warnings, and lines in errors.
#[test]
fn what_a_map_says_is_shown_plain() {
    let folder = Folder::new();
    for bad in BAD {
        let class = format!("info_player_start{bad}");
        let entity =
            |class: &str| format!("{{\n\"classname\" \"{class}\"\n\"origin\" \"1e9 0 0\"\n}}\n");
        let world = "{\n\"classname\" \"worldspawn\"\n}\n";
        for text in [
            format!("{world}{}", entity(&class)),
            format!("{world}{{\n( 0 0 {bad} ) }}"),
            format!("{world}{{ \"model\" \"{bad}"),
        ] {
            folder.write("map.map", text);
            let run = folder.run("map.map --hull s:1x1 --force --fill-from info_*");
            assert_plain(&run.stderr, bad);
            assert_plain(&run.stdout, bad);
        }
    }
}

/// Arguments may be names of files, and tables are files.
#[test]
fn what_arguments_say_is_shown_plain() {
    let folder = Folder::with_map("room");
    for bad in &BAD[2..] {
        folder.write("game.toml", format!("\"{bad}\" = 1\n"));
        for argument in [
            format!("--hull=a{bad}:16x56"),
            "--game=game.toml".to_owned(),
        ] {
            let mut command = Command::new(binary());
            command.current_dir(folder.0.path());
            let output = command.args(["map.bsp", &argument]).output().unwrap();
            let text = String::from_utf8(output.stderr).unwrap();
            assert!(text.contains("error: "), "{argument:?}");
            assert_plain(&text, &argument);
        }
    }
}
