//! The options of a compile as text, which files record so that `verify`, `info` and build tools need
//! not be told them again: the compiler's name and version, then one command-line argument a line.
//! Hulls are left out, because files have a chunk of them; [`hull_argument`] writes one.

use crate::contents;
use crate::error::OptionsError;
use crate::grouping::Grouping;
use crate::hull::HullSpec;
use crate::options::{CompileOptions, DEFAULT_PATCH_ERROR};
use crate::seeds::Fill;

/// Name and version of this compiler.
const COMPILER: &str = concat!("onionc ", env!("CARGO_PKG_VERSION"));

/// The compiler, and the arguments of a compile with these options but for the hulls. Options at their
/// defaults, and those that have no part in the bytes of a file, are left out.
pub fn to_text(options: &CompileOptions) -> String {
    let mut lines = vec![COMPILER.to_owned()];
    if options.patch_error != DEFAULT_PATCH_ERROR {
        lines.push(format!("--patch-error={}", options.patch_error));
    }
    if options.grouping != Grouping::default() {
        lines.push(format!("--group={}", options.grouping));
    }
    match &options.fill {
        Fill::Off => lines.push("--no-fill".to_owned()),
        fill if *fill == Fill::default() => {}
        Fill::From(classes) => {
            let classes = classes.iter().map(|class| format!("--fill-from={class}"));
            lines.extend(classes);
        }
    }
    if !options.fast {
        lines.push("--no-fast".to_owned());
    }
    if !options.entities {
        lines.push("--no-entities".to_owned());
    }
    if !options.surfaces {
        lines.push("--no-surfaces".to_owned());
    }
    if options.brushes {
        lines.push("--brushes".to_owned());
    }
    lines.join("\n")
}

/// The options of a file with these hulls, from the arguments that [`to_text`] wrote.
///
/// # Errors
/// An argument that it does not write.
pub fn options<'a>(
    hulls: Vec<HullSpec>,
    arguments: impl Iterator<Item = &'a str>,
) -> Result<CompileOptions, OptionsError> {
    let mut classes = Vec::new();
    let mut options = CompileOptions::new(hulls);
    for argument in arguments {
        let fail = || OptionsError(argument.to_owned());
        match argument.split_once('=').unwrap_or((argument, "")) {
            ("--patch-error", units) => options.patch_error = units.parse().map_err(|_| fail())?,
            ("--group", groups) => options.grouping = groups.parse().map_err(|_| fail())?,
            ("--no-fill", "") => options.fill = Fill::Off,
            ("--fill-from", class) => classes.push(class.to_owned()),
            ("--no-fast", "") => options.fast = false,
            ("--no-entities", "") => options.entities = false,
            ("--no-surfaces", "") => options.surfaces = false,
            ("--brushes", "") => options.brushes = true,
            _ => return Err(fail()),
        }
    }
    if !classes.is_empty() {
        options.fill = Fill::From(classes);
    }
    Ok(options)
}

/// The argument that makes a hull, with its corners.
pub fn hull_argument(hull: &HullSpec) -> String {
    let corner = |[x, y, z]: [f32; 3]| format!("{x},{y},{z}");
    format!(
        "--hull={}:mins={}:maxs={}:contents={}",
        hull.name,
        corner(hull.mins),
        corner(hull.maxs),
        contents::to_names(hull.contents)
    )
}
