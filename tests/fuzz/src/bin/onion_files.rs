//! The target of this name, of `onion_tests::fuzz`, for libFuzzer.
//! `tests/fuzz/run` starts it.
#![no_main]

onion_fuzz::program!(ONION_FILES);
