//! A game's view of the runtime: a level that is kept, shared and loaded again, vectors of other libraries in every
//! call, and the errors of a file that has no answer.

mod level;
mod unsupported;
mod vectors;

use onion_runtime::{Aabb, HullId, OnionMap};
use onion_tests::cases::sample_case;
use onion_tests::fixtures::compiled;
use onion_tests::subject::HULLS;

/// The parts of a level that a game keeps.
#[derive(Debug)]
struct Level {
    map: OnionMap<Vec<u8>>,
    stand: HullId,
    crouch: HullId,
}

impl Level {
    /// Compiles a sample map with everything that a file can hold, or with the trees alone.
    fn sample(name: &str, is_whole: bool) -> Self {
        let compiled = compiled(&sample_case(name).map, &HULLS, |options| {
            options.surfaces = is_whole;
            options.brushes = is_whole;
        });
        Self::load(compiled.bytes)
    }

    fn load(file: Vec<u8>) -> Self {
        let map = OnionMap::from_bytes(file).unwrap();
        let box_of = |height| Aabb::new([-16.0, -16.0, -24.0], [16.0, 16.0, height - 24.0]);
        let require = |name, bounds: Aabb<f64>| map.require_hull(name, bounds).unwrap();
        Self {
            stand: require("stand", box_of(56.0)),
            crouch: require("crouch", box_of(32.0)),
            map,
        }
    }

    /// Loads the sample map with a doorway: its door is model 1 (x -4 to 4), its lift model 2.
    fn door() -> Self {
        Self::sample("door", true)
    }
}
