//! Reads the text that map editors write (`.map`): TrenchBroom, Radiant and its kin, J.A.C.K. and others, for the
//! games of the Quake and Half-Life families and Doom 3. `syntax` reads entities, brushes and patches, `detect`
//! determines the game, and `build` makes a map from them.

mod brush;
mod build;
mod decimal;
mod detect;
mod layers;
mod lexer;
mod normals;
mod plane;
mod syntax;

use std::cell::LazyCell;

use super::parts::{Map, Warning};
use super::reading::{ReadOptions, without_byte_order_mark};
use crate::error::MapError;
use lexer::Problem;

pub const NAME: &str = "the text of map editors (.map)";

/// Maximum number of characters of a line that an error shows.
const MAX_SHOWN: usize = 100;

pub fn read(bytes: &[u8], options: &ReadOptions) -> Option<Result<Map, MapError>> {
    let text = without_byte_order_mark(bytes);
    let starts: [&[u8]; 3] = [b"{", b"//", b"Version "];
    let start = text.trim_ascii_start();
    let is_map = starts.iter().any(|known| start.starts_with(known));
    is_map.then(|| parse(text, options).map_err(|problem| shown(text, problem)))
}

fn parse(text: &[u8], options: &ReadOptions) -> Result<Map, Problem> {
    let parsed = syntax::read(text)?;
    if parsed.entities.is_empty() {
        let what = "there is no entity in it, so it is no map";
        return Err(Problem::new(text.len(), what));
    }
    let lines = LazyCell::new(|| Lines::of(text));
    let game = options.game.as_ref();
    let game = game.unwrap_or_else(|| detect::game(text, &parsed));
    let mut map = build::build(parsed, game, &|at| lines.number(at));
    map.format = format!("map text, {}", game.name);
    if std::str::from_utf8(text).is_err() {
        let message = "the text is not UTF-8; read as Latin-1";
        map.warnings.push(Warning::new("entities", message));
    }
    Ok(map)
}

/// The positions at which the lines of a text begin.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &[u8]) -> Self {
        let ends = (0..text.len()).filter(|&at| is_line_end(text, at));
        Self(std::iter::once(0).chain(ends.map(|at| at + 1)).collect())
    }

    /// Returns the number, from 1, of the line that contains a byte.
    fn number(&self, at: usize) -> usize {
        self.0.partition_point(|&start| start <= at)
    }
}

/// Whether a line ends at a byte: at a line feed, or at a carriage return that no line feed follows.
fn is_line_end(text: &[u8], at: usize) -> bool {
    match text[at] {
        b'\n' => true,
        b'\r' => text.get(at + 1) != Some(&b'\n'),
        _ => false,
    }
}

/// Returns an error with the line in which a problem appears.
fn shown(text: &[u8], Problem { at, what }: Problem) -> MapError {
    let lines = Lines::of(text);
    let number = lines.number(at);
    let start = lines.0[number - 1];
    let end = (at..text.len()).find(|&at| is_line_end(text, at));
    let line = text[start..end.unwrap_or(text.len())].trim_ascii_end();
    let column = String::from_utf8_lossy(&text[start..at]).chars().count();
    // A long line is shown from a little before the problem.
    let skipped = column.saturating_sub(MAX_SHOWN / 2);
    let visible = |c: char| if c.is_control() { ' ' } else { c };
    let line = String::from_utf8_lossy(line);
    let line = line.chars().skip(skipped).take(MAX_SHOWN);
    MapError::Text(format!(
        "line {number}, column {}: {what}\n  | {}\n  | {}^",
        column + 1,
        line.map(visible).collect::<String>(),
        " ".repeat(column - skipped)
    ))
}
