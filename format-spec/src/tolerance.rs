//! The tolerances of the format: how exact a file is, and how much room it leaves for the rounding of its readers.
//! Each has its unit and the reason for its size.

use crate::{NORMAL_ONE, ROOM_ONE};

/// Plane normals have a length of 1 within this bound, so distances are too long or too short by at most this part of
/// them. Rounding the components to their grid needs far less.
pub const NORMAL_LENGTH_ERROR: f64 = 1.0 / 1024.0;

/// Depth inside the border of a grid to which the solidity of its outside extends, in units: enough for a reader to
/// pass the border at half of it, however that place is rounded.
pub const OUTSIDE_MARGIN: f64 = 0.125;

const _: () = {
    assert!(NORMAL_LENGTH_ERROR > 2.0 / NORMAL_ONE as f64);
    assert!(OUTSIDE_MARGIN > 2.0 / ROOM_ONE as f64);
};
