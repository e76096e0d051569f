//! Loading: a file in, the time to check it relative to the time to sum its bytes out, both with warm caches, the
//! best of some rounds.

use std::hint::black_box;
use std::time::Instant;

use onion_runtime::OnionMap;
use serde::Serialize;

/// Number of rounds; the best one counts.
const ROUNDS: usize = 9;

/// The cost of loading one file.
#[derive(Clone, Debug, Serialize)]
pub struct Loading {
    /// File name of the map.
    pub map: String,
    /// Number of nodes in all trees.
    pub nodes: usize,
    /// Size of the file, in bytes.
    pub bytes: usize,
    /// Milliseconds to load it.
    pub ms: f64,
    /// Loading time relative to the time to sum the file's bytes one by one.
    pub over_sum: f64,
}

impl Loading {
    /// Loads a file repeatedly.
    pub fn measure(map: &str, file: &[u8], nodes: usize) -> Self {
        let best = |what: &dyn Fn()| {
            let rounds = (0..ROUNDS).map(|_| {
                let start = Instant::now();
                what();
                start.elapsed().as_secs_f64() * 1e3
            });
            rounds.fold(f64::INFINITY, f64::min)
        };
        let ms = best(&|| _ = black_box(OnionMap::from_bytes(black_box(file))));
        let sum = best(&|| {
            let bytes = black_box(file).iter();
            black_box(bytes.map(|&byte| u64::from(byte)).sum::<u64>());
        });
        Self {
            map: map.to_owned(),
            nodes,
            bytes: file.len(),
            ms,
            over_sum: ms / sum,
        }
    }
}
