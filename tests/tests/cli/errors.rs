//! Files that cannot be read, written or understood: the error names the file, and the exit code gives the kind of
//! error.

use std::path::PathBuf;

use onion_compiler::error::VerifyError;
use onionc::error::CommandError;

use crate::folder::*;

#[test]
fn nothing_to_do_is_a_usage_error() {
    let folder = Folder::with_map("room");
    folder.fail("map.bsp", USAGE, &["--hull"]);
    folder.fail("--hull stand:16x56", USAGE, &["MAP"]);
    folder.fail("map.bsp --hull stand:16x56 --fast", USAGE, &["--fast"]);
    for error in ["0", "-1", "nan", "inf"] {
        let arguments = format!("map.bsp --hull stand:16x56 --patch-error={error}");
        folder.fail(&arguments, USAGE, &["--patch-error", "above 0"]);
    }
}

#[test]
fn files_that_cannot_be_read_are_named() {
    Folder::with_onion("room").fail_each(
        CANNOT_READ,
        "missing.bsp --hull stand:16x56 => cannot read & missing.bsp & check the path
         info missing.onion => cannot read & missing.onion & check the path
         point missing.onion --at 0,0,0 => cannot read & missing.onion & check the path
         trace missing.onion --hull stand --from 0,0,0 --to 1,1,1 => cannot read & missing.onion & check the path
         trace map.onion --hull stand --batch missing.csv => cannot read & missing.csv & check the path
         point map.onion --batch missing.csv => cannot read & missing.csv & check the path",
    );
}

/// Long: a table of files and the message for each.
#[test]
fn maps_that_are_none_are_named() {
    let folder = Folder::new();
    folder.write("text.bsp", "this is no map\n");
    folder.write("empty.bsp", "");
    let mut version = sample_bytes("room");
    version[4] = 99;
    folder.write("version.bsp", version);
    folder.write("cut.bsp", &sample_bytes("room")[..2000]);
    folder.write("header.bsp", &sample_bytes("room")[..10]);
    folder.write("maps.pk3", b"PK\x03\x04....");
    folder.write("map.onion", b"ONIONBSP....");
    folder.write("quake.bsp", [0x1d, 0, 0, 0, 9, 9]);
    folder.write("valve.bsp", [0x1e, 0, 0, 0, 9, 9]);
    folder.write("bots.aas", b"EAAS....");
    folder.write("source.bsp", b"VBSP....");
    folder.write(
        "brush.map",
        "{\r\n{\r\n( 0 0 0 ) ( 1 1 ) wall\r\n}\r\n}\r\n",
    );
    folder.write("comment.map", "// Game: Quake\n");
    folder.write(
        "wide.map",
        "\u{feff}{}"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect::<Vec<u8>>(),
    );
    let mut tar = vec![0; 512];
    tar[257..262].copy_from_slice(b"ustar");
    folder.write("maps.tar", tar);
    folder.write("map.bsp.gz", b"\x1f\x8b\x08\0....");
    let cases: [(&str, &[&str]); 16] = [
        ("maps.tar", &["an archive (.tar); unpack it first"]),
        ("map.bsp.gz", &["compressed (.gz); unpack it first"]),
        ("quake.bsp", &["lump directory", "get it again"]),
        ("valve.bsp", &["lump directory", "get it again"]),
        (
            "bots.aas",
            &["a Quake III bot file (.aas)", "name the .bsp file"],
        ),
        ("source.bsp", &["a map of the Source engine (VBSP)"]),
        (
            "brush.map",
            &[
                "line 3, column 17: expected a number, found )",
                "\n  | ( 0 0 0 ) ( 1 1 ) wall\n  |                 ^\n",
            ],
        ),
        ("comment.map", &["line 2, column 1: there is no entity"]),
        ("wide.map", &["text in UTF-16; save it as UTF-8"]),
        ("maps.pk3", &["the archive is damaged"]),
        ("map.onion", &["compiled already"]),
        ("text.bsp", &["this is ", "onionc reads Quake II"]),
        ("empty.bsp", &["the file is empty\n"]),
        ("version.bsp", &["IBSP version 99", "46"]),
        ("cut.bsp", &["lump ", "get it again"]),
        ("header.bsp", &["lump ", "get it again"]),
    ];
    for (file, words) in cases {
        let words = [&[file], words].concat();
        folder.fail(&format!("{file} --hull stand:16x56"), BAD_INPUT, &words);
    }
}

