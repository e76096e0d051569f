//! The rules of FORMAT.md, each with a file that breaks it and is otherwise right, checksum and all; and files at the
//! edges of rules, which every reader loads. The conformance kit has all of them.

mod edges;
mod entities;
mod fast;
mod frame;
mod hits;
mod required;
mod shapes;

use onion_format::Record;
use onion_runtime::LoadError;
use onionc::seeds::Fill;
use onionc::{CompileOptions, compile};

use crate::planted::{count, edit};
use crate::{samples, subject};

pub use edges::edges;

/// A rule: what breaks it, and the fault, which returns what the runtime says of it.
type Rule = (&'static str, fn(&mut Vec<u8>) -> LoadError);

/// A file that breaks a rule.
pub struct Broken {
    /// What breaks it.
    pub breaks: &'static str,
    /// What the runtime says of it.
    pub error: LoadError,
    /// The file.
    pub bytes: Vec<u8>,
}

/// A world and a door, with all optional chunks.
///
/// # Panics
/// If the sample map does not compile.
pub fn right(grouping: &str) -> Vec<u8> {
    let mut samples = samples::all().into_iter();
    let (_, map) = samples.find(|(name, _)| *name == "door").unwrap();
    let options = CompileOptions {
        fill: Fill::Off,
        brushes: true,
        grouping: grouping.parse().unwrap(),
        ..CompileOptions::new(subject::hulls(&subject::HULLS))
    };
    compile(&subject::parse(&map), &options).unwrap().bytes
}

/// A file for each rule.
pub fn broken() -> Vec<Broken> {
    let one_group = [
        frame::FRAME,
        required::HULLS,
        required::PLANES,
        required::TREES,
        entities::ENTITIES,
        fast::GRIDS,
        fast::LOCAL_TREES,
        hits::BRUSHES,
        hits::HITS,
        shapes::FACES,
        shapes::EDGES,
        shapes::BOXES,
    ];
    let files = [
        (right("one"), one_group.concat()),
        (right("each"), required::GROUPS.to_vec()),
    ];
    let broken = files.into_iter().flat_map(|(right, rules)| {
        rules.into_iter().map(move |(breaks, plant)| {
            let mut bytes = right.clone();
            let error = plant(&mut bytes);
            Broken {
                breaks,
                error,
                bytes,
            }
        })
    });
    broken.collect()
}

/// What the runtime says of a wrong record.
fn at<R: Record>(index: usize) -> LoadError {
    LoadError::BadRecord { tag: R::TAG, index }
}

/// Changes a record, which is wrong then.
fn change<R: Record>(file: &mut [u8], index: usize, change: impl FnOnce(&mut R)) -> LoadError {
    edit(file, index, change);
    at::<R>(index)
}

fn last<R: Record>(file: &[u8]) -> usize {
    count(file, R::TAG) - 1
}
