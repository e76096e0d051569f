//! `onionc constants` writes the names and boxes of hulls as source code for a game, so that the game and its maps
//! agree: the boxes that `require_hull` checks come from the same file as the boxes of the maps. The bits of contents
//! follow, for games that read files without our libraries.

use std::path::PathBuf;

use onion_compiler::hull::HullSpec;
use onion_maps::contents::NAMES;
use onion_maps::wording::counted;
use onionc::error::{CommandError, usage};

use super::heading;
use crate::commands::input::hulls::Hulls;
use crate::commands::input::project;
use crate::commands::output::files;
use crate::commands::output::kinds::Kind;
use crate::commands::output::outputs::Output;

/// The beginnings of the files.
const RUST: &str = "// The hulls of the maps, as `onionc constants --rust` wrote them.\n\n\
                    use onion_runtime::Aabb;\n\n\
                    /// The name of a hull, and its box.\n\
                    pub type Hull = (&'static str, Aabb<f32>);\n";
const C: &str = "/* The hulls of the maps, as `onionc constants --c` wrote them: the names, and the lower and upper\n   \
                 corners of the boxes, in units. */\n#ifndef ONION_HULLS_H\n#define ONION_HULLS_H\n";
const JS: &str = "// The hulls of the maps, as `onionc constants --js` wrote them: names, and corners of boxes in units.\n";

/// What stands before and behind the name of contents, and behind its bits.
const RUST_BITS: [&str; 3] = ["pub const CONTENTS_", ": u32 = ", ";"];
const C_BITS: [&str; 3] = ["#define ONION_CONTENTS_", " ", "u"];
const JS_BITS: [&str; 3] = ["export const CONTENTS_", " = ", ";"];

#[derive(clap::Args)]
#[command(after_help = "Example: onionc constants --rust --preset quake3 -o hulls.rs")]
#[group(id = "language", required = true, multiple = false, args = ["rust", "c", "js"])]
pub struct Args {
    /// Write Rust.
    #[arg(long)]
    rust: bool,
    /// Write a header for C and C++.
    #[arg(long)]
    c: bool,
    /// Write a JavaScript module.
    #[arg(long)]
    js: bool,
    /// Where to write. [default: standard output]
    #[arg(
        short,
        long,
        value_name = "FILE",
        default_value = "-",
        hide_default_value = true
    )]
    output: PathBuf,
    #[command(flatten)]
    hulls: Hulls,
    /// The project file that holds the hulls. [default: the nearest onion.toml, here or above]
    #[arg(long, value_name = "FILE", help_heading = heading::PROJECT)]
    config: Option<PathBuf>,
    /// Read no project file.
    #[arg(long, conflicts_with = "config", help_heading = heading::PROJECT)]
    no_config: bool,
}

/// Writes the hulls as source code. Two hulls whose names become the same constant are an error.
pub fn run(args: &Args) -> Result<(), CommandError> {
    let hulls = args.hulls.resolve();
    let hulls = hulls.map_err(|error| project::blame(args.config.as_deref(), error))?;
    let names: Vec<String> = hulls.iter().map(|hull| constant(&hull.name)).collect();
    let repeated = (1..names.len()).find(|&at| names[..at].contains(&names[at]));
    if let Some(at) = repeated {
        let (hull, name) = (&hulls[at].name, &names[at]);
        let message = format!("another hull would be the constant {name} too; rename one");
        return Err(usage(format!("hull {hull}: {message}")));
    }
    let n_hulls = counted(hulls.len(), "hull", "hulls");
    let hulls = hulls.iter();
    let text = match (args.rust, args.c) {
        (true, _) => RUST.to_owned() + &hulls.map(rust).collect::<String>() + &contents(RUST_BITS),
        (_, true) => {
            C.to_owned() + &hulls.map(c).collect::<String>() + &contents(C_BITS) + "\n#endif\n"
        }
        _ => JS.to_owned() + &hulls.map(js).collect::<String>() + &contents(JS_BITS),
    };
    Output::new("-o", &args.output, Kind::Source).write(text.as_bytes())?;
    if files::is_stdio(&args.output) {
        Ok(())
    } else {
        files::print(|out| writeln!(out, "wrote {}: {n_hulls}", args.output.display()))
    }
}

/// Returns the name of a constant for a hull.
fn constant(name: &str) -> String {
    let letter = |letter: char| {
        if letter.is_ascii_alphanumeric() {
            letter.to_ascii_uppercase()
        } else {
            '_'
        }
    };
    let start = if name.starts_with(|letter: char| letter.is_ascii_digit()) {
        "_"
    } else {
        ""
    };
    start.chars().chain(name.chars().map(letter)).collect()
}

/// Returns a hull as a constant in Rust.
fn rust(hull: &HullSpec) -> String {
    let constant = constant(&hull.name);
    let (name, mins, maxs) = (&hull.name, hull.mins, hull.maxs);
    format!(
        "\n/// The hull `{name}`.\npub const {constant}: Hull = (\n    {name:?},\n    Aabb {{\n        mins: {mins:?},\n        \
         maxs: {maxs:?},\n    }},\n);\n"
    )
}

/// Returns a hull as a name and two arrays in C.
fn c(hull: &HullSpec) -> String {
    let constant = constant(&hull.name);
    let corner = |[x, y, z]: [f32; 3]| format!("{{{x:?}f, {y:?}f, {z:?}f}}");
    let (name, mins, maxs) = (&hull.name, corner(hull.mins), corner(hull.maxs));
    format!(
        "\n#define HULL_{constant} {name:?}\nstatic const float HULL_{constant}_MINS[3] = {mins};\n\
         static const float HULL_{constant}_MAXS[3] = {maxs};\n"
    )
}

/// Returns a hull as a constant in JavaScript.
fn js(hull: &HullSpec) -> String {
    let constant = constant(&hull.name);
    let (name, mins, maxs) = (&hull.name, hull.mins, hull.maxs);
    format!("export const {constant} = {{ name: {name:?}, mins: {mins:?}, maxs: {maxs:?} }};\n")
}

/// Returns a constant for each of the contents.
fn contents([before, between, after]: [&str; 3]) -> String {
    let line = |(name, bits): (&str, u32)| {
        format!(
            "{before}{}{between}{bits:#x}{after}\n",
            name.to_ascii_uppercase()
        )
    };
    "\n".to_owned() + &NAMES.map(line).concat()
}
