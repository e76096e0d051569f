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
mod scenes;
mod solids;
mod spans;
mod target;
mod texts;

pub use archives::ARCHIVES;
pub use bricks::BRICKS;
pub use compiles::COMPILES;
pub use onion_files::ONION_FILES;
pub use options::OPTIONS;
pub use queries::QUERIES;
pub use readers::BSP_FILES;
pub use scenes::SCENES;
pub use solids::SOLIDS;
pub use target::{Target, answers};
pub use texts::TEXTS;

/// All targets.
pub static TARGETS: [&Target; 10] = [
    &ONION_FILES,
    &QUERIES,
    &BSP_FILES,
    &TEXTS,
    &SCENES,
    &ARCHIVES,
    &OPTIONS,
    &COMPILES,
    &BRICKS,
    &SOLIDS,
];
