//! The interface of map readers: a [`Format`] recognizes its files and makes a [`Map`] of their bytes, as
//! [`ReadOptions`] say.

use blake3::Hasher;

use super::parts::Map;
use super::reading::ReadOptions;
use crate::error::MapError;

/// A file format of maps.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// What it is called, and how it is told from others, for messages.
    pub name: &'static str,
    /// Whether a file is of this format: by its first bytes, and by its layout where formats share them.
    pub recognizes: fn(&[u8]) -> bool,
    /// Reads a file that is recognized. What is read beside it is added to the digest; [`super::parse`] does the rest.
    pub parse: fn(&[u8], &ReadOptions, &mut Hasher) -> Result<Map, MapError>,
}
