//! Faults to plant in compiled files: a file in, the same file with other bytes and a right checksum
//! out.

use onion_format::{CHECKSUM_OFFSET, CHUNK_HEADER_SIZE};

/// Where the records of a chunk begin.
///
/// # Panics
/// If the file has no such chunk.
pub fn records(file: &[u8], tag: [u8; 4]) -> usize {
    let at = file.windows(4).position(|window| window == tag);
    at.expect("the file has the chunk") + CHUNK_HEADER_SIZE
}

/// Makes the checksum right.
pub fn sign(file: &mut [u8]) {
    let checksum = onion_format::checksum(file);
    file[CHECKSUM_OFFSET..][..8].copy_from_slice(&checksum.to_le_bytes());
}

/// The file with some bytes replaced and its checksum made right.
pub fn with(file: &[u8], at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut file = file.to_vec();
    file[at..at + bytes.len()].copy_from_slice(bytes);
    sign(&mut file);
    file
}
