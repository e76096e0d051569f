//! Batches of queries as CSV: a header line that names the columns, in any order, then one query per line. Empty
//! lines are skipped.

use std::borrow::Cow;
use std::path::Path;

use onionc::error::{CommandError, bad_input};

use crate::commands::output::files;

/// Parses `X,Y,Z` from the command line, or `X Y Z` as map editors copy it, in parentheses or not.
pub fn parse_point(text: &str) -> Result<[f64; 3], String> {
    let inner = text.trim();
    let bare = inner
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'));
    let inner = bare.unwrap_or(inner);
    let point = if inner.contains(',') {
        numbers::<3>(inner)
    } else {
        numbers(&inner.split_whitespace().collect::<Vec<_>>().join(","))
    };
    let point = point.filter(|point| point.iter().all(|number| number.is_finite()));
    point.ok_or_else(|| format!("expected three numbers, such as 0,-16,24.5, not {text:?}"))
}

/// Reads the rows of a CSV file, with their numbers in the order of `columns`.
pub fn rows<const N: usize>(
    path: &Path,
    columns: [&str; N],
) -> Result<Vec<[f64; N]>, CommandError> {
    let decoded = String::from_utf8(files::read(path)?);
    let decoded = decoded.map_err(|_| bad_input(path, "not UTF-8 text; give a CSV file"))?;
    let text = decoded.strip_prefix('\u{feff}').unwrap_or(&decoded);
    let mut lines = (1..).zip(text.lines());
    let (_, header) = lines.next().unwrap_or((1, ""));
    let found = order(header, columns);
    let order = found.ok_or_else(|| bad_input(path, bad_header(header, &columns)))?;
    let rows = lines.filter(|(_, line)| !line.trim().is_empty());
    rows.map(|(number, line)| {
        let row = numbers::<N>(line).ok_or_else(|| {
            let fault = format!("expected {N} numbers separated by commas, found {line:?}");
            bad_input(path, format!("line {number}: {fault}"))
        });
        row.map(|row| order.map(|place| row[place]))
    })
    .collect()
}

/// Formats a text as a field: quoted if it contains a comma or quotes.
pub fn field(text: &str) -> Cow<'_, str> {
    if text.contains([',', '"']) {
        format!("\"{}\"", text.replace('"', "\"\"")).into()
    } else {
        text.into()
    }
}

/// Returns, for each column, its index in the header, or `None` if the header has other names.
fn order<const N: usize>(header: &str, columns: [&str; N]) -> Option<[usize; N]> {
    let names: Vec<&str> = header.split(',').map(str::trim).collect();
    let places = columns.map(|column| names.iter().position(|&name| name == column));
    let places: Vec<usize> = places.into_iter().collect::<Option<_>>()?;
    places.try_into().ok().filter(|_| names.len() == N)
}

/// Returns what is wrong with the first line of a file: an unknown column, or missing ones.
fn bad_header(header: &str, columns: &[&str]) -> String {
    let is_word = |name: &&str| !name.is_empty() && name.parse::<f64>().is_err();
    let mut words = header.split(',').map(str::trim).filter(is_word);
    let unknown = words.find(|name| !columns.contains(name));
    let columns = columns.join(",");
    match unknown {
        Some(name) => format!(
            "line 1 names the unknown column {name:?}; the columns are {columns}, in any order"
        ),
        None => format!("line 1 must name the columns {columns} (in any order), but is {header:?}"),
    }
}

/// Parses numbers separated by commas. A batch may hold infinity and NaN in any spelling, because the runtime defines
/// an answer for them.
fn numbers<const N: usize>(line: &str) -> Option<[f64; N]> {
    let numbers = line.split(',').map(|number| number.trim().parse().ok());
    numbers.collect::<Option<Vec<f64>>>()?.try_into().ok()
}
