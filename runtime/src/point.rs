//! Point queries tell for which hulls a point is solid: for one hull or all of them, for one point or many. A quick
//! walk answers most of them; points that touch a plane go to the reference in [`crate::descend`].

use onion_format::{Child, HullSet};

use crate::coordinate::{Coordinate, widened};
use crate::descend::solidity_at;
use crate::fast::Fast;
use crate::hull::{HullId, LeafId};
use crate::map::OnionMap;
use crate::model::Model;
use crate::plane::distance;
use crate::quick::Quick;
use crate::segment::in_domain;
use crate::tolerance::ON_PLANE;
use crate::view::View;

impl<D: AsRef<[u8]>> OnionMap<D> {
    /// [`Model::is_solid`] in the world.
    #[inline]
    pub fn is_solid<T: Coordinate>(&self, hull: HullId, point: impl Into<[T; 3]>) -> bool {
        self.world().is_solid(hull, point)
    }
}

impl Model<'_> {
    /// Whether the interior of the hull's box, with its origin at `point`, overlaps solid.
    #[inline]
    pub fn is_solid<T: Coordinate>(&self, hull: HullId, point: impl Into<[T; 3]>) -> bool {
        is_solid(&self.map, self.index, hull, widened(point.into()))
    }

    /// [`Model::is_solid`] of many points. If the slices differ in length, the rest of the longer one is ignored.
    pub fn is_solid_batch<T: Coordinate, P: Into<[T; 3]> + Copy>(
        &self,
        hull: HullId,
        points: &[P],
        solid: &mut [bool],
    ) {
        let n_points = points.len().min(solid.len());
        let (points, solid) = (&points[..n_points], &mut solid[..n_points]);
        if !self.map.has(hull) {
            return solid.fill(true);
        }
        if let Some(fast) = Fast::new(&self.map, self.index, hull) {
            for (&point, solid) in points.iter().zip(solid) {
                let point = widened(point.into());
                let found = fast.is_solid(&point);
                let in_tree = || is_solid_in_tree(&self.map, self.index, hull, &point);
                *solid = found.unwrap_or_else(in_tree);
            }
            return;
        }
        let root = self.map.root_of(self.index, hull);
        let by_reference =
            |point: P| is_solid_by_reference(&self.map, root, hull.alone(), &widened(point.into()));
        match Quick::new(&self.map, hull.alone()) {
            Some(quick) => quick.solidity_of_many(root, points, |number, found| {
                let found = found.map(|bits| bits != 0);
                solid[number] = found.unwrap_or_else(|| by_reference(points[number]));
            }),
            None => {
                for (&point, solid) in points.iter().zip(solid) {
                    *solid = by_reference(point);
                }
            }
        }
    }

    /// The hulls that are solid at a point, in one walk for each group of hulls.
    pub fn solidity<T: Coordinate>(&self, point: impl Into<[T; 3]>) -> HullSet {
        let point = widened(point.into());
        if !in_domain(&point) || self.map.bytes.is_empty() {
            return self.map.all_hulls();
        }
        self.trees()
            .fold(HullSet::EMPTY, |solidity, (root, hulls)| {
                let quick = Quick::new(&self.map, hulls);
                let found = quick.and_then(|quick| quick.solidity(root, &point));
                solidity | found.map_or_else(|| solidity_at(&self.map, root, &point), known)
            })
    }

    /// [`Model::solidity`] of many points. If the slices differ in length, the rest of the longer one is ignored.
    pub fn solidity_batch<T: Coordinate, P: Into<[T; 3]> + Copy>(
        &self,
        points: &[P],
        solidity: &mut [HullSet],
    ) {
        let n_points = points.len().min(solidity.len());
        let (points, solidity) = (&points[..n_points], &mut solidity[..n_points]);
        if self.map.bytes.is_empty() {
            return solidity.fill(self.map.all_hulls());
        }
        solidity.fill(HullSet::EMPTY);
        for (root, hulls) in self.trees() {
            let by_reference = |point: P| {
                let point = widened(point.into());
                if in_domain(&point) {
                    solidity_at(&self.map, root, &point)
                } else {
                    hulls
                }
            };
            match Quick::new(&self.map, hulls) {
                Some(quick) => quick.solidity_of_many(root, points, |number, found| {
                    let found = found.map_or_else(|| by_reference(points[number]), known);
                    solidity[number] |= found;
                }),
                None => {
                    for (&point, solidity) in points.iter().zip(&mut *solidity) {
                        *solidity |= by_reference(point);
                    }
                }
            }
        }
    }

    /// The leaf that contains a point, the same for every hull (in the tree of the first group, if there are
    /// several). A point on a splitting plane is in the leaf in front of it. `None` for a point that is not finite
    /// or is beyond 2^30 units.
    pub fn leaf_at<T: Coordinate>(&self, point: impl Into<[T; 3]>) -> Option<LeafId> {
        let point = widened(point.into());
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

/// The hulls with these bits in nodes.
#[inline(always)]
fn known(bits: u8) -> HullSet {
    HullSet::from_bits(bits.into())
}

/// Whether a point is solid for a hull in a model.
#[inline]
pub(crate) fn is_solid(map: &View<'_>, model: usize, hull: HullId, point: [f64; 3]) -> bool {
    if !map.has(hull) {
        return true;
    }
    let fast = Fast::new(map, model, hull);
    let solid = fast.and_then(|fast| fast.is_solid(&point));
    solid.unwrap_or_else(|| is_solid_in_tree(map, model, hull, &point))
}

/// Whether a point is solid for a hull, found in the whole tree; everything is for a hull of another map.
#[inline(never)]
pub(crate) fn is_solid_in_tree(
    map: &View<'_>,
    model: usize,
    hull: HullId,
    point: &[f64; 3],
) -> bool {
    if !map.has(hull) {
        return true;
    }
    let root = map.root_of(model, hull);
    let quick = Quick::new(map, hull.alone());
    let solid = quick.and_then(|quick| quick.solidity(root, point));
    solid.map_or_else(
        || is_solid_by_reference(map, root, hull.alone(), point),
        |solid| solid != 0,
    )
}

/// Whether a point is solid for a hull, whatever it touches.
#[cold]
#[inline(never)]
fn is_solid_by_reference(map: &View<'_>, root: Child, hull: HullSet, point: &[f64; 3]) -> bool {
    !in_domain(point) || solidity_at(map, root, point).intersects(hull)
}
