//! Errors: a file that cannot be loaded, a hull that is not the one that the game expects, and a file that cannot
//! answer a query. Errors store their texts inline, so nothing here allocates.

use core::fmt::{self, Write};

use onion_format::{MAX_HULL_NAME, Record};

use crate::math::aabb::Aabb;

/// The reason why `OnionMap::from_bytes` rejects a file. Offsets are in bytes from the start of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LoadError {
    /// The file ends before the byte at this offset: copy it again, or compile the map again.
    Truncated(usize),
    /// The first bytes are not those of an onion map: this is another kind of file.
    BadMagic,
    /// The file has a layout that this runtime does not know: compile the map with the matching compiler.
    UnknownVersion(u32),
    /// The header states another length than the file has: copy the file again.
    BadLength(u64),
    /// The checksum does not match, so the file was changed after it was written: copy it again.
    BadChecksum,
    /// The reserved bytes of the header, at this offset, are not zero: compile the map again.
    BadHeader(usize),
    /// The chunk at this offset is missing, out of order, or of another record size.
    BadChunk(usize),
    /// A record breaks a rule of the format, although the checksum is right.
    BadRecord {
        /// Tag of the record's chunk.
        tag: [u8; 4],
        /// Number of the record in its chunk.
        index: usize,
        /// The rule, in words.
        rule: &'static str,
    },
}

/// Checks a rule for the record with this number; the rule's text says what holds in a correct file.
pub(crate) fn require<R: Record>(
    holds: bool,
    index: usize,
    rule: &'static str,
) -> Result<(), LoadError> {
    let tag = R::TAG;
    let error = LoadError::BadRecord { tag, index, rule };
    if holds { Ok(()) } else { Err(error) }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated(at) => write!(
                f,
                "the file ends before byte {at}; copy it again, or compile the map again"
            ),
            Self::BadMagic => write!(
                f,
                "not a compiled map: it does not start with ONIONBSP; compile the map with onionc"
            ),
            Self::UnknownVersion(version) => write!(
                f,
                "format version {version} is not supported, only version {}; compile the map with \
                 the matching onionc",
                onion_format::VERSION
            ),
            Self::BadLength(length) => write!(
                f,
                "the header says {length} bytes, but the file has another length; copy it again, or \
                 compile the map again"
            ),
            Self::BadChecksum => write!(
                f,
                "the checksum does not match, so the file is damaged; copy it again, or compile the \
                 map again"
            ),
            Self::BadHeader(at) => write!(
                f,
                "byte {at} of the header is reserved and not zero; compile the map again"
            ),
            Self::BadChunk(at) => write!(
                f,
                "the chunk at byte {at} is not the one that the format has there; compile the map again"
            ),
            Self::BadRecord { tag, index, rule } => write!(
                f,
                "record {index} of chunk {} breaks a rule of the format: {rule}; compile the map again",
                core::str::from_utf8(tag).unwrap_or("?")
            ),
        }
    }
}

impl core::error::Error for LoadError {}

/// Names in an error, truncated to a fixed capacity.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Text<const N: usize> {
    /// UTF-8; those from `len` on are zero.
    bytes: [u8; N],
    /// Number of bytes in use, which end with a whole character.
    len: u8,
    /// Whether a part did not fit, for which three dots are shown.
    is_cut: bool,
}

impl<const N: usize> Text<N> {
    /// The empty text, to begin with.
    const EMPTY: Self = Self {
        bytes: [0; N],
        len: 0,
        is_cut: false,
    };

    /// Returns the text, truncated if it was too long.
    pub fn as_str(&self) -> &str {
        let bytes = self.bytes.get(..self.len.into()).unwrap_or(&[]);
        core::str::from_utf8(bytes).unwrap_or("")
    }
}

impl<const N: usize> fmt::Write for Text<N> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for character in text.chars() {
            let start = usize::from(self.len);
            let end = start + character.len_utf8();
            // Once a character did not fit, no shorter one may follow it: what was left out is at the end.
            match self.bytes.get_mut(start..end).filter(|_| !self.is_cut) {
                Some(place) => {
                    character.encode_utf8(place);
                    self.len = end as u8;
                }
                None => self.is_cut = true,
            }
        }
        Ok(())
    }
}

impl<const N: usize> From<&str> for Text<N> {
    fn from(text: &str) -> Self {
        let mut own = Self::EMPTY;
        // Never fails: an overlong text is truncated.
        let _ = own.write_str(text);
        own
    }
}

impl<const N: usize> fmt::Display for Text<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())?;
        f.write_str(if self.is_cut { "..." } else { "" })
    }
}

impl<const N: usize> fmt::Debug for Text<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.as_str())
    }
}

/// The reason why [`OnionMap::require_hull`](crate::OnionMap::require_hull) fails.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum HullError {
    /// The file has no hull of that name: add a `--hull` to the compile.
    Missing {
        /// The requested name.
        hull: Text<MAX_HULL_NAME>,
        /// The names of the file's hulls, separated by commas.
        hulls: Text<80>,
    },
    /// The file's hull has another box than the game requests: make the two agree.
    OtherBox {
        /// Name of the hull.
        hull: Text<MAX_HULL_NAME>,
        /// Its box in the file.
        bounds: Aabb<f32>,
        /// The box that the game expects.
        expected: Aabb<f32>,
    },
}

impl HullError {
    /// Returns the error for a name that no hull has.
    pub(crate) fn missing<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Self {
        let mut hulls = Text::EMPTY;
        for (number, name) in names.enumerate() {
            let comma = if number == 0 { "" } else { ", " };
            // Never fails: an overlong list is truncated.
            let _ = write!(hulls, "{comma}{name}");
        }
        Self::Missing {
            hull: name.into(),
            hulls,
        }
    }
}

impl fmt::Display for HullError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { hull, hulls } => write!(
                f,
                "the map has no hull named {hull}; it was compiled for: {hulls}"
            ),
            Self::OtherBox {
                hull,
                bounds,
                expected,
            } => write!(
                f,
                "the map's hull {hull} has the box {:?} to {:?}, not {:?} to {:?}",
                bounds.mins, bounds.maxs, expected.mins, expected.maxs
            ),
        }
    }
}

impl core::error::Error for HullError {}

/// The reason why a file cannot answer a query: the data is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unsupported {
    /// The file has no hit data: compile the map without `--no-surfaces`.
    NoHitData,
    /// The file does not hold the shapes of the brushes: compile the map with `--brushes`.
    NoBrushShapes,
    /// The file does not hold the entities: compile the map without `--no-entities`.
    NoEntities,
    /// The map has no model with this number, or the number is that of the world, which does not move.
    NoSuchModel(usize),
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHitData => {
                f.write_str("the file has no hit data; compile the map without --no-surfaces")
            }
            Self::NoBrushShapes => {
                f.write_str("the file has no brush shapes; compile the map with --brushes")
            }
            Self::NoEntities => {
                f.write_str("the file has no entities; compile the map without --no-entities")
            }
            Self::NoSuchModel(0) => f.write_str("model 0 is the world, which does not move"),
            Self::NoSuchModel(model) => write!(f, "the map has no model {model}"),
        }
    }
}

impl core::error::Error for Unsupported {}

/// The reason why an entity does not declare a linked portal, as
/// [`OnionMap::linked_portals`](crate::OnionMap::linked_portals) requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PortalError {
    /// Number of the entity in the map.
    pub entity: u32,
    /// What it lacks, in words.
    pub what: &'static str,
}

impl fmt::Display for PortalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entity, what } = self;
        write!(f, "entity {entity}, a linked portal: {what}")
    }
}

impl core::error::Error for PortalError {}
