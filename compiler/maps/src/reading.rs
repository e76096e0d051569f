//! How a map is read: [`ReadOptions`] hold what its file does not tell. Maps keep the options with which they were
//! read, because compiled files record them.

use std::path::PathBuf;

use super::game::Game;

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
