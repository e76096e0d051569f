//! Divides a ring of corners into convex polygons of at most six corners, as Detour wants them, along diagonals: each
//! halves the number of corners as well as it can, and the shortest of those is taken.

use glam::DVec3;

use super::ring::Ring;
use crate::tolerance::SAME_PLACE;

/// The most corners of a polygon in Detour.
pub(super) const MOST: usize = 6;

/// Where an edge of a piece leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lead {
    /// Nowhere: it is a wall or a ledge.
    Nowhere,
    /// To a floor, by its number.
    Floor(usize),
    /// To another piece of the same floor, which has the same edge the other way round.
    Inside,
}

/// A part of a floor.
#[derive(Clone, Debug)]
pub(super) struct FloorPiece {
    /// Its corners, counterclockwise as seen from above.
    pub corners: Vec<DVec3>,
    /// For each edge, from its corner to the next one, where it leads.
    pub leads: Vec<Lead>,
}

/// Divides a ring. A piece keeps more corners than it should if they are all on two lines, as those of slivers may be.
pub(super) fn divide(ring: &Ring) -> Vec<FloorPiece> {
    let lead = |lead: &Option<usize>| lead.map_or(Lead::Nowhere, Lead::Floor);
    let mut whole = vec![FloorPiece {
        corners: ring.corners.clone(),
        leads: ring.leads.iter().map(lead).collect(),
    }];
    let mut pieces = Vec::new();
    while let Some(piece) = whole.pop() {
        let is_large = piece.corners.len() > MOST;
        match diagonal(&piece.corners).filter(|_| is_large) {
            Some(ends) => whole.extend(cut(&piece, ends)),
            None => pieces.push(piece),
        }
    }
    pieces
}

/// Returns the best diagonal of a polygon, by the numbers of its corners; `None` if each cuts off nothing.
fn diagonal(corners: &[DVec3]) -> Option<[usize; 2]> {
    let n = corners.len();
    let pairs = (0..n).flat_map(|a| (a + 2..n).map(move |b| [a, b]));
    let pairs = pairs.filter(|&[a, b]| b - a < n - 1);
    // Of the corners on each side of a diagonal, one must be away from it.
    let divides = |&[a, b]: &[usize; 2]| {
        let along = (corners[b] - corners[a]).truncate();
        let off = |corner: &DVec3| (corner - corners[a]).truncate().perp_dot(along).abs();
        let far = SAME_PLACE * along.length();
        let inner = corners[a + 1..b].iter().any(|corner| off(corner) > far);
        let mut outer = corners[b + 1..].iter().chain(&corners[..a]);
        inner && outer.any(|corner| off(corner) > far)
    };
    let cost = |&[a, b]: &[usize; 2]| {
        let most = (b - a + 1).max(n - (b - a) + 1);
        (most, corners[a].distance_squared(corners[b]))
    };
    pairs.filter(divides).min_by(|one, other| {
        let [one, other] = [one, other].map(cost);
        one.0.cmp(&other.0).then(one.1.total_cmp(&other.1))
    })
}

/// Cuts a piece in two along a diagonal.
fn cut(piece: &FloorPiece, [a, b]: [usize; 2]) -> [FloorPiece; 2] {
    let n = piece.corners.len();
    [[a, b], [b, a + n]].map(|[from, to]| {
        let around = (from..=to).map(|corner| corner % n);
        let mut leads: Vec<Lead> = around.clone().map(|corner| piece.leads[corner]).collect();
        // The last edge is the diagonal.
        leads.pop();
        leads.push(Lead::Inside);
        FloorPiece {
            corners: around.map(|corner| piece.corners[corner]).collect(),
            leads,
        }
    })
}
