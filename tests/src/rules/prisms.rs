//! Rules for hulls that are prisms. Each row has a text that says how a rule is broken, and a function that plants the
//! fault and returns the runtime's error, which names the first wrong record.

use onion_format::{HullRecord, PrismRecord};
use onion_runtime::LoadError;

use super::rule::{Rule, at, change, one_less};
use crate::planted::{append, edit, record, replace};

/// Makes the second hull of a file a prism with this many pairs of opposite sides, and the only one.
pub(super) fn only_prism(file: &mut Vec<u8>, n_sides: u8) {
    let side = |number| PrismRecord {
        hull: 1,
        half: [f32::from(n_sides - 1 - number), f32::from(number)],
    };
    let sides: Vec<_> = (0..n_sides).map(side).collect();
    replace::<PrismRecord>(file, &sides);
    let [x, y] = [0, 1].map(|axis| sides.iter().map(|side| side.half[axis]).sum::<f32>());
    edit::<HullRecord>(file, 1, |hull| {
        (hull.mins, hull.maxs) = ([-x, -y, 0.0], [x, y, 1.0]);
    });
}

/// Changes half of a side of the first prism.
fn half(file: &mut [u8], side: usize, half: [f32; 2]) -> LoadError {
    change::<PrismRecord>(file, side, |side| side.half = half)
}

/// Changes the box around the first prism, of which the last side is named.
fn around(file: &mut [u8], change: impl FnOnce(&mut HullRecord)) -> LoadError {
    edit(file, 1, change);
    at::<PrismRecord>(3)
}

/// Rules for the second hull, a prism of four pairs of sides, and the fourth one, of two pairs.
pub(super) const PRISMS: &[Rule] = &[
    ("a side between 1/2048 units", |file| {
        change::<PrismRecord>(file, 1, |side| side.half[0] += 1.0 / 4096.0)
    }),
    ("a side that is no number", |file| {
        half(file, 1, [f32::NAN, 8.0])
    }),
    ("a side without end", |file| {
        half(file, 3, [-8.0, f32::INFINITY])
    }),
    ("a side below the x axis", |file| half(file, 0, [8.0, -1.0])),
    ("a side backwards along the x axis", |file| {
        half(file, 0, [-8.0, 0.0])
    }),
    ("a side without a length", |file| half(file, 0, [0.0; 2])),
    ("a side that does not turn", |file| {
        let [x, y] = record::<PrismRecord>(file, 1).half;
        half(file, 2, [2.0 * x, 2.0 * y])
    }),
    ("a side that turns to the right", |file| {
        let [first, second] = [1, 2].map(|side| record::<PrismRecord>(file, side).half);
        half(file, 1, second);
        half(file, 2, first)
    }),
    ("sides of a hull after those of a later one", |file| {
        change::<PrismRecord>(file, 5, |side| side.hull = 1)
    }),
    ("sides of hulls in another order", |file| {
        for side in 0..4 {
            edit::<PrismRecord>(file, side, |side| side.hull = 3);
        }
        edit::<PrismRecord>(file, 4, |side| side.hull = 1);
        change::<PrismRecord>(file, 5, |side| side.hull = 1);
        at::<PrismRecord>(4)
    }),
    ("a prism of a hull that is not there", |file| {
        for side in [4, 5] {
            edit::<PrismRecord>(file, side, |side| side.hull = 4);
        }
        at::<PrismRecord>(4)
    }),
    ("a side of a hull that cannot be there", |file| {
        append::<PrismRecord>(file);
        change::<PrismRecord>(file, 6, |side| side.hull = u32::MAX)
    }),
    ("one pair of sides", |file| {
        only_prism(file, 2);
        one_less::<PrismRecord>(file);
        edit::<HullRecord>(file, 1, |hull| (hull.mins[1], hull.maxs[1]) = (0.0, 0.0));
        at::<PrismRecord>(0)
    }),
    ("more sides than allowed", |file| {
        only_prism(file, 17);
        at::<PrismRecord>(16)
    }),
    ("a side too few", |file| {
        one_less::<PrismRecord>(file);
        at::<PrismRecord>(4)
    }),
    ("a side too many", |file| {
        append::<PrismRecord>(file);
        change::<PrismRecord>(file, 6, |side| side.half = [-8.0, 1.0])
    }),
    ("a box longer than its prism", |file| {
        around(file, |hull| hull.maxs[0] += 1.0)
    }),
    ("a box narrower than its prism", |file| {
        around(file, |hull| hull.mins[1] += 1.0)
    }),
    ("a prism without height", |file| {
        around(file, |hull| hull.maxs[2] = hull.mins[2])
    }),
];
