//! The errors of reading a map. Each message states the problem, the entity, brush, side or byte where it is, and the
//! remedy.

use std::fmt::Display;

use thiserror::Error;

/// The reasons why a map cannot be read. Messages use the map's own numbering.
#[derive(Debug, Error)]
pub enum MapError {
    /// The file has an unknown format, or a version that is not read.
    #[error("{0}")]
    Unsupported(String),
    /// The text of a map cannot be parsed.
    #[error("{0}")]
    Text(String),
    /// A compiled map is damaged: it is truncated, or some of its numbers are wrong.
    #[error("{0}")]
    Damaged(String),
    /// A part of a scene cannot be converted to brushes.
    #[error("{0}")]
    Scene(String),
}

impl MapError {
    /// Creates an error about a number of a compiled map that is not finite or not in its range.
    pub fn bad_number(place: impl Display, problem: impl Display) -> Self {
        Self::Damaged(format!(
            "{place}: {problem}: the file is damaged; get it again or rebuild it"
        ))
    }

    /// Creates an error about a node or buffer of a scene.
    pub fn scene(place: impl Display, problem: impl Display) -> Self {
        Self::Scene(format!("{place}: {problem}"))
    }
}
