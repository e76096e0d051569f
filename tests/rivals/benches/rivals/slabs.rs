//! Clipping of a segment against convex solids, for the rivals that have brushes in their leaves: the six axial
//! planes as a box, the others in blocks of four, one normal component after the other, so that four planes cost as
//! much as one. The segment is set up once; clipping against a solid stops as soon as the remaining part of the
//! segment is empty or farther than the nearest hit. With `SHIFT`, solids are expanded by a box during clipping.

use glam::{Vec3A, Vec4};
use obvhs::aabb::Aabb;
use obvhs::ray::Ray;

use crate::rival::{Answer, Segment, Visits};
use crate::solids::Plane;

/// Number of planes in a block.
const LANES: usize = 4;

/// Four planes, one cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Block {
    normal: [Vec4; 3],
    dist: Vec4,
}

/// A solid: its box, and the range of its blocks. The fourth components are whole numbers, exact in f32.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Entry {
    /// Lower corner and number of the first block.
    mins: Vec4,
    /// Upper corner and number of blocks.
    maxs: Vec4,
}

/// Convex solids, by index.
#[derive(Default)]
pub struct Slabs {
    entries: Vec<Entry>,
    blocks: Vec<Block>,
}

/// A place of a point, or of a box by which the solids are not expanded.
pub struct Place {
    /// The point, or the center of the box.
    pub center: Vec3A,
    half_size: Vec3A,
    lanes: [Vec4; 3],
    half_lanes: [Vec4; 3],
}

/// A segment, ready for clipping. The time of a point is its distance from the start by the largest
/// component, in units.
pub struct Swept {
    /// The same segment for a BVH.
    pub ray: Ray,
    place: Place,
    direction: [Vec4; 3],
}

impl Place {
    /// Returns a box with its origin at a point, given the offset of its center and half its size.
    #[inline(always)]
    pub fn new(point: [f32; 3], center: [f32; 3], half_size: [f32; 3]) -> Self {
        let center = Vec3A::from(point) + Vec3A::from(center);
        Self {
            center,
            half_size: Vec3A::from(half_size),
            lanes: center.to_array().map(Vec4::splat),
            half_lanes: half_size.map(Vec4::splat),
        }
    }
}

impl Swept {
    /// Returns a point's segment from `start` to `end`.
    #[inline(always)]
    pub fn new(segment: &Segment) -> Self {
        Self::of_box(segment, [0.0; 3], [0.0; 3])
    }

    /// Returns the segment of a moving box, given the offset of its center and half its size, for solids that are not
    /// expanded.
    #[inline(always)]
    pub fn of_box([start, end]: &Segment, center: [f32; 3], half_size: [f32; 3]) -> Self {
        let place = Place::new(*start, center, half_size);
        let motion = Vec3A::from(*end) - Vec3A::from(*start);
        let length = motion.abs().max_element();
        let direction = motion / length.max(f32::MIN_POSITIVE);
        // Finite, as the BVH requires.
        let flat = direction.abs().cmple(Vec3A::splat(f32::EPSILON));
        let steepest = Vec3A::splat(1.0 / f32::EPSILON).copysign(direction);
        let ray = Ray {
            origin: place.center,
            direction,
            inv_direction: Vec3A::select(flat, steepest, direction.recip()),
            tmin: 0.0,
            tmax: length,
        };
        Self {
            ray,
            place,
            direction: direction.to_array().map(Vec4::splat),
        }
    }

    /// Returns the answer for a hit on a solid at a time.
    #[inline(always)]
    pub fn answer<const SHIFT: bool, const COUNT: bool>(
        &self,
        hit: Option<(usize, f32)>,
        slabs: &Slabs,
        visits: &mut Visits,
    ) -> Answer {
        let Some((solid, time)) = hit else {
            return Answer::MISS;
        };
        if COUNT {
            visits.read::<COUNT, Entry>(1);
            visits.read::<COUNT, Block>(slabs.blocks_of(&slabs.entries[solid]).len());
        }
        let length = self.ray.tmax;
        let normal = slabs.normal_of_hit::<SHIFT>(solid, self);
        let approach = -Vec3A::from(normal).dot(self.ray.direction) * length;
        Answer::hit(time / length, normal, approach)
    }
}

impl Slabs {
    /// Adds a solid: its box and its other planes.
    pub fn push(&mut self, mins: [f64; 3], maxs: [f64; 3], sloped: &[Plane]) {
        let first = self.blocks.len();
        for planes in sloped.chunks(LANES) {
            // Padding planes, which have nothing in front of them, fill a block.
            let mut lanes = [[0.0; LANES], [0.0; LANES], [0.0; LANES], [1.0; LANES]];
            for (lane, (normal, dist)) in planes.iter().enumerate() {
                for axis in 0..3 {
                    lanes[axis][lane] = normal[axis] as f32;
                }
                lanes[3][lane] = *dist as f32;
            }
            let [x, y, z, dist] = lanes.map(Vec4::from_array);
            self.blocks.push(Block {
                normal: [x, y, z],
                dist,
            });
        }
        let corner = |corner: [f64; 3], number: usize| {
            Vec3A::from(corner.map(|x| x as f32)).extend(number as f32)
        };
        self.entries.push(Entry {
            mins: corner(mins, first),
            maxs: corner(maxs, self.blocks.len() - first),
        });
    }

    /// Returns the boxes of the solids.
    pub fn boxes(&self) -> Vec<Aabb> {
        let of =
            |entry: &Entry| Aabb::new(Vec3A::from_vec4(entry.mins), Vec3A::from_vec4(entry.maxs));
        self.entries.iter().map(of).collect()
    }

