//! The sandwich rule for all solid parts of a segment.
//!
//! In: a world, a segment, the parts of it that the tested program says are solid, the shell's thickness. Out: if no
//! solids within the shell could give them, a sentence that says why. Method: the parts cover the segment's parts in
//! the shrunk solids, and the grown ones cover the parts; each part begins where the segment may enter one of the
//! solids and ends where it may leave one, which is where the reversed segment enters.

use super::sandwich::windows;
use super::vec3::{V3, length, sub};
use super::world::HullWorld;

/// Parts shorter than this may be missing or may be joined across, in units: 2^-24 along the longest axis, on a
/// diagonal, and rounding error.
const SHORTEST: f64 = 2e-7;

/// The tested program's answer about a whole segment.
#[derive(Clone, Debug, PartialEq)]
pub struct Parts {
    /// Whether the start is inside.
    pub start_solid: bool,
    /// The solid parts as ascending, disjoint fractions.
    pub solid: Vec<(f64, f64)>,
}

/// Judges the solid parts of a segment; `shell` is in units, usually 0.001.
pub fn sandwich_parts(
    world: &HullWorld,
    start: V3,
    end: V3,
    parts: &Parts,
    shell: f64,
) -> Result<(), String> {
    check(world, start, end, parts, shell).map_err(|why| {
        format!(
            "{why}\n  segment {start:?} to {end:?}\n  answer {parts:?}\n  grown  {:?}\n  exact  \
             {:?}\n  shrunk {:?}",
            world.intervals(start, end, shell),
            world.intervals(start, end, 0.0),
            world.intervals(start, end, -shell)
        )
    })
}

fn check(world: &HullWorld, start: V3, end: V3, parts: &Parts, shell: f64) -> Result<(), String> {
    let Parts { start_solid, solid } = parts;
    let slack = SHORTEST / length(sub(end, start)).max(SHORTEST);
    let ordered = solid.is_sorted_by(|a, b| a.1 <= b.0);
    let are_fractions = |&(from, to): &(f64, f64)| 0.0 <= from && from <= to && to <= 1.0;
    if !ordered || !solid.iter().all(are_fractions) {
        return Err("the parts are no ascending fractions".into());
    }
    if *start_solid && solid.first().is_none_or(|first| first.0 > 0.0) {
        return Err("the start is solid, but no part begins there".into());
    }
    let (grown_start, grown) = world.intervals(start, end, shell);
    let (shrunk_start, shrunk) = world.intervals(start, end, -shell);
    if *start_solid && !grown_start {
        return Err("the start is outside, by more than the shell".into());
    }
    if !*start_solid && shrunk_start {
        return Err("the start is inside, by more than the shell".into());
    }
    if longest_gap(&shrunk, solid) > slack {
        return Err("the parts leave out some of the shrunk solids".into());
    }
    if longest_gap(solid, &grown) > slack {
        return Err("the parts reach out of the grown solids".into());
    }
    let entries = windows(world, start, end, shell);
    let leaves = windows(world, end, start, shell);
    let begins = |t: f64| {
        entries
            .iter()
            .any(|&(_, lo, hi)| lo - slack <= t && t <= hi + slack)
    };
    let ends = |t: f64| {
        leaves
            .iter()
            .any(|&(_, lo, hi)| lo - slack <= 1.0 - t && 1.0 - t <= hi + slack)
    };
    for (number, &(from, to)) in solid.iter().enumerate() {
        let is_start = number == 0 && *start_solid;
        if !is_start && !begins(from) {
            return Err(format!("no solid is entered at {from}"));
        }
        if to < 1.0 && !ends(to) {
            return Err(format!("no solid is left at {to}"));
        }
    }
    Ok(())
}

/// Returns the longest stretch of some intervals that others do not cover; both ascend.
fn longest_gap(intervals: &[(f64, f64)], covers: &[(f64, f64)]) -> f64 {
    let gap_in = |&(from, to): &(f64, f64)| {
        let mut covered = from;
        let mut longest: f64 = 0.0;
        for cover in covers.iter().filter(|cover| cover.1 > from && cover.0 < to) {
            longest = longest.max(cover.0 - covered);
            covered = covered.max(cover.1);
        }
        longest.max(to - covered)
    };
    intervals.iter().map(gap_in).fold(0.0, f64::max)
}
