//! The interface of map readers: a [`Format`] recognizes its files and converts their bytes into a [`Map`], following
//! [`ReadOptions`].

use blake3::Hasher;

use super::parts::Map;
use super::reading::ReadOptions;
use crate::error::MapError;

/// A file format of maps.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// Name for messages, with the versions or file extensions that distinguish it from other formats.
    pub name: &'static str,
    /// Returns whether a file is of this format, judged by its first bytes and, where formats share these, by its
    /// layout.
    pub recognizes: fn(&[u8]) -> bool,
    /// Reads a recognized file. Other files that it reads are added to the digest; [`super::parse`] does the rest.
    pub parse: fn(&[u8], &ReadOptions, &mut Hasher) -> Result<Map, MapError>,
}
