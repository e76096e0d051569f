//! Facts about which answers are close enough: rows of boxes and random worlds in; right answers accepted and wrong
//! ones refused out.

use super::testing::{random_world, row};
use onion_tests::oracle::sandwich::*;
use onion_tests::oracle::vec3::{length, sub};
use onion_tests::random::Random;

const SHELL: f64 = 0.001;

fn judge(
    x: (f64, f64),
    y: f64,
    flags: (bool, bool),
    hit: Option<f64>,
) -> Result<Differences, String> {
    let answer = Answer {
        start_solid: flags.0,
        all_solid: flags.1,
        hit: hit.map(|at| (at - x.0) / (x.1 - x.0)),
    };
    sandwich(&row(), [x.0, y, 5.0], [x.1, y, 5.0], answer, SHELL)
}

const FREE: (bool, bool) = (false, false);
const INSIDE: (bool, bool) = (true, false);

#[test]
fn a_hit_may_be_off_by_the_shell_only() {
    let ok = judge((-10.0, 50.0), 5.0, FREE, Some(-0.0005)).expect("within the shell");
    assert!((ok.perpendicular - 0.0005).abs() < 1e-9);
    assert!((ok.along_ray.expect("both hit") + 0.0005).abs() < 1e-9);
    assert!(!ok.flags_differ);
    for wrong in [-0.002, 0.002, 10.0, 20.0, 30.0] {
        let judged = judge((-10.0, 50.0), 5.0, FREE, Some(wrong));
        assert!(judged.is_err(), "{wrong}");
    }
    assert!(judge((-10.0, 50.0), 5.0, FREE, None).is_err());
    assert!(judge((-10.0, 50.0), 5.0, INSIDE, Some(30.0)).is_err());
    assert!(judge((21.0, 29.0), 5.0, FREE, None).is_ok());
    assert!(judge((21.0, 29.0), 5.0, FREE, Some(25.0)).is_err());
}

#[test]
fn sliding_may_hit_or_not_but_only_there() {
    for hit in [None, Some(0.0), Some(5.0), Some(30.0)] {
        assert!(judge((-10.0, 50.0), 10.0005, FREE, hit).is_ok(), "{hit:?}");
        assert!(judge((-10.0, 50.0), 9.9995, FREE, hit).is_ok(), "{hit:?}");
        assert!(judge((-10.0, 50.0), 10.0015, FREE, hit).is_ok() == hit.is_none());
    }
    assert!(judge((-10.0, 50.0), 10.0, FREE, Some(-0.1)).is_err());
    assert!(judge((-10.0, 50.0), 10.0, FREE, Some(25.0)).is_err());
    assert!(judge((-10.0, 50.0), 9.9985, FREE, None).is_err());
    let missed = judge((-10.0, 50.0), 9.9995, FREE, None).expect("within the shell");
    assert!((missed.perpendicular - 0.0005).abs() < 1e-9 && missed.along_ray.is_none());
}

#[test]
fn starting_inside() {
    assert!(judge((5.0, 50.0), 5.0, INSIDE, Some(30.0)).is_ok());
    // The exit is not a hit.
    assert!(judge((5.0, 50.0), 5.0, INSIDE, Some(20.0)).is_err());
    assert!(judge((5.0, 50.0), 5.0, INSIDE, None).is_err());
    assert!(judge((5.0, 50.0), 5.0, FREE, Some(30.0)).is_err());
    assert!(judge((5.0, 25.0), 5.0, INSIDE, None).is_ok());
    assert!(judge((5.0, 25.0), 5.0, (true, true), None).is_err());
    assert!(judge((5.0, 15.0), 5.0, (true, true), None).is_ok());
    assert!(judge((5.0, 15.0), 5.0, (true, true), Some(5.0)).is_ok());
    assert!(judge((5.0, 8.0), 5.0, INSIDE, None).is_err());
    // Ends in the shell.
    assert!(judge((5.0, 20.0005), 5.0, (true, true), None).is_ok());
    assert!(judge((5.0, 20.0005), 5.0, INSIDE, None).is_ok());
}

#[test]
fn starting_in_the_shell_accepts_either_flag() {
    for x in [20.0005, 19.9995] {
        for flags in [FREE, INSIDE] {
            let judged = judge((x, 50.0), 5.0, flags, Some(30.0));
            assert!(judged.is_ok(), "{x} {flags:?}");
            assert!(judge((x, 50.0), 5.0, flags, None).is_err());
            assert!(judge((x, 50.0), 5.0, flags, Some(29.0)).is_err());
        }
    }
    for x in [-0.0005, 0.0005] {
        assert!(judge((x, 25.0), 5.0, FREE, Some(x)).is_ok());
        assert!(judge((x, 25.0), 5.0, FREE, Some(30.0)).is_err());
        assert!(judge((x, 25.0), 5.0, INSIDE, None).is_ok());
        assert!(judge((x, 25.0), 5.0, FREE, None).is_err());
    }
}

#[test]
fn malformed_answers_and_points() {
    assert!(judge((-10.0, 50.0), 5.0, FREE, Some(f64::NAN)).is_err());
    assert!(judge((-10.0, 50.0), 5.0, FREE, Some(51.0)).is_err());
    assert!(judge((5.0, 15.0), 5.0, (false, true), None).is_err());
    assert!(judge((5.0, 5.0), 5.0, (true, true), None).is_ok());
    assert!(judge((5.0, 5.0), 5.0, FREE, None).is_err());
    assert!(judge((25.0, 25.0), 5.0, FREE, None).is_ok());
}

#[test]
fn answers_of_any_world_within_the_shell_pass_and_worse_ones_fail() {
    let mut random = Random::new(11);
    let (mut hits, mut caught) = (0, 0);
    for _ in 0..30 {
        let w = random_world(&mut random, 40, 50.0, ([-8.0; 3], [8.0; 3]));
        for _ in 0..200 {
            let start = random.point([-250.0; 3], [250.0; 3]);
            let end = random.point([-250.0; 3], [250.0; 3]);
            for grow in [-0.5, -0.0009, 0.0, 0.0009, 0.5] {
                let answer = Answer::from(w.trace(start, end, grow * 2.0 * SHELL));
                let found = sandwich(&w, start, end, answer, 0.0011);
                assert!(found.is_ok(), "{}", found.unwrap_err());
            }
            let answer = Answer::from(w.trace(start, end, 0.0));
            for moved in [-0.1, 0.1] {
                let len = length(sub(end, start));
                let hit = answer.hit.map(|t| (t + moved / len).clamp(0.0, 1.0));
                if hit.is_some() {
                    hits += 1;
                    let worse = Answer { hit, ..answer };
                    caught += usize::from(sandwich(&w, start, end, worse, SHELL).is_err());
                }
            }
        }
    }
    assert!(
        hits > 3000 && caught * 100 > hits * 95,
        "{caught} of {hits}"
    );
}
