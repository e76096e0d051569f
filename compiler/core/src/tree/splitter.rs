//! The splitter is the plane by which the builder divides a cell. A greedy surface-area heuristic chooses it among the
//! planes of the cell's faces. A random line that meets the cell meets a part of it in proportion to the part's surface
//! area, so the plane with the least sum of surface area times work on both sides makes the cheapest traces. The choice
//! affects only speed and size, so it is computed in plain f64.
//!
//! # Measurements
//! Walks start in blocks, so their speed hardly depends on the upper part of the tree, and trees should be small: the
//! work of a part is the number of distinct planes in it times the *square root* of its area (`choose`), and each plane
//! on both sides has a cost (`CUT_COST`). On four maps, such trees have 9 to 13% fewer nodes than with the area itself
//! and the number of planes to the power of 3/4. Planes in which several hulls have faces serve all of these hulls at
//! once (`LONELY_COST`). More candidates and more counted faces change little. All of this was measured on trees that
//! were not divided along blocks.
//!
//! Deep in the tree, axial planes through the median of the faces are tried too. They divide sets of faces that the
//! planes of the faces cannot divide, such as the many sides of a pillar, each of which has all others behind it.
//! Trying such planes everywhere made trees of curved maps a quarter larger. Round brushes have planes of their own
//! that halve them ([`auxiliary`](crate::tree::auxiliary)). In a cell with such planes, the work of a part grows faster
//! than the number of its planes, because slices of a round brush have almost as large a surface as the whole.

use std::borrow::Cow;

use glam::DVec3;
use onion_format::HullSet;
use onion_geometry::plane::PlaneEntry;
use onion_geometry::winding::PlaneSide;
use onion_geometry::{Bounds, Cell, Location, PlaneId, PlaneSet, Winding};

use crate::id::{HullIndex, Owner, distinct};
use crate::tolerance::REACH;
use crate::tree::auxiliary::Auxiliary;

/// The limits on the planes and faces that are examined to choose a splitter.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Limit on the planes that are tried in a cell.
    candidates: usize,
    /// Limit on the faces that are counted on the sides of a candidate.
    counted: usize,
}

impl Effort {
    /// The effort for the tree that is shipped. Half of both limits makes trees 2 to 12% larger.
    pub const FULL: Self = Self {
        candidates: 32,
        counted: 512,
    };

    /// The effort for a temporary tree.
    pub const QUICK: Self = Self {
        candidates: 8,
        counted: 64,
    };
}

/// The cost of each plane on either side of a splitter, besides the cost by area, where 1 is the work of one plane in
/// the whole cell: for a cell with faces of one hull, and in addition for each further hull. From depth `DEEP` on it is
/// zero, because it would make chains there.
const CUT_COST: [f64; 2] = [0.1, 0.3];

/// The additional relative cost of a splitter that contains faces of none of the cell's hulls. If it contains faces of
/// some hulls, the cost is reduced to the share of the other hulls.
const LONELY_COST: f64 = 0.1;

/// The depth from which on axial planes through the median of the faces are tried too. The trees of real maps end
/// before it, at 17 to 42.
const DEEP: usize = 48;

/// The number of faces that are counted between two checks of whether a candidate is already too costly.
const COUNTED_AT_ONCE: usize = 32;

/// A face inside a cell, with its box for quick estimates.
#[derive(Clone, Debug)]
pub struct CellFace<'a> {
    pub owner: Owner,
    /// The polygon: a whole face of the skin, which may be borrowed, or a part of one.
    pub winding: Cow<'a, Winding>,
    /// The center of its box, in units.
    center: DVec3,
    /// Half of the size of its box on each axis, in units.
    half_size: DVec3,
}

