//! The files that commands write: the only place that decides which files may be written. An output is a new file, an
//! empty one, or replaces an earlier one of its kind that is not an input of this run. It is written whole, or not at
//! all, and links to it stay links.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use onion_maps::wording::plain_json;
use onionc::error::CommandError;
use serde::Serialize;

use super::files::{self, is_stdio};
use super::interrupt;
use super::kinds::Kind;

/// An output of a command.
pub struct Output<'a> {
    /// The option that names it.
    pub option: &'static str,
    /// Its path; `-` is standard output.
    pub path: &'a Path,
    /// Its kind.
    pub kind: Kind,
}

/// Extensions that only inputs have, except for the last two, which exports have, too.
const INPUTS: [&str; 7] = ["bsp", "gltf", "pk3", "pak", "zip", "map", "glb"];

impl<'a> Output<'a> {
    /// Returns the output for the report of `--json`, whose first key is `key`.
    pub fn json(path: &'a Path, key: &'static str) -> Self {
        Self {
            option: "--json",
            path,
            kind: Kind::Json(key),
        }
    }

    /// Rejects paths that must not be written: folders, devices and pipes, inputs, and files of other kinds.
    pub fn check(&self) -> Result<(), CommandError> {
        self.place().map(|_| ())
    }

    /// Writes it.
    pub fn write(&self, bytes: &[u8]) -> Result<(), CommandError> {
        if is_stdio(self.path) {
            return files::print(|out| out.write_all(bytes));
        }
        let (place, before) = self.place()?;
        if before.as_deref() == Some(bytes) {
            return Ok(());
        }
        write_whole(&place, bytes).map_err(|source| self.failed(source))
    }

    /// Writes a value as JSON, on several lines.
    pub fn write_json(&self, value: &impl Serialize) -> Result<(), CommandError> {
        let json = serde_json::to_string_pretty(value);
        let json = json.map_err(|error| self.failed(error.into()))?;
        self.write((plain_json(&json) + "\n").as_bytes())
    }

    /// Returns the error for an output that cannot be written.
    pub fn failed(&self, source: io::Error) -> CommandError {
        CommandError::Write {
            path: self.path.to_owned(),
            source,
            option: self.option,
        }
    }

    /// Returns the destination, and the bytes that are there.
    fn place(&self) -> Result<(PathBuf, Option<Vec<u8>>), CommandError> {
        let path = self.path;
        if is_stdio(path) {
            return Ok((path.to_owned(), None));
        }
        let refuse = |message: String| {
            Err(CommandError::Unwritable {
                path: path.to_owned(),
                message,
                option: self.option,
            })
        };
        let Ok(metadata) = fs::metadata(path) else {
            self.check_name()?;
            return match path.is_symlink() {
                true => refuse("it is a link that leads nowhere".to_owned()),
                false => Ok((path.to_owned(), None)),
            };
        };
        if metadata.is_dir() {
            return refuse("it is a folder".to_owned());
        }
        let stdout = Path::new("/dev/stdout");
        let of_stdout = fs::metadata(stdout).ok();
        if of_stdout.is_some_and(|other| files::is_same((path, &metadata), (stdout, &other))) {
            return refuse("standard output goes there, which is named -".to_owned());
        }
        if !metadata.is_file() {
            return refuse("it is a device or a pipe, not a file".to_owned());
        }
        if files::is_input(path, &metadata) {
            return refuse("it is an input of this command".to_owned());
        }
        if metadata.permissions().readonly() {
            return refuse("it is read-only".to_owned());
        }
        let before = files::found(path).unwrap_or_default();
        if metadata.len() > 0 && !self.kind.is_earlier(&before) {
            return refuse(format!("it is there, and is not {}", self.kind.name()));
        }
        self.check_name()?;
        let place = match path.is_symlink() {
            true => fs::canonicalize(path).map_err(|error| self.failed(error))?,
            false => path.to_owned(),
        };
        Ok((place, Some(before)))
    }

    /// Rejects names that indicate another kind of file.
    fn check_name(&self) -> Result<(), CommandError> {
        check_letters(self.option, self.path)?;
        let ending = self.path.extension().unwrap_or_default();
        let is_in = |endings: &[&str]| endings.iter().any(|own| ending.eq_ignore_ascii_case(own));
        let (endings, kind) = (self.kind.endings(), self.kind.name());
        // JSON may have any extension that its reader wants.
        let is_free = matches!(self.kind, Kind::Json(_)) || endings.is_empty();
        let is_wrong = !is_free && !ending.is_empty() && !is_in(endings);
        let is_export = matches!(self.kind, Kind::Export(_));
        if !is_wrong && !is_in(&INPUTS[..if is_export { 5 } else { 7 }]) {
            return Ok(());
        }
        let advice = match endings.first() {
            Some(own) => format!("end the name with .{own}"),
            None => "give it another name".to_owned(),
        };
        let (option, path) = (self.option, self.path.display());
        Err(CommandError::Usage(format!(
            "{option} {path}: this writes {kind}; {advice}"
        )))
    }
}

/// Rejects control characters, which no name should have.
pub fn check_letters(option: &str, path: &Path) -> Result<(), CommandError> {
    match path.to_string_lossy().contains(char::is_control) {
        true => Err(CommandError::Usage(format!(
            "{option} {}: the name has a control character; name another file",
            path.display()
        ))),
        false => Ok(()),
    }
}

/// Writes a temporary file in the same folder, then moves it into place.
fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    // Created here like any new file: the user's umask applies, and no error names the temporary file.
    let mut file = interrupt::temporary(|| {
        let mut builder = tempfile::Builder::new();
        let builder = builder.prefix(".onionc-");
        builder.make_in(folder, |path| fs::File::create_new(path))
    })?;
    // A file that is replaced keeps its mode.
    if let Ok(old) = fs::metadata(path) {
        file.as_file().set_permissions(old.permissions())?;
    }
    file.as_file_mut().write_all(bytes)?;
    // Before the rename: otherwise a power failure might leave an empty file there.
    file.as_file().sync_all()?;
    interrupt::placed(file, path)
}
