//! Shapes and brushes in the form of `parry3d-f64`, and the verdict on two answers: the fractions of a motion before a
//! shape meets a brush in, counts of which of the two are right out.

use onion_tests::oracle::vec3::{V3, add, length, lerp, sub};
use onion_tests::oracle::{Body, Gap, Plane, vertices};
use onion_tests::queries::Segment;
use parry3d_f64::math::{Matrix, Pose, Rotation, Vector};
use parry3d_f64::query::{Ray, RayCast, ShapeCastOptions, cast_shapes};
use parry3d_f64::shape::{Ball, Capsule, ConvexPolyhedron, Cuboid, Shape};

/// Answers that differ by less than this count as the same, in units along the motion or across a surface: the
/// rival's iterations stop at some precision.
const OFF: f64 = 0.01;

/// Number of fractions at which the gap to a brush is computed, before a search between two of them.
const SAMPLES: usize = 32;

/// Number of steps in that search, each of which leaves two thirds of the interval.
const STEPS: usize = 60;

/// A brush, about its center.
pub struct Part {
    pub planes: Vec<Plane>,
    center: V3,
    /// Lower corner of its bounds.
    pub mins: V3,
    pub maxs: V3,
    /// `None` if the brush is too thin for the rival.
    pub polyhedron: Option<ConvexPolyhedron>,
}

impl Part {
    pub fn new(planes: Vec<Plane>) -> Option<Self> {
        let corners = vertices(&planes)?;
        let bound = |farther: fn(f64, f64) -> f64| {
            let bound = |a: V3, b: V3| std::array::from_fn(|axis| farther(a[axis], b[axis]));
            corners.iter().copied().reduce(bound)
        };
        let (mins, maxs) = (bound(f64::min)?, bound(f64::max)?);
        let center = lerp(mins, maxs, 0.5);
        let points = corners
            .iter()
            .map(|&corner| Vector::from_array(sub(corner, center)));
        let polyhedron = ConvexPolyhedron::from_convex_hull(&points.collect::<Vec<_>>());
        Some(Self {
            planes,
            center,
            mins,
            maxs,
            polyhedron,
        })
    }
}

/// A shape.
pub struct Rival {
    /// `None` for a ray.
    pub shape: Option<Box<dyn Shape>>,
    rotation: Rotation,
    /// The center of the shape, relative to the point that moves.
    center: V3,
}

impl Rival {
    /// Converts a shape. Returns `None` if the rival has no such shape: a box without one of its extents, a prism,
    /// or a set of corners.
    pub fn new(body: &Body) -> Option<Self> {
        let mut rotation = Rotation::IDENTITY;
        let (shape, center): (Option<Box<dyn Shape>>, _) = match *body {
            Body::Capsule {
                ends: [a, b],
                radius,
            } if a == b => (Some(Box::new(Ball::new(radius))), a),
            Body::Capsule { ends, radius } => {
                let [a, b] = ends.map(Vector::from_array);
                (Some(Box::new(Capsule::new(a, b, radius))), [0.0; 3])
            }
            Body::Box { center, half, .. } if half == [0.0; 3] => (None, center),
            Body::Box { half, .. } if half.contains(&0.0) => return None,
            Body::Cylinder { .. } | Body::Set(_) => return None,
            Body::Box { center, half, axes } => {
                let [x, y, z] = axes.map(Vector::from_array);
                rotation = Rotation::from_mat3(&Matrix::from_cols(x, y, z));
                (
                    Some(Box::new(Cuboid::new(Vector::from_array(half)))),
                    center,
                )
            }
        };
        Some(Self {
            shape,
            rotation,
            center,
        })
    }

    /// Returns the fraction of a motion before the shape meets a brush.
    pub fn cast(&self, part: &Part, [start, end]: Segment) -> Option<f64> {
        let polyhedron = part.polyhedron.as_ref()?;
        let at = Vector::from_array(sub(add(start, self.center), part.center));
        let step = Vector::from_array(sub(end, start));
        let Some(shape) = &self.shape else {
            return polyhedron.cast_local_ray(&Ray::new(at, step), 1.0, true);
        };
        let options = ShapeCastOptions {
            max_time_of_impact: 1.0,
            target_distance: 0.0,
            stop_at_penetration: true,
            compute_impact_geometry_on_penetration: false,
        };
        let hit = cast_shapes(
            &Pose::IDENTITY,
            Vector::ZERO,
            polyhedron,
            &Pose::from_parts(at, self.rotation),
            step,
            &**shape,
            options,
        );
        hit.unwrap().map(|hit| hit.time_of_impact)
    }
}

