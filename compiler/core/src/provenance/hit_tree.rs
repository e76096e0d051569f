//! The hit at a node, as a value: a side, or choices that lead to one. Stage 9 makes hits, and the serializer
//! flattens them.

use std::iter;

use onion_geometry::PlaneId;

use crate::id::HullIndex;

/// The hit at a node.
#[derive(Clone, Debug, PartialEq)]
pub enum HitTree {
    /// No face lies there.
    Nothing,
    /// The side of this number.
    Side(u32),
    /// One of two hits.
    Choice(HitChoice, Box<[HitTree; 2]>),
}

/// The test that decides between two hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HitChoice {
    /// Whether the place is in front of a plane, which is in its canonical facing, or behind it.
    Plane(PlaneId),
    /// Whether the hull comes before this one.
    Hull(HullIndex),
    /// Whether the face looks to the front of the node's plane or to its back.
    Look,
}

impl HitTree {
    /// Returns all sides in it.
    pub fn sides(&self) -> Box<dyn Iterator<Item = u32> + '_> {
        match self {
            Self::Nothing => Box::new(iter::empty()),
            Self::Side(side) => Box::new(iter::once(*side)),
            Self::Choice(_, hits) => Box::new(hits.iter().flat_map(Self::sides)),
        }
    }
}
