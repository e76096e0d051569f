//! Shapes against one brush, compared with the shape casts of crate `parry3d-f64`, an iterative method. Where the two
//! differ by more than [`OFF`], the gap along the motion decides which is correct.

use onion_runtime::shape::cast;
use onion_tests::effort::Cases;
use onion_tests::moves::{KINDS, Mover};
use onion_tests::oracle::vec3::{V3, dot, length, lerp, sub};
use onion_tests::oracle::{Body, Gap};
use onion_tests::random::Random;
use onion_tests::solid::{Solid, random_planes};
use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::query::{ShapeCastOptions, cast_shapes};
use parry3d_f64::shape::{Ball, Capsule, ConvexPolyhedron, Cuboid, Shape};
use rayon::prelude::*;

/// Number of motions, unless the environment says otherwise.
const CASES: Cases = Cases::new(30_000, 200_000);

/// Number of motions of each shape past a brush.
const MOTIONS: usize = 20;

/// Answers that differ by less than this count as the same, in units along the motion or across a surface: the
/// rival's iterations stop at some precision.
const OFF: f64 = 0.01;

/// Number of fractions at which the gap is computed.
const SAMPLES: usize = 2_000;

/// Counts of the verdicts.
#[derive(Clone, Copy, Debug, Default)]
struct Score {
    same: usize,
    /// The two differ, and the gap allows both: a graze.
    both_right: usize,
    parry_early: usize,
    parry_late_or_missed: usize,
    ours_wrong: usize,
    /// Largest distance by which parry reports a hit too early, in units.
    earliest: f64,
}

impl Score {
    fn merge(self, other: Self) -> Self {
        Self {
            same: self.same + other.same,
            both_right: self.both_right + other.both_right,
            parry_early: self.parry_early + other.parry_early,
            parry_late_or_missed: self.parry_late_or_missed + other.parry_late_or_missed,
            ours_wrong: self.ours_wrong + other.ours_wrong,
            earliest: self.earliest.max(other.earliest),
        }
    }
}

/// A shape and a brush in the form of `parry3d`: relative to a corner of the brush, and turned so that a box is
/// axial.
struct Parry {
    polyhedron: ConvexPolyhedron,
    shape: Box<dyn Shape>,
    origin: V3,
    center: V3,
    axes: [V3; 3],
}

impl Parry {
    /// Converts a brush and a shape. Returns `None` if `parry3d` has no shape for it: points and bare segments are
    /// casts of nothing.
    fn new(solid: &Solid, mover: &Mover) -> Option<Self> {
        let mut axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let mut center = [0.0; 3];
        let shape: Box<dyn Shape> = match mover.body {
            Body::Capsule {
                ends: [a, b],
                radius,
            } if a == b => {
                center = a;
                Box::new(Ball::new(radius))
            }
            Body::Capsule { ends, radius } => {
                let [a, b] = ends.map(Vector::from_array);
                Box::new(Capsule::new(a, b, radius))
            }
            Body::Box { half, .. } if half.contains(&0.0) => return None,
            Body::Box {
                center: middle,
                half,
                axes: own,
            } => {
                (center, axes) = (middle, own);
                Box::new(Cuboid::new(Vector::from_array(half)))
            }
        };
        let origin = solid.vertices[0];
        let turn = |v: V3| Vector::from_array(axes.map(|axis| dot(axis, v)));
        let corners = solid
            .vertices
            .iter()
            .map(|&corner| turn(sub(corner, origin)));
        let polyhedron = ConvexPolyhedron::from_convex_hull(&corners.collect::<Vec<_>>())?;
        Some(Self {
            polyhedron,
            shape,
            origin,
            center,
            axes,
        })
    }

