//! The kinds of change: empty space became solid, or solid space became empty. Stretches of lines have a kind, and so
//! do the places made of them.

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
