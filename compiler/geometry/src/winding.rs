//! Windings are convex polygons on a plane, which other planes split into two. A corner stores the plane of the edge
//! that leaves it, so a new corner is again the meeting of three planes, and no rounding error accumulates.

use glam::DVec3;
use smallvec::SmallVec;

use super::bounds::Bounds;
use super::plane::{PlaneId, PlaneSet};
use super::polygon::area_at;
use super::predicate::{Location, Locations, Vertex};
use super::split::Split;

/// A corner of a winding: the point where its plane meets the planes of the edges before and after the corner.
#[derive(Clone, Copy, Debug)]
pub struct Corner {
    /// The position, in units, as [`Vertex::position`].
    pub position: DVec3,
    /// The plane that meets the winding's plane in the edge from this corner to the next.
    pub edge: PlaneId,
}

/// A convex polygon with at least three corners and an area, counterclockwise seen from the front of its plane.
#[derive(Clone, Debug)]
pub struct Winding {
    /// The plane of the polygon; its front is the polygon's front.
    pub plane: PlaneId,
    /// The corners in order.
    pub corners: Vec<Corner>,
}

/// For each edge, the point where a plane cuts it, or `None` if the plane does not.
type Cuts = SmallVec<[Option<DVec3>; 8]>;

/// The side of a plane that a winding or a cell is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaneSide {
    /// Wholly in front; it may touch the plane.
    Front,
    /// Wholly behind; it may touch the plane.
    Back,
    /// In the plane.
    On,
    /// On both sides.
    Both,
}

impl PlaneSide {
    /// Returns the side of a convex shape whose corners have these locations.
    pub fn of(corners: impl Iterator<Item = Location>) -> Self {
        let (mut front, mut back) = (false, false);
        for corner in corners {
            match corner {
                Location::Front => front = true,
                Location::Back => back = true,
                Location::On => {}
            }
            if front && back {
                return Self::Both;
            }
        }
        match (front, back) {
            (true, _) => Self::Front,
            (_, true) => Self::Back,
            _ => Self::On,
        }
    }
}

impl Winding {
    /// Classifies the winding against a plane.
    pub fn side(&self, planes: &PlaneSet, plane: PlaneId) -> PlaneSide {
        if self.plane.canonical() == plane.canonical() {
            return PlaneSide::On;
        }
        PlaneSide::of(self.locations(planes, plane))
    }

    /// Locates a corner relative to a plane.
    pub fn locate(&self, planes: &PlaneSet, corner: usize, plane: PlaneId) -> Location {
        let before = corner.checked_sub(1).unwrap_or(self.corners.len() - 1);
        let Corner { position, edge } = &self.corners[corner];
        let meeting = [self.plane, self.corners[before].edge, *edge];
        Vertex::locate_meeting(planes, meeting, position, plane)
    }

    /// Locates the corners relative to a plane.
    fn locations(&self, planes: &PlaneSet, plane: PlaneId) -> impl Iterator<Item = Location> {
        let last = self.corners.last();
        let mut before = last.map_or(self.plane, |corner| corner.edge);
        self.corners.iter().map(move |corner| {
            let meeting = [self.plane, before, corner.edge];
            before = corner.edge;
            Vertex::locate_meeting(planes, meeting, &corner.position, plane)
        })
    }

    /// Splits the winding by a plane, or returns `None` if it lies in the plane.
    pub fn split(&self, planes: &PlaneSet, plane: PlaneId) -> Option<Split<Self>> {
        if self.plane.canonical() == plane.canonical() {
            return None;
        }
        let mut locations: Locations = self.locations(planes, plane).collect();
        Some(match PlaneSide::of(locations.iter().copied()) {
            PlaneSide::On => return None,
            PlaneSide::Front => Split::Front,
            PlaneSide::Back => Split::Back,
            PlaneSide::Both => {
                let cuts = self.cuts(planes, plane, &locations);
                let back = self.part_behind(plane, &locations, &cuts);
                for location in &mut locations {
                    *location = location.flipped();
                }
                Split::Both(self.part_behind(plane, &locations, &cuts), back)
            }
        })
    }

    /// Returns, for each edge, the point where it passes through the plane, or `None` if it does not.
    fn cuts(&self, planes: &PlaneSet, plane: PlaneId, locations: &[Location]) -> Cuts {
        (0..self.corners.len())
            .map(|at| {
                let next = locations[after(at, locations.len())];
                let passes = locations[at] != Location::On && locations[at].flipped() == next;
                let vertex = || Vertex::new(planes, [self.plane, self.corners[at].edge, plane]);
                passes.then(vertex).flatten().map(|vertex| vertex.position)
            })
            .collect()
    }

    fn part_behind(&self, plane: PlaneId, locations: &[Location], cuts: &[Option<DVec3>]) -> Self {
        let kept = locations.iter().filter(|&&at| at != Location::Front);
        let mut corners = Vec::with_capacity(kept.count() + cuts.iter().flatten().count());
        for (at, corner) in self.corners.iter().enumerate() {
            let next = locations[after(at, locations.len())];
            match locations[at] {
                Location::Back => corners.push(*corner),
                Location::On => {
                    let edge = if next == Location::Front {
                        plane
                    } else {
                        corner.edge
                    };
                    corners.push(Corner { edge, ..*corner });
                }
                Location::Front => {}
            }
            if let Some(position) = cuts[at] {
                let leaves = locations[at] == Location::Back;
                let edge = if leaves { plane } else { corner.edge };
                corners.push(Corner { position, edge });
            }
        }
        debug_assert!(corners.len() >= 3);
        Self {
            plane: self.plane,
            corners,
        }
    }

    /// Returns the same polygon, facing the other way.
    pub fn flipped(&self) -> Self {
        let n = self.corners.len();
        let corners = (0..n).rev().map(|at| Corner {
            position: self.corners[at].position,
            edge: self.corners[(at + n - 1) % n].edge,
        });
        Self {
            plane: self.plane.flipped(),
            corners: corners.collect(),
        }
    }

    /// Returns the mean of the corners, which lies in the winding up to rounding error.
    pub fn center(&self) -> DVec3 {
        let positions = self.corners.iter().map(|corner| corner.position);
        positions.sum::<DVec3>() / self.corners.len() as f64
    }

    /// Returns the approximate area in square units.
    pub fn area(&self) -> f64 {
        area_at(&self.corners, |corner| corner.position)
    }

    /// Returns a box that certainly holds the winding.
    pub fn bounds(&self) -> Bounds {
        Bounds::around(self.corners.iter().map(|corner| corner.position))
    }
}

/// Returns the index after `at` in a circle of `n`. A remainder would take longer than the rest of a loop.
#[inline]
pub(super) fn after(at: usize, n: usize) -> usize {
    if at + 1 == n { 0 } else { at + 1 }
}
