//! Writes the seeds of a target into the folder that the environment variable `ONION_FUZZ_SEEDS` names. Damaged and
//! real maps beside the repository are also seeds of their readers.

use std::path::Path;
use std::{env, fs, io};

use onion_tests::fuzz::Target;
use onion_tests::maps;

/// Larger maps run too rarely, in bytes.
const LARGEST: u64 = 12_000;

/// Writes the seeds of a target, if there is a folder for them.
///
/// # Panics
/// If one cannot be written.
pub fn write(target: &Target) {
    let Some(folder) = env::var_os("ONION_FUZZ_SEEDS") else {
        return;
    };
    let mut seeds = (target.seeds)();
    let extension = match target.name {
        "bsp_files" => Some("bsp"),
        "texts" => Some("map"),
        _ => None,
    };
    for folder in [maps::folder(), maps::folder().join("../bad-maps")] {
        // The folder may not exist.
        let _ = extension.map(|extension| collect(&folder, extension, &mut seeds));
    }
    fs::create_dir_all(&folder).unwrap();
    for (number, seed) in seeds.iter().enumerate() {
        fs::write(Path::new(&folder).join(format!("seed-{number:03}")), seed).unwrap();
    }
}

/// Adds the small files below a folder.
fn collect(folder: &Path, extension: &str, files: &mut Vec<Vec<u8>>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, extension, files)?;
        } else if path.extension().is_some_and(|found| found == extension)
            && fs::metadata(&path)?.len() < LARGEST
        {
            files.push(fs::read(&path)?);
        }
    }
    Ok(())
}
