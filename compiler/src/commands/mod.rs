//! The subcommands, and what they share: reading files, writing to standard output, and the CSV of
//! points.

pub mod compile;
pub mod info;
pub mod leak_file;
pub mod point;
pub mod trace;
pub mod verify;

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use onion_runtime::{Model, OnionMap};
use onionc::error::CommandError;
use onionc::seeds::Fill;

fn read(path: &Path) -> Result<Vec<u8>, CommandError> {
    fs::read(path).map_err(|source| CommandError::Read {
        path: path.to_owned(),
        source,
    })
}

fn load<'a>(path: &Path, bytes: &'a [u8]) -> Result<OnionMap<'a>, CommandError> {
    OnionMap::from_bytes(bytes).map_err(|error| bad_input(path, error.to_string()))
}

fn model<'a>(map: &OnionMap<'a>, index: usize) -> Result<Model<'a>, CommandError> {
    let n_models = map.n_models();
    map.model(index).ok_or_else(|| {
        CommandError::Usage(format!(
            "--model {index}: the file has models 0 to {}",
            n_models.saturating_sub(1)
        ))
    })
}

fn bad_input(path: &Path, message: String) -> CommandError {
    CommandError::BadInput {
        path: path.to_owned(),
        message,
    }
}

/// Writes to standard output; a reader that went away, as `head` does, ends the command quietly.
fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), CommandError> {
    let mut out = BufWriter::new(io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(CommandError::Print(error)),
        _ => Ok(()),
    }
}

/// Which classes to fill from: those that are named, or the default.
fn fill_from(classes: &[String]) -> Fill {
    if classes.is_empty() {
        Fill::default()
    } else {
        Fill::From(classes.to_vec())
    }
}

/// `X,Y,Z` from the command line.
fn parse_point(text: &str) -> Result<[f64; 3], String> {
    numbers(text).ok_or_else(|| format!("write three numbers, such as 0,-16,24.5, not {text:?}"))
}

/// Numbers separated by commas; any spelling of infinity and NaN is a number here, because the
/// runtime defines an answer for them.
fn numbers<const N: usize>(line: &str) -> Option<[f64; N]> {
    let numbers = line.split(',').map(|number| number.trim().parse().ok());
    numbers.collect::<Option<Vec<f64>>>()?.try_into().ok()
}

/// The rows of a CSV file after its header line; empty lines are skipped.
fn rows<const N: usize>(path: &Path) -> Result<Vec<[f64; N]>, CommandError> {
    let text = String::from_utf8(read(path)?)
        .map_err(|_| bad_input(path, "it is not UTF-8 text: give a CSV file".to_owned()))?;
    let lines = text.lines().enumerate().skip(1);
    lines
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| {
            numbers(line).ok_or_else(|| {
                let number = number + 1;
                bad_input(path, format!("line {number} is not {N} numbers: {line:?}"))
            })
        })
        .collect()
}
