//! Boxes with corners at multiples of 1/64 units, and the search for the nearest solid or empty space in one. The
//! search descends the tree with the bounding box of the part that lies in each cell. Where a plane is not axial, such
//! a box may be larger than the part, so the result may be too near, but never too far.

use onion_geometry::{ExactPlane, PlaneSet, Region};

use crate::bsp::leaf_tree::{Branch, NodeOrLeaf};
use crate::id::HullIndex;
use crate::tree::lattice;

/// A box. Its sides are numbered: 0 is the lower side on x, 1 the upper side on x, then y and z in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cuboid {
    /// The lower corner, in 1/64 units.
    pub mins: [i64; 3],
    /// The upper corner, in 1/64 units.
    pub maxs: [i64; 3],
}

impl Cuboid {
    /// Returns a box with a base of 1/64 by 1/64 units, from a point up to a height.
    pub fn upward([x, y, z]: [i64; 3], top: i64) -> Self {
        Self {
            mins: [x, y, z],
            maxs: [x + 1, y + 1, top],
        }
    }

    /// Returns the coordinate of a side.
    pub fn face(&self, side: usize) -> i64 {
        let corner = if side % 2 == 1 { self.maxs } else { self.mins };
        corner[side / 2]
    }

    fn face_mut(&mut self, side: usize) -> &mut i64 {
        match side % 2 {
            0 => &mut self.mins[side / 2],
            _ => &mut self.maxs[side / 2],
        }
    }

    /// Returns the box with a side moved outward by a distance.
    pub fn grown(mut self, side: usize, by: i64) -> Self {
        *self.face_mut(side) += outward(side) * by;
        self
    }

    /// Returns the space that a side passes through when it moves outward.
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

    /// Returns the box for exact proofs, or `None` if it has no volume. The set must contain the planes of its sides.
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
    pub fn contains(&self, point: [i64; 3]) -> bool {
        (0..3).all(|axis| (self.mins[axis]..=self.maxs[axis]).contains(&point[axis]))
    }

    /// Returns the bounding box of the part of this box that is in front of a plane, rounded outward.
    fn in_front(self, plane: &ExactPlane) -> Self {
        let normal = plane.normal;
        let along =
            |axis: usize| (normal[axis] * self.mins[axis]).max(normal[axis] * self.maxs[axis]);
        let most = [along(0), along(1), along(2)];
        let sum: i64 = most.iter().sum();
        let mut part = self;
        for axis in 0..3 {
            // The contribution that this axis must make if the other two axes contribute their most.
            let asked = plane.dist - (sum - most[axis]);
            if normal[axis] > 0 {
                part.mins[axis] = self.mins[axis].max(asked.div_euclid(normal[axis]));
            } else if normal[axis] < 0 {
                part.maxs[axis] = self.maxs[axis].min(-asked.div_euclid(-normal[axis]));
            }
        }
        part
    }

    /// Returns 0 if all of the box is in front of a plane, 1 if all of it is behind, and `None` if the plane cuts it.
    /// The box may touch the plane. The test is exact: coordinates are below 2^24 in 1/64 units, so products with a
    /// normal are integer multiples of 2^-36 units below 2^55.
    pub fn side(&self, plane: &ExactPlane) -> Option<usize> {
        let (mut least, mut most) = (-plane.dist, -plane.dist);
        for axis in 0..3 {
            let ends = [self.mins[axis], self.maxs[axis]].map(|face| plane.normal[axis] * face);
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

/// Returns 1 for an upper side and -1 for a lower one.
pub fn outward(side: usize) -> i64 {
    if side % 2 == 1 { 1 } else { -1 }
}

/// A search for the solid or for the empty space of a hull in a tree.
pub struct Search<'a> {
    /// The tree.
    pub whole: Branch<'a>,
    /// The hull.
    pub hull: HullIndex,
    /// Whether the search is for solid.
    pub solid: bool,
}

impl Search<'_> {
    /// Returns the coordinate at which the wanted space begins in a box, in 1/64 units, seen from a side, or `None` if
    /// the box has none of it.
    pub fn nearest(&self, side: usize, cuboid: Cuboid) -> Option<i64> {
        let mut nearest = None;
        self.visit(self.whole.root, side, cuboid, &mut nearest);
        nearest
    }

    fn visit(&self, mut root: NodeOrLeaf, side: usize, cuboid: Cuboid, nearest: &mut Option<i64>) {
        let face = cuboid.face(side);
        let is_nearer = |one: i64, than: i64| (one - than) * outward(side) > 0;
        if nearest.is_some_and(|nearest| !is_nearer(face, nearest)) {
            return;
        }
        let (plane, children) = loop {
            let branch = self.whole.with_root(root);
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
                Some(only) => root = children[only],
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
