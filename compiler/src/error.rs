//! Errors of commands: each message states the fault, its place, and the remedy, and each kind of error has an exit
//! code.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use onion_compiler::error::{CompileError, VerifyError};
use thiserror::Error;

/// The reason why a command fails; each kind has an exit code.
#[derive(Debug, Error)]
pub enum CommandError {
    /// The command line is wrong: exit code 2, as for clap's own errors.
    #[error("{0}")]
    Usage(String),
    /// A file cannot be read: exit code 3.
    #[error("cannot read {}: {}; {}", name(.0), .1, remedy_of_input(.0))]
    Read(PathBuf, io::Error),
    /// A file is damaged or of another kind: exit code 4. The text states the fault, its place, and the remedy.
    #[error("{}: {}", name(.0), .1)]
    BadInput(PathBuf, String),
    /// A file that an option names cannot be written: exit code 5.
    #[error("cannot write {}: {}; {} name another place with {}", .0.display(), .1, remedy(.1, .0), .2)]
    Write(PathBuf, io::Error, &'static str),
    /// A file that an option names must not be written, for a reason: exit code 5.
    #[error("cannot write {}: {}; name another file with {}", .0.display(), .1, .2)]
    Unwritable(PathBuf, String, &'static str),
    /// Standard output cannot be written: exit code 5.
    #[error("cannot write to standard output: {}; {}", .0, remedy_of_output(.0))]
    Print(io::Error),
    /// A compiled file does not match its map: exit code 6.
    #[error("{}: {}{}", name(.0), .1, .1.advice())]
    Verify(PathBuf, VerifyError),
    /// The map that was just compiled does not match its source: exit code 6.
    #[error(
        "{}: the compiled map fails --verify, so nothing is written: {}; this is a bug in onionc, \
         please report it with the map",
        name(.0), .1
    )]
    Unverified(PathBuf, VerifyError),
    /// A map breaks conditions of a build: exit code 7. The text counts them.
    #[error("{}: the map breaks its conditions: {}", name(.0), .1)]
    Broken(PathBuf, String),
    /// The compile of a map failed: exit code 6.
    #[error("{}: {}", name(.0), .1)]
    Compile(PathBuf, CompileError),
}

/// Returns the error of a wrong command line.
pub fn usage(message: impl Into<String>) -> CommandError {
    CommandError::Usage(message.into())
}

/// Returns the error of a file that is damaged or of another kind.
pub fn bad_input(path: &Path, message: impl Into<String>) -> CommandError {
    CommandError::BadInput(path.to_owned(), message.into())
}

/// Returns the name of an input for messages; `-` is standard input.
fn name(path: &Path) -> Cow<'_, str> {
    if path == Path::new("-") {
        Cow::Borrowed("standard input")
    } else {
        path.to_string_lossy()
    }
}

/// Returns the folder of an output for messages.
fn folder(path: &Path) -> String {
    match path.parent() {
        Some(folder) if folder != Path::new("") => format!("the folder {}", folder.display()),
        _ => "its folder".to_owned(),
    }
}

/// Returns advice for an output that cannot be written, and the word before an alternative.
fn remedy(source: &io::Error, path: &Path) -> String {
    use io::ErrorKind::{FileTooLarge, NotFound, QuotaExceeded, StorageFull};
    let (folder, has_folder) = (folder(path), path.parent().is_some_and(Path::is_dir));
    match source.kind() {
        StorageFull | QuotaExceeded => format!("make room on the disk of {folder}, or"),
        FileTooLarge => "raise the limit on the size of files (ulimit -f), or".to_owned(),
        NotFound if has_folder => format!("{folder} takes no files;"),
        NotFound => format!("create {folder}, or"),
        _ => format!("check that {folder} exists and is writable, or"),
    }
}

/// Returns advice for an input that cannot be read.
fn remedy_of_input(path: &Path) -> String {
    match path.to_string_lossy().replace('\\', "/") {
        slashed if Path::new(&slashed).exists() && Path::new(&slashed) != path => {
            format!("folders end with / here, so write {slashed}")
        }
        _ => "check the path and its permissions".to_owned(),
    }
}

/// Returns advice for standard output that cannot be written.
fn remedy_of_output(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::StorageFull => "make room on the disk that it is sent to",
        _ => "check where it is sent",
    }
}

impl CommandError {
    /// Returns the process's exit code.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Read(..) => 3,
            Self::BadInput(..) => 4,
            Self::Write(..) | Self::Unwritable(..) | Self::Print(_) => 5,
            Self::Verify(..) | Self::Unverified(..) | Self::Compile(..) => 6,
            Self::Broken(..) => 7,
        }
    }
}
