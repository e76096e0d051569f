//! Options that say how a map is read, and reading a map by them. A compile and `verify` share them: to be proven,
//! a map must be read as it was for the compile.

use std::path::Path;

use clap::ValueEnum;
use onionc::error::CommandError;
use onionc::map::{self, Map, ReadOptions, Up};

use super::{bad_input, files};

/// Options of reading a map.
#[derive(clap::Args, Clone, Debug)]
pub struct Reading {
    /// Which axis of a glTF scene points up.
    #[arg(
        long,
        value_name = "AXIS",
        default_value = "y",
        help_heading = "Reading the map"
    )]
    up: UpAxis,
    /// What lengths of a glTF scene are multiplied by, such as 32 for a scene in meters and a game that has 32 units
    /// to a meter.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = factor, help_heading = "Reading the map")]
    scale: f64,
    /// Take all meshes of a glTF scene for collision, each of which must be convex. By default, those are whose
    /// nodes are named UCX_..., ...-convcol or ...-convcolonly.
    #[arg(long, help_heading = "Reading the map")]
    all_meshes: bool,
}

/// An axis that points up, as options name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum UpAxis {
    Y,
    Z,
}

impl Reading {
    /// Reads and parses a map.
    pub fn parse_map(&self, path: &Path) -> Result<Map, CommandError> {
        let bytes = files::read(path)?;
        let folder = path.parent().filter(|_| !files::is_stdio(path));
        let options = ReadOptions {
            folder: folder.map(Path::to_owned),
            up: match self.up {
                UpAxis::Y => Up::Y,
                UpAxis::Z => Up::Z,
            },
            scale: self.scale,
            all_meshes: self.all_meshes,
        };
        map::parse(&bytes, &options).map_err(|error| bad_input(path, error.to_string()))
    }

    /// The options as a command has them, each after a blank.
    pub fn arguments(&self) -> String {
        let mut arguments = String::new();
        if self.up == UpAxis::Z {
            arguments += " --up z";
        }
        if self.scale != 1.0 {
            arguments += &format!(" --scale {}", self.scale);
        }
        if self.all_meshes {
            arguments += " --all-meshes";
        }
        arguments
    }
}

fn factor(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(factor) if factor > 0.0 && factor.is_finite() => Ok(factor),
        _ => Err("expected a number above 0".to_owned()),
    }
}
