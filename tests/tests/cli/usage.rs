//! The command line itself: help, the short form of `onionc compile`, and words that name nothing, for which the
//! nearest name is offered.

use crate::folder::*;

/// Clap's way: exit code 2, because a command line without arguments asks for nothing.
#[test]
fn without_arguments_the_help_is_printed() {
    let folder = Folder::new();
    let bare = folder.run("");
    assert_eq!((bare.code, bare.stdout.as_str()), (USAGE, ""));
    assert_eq!(bare.stderr, folder.succeed("-h"));
    assert!(bare.stderr.contains("Usage: onionc MAP --hull NAME:RxH"));
}

#[test]
fn compile_may_be_left_out() {
    let folder = Folder::with_map("room");
    folder.succeed("compile map.bsp --hull stand:16x56 -o explicit.onion");
    folder.succeed("map.bsp --hull stand:16x56 -o short.onion");
    folder.succeed("--hull stand:16x56 -o last.onion map.bsp");
    let explicit = folder.read("explicit.onion");
    assert!(!explicit.is_empty());
    assert_eq!(explicit, folder.read("short.onion"));
    assert_eq!(explicit, folder.read("last.onion"));
    // A map may be named like a word, and like a subcommand where its folder is given.
    folder.write("arena", sample_bytes("room"));
    folder.write("info", sample_bytes("room"));
    folder.succeed("arena --hull stand:16x56");
    folder.succeed("./info --hull stand:16x56");
    assert_eq!(explicit, folder.read("arena.onion"));
    assert_eq!(explicit, folder.read("info.onion"));
}

#[test]
fn a_word_that_names_nothing_gets_the_nearest_subcommand() {
    let folder = Folder::with_onion("room");
    let table = [
        ("verfy map.onion map.bsp", "verfy; did you mean verify?"),
        ("Compile map.bsp", "Compile; did you mean compile?"),
        ("tarce map.onion", "tarce; did you mean trace?"),
        ("points", "points; did you mean point?"),
        (
            "arena --hull stand:16x56",
            "arena; the subcommands are compile, trace, point, verify, info, help",
        ),
    ];
    for (arguments, message) in table {
        let message = format!("error: no subcommand or map named {message}");
        folder.fail(arguments, USAGE, &[&message]);
    }
    // What looks like a file is one that is missing.
    folder.fail("arena.bsp --hull a:point", CANNOT_READ, &["arena.bsp"]);
    folder.fail("maps/arena --hull a:point", CANNOT_READ, &["maps/arena"]);
}

#[test]
fn a_folder_is_no_map() {
    let folder = Folder::new();
    folder.make_folder("maps");
    let none = ["'maps'", "a folder, and holds no map"];
    folder.fail("maps --hull stand:16x56", USAGE, &none);
    for name in ["d.bsp", "b.BSP", "a.bsp", "c.bsp", "0.txt"] {
        folder.write(&format!("maps/{name}"), "");
    }
    let such_as = "name a map in it, such as maps/a.bsp, maps/b.BSP, maps/c.bsp\n";
    for arguments in ["maps", "compile maps", "maps --hull stand:16x56"] {
        folder.fail(arguments, USAGE, &["'maps'", "a folder", such_as]);
    }
}
