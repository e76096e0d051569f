//! The fast walk gives, for a segment or a point and one hull, the first entry into solid, or says that the
//! case is not clear. Its answers are those of [`crate::walk`], which is the reference.
//!
//! # How
//!
//! The file has a small local tree of each hull for each block of space ([`crate::blocks`], `LOCL` of FORMAT.md).
//! Most segments lie in one block; longer ones go from block to block. A local tree is right in its block and
//! [`BLOCK_MARGIN`](onion_format::BLOCK_MARGIN) around it. A stretch of the segment ends half of that beyond
//! its block, and what is computed of such an end is off by far less, so no part of the segment is left out.
//!
//! Nodes have their planes exactly, and all is computed in f64. The distances of a stretch's ends from a plane lie
//! between those of the segment's ends. A stretch whose ends are both farther from a plane than `Segment::error` is on
//! one side of it: that is far above `ON_PLANE`, what rounds off in a crossing, and `GRAZE` times the root of three.
//! What rounds off in such a distance is less: with `P` the larger sum of absolute coordinates of the two ends and
//! `u = 2^-53`, at most `5uP + 2^-35` in that of an end (five roundings; planes are within 2^17 units), three times as
//! much and `5uP + 2^-36` more in that of a point between them, so below `2^-48 P + 2^-33` in all.
//!
//! Any other plane is settled as the reference does it, from the original ends, and where crossings coincide, the
//! reference decides. Planes of the tree that nearly coincide with that of a node, on its face, are its twins, and an
//! entry at which one is crossed too is for the tree.
//!
//! # Why the end of a trace needs no query
//!
//! A trace ends a little before its entry, rounded to the type of its coordinates: so by `2^-24 P` at most along
//! any normal, where `P` is the larger sum of absolute coordinates of the two ends. The end lies in a stretch
//! that was found empty. Planes that this stretch was certainly on one side of are farther from all of it than
//! three times as much ([`ROUNDED_END`]), and if the planes that it crosses are too far from the end as well, the
//! rounded end is in the same part of the local tree. Then it is empty, and so are all places within `ON_PLANE`. If
//! one is nearer, or a plane was settled to be on one side, the end is asked about.
//!
//! # Outside of the grid
//!
//! All of it is empty, or solid, if the file says so, a margin inside of the grid too. A segment that starts there in
//! empty is walked from where it is half of that margin inside, and one that leaves is done if it never comes so far
//! inside again, so rounding at the border decides nothing. A start in solid is for the reference.
//!
//! # What is not proven
//!
//! A plane that was left out, at a larger angle than a twin, that the segment crosses within `GRAZE` of its
//! entry. The reference counts both as touched; it is expected to name the plane with a face there, as this walk
//! does, and the long test of the fast form (some 10^8 traces) found no other answer.
//!
//! # Measured
//!
//! A walk sees two or three nodes (five where there are many curves), so what surrounds the tree counts. On a dense and
//! on an open map a walk became 1.02 to 1.07 times as fast without a query for its end and with blocks found without
//! branches, and 1.04 with exact nodes. A processor waits when it reads two numbers at once that were written one by
//! one just before, 5 to 9 ns a trace: so ends are passed in registers, and a stretch is no pair (4%). On a long way
//! it waits for the record of the next block, which is read before the block at hand is walked: a tenth of a shot on an
//! open map. Blocks that reach as far as the same local tree does: shots 1.14. What a query looks up, kept
//! ([`HullView`](crate::HullView)): points 2.5, walks and moves 1.1 to 1.2. Distances between those of the ends,
//! without points: walks 1.04 to 1.08, moves 1.04 to 1.07, shots 1.02 to 1.04. One list of crossings for all
//! stretches: shots 1.03 to 1.1.
//!
//! A point takes its side of a plane as an index, which is 11 to 17% faster than a branch. Lost: the same for a
//! stretch (walks 1 to 3% slower); points in f64 with nodes in f32 (walks 4 to 12%, moves 7 to 12%); near and far
//! points axis by axis, distances in pairs, one branch a side (no change); four crossings in place of eight (1 to 3%);
//! ends in registers from block to block (shots 1.04, moves 0.95); places divided at 3, 6 or 8 nodes in place of 4 (no
//! change) or at 12 (walks 5 to 15% slower); blocks twice as large on a dense map (half of the bytes, walks and shots
//! 12% slower); reaches of empty blocks alone (a tenth fewer blocks on a shot, those of all blocks a third).

