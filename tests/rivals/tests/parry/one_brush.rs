//! Shapes against one brush: random brushes, shapes of every kind and size, and motions of which most touch or nearly
//! touch the brush.

use onion_runtime::shape::cast;
use onion_tests::effort::Cases;
use onion_tests::moves::{KINDS, Mover};
use onion_tests::oracle::Gap;
use onion_tests::random::Random;
use onion_tests::solid::{Solid, random_planes};
use rayon::prelude::*;

use crate::rival::{Part, Rival, Score};

/// Number of motions, unless the environment says otherwise.
const CASES: Cases = Cases::new(30_000, 200_000);

/// Number of motions of each shape past a brush.
const MOTIONS: usize = 20;

fn compare(number: usize) -> [Score; KINDS.len()] {
    let mut scores = [Score::default(); KINDS.len()];
    let mut random = Random::new(number as u64 ^ 0x9a44);
    let Some(solid) = Solid::new(&random_planes(&mut random)) else {
        return scores;
    };
    let part = Part::new(solid.planes()).filter(|part| part.polyhedron.is_some());
    let Some(part) = part else {
        return scores;
    };
    for (kind, score) in scores.iter_mut().enumerate() {
        let mover = Mover::random(kind, &solid, &mut random);
        // Points and bare segments are casts of nothing.
        let rival = Rival::new(&mover.body).filter(|rival| rival.shape.is_some());
        let gap = || Gap::new(&part.planes, &mover.body);
        let Some((rival, _)) = rival.zip(gap()) else {
            continue;
        };
        for _ in 0..MOTIONS {
            let motion = mover.motion(&solid, &mut random);
            let [start, end] = motion;
            if start == end {
                // It then finds nothing, wherever the shape is.
                continue;
            }
            let ours = cast(&mover.shape, start, end, &solid).map(|contact| contact.enter);
            let theirs = rival.cast(&part, motion);
            let found = Score::of(motion, ours, theirs, || gap().into_iter().collect());
            if found.ours_wrong > 0 {
                let kind = KINDS[kind];
                println!("brush {number}, {kind}: {ours:?} is wrong in {motion:?}");
            }
            *score = score.merge(found);
        }
    }
    scores
}

#[test]
fn where_parry_differs_the_gap_says_that_it_is_wrong() {
    let n_cases = CASES.count();
    let n_brushes = n_cases.div_ceil(KINDS.len() * MOTIONS);
    let scores = (0..n_brushes).into_par_iter().map(compare);
    let scores = scores.reduce(
        || [Score::default(); KINDS.len()],
        |a, b| std::array::from_fn(|kind| a[kind].merge(b[kind])),
    );
    for (kind, score) in KINDS.iter().zip(&scores) {
        println!("{kind}: {score:?}");
        assert_eq!(score.ours_wrong, 0, "{kind}");
    }
    // If only a few were the same, the others would prove nothing.
    let all = scores.into_iter().fold(Score::default(), Score::merge);
    let is_enough = all.count() > n_cases / 3;
    assert!(all.same > all.count() * 9 / 10 && is_enough, "{all:?}");
}
