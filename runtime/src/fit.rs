//! Room for hulls: the hulls that fit at a position, the change of an agent from one hull to another, and the nearest
//! position with room. Hulls are asked about one by one, and the onion has them all in one tree (Golodetz, section 5:
//! objects of several sizes share leaves).
//!
//! Nearest position: cells of the tree are convex, so the nearest point of an empty cell is a projection onto the
//! intersection of its half-spaces (Hildreth's method, which corrects for one plane at a time). Cells are searched
//! near side first, and skipped if a plane on the way is farther than the best position so far.

use onion_format::{Child, HullSet, MAX_DEPTH, PlaneRecord};

use crate::file::hull::HullId;
use crate::file::stack::Stack;
use crate::math::coordinate::{Coordinate, narrowed, widened};
use crate::math::plane::{distance, unit_normal};
use crate::math::segment::in_domain;
use crate::math::vector::{dot, sub};
use crate::model::Model;
use crate::tolerance::{INSET, STEADY};

/// Iteration limit of a projection; one iteration passes over all planes. Planes at right angles need two; the
/// sharper the angles, the more: cells above curved surfaces have taken hundreds. A projection that has not converged
/// by then is tried as it is.
const MAX_TURNS: usize = 1 << 10;

/// Limit on the leaves that a search visits, whatever its radius.
const MAX_LEAVES: usize = 1 << 14;

/// Iteration limit of a whole search, 64 for each leaf: most need few, and useless ones are given up early.
const MAX_TURNS_IN_ALL: usize = 64 * MAX_LEAVES;

impl Model<'_> {
    /// Returns the hulls that have room at a point, that is, those that are not solid there.
    pub fn hulls_that_fit<T: Coordinate>(&self, point: impl Into<[T; 3]>) -> HullSet {
        self.map.all_hulls().without(self.solidity(point))
    }

    /// Returns the origin of an agent after it changes from one hull to another, or `None` if the other hull has no
    /// room there. A game calls it, for example, to find out whether a crouching player can stand up. The feet (the
    /// lowest points of the boxes) stay where they are. If both origins are at the same height above the feet, which
    /// is the default of `--hull`, the answer is `point` itself. A hull of another map has no room anywhere.
    pub fn switched_position<T: Coordinate>(
        &self,
        from: HullId,
        to: HullId,
        point: impl Into<[T; 3]>,
    ) -> Option<[T; 3]> {
        let feet = |id| Some(self.map.hull_record(id)?.mins[2]);
        let point = with_feet_of(point.into(), feet(from)?, feet(to)?);
        (!self.is_solid(to, point)).then_some(point)
    }

    /// Returns the nearest position to a point where a hull has room, at most `radius` units away, or the point itself
    /// if the hull has room there. `None` if there is no such position, or if the point is not finite.
    ///
    /// The answer is less than a few hundredths of a unit farther than the nearest position; cells thinner than 1/64
    /// unit are skipped. A search examines at most 16,384 leaves and then returns the best position so far, so keep
    /// the radius to the distance that an agent may be moved.
    pub fn nearest_fit<T: Coordinate>(
        &self,
        hull: HullId,
        point: impl Into<[T; 3]>,
        radius: T,
    ) -> Option<[T; 3]> {
        let point = point.into();
        if !self.is_solid(hull, point) {
            return Some(point);
        }
        let (wide, radius) = (widened(point), radius.widen());
        // Written so that a radius of NaN finds nothing.
        if !(in_domain(&wide) && radius > 0.0 && self.map.has(hull)) {
            return None;
        }
        let mut stored = [CellPlane::NONE; MAX_DEPTH];
        let mut search = FitSearch {
            model: self,
            hull,
            point: wide,
            bound_squared: radius * radius,
            best: None,
            n_leaves: 0,
            n_turns: 0,
            walls: Stack::on(&mut stored),
        };
        search.run();
        search.best
    }
}

/// Returns the origin of an agent after a change of hull that keeps its feet, given the heights of the lower corners
/// of both boxes relative to their origins.
pub(crate) fn with_feet_of<T: Coordinate>([x, y, z]: [T; 3], from: f32, to: f32) -> [T; 3] {
    let [from, to] = [from, to].map(|feet| T::narrow(f64::from(feet)));
    [x, y, z + (from - to)]
}

/// A plane of a cell, oriented away from the cell.
#[derive(Clone, Copy)]
struct CellPlane {
    /// Unit normal, facing out of the cell.
    normal: [f64; 3],
    /// Distance of the plane from the point along the normal, in units; negative if the point is outside.
    ahead: f64,
    /// The other child, if it is still to be searched.
    other: Option<Child>,
}

impl CellPlane {
    /// Fills the stack where no plane is stored yet.
    const NONE: Self = Self {
        normal: [0.0; 3],
        ahead: 0.0,
        other: None,
    };

