//! Part of `verify`: finds the classes of agents and the links between floors again, by the stage of a compile that
//! drives agents, in the file itself. Its trees and floors are proven by then, so these are those of the map.

use onion_format::Record;
use onion_runtime::OnionMap;

use crate::error::VerifyError;
use crate::floors::triggers::Volumes;
use crate::links;
use crate::options::CompileOptions;

/// Checks that a file that has floors has the classes of its options and the links of its map.
///
/// # Errors
/// The first class or link that is another one, missing or extra.
pub(super) fn check(
    file: &OnionMap<&[u8]>,
    options: &CompileOptions,
    volumes: &Volumes,
) -> Result<(), VerifyError> {
    if !options.floors {
        return Ok(());
    }
    let (agents, links) = links::found(file, options, volumes);
    let inspect = file.inspect();
    if let Some(number) = first_other(inspect.agents(), agents, bytes) {
        return Err(VerifyError::WrongAgents { number });
    }
    match first_other(inspect.links(), links, |(from, link)| (from, bytes(link))) {
        None => Ok(()),
        Some(number) => Err(VerifyError::WrongLinks { number }),
    }
}

/// Returns the number of the first record that is not as expected, missing or extra.
fn first_other<R, B: PartialEq>(
    found: impl Iterator<Item = R>,
    expected: Vec<R>,
    bytes: impl Fn(R) -> B,
) -> Option<usize> {
    let found = Vec::from_iter(found.map(&bytes));
    let expected = Vec::from_iter(expected.into_iter().map(&bytes));
    let pairs = found.iter().zip(&expected);
    let n_same = pairs
        .take_while(|(found, expected)| found == expected)
        .count();
    (n_same < found.len().max(expected.len())).then_some(n_same)
}

/// Returns a record as a file has it: of two zeros, one may be negative.
fn bytes<R: Record>(record: R) -> Vec<u8> {
    let mut bytes = vec![0; R::SIZE];
    record.write(&mut bytes);
    bytes
}
