//! The file that lists for make and ninja the files that a target was made from (`--depfile`), so that they rebuild
//! the target when one of these files changes.

use std::path::{Path, PathBuf};

use onionc::error::{CommandError, usage};

use crate::commands::output::kinds::Kind;
use crate::commands::output::outputs::Output;

/// Returns the output for rules that build tools read.
pub fn output(path: &Path) -> Output<'_> {
    Output::new("--depfile", path, Kind::Rules)
}

/// Formats a rule in the syntax of make: a target and the files it was made from.
pub fn rule<'a>(
    target: &Path,
    inputs: impl Iterator<Item = &'a PathBuf>,
) -> Result<String, CommandError> {
    let mut rule = escaped(target)? + ":";
    for input in inputs {
        rule = rule + " " + &escaped(input)?;
    }
    Ok(rule + "\n")
}

/// Escapes the characters of a path that have a special meaning in a rule. A backslash is itself except before one of
/// them, where it is doubled. Make and ninja know the colon of a drive.
fn escaped(path: &Path) -> Result<String, CommandError> {
    let text = path.display().to_string();
    if text.contains(['\n', '\r']) || text.ends_with('\\') {
        let message =
            "rules cannot hold a line break, or a backslash at the end of a path; rename it";
        return Err(usage(format!("--depfile: {text:?}: {message}")));
    }
    let (mut escaped, mut n_backslashes) = (String::new(), 0);
    for (at, char) in text.char_indices() {
        let is_drive = cfg!(windows) && at == 1;
        if [' ', '\t', '#'].contains(&char) || char == ':' && !is_drive {
            escaped += &"\\".repeat(n_backslashes + 1);
        } else if char == '$' {
            escaped.push('$');
        }
        n_backslashes = if char == '\\' { n_backslashes + 1 } else { 0 };
        escaped.push(char);
    }
    Ok(escaped)
}
