//! Rewrites the sample maps.
//!
//! In: nothing (the maps are described in code, in `onion_tests::samples`). Out: `sample-maps/*.bsp`, a text (`.map`)
//! and a scene (`.glb`), the same bytes on every machine. The facts next to them (`*.toml`) are written by hand and are
//! not touched.

use std::path::Path;
use std::process::ExitCode;
use std::{fs, io};

use onion_tests::{command, samples};

fn main() -> ExitCode {
    command::ended("make-samples", write())
}

fn write() -> Result<(), String> {
    let at = |path: &Path, error: io::Error| format!("{}: {error}", path.display());
    let dir = samples::dir();
    fs::create_dir_all(&dir).map_err(|error| at(&dir, error))?;
    for (name, bytes) in samples::files() {
        let path = dir.join(&name);
        fs::write(&path, &bytes).map_err(|error| at(&path, error))?;
        println!("{name}: {} bytes", bytes.len());
    }
    Ok(())
}
