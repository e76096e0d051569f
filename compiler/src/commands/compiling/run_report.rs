//! The report of a whole run, which `--report` writes: every map with its target, its outcome and the reason for it,
//! and any error that kept the run from starting or ended it. `compiler/schema/report.json` is its schema, and the
//! manual explains it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use onion_compiler::report::Report;
use onionc::error::CommandError;
use serde::{Serialize, Serializer};

use crate::commands::compiling::targets::Target;
use crate::commands::output::kinds::Kind;
use crate::commands::output::message;
use crate::commands::output::outputs::Output;

/// Version of the schema: a later version may add fields; a higher number means that a field was removed or changed.
const SCHEMA: u32 = 1;

/// The report of a whole run, as JSON.
#[derive(Serialize)]
pub struct RunReport {
    /// The version of this form.
    schema: u32,
    /// The version of the compiler.
    onionc: &'static str,
    /// The error that kept the run from starting, or ended it.
    error: Option<Failure>,
    /// One entry for each target.
    maps: Vec<Entry>,
}

/// The outcome of one target.
#[derive(Serialize)]
pub struct Entry {
    /// Path of the map; that of one in an archive follows a colon.
    #[serde(serialize_with = "path")]
    pub map: PathBuf,
    /// Path of its compiled form.
    #[serde(serialize_with = "path")]
    pub output: PathBuf,
    /// `compiled`, `up_to_date`, `dumped` or `failed`.
    pub outcome: &'static str,
    /// The files that it was made from.
    #[serde(serialize_with = "paths")]
    pub inputs: Vec<PathBuf>,
    /// The report of its compile, if it was compiled.
    pub report: Option<Box<Report>>,
    /// The error, if it failed.
    pub error: Option<Failure>,
}

/// An error and its exit code.
#[derive(Serialize)]
pub struct Failure {
    /// The exit code of a run that ends with it.
    pub exit_code: u8,
    /// The text of the error, as it is printed.
    pub message: String,
}

impl From<&CommandError> for Failure {
    fn from(error: &CommandError) -> Self {
        Self {
            exit_code: error.exit_code(),
            message: error.to_string(),
        }
    }
}

impl Entry {
    /// Returns an entry for a target with only its outcome and inputs.
    pub fn of(target: &Target, outcome: &'static str, inputs: Vec<PathBuf>) -> Self {
        Self {
            map: target.map.clone(),
            output: target.output.clone(),
            outcome,
            inputs,
            report: None,
            error: None,
        }
    }
}

impl RunReport {
    /// Returns the report of a run over these maps.
    pub fn of_maps(maps: Vec<Entry>) -> Self {
        Self {
            schema: SCHEMA,
            onionc: env!("CARGO_PKG_VERSION"),
            error: None,
            maps,
        }
    }

    /// Returns the report of a run that did not get to its maps, or was ended early.
    pub fn of_failure(error: Failure) -> Self {
        Self {
            error: Some(error),
            ..Self::of_maps(Vec::new())
        }
    }

    /// Whether a path is the target of a map of the run.
    pub fn has_target(&self, path: &Path) -> bool {
        self.maps.iter().any(|entry| entry.output == path)
    }

    /// Writes it, replacing only an earlier file of its kind.
    pub fn write(&self, option: &'static str, path: &Path) -> Result<(), CommandError> {
        output(option, path).write_json(self)
    }
}

/// The option that names a report, and the report's path.
pub type ReportPath = (&'static str, PathBuf);

/// Returns the output for the report at a path that an option names.
pub fn output<'a>(option: &'static str, path: &'a Path) -> Output<'a> {
    Output::new(option, path, Kind::Json("schema"))
}

/// Writes the error that kept a run from starting, if the arguments ask for a report: otherwise a build tool would
/// mistake the report of an earlier run for the report of this one.
pub fn note_failure(arguments: &[OsString], error: &CommandError) {
    if let Some(path) = message::value_of("--report", arguments)
        && let Err(error) = RunReport::of_failure(error.into()).write("--report", path.as_ref())
    {
        message::warning(error);
    }
}

/// Writes a path as text; bytes that are not UTF-8 are replaced.
fn path<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.to_string_lossy())
}

/// Writes a list of paths as [`path`] does.
fn paths<S: Serializer>(paths: &[PathBuf], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(paths.iter().map(|path| path.to_string_lossy()))
}
