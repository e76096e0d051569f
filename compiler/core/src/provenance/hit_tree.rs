//! The hit at a node, as a value: a side, or choices that lead to sides. Stage 10, provenance, makes hits, and stage
//! 13, serialize, flattens them.

use onion_geometry::PlaneId;

use crate::id::HullIndex;

#[derive(Clone, Debug, PartialEq)]
pub enum HitTree {
    /// No face lies there, or only a face that closes a crack and comes from no side.
    Nothing,
    Side(u32),
    Choice(HitChoice, Box<[HitTree; 2]>),
}

/// The test that decides between two hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HitChoice {
    /// Whether the hit point is in front of a plane, in its canonical facing.
    Plane(PlaneId),
    /// Whether the hull has a lower number than this one.
    Hull(HullIndex),
    /// Whether the face faces the front of the node's plane.
    Look,
}

impl HitTree {
    /// Calls a function with each side in it.
    pub(crate) fn each_side(&self, call: &mut impl FnMut(u32)) {
        match self {
            Self::Nothing => {}
            Self::Side(side) => call(*side),
            Self::Choice(_, hits) => hits.iter().for_each(|hit| hit.each_side(call)),
        }
    }
}
