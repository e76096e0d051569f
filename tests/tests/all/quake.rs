//! Solids recovered from Quake's maps without brushes: they match the file's own tree for points, and after expansion
//! they match the hulls that Quake's compiler made of the brushes it had, except for its errors.

use onion_tests::cases::{Case, other_cases};
use onion_tests::effort::Cases;
use onion_tests::oracle::QuakeFile;
use onion_tests::random::Random;
use rayon::prelude::*;

use crate::any_shape::contents::is_trigger;

const POINTS: Cases = Cases::new(50_000, 1_000_000);

/// Number of points drawn to find one of another kind.
const TRIES: usize = 100;

/// Number of halvings of the segment between two points.
const HALVINGS: usize = 20;

/// Largest distance of points from surfaces, in units along each axis: beyond the reach of a hull.
const NEAR: f64 = 40.0;

/// Planes nearer to a point than this may be rounded to its other side, in units.
const UNSURE: f64 = 1e-4;

/// At most one point in this many may be solid in Quake's hull 1 alone: its compiler had brushes that only clip, and
/// expands brushes too far if they have edges that are not orthogonal to an axis.
const MAX_LOST: usize = 100;

/// Indices of these hulls in the list for most tests.
const STAND: usize = 0;
const POINT: usize = 2;

/// Solid and the sky, as Quake numbers contents.
const SOLID: i32 = -2;
const SKY: i32 = -6;

/// Returns the maps whose solids were recovered.
fn recovered() -> impl Iterator<Item = (&'static Case, QuakeFile<'static>)> {
    let cases = other_cases().iter();
    let cases = cases.filter(|case| case.map.format.contains("recovered"));
    cases.map(|case| (case, QuakeFile::new(&case.bytes).unwrap()))
}

/// Counts points of a model for which `is_counted` is true: half of the points anywhere in its box, half of them near
/// a surface of its hull 0.
fn count(
    file: &QuakeFile<'_>,
    model: usize,
    n_points: usize,
    is_counted: impl Fn([f64; 3]) -> bool + Sync,
) -> usize {
    let [mins, maxs] = file.bounds(model);
    let numbers = (0..n_points).into_par_iter();
    let counted = numbers.filter(|&number| {
        let mut random = Random::new((model as u64) << 32 ^ number as u64);
        let point = random.point(mins, maxs);
        let is_solid = |at| file.hull0(model, at).0 == SOLID;
        let others = (0..TRIES).map(|_| random.point(mins, maxs));
        let other = others
            .filter(|_| number % 2 == 0)
            .find(|&at| is_solid(at) != is_solid(point));
        is_counted(match other {
            Some(other) => {
                let on_surface = between(point, other, is_solid);
                let nearby = random.point([-NEAR; 3], [NEAR; 3]);
                std::array::from_fn(|axis| on_surface[axis] + nearby[axis])
            }
            None => point,
        })
    });
    counted.count()
}

/// Finds a place between two points where the answer of `ask` changes.
fn between(mut one: [f64; 3], mut other: [f64; 3], ask: impl Fn([f64; 3]) -> bool) -> [f64; 3] {
    let before = ask(one);
    for _ in 0..HALVINGS {
        let middle = std::array::from_fn(|axis| (one[axis] + other[axis]) / 2.0);
        let end = if ask(middle) == before {
            &mut one
        } else {
            &mut other
        };
        *end = middle;
    }
    one
}

#[test]
fn recovered_points_are_those_of_hull_0() {
    for (case, file) in recovered() {
        let onion = case.onion();
        let mut n_solid = 0;
        for index in 0..file.n_models() {
            let model = onion.model(index).unwrap();
            // Triggers are solid in the file, and let everything pass in the game.
            let is_trigger = is_trigger(&model);
            let n_points = POINTS.count() / if index == 0 { 1 } else { file.n_models() - 1 };
            let wrong = count(&file, index, n_points, |at| {
                let (contents, nearest) = file.hull0(index, at);
                let solid = model.solidity(at).contains(POINT);
                nearest > UNSURE && solid != (contents == SOLID && !is_trigger)
            });
            assert_eq!(wrong, 0, "{} model {index}", case.name);
            let is_solid = |at| model.solidity(at).contains(POINT);
            n_solid += count(&file, index, n_points, is_solid);
        }
        let enough = n_solid > POINTS.count() / 100;
        assert!(enough, "{}: {n_solid} solid points", case.name);
    }
}

#[test]
fn expanded_solids_are_those_of_hull_1() {
    for (case, file) in recovered() {
        let onion = case.onion();
        let model = onion.model(0).unwrap();
        let quake = |at| {
            let (contents, nearest) = file.hull(0, 1, at);
            (contents == SOLID || contents == SKY, nearest)
        };
        let differ = |wanted: fn(bool, bool) -> bool| {
            count(&file, 0, POINTS.count(), |at| {
                let (theirs, nearest) = quake(at);
                nearest > UNSURE && wanted(model.solidity(at).contains(STAND), theirs)
            })
        };
        let only_ours = differ(|ours, theirs| ours && !theirs);
        let only_theirs = differ(|ours, theirs| !ours && theirs);
        assert!(
            only_ours == 0 && only_theirs * MAX_LOST <= POINTS.count(),
            "{}: of {} points, {only_ours} are solid in our hull alone, {only_theirs} in Quake's hull 1 alone",
            case.name,
            POINTS.count()
        );
    }
}