    /// Returns the fraction of a motion before the shape meets the brush.
    fn cast(&self, [start, end]: [V3; 2]) -> Option<f64> {
        let turn = |v: V3| Vector::from_array(self.axes.map(|axis| dot(axis, v)));
        let at = turn(sub(start, self.origin)) + turn(self.center);
        let options = ShapeCastOptions {
            max_time_of_impact: 1.0,
            target_distance: 0.0,
            stop_at_penetration: true,
            compute_impact_geometry_on_penetration: false,
        };
        let hit = cast_shapes(
            &Pose::IDENTITY,
            Vector::ZERO,
            &self.polyhedron,
            &Pose::from_translation(at),
            turn(sub(end, start)),
            &*self.shape,
            options,
        );
        hit.unwrap().map(|hit| hit.time_of_impact)
    }
}

/// The verdict on the claim that a motion is free up to a fraction and meets the brush there, or is free all the way:
/// it is right, the meeting is in mid-air, or the shape is inside before.
#[derive(PartialEq)]
enum Verdict {
    Right,
    Early,
    Late,
}

fn judge(gap: &Gap, [start, end]: [V3; 2], claim: Option<f64>) -> Verdict {
    let gap_at = |fraction| gap.at(lerp(start, end, fraction));
    let free = claim.unwrap_or(1.0);
    let deepest = (0..=SAMPLES)
        .map(|sample| gap_at(free * sample as f64 / SAMPLES as f64))
        .fold(f64::INFINITY, f64::min);
    match claim {
        _ if claim != Some(0.0) && deepest < -OFF => Verdict::Late,
        Some(fraction) if gap_at(fraction) > OFF => Verdict::Early,
        _ => Verdict::Right,
    }
}

fn compare(number: usize) -> [Score; KINDS.len()] {
    let mut scores = [Score::default(); KINDS.len()];
    let mut random = Random::new(number as u64 ^ 0x9a44);
    let Some(solid) = Solid::new(&random_planes(&mut random)) else {
        return scores;
    };
    for (kind, score) in scores.iter_mut().enumerate() {
        let mover = Mover::random(kind, &solid, &mut random);
        let Some(parry) = Parry::new(&solid, &mover) else {
            continue;
        };
        let Some(gap) = Gap::new(&solid.planes(), &mover.body) else {
            continue;
        };
        for _ in 0..MOTIONS {
            let motion = mover.motion(&solid, &mut random);
            let [start, end] = motion;
            let far = length(sub(end, start));
            if far == 0.0 {
                // It then finds nothing, wherever the shape is.
                continue;
            }
            let ours = cast(&mover.shape, start, end, &solid).map(|contact| contact.enter);
            let theirs = parry.cast(motion);
            let same = match (ours, theirs) {
                (Some(ours), Some(theirs)) => (ours - theirs).abs() * far <= OFF,
                (ours, theirs) => ours.is_none() && theirs.is_none(),
            };
            if same {
                score.same += 1;
                continue;
            }
            if judge(&gap, motion, ours) != Verdict::Right {
                println!(
                    "brush {number}, {}: {ours:?} is wrong in {motion:?}",
                    KINDS[kind]
                );
                score.ours_wrong += 1;
            }
            match judge(&gap, motion, theirs) {
                Verdict::Right => score.both_right += 1,
                Verdict::Early => {
                    score.parry_early += 1;
                    let early = ours.unwrap_or(1.0) - theirs.unwrap_or(1.0);
                    score.earliest = score.earliest.max(early * far);
                }
                Verdict::Late => score.parry_late_or_missed += 1,
            }
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
    let mut n_same = 0;
    let mut n_compared = 0;
    for (kind, score) in KINDS.iter().zip(&scores) {
        println!("{kind}: {score:?}");
        assert_eq!(score.ours_wrong, 0, "{kind}");
        n_same += score.same;
        n_compared +=
            score.same + score.both_right + score.parry_early + score.parry_late_or_missed;
    }
    // If only a few were the same, the others would prove nothing.
    assert!(
        n_same > n_compared * 9 / 10 && n_compared > n_cases / 3,
        "{n_same} {n_compared}"
    );
}
