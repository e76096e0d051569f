//! The subcommands, one module each, except for the default one, [`compiling`]; and the code that they share: what they
//! read ([`input`]), what they write ([`output`]), and loading a compiled map.

pub mod compiling;
pub mod constants;
pub mod diff;
mod drawing;
pub mod export;
pub mod info;
pub mod input;
pub mod output;
pub mod point;
mod proof;
pub mod reach;
pub mod render;
pub mod shell;
pub mod trace;
pub mod verify;
pub mod view;

use std::path::Path;

use onion_maps::wording::counted;
use onion_runtime::{Model, OnionMap};
use onionc::error::{CommandError, bad_input, usage};

/// The headings of options in the help.
mod heading {
    pub const PROJECT: &str = "Project";
    pub const HULLS: &str = "Hulls";
    pub const READING: &str = "Reading the map";
    pub const FILLING: &str = "Filling";
    pub const CONTENTS: &str = "Contents of the file";
    pub const CONDITIONS: &str = "Conditions of builds";
    pub const LIMITS: &str = "Limits and checks";
}

/// Reads the bytes of a compiled map.
fn read_compiled(path: &Path) -> Result<Vec<u8>, CommandError> {
    if path.is_dir() {
        let path = path.display();
        return Err(usage(format!(
            "{path}: it is a folder; name a compiled map (*.onion) in it"
        )));
    }
    output::files::read(path)
}

/// Reads and loads a compiled map.
fn open(path: &Path) -> Result<OnionMap<Vec<u8>>, CommandError> {
    load(path, read_compiled(path)?)
}

/// Loads a compiled file from its bytes; the path is for messages.
fn load<D: AsRef<[u8]>>(path: &Path, bytes: D) -> Result<OnionMap<D>, CommandError> {
    if bytes.as_ref().is_empty() {
        return Err(bad_input(path, "the file is empty; compile the map again"));
    }
    OnionMap::from_bytes(bytes).map_err(|error| bad_input(path, error.to_string()))
}

/// Returns a model by its number; the error tells how many there are.
fn model<D: AsRef<[u8]>>(map: &OnionMap<D>, index: usize) -> Result<Model<'_>, CommandError> {
    map.model(index).ok_or_else(|| {
        let models = counted(map.n_models(), "model", "models");
        usage(format!(
            "--model {index}: the file has {models}, numbered from 0"
        ))
    })
}

/// Returns a parser of integers of a range, for options.
fn whole(least: usize, most: usize) -> impl Fn(&str) -> Result<usize, String> + Clone {
    move |text| {
        let number = text.parse().ok();
        let number = number.filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| match most {
            usize::MAX => format!("write a whole number of {least} or more"),
            _ => format!("write a whole number from {least} to {most}"),
        })
    }
}
