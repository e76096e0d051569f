//! What a reader of maps is: a [`Format`] tells its files from others and makes a [`Map`] of their bytes, as
//! [`ReadOptions`] say.

use super::parts::Map;
use super::text::game::Game;
use crate::error::MapError;

/// A file format of maps.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// What it is called, and how it is told from others, for messages.
    pub name: &'static str,
    /// Whether a file is of this format: by its first bytes, and by its layout where formats share them.
    pub recognizes: fn(&[u8]) -> bool,
    /// Reads a file that is recognized. The digest of the map is filled in by [`super::parse`].
    pub parse: fn(&[u8], &ReadOptions) -> Result<Map, MapError>,
}

/// How a map is read.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// The game of a map's text, if the text is not to tell.
    pub game: Option<Game>,
}
