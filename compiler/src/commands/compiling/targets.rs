//! The maps that a compile takes, and their targets: files, folders, patterns and archives in; pairs of a map and a
//! target out. No two maps have the same target.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use onion_compiler::hull::HullOption;
use onion_views::dump::DumpStage;
use onionc::error::{CommandError, usage};

use crate::commands::compiling::compile_options::Args;
use crate::commands::input::sources::{self, MapPath};
use crate::commands::output::files;
use crate::commands::output::kinds::Kind;
use crate::commands::output::outputs::{self, Output};

/// Extensions of maps. A game loads the first, so a compile prefers it.
const MAP_EXTENSIONS: [&str; 4] = ["bsp", "map", "glb", "gltf"];

/// A map, and the path of its compiled form.
#[derive(Clone, Debug)]
pub struct Target {
    /// Path of the map; that of one in an archive follows a colon; `-` is standard input.
    pub map: PathBuf,
    /// Path of the compiled form; `-` is standard output.
    pub output: PathBuf,
}

impl Args {
    /// Returns the maps and their targets, in the order of the command line.
    pub fn targets(&self) -> Result<Vec<Target>, CommandError> {
        let mut maps = Vec::new();
        for path in &self.maps {
            maps.extend(self.maps_of(path)?);
        }
        files::check_inputs(&maps)?;
        let into_folder = self.is_several();
        let targets = maps.into_iter().map(|map| {
            let output = self.output_of(&map, into_folder)?;
            Ok(Target { map, output })
        });
        let targets = targets.collect::<Result<Vec<Target>, CommandError>>()?;
        check_apart(&targets)?;
        Ok(targets)
    }

    /// Whether the command line may name several maps, whatever it finds.
    pub fn is_several(&self) -> bool {
        let are_maps = |path: &PathBuf| path.is_dir() || is_pattern(path);
        self.all || self.maps.len() > 1 || self.maps.iter().any(are_maps)
    }

    /// Returns the folder that compiled maps go into, if one is named.
    pub fn folder(&self) -> Option<&Path> {
        let is_folder = |path: &&Path| path.is_dir() || names_folder(path) || self.is_several();
        self.output.as_deref().filter(is_folder)
    }

    /// Returns the maps of folders that are left out in favor of other maps of the same name.
    pub fn left_out(&self) -> Vec<PathBuf> {
        let folders = self.maps.iter().filter(|path| path.is_dir());
        let maps = folders.filter_map(|folder| maps_in(folder).ok());
        maps.flat_map(|[_, left_out]| left_out).collect()
    }

    /// Returns the maps that a path represents.
    fn maps_of(&self, path: &Path) -> Result<Vec<PathBuf>, CommandError> {
        if path.is_dir() {
            return maps_in(path).map(|[maps, _]| maps);
        }
        if is_pattern(path) {
            return maps_like(path);
        }
        if self.all {
            return sources::all(path);
        }
        let text = path.to_string_lossy();
        if !path.exists() && text.parse::<HullOption>().is_ok() {
            let advice = "each hull needs an option of its own";
            return Err(usage(format!(
                "{text} is not a file; {advice}: --hull {text}"
            )));
        }
        Ok(vec![path.to_owned()])
    }

    /// Returns the output path of a map. A map from standard input goes to standard output.
    // Many branches: each is one case of what `-o` may name, with the error for it.
    fn output_of(&self, map: &Path, into_folder: bool) -> Result<PathBuf, CommandError> {
        let beside = || {
            let extension = self.dump.map_or("onion", DumpStage::extension);
            MapPath::new(map).beside(extension)
        };
        match self.output.as_deref() {
            None if files::is_stdio(map) => Ok(map.to_owned()),
            None => Ok(beside()),
            Some(folder) if folder.is_dir() || names_folder(folder) => {
                make_folder(folder)?;
                if files::is_stdio(map) {
                    let message = "a map from standard input has no name; name a file";
                    return Err(usage(format!("-o {}: {message}", folder.display())));
                }
                Ok(folder.join(beside().file_name().unwrap_or_default()))
            }
            Some(file) if into_folder && files::is_stdio(file) => Err(usage(
                "-o -: several maps cannot go to standard output; name a folder",
            )),
            Some(path) if into_folder => {
                let file = path.display();
                let what = if path.exists() {
                    "which this is not; name another place".to_owned()
                } else {
                    format!("and there is none of this name; write -o {file}/ to make it")
                };
                Err(usage(format!(
                    "-o {file}: several maps are written into a folder, {what}"
                )))
            }
            Some(file) => Ok(file.to_owned()),
        }
    }
}

