//! Target: user input: hulls, classes of agents, recorded arguments and tables of games. A hull or a class that parses
//! is written back as an argument that means the same.

use onion_compiler::hull::{AgentSpec, HullOption, HullSpec, resolve};
use onion_compiler::options::arguments::{hull_argument, recorded};
use onion_maps::game::Game;

use super::target::{Target, count};
use super::texts;
use crate::random::Random;

/// The target.
pub static OPTIONS: Target = Target::new("options", run, seeds, mutate);

/// Fragments of input to insert.
const PARTS: [&str; 24] = [
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
    "--agent=",
    ":jump=",
    ":slope=",
    "65536",
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
    let classes = text.lines().filter_map(|line| line.parse().ok());
    for class in classes.collect::<Vec<AgentSpec>>() {
        assert_eq!(class.to_string().parse::<AgentSpec>().unwrap(), class);
    }
    match recorded(Vec::new(), text.lines()) {
        Ok(read) => assert!(read.reading.scale > 0.0),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    let _ = Game::from_table("fuzz", &text);
    count(4);
}

/// Resolves the hulls of an argument.
fn parsed(argument: &str) -> Vec<HullSpec> {
    let text = argument.strip_prefix("--hull=").unwrap_or(argument);
    resolve(&[text.parse().unwrap()], None).unwrap()
}

fn seeds() -> Vec<Vec<u8>> {
    let texts = [
        "human:stand,crouch:jump=56:slope=0.5\nogre:big:speed=200.5:step=0:drop=0:gravity=1e3",
        "--agent=human:stand,crouch:jump=56\n--agent=ogre:big\n--floors",
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
