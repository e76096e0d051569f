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
    folder.fail_each(
        USAGE,
        "verfy map.onion map.bsp => error: no subcommand or map named verfy; did you mean verify?
         Compile map.bsp => error: no subcommand or map named Compile; did you mean compile?
         tarce map.onion => error: no subcommand or map named tarce; did you mean trace?
         points => error: no subcommand or map named points; did you mean point?
         arena --hull stand:16x56 => error: no subcommand or map named arena; the subcommands are compile, trace, point, \
         verify, info, render, view, reach, diff, export, constants, completions, man, help",
    );
    // A word that looks like a file is reported as a missing file.
    folder.fail("arena.bsp --hull a:point", CANNOT_READ, &["arena.bsp"]);
    folder.fail("maps/arena --hull a:point", CANNOT_READ, &["maps/arena"]);
}

/// For options that are easily written wrong, the message gives the correct form.
#[test]
fn a_wrong_value_is_told_with_its_option() {
    let folder = Folder::with_onion("room");
    folder.write("other.bsp", sample_bytes("door"));
    folder.fail_each(
        USAGE,
        "help rendr => did you mean render?
         man rendr => did you mean render?
         map --hull s:1x1 => did you mean map.bsp?
         map.bsp --hull s:1x1 b:1x2 => an option of its own: --hull b:1x2
         map.bsp map.bsp --hull s:1x1 => map.bsp is named twice
         map.bsp a.bsp --hull s:1x1 -o - => cannot go to standard output
         help q => the subcommands are compile, trace, point
         map.bsp --hull stand:16x56 --patch-error -1 => '-1' for '--patch-error <UNITS>'
         map.bsp --hull stand:16x56 --seal -1 => '-1' for '--seal <WIDTH>'
         map.bsp --hull stand:16x56 --scale -1 => '-1' for '--scale <FACTOR>'
         map.bsp --hull stand:16x56 --max-nodes -1 => '-1' for '--max-nodes <N>'
         map.bsp --hull stand:16x56 --threads -1 => write a whole number from 1 to 1024
         render map.onion --size -1 => '-1' for '--size <PIXELS>'
         point map.onion --at 0,0,0 --model -1 => '-1' for '--model <N>'
         map.bsp --hull stand:16x56 --threads four => write a whole number from 1 to 1024
         map.bsp --hull stand:16x56 --max-bytes x => write a whole number of 0 or more
         point map.onion --at 0,0,0 --model x => write a whole number of 0 or more
         --verison => did you mean --version?
         map.bsp --hull stand:16x56 --jobs 0 => a similar argument exists: '--threads'
         map.bsp --hull stand:16x56 -j4 => a similar argument exists: '--threads'
         trace map.onion --hull stand --from 0 0 24 --to 1 1 1 => put a place in quotes, or join it with commas
         point map.onion --at -1 0 24 => put a place in quotes, or join it with commas
         render map.onion a.png => a.png: there is no such map; to write it, put -o before it
         map.bsp --hull stand:16x56 -o a\u{1}b/ => -o a\\u{1}b/: the name has a control character
         render map.onion -o a\u{1}.png => the name has a control character
         reach map.onion a.pts => put --pts before it
         render map.onion --slice z=5000 => --slice z=5000: the map is between z=-16 and z=
         diff map.onion map.onion --slice x=-5000 -o a.png => --slice x=-5000: the map is between x=-
         render map.onion --slice z=999999 => from -65536 to 65536
         render map.onion --slice z=nan => not a coordinate
         render map.onion -o x.jpg => end the name with .png
         diff map.onion map.onion -o x.jpg => end the name with .png
         view map.onion -o x.png => end the name with .html
         map.bsp --hull stand:16x56 -o level.map => this writes a compiled map
         map.bsp --hull stand:16x56 --report x.bsp => --report x.bsp
         map.bsp --hull stand:16x56 -o a.onion --depfile a.onion => name another file",
    );
    folder.fail_each(
        CANNOT_READ,
        "info .\\map.onion => folders end with / here, so write ./map.onion",
    );
    folder.fail_each(
        CANNOT_WRITE,
        "map.bsp --hull stand:16x56 --report other.bsp => onionc (.json); name another file with --report
         map.bsp --hull stand:16x56 -o /proc/x.onion => the folder /proc takes no files; name another place
         map.bsp --hull stand:16x56 --report map.onion => with --report",
    );
    let jobs = folder.run("map.bsp --jobs 0").stderr;
    assert!(!jobs.contains("'-- --jobs'"), "{jobs}");
}

/// The message says what an agent's text should be, or which hull is wrong.
#[test]
fn a_wrong_class_of_agents_is_told() {
    Folder::with_map("room").fail_each(
        USAGE,
        "map.bsp --hull stand:16x56 --agent man => write NAME:HULL,HULL
         map.bsp --hull stand:16x56 --agent man:stand:fly=1 => man: cannot read \"fly=1\"; write speed=
         map.bsp --hull stand:16x56 --agent man:stand:jump=-1 => man: cannot read \"jump=-1\"
         map.bsp --hull stand:16x56 --agent man:stand:jump=1:jump=2 => man: jump= is written twice
         map.bsp --hull stand:16x56 --agent man:stnd => --agent man: no hull is named \"stnd\"
         map.bsp --hull stand:16x56 --hull big:32x64 --agent big:stand => --agent big: a hull of that name is in no agent",
    );
}

/// Clap takes `-hull` for `-h` followed by more short options, prints help and succeeds.
#[test]
fn a_long_option_with_one_dash_is_refused() {
    let folder = Folder::with_onion("room");
    folder.fail_each(
        USAGE,
        "map.bsp -hull stand:16x56 => error: -hull: long options have two dashes; write --hull
         -hull stand:16x56 map.bsp => error: -hull: long options have two dashes; write --hull
         compile map.bsp -hull=stand:16x56 => error: -hull: long options have two dashes; write --hull
         map.bsp --hull stand:16x56 -brushes => error: -brushes: long options have two dashes; write --brushes
         trace map.onion -hull stand --from 0,0,0 --to 1,1,1 => error: -hull: long options have two dashes; write --hull
         info map.onion -json => error: -json: long options have two dashes; write --json
         -version => error: -version: long options have two dashes; write --version",
    );
    // An option of another subcommand, a cluster of short options, and negative numbers.
    folder.fail("info map.onion -brushes", USAGE, &["'-b'"]);
    folder.succeed("map.bsp --hull stand:16x56 --hull point:point -vo map.onion");
    folder.succeed("trace map.onion --hull stand --from -1,0,24 --to -2,0,24");
}

#[test]
fn the_compiled_map_comes_first() {
    let folder = Folder::with_onion("room");
    for command in ["verify", "render", "view", "reach"] {
        let message =
            format!("error: the compiled map comes first: onionc {command} map.onion map.bsp\n");
        folder.fail(&format!("{command} map.bsp map.onion"), USAGE, &[&message]);
    }
    folder.fail_each(
        BAD_INPUT,
        "verify map.bsp map.bsp => map.bsp: not a compiled map",
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
