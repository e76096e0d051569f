//! The form of the sources: no circles of modules, files and functions of a readable length, a header on each module,
//! no tolerance outside of its place. Each test reports file and line, and the remedy.

mod circles;
mod code;
mod documents;
mod headers;
mod lengths;
mod modules;
mod names;
mod sources;
mod stages;
mod tested;
mod tolerances;
mod wording;

/// Fails with everything that was found.
fn assert_none(what: &str, found: &[String]) {
    assert!(found.is_empty(), "{what}:\n{}\n", found.join("\n"));
}
