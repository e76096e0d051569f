//! Rules for floors. Each row has a text that says how a rule is broken, and a function that plants the fault and
//! returns the runtime's error, which names the first wrong record.

use onion_format::{FACE_LOOKS_BACK, FloorCornerRecord, FloorRecord, HullRecord, PlaneRecord};

use super::rule::{Rule, at, beyond, change, last, one_less};
use crate::planted::{append, count, record};

/// Rules for floors and their corners.
pub(super) const FLOORS: &[Rule] = &[
    ("a floor of a hull that is not there", |file| {
        let floor = last::<FloorRecord>(file);
        beyond::<HullRecord, FloorRecord>(file, floor, |floor, n_hulls| floor.hull = n_hulls)
    }),
    ("a floor of a hull after those of a later one", |file| {
        let floor = last::<FloorRecord>(file);
        assert!(record::<FloorRecord>(file, floor - 1).hull > 0);
        change::<FloorRecord>(file, floor, |floor| floor.hull = 0)
    }),
    ("a plane of a floor that is not there", |file| {
        beyond::<PlaneRecord, FloorRecord>(file, 0, |floor, n_planes| floor.plane = n_planes)
    }),
    ("a floor that looks down", |file| {
        change::<FloorRecord>(file, 0, |floor| floor.plane ^= FACE_LOOKS_BACK)
    }),
    ("corners of a floor that do not follow", |file| {
        change::<FloorRecord>(file, 1, |floor| floor.first_corner += 1)
    }),
    ("a floor of two corners", |file| {
        change::<FloorRecord>(file, 0, |floor| floor.n_corners = 2)
    }),
    ("corners of a floor that are not there", |file| {
        let floor = last::<FloorRecord>(file);
        change::<FloorRecord>(file, floor, |floor| floor.n_corners = u32::MAX)
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
            .filter(|&floor| record::<FloorRecord>(file, floor).hull == 0);
        let middle = n_floors.count() / 2;
        change::<FloorRecord>(file, middle, |floor| {
            floor.maxs[2] = f32::INFINITY;
        })
    }),
    ("a corner too few", |file| {
        one_less::<FloorCornerRecord>(file);
        at::<FloorRecord>(last::<FloorRecord>(file))
    }),
    ("a corner of no floor", |file| {
        append::<FloorCornerRecord>(file);
        at::<FloorCornerRecord>(last::<FloorCornerRecord>(file))
    }),
    ("a corner that is no number", |file| {
        change::<FloorCornerRecord>(file, 2, |corner| corner.place[0] = f64::NAN)
    }),
    ("a corner too far out", |file| {
        change::<FloorCornerRecord>(file, 1, |corner| corner.place[1] = 131_072.0)
    }),
];
