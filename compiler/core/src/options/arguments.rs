//! Converts the options of a compile, and the options that read its map, to text and back. Files record this text so
//! that `verify`, `info` and build tools need not receive the options again: the compiler's name and version, then
//! one command-line argument per line. Hulls are left out, because files have a chunk for them; [`hull_argument`]
//! writes one as an argument.

use onion_format::HullSet;
use onion_maps::game::Game;
use onion_maps::{ReadOptions, Up, contents};
use onion_runtime::OnionMap;

use crate::error::OptionsError;
use crate::fill::seeds::Fill;
use crate::group::grouping::Grouping;
use crate::hull::{HullSpec, SealWidth, stances};
use crate::options::{CompileOptions, DEFAULT_PATCH_ERROR};

/// Name and version of this compiler.
const COMPILER: &str = concat!("onionc ", env!("CARGO_PKG_VERSION"));

/// The options that a file records about its compile.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The options of the compile.
    pub options: CompileOptions,
    /// The options that read the map, except for the folder of its file.
    pub reading: ReadOptions,
}

/// Returns the compiler's name and version, and the arguments of a compile with these options except for the hulls.
/// Options at their defaults, and those that have no part in the bytes of a file, are left out.
pub fn to_text(options: &CompileOptions, reading: &ReadOptions) -> String {
    let mut lines = vec![COMPILER.to_owned()];
    add_reading(reading, &mut lines);
    add_compile(options, &mut lines);
    lines.join("\n")
}

/// Adds the arguments that read a map. A table of the user's own is included with its text, as a JSON string.
fn add_reading(reading: &ReadOptions, lines: &mut Vec<String>) {
    let default = ReadOptions::default();
    if let Some(game) = &reading.game {
        let table = game.table.as_ref();
        let table = table.map(|table| serde_json::Value::from(table.as_str()).to_string());
        lines.push(format!("--game={}", table.as_ref().unwrap_or(&game.name)));
    }
    if reading.up != default.up {
        lines.push("--up=z".to_owned());
    }
    if reading.scale != default.scale {
        lines.push(format!("--scale={}", reading.scale));
    }
    if reading.all_meshes {
        lines.push("--all-meshes".to_owned());
    }
}

/// Adds the arguments that compile a map.
fn add_compile(options: &CompileOptions, lines: &mut Vec<String>) {
    lines.extend(
        options
            .agents
            .iter()
            .map(|agent| format!("--agent={agent}")),
    );
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
            lines.extend(classes.iter().map(|class| format!("--fill-from={class}")));
        }
    }
    if options.seal != SealWidth::default() {
        lines.push(format!("--seal={}", options.seal));
    }
    let flags = [
        (!options.fast, "--no-fast"),
        (!options.entities, "--no-entities"),
        (!options.surfaces, "--no-surfaces"),
        (options.brushes, "--brushes"),
        (options.floors, "--floors"),
    ];
    let given = flags.into_iter().filter(|(given, _)| *given);
    lines.extend(given.map(|(_, flag)| flag.to_owned()));
}

/// Reads the arguments that [`to_text`] wrote for a file with these hulls.
///
/// # Errors
/// An argument that it does not write.
pub fn recorded<'a>(
    hulls: Vec<HullSpec>,
    arguments: impl Iterator<Item = &'a str>,
) -> Result<Recorded, OptionsError> {
    let mut recorded = Recorded {
        options: CompileOptions::new(hulls),
        reading: ReadOptions::default(),
    };
    let mut classes = Vec::new();
    for argument in arguments {
        let (name, value) = argument.split_once('=').unwrap_or((argument, ""));
        if name == "--fill-from" {
            classes.push(value.to_owned());
        } else if set_reading(&mut recorded.reading, name, value).is_none()
            && set_compile(&mut recorded.options, name, value).is_none()
        {
            return Err(OptionsError(argument.to_owned()));
        }
    }
    if !classes.is_empty() {
        recorded.options.fill = Fill::From(classes);
    }
    Ok(recorded)
}

/// Returns, for each hull of a file, the stances of its agent.
///
/// # Errors
/// The file records options that are not a compiler's.
pub fn recorded_stances<D: AsRef<[u8]>>(file: &OnionMap<D>) -> Result<Vec<HullSet>, OptionsError> {
    let hulls = file.hulls().map(HullSpec::from).collect();
    let Recorded { options, .. } = recorded(hulls, file.inspect().options())?;
    Ok(stances(&options.hulls, &options.agents))
}

/// Sets one option of reading, or returns `None` if the option is unknown or its value is wrong.
fn set_reading(reading: &mut ReadOptions, name: &str, value: &str) -> Option<()> {
    match (name, value) {
        ("--game", game) => reading.game = Some(game_of(game)?),
        ("--up", "z") => reading.up = Up::Z,
        ("--scale", factor) => reading.scale = scale_of(factor)?,
        ("--all-meshes", "") => reading.all_meshes = true,
        _ => return None,
    }
    Some(())
}

/// Sets one option of compiling, or returns `None` if the option is unknown or its value is wrong.
// Many branches: a table with a row for each option, and some values may be wrong.
fn set_compile(options: &mut CompileOptions, name: &str, value: &str) -> Option<()> {
    match (name, value) {
        ("--agent", class) => options.agents.push(class.parse().ok()?),
        ("--patch-error", units) => options.patch_error = units.parse().ok()?,
        ("--group", groups) => options.grouping = groups.parse().ok()?,
        ("--no-fill", "") => options.fill = Fill::Off,
        ("--seal", width) => options.seal = width.parse().ok()?,
        ("--no-fast", "") => options.fast = false,
        ("--no-entities", "") => options.entities = false,
        ("--no-surfaces", "") => options.surfaces = false,
        ("--brushes", "") => options.brushes = true,
        ("--floors", "") => options.floors = true,
        _ => return None,
    }
    Some(())
}

/// Returns a game by name, or by the text of its table as a JSON string.
fn game_of(text: &str) -> Option<Game> {
    match serde_json::from_str::<String>(text) {
        Ok(table) => Game::from_table("a table of the user's own", &table).ok(),
        Err(_) => Game::named(text).cloned(),
    }
}

/// Reads the factor of `--scale`, or returns `None` if it is not above 0 and finite.
pub fn scale_of(text: &str) -> Option<f64> {
    let factor: f64 = text.parse().ok()?;
    (factor > 0.0 && factor.is_finite()).then_some(factor)
}

/// Returns the argument that makes a hull, with its corners and the sides of a prism.
pub fn hull_argument(hull: &HullSpec) -> String {
    let corner = |[x, y, z]: [f32; 3]| format!("{x},{y},{z}");
    let sides = hull.sides.iter().map(|[x, y]| format!(":side={x},{y}"));
    format!(
        "--hull={}:mins={}:maxs={}{}:contents={}",
        hull.name,
        corner(hull.mins),
        corner(hull.maxs),
        sides.collect::<String>(),
        contents::to_names(hull.contents)
    )
}
