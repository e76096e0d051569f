//! The errors of hulls, groups and options that are refused, and of a compile or a verification that fails. Each
//! message says what is wrong, where, and what to do about it.

use onion_maps::contents;
use onion_maps::wording::counted;
use thiserror::Error;

/// The reasons why a `--hull` or `--origin` cannot be used.
#[derive(Debug, Error)]
pub enum HullOptionError {
    /// No `--hull` is given.
    #[error("give at least one hull, such as --hull stand:16x56")]
    NoHull,
    /// The text has no shape after the name.
    #[error(
        "expected NAME:RxH (half-width R, height H, such as stand:16x56), NAME:point, or \
         NAME:mins=X,Y,Z:maxs=X,Y,Z"
    )]
    NoShape,
    /// The name is empty, too long, or has a forbidden character.
    #[error("{0:?} is not a hull name; use 1 to 32 letters, digits, '_', '-' and '.'")]
    BadName(String),
    /// A part is unknown.
    #[error(
        "cannot read {0:?}; write RxH, RxH@feet, RxH@center, RxH@N, point, cylinder, sides=N, within, \
         mins=X,Y,Z, maxs=X,Y,Z, side=X,Y or contents=NAME+NAME"
    )]
    BadPart(String),
    /// A half-width and height cannot be read.
    #[error("cannot read {0:?}; write half-width x height, such as 16x56")]
    BadSize(String),
    /// A point with an origin.
    #[error("a point is its own origin; write {0}:point, without @")]
    PointOrigin(String),
    /// An origin cannot be read.
    #[error("{0:?} is not an origin; write feet, center, or units above the feet")]
    BadOrigin(String),
    /// A half-width or height is not above zero.
    #[error(
        "half-width and height must be above 0; NAME:point is a point, and NAME:mins=X,Y,Z:maxs=X,Y,Z may be flat"
    )]
    NotAbove0,
    /// A part is written twice.
    #[error("{0} is written twice; write it once")]
    Twice(&'static str),
    /// A half-width and height or a point, and corners too.
    #[error("a size and corners; write either RxH or point, or mins= and maxs=")]
    SizeAndCorners,
    /// One corner of a box is given without the other.
    #[error("{0}= without {1}=; write both")]
    OneCorner(&'static str, &'static str),
    /// A number of sides is not allowed.
    #[error("a cylinder has 8, 16 or 32 sides, not {0:?}")]
    BadSides(String),
    /// The cylinder is so small that its sides round to nothing.
    #[error(
        "the cylinder is too small for {0} sides, which are rounded to 1/2048 unit; ask for fewer, or write a box"
    )]
    TooManySides(usize),
    /// Parts of a cylinder without a cylinder.
    #[error(
        "cylinder, sides= and within need a size; write NAME:cylinder:RxH, and sides= or within after it"
    )]
    NoCylinder,
    /// Sides without a box around them.
    #[error("side= without mins= and maxs=; write the box around the sides, or NAME:cylinder:RxH")]
    SidesOfNoBox,
    /// The sides are not those of an upright prism with the hull's box.
    #[error(
        "the sides do not make an upright prism; write half of each of 2 to 16 sides, counterclockwise from the x \
         axis, which together are as wide as half of the box, and a box with a height"
    )]
    NoPrism,
    /// A number is not a number, or not finite.
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
    /// A corner of a box that was not resolved is not on the grid.
    #[error("a corner is not a multiple of 1/2048 unit; round it, as hull::resolve does")]
    OffGrid,
    /// A name is used twice.
    #[error("the name is used twice; give each hull its own name")]
    Repeated,
    /// There are more hulls than a file can hold.
    #[error("{0} hulls are too many; a compiled map holds at most 64, so compile the map twice")]
    TooMany(usize),
}

/// A hull that cannot be used, and the reason.
#[derive(Debug, Error)]
#[error("{}{error}", if hull.is_empty() { String::new() } else { format!("hull {hull}: ") })]
pub struct HullSpecError {
    /// Name of the hull; empty if there is no hull.
    pub hull: String,
    /// The reason.
    pub error: HullOptionError,
}

/// The reason why a `--seal` cannot be used.
#[derive(Debug, Error)]
#[error("{0:?} is not a width of openings; write units from 1/2048 to 4096, or 0 to seal none")]
pub struct SealError(pub String);

