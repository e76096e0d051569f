//! Everything that can go wrong, each with what to do about it.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::contents;

/// Why a `--hull` or `--origin` is not understood.
#[derive(Debug, Error)]
pub enum HullError {
    /// There is no `--hull`.
    #[error("give at least one hull, for example --hull stand:16x56")]
    NoHull,
    /// The text has no shape after the name.
    #[error(
        "write NAME:RxH (half-width R, height H, such as stand:16x56), NAME:point, or \
         NAME:mins=X,Y,Z:maxs=X,Y,Z"
    )]
    NoShape,
    /// The name is empty, too long, or has other characters.
    #[error("{0:?} is no hull name: use 1 to 32 letters, digits, '_', '-' and '.'")]
    BadName(String),
    /// A part is none of the known ones.
    #[error(
        "{0:?} is not understood here: write RxH, RxH@feet, RxH@center, RxH@N, point, \
         mins=X,Y,Z, maxs=X,Y,Z or contents=NAME+NAME"
    )]
    BadPart(String),
    /// A number is none, or not finite.
    #[error("{0:?} is no number")]
    BadNumber(String),
    /// A contents name is unknown.
    #[error(
        "{0:?} names no contents: use {names} or a number such as 0x10001",
        names = contents::all_names()
    )]
    BadContents(String),
    /// A lower corner is above its upper corner.
    #[error("the box is inside out: every component of mins must be at most that of maxs")]
    Inverted,
    /// A corner is too far from the origin.
    #[error("the box reaches farther than 4096 units from its origin")]
    TooLarge,
    /// A name is used twice.
    #[error("the name is used twice: give every hull its own name")]
    Repeated,
    /// There are more hulls than a leaf has bits.
    #[error("{0} hulls are too many: one map holds at most 64, compile it twice")]
    TooMany(usize),
}

/// Why a `--group` is not understood.
#[derive(Debug, Error)]
pub enum GroupError {
    /// A name is no hull's.
    #[error(
        "{0:?} is no hull: write one, each, auto, or the hulls of each group, as in stand+crouch,point"
    )]
    Unknown(String),
    /// A hull is in two groups.
    #[error("hull {0} is named twice: name every hull once")]
    Repeated(String),
    /// A hull is in no group.
    #[error("hull {0} is in no group: name every hull once")]
    Missing(String),
}

/// Why a map is not read. Places are in the map's own numbering.
#[derive(Debug, Error)]
pub enum MapError {
    /// The file is none that is known.
    #[error(
        "not a map that onionc reads: the file starts with {0}; it reads Quake III BSP files \
         (\"IBSP\", version 46 or 47)"
    )]
    UnknownFormat(String),
    /// The right kind of file, but another version.
    #[error(
        "IBSP version {0} is not supported: onionc reads version 46 (Quake III, OpenArena, \
         Nexuiz) and 47 (RTCW, ET, Quake Live)"
    )]
    UnknownVersion(i32),
    /// The file ends too early, or a lump lies outside of it.
    #[error(
        "lump {lump} should be bytes {start} to {end}, but the file has {length} bytes: it is \
         damaged, get it again or compile the map again"
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
        "lump {lump} has {length} bytes, no multiple of its record size {record}: the file is \
         damaged or of another format than its header says"
    )]
    LumpSize {
        /// Name of the lump.
        lump: &'static str,
        /// Length in bytes.
        length: usize,
        /// Bytes of a record.
        record: usize,
    },
    /// A lump that cannot be empty is.
    #[error("lump {0} is empty: this is no compiled map")]
    LumpEmpty(&'static str),
    /// A number refers to something that is not there.
    #[error(
        "{place} refers to {what} {index}, but there are {count}: the file is damaged, get it \
         again or compile the map again"
    )]
    BadIndex {
        /// What refers.
        place: String,
        /// What is referred to.
        what: &'static str,
        /// The number.
        index: i64,
        /// How many there are.
        count: usize,
    },
    /// A number that is none, infinite, or out of its range.
    #[error("{place}: {what}: the file is damaged, get it again or compile the map again")]
    BadNumber {
        /// Where it is.
        place: String,
        /// What is wrong.
        what: String,
    },
}

