//! Messages to standard error, which all begin in the same way. They are in color if the user wants that; by default
//! on terminals, unless `NO_COLOR` is set.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fmt::{self, Display};
use std::io::Write;

use anstyle::{AnsiColor, Style};
use clap::{ColorChoice, ValueEnum};
use onion_maps::wording::plain;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();

/// Minimum similarity of two words for a suggestion, from 0 to 1: names of maps are seldom as near to a subcommand.
const ALIKE: f64 = 0.8;

/// Maximum length of a word that may be meant for a name.
const MAX_WORD: usize = 64;

/// Maximum length of a message, in characters: a name in it may be of any length.
const MAX_MESSAGE: usize = 1 << 14;

pub fn error(text: impl Display) {
    tell(format_args!("{ERROR}error:{ERROR:#} "), &text);
}

pub fn warning(text: impl Display) {
    tell(format_args!("{WARNING}warning:{WARNING:#} "), &text);
}

/// Prints a message that is neither.
pub fn note(text: impl Display) {
    tell(format_args!(""), &text);
}

/// Prints a message. A part of it may come from a file: line breaks count only before lines that are indented.
fn tell(kind: fmt::Arguments<'_>, text: &dyn Display) {
    let text = text.to_string();
    let text = limited(&text);
    let lines: Vec<_> = text.split("\n  ").map(plain).collect();
    let text = lines.join("\n  ");
    // If standard error is closed, there is no place to report that.
    let _ = writeln!(anstream::stderr().lock(), "onionc: {kind}{text}");
}

/// Truncates a message, which may be of any length.
pub fn limited(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(MAX_MESSAGE) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}

/// Returns the colors that arguments ask for, even if they are wrong otherwise. All messages follow them from now on.
pub fn colors(arguments: &[OsString]) -> ColorChoice {
    let value = value_of("--color", arguments);
    let choice = value.and_then(|value| ColorChoice::from_str(value.to_str()?, false).ok());
    let choice = choice.unwrap_or(ColorChoice::Auto);
    let of_streams = match choice {
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    };
    of_streams.write_global();
    choice
}

/// Returns the value of an option in arguments that may be wrong otherwise.
pub fn value_of(option: &str, arguments: &[OsString]) -> Option<OsString> {
    let mut words = arguments.iter().take_while(|word| *word != "--");
    let value = words.find_map(|word| match word.to_str()?.strip_prefix(option)? {
        "" => Some(None),
        rest => Some(Some(rest.strip_prefix('=')?.into())),
    })?;
    value.or_else(|| words.next().cloned())
}

/// Returns the name that is most similar to a word, if any is similar enough. The time grows with the word's length.
pub fn nearest<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let word = Some(word).filter(|word| word.len() <= MAX_WORD)?;
    let likeness = |name: &&str| strsim::jaro(word, name);
    let nearest = names.max_by(|one, other| likeness(one).total_cmp(&likeness(other)));
    nearest.filter(|name| likeness(name) > ALIKE)
}
