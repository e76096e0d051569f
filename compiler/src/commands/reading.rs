//! Options that say how a map is read, which a compile and `verify` share, and reading a map by them. They are
//! not recorded in compiled files: a table of textures is a file of the user's.

use std::fs;
use std::path::Path;

use onionc::error::CommandError;
use onionc::map::text::game::Game;
use onionc::map::{self, Map, ReadOptions};

use super::{bad_input, sources};

/// Options of reading a map.
#[derive(clap::Args, Clone, Debug)]
pub struct Reading {
    /// What a map's text (.map) is made for: quake, quake2, quake3, halflife, doom3, or a table of textures and
    /// entities of your own (FILE.toml). [default: what the text tells]
    #[arg(long, value_name = "GAME", value_parser = game, help_heading = "Reading the map")]
    game: Option<Game>,
}

impl Reading {
    /// Reads and parses a map.
    pub fn parse_map(&self, path: &Path) -> Result<Map, CommandError> {
        let bytes = sources::read(path)?;
        let options = ReadOptions {
            game: self.game.clone(),
        };
        map::parse(&bytes, &options).map_err(|error| bad_input(path, error.to_string()))
    }

    /// The options as a command has them, each after a blank.
    pub fn arguments(&self) -> String {
        let game = self.game.as_ref();
        game.map_or_else(String::new, |game| format!(" --game {}", game.name))
    }
}

/// A game by name, or a table of the user's own.
fn game(text: &str) -> Result<Game, String> {
    if let Some(game) = Game::named(text) {
        return Ok(game);
    }
    if !text.to_ascii_lowercase().ends_with(".toml") {
        let names = Game::all_names();
        return Err(format!(
            "write one of {names}, or the name of a table (FILE.toml)"
        ));
    }
    let table = fs::read_to_string(text).map_err(|error| format!("cannot read it: {error}"))?;
    Game::from_table(text, &table)
}
