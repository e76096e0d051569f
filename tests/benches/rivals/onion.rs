//! `onion`: `Model::trace` of `onion-runtime` in the file of all hulls, one tree, nothing filled. It
//! does more than its rivals: it also makes sure that the end is not in solid.

use onion_runtime::{HullId, Model, OnionMap};

use crate::rival::{Answer, Rival, Segment, Visits};

/// The onion itself.
pub struct Onion<'a> {
    world: Model<'a>,
    hull: HullId,
    bytes: usize,
}

impl<'a> Onion<'a> {
    /// One hull of a file.
    pub fn new(file: OnionMap<'a>, hull: HullId) -> Self {
        Self {
            world: file.world(),
            hull,
            bytes: file.n_bytes(),
        }
    }
}

impl Rival for Onion<'_> {
    const NAME: &'static str = "onion";
    const TOLERANCE: f32 = 0.0;
    const COUNTED: [bool; 2] = [false, false];

    #[inline(always)]
    fn trace<const COUNT: bool>(&mut self, [start, end]: &Segment, _: &mut Visits) -> Answer {
        let trace = self.world.trace(self.hull, *start, *end);
        Answer {
            hit_fraction: trace.hit_fraction as f32,
            fraction: trace.fraction as f32,
            normal: trace.plane.map_or([0.0; 3], |plane| plane.normal),
            start_solid: trace.start_solid,
        }
    }

    #[inline(always)]
    fn is_solid<const COUNT: bool>(&mut self, point: [f32; 3], _: &mut Visits) -> bool {
        self.world.is_solid(self.hull, point)
    }

    fn bytes(&self) -> usize {
        self.bytes
    }
}
