//! `onionc MAP...`: one map, a batch of them, or folders that are watched; the options of a compile, its progress, and
//! what it writes beside the compiled map.

pub mod batch;
pub mod compile;
pub mod compile_options;
pub mod depfile;
pub mod fresh;
pub mod interrupt;
pub mod job;
pub mod leak_file;
pub mod memory;
mod plan;
pub mod progress;
pub mod run_report;
pub mod summary;
pub mod tally;
pub mod targets;
pub mod watch;
