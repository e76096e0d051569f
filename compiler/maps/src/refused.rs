//! Recognizes files of kinds that users try to compile but that are not readable maps, by their first bytes. The result
//! is an error with advice for the kind of file.

use crate::error::MapError;

/// Returns the reason why a file of no known format is not read; `names` lists the formats that are.
pub(super) fn refuse(bytes: &[u8], names: &str) -> MapError {
    if bytes.is_empty() {
        return not_a_map("is empty");
    }
    let (letters, rest) = bytes.split_first_chunk().unzip();
    let version = rest.and_then(|rest: &[u8]| Some(i32::from_le_bytes(*rest.first_chunk()?)));
    if let Some(kind) = letters.and_then(|letters| compiled(letters, version)) {
        return not_a_map(&format!(
            "is {kind}; onionc reads the .map file that it was made from"
        ));
    }
    if let Some(kind) = other(bytes) {
        return not_a_map(&format!("is {kind}"));
    }
    match (letters, version) {
        // These kinds begin like maps that are read, and differ only in their version.
        (Some(letters @ (b"IBSP" | b"RBSP" | b"FBSP" | b"QBSP")), Some(version)) => {
            let letters = letters.escape_ascii();
            MapError::Unsupported(format!(
                "{letters} version {version} is not supported; onionc reads {names}"
            ))
        }
        _ => {
            let start = bytes[..bytes.len().min(8)].escape_ascii();
            not_a_map(&format!("starts with \"{start}\"; onionc reads {names}"))
        }
    }
}

/// Returns an error about a file that is not a map; `why` says which kind of file it is.
pub(super) fn not_a_map(why: &str) -> MapError {
    MapError::Unsupported(format!("not a map that onionc reads: the file {why}"))
}

/// Returns a description of a compiled map with these first letters and version, if it is one of a known kind.
// Many branches: a table with a row for each kind.
fn compiled(letters: &[u8; 4], version: Option<i32>) -> Option<&'static str> {
    Some(match (letters, version) {
        (b"IBSP", Some(4)) => "a Call of Duty 2 map (IBSP version 4)",
        (b"IBSP", Some(22)) => "a Call of Duty 4 map (IBSP version 22)",
        (b"IBSP", Some(41)) => {
            "a map of SiN or Daikatana (IBSP version 41) whose lumps are those of neither"
        }
        // Quake III's maps, which begin with the same bytes, are read.
        (b"IBSP", Some(46)) => {
            "a map of the first Soldier of Fortune (IBSP version 46 with the lumps of Quake II)"
        }
        (b"IBSP", Some(58)) => "a map of the demo of Call of Duty (IBSP version 58)",
        (b"IBSP", Some(59)) => "a Call of Duty map (IBSP version 59)",
        (b"FAKK", _) => "a map of Heavy Metal FAKK 2 or Alice of an unknown version",
        (b"2015", _) => "a map of Medal of Honor: Allied Assault of an unknown version",
        (b"EALA", _) => "a map of Medal of Honor: Breakthrough of an unknown version",
        (b"EF2!", _) => "a map of Star Trek Elite Force II of an unknown version",
        (b" 46Q", _) => "a map of Quake 64",
        ([28, 0, 0, 0], _) => "a Quake BSP without brushes, version 28 of a prerelease",
        ([23, 0, 0, 0], _) => "a Quake BSP without brushes, version 23 of a prerelease",
        ([42, 0, 0, 0], _) => "a map of James Bond 007: Nightfire (BSP version 42)",
        _ => return None,
    })
}

/// Returns a description of any other file, with advice, if it is one of a known kind.
// Many branches: a table with a row for each kind.
fn other(bytes: &[u8]) -> Option<&'static str> {
    Some(match bytes {
        [b'P', b'K', 3, 4, ..] => {
            "a zip archive (.pk3); name the file, and a map in it as FILE:MAP"
        }
        [0x1f, 0x8b, ..] => "compressed (.gz); unpack it first",
        [b'B', b'Z', b'h', ..] => "compressed (.bz2); unpack it first",
        [0xfd, b'7', b'z', b'X', b'Z', ..] => "compressed (.xz); unpack it first",
        [0x28, 0xb5, 0x2f, 0xfd, ..] => "compressed (.zst); unpack it first",
        [b'7', b'z', 0xbc, 0xaf, ..] => "compressed (.7z); unpack it first",
        [b'E', b'A', b'A', b'S', ..] => {
            "a Quake III bot file (.aas); name the .bsp file from which it was made"
        }
        [b'V', b'B', b'S', b'P', ..] => {
            "a map of the Source engine (VBSP) of another version than 19 to 21, or of a game with other lumps; \
             export its brushes as a .map file"
        }
        [b'G', b'B', b'S', b'P', ..] => {
            "a map of Genesis3D, which has no brushes; compile its source"
        }
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "text in UTF-16; save it as UTF-8",
        _ if bytes.starts_with(&onion_format::MAGIC) => {
            "compiled already (.onion); name the map from which it was compiled"
        }
        _ if bytes
            .get(257..)
            .is_some_and(|rest| rest.starts_with(b"ustar")) =>
        {
            "an archive (.tar); unpack it first"
        }
        _ => return None,
    })
}
