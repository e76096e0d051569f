//! What a trace of the onion looks at: a segment or a point in, its nodes, planes and bytes out. A replica
//! of the quick walk of `onion-runtime` (`quick.rs`, and what `trace.rs` does with its answer) over the
//! records that tools may read, for one hull, so that the runtime need not count. Every read of a record
//! counts its bytes; a step at a node is a visit, and so is taking up a side that waited.
//!
//! What the walk leaves to the reference (starts in solid, ends on planes, crossings that coincide) is
//! counted as far as the walk got. Everything else must be what the runtime answers, to rounding:
//! [`Counter::check`] holds the replica to it.

use onion_format::{Child, KNOWN_HULLS, NORMAL_ONE, NodePlane, NodeRecord, PlaneRecord};
use onion_runtime::{DEFAULT_SKIN, HullId, Model, OnionMap};

use crate::rival::{Question, Segment, Visits};

/// The runtime's: a point this near to a plane is on it, in units.
const ON_PLANE: f64 = 1.0 / (1u64 << 31) as f64;

/// The runtime's: shorter stretches may count as touched, in units; twice its bound on touching.
const LONG: f64 = 2.0 / (1u64 << 24) as f64;

/// The runtime's: the error of a signed distance over the sum of absolute coordinates and 1, in units.
const ERROR: f32 = 16.0 / (1u32 << 24) as f32;

/// The runtime's: points whose absolute coordinates add up to more are for the reference, in units.
const MOST_SIZE: f32 = (1u32 << 30) as f32;

/// The runtime's: sides that can wait at once.
const MOST_SIDES: usize = 16;

/// The runtime's: how often an end in solid is shortened.
const MAX_RETREATS: i32 = 12;

/// The runtime's: the largest fraction of a crossing.
const BELOW_ONE: f64 = 1.0 - f64::EPSILON / 2.0;

/// Fractions of the replica and the runtime may differ by so much of the segment. They come from the same
/// steps, so they hardly ever differ at all.
const SAME_FRACTION: f64 = 1e-9;

/// Largest part of the queries that may be left to the reference, of those that do not start in solid; of
/// real maps' it is at most 0.002. If it is more, the replica counts too little to tell anything.
const MOST_UNCLEAR: f64 = 0.02;

/// Fewer queries than this are not judged by [`MOST_UNCLEAR`].
const FEWEST: usize = 100;

/// The sides of a node, as indices.
const FRONT: usize = 0;
const BACK: usize = 1;

/// Counts what one hull's queries look at in the world.
pub struct Counter<'a> {
    map: &'a OnionMap<Vec<u8>>,
    world: Model<'a>,
    hull: HullId,
    planes: Vec<PlaneRecord>,
    root: Child,
    /// The hull's bit in what nodes know of their children.
    bit: u8,
}

/// What a trace answers: the part of the segment before solid, and that part backed off.
#[derive(Clone, Copy, Debug)]
struct Fractions {
    hit: Option<f64>,
    fraction: f64,
}

/// An entry into solid.
struct Hit {
    fraction: f64,
    plane: PlaneRecord,
    /// The last node whose cell holds all of the segment.
    common: Child,
}

/// The far side of a node that divides the segment, and where it begins.
struct Side {
    from: f64,
    node: Child,
    side: usize,
}

/// What a plane does to a stretch.
enum Split {
    One(usize),
    Both(f64, usize),
}

/// A part of the segment in f32, and the bound on the error of its signed distances, in units.
struct Stretch {
    ends: [[f32; 3]; 2],
    error: f32,
}

impl Stretch {
    fn new(segment: &[[f64; 3]; 2]) -> Option<Self> {
        let ends = segment.map(rounded);
        let [start, end] = ends.map(|[x, y, z]| x.abs() + y.abs() + z.abs());
        (start + end <= MOST_SIZE).then(|| Self {
            ends,
            error: ERROR * (start.max(end) + 1.0),
        })
    }

    /// The side of a node's plane that it is certainly on.
    fn side(&self, node: &NodeRecord) -> Option<usize> {
        let [x, y, z] = node.normal;
        let distances = self
            .ends
            .map(|end| (x * end[0] + y * end[1]) + (z * end[2] - node.dist));
        if distances.iter().all(|&dist| dist > self.error) {
            return Some(FRONT);
        }
        let is_behind = distances.iter().all(|&dist| dist < -self.error);
        is_behind.then_some(BACK)
    }
}

