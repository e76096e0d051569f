//! What is no map that can be read: the kinds of files that people try all the same, by their first bytes, with
//! what to do about each.

use crate::error::MapError;

/// A kind of file that is not read.
struct Refused {
    /// The first bytes.
    start: &'static [u8],
    /// What it is.
    what: &'static str,
    /// What to do.
    advice: &'static str,
}

/// The kinds of files that are known and not read.
const REFUSED: [Refused; 6] = [
    Refused {
        start: b"PK\x03\x04",
        what: "a zip archive (.pk3)",
        advice: "take the .bsp file out of it",
    },
    Refused {
        start: b"\x1d\0\0\0",
        what: "a Quake map (BSP version 29)",
        advice: "name one of the formats that onionc reads",
    },
    Refused {
        start: b"\x1e\0\0\0",
        what: "a Half-Life map (BSP version 30)",
        advice: "name one of the formats that onionc reads",
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

/// Why a file of no known format is not read; `names` are those of the formats that are.
pub(super) fn refuse(bytes: &[u8], names: &str) -> MapError {
    if bytes.is_empty() {
        return MapError::UnknownFormat(format!("is empty; onionc reads {names}"));
    }
    let known = REFUSED.iter().find(|kind| bytes.starts_with(kind.start));
    if let Some(Refused { what, advice, .. }) = known {
        return MapError::Refused { what, advice };
    }
    let start = &bytes[..bytes.len().min(8)];
    let start = start.escape_ascii();
    MapError::UnknownFormat(format!("starts with \"{start}\"; onionc reads {names}"))
}
