//! Real maps: finds BSP files of Quake III and other games, and map texts, in the folder that `ONION_MAPS` names, or
//! in `shared/maps` beside the repository. If there are none, lists that as skipped.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::effort::{has_large_maps, has_small_maps};
use crate::skips::skip;

/// A real map.
#[derive(Clone, Debug)]
pub struct RealMap {
    /// File name.
    pub name: String,
    /// The file.
    pub bytes: Vec<u8>,
}

/// Returns the folder of the real maps, whether or not it is there.
pub fn folder() -> PathBuf {
    match std::env::var_os("ONION_MAPS") {
        Some(folder) => folder.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/maps"),
    }
}

/// Larger files are large maps, in bytes: compiling them takes longer than querying them.
const LARGEST: usize = 1_000_000;

/// Returns the IBSP files of version 46 below the folder, ordered by path: the small ones, the large ones or all of
/// them, as `ONION_LONG` says. Lists missing maps as skipped.
pub fn real_maps() -> Vec<RealMap> {
    kept(maps_in(&folder()), LARGEST, "real maps")
}

/// Returns the sample maps.
pub fn sample_maps() -> Vec<RealMap> {
    let samples = crate::samples::all().into_iter();
    let samples = samples.map(|(name, bytes)| RealMap {
        name: name.to_owned(),
        bytes,
    });
    samples.collect()
}

/// Returns the sample maps, then all real ones.
pub fn all_maps() -> Vec<RealMap> {
    sample_maps().into_iter().chain(real_maps()).collect()
}

/// Returns all IBSP files of version 46 below a folder, ordered by path.
pub fn maps_in(folder: &Path) -> Vec<RealMap> {
    let is_quake3 = |bytes: &[u8]| bytes.starts_with(QUAKE3);
    read_all(folder, "bsp", is_quake3)
}

/// Returns all files with an extension below a folder, ordered by path.
pub fn files_in(folder: &Path, extension: &str) -> Vec<RealMap> {
    read_all(folder, extension, |_| true)
}

/// The first bytes of IBSP files of version 46.
const QUAKE3: &[u8] = b"IBSP\x2e\0\0\0";

/// Larger files of other formats are large maps, in bytes.
const LARGEST_OTHER: usize = 450_000;

/// Returns the `.bsp` files below the folder in formats other than IBSP 46, by the same rules as [`real_maps`].
pub fn other_maps() -> Vec<RealMap> {
    let maps = read_all(&folder(), "bsp", |bytes| !bytes.starts_with(QUAKE3));
    kept(maps, LARGEST_OTHER, "maps of Quake, Quake II and others")
}

/// Larger texts are large maps, in bytes: their maps are as large as BSP files of ten times that size.
const LARGEST_TEXT: usize = 100_000;

/// Returns the `.map` files below the folder, by the same rules as [`real_maps`].
pub fn text_maps() -> Vec<RealMap> {
    kept(
        read_all(&folder(), "map", |_| true),
        LARGEST_TEXT,
        "texts of maps",
    )
}

/// Returns the maps that `ONION_LONG` selects. Lists missing maps as skipped.
fn kept(mut maps: Vec<RealMap>, largest: usize, what: &str) -> Vec<RealMap> {
    if maps.is_empty() {
        skip(&format!(
            "{what}, of which there are none in {}: set ONION_MAPS to a folder of maps",
            folder().display()
        ));
    }
    let n_maps = maps.len();
    let is_large = |map: &RealMap| map.bytes.len() > largest;
    let n_large = maps.iter().filter(|map| is_large(map)).count();
    maps.retain(|map| match is_large(map) {
        true => has_large_maps(),
        false => has_small_maps(),
    });
    if n_large > 0 && !has_large_maps() {
        skip(&format!(
            "{n_large} of {n_maps} {what}, which are large: ONION_LONG=large"
        ));
    }
    maps
}

/// Returns the files below a folder that have an extension and whose bytes are wanted, ordered by path.
fn read_all(folder: &Path, extension: &str, is_wanted: impl Fn(&[u8]) -> bool) -> Vec<RealMap> {
    let mut paths = Vec::new();
    collect(folder, extension, &mut paths);
    paths.sort();
    let read = |path: &PathBuf| {
        let bytes = fs::read(path).ok()?;
        let name = path.file_name()?.to_string_lossy().into_owned();
        is_wanted(&bytes).then_some(RealMap { name, bytes })
    };
    paths.iter().filter_map(read).collect()
}

/// Prints a message that is shown even for tests that pass, whose output is otherwise captured.
pub fn say(message: &str) {
    // A caller that closed the error stream does not want to read it.
    let _ = writeln!(std::io::stderr(), "{message}");
}

fn collect(folder: &Path, wanted: &str, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        if path.is_dir() {
            collect(&path, wanted, paths);
        } else if path
            .extension()
            .is_some_and(|extension| extension == wanted)
        {
            paths.push(path);
        }
    }
}
