//! The second witness: van Waveren's own compiler for many boxes made a bot file of a map that we also compile. The
//! number of random places at which the two agree, and the explanations of the differences, match the table
//! `golden/witness.txt`, which `ONION_BLESS=1` rewrites. See `onion_tests::aas`.

use onion_tests::aas::{self, WHYS, Why};
use onion_tests::fixtures::assert_golden;
use onion_tests::maps;
use onion_tests::skips::skip;
use std::fs;

/// The map, with flags in two bases, curves and slopes.
const MAP: &str = "oa085/ps37ctf2";

/// Number of places for each hull.
const PLACES: usize = 100_000;

#[test]
fn differences_have_reasons_and_are_as_many_as_they_were() {
    let path = maps::folder().join(MAP);
    let files = ["bsp", "aas"].map(|extension| fs::read(path.with_extension(extension)));
    let [Ok(map), Ok(bots)] = files else {
        return skip("the witness: a map of OpenArena with its bot file, oa085/ps37ctf2");
    };
    let rows = aas::compare("ps37ctf2", &map, &bots, PLACES).unwrap();
    let column = |why: Why| WHYS.iter().position(|&one| one == why).unwrap();
    for row in &rows {
        assert_eq!(row.counts.iter().sum::<usize>(), PLACES, "{}", row.name);
        assert!(row.counts[column(Why::Room)] > PLACES / 4, "{}", row.name);
        assert_eq!(row.counts[column(Why::OurBrush)], 0, "{}", row.name);
    }
    let names: Vec<String> = WHYS.iter().map(|why| format!("{why:?}")).collect();
    let lines = rows.iter().map(|row| format!("{row}\n"));
    let table = format!("{}\n{}", names.join(" "), lines.collect::<String>());
    assert_golden("witness.txt", table.as_bytes());
}

/// Other versions, and truncated files.
#[test]
fn a_bot_file_that_is_damaged_is_none() {
    assert!(aas::compare("none", b"", b"EAAS\x04\0\0\0", 1).is_none());
    assert!(aas::compare("none", b"", b"EAAS\x05\0\0\0", 1).is_none());
}
