//! Files and the standard streams. The path `-` is standard input where a command reads, and standard
//! output where it writes. Files are written whole or not at all.

use std::fs;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use onionc::error::CommandError;
use serde::Serialize;

use super::interrupt;

/// Whether a path means standard input or output.
pub fn is_stdio(path: &Path) -> bool {
    path == Path::new("-")
}

/// Reads a file or standard input.
pub fn read(path: &Path) -> Result<Vec<u8>, CommandError> {
    let bytes = if is_stdio(path) {
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(path)
    };
    bytes.map_err(|source| CommandError::Read {
        path: path.to_owned(),
        source,
    })
}

/// Refuses to read two files from standard input.
pub fn check_inputs<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) -> Result<(), CommandError> {
    match paths.into_iter().filter(|path| is_stdio(path)).count() {
        0 | 1 => Ok(()),
        _ => Err(CommandError::Usage(
            "only one file can be standard input (-)".to_owned(),
        )),
    }
}

/// Writes a file, or to standard output.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), CommandError> {
    if is_stdio(path) {
        return print(|out| out.write_all(bytes));
    }
    write_whole(path, bytes).map_err(|source| write_error(path, source))
}

/// Writes a value as JSON, on several lines.
pub fn write_json(path: &Path, value: &impl Serialize) -> Result<(), CommandError> {
    let mut bytes = serde_json::to_vec_pretty(value).map_err(|error| CommandError::Write {
        path: path.to_owned(),
        source: error.into(),
    })?;
    bytes.push(b'\n');
    write(path, &bytes)
}

/// Writes to standard output. If the reader goes away, as `head` does, the command ends quietly.
pub fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), CommandError> {
    let mut out = BufWriter::new(io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(CommandError::Print(error)),
        _ => Ok(()),
    }
}

/// The error of a file that cannot be written.
pub fn write_error(path: &Path, source: io::Error) -> CommandError {
    CommandError::Write {
        path: path.to_owned(),
        source,
    }
}

/// Refuses targets that writing would destroy: the map itself, folders and devices.
pub fn check_target(map: &Path, target: &Path) -> Result<(), CommandError> {
    let other = |message: &str| {
        Err(CommandError::Unwritable {
            path: target.to_owned(),
            message: message.to_owned(),
        })
    };
    let Ok(metadata) = fs::metadata(target) else {
        return Ok(());
    };
    if is_stdio(target) {
        return Ok(());
    }
    if !metadata.is_file() {
        return other("it is a folder or a device, not a file");
    }
    match (fs::canonicalize(map), fs::canonicalize(target)) {
        (Ok(map), Ok(target)) if map == target => other("it is the map itself"),
        _ => Ok(()),
    }
}

/// Writes a temporary file in the same folder, then moves it into place. A file that has these bytes already is left
/// as it is, with its time.
fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if fs::read(path).is_ok_and(|before| before == bytes) {
        return Ok(());
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    // Created here as any new file is: the user's mask decides, and no error names the temporary file.
    let mut file = interrupt::temporary(|| {
        let mut builder = tempfile::Builder::new();
        let builder = builder.prefix(".onionc-");
        builder.make_in(folder, |path| fs::File::create_new(path))
    })?;
    file.as_file_mut().write_all(bytes)?;
    file.as_file().sync_all()?;
    interrupt::placed(file, path)
}
