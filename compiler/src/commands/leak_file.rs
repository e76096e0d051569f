//! The leak file: the way out of a map that leaks, written beside the output as `MAP.pts`, which
//! editors of the Quake family open: a point on each line. It is removed when the map leaks no more.
//!
//! Other compilers write files of that name too. Ours have exactly four digits behind the point in
//! every number, which theirs have not; a file that looks otherwise is neither replaced nor removed.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use onionc::error::CommandError;
use onionc::leak::Leak;
use onionc::map::Warning;

use super::compile::{write_error, write_whole};

/// Digits behind the point of every number.
const DIGITS: usize = 4;

/// Writes the way out beside the output, or removes that of an earlier compile. Returns what there
/// is to say about it.
pub fn update(output: &Path, leak: Option<&Leak>) -> Result<Option<Warning>, CommandError> {
    let path = output.with_extension("pts");
    let there = fs::symlink_metadata(&path).is_ok();
    let ours = fs::read_to_string(&path).is_ok_and(|text| is_ours(&text));
    let warn = |message: &str| Ok(Some(Warning::new(path.display().to_string(), message)));
    match leak {
        Some(_) if there && !ours => {
            warn("another program wrote this file, so the way out of the map is not written there")
        }
        Some(leak) => {
            let text = text(&leak.points());
            write_whole(&path, text.as_bytes()).map_err(|source| write_error(&path, source))?;
            warn("this is the way out of the map, for an editor")
        }
        None => {
            if ours {
                fs::remove_file(&path).map_err(|source| write_error(&path, source))?;
            }
            Ok(None)
        }
    }
}

fn text(points: &[[f64; 3]]) -> String {
    let mut text = String::new();
    for [x, y, z] in points {
        let written = writeln!(text, "{x:.DIGITS$} {y:.DIGITS$} {z:.DIGITS$}");
        debug_assert!(written.is_ok(), "text takes any line");
    }
    text
}

/// Whether a text is one that [`text`] writes.
fn is_ours(text: &str) -> bool {
    let is_number = |word: &str| {
        let digits =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let (whole, part) = word.split_once('.').unwrap_or_default();
        digits(whole.strip_prefix('-').unwrap_or(whole)) && digits(part) && part.len() == DIGITS
    };
    let is_point = |line: &str| line.split(' ').count() == 3 && line.split(' ').all(is_number);
    !text.is_empty() && text.lines().all(is_point)
}
