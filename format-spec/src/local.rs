//! Numbers in the fast form, each packed into 32 bits: the children of local nodes, their planes and twins, and
//! the blocks that smallest blocks belong to. FORMAT.md has the bits.

use crate::{BlockRecord, DIST_LIMIT, GridRecord, LocalRecord, TwinRecord};

/// How far a local tree is right beyond its block, in units.
pub const BLOCK_MARGIN: f64 = 0.125;

/// How many blocks beyond its own a local tree is known to be right for, at most, on each side.
pub const MAX_REACH: u32 = (1 << BlockRecord::REACH_BITS) - 1;

/// What a grid tells of the space outside of it is true of coordinates up to this, in units.
pub const OUTSIDE_LIMIT: f64 = DIST_LIMIT - 1.0;

/// A part of a local tree: a node, or what is wholly empty or solid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LocalChild(pub u32);

impl LocalChild {
    /// Set for what is wholly empty or solid.
    pub const LEAF_BIT: u32 = 1 << 31;

    /// What is empty.
    pub const EMPTY: Self = Self(Self::LEAF_BIT);

    /// What is solid.
    pub const SOLID: Self = Self(Self::LEAF_BIT | 1);

    /// Whether it is wholly empty or solid.
    #[inline]
    pub const fn is_leaf(self) -> bool {
        self.0 & Self::LEAF_BIT != 0
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

    /// Number of the node.
    #[inline]
    pub const fn index(self) -> u32 {
        self.0
    }
}

/// What a local node says of the number of its plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalPlane {
    /// The plane has this number, and the node no twins.
    Plane(u32),
    /// A list of planes begins at the record of `TWIN` of this number: the node's plane, then its twins.
    List(u32),
}

impl LocalPlane {
    /// Set for a list.
    pub const LIST_BIT: u32 = 1 << 30;

    /// Packs a number below 2^30.
    pub const fn bits(self) -> u32 {
        match self {
            Self::Plane(number) => number,
            Self::List(first) => first | Self::LIST_BIT,
        }
    }
}

impl LocalRecord {
    /// What it says of the number of its plane.
    #[inline]
    pub const fn local_plane(&self) -> LocalPlane {
        if self.plane & LocalPlane::LIST_BIT == 0 {
            LocalPlane::Plane(self.plane)
        } else {
            LocalPlane::List(self.plane & !LocalPlane::LIST_BIT)
        }
    }
}

impl TwinRecord {
    /// Set for the last of a list.
    pub const LAST_BIT: u32 = 1 << 31;

    /// The plane of this number, below 2^30.
    pub const fn new(index: u32, is_last: bool) -> Self {
        Self {
            plane: index | if is_last { Self::LAST_BIT } else { 0 },
        }
    }

    /// Number of the plane.
    #[inline]
    pub const fn index(self) -> u32 {
        self.plane & !Self::LAST_BIT
    }

    /// Whether it is the last of a list.
    #[inline]
    pub const fn is_last(self) -> bool {
        self.plane & Self::LAST_BIT != 0
    }
}

impl GridRecord {
    /// [`GridRecord::outside`] where it is not known.
    pub const UNKNOWN: u32 = 0;

    /// Whether what is outside of the grid is known to be wholly solid, or wholly empty.
    #[inline]
    pub const fn is_solid_outside(&self) -> Option<bool> {
        match LocalChild(self.outside) {
            LocalChild::EMPTY => Some(false),
            LocalChild::SOLID => Some(true),
            _ => None,
        }
    }
}

impl BlockRecord {
    /// Bits of `reach` for each side.
    const REACH_BITS: u32 = 5;

    /// A block with this local tree, and its reach to all sides.
    pub const fn new(root: LocalChild, reach: [u32; 6]) -> Self {
        let (mut bits, mut side) = (0, 6);
        while side > 0 {
            side -= 1;
            bits = bits << Self::REACH_BITS | reach[side];
        }
        Self {
            root: root.0,
            reach: bits,
        }
    }

    /// The root of its local tree.
    #[inline]
    pub const fn root(self) -> LocalChild {
        LocalChild(self.root)
    }

    /// How many blocks it reaches to a side: side 0 is where x is lower, 1 where it is higher, then y and z.
    #[inline]
    pub const fn reach(self, side: u32) -> u32 {
        self.reach >> (side * Self::REACH_BITS) & MAX_REACH
    }
}
