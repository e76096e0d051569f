//! Part of stage 7, tree: planes that the splitter may use besides the planes of faces. They are added to the set
//! before a tree is built, because a builder adds no planes. An axial grid halves cells deep in a tree. Each side of a
//! convex brush has all other sides behind it, so the planes of its sides alone make a chain of nodes as long as the
//! brush has sides. A brush with many sides is halved by planes through its center and the edges between its faces, as
//! a pie is cut into slices.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use glam::DVec3;
use onion_geometry::{Bounds, ExactPlane, PlaneId, PlaneSet, Winding};

use crate::expand::{ModelSolids, roomy_bounds};
use crate::id::{HullIndex, Owner, distinct};
use crate::tolerance::REACH;
use crate::tree::lattice::Lattice;

/// Limit on the length of the grid on an axis, as a multiple of the spacing.
const MAX_GRID_PLANES: f64 = 2048.0;

/// The least distance between two grid planes, in units.
const MIN_SPACING: f64 = 8.0;

/// The number of planes from which on a brush is round, and gets planes that halve it.
const MANY_SIDES: usize = 64;

/// The number of planes of round brushes in a cell from which on the planes that halve these brushes are tried.
const LONG_CHAIN: usize = 32;
/// The minimum number of these sides whose halving planes are tried.
const TRIED_SIDES: usize = 8;

/// The planes that a splitter may use besides the planes of faces.
#[derive(Clone, Debug)]
pub struct Auxiliary {
    /// Axial planes that divide a large tree first, or `None` if the tree is not large.
    pub lattice: Option<Lattice>,
    pub grid: AxialGrid,
    pub halvers: Halvers,
    /// The planes of the box that the trees divide.
    pub bounds: [PlaneId; 6],
}

impl Auxiliary {
    /// Adds the planes for the trees over the skin of a model to the set.
    pub fn new<'a>(
        planes: &mut PlaneSet,
        solids: &ModelSolids,
        skin: impl Iterator<Item = (Owner, &'a Winding)>,
        is_large: bool,
    ) -> Self {
        let bounds = roomy_bounds(solids);
        Self {
            lattice: is_large.then(|| Lattice::new(planes, &bounds)),
            grid: AxialGrid::new(planes, &bounds),
            halvers: Halvers::new(planes, solids, skin),
            bounds: bounds.insert_planes(planes),
        }
    }
}

/// Axial planes at equal distances.
#[derive(Clone, Debug)]
pub struct AxialGrid {
    /// The distance between neighboring planes, in units: a power of two.
    spacing: f64,
    /// For each axis, the coordinate of the first plane as a multiple of the spacing, and the planes.
    axes: [(f64, Vec<PlaneId>); 3],
}

impl AxialGrid {
    /// Adds the planes of a grid over a box; its spacing is a power of two.
    pub fn new(planes: &mut PlaneSet, bounds: &Bounds) -> Self {
        let longest = (bounds.maxs - bounds.mins).max_element();
        let mut spacing = MIN_SPACING;
        while longest / spacing > MAX_GRID_PLANES {
            spacing *= 2.0;
        }
        let axes = [0, 1, 2].map(|axis| {
            let first = (bounds.mins[axis] / spacing).ceil();
            let last = (bounds.maxs[axis] / spacing).floor();
            let n_planes = (last - first + 1.0).max(0.0) as i64;
            let units = |number: i64| (first as i64 + number) * spacing as i64;
            let on_axis = (0..n_planes)
                .map(|number| planes.insert(ExactPlane::whole(axis, true, units(number))));
            (first, on_axis.collect())
        });
        Self { spacing, axes }
    }

    /// Returns the grid plane nearest to a coordinate on an axis, or `None` if it does not pass through the inside of a
    /// box.
    pub fn plane(&self, axis: usize, at: f64, bounds: &Bounds) -> Option<PlaneId> {
        let (first, on_axis) = &self.axes[axis];
        let number = (at / self.spacing).round();
        let units = number * self.spacing;
        let inside = bounds.mins[axis] + REACH < units && units < bounds.maxs[axis] - REACH;
        let plane = on_axis.get((number - first) as usize).copied();
        plane.filter(|_| inside)
    }
}

/// For each face of a round brush, the planes through the center of the brush and the edges of the face.
#[derive(Clone, Debug, Default)]
pub struct Halvers(HashMap<(Owner, PlaneId), Vec<PlaneId>, RandomState>);

impl Halvers {
    fn new<'a>(
        planes: &mut PlaneSet,
        solids: &ModelSolids,
        skin: impl Iterator<Item = (Owner, &'a Winding)>,
    ) -> Self {
        let mut middles = HashMap::<Owner, DVec3>::new();
        for (hull, solid) in HullIndex::first(solids.len()).zip(solids) {
            let brushes = solid.brushes.iter();
            let round = brushes.filter(|brush| brush.planes.len() >= MANY_SIDES);
            middles.extend(round.map(|round| {
                let (Bounds { mins, maxs }, brush) = (round.bounds, round.brush);
                (Owner { hull, brush }, (mins + maxs) / 2.0)
            }));
        }
        let mut halvers = Self::default();
        if middles.is_empty() {
            return halvers;
        }
        for (owner, winding) in skin {
            let Some(&middle) = middles.get(&owner) else {
                continue;
            };
            let key = (owner, winding.plane.canonical());
            let of_face = halvers.0.entry(key).or_default();
            let corners = winding.corners.iter();
            for (from, to) in corners.clone().zip(corners.cycle().skip(1)) {
                let [from, to] = [from, to].map(|corner| corner.position - middle);
                let normal = from.cross(to).try_normalize();
                let plane =
                    normal.and_then(|normal| ExactPlane::nearest(normal, normal.dot(middle)));
                of_face.extend(plane.map(|plane| planes.insert(plane).canonical()));
            }
        }
        halvers
    }

    /// Returns planes that may halve the brushes in a cell, given the planes and owners of the cell's faces. The list
    /// is empty unless the planes of round brushes would make a long chain.
    pub fn of(&self, faces: impl ExactSizeIterator<Item = (PlaneId, Owner)>) -> Vec<PlaneId> {
        if self.0.is_empty() || faces.len() < LONG_CHAIN {
            return Vec::new();
        }
        let mut sides: Vec<_> = faces.collect();
        sides.sort_unstable();
        sides.dedup_by_key(|(plane, _)| *plane);
        let through_edges = |&(plane, owner): &(PlaneId, Owner)| self.0.get(&(owner, plane));
        let sides: Vec<_> = sides.iter().filter_map(through_edges).collect();
        if sides.len() < LONG_CHAIN {
            return Vec::new();
        }
        let tried = sides.iter().step_by(sides.len() / TRIED_SIDES);
        distinct(tried.copied().flatten().copied())
    }
}
