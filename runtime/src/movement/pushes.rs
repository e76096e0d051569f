//! The planes that push an agent while movers move: the motion that it wishes to make in; the nearest motion that none
//! of the planes forbids out. A plane moves along its normal, and the agent may not fall behind it.
//!
//! The allowed motions form a convex set, and the nearest one is the wished motion projected onto a plane, onto the
//! line where two planes meet, or onto the point where three do.

use super::world::Footing;
use crate::math::vector::{Vector, along, dot, sub};
use crate::tolerance::{GIVE, SAME_ANGLE, SAME_PUSH};

/// Number of planes that are remembered: three hold an agent in a corner, and a fourth pushes it there.
const MAX_PLANES: usize = 4;

/// A plane that has met the agent.
#[derive(Clone, Copy, Default)]
pub(super) struct Push {
    /// Unit normal, away from what the plane belongs to.
    pub normal: Vector,
    /// Motion of the plane along its normal, in units per tick.
    pub motion: f64,
    /// Index of the mover that it belongs to; `None` for the map.
    pub mover: Option<usize>,
    /// The brush and surface that it belongs to.
    pub footing: Option<Footing>,
}

/// The planes that an agent has met, the latest last.
#[derive(Default)]
pub(super) struct Pushes {
    /// The planes; those from `n_pushes` on are unused.
    all: [Push; MAX_PLANES],
    /// Number of planes in use.
    n_pushes: usize,
}

impl Pushes {
    /// Adds a plane. It replaces a plane of the same mover with about the same normal; otherwise, if there are too
    /// many, the oldest.
    pub fn add(&mut self, push: Push) {
        let same = self.iter().position(|other| {
            other.mover == push.mover && dot(&other.normal, &push.normal) > 1.0 - SAME_PUSH
        });
        if let Some(place) = same {
            self.forget(place);
        } else if self.n_pushes == MAX_PLANES {
            self.forget(0);
        }
        if let Some(place) = self.all.get_mut(self.n_pushes) {
            *place = push;
            self.n_pushes += 1;
        }
    }

    /// Removes the plane at a place.
    fn forget(&mut self, place: usize) {
        if let Some(rest) = self.all.get_mut(place..self.n_pushes) {
            rest.rotate_left(1);
            self.n_pushes -= 1;
        }
    }

    /// Returns the planes, the earliest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Push> + ExactSizeIterator {
        self.all.iter().take(self.n_pushes)
    }

    /// Returns the sum of the normals.
    pub fn outward(&self) -> Vector {
        self.iter()
            .fold([0.0; 3], |sum, push| along(&sum, &push.normal, 1.0))
    }

    /// Returns the motion nearest to `wanted` that goes into no plane during a part of the tick. Forgets the oldest
    /// planes as long as there is no such motion.
    pub fn allow(&mut self, wanted: Vector, part: f64) -> Vector {
        loop {
            if let Some(motion) = self.nearest(wanted, part) {
                return motion;
            }
            // Without planes every motion is allowed, so this is only to be sure of an end.
            if self.n_pushes == 0 {
                return wanted;
            }
            self.forget(0);
        }
    }

    /// Returns the motion nearest to `wanted` that goes into no plane during a part of the tick, if there is one.
    pub fn nearest(&self, wanted: Vector, part: f64) -> Option<Vector> {
        let mut nearest = None;
        // All subsets of the planes are tried, at most 16. Those drop out whose normals depend on each other, and those
        // whose motion another plane forbids.
        for chosen in 0..1u32 << self.n_pushes {
            let Some(motion) = self.on_planes(wanted, part, chosen) else {
                continue;
            };
            let away = sub(&motion, &wanted);
            let distance = dot(&away, &away);
            let is_nearer = nearest.is_none_or(|(_, least)| distance < least);
            if is_nearer && self.iter().all(|push| push.allows(&motion, part)) {
                nearest = Some((motion, distance));
            }
        }
        nearest.map(|(motion, _)| motion)
    }

    /// Returns the motion nearest to `wanted` that follows all of the chosen planes, which are bits; `None` if their
    /// normals do not differ in all directions.
    fn on_planes(&self, wanted: Vector, part: f64, chosen: u32) -> Option<Vector> {
        let mut motion = wanted;
        let mut others = [[0.0; 3]; MAX_PLANES];
        for (place, push) in self.iter().enumerate() {
            if chosen >> place & 1 == 0 {
                continue;
            }
            // The part of the normal along which the motion changes without leaving the planes before.
            let free = others.iter().take(place).fold(push.normal, |free, other| {
                let squared = dot(other, other);
                if squared > 0.0 {
                    along(&free, other, -dot(&free, other) / squared)
                } else {
                    free
                }
            });
            // Nothing is left of a normal that the planes before leave no freedom: this subset has no point of its own.
            let squared = dot(&free, &free);
            if squared <= SAME_ANGLE * SAME_ANGLE {
                return None;
            }
            // By how much the motion falls behind this plane, or would get ahead of it: on the plane is neither.
            let missing = push.motion * part - dot(&motion, &push.normal);
            motion = along(&motion, &free, missing / squared);
            others[place] = free;
        }
        Some(motion)
    }
}

impl Push {
    /// Whether a motion over `part` of the way gets off the plane at least as fast as the plane follows, with a little
    /// give for rounding.
    fn allows(&self, motion: &Vector, part: f64) -> bool {
        dot(motion, &self.normal) >= self.motion * part - GIVE
    }
}
