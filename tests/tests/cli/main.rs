//! The `onionc` binary from outside: the files and the output of each command, and, for everything that can go wrong,
//! its exit code, its message, and that no file was made or changed.

mod archives;
mod bad_maps;
mod batches;
mod compile;
mod determinism;
mod diff;
mod errors;
mod exports;
mod farm;
mod filling;
mod folder;
mod hostile_text;
mod hulls;
mod info;
mod killing;
mod limits;
mod manual;
mod outputs;
mod planning;
mod projects;
mod reading;
mod recipes;
mod reports;
mod schema;
mod stopping;
mod streams;
mod trace;
mod transcripts;
mod usage;
mod watching;
