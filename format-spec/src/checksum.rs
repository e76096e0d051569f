//! The file's checksum: bytes in, 64 bits out. It processes eight bytes per step in four independent lanes, so that
//! it runs near memory bandwidth. Each step is a bijection of its lane for a given word and of the word for a given
//! lane, so any change within one 8-byte word is always detected. It guards against corruption, not against malice.

/// Offset of the checksum in the header; its own eight bytes count as zero.
pub const CHECKSUM_OFFSET: usize = 24;

/// Number of words that are processed side by side.
const LANES: usize = 4;
/// Number of bytes that all lanes take in one step.
const STEP: usize = 8 * LANES;

/// Odd, so that multiplication is invertible; the bits are those of the golden ratio.
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// Returns the checksum of a whole file, with the stored checksum read as zero.
///
/// Word `i` (eight bytes, little-endian, the last one padded with zero bytes) goes to lane
/// `i % 4` by `lane = (rotate_left(lane, 23) ^ word) * MULTIPLIER`; lanes start at 1 to 4 and
/// are folded in order by the same step, followed by the length.
pub fn checksum(file: &[u8]) -> u64 {
    let mut lanes: [u64; LANES] = [1, 2, 3, 4];
    let (header, rest) = file.split_at(file.len().min(STEP));
    let mut block = [0u8; STEP];
    block[..header.len()].copy_from_slice(header);
    block[CHECKSUM_OFFSET..].fill(0);
    absorb(&mut lanes, &block);
    let (blocks, tail) = rest.as_chunks::<STEP>();
    for block in blocks {
        absorb(&mut lanes, block);
    }
    if !tail.is_empty() {
        block.fill(0);
        block[..tail.len()].copy_from_slice(tail);
        absorb(&mut lanes, &block);
    }
    let folded = lanes.iter().fold(0, |sum, &lane| step(sum, lane));
    step(folded, file.len() as u64)
}

/// Adds a word of a block to each lane.
fn absorb(lanes: &mut [u64; LANES], block: &[u8; STEP]) {
    let (words, _) = block.as_chunks::<8>();
    for (lane, word) in lanes.iter_mut().zip(words) {
        *lane = step(*lane, u64::from_le_bytes(*word));
    }
}

/// Adds a word to a lane.
fn step(lane: u64, word: u64) -> u64 {
    (lane.rotate_left(23) ^ word).wrapping_mul(MULTIPLIER)
}
