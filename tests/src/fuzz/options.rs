//! Target: user input: hulls, recorded arguments and tables of games. A hull that parses is written back as an
//! argument that means the same hull.

use onion_compiler::hull::{HullOption, HullSpec, resolve};
use onion_compiler::options::arguments::{hull_argument, recorded};
use onion_maps::game::Game;

use super::target::{Target, count};
use super::texts;
use crate::random::Random;

/// The target.
pub static OPTIONS: Target = Target::new("options", run, seeds, mutate);

/// Fragments of input to insert.
const PARTS: [&str; 20] = [
    ":",
    "@",
    "x",
    "=",
    ",",
    "+",
    "-",
    "mins=",
    "maxs=",
    "contents=",
    "point",
    "playerclip",
    "0x8000",
    "4096",
    "1e30",
    "nan",
    "0.00048828125",
    "--seal=",
    "--fill-from=",
    "[textures]",
];

fn run(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let options: Vec<HullOption> = text.lines().filter_map(|line| line.parse().ok()).collect();
    if let Ok(hulls) = resolve(&options, None) {
        let again: Vec<HullSpec> = hulls
            .iter()
            .flat_map(|hull| parsed(&hull_argument(hull)))
            .collect();
        assert_eq!(again, hulls);
    }
    match recorded(Vec::new(), text.lines()) {
        Ok(read) => assert!(read.reading.scale > 0.0),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    let _ = Game::from_table("fuzz", &text);
    count(3);
}

/// Resolves the hulls of an argument.
fn parsed(argument: &str) -> Vec<HullSpec> {
    let text = argument.strip_prefix("--hull=").unwrap_or(argument);
    resolve(&[text.parse().unwrap()], None).unwrap()
}

fn seeds() -> Vec<Vec<u8>> {
    let texts = [
        "stand:16x56\ncrouch:16x32@24\np:point:contents=water+0x100\na:mins=-1,-2,-3:maxs=3,2.5,1",
        "--up=z\n--scale=0.5\n--patch-error=0.7\n--group=each\n--seal=0.25\n--fill-from=info_*\n--no-fast",
        "base = 'quake'\nfolder = 'textures'\n[[textures]]\nname = 'clip*'\ncontents = 'playerclip'\n",
    ];
    texts.map(|text| text.as_bytes().to_vec()).to_vec()
}

fn mutate(text: &mut Vec<u8>, random: &mut Random) {
    if random.below(3) == 0 {
        return texts::mutate(text, random);
    }
    let at = random.below(text.len() + 1);
    let part = PARTS[random.below(PARTS.len())].bytes();
    if random.below(2) == 0 {
        text.splice(at..at, part);
    } else {
        let end = (at + random.below(8)).min(text.len());
        text.splice(at..end, part);
    }
}
