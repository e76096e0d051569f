//! Shapes of any size among all brushes of a map, compared with the shape casts of crate `parry3d-f64`, an iterative
//! method. Where the two differ by more than [`OFF`], the gaps along the motion decide which is correct.

use onion_runtime::OnionMap;
use onion_runtime::shape::{Shape, ShapeTrace};
use onion_tests::effort::Cases;
use onion_tests::maps::{RealMap, all_maps};
use onion_tests::oracle::vec3::{V3, add, length, lerp, scale, sub};
use onion_tests::oracle::{Body, Gap, Plane, vertices};
use onion_tests::queries::{KINDS, Queries, Segment};
use onion_tests::random::Random;
use onion_tests::subject::{self, OracleWorlds};
use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::query::{Ray, RayCast, ShapeCastOptions, cast_shapes};
use parry3d_f64::shape as parry;
use rayon::prelude::*;

/// Number of motions, unless the environment says otherwise.
const CASES: Cases = Cases::new(20_000, 60_000);

/// Contents of brushes in maps: solid, and player clip.
const SOLID: u32 = 1;
const PLAYERCLIP: u32 = 0x1_0000;

/// Distance to keep from the surface that is hit, in units.
const MARGIN: f64 = 1.0 / 32.0;

/// Answers that differ from `parry3d-f64`'s by less than this count as the same, in units: its iterations stop at
/// some precision.
const OFF: f64 = 0.01;

/// Number of fractions at which the gap to a brush is computed, before a search between two of them.
const SAMPLES: usize = 32;

/// Number of steps in that search, each of which leaves two thirds of the interval.
const STEPS: usize = 60;

