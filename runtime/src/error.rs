//! Why a file is not loaded, or a hull not what the game expects.

use core::fmt;

/// Why `OnionMap::from_bytes` refuses a file. Offsets are in bytes from the start of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LoadError {
    /// The file ends before the byte at this offset: copy it again, or compile the map again.
    Truncated(usize),
    /// The first bytes are not those of an onion map: this is some other file.
    BadMagic,
    /// A layout this runtime does not know: compile the map with the matching compiler.
    UnknownVersion(u32),
    /// The header says another length than the file has: copy it again.
    BadLength(u64),
    /// The bytes are not those that were written: copy the file again.
    BadChecksum,
    /// The chunk at this offset is missing, out of order or of another record size.
    BadChunk(usize),
    /// A record breaks a rule of the format, although the checksum is right.
    BadRecord {
        /// Tag of the record's chunk.
        tag: [u8; 4],
        /// Number of the record in its chunk.
        index: usize,
    },
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated(at) => write!(
                f,
                "the file ends before byte {at}: copy it again, or compile the map again"
            ),
            Self::BadMagic => write!(
                f,
                "not an onion map: the first eight bytes are not ONIONBSP; compile the map with \
                 onionc and load what it writes"
            ),
            Self::UnknownVersion(version) => write!(
                f,
                "layout version {version} is unknown to this runtime (it reads version {}): \
                 compile the map with the matching compiler",
                onion_format::VERSION
            ),
            Self::BadLength(length) => write!(
                f,
                "the header says {length} bytes, the file has another length: copy it or \
                 compile the map again"
            ),
            Self::BadChecksum => write!(
                f,
                "the checksum does not match: the file is damaged, copy it or compile the map again"
            ),
            Self::BadChunk(at) => write!(
                f,
                "the chunk at byte {at} is not the one the format has there: compile the map again"
            ),
            Self::BadRecord { tag, index } => write!(
                f,
                "record {index} of chunk {} breaks a rule of the format: compile the map again",
                core::str::from_utf8(tag).unwrap_or("?")
            ),
        }
    }
}

impl core::error::Error for LoadError {}

/// Why `OnionMap::require_hull` fails.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HullError {
    /// The file has no hull of that name: add a `--hull` to the compile.
    Missing,
    /// The file's hull has another box than the game asks for: make the two agree.
    OtherBox {
        /// Lower corner in the file, in units.
        mins: [f32; 3],
        /// Upper corner in the file, in units.
        maxs: [f32; 3],
    },
}

impl fmt::Display for HullError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => write!(f, "the map was not compiled for this hull"),
            Self::OtherBox { mins, maxs } => write!(
                f,
                "the map was compiled for another box of this name: mins {mins:?}, maxs {maxs:?}"
            ),
        }
    }
}

impl core::error::Error for HullError {}
