//! Faults to plant in compiled files: a file in, the same file with other bytes and a right checksum
//! out.

use onion_format::{
    CHECKSUM_OFFSET, CHUNK_HEADER_SIZE, CHUNK_ORDER, Child, HEADER_SIZE, KnownRecord, LeafRecord,
    NodeRecord, OldNodeRecord, Record,
};

/// Where the records of a chunk begin.
///
/// # Panics
/// If the file has no such chunk.
pub fn records(file: &[u8], tag: [u8; 4]) -> usize {
    let at = file.windows(4).position(|window| window == tag);
    at.expect("the file has the chunk") + CHUNK_HEADER_SIZE
}

/// How many records a chunk has.
///
/// # Panics
/// If the file has no such chunk.
pub fn count(file: &[u8], tag: [u8; 4]) -> usize {
    let at = records(file, tag) - 8;
    let bytes = file[at..].first_chunk().expect("a chunk has a header");
    u64::from_le_bytes(*bytes) as usize
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

/// The file with bits of a leaf's solidity turned, and what nodes know made to fit: as a compiler would
/// write it that takes the leaf for something else. For files with one group of hulls, up to eight.
pub fn with_leaf(file: &[u8], leaf: usize, bits: u8) -> Vec<u8> {
    let mut file = file.to_vec();
    let leaves = records(&file, LeafRecord::TAG);
    file[leaves + leaf * LeafRecord::SIZE] ^= bits;
    restate(&mut file);
    file
}

/// Makes what nodes know fit their leaves, and the checksum right.
pub fn restate(file: &mut [u8]) {
    let [nodes, leaves] = [NodeRecord::TAG, LeafRecord::TAG].map(|tag| records(file, tag));
    let n_nodes = (leaves - CHUNK_HEADER_SIZE - nodes) / NodeRecord::SIZE;
    let n_hulls = (records(file, *b"MODL") - records(file, *b"HULL")) / 64;
    let hulls = u8::MAX >> (8 - n_hulls);
    let mut all = vec![(0, 0); n_nodes];
    // Children stand after their parents.
    for node in (0..n_nodes).rev() {
        let at = nodes + node * NodeRecord::SIZE;
        let sides = NodeRecord::read(&file[at..]).children.map(|child| {
            let child = Child(child);
            if child.is_leaf() {
                let solid = file[leaves + child.index() as usize * LeafRecord::SIZE];
                (hulls, solid)
            } else {
                all[child.index() as usize]
            }
        });
        let [(resolved, solid), (other_resolved, other_solid)] = sides;
        let both = resolved & other_resolved & !(solid ^ other_solid);
        all[node] = (both, both & solid);
        let known = [resolved, other_resolved, solid, other_solid];
        file[at + NodeRecord::SIZE - 4..][..4].copy_from_slice(&known);
    }
    sign(file);
}

/// The same map as version 2 had it: nodes without planes, which are all for the reference, and no
/// optional chunks.
pub fn as_version_2(file: &[u8]) -> Vec<u8> {
    let mut old = file[..HEADER_SIZE].to_vec();
    old[8..16].copy_from_slice(&[2, 0, 0, 0, 9, 0, 0, 0]);
    let mut at = HEADER_SIZE;
    for _ in CHUNK_ORDER {
        let number = |at: usize| u64::from_le_bytes(*file[at..].first_chunk().unwrap()) as usize;
        let (size, count) = (number(at + 4) & 0xffff_ffff, number(at + 8));
        let chunk = &file[at..at + CHUNK_HEADER_SIZE + size * count];
        at += chunk.len();
        if !chunk.starts_with(&NodeRecord::TAG) {
            old.extend(chunk);
            continue;
        }
        let header = |tag: [u8; 4], size: usize| {
            let tag = tag.into_iter().chain((size as u32).to_le_bytes());
            tag.chain((count as u64).to_le_bytes())
        };
        old.extend(header(OldNodeRecord::TAG, OldNodeRecord::SIZE));
        for node in chunk[CHUNK_HEADER_SIZE..].chunks(NodeRecord::SIZE) {
            let NodeRecord {
                plane, children, ..
            } = NodeRecord::read(node);
            let words = [plane, children[0], children[1]];
            old.extend(words.into_iter().flat_map(u32::to_le_bytes));
        }
        old.extend(header(KnownRecord::TAG, KnownRecord::SIZE));
        old.resize(old.len() + count * KnownRecord::SIZE, 0);
    }
    let length = old.len() as u64;
    old[16..24].copy_from_slice(&length.to_le_bytes());
    sign(&mut old);
    old
}
