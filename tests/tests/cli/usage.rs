//! The command line itself: help, the short form of `onionc compile`, and unknown words, for which the message offers
//! the nearest name.

use crate::folder::*;

/// Clap's convention: exit code 2, because a command line without arguments requests nothing.
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
    // A map may be named like a word, and like a subcommand if its folder is given.
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
            "arena; the subcommands are compile, trace, point, verify, info, render, view, reach, diff, export, constants, \
             completions, man, help",
        ),
    ];
    for (arguments, message) in table {
        let message = format!("error: no subcommand or map named {message}");
        folder.fail(arguments, USAGE, &[&message]);
    }
    // A word that looks like a file is reported as a missing file.
    folder.fail("arena.bsp --hull a:point", CANNOT_READ, &["arena.bsp"]);
    folder.fail("maps/arena --hull a:point", CANNOT_READ, &["maps/arena"]);
}

/// Clap takes `-hull` for `-h` followed by more short options, prints help and succeeds. For options that are easily
/// written wrong, the message gives the correct form.
/// Long: a table.
#[test]
fn a_wrong_value_is_told_with_its_option() {
    let folder = Folder::with_onion("room");
    folder.write("other.bsp", sample_bytes("door"));
    let hull = "--hull stand:16x56";
    let cases = [
        ("help rendr".to_owned(), USAGE, "did you mean render?"),
        ("man rendr".to_owned(), USAGE, "did you mean render?"),
        (
            "map --hull s:1x1".to_owned(),
            USAGE,
            "did you mean map.bsp?",
        ),
        (
            "map.bsp --hull s:1x1 b:1x2".to_owned(),
            USAGE,
            "an option of its own: --hull b:1x2",
        ),
        (
            "map.bsp map.bsp --hull s:1x1".to_owned(),
            USAGE,
            "map.bsp is named twice",
        ),
        (
            "map.bsp a.bsp --hull s:1x1 -o -".to_owned(),
            USAGE,
            "cannot go to standard output",
        ),
        ("help q".to_owned(), USAGE, "the subcommands are compile, "),
        (
            format!("map.bsp {hull} --patch-error -1"),
            USAGE,
            "'-1' for '--patch-error <UNITS>'",
        ),
        (
            format!("map.bsp {hull} --seal -1"),
            USAGE,
            "'-1' for '--seal <WIDTH>'",
        ),
        (
            format!("map.bsp {hull} --scale -1"),
            USAGE,
            "'-1' for '--scale <FACTOR>'",
        ),
        (
            format!("map.bsp {hull} --max-nodes -1"),
            USAGE,
            "'-1' for '--max-nodes <N>'",
        ),
        (
            format!("map.bsp {hull} --threads -1"),
            USAGE,
            "write a whole number from 1 to 1024",
        ),
        (
            "render map.onion --size -1".to_owned(),
            USAGE,
            "'-1' for '--size <PIXELS>'",
        ),
        (
            "point map.onion --at 0,0,0 --model -1".to_owned(),
            USAGE,
            "'-1' for '--model <N>'",
        ),
        (
            format!("map.bsp {hull} --threads four"),
            USAGE,
            "write a whole number from 1 to 1024",
        ),
        (
            format!("map.bsp {hull} --max-bytes x"),
            USAGE,
            "write a whole number of 0 or more",
        ),
        (
            "point map.onion --at 0,0,0 --model x".to_owned(),
            USAGE,
            "write a whole number of 0 or more",
        ),
        ("--verison".to_owned(), USAGE, "did you mean --version?"),
        (
            format!("map.bsp {hull} --jobs 0"),
            USAGE,
            "a similar argument exists: '--threads'",
        ),
        (
            format!("map.bsp {hull} -j4"),
            USAGE,
            "a similar argument exists: '--threads'",
        ),
        (
            "trace map.onion --hull stand --from 0 0 24 --to 1 1 1".to_owned(),
            USAGE,
            "put a place in quotes, or join it with commas",
        ),
        (
            "point map.onion --at -1 0 24".to_owned(),
            USAGE,
            "put a place in quotes, or join it with commas",
        ),
        (
            "render map.onion a.png".to_owned(),
            USAGE,
            "a.png: there is no such map; to write it, put -o before it",
        ),
        (
            format!("map.bsp {hull} -o a\u{1}b/"),
            USAGE,
            "-o a\\u{1}b/: the name has a control character",
        ),
        (
            "render map.onion -o a\u{1}.png".to_owned(),
            USAGE,
            "the name has a control character",
        ),
        (
            "reach map.onion a.pts".to_owned(),
            USAGE,
            "put --pts before it",
        ),
        (
            "info .\\map.onion".to_owned(),
            CANNOT_READ,
            "folders end with / here, so write ./map.onion",
        ),
        (
            "render map.onion --slice z=5000".to_owned(),
            USAGE,
            "--slice z=5000: the map is between z=-16 and z=",
        ),
        (
            "diff map.onion map.onion --slice x=-5000 -o a.png".to_owned(),
            USAGE,
            "--slice x=-5000: the map is between x=-",
        ),
        (
            "render map.onion --slice z=999999".to_owned(),
            USAGE,
            "from -65536 to 65536",
        ),
        (
            "render map.onion --slice z=nan".to_owned(),
            USAGE,
            "not a coordinate",
        ),
        (
            "render map.onion -o x.jpg".to_owned(),
            USAGE,
            "end the name with .png",
        ),
        (
            "diff map.onion map.onion -o x.jpg".to_owned(),
            USAGE,
            "end the name with .png",
        ),
        (
            "view map.onion -o x.png".to_owned(),
            USAGE,
            "end the name with .html",
        ),
        (
            format!("map.bsp {hull} -o level.map"),
            USAGE,
            "this writes a compiled map",
        ),
        (
            format!("map.bsp {hull} --report x.bsp"),
            USAGE,
            "--report x.bsp",
        ),
        (
            format!("map.bsp {hull} --report other.bsp"),
            CANNOT_WRITE,
            "onionc (.json); name another file with --report",
        ),
        (
            format!("map.bsp {hull} -o /proc/x.onion"),
            CANNOT_WRITE,
            "the folder /proc takes no files; name another place",
        ),
        (
            format!("map.bsp {hull} --report map.onion"),
            CANNOT_WRITE,
            "with --report",
        ),
        (
            format!("map.bsp {hull} -o a.onion --depfile a.onion"),
            USAGE,
            "name another file",
        ),
    ];
    for (line, code, words) in cases {
        folder.fail(&line, code, &[words]);
    }
    let jobs = folder.run("map.bsp --jobs 0").stderr;
    assert!(!jobs.contains("'-- --jobs'"), "{jobs}");
}

