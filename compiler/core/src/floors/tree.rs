//! Part of stage 5, floors: the tree of a hull's floors. The floor in the middle of a range stands for all of them,
//! with the box around them, and the ranges before and after it are the same again. Floors go in; the same floors in
//! the order of the tree, and the boxes, come out. Each range is divided at the median along the longest axis
//! (Bentley, "Multidimensional binary search trees used for associative searching", 1975).

use glam::DVec3;
use onion_geometry::{Bounds, PlaneSet, Winding};

use crate::shape::{above, below};

/// A box that holds another one, rounded outward.
pub type OuterBox = [[f32; 3]; 2];

/// Returns floors in the order of the tree.
pub fn ordered(planes: &PlaneSet, floors: Vec<Winding>) -> Vec<Winding> {
    let centers = floors.iter().map(|floor| {
        let Bounds { mins, maxs } = bounds(planes, floor);
        (mins + maxs) / 2.0
    });
    let mut order: Vec<(usize, DVec3)> = centers.enumerate().collect();
    sort(&mut order);
    let mut floors: Vec<_> = floors.into_iter().map(Some).collect();
    let order = order.into_iter();
    order
        .filter_map(|(number, _)| floors[number].take())
        .collect()
}

/// Sorts floors, given by their numbers and the centers of their boxes, into the order of the tree.
fn sort(range: &mut [(usize, DVec3)]) {
    let middle = range.len() / 2;
    let around = Bounds::of(range.iter().map(|(_, center)| *center));
    let axis = (around.maxs - around.mins).max_position();
    // No two floors are equal, so the halves do not depend on how they are found.
    let by_place = |one: &(usize, DVec3), other: &(usize, DVec3)| {
        let places = one.1[axis].total_cmp(&other.1[axis]);
        places.then(one.0.cmp(&other.0))
    };
    if range.len() > 1 {
        let (before, _, after) = range.select_nth_unstable_by(middle, by_place);
        sort(before);
        sort(after);
    }
}

/// Returns the boxes of floors in the order of the tree: each around all floors of the range that it is in the middle
/// of.
pub fn boxes(planes: &PlaneSet, floors: &[Winding]) -> Vec<OuterBox> {
    let mut boxes: Vec<_> = floors.iter().map(|floor| bounds(planes, floor)).collect();
    widen(&mut boxes);
    let outer = |Bounds { mins, maxs }: Bounds| {
        let [lower, upper] = [mins, maxs].map(|corner| corner.to_array());
        [lower.map(below), upper.map(above)]
    };
    boxes.into_iter().map(outer).collect()
}

/// Widens the box in the middle of each range to hold the others. Returns the box around all.
fn widen(range: &mut [Bounds]) -> Bounds {
    let (before, rest) = range.split_at_mut(range.len() / 2);
    let Some((middle, after)) = rest.split_first_mut() else {
        return Bounds::NONE;
    };
    *middle = middle.union(widen(before)).union(widen(after));
    *middle
}

/// Returns the box around a floor's corners, with the heights that readers compute.
fn bounds(planes: &PlaneSet, floor: &Winding) -> Bounds {
    let plane = &planes[floor.plane];
    let [a, b, c] = plane.normal.to_array();
    let corners = floor.corners.iter().map(|corner| {
        let DVec3 { x, y, .. } = corner.position;
        // No zero with a sign, of which the least and the greatest depend on the machine.
        DVec3::new(x, y, (plane.dist - a * x - b * y) / c) + 0.0
    });
    Bounds::of(corners)
}