    /// Returns the same solids in another order.
    pub fn reordered(&self, order: &[u32]) -> Self {
        let mut slabs = Self::default();
        for &number in order {
            let entry = self.entries[number as usize];
            let blocks = self.blocks_of(&entry);
            slabs.entries.push(Entry {
                mins: entry.mins.with_w(slabs.blocks.len() as f32),
                ..entry
            });
            slabs.blocks.extend_from_slice(blocks);
        }
        slabs
    }

    /// Returns the memory, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.entries) + size_of_val(&*self.blocks)
    }

    #[inline(always)]
    fn blocks_of(&self, entry: &Entry) -> &[Block] {
        let first = entry.mins.w as usize;
        &self.blocks[first..first + entry.maxs.w as usize]
    }

    /// Returns the time at which the segment enters a solid, if it is before `best`; negative if the segment starts
    /// in it. Touching is free.
    #[inline(always)]
    pub fn clip<const SHIFT: bool, const COUNT: bool>(
        &self,
        solid: usize,
        swept: &Swept,
        best: f32,
        visits: &mut Visits,
    ) -> Option<f32> {
        visits.read::<COUNT, Entry>(1);
        let entry = &self.entries[solid];
        let (enters, leaves) = entry.clip::<SHIFT>(swept);
        let mut enter = enters.max_element();
        let mut leave = leaves.min_element();
        if !(enter < leave && leave > 0.0 && enter < best) {
            return None;
        }
        for block in self.blocks_of(entry) {
            visits.read::<COUNT, Block>(1);
            let (enters, leaves) = block.clip::<SHIFT>(swept);
            enter = enter.max(enters.max_element());
            leave = leave.min(leaves.min_element());
            if !(enter < leave && leave > 0.0 && enter < best) {
                return None;
            }
        }
        Some(enter)
    }

    /// Whether a place is inside a solid.
    #[inline(always)]
    pub fn holds<const SHIFT: bool, const COUNT: bool>(
        &self,
        solid: usize,
        place: &Place,
        visits: &mut Visits,
    ) -> bool {
        visits.read::<COUNT, Entry>(1);
        let entry = &self.entries[solid];
        let [mins, maxs] = entry.corners::<SHIFT>(place);
        let point = place.center;
        if !(point.cmpgt(mins) & point.cmplt(maxs)).all() {
            return false;
        }
        let mut blocks = self.blocks_of(entry).iter();
        blocks.all(|block| {
            visits.read::<COUNT, Block>(1);
            block.ahead::<SHIFT>(place).cmplt(Vec4::ZERO).all()
        })
    }

    /// Returns the normal of the plane through which the segment enters a solid.
    #[inline(always)]
    fn normal_of_hit<const SHIFT: bool>(&self, solid: usize, swept: &Swept) -> [f32; 3] {
        let entry = &self.entries[solid];
        let (times, _) = entry.clip::<SHIFT>(swept);
        let axis = times.max_position();
        let mut latest = times[axis];
        let mut normal = [0.0; 3];
        normal[axis] = -swept.ray.direction[axis].signum();
        for block in self.blocks_of(entry) {
            let (enters, _) = block.clip::<SHIFT>(swept);
            let lane = enters.max_position();
            if enters[lane] > latest {
                latest = enters[lane];
                normal = block.normal.map(|component| component[lane]);
            }
        }
        normal
    }
}

impl Entry {
    #[inline(always)]
    fn corners<const SHIFT: bool>(&self, place: &Place) -> [Vec3A; 2] {
        let [mins, maxs] = [self.mins, self.maxs].map(Vec3A::from_vec4);
        if SHIFT {
            [mins - place.half_size, maxs + place.half_size]
        } else {
            [mins, maxs]
        }
    }

    /// Returns the times at which the segment enters and leaves the box's slab on each axis.
    #[inline(always)]
    fn clip<const SHIFT: bool>(&self, swept: &Swept) -> (Vec3A, Vec3A) {
        let ray = &swept.ray;
        let corners = self.corners::<SHIFT>(&swept.place);
        let [one, other] = corners.map(|corner| (corner - ray.origin) * ray.inv_direction);
        (one.min(other), one.max(other))
    }
}

impl Block {
    /// Returns the distances of a place in front of the planes, in units.
    #[inline(always)]
    fn ahead<const SHIFT: bool>(&self, place: &Place) -> Vec4 {
        let mut ahead = dot(&self.normal, &place.lanes) - self.dist;
        if SHIFT {
            ahead -= dot(&self.normal.map(Vec4::abs), &place.half_lanes);
        }
        ahead
    }

    /// Returns the times at which the segment goes behind and in front of the planes; infinite for planes that it
    /// does not cross in that direction. A segment that lies in a plane to the last bit gives NaN there, and the
    /// solid's other planes clip it.
    #[inline(always)]
    fn clip<const SHIFT: bool>(&self, swept: &Swept) -> (Vec4, Vec4) {
        let ahead = self.ahead::<SHIFT>(&swept.place);
        let slope = dot(&self.normal, &swept.direction);
        let time = ahead / slope.abs();
        let leaves = slope.cmpgt(Vec4::ZERO);
        (
            Vec4::select(leaves, Vec4::NEG_INFINITY, time),
            Vec4::select(leaves, -time, Vec4::INFINITY),
        )
    }
}

#[inline(always)]
fn dot(a: &[Vec4; 3], b: &[Vec4; 3]) -> Vec4 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
