//! Rewrites the sample maps.
//!
//! In: nothing (the maps are described in code, in `onion_tests::samples`). Out: `sample-maps/*.bsp`, a text (`.map`)
//! and a scene (`.glb`), the same bytes on every machine. The facts next to them (`*.toml`) are written by hand and are
//! not touched.

use onion_tests::samples;
use std::process::ExitCode;

fn main() -> ExitCode {
    let dir = samples::dir();
    if let Err(e) = std::fs::create_dir_all(&dir) {
        eprintln!("{}: {e}", dir.display());
        return ExitCode::FAILURE;
    }
    for (name, bytes) in samples::files() {
        let path = dir.join(&name);
        if let Err(e) = std::fs::write(&path, &bytes) {
            eprintln!("{}: {e}", path.display());
            return ExitCode::FAILURE;
        }
        println!("{name}: {} bytes", bytes.len());
    }
    ExitCode::SUCCESS
}
