//! Numbers of blocks, each packed into 32 bits: where walks begin in a block, and how far around it they begin at the
//! same place. FORMAT.md has the bits. And the numbers of rooms.

use crate::{BlockRecord, DIST_LIMIT, GridRecord};

/// How far inside the border of a grid the solidity of its outside still holds, in units.
pub const OUTSIDE_MARGIN: f64 = 0.125;

/// What a grid tells of the space outside of it is true of coordinates up to this, in units.
pub const OUTSIDE_LIMIT: f64 = DIST_LIMIT - 1.0;

/// How many blocks beyond its own a block reaches at most, on each side.
pub const MAX_REACH: u32 = (1 << BlockRecord::REACH_BITS) - 1;

/// Corners of grids are multiples of one over this, in units.
pub const GRID_ONE: f32 = 64.0;

/// The number of a room in a block that has none.
pub const NO_ROOM: u16 = u16::MAX;

/// The number of a room's plane where a side is no wall.
pub const NO_WALL: u32 = u32::MAX;

/// Corners of rooms are multiples of one over this, in units, and rooms are empty this much around them too.
pub const ROOM_ONE: f32 = 64.0;

/// Corners of rooms lie within this distance of the origin on every axis, in units.
pub const ROOM_LIMIT: f32 = (1u32 << 15) as f32;

/// A place in a hull's tree where a walk is: a node, or what is wholly empty or solid for the hull.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Start(pub u32);

impl Start {
    /// Set for what is wholly empty or solid.
    pub const WHOLE_BIT: u32 = 1 << 31;

    /// What is empty.
    pub const EMPTY: Self = Self(Self::WHOLE_BIT);

    /// What is solid.
    pub const SOLID: Self = Self(Self::WHOLE_BIT | 1);

    /// What is wholly empty or solid.
    #[inline]
    pub const fn whole(is_solid: bool) -> Self {
        Self(Self::WHOLE_BIT | is_solid as u32)
    }

    /// Whether it is wholly empty or solid.
    #[inline]
    pub const fn is_whole(self) -> bool {
        self.0 & Self::WHOLE_BIT != 0
    }

    /// Whether it is wholly solid.
    #[inline]
    pub const fn is_solid(self) -> bool {
        self.0 == Self::SOLID.0
    }

    /// Whether it is wholly empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == Self::EMPTY.0
    }
}

impl GridRecord {
    /// [`GridRecord::outside`] where it is not known.
    pub const UNKNOWN: u32 = 0;

    /// Whether what is outside of the grid is known to be wholly solid, or wholly empty.
    #[inline]
    pub const fn is_solid_outside(&self) -> Option<bool> {
        match Start(self.outside) {
            Start::EMPTY => Some(false),
            Start::SOLID => Some(true),
            _ => None,
        }
    }
}

impl BlockRecord {
    /// Bits of `reach` for each side.
    const REACH_BITS: u32 = 5;

    /// The bits for a block's reach to all sides.
    pub const fn reach_bits(reach: [u32; 6]) -> u32 {
        let (mut bits, mut side) = (0, 6);
        while side > 0 {
            side -= 1;
            bits = bits << Self::REACH_BITS | reach[side];
        }
        bits
    }

    /// Where walks begin.
    #[inline]
    pub const fn start(self) -> Start {
        Start(self.start)
    }

    /// How many blocks it reaches to a side: side 0 is where x is lower, 1 where it is higher, then y and z.
    #[inline]
    pub const fn reach(self, side: u32) -> u32 {
        self.reach >> (side * Self::REACH_BITS) & MAX_REACH
    }
}
