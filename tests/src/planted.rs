//! Faults to plant in compiled files: a file in, the same file with changed bytes and a correct checksum
//! out.

use onion_format::{
    BlockRecord, CHECKSUM_OFFSET, CHUNK_HEADER_SIZE, Child, FloorLinksRecord, FloorRecord,
    GridRecord, HEADER_SIZE, HullRecord, LENGTH_OFFSET, LinkRecord, N_CHUNKS_OFFSET, NodeRecord,
    OptionsRecord, Record, RoomRecord, RootRecord,
};

/// Returns the offset of the records of a chunk.
///
/// # Panics
/// If the file has no such chunk.
pub fn records(file: &[u8], tag: [u8; 4]) -> usize {
    let at = file.windows(4).position(|window| window == tag);
    at.expect("the file has the chunk") + CHUNK_HEADER_SIZE
}

/// Returns the number of records in a chunk.
///
/// # Panics
/// If the file has no such chunk.
pub fn count(file: &[u8], tag: [u8; 4]) -> usize {
    let at = records(file, tag) - 8;
    let word = |at: usize, n: usize| {
        file[at..at + n]
            .iter()
            .rev()
            .fold(0, |word, &byte| word << 8 | usize::from(byte))
    };
    word(at, 8) / word(at - 4, 4)
}

/// Corrects the checksum.
pub fn sign(file: &mut [u8]) {
    let checksum = onion_format::checksum(file);
    file[CHECKSUM_OFFSET..][..8].copy_from_slice(&checksum.to_le_bytes());
}

/// Changes a record and corrects the checksum.
///
/// # Panics
/// If the file has no such record.
pub fn edit<R: Record>(file: &mut [u8], index: usize, change: impl FnOnce(&mut R)) {
    assert!(index < count(file, R::TAG));
    let at = records(file, R::TAG) + index * R::SIZE;
    let mut record = R::read(&file[at..]);
    change(&mut record);
    record.write(&mut file[at..]);
    sign(file);
}

/// Reads a record of a file.
pub fn record<R: Record>(file: &[u8], index: usize) -> R {
    R::read(&file[records(file, R::TAG) + index * R::SIZE..])
}

/// Replaces a chunk's records, and corrects sizes and checksum.
pub fn replace<R: Record>(file: &mut Vec<u8>, new: &[R]) {
    let first = records(file, R::TAG);
    let end = first + count(file, R::TAG) * R::SIZE;
    let mut bytes = vec![0; new.len() * R::SIZE];
    for (record, bytes) in new.iter().zip(bytes.chunks_mut(R::SIZE)) {
        record.write(bytes);
    }
    let length = bytes.len() as u64;
    file[first - 8..first].copy_from_slice(&length.to_le_bytes());
    file.splice(first..end, bytes);
    resize(file);
}

/// Appends a copy of a chunk's last record to the chunk.
pub fn append<R: Record>(file: &mut Vec<u8>) {
    let n_records = count(file, R::TAG);
    let last = n_records - 1;
    let all = (0..n_records).chain([last]);
    let all: Vec<R> = all.map(|index| record(file, index)).collect();
    replace(file, &all);
}

/// Returns the links of a file, with the floors that they leave.
pub fn links(file: &[u8]) -> Vec<(u32, LinkRecord)> {
    let n_links = count(file, LinkRecord::TAG);
    let first = |floor| match floor < count(file, FloorRecord::TAG) {
        true => record::<FloorLinksRecord>(file, floor).first as usize,
        false => n_links,
    };
    let floors = 0..count(file, FloorRecord::TAG);
    let own = floors.flat_map(|floor| (first(floor)..first(floor + 1)).map(move |n| (floor, n)));
    own.map(|(floor, number)| (floor as u32, record(file, number)))
        .collect()
}

/// Replaces the links of a file, which are in the order of the floors that they leave.
pub fn replace_links(file: &mut Vec<u8>, links: &[(u32, LinkRecord)]) {
    let floors = 0..count(file, FloorRecord::TAG) as u32;
    let first = |floor| links.iter().filter(|link| link.0 < floor).count() as u32;
    let firsts: Vec<_> = floors
        .map(|floor| FloorLinksRecord {
            first: first(floor),
        })
        .collect();
    let links: Vec<_> = links.iter().map(|link| link.1).collect();
    replace(file, &firsts);
    replace(file, &links);
}

/// Corrects the length and the checksum of a file.
pub fn resize(file: &mut [u8]) {
    let length = file.len() as u64;
    file[LENGTH_OFFSET..][..8].copy_from_slice(&length.to_le_bytes());
    sign(file);
}

/// Returns the file with some bytes replaced and its checksum corrected.
pub fn with(file: &[u8], at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut file = file.to_vec();
    file[at..at + bytes.len()].copy_from_slice(bytes);
    sign(&mut file);
    file
}

/// Returns the numbers of all leaves.
pub fn leaves(file: &[u8]) -> impl Iterator<Item = usize> {
    let n_nodes = count(file, NodeRecord::TAG);
    let below = move |leaf| record::<NodeRecord>(file, leaf / 2).is_leaf(leaf % 2);
    let is_tree = move |&tree: &usize| Child(record::<RootRecord>(file, tree).root).is_leaf();
    let trees = (0..count(file, RootRecord::TAG)).filter(is_tree);
    let below = (0..2 * n_nodes).filter(move |&leaf| below(leaf));
    below.chain(trees.map(move |tree| 2 * n_nodes + tree))
}

