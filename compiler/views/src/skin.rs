//! Computes the skins of a compiled file's hulls as polygons for display: the surfaces where a tree changes from empty
//! to solid, that is, the borders of an empty leaf and a solid one.

use glam::DVec3;
use onion_format::HullSet;
use onion_runtime::{HullId, OnionMap};

use crate::borders::{Border, borders};

/// A piece of a skin.
#[derive(Clone, Debug)]
pub struct SkinPiece {
    /// Its corners, counterclockwise seen from where the hull is free.
    pub corners: Vec<DVec3>,
    /// Unit normal, out of the solid.
    pub normal: DVec3,
    /// The hulls of the tree for which the leaf behind it is solid.
    pub solid: HullSet,
}

/// Returns the skin of a hull in a model, at the position that the model's entity gives it.
pub fn skin<D: AsRef<[u8]>>(map: &OnionMap<D>, model: usize, hull: HullId) -> Vec<SkinPiece> {
    let mut pieces = Vec::new();
    borders(map, model, hull, |border| {
        pieces.extend(piece(border, hull.index()));
    });
    pieces
}

fn piece(border: Border, hull: usize) -> Option<SkinPiece> {
    let Border {
        mut corners,
        normal,
        leaves,
    } = border;
    let [before, behind] = leaves.map(|leaf| leaf.solid);
    let (normal, solid) = match [before, behind].map(|solid| solid.contains(hull)) {
        [false, true] => (normal, behind),
        [true, false] => {
            corners.reverse();
            (-normal, before)
        }
        _ => return None,
    };
    Some(SkinPiece {
        corners,
        normal,
        solid,
    })
}
