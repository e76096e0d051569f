//! Times: rivals and lists of queries in, nanoseconds a query out. Rivals take turns, so other load on the machine
//! affects all of them; the best round of each counts.

use std::hint::black_box;
use std::time::Instant;

use crate::rival::{Contender, Question, Segment};

/// Every rival gets this many rounds; its best one counts.
const ROUNDS: usize = 5;

/// Number of queries between two evictions of the caches.
pub const GROUP: usize = 16;

/// Number of groups that each rival answers with cold caches; the median counts, because other load on the machine
/// affects some.
const GROUPS: usize = 48;

/// Number of bytes that are read to evict a map: more than the second- and third-level caches of common processors
/// hold.
const EVICTED: usize = 96 << 20;

/// Bytes of a cache line.
const LINE: usize = 64;

/// Measures the nanoseconds a query of each rival, with warm caches; slow rivals get the first part of the list.
pub fn warm(
    rivals: &mut [Box<dyn Contender + '_>],
    question: Question,
    list: &[Segment],
) -> Vec<f64> {
    let mut best = vec![f64::INFINITY; rivals.len()];
    for _ in 0..ROUNDS {
        for (rival, best) in rivals.iter_mut().zip(&mut best) {
            let queries = share(&**rival, list);
            let seconds = rival.time(question, queries);
            *best = best.min(seconds / queries.len() as f64 * 1e9);
        }
    }
    best
}

/// Returns the queries that a rival gets.
pub fn share<'a>(rival: &dyn Contender, list: &'a [Segment]) -> &'a [Segment] {
    &list[..list.len().div_ceil(rival.every())]
}

/// A buffer that is read until the caches hold nothing else.
pub struct Evictor(Vec<u8>);

impl Evictor {
    /// Allocates the buffer.
    pub fn new() -> Self {
        Self(vec![1; EVICTED])
    }

    fn evict(&self) {
        let lines = self.0.iter().step_by(LINE);
        black_box(lines.map(|&byte| u64::from(byte)).sum::<u64>());
    }

    /// Measures the nanoseconds a query of each rival, with cold caches before each group.
    pub fn cold(
        &self,
        rivals: &mut [Box<dyn Contender + '_>],
        question: Question,
        list: &[Segment],
    ) -> Vec<f64> {
        let mut times = vec![Vec::with_capacity(GROUPS); rivals.len()];
        for group in list.chunks_exact(GROUP).take(GROUPS) {
            for (rival, times) in rivals.iter_mut().zip(&mut times) {
                self.evict();
                times.push((rival.time(question, group) - clock_seconds()).max(0.0));
            }
        }
        let ns = |times: &mut Vec<f64>| median(times) / GROUP as f64 * 1e9;
        times.iter_mut().map(ns).collect()
    }
}

/// Returns the median of some times, or 0 if there are none.
fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(0.0)
}

/// Measures the time of two calls to the clock, in seconds.
fn clock_seconds() -> f64 {
    let looks = (0..8).map(|_| {
        let start = Instant::now();
        start.elapsed().as_secs_f64()
    });
    looks.fold(f64::INFINITY, f64::min)
}
