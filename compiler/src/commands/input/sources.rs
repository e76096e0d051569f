//! The source of a map: a file, standard input, or an archive. `ARCHIVE:MAP` names a map in an archive if the part
//! before the colon is a file, or has the name of an archive.

use std::fs::File;
use std::path::{Path, PathBuf};

use onion_format::MAGIC;
use onion_maps::wording::{counted, plain};
use onionc::archive::{Archive, ArchiveError, listed};
use onionc::error::{CommandError, bad_input, usage};

use crate::commands::compiling::summary;
use crate::commands::output::files;
use crate::commands::read_compiled;

/// Extensions of archives.
const ARCHIVE_EXTENSIONS: [&str; 3] = ["pk3", "zip", "pak"];

/// A map in a separate file, or in an archive.
pub struct MapPath {
    /// Path of the file itself: the map, or the archive.
    pub file: PathBuf,
    /// The name of the map in it, if the file is an archive.
    pub member: Option<String>,
}

impl MapPath {
    /// Splits a path at the colon after an archive. A file that exists under the whole name is taken as it is.
    pub fn new(path: &Path) -> Self {
        let whole = Self {
            file: path.to_owned(),
            member: None,
        };
        let Some(text) = path.to_str().filter(|_| !path.exists()) else {
            return whole;
        };
        let colons = text.match_indices(':');
        let mut parts = colons.map(|(at, _)| (&text[..at], &text[at + 1..]));
        // An archive that is missing is named in the error, rather than a file with a colon in its name.
        let is_archive = |file: &Path| {
            let extension = file.extension().unwrap_or_default();
            let mut known = ARCHIVE_EXTENSIONS.iter();
            file.is_file() || known.any(|own| extension.eq_ignore_ascii_case(own))
        };
        match parts.find(|(file, _)| is_archive(Path::new(file))) {
            Some((file, member)) => Self {
                file: file.into(),
                member: Some(member.to_owned()),
            },
            None => whole,
        }
    }

    /// Returns a path with the name of the map and another extension, beside the map or its archive.
    pub fn beside(&self, extension: &str) -> PathBuf {
        let Some(member) = &self.member else {
            return self.file.with_extension(extension);
        };
        let name = Path::new(member).file_name().unwrap_or_default();
        let name = self.file.with_file_name(&*plain(&name.to_string_lossy()));
        name.with_extension(extension)
    }
}

/// Reads the bytes of a map. Files are opened once, so that pipes can be read.
pub fn read(path: &Path) -> Result<Vec<u8>, CommandError> {
    if files::is_stdio(path) {
        return files::read(path);
    }
    let place = MapPath::new(path);
    match (open(&place.file)?, place.member) {
        (Err(file), None) => files::read_all(file, path),
        (Err(_), Some(_)) => {
            let file = place.file.display();
            Err(bad_input(
                path,
                format!("{file} is not an archive (.pk3, .zip, .pak)"),
            ))
        }
        (Ok(archive), None) => Err(bad_input(path, unnamed(&archive, path))),
        (Ok(mut archive), Some(member)) => archive
            .read(&member)
            .map_err(|error| bad_input(path, error.to_string())),
    }
}

/// Reads the bytes of a compiled map that is named before the map it comes from.
pub fn read_before(
    map: Option<&PathBuf>,
    file: &PathBuf,
    command: &str,
) -> Result<Vec<u8>, CommandError> {
    files::check_inputs([file].into_iter().chain(map))?;
    let bytes = read_compiled(file)?;
    let is_compiled = |map: &&PathBuf| read(map).is_ok_and(|map| map.starts_with(&MAGIC));
    let swapped = map
        .filter(|_| !bytes.starts_with(&MAGIC))
        .filter(is_compiled);
    let Some(map) = swapped else {
        return Ok(bytes);
    };
    let [map, file] = [map, file].map(|path| summary::quoted(path));
    Err(usage(format!(
        "the compiled map comes first: onionc {command} {map} {file}"
    )))
}

/// Returns the message for an archive that is named without a map in it.
fn unnamed(archive: &Archive, path: &Path) -> String {
    let maps = archive.maps();
    let advice = maps.first().map_or(String::new(), |first| {
        let path = path.display();
        format!("; name one, such as {path}:{first} (a compile takes them all with --all)")
    });
    let n_maps = counted(maps.len(), "map", "maps");
    let listed = listed(&maps);
    format!("it is an archive of {n_maps}{advice}; it holds {listed}")
}

/// Returns the paths of all maps in an archive.
pub fn all(path: &Path) -> Result<Vec<PathBuf>, CommandError> {
    let Ok(archive) = open(path)? else {
        let message = "--all takes the maps of an archive (.pk3, .zip, .pak), which this is not";
        return Err(bad_input(path, message));
    };
    let maps = archive.maps();
    if maps.is_empty() {
        return Err(bad_input(path, "the archive holds no map (*.bsp, *.map)"));
    }
    let file = path.display();
    Ok(maps
        .iter()
        .map(|map| format!("{file}:{map}").into())
        .collect())
}

/// Opens an archive, or returns the file if it is not one. Pipes never are, because archives are read from their
/// ends.
fn open(path: &Path) -> Result<Result<Archive, File>, CommandError> {
    let file = files::open(path)?;
    if file.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return Ok(Err(file));
    }
    Archive::open(file).map_err(|error| match error {
        ArchiveError::Read(error) => CommandError::Read(path.to_owned(), error),
        error => bad_input(path, error.to_string()),
    })
}
