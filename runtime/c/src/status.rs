//! The status that every call returns, with a text for people. Statuses of loading describe faults of a file; other
//! statuses describe faults of a call.

use core::ffi::{CStr, c_char};

use onion_runtime::{HullError, LoadError, PortalError, Unsupported};

/// Declares the statuses, each once: its name, its number, and its text.
macro_rules! statuses {
    ($($status:ident $number:literal $text:literal)*) => {
        /// The C type `onion_status`.
        #[repr(C)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs, reason = "the text of each is beside it")]
        pub enum Status {
            $($status = $number,)*
        }

        /// Returns the text of the status with this number.
        fn text(status: i32) -> &'static CStr {
            match status {
                $($number => $text,)*
                _ => c"unknown status",
            }
        }
    };
}

statuses! {
    Ok 0 c"done"
    Pointer 1 c"a pointer is NULL, or that of the map is not aligned"
    NotLoaded 2 c"the map is not loaded: onion_load was not called, or failed"
    Count 3 c"a size or count is larger than memory can be"
    Model 4 c"the map has no model with this number"
    Hull 5 c"the map was not compiled for this hull, or it is another map's"
    Box 6 c"the hull of this name has another box than the game expects"
    Leaf 7 c"the map has no leaf with this number"
    NoBrushes 8 c"the file has no brushes: compile the map with --brushes"
    Surface 9 c"the map has no surface with this number"
    NoHitData 10 c"the file does not tell what was hit: compile the map without --no-surfaces"
    Entity 11 c"the map has no entity with this number"
    NoEntities 12 c"the file has no entities: compile the map without --no-entities"
    Shape 13 c"the shape is not finite, inside out, too large, skewed or of no kind"
    Pose 14 c"a pose of a mover is not finite, or its rotation is zero"
    Portal 15 c"a linked portal is not finite, faces in none of the four directions, or has no partner"
    Floor 16 c"the map has no floor with this number"
    NoFloors 17 c"the file has no floors: compile the map with --floors"
    AgentClass 18 c"the map has no class of agents with this number"
    Link 19 c"the map has no link with this number"
    NoLinks 20 c"the file has no links: compile the map with --floors"
    NoAgent 21 c"the hull is no stance of a class of agents: add it to an --agent of the compile"
    NoStart 22 c"the start is not on a floor where the agent can stand, nor at most a step above one: onion_nearest_floor finds one"
    NoGoal 23 c"the goal is not on a floor where the agent can stand, nor at most a step above one: onion_nearest_floor finds one"
    NoWay 24 c"no links lead from the start to the goal"
    PathScratch 25 c"the search needs more scratch memory: give as much as onion_path_scratch_count says, or more"
    PathPoints 26 c"the path has more points than there is room for: give a larger capacity"
    PathPoint 27 c"a point of the path is of no known kind: pass the points that onion_path wrote"
    // From here on, the faults of files, apart from those of calls so that either may get more.
    FileMagic 32 c"not an onion map: compile the map with onionc and load what it writes"
    FileTruncated 33 c"the file ends too early: copy it again, or compile the map again"
    FileVersion 34 c"the file has a layout that this library does not know: compile the map with the matching compiler"
    FileLength 35 c"the file has another length than its header says: copy it or compile the map again"
    FileChecksum 36 c"the checksum does not match: the file is damaged, copy it or compile the map again"
    FileChunk 37 c"a chunk is not the one the format has there: compile the map again"
    FileRecord 38 c"a record breaks a rule of the format: compile the map again"
    FileOther 39 c"the file is not as the compiler writes it: compile the map again"
}

impl Status {
    /// Returns the status of a call with this result.
    #[inline]
    pub(crate) fn of(call: impl FnOnce() -> Result<(), Self>) -> Self {
        call().err().unwrap_or(Self::Ok)
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

impl From<PortalError> for Status {
    fn from(_: PortalError) -> Self {
        Self::Portal
    }
}

/// Returns the text of a status, for any number.
#[unsafe(no_mangle)]
pub extern "C" fn onion_status_string(status: i32) -> *const c_char {
    text(status).as_ptr()
}
