//! Point queries: a point in, the solidity of its place out, for all hulls in one walk.
//!
//! Solid is open: a point exactly on a splitting plane belongs to the places on both sides, and
//! is solid only if all of them are.

use onion_format::{Child, MAX_DEPTH};

use crate::load::all_hulls;
use crate::map::{HullId, LeafId, Model, ON_PLANE, OnionMap, distance};
use crate::quick::Quick;

/// Points farther than this from the origin on any axis are outside of every map, in units.
const DOMAIN: f64 = (1u64 << 30) as f64;

#[inline(always)]
pub(crate) fn in_domain([x, y, z]: &[f64; 3]) -> bool {
    // All three at once, without branches.
    (x.abs() <= DOMAIN) & (y.abs() <= DOMAIN) & (z.abs() <= DOMAIN)
}

impl Model<'_> {
    /// Whether the hull's box, with its origin at `point`, has its inside in solid.
    pub fn is_solid(&self, hull: HullId, point: impl Into<[f32; 3]>) -> bool {
        self.is_solid_f64(hull, point.into().map(f64::from))
    }

    /// [`Model::is_solid`] of a point in double precision.
    pub fn is_solid_f64(&self, hull: HullId, point: [f64; 3]) -> bool {
        is_solid(&self.map, self.index, hull, point)
    }

    /// [`Model::is_solid`] of many points; of as many as there are both points and places for answers.
    pub fn is_solid_batch(&self, hull: HullId, points: &[[f32; 3]], solid: &mut [bool]) {
        let n_points = points.len().min(solid.len());
        let (points, solid) = (&points[..n_points], &mut solid[..n_points]);
        let root = self.map.root_of(self.index, hull);
        let by_reference = |point: &[f32; 3]| {
            is_solid_by_reference(&self.map, root, hull.bit(), &point.map(f64::from))
        };
        match Quick::new(&self.map, hull.bit()) {
            Some(quick) => quick.solidity_of_many(root, points, |number, found| {
                let found = found.map(|bits| bits != 0);
                solid[number] = found.unwrap_or_else(|| by_reference(&points[number]));
            }),
            None => {
                for (point, solid) in points.iter().zip(solid) {
                    *solid = by_reference(point);
                }
            }
        }
    }

    /// Solidity of a point for all hulls, in one walk for each group of hulls: bit `h` is set when hull
    /// `h` is solid there.
    pub fn solidity(&self, point: impl Into<[f32; 3]>) -> u64 {
        self.solidity_f64(point.into().map(f64::from))
    }

    /// [`Model::solidity`] of a point in double precision.
    pub fn solidity_f64(&self, point: [f64; 3]) -> u64 {
        if !in_domain(&point) {
            return all_hulls(self.map.hulls.len());
        }
        self.trees().fold(0, |solidity, (root, hulls)| {
            let quick = Quick::new(&self.map, hulls);
            let found = quick.and_then(|quick| quick.solidity(root, &point));
            solidity | found.map_or_else(|| solidity_at(&self.map, root, &point), u64::from)
        })
    }

    /// [`Model::solidity`] of many points; of as many as there are both points and places for answers.
    pub fn solidity_batch(&self, points: &[[f32; 3]], solidity: &mut [u64]) {
        let n_points = points.len().min(solidity.len());
        let (points, solidity) = (&points[..n_points], &mut solidity[..n_points]);
        solidity.fill(0);
        for (root, hulls) in self.trees() {
            let by_reference = |point: &[f32; 3]| {
                let point = point.map(f64::from);
                if in_domain(&point) {
                    solidity_at(&self.map, root, &point)
                } else {
                    hulls
                }
            };
            match Quick::new(&self.map, hulls) {
                Some(quick) => quick.solidity_of_many(root, points, |number, found| {
                    let found = found.map_or_else(|| by_reference(&points[number]), u64::from);
                    solidity[number] |= found;
                }),
                None => {
                    for (point, solidity) in points.iter().zip(&mut *solidity) {
                        *solidity |= by_reference(point);
                    }
                }
            }
        }
    }

    /// The trees of the groups: their roots and hulls.
    fn trees(&self) -> impl Iterator<Item = (Child, u64)> {
        let groups = (0..).map(|group| self.map.hulls_of_group(group));
        self.roots().zip(groups)
    }

    /// The leaf that holds a point, the same for every hull (in the tree of the first group, if
    /// there are several); on a splitting plane, the leaf in front of it. None for a point that is not
    /// finite or beyond 2^30 units.
    pub fn leaf_at(&self, point: impl Into<[f32; 3]>) -> Option<LeafId> {
        let point = point.into().map(f64::from);
        in_domain(&point).then(|| {
            let mut at = self.first_root();
            while !at.is_leaf() {
                let node = self.map.node(at.index());
                let plane = self.map.plane_of(&node);
                at = Child(node.children[usize::from(distance(&plane, &point) < -ON_PLANE)]);
            }
            LeafId(at.index())
        })
    }
}

/// Whether a point is solid for a hull in a model.
#[inline]
pub(crate) fn is_solid(map: &OnionMap<'_>, model: usize, hull: HullId, point: [f64; 3]) -> bool {
    let root = map.root_of(model, hull);
    let quick = Quick::new(map, hull.bit()).and_then(|quick| quick.solidity(root, &point));
    match quick {
        Some(solid) => solid != 0,
        None => is_solid_by_reference(map, root, hull.bit(), &point),
    }
}

/// Whether a point is solid for a hull, whatever it touches.
#[cold]
#[inline(never)]
fn is_solid_by_reference(map: &OnionMap<'_>, root: Child, hull: u64, point: &[f64; 3]) -> bool {
    !in_domain(point) || solidity_at(map, root, point) & hull != 0
}

/// Solidity of a point within the domain.
pub(crate) fn solidity_at(map: &OnionMap<'_>, root: Child, point: &[f64; 3]) -> u64 {
    match descend(map, root, point) {
        Place::Inside(leaf) => map.leaf_solidity(leaf),
        Place::OnPlane(node) => common_solidity(map, node, point),
    }
}

enum Place {
    Inside(LeafId),
    OnPlane(Child),
}

/// Walks down to the leaf of a point, or to the first node whose plane holds the point.
fn descend(map: &OnionMap<'_>, root: Child, point: &[f64; 3]) -> Place {
    let mut at = root;
    while !at.is_leaf() {
        let node = map.node(at.index());
        let dist = distance(&map.plane_of(&node), point);
        if dist.abs() <= ON_PLANE {
            return Place::OnPlane(at);
        }
        at = Child(node.children[usize::from(dist < 0.0)]);
    }
    Place::Inside(LeafId(at.index()))
}

/// What all leaves that touch the point have in common; rare, so it alone pays for a stack.
fn common_solidity(map: &OnionMap<'_>, root: Child, point: &[f64; 3]) -> u64 {
    let mut pending = [root; MAX_DEPTH + 1];
    let mut n_pending = 1usize;
    let mut solidity = u64::MAX;
    while let Some(&next) = n_pending.checked_sub(1).and_then(|last| pending.get(last)) {
        n_pending -= 1;
        match descend(map, next, point) {
            Place::Inside(leaf) => solidity &= map.leaf_solidity(leaf),
            Place::OnPlane(at) => {
                let [front, back] = map.node(at.index()).children;
                // Each node of a path takes one entry and leaves two: MAX_DEPTH + 1 always fit.
                for child in [back, front] {
                    if let Some(slot) = pending.get_mut(n_pending) {
                        *slot = Child(child);
                        n_pending += 1;
                    }
                }
            }
        }
    }
    solidity
}
