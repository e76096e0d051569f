//! The kinds of change: empty space became solid, or solid space became empty. Stretches of lines have a kind, and so
//! do the places made of them.

use serde::Serialize;

/// The change of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// It was empty and became solid.
    Solid,
    /// It was solid and became empty.
    Empty,
}
