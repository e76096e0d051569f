//! The files that commands write: the only place that decides which files may be written. An output is a new file, an
//! empty one, or replaces an earlier one of its kind that is not an input of this run. It is written whole, or not at
//! all, and links to it stay links.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use onion_maps::wording::plain_json;
use onionc::error::{CommandError, usage};
use serde::Serialize;

use crate::commands::compiling::interrupt;
use crate::commands::output::files::{self, is_stdio};
use crate::commands::output::kinds::Kind;

/// A file to write.
pub struct Output<'a> {
    /// The option that names it.
    pub option: &'static str,
    /// Its path; `-` is standard output.
    pub path: &'a Path,
    /// What it holds. A file of another kind that is in its place is not replaced.
    pub kind: Kind,
}

/// The option of commands that print text or JSON.
#[derive(clap::Args)]
pub struct Json {
    /// Print JSON instead of text; --json=FILE writes it there and prints the text too.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true,
          default_missing_value = "-")]
    json: Option<PathBuf>,
}

impl Json {
    /// Prints lines of text, or a value as JSON, whose first key is `key`.
    pub fn print(
        &self,
        key: &'static str,
        value: &impl Serialize,
        lines: &[String],
    ) -> Result<(), CommandError> {
        if let Some(path) = &self.json {
            Output::new("--json", path, Kind::Json(key)).write_json(value)?;
        }
        if self.json.as_deref().is_some_and(is_stdio) {
            Ok(())
        } else {
            files::print_lines(lines)
        }
    }
}

/// Extensions that only inputs have, except for the last two, which exports have, too.
const INPUTS: [&str; 7] = ["bsp", "gltf", "pk3", "pak", "zip", "map", "glb"];

impl<'a> Output<'a> {
    pub fn new(option: &'static str, path: &'a Path, kind: Kind) -> Self {
        Self { option, path, kind }
    }

    /// Rejects paths that must not be written: folders, devices and pipes, inputs, and files of other kinds.
    pub fn check(&self) -> Result<(), CommandError> {
        self.place().map(|_| ())
    }

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
        CommandError::Write(self.path.to_owned(), source, self.option)
    }

    /// Returns the destination, and the bytes that are there.
    fn place(&self) -> Result<(PathBuf, Option<Vec<u8>>), CommandError> {
        let path = self.path;
        if is_stdio(path) {
            return Ok((path.to_owned(), None));
        }
        let refuse = |reason: &str| {
            let (path, reason) = (path.to_owned(), reason.to_owned());
            Err(CommandError::Unwritable(path, reason, self.option))
        };
        let Ok(metadata) = fs::metadata(path) else {
            self.check_name()?;
            return if path.is_symlink() {
                refuse("it is a link that leads nowhere")
            } else {
                Ok((path.to_owned(), None))
            };
        };
        let stdout = Path::new("/dev/stdout");
        let of_stdout = fs::metadata(stdout).ok();
        let is_same = |other| files::is_same((path, &metadata), (stdout, &other));
        let is_stdout = of_stdout.is_some_and(is_same);
        let is_input = files::is_input(path, &metadata);
        let reasons = [
            (metadata.is_dir(), "it is a folder"),
            (
                is_stdout,
                "standard output already goes there; write - for standard output",
            ),
            (!metadata.is_file(), "it is a device or a pipe, not a file"),
            (is_input, "it is an input of this command"),
            (metadata.permissions().readonly(), "it is read-only"),
        ];
        if let Some((_, reason)) = reasons.iter().find(|(is_so, _)| *is_so) {
            return refuse(reason);
        }
        let before = files::found(path);
        if before.is_none() && !path.exists() {
            // Another process has removed the file since its metadata was read.
            return self.place();
        }
        let before = before.unwrap_or_default();
        if metadata.len() > 0 && !self.kind.is_earlier(&before) {
            return refuse(&format!("it is there, and is not {}", self.kind.name()));
        }
        self.check_name()?;
        let place = if path.is_symlink() {
            fs::canonicalize(path).map_err(|error| self.failed(error))?
        } else {
            path.to_owned()
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
        Err(usage(format!(
            "{option} {path}: this writes {kind}; {advice}"
        )))
    }
}

/// Rejects control characters, which no name should have.
pub fn check_letters(option: &str, path: &Path) -> Result<(), CommandError> {
    if path.to_string_lossy().contains(char::is_control) {
        let message = "the name has a control character; name another file";
        return Err(usage(format!("{option} {}: {message}", path.display())));
    }
    Ok(())
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
