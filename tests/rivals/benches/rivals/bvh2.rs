//! `bvh2`: a binary BVH over the boxes of the brushes expanded for one hull (crate `obvhs`, its slowest and best
//! build), a box as a point's segment in, the nearest brush out. Visits the nearest child first; every hit shortens
//! the segment; brushes are in the order of the leaves, so a leaf needs no table of numbers.

use std::time::Duration;

use glam::Vec3A;
use obvhs::BvhBuildParams;
use obvhs::bvh2::Bvh2;
use obvhs::bvh2::builder::build_bvh2;
use obvhs::bvh2::node::Bvh2Node;
use obvhs::fast_stack;
use obvhs::ray::{Ray, RayHit};

use crate::rival::{Answer, Rival, Segment, Visits};
use crate::slabs::{Place, Slabs, Swept};
use crate::solids::Solids;

/// Cost of a node relative to a brush, which decides the number of brushes that share a leaf: with 1 instead of the 3
/// of the builder's slowest preset, all kinds of queries are 3 to 5% faster.
const TRAVERSAL_COST: f32 = 1.0;

/// Number of attempts of the builder to reinsert each node: three times as many as in that preset.
const REINSERTION: f32 = 3.0;

/// The rival.
pub struct BinaryBvh {
    bvh: Bvh2,
    slabs: Slabs,
}

impl BinaryBvh {
    /// Builds the tree.
    pub fn new(solids: &Solids) -> Self {
        let slabs = expanded_slabs(solids);
        let config = BvhBuildParams {
            collapse_traversal_cost: TRAVERSAL_COST,
            reinsertion_batch_ratio: REINSERTION,
            ..BvhBuildParams::very_slow_build()
        };
        let mut bvh = build_bvh2(&slabs.boxes(), config, &mut Duration::default());
        bvh.reorder_in_stack_traversal_order();
        let slabs = slabs.reordered(&bvh.primitive_indices);
        Self { bvh, slabs }
    }
}

/// Replicas of the traversals in `obvhs`, which do not report inner nodes, for runs that count: the root, and pairs
/// of boxes.
impl BinaryBvh {
    /// Replicates `ray_traverse_dynamic`.
    fn traverse_counting(
        &self,
        mut ray: Ray,
        visits: &mut Visits,
        mut on_leaf: impl FnMut(&Bvh2Node, &mut Ray, &mut Visits) -> bool,
    ) {
        let Some(root) = self.bvh.nodes.first() else {
            return;
        };
        visits.node::<true, Bvh2Node>();
        if root.aabb().intersect_ray(&ray) >= ray.tmax {
            return;
        }
        if root.is_leaf() {
            on_leaf(root, &mut ray, visits);
            return;
        }
        let mut stack = vec![root.first_index];
        while let Some(first) = stack.pop() {
            let first = first as usize;
            visits.node::<true, [Bvh2Node; 2]>();
            let mut pair = [&self.bvh.nodes[first], &self.bvh.nodes[first + 1]]
                .map(|node| (node.aabb().intersect_ray(&ray), node));
            if pair[0].0 > pair[1].0 {
                pair.swap(0, 1);
            }
            let mut inner = [None; 2];
            for ((time, node), inner) in pair.into_iter().zip(&mut inner) {
                if time >= ray.tmax {
                    continue;
                }
                if !node.is_leaf() {
                    *inner = Some(node.first_index);
                } else if !on_leaf(node, &mut ray, visits) {
                    return;
                }
            }
            stack.extend(inner.into_iter().rev().flatten());
        }
    }

    /// Replicates `point_traverse`.
    fn point_traverse_counting(
        &self,
        point: Vec3A,
        visits: &mut Visits,
        mut on_leaf: impl FnMut(&Bvh2Node, &mut Visits) -> bool,
    ) {
        let Some(root) = self.bvh.nodes.first() else {
            return;
        };
        visits.node::<true, Bvh2Node>();
        if root.is_leaf() {
            if root.aabb().contains_point(point) {
                on_leaf(root, visits);
            }
            return;
        }
        let mut stack = vec![root.first_index];
        while let Some(first) = stack.pop() {
            let first = first as usize;
            visits.nodes += 1;
            for node in &self.bvh.nodes[first..first + 2] {
                visits.read::<true, Bvh2Node>(1);
                if !node.aabb().contains_point(point) {
                    continue;
                }
                if !node.is_leaf() {
                    stack.push(node.first_index);
                } else if !on_leaf(node, visits) {
                    return;
                }
            }
        }
    }
}

/// Prepares all expanded solids for clipping.
pub fn expanded_slabs(solids: &Solids) -> Slabs {
    let mut slabs = Slabs::default();
    for solid in &solids.solids {
        slabs.push(solid.mins, solid.maxs, &solid.sloped);
    }
    slabs
}

impl Rival for BinaryBvh {
    const NAME: &'static str = "bvh2";
    const COUNTED: [bool; 2] = [true, true];

    #[inline(always)]
    fn trace<const COUNT: bool>(&mut self, segment: &Segment, visits: &mut Visits) -> Answer {
        let swept = Swept::new(segment);
        let mut hit = None;
        let mut stuck = false;
        let mut leaf = |node: &Bvh2Node, ray: &mut Ray, visits: &mut Visits| {
            let first = node.first_index as usize;
            for solid in first..first + node.prim_count as usize {
                visits.brush::<COUNT>();
                let clipped = (self.slabs).clip::<false, COUNT>(solid, &swept, ray.tmax, visits);
                if let Some(time) = clipped {
                    hit = Some((solid, time));
                    ray.tmax = time;
                    stuck |= time < 0.0;
                }
            }
            !stuck
        };
        if COUNT {
            self.traverse_counting(swept.ray, visits, &mut leaf);
        } else {
            fast_stack!(u32, (96, 192), self.bvh.max_depth, stack, {
                let none = &mut RayHit::none();
                self.bvh
                    .ray_traverse_dynamic(&mut stack, swept.ray, none, |node, ray, _| {
                        leaf(node, ray, visits)
                    })
            });
        }
        if stuck {
            return Answer::STUCK;
        }
        swept.answer::<false, COUNT>(hit, &self.slabs, visits)
    }

    #[inline(always)]
    fn is_solid<const COUNT: bool>(&mut self, point: [f32; 3], visits: &mut Visits) -> bool {
        let place = Place::new(point, [0.0; 3], [0.0; 3]);
        let mut solid = false;
        let mut leaf = |node: &Bvh2Node, visits: &mut Visits| {
            let first = node.first_index as usize;
            let mut solids = first..first + node.prim_count as usize;
            solid = solids.any(|number| {
                visits.brush::<COUNT>();
                self.slabs.holds::<false, COUNT>(number, &place, visits)
            });
            !solid
        };
        if COUNT {
            self.point_traverse_counting(place.center, visits, leaf);
        } else {
            self.bvh.point_traverse(place.center, |bvh, node| {
                leaf(&bvh.nodes[node as usize], visits)
            });
        }
        solid
    }

    fn bytes(&self) -> usize {
        size_of_val(&*self.bvh.nodes) + self.slabs.bytes()
    }
}