use onion_format::{LocalChild, LocalPlane, LocalRecord, PlaneRecord, Record, TwinRecord};

use crate::blocks::{Block, Blocks, Way};
use crate::filter::{MAX_SIZE, Split, split};
use crate::hull::HullId;
use crate::plane::{Plane, exact_normal, turned, unit_normal};
use crate::segment::{longest_step, point_at};
use crate::tolerance::{CERTAIN, LONG, ON_PLANE, ROUNDED_END};
use crate::vector::dot;
use crate::view::View;

/// Planes that a stretch may cross; few cross four. A power of two.
const MAX_CROSSINGS: usize = 8;

/// What a fast walk found.
pub(crate) enum Found {
    /// The whole segment is empty.
    Nothing,
    /// The segment starts in empty and enters solid.
    Solid(Entry),
    /// Ask the reference.
    Unclear,
}

/// An entry into solid.
pub(crate) struct Entry {
    /// Fraction of the segment.
    pub(crate) fraction: f64,
    /// The fraction that keeps the skin from the plane, at least 0.
    pub(crate) wanted: f64,
    /// Whether the point there, rounded, is surely not solid.
    pub(crate) is_clear: bool,
    /// The plane.
    pub(crate) plane: Plane<f64>,
}

/// A plane that divides a stretch.
#[derive(Clone, Copy, Default)]
struct Crossing {
    /// Fraction of the segment.
    at: f64,
    /// How fast the segment approaches the plane from in front: units of distance from its start to its end.
    approach: f64,
    node: u32,
    /// What lies beyond.
    beyond: LocalChild,
}

/// The planes that divide a stretch, and those behind which a part of it still waits. That part ends where the
/// next one that waits begins, which is the one added before.
struct Crossings {
    all: [Crossing; MAX_CROSSINGS],
    len: usize,
    /// A bit for each.
    waiting: u32,
    /// Whether a plane near the stretch was settled to be on one side.
    is_near: bool,
}

impl Crossings {
    #[inline(always)]
    fn new() -> Self {
        Self {
            all: [Crossing::default(); MAX_CROSSINGS],
            len: 0,
            waiting: 0,
            is_near: false,
        }
    }

    /// Forgets all of them.
    #[inline(always)]
    fn clear(&mut self) {
        self.len = 0;
        self.waiting = 0;
        self.is_near = false;
    }

    /// Adds one, unless there are too many; whether it was added.
    #[inline(always)]
    fn push(&mut self, crossing: Crossing) -> bool {
        let Some(place) = self.all.get_mut(self.len) else {
            return false;
        };
        *place = crossing;
        self.waiting |= 1 << self.len;
        self.len += 1;
        true
    }

    /// Takes up the last one that waits: gives it, and the one that waits behind it.
    #[inline(always)]
    fn pop(&mut self) -> Option<(&Crossing, Option<&Crossing>)> {
        let last = self.waiting.checked_ilog2()?;
        self.waiting ^= 1 << last;
        let next = self.waiting.checked_ilog2();
        let next = next.and_then(|next| self.all.get(next as usize));
        Some((self.all.get(last as usize)?, next))
    }

    /// Whether the point at a fraction stays where it is in the local tree when it is rounded.
    #[inline(always)]
    fn is_clear(&self, fraction: f64, error: f64) -> bool {
        let crossings = self.all.get(..self.len).unwrap_or(&[]);
        let is_far =
            |crossing: &Crossing| ((fraction - crossing.at) * crossing.approach).abs() > error;
        !self.is_near && crossings.iter().all(is_far)
    }
}

