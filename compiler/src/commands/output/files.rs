//! The files that commands read, and the standard streams. The path `-` is standard input for inputs, and standard
//! output for outputs. Every input is opened only once and recorded, so that an output never replaces it.
//!
//! Formatted output is text, of which a part may come from a file: each line is printed without its control
//! characters. Bytes are written as they are.

use std::collections::HashSet;
use std::fmt;
use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use onion_maps::wording::plain;
use onionc::error::{CommandError, bad_input, usage};

/// Limit on an input that is read whole, in bytes: several times the largest known. Devices and pipes have no end.
const MAX_BYTES: u64 = 1 << 30;

/// Limit on a text of options or rules, in bytes.
const MAX_TEXT: u64 = 1 << 20;

/// The path of standard input, which the shell may have opened from a file.
const STDIN: &str = "/dev/stdin";

/// Identifies a file, under any name.
#[cfg(unix)]
type Identity = (u64, u64);
#[cfg(not(unix))]
type Identity = PathBuf;

/// The inputs so far.
static INPUTS: LazyLock<Mutex<HashSet<Identity>>> = LazyLock::new(Mutex::default);

/// Returns the files that were read. A panic in another thread does not lose them.
fn inputs() -> MutexGuard<'static, HashSet<Identity>> {
    INPUTS.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(unix)]
fn identity(_: &Path, metadata: &Metadata) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path, _: &Metadata) -> Option<Identity> {
    fs::canonicalize(path).ok()
}

/// Whether a path means standard input or output.
pub fn is_stdio(path: &Path) -> bool {
    path == Path::new("-")
}

/// Records files as inputs that other code reads.
pub fn note_inputs<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) {
    for path in paths {
        let identity = fs::metadata(path).map(|metadata| identity(path, &metadata));
        inputs().extend(identity.ok().flatten());
    }
}

/// Whether a file is one that was read, under whatever name; an output must not replace it.
pub fn is_input(path: &Path, metadata: &Metadata) -> bool {
    identity(path, metadata).is_some_and(|identity| inputs().contains(&identity))
}

/// Whether two files are the same, under any names.
pub fn is_same(one: (&Path, &Metadata), other: (&Path, &Metadata)) -> bool {
    identity(one.0, one.1) == identity(other.0, other.1)
}

/// Opens an input: a file, or a pipe, which can be read once only.
pub fn open(path: &Path) -> Result<File, CommandError> {
    let open = || {
        let metadata = fs::metadata(path)?;
        let is_pipe = is_pipe(&metadata);
        if !metadata.is_file() && !metadata.is_dir() && !is_pipe {
            return Err(io::Error::other("it is a device, not a file"));
        }
        let is_new = identity(path, &metadata).is_none_or(|identity| inputs().insert(identity));
        if is_pipe && !is_new {
            Err(io::Error::other(
                "it is a pipe, which can be read only once",
            ))
        } else {
            File::open(path)
        }
    };
    open().map_err(|error| CommandError::Read(path.to_owned(), error))
}

/// Whether there is a pipe at a path, which can be read only once.
pub fn is_pipe_at(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| is_pipe(&metadata))
}

/// Whether a file is a named pipe, which only Unix has.
fn is_pipe(metadata: &Metadata) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::FileTypeExt::is_fifo(&metadata.file_type());
    #[cfg(not(unix))]
    return false;
}

/// Reads a file or standard input.
pub fn read(path: &Path) -> Result<Vec<u8>, CommandError> {
    read_at_most(MAX_BYTES, path)
}

/// Reads a file, or standard input, of at most this many bytes.
fn read_at_most(most: u64, path: &Path) -> Result<Vec<u8>, CommandError> {
    if is_stdio(path) {
        note_inputs([&PathBuf::from(STDIN)]);
        return read_from(io::stdin().lock(), most, path);
    }
    read_from(open(path)?, most, path)
}

/// Reads an input to its end, up to the limit.
pub fn read_all(input: impl Read, path: &Path) -> Result<Vec<u8>, CommandError> {
    read_from(input, MAX_BYTES, path)
}

/// Reads all of an input. A file that is too large is refused by its size, before it is read.
fn read_from(input: impl Read, most: u64, path: &Path) -> Result<Vec<u8>, CommandError> {
    let metadata = fs::metadata(path).ok().filter(|_| !is_stdio(path));
    let expected = metadata.map_or(0, |metadata| metadata.len());
    let mut bytes = Vec::new();
    if expected <= most {
        bytes.reserve(expected as usize);
        let read = input.take(most + 1).read_to_end(&mut bytes);
        read.map_err(|error| CommandError::Read(path.to_owned(), error))?;
    }
    if expected.max(bytes.len() as u64) > most {
        let message = format!("it has more than {most} bytes, the most that is read");
        return Err(bad_input(path, message));
    }
    Ok(bytes)
}

/// Reads a text of options or rules.
pub fn read_text(path: &Path) -> Result<String, CommandError> {
    let bytes = read_at_most(MAX_TEXT, path)?;
    String::from_utf8(bytes).map_err(|_| bad_input(path, "not UTF-8 text"))
}

/// Returns the bytes of a file, or `None` if it does not exist or is a pipe, a device or too large.
pub fn found(path: &Path) -> Option<Vec<u8>> {
    let metadata = fs::metadata(path).ok()?;
    let is_usual = metadata.is_file() && metadata.len() <= MAX_BYTES;
    is_usual.then(|| fs::read(path).ok()).flatten()
}

/// Rejects reading two files from standard input.
pub fn check_inputs<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) -> Result<(), CommandError> {
    match paths.into_iter().filter(|path| is_stdio(path)).count() {
        0 | 1 => Ok(()),
        _ => Err(usage("only one file can be standard input (-)")),
    }
}

/// Writes to standard output. If the reader closes the pipe, as `head` does, the command ends quietly.
pub fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), CommandError> {
    let mut out = Printed(BufWriter::new(io::stdout().lock()));
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(CommandError::Print(error)),
        _ => Ok(()),
    }
}

pub fn print_lines(lines: &[String]) -> Result<(), CommandError> {
    print(|out| lines.iter().try_for_each(|line| writeln!(out, "{line}")))
}

/// A stream of lines and bytes: formatted output is a line, or a part of one, and printed [`plain`].
pub struct Printed<W>(pub W);

impl<W: Write> Write for Printed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }

    fn write_fmt(&mut self, line: fmt::Arguments<'_>) -> io::Result<()> {
        let line = line.to_string();
        let text = line.strip_suffix('\n').unwrap_or(&line);
        self.0.write_all(plain(text).as_bytes())?;
        self.0.write_all(&line.as_bytes()[text.len()..])
    }
}
