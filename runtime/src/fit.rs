//! Where hulls fit: a place in, the hulls that have room there, whether an agent can change from one hull
//! to another, and the nearest place with room out. What all hulls make of a place is one look into the
//! tree (Golodetz, section 5: objects of several sizes share leaves).
//!
//! The nearest place: cells of the tree are convex, so the nearest point of an empty one is a projection
//! onto its planes (Hildreth's method: each plane in turn takes up its share). Cells are searched near
//! side first, and left out where a plane on the way is farther than the best place so far.

use onion_format::{Child, MAX_DEPTH, PlaneRecord};

use crate::load::all_hulls;
use crate::map::{HullId, LeafId, Model, distance, dot, unit_normal};
use crate::point::in_domain;

/// How far inside a cell a place with room is looked for, in units: well above what f32 coordinates
/// round off within 2^15 units of the origin, well below what a player sees.
const INSET: f64 = 1.0 / 128.0;

/// Turns of all planes that a projection takes at most. Planes at right angles need two; the sharper the
/// angles the more: cells above curved surfaces have taken hundreds. One that is not done by then is tried
/// as it is.
const MOST_TURNS: usize = 1 << 10;

/// A projection is done when no turn moves it by more than this, in units.
const STEADY: f64 = INSET / 16.0;

/// Leaves that a search looks into at most, whatever its radius.
const MOST_LEAVES: usize = 1 << 14;

/// Turns that a search takes at most, 64 for each leaf: most need few, and those of no use are given up
/// early.
const MOST_TURNS_IN_ALL: usize = 64 * MOST_LEAVES;

impl Model<'_> {
    /// The hulls that have room at a point, a bit each: those that are not solid there.
    pub fn hulls_that_fit(&self, point: impl Into<[f32; 3]>) -> u64 {
        self.hulls_that_fit_f64(point.into().map(f64::from))
    }

    /// [`Model::hulls_that_fit`] of a point in double precision.
    pub fn hulls_that_fit_f64(&self, point: [f64; 3]) -> u64 {
        all_hulls(self.map.hulls.len()) & !self.solidity_f64(point)
    }

    /// Where the origin of an agent is after it changes from one hull to another with its feet (the
    /// lowest points of the boxes) where they are, if the other hull has room there: whether somebody who
    /// crouches can stand up. The place is `point` itself for hulls whose origins are at one height above
    /// the feet, as they are unless `--hull` says otherwise. None also for hulls that are not in the map.
    pub fn can_switch(
        &self,
        from: HullId,
        to: HullId,
        point: impl Into<[f32; 3]>,
    ) -> Option<[f32; 3]> {
        let [x, y, z] = point.into();
        let hull = |id| self.map.hulls().find(|hull| hull.id == id);
        let (from, other) = (hull(from)?, hull(to)?);
        let point = [x, y, z + (from.mins[2] - other.mins[2])];
        (!self.is_solid(to, point)).then_some(point)
    }

    /// The nearest place to a point where a hull has room, at most `radius` units away; the point itself
    /// if it has room there. None if there is none, or for a point that is not finite.
    ///
    /// It is less than a few hundredths of a unit farther than the nearest; where cells are thinner than
    /// 1/64 unit they are passed over. A search looks into 16,384 leaves at most and then gives the best so
    /// far, so keep the radius to what an agent may be moved by.
    pub fn nearest_fit(
        &self,
        hull: HullId,
        point: impl Into<[f32; 3]>,
        radius: f32,
    ) -> Option<[f32; 3]> {
        let point = point.into();
        if !self.is_solid(hull, point) {
            return Some(point);
        }
        let wide = point.map(f64::from);
        // Not true for a radius that is not a number.
        if !(in_domain(&wide) && radius > 0.0) {
            return None;
        }
        let mut search = Search {
            model: self,
            hull,
            point: wide,
            bound_squared: f64::from(radius) * f64::from(radius),
            best: None,
            n_leaves: 0,
            n_turns: 0,
            walls: [Wall::NONE; MAX_DEPTH],
        };
        search.run();
        search.best
    }
}

/// A plane of a cell, and on which side of it the cell lies.
#[derive(Clone, Copy)]
struct Wall {
    /// Unit normal, out of the cell.
    normal: [f64; 3],
    /// How far the plane is from the point, along the normal, in units; negative if the point is outside.
    ahead: f64,
    /// The other child, if it is still to be searched.
    other: Option<Child>,
}

