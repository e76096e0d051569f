//! Hulls and leaves of a map, by number. A hull's id stores a tag of its map, so another map does not mistake it for
//! one of its own.

use onion_format::{HULL_FILLED, HullRecord, HullSet, PrismRecord, unpadded};

use crate::file::records::Records;
use crate::math::aabb::Aabb;

/// A hull of a map. Get one from [`OnionMap::find_hull`](crate::OnionMap::find_hull) or
/// [`OnionMap::require_hull`](crate::OnionMap::require_hull).
///
/// An id remembers its file. For a hull of another file, even of the same map compiled with other options, everything
/// is solid. So find the hulls again after you reload a map. The default is a hull of no file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HullId {
    /// Number of the hull in the file.
    pub(crate) index: u8,
    /// Number of the group whose trees hold the hull, so that a query need not look it up.
    pub(crate) group: u8,
    /// Its bit in the masks of nodes: that of its rank in the group.
    pub(crate) bit: u8,
    /// Identifies the file.
    pub(crate) tag: u32,
}

impl HullId {
    /// Returns the number of the hull: its index in the file and in a [`HullSet`].
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.index)
    }

    /// Returns the hull as a number, for other languages. Hulls of two maps are unlikely to have the same number.
    pub fn to_bits(self) -> u64 {
        // Group and bit follow from the number, in the file that the tag is of.
        u64::from(self.tag) << 32 | u64::from(self.index)
    }

    /// Returns the set of this hull alone.
    #[inline]
    pub fn alone(self) -> HullSet {
        HullSet::single(self.index())
    }
}

/// A leaf of a map: one convex place, shared by all hulls of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LeafId(pub(crate) u32);

impl LeafId {
    /// Returns the number of the leaf: twice the number of its node, plus one if the leaf is behind it. If the tree
    /// is a leaf, it is twice the number of all nodes plus the number of the tree. Not every number is the number of
    /// a leaf.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A hull as stored in the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hull<'a> {
    /// Its id in this map.
    pub id: HullId,
    /// Its name: 1 to 32 bytes, without control characters.
    pub name: &'a str,
    /// Its box, in units relative to the agent's origin, at most 4096 from it; the box around it if it is a prism.
    pub bounds: Aabb<f32>,
    /// Contents bits ([`contents`](crate::contents)) that block the hull.
    pub contents: u32,
    /// Whether space in the world that the hull cannot reach is solid.
    pub filled: bool,
    /// The records of its sides.
    sides: &'a [u8],
}

impl<'a> Hull<'a> {
    /// Returns a hull, from its record and the bytes of the record.
    pub(crate) fn new(
        id: HullId,
        record: &HullRecord,
        bytes: &'a [u8],
        sides: Records<'a, PrismRecord>,
    ) -> Self {
        let name = unpadded(bytes.get(..record.name.len()).unwrap_or(&[]));
        Self {
            id,
            name: core::str::from_utf8(name).unwrap_or(""),
            bounds: Aabb::new(record.mins, record.maxs),
            contents: record.contents,
            filled: record.flags & HULL_FILLED != 0,
            sides: sides.all_bytes(),
        }
    }

    /// Returns the sides of a hull that is an upright prism: half of each side as a vector in the xy plane, in units,
    /// one for each pair of opposite sides, counterclockwise. A hull that is a box has none here.
    pub fn sides(&self) -> impl Iterator<Item = [f32; 2]> + use<'a> {
        let sides = Records::<PrismRecord>::new(self.sides).iter();
        sides.map(|side| side.half)
    }

    /// Returns the shape of the hull, to trace it among brushes. Needs the feature `shapes`.
    #[cfg(feature = "shapes")]
    pub fn shape(&self) -> crate::shape::Shape {
        let Aabb { mins, maxs } = self.bounds;
        crate::shape::Shape::of_hull([mins, maxs], self.sides())
    }
}
