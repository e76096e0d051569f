//! Files that no compile makes but readers must load, and damaged ones, all made from the golden files: trees with
//! other planes and leaves, nodes that name other sides, flipped bytes.

use std::fs;
use std::path::Path;

use onion_format::{
    ChoiceRecord, HitAt, HitRecord, NodePlane, NodeRecord, PlaneRecord, Record, SideRecord,
};

use crate::planted::{count, leaves, records, restate, solidity_of};
use crate::random::Random;

/// Number of hulls in the golden files.
const N_HULLS: usize = 3;

/// Reads a golden file.
pub fn golden(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("golden")
        .join(name);
    fs::read(path.with_extension("onion")).unwrap()
}

/// Makes a file with trees that no map has, which readers must load and trace all the same: some nodes have another
/// plane or other marks, and some leaves have another solidity.
pub fn scrambled(seed: u64) -> Vec<u8> {
    let mut random = Random::new(seed);
    let mut file = golden("low_tunnel-bare");
    let planes = records(&file, PlaneRecord::TAG);
    let n_planes = count(&file, PlaneRecord::TAG);
    let nodes = records(&file, NodeRecord::TAG);
    for node in 0..count(&file, NodeRecord::TAG) {
        let node = nodes + node * NodeRecord::SIZE;
        let mut record = NodeRecord::read(&file[node..]);
        match random.below(8) {
            0 => record.plane = record.plane >> 30 << 30 | random.below(n_planes) as u32,
            1 => record.plane ^= (1 + random.below(3) as u32) << 30,
            _ => {}
        }
        let plane = NodePlane(record.plane).index() as usize;
        let plane = PlaneRecord::read(&file[planes + plane * PlaneRecord::SIZE..]);
        (record.normal, record.dist) = (plane.normal, plane.dist);
        record.write(&mut file[node..]);
    }
    for leaf in leaves(&file.clone()) {
        if random.below(8) == 0 {
            let at = solidity_of(&file, leaf);
            file[at] ^= 1 << random.below(N_HULLS);
        }
    }
    restate(&mut file);
    file
}

/// Returns a file with its checksum corrected.
pub fn with_checksum(mut file: Vec<u8>) -> Vec<u8> {
    let checksum = onion_format::checksum(&file);
    file[onion_format::CHECKSUM_OFFSET..][..8].copy_from_slice(&checksum.to_le_bytes());
    file
}

/// Makes a file whose nodes name other sides and choices than they should, which readers must load all the same.
pub fn with_scrambled_hits(seed: u64) -> Vec<u8> {
    let mut random = Random::new(seed);
    let mut file = golden("low_tunnel");
    let n_sides = count(&file, SideRecord::TAG);
    let n_choices = count(&file, ChoiceRecord::TAG);
    let mut hit = |below: usize| match random.below(5) {
        0 if below > 0 => HitAt::CHOICE_BIT | random.below(below) as u32,
        1 => HitAt::NOTHING.0,
        2 => HitAt::BEVEL_BIT | random.below(n_sides) as u32,
        _ => random.below(n_sides) as u32,
    };
    let hits = records(&file, HitRecord::TAG);
    for node in 0..count(&file, HitRecord::TAG) {
        let record = HitRecord {
            hit: hit(n_choices),
        };
        record.write(&mut file[hits + node * HitRecord::SIZE..]);
    }
    let choices = records(&file, ChoiceRecord::TAG);
    for choice in 0..n_choices {
        let place = choices + choice * ChoiceRecord::SIZE;
        let test = ChoiceRecord::read(&file[place..]).test;
        let record = ChoiceRecord {
            test,
            hits: [hit(choice), hit(choice)],
        };
        record.write(&mut file[place..]);
    }
    restate(&mut file);
    file
}

/// Returns the file with one byte changed; `at` selects the byte and the change.
pub fn flipped(file: &[u8], at: usize) -> Vec<u8> {
    let mut file = file.to_vec();
    file[at] ^= [0xff, 0x01, 0x80, 0x40][at / 3 % 4];
    file
}
