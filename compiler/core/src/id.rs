//! Types for the numbers of hulls, brushes and models, so that they cannot be confused. Sets of hulls are
//! [`HullSet`]s; planes have [`PlaneId`](onion_geometry::PlaneId).

use onion_format::{HullSet, MAX_HULLS};

/// Number of a hull, in the order of the compile's hulls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HullIndex(u8);

impl HullIndex {
    /// The first hull.
    pub const FIRST: Self = Self(0);

    /// Returns the hull with this number.
    ///
    /// # Panics
    /// If the number is not below the most hulls of a compile.
    pub fn new(index: usize) -> Self {
        assert!(index < MAX_HULLS, "a compile has at most {MAX_HULLS} hulls");
        Self(index as u8)
    }

    /// Returns the first `n` hulls, in order.
    pub fn first(n: usize) -> impl Iterator<Item = Self> {
        (0..n).map(Self::new)
    }

    /// Returns the number.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Returns the set of this hull alone.
    pub fn alone(self) -> HullSet {
        HullSet::single(self.index())
    }

    /// Whether a set holds the hull.
    pub fn is_in(self, hulls: HullSet) -> bool {
        hulls.contains(self.index())
    }
}

/// Returns items in order, without duplicates.
pub(crate) fn distinct<T: Ord>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut items: Vec<_> = items.collect();
    items.sort_unstable();
    items.dedup();
    items
}

/// Number of a brush in its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BrushId(pub u32);

impl BrushId {
    /// Returns the number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A brush expanded for a hull.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Owner {
    /// The hull.
    pub hull: HullIndex,
    /// The brush.
    pub brush: BrushId,
}

/// Number of a model; the world is the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModelId(pub u32);

impl ModelId {
    /// The world.
    pub const WORLD: Self = Self(0);

    /// Returns the number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
