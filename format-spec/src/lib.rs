//! The `.onion` file: header, chunk tags, fixed-size records, limits, checksum.
//!
//! A file is a bincode document in the fixed-int little-endian layout: a header and a list of chunks, each a
//! length-prefixed list of fixed-size records, so it can also be read in place without a serializer. This crate is
//! the single description of that layout: the compiler writes these records, the runtime views the same bytes, and a
//! test checks `FORMAT.md` against the tables here.
#![no_std]

mod block;
mod checksum;
pub mod contents;
mod field;
mod floor;
mod hit;
mod hull_set;
mod link;
mod record;
mod tolerance;

pub use block::{
    GRID_ONE, MAX_REACH, NO_ROOM, NO_WALL, OUTSIDE_LIMIT, ROOM_LIMIT, ROOM_ONE, Start,
};
pub use checksum::{CHECKSUM_OFFSET, checksum};
pub use field::{Field, FieldSpec, Record};
pub use hit::{HitAt, HitTest};
pub use hull_set::{HullSet, Hulls};
pub use record::{
    AgentRecord, BlockRecord, BoxRecord, BoxesRecord, BrushRecord, ChoiceRecord, CornerRecord,
    EdgeRecord, EntityRecord, FaceRecord, FloorCornerRecord, FloorLinksRecord, FloorPlaceRecord,
    FloorRecord, GridRecord, GroupRecord, HitRecord, HullRecord, InfoRecord, LinkRecord,
    ModelRecord, NodeRecord, OptionsRecord, PlaneRecord, PrismRecord, RoomRecord, RootRecord,
    SideRecord, SolidRecord, SurfaceRecord, TextRecord,
};
pub use tolerance::{NORMAL_LENGTH_ERROR, OUTSIDE_MARGIN};

/// First eight bytes of every file.
pub const MAGIC: [u8; 8] = *b"ONIONBSP";

/// Version of the layout; a reader rejects all others.
pub const VERSION: u32 = 1;

/// Offset of the version in the header.
pub const VERSION_OFFSET: usize = 8;

/// Offset of four bytes in the header that are zero.
pub const RESERVED_OFFSET: usize = 12;

/// Offset of the length of the file in the header.
pub const LENGTH_OFFSET: usize = 16;

/// Offset of the number of chunks in the header.
pub const N_CHUNKS_OFFSET: usize = 32;

/// Size of the header in bytes: magic, version, zero, length, checksum, number of chunks.
pub const HEADER_SIZE: usize = 40;

/// Size of a chunk's header in bytes: tag, size of a record, size of all records.
pub const CHUNK_HEADER_SIZE: usize = 16;

/// Tags of the required chunks, in file order.
pub const CHUNK_ORDER: [[u8; 4]; 8] = [
    InfoRecord::TAG,
    OptionsRecord::TAG,
    HullRecord::TAG,
    ModelRecord::TAG,
    GroupRecord::TAG,
    RootRecord::TAG,
    PlaneRecord::TAG,
    NodeRecord::TAG,
];

/// Tags of the optional chunks, in file order after the required ones, in groups that are present as a whole or not at
/// all: the hulls that are prisms, the floors, the entities, the blocks, the brushes, the hits at nodes, the shapes of
/// brushes, the links between floors. The two before the last need the brushes, the last needs the floors.
pub const OPTIONAL_CHUNKS: [&[[u8; 4]]; 8] = [
    &[PrismRecord::TAG],
    &[
        FloorRecord::TAG,
        FloorCornerRecord::TAG,
        FloorPlaceRecord::TAG,
    ],
    &[EntityRecord::TAG, TextRecord::TAG],
    &[GridRecord::TAG, BlockRecord::TAG, RoomRecord::TAG],
    &[SurfaceRecord::TAG, BrushRecord::TAG, SideRecord::TAG],
    &[HitRecord::TAG, ChoiceRecord::TAG],
    &[
        SolidRecord::TAG,
        FaceRecord::TAG,
        CornerRecord::TAG,
        EdgeRecord::TAG,
        BoxesRecord::TAG,
        BoxRecord::TAG,
    ],
    &[AgentRecord::TAG, FloorLinksRecord::TAG, LinkRecord::TAG],
];

/// Maximum number of hulls in a group: one bit each in the masks of nodes.
pub const MAX_GROUP: usize = 8;

/// Maximum number of hulls in a file: one bit each in a set of hulls.
pub const MAX_HULLS: usize = 64;

/// Maximum number of pairs of opposite sides of a hull that is a prism.
pub const MAX_PRISM_SIDES: usize = 16;

/// Maximum length of a hull's name in bytes; shorter names are padded with zero bytes.
pub const MAX_HULL_NAME: usize = 32;

/// Maximum length of a surface's name in bytes; shorter names are padded with zero bytes.
pub const MAX_SURFACE_NAME: usize = 64;

/// Maximum depth of the tree of boxes around brushes: boxes above a leaf.
pub const MAX_BOX_DEPTH: usize = 32;