impl<'a> Counter<'a> {
    /// For a hull of the world; none if nodes know nothing of it, so that the reference answers all.
    pub fn new(map: &'a OnionMap<Vec<u8>>, hull: HullId) -> Option<Self> {
        let groups = (0..).map(|group| map.inspect().hulls_of_group(group));
        let mut trees = map.inspect().roots_of(0).zip(groups);
        let (root, _) = trees.find(|(_, hulls)| hulls.contains(hull.index()))?;
        (hull.index() < KNOWN_HULLS).then(|| Self {
            map,
            world: map.world(),
            hull,
            planes: map.inspect().planes().collect(),
            root,
            bit: hull.alone().bits() as u8,
        })
    }

    /// Counts one query.
    pub fn count(&self, question: Question, segment: &Segment, visits: &mut Visits) {
        match question {
            Question::Trace => _ = self.trace(segment, visits),
            Question::Point => _ = self.is_solid(self.root, &widened(segment[0]), visits),
        }
    }

    /// Compares the replica's answers with the runtime's.
    ///
    /// # Errors
    /// The first query that they answer in another way, or too many are left to the reference.
    pub fn check(&self, question: Question, queries: &[Segment]) -> Result<(), String> {
        let (mut asked, mut unclear) = (0, 0);
        for segment in queries {
            let agrees = match question {
                Question::Trace => self.agrees(segment),
                Question::Point => self
                    .is_solid(self.root, &widened(segment[0]), &mut Visits::default())
                    .map(|solid| solid == self.world.is_solid(self.hull, segment[0])),
            };
            if agrees == Some(false) {
                return Err(format!(
                    "the count of visits answers {segment:?} in another way than the onion"
                ));
            }
            if agrees.is_some() || !self.world.is_solid(self.hull, segment[0]) {
                asked += 1;
                unclear += usize::from(agrees.is_none());
            }
        }
        if asked >= FEWEST && unclear as f64 > asked as f64 * MOST_UNCLEAR {
            return Err(format!(
                "the count of visits leaves {unclear} of {asked} queries to the reference"
            ));
        }
        Ok(())
    }

    /// Whether the replica's trace is the runtime's; none if it is left to the reference.
    fn agrees(&self, segment: &Segment) -> Option<bool> {
        let own = self.trace(segment, &mut Visits::default())?;
        let [start, end] = *segment;
        let trace = self.world.trace(self.hull, start, end);
        let same = |a: f64, b: f64| (a - b).abs() <= SAME_FRACTION;
        Some(
            own.hit.is_some() == trace.plane.is_some()
                && same(own.hit.unwrap_or(1.0), trace.hit_fraction)
                && same(own.fraction, trace.fraction)
                && !trace.start_solid,
        )
    }

    /// A node, read.
    fn node(&self, at: Child, visits: &mut Visits) -> Option<NodeRecord> {
        let node = (!at.is_leaf()).then(|| self.map.inspect().node(at.index()));
        visits.bytes += NodeRecord::SIZE as u64;
        node.flatten()
    }

    /// A node's exact plane, read.
    fn plane(&self, node: &NodeRecord, visits: &mut Visits) -> Option<PlaneRecord> {
        visits.bytes += PlaneRecord::SIZE as u64;
        let index = NodePlane(node.plane).index();
        self.planes.get(index as usize).copied()
    }

    /// `Model::trace`: the walk, the plane that was hit, and whether the end is in solid. None if any of it
    /// is for the reference.
    fn trace(&self, segment: &Segment, visits: &mut Visits) -> Option<Fractions> {
        let ends = segment.map(widened);
        let Some(hit) = self.walk(&ends, visits)? else {
            return Some(Fractions {
                hit: None,
                fraction: 1.0,
            });
        };
        let [d_start, d_end] = ends.map(|end| distance(&hit.plane, &end));
        let wanted = (hit.fraction - DEFAULT_SKIN / (d_start - d_end).abs()).max(0.0);
        let mut fraction = wanted;
        for retreats in 1..=MAX_RETREATS {
            let end = widened(rounded(point_at(&ends, fraction)));
            if fraction <= 0.0 || !self.is_solid(hit.common, &end, visits)? {
                break;
            }
            let part = f64::from(1 << retreats) / f64::from(1 << MAX_RETREATS);
            fraction = wanted - wanted * part;
        }
        Some(Fractions {
            hit: Some(hit.fraction),
            fraction: fraction.max(0.0),
        })
    }

