//! `onionc constants` writes the names and boxes of hulls as source code for a game, so that the game and its maps
//! agree: the boxes that `require_hull` checks come from the same file as the boxes of the maps.

use std::fmt::Write;
use std::path::PathBuf;

use onion_compiler::hull::HullSpec;
use onionc::error::CommandError;

use super::hulls::Hulls;
use super::kinds::Kind;
use super::outputs::Output;
use super::project;

/// Options of the command.
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
    #[arg(long, value_name = "FILE", help_heading = "Project")]
    config: Option<PathBuf>,
    /// Read no project file.
    #[arg(long, conflicts_with = "config", help_heading = "Project")]
    no_config: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), CommandError> {
    let hulls = args.hulls.resolve();
    let hulls = hulls.map_err(|error| project::blame(args.config.as_deref(), error))?;
    let names: Vec<String> = hulls.iter().map(|hull| constant(&hull.name)).collect();
    let repeated = (1..names.len()).find(|&at| names[..at].contains(&names[at]));
    if let Some(at) = repeated {
        return Err(CommandError::Usage(format!(
            "hull {}: another hull would be the constant {} too; rename one",
            hulls[at].name, names[at]
        )));
    }
    let hulls: Vec<(&str, &HullSpec)> = names.iter().map(String::as_str).zip(&hulls).collect();
    let text = match (args.rust, args.c) {
        (true, _) => rust(&hulls),
        (_, true) => c(&hulls),
        _ => js(&hulls),
    };
    let output = Output {
        option: "-o",
        path: &args.output,
        kind: Kind::Source,
    };
    output.write(text.as_bytes())
}

/// Returns the name of a constant for a hull.
fn constant(name: &str) -> String {
    let letter = |letter: char| match letter.is_ascii_alphanumeric() {
        true => letter.to_ascii_uppercase(),
        false => '_',
    };
    let name: String = name.chars().map(letter).collect();
    match name.starts_with(|letter: char| letter.is_ascii_digit()) {
        true => format!("_{name}"),
        false => name,
    }
}

fn rust(hulls: &[(&str, &HullSpec)]) -> String {
    let mut text = "// The hulls of the maps, as `onionc constants --rust` wrote them.\n\n\
                    /// The name of a hull, and the lower and upper corner of its box, in units.\n\
                    pub type Hull = (&'static str, [f32; 3], [f32; 3]);\n"
        .to_owned();
    for (constant, hull) in hulls {
        let HullSpec {
            name, mins, maxs, ..
        } = hull;
        let _ = write!(
            text,
            "\n/// The hull `{name}`.\npub const {constant}: Hull = ({name:?}, {mins:?}, {maxs:?});\n"
        );
    }
    text
}

fn c(hulls: &[(&str, &HullSpec)]) -> String {
    let mut text = "/* The hulls of the maps, as `onionc constants --c` wrote them: the names, and the lower and upper\n   \
                    corners of the boxes, in units. */\n#ifndef ONION_HULLS_H\n#define ONION_HULLS_H\n"
        .to_owned();
    let corner = |[x, y, z]: [f32; 3]| format!("{{{x:?}f, {y:?}f, {z:?}f}}");
    for (constant, hull) in hulls {
        let (mins, maxs) = (corner(hull.mins), corner(hull.maxs));
        let _ = write!(
            text,
            "\n#define HULL_{constant} {:?}\nstatic const float HULL_{constant}_MINS[3] = {mins};\n\
             static const float HULL_{constant}_MAXS[3] = {maxs};\n",
            hull.name
        );
    }
    text + "\n#endif\n"
}

fn js(hulls: &[(&str, &HullSpec)]) -> String {
    let mut text = "// The hulls of the maps, as `onionc constants --js` wrote them: names, and corners of boxes in units.\n"
        .to_owned();
    for (constant, hull) in hulls {
        let HullSpec {
            name, mins, maxs, ..
        } = hull;
        let _ = writeln!(
            text,
            "export const {constant} = {{ name: {name:?}, mins: {mins:?}, maxs: {maxs:?} }};"
        );
    }
    text
}
