//! Target: map texts as editors write them, read with the tables of all games. Changes move, repeat and replace lines
//! and words.

use onion_maps::ReadOptions;
use onion_maps::game::Game;

use super::readers;
use super::readers::small_maps;
use super::target::{Target, count};
use crate::random::Random;
use crate::samples;

/// The target.
pub static TEXTS: Target = Target::new("texts", run, seeds, mutate);

/// Words with a meaning in some dialect, and edge values of numbers.
const WORDS: [&str; 34] = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "\"",
    "//",
    "/*",
    "\n",
    "patchDef2",
    "patchDef3",
    "brushDef",
    "brushDef3",
    "terrainDef",
    "mapversion",
    "220",
    "Version 2",
    "\"classname\" \"worldspawn\"",
    "\"classname\" \"func_group\"",
    "\"origin\" \"0 0 0\"",
    "\"model\" \"*1\"",
    "0",
    "-0",
    "1e400",
    "1e-320",
    "nan",
    "65536",
    "131072",
    "-131072.5",
    "262145",
    "3",
    "31",
    "0.0000001",
];

fn run(input: &[u8]) {
    readers::run(input);
    for name in ["quake", "quake2", "halflife", "doom3"] {
        let options = ReadOptions {
            game: Game::named(name).cloned(),
            ..ReadOptions::default()
        };
        let _ = onion_maps::parse(input, &options);
    }
    count(4);
}

fn seeds() -> Vec<Vec<u8>> {
    let maps = small_maps();
    let maps = maps.iter().map(|map| samples::text(map).into_bytes());
    let brush = b"{\n\"classname\" \"worldspawn\"\n{\n( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) A [ 0 1 0 0 ] [ 0 0 -1 0 ] 0 1 1\n\
        ( 8 8 8 ) ( 8 8 9 ) ( 8 9 8 ) A 0 0 0 1 1 1 2 3\n}\n{\nbrushDef3\n{\n( 0 0 -1 8 ) ( ( 1 0 0 ) ( 0 1 0 ) ) \"a\" 0 0 0\n}\n}\n}\n";
    maps.chain([brush.to_vec()]).collect()
}

/// Changes lines and words of a text.
pub fn mutate(text: &mut Vec<u8>, random: &mut Random) {
    let separator = if random.below(2) == 0 { b'\n' } else { b' ' };
    let mut parts: Vec<Vec<u8>> = text
        .split(|&byte| byte == separator)
        .map(<[u8]>::to_vec)
        .collect();
    for _ in 0..1 + random.below(3) {
        let [at, other] = [0, 1].map(|_| random.below(parts.len()));
        match random.below(5) {
            0 => parts.swap(at, other),
            1 => parts.insert(at, parts[other].clone()),
            2 if parts.len() > 1 => {
                parts.remove(at);
            }
            3 => parts.insert(at, WORDS[random.below(WORDS.len())].into()),
            _ => parts[at] = WORDS[random.below(WORDS.len())].into(),
        }
    }
    *text = parts.join(&separator);
}
