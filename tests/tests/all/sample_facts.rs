//! The facts of the sample maps (`sample-maps/*.toml`), which were worked out by hand, hold in the compiled files and
//! for the oracle. So facts and oracle, by which all other answers are judged, check each other.

use onion_maps::Map;
use onion_runtime::{OnionMap, Trace, Transition};
use onion_tests::cases::{Case, sample_cases};
use onion_tests::facts::{self, Facts, TraceFact};
use onion_tests::oracle::{Answer, HullWorld, sandwich};
use onion_tests::queries::along;
use onion_tests::{samples, subject};

/// Planes of the files are stored in f32, so facts on slopes hold to this tolerance, in units.
const STORED_PRECISION: f64 = 1e-4;

/// Normals of slopes are stored in f32.
const NORMAL_PRECISION: f64 = 1e-6;

/// A seam of two solids belongs to neither for the oracle, so facts about seams may be those of solids that are up to
/// this much larger, in units.
const JOINED: f64 = 1e-6;

/// Fewest facts of all maps, so that none are lost unnoticed.
const FEWEST: usize = 300;

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

/// The oracle expands the brushes of the file by code of its own, and knows no tree.
#[test]
fn facts_hold_for_the_oracle() {
    let mut wrong = Vec::new();
    let mut n_facts = 0;
    for case in sample_cases() {
        let facts = facts::read(&case.name);
        for (number, fact) in facts.trace.iter().enumerate() {
            let world = world(case, fact.model, &fact.hull);
            let answer = Answer::from(world.trace(fact.start, fact.end, 0.0));
            let what = disagreement(fact, answer, |normal| meets(world, fact, answer, normal));
            let what = what.filter(|_| !is_seam(&fact.why) || !may_hold(world, fact));
            wrong.extend(what.map(|what| told(case, "trace", number, &fact.why, &what)));
        }
        for (number, fact) in facts.point.iter().enumerate() {
            let world = world(case, fact.model, &fact.hull);
            let solid = world.solid(fact.at, 0.0);
            let is_right = solid == fact.solid
                || is_seam(&fact.why) && world.solid(fact.at, JOINED) == fact.solid;
            let what = (!is_right).then(|| format!("solid is {solid}"));
            wrong.extend(what.map(|what| told(case, "point", number, &fact.why, &what)));
        }
        n_facts += facts.trace.len() + facts.point.len();
    }
    assert!(n_facts > FEWEST, "only {n_facts} facts were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whether a fact is about the seam of solids that touch.
fn is_seam(why: &str) -> bool {
    why.contains("seam")
}

/// Whether a fact holds where solids that touch are joined.
fn may_hold(world: &HullWorld, fact: &TraceFact) -> bool {
    let hit = fact.hit_fraction.value();
    let expected = Answer {
        start_solid: fact.start_solid,
        all_solid: fact.all_solid,
        hit: (hit < 1.0).then_some(hit),
    };
    sandwich(world, fact.start, fact.end, expected, JOINED).is_ok()
}

/// Returns the oracle's world of a model for the hull of this name.
fn world<'c>(case: &'c Case, model: usize, hull: &str) -> &'c HullWorld {
    case.world(model, case.onion().find_hull(hull).unwrap())
}

fn told(case: &Case, kind: &str, number: usize, why: &str, what: &str) -> String {
    format!("{} {kind} {number} ({why}): {what}", case.name)
}

/// Whether a plane with this normal passes through the point at which the oracle's trace hits.
fn meets(world: &HullWorld, fact: &TraceFact, answer: Answer, normal: &[f64; 3]) -> bool {
    let step = std::array::from_fn(|axis| fact.end[axis] - fact.start[axis]);
    let hit = answer.hit.map(|fraction| along(fact.start, step, fraction));
    let near = hit.map(|hit| world.nearest_planes(hit, STORED_PRECISION));
    near.is_some_and(|near| near.iter().any(|near| is_same(normal, &near.plane.0)))
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
    assert!(n_facts > FEWEST, "only {n_facts} facts were found");
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
        let meets = |normal: &[f64; 3]| {
            let plane = trace.plane.as_ref();
            plane.is_some_and(|plane| is_same(normal, &plane.normal))
        };
        if let Some(what) = disagreement(fact, subject::answer(&trace), meets) {
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

/// Returns how an answer differs from a fact; `meets` returns whether a plane with a normal was hit.
fn disagreement(
    fact: &TraceFact,
    answer: Answer,
    meets: impl Fn(&[f64; 3]) -> bool,
) -> Option<String> {
    if (answer.start_solid, answer.all_solid) != (fact.start_solid, fact.all_solid) {
        return Some("flags differ".to_owned());
    }
    let length = (0..3).map(|axis| fact.end[axis] - fact.start[axis]);
    let length = length.map(|step| step * step).sum::<f64>().sqrt();
    let off = (answer.hit.unwrap_or(1.0) - fact.hit_fraction.value()).abs() * length;
    if off > fact.tolerance + STORED_PRECISION {
        return Some(format!("the hit is {off} units off"));
    }
    let mut normals = fact.normal_any.clone().unwrap_or_default();
    normals.extend(fact.normal);
    let is_wrong = !normals.is_empty() && !normals.iter().any(meets);
    is_wrong.then(|| "the normal differs".to_owned())
}

fn is_same(normal: &[f64; 3], other: &[f64; 3]) -> bool {
    let pairs = normal.iter().zip(other);
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) < NORMAL_PRECISION
}
