//! The facts of the sample maps (`sample-maps/*.toml`), which were worked out by hand, hold in the compiled
//! files.

use onion_maps::Map;
use onion_runtime::{OnionMap, Trace, Transition};
use onion_tests::facts::{self, Facts, TraceFact};
use onion_tests::{samples, subject};

/// Planes of the files are stored in f32, so facts on slopes hold to this tolerance, in units.
const STORED_PRECISION: f64 = 1e-4;

/// Normals of slopes are stored in f32.
const NORMAL_PRECISION: f64 = 1e-6;

#[test]
fn facts_hold() {
    let checked = samples::all().into_iter();
    check(
        checked.map(|(name, bytes)| (name, subject::parse(&bytes))),
        0.0,
    );
}

/// The same maps as text: planes are exact, and this reader does the work of a map compiler.
#[test]
fn facts_hold_in_text() {
    let texts = samples::all_texts().into_iter();
    let maps = texts.map(|(name, text)| {
        let map = subject::parse(text.as_bytes());
        assert_eq!(map.warnings, [], "{name}");
        assert_eq!(map.format, "map text, quake3");
        (name, map)
    });
    // A point that touches a slope may be inside it by the rounding of corners.
    check(maps, STORED_PRECISION);
}

fn check(maps: impl Iterator<Item = (&'static str, Map)>, unsure: f64) {
    let mut wrong = Vec::new();
    let mut n_facts = 0;
    for (name, map) in maps {
        let compiled = subject::compile_map(&map, subject::hulls(&subject::HULLS));
        let onion = subject::load(&compiled);
        let facts = facts::read(name);
        wrong.extend(wrong_traces(name, &facts, &onion));
        wrong.extend(wrong_points(name, &facts, &onion, unsure));
        n_facts += facts.trace.len() + facts.point.len();
    }
    assert!(n_facts > 300, "only {n_facts} facts were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn wrong_traces(name: &str, facts: &Facts, onion: &OnionMap<&[u8]>) -> Vec<String> {
    let mut wrong = Vec::new();
    for (number, fact) in facts.trace.iter().enumerate() {
        let hull = onion.find_hull(&fact.hull).unwrap();
        let model = onion.model(fact.model).unwrap();
        let trace = model
            .with_margin(1.0 / 32.0)
            .trace(hull, fact.start, fact.end);
        let transition = model.find_first_transition(hull, fact.start, fact.end);
        if !agrees_with(&transition, &trace) {
            wrong.push(format!(
                "{name} trace {number}: {transition:?}, but {trace:?}"
            ));
        }
        if let Some(what) = disagreement(fact, &trace) {
            wrong.push(format!(
                "{name} trace {number} ({}): {what}: {trace:?}",
                fact.why
            ));
        }
    }
    wrong
}

/// Returns the points whose solidity is wrong. A point that is not solid may be `unsure` units inside, along an axis.
fn wrong_points(name: &str, facts: &Facts, onion: &OnionMap<&[u8]>, unsure: f64) -> Vec<String> {
    let mut wrong = Vec::new();
    for (number, fact) in facts.point.iter().enumerate() {
        let hull = onion.find_hull(&fact.hull).unwrap();
        let model = onion.model(fact.model).unwrap();
        let solid = |at| model.solidity(at).contains(hull.index());
        let beside = (0..3).flat_map(|axis| {
            [-unsure, unsure].map(|step| {
                let mut at = fact.at;
                at[axis] += step;
                at
            })
        });
        let solid = solid(fact.at) && (fact.solid || beside.into_iter().all(solid));
        if solid != fact.solid {
            wrong.push(format!(
                "{name} point {number} ({}): solid is {solid}",
                fact.why
            ));
        }
    }
    wrong
}

/// Whether a first transition agrees with the trace of the same segment, and passes between leaves of its stated
/// solidity.
fn agrees_with(transition: &Transition<f64>, trace: &Trace<f64>) -> bool {
    match transition {
        Transition::Empty => !trace.start_solid && trace.plane.is_none(),
        Transition::Solid => trace.all_solid,
        Transition::LeaveSolid(crossing) => {
            trace.start_solid && !trace.all_solid && crossing.fraction <= trace.hit_fraction
        }
        Transition::EnterSolid(crossing) => {
            !trace.start_solid
                && crossing.fraction == trace.hit_fraction
                && crossing.plane == trace.plane
        }
    }
}

fn disagreement(fact: &TraceFact, trace: &Trace<f64>) -> Option<String> {
    if (trace.start_solid, trace.all_solid) != (fact.start_solid, fact.all_solid) {
        return Some("flags differ".to_owned());
    }
    let length = (0..3).map(|axis| fact.end[axis] - fact.start[axis]);
    let length = length.map(|step| step * step).sum::<f64>().sqrt();
    let off = (trace.hit_fraction - fact.hit_fraction.value()).abs() * length;
    if off > fact.tolerance + STORED_PRECISION {
        return Some(format!("the hit is {off} units off"));
    }
    let mut normals = fact.normal_any.clone().unwrap_or_default();
    normals.extend(fact.normal);
    if normals.is_empty() {
        return None;
    }
    let Some(plane) = trace.plane else {
        return Some("there is no plane".to_owned());
    };
    let agrees = |normal: &[f64; 3]| {
        let pairs = normal.iter().zip(plane.normal);
        pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) < NORMAL_PRECISION
    };
    (!normals.iter().any(agrees)).then(|| "the normal differs".to_owned())
}