    /// Returns the plane of a node from the side of the child that the search is in: the front child if `is_front`.
    /// `other` is the other child, if it is still to be searched.
    fn new(plane: &PlaneRecord, point: &[f64; 3], is_front: bool, other: Option<Child>) -> Self {
        let (normal, ahead) = (unit_normal(plane), distance(plane, point));
        let (normal, ahead) = if is_front {
            (normal.map(|component| -component), ahead)
        } else {
            (normal, -ahead)
        };
        Self {
            normal,
            ahead,
            other,
        }
    }
}

/// The state of a search.
struct FitSearch<'a, T> {
    /// The model whose trees are searched.
    model: &'a Model<'a>,
    /// The hull that needs room.
    hull: HullId,
    /// The point to stay near to, in units.
    point: [f64; 3],
    /// Square of the distance beyond which positions are useless, in square units.
    bound_squared: f64,
    /// The nearest position so far, in units, rounded to the type of the answer and tested as such.
    best: Option<[T; 3]>,
    /// Number of leaves searched so far, which is limited.
    n_leaves: usize,
    /// Number of iterations of projections so far, over all leaves, which is limited, too.
    n_turns: usize,
    /// The planes on the path to the current part of the tree.
    walls: Stack<'a, CellPlane, MAX_DEPTH>,
}

impl<T: Coordinate> FitSearch<'_, T> {
    /// Searches the leaf of the point first, then goes back up and into the other children whose planes are nearer than
    /// the best position so far. Stops when the effort is spent.
    fn run(&mut self) {
        let map = &self.model.map;
        let mut at = map.root_of(self.model.index, self.hull);
        loop {
            while !at.is_leaf() {
                let node = map.node(at.index());
                let plane = map.plane_of(&node);
                let near = usize::from(distance(&plane, &self.point) < 0.0);
                let children = node.children(at.index());
                let wall = CellPlane::new(&plane, &self.point, near == 0, Some(children[near ^ 1]));
                self.walls.push(wall);
                at = children[near];
            }
            // The near children come first: what is found early spares the search most of the rest.
            self.look_into(at);
            if self.n_leaves == MAX_LEAVES || self.n_turns >= MAX_TURNS_IN_ALL {
                return;
            }
            // Backtracks to the last node whose far side is near enough.
            loop {
                let Some(wall) = self.walls.last_mut() else {
                    return;
                };
                if let Some(other) = wall
                    .other
                    .filter(|_| wall.ahead * wall.ahead < self.bound_squared)
                {
                    // The search goes on beyond this plane, from where it bounds the cell on the other side.
                    *wall = CellPlane {
                        normal: wall.normal.map(|component| -component),
                        ahead: -wall.ahead,
                        other: None,
                    };
                    at = other;
                    break;
                }
                self.walls.pop();
            }
        }
    }

    /// Searches a leaf, which is bounded by the walls, for a position.
    fn look_into(&mut self, leaf: Child) {
        self.n_leaves += 1;
        if self.model.map.is_solid(leaf, self.hull.bit) {
            return;
        }
        let (way, n_turns) = projection(self.walls.items(), self.bound_squared);
        self.n_turns += n_turns;
        let Some(way) = way else {
            return;
        };
        // Rounding to the type of the answer may take it out of its cell again, in spite of the inset: so the rounded
        // position is asked about.
        let position = narrowed([0, 1, 2].map(|axis| self.point[axis] + way[axis]));
        let moved = sub(&widened(position), &self.point);
        let distance_squared = dot(&moved, &moved);
        if distance_squared <= self.bound_squared && !self.model.is_solid(self.hull, position) {
            self.best = Some(position);
            self.bound_squared = distance_squared;
        }
    }
}

/// Returns the shortest displacement from the point to a position behind all walls, [`INSET`] inside, and the number of
/// iterations. The displacement is `None` if its square is found to exceed a bound, in square units.
fn projection(walls: &[CellPlane], bound_squared: f64) -> (Option<[f64; 3]>, usize) {
    let mut way = [0.0; 3];
    let mut shares = [0.0; MAX_DEPTH];
    // A lower bound on the squared length of the displacement: twice the dual objective at the multipliers in
    // `shares`.
    let mut least_squared = 0.0;
    for turn in 1..=MAX_TURNS {
        let mut change: f64 = 0.0;
        for (wall, share) in walls.iter().zip(&mut shares) {
            let too_far = dot(&wall.normal, &way) + INSET - wall.ahead;
            // Normals have length 1 within 2^-10, so one iteration is slightly off, and the next one corrects it.
            let next = if *share + too_far > 0.0 {
                *share + too_far
            } else {
                0.0
            };
            // A plane takes back what it moved the point before, and moves it as far as is needed now: what other
            // planes did in between may have made that less.
            let step = next - *share;
            *share = next;
            way = [0, 1, 2].map(|axis| way[axis] - wall.normal[axis] * step);
            least_squared += step * (2.0 * too_far - step);
            change = change.max(step.abs());
        }
        // No position of this cell can be near enough, though none has been found.
        if least_squared > bound_squared {
            return (None, turn);
        }
        if change <= STEADY {
            return (Some(way), turn);
        }
    }
    (Some(way), MAX_TURNS)
}
