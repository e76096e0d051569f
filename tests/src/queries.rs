//! Queries that stress a trace: short walks near floors, long shots, uniform segments, and
//! segments that start exactly on faces and slide in them.

use crate::oracle::HullWorld;
pub use crate::oracle::vec3::{along, dot};
use crate::random::Random;

/// A segment, start and end.
pub type Segment = [[f64; 3]; 2];

/// A kind of query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// From a place just above a floor, up to 64 units sideways and slightly up or down.
    Walk,
    /// From an empty place in any direction, 8,192 units long.
    Shot,
    /// Between two places anywhere.
    Uniform,
    /// From a place exactly on a face (to the last bit for axial faces), along the face.
    Slide,
}

/// All kinds.
pub const KINDS: [Kind; 4] = [Kind::Walk, Kind::Shot, Kind::Uniform, Kind::Slide];

/// Distance that queries go beyond the solids, in units.
const ROOM: f64 = 64.0;

/// A generator of queries in a world.
pub struct Queries<'a> {
    world: &'a HullWorld,
    /// Lower corner of the box that queries start in.
    pub mins: [f64; 3],
    /// Upper corner of that box.
    pub maxs: [f64; 3],
}

impl<'a> Queries<'a> {
    /// Prepares queries for a world, or returns `None` if nothing in it is solid.
    pub fn new(world: &'a HullWorld) -> Option<Self> {
        let solids = world.solids();
        let first = solids.first()?;
        let (mut mins, mut maxs) = (first.mins, first.maxs);
        for solid in solids {
            for axis in 0..3 {
                mins[axis] = mins[axis].min(solid.mins[axis]);
                maxs[axis] = maxs[axis].max(solid.maxs[axis]);
            }
        }
        Some(Self {
            world,
            mins: mins.map(|x| x - ROOM),
            maxs: maxs.map(|x| x + ROOM),
        })
    }

    /// Makes a query of a kind.
    pub fn query(&self, kind: Kind, random: &mut Random) -> Segment {
        match kind {
            Kind::Walk => self.walk(random),
            Kind::Shot => {
                let start = self.empty_place(random);
                let direction = random.direction();
                [start, along(start, direction, 8192.0)]
            }
            Kind::Uniform => [0, 1].map(|_| random.point(self.mins, self.maxs)),
            Kind::Slide => self.slide(random),
        }
    }

    /// Picks a place that is probably not solid.
    fn empty_place(&self, random: &mut Random) -> [f64; 3] {
        let mut place = random.point(self.mins, self.maxs);
        for _ in 0..8 {
            if !self.world.solid(place, 0.0) {
                break;
            }
            place = random.point(self.mins, self.maxs);
        }
        place
    }

    fn walk(&self, random: &mut Random) -> Segment {
        let mut start = self.empty_place(random);
        let down = along(start, [0.0, 0.0, -1.0], 4096.0);
        if let Some(floor) = self.world.trace(start, down, 0.0).first_enter {
            start[2] += 4096.0 * -floor + random.between(0.0, 0.25);
        }
        let angle = random.between(0.0, std::f64::consts::TAU);
        let step = [angle.cos(), angle.sin(), random.between(-0.3, 0.1)];
        [start, along(start, step, random.between(1.0, 64.0))]
    }

    fn slide(&self, random: &mut Random) -> Segment {
        let solids = self.world.solids();
        for _ in 0..16 {
            let solid = &solids[random.below(solids.len())];
            let (normal, dist) = solid.planes[random.below(solid.planes.len())];
            let on_face = |vertex: &&[f64; 3]| (dot(normal, **vertex) - dist).abs() < 1e-6;
            let face: Vec<_> = solid.vertices.iter().filter(on_face).collect();
            if face.len() < 3 {
                continue;
            }
            let mut place = || {
                let mut place = [0.0; 3];
                let weights: Vec<f64> = face.iter().map(|_| random.unit()).collect();
                let total: f64 = weights.iter().sum();
                for (vertex, weight) in face.iter().zip(weights) {
                    place = along(place, **vertex, weight / total);
                }
                for axis in 0..3 {
                    if normal[axis].abs() == 1.0 {
                        place[axis] = dist * normal[axis];
                    }
                }
                place
            };
            let [start, toward] = [place(), place()];
            let step = std::array::from_fn(|axis| toward[axis] - start[axis]);
            return [start, along(start, step, random.between(0.5, 8.0))];
        }
        self.walk(random)
    }
}
