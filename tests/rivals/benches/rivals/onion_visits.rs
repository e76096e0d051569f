//! What a trace of the onion looks at: a segment or a point in, its blocks, nodes and bytes out. A replica of the
//! fast walk of `onion-runtime` (`fast/`, and what `trace.rs` does with its answer) over the records that tools
//! may read, for one hull, so that the runtime need not count. Every read of a record counts its bytes; a block
//! that is looked up is a visit, and so is a node of a local tree.
//!
//! What the walk leaves to the whole tree (starts in solid, ends on planes, crossings that coincide) is counted as
//! far as the walk got. Everything else must be what the runtime answers, to rounding: [`Counter::check`] holds the
//! replica to it.

use onion_format::{LocalChild, LocalPlane, LocalRecord, NORMAL_ONE, PlaneRecord, TwinRecord};
use onion_runtime::{DEFAULT_SKIN, HullId, Model, OnionMap};

use crate::onion_blocks::Blocks;
use crate::rival::{Question, Segment, Visits};

/// The runtime's: a point this near to a plane is on it, in units.
const ON_PLANE: f64 = 1.0 / (1u64 << 31) as f64;

/// The runtime's: shorter stretches may count as touched, in units; twice its bound on touching.
const LONG: f64 = 2.0 / (1u64 << 24) as f64;

/// The runtime's: what is farther from a plane is on one side of it, in units, if [`ROUNDED_END`] is added.
const CERTAIN: f64 = 1.0 / (1u64 << 20) as f64;

/// The runtime's: the same for each unit of the sum of absolute coordinates.
const ROUNDED_END: f64 = 1.0 / (1u64 << 22) as f64;

/// The runtime's: points whose absolute coordinates add up to more are for the reference, in units.
const MAX_SIZE: f64 = (1u64 << 30) as f64;

/// The runtime's: planes that a stretch may cross.
const MAX_CROSSINGS: usize = 8;

/// The runtime's: how often an end in solid is shortened.
const MAX_RETREATS: i32 = 12;

/// The runtime's: the largest fraction of a crossing.
const BELOW_ONE: f64 = 1.0 - f64::EPSILON / 2.0;

/// Fractions of the replica and the runtime may differ by so much of the segment. They come from the same
/// steps, so they hardly ever differ at all.
const SAME_FRACTION: f64 = 1e-9;

/// Largest part of the queries that may be left to the whole tree, of those that do not start in solid and stay in
/// the grid; of the long ones of a map full of curves it is 0.023. If it is more, the replica counts too little.
const MOST_UNCLEAR: f64 = 0.05;

/// Fewer queries than this are not judged by [`MOST_UNCLEAR`].
const FEWEST: usize = 100;

/// Counts what one hull's queries look at in the world.
pub struct Counter<'a> {
    world: Model<'a>,
    hull: HullId,
    blocks: Blocks,
    nodes: Vec<LocalRecord>,
    twins: Vec<TwinRecord>,
    planes: Vec<PlaneRecord>,
}

/// What a trace answers: the part of the segment before solid, and that part backed off.
#[derive(Clone, Copy, Debug)]
struct Fractions {
    hit: Option<f64>,
    fraction: f64,
}

/// A segment, its length along its longest axis and the bound on what rounds off, in units.
struct Ends {
    ends: [[f64; 3]; 2],
    longest: f64,
    error: f64,
}

/// A plane that divides a stretch, at a fraction, and how fast it is approached, in units.
#[derive(Clone, Copy)]
struct Crossing {
    at: f64,
    approach: f64,
    node: u32,
    beyond: LocalChild,
}

/// An entry into solid: where the trace is to end, and whether that is surely not in solid.
struct Entry {
    fraction: f64,
    wanted: f64,
    is_clear: bool,
}

/// The planes that a stretch crosses, those behind which a part of it waits, and whether another one is near.
#[derive(Default)]
struct Crossings {
    all: Vec<Crossing>,
    waiting: Vec<usize>,
    is_near: bool,
}

/// What a plane does to a stretch.
enum Split {
    One(usize),
    Both(f64, usize),
}

impl Ends {
    /// None if the segment is for the reference.
    fn new(segment: &Segment) -> Option<Self> {
        let ends = segment.map(widened);
        let [start, end] = ends.map(size_of);
        let longest = |axis: usize| (ends[1][axis] - ends[0][axis]).abs();
        (start + end < MAX_SIZE).then(|| Self {
            ends,
            longest: longest(0).max(longest(1)).max(longest(2)),
            error: CERTAIN + ROUNDED_END * start.max(end),
        })
    }

    fn point(&self, fraction: f64) -> [f64; 3] {
        let [start, end] = &self.ends;
        std::array::from_fn(|axis| start[axis] + (end[axis] - start[axis]) * fraction)
    }