/// A segment on its way.
#[derive(Clone, Copy)]
struct Segment {
    ends: [[f64; 3]; 2],
    /// Length along the longest axis, in units.
    longest: f64,
    /// A point of the segment is certainly on a side of a plane if it comes out farther from it than this,
    /// in units.
    error: f64,
    /// The distance that a trace is to keep from the plane that it hits, in units.
    skin: f64,
    /// The larger sum of absolute coordinates of the ends, in units.
    size: f64,
}

impl Segment {
    /// A segment; none if it is for the reference.
    #[inline(always)]
    fn new(ends: [[f64; 3]; 2], skin: f64) -> Option<Self> {
        let (size, other) = (size_of(&ends[0]), size_of(&ends[1]));
        // Not true for what is not finite either.
        let is_small = size + other < f64::from(MAX_SIZE);
        let size = if size > other { size } else { other };
        is_small.then(|| Self {
            ends,
            longest: longest_step(&ends),
            error: CERTAIN + ROUNDED_END * size,
            skin,
            size,
        })
    }

    #[inline(always)]
    fn point(&self, fraction: f64) -> [f64; 3] {
        point_at(&self.ends, fraction)
    }

    /// Signed distances of its ends in front of a plane, in units.
    #[inline(always)]
    fn distances(&self, normal: &[f64; 3], dist: f64) -> [f64; 2] {
        let [start, end] = &self.ends;
        [ahead(normal, dist, start), ahead(normal, dist, end)]
    }
}

/// A part of a segment: where it begins and ends, as fractions. They are apart: a pair is read at once, before both
/// are written.
struct Stretch {
    from: f64,
    to: f64,
}

/// The fast form of a hull in a model.
#[derive(Clone, Copy)]
pub(crate) struct Fast<'a> {
    blocks: Blocks<'a>,
    nodes: &'a [[u8; LocalRecord::SIZE]],
    twins: &'a [[u8; TwinRecord::SIZE]],
    planes: &'a [[u8; PlaneRecord::SIZE]],
}

impl<'a> Fast<'a> {
    /// The fast form of a hull of the file; none if the file has none.
    #[inline(always)]
    pub(crate) fn new(map: &View<'a>, model: usize, hull: HullId) -> Option<Self> {
        Some(Self {
            blocks: Blocks::new(map, model, hull)?,
            nodes: map.locals().all_bytes().as_chunks().0,
            twins: map.twins().all_bytes().as_chunks().0,
            planes: map.planes,
        })
    }

    #[inline(always)]
    fn node(&self, number: u32) -> Option<LocalRecord> {
        Some(LocalRecord::read(self.nodes.get(number as usize)?))
    }

    #[inline(always)]
    fn plane(&self, number: u32) -> Option<PlaneRecord> {
        Some(PlaneRecord::read(self.planes.get(number as usize)?))
    }

    /// Walks a segment, which is to keep a skin from what it hits.
    #[inline(always)]
    pub(crate) fn walk(&self, ends: [[f64; 3]; 2], skin: f64) -> Found {
        let Some(segment) = Segment::new(ends, skin) else {
            return Found::Unclear;
        };
        let Some(block) = self.blocks.block(self.blocks.place(&ends[0])) else {
            let (fast, segment) = (*self, segment);
            return fast.walk_from_outside(&segment);
        };
        if !block.reaches(self.blocks.place(&ends[1])) {
            // Copies, so that what is at hand here need not be in memory.
            let (fast, segment) = (*self, segment);
            return fast.walk_blocks(&segment, block, 0.0);
        }
        let whole = Stretch { from: 0.0, to: 1.0 };
        self.walk_stretch(&segment, block.root(), whole, &mut Crossings::new())
    }

