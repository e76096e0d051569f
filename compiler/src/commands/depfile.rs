//! The file that tells make and ninja which files a target was made from (`--depfile`), so that they rebuild it when
//! one of these files changes.

use std::path::{Path, PathBuf};

use onionc::error::CommandError;

use super::kinds::Kind;
use super::outputs::Output;

/// A target and the files it was made from.
pub struct Rule {
    /// The compiled map.
    pub target: PathBuf,
    /// The map, and what was read beside it.
    pub inputs: Vec<PathBuf>,
}

/// The file at a path.
pub fn output(path: &Path) -> Output<'_> {
    Output {
        option: "--depfile",
        path,
        kind: Kind::Rules,
    }
}

/// Writes the rules of all targets.
pub fn write(path: &Path, rules: &[Rule]) -> Result<(), CommandError> {
    let text: String = rules.iter().map(text).collect();
    output(path).write(text.as_bytes())
}

/// A rule as make writes it.
fn text(rule: &Rule) -> String {
    let inputs = rule.inputs.iter().map(|path| format!(" {}", escaped(path)));
    format!("{}:{}\n", escaped(&rule.target), inputs.collect::<String>())
}

/// A path with the characters escaped that mean something else in a rule.
fn escaped(path: &Path) -> String {
    let path = path.display().to_string();
    let path = path.replace('$', "$$").replace('#', "\\#");
    path.replace(' ', "\\ ")
}
