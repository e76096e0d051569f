//! Times of traces: queries of a hull and two files that contain the hull in, the ratio of their times out. The two
//! files take turns, so that other load on the machine slows both.

use std::hint::black_box;
use std::time::Instant;

use onion_runtime::{HullId, OnionMap};
use onion_tests::queries::along;
use onion_tests::random::Random;

/// Segments, start and end.
pub type Segments = Vec<[[f32; 3]; 2]>;

/// Number of rounds for each file; the best time counts.
const ROUNDS: usize = 5;

/// Number of moves of an agent before another one takes its turn.
const MOVES: usize = 32;

/// Queries of one hull.
pub struct Queries {
    /// Moves of 1 to 64 units by agents that walk along the floor, one agent after the other.
    pub walks: Segments,
    /// Shots from empty places in any direction, 8,192 units long.
    pub shots: Segments,
}

impl Queries {
    /// Makes queries for the only hull of a file.
    pub fn new(map: OnionMap<&[u8]>, [mins, maxs]: [[f64; 3]; 2], n_queries: usize) -> Self {
        let mut random = Random::new(1);
        let Some(hull) = map.hulls().next() else {
            unreachable!("a file has a hull");
        };
        let empty_place = |random: &mut Random| {
            let places = (0..1000).map(|_| random.point(mins, maxs).map(|x| x as f32));
            let mut places = places.filter(|place| !map.world().is_solid(hull.id, *place));
            places.next().unwrap_or([0.0; 3])
        };
        let mut walks = Segments::with_capacity(n_queries);
        while walks.len() < n_queries {
            let start = empty_place(&mut random);
            let below = [start[0], start[1], start[2] - 4096.0];
            let mut at = map.world().trace(hull.id, start, below).end_pos;
            for _ in 0..MOVES {
                let angle = random.between(0.0, std::f64::consts::TAU);
                let direction = [angle.cos(), angle.sin(), random.between(-0.3, 0.1)];
                let end = along(at.map(f64::from), direction, random.between(1.0, 64.0));
                let end = end.map(|x| x as f32);
                walks.push([at, end]);
                at = map.world().trace(hull.id, at, end).end_pos;
            }
        }
        let shot = |_| {
            let start = empty_place(&mut random);
            let end = along(start.map(f64::from), random.direction(), 8192.0);
            [start, end.map(|x| x as f32)]
        };
        let shots = (0..n_queries).map(shot).collect();
        Self { walks, shots }
    }
}

/// Returns the time of traces in a file relative to the same traces in the hull's own file.
pub fn trace_ratio(
    (file, hull): (OnionMap<&[u8]>, HullId),
    own: OnionMap<&[u8]>,
    queries: &Segments,
) -> f64 {
    let Some(own_hull) = own.hulls().next() else {
        unreachable!("a file has a hull");
    };
    let mut best = [f64::INFINITY; 2];
    for _ in 0..ROUNDS {
        for (best, (map, hull)) in best.iter_mut().zip([(file, hull), (own, own_hull.id)]) {
            let start = Instant::now();
            for [from, to] in queries {
                black_box(map.world().trace(hull, *from, *to).hit_fraction);
            }
            *best = best.min(start.elapsed().as_secs_f64());
        }
    }
    best[0] / best[1]
}