/// Returns the plane at which to split a cell, which has at least one face. `depth` is the number of nodes above it,
/// without those that planes of the lattice split.
pub fn choose(
    planes: &PlaneSet,
    auxiliary: &Auxiliary,
    cell: &Cell,
    faces: &[CellFace<'_>],
    effort: Effort,
    depth: usize,
) -> PlaneId {
    let mut tried = candidates(faces, effort);
    if let [only] = tried[..] {
        return only;
    }
    if depth >= DEEP {
        let bounds = cell.bounds();
        let middles = (0..3).map(|axis| (axis, middle(faces, effort, axis)));
        tried.extend(middles.filter_map(|(axis, at)| auxiliary.grid.plane(axis, at, &bounds)));
    }
    let sides = faces.iter().map(|face| (face.plane(), face.owner));
    let mut halving = auxiliary.halvers.of(sides);
    halving.retain(|&plane| cell.side(planes, plane) == PlaneSide::Both);
    let is_chain = !halving.is_empty();
    tried.extend(halving);
    let area = cell.area();
    let mut census = Census::new(faces, effort);
    let cut_cost = if depth < DEEP {
        CUT_COST[0] + CUT_COST[1] * (census.n_hulls - 1.0)
    } else {
        0.0
    };
    let mut best = (f64::INFINITY, tried[0]);
    for plane in tried {
        let areas = cell.areas_cut_by(planes, plane);
        let weights = areas.map(|part| (part / area).sqrt() + cut_cost);
        let work = |n_planes: f64| n_planes * if is_chain { n_planes.sqrt() } else { 1.0 };
        let cost = |n_planes: [f64; 2]| {
            let [front, back] = n_planes.map(work);
            weights[0] * front + weights[1] * back
        };
        // Planes that are not counted yet only add to the cost.
        let too_dear = |n_planes| cost(n_planes) >= best.0;
        let Some(count) = census.count(planes, plane, too_dear) else {
            continue;
        };
        let lonely = 1.0 + LONELY_COST * (1.0 - count.hulls_on / census.n_hulls);
        let cost = cost(count.n_planes) * lonely;
        if cost < best.0 {
            best = (cost, plane);
        }
    }
    best.1
}

/// Returns the median of the faces' centers on an axis, among the faces that are counted.
fn middle(faces: &[CellFace<'_>], effort: Effort, axis: usize) -> f64 {
    let centers = spread(faces, effort.counted).map(|face| face.center[axis]);
    let mut centers: Vec<f64> = centers.collect();
    let half = centers.len() / 2;
    *centers.select_nth_unstable_by(half, f64::total_cmp).1
}

/// Returns distinct planes of faces, evenly spread over the list of faces.
fn candidates(faces: &[CellFace<'_>], effort: Effort) -> Vec<PlaneId> {
    let planes = distinct(spread(faces, 4 * effort.candidates).map(CellFace::plane));
    spread(&planes, effort.candidates).copied().collect()
}

/// Returns at most `most` items, evenly spread.
fn spread<T>(items: &[T], most: usize) -> impl Iterator<Item = &T> {
    items.iter().step_by(items.len().div_ceil(most).max(1))
}

/// The faces of a cell that are counted, each with the number of its plane among their planes.
struct Census<'a> {
    /// The faces, each with the number of its plane.
    faces: Vec<(&'a CellFace<'a>, usize)>,
    /// The number of hulls with faces in the cell, at least 1.
    n_hulls: f64,
    /// For each plane, the last candidate for which it was seen in front, and for which it was seen behind.
    seen: Vec<[u32; 2]>,
    /// Number of the candidate that is looked at.
    round: u32,
}

/// The planes with faces on the sides of a candidate, and the hulls with faces in it.
struct SideCount {
    /// Planes with faces in front and behind.
    n_planes: [f64; 2],
    /// Hulls with faces in the candidate itself.
    hulls_on: f64,
}

impl<'a> Census<'a> {
    fn new(faces: &'a [CellFace<'a>], effort: Effort) -> Self {
        let counted: Vec<_> = spread(faces, effort.counted).collect();
        let planes = distinct(counted.iter().map(|face| face.plane()));
        let number = |face: &CellFace<'_>| planes.partition_point(|&plane| plane < face.plane());
        let hulls: HullSet = faces.iter().map(|face| face.hull().index()).collect();
        Self {
            faces: counted.iter().map(|&face| (face, number(face))).collect(),
            n_hulls: hulls.len() as f64,
            seen: vec![[0; 2]; planes.len()],
            round: 0,
        }
    }

    /// Counts the planes on the sides of a candidate, and the hulls in it, or returns `None` as soon as the count so
    /// far makes it too costly.
    fn count(
        &mut self,
        planes: &PlaneSet,
        candidate: PlaneId,
        too_dear: impl Fn([f64; 2]) -> bool,
    ) -> Option<SideCount> {
        self.round += 1;
        let mut n_planes = [0.0; 2];
        let mut hulls = HullSet::EMPTY;
        for faces in self.faces.chunks(COUNTED_AT_ONCE) {
            for &(face, number) in faces {
                let seen = &mut self.seen[number];
                if *seen == [self.round; 2] {
                    continue;
                }
                if face.plane() == candidate {
                    hulls.insert(face.hull().index());
                    continue;
                }
                for (side, reaches) in face.reaches(&planes[candidate]).into_iter().enumerate() {
                    if reaches && seen[side] != self.round {
                        seen[side] = self.round;
                        n_planes[side] += 1.0;
                    }
                }
            }
            if too_dear(n_planes) {
                return None;
            }
        }
        Some(SideCount {
            n_planes,
            hulls_on: hulls.len() as f64,
        })
    }
}

impl<'a> CellFace<'a> {
    pub fn new(owner: Owner, winding: Cow<'a, Winding>) -> Self {
        let Bounds { mins, maxs } = winding.bounds();
        Self {
            owner,
            winding,
            center: (mins + maxs) / 2.0,
            half_size: (maxs - mins) / 2.0,
        }
    }

    /// Returns the side of a plane that certainly holds all of the face, or `None` if neither side certainly does.
    pub fn locate(&self, plane: &PlaneEntry) -> Option<Location> {
        Bounds::locate_box(self.center, self.half_size, plane)
    }

    fn plane(&self) -> PlaneId {
        self.winding.plane.canonical()
    }

    pub fn hull(&self) -> HullIndex {
        self.owner.hull
    }

    /// Whether the face reaches in front of a plane, and whether it reaches behind it.
    fn reaches(&self, plane: &PlaneEntry) -> [bool; 2] {
        let ahead = plane.normal.dot(self.center) - plane.dist;
        let reach = plane.normal.abs().dot(self.half_size) - REACH;
        if ahead.abs() > reach {
            return [ahead > 0.0, ahead < 0.0];
        }
        let corners = self.winding.corners.iter();
        corners.fold([false; 2], |[front, back], corner| {
            let ahead = plane.normal.dot(corner.position) - plane.dist;
            [front || ahead > REACH, back || ahead < -REACH]
        })
    }
}
