//! Numbers of blocks, each packed into 32 bits: the start of walks in a block, and the reach of the same start around
//! it; also the numbers of rooms. FORMAT.md specifies the bits.

use crate::{BlockRecord, DIST_LIMIT, GridRecord};

/// The solidity that a grid states for the space outside of it holds for coordinates up to this, in units.
pub const OUTSIDE_LIMIT: f64 = DIST_LIMIT - 1.0;

/// Maximum reach of a block beyond itself, in blocks, on each side.
pub const MAX_REACH: u32 = (1 << BlockRecord::REACH_BITS) - 1;

/// Corners of grids are multiples of one over this, in units.
pub const GRID_ONE: f32 = 64.0;

/// The number that a block stores instead of a room's number if it has none.
pub const NO_ROOM: u16 = u16::MAX;

/// The number that a room stores instead of a plane's number for a side that is not a wall.
pub const NO_WALL: u32 = u32::MAX;

/// Corners of rooms are multiples of one over this, in units, and rooms are also empty this far around them.
pub const ROOM_ONE: f32 = 64.0;

/// Corners of rooms are within this distance of the origin on every axis, in units.
pub const ROOM_LIMIT: f32 = (1u32 << 15) as f32;

/// A walk's position in a hull's tree: a node, or a region that is wholly empty or solid for the hull.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Start(pub u32);

impl Start {
    /// Set for a region that is wholly empty or solid.
    pub const WHOLE_BIT: u32 = 1 << 31;

    /// An empty region.
    pub const EMPTY: Self = Self(Self::WHOLE_BIT);

    /// A solid region.
    pub const SOLID: Self = Self(Self::WHOLE_BIT | 1);

    /// Returns a region that is wholly empty or solid.
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
    /// [`GridRecord::outside`] if it is not known.
    pub const UNKNOWN: u32 = 0;

    /// Whether the space outside of the grid is wholly solid; `None` if it is not known to be wholly solid or wholly
    /// empty.
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
    /// Number of bits of `reach` for each side.
    const REACH_BITS: u32 = 5;

    /// Returns the bits for a block's reach to all sides.
    pub const fn reach_bits(reach: [u32; 6]) -> u32 {
        let (mut bits, mut side) = (0, 6);
        while side > 0 {
            side -= 1;
            bits = bits << Self::REACH_BITS | reach[side];
        }
        bits
    }

    /// Returns the start of walks in the block.
    #[inline]
    pub const fn start(self) -> Start {
        Start(self.start)
    }

    /// Returns its reach to a side, in blocks: side 0 is lower x, 1 is higher x, then y and z.
    #[inline]
    pub const fn reach(self, side: u32) -> u32 {
        self.reach >> (side * Self::REACH_BITS) & MAX_REACH
    }
}