    /// Settles a plane, by the signed distances of the ends; none if it is for the reference.
    fn split(&self, [d_start, d_end]: [f64; 2], [from, to]: [f64; 2]) -> Option<Split> {
        if d_start.abs() <= ON_PLANE || d_end.abs() <= ON_PLANE {
            return None;
        }
        let (near, far) = (usize::from(d_start < 0.0), usize::from(d_end < 0.0));
        if near == far {
            return Some(Split::One(near));
        }
        let fraction = (d_start / (d_start - d_end)).min(BELOW_ONE);
        let (after, before) = (
            (fraction - from) * self.longest,
            (to - fraction) * self.longest,
        );
        if after > LONG && before > LONG {
            Some(Split::Both(fraction, near))
        } else if before < -LONG {
            Some(Split::One(near))
        } else {
            (after < -LONG).then_some(Split::One(far))
        }
    }
}

impl<'a> Counter<'a> {
    /// For a hull of the world; none if the file has no fast form.
    pub fn new(map: &'a OnionMap<Vec<u8>>, hull: HullId) -> Option<Self> {
        let file = map.inspect();
        Some(Self {
            world: map.world(),
            hull,
            blocks: Blocks::new(file, hull.index())?,
            nodes: file.local_nodes().collect(),
            twins: file.twins().collect(),
            planes: file.planes().collect(),
        })
    }

    /// Counts one query.
    pub fn count(&self, question: Question, segment: &Segment, visits: &mut Visits) {
        match question {
            Question::Trace => _ = self.trace(segment, visits),
            Question::Point => _ = self.is_solid(&widened(segment[0]), visits),
        }
    }

    /// Compares the replica's answers with the runtime's.
    ///
    /// # Errors
    /// The first query that they answer in another way, or too many are left to the whole tree.
    pub fn check(&self, question: Question, queries: &[Segment]) -> Result<(), String> {
        let (mut asked, mut unclear) = (0, 0);
        for segment in queries {
            let agrees = match question {
                Question::Trace => self.agrees(segment),
                Question::Point => self
                    .is_solid(&widened(segment[0]), &mut Visits::default())
                    .map(|solid| solid == self.world.is_solid(self.hull, segment[0])),
            };
            if agrees == Some(false) {
                return Err(format!(
                    "the count of visits answers {segment:?} in another way than the onion"
                ));
            }
            let is_meant = || {
                let places = segment.map(|point| self.blocks.place(&widened(point)));
                places.iter().all(|&place| self.blocks.has(place))
                    && !self.world.is_solid(self.hull, segment[0])
            };
            if agrees.is_some() || is_meant() {
                asked += 1;
                unclear += usize::from(agrees.is_none());
            }
        }
        if asked >= FEWEST && unclear as f64 > asked as f64 * MOST_UNCLEAR {
            return Err(format!(
                "the count of visits leaves {unclear} of {asked} queries to the whole tree"
            ));
        }
        Ok(())
    }

    /// Whether the replica's trace is the runtime's; none if it is left to the whole tree.
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
    fn node(&self, at: LocalChild, visits: &mut Visits) -> &LocalRecord {
        visits.bytes += LocalRecord::SIZE as u64;
        &self.nodes[at.index() as usize]
    }

    /// `Model::trace`: the walk, and whether the end is in solid. None if any of it is for the whole tree.
    fn trace(&self, segment: &Segment, visits: &mut Visits) -> Option<Fractions> {
        let ends = Ends::new(segment)?;
        let Some(entry) = self.walk(&ends, visits)? else {
            return Some(Fractions {
                hit: None,
                fraction: 1.0,
            });
        };
        let mut fraction = entry.wanted;
        for retreats in 1..=MAX_RETREATS {
            let end = widened(ends.point(fraction).map(|x| x as f32));
            if fraction <= 0.0 || entry.is_clear || !self.is_solid(&end, visits)? {
                break;
            }
            let part = f64::from(1 << retreats) / f64::from(1 << MAX_RETREATS);
            fraction = entry.wanted - entry.wanted * part;
        }
        Some(Fractions {
            hit: Some(entry.fraction),
            fraction: fraction.max(0.0),
        })
    }

    /// `Fast::begin` and what follows: the first entry into solid, if any; none if it is for the whole tree.
    fn walk(&self, ends: &Ends, visits: &mut Visits) -> Option<Option<Entry>> {
        let [start, end] = ends.ends.map(|end| self.blocks.place(&end));
        let mut block = self.blocks.block(start, visits)?;
        if block.holds(end) {
            return self.walk_stretch(ends, block.root, [0.0, 1.0], visits);
        }
        let mut from = 0.0;
        loop {
            let exit = self.blocks.exit(&ends.ends, &block, from, visits);
            if !block.root.is_empty() {
                let entry = self.walk_stretch(ends, block.root, [from, exit.end], visits)?;
                if entry.is_some() {
                    return Some(entry);
                }
            }
            if exit.at >= 1.0 {
                return Some(None);
            }
            block = exit.next?;
            from = exit.at;
        }
    }

