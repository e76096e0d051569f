//! Part of stage 5, floors: joins convex polygons of one plane that share a whole edge, if the union is convex
//! (Carmack's merging of faces; Hertel and Mehlhorn, "Fast triangulation of simple polygons", 1983, remove diagonals in
//! the same way). Pieces that do not overlap go in; fewer pieces of the same area come out. Whether corners coincide
//! and angles are convex is decided exactly.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use onion_geometry::spatial::SpatialIndex;
use onion_geometry::winding::{Corner, PlaneSide};
use onion_geometry::{Bounds, Location, PlaneSet, Split, Winding};

use crate::tolerance::APART;

/// Joins pieces until no two of them have a convex union, along the longest shared edges first: a corridor then ends
/// where a hall begins, and does not divide the hall. Then moves cuts where that saves a piece.
pub fn merged(planes: &PlaneSet, pieces: Vec<Winding>) -> Vec<Winding> {
    let mut region = Region {
        planes,
        pieces: Vec::new(),
        boxes: SpatialIndex::new(std::iter::empty()),
        unions: BinaryHeap::new(),
    };
    pieces.into_iter().for_each(|piece| region.add(piece));
    region.join();
    // Unions are added at the end, and are looked at in their turn.
    let mut number = 0;
    while number < region.pieces.len() {
        region.move_cut(number);
        number += 1;
    }
    region
        .pieces
        .into_iter()
        .flatten()
        .map(|piece| piece.winding)
        .collect()
}

/// A piece and the box around it.
struct Piece {
    winding: Winding,
    /// Box around it, in units.
    bounds: Bounds,
}

/// The pieces of a plane.
struct Region<'a> {
    planes: &'a PlaneSet,
    /// The pieces; `None` for one that became part of another.
    pieces: Vec<Option<Piece>>,
    /// Finds pieces by position.
    boxes: SpatialIndex,
    /// The pairs of pieces that have a convex union, and pairs of which one became part of another: the bits of the
    /// length of the edge that they share, which order as lengths do, and the numbers of the pieces, the larger first.
    /// Those that share the longest edge are the greatest; of equally long edges, the first that was found.
    unions: BinaryHeap<(u64, Reverse<[usize; 2]>)>,
}

impl Region<'_> {
    /// Adds a piece, and finds the pieces with which it has a convex union.
    fn add(&mut self, winding: Winding) {
        let bounds = winding.bounds();
        let number = self.pieces.len();
        let near = self.near(&bounds).into_iter();
        let unions = near.filter_map(|(other, piece)| {
            let (length, _) = union(self.planes, &piece.winding, &winding)?;
            Some((length.to_bits(), Reverse([number, other])))
        });
        let unions: Vec<_> = unions.collect();
        self.unions.extend(unions);
        self.boxes.insert(number as u32, &bounds);
        self.pieces.push(Some(Piece { winding, bounds }));
    }

    /// Returns the pieces whose boxes touch a box.
    fn near(&self, bounds: &Bounds) -> Vec<(usize, &Piece)> {
        let numbers = self.boxes.touching(bounds).into_iter();
        let numbers = numbers.map(|number| number as usize);
        let pieces = numbers.filter_map(|number| Some((number, self.pieces[number].as_ref()?)));
        pieces.collect()
    }

    /// Removes pieces.
    fn remove(&mut self, numbers: &[usize]) {
        for &number in numbers {
            if let Some(piece) = self.pieces[number].take() {
                self.boxes.remove(number as u32, &piece.bounds);
            }
        }
    }

    /// Joins pieces until no two of them have a convex union.
    fn join(&mut self) {
        while let Some((_, Reverse([number, other]))) = self.unions.pop() {
            let parts = [other, number];
            let [one, other] = parts.map(|part| self.pieces[part].as_ref());
            let both = one.zip(other);
            let whole = both.and_then(|(a, b)| union(self.planes, &a.winding, &b.winding));
            if let Some((_, whole)) = whole {
                self.remove(&parts);
                self.add(whole);
            }
        }
    }

    /// If a piece ends where two others meet side by side, and its halves have convex unions with them when the cut
    /// between the two goes on through it, replaces the three by the two unions.
    fn move_cut(&mut self, number: usize) {
        if let Some((parts, unions)) = self.moved_cut(number) {
            self.remove(&parts);
            unions.into_iter().for_each(|union| self.add(union));
            self.join();
        }
    }

    /// Returns the numbers of such three pieces and the two unions, or `None` if the piece is not one.
    fn moved_cut(&self, number: usize) -> Option<([usize; 3], [Winding; 2])> {
        let piece = self.pieces[number].as_ref()?;
        let near = self.near(&piece.bounds).into_iter();
        let beside: Vec<_> = near.filter(|(other, _)| *other != number).collect();
        let mut cuts = beside.iter().flat_map(|(first, one)| {
            let edges = one.winding.corners.iter().map(|corner| corner.edge);
            edges.map(move |plane| (*first, &one.winding, plane))
        });
        cuts.find_map(|(first, one, plane)| {
            let Split::Both(front, back) = piece.winding.split(self.planes, plane)? else {
                return None;
            };
            let [near_half, far_half] = match one.side(self.planes, plane) {
                PlaneSide::Front => [front, back],
                _ => [back, front],
            };
            let (_, near_union) = union(self.planes, one, &near_half)?;
            let mut others = beside.iter().filter(|(other, _)| *other != first);
            others.find_map(|(second, other)| {
                let (_, far_union) = union(self.planes, &other.winding, &far_half)?;
                Some(([number, first, *second], [near_union.clone(), far_union]))
            })
        })
    }
}