const AXES: [V3; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// Returns the planes of a brush of a file, without bevels.
fn faces(onion: &OnionMap<impl AsRef<[u8]>>, brush: u32) -> Vec<Plane> {
    let faces = onion.inspect().sides(brush).filter(|side| !side.is_bevel);
    faces.map(|side| (side.normal, side.dist)).collect()
}

#[test]
fn other_shapes_agree_with_another_method_or_it_is_wrong() {
    let maps = all_maps();
    let n_cases = CASES.count().div_ceil(maps.len());
    let mut all = [Score::default(); MOVERS.len()];
    for map in &maps {
        let of_map = compare_with_parry(map, n_cases);
        let total = of_map.into_iter().fold(Score::default(), Score::merge);
        println!("{}: {total:?}", map.name);
        all = std::array::from_fn(|kind| all[kind].merge(of_map[kind]));
    }
    for (kind, score) in MOVERS.iter().zip(&all) {
        println!("{kind}: {score:?}");
        assert_eq!(score.ours_wrong, 0, "{kind}");
        // If only a few were the same, the others would prove nothing.
        let n_all = score.same + score.both_right + score.parry_early + score.parry_late;
        assert!(
            score.same * 10 > n_all * 7 && score.hits * 10 > n_all,
            "{kind}"
        );
    }
}

/// The kinds of shapes that are compared.
const MOVERS: [&str; 5] = ["ray", "ball", "capsule", "box", "turned box"];

/// Counts of the verdicts.
#[derive(Clone, Copy, Debug, Default)]
struct Score {
    same: usize,
    hits: usize,
    /// The two differ, and the gaps allow both: a graze.
    both_right: usize,
    parry_early: usize,
    parry_late: usize,
    ours_wrong: usize,
}

impl Score {
    fn merge(self, other: Self) -> Self {
        Self {
            same: self.same + other.same,
            hits: self.hits + other.hits,
            both_right: self.both_right + other.both_right,
            parry_early: self.parry_early + other.parry_early,
            parry_late: self.parry_late + other.parry_late,
            ours_wrong: self.ours_wrong + other.ours_wrong,
        }
    }
}

/// A brush in the rival's form, about its center.
struct Part {
    planes: Vec<Plane>,
    center: V3,
    /// Lower corner of its bounds.
    mins: V3,
    maxs: V3,
    /// `None` if the brush is too thin for the rival.
    polyhedron: Option<parry::ConvexPolyhedron>,
}

impl Part {
    fn new(planes: Vec<Plane>) -> Option<Self> {
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
        let polyhedron = parry::ConvexPolyhedron::from_convex_hull(&points.collect::<Vec<_>>());
        Some(Self {
            planes,
            center,
            mins,
            maxs,
            polyhedron,
        })
    }

    /// Whether a moving box may touch the brush: slabs, slightly expanded.
    fn is_near(&self, [start, end]: Segment, (mins, maxs): (V3, V3)) -> bool {
        let (mut from, mut to) = (0.0f64, 1.0f64);
        for axis in 0..3 {
            let [low, high] = [
                self.mins[axis] - maxs[axis] - 1.0,
                self.maxs[axis] - mins[axis] + 1.0,
            ];
            let step = end[axis] - start[axis];
            if step == 0.0 {
                if start[axis] < low || start[axis] > high {
                    return false;
                }
                continue;
            }
            let [a, b] = [low, high].map(|bound| (bound - start[axis]) / step);
            (from, to) = (from.max(a.min(b)), to.min(a.max(b)));
        }
        from <= to
    }
}

/// A shape for the runtime, for the rival and for the oracle.
struct Mover {
    shape: Shape,
    body: Body,
    /// `None` for a ray.
    parry: Option<Box<dyn parry::Shape>>,
    pose: Pose,
    /// The center of the rival's shape, relative to the point that moves.
    center: V3,
}

impl Mover {
    /// Makes a random shape, from 1 to 40 units large.
    // Long: one arm for each kind of shape.
    fn random(kind: &str, random: &mut Random) -> Self {
        let center = random.point([-20.0; 3], [20.0; 3]);
        let radius = random.between(1.0, 40.0);
        let half = random.point([1.0; 3], [40.0; 3]);
        let turn = match kind {
            "turned box" => scale(random.direction(), random.between(0.0, 3.0)),
            _ => [0.0; 3],
        };
        let pose = Pose::new(Vector::ZERO, Vector::from_array(turn));
        let axes = AXES.map(|axis| pose.transform_vector(Vector::from_array(axis)).to_array());
        let cuboid = || Box::new(parry::Cuboid::new(Vector::from_array(half)));
        let (shape, body, parry, center): (_, _, Option<Box<dyn parry::Shape>>, _) = match kind {
            "ray" => {
                let body = Body::Box {
                    center: [0.0; 3],
                    half: [0.0; 3],
                    axes,
                };
                (Shape::POINT, body, None, [0.0; 3])
            }
            "ball" => {
                let body = Body::Capsule {
                    ends: [center; 2],
                    radius,
                };
                let shape = Shape::sphere(center, radius).unwrap();
                (
                    shape,
                    body,
                    Some(Box::new(parry::Ball::new(radius))),
                    center,
                )
            }
            "capsule" => {
                let ends = [center, random.point([-20.0; 3], [20.0; 3])];
                let [a, b] = ends;
                let shape = Shape::capsule(a, b, radius).unwrap();
                let [a, b] = ends.map(Vector::from_array);
                let parry = Box::new(parry::Capsule::new(a, b, radius));
                (shape, Body::Capsule { ends, radius }, Some(parry), [0.0; 3])
            }
            "box" => {
                let shape = Shape::axial_box(sub(center, half), add(center, half)).unwrap();
                (
                    shape,
                    Body::Box { center, half, axes },
                    Some(cuboid()),
                    center,
                )
            }
            _ => {
                let shape = Shape::oriented_box(center, half, axes).unwrap();
                (
                    shape,
                    Body::Box { center, half, axes },
                    Some(cuboid()),
                    center,
                )
            }
        };
        Self {
            shape,
            body,
            parry,
            pose,
            center,
        }
    }

    /// Returns the fraction of a motion before the shape meets a brush, by the rival.
    fn cast(&self, part: &Part, [start, end]: Segment) -> Option<f64> {
        let polyhedron = part.polyhedron.as_ref()?;
        let at = Vector::from_array(sub(add(start, self.center), part.center));
        let step = Vector::from_array(sub(end, start));
        let Some(shape) = &self.parry else {
            return polyhedron.cast_local_ray(&Ray::new(at, step), 1.0, true);
        };
        let options = ShapeCastOptions {
            max_time_of_impact: 1.0,
            target_distance: 0.0,
            stop_at_penetration: true,
            compute_impact_geometry_on_penetration: false,
        };
        let pose = Pose::from_parts(at, self.pose.rotation);
        let hit = cast_shapes(
            &Pose::IDENTITY,
            Vector::ZERO,
            polyhedron,
            &pose,
            step,
            &**shape,
            options,
        );
        hit.unwrap().map(|hit| hit.time_of_impact)
    }
}

fn compare_with_parry(real: &RealMap, n_cases: usize) -> [Score; MOVERS.len()] {
    const CONTENTS: u32 = SOLID | PLAYERCLIP;
    let map = subject::parse(&real.bytes);
    let mut hulls = subject::hulls(&["point:point"]);
    hulls[0].contents = CONTENTS;
    let compiled = subject::compile_with_brushes(&map, hulls.clone());
    let onion = subject::load(&compiled);
    let model = onion.model(0).unwrap();
    let world = OracleWorlds::new(&real.bytes, &map).world(0, &hulls[0]);
    let Some(queries) = Queries::new(&world) else {
        return [Score::default(); MOVERS.len()];
    };
    let brushes = onion
        .inspect()
        .brushes()
        .filter(|brush| brush.model == 0 && brush.contents & CONTENTS != 0);
    let parts: Vec<Part> = brushes
        .filter_map(|brush| Part::new(faces(&onion, brush.number)))
        .collect();
    let scores = (0..n_cases).into_par_iter().map(|number| {
        let mut random = Random::new(number as u64 ^ (real.bytes.len() as u64) << 32);
        let kind = number % MOVERS.len();
        let mover = Mover::random(MOVERS[kind], &mut random);
        let motion = queries.query(KINDS[random.below(KINDS.len())], &mut random);
        let near: Vec<&Part> = parts
            .iter()
            .filter(|part| part.is_near(motion, mover.shape.bounds()))
            .collect();
        let trace = model
            .with_margin(0.0)
            .trace_shape(&mover.shape, CONTENTS, motion[0], motion[1])
            .unwrap();
        let mut scores = [Score::default(); MOVERS.len()];
        scores[kind] = compare(&mover, motion, &near, &trace);
        let with_margin = model
            .with_margin(MARGIN)
            .trace_shape(&mover.shape, CONTENTS, motion[0], motion[1])
            .unwrap();
        let is_before =
            with_margin.fraction <= trace.hit_fraction && trace.fraction <= trace.hit_fraction;
        scores[kind].ours_wrong += usize::from(!is_before);
        if scores[kind].ours_wrong > 0 {
            println!(
                "{}: {} {:?} {motion:?} {trace:?}",
                real.name, MOVERS[kind], mover.body
            );
        }
        scores
    });
    scores.reduce(
        || [Score::default(); MOVERS.len()],
        |a, b| std::array::from_fn(|kind| a[kind].merge(b[kind])),
    )
}

fn compare(mover: &Mover, motion: Segment, near: &[&Part], trace: &ShapeTrace<'_, f64>) -> Score {
    let ours = if trace.start_solid {
        Some(0.0)
    } else {
        trace.hit.is_some().then_some(trace.hit_fraction)
    };
    let casts = near.iter().filter_map(|part| mover.cast(part, motion));
    let theirs = casts.reduce(f64::min);
    let mut score = Score {
        hits: usize::from(ours.is_some()),
        ..Score::default()
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
    let gaps: Vec<Gap> = near
        .iter()
        .filter_map(|part| Gap::new(&part.planes, &mover.body))
        .collect();
    score.ours_wrong = usize::from(judge(&gaps, motion, ours) != Verdict::Right);
    match judge(&gaps, motion, theirs) {
        Verdict::Right => score.both_right = 1,
        Verdict::Early => score.parry_early = 1,
        Verdict::Late => score.parry_late = 1,
    }
    score
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
