//! Target: binary glTF scenes. After a change, the lengths of the two chunks are corrected, so that the reader
//! reaches the JSON and the data it refers to.

use super::readers;
use super::target::Target;
use super::texts;
use crate::random::Random;
use crate::samples::{self, Up};

/// The target.
pub static SCENES: Target = Target {
    mend,
    ..Target::new("scenes", readers::run, seeds, mutate)
};

/// Bytes of the file's header and of a chunk's header.
const HEADER: usize = 12;
const CHUNK_HEADER: usize = 8;

fn seeds() -> Vec<Vec<u8>> {
    let maps = readers::small_maps();
    let scene = |up| samples::scene(&maps[1], up, 1.0).glb();
    vec![scene(Up::Y), scene(Up::Z)]
}

/// Returns the offset of the end of the JSON: before the header of the binary chunk, or at the end of the file.
fn json_end(file: &[u8]) -> usize {
    let binary = file.windows(4).rposition(|window| window == b"BIN\0");
    let begin = binary.and_then(|at| at.checked_sub(4));
    begin.unwrap_or(file.len()).max(HEADER + CHUNK_HEADER)
}

fn mutate(file: &mut Vec<u8>, random: &mut Random) {
    if file.len() > HEADER + CHUNK_HEADER {
        let json = HEADER + CHUNK_HEADER..json_end(file);
        match random.below(3) {
            0 => change_number(&mut file[json], random),
            1 => {
                let mut text = file[json.clone()].to_vec();
                texts::mutate(&mut text, random);
                file.splice(json, text);
            }
            _ => {
                let at = random.below(file.len());
                file[at] = random.bits() as u8;
            }
        }
    }
    mend(file);
}

/// Changes a digit, or a letter of a name.
fn change_number(json: &mut [u8], random: &mut Random) {
    let digits: Vec<usize> = (0..json.len())
        .filter(|&at| json[at].is_ascii_digit())
        .collect();
    if !digits.is_empty() {
        json[digits[random.below(digits.len())]] = b"0123456789-e."[random.below(13)];
    }
}

/// Corrects the lengths.
fn mend(file: &mut [u8]) {
    let end = json_end(file);
    if file.len() < end || file.len() < HEADER + CHUNK_HEADER {
        return;
    }
    let mut set =
        |at: usize, length: usize| file[at..at + 4].copy_from_slice(&(length as u32).to_le_bytes());
    set(HEADER, end - HEADER - CHUNK_HEADER);
    let length = file.len();
    file[8..12].copy_from_slice(&(length as u32).to_le_bytes());
    if length >= end + CHUNK_HEADER {
        let binary = length - end - CHUNK_HEADER;
        file[end..end + 4].copy_from_slice(&(binary as u32).to_le_bytes());
    }
}
