//! Shapes of any size among all brushes of a map: random motions, most of them past surfaces, of each kind of shape;
//! only the brushes near a motion are cast at.

use onion_runtime::shape::{Shape, ShapeTrace};
use onion_runtime::{Aabb, OnionMap};
use onion_tests::effort::Cases;
use onion_tests::maps::{RealMap, all_maps};
use onion_tests::oracle::vec3::{V3, add, scale, sub};
use onion_tests::oracle::{Body, Gap, Plane};
use onion_tests::queries::{KINDS, Queries, Segment};
use onion_tests::random::Random;
use onion_tests::subject::{self, OracleWorlds};
use parry3d_f64::math::{Pose, Vector};
use rayon::prelude::*;

use crate::rival::{Part, Rival, Score};

/// Number of motions, unless the environment says otherwise.
const CASES: Cases = Cases::new(20_000, 60_000);

/// Contents of brushes in maps: solid, and player clip.
const SOLID: u32 = 1;
const PLAYERCLIP: u32 = 0x1_0000;

/// Distance to keep from the surface that is hit, in units.
const MARGIN: f64 = 1.0 / 32.0;

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
        let is_most = score.same * 10 > score.count() * 7;
        assert!(is_most && score.hits * 10 > score.count(), "{kind}");
    }
}

/// The kinds of shapes that are compared.
const MOVERS: [&str; 5] = ["ray", "ball", "capsule", "box", "turned box"];

impl Part {
    /// Whether a moving box may touch the brush: slabs, slightly expanded.
    fn is_near(&self, [start, end]: Segment, Aabb { mins, maxs }: Aabb<f64>) -> bool {
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

/// A shape for the runtime, for the oracle and for the rival.
struct Mover {
    shape: Shape,
    body: Body,
    rival: Rival,
}

impl Mover {
    /// Makes a random shape, from 1 to 40 units large.
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
        let capsule = |ends| Body::Capsule { ends, radius };
        let (shape, body) = match kind {
            "ray" => {
                let (center, half) = ([0.0; 3], [0.0; 3]);
                (Ok(Shape::POINT), Body::Box { center, half, axes })
            }
            "ball" => (Shape::sphere(center, radius), capsule([center; 2])),
            "capsule" => {
                let [a, b] = [center, random.point([-20.0; 3], [20.0; 3])];
                (Shape::capsule(a, b, radius), capsule([a, b]))
            }
            "box" => {
                let shape = Shape::axial_box(Aabb::new(sub(center, half), add(center, half)));
                (shape, Body::Box { center, half, axes })
            }
            _ => {
                let shape = Shape::oriented_box(center, half, axes);
                (shape, Body::Box { center, half, axes })
            }
        };
        Self {
            shape: shape.unwrap(),
            rival: Rival::new(&body).unwrap(),
            body,
        }
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
    let casts = near
        .iter()
        .filter_map(|part| mover.rival.cast(part, motion));
    let gaps = || {
        let gaps = near.iter().map(|part| Gap::new(&part.planes, &mover.body));
        gaps.flatten().collect()
    };
    Score::of(motion, ours, casts.reduce(f64::min), gaps)
}
