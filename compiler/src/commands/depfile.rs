//! The file that lists for make and ninja the files that a target was made from (`--depfile`), so that they rebuild
//! the target when one of these files changes.

use std::path::{Path, PathBuf};

use onionc::error::CommandError;

use super::kinds::Kind;
use super::outputs::Output;

/// A target and the files it was made from.
pub struct Rule {
    /// The compiled map.
    pub target: PathBuf,
    /// The map, and the other files that were read.
    pub inputs: Vec<PathBuf>,
}

/// Returns the output for the file at a path.
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

/// Formats a rule in the syntax of make.
fn text(rule: &Rule) -> String {
    let inputs = rule.inputs.iter().map(|path| format!(" {}", escaped(path)));
    format!("{}:{}\n", escaped(&rule.target), inputs.collect::<String>())
}

/// Escapes the characters of a path that have a special meaning in a rule.
fn escaped(path: &Path) -> String {
    let path = path.display().to_string();
    let path = path.replace('$', "$$").replace('#', "\\#");
    path.replace(' ', "\\ ")
}
