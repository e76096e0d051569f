//! The source of a map: a file, standard input, or an archive. `ARCHIVE:MAP` names a map in an archive if the part
//! before the colon is a file.

use std::path::{Path, PathBuf};

use onionc::archive::{Archive, listed};
use onionc::error::{ArchiveError, CommandError};
use onionc::text::counted;

use super::{bad_input, files};

/// A map in a file of its own, or in an archive.
pub struct MapPath {
    /// The file.
    pub file: PathBuf,
    /// The name of the map in it, if the file is an archive.
    pub member: Option<String>,
}

impl MapPath {
    /// The meaning of a path.
    pub fn new(path: &Path) -> Self {
        let whole = Self {
            file: path.to_owned(),
            member: None,
        };
        let Some(text) = path.to_str().filter(|_| !path.exists()) else {
            return whole;
        };
        let mut parts = text
            .match_indices(':')
            .map(|(at, _)| (&text[..at], &text[at + 1..]));
        match parts.find(|(file, _)| Path::new(file).is_file()) {
            Some((file, member)) => Self {
                file: file.into(),
                member: Some(member.to_owned()),
            },
            None => whole,
        }
    }

    /// The path of a file with the name of the map and another extension, beside it or its archive.
    pub fn beside(&self, extension: &str) -> PathBuf {
        match &self.member {
            Some(member) => {
                let name = Path::new(member).file_name().unwrap_or_default();
                self.file.with_file_name(name).with_extension(extension)
            }
            None => self.file.with_extension(extension),
        }
    }
}

/// The bytes of a map.
pub fn read(path: &Path) -> Result<Vec<u8>, CommandError> {
    if files::is_stdio(path) {
        return files::read(path);
    }
    let place = MapPath::new(path);
    match (archive(&place.file)?, place.member) {
        (None, None) => files::read(path),
        (None, Some(_)) => {
            let message = format!("{} is no archive (.pk3, .zip, .pak)", place.file.display());
            Err(bad_input(path, message))
        }
        (Some(archive), None) => {
            let maps = archive.maps();
            let advice = match maps.first() {
                Some(first) => format!(
                    "; name one, such as {}:{first}, or use --all",
                    path.display()
                ),
                None => String::new(),
            };
            let n_maps = counted(maps.len(), "map", "maps");
            let message = format!(
                "it is an archive of {n_maps}{advice}; it holds {}",
                listed(&maps)
            );
            Err(bad_input(path, message))
        }
        (Some(mut archive), Some(member)) => archive
            .read(&member)
            .map_err(|error| bad_input(path, error.to_string())),
    }
}

/// The paths of all maps in an archive.
pub fn all(path: &Path) -> Result<Vec<PathBuf>, CommandError> {
    let Some(archive) = archive(path)? else {
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

/// A file as an archive; none if it is something else.
fn archive(path: &Path) -> Result<Option<Archive>, CommandError> {
    Archive::open(path).map_err(|error| match error {
        ArchiveError::Read(source) => CommandError::Read {
            path: path.to_owned(),
            source,
        },
        error => bad_input(path, error.to_string()),
    })
}
