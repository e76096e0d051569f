//! Target: queries of valid files. The input is numbers: the map, the hull, and the ends of segments, in f32 or f64.
//! All forms of a query must agree to the last bit, with and without blocks, and no trace may end in solid.

use std::sync::LazyLock;

use onion_compiler::fill::seeds::Fill;
use onion_runtime::{Coordinate, HullId, Model, OnionMap, Trace};

use super::spans::{self, Span};
use super::target::{Target, count};
use crate::planted::without_blocks;
use crate::random::Random;
use crate::samples;
use crate::segments::{along, segments};
use crate::subject::{HULLS, compile_filled, hulls, parse};

/// The target.
pub static QUERIES: Target = Target::new("queries", run, seeds, mutate);

/// Bytes of a segment, which is six f64; before it, one byte each for the map, the hull, the model and the form of
/// the query.
const HEAD: usize = 4;
const SEGMENT: usize = 48;
/// Limit on the number of segments of an input.
const MOST: usize = 32;

/// A map, and the same map without its blocks.
struct Pair([OnionMap<Vec<u8>>; 2]);

static PAIRS: LazyLock<Vec<Pair>> = LazyLock::new(|| {
    let pair = |(_, bytes): &(&str, Vec<u8>)| {
        let compiled = compile_filled(&parse(bytes), hulls(&HULLS), Fill::default()).bytes;
        let plain = without_blocks(&compiled);
        Pair([compiled, plain].map(|file| OnionMap::from_bytes(file).unwrap()))
    };
    samples::all().iter().map(pair).collect()
});

fn run(input: &[u8]) {
    let Some((head, segments)) = input.split_first_chunk::<HEAD>() else {
        return;
    };
    let [map, hull, model, kind] = head.map(usize::from);
    let Pair(maps) = &PAIRS[map % PAIRS.len()];
    for segment in segments.chunks_exact(SEGMENT).take(MOST) {
        let number =
            |at: usize| f64::from_le_bytes(segment[8 * at..8 * at + 8].try_into().unwrap());
        let ends = [[0, 1, 2], [3, 4, 5]].map(|end| end.map(number));
        let subjects = maps.each_ref().map(|map| {
            let hull = map.hulls().nth(hull % HULLS.len()).unwrap().id;
            (map.model(model % map.n_models()).unwrap(), hull)
        });
        if kind % 2 == 0 {
            compare(subjects, ends);
        } else {
            compare(subjects, ends.map(|end| end.map(|x| x as f32)));
        }
        count(9);
    }
}

/// Compares all forms of a query about a segment.
fn compare<T: Coordinate + std::fmt::Debug>(
    subjects: [(Model<'_>, HullId); 2],
    [start, end]: [[T; 3]; 2],
) {
    let [(model, hull), (plain, plain_hull)] = subjects;
    let trace = model.trace(hull, start, end);
    let other = plain.trace(plain_hull, start, end);
    assert_same(&trace, &other);
    assert_same(&trace, &model.view(hull).trace(start, end));
    if [start, end].as_flattened().iter().all(is_in_domain) {
        let differs = trace.start_solid != model.is_solid(hull, start);
        assert!(
            !differs
                || leaves_at_once(model, hull, [start, end])
                || is_a_hair_inside(model, hull, start),
            "{trace:?}"
        );
    } else {
        assert!(trace.all_solid && trace.fraction == 0.0, "{trace:?}");
    }
    let stays = trace.end_pos == start && is_a_hair_inside(model, hull, start);
    assert!(
        trace.start_solid || stays || !model.is_solid(hull, trace.end_pos),
        "{trace:?}"
    );
    for point in [start, end, trace.end_pos] {
        let solid = model.is_solid(hull, point);
        assert_eq!(solid, plain.is_solid(plain_hull, point), "{point:?}");
        assert_eq!(
            solid,
            model.solidity(point).contains(hull.index()),
            "{point:?}"
        );
        assert_eq!(solid, model.view(hull).is_solid(point), "{point:?}");
    }
    let hits = [model.hit(hull, &trace), plain.hit(plain_hull, &other)];
    let names = hits.map(|hit| hit.unwrap().map(|hit| (hit.brush.number, hit.side.number)));
    assert_eq!(names[0], names[1], "{trace:?}");
}

/// Whether a segment is out of solid after the touching tolerance, 2^-24 units; if it starts in solid, its start then
/// counts as free.
fn leaves_at_once<T: Coordinate>(model: Model<'_>, hull: HullId, ends: [[T; 3]; 2]) -> bool {
    let [start, end] = ends.map(|end| end.map(T::widen));
    let step: [f64; 3] = std::array::from_fn(|axis| end[axis] - start[axis]);
    let length = step.iter().map(|x| x * x).sum::<f64>().sqrt();
    let touched = 2f64.powi(-24) / length;
    !model.is_solid(hull, along(start, step, touched))
}

/// Whether a place in solid is free when it is moved along an axis by the touching tolerance. In a corner, a segment
/// may leave the solid that it starts in, and enter another one at once.
fn is_a_hair_inside<T: Coordinate>(model: Model<'_>, hull: HullId, at: [T; 3]) -> bool {
    let at = at.map(T::widen);
    let hair = 2f64.powi(-24);
    let mut ways = (0..3).flat_map(|axis| [hair, -hair].map(|by| (axis, by)));
    ways.any(|(axis, by)| {
        let mut beside = at;
        beside[axis] += by;
        !model.is_solid(hull, beside)
    })
}

/// Whether a number is in the domain; beyond it, everything is solid; see FORMAT.md.
fn is_in_domain<T: Coordinate>(number: &T) -> bool {
    number.widen().abs() <= (1u64 << 30) as f64
}

/// Compares the text of two traces, so that NaN equals NaN.
fn assert_same<T: std::fmt::Debug>(one: &Trace<T>, other: &Trace<T>) {
    assert_eq!(format!("{one:?}"), format!("{other:?}"));
}

fn seeds() -> Vec<Vec<u8>> {
    let all = segments(24 * samples::all().len(), 7);
    let inputs = all.chunks(24).enumerate().map(|(map, segments)| {
        let head = [map as u8, map as u8, 0, map as u8];
        let numbers = segments
            .iter()
            .flatten()
            .flat_map(|number| number.to_le_bytes());
        head.into_iter().chain(numbers).collect()
    });
    inputs.collect()
}

fn mutate(input: &mut Vec<u8>, random: &mut Random) {
    let numbers = HEAD.min(input.len())..input.len();
    match random.below(6) {
        // Other segments of all kinds, at other places of another map.
        0 => {
            *input = [0; HEAD].map(|_| random.bits() as u8).to_vec();
            let numbers = segments(12, random.bits());
            input.extend(
                numbers
                    .iter()
                    .flatten()
                    .flat_map(|number| number.to_le_bytes()),
            );
        }
        1 => nudge(&mut input[numbers], random),
        _ => spans::mutate(
            input,
            &[Span {
                bytes: numbers,
                record: SEGMENT,
            }],
            random,
        ),
    }
}

/// Moves a number to one of its neighbors, or rounds it.
fn nudge(numbers: &mut [u8], random: &mut Random) {
    let n_numbers = numbers.len() / 8;
    if n_numbers == 0 {
        return;
    }
    let at = 8 * random.below(n_numbers);
    let old = f64::from_le_bytes(numbers[at..at + 8].try_into().unwrap());
    let new = match random.below(4) {
        0 => old.round(),
        1 => old.next_up(),
        2 => old.next_down(),
        _ => -old,
    };
    numbers[at..at + 8].copy_from_slice(&new.to_le_bytes());
}
