//! Targets for fuzzing: bytes in, a panic out if something is wrong. A fuzzer runs them (`tests/fuzz`); the tests
//! replay its corpora and mutate its seeds. Each target has seeds, and changes inputs in ways that random bytes would
//! hardly find, such as a changed record under a correct checksum.

mod archives;
mod ask;
mod bricks;
mod compiles;
mod onion_files;
mod options;
mod queries;
mod readers;
mod routes;
mod scenes;
mod solids;
mod spans;
mod target;
mod texts;

pub use options::OPTIONS;
pub use routes::ask_for_ways;
pub use target::{Target, answers};

/// All targets.
pub static TARGETS: [&Target; 10] = [
    &onion_files::ONION_FILES,
    &queries::QUERIES,
    &readers::BSP_FILES,
    &texts::TEXTS,
    &scenes::SCENES,
    &archives::ARCHIVES,
    &OPTIONS,
    &compiles::COMPILES,
    &bricks::BRICKS,
    &solids::SOLIDS,
];
