//! Target: archives, which are zip files and id's pak files. Unpacks all maps that they list, within the reader's
//! limit.

use std::fs;
use std::io::{Cursor, Write};

use onionc::archive::Archive;
use tempfile::NamedTempFile;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::spans::{self, Span};
use super::target::{Target, count};
use crate::random::Random;

/// The target.
pub static ARCHIVES: Target =
    Target::new("archives", run, seeds, |file, random| mutate(file, random));

/// Number of maps of an archive that are read.
const MOST: usize = 4;

fn run(input: &[u8]) {
    let file = NamedTempFile::new().unwrap();
    fs::write(file.path(), input).unwrap();
    if let Ok(Ok(mut archive)) = Archive::open(file.reopen().unwrap()) {
        for name in archive.maps().iter().take(MOST) {
            let _ = archive.read(name);
        }
    }
    count(1);
}

fn seeds() -> Vec<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in [("maps/a.bsp", "IBSP"), ("maps/b.map", "{}")] {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.repeat(20).as_bytes()).unwrap();
    }
    let zip = zip.finish().unwrap().into_inner();
    let mut pak = b"PACK".to_vec();
    pak.extend([16u32, 64].map(u32::to_le_bytes).concat());
    pak.extend(b"IBSP");
    pak.extend(b"maps/a.bsp");
    pak.resize(16 + 56, 0);
    pak.extend([12u32, 4].map(u32::to_le_bytes).concat());
    vec![zip, pak]
}

fn mutate(file: &mut [u8], random: &mut Random) {
    let skip = random.below(4).min(file.len());
    let all = Span {
        bytes: skip..file.len(),
        record: 2,
    };
    spans::mutate(file, &[all], random);
}
