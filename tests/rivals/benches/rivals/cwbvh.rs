//! `cwbvh`: a compressed BVH with eight children a node over the boxes of the brushes expanded for one hull (crate
//! `obvhs`, its slowest and best build; Ylitie and others, "Efficient Incoherent Ray Traversal on GPUs Through
//! Compressed Wide BVHs", 2017), a box as a point's segment in, the nearest brush out. Visits children in the order
//! of the direction's octant, four boxes at once; brushes are in the order of the leaves.

use std::time::Duration;

use glam::{UVec2, Vec3A};
use obvhs::BvhBuildParams;
use obvhs::cwbvh::CwBvh;
use obvhs::cwbvh::builder::build_cwbvh;
use obvhs::cwbvh::node::CwBvhNode;
use obvhs::ray::Ray;
use obvhs::traverse;

use crate::bvh2::expanded_slabs;
use crate::rival::{Answer, Rival, Segment, Visits};
use crate::slabs::{Place, Slabs, Swept};
use crate::solids::Solids;

/// The nearest time of a hit in `obvhs`.
const NEAREST: f32 = 1e-4;

/// Number of attempts of the builder to reinsert each node: three times as many as in its slowest preset make walks
/// and shots up to 5% faster. Reordering the children, or fewer brushes in a leaf, does not.
const REINSERTION: f32 = 3.0;

/// The rival.
pub struct WideBvh {
    bvh: CwBvh,
    slabs: Slabs,
}

impl WideBvh {
    /// Builds the tree.
    pub fn new(solids: &Solids) -> Self {
        let slabs = expanded_slabs(solids);
        let config = BvhBuildParams {
            reinsertion_batch_ratio: REINSERTION,
            ..BvhBuildParams::very_slow_build()
        };
        let bvh = build_cwbvh(&slabs.boxes(), config, &mut Duration::default());
        let slabs = slabs.reordered(&bvh.primitive_indices);
        Self { bvh, slabs }
    }
}

impl Rival for WideBvh {
    const NAME: &'static str = "cwbvh";
    const COUNTED: [bool; 2] = [true, true];

    #[inline(always)]
    fn trace<const COUNT: bool>(&mut self, segment: &Segment, visits: &mut Visits) -> Answer {
        let swept = Swept::new(segment);
        let mut ray = swept.ray;
        let mut hit = None;
        let mut state = self.bvh.new_traversal(ray.direction);
        let mut node;
        traverse!(
            self.bvh,
            node,
            state,
            {
                visits.node::<COUNT, CwBvhNode>();
                node.intersect_ray(&ray, state.oct_inv4)
            },
            {
                visits.brush::<COUNT>();
                let solid = state.primitive_id as usize;
                let clipped = (self.slabs).clip::<false, COUNT>(solid, &swept, ray.tmax, visits);
                if let Some(time) = clipped {
                    if time < 0.0 {
                        return Answer::STUCK;
                    }
                    hit = Some((solid, time));
                    ray.tmax = time;
                }
            }
        );
        swept.answer::<false, COUNT>(hit, &self.slabs, visits)
    }

    /// Finds the boxes that contain a point as those that meet a segment around it: in that way the crate tests four
    /// at once, which its own test of points does not.
    #[inline(always)]
    fn is_solid<const COUNT: bool>(&mut self, point: [f32; 3], visits: &mut Visits) -> bool {
        let place = Place::new(point, [0.0; 3], [0.0; 3]);
        let ray = Ray {
            origin: place.center - NEAREST,
            direction: Vec3A::ONE,
            inv_direction: Vec3A::ONE,
            tmin: 0.0,
            tmax: NEAREST,
        };
        let mut state = self.bvh.new_traversal(ray.direction);
        let mut node;
        traverse!(
            self.bvh,
            node,
            state,
            {
                visits.node::<COUNT, CwBvhNode>();
                node.intersect_ray(&ray, state.oct_inv4)
            },
            {
                visits.brush::<COUNT>();
                let solid = state.primitive_id as usize;
                if self.slabs.holds::<false, COUNT>(solid, &place, visits) {
                    return true;
                }
            }
        );
        false
    }

    fn bytes(&self) -> usize {
        size_of_val(&*self.bvh.nodes) + self.slabs.bytes()
    }
}
