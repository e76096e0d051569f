//! The code that tests share: the oracle, the sample maps and their facts, real maps, queries.
//!
//! The oracle shares no code with the compiler or the runtime, and is never made faster at the cost of being less
//! plain.

/// The README, whose Rust code is compiled as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub mod readme {}

pub mod aas;
pub mod bezier;
pub mod cases;
pub mod choice;
pub mod command;
pub mod curved;
pub mod effort;
pub mod facts;
pub mod fixtures;
pub mod fuzz;
pub mod kit;
pub mod lifts;
pub mod maps;
pub mod moves;
pub mod moving;
#[allow(missing_docs)]
pub mod oracle;
pub mod planted;
pub mod platforms;
pub mod queries;
pub mod random;
pub mod riders;
pub mod rooms;
pub mod rules;
#[allow(missing_docs)]
pub mod samples;
pub mod segments;
pub mod skips;
pub mod solid;
pub mod strange;
pub mod subject;
pub mod tiles;
pub mod tree;
pub mod triggers;
pub mod walkers;
