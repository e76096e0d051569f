//! Rules for floors. Each row has a text that says how a rule is broken, and a function that plants the fault and
//! returns the runtime's error, which names the first wrong record.

use onion_format::{
    FACE_LOOKS_BACK, FloorCornerRecord, FloorPlaceRecord, FloorRecord, HullRecord,
    MAX_FLOOR_CORNERS, PlaneRecord,
};
use onion_runtime::LoadError;

use super::rule::{Rule, at, beyond, change, last, one_less};
use crate::planted::{append, count, edit, record, replace};

/// Returns the number of the first corner that has the last place.
fn last_new(file: &[u8]) -> usize {
    let place = last::<FloorPlaceRecord>(file) as u32;
    let mut corners = 0..count(file, FloorCornerRecord::TAG);
    let has_place = |&corner: &usize| record::<FloorCornerRecord>(file, corner).place == place;
    corners.find(has_place).unwrap()
}

fn set_hull(floor: &mut FloorRecord, hull: u32) {
    floor.begins = FloorRecord::begin(hull, floor.first_corner());
}

fn set_first(floor: &mut FloorRecord, corner: u32) {
    floor.begins = FloorRecord::begin(floor.hull(), corner);
}

/// Adds a place that no corner has.
fn one_place_more(file: &mut Vec<u8>) -> LoadError {
    append::<FloorPlaceRecord>(file);
    at::<FloorPlaceRecord>(last::<FloorPlaceRecord>(file))
}

/// Rules for floors and their corners.
pub(super) const FLOORS: &[Rule] = &[
    ("a floor of a hull that is not there", |file| {
        let floor = last::<FloorRecord>(file);
        beyond::<HullRecord, FloorRecord>(file, floor, set_hull)
    }),
    ("a floor of a hull after those of a later one", |file| {
        let floor = last::<FloorRecord>(file);
        assert!(record::<FloorRecord>(file, floor - 1).hull() > 0);
        change::<FloorRecord>(file, floor, |floor| set_hull(floor, 0))
    }),
    ("a plane of a floor that is not there", |file| {
        beyond::<PlaneRecord, FloorRecord>(file, 0, |floor, n_planes| floor.plane = n_planes)
    }),
    ("a floor that looks down", |file| {
        change::<FloorRecord>(file, 0, |floor| floor.plane ^= FACE_LOOKS_BACK)
    }),
    ("a corner before those of the first floor", |file| {
        change::<FloorRecord>(file, 0, |floor| floor.begins += 1)
    }),
    ("a floor of two corners", |file| {
        edit::<FloorRecord>(file, 1, |floor| set_first(floor, 2));
        at::<FloorRecord>(0)
    }),
    (
        "a floor whose corners begin before those of the last",
        |file| {
            edit::<FloorRecord>(file, 2, |floor| set_first(floor, 0));
            at::<FloorRecord>(1)
        },
    ),
    ("corners of a floor that are not there", |file| {
        let floor = last::<FloorRecord>(file);
        edit::<FloorRecord>(file, floor, |floor| set_first(floor, MAX_FLOOR_CORNERS - 1));
        at::<FloorRecord>(floor - 1)
    }),
    ("a box that does not hold a corner", |file| {
        change::<FloorRecord>(file, 0, |floor| {
            floor.maxs[0] = floor.maxs[0].next_down();
        })
    }),
    ("a box that is not below all heights", |file| {
        change::<FloorRecord>(file, 0, |floor| {
            floor.mins[2] = floor.mins[2].next_up();
        })
    }),
    ("a box that is not in the one above", |file| {
        // The first floor is in the middle of no range but its own.
        change::<FloorRecord>(file, 0, |floor| floor.mins[1] = -100_000.0)
    }),
    ("a box that is no number", |file| {
        change::<FloorRecord>(file, 0, |floor| floor.maxs[1] = f32::NAN)
    }),
    ("a box without an end", |file| {
        let n_floors = (0..count(file, FloorRecord::TAG))
            .filter(|&floor| record::<FloorRecord>(file, floor).hull() == 0);
        let middle = n_floors.count() / 2;
        change::<FloorRecord>(file, middle, |floor| {
            floor.maxs[2] = f32::INFINITY;
        })
    }),
    ("corners too few", |file| {
        let floor = last::<FloorRecord>(file);
        let first = record::<FloorRecord>(file, floor).first_corner() as usize;
        while count(file, FloorCornerRecord::TAG) > first + 2 {
            one_less::<FloorCornerRecord>(file);
        }
        at::<FloorRecord>(floor)
    }),
    ("a corner of no floor", |file| {
        replace::<FloorRecord>(file, &[]);
        at::<FloorCornerRecord>(0)
    }),
    ("a corner that skips a place", |file| {
        change::<FloorCornerRecord>(file, 2, |corner| corner.place = 3)
    }),
    ("a place that is not there", |file| {
        let corner = last_new(file);
        one_less::<FloorPlaceRecord>(file);
        at::<FloorCornerRecord>(corner)
    }),
    ("a place of no corner", one_place_more),
    ("a place that is no number", |file| {
        change::<FloorPlaceRecord>(file, 2, |place| place.at[0] = f64::NAN)
    }),
    ("a place too far out", |file| {
        change::<FloorPlaceRecord>(file, 1, |place| place.at[1] = 131_072.0)
    }),
];