    /// `Trees::walk`; none if it is for the whole tree.
    fn walk_stretch(
        &self,
        ends: &Ends,
        mut part: LocalChild,
        [first, last]: [f64; 2],
        visits: &mut Visits,
    ) -> Option<Option<Entry>> {
        let mut crossings = Crossings::default();
        let mut entered = None;
        let mut range = [first, last];
        loop {
            while !part.is_leaf() {
                part = self.step(ends, part, &mut range, &mut crossings, visits)?;
            }
            if part.is_solid() {
                let counts = range[1] == 1.0 || (range[1] - range[0]) * ends.longest > LONG;
                let crossing = entered.filter(|_| counts)?;
                return self
                    .enter(ends, &crossing, &crossings, first, visits)
                    .map(Some);
            }
            let Some(crossing) = crossings.waiting.pop() else {
                return Some(None);
            };
            let next = crossings.waiting.last();
            let end = next.map_or(last, |&next| crossings.all[next].at);
            let crossing = crossings.all[crossing];
            range = [crossing.at, end];
            part = crossing.beyond;
            entered = Some(crossing);
        }
    }

    /// `Trees::step`; none if it is for the whole tree.
    fn step(
        &self,
        ends: &Ends,
        part: LocalChild,
        range: &mut [f64; 2],
        crossings: &mut Crossings,
        visits: &mut Visits,
    ) -> Option<LocalChild> {
        visits.nodes += 1;
        let node = self.node(part, visits);
        let children = node.children.map(LocalChild);
        let ahead = range.map(|fraction| distance(node.normal, node.dist, &ends.point(fraction)));
        if ahead.iter().all(|&ahead| ahead > ends.error) {
            return Some(children[0]);
        }
        if ahead.iter().all(|&ahead| ahead < -ends.error) {
            return Some(children[1]);
        }
        let [d_start, d_end] = ends.ends.map(|end| distance(node.normal, node.dist, &end));
        let (at, near) = match ends.split([d_start, d_end], *range)? {
            Split::Both(at, near) => (at, near),
            Split::One(side) => {
                crossings.is_near = true;
                return Some(children[side]);
            }
        };
        range[1] = at;
        crossings.waiting.push(crossings.all.len());
        crossings.all.push(Crossing {
            at,
            approach: d_start - d_end,
            node: part.index(),
            beyond: children[1 - near],
        });
        (crossings.all.len() <= MAX_CROSSINGS).then_some(children[near])
    }

    /// `Trees::enter`; none if a twin is crossed there too.
    fn enter(
        &self,
        ends: &Ends,
        crossing: &Crossing,
        crossings: &Crossings,
        first: f64,
        visits: &mut Visits,
    ) -> Option<Entry> {
        let node = self.node(LocalChild(crossing.node), visits);
        if let LocalPlane::List(list) = node.local_plane() {
            self.has_no_twin(ends, list as usize, crossing.at, visits)?;
        }
        let wanted = (crossing.at - DEFAULT_SKIN / crossing.approach.abs()).max(0.0);
        let is_far = |other: &Crossing| ((wanted - other.at) * other.approach).abs() > ends.error;
        Some(Entry {
            fraction: crossing.at,
            wanted,
            is_clear: wanted >= first && !crossings.is_near && crossings.all.iter().all(is_far),
        })
    }

    /// `Trees::first_of_list`: none if a twin of the list is crossed at a fraction.
    fn has_no_twin(
        &self,
        ends: &Ends,
        list: usize,
        fraction: f64,
        visits: &mut Visits,
    ) -> Option<()> {
        for twin in &self.twins[list + 1..] {
            visits.read::<TwinRecord>(1);
            visits.bytes += PlaneRecord::SIZE as u64;
            let plane = &self.planes[twin.index() as usize];
            let distances = ends
                .ends
                .map(|end| distance(plane.normal, plane.dist, &end));
            let split = ends.split(distances, [fraction; 2])?;
            if matches!(split, Split::Both(..)) || twin.is_last() {
                return matches!(split, Split::One(_)).then_some(());
            }
        }
        None
    }

    /// `Fast::is_solid`; none if it is for the whole tree.
    fn is_solid(&self, point: &[f64; 3], visits: &mut Visits) -> Option<bool> {
        let mut part = self.blocks.block(self.blocks.place(point), visits)?.root;
        while !part.is_leaf() {
            visits.nodes += 1;
            let node = self.node(part, visits);
            let ahead = distance(node.normal, node.dist, point);
            if ahead.abs() <= ON_PLANE {
                return None;
            }
            part = LocalChild(node.children[usize::from(ahead < 0.0)]);
        }
        (size_of(*point) < MAX_SIZE).then(|| part.is_solid())
    }
}

/// Signed distance of a point in front of a plane, in units.
fn distance(normal: [i32; 3], dist: f64, point: &[f64; 3]) -> f64 {
    let [x, y, z] = normal.map(|component| f64::from(component) / f64::from(NORMAL_ONE));
    x * point[0] + y * point[1] + z * point[2] - dist
}

/// Sum of the absolute coordinates of a point.
fn size_of([x, y, z]: [f64; 3]) -> f64 {
    x.abs() + y.abs() + z.abs()
}

fn widened(point: [f32; 3]) -> [f64; 3] {
    point.map(f64::from)
}