/// Returns the convex union of two pieces and the length of the edge that they share, or `None` if there is none.
fn union(planes: &PlaneSet, one: &Winding, other: &Winding) -> Option<(f64, Winding)> {
    let edges = (0..one.corners.len()).flat_map(|i| (0..other.corners.len()).map(move |j| (i, j)));
    let mut shared = edges.filter(|&(i, j)| {
        let next = |winding: &Winding, at| (at + 1) % winding.corners.len();
        coincide(planes, (one, i), (other, next(other, j)))
            && coincide(planes, (one, next(one, i)), (other, j))
    });
    let (i, j) = shared.next()?;
    let union = joined(planes, &from(one, i), &from(other, j))?;
    let [start, end] = [one.corners[i], one.corners[(i + 1) % one.corners.len()]];
    Some((start.position.distance(end.position), union))
}

/// Whether a corner of one piece is at the same point as a corner of another piece in the same plane.
fn coincide(planes: &PlaneSet, (one, i): (&Winding, usize), (other, j): (&Winding, usize)) -> bool {
    let [a, b] = [one.corners[i], other.corners[j]];
    let before = one.corners[(i + one.corners.len() - 1) % one.corners.len()];
    // Two lines in the plane meet in one point.
    let is_on = |plane| other.locate(planes, j, plane) == Location::On;
    (a.position - b.position).abs().max_element() < APART && is_on(a.edge) && is_on(before.edge)
}

/// Returns the same polygon with its corners listed from one on.
fn from(winding: &Winding, first: usize) -> Winding {
    let mut turned = winding.clone();
    turned.corners.rotate_left(first);
    turned
}

/// Returns the union of two pieces whose first edges are one, in opposite directions, if it is convex.
fn joined(planes: &PlaneSet, one: &Winding, other: &Winding) -> Option<Winding> {
    let start = meeting(planes, one, other)?;
    let end = meeting(planes, other, one)?;
    // All corners of one but the ends of the shared edge, then those of the other.
    let half = |winding: &Winding, meets: Meeting, after: &Winding| {
        let mut corners: Vec<Corner> = winding.corners[2..].to_vec();
        if meets == Meeting::Corner {
            let Corner { position, .. } = winding.corners[0];
            let edge = after.corners[1].edge;
            corners.push(Corner { position, edge });
        }
        corners
    };
    let mut corners = half(one, start, other);
    corners.extend(half(other, end, one));
    (corners.len() >= 3).then_some(Winding {
        plane: one.plane,
        corners,
    })
}

/// The shape of a union's outline where it passes from one piece to the other.
#[derive(Clone, Copy, PartialEq)]
enum Meeting {
    /// A convex corner.
    Corner,
    /// A straight edge.
    Straight,
}

/// Returns the outline at the first corner of a piece, which is the second corner of another, or `None` if the outline
/// turns inward there.
fn meeting(planes: &PlaneSet, one: &Winding, other: &Winding) -> Option<Meeting> {
    let last = one.corners.last()?.edge;
    let inside = one.locate(planes, 1, last);
    match other.locate(planes, 2, last) {
        Location::On => Some(Meeting::Straight),
        side => (side == inside).then_some(Meeting::Corner),
    }
}
