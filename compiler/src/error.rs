//! Everything that can go wrong. Each message says what is wrong, where, and what to do about it; each kind of
//! command error has an exit code.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::contents;
use crate::text::counted;

/// Why a `--hull` or `--origin` cannot be used.
#[derive(Debug, Error)]
pub enum HullError {
    /// There is no `--hull`.
    #[error("give at least one hull, such as --hull stand:16x56")]
    NoHull,
    /// The text has no shape after the name.
    #[error(
        "expected NAME:RxH (half-width R, height H, such as stand:16x56), NAME:point, or \
         NAME:mins=X,Y,Z:maxs=X,Y,Z"
    )]
    NoShape,
    /// The name is empty, too long, or has other characters.
    #[error("{0:?} is not a hull name; use 1 to 32 letters, digits, '_', '-' and '.'")]
    BadName(String),
    /// A part that is unknown.
    #[error(
        "cannot read {0:?}; write RxH, RxH@feet, RxH@center, RxH@N, point, \
         mins=X,Y,Z, maxs=X,Y,Z or contents=NAME+NAME"
    )]
    BadPart(String),
    /// A half-width and height that cannot be read.
    #[error("cannot read {0:?}; write half-width x height, such as 16x56")]
    BadSize(String),
    /// An origin that cannot be read.
    #[error("{0:?} is no origin; write feet, center, or units above the feet")]
    BadOrigin(String),
    /// A half-width or height that is not above zero.
    #[error(
        "half-width and height must be above 0; NAME:point is a point, and NAME:mins=X,Y,Z:maxs=X,Y,Z may be flat"
    )]
    NotAbove0,
    /// A part that is there already.
    #[error("{0}= is written twice; write it once")]
    Twice(&'static str),
    /// One corner of a box without the other one.
    #[error("{0}= without {1}=; write both")]
    OneCorner(&'static str, &'static str),
    /// Not a number, or not finite.
    #[error("{0:?} is not a number")]
    BadNumber(String),
    /// A contents name is unknown.
    #[error(
        "unknown contents {0:?}; use {names}, or a number such as 0x10001",
        names = contents::all_names()
    )]
    BadContents(String),
    /// A lower corner is above its upper corner.
    #[error("the box is inside out; no component of mins may be above that of maxs")]
    Inverted,
    /// An extent is not zero, but would be rounded to zero.
    #[error(
        "the box is narrower than 1/2048 unit, to which corners are rounded; make it wider, or write 0"
    )]
    TooThin,
    /// A corner is too far from the origin.
    #[error("the box reaches more than 4096 units from its origin")]
    TooLarge,
    /// A name is used twice.
    #[error("the name is used twice; give each hull its own name")]
    Repeated,
    /// There are more hulls than a file can hold.
    #[error("{0} hulls are too many; a compiled map holds at most 64, so compile the map twice")]
    TooMany(usize),
}

/// Why a `--seal` cannot be used.
#[derive(Debug, Error)]
#[error("{0:?} is no width of openings; write units from 1/2048 to 4096, or 0 to seal none")]
pub struct SealError(pub String);

/// Why a `--group` cannot be used.
#[derive(Debug, Error)]
pub enum GroupError {
    /// A name that no hull has.
    #[error(
        "no hull is named {0:?}; write kinds, one, each, auto, or the hulls of each group, such as \
         stand+crouch,point"
    )]
    Unknown(String),
    /// A hull is in two groups.
    #[error("hull {0} is named twice; name each hull once")]
    Repeated(String),
    /// A hull is in no group.
    #[error("hull {0} is in no group; name each hull once")]
    Missing(String),
}

