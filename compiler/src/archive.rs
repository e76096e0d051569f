//! Reads maps in archives: zip files, which games call pk3, and id's pak files. A file in; the names of the maps in
//! it, and the bytes of one out. The unpacked size is bounded, whatever the archive claims. The crate `zip` reads zip
//! files. A pak file has a directory of 64-byte entries: name, offset, length (id's `qfiles.h`).

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use thiserror::Error;
use zip::ZipArchive;

/// Limit on the size of a map that is unpacked, in bytes: twice the largest that any game takes.
pub const MAX_MAP_BYTES: u64 = 256 << 20;

/// Number of names that a message lists.
const MAX_LISTED: usize = 20;

/// Size of an entry of a pak file's directory, and of the name in it, in bytes.
const PAK_ENTRY: usize = 64;
const PAK_NAME: usize = 56;

/// The reason why a map cannot be read from an archive.
#[derive(Debug, Error)]
pub enum ArchiveError {
    /// The file cannot be read.
    #[error("{0}")]
    Read(io::Error),
    /// The bytes are not a valid archive.
    #[error("the archive is damaged: {0}; get it again")]
    Damaged(String),
    /// The archive does not contain the requested file: its name, and a list of those it does contain.
    #[error("the archive has no file {0:?}; it holds {1}")]
    Absent(String, String),
    /// A file is larger than any map.
    #[error("{0:?} has more than {1} bytes, the most that are unpacked; unpack it yourself")]
    TooLarge(String, u64),
}

/// An archive.
pub enum Archive {
    /// A zip file.
    Zip(ZipArchive<BufReader<File>>),
    /// A pak file and its directory.
    Pak(File, Vec<Entry>),
}

/// A file in a pak file.
pub struct Entry {
    /// Path in the archive, with slashes.
    name: String,
    /// Offset of its first byte in the pak file.
    start: u64,
    /// Number of its bytes, which are not compressed.
    length: u64,
}

impl Archive {
    /// Opens an archive. A file of any other kind is returned as the inner `Err`, rewound. The file must be at its
    /// start.
    ///
    /// # Errors
    /// The file cannot be read, or is damaged.
    pub fn open(mut file: File) -> Result<Result<Self, File>, ArchiveError> {
        let mut start = Vec::new();
        let mut head = (&mut file).take(12);
        head.read_to_end(&mut start).map_err(ArchiveError::Read)?;
        Ok(match start.get(..4) {
            Some(b"PK\x03\x04" | b"PK\x05\x06") => {
                Ok(Self::Zip(ZipArchive::new(BufReader::new(file))?))
            }
            Some(b"PACK") => {
                let entries = pak_entries(&mut file, &start[4..])?;
                Ok(Self::Pak(file, entries))
            }
            _ => {
                file.rewind().map_err(ArchiveError::Read)?;
                Err(file)
            }
        })
    }

    /// Returns the names of the maps in it, in alphabetical order: its BSP files, or its `.map` files if there are
    /// none.
    pub fn maps(&self) -> Vec<String> {
        let with = |extension: &str| {
            let mut maps = self.names();
            maps.retain(|name| {
                let found = Path::new(name).extension();
                found.is_some_and(|found| found.eq_ignore_ascii_case(extension))
            });
            maps.sort();
            maps
        };
        match with("bsp") {
            compiled if compiled.is_empty() => with("map"),
            compiled => compiled,
        }
    }

    /// Returns the paths of all files; those that are not UTF-8 are left out.
    fn names(&self) -> Vec<String> {
        match self {
            Self::Zip(zip) => {
                let names = zip.file_names().filter_map(Result::ok);
                names.map(Cow::into_owned).collect()
            }
            Self::Pak(_, entries) => entries.iter().map(|entry| entry.name.clone()).collect(),
        }
    }

    /// Returns the bytes of a file in it. If no name matches exactly, case is ignored, as in games.
    ///
    /// # Errors
    /// There is no such file, or it is too large or damaged.
    pub fn read(&mut self, name: &str) -> Result<Vec<u8>, ArchiveError> {
        let names = self.names();
        let exact = names.iter().find(|found| *found == name);
        let alike = || names.iter().find(|found| found.eq_ignore_ascii_case(name));
        let Some(found) = exact.or_else(alike).cloned() else {
            return Err(ArchiveError::Absent(name.to_owned(), listed(&self.maps())));
        };
        match self {
            Self::Zip(zip) => {
                let file = zip.by_name(&found)?;
                let size = file.size();
                unpack(file, &found, size)
            }
            Self::Pak(file, entries) => {
                let Some(entry) = entries.iter().find(|entry| entry.name == found) else {
                    unreachable!("the name is that of an entry");
                };
                file.seek(SeekFrom::Start(entry.start))?;
                unpack(file.take(entry.length), &found, entry.length)
            }
        }
    }
}

/// Reads a file of a stated size. Allocates no more memory than for that size.
fn unpack(file: impl Read, name: &str, size: u64) -> Result<Vec<u8>, ArchiveError> {
    if size > MAX_MAP_BYTES {
        return Err(ArchiveError::TooLarge(name.to_owned(), MAX_MAP_BYTES));
    }
    let mut bytes = Vec::with_capacity(size as usize);
    // With one byte more, the reader of zip files detects a wrong size.
    file.take(size + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads the directory of a pak file, given its offset and length, which follow the first four bytes.
fn pak_entries(file: &mut File, header: &[u8]) -> Result<Vec<Entry>, ArchiveError> {
    let damaged = |what: &str| ArchiveError::Damaged(what.to_owned());
    let size = file.metadata()?.len();
    let (start, length) = range(header).ok_or_else(|| damaged("it ends within its header"))?;
    if start + length > size {
        return Err(damaged("its directory lies outside of the file"));
    }
    let mut directory = Vec::new();
    file.seek(SeekFrom::Start(start))?;
    file.take(length).read_to_end(&mut directory)?;
    let entries = directory.chunks_exact(PAK_ENTRY).map(|entry| {
        let (name, place) = entry.split_at(PAK_NAME);
        let name = name.split(|&byte| byte == 0).next().unwrap_or_default();
        let name = String::from_utf8_lossy(name).into_owned();
        let (start, length) = range(place)?;
        (start + length <= size).then_some(Entry {
            name,
            start,
            length,
        })
    });
    let entries: Option<Vec<Entry>> = entries.collect();
    entries.ok_or_else(|| damaged("a file in it lies outside of it"))
}

/// Reads an offset and a length.
fn range(bytes: &[u8]) -> Option<(u64, u64)> {
    let ([start, length, ..], _) = bytes.as_chunks() else {
        return None;
    };
    Some((
        u32::from_le_bytes(*start).into(),
        u32::from_le_bytes(*length).into(),
    ))
}

/// Returns names for a message: the first of them, and the number of the rest.
pub fn listed(names: &[String]) -> String {
    let first = names[..names.len().min(MAX_LISTED)].join(", ");
    match names.len() - names.len().min(MAX_LISTED) {
        0 if names.is_empty() => "no map (*.bsp, *.map)".to_owned(),
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

impl From<io::Error> for ArchiveError {
    fn from(error: io::Error) -> Self {
        Self::Damaged(error.to_string())
    }
}

impl From<zip::result::ZipError> for ArchiveError {
    fn from(error: zip::result::ZipError) -> Self {
        Self::Damaged(error.to_string())
    }
}