impl Wall {
    const NONE: Self = Self {
        normal: [0.0; 3],
        ahead: 0.0,
        other: None,
    };

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

struct Search<'a> {
    model: &'a Model<'a>,
    hull: HullId,
    point: [f64; 3],
    /// Places farther than this are of no use: its square, in square units.
    bound_squared: f64,
    best: Option<[f32; 3]>,
    n_leaves: usize,
    n_turns: usize,
    /// The planes on the way to the part of the tree at hand.
    walls: [Wall; MAX_DEPTH],
}

impl Search<'_> {
    fn run(&mut self) {
        let map = &self.model.map;
        let mut depth = 0;
        let mut at = map.root_of(self.model.index, self.hull);
        loop {
            while !at.is_leaf() {
                let node = map.node(at.index());
                let plane = map.plane_of(&node);
                let near = usize::from(distance(&plane, &self.point) < 0.0);
                let other = Some(Child(node.children[near ^ 1]));
                if let Some(slot) = self.walls.get_mut(depth) {
                    *slot = Wall::new(&plane, &self.point, near == 0, other);
                    depth += 1;
                }
                at = Child(node.children[near]);
            }
            self.look_into(LeafId(at.index()), depth);
            if self.n_leaves == MOST_LEAVES || self.n_turns >= MOST_TURNS_IN_ALL {
                return;
            }
            // Back to the last node whose far side is near enough.
            loop {
                let Some(wall) = depth
                    .checked_sub(1)
                    .and_then(|last| self.walls.get_mut(last))
                else {
                    return;
                };
                if let Some(other) = wall
                    .other
                    .filter(|_| wall.ahead * wall.ahead < self.bound_squared)
                {
                    *wall = Wall {
                        normal: wall.normal.map(|component| -component),
                        ahead: -wall.ahead,
                        other: None,
                    };
                    at = other;
                    break;
                }
                depth -= 1;
            }
        }
    }

    /// Looks for a place in a leaf that lies behind so many walls.
    fn look_into(&mut self, leaf: LeafId, depth: usize) {
        self.n_leaves += 1;
        if self.model.map.leaf_solidity(leaf) & self.hull.bit() != 0 {
            return;
        }
        let walls = self.walls.get(..depth).unwrap_or(&[]);
        let (way, n_turns) = projection(walls, self.bound_squared);
        self.n_turns += n_turns;
        let Some(way) = way else {
            return;
        };
        let place = [0, 1, 2].map(|axis| (self.point[axis] + way[axis]) as f32);
        let wide = place.map(f64::from);
        let moved = [0, 1, 2].map(|axis| wide[axis] - self.point[axis]);
        let distance_squared = dot(&moved, &moved);
        if distance_squared <= self.bound_squared && !self.model.is_solid_f64(self.hull, wide) {
            self.best = Some(place);
            self.bound_squared = distance_squared;
        }
    }
}

/// The shortest way from the point to a place behind all walls, [`INSET`] inside, and the turns it took;
/// no way if its square is found to be above a bound, in square units.
fn projection(walls: &[Wall], bound_squared: f64) -> (Option<[f64; 3]>, usize) {
    let mut way = [0.0; 3];
    let mut shares = [0.0; MAX_DEPTH];
    // The square of the way is at least this, twice what the shares make of the dual problem.
    let mut least_squared = 0.0;
    for turn in 1..=MOST_TURNS {
        let mut change: f64 = 0.0;
        for (wall, share) in walls.iter().zip(&mut shares) {
            let too_far = dot(&wall.normal, &way) + INSET - wall.ahead;
            // Normals have length 1 within 2^-10, so that a turn is a little off, and the next one mends it.
            let next = if *share + too_far > 0.0 {
                *share + too_far
            } else {
                0.0
            };
            let step = next - *share;
            *share = next;
            way = [0, 1, 2].map(|axis| way[axis] - wall.normal[axis] * step);
            least_squared += step * (2.0 * too_far - step);
            change = change.max(step.abs());
        }
        if least_squared > bound_squared {
            return (None, turn);
        }
        if change <= STEADY {
            return (Some(way), turn);
        }
    }
    (Some(way), MOST_TURNS)
}