/// Number of bits in the numbers of planes, nodes, sides and choices.
pub const NUMBER_BITS: u32 = 30;

/// The part of an edge that a link names with its largest number: all of it.
pub const WHOLE_EDGE: u16 = u16::MAX;

/// In `across` of a link, a unit.
pub const ACROSS_UNIT: u16 = 16;

/// Maximum number of floors.
pub const MAX_FLOORS: u32 = 1 << 24;

/// Maximum number of corners of all floors.
pub const MAX_FLOOR_CORNERS: u32 = 1 << 26;

/// Bit of a face's plane that is set if the face faces the back of the plane.
pub const FACE_LOOKS_BACK: u32 = 1 << 31;

/// Maximum depth of a tree: nodes on the longest path from a root to a leaf.
pub const MAX_DEPTH: usize = 256;

/// Brushes are within this distance of the origin on every axis, in units.
pub const WORLD_LIMIT: f64 = 65_536.0;

/// Flag of a hull for which the world is filled: space that it cannot reach is solid.
pub const HULL_FILLED: u32 = 1;

/// Hull corners are within this distance of the hull's origin on every axis, in units.
pub const HULL_LIMIT: f64 = 4_096.0;

/// Plane distances are smaller than this, in units.
pub const DIST_LIMIT: f64 = 131_072.0;

/// Plane distances are multiples of one over this, in units.
pub const DIST_ONE: f64 = (1u64 << 36) as f64;

/// Fraction bits of a hull's corners.
pub const HULL_BITS: u32 = 11;

/// Hull corners are multiples of one over this, in units.
pub const HULL_ONE: f32 = (1u32 << HULL_BITS) as f32;

/// The stored form of a normal component of one.
pub const NORMAL_ONE: i32 = 1 << 30;

/// Returns a name without the zero bytes that pad it.
pub fn unpadded(name: &[u8]) -> &[u8] {
    let end = name.iter().position(|&byte| byte == 0);
    name.get(..end.unwrap_or(name.len())).unwrap_or(name)
}

/// The plane of a node, and the directions of the faces in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodePlane(pub u32);

impl NodePlane {
    /// Set if some face in the plane faces the front.
    pub const FRONT_BIT: u32 = 1 << 30;
    /// Set if some face in the plane faces the back.
    pub const BACK_BIT: u32 = 1 << 31;

    /// Returns plane `index` (below 2^30), with faces that face the front, the back, or both.
    pub const fn new(index: u32, front_faces: bool, back_faces: bool) -> Self {
        let front = if front_faces { Self::FRONT_BIT } else { 0 };
        let back = if back_faces { Self::BACK_BIT } else { 0 };
        Self(index | front | back)
    }

    /// Returns the number of the plane.
    pub const fn index(self) -> u32 {
        self.0 & !(Self::FRONT_BIT | Self::BACK_BIT)
    }

    /// Whether some face in the plane faces the front.
    pub const fn has_front_faces(self) -> bool {
        self.0 & Self::FRONT_BIT != 0
    }

    /// Whether some face in the plane faces the back.
    pub const fn has_back_faces(self) -> bool {
        self.0 & Self::BACK_BIT != 0
    }
}

impl NodeRecord {
    /// Bits of `back` that are set if the front child, or the back child, is a leaf.
    pub const LEAF_BITS: [u32; 2] = [1 << 31, 1 << 30];

    /// Whether the front child (side 0) or the back child (side 1) is a leaf.
    #[inline]
    pub const fn is_leaf(&self, side: usize) -> bool {
        self.back & Self::LEAF_BITS[side] != 0
    }

    /// Returns the number of the back child if it is a node.
    #[inline]
    pub const fn back_node(&self) -> u32 {
        self.back & !(Self::LEAF_BITS[0] | Self::LEAF_BITS[1])
    }

    /// Returns the front and the back child of the node, which has this number. Child nodes have higher numbers, so
    /// every walk ends, even if the bytes have changed since loading checked them.
    #[inline]
    pub fn children(&self, number: u32) -> [Child; 2] {
        let nodes = [number + 1, self.back_node().max(number + 1)];
        [0, 1].map(|side| {
            if self.is_leaf(side) {
                Child::leaf(2 * number + side as u32)
            } else {
                Child(nodes[side])
            }
        })
    }
}

/// A child of a node, or the root of a tree: the number of a node or of a leaf. The leaf in front of a node has twice
/// the node's number, the one behind it one more. The leaf that is tree `t` has the number `t` plus twice the number
/// of all nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Child(pub u32);

impl Child {
    /// Set for a leaf.
    pub const LEAF_BIT: u32 = 1 << 31;

    /// Returns the child that is leaf `index` (below 2^31).
    pub const fn leaf(index: u32) -> Self {
        Self(index | Self::LEAF_BIT)
    }

    /// Whether the child is a leaf.
    pub const fn is_leaf(self) -> bool {
        self.0 & Self::LEAF_BIT != 0
    }

    /// Returns the number of the node or leaf.
    pub const fn index(self) -> u32 {
        self.0 & !Self::LEAF_BIT
    }
}
