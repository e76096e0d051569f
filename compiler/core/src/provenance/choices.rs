//! Makes choices between the sides that have faces in a node's plane and cell: by the facing of the face, by a plane
//! that has the hit point in front or behind, and by the hull. Faces of one hull do not overlap, so planes through
//! their edges separate them. Points outside of all faces are never queried, so few choices are needed.

use onion_format::HullSet;
use onion_geometry::winding::PlaneSide;
use onion_geometry::{PlaneId, PlaneSet, Split, Winding};

use super::hit_tree::{HitChoice, HitTree};
use crate::id::{HullIndex, distinct};
use crate::union::Face;

/// Maximum number of planes, evenly spread, that are tried first for a choice. Others are tried only if none of these
/// splits the pieces, so that a choice among very many faces stays cheap.
const FIRST_TRIES: usize = 64;

/// A piece of a face in a node's plane.
#[derive(Clone)]
pub(super) struct NodePiece {
    winding: Winding,
    /// The hull whose skin it is from.
    hull: HullIndex,
    /// Number of the side that made it.
    side: u32,
}

impl NodePiece {
    pub(super) fn new(face: &Face, side: u32) -> Self {
        Self {
            winding: face.winding.clone(),
            hull: face.owner.hull,
            side,
        }
    }
}

/// The pieces for the two results of a test.
type Parts = [Vec<NodePiece>; 2];

/// Returns the hit at a node whose plane contains these pieces.
pub(super) fn choose(planes: &PlaneSet, node: PlaneId, pieces: Vec<NodePiece>) -> HitTree {
    let sides = sides(&pieces);
    let Some(&lowest) = sides.first() else {
        return HitTree::Nothing;
    };
    let choice = if sides.len() > 1 {
        by_look(node, &pieces)
            .or_else(|| by_hull(&pieces).filter(|(_, parts)| cost(parts) == sides.len()))
            .or_else(|| by_plane(planes, &pieces))
            .or_else(|| by_hull(&pieces))
    } else {
        None
    };
    choice.map_or(HitTree::Side(lowest), |(test, parts)| {
        let hits = parts.map(|part| choose(planes, node, part));
        HitTree::Choice(test, Box::new(hits))
    })
}

/// Returns the distinct sides of some pieces, in ascending order.
fn sides(pieces: &[NodePiece]) -> Vec<u32> {
    distinct(pieces.iter().map(|piece| piece.side))
}

/// Returns the number of sides that the two parts have to separate after a test; smallest if no side is in both.
fn cost(parts: &Parts) -> usize {
    parts.iter().map(|part| sides(part).len()).sum()
}

/// Divides pieces into those that face the node's front and those that face its back, or returns `None` unless there
/// are both.
fn by_look(node: PlaneId, pieces: &[NodePiece]) -> Option<(HitChoice, Parts)> {
    let looks_front = |piece: &NodePiece| piece.winding.plane == node;
    parted(HitChoice::Look, pieces, looks_front)
}

/// Divides pieces into those of the lower half of their hulls and those of the upper half, or returns `None` unless
/// there are both.
fn by_hull(pieces: &[NodePiece]) -> Option<(HitChoice, Parts)> {
    let hulls: HullSet = pieces.iter().map(|piece| piece.hull.index()).collect();
    let middle = HullIndex::new(hulls.iter().nth(hulls.len() / 2)?);
    parted(HitChoice::Hull(middle), pieces, |piece| piece.hull < middle)
}

fn parted(
    test: HitChoice,
    pieces: &[NodePiece],
    is_first: impl Fn(&NodePiece) -> bool,
) -> Option<(HitChoice, Parts)> {
    let (first, second): (Vec<_>, Vec<_>) = pieces.iter().cloned().partition(is_first);
    let parts = [first, second];
    let are_both = parts.iter().all(|part| !part.is_empty());
    are_both.then_some((test, parts))
}

/// Splits pieces by the plane of the edge that separates sides best, or returns `None` if no plane splits them.
fn by_plane(planes: &PlaneSet, pieces: &[NodePiece]) -> Option<(HitChoice, Parts)> {
    let edges = pieces.iter().flat_map(|piece| &piece.winding.corners);
    let edges = distinct(edges.map(|corner| corner.edge.canonical()));
    let best = |edges: &mut dyn Iterator<Item = &PlaneId>| {
        let scores = edges.filter_map(|&plane| Some((score(planes, plane, pieces)?, plane)));
        scores.min()
    };
    let stride = edges.len().div_ceil(FIRST_TRIES).max(1);
    let found = best(&mut edges.iter().step_by(stride)).or_else(|| best(&mut edges.iter()));
    let (_, plane) = found?;
    Some((HitChoice::Plane(plane), split_pieces(planes, plane, pieces)))
}

/// Returns the cost of a plane as a splitter, compared in this order: sides that remain to be separated, pieces that it
/// cuts, and the difference in size of the parts. Returns `None` if a part still has all pieces.
fn score(planes: &PlaneSet, plane: PlaneId, pieces: &[NodePiece]) -> Option<[usize; 3]> {
    let (mut parts, mut n_cut) = ([Vec::new(), Vec::new()], 0);
    for piece in pieces {
        let side = piece.winding.side(planes, plane);
        n_cut += usize::from(side == PlaneSide::Both);
        if side != PlaneSide::Back {
            parts[0].push(piece.side);
        }
        if side != PlaneSide::Front {
            parts[1].push(piece.side);
        }
    }
    let [front, back] = parts.each_ref().map(Vec::len);
    let splits = front.max(back) < pieces.len();
    let remaining = parts.map(|sides| distinct(sides.into_iter()).len());
    splits.then_some([remaining.iter().sum(), n_cut, front.abs_diff(back)])
}

fn split_pieces(planes: &PlaneSet, plane: PlaneId, pieces: &[NodePiece]) -> Parts {
    let mut parts = Parts::default();
    for piece in pieces {
        let mut add = |part: usize, winding| {
            parts[part].push(NodePiece {
                winding,
                ..piece.clone()
            });
        };
        match piece.winding.split(planes, plane) {
            Some(Split::Front) => add(0, piece.winding.clone()),
            Some(Split::Back) => add(1, piece.winding.clone()),
            Some(Split::Both(front, back)) => {
                add(0, front);
                add(1, back);
            }
            // A degenerate piece (a line in the plane) belongs to both parts.
            None => {
                add(0, piece.winding.clone());
                add(1, piece.winding.clone());
            }
        }
    }
    parts
}
