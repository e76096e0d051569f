//! Boxes with corners at multiples of 1/64 units, and the search for the nearest solid or empty place in one. The
//! search goes down the tree with a box around the part of it that lies in each cell. Such a box may be larger than
//! the part where a plane is not axial, so a place may be found too near, but none is missed.

use onion_geometry::{ExactPlane, PlaneSet, Region};

use crate::bsp::leaf_tree::{At, Branch};
use crate::id::HullIndex;
use crate::tree::lattice;

/// A box. Its sides have numbers: 0 is the side of the lowest x, 1 the side of the highest x, then y and z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cuboid {
    /// The lower corner, in 1/64 units.
    pub mins: [i64; 3],
    /// The upper corner, in 1/64 units.
    pub maxs: [i64; 3],
}

impl Cuboid {
    /// Returns the thinnest box from a point upward.
    pub fn upward([x, y, z]: [i64; 3], top: i64) -> Self {
        Self {
            mins: [x, y, z],
            maxs: [x + 1, y + 1, top],
        }
    }

    /// Returns the coordinate of a side.
    pub fn face(&self, side: usize) -> i64 {
        let corner = if side % 2 == 0 { self.mins } else { self.maxs };
        corner[side / 2]
    }

    fn face_mut(&mut self, side: usize) -> &mut i64 {
        match side % 2 {
            0 => &mut self.mins[side / 2],
            _ => &mut self.maxs[side / 2],
        }
    }

    /// Returns the box with a side moved outward.
    pub fn grown(mut self, side: usize, by: i64) -> Self {
        *self.face_mut(side) += outward(side) * by;
        self
    }

    /// Returns the box that a side passes through when it moves outward.
    pub fn swept(self, side: usize, by: i64) -> Self {
        let mut swept = self.grown(side, by);
        *swept.face_mut(side ^ 1) = self.face(side);
        swept
    }

    pub fn insert_planes(&self, planes: &mut PlaneSet) {
        for side in 0..6 {
            planes.insert(lattice::plane(side / 2, self.face(side)));
        }
    }

    /// Returns the box for exact proofs, or `None` if it has no volume. The planes of its sides must be in the set.
    pub fn region(&self, planes: &PlaneSet) -> Option<Region> {
        let sides = std::array::from_fn(|side| {
            let plane = planes.find(lattice::plane(side / 2, self.face(side)));
            let plane = plane.expect("the planes of the sides are in the set");
            match side % 2 {
                0 => plane.flipped(),
                _ => plane,
            }
        });
        Region::of_box(planes, sides)
    }

    /// Whether a point is in the box or on its border.
    pub fn contains(&self, at: [i64; 3]) -> bool {
        (0..3).all(|axis| (self.mins[axis]..=self.maxs[axis]).contains(&at[axis]))
    }

    /// Returns a box around the part of this one that is in front of a plane.
    fn in_front(self, plane: &ExactPlane) -> Self {
        let normal = plane.normal;
        let along =
            |axis: usize| (normal[axis] * self.mins[axis]).max(normal[axis] * self.maxs[axis]);
        let most = [along(0), along(1), along(2)];
        let sum: i64 = most.iter().sum();
        let mut part = self;
        for axis in 0..3 {
            // The bound on this axis, where the other two axes contribute most.
            let asked = plane.dist - (sum - most[axis]);
            if normal[axis] > 0 {
                part.mins[axis] = self.mins[axis].max(asked.div_euclid(normal[axis]));
            } else if normal[axis] < 0 {
                part.maxs[axis] = self.maxs[axis].min(-asked.div_euclid(-normal[axis]));
            }
        }
        part
    }

    /// Returns the side of a plane that holds all of the box, 0 in front and 1 behind, exactly, or `None` if it is on
    /// both sides. A box that touches the plane is on its own side. Below 2^24 1/64 units, products with a normal are
    /// integer multiples of 2^-36 units below 2^55.
    pub fn side(&self, plane: &ExactPlane) -> Option<usize> {
        let (mut least, mut most) = (-plane.dist, -plane.dist);
        for axis in 0..3 {
            let ends = [self.mins[axis], self.maxs[axis]].map(|at| plane.normal[axis] * at);
            least += ends[0].min(ends[1]);
            most += ends[0].max(ends[1]);
        }
        match (least >= 0, most <= 0) {
            (true, _) => Some(0),
            (_, true) => Some(1),
            _ => None,
        }
    }
}

/// Returns 1 if coordinates grow outward from a side, otherwise -1.
pub fn outward(side: usize) -> i64 {
    if side % 2 == 0 { -1 } else { 1 }
}

/// A search for solid, or for empty space, of a hull in a tree.
pub struct Search<'a> {
    pub whole: Branch<'a>,
    pub hull: HullIndex,
    /// Whether the search is for solid.
    pub solid: bool,
}

impl Search<'_> {
    /// Returns the coordinate at which the space in question begins in a box, as seen from a side, or `None` if the
    /// box has none of it.
    pub fn nearest(&self, side: usize, cuboid: Cuboid) -> Option<i64> {
        let mut nearest = None;
        self.visit(self.whole.at, side, cuboid, &mut nearest);
        nearest
    }

    fn visit(&self, mut at: At, side: usize, cuboid: Cuboid, nearest: &mut Option<i64>) {
        let face = cuboid.face(side);
        let is_nearer = |at: i64, than: i64| (at - than) * outward(side) > 0;
        if nearest.is_some_and(|nearest| !is_nearer(face, nearest)) {
            return;
        }
        let (plane, children) = loop {
            let branch = self.whole.at(at);
            let start = branch.start(self.hull);
            if start.is_whole() {
                if start.is_solid() == self.solid {
                    *nearest = Some(face);
                }
                return;
            }
            let Some((plane, children)) = branch.children() else {
                return;
            };
            let plane = &self.whole.planes[plane].plane;
            match cuboid.side(plane) {
                Some(only) => at = children[only],
                None => break (plane, children),
            }
        };
        let parts = [plane, &plane.flipped()].map(|plane| cuboid.in_front(plane));
        let [front, back] = parts.map(|part| part.face(side));
        let first = usize::from(is_nearer(back, front));
        for child in [first, 1 - first] {
            self.visit(children[child], side, parts[child], nearest);
        }
    }
}
