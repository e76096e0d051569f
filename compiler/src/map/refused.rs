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
const REFUSED: [Refused; 4] = [
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
    let text = bytes.trim_ascii_start();
    if text.starts_with(b"{") || text.starts_with(b"//") {
        return MapError::Refused {
            what: "the source of a map (.map)",
            advice: "compile it to a .bsp first",
        };
    }
    let start = &bytes[..bytes.len().min(8)];
    let start = start.escape_ascii();
    MapError::UnknownFormat(format!("starts with \"{start}\"; onionc reads {names}"))
}
