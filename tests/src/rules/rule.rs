//! The parts of rules: the form of a rule, the file that rules break, and the runtime's error for a
//! wrong record.

use onion_compiler::CompileOptions;
use onion_compiler::compile;
use onion_compiler::fill::seeds::Fill;
use onion_format::Record;
use onion_runtime::LoadError;

use crate::planted::{append, count, edit, record, replace};
use crate::{samples, subject};

/// A rule: a text that says how it is broken, and a function that plants the fault and returns the runtime's error.
pub(super) type Rule = (&'static str, fn(&mut Vec<u8>) -> LoadError);

/// Compiles a correct file to break: a world and a door, with all optional chunks.
///
/// # Panics
/// If the sample map does not compile.
pub fn right(grouping: &str) -> Vec<u8> {
    right_for(&subject::HULLS, grouping)
}

/// Compiles such a file with hulls of which the second and the fourth are prisms, of 8 and 4 sides.
pub fn prisms() -> Vec<u8> {
    let hulls = [
        "stand:16x56",
        "round:cylinder:16x56:sides=8",
        "crouch:16x32",
        "diamond:mins=-15,-12,-9:maxs=13,12,20:side=8,4:side=-6,8",
    ];
    right_for(&hulls, "one")
}

fn right_for(hulls: &[&str], grouping: &str) -> Vec<u8> {
    let mut samples = samples::all().into_iter();
    let (_, map) = samples.find(|(name, _)| *name == "door").unwrap();
    let options = CompileOptions {
        fill: Fill::Off,
        brushes: true,
        floors: true,
        grouping: grouping.parse().unwrap(),
        ..CompileOptions::new(subject::hulls(hulls))
    };
    compile(&subject::parse(&map), &options).unwrap().bytes
}

/// Returns the runtime's error for a wrong record, without the text of the rule.
pub(super) fn at<R: Record>(index: usize) -> LoadError {
    let (tag, rule) = (R::TAG, "");
    LoadError::BadRecord { tag, index, rule }
}

/// Changes a record, and returns the error that names it.
pub(super) fn change<R: Record>(
    file: &mut [u8],
    index: usize,
    change: impl FnOnce(&mut R),
) -> LoadError {
    edit(file, index, change);
    at::<R>(index)
}

/// Changes a record by the number of all records of another kind, and returns the error that names it.
pub(super) fn beyond<All: Record, R: Record>(
    file: &mut [u8],
    index: usize,
    set: impl FnOnce(&mut R, u32),
) -> LoadError {
    let n_records = count(file, All::TAG) as u32;
    change(file, index, |record| set(record, n_records))
}

/// Repeats the last record of a chunk.
pub(super) fn one_more<R: Record>(file: &mut Vec<u8>) -> LoadError {
    append::<R>(file);
    at::<R>(count(file, R::TAG))
}

/// Removes the last record of a chunk.
pub(super) fn one_less<R: Record>(file: &mut Vec<u8>) -> LoadError {
    let rest = (0..last::<R>(file)).map(|number| record(file, number));
    let rest: Vec<R> = rest.collect();
    replace(file, &rest);
    at::<R>(rest.len())
}

/// Returns the number of the last record.
pub(super) fn last<R: Record>(file: &[u8]) -> usize {
    count(file, R::TAG) - 1
}