#[test]
fn targets_that_cannot_be_written_are_named() {
    let folder = Folder::with_map("room");
    folder.make_folder("map.onion");
    let cases: [(&str, &[&str]); 3] = [
        (
            "-o nowhere/map.onion",
            &[
                "cannot write nowhere/map.onion: ",
                "create the folder nowhere",
            ],
        ),
        ("-o map.bsp/map.onion", &["map.bsp/map.onion", "-o"]),
        ("", &["map.onion", "a folder", "-o"]),
    ];
    for (option, words) in cases {
        let words = [&["cannot write"], words].concat();
        let arguments = format!("map.bsp --hull stand:16x56 {option}");
        folder.fail(&arguments, CANNOT_WRITE, &words);
    }
    let run = folder.run("map.bsp --hull stand:16x56 -o nowhere/map.onion");
    assert!(!run.stderr.contains(".onionc-"), "{}", run.stderr);
}

/// The results for another map may be wrong.
#[test]
fn another_map_than_that_of_the_compile_is_told() {
    let folder = Folder::with_onion("courtyard");
    folder.write("other.bsp", sample_bytes("room"));
    let warning = "onionc: warning: other.bsp: map.onion was not compiled from these bytes";
    for arguments in [
        "render map.onion other.bsp",
        "view map.onion other.bsp",
        "reach map.onion other.bsp",
        "reach map.onion other.bsp --json",
        "diff map.onion map.onion other.bsp -o a.png",
        "export map.onion other.bsp -o a.obj",
    ] {
        let run = folder.run(arguments);
        assert!(
            run.stderr.starts_with(warning),
            "{arguments}: {}",
            run.stderr
        );
        let is_told = run.stdout.contains("\"same_map\": false");
        assert_eq!(is_told, arguments.ends_with("--json"), "{}", run.stdout);
    }
}

/// If the file was just compiled, an error in it is a fault of the compiler; an older file may belong to another map.
#[test]
fn who_is_at_fault_when_a_proof_fails() {
    let source = || VerifyError::WrongLeaf {
        impure: 1,
        leaf_hulls: 9,
        place: "model 0".to_owned(),
    };
    let path = || PathBuf::from("map.bsp");
    let own = CommandError::Unverified {
        path: path(),
        source: source(),
    };
    let older = CommandError::Verify {
        path: path(),
        source: source(),
    };
    assert_eq!(
        [i32::from(own.exit_code()), i32::from(older.exit_code())],
        [FAILED; 2]
    );
    let own = own.to_string();
    assert_says(&own, &["nothing is written", "a bug in onionc"]);
    assert!(!own.contains("compile the map again"), "{own}");
    let older = older.to_string();
    assert!(older.ends_with("; compile the map again"), "{older}");
}

#[test]
fn the_map_is_never_overwritten() {
    let folder = Folder::with_map("room");
    folder.write("misnamed.onion", sample_bytes("room"));
    let mut cases = vec![
        "map.bsp --hull stand:16x56 -o map.bsp",
        "map.bsp --hull stand:16x56 -o ./map.bsp",
        "misnamed.onion --hull stand:16x56",
    ];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("map.bsp", folder.0.path().join("link.onion")).unwrap();
        cases.push("map.bsp --hull stand:16x56 -o link.onion");
        cases.push("link.onion --hull stand:16x56 -o map.bsp");
    }
    for arguments in cases {
        folder.fail(
            arguments,
            CANNOT_WRITE,
            &["an input of this command", "with -o"],
        );
    }
    assert_eq!(folder.read("map.bsp"), sample_bytes("room"));
    assert_eq!(folder.read("misnamed.onion"), sample_bytes("room"));
}

#[test]
fn compiled_maps_that_are_none_are_named() {
    let folder = Folder::with_onion("room");
    let good = folder.read("map.onion");
    let mut flipped = good.clone();
    *flipped.last_mut().unwrap() ^= 1;
    let mut version = good.clone();
    version[8] = 99;
    let files: [(&str, &[u8]); 6] = [
        ("other.onion", &sample_bytes("room")),
        ("empty.onion", b""),
        ("half.onion", &good[..good.len() / 2]),
        ("short.onion", &good[..good.len() - 1]),
        ("flipped.onion", &flipped),
        ("version.onion", &version),
    ];
    for (file, bytes) in files {
        folder.write(file, bytes);
        for arguments in [
            format!("trace {file} --hull stand --from 0,0,24 --to 9,0,24"),
            format!("point {file} --at 0,0,24"),
            format!("info {file} --json"),
        ] {
            let is_empty = ["", "the file is empty; "][usize::from(bytes.is_empty())];
            folder.fail(&arguments, BAD_INPUT, &[file, is_empty, "compile"]);
        }
    }
}
