//! Changes of files that consist of tables of four-byte words: a word becomes another one of its column, its old
//! value plus or minus a little, or a number that often causes errors; records are copied over others.

use std::ops::Range;

use crate::random::Random;

/// A table in a file.
#[derive(Clone, Debug)]
pub struct Span {
    /// Its bytes.
    pub bytes: Range<usize>,
    /// Size of a record, in bytes.
    pub record: usize,
}

/// Edge values of types and formats: whole numbers, and floats as bits.
const EDGES: [u32; 20] = [
    0,
    1,
    2,
    0x7f,
    0xff,
    0xffff,
    0x3fff_ffff,
    0x4000_0000,
    0x7fff_ffff,
    0x8000_0000,
    0x8000_0001,
    0xffff_ffff,
    0x3f80_0000, // 1.0
    0x0000_0001, // the least above 0
    0x7f80_0000, // infinity
    0xff80_0000, // minus infinity
    0x7fc0_0000, // not a number
    0x4780_0000, // 65,536.0
    0x4800_0000, // 131,072.0
    0x7149_f2ca, // 1e30
];

/// Changes a file that contains tables, or any byte if it has none.
pub fn mutate(file: &mut [u8], spans: &[Span], random: &mut Random) {
    let spans: Vec<&Span> = spans.iter().filter(|span| span.bytes.len() >= 4).collect();
    if spans.is_empty() {
        if !file.is_empty() {
            let at = random.below(file.len());
            file[at] = random.bits() as u8;
        }
        return;
    }
    for _ in 0..1 + random.below(3) {
        let span = spans[random.below(spans.len())];
        match random.below(8) {
            0 => copy_record(file, span, random),
            _ => change_word(file, span, random),
        }
    }
}

/// Changes an input that is a head and records: appends a random record, removes one, changes words, or adds one of
/// some numbers to a byte.
pub fn mutate_records<const SIZE: usize>(
    input: &mut Vec<u8>,
    head: usize,
    steps: [u8; 3],
    random: &mut Random,
) {
    match random.below(4) {
        0 => input.extend([0; SIZE].map(|_| random.bits() as u8)),
        1 if input.len() > head + SIZE => input.truncate(input.len() - SIZE),
        2 => {
            let bytes = head.min(input.len())..input.len();
            let record = SIZE;
            mutate(input, &[Span { bytes, record }], random);
        }
        _ if !input.is_empty() => {
            let at = random.below(input.len());
            input[at] = input[at].wrapping_add(steps[random.below(3)]);
        }
        _ => {}
    }
}

/// Overwrites a record with a copy of another one.
fn copy_record(file: &mut [u8], span: &Span, random: &mut Random) {
    let n_records = span.bytes.len() / span.record.max(1);
    if n_records > 1 {
        let [from, to] = [0, 1].map(|_| span.bytes.start + random.below(n_records) * span.record);
        file.copy_within(from..from + span.record, to);
    }
}

fn change_word(file: &mut [u8], span: &Span, random: &mut Random) {
    let at = span.bytes.start + random.below(span.bytes.len() / 4) * 4;
    let n_records = span.bytes.len() / span.record.max(1);
    let column = (at - span.bytes.start) % span.record.max(1);
    let other = span.bytes.start + random.below(n_records.max(1)) * span.record + column;
    let word = |at: usize| {
        file.get(at..at + 4)
            .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
    };
    let Some(old) = word(at) else {
        return;
    };
    let new = match random.below(7) {
        0 => old.wrapping_add(1),
        1 => old.wrapping_sub(1),
        2 => old ^ 1 << random.below(32),
        3 => word(other).unwrap_or(old),
        4 => EDGES[random.below(EDGES.len())],
        5 => random.below(64) as u32,
        _ => random.bits() as u32,
    };
    file[at..at + 4].copy_from_slice(&new.to_le_bytes());
}
