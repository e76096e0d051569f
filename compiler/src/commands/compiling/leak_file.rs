//! The leak files: the path out of a map that leaks, written beside the output as `MAP.pts`, which editors of the
//! Quake family open, and as `MAP.lin`, which editors of Quake III open. Each line is a point: every few units in the
//! former, at the turns of the path in the latter. Once the map no longer leaks, they are removed.
//!
//! Other compilers write files of these names too. In ours, every number has exactly four decimals, unlike theirs. A
//! file that looks different is neither replaced nor removed.

use std::fs;
use std::path::{Path, PathBuf};

use onion_compiler::fill::leak::Leak;
use onion_maps::Warning;
use onionc::error::CommandError;

use crate::commands::output::files;
use crate::commands::output::kinds::{Kind, points_text};
use crate::commands::output::outputs::Output;

/// The file beside the output of a map that leaks.
pub struct LeakFile {
    /// Its path: that of the output, with another extension.
    pub path: PathBuf,
    /// Whether it is the path of this leak; otherwise another program wrote it.
    pub is_ours: bool,
}

impl LeakFile {
    /// Writes the path out of the map beside the output, or removes the path of an earlier compile. An output to
    /// standard output has no file beside it.
    pub fn update(output: &Path, leak: Option<&Leak>) -> Result<Option<Self>, CommandError> {
        if files::is_stdio(output) {
            return Ok(None);
        }
        let lines = leak.map(|leak| points_text(&leak.path));
        Self::replace(output.with_extension("lin"), lines)?;
        let points = leak.map(|leak| points_text(&leak.points()));
        Self::replace(output.with_extension("pts"), points)
    }

    /// Writes a file unless another program's file is there, or removes our own.
    fn replace(path: PathBuf, text: Option<String>) -> Result<Option<Self>, CommandError> {
        let is_there = fs::symlink_metadata(&path).is_ok();
        let was_ours = files::found(&path).is_some_and(|bytes| Kind::Points.is_earlier(&bytes));
        let output = Output::new("-o", &path, Kind::Points);
        let Some(text) = text else {
            if was_ours {
                fs::remove_file(&path).map_err(|source| output.failed(source))?;
            }
            return Ok(None);
        };
        let is_ours = was_ours || !is_there;
        if is_ours {
            output.write(text.as_bytes())?;
        }
        Ok(Some(Self { path, is_ours }))
    }

    /// Returns the warning about the file; `hull` is the hull that leaks.
    pub fn warning(&self, hull: &str) -> Warning {
        let message = if self.is_ours {
            &*format!("the path of hull {hull} out of the map, for a map editor")
        } else {
            "written by another program and left as it is; the path out of the map is not saved"
        };
        Warning::new(self.path.display().to_string(), message)
    }
}
