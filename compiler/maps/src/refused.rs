//! Files that are not readable maps: the kinds of files that people try anyway, recognized by their first bytes, with
//! advice on each.

use crate::error::MapError;

/// A kind of file that is not read.
struct Refused {
    /// The first bytes.
    start: &'static [u8],
    /// A description of the file.
    what: &'static str,
    /// Advice to the user.
    advice: &'static str,
}

/// Advice about a file that contains others.
const UNPACK: &str = "unpack it first";

/// Advice about most compiled maps.
const COMPILE_SOURCE: &str = "onionc reads the .map file that it was made from";

/// The kinds of files that are known and not read.
const REFUSED: [Refused; 26] = [
    Refused {
        start: b"PK\x03\x04",
        what: "a zip archive (.pk3)",
        advice: "name the file, and a map in it as FILE:MAP",
    },
    Refused {
        start: b"\x1f\x8b",
        what: "compressed (.gz)",
        advice: UNPACK,
    },
    Refused {
        start: b"BZh",
        what: "compressed (.bz2)",
        advice: UNPACK,
    },
    Refused {
        start: b"\xfd7zXZ",
        what: "compressed (.xz)",
        advice: UNPACK,
    },
    Refused {
        start: b"\x28\xb5\x2f\xfd",
        what: "compressed (.zst)",
        advice: UNPACK,
    },
    Refused {
        start: b"7z\xbc\xaf",
        what: "compressed (.7z)",
        advice: UNPACK,
    },
    Refused {
        start: b"EAAS",
        what: "a Quake III bot file (.aas)",
        advice: "name the .bsp file from which it was made",
    },
    Refused {
        start: b"IBSP\x29\0\0\0",
        what: "a map of SiN or Daikatana (IBSP version 41) whose lumps are those of neither",
        advice: COMPILE_SOURCE,
    },
    Refused {
        // Quake III's maps, which begin with the same bytes, are read.
        start: b"IBSP\x2e\0\0\0",
        what: "a map of the first Soldier of Fortune (IBSP version 46 with the lumps of Quake II)",
        advice: COMPILE_SOURCE,
    },
    Refused {
        start: b"IBSP\x3a\0\0\0",
        what: "a map of the demo of Call of Duty (IBSP version 58)",
        advice: COMPILE_SOURCE,
    },
    Refused {
        start: b"IBSP\x3b\0\0\0",
        what: "a Call of Duty map (IBSP version 59)",
        advice: COMPILE_SOURCE,
    },
    Refused {
        start: b"IBSP\x04\0\0\0",
        what: "a Call of Duty 2 map (IBSP version 4)",
        advice: COMPILE_SOURCE,
    },
    Refused {
        start: b"IBSP\x16\0\0\0",
        what: "a Call of Duty 4 map (IBSP version 22)",
        advice: COMPILE_SOURCE,
    },
    Refused {
        start: b"VBSP",
        what: "a map of the Source engine (VBSP) of another version than 19 to 21, or of a game with other lumps",
        advice: "export its brushes as a .map file",
    },
    Refused {
        start: b"FAKK",
        what: "a map of Heavy Metal FAKK 2 or Alice of an unknown version",
        advice: COMPILE_SOURCE,
    },
    Refused {
        start: b"2015",
        what: "a map of Medal of Honor: Allied Assault of an unknown version",
        advice: COMPILE_SOURCE,
    },
    Refused {
        start: b"EALA",
        what: "a map of Medal of Honor: Breakthrough of an unknown version",
        advice: COMPILE_SOURCE,
    },
    Refused {
        start: b"EF2!",
        what: "a map of Star Trek Elite Force II of an unknown version",
        advice: COMPILE_SOURCE,
    },
    Refused {
        start: b" 46Q",
        what: "a map of Quake 64",
        advice: COMPILE_SOURCE,
    },
    Refused {
        start: b"\x1c\0\0\0",
        what: "a Quake BSP without brushes, version 28 of a prerelease",
        advice: COMPILE_SOURCE,
    },
    Refused {
        start: b"\x17\0\0\0",
        what: "a Quake BSP without brushes, version 23 of a prerelease",
        advice: COMPILE_SOURCE,
    },
    Refused {
        start: b"\x2a\0\0\0",
        what: "a map of James Bond 007: Nightfire (BSP version 42)",
        advice: COMPILE_SOURCE,
    },
    Refused {
        start: b"GBSP",
        what: "a map of Genesis3D, which has no brushes",
        advice: "compile its source",
    },
    Refused {
        start: b"\xff\xfe",
        what: "text in UTF-16",
        advice: "save it as UTF-8",
    },
    Refused {
        start: b"\xfe\xff",
        what: "text in UTF-16",
        advice: "save it as UTF-8",
    },
    Refused {
        start: &onion_format::MAGIC,
        what: "compiled already (.onion)",
        advice: "name the map from which it was compiled",
    },
];

/// Returns the reason why a file of no known format is not read; `names` lists the formats that are.
pub(super) fn refuse(bytes: &[u8], names: &str) -> MapError {
    if bytes.is_empty() {
        return MapError::UnknownFormat("is empty".to_owned());
    }
    let known = REFUSED.iter().find(|kind| bytes.starts_with(kind.start));
    if let Some(Refused { what, advice, .. }) = known {
        return MapError::Refused { what, advice };
    }
    if bytes
        .get(257..)
        .is_some_and(|rest| rest.starts_with(b"ustar"))
    {
        return MapError::Refused {
            what: "an archive (.tar)",
            advice: UNPACK,
        };
    }
    if let Some(error) = unknown_version(bytes, names) {
        return error;
    }
    let start = &bytes[..bytes.len().min(8)];
    let start = start.escape_ascii();
    MapError::UnknownFormat(format!("starts with \"{start}\"; onionc reads {names}"))
}

/// Returns an error if a file begins like one that is read, except for its version.
fn unknown_version(bytes: &[u8], names: &str) -> Option<MapError> {
    let start = bytes.first_chunk::<8>()?;
    let [b'I' | b'R' | b'F' | b'Q', b'B', b'S', b'P', version @ ..] = start else {
        return None;
    };
    Some(MapError::UnknownVersion {
        magic: start[..4].escape_ascii().to_string(),
        version: i32::from_le_bytes(*version),
        names: names.to_owned(),
    })
}