    /// Walks a segment that starts outside of the grid.
    #[cold]
    #[inline(never)]
    fn walk_from_outside(&self, segment: &Segment) -> Found {
        if !self.blocks.outside(segment.size).is_empty() {
            return Found::Unclear;
        }
        let Some(from) = self.blocks.entry(&segment.ends, 0.0) else {
            return Found::Nothing;
        };
        let block = self.blocks.block(self.blocks.place(&segment.point(from)));
        block.map_or(Found::Unclear, |block| {
            self.walk_blocks(segment, block, from)
        })
    }

    /// Walks a segment from block to block, from a fraction on, before which it is empty.
    #[inline(never)]
    fn walk_blocks(&self, segment: &Segment, block: Block, mut from: f64) -> Found {
        let mut way = Way::new(&self.blocks, &segment.ends, block);
        let mut crossings = Crossings::new();
        for _ in 0..way.max_steps() {
            let exit = way.exit(from);
            let root = way.block.root();
            // Before the walk, so that its nodes and the next block are waited for together.
            let goes_on = way.go_on(&exit);
            if !root.is_empty() {
                let to = exit.end;
                match self.walk_stretch(segment, root, Stretch { from, to }, &mut crossings) {
                    Found::Nothing => {}
                    found => return found,
                }
            }
            if exit.at >= 1.0 {
                return Found::Nothing;
            }
            if !goes_on {
                return self.walk_out(segment, exit.at);
            }
            from = exit.at;
        }
        Found::Unclear
    }

    /// Walks the rest of a segment that leaves the grid at a fraction.
    #[cold]
    #[inline(never)]
    fn walk_out(&self, segment: &Segment, from: f64) -> Found {
        let is_empty = self.blocks.outside(segment.size).is_empty();
        if is_empty && self.blocks.entry(&segment.ends, from).is_none() {
            Found::Nothing
        } else {
            Found::Unclear
        }
    }

    /// Walks a stretch of a segment down a local tree.
    #[inline(always)]
    fn walk_stretch(
        &self,
        segment: &Segment,
        mut part: LocalChild,
        mut stretch: Stretch,
        crossings: &mut Crossings,
    ) -> Found {
        let (first, end) = (stretch.from, stretch.to);
        crossings.clear();
        let mut entered = None;
        loop {
            while !part.is_leaf() {
                match self.step(segment, part, &mut stretch, crossings) {
                    Some(child) => part = child,
                    None => return Found::Unclear,
                }
            }
            if part.is_solid() {
                let counts =
                    stretch.to == 1.0 || (stretch.to - stretch.from) * segment.longest > LONG;
                let entered = entered.filter(|_| counts);
                let entry =
                    entered.and_then(|crossing| self.enter(segment, &crossing, crossings, first));
                return entry.map_or(Found::Unclear, Found::Solid);
            }
            let Some((crossing, next)) = crossings.pop() else {
                return Found::Nothing;
            };
            stretch = Stretch {
                from: crossing.at,
                to: next.map_or(end, |next| next.at),
            };
            part = crossing.beyond;
            entered = Some(*crossing);
        }
    }

    /// Goes one node down. Where its plane divides the stretch, that becomes its near part. None if the
    /// reference decides.
    #[inline(always)]
    fn step(
        &self,
        segment: &Segment,
        part: LocalChild,
        stretch: &mut Stretch,
        crossings: &mut Crossings,
    ) -> Option<LocalChild> {
        let node = self.node(part.index())?;
        let [front, back] = node.children.map(LocalChild);
        let (normal, dist) = (exact_normal(node.normal), node.dist);
        let [d_start, d_end] = segment.distances(&normal, dist);
        let approach = d_start - d_end;
        let near = d_start - approach * stretch.from;
        let far = d_start - approach * stretch.to;
        if near > segment.error && far > segment.error {
            return Some(front);
        }
        if near < -segment.error && far < -segment.error {
            return Some(back);
        }
        let range = [stretch.from, stretch.to];
        let (at, child, beyond) = match split([d_start, d_end], segment.longest, range) {
            Split::Both(at, 0) => (at, front, back),
            Split::Both(at, _) => (at, back, front),
            Split::One(side) => {
                crossings.is_near = true;
                return Some(if side == 0 { front } else { back });
            }
            Split::Unclear => return None,
        };
        stretch.to = at;
        let crossing = Crossing {
            at,
            approach,
            node: part.index(),
            beyond,
        };
        crossings.push(crossing).then_some(child)
    }

