//! A file is a bincode document: a header and a list of chunks. Records write themselves ([`onion_format::Record`]);
//! bincode frames them in its fixed-int little-endian layout.

use onion_format::{
    CHECKSUM_OFFSET, Field, LENGTH_OFFSET, MAGIC, N_CHUNKS_OFFSET, Record, VERSION,
};

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
        sealed(bytes.expect("plain numbers and bytes always encode"))
    }

    /// Returns the bytes of a file with these chunks at its end.
    pub(super) fn appended_to(self, mut bytes: Vec<u8>) -> Vec<u8> {
        let n_chunks = u64::read(&bytes, N_CHUNKS_OFFSET) + self.0.len() as u64;
        n_chunks.write(&mut bytes, N_CHUNKS_OFFSET);
        for chunk in self.0 {
            let chunk = bincode::encode_to_vec(chunk, bincode::config::legacy());
            bytes.extend(chunk.expect("plain numbers and bytes always encode"));
        }
        sealed(bytes)
    }
}

/// Returns the bytes of a file with its length and checksum filled in.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    (bytes.len() as u64).write(&mut bytes, LENGTH_OFFSET);
    // Its own bytes read as zero.
    onion_format::checksum(&bytes).write(&mut bytes, CHECKSUM_OFFSET);
    bytes
}