#[test]
fn a_long_option_with_one_dash_is_refused() {
    let folder = Folder::with_onion("room");
    let table = [
        ("map.bsp -hull stand:16x56", "-hull", "--hull"),
        ("-hull stand:16x56 map.bsp", "-hull", "--hull"),
        ("compile map.bsp -hull=stand:16x56", "-hull", "--hull"),
        (
            "map.bsp --hull stand:16x56 -brushes",
            "-brushes",
            "--brushes",
        ),
        (
            "trace map.onion -hull stand --from 0,0,0 --to 1,1,1",
            "-hull",
            "--hull",
        ),
        ("info map.onion -json", "-json", "--json"),
        ("-version", "-version", "--version"),
    ];
    for (arguments, wrong, right) in table {
        let message = format!("error: {wrong}: long options have two dashes; write {right}\n");
        folder.fail(arguments, USAGE, &[&message]);
    }
    // An option of another subcommand, a cluster of short options, and negative numbers.
    folder.fail("info map.onion -brushes", USAGE, &["'-b'"]);
    folder.succeed("map.bsp --hull stand:16x56 --hull point:point -vo map.onion");
    folder.succeed("trace map.onion --hull stand --from -1,0,24 --to -2,0,24");
}

#[test]
fn queries_say_what_to_give() {
    let folder = Folder::with_onion("room");
    let message = ["give --from and --to, or --batch FILE"];
    folder.fail("trace map.onion --hull stand", USAGE, &message);
    folder.fail(
        "trace map.onion --hull stand --from 0,0,0",
        USAGE,
        &["--to"],
    );
    let message = ["give --at, or --batch FILE"];
    folder.fail("point map.onion", USAGE, &message);
}

#[test]
fn the_compiled_map_comes_first() {
    let folder = Folder::with_onion("room");
    for command in ["verify", "render", "view", "reach"] {
        let message =
            format!("error: the compiled map comes first: onionc {command} map.onion map.bsp\n");
        folder.fail(&format!("{command} map.bsp map.onion"), USAGE, &[&message]);
    }
    folder.fail(
        "verify map.bsp map.bsp",
        BAD_INPUT,
        &["map.bsp: not a compiled map"],
    );
}

#[test]
fn a_folder_is_no_compiled_map() {
    let folder = Folder::with_map("room");
    folder.make_folder("maps");
    let message = ["error: maps: it is a folder; name a compiled map (*.onion) in it\n"];
    for arguments in [
        "info maps",
        "point maps --at 0,0,0",
        "trace maps --hull a --from 0,0,0 --to 1,1,1",
        "verify maps map.bsp",
    ] {
        folder.fail(arguments, USAGE, &message);
    }
}

#[test]
fn a_folder_without_maps_is_refused() {
    let folder = Folder::new();
    folder.make_folder("maps");
    folder.write("maps/0.txt", "");
    let message = ["maps", "the folder holds no map", "*.glb"];
    folder.fail("maps --hull stand:16x56", USAGE, &message);
}
