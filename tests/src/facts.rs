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
    /// Where it starts.
    pub start: [f64; 3],
    /// Where it is to go.
    pub end: [f64; 3],
    /// Where it hits, 1 if nowhere.
    pub hit_fraction: Fraction,
    /// What it hits.
    pub normal: Option<[f64; 3]>,
    /// What it hits, one of these.
    pub normal_any: Option<Vec<[f64; 3]>>,
    /// Whether it starts in solid.
    #[serde(default)]
    pub start_solid: bool,
    /// Whether all of it is solid.
    #[serde(default)]
    pub all_solid: bool,
    /// How far off the hit may be, in units along the segment.
    #[serde(default)]
    pub tolerance: f64,
    /// The reason.
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
    /// The reason.
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
    /// Its value.
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
