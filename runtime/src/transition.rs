//! Transitions: the changes of solidity along a segment, that is, the points where it enters and leaves solid,
//! exactly and without back-off. Golodetz's listing 5 finds the first one ("Object-Environment Collision Detection
//! using Onion BSPs", section 4).

use core::ops::ControlFlow;

use crate::file::hull::{HullId, LeafId};
use crate::math::coordinate::{Coordinate, narrowed, widened};
use crate::math::plane::Plane;
use crate::math::segment::{in_domain, point_at};
use crate::model::Model;
use crate::trace::facing;
use crate::walk::{LeafEntry, Part, WalkSegment, parts};

/// A point where a segment passes between empty and solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing<T> {
    /// The part of the segment before the crossing, 0 to 1.
    pub fraction: f64,
    /// The point on the segment, in units of the model's space.
    pub point: [T; 3],
    /// The plane that is crossed; `None` only if rounding left no plane to name.
    pub plane: Option<Plane<T>>,
    /// The leaf before the crossing.
    pub from: Option<LeafId>,
    /// The leaf after the crossing.
    pub to: LeafId,
}

/// A change of solidity along a segment, or the solidity of the whole segment if it never changes (Golodetz,
/// section 4, listing 5).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Transition<T> {
    /// The whole segment is empty.
    Empty,
    /// The whole segment is solid, or is not finite, leaves the domain, or the hull is one of another map.
    Solid,
    /// The segment starts in empty and enters solid.
    EnterSolid(Crossing<T>),
    /// The segment starts in solid and leaves it.
    LeaveSolid(Crossing<T>),
}

impl<T> Transition<T> {
    /// Returns the part of the segment that a hull must move to leave the solid it starts in, 0 to 1, given the first
    /// transition of the segment. It is 0 if the hull does not start in solid, 1 if it never leaves it (Source's
    /// `fractionleftsolid`).
    pub fn fraction_left_solid(&self) -> f64 {
        match self {
            Self::Empty | Self::EnterSolid(_) => 0.0,
            Self::LeaveSolid(crossing) => crossing.fraction,
            Self::Solid => 1.0,
        }
    }
}

impl Model<'_> {
    /// Returns the first change of solidity for a hull along a segment; exact, without back-off.
    pub fn find_first_transition<T: Coordinate>(
        &self,
        hull: HullId,
        start: impl Into<[T; 3]>,
        end: impl Into<[T; 3]>,
    ) -> Transition<T> {
        let mut first = Transition::Solid;
        self.transitions(hull, start, end, |transition| {
            first = transition;
            ControlFlow::Break(())
        });
        first
    }

    /// Calls `on_transition` for each change of solidity for a hull along a segment, in order, until it breaks; if
    /// there is no change, once with the solidity of the whole segment. Exact, without back-off.
    pub fn transitions<T: Coordinate>(
        &self,
        hull: HullId,
        start: impl Into<[T; 3]>,
        end: impl Into<[T; 3]>,
        mut on_transition: impl FnMut(Transition<T>) -> ControlFlow<()>,
    ) {
        let ends = [widened(start.into()), widened(end.into())];
        // The answer if no change is found: solid, unless the first part is empty.
        let mut whole = Some(Transition::Solid);
        if self.map.has(hull) && ends.iter().all(in_domain) {
            let root = self.map.root_of(self.index, hull);
            let segment = WalkSegment::new(ends);
            parts(&self.map, root, hull.bit, &segment, |part, from| {
                let transition = match part {
                    // The segment starts in empty space: nothing has changed yet.
                    Part::Empty(entry) if entry.fraction == 0.0 => {
                        whole = Some(Transition::Empty);
                        return ControlFlow::Continue(());
                    }
                    Part::Empty(at) => Transition::LeaveSolid(self.crossing(&ends, at, from)),
                    Part::Solid(at) => Transition::EnterSolid(self.crossing(&ends, at, from)),
                };
                whole = None;
                on_transition(transition)
            });
        }
        if let Some(whole) = whole {
            // This is the last call, so there is nothing to break off.
            let _ = on_transition(whole);
        }
    }

    /// Returns the crossing into a leaf, at the fraction of the walk where it is entered. `from` is the leaf before it.
    fn crossing<T: Coordinate>(
        &self,
        ends: &[[f64; 3]; 2],
        to: LeafEntry,
        from: Option<LeafId>,
    ) -> Crossing<T> {
        let plane = to.plane.map(|at| facing(&self.map, at.plane, ends).0);
        Crossing {
            fraction: to.fraction,
            point: narrowed(point_at(ends, to.fraction)),
            plane: plane.map(Plane::narrowed),
            from,
            to: to.leaf,
        }
    }
}