/// Why a map cannot be read. Places are in the map's own numbering.
#[derive(Debug, Error)]
pub enum MapError {
    /// The file is of no known format.
    #[error("not a map that onionc reads: the file {0}")]
    UnknownFormat(String),
    /// A kind of file that is known and not read.
    #[error("not a map that onionc reads: the file is {what}; {advice}")]
    Refused {
        /// What it is.
        what: &'static str,
        /// What to do.
        advice: &'static str,
    },
    /// A known kind of file, but another version.
    #[error("{magic} version {version} is not supported; onionc reads {names}")]
    UnknownVersion {
        /// The letters it begins with.
        magic: String,
        /// The version.
        version: i32,
        /// What is read.
        names: String,
    },
    /// The text of a map that cannot be understood.
    #[error("line {line}, column {column}: {what}\n{shown}")]
    Text {
        /// The line, from 1.
        line: usize,
        /// The column, in characters from 1.
        column: usize,
        /// What is wrong and what to do.
        what: String,
        /// The line itself, and below it a mark under the column.
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
        /// Bytes of a record.
        record: usize,
    },
    /// A lump that cannot be empty is.
    #[error("lump {0} is empty, so this is not a compiled map")]
    LumpEmpty(&'static str),
    /// A number refers to something that is not there.
    #[error(
        "{place} refers to {what} {index}, which does not exist (the file has {count}): it is \
         damaged; get it again or rebuild it"
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
    /// A part of a scene that cannot be read as collision.
    #[error("{place}: {what}")]
    Scene {
        /// The node or buffer.
        place: String,
        /// What is wrong with it, and what to do.
        what: String,
    },
    /// A number that is not finite, or out of its range.
    #[error("{place}: {what}: the file is damaged; get it again or rebuild it")]
    BadNumber {
        /// Where it is.
        place: String,
        /// What is wrong.
        what: String,
    },
}

impl MapError {
    /// What is wrong with a part of a scene.
    pub(crate) fn scene(place: impl Into<String>, what: impl Into<String>) -> Self {
        Self::Scene {
            place: place.into(),
            what: what.into(),
        }
    }
}

/// Why a compile fails.
#[derive(Debug, Error)]
pub enum CompileError {
    /// The tree would be deeper than the format allows.
    #[error(
        "model {model}: the tree is {depth} nodes deep, but the format allows {limit}; simplify \
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
        "the curved patches need more than {limit} flat pieces; allow a larger --patch-error, or \
         look for patches of absurd size in the map"
    )]
    TooManyPieces {
        /// Most pieces for one map.
        limit: usize,
    },
    /// A place of a patch is too far from the pieces that stand for it.
    #[error("{0}, so nothing is written; this is a bug in onionc, please report it with the map")]
    BarePatch(String),
    /// The audit found a leaf that is neither solid nor empty.
    #[error(
        "the audit failed, so nothing is written: {impure} of {leaf_hulls} pairs of leaf and hull \
         are wrong, the first at {place}; this is a bug in onionc, please report it with the map"
    )]
    Impure {
        /// Wrong pairs of leaf and hull.
        impure: u64,
        /// All pairs.
        leaf_hulls: u64,
        /// Model, hull and position of the first one.
        place: String,
    },
    /// A block of the fast form differs from its tree.
    #[error(
        "the fast form is wrong, so nothing is written: {0}; this is a bug in onionc, please report it with \
         the map; --no-fast compiles without it"
    )]
    WrongBlock(String),
    /// The map needs more of something than the format can number.
    #[error(
        "the map needs more than a file can number (2^30 nodes, planes or blocks, or 2^32 corners of \
         brushes); compile fewer hulls into one file"
    )]
    TooLarge,
    /// The file has more of something than the options allow.
    #[error(
        "the compiled map has {found} {what}, but the limit is {limit}; compile fewer hulls, remove \
         or simplify the brushes and patches below (a larger --patch-error simplifies patches), or \
         raise --max-{what}{offenders}"
    )]
    OverLimit {
        /// What it has too much of: `nodes` or `bytes`.
        what: &'static str,
        /// How much it has.
        found: usize,
        /// Most that the options allow.
        limit: usize,
        /// What its nodes were created for, each line after a line break.
        offenders: String,
    },
    /// The written file does not load.
    #[error(
        "the compiled map does not load: {0}; this is a bug in onionc, please report it with the map"
    )]
    SelfCheck(onion_runtime::LoadError),
}

/// Why a compiled file does not match its map; [`VerifyError::advice`] says what to do.
#[derive(Debug, Error)]
pub enum VerifyError {
    /// The file does not load.
    #[error(transparent)]
    Load(#[from] onion_runtime::LoadError),
    /// The file and the map have different numbers of models.
    #[error(
        "it was not compiled from this map: it has {}, the map has {in_map}",
        counted(*in_file, "model", "models")
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
    /// The hit data of a brush differs from the map.
    #[error("its hit data does not match the map, first at {place}")]
    WrongBrush {
        /// The first one that is wrong.
        place: String,
    },
    /// An entity differs from the map.
    #[error("its entities do not match the map, first at entity {number}")]
    WrongEntity {
        /// The first one that is wrong, or missing, or too many.
        number: usize,
    },
    /// A leaf is not what its bits say.
    #[error(
        "{impure} of {leaf_hulls} pairs of leaf and hull do not match the map, the first at {place}"
    )]
    WrongLeaf {
        /// Wrong pairs of leaf and hull.
        impure: u64,
        /// All pairs.
        leaf_hulls: u64,
        /// Model, hull and position of the first one.
        place: String,
    },
    /// A block of the fast form differs from its tree.
    #[error("the fast form does not match the trees: {0}")]
    WrongBlock(String),
}

