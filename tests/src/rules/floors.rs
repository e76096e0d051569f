//! Rules for floors. Each row has a text that says how a rule is broken, and a function that plants the fault and
//! returns the runtime's error, which names the first wrong record.

use onion_format::{FACE_LOOKS_BACK, FloorCornerRecord, FloorRecord, HullRecord, PlaneRecord};

use super::rule::{Rule, at, beyond, change, last, one_less};
use crate::planted::{append, record};

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
