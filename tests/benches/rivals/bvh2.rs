//! `bvh2`: a binary BVH over the boxes of the brushes expanded for one hull (crate `obvhs`, its slowest
//! and best build), a box as a point's segment in, the nearest brush out. Nearest child first; every
//! hit shortens the segment; brushes lie in the order of the leaves, so a leaf has no table of numbers.

use std::time::Duration;

use obvhs::BvhBuildParams;
use obvhs::bvh2::Bvh2;
use obvhs::bvh2::builder::build_bvh2;
use obvhs::bvh2::node::Bvh2Node;
use obvhs::fast_stack;
use obvhs::ray::RayHit;

use crate::rival::{Answer, Rival, Segment, Visits};
use crate::slabs::{Place, Slabs, Swept};
use crate::solids::Solids;

/// What a node costs over a brush, which decides how many brushes share a leaf: with 1 instead of the 3 of
/// the builder's slowest preset, all kinds of queries are 3 to 5% faster.
const TRAVERSAL_COST: f32 = 1.0;

/// How often the builder tries to put each node elsewhere: three times what that preset does.
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

/// All expanded solids for clipping.
pub fn expanded_slabs(solids: &Solids) -> Slabs {
    let mut slabs = Slabs::default();
    for solid in &solids.solids {
        slabs.push(solid.mins, solid.maxs, &solid.sloped);
    }
    slabs
}

impl Rival for BinaryBvh {
    const NAME: &'static str = "bvh2";
    const TOLERANCE: f32 = crate::agreement::SINGLE_PRECISION;
    const COUNTED: [bool; 2] = [false, true];

    #[inline(always)]
    fn trace<const COUNT: bool>(&mut self, segment: &Segment, visits: &mut Visits) -> Answer {
        let swept = Swept::new(segment);
        let mut hit = None;
        let mut stuck = false;
        let mut leaf = |node: &Bvh2Node, ray: &mut obvhs::ray::Ray, _: &mut RayHit| {
            let first = node.first_index as usize;
            for solid in first..first + node.prim_count as usize {
                if COUNT {
                    visits.brushes += 1;
                }
                if let Some(time) = self.slabs.clip::<false>(solid, &swept, ray.tmax) {
                    hit = Some((solid, time));
                    ray.tmax = time;
                    stuck |= time < 0.0;
                }
            }
            !stuck
        };
        fast_stack!(u32, (96, 192), self.bvh.max_depth, stack, {
            let none = &mut RayHit::none();
            self.bvh
                .ray_traverse_dynamic(&mut stack, swept.ray, none, &mut leaf)
        });
        if stuck {
            return Answer::STUCK;
        }
        swept.answer::<false>(hit, &self.slabs)
    }

    #[inline(always)]
    fn is_solid<const COUNT: bool>(&mut self, point: [f32; 3], visits: &mut Visits) -> bool {
        let place = Place::new(point, [0.0; 3], [0.0; 3]);
        let mut solid = false;
        self.bvh.point_traverse(place.center, |bvh, node| {
            let node = &bvh.nodes[node as usize];
            let first = node.first_index as usize;
            let mut solids = first..first + node.prim_count as usize;
            if COUNT {
                visits.brushes += u64::from(node.prim_count);
            }
            solid = solids.any(|number| self.slabs.holds::<false>(number, &place));
            !solid
        });
        solid
    }

    fn bytes(&self) -> usize {
        size_of_val(&*self.bvh.nodes) + self.slabs.bytes()
    }
}
