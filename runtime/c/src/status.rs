//! The status that every call returns, with a text for people. Statuses of loading describe faults of a file; other
//! statuses describe faults of a call.

use core::ffi::{CStr, c_char};

use onion_runtime::{HullError, LoadError, Unsupported};

/// The C type `onion_status`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the words of each are below")]
pub enum Status {
    Ok = 0,
    Pointer = 1,
    NotLoaded = 2,
    Count = 3,
    Model = 4,
    Hull = 5,
    Box = 6,
    Leaf = 7,
    NoBrushes = 8,
    Surface = 9,
    NoHitData = 10,
    Entity = 11,
    NoEntities = 12,
    Shape = 13,
    Pose = 14,
    FileMagic = 32,
    FileTruncated = 33,
    FileVersion = 34,
    FileLength = 35,
    FileChecksum = 36,
    FileChunk = 37,
    FileRecord = 38,
    FileOther = 39,
}

/// All statuses, in the order of their numbers.
const ALL: [Status; 23] = [
    Status::Ok,
    Status::Pointer,
    Status::NotLoaded,
    Status::Count,
    Status::Model,
    Status::Hull,
    Status::Box,
    Status::Leaf,
    Status::NoBrushes,
    Status::Surface,
    Status::NoHitData,
    Status::Entity,
    Status::NoEntities,
    Status::Shape,
    Status::Pose,
    Status::FileMagic,
    Status::FileTruncated,
    Status::FileVersion,
    Status::FileLength,
    Status::FileChecksum,
    Status::FileChunk,
    Status::FileRecord,
    Status::FileOther,
];

impl Status {
    /// Returns the status of a call with this result.
    #[inline]
    pub(crate) fn of(call: impl FnOnce() -> Result<(), Self>) -> Self {
        call().err().unwrap_or(Self::Ok)
    }

    fn words(self) -> &'static CStr {
        match self {
            Self::Ok => c"done",
            Self::Pointer => c"a pointer is NULL, or that of the map is not aligned",
            Self::NotLoaded => c"the map is not loaded: onion_load was not called, or failed",
            Self::Count => c"a size or count is larger than memory can be",
            Self::Model => c"the map has no model of this number",
            Self::Hull => c"the map was not compiled for this hull, or it is another map's",
            Self::Box => {
                c"the hull of this name has another box than the game expects"
            }
            Self::Leaf => c"the map has no leaf of this number",
            Self::NoBrushes => c"the file has no brushes: compile the map with --brushes",
            Self::Surface => c"the map has no surface of this number",
            Self::NoHitData => {
                c"the file does not tell what was hit: compile the map without --no-surfaces"
            }
            Self::Entity => c"the map has no entity of this number",
            Self::NoEntities => c"the file has no entities: compile the map without --no-entities",
            Self::Shape => c"the shape is not finite, inside out, too large, skewed or of no kind",
            Self::Pose => c"a pose of a mover is not finite, or its rotation is zero",
            Self::FileMagic => {
                c"not an onion map: compile the map with onionc and load what it writes"
            }
            Self::FileTruncated => {
                c"the file ends too early: copy it again, or compile the map again"
            }
            Self::FileVersion => {
                c"the file has a layout that this library does not know: compile the map with \
                  the matching compiler"
            }
            Self::FileLength => {
                c"the file has another length than its header says: copy it or compile the map again"
            }
            Self::FileChecksum => {
                c"the checksum does not match: the file is damaged, copy it or compile the map again"
            }
            Self::FileChunk => {
                c"a chunk is not the one the format has there: compile the map again"
            }
            Self::FileRecord => c"a record breaks a rule of the format: compile the map again",
            Self::FileOther => c"the file is not as the compiler writes it: compile the map again",
        }
    }
}

impl From<LoadError> for Status {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::Truncated(_) => Self::FileTruncated,
            LoadError::BadMagic => Self::FileMagic,
            LoadError::UnknownVersion(_) => Self::FileVersion,
            LoadError::BadLength(_) => Self::FileLength,
            LoadError::BadChecksum => Self::FileChecksum,
            LoadError::BadChunk(_) => Self::FileChunk,
            LoadError::BadRecord { .. } => Self::FileRecord,
            _ => Self::FileOther,
        }
    }
}

impl From<HullError> for Status {
    fn from(error: HullError) -> Self {
        match error {
            HullError::OtherBox { .. } => Self::Box,
            _ => Self::Hull,
        }
    }
}

impl From<Unsupported> for Status {
    fn from(error: Unsupported) -> Self {
        match error {
            Unsupported::NoHitData => Self::NoHitData,
            Unsupported::NoBrushShapes => Self::NoBrushes,
            Unsupported::NoEntities => Self::NoEntities,
            Unsupported::NoSuchModel(_) => Self::Model,
            _ => Self::Hull,
        }
    }
}

/// Returns the text of a status, for any number.
#[unsafe(no_mangle)]
pub extern "C" fn onion_status_string(status: i32) -> *const c_char {
    let known = ALL.into_iter().find(|known| *known as i32 == status);
    known.map_or(c"unknown status", Status::words).as_ptr()
}