/// Counts of the verdicts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Score {
    pub same: usize,
    pub hits: usize,
    /// The two differ, and the gaps allow both: a graze.
    pub both_right: usize,
    pub parry_early: usize,
    pub parry_late: usize,
    pub ours_wrong: usize,
    /// Largest distance by which parry reports a hit too early, in units.
    pub earliest: f64,
}

impl Score {
    /// Compares the fractions of a motion before a shape meets a brush, by us and by the rival.
    pub fn of(
        motion: Segment,
        ours: Option<f64>,
        theirs: Option<f64>,
        gaps: impl FnOnce() -> Vec<Gap>,
    ) -> Self {
        let mut score = Self {
            hits: usize::from(ours.is_some()),
            ..Self::default()
        };
        let far = length(sub(motion[1], motion[0]));
        let is_same = match (ours, theirs) {
            (Some(ours), Some(theirs)) => (ours - theirs).abs() * far <= OFF,
            (ours, theirs) => ours.is_none() && theirs.is_none(),
        };
        if is_same {
            score.same = 1;
            return score;
        }
        let gaps = gaps();
        score.ours_wrong = usize::from(judge(&gaps, motion, ours) != Verdict::Right);
        match judge(&gaps, motion, theirs) {
            Verdict::Right => score.both_right = 1,
            Verdict::Early => {
                score.parry_early = 1;
                score.earliest = (ours.unwrap_or(1.0) - theirs.unwrap_or(1.0)) * far;
            }
            Verdict::Late => score.parry_late = 1,
        }
        score
    }

    pub fn merge(self, other: Self) -> Self {
        Self {
            same: self.same + other.same,
            hits: self.hits + other.hits,
            both_right: self.both_right + other.both_right,
            parry_early: self.parry_early + other.parry_early,
            parry_late: self.parry_late + other.parry_late,
            ours_wrong: self.ours_wrong + other.ours_wrong,
            earliest: self.earliest.max(other.earliest),
        }
    }

    /// Returns the number of answers that were compared.
    pub fn count(&self) -> usize {
        self.same + self.both_right + self.parry_early + self.parry_late
    }
}

/// The verdict on the claim that a motion is free up to a fraction and meets a brush there, or is free all the way:
/// it is right, the meeting is in mid-air, or the shape is inside before.
#[derive(PartialEq)]
enum Verdict {
    Right,
    Early,
    Late,
}

fn judge(gaps: &[Gap], [start, end]: Segment, claim: Option<f64>) -> Verdict {
    let free = claim.unwrap_or(1.0);
    let stop = lerp(start, end, free);
    if claim != Some(0.0) && gaps.iter().any(|gap| least(gap, [start, stop]) < -OFF) {
        return Verdict::Late;
    }
    let touches = |gap: &Gap| gap.at(stop) <= OFF;
    if claim.is_some() && !gaps.iter().any(touches) {
        return Verdict::Early;
    }
    Verdict::Right
}

/// Finds the least gap of a motion, along which it is convex.
fn least(gap: &Gap, [start, end]: Segment) -> f64 {
    let at = |fraction: f64| gap.at(lerp(start, end, fraction));
    let fraction = |sample: usize| sample as f64 / SAMPLES as f64;
    let samples = (0..=SAMPLES).map(|sample| (at(fraction(sample)), sample));
    let (mut least, best) = samples.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
    let (mut low, mut high) = (
        fraction(best.saturating_sub(1)),
        fraction((best + 1).min(SAMPLES)),
    );
    for _ in 0..STEPS {
        let [a, b] = [low + (high - low) / 3.0, high - (high - low) / 3.0];
        let gaps = [a, b].map(at);
        least = least.min(gaps[0]).min(gaps[1]);
        if gaps[0] < gaps[1] { high = b } else { low = a }
    }
    least
}
