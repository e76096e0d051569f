//! Target: boxes on a grid of whole units, and traces between points on quarter units, against exact integer
//! arithmetic. Every answer must match to the last bit: flags, fractions, planes and points.

use onion_compiler::hull::HullSpec;
use onion_runtime::{HullId, Model, Trace};

use super::spans;
use super::target::{Target, count, random_of};
use crate::oracle::box_planes;
use crate::random::Random;
use crate::solid::map_of_all;
use crate::subject::{compile_map, load};

/// The target.
pub static BRICKS: Target = Target::new("bricks", run, seeds, mutate);

/// Bytes of the hull, and of a box, which has a lower corner and a size on each axis.
const HULL: usize = 6;
const BRICK: usize = 6;
/// Limits on the number of boxes and of traces of an input, and the largest coordinate of a trace, in quarters of a
/// unit.
const MOST: usize = 10;
const TRACES: usize = 2_000;
const FAR: usize = 24 * QUARTER as usize;
/// A unit, in quarters.
const QUARTER: i64 = 4;

/// A box; its corners are in quarters of a unit.
#[derive(Clone, Copy, Debug)]
struct Brick {
    mins: [i64; 3],
    maxs: [i64; 3],
}

/// A fraction of a segment; the denominator is above 0.
#[derive(Clone, Copy, Debug)]
struct Fraction(i64, i64);

impl Fraction {
    fn value(self) -> f64 {
        self.0 as f64 / self.1 as f64
    }
}

/// The correct answer to the trace of a segment.
#[derive(Debug, PartialEq)]
struct Expected {
    start_solid: bool,
    all_solid: bool,
    hit: Option<f64>,
}

fn run(input: &[u8]) {
    let Some((hull, bricks)) = input.split_first_chunk::<HULL>() else {
        return;
    };
    let hull = hull.map(|byte| f32::from(byte % 6));
    let spec = HullSpec {
        name: "hull".to_owned(),
        mins: [-hull[0], -hull[1], -hull[2]],
        maxs: [hull[3], hull[4], hull[5]],
        sides: Vec::new(),
        contents: 1,
    };
    let (bricks, _) = bricks.as_chunks::<BRICK>();
    let bricks: Vec<Brick> = bricks.iter().take(MOST).map(brick).collect();
    if bricks.is_empty() {
        return;
    }
    let solids = bricks.iter().map(|brick| {
        let [mins, maxs] = [brick.mins, brick.maxs].map(units);
        box_planes(mins, maxs)
    });
    let compiled = compile_map(&map_of_all(&solids.collect::<Vec<_>>()), vec![spec.clone()]);
    let onion = load(&compiled);
    let solids: Vec<Brick> = bricks.iter().map(|brick| expanded(brick, &spec)).collect();
    let hull = onion.hulls().next().unwrap().id;
    let mut random = random_of(input);
    for _ in 0..TRACES {
        check(&onion.world(), hull, &solids, segment(&mut random));
    }
    count(TRACES as u64);
}

fn brick(bytes: &[u8; BRICK]) -> Brick {
    let bytes = bytes.map(i64::from);
    let mins = [0, 1, 2].map(|axis| bytes[axis] % 32 - 16);
    let maxs = [0, 1, 2].map(|axis| mins[axis] + bytes[axis + 3] % 16 + 1);
    Brick {
        mins: mins.map(|x| x * QUARTER),
        maxs: maxs.map(|x| x * QUARTER),
    }
}

/// Returns the sum of a box and the reflected hull.
fn expanded(brick: &Brick, hull: &HullSpec) -> Brick {
    let quarters = |corner: [f32; 3]| corner.map(|x| x as i64 * QUARTER);
    let (mins, maxs) = (quarters(hull.mins), quarters(hull.maxs));
    Brick {
        mins: [0, 1, 2].map(|axis| brick.mins[axis] - maxs[axis]),
        maxs: [0, 1, 2].map(|axis| brick.maxs[axis] - mins[axis]),
    }
}

fn units(quarters: [i64; 3]) -> [f64; 3] {
    quarters.map(|x| x as f64 / QUARTER as f64)
}

/// Picks two places, often with equal coordinates, and often on whole units.
fn segment(random: &mut Random) -> [[i64; 3]; 2] {
    let place = |random: &mut Random| [0; 3].map(|_| random.below(2 * FAR + 1) as i64 - FAR as i64);
    let mut ends = [place(random), place(random)];
    let (whole, alike) = (random.below(8), random.below(16));
    for axis in 0..3 {
        if whole >> axis & 1 == 1 {
            ends = ends.map(|mut end| {
                end[axis] -= end[axis] % QUARTER;
                end
            });
        }
        if alike >> axis & 1 == 1 {
            ends[1][axis] = ends[0][axis];
        }
    }
    ends
}

fn check(model: &Model<'_>, hull: HullId, solids: &[Brick], ends: [[i64; 3]; 2]) {
    let expected = expected(solids, ends);
    let [start, end] = ends.map(units);
    let trace = model.trace(hull, start, end);
    let hit = trace.plane.is_some().then_some(trace.hit_fraction);
    let answer = Expected {
        start_solid: trace.start_solid,
        all_solid: trace.all_solid,
        hit,
    };
    // Whether a segment that ends on the boundary leaves solid is not specified.
    let ends_free = !is_solid(solids, ends, Fraction(1, 1), false);
    let all_solid = expected.all_solid && !(ends_free && hit.is_none() && !answer.all_solid);
    let expected = Expected {
        all_solid,
        ..expected
    };
    assert_eq!(answer, expected, "{start:?} {end:?} {solids:?}");
    assert_eq!(
        model.is_solid(hull, start),
        expected.start_solid,
        "{start:?} {solids:?}"
    );
    if hit.is_some() {
        check_plane(solids, ends, &trace);
    }
}

