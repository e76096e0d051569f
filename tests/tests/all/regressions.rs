//! Inputs that once caused errors. They are kept in `tests/regressions`, and each test states the
//! correct result.

use std::fs;
use std::path::Path;

use onion_compiler::CompileOptions;
use onion_compiler::compile;
use onion_compiler::error::CompileError;
use onion_maps::ReadOptions;
use onion_maps::error::MapError;
use onion_tests::subject;

fn input(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("regressions");
    fs::read(folder.join(name)).unwrap()
}

/// Rounding the support of a hull to nearest could close a sliver of a brush if its hull had no extent but an origin
/// elsewhere, and the compiler panicked.
#[test]
fn a_sliver_survives_a_shifted_point() {
    let map = subject::parse(&input("sliver.bsp"));
    let corner = "-2.646,27.302,10.6785";
    let hull = format!("p:mins={corner}:maxs={corner}");
    let compiled = subject::compile_map(&map, subject::hulls(&[&hull]));
    assert!(compiled.report.n_leaves > 1, "the sliver is solid");
}

/// Models, brushes and sides that all shared each other's records made 18 KB request 870 MB.
#[test]
fn shared_ranges_do_not_multiply() {
    let parsed = onion_maps::parse(&input("shared_ranges.bsp"), &ReadOptions::default());
    assert!(matches!(parsed, Err(MapError::Damaged(_))), "{parsed:?}");
}

/// A count below 0 made up for those of others, and the same 18 KB were read after all.
#[test]
fn counts_below_0_do_not_hide_shared_ranges() {
    let mut bytes = input("shared_ranges.bsp");
    let int = |at: usize| i32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    // Lump 8 has the brushes, of 12 bytes each: first side, number of sides, shader.
    let end = int(8 + 8 * 8) + int(12 + 8 * 8);
    bytes[end - 8..end - 4].copy_from_slice(&i32::MIN.to_le_bytes());
    let refused = onion_maps::parse(&bytes, &ReadOptions::default());
    let message = refused.unwrap_err().to_string();
    assert!(message.contains("referred to"), "{message}");
}

/// Twelve patches across the whole world made 2 KB compile for minutes.
#[test]
fn patches_of_absurd_size_are_refused() {
    let map = subject::parse(&input("huge_patches.bsp"));
    let options = CompileOptions::new(subject::hulls(&["point:point"]));
    let compiled = compile(&map, &options);
    assert!(matches!(compiled, Err(CompileError::TooManyPieces { .. })));
}
