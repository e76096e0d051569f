//! A file is a bincode document: a header and a list of chunks. Records write themselves ([`onion_format::Record`]);
//! bincode frames them in its fixed-int little-endian layout.

use onion_format::{CHECKSUM_OFFSET, LENGTH_OFFSET, MAGIC, Record, VERSION};

/// The chunks of a file: the tag, the size of a record, and the bytes of all records.
#[derive(Default)]
pub(super) struct Document(Vec<([u8; 4], u32, Vec<u8>)>);

impl Document {
    /// Appends a chunk; returns the size of its records in bytes.
    pub(super) fn push<R: Record>(&mut self, records: &[R]) -> usize {
        let mut bytes = vec![0; records.len() * R::SIZE];
        for (record, bytes) in records.iter().zip(bytes.chunks_exact_mut(R::SIZE)) {
            record.write(bytes);
        }
        let n_bytes = bytes.len();
        self.0.push((R::TAG, R::SIZE as u32, bytes));
        n_bytes
    }

    /// Returns the bytes of the file, with its length and checksum filled in, given the chunks that follow.
    pub(super) fn into_bytes(mut self, last: Self) -> Vec<u8> {
        self.0.extend(last.0);
        let (reserved, length, checksum) = (0u32, 0u64, 0u64);
        let file = (MAGIC, VERSION, reserved, length, checksum, self.0);
        let bytes = bincode::encode_to_vec(file, bincode::config::legacy());
        let mut bytes = bytes.expect("plain numbers and bytes always encode");
        let length = bytes.len() as u64;
        bytes[LENGTH_OFFSET..][..8].copy_from_slice(&length.to_le_bytes());
        let checksum = onion_format::checksum(&bytes);
        bytes[CHECKSUM_OFFSET..][..8].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }
}
