//! Point queries: whether a point is solid, for one hull or all of them, for one point or many. The fast walk answers
//! most of them; points that touch a plane go to the reference in [`crate::walk::descend`].

use onion_format::HullSet;

use crate::fast::Fast;
use crate::file::hull::{HullId, LeafId};
use crate::file::view::View;
use crate::math::coordinate::{Coordinate, widened};
use crate::math::plane::distance;
use crate::math::segment::in_domain;
use crate::model::Model;
use crate::tolerance::ON_PLANE;
use crate::walk::descend::is_solid_at;

/// Number of points that are queried for one hull before the next hull: enough to overlap the cache misses of several
/// points, few enough for the answers to fit on the stack.
const POINTS_AT_ONCE: usize = 64;

impl Model<'_> {
    /// Whether the interior of the hull's box, with its origin at `point`, overlaps solid.
    #[inline]
    pub fn is_solid<T: Coordinate>(&self, hull: HullId, point: impl Into<[T; 3]>) -> bool {
        let point = widened(point.into());
        // The number of a hull of another map may be that of a hull here, so it must not choose any blocks.
        let own = self.map.has(hull).then_some(&self.map);
        let fast = own.and_then(|map| Fast::new(map, self.index, hull));
        is_solid_for(fast.as_ref(), self, hull, &point)
    }

    /// Runs [`Model::is_solid`] on many points. If the slices differ in length, the rest of the longer one is
    /// ignored.
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
        let in_tree = |point: P| {
            let point = widened(point.into());
            is_solid_in_tree(&self.map, self.index, hull, &point)
        };
        match Fast::new(&self.map, self.index, hull) {
            Some(fast) => fast.are_solid(points, |number, found| {
                solid[number] = found.unwrap_or_else(|| in_tree(points[number]));
            }),
            None => {
                for (&point, solid) in points.iter().zip(solid) {
                    *solid = in_tree(point);
                }
            }
        }
    }

    /// Returns the hulls that are solid at a point.
    pub fn solidity<T: Coordinate>(&self, point: impl Into<[T; 3]>) -> HullSet {
        let point = point.into();
        let hulls = self.map.all_hulls().iter();
        let hulls = hulls.filter_map(|hull| self.map.hull_id(hull));
        hulls
            .filter(|&hull| self.is_solid(hull, point))
            .fold(HullSet::EMPTY, |solid, hull| solid | hull.alone())
    }

    /// Runs [`Model::solidity`] on many points. If the slices differ in length, the rest of the longer one is
    /// ignored.
    pub fn solidity_batch<T: Coordinate, P: Into<[T; 3]> + Copy>(
        &self,
        points: &[P],
        solidity: &mut [HullSet],
    ) {
        let n_points = points.len().min(solidity.len());
        let (points, solidity) = (&points[..n_points], &mut solidity[..n_points]);
        solidity.fill(HullSet::EMPTY);
        let hulls = self.map.all_hulls();
        let mut solid = [false; POINTS_AT_ONCE];
        for (points, solidity) in points
            .chunks(POINTS_AT_ONCE)
            .zip(solidity.chunks_mut(POINTS_AT_ONCE))
        {
            // Hull after hull, because a batch descends for one hull.
            for hull in hulls.iter().filter_map(|hull| self.map.hull_id(hull)) {
                self.is_solid_batch(hull, points, &mut solid);
                for (all, solid) in solidity.iter_mut().zip(solid) {
                    if solid {
                        *all |= hull.alone();
                    }
                }
            }
        }
    }

    /// Returns the leaf that contains a point, the same for every hull (in the tree of the first group, if there are
    /// several). A point on a splitting plane is in the leaf in front of it. `None` for a point that is not finite or
    /// is beyond 2^30 units.
    pub fn leaf_at<T: Coordinate>(&self, point: impl Into<[T; 3]>) -> Option<LeafId> {
        let point = widened(point.into());
        in_domain(&point).then(|| {
            let mut at = self.first_root();
            while !at.is_leaf() {
                let node = self.map.node(at.index());
                let plane = self.map.plane_of(&node);
                let children = node.children(at.index());
                // A point on the plane goes to the front, so that it has one leaf.
                at = children[usize::from(distance(&plane, &point) < -ON_PLANE)];
            }
            LeafId(at.index())
        })
    }
}

/// Whether a point is solid for a hull: asks the fast walk, if the file has blocks, and the tree where that is unclear.
#[inline(always)]
pub(crate) fn is_solid_for(
    fast: Option<&Fast<'_>>,
    model: &Model<'_>,
    hull: HullId,
    point: &[f64; 3],
) -> bool {
    let solid = fast.and_then(|fast| fast.is_solid(point));
    solid.unwrap_or_else(|| is_solid_in_tree(&model.map, model.index, hull, point))
}

/// Whether a point is solid for a hull, whatever it touches; for a hull of another map every point is solid.
// Kept out of line, so that the fast walk, which answers nearly all queries, stays small where it is inlined.
#[cold]
#[inline(never)]
fn is_solid_in_tree(map: &View<'_>, model: usize, hull: HullId, point: &[f64; 3]) -> bool {
    let root = map.root_of(model, hull);
    !map.has(hull) || !in_domain(point) || is_solid_at(map, root, hull.bit, point)
}
