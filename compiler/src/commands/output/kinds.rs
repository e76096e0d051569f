//! The kinds of files that commands write, and the test that an existing file is an earlier output of a kind. If
//! other programs write such files too, and people may lose them, only our own are recognized.

use onion_format::MAGIC;
use onion_views::export::{ExportFormat, is_detour, is_godot};

/// Number of decimals of every number in files of points. Other compilers write these files with other decimals.
const DECIMALS: usize = 4;

/// The beginning of our source code, after the comment sign.
const SOURCE: &str = "The hulls of the maps, as `onionc constants ";

/// What an output holds, by which a file is recognized as one that may be replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Compiled,
    /// A PNG.
    Picture,
    Page,
    /// A report in JSON, by the first of its keys.
    Json(&'static str),
    /// Brushes, skins and leaves for other programs.
    Export(ExportFormat),
    /// A navigation mesh of Detour.
    Detour,
    /// A navigation mesh in a scene of Godot.
    Godot,
    /// Points for map editors.
    Points,
    /// Rules for build tools.
    Rules,
    /// Source code or a plan.
    Source,
}

impl Kind {
    /// Returns its name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Compiled => "a compiled map",
            Self::Picture => "a PNG file",
            Self::Page => "a web page",
            Self::Json(_) => "a report of this kind by onionc (.json)",
            Self::Export(_) => "a file of this kind by onionc",
            Self::Detour | Self::Godot => "a navigation mesh by onionc",
            Self::Points => "a file of points by onionc",
            Self::Rules => "a file of rules for make",
            Self::Source => "source code by onionc",
        }
    }

    /// Whether bytes are an earlier file of this kind. A file of a kind that is also an input must be our own.
    pub fn is_earlier(self, bytes: &[u8]) -> bool {
        let text = || std::str::from_utf8(bytes).unwrap_or_default();
        match self {
            Self::Compiled => bytes.starts_with(&MAGIC),
            Self::Picture => bytes.starts_with(b"\x89PNG\r\n\x1a\n"),
            Self::Page => bytes
                .get(..15)
                .is_some_and(|start| start.eq_ignore_ascii_case(b"<!doctype html>")),
            Self::Json(key) => bytes.starts_with(format!("{{\n  \"{key}\": ").as_bytes()),
            Self::Export(format) => format.is_ours(bytes),
            Self::Detour => is_detour(bytes),
            Self::Godot => is_godot(bytes),
            Self::Points => is_points(text()),
            Self::Rules => is_rules(text()),
            Self::Source => text().get(3..).is_some_and(|text| text.starts_with(SOURCE)),
        }
    }

    /// Returns the extensions of such files, or an empty slice if the extension does not matter.
    pub fn endings(self) -> &'static [&'static str] {
        match self {
            Self::Picture => &["png"],
            Self::Page => &["html", "htm"],
            Self::Json(_) => &["json"],
            Self::Detour => &["bin"],
            Self::Godot => &["tscn"],
            _ => &[],
        }
    }
}

/// Formats points, one a line.
pub fn points_text(points: &[[f64; 3]]) -> String {
    let line = |[x, y, z]: &[f64; 3]| format!("{x:.DECIMALS$} {y:.DECIMALS$} {z:.DECIMALS$}\n");
    points.iter().map(line).collect()
}

/// Whether a text consists of points: on each line three numbers with our decimals.
fn is_points(text: &str) -> bool {
    let is_number = |word: &str| {
        let digits =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let (whole, part) = word.split_once('.').unwrap_or_default();
        digits(whole.strip_prefix('-').unwrap_or(whole)) && digits(part) && part.len() == DECIMALS
    };
    let is_point = |line: &str| line.split(' ').count() == 3 && line.split(' ').all(is_number);
    !text.is_empty() && text.lines().all(is_point)
}

/// Whether a text consists of rules for files: on each line a file, a colon, and its inputs. A file has a dot in its
/// name, which other targets of make and the keys of other text lack; JSON has braces or quotes there.
fn is_rules(text: &str) -> bool {
    let is_rule = |line: &str| {
        let target = line.split_once(": ").map(|(target, _)| target);
        let is_file = |target: &str| {
            target.contains('.') && !target.replace("\\ ", "").contains([' ', '{', '"'])
        };
        target.is_some_and(is_file)
    };
    !text.is_empty() && text.lines().all(is_rule)
}