    /// `Quick::walk` for one hull: the first entry into solid, if any; none if it is for the reference.
    fn walk(&self, ends: &[[f64; 3]; 2], visits: &mut Visits) -> Option<Option<Hit>> {
        let mut stretch = Stretch::new(ends)?;
        let longest = (0..3).fold(0.0, |longest: f64, axis| {
            longest.max((ends[1][axis] - ends[0][axis]).abs())
        });
        let mut waiting: Vec<Side> = Vec::with_capacity(MOST_SIDES);
        let [mut from, mut to] = [0.0, 1.0];
        let (mut at, mut common, mut entered) = (self.root, None, None);
        loop {
            visits.nodes += 1;
            let mut node = self.node(at, visits)?;
            let mut side = match stretch.side(&node) {
                Some(side) => side,
                None => {
                    common = common.or(Some(at));
                    match self.split(&node, ends, longest, [from, to], visits)? {
                        Split::One(side) => side,
                        Split::Both(fraction, near) => {
                            if waiting.len() == MOST_SIDES {
                                return None;
                            }
                            waiting.push(Side {
                                from: fraction,
                                node: at,
                                side: 1 - near,
                            });
                            to = fraction;
                            stretch.ends[1] = rounded(point_at(ends, to));
                            near
                        }
                    }
                }
            };
            while node.resolved[side] & self.bit != 0 {
                if node.solid[side] & self.bit != 0 {
                    let counts = to == 1.0 || (to - from) * longest > LONG;
                    let side = entered.filter(|_| counts)?;
                    return self.enter(side, common?, visits).map(Some);
                }
                let Some(next) = waiting.pop() else {
                    return Some(None);
                };
                visits.nodes += 1;
                node = self.node(next.node, visits)?;
                side = next.side;
                from = next.from;
                to = waiting.last().map_or(1.0, |beyond| beyond.from);
                stretch.ends = [from, to].map(|fraction| rounded(point_at(ends, fraction)));
                entered = Some(next);
            }
            at = Child(node.children[side]);
        }
    }

    /// `Quick::split`; none if it is for the reference.
    fn split(
        &self,
        node: &NodeRecord,
        ends: &[[f64; 3]; 2],
        longest: f64,
        [from, to]: [f64; 2],
        visits: &mut Visits,
    ) -> Option<Split> {
        let plane = self.plane(node, visits)?;
        let [d_start, d_end] = ends.map(|end| distance(&plane, &end));
        if d_start.abs() <= ON_PLANE || d_end.abs() <= ON_PLANE {
            return None;
        }
        let (near, far) = (usize::from(d_start < 0.0), usize::from(d_end < 0.0));
        if near == far {
            return Some(Split::One(near));
        }
        let fraction = (d_start / (d_start - d_end)).min(BELOW_ONE);
        let (after, before) = ((fraction - from) * longest, (to - fraction) * longest);
        if after > LONG && before > LONG {
            Some(Split::Both(fraction, near))
        } else if before < -LONG {
            Some(Split::One(near))
        } else {
            (after < -LONG).then_some(Split::One(far))
        }
    }

    /// `Quick::enter`, and the plane that the answer tells; none if it is for the reference.
    fn enter(&self, side: Side, common: Child, visits: &mut Visits) -> Option<Hit> {
        let node = self.node(side.node, visits)?;
        let plane = NodePlane(node.plane);
        let has_faces = match side.side {
            BACK => plane.has_front_faces(),
            _ => plane.has_back_faces(),
        };
        if !has_faces {
            return None;
        }
        Some(Hit {
            fraction: side.from,
            plane: self.plane(&node, visits)?,
            common,
        })
    }

    /// `Quick::solidity` for one hull; none if it is for the reference.
    fn is_solid(&self, top: Child, point: &[f64; 3], visits: &mut Visits) -> Option<bool> {
        let stretch = Stretch::new(&[*point; 2])?;
        let mut at = top;
        loop {
            visits.nodes += 1;
            let node = self.node(at, visits)?;
            let side = match stretch.side(&node) {
                Some(side) => side,
                None => {
                    let dist = distance(&self.plane(&node, visits)?, point);
                    if dist.abs() <= ON_PLANE {
                        return None;
                    }
                    usize::from(dist < 0.0)
                }
            };
            if node.resolved[side] & self.bit != 0 {
                return Some(node.solid[side] & self.bit != 0);
            }
            at = Child(node.children[side]);
        }
    }
}

/// Signed distance of a point in front of a plane, in units.
fn distance(plane: &PlaneRecord, point: &[f64; 3]) -> f64 {
    if let Some(component) = point.get(plane.axis as usize) {
        return component - plane.dist;
    }
    let [x, y, z] = plane
        .normal
        .map(|component| f64::from(component) / f64::from(NORMAL_ONE));
    x * point[0] + y * point[1] + z * point[2] - plane.dist
}

/// The point at a fraction between two ends.
fn point_at([start, end]: &[[f64; 3]; 2], fraction: f64) -> [f64; 3] {
    std::array::from_fn(|axis| start[axis] + (end[axis] - start[axis]) * fraction)
}

fn rounded(point: [f64; 3]) -> [f32; 3] {
    point.map(|x| x as f32)
}

fn widened(point: [f32; 3]) -> [f64; 3] {
    point.map(f64::from)
}
