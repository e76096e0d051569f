//! What a reader of maps is: a [`Format`] tells its files from others and makes a [`Map`] of their bytes, as
//! [`ReadOptions`] say.

use std::path::PathBuf;

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
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// The game of a map's text, if the text is not to tell.
    pub game: Option<Game>,
    /// The folder of the map's file, where others may lie that it refers to; none if it has no folder.
    pub folder: Option<PathBuf>,
    /// Which axis of a scene points up. Maps of other formats have z.
    pub up: Up,
    /// What lengths of a scene are multiplied by; above 0 and finite.
    pub scale: f64,
    /// Whether all meshes of a scene are for collision, whatever their names.
    pub all_meshes: bool,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            game: None,
            folder: None,
            up: Up::Y,
            scale: 1.0,
            all_meshes: false,
        }
    }
}

/// An axis that points up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Up {
    /// The y axis, as the standard of glTF has it.
    Y,
    /// The z axis, as maps have it.
    Z,
}
