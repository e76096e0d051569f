//! Options for reading a map: [`ReadOptions`] hold the facts that its file does not state. Maps keep the options with
//! which they were read, because compiled files record them. Formats that are text share the start of a text.

use std::path::PathBuf;

use super::game::Game;

/// The options for reading a map.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// The game of a text map; `None` if it is detected from the text.
    pub game: Option<Game>,
    /// The folder of the map's file, which may hold other files that the map refers to; `None` if it has no folder.
    pub folder: Option<PathBuf>,
    /// The axis of a scene that points up. In maps of other formats, z does.
    pub up: Up,
    /// Factor by which lengths of a scene are multiplied; above 0 and finite.
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
    /// The y axis, as the glTF standard defines.
    Y,
    /// The z axis, as maps have it.
    Z,
}

/// Returns the bytes of a text without the byte order mark with which UTF-8 may begin.
pub(super) fn without_byte_order_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}
