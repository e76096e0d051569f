//! Target: compiled files. A file that loads gets every query, and must answer without a panic and in time, whatever
//! its trees say. The checksum is corrected after each change, so that the rules behind it are reached.

use onion_compiler::CompileOptions;
use onion_compiler::compile;
use onion_compiler::fill::seeds::Fill;
use onion_format::{CHUNK_HEADER_SIZE, HEADER_SIZE, N_CHUNKS_OFFSET};
use onion_runtime::OnionMap;

use super::ask;
use super::spans::{self, Span};
use super::target::{Target, count, random_of};
use crate::planted::resize;
use crate::random::Random;
use crate::samples::{self, Map, Shader};
use crate::strange::golden;
use crate::subject;

/// The target.
pub static ONION_FILES: Target = Target {
    mend,
    ..Target::new("onion_files", run, seeds, mutate)
};

/// Number of segments to query a map with.
const SEGMENTS: usize = 3;

fn run(input: &[u8]) {
    let n_answers = match OnionMap::from_bytes(input) {
        Ok(map) => ask::everything(&map, SEGMENTS, &mut random_of(input)),
        Err(error) => {
            assert!(!error.to_string().is_empty());
            0
        }
    };
    count(1 + n_answers);
}

/// Returns small files, with all chunks and with few.
fn seeds() -> Vec<Vec<u8>> {
    let golden = ["low_tunnel", "low_tunnel-bare-groups"].map(golden);
    let small = small().into_iter();
    small.chain(linked()).chain(golden).collect()
}

/// Returns files of a map in which agents walk, crouch, drop, jump, swim, climb, ride and are carried from floor to
/// floor.
fn linked() -> [Vec<u8>; 2] {
    let mut map = Map::new("linked", "A step, a ledge, a gap and a beam");
    map.cuboid(Shader::Wall, [-96.0, -64.0, -16.0], [96.0, 64.0, 0.0]);
    map.cuboid(Shader::Wall, [-96.0, -64.0, 0.0], [-64.0, 64.0, 16.0]);
    map.cuboid(Shader::Wall, [-96.0, 16.0, 0.0], [-32.0, 64.0, 40.0]);
    map.cuboid(Shader::Wall, [144.0, -64.0, -16.0], [176.0, 64.0, 0.0]);
    map.cuboid(Shader::Wall, [24.0, -64.0, 40.0], [32.0, 64.0, 48.0]);
    let pad = samples::Brush::cuboid([-56.0, -56.0, 0.0], [-40.0, -40.0, 8.0]);
    map.trigger("trigger_push", pad, "target_position", [-48, 24, 96]);
    let frame = samples::Brush::cuboid([160.0, 48.0, 0.0], [168.0, 56.0, 64.0]);
    map.trigger(
        "trigger_teleport",
        frame,
        "misc_teleporter_dest",
        [0, 0, 24],
    );
    map.cuboid(Shader::Wall, [64.0, -64.0, 0.0], [96.0, -32.0, 72.0]);
    map.cuboid(Shader::Water, [40.0, -64.0, 0.0], [96.0, 0.0, 80.0]);
    map.cuboid(Shader::Wall, [-96.0, 40.0, 40.0], [-64.0, 64.0, 112.0]);
    let ladder = samples::Brush::cuboid([-64.0, 44.0, 40.0], [-60.0, 60.0, 112.0]);
    map.trigger("func_ladder", ladder, "info_notnull", [0, 0, 24]);
    let plate = samples::Brush::cuboid([-32.0, 20.0, 36.0], [0.0, 60.0, 40.0]);
    map.lift(36, plate);
    let map = subject::parse(&samples::write(&map));
    let options = |agents: &[&str]| CompileOptions {
        fill: Fill::Off,
        floors: true,
        fast: false,
        surfaces: false,
        entities: false,
        agents: agents.iter().map(|agent| agent.parse().unwrap()).collect(),
        ..CompileOptions::new(subject::hulls(&["a:16x56", "b:16x32"]))
    };
    let classes = [
        options(&[]),
        options(&["one:a:jump=16", "two:b:speed=200:drop=20"]),
    ];
    classes.map(|options| compile(&map, &options).unwrap().bytes)
}

/// Returns files of a box and a door.
fn small() -> [Vec<u8>; 3] {
    let mut map = Map::new("seed", "A box and a door");
    map.cuboid(Shader::Wall, [-64.0; 3], [64.0, 64.0, 0.0]);
    map.door(
        Some([0, 0, 32]),
        0,
        vec![samples::Brush::cuboid([-8.0; 3], [8.0; 3])],
    );
    let map = subject::parse(&samples::write(&map));
    let options = |hulls: &[&str], all: bool| CompileOptions {
        fill: Fill::Off,
        brushes: all,
        floors: all,
        fast: all,
        surfaces: all,
        entities: all,
        grouping: if all { "one" } else { "each" }.parse().unwrap(),
        ..CompileOptions::new(subject::hulls(hulls))
    };
    let small = [
        options(&["a:16x56"], true),
        options(&["a:16x56", "p:point"], true),
        options(&["a:16x56", "b:8x16"], false),
    ];
    small.map(|options| compile(&map, &options).unwrap().bytes)
}

/// Returns the chunks of a file as far as they can be parsed, each with the offset of its header.
fn chunks(file: &[u8]) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut at = HEADER_SIZE;
    while let Some(header) = file.get(at..at + CHUNK_HEADER_SIZE) {
        let record = u32::from_le_bytes(header[4..8].try_into().unwrap()) as usize;
        let size = u64::from_le_bytes(header[8..16].try_into().unwrap());
        let begin = at + CHUNK_HEADER_SIZE;
        let end = (begin as u64).saturating_add(size).min(file.len() as u64) as usize;
        spans.push(Span {
            bytes: begin..end,
            record,
        });
        at = end;
    }
    spans
}

fn mutate(file: &mut Vec<u8>, random: &mut Random) {
    let spans = chunks(file);
    match random.below(8) {
        0 if !spans.is_empty() => {
            let span = &spans[random.below(spans.len())];
            change_size(file, span, random);
        }
        1 if spans.len() > 1 => drop_chunk(file, &spans[random.below(spans.len())]),
        _ => spans::mutate(file, &spans, random),
    }
    mend(file);
}

/// Appends copies of a chunk's last records to it, or removes some of its records.
fn change_size(file: &mut Vec<u8>, span: &Span, random: &mut Random) {
    let n_records = span.bytes.len() / span.record.max(1);
    let n_bytes = (1 + random.below(3)).min(n_records) * span.record;
    let last = span.bytes.end - n_bytes..span.bytes.end;
    let size = if random.below(2) == 0 {
        file.drain(last);
        span.bytes.len() - n_bytes
    } else {
        file.splice(last.end..last.end, file[last].to_vec());
        span.bytes.len() + n_bytes
    };
    let size_at = span.bytes.start - 8;
    file[size_at..size_at + 8].copy_from_slice(&(size as u64).to_le_bytes());
}

/// Removes a chunk, and updates the header.
fn drop_chunk(file: &mut Vec<u8>, span: &Span) {
    file.drain(span.bytes.start - CHUNK_HEADER_SIZE..span.bytes.end);
    let at = N_CHUNKS_OFFSET;
    let n_chunks = u64::from_le_bytes(file[at..at + 8].try_into().unwrap());
    file[at..at + 8].copy_from_slice(&n_chunks.wrapping_sub(1).to_le_bytes());
}

/// Corrects the length and the checksum.
fn mend(file: &mut [u8]) {
    if file.len() >= HEADER_SIZE {
        resize(file);
    }
}