/// Why a compile fails.
#[derive(Debug, Error)]
pub enum CompileError {
    /// The tree would be deeper than the format allows.
    #[error(
        "model {model}: the tree is {depth} nodes deep, the format allows {limit}: simplify \
         the brushes around {place}"
    )]
    TooDeep {
        /// Number of the model.
        model: usize,
        /// Depth reached.
        depth: usize,
        /// Most the format allows.
        limit: usize,
        /// A point of the deepest cell, in units.
        place: String,
    },
    /// The patches need too many pieces.
    #[error(
        "the curved patches need more than {limit} flat pieces: allow a larger error with \
         --patch-error, or check the map for patches of absurd size"
    )]
    TooManyPieces {
        /// Most pieces for one map.
        limit: usize,
    },
    /// The audit found a leaf that is neither solid nor empty.
    #[error(
        "the audit failed, no file is written: {impure} of {leaf_hulls} leaf-hulls are wrong, the \
         first at {place}; this is a bug of onionc, please report it with the map"
    )]
    Impure {
        /// Wrong pairs of leaf and hull.
        impure: u64,
        /// All pairs.
        leaf_hulls: u64,
        /// Model, hull and position of the first one.
        place: String,
    },
    /// The map needs more nodes, leaves or planes than the format can number.
    #[error(
        "the map needs more than 2^30 nodes, leaves or planes: compile fewer hulls into one file"
    )]
    TooLarge,
    /// The file has more of something than the options allow.
    #[error(
        "the file has {found} {what}, the limit is {limit}: compile fewer hulls, drop or simplify \
         the brushes and patches below (patches also with a larger --patch-error), or raise \
         --max-{what}{offenders}"
    )]
    OverLimit {
        /// What it has too much of: `nodes` or `bytes`.
        what: &'static str,
        /// How much it has.
        found: usize,
        /// Most that the options allow.
        limit: usize,
        /// What its nodes are there for, each line after a line break.
        offenders: String,
    },
    /// The written file does not load.
    #[error("the compiled file does not load: {0}; this is a bug of onionc, please report it")]
    SelfCheck(onion_runtime::LoadError),
}

/// Why a compiled file is not what its map says.
#[derive(Debug, Error)]
pub enum VerifyError {
    /// The file does not load.
    #[error(transparent)]
    Load(#[from] onion_runtime::LoadError),
    /// The file and the map have different numbers of models.
    #[error(
        "it has {in_file} models, the map has {in_map}: it was compiled from another map or \
         another version of it, compile it again"
    )]
    OtherMap {
        /// Models in the file.
        in_file: usize,
        /// Models in the map.
        in_map: usize,
    },
    /// The map cannot be compiled as the file says.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// The options that the file records are not a compiler's.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// A brush is not in the file as the map has it.
    #[error(
        "what it tells of hits is wrong, first at {place}: it was compiled from another version of \
         the map, or is damaged; compile it again"
    )]
    WrongBrush {
        /// The first one that is wrong.
        place: String,
    },
    /// A leaf is not wholly as its bit says.
    #[error(
        "{impure} of {leaf_hulls} leaf-hulls are wrong, the first at {place}: it was compiled from \
         another version of the map, or is damaged; compile it again"
    )]
    WrongLeaf {
        /// Wrong pairs of leaf and hull.
        impure: u64,
        /// All pairs.
        leaf_hulls: u64,
        /// Model, hull and position of the first one.
        place: String,
    },
}

/// A line of a file's recorded options that no compiler writes.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("its recorded options are damaged at {0:?}; compile the map again")]
pub struct OptionsError(pub String);

/// Why a command fails; each kind has an exit code.
#[derive(Debug, Error)]
pub enum CommandError {
    /// Command line not understood: exit code 2, as clap's own.
    #[error("{0}")]
    Usage(String),
    /// A file cannot be read: exit code 3.
    #[error(
        "cannot read {}: {source}; check the path and its permissions",
        name(path)
    )]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file is not what it should be: exit code 4.
    #[error("{}: {message}", name(path))]
    BadInput {
        /// The file.
        path: PathBuf,
        /// What is wrong, where, and what to do.
        message: String,
    },
    /// A file cannot be written: exit code 5.
    #[error(
        "cannot write {}: {source}; check that the folder exists and is writable, or name another \
         place with -o", path.display()
    )]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file must not be written: exit code 5.
    #[error("cannot write {}: {message}; name another place with -o", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// Why not.
        message: String,
    },
    /// Standard output cannot be written: exit code 5.
    #[error("cannot write to standard output: {0}; check where it is sent")]
    Print(io::Error),
    /// A compiled file is not what its map says: exit code 6.
    #[error("{}: {source}", name(path))]
    Verify {
        /// The file.
        path: PathBuf,
        /// Why.
        source: VerifyError,
    },
    /// The compile failed: exit code 6.
    #[error("{}: {source}", name(path))]
    Compile {
        /// The map.
        path: PathBuf,
        /// Why.
        source: CompileError,
    },
}

/// The name of an input for messages; `-` is standard input.
fn name(path: &Path) -> Cow<'_, str> {
    if path == Path::new("-") {
        Cow::Borrowed("standard input")
    } else {
        path.to_string_lossy()
    }
}

impl CommandError {
    /// The process's exit code.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Read { .. } => 3,
            Self::BadInput { .. } => 4,
            Self::Write { .. } | Self::Unwritable { .. } | Self::Print(_) => 5,
            Self::Verify { .. } | Self::Compile { .. } => 6,
        }
    }
}