    /// The entry into solid through a plane, of a stretch that began at a fraction; none if a twin is
    /// crossed there too.
    #[inline(always)]
    fn enter(
        &self,
        segment: &Segment,
        crossing: &Crossing,
        crossings: &Crossings,
        first: f64,
    ) -> Option<Entry> {
        let node = self.node(crossing.node)?;
        let number = match node.local_plane() {
            LocalPlane::Plane(number) => number,
            LocalPlane::List(first) => {
                let (fast, segment) = (*self, *segment);
                fast.first_of_list(&segment, first, crossing.at)?
            }
        };
        let (normal, is_ahead) = (exact_normal(node.normal), crossing.approach > 0.0);
        let wanted = (crossing.at - segment.skin / crossing.approach.abs()).max(0.0);
        Some(Entry {
            fraction: crossing.at,
            wanted,
            is_clear: wanted >= first && crossings.is_clear(wanted, segment.error),
            plane: turned(normal, node.dist, number, is_ahead),
        })
    }

    /// The first plane of a list, if none of the others, its twins, is crossed at a fraction.
    #[inline(never)]
    fn first_of_list(&self, segment: &Segment, first: u32, fraction: f64) -> Option<u32> {
        let (own, twins) = self.twins.get(first as usize..)?.split_first()?;
        for bytes in twins {
            let twin = TwinRecord::read(bytes);
            let plane = self.plane(twin.index())?;
            let distances = segment.distances(&unit_normal(&plane), plane.dist);
            match split(distances, segment.longest, [fraction; 2]) {
                Split::One(_) if twin.is_last() => return Some(TwinRecord::read(own).index()),
                Split::One(_) => {}
                Split::Both(..) | Split::Unclear => return None,
            }
        }
        None
    }

    /// What is outside of the grid at a point of this size, if that is known.
    #[cold]
    fn known_outside(&self, size: f64) -> Option<LocalChild> {
        let outside = self.blocks.outside(size);
        outside.is_leaf().then_some(outside)
    }

    /// Whether a point is solid; none if the reference decides.
    #[inline(always)]
    pub(crate) fn is_solid(&self, point: &[f64; 3]) -> Option<bool> {
        let size = size_of(point);
        // Not true for what is not finite either.
        let is_small = size < f64::from(MAX_SIZE);
        let block = self.blocks.block(self.blocks.place(point));
        let mut part = match block {
            Some(block) => block.root(),
            None => self.known_outside(size)?,
        };
        while !part.is_leaf() {
            let node = self.node(part.index())?;
            let ahead = ahead(&exact_normal(node.normal), node.dist, point);
            if ahead.abs() <= ON_PLANE {
                return None;
            }
            part = LocalChild(node.children[usize::from(ahead < 0.0)]);
        }
        is_small.then(|| part.is_solid())
    }
}

/// Signed distance of a point in front of a plane, in units: as [`distance`](crate::plane::distance), without a
/// branch for the axis, which makes no difference to the last bit.
#[inline(always)]
fn ahead(normal: &[f64; 3], dist: f64, point: &[f64; 3]) -> f64 {
    dot(normal, point) - dist
}

/// Sum of the absolute coordinates of a point.
#[inline(always)]
fn size_of(point: &[f64; 3]) -> f64 {
    point[0].abs() + point[1].abs() + point[2].abs()
}
