//! Detects the game for which a text map is made: by a comment that its editor wrote or, without one, by the syntax
//! of the text and the names of textures.

use super::syntax::{MapText, TextEntity};
use crate::game::Game;

/// Returns the game of a map, or Quake if nothing indicates another.
pub fn game(text: &[u8], map: &MapText) -> &'static Game {
    Game::built_in(said_by_editor(text).unwrap_or_else(|| guessed(map)))
}

/// Returns the game that TrenchBroom notes in a comment at the top.
fn said_by_editor(text: &[u8]) -> Option<&'static str> {
    let comments = text.split(|&byte| byte == b'\n').take(8);
    let mut games = comments.filter_map(|line| line.trim_ascii().strip_prefix(b"// Game: "));
    match games.next()? {
        b"Quake" => Some("quake"),
        b"Quake 2" => Some("quake2"),
        b"Quake 3" => Some("quake3"),
        b"Half-Life" => Some("halflife"),
        b"Doom 3" => Some("doom3"),
        _ => None,
    }
}

/// Guesses the game. Quake II and III give faces flags; Quake III and its editors keep special textures in `common/`.
fn guessed(map: &MapText) -> &'static str {
    if map.is_doom3 {
        return "doom3";
    }
    let faces = || {
        let brushes = map.entities.iter().flat_map(|entity| &entity.brushes);
        brushes.flat_map(|brush| &brush.faces)
    };
    if map.is_quake3 || faces().any(|face| face.texture.starts_with(b"common/")) {
        return "quake3";
    }
    if faces().any(|face| face.flags.is_some()) {
        return "quake2";
    }
    let goldsrc = |face: &[u8]| face.starts_with(b"!") || face.eq_ignore_ascii_case(b"aaatrigger");
    let has_skin = |entity: &TextEntity| entity.keys.contains_key("renderamt");
    if faces().any(|face| goldsrc(face.texture)) || map.entities.iter().any(has_skin) {
        "halflife"
    } else {
        "quake"
    }
}
