//! Parts of the command `onionc` that other programs may use: archives with maps in them. The compiler is
//! `onion-compiler`.

pub mod archive;
pub mod error;
