//! Reads a map with the options of its reading. A compile takes them from the command line, `verify` from the
//! compiled file, which records them: for a proof, a map must be read exactly as for the compile.

use std::path::Path;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use onion_compiler::options::arguments::scale_of;
use onion_maps::game::Game;
use onion_maps::{Map, ReadOptions, Up};
use onionc::error::{CommandError, bad_input};

use crate::commands::heading;
use crate::commands::input::sources;
use crate::commands::output::files;

/// Options of reading a map.
#[derive(clap::Args, Clone, Debug)]
pub struct Reading {
    /// The game that a text map (.map) is made for: quake, quake2, quake3, halflife, doom3, or a table of textures and
    /// entities of your own (FILE.toml). [default: recognized from the text]
    #[arg(long, value_name = "GAME", value_parser = game, help_heading = heading::READING)]
    game: Option<Game>,
    /// Which axis of a glTF scene points up.
    #[arg(long, value_name = "AXIS", default_value = "y", value_parser = up_axis(), help_heading = heading::READING)]
    up: Up,
    /// What lengths in a glTF scene are multiplied by, such as 32 for a scene in meters and a game that has 32 units
    /// to a meter.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = factor, allow_negative_numbers = true,
          help_heading = heading::READING)]
    scale: f64,
    /// Use all meshes of a glTF scene for collision, each of which must be convex. By default, only those are used
    /// whose nodes are named UCX_..., ...-convcol or ...-convcolonly.
    #[arg(long, help_heading = heading::READING)]
    all_meshes: bool,
}

impl Reading {
    /// Returns the options for the map at a path.
    pub fn options_for(&self, path: &Path) -> ReadOptions {
        beside(path, self.options())
    }

    /// Returns the options as the library has them.
    pub fn options(&self) -> ReadOptions {
        ReadOptions {
            game: self.game.clone(),
            folder: None,
            up: self.up,
            scale: self.scale,
            all_meshes: self.all_meshes,
        }
    }
}

/// Returns options for the map at a path: files that it refers to are beside it.
fn beside(path: &Path, options: ReadOptions) -> ReadOptions {
    let folder = path.parent().filter(|_| !files::is_stdio(path));
    ReadOptions {
        folder: folder.map(Path::to_owned),
        ..options
    }
}

/// Reads and parses a map.
pub fn parse_map(path: &Path, options: ReadOptions) -> Result<Map, CommandError> {
    let bytes = sources::read(path)?;
    let options = beside(path, options);
    let map = onion_maps::parse(&bytes, &options);
    let map = map.map_err(|error| bad_input(path, error.to_string()))?;
    files::note_inputs(&map.files);
    Ok(map)
}

/// Returns a game by name, or from the user's own table.
fn game(text: &str) -> Result<Game, String> {
    if let Some(game) = Game::named(text) {
        return Ok(game.clone());
    }
    if !text.to_ascii_lowercase().ends_with(".toml") {
        let names = Game::all_names();
        return Err(format!(
            "write one of {names}, or the name of a table (FILE.toml)"
        ));
    }
    // Arguments are parsed more than once.
    if files::is_pipe_at(Path::new(text)) {
        return Err("a table cannot come from a pipe; name a file".to_owned());
    }
    let table = files::read_text(Path::new(text)).map_err(|error| error.to_string())?;
    Game::from_table(text, &table)
}

fn up_axis() -> impl TypedValueParser<Value = Up> {
    PossibleValuesParser::new(["y", "z"]).map(|axis| if axis == "z" { Up::Z } else { Up::Y })
}

/// Reads a factor of lengths, which must be above 0.
fn factor(text: &str) -> Result<f64, String> {
    scale_of(text).ok_or_else(|| "expected a number above 0".to_owned())
}
