//! A file is a bincode document: a header and a list of chunks. Records write themselves ([`onion_format::Record`]);
//! bincode frames them in its fixed-int little-endian layout.

use bincode::Encode;
use onion_format::{CHECKSUM_OFFSET, LENGTH_OFFSET, MAGIC, Record, VERSION};

/// Records of one kind: their tag, the size of one, and their bytes.
#[derive(Encode)]
struct Chunk {
    tag: [u8; 4],
    record_size: u32,
    bytes: Vec<u8>,
}

/// A whole file.
#[derive(Encode)]
pub(super) struct Document {
    magic: [u8; 8],
    version: u32,
    reserved: u32,
    length: u64,
    checksum: u64,
    chunks: Vec<Chunk>,
}

impl Document {
    /// Makes a document without chunks.
    pub(super) fn new() -> Self {
        Self {
            magic: MAGIC,
            version: VERSION,
            reserved: 0,
            length: 0,
            checksum: 0,
            chunks: Vec::new(),
        }
    }

    /// Appends a chunk; returns the size of its records in bytes.
    pub(super) fn push<R: Record>(&mut self, records: &[R]) -> usize {
        let mut bytes = vec![0; records.len() * R::SIZE];
        for (record, bytes) in records.iter().zip(bytes.chunks_exact_mut(R::SIZE)) {
            record.write(bytes);
        }
        let n_bytes = bytes.len();
        self.chunks.push(Chunk {
            tag: R::TAG,
            record_size: R::SIZE as u32,
            bytes,
        });
        n_bytes
    }

    /// Returns the bytes of the file, with its length and checksum filled in.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        let Ok(mut bytes) = bincode::encode_to_vec(self, bincode::config::legacy()) else {
            unreachable!("plain numbers and bytes always encode");
        };
        let length = bytes.len() as u64;
        bytes[LENGTH_OFFSET..][..8].copy_from_slice(&length.to_le_bytes());
        let checksum = onion_format::checksum(&bytes);
        bytes[CHECKSUM_OFFSET..][..8].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }
}