/// Returns the offset of the bits that name the hulls for which a leaf is solid.
pub fn solidity_of(file: &[u8], leaf: usize) -> usize {
    let n_nodes = count(file, NodeRecord::TAG);
    match leaf.checked_sub(2 * n_nodes) {
        Some(tree) => records(file, RootRecord::TAG) + tree * RootRecord::SIZE,
        None => records(file, NodeRecord::TAG) + (leaf / 2 + 1) * NodeRecord::SIZE - 2 + leaf % 2,
    }
}

/// Returns the file with bits of a leaf's solidity flipped and the summaries in the nodes updated to match: the file
/// of a compiler that takes the leaf for something else.
pub fn with_leaf(file: &[u8], leaf: usize, bits: u8) -> Vec<u8> {
    let mut file = file.to_vec();
    let at = solidity_of(&file, leaf);
    file[at] ^= bits;
    restate(&mut file);
    file
}

/// Returns the file without blocks, with its hulls marked as filled and all leaves solid except those to keep. For
/// files that were not filled, with one group of hulls.
pub fn claim_filled(unfilled: &[u8], is_kept: impl Fn(usize) -> bool) -> Vec<u8> {
    let mut file = without_blocks(unfilled);
    let n_hulls = count(&file, HullRecord::TAG);
    let hulls = records(&file, HullRecord::TAG);
    for hull in 0..n_hulls {
        file[hulls + (hull + 1) * HullRecord::SIZE - 4] = 1;
    }
    for leaf in leaves(&file.clone()).filter(|&leaf| !is_kept(leaf)) {
        let at = solidity_of(&file, leaf);
        file[at] = u8::MAX >> (8 - n_hulls);
    }
    restate(&mut file);
    file
}

/// Recomputes the summaries that nodes keep of the leaves below them, and the checksum.
pub fn restate(file: &mut [u8]) {
    let nodes = records(file, NodeRecord::TAG);
    let n_nodes = count(file, NodeRecord::TAG);
    let mut all = vec![(0, 0); n_nodes];
    // Children come after their parents.
    for number in (0..n_nodes).rev() {
        let bytes = &mut file[nodes + number * NodeRecord::SIZE..];
        let mut node = NodeRecord::read(bytes);
        for (side, child) in node.children(number as u32).into_iter().enumerate() {
            if !child.is_leaf() {
                (node.resolved[side], node.solid[side]) = all[child.index() as usize];
            }
        }
        let [solid, other] = node.solid;
        let both = node.resolved[0] & node.resolved[1] & !(solid ^ other);
        all[number] = (both, both & solid);
        node.write(bytes);
    }
    sign(file);
}

/// Returns the same file without its blocks and rooms.
pub fn without_blocks(file: &[u8]) -> Vec<u8> {
    let is_of_blocks = |tag| [GridRecord::TAG, BlockRecord::TAG, RoomRecord::TAG].contains(&tag);
    with_chunks(file, |tag, old| (!is_of_blocks(tag)).then(|| old.to_vec()))
}

/// Returns the file with other records in its chunks, or without a chunk.
pub fn with_chunks(file: &[u8], change: impl Fn([u8; 4], &[u8]) -> Option<Vec<u8>>) -> Vec<u8> {
    let mut changed = file[..HEADER_SIZE].to_vec();
    let mut n_chunks = 0u64;
    let mut at = HEADER_SIZE;
    while at < file.len() {
        let tag = *file[at..].first_chunk().expect("a chunk has a tag");
        let end = records(&file[at..], tag) + at + count(&file[at..], tag) * record_size(file, at);
        let (header, old) = file[at..end].split_at(CHUNK_HEADER_SIZE);
        if let Some(new) = change(tag, old) {
            changed.extend(&header[..8]);
            changed.extend((new.len() as u64).to_le_bytes());
            changed.extend(new);
            n_chunks += 1;
        }
        at = end;
    }
    let length = changed.len() as u64;
    changed[LENGTH_OFFSET..][..8].copy_from_slice(&length.to_le_bytes());
    changed[N_CHUNKS_OFFSET..][..8].copy_from_slice(&n_chunks.to_le_bytes());
    sign(&mut changed);
    changed
}

fn record_size(file: &[u8], chunk: usize) -> usize {
    u32::from_le_bytes(
        *file[chunk + 4..]
            .first_chunk()
            .expect("a chunk has a header"),
    ) as usize
}

/// Returns the file with other recorded options, one argument a line.
pub fn with_options(file: &[u8], arguments: &[&str]) -> Vec<u8> {
    let at = records(file, OptionsRecord::TAG);
    let end = at + count(file, OptionsRecord::TAG);
    let compiler = String::from_utf8_lossy(&file[at..end]);
    let compiler = compiler.lines().next().expect("the compiler's name");
    let text = [&[compiler], arguments].concat().join("\n");
    let mut file = [&file[..at], text.as_bytes(), &file[end..]].concat();
    file[at - 8..at].copy_from_slice(&(text.len() as u64).to_le_bytes());
    let length = file.len() as u64;
    file[LENGTH_OFFSET..][..8].copy_from_slice(&length.to_le_bytes());
    sign(&mut file);
    file
}
