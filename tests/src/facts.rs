//! Facts about sample maps, worked out by hand: a `.toml` file in, traces and points with their
//! answers out. See `sample-maps/README.md` for the format.

use std::fs;

use serde::Deserialize;

/// The facts of one map.
#[derive(Debug, Deserialize)]
pub struct Facts {
    /// Traces.
    #[serde(default)]
    pub trace: Vec<TraceFact>,
    /// Points.
    #[serde(default)]
    pub point: Vec<PointFact>,
}

/// A trace and its answer.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TraceFact {
    /// Name of the hull.
    pub hull: String,
    /// Number of the model.
    #[serde(default)]
    pub model: usize,
    /// Start of the segment.
    pub start: [f64; 3],
    /// Intended end of the segment.
    pub end: [f64; 3],
    /// Fraction at which it hits, 1 if it hits nothing.
    pub hit_fraction: Fraction,
    /// Normal of the plane it hits.
    pub normal: Option<[f64; 3]>,
    /// Normals, one of which is the normal of the plane it hits.
    pub normal_any: Option<Vec<[f64; 3]>>,
    /// Whether the trace starts in solid.
    #[serde(default)]
    pub start_solid: bool,
    /// Whether the whole segment is solid.
    #[serde(default)]
    pub all_solid: bool,
    /// Largest allowed distance of the hit from the expected one, in units along the segment.
    #[serde(default)]
    pub tolerance: f64,
    /// The reason for the answer.
    pub why: String,
}

/// A point and its answer.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PointFact {
    /// Name of the hull.
    pub hull: String,
    /// Number of the model.
    #[serde(default)]
    pub model: usize,
    /// The point.
    pub at: [f64; 3],
    /// Whether it is solid.
    pub solid: bool,
    /// The reason for the answer.
    pub why: String,
}

/// A number, or a fraction such as "3/5".
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum Fraction {
    /// A number.
    Number(f64),
    /// Text.
    Text(String),
}

impl Fraction {
    /// Returns the value.
    pub fn value(&self) -> f64 {
        match self {
            Self::Number(number) => *number,
            Self::Text(text) => {
                let (over, under) = text.split_once('/').unwrap_or((text, "1"));
                over.trim().parse::<f64>().unwrap() / under.trim().parse::<f64>().unwrap()
            }
        }
    }
}

/// Reads the facts of a sample map.
pub fn read(name: &str) -> Facts {
    let path = crate::samples::dir().join(name).with_extension("toml");
    toml::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}
