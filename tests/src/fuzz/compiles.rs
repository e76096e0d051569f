//! Target: whole compiles of small maps, whatever is wrong with them. The output loads, and `verify` proves it
//! against its map. Large maps are skipped, because they would take long.

use onion_compiler::CompileOptions;
use onion_compiler::compile;
use onion_compiler::error::CompileError;
use onion_compiler::fill::seeds::Fill;
use onion_compiler::verify::verify;
use onion_maps::{Map, ReadOptions};

use super::readers::BSP_FILES;
use super::target::{Target, count};
use super::texts::TEXTS;
use crate::random::Random;
use crate::subject::{hulls, load};

/// The target.
pub static COMPILES: Target = Target::new("compiles", run, seeds, mutate);

/// The largest maps that are compiled.
const MAX_BRUSHES: usize = 24;
const MAX_PATCHES: usize = 4;

fn run(input: &[u8]) {
    let Ok(map) = onion_maps::parse(input, &ReadOptions::default()) else {
        return;
    };
    if !is_small(&map) {
        return;
    }
    let options = CompileOptions {
        fill: if input.len().is_multiple_of(2) {
            Fill::Off
        } else {
            Fill::default()
        },
        brushes: input.len().is_multiple_of(3),
        floors: input.len().is_multiple_of(5),
        patch_error: 16.0,
        ..CompileOptions::new(hulls(&["stand:16x56", "point:point"]))
    };
    match compile(&map, &options) {
        Ok(compiled) => {
            load(&compiled);
            verify(&compiled.bytes, &map).unwrap();
        }
        Err(error) => assert!(!is_own_fault(&error), "{error}"),
    }
    count(1);
}

fn is_small(map: &Map) -> bool {
    let count = |of_model: fn(&onion_maps::MapModel) -> usize| {
        map.models.iter().map(of_model).sum::<usize>()
    };
    count(|model| model.brushes.len()) <= MAX_BRUSHES
        && count(|model| model.patches.len()) <= MAX_PATCHES
}

/// Whether the error is the compiler's fault, not the map's.
fn is_own_fault(error: &CompileError) -> bool {
    error.to_string().contains("a bug")
}

fn seeds() -> Vec<Vec<u8>> {
    [(BSP_FILES.seeds)(), (TEXTS.seeds)()].concat()
}

fn mutate(input: &mut Vec<u8>, random: &mut Random) {
    let is_text = input.iter().all(|byte| *byte != 0);
    let mutate = if is_text {
        TEXTS.mutate
    } else {
        BSP_FILES.mutate
    };
    mutate(input, random);
}
