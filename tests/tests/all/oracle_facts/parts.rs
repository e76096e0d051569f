//! Facts about answers over parts of a segment, worked out by hand: rows of boxes in; whether an answer agrees with
//! them out.

use super::testing::row;
use onion_tests::oracle::parts::*;

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