/// Returns the map that a path names without its extension, if it exists.
pub fn map_named(path: &Path) -> Option<PathBuf> {
    let mut maps = MAP_EXTENSIONS
        .map(|ending| path.with_extension(ending))
        .into_iter();
    maps.find(|map| map.is_file() && path.file_name().is_some())
}

/// Whether a path ends in a separator, as only folders do.
fn names_folder(path: &Path) -> bool {
    path.to_string_lossy()
        .ends_with(['/', std::path::MAIN_SEPARATOR])
}

/// Makes the folder that `-o` names, with those above it, unless it exists.
fn make_folder(folder: &Path) -> Result<(), CommandError> {
    outputs::check_letters("-o", folder)?;
    let output = Output::new("-o", folder, Kind::Compiled);
    fs::create_dir_all(folder).map_err(|source| output.failed(source))
}

/// Rejects maps that would be written to one file.
fn check_apart(targets: &[Target]) -> Result<(), CommandError> {
    let mut before = HashMap::new();
    for Target { map, output } in targets {
        if let Some(other) = before.insert(output, map) {
            let [one, two, output] = [other, map, output].map(|path| path.display());
            return Err(usage(if other == map {
                format!("{two} is named twice")
            } else {
                format!(
                    "{one} and {two} would both become {output}; compile them one by one, or name a pattern such as *.bsp"
                )
            }));
        }
    }
    Ok(())
}

/// Returns the maps in a folder, by name, and those left out: of files whose names differ only in their extensions,
/// the one with the first extension is the map.
fn maps_in(folder: &Path) -> Result<[Vec<PathBuf>; 2], CommandError> {
    let entries =
        fs::read_dir(folder).map_err(|error| CommandError::Read(folder.to_owned(), error))?;
    let paths = entries.flatten().map(|entry| entry.path());
    let mut maps: Vec<PathBuf> = paths.filter(|path| rank(path).is_some()).collect();
    maps.sort_by_cached_key(|path| (path.with_extension(""), rank(path), path.clone()));
    let mut left_out = Vec::new();
    maps.dedup_by(|next, chosen| {
        let is_left_out = next.with_extension("") == chosen.with_extension("");
        left_out.extend(is_left_out.then(|| next.clone()));
        is_left_out
    });
    if maps.is_empty() {
        let kinds = MAP_EXTENSIONS.join(", *.");
        let message = format!("{}: the folder holds no map (*.{kinds})", folder.display());
        return Err(usage(message));
    }
    Ok([maps, left_out])
}

/// Returns the rank of a map's extension, or `None` if the path is not a file with such an extension.
fn rank(path: &Path) -> Option<usize> {
    let extension = path.extension()?;
    let mut endings = MAP_EXTENSIONS.iter();
    let rank = endings.position(|own| extension.eq_ignore_ascii_case(own));
    rank.filter(|_| path.is_file())
}

/// Whether a path is a pattern, which some shells leave to the program.
fn is_pattern(path: &Path) -> bool {
    path.to_string_lossy().contains(['*', '?', '[']) && !path.exists()
}

/// Returns the files that match a pattern, by name.
fn maps_like(pattern: &Path) -> Result<Vec<PathBuf>, CommandError> {
    let text = pattern.to_string_lossy();
    let wrong = |what: String| usage(format!("{text}: {what}"));
    let paths = glob::glob(&text).map_err(|error| wrong(error.to_string()))?;
    let maps: Vec<PathBuf> = paths.flatten().filter(|path| path.is_file()).collect();
    if maps.is_empty() {
        return Err(wrong("no file has such a name".to_owned()));
    }
    Ok(maps)
}