/// Checks that the plane of a hit belongs to a face that the segment reaches there from outside.
fn check_plane(solids: &[Brick], ends: [[i64; 3]; 2], trace: &Trace<f64>) {
    let plane = trace.plane.unwrap();
    let is_met = |brick: &Brick, axis: usize| {
        let step = ends[1][axis] - ends[0][axis];
        let face = if step > 0 {
            brick.mins[axis]
        } else {
            brick.maxs[axis]
        };
        let normal = std::array::from_fn(|other| {
            if other == axis {
                -step.signum() as f64
            } else {
                0.0
            }
        });
        step != 0
            && Fraction((face - ends[0][axis]) * step.signum(), step.abs()).value()
                == trace.hit_fraction
            && plane.normal == normal
            && plane.dist == face as f64 / QUARTER as f64 * normal[axis]
    };
    let is_right = solids
        .iter()
        .any(|brick| (0..3).any(|axis| is_met(brick, axis)));
    assert!(is_right, "{trace:?} {solids:?}");
}

/// Returns the exact answer, from the parts of the segment between all places where it crosses a face.
fn expected(solids: &[Brick], ends: [[i64; 3]; 2]) -> Expected {
    let start_solid = is_solid(solids, ends, Fraction(0, 1), false);
    if ends[0] == ends[1] {
        return Expected {
            start_solid,
            all_solid: start_solid,
            hit: None,
        };
    }
    let cuts = cuts(solids, ends);
    let middles = cuts.windows(2).map(|pair| {
        let [Fraction(a, b), Fraction(c, d)] = [pair[0], pair[1]];
        (pair[0], Fraction(a * d + c * b, 2 * b * d))
    });
    let mut parts = middles.map(|(from, middle)| (from, is_solid(solids, ends, middle, true)));
    let leaves = !start_solid || parts.any(|(_, solid)| !solid);
    // A segment that starts outside may enter at once.
    let entry = parts.find(|(_, solid)| *solid);
    Expected {
        start_solid,
        all_solid: !leaves,
        hit: entry.map(|(from, _)| from.value()),
    }
}

/// Returns the fractions at which the segment crosses planes of faces, and both ends, in order.
fn cuts(solids: &[Brick], [start, end]: [[i64; 3]; 2]) -> Vec<Fraction> {
    let mut cuts = vec![Fraction(0, 1), Fraction(1, 1)];
    for axis in 0..3 {
        let step = end[axis] - start[axis];
        let faces = solids
            .iter()
            .flat_map(|brick| [brick.mins[axis], brick.maxs[axis]]);
        let at = faces.map(|face| Fraction((face - start[axis]) * step.signum(), step.abs()));
        cuts.extend(at.filter(|&Fraction(part, whole)| 0 < part && part < whole));
    }
    let by_value = |a: &Fraction, b: &Fraction| (a.0 * b.1).cmp(&(b.0 * a.1));
    cuts.sort_by(by_value);
    cuts.dedup_by(|a, b| by_value(a, b).is_eq());
    cuts
}

/// Whether everything around a place of the segment is solid. If `moves`, the place is between the faces that the
/// segment crosses, and only axes along which the segment does not move can lie in a face.
fn is_solid(
    solids: &[Brick],
    [start, end]: [[i64; 3]; 2],
    Fraction(part, whole): Fraction,
    moves: bool,
) -> bool {
    let scaled = |axis: usize| 2 * (start[axis] * whole + (end[axis] - start[axis]) * part);
    let place = [scaled(0), scaled(1), scaled(2)];
    (0..8).all(|corner: usize| {
        let at: [i64; 3] = std::array::from_fn(|axis| {
            let side = (corner >> axis & 1) as i64 * 2 - 1;
            let is_still = !moves || start[axis] == end[axis];
            place[axis] + if is_still { side } else { 0 }
        });
        solids.iter().any(|brick| {
            (0..3).all(|axis| {
                2 * whole * brick.mins[axis] < at[axis] && at[axis] < 2 * whole * brick.maxs[axis]
            })
        })
    })
}

fn seeds() -> Vec<Vec<u8>> {
    let sets: [&[[u8; BRICK]]; 4] = [
        &[[16, 16, 16, 3, 3, 3]],
        &[
            [8, 8, 8, 7, 7, 7],
            [16, 8, 8, 7, 7, 7],
            [8, 16, 16, 7, 3, 3],
        ],
        &[
            [4, 4, 4, 15, 15, 0],
            [4, 4, 12, 15, 15, 0],
            [4, 4, 5, 0, 15, 6],
        ],
        &[
            [0, 0, 0, 9, 9, 9],
            [9, 9, 9, 9, 9, 9],
            [18, 9, 9, 3, 3, 3],
            [10, 0, 0, 7, 8, 8],
        ],
    ];
    let hulls = [[0; HULL], [1, 1, 2, 1, 1, 3], [2, 0, 0, 0, 2, 5]];
    let all = hulls
        .iter()
        .flat_map(|hull| sets.map(|set| [&hull[..], set.as_flattened()].concat()));
    all.collect()
}

fn mutate(input: &mut Vec<u8>, random: &mut Random) {
    spans::mutate_records::<BRICK>(input, HULL, [1, 255, 16], random);
}
