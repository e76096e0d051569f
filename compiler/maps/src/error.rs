//! The errors of reading a map. Each message says what is wrong, in which entity, brush or side or at which byte, and
//! what to do about it.

use thiserror::Error;

/// A reason why a map cannot be read. Places use the map's own numbering.
#[derive(Debug, Error)]
pub enum MapError {
    /// The file is of no known format.
    #[error("not a map that onionc reads: the file {0}")]
    UnknownFormat(String),
    /// A kind of file that is known and not read.
    #[error("not a map that onionc reads: the file is {what}; {advice}")]
    Refused {
        /// A description of the file.
        what: &'static str,
        /// Advice to the user.
        advice: &'static str,
    },
    /// A known kind of file, in a version that is not read.
    #[error("{magic} version {version} is not supported; onionc reads {names}")]
    UnknownVersion {
        /// The letters with which it begins.
        magic: String,
        /// The version.
        version: i32,
        /// The names of the formats that are read.
        names: String,
    },
    /// The text of a map that cannot be parsed.
    #[error("line {line}, column {column}: {what}\n{shown}")]
    Text {
        /// The line, from 1.
        line: usize,
        /// The column, in characters from 1.
        column: usize,
        /// The problem and its remedy.
        what: String,
        /// The line itself, with a mark under the column.
        shown: String,
    },
    /// The file ends too early, or a lump lies outside of it.
    #[error(
        "lump {lump} should be bytes {start} to {end}, but the file has {length} bytes: it is \
         damaged; get it again or rebuild it"
    )]
    LumpOutside {
        /// Name of the lump.
        lump: &'static str,
        /// First byte, as the directory says.
        start: i64,
        /// One past the last byte, as the directory says.
        end: i64,
        /// Length of the file.
        length: usize,
    },
    /// A lump is not a whole number of records.
    #[error(
        "lump {lump} has {length} bytes, which is not a multiple of its record size, {record}: the \
         file is damaged, or its format is not the one that its header names"
    )]
    LumpSize {
        /// Name of the lump.
        lump: &'static str,
        /// Length in bytes.
        length: usize,
        /// Size of a record, in bytes.
        record: usize,
    },
    /// A lump that must not be empty is empty.
    #[error("lump {0} is empty, so this is not a compiled map")]
    LumpEmpty(&'static str),
    /// A number refers to something that is not there.
    #[error(
        "{place} refers to {what} {index}, which does not exist (the file has {count}): it is \
         damaged; get it again or rebuild it"
    )]
    BadIndex {
        /// The record that holds the reference.
        place: String,
        /// The kind of record that the reference names.
        what: &'static str,
        /// The number.
        index: i64,
        /// The number of these records in the file.
        count: usize,
    },
    /// A part of a scene that cannot be read as collision.
    #[error("{place}: {what}")]
    Scene {
        /// The node or buffer.
        place: String,
        /// The problem and its remedy.
        what: String,
    },
    /// A number that is not finite, or out of its range.
    #[error("{place}: {what}: the file is damaged; get it again or rebuild it")]
    BadNumber {
        /// The record or lump that holds the number.
        place: String,
        /// The problem.
        what: String,
    },
}

impl MapError {
    /// Creates an error about a part of a scene.
    pub fn scene(place: impl Into<String>, what: impl Into<String>) -> Self {
        Self::Scene {
            place: place.into(),
            what: what.into(),
        }
    }
}
