//! Rules for the header and for the order of chunks. Each row has a text that says how a rule is broken, and a
//! function that plants the fault and returns the runtime's error, which names the first wrong record.

use onion_format::{
    AgentRecord, BlockRecord, BoxRecord, BrushRecord, CHECKSUM_OFFSET, CHUNK_HEADER_SIZE,
    ChoiceRecord, EntityRecord, FloorCornerRecord, FloorLinksRecord, FloorPlaceRecord, FloorRecord,
    HEADER_SIZE, HitRecord, InfoRecord, LENGTH_OFFSET, LinkRecord, N_CHUNKS_OFFSET, NodeRecord,
    OptionsRecord, PlaneRecord, Record, SideRecord, SurfaceRecord, TextRecord, VERSION_OFFSET,
};
use onion_runtime::LoadError;

use super::rule::Rule;
use crate::planted::{records, resize, sign, with_chunks};

/// Returns the offset of a chunk's header.
fn chunk(file: &[u8], tag: [u8; 4]) -> usize {
    records(file, tag) - CHUNK_HEADER_SIZE
}

/// Adds bytes after the last chunk.
fn append(file: &mut Vec<u8>, bytes: &[u8]) -> LoadError {
    let end = file.len();
    file.extend(bytes);
    resize(file);
    LoadError::BadChunk(end)
}

/// Removes a chunk, which makes the next one wrong.
fn without<R: Record>(file: &mut Vec<u8>) -> LoadError {
    let at = chunk(file, R::TAG);
    *file = with_chunks(file, |tag, old| (tag != R::TAG).then(|| old.to_vec()));
    LoadError::BadChunk(at)
}

/// Rules for the header and for the order of chunks.
pub(super) const FRAME: &[Rule] = &[
    ("another magic", |file| {
        file[0] = b'o';
        sign(file);
        LoadError::BadMagic
    }),
    ("an end within the header", |file| {
        file.truncate(HEADER_SIZE - 1);
        LoadError::Truncated(HEADER_SIZE)
    }),
    ("another version", |file| {
        file[VERSION_OFFSET] += 1;
        sign(file);
        LoadError::UnknownVersion(2)
    }),
    ("more behind the version", |file| {
        file[VERSION_OFFSET + 4] = 1;
        sign(file);
        LoadError::BadHeader(VERSION_OFFSET + 4)
    }),
    ("another length", |file| {
        let length = file.len() as u64 + 1;
        file[LENGTH_OFFSET..][..8].copy_from_slice(&length.to_le_bytes());
        sign(file);
        LoadError::BadLength(length)
    }),
    ("a length short of the end", |file| {
        let length = file.len() as u64 - 1;
        file[LENGTH_OFFSET..][..8].copy_from_slice(&length.to_le_bytes());
        sign(file);
        LoadError::BadLength(length)
    }),
    ("another checksum", |file| {
        file[CHECKSUM_OFFSET + 7] ^= 0x80;
        LoadError::BadChecksum
    }),
    ("a byte that is not in the checksum", |file| {
        *file.last_mut().unwrap() ^= 1;
        LoadError::BadChecksum
    }),
    ("a chunk that is not counted", |file| {
        file[N_CHUNKS_OFFSET] -= 1;
        sign(file);
        LoadError::BadChunk(file.len())
    }),
    ("more chunks than there are", |file| {
        file[N_CHUNKS_OFFSET + 7] = 1;
        sign(file);
        LoadError::BadChunk(file.len())
    }),
    ("bytes behind the last chunk", |file| append(file, &[0; 8])),
    ("bytes as long as a chunk's header", |file| {
        append(file, &[0; 16])
    }),
    ("a chunk of another format", |file| {
        file[N_CHUNKS_OFFSET] += 1;
        append(file, b"MORE\x01\0\0\0\0\0\0\0\0\0\0\0")
    }),
    ("another size of a record", |file| {
        let at = chunk(file, PlaneRecord::TAG);
        file[at + 4] += 1;
        sign(file);
        LoadError::BadChunk(at)
    }),
    ("an end within a record", |file| {
        let at = chunk(file, InfoRecord::TAG);
        file[at + 8] -= 1;
        sign(file);
        LoadError::BadChunk(at)
    }),
    ("an end within a chunk", |file| {
        let at = chunk(file, BoxRecord::TAG);
        file[at + 15] = 1;
        sign(file);
        LoadError::Truncated(file.len())
    }),
    ("chunks in another order", |file| {
        let [first, second, end] =
            [OptionsRecord::TAG, *b"HULL", *b"MODL"].map(|tag| chunk(file, tag));
        file[first..end].rotate_left(second - first);
        sign(file);
        LoadError::BadChunk(first)
    }),
    ("no nodes", without::<NodeRecord>),
    ("entities without their text", without::<TextRecord>),
    ("a text without entities", without::<EntityRecord>),
    ("grids without blocks", without::<BlockRecord>),
    ("sides without surfaces", without::<SurfaceRecord>),
    ("sides without brushes", without::<BrushRecord>),
    ("brushes without sides", without::<SideRecord>),
    ("choices without hits", without::<HitRecord>),
    ("hits without choices", without::<ChoiceRecord>),
    ("shapes without boxes", without::<BoxRecord>),
    ("hits without brushes", |file| {
        let at = chunk(file, SurfaceRecord::TAG);
        let brushes = [SurfaceRecord::TAG, BrushRecord::TAG, SideRecord::TAG];
        *file = with_chunks(file, |tag, old| {
            (!brushes.contains(&tag)).then(|| old.to_vec())
        });
        LoadError::BadChunk(at)
    }),
    ("floors without corners", without::<FloorCornerRecord>),
    ("corners without places", without::<FloorPlaceRecord>),
    ("links without floors", |file| {
        let floors = [
            FloorRecord::TAG,
            FloorCornerRecord::TAG,
            FloorPlaceRecord::TAG,
        ];
        *file = with_chunks(file, |tag, old| {
            (!floors.contains(&tag)).then(|| old.to_vec())
        });
        LoadError::BadChunk(chunk(file, AgentRecord::TAG))
    }),
    ("links without agents", without::<AgentRecord>),
    ("agents without links", |file| {
        without::<LinkRecord>(file);
        LoadError::Truncated(file.len() + CHUNK_HEADER_SIZE)
    }),
    ("links that no floor has", without::<FloorLinksRecord>),
];
