//! The file that lists for make and ninja the files that a target was made from (`--depfile`), so that they rebuild
//! the target when one of these files changes.

use std::path::{Path, PathBuf};

use crate::commands::output::kinds::Kind;
use crate::commands::output::outputs::Output;

pub fn output(path: &Path) -> Output<'_> {
    Output::new("--depfile", path, Kind::Rules)
}

/// Formats a rule in the syntax of make: a target and the files it was made from.
pub fn rule<'a>(target: &Path, inputs: impl Iterator<Item = &'a PathBuf>) -> String {
    let inputs = inputs.map(|path| format!(" {}", escaped(path)));
    format!("{}:{}\n", escaped(target), inputs.collect::<String>())
}

/// Escapes the characters of a path that have a special meaning in a rule.
fn escaped(path: &Path) -> String {
    let text = path.display().to_string().replace('$', "$$");
    text.replace('#', "\\#").replace(' ', "\\ ")
}