/// The reasons why an `--agent` cannot be used.
#[derive(Debug, Error)]
pub enum AgentError {
    /// The text is not a name and hulls.
    #[error(
        "cannot read {0:?}; write NAME:HULL,HULL and abilities, such as human:stand,crouch or human:stand,crouch:jump=56"
    )]
    Unreadable(String),
    /// The ability after the hulls is unknown, or its value is out of range.
    #[error(
        "{0}: cannot read {1:?}; write speed=, step=, jump=, drop=, slope=, gravity=, swim= or climb= with a number from \
         0 to 65536, such as jump=56, or avoid= with none or contents, such as avoid=lava+slime; speed, slope and gravity are \
         above 0, and slope is at most 1"
    )]
    UnknownAbility(String, String),
    /// An ability is written twice.
    #[error("{0}: {1}= is written twice; write it once")]
    Twice(String, &'static str),
    /// Two classes have one name.
    #[error("{0}: the name is used twice; give each agent class its own name")]
    Repeated(String),
    /// A class has the name of a hull that no class names.
    #[error(
        "{0}: a hull of that name is in no agent class, so it is a class of its own; give the class another name, or \
         name the hull in a class"
    )]
    NameOfHull(String),
    /// A class names a hull that does not exist.
    #[error("{0}: no hull is named {1:?}; name hulls of --hull or --preset")]
    UnknownHull(String, String),
    /// A hull is named twice.
    #[error(
        "hull {0} is named twice; name it in one agent class, and give another class a hull with the same box"
    )]
    SharedHull(String),
}

/// The reasons why a `--group` cannot be used.
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

/// The reasons why a compile fails.
#[derive(Debug, Error)]
pub enum CompileError {
    /// The hulls of the options cannot be used.
    #[error(transparent)]
    Hull(#[from] HullSpecError),
    /// The agent classes of the options do not match the hulls.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// The groups of the options do not match the hulls.
    #[error(transparent)]
    Group(#[from] GroupError),
    /// Another option has a value that no stage can follow.
    #[error("{0}")]
    Option(&'static str),
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
        /// The most that the format allows.
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
        /// The most pieces for one map.
        limit: usize,
    },
    /// A place of a patch is too far from the pieces that stand for it.
    #[error("{0}, so nothing is written; this is a bug in onionc, please report it with the map")]
    BarePatch(String),
    /// The audit found a leaf that is not as its solidity bits say.
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
    WrongFastForm(String),
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
        /// The quantity that exceeds its limit: `nodes` or `bytes`.
        what: &'static str,
        /// The amount that the file has.
        found: usize,
        /// The most that the options allow.
        limit: usize,
        /// The hulls and brushes that its nodes are charged to, each line after a line break.
        offenders: String,
    },
    /// The written file does not load.
    #[error(
        "the compiled map does not load: {0}; this is a bug in onionc, please report it with the map"
    )]
    SelfCheck(onion_runtime::LoadError),
}

/// The reasons why a compiled file does not match its map; [`VerifyError::advice`] says what to do.
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
    /// The map cannot be compiled with the options of the file.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// The file records options that no compiler writes.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// The hit data of a brush differs from the map.
    #[error("its hit data does not match the map, first at {place}")]
    WrongBrush {
        /// The first one that is wrong.
        place: String,
    },
    /// The box, the origin or the entity of a model differs from the map.
    #[error("its models do not match the map, first model {number}")]
    WrongModel {
        /// The first model that is wrong.
        number: usize,
    },
    /// The file states another number of proven leaves than it has.
    #[error("it states {stated} pairs of leaf and hull; {proven} were proven")]
    WrongCount {
        /// Pairs that the file states.
        stated: u64,
        /// Pairs that were proven now.
        proven: u64,
    },
    /// An entity differs from the map.
    #[error("its entities do not match the map, first at entity {number}")]
    WrongEntity {
        /// The first entity that is wrong, missing or extra.
        number: usize,
    },
    /// The solidity bits of a leaf are wrong.
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
    /// An optional part is in the file although its options leave it out, or the other way around.
    #[error("its options disagree with its contents about {0}")]
    OtherPart(&'static str),
    /// The floors of a hull differ from the map.
    #[error("the floors of hull {0} do not match the map")]
    WrongFloors(String),
    /// A class of agents differs from the options and hulls of the file.
    #[error("its classes of agents do not match its options, first class {number}")]
    WrongAgents {
        /// The first class that is wrong, missing or extra.
        number: usize,
    },
    /// A link between floors differs from those that agents take in the map.
    #[error("its links between floors do not match the map, first link {number}")]
    WrongLinks {
        /// The first link that is wrong, missing or extra.
        number: usize,
    },
    /// A block of the fast form differs from its tree.
    #[error("the fast form does not match the trees: {0}")]
    WrongFastForm(String),
}

impl VerifyError {
    /// Returns advice about a file from an earlier compile, as the end of a sentence.
    pub fn advice(&self) -> &'static str {
        match self {
            // Their messages give the advice.
            Self::Load(_) | Self::Compile(_) => "",
            Self::OtherMap { .. } | Self::Options(_) => "; compile the map again",
            Self::WrongBrush { .. }
            | Self::WrongModel { .. }
            | Self::WrongEntity { .. }
            | Self::WrongFloors(_)
            | Self::WrongLinks { .. }
            | Self::OtherPart(_)
            | Self::WrongLeaf { .. } => {
                ": it is damaged, or was compiled from another version of the map; compile the map again"
            }
            Self::WrongCount { .. } | Self::WrongAgents { .. } | Self::WrongFastForm(_) => {
                ": it is damaged; compile the map again"
            }
        }
    }
}

/// A line of a file's recorded options that no compiler writes.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("its recorded options are damaged at {0:?}")]
pub struct OptionsError(pub String);
