//! Maps in archives: pk3 and zip files, deflated or not, and pak files. A map in an archive compiles to the same
//! result as outside of one.

use std::fs;
use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::folder::*;

/// Makes a zip file of some files.
fn zip(method: CompressionMethod, files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        let options = SimpleFileOptions::default().compression_method(method);
        zip.start_file(*name, options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// Makes a pak file of some files: their bytes, then the directory.
pub fn pak(files: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut body, mut directory) = (Vec::new(), Vec::new());
    let numbers = |a: usize, b: usize| [a as u32, b as u32].map(u32::to_le_bytes).concat();
    for (name, bytes) in files {
        let mut entry = name.as_bytes().to_vec();
        entry.resize(56, 0);
        entry.extend(numbers(12 + body.len(), bytes.len()));
        directory.extend(entry);
        body.extend(*bytes);
    }
    let start = numbers(12 + body.len(), directory.len());
    [b"PACK", &start[..], &body, &directory].concat()
}

/// Returns archives of two maps and another file, by name.
fn archives() -> [(&'static str, Vec<u8>); 3] {
    let [room, wedge] = ["room", "wedge"].map(sample_bytes);
    let files: [(&str, &[u8]); 3] = [
        ("maps/room.bsp", &room),
        ("readme.txt", b"no map"),
        ("maps/more/Wedge.bsp", &wedge),
    ];
    [
        ("a.pk3", zip(CompressionMethod::Deflated, &files)),
        ("a.zip", zip(CompressionMethod::Stored, &files)),
        ("a.pak", pak(&files)),
    ]
}

#[test]
fn a_map_in_an_archive_is_the_map() {
    let plain = Folder::with_map("room");
    plain.succeed("map.bsp --hull stand:16x56");
    let wanted = plain.read("map.onion");
    for (name, bytes) in archives() {
        let folder = Folder::new();
        folder.write(name, bytes);
        folder.succeed(&format!("{name}:maps/room.bsp --hull stand:16x56"));
        assert_eq!(folder.read("room.onion"), wanted, "{name}");
        folder.succeed(&format!("verify room.onion {name}:maps/room.bsp"));
        folder.succeed(&format!(
            "{name}:MAPS/ROOM.BSP --hull stand:16x56 -o other.onion"
        ));
        assert_eq!(folder.read("other.onion"), wanted, "{name}");
        let target = format!("{name}:maps/room.bsp --hull stand:16x56 -o {name}");
        folder.fail(&target, CANNOT_WRITE, &["it is an input of this command"]);
    }
}

#[test]
fn all_maps_of_an_archive_are_compiled() {
    for (name, bytes) in archives() {
        let folder = Folder::new();
        folder.write(name, bytes);
        folder.make_folder("out");
        folder.succeed(&format!("{name} --all --hull stand:16x56 -o out"));
        folder.succeed(&format!("{name} --all --hull stand:16x56"));
        for map in ["room.onion", "Wedge.onion"] {
            assert_eq!(
                folder.read(map),
                folder.read(&format!("out/{map}")),
                "{name}"
            );
        }
        let nowhere = format!("{name} --all --hull stand:16x56 -o nowhere");
        folder.fail(&nowhere, USAGE, &["nowhere", "folder"]);
    }
}

#[test]
fn one_bad_map_does_not_keep_the_others() {
    let folder = Folder::new();
    let room = sample_bytes("room");
    let files: [(&str, &[u8]); 2] = [("a.bsp", b"no map"), ("b.bsp", &room)];
    folder.write("maps.pak", pak(&files));
    let run = folder.run("maps.pak --all --hull stand:16x56");
    assert_eq!(run.code, BAD_INPUT, "{}", run.stderr);
    assert_says(&run.stderr, &["maps.pak:a.bsp: not a map"]);
    assert!(!folder.read("b.onion").is_empty());
}

#[test]
fn what_is_in_an_archive_is_listed() {
    for (name, bytes) in archives() {
        let folder = Folder::new();
        folder.write(name, bytes);
        let maps = "maps/more/Wedge.bsp, maps/room.bsp";
        folder.fail_each(
            BAD_INPUT,
            &format!(
                "{name} --hull stand:16x56 => {maps} & 2 maps & such as {name}:maps/more/Wedge.bsp & \
                 (a compile takes them all with --all)
                 {name}:maps/hall.bsp --hull stand:16x56 => {maps} & maps/hall.bsp"
            ),
        );
    }
    let folder = Folder::with_map("room");
    folder.write("none.pak", pak(&[("readme.txt", b"no map")]));
    folder.fail_each(
        BAD_INPUT,
        "none.pak --hull stand:16x56 => no map (*.bsp, *.map)
         none.pak --all --hull stand:16x56 => no map (*.bsp, *.map)
         map.bsp:a.bsp --hull stand:16x56 => not an archive
         map.bsp --all --hull stand:16x56 => --all & archive",
    );
    let absent = "nothing.pk3:a.bsp --hull stand:16x56";
    folder.fail(absent, CANNOT_READ, &["nothing.pk3: "]);
}

#[test]
fn damaged_archives_are_refused() {
    for (name, bytes) in archives() {
        let folder = Folder::new();
        for length in [4, 11, 40, bytes.len() / 2, bytes.len() - 1] {
            folder.write(name, &bytes[..length]);
            folder.fail(
                &format!("{name}:maps/room.bsp --hull stand:16x56"),
                BAD_INPUT,
                &["the archive is damaged", "get it again"],
            );
        }
        let n_files = fs::read_dir(folder.0.path()).unwrap().count();
        assert_eq!(n_files, 1, "{name}: something was written");
    }
}

/// Changes each number of a pak file, and bytes of a zip file, so that an entry is outside of the archive or differs
/// from the packed bytes. An entry that ends exactly at the end of the file is inside it.
#[test]
fn archives_with_wrong_numbers_are_refused() {
    let room = sample_bytes("room");
    let right = pak(&[("room.bsp", &room)]);
    let directory = 12 + room.len();
    let [start, length, end] = [56, 60, 64].map(|at| directory + at);
    assert_eq!(end, right.len());
    let zipped = zip(CompressionMethod::Stored, &[("room.bsp", &room)]);
    let body = zipped
        .windows(8)
        .position(|bytes| bytes == &room[..8])
        .unwrap();
    let (size, all) = (room.len() as u32, right.len() as u32);
    for (name, bytes, changes) in [
        ("a.pak", &right, &[][..]),
        ("a.pak", &right, &[(start, all - size), (length, size)]),
        ("a.pak", &right, &[(start, all - size + 1)]),
        ("a.pak", &right, &[(start, u32::MAX)]),
        ("a.pak", &right, &[(length, all - 11)]),
        ("a.pak", &right, &[(length, u32::MAX)]),
        ("a.pak", &right, &[(4, all - 63)]),
        ("a.pak", &right, &[(4, u32::MAX)]),
        ("a.pak", &right, &[(8, 65)]),
        ("a.pak", &right, &[(8, u32::MAX)]),
        ("a.zip", &zipped, &[]),
        ("a.zip", &zipped, &[(body + 40, 0x1234_5678)]),
        ("a.zip", &zipped, &[(0, 0)]),
    ] {
        let mut bytes = bytes.clone();
        for &(at, number) in changes {
            bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
        }
        let folder = Folder::new();
        folder.write(name, bytes);
        let command = format!("{name}:room.bsp --hull stand:16x56");
        match changes {
            [] => assert!(!folder.succeed(&command).is_empty()),
            // Another part of the file, which exists but is not a map.
            [_, _] => folder.fail(&command, BAD_INPUT, &["not a map"]),
            [(0, _)] => folder.fail(&command, BAD_INPUT, &["not an archive"]),
            _ => folder.fail(
                &command,
                BAD_INPUT,
                &["the archive is damaged", "get it again"],
            ),
        };
        let n_files = fs::read_dir(folder.0.path()).unwrap().count();
        assert_eq!(
            n_files,
            1 + usize::from(changes.is_empty()),
            "{name} {changes:?}"
        );
    }
}

/// A file that claims to be small and is not.
#[test]
fn what_is_unpacked_is_bounded() {
    let folder = Folder::new();
    let zeros = vec![0; (onionc::archive::MAX_MAP_BYTES + 1) as usize];
    let bytes = zip(CompressionMethod::Deflated, &[("huge.bsp", &zeros)]);
    assert!(bytes.len() < zeros.len() / 100);
    folder.write("huge.pk3", bytes);
    let words = ["huge.bsp", "268435456 bytes"];
    folder.fail(
        "huge.pk3:huge.bsp --hull stand:16x56 --max-memory 100M",
        BAD_INPUT,
        &words,
    );
}

/// A file that is longer than its directory says takes no more memory than that.
#[test]
fn a_wrong_size_is_told() {
    let folder = Folder::new();
    let text = vec![b' '; 1 << 20];
    let mut bytes = zip(CompressionMethod::Deflated, &[("a.map", &text)]);
    for at in 0..bytes.len() - 4 {
        if bytes[at..at + 4] == (1u32 << 20).to_le_bytes() {
            bytes[at..at + 4].copy_from_slice(&100u32.to_le_bytes());
        }
    }
    folder.write("a.zip", bytes);
    let words = ["larger than its declared uncompressed size"];
    folder.fail("a.zip:a.map --hull stand:16x56", BAD_INPUT, &words);
}

/// People read a message, so it stays short however many maps there are.
#[test]
fn of_many_maps_some_are_listed() {
    let folder = Folder::new();
    let names: Vec<String> = (0..50_000).map(|number| format!("m{number}.bsp")).collect();
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (&**name, &b""[..])).collect();
    folder.write("a.pak", pak(&files));
    for map in ["a.pak", "a.pak:none.bsp"] {
        let run = folder.run(&format!("{map} --hull stand:16x56"));
        assert_eq!(run.code, BAD_INPUT);
        assert!(run.stderr.contains("m0.bsp") && run.stderr.contains(" and 49980 more"));
        assert!(run.stderr.len() < 1_000, "{}", run.stderr.len());
    }
}

/// Extensions of maps are recognized in any case, and a colon in the name of an archive does not separate a map. Of
/// names that differ only in case, the exact one is used.
#[test]
fn names_in_archives_are_told_apart() {
    let [room, wedge] = ["room", "wedge"].map(sample_bytes);
    let files: [(&str, &[u8]); 2] = [("room.BSP", &wedge), ("ROOM.bsp", &room)];
    let hull = "--hull stand:16x56";
    for (name, bytes) in [
        ("a:b.pk3", zip(CompressionMethod::Stored, &files)),
        ("a:b.pak", pak(&files)),
    ] {
        let folder = Folder::new();
        folder.write(name, bytes);
        for (member, map) in [("ROOM.bsp", "room"), ("room.BSP", "wedge")] {
            folder.succeed(&format!("{name}:{member} {hull} -o one.onion --force"));
            let plain = Folder::with_map(map);
            plain.succeed(&format!("map.bsp {hull}"));
            assert_eq!(folder.read("one.onion"), plain.read("map.onion"), "{name}");
        }
        folder.fail(&format!("{name} {hull}"), BAD_INPUT, &["2 maps"]);
    }
}
