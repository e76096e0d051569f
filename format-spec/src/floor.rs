//! The field of a floor's record that holds two numbers: that of the hull that stands on it, in the upper bits, and
//! that of its first corner.

use crate::{FloorRecord, MAX_FLOOR_CORNERS};

/// In `begins`, where the bits of the hull begin: behind those of the corner.
const HULL_SHIFT: u32 = MAX_FLOOR_CORNERS.trailing_zeros();

impl FloorRecord {
    /// Returns what `begins` has for a hull and the number of a corner below [`MAX_FLOOR_CORNERS`].
    #[must_use]
    pub fn begin(hull: u32, first_corner: u32) -> u32 {
        hull << HULL_SHIFT | first_corner
    }

    /// Returns the number of its hull.
    #[inline]
    pub fn hull(&self) -> u32 {
        self.begins >> HULL_SHIFT
    }

    /// Returns the number of its first corner.
    #[inline]
    pub fn first_corner(&self) -> u32 {
        self.begins & (MAX_FLOOR_CORNERS - 1)
    }
}