impl VerifyError {
    /// What to do about a file from an earlier compile, as the end of a sentence.
    pub fn advice(&self) -> &'static str {
        match self {
            // Their texts say it.
            Self::Load(_) | Self::Compile(_) => "",
            Self::OtherMap { .. } | Self::Options(_) => "; compile the map again",
            Self::WrongBrush { .. } | Self::WrongEntity { .. } | Self::WrongLeaf { .. } => {
                ": it is damaged, or was compiled from another version of the map; compile the map again"
            }
            Self::WrongBlock(_) => ": it is damaged; compile the map again",
        }
    }
}

/// A line of a file's recorded options that no compiler writes.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("its recorded options are damaged at {0:?}")]
pub struct OptionsError(pub String);

/// Why a command fails; each kind has an exit code.
#[derive(Debug, Error)]
pub enum CommandError {
    /// The command line is wrong: exit code 2, as for clap's own errors.
    #[error("{0}")]
    Usage(String),
    /// A file cannot be read: exit code 3.
    #[error("cannot read {}: {source}; {}", name(path), remedy_of_input(path))]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file is damaged or of another kind: exit code 4.
    #[error("{}: {message}", name(path))]
    BadInput {
        /// The file.
        path: PathBuf,
        /// What is wrong, where, and what to do.
        message: String,
    },
    /// A file cannot be written: exit code 5.
    #[error(
        "cannot write {}: {source}; {} name another place with {option}",
        path.display(),
        remedy(source, path)
    )]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
        /// The option that names it.
        option: &'static str,
    },
    /// A file must not be written: exit code 5.
    #[error("cannot write {}: {message}; name another file with {option}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// Why not.
        message: String,
        /// The option that names it.
        option: &'static str,
    },
    /// Standard output cannot be written: exit code 5.
    #[error("cannot write to standard output: {0}; {advice}", advice = remedy_of_output(.0))]
    Print(io::Error),
    /// A compiled file does not match its map: exit code 6.
    #[error("{}: {source}{}", name(path), source.advice())]
    Verify {
        /// The file.
        path: PathBuf,
        /// Why.
        source: VerifyError,
    },
    /// What was just compiled does not match its map: exit code 6.
    #[error(
        "{}: the compiled map fails --verify, so nothing is written: {source}; this is a bug in onionc, \
         please report it with the map",
        name(path)
    )]
    Unverified {
        /// The map.
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
    match path == Path::new("-") {
        true => Cow::Borrowed("standard input"),
        false => path.to_string_lossy(),
    }
}

/// The folder of an output for messages.
fn folder(path: &Path) -> String {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => {
            format!("the folder {}", folder.display())
        }
        _ => "its folder".to_owned(),
    }
}

/// What to do so that a file can be written, and the word before another way.
fn remedy(source: &io::Error, path: &Path) -> String {
    use io::ErrorKind::{FileTooLarge, NotFound, QuotaExceeded, StorageFull};
    let (folder, has_folder) = (folder(path), path.parent().is_some_and(Path::is_dir));
    match source.kind() {
        StorageFull | QuotaExceeded => format!("make room on the disk of {folder}, or"),
        FileTooLarge => "raise the limit on the size of files (ulimit -f), or".to_owned(),
        NotFound if has_folder => format!("{folder} takes no files;"),
        NotFound => format!("create {folder}, or"),
        _ => format!("check that {folder} exists and is writable, or"),
    }
}

/// What to do so that a file can be read.
fn remedy_of_input(path: &Path) -> String {
    match path.to_string_lossy().replace('\\', "/") {
        slashed if Path::new(&slashed).exists() && Path::new(&slashed) != path => {
            format!("folders end with / here, so write {slashed}")
        }
        _ => "check the path and its permissions".to_owned(),
    }
}

/// What to do so that standard output can be written.
fn remedy_of_output(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::StorageFull => "make room on the disk that it is sent to",
        _ => "check where it is sent",
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
            Self::Verify { .. } | Self::Unverified { .. } | Self::Compile { .. } => 6,
        }
    }
}
