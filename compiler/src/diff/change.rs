//! What a place became: solid, which was empty, or the other way around. Stretches of lines have it, and the places
//! that are made of them.

use serde::Serialize;

/// What became of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// It was empty.
    Solid,
    /// It was solid.
    Empty,
}
