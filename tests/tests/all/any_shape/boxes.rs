//! Boxes of any size among all brushes of a map give the answers of the oracle's worlds, which are expanded by the
//! same boxes.

use onion_runtime::Model;
use onion_runtime::shape::Shape;
use onion_tests::cases::{Case, all_cases};
use onion_tests::effort::Cases;
use onion_tests::fixtures::all_right;
use onion_tests::oracle::{HullWorld, sandwich};
use onion_tests::queries::{KINDS, Queries, Segment};
use onion_tests::random::Random;
use onion_tests::subject;
use rayon::prelude::*;

use super::{MARGIN, PLAYERCLIP, SHELL, SOLID, WATER, answer, shape_of};

/// Number of traces of each kind, box and map that the oracle judges.
const BOX_CASES: Cases = Cases::new(150, 500);

#[test]
fn boxes_of_any_size_agree_with_the_oracle() {
    let mut n_hits = 0;
    for case in all_cases() {
        let found = all_right(&case.name, boxes_of(case));
        let worst = found.iter().copied().fold(0.0, f64::max);
        let n_traces = found.len();
        println!(
            "{}: {n_traces} traces, worst {worst:.1e} perpendicular",
            case.name
        );
        n_hits += found.iter().filter(|off| **off > 0.0).count();
    }
    assert!(n_hits > 1000, "{n_hits}");
}

/// Returns the errors of traces of boxes of some map across the surface, or the fault.
fn boxes_of(case: &Case) -> Vec<Result<f64, String>> {
    let onion = case.onion();
    let model = onion.model(0).unwrap();
    let mut random = Random::new(case.bytes.len() as u64);
    let mut found = Vec::new();
    for contents in [SOLID, SOLID | PLAYERCLIP | WATER] {
        // Not about the origin, and sometimes flat.
        let size = random.between(2.0, 60.0);
        let corner = |random: &mut Random| random.point([-size; 3], [size; 3]).map(|x| x as f32);
        let corners = [corner(&mut random), corner(&mut random)];
        let mut spec = subject::hulls(&["box:2x2"]).swap_remove(0);
        spec.contents = contents;
        for axis in 0..3 {
            let [a, b] = corners.map(|corner| corner[axis]);
            (spec.mins[axis], spec.maxs[axis]) = (a.min(b), a.max(b));
        }
        let shape = shape_of(&spec);
        let world = case.oracle().world(0, &spec);
        let Some(queries) = Queries::new(&world) else {
            continue;
        };
        for kind in KINDS {
            let seed = random.bits();
            found.par_extend((0..BOX_CASES.count()).into_par_iter().map(|number| {
                let segment = queries.query(kind, &mut Random::new(seed ^ number as u64));
                judge_box(&model, &world, &shape, contents, segment)
            }));
        }
    }
    found
}

fn judge_box(
    model: &Model<'_>,
    world: &HullWorld,
    shape: &Shape,
    contents: u32,
    [start, end]: Segment,
) -> Result<f64, String> {
    let model = model.with_margin(0.0);
    let trace = model.trace_shape(shape, contents, start, end).unwrap();
    let differences = sandwich(world, start, end, answer(&trace), SHELL)?;
    for (point, solid) in [(start, trace.start_solid), (end, trace.all_solid)] {
        let own = model.shape_is_solid(shape, contents, point).unwrap();
        let [grown, shrunk] = [SHELL, -SHELL].map(|shell| world.solid(point, shell));
        if own && !grown || shrunk && !own || solid && !own && point == start {
            return Err(format!("solid is {own} at {point:?}, {trace:?}"));
        }
    }
    // A trace that does not start in solid does not end there, rounded or not.
    let ends = [start, end].map(|point| point.map(|x| x as f32));
    for margin in [0.0, MARGIN] {
        let model = model.with_margin(margin);
        let trace = model
            .trace_shape(shape, contents, ends[0], ends[1])
            .unwrap();
        let end = trace.end_pos.map(f64::from);
        let inside = model.shape_is_solid(shape, contents, end).unwrap();
        if !trace.start_solid && (inside || world.solid(end, -SHELL)) {
            return Err(format!("ends in solid: {ends:?} {trace:?}"));
        }
        if trace.fraction > trace.hit_fraction {
            return Err(format!("moves beyond its hit: {ends:?} {trace:?}"));
        }
    }
    // If the start is in the shell, one may begin inside and the other outside.
    Ok(if differences.flags_differ {
        0.0
    } else {
        differences.perpendicular
    })
}
