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

#[cfg(test)]
mod tests {
    use super::super::testing::row;
    use super::*;

    const SHELL: f64 = 0.001;

    /// Judges parts, given by their places along x, of a segment from -10 or 5 to 90 or 35.
    fn judge([from, to]: [f64; 2], y: f64, parts: &[(f64, f64)]) -> bool {
        let fraction = |x: f64| (x - from) / (to - from);
        let parts = Parts {
            start_solid: parts.first().is_some_and(|first| first.0 == from),
            solid: parts
                .iter()
                .map(|&(a, b)| (fraction(a), fraction(b)))
                .collect(),
        };
        sandwich_parts(&row(), [from, y, 5.0], [to, y, 5.0], &parts, SHELL).is_ok()
    }

    #[test]
    fn parts_may_be_off_by_the_shell_only() {
        let whole = [-10.0, 90.0];
        assert!(judge(whole, 5.0, &[(0.0, 20.0), (30.0, 40.0)]));
        assert!(judge(whole, 5.0, &[(0.0005, 20.0005), (29.9995, 39.9995)]));
        assert!(judge(
            whole,
            5.0,
            &[(0.0, 9.9995), (10.0005, 20.0), (30.0, 40.0)]
        ));
        for wrong in [
            vec![],
            vec![(0.0, 20.0)],
            vec![(30.0, 40.0)],
            vec![(0.0, 40.0)],
            vec![(0.0, 20.0), (30.0, 40.0), (50.0, 60.0)],
            vec![(0.0, 20.0), (25.0, 25.0), (30.0, 40.0)],
            vec![(0.0, 5.0), (5.0, 20.0), (30.0, 40.0)],
            vec![(0.0, 9.998), (10.0, 20.0), (30.0, 40.0)],
            vec![(0.002, 20.0), (30.0, 40.0)],
            vec![(0.0, 20.002), (30.0, 40.0)],
            vec![(0.0, 20.0), (30.0, 39.998)],
            vec![(30.0, 40.0), (0.0, 20.0)],
            vec![(0.0, 20.0), (30.0, f64::NAN)],
        ] {
            assert!(!judge(whole, 5.0, &wrong), "{wrong:?}");
        }
    }

    #[test]
    fn ends_in_solid() {
        assert!(judge([5.0, 35.0], 5.0, &[(5.0, 20.0), (30.0, 35.0)]));
        assert!(!judge([5.0, 35.0], 5.0, &[(5.5, 20.0), (30.0, 35.0)]));
        assert!(!judge([5.0, 35.0], 5.0, &[(5.0, 20.0), (30.0, 34.0)]));
        assert!(judge([5.0, 15.0], 5.0, &[(5.0, 15.0)]));
        assert!(!judge([21.0, 29.0], 5.0, &[(21.0, 29.0)]));
        assert!(judge([21.0, 29.0], 5.0, &[]));
    }

    #[test]
    fn what_lies_in_the_shell_may_be_anything() {
        let whole = [-10.0, 90.0];
        for y in [10.0005, 9.9995] {
            assert!(judge(whole, y, &[]));
            assert!(judge(whole, y, &[(0.0, 20.0)]));
            assert!(judge(whole, y, &[(3.0, 4.0), (31.0, 40.0)]));
            assert!(!judge(whole, y, &[(3.0, 4.0), (25.0, 26.0)]));
        }
        assert!(!judge(whole, 9.998, &[]));
        assert!(!judge(whole, 10.002, &[(0.0, 20.0)]));
    }
}
