//! Target: BSP files of all games. Files that are read are counted; others must be refused with a message. Changes
//! are made in the lumps that the directory names, and in the directory.

use onion_maps::ReadOptions;

use super::spans::{self, Span};
use super::target::{Target, count};
use crate::random::Random;
use crate::samples::{self, Brush, Map, Shader};

/// The target.
pub static BSP_FILES: Target =
    Target::new("bsp_files", run, seeds, |file, random| mutate(file, random));

/// Limit on the number of lumps in the directory of any format.
const MAX_LUMPS: usize = 64;

/// Reads a map and the inputs of its digest, and checks that the digests agree.
pub fn run(input: &[u8]) {
    let options = ReadOptions::default();
    let map = onion_maps::parse(input, &options);
    let inputs = onion_maps::inputs(input, &options);
    match (&map, &inputs) {
        (Ok(map), Ok(inputs)) => assert_eq!(map.digest, inputs.digest),
        (Err(error), _) => assert!(!error.to_string().is_empty()),
        (Ok(_), Err(error)) => panic!("{error}"),
    }
    count(1);
}

/// Returns small maps with a part of every kind.
pub fn small_maps() -> Vec<Map> {
    let mut full = Map::new("full", "All kinds");
    full.cuboid(Shader::Wall, [-64.0; 3], [64.0, 64.0, 0.0]);
    full.cuboid(Shader::Clip, [0.0; 3], [16.0; 3]);
    full.vault(0, 0.0, 32.0, 32.0, &[0.0, 64.0]);
    full.door(
        Some([0, 0, 32]),
        0,
        vec![Brush::cuboid([-8.0; 3], [8.0; 3])],
    );
    full.spawn([32, 32, 32], 0);
    let mut small = Map::new("small", "A box");
    small.cuboid(Shader::Wall, [-64.0; 3], [64.0; 3]);
    vec![full, small]
}

fn seeds() -> Vec<Vec<u8>> {
    small_maps().iter().map(samples::write).collect()
}

/// Returns the lumps of a file and its directory, which begins after the version, or after the magic alone.
fn lumps(file: &[u8]) -> Vec<Span> {
    let directory = if file.first().is_some_and(u8::is_ascii_alphabetic) {
        8
    } else {
        4
    };
    let entry = if file.starts_with(b"VBSP") { 16 } else { 8 };
    let int = |at: usize| {
        let bytes = file.get(at..at + 4)?;
        Some(u32::from_le_bytes(bytes.try_into().unwrap()) as usize)
    };
    let places = (0..MAX_LUMPS).map_while(|lump| {
        let at = directory + entry * lump;
        Some(int(at)?..int(at)?.checked_add(int(at + 4)?)?)
    });
    let in_file = places.filter(|bytes| bytes.end <= file.len());
    let lumps = in_file.map(|bytes| Span { bytes, record: 4 });
    let end = (directory + entry * MAX_LUMPS).min(file.len());
    let header = Span {
        bytes: 0..end,
        record: entry,
    };
    lumps.chain([header]).collect()
}

fn mutate(file: &mut [u8], random: &mut Random) {
    let spans = lumps(file);
    spans::mutate(file, &spans, random);
}
