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
//! Planes stand in the nodes as the trees have them, and all is computed in f64. A stretch whose ends are both
//! farther from a plane than `Segment::error` is on one side of it: that is far above `ON_PLANE`, what rounds off
//! in a crossing, and `GRAZE` times the root of three. Any other plane is settled as the reference does it, from
//! the original ends, and where crossings coincide, the reference decides. Where a plane of the tree that was
//! left out of a block nearly coincides with one that stayed, the node says so, and the tree names the entry.
//!
//! # Why the end of a trace needs no query
//!
//! A trace ends a little before its entry, rounded to the type of its coordinates: so by `2^-24 P` at most along
//! any normal, where `P` is the larger sum of absolute coordinates of the two ends. The end lies in a stretch
//! that was found empty. Planes that this stretch was certainly on one side of are farther from all of it than
//! three times as much ([`Segment::error`] has the sum), and if the planes that it crosses are at the end too,
//! the rounded end is in the same part of the local tree. Then it is empty, and so are all places within
//! `ON_PLANE`. If one is nearer, or a plane was settled to be on one side, the end is asked about.
//!
//! # What is not proven
//!
//! A plane that was left out, at a larger angle, that the segment crosses within `GRAZE` of its entry. The
//! reference counts both as touched; it is expected to name the plane with a face there, as this walk does, and
//! the long test of the fast form (some 10^8 traces) found no other answer.
//!
//! # Measured
//!
//! A walk sees two or three nodes (five where there are many curves), so what surrounds the tree counts. Against
//! nodes in f32 with planes read apart, and a query for each end, walks are 1.16 to 1.19 times as fast, moves 1.04
//! to 1.16, shots 1.2 to 1.3 and points 1.2. Of that, 5 ns a trace are a processor's wait for an array of both
//! ends that was put together just before (so `trace.rs` keeps them apart), and a tenth of a long shot is
//! the next block's record, now read before the block at hand is walked. What is left of a shot on an open map
//! is half waiting for memory: for records of blocks, and for their first nodes.

use onion_format::{LocalChild, LocalPlane, LocalRecord, Record};

use crate::blocks::{Block, Blocks, Way};
use crate::filter::{Split, split};
use crate::hull::HullId;
use crate::plane::{Plane, exact_normal, turned};
use crate::segment::{longest_step, point_at};
use crate::tolerance::{CERTAIN, LONG, ON_PLANE, ROUNDED_END};
use crate::vector::dot;
use crate::view::View;

/// Planes that a stretch may cross; few cross four. A power of two.
const MAX_CROSSINGS: usize = 8;

/// Ends whose absolute coordinates add up to this or more are for the reference.
const MAX_SIZE: f64 = (1u32 << 30) as f64;

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
        let distance = |crossing: &Crossing| (fraction - crossing.at) * crossing.approach;
        !self.is_near
            && crossings
                .iter()
                .all(|crossing| distance(crossing).abs() > error)
    }
}

/// A segment on its way.
struct Segment<'a> {
    ends: &'a [[f64; 3]; 2],
    /// Length along the longest axis, in units.
    longest: f64,
    /// A point of the segment is certainly on a side of a plane if it comes out farther from it than this,
    /// in units.
    error: f64,
    /// The distance that a trace is to keep from the plane that it hits, in units.
    skin: f64,
}

impl<'a> Segment<'a> {
    /// A segment; none if it is for the reference.
    #[inline(always)]
    fn new(ends: &'a [[f64; 3]; 2], skin: f64) -> Option<Self> {
        let [start, end] = ends.each_ref().map(size_of);
        // Not true for what is not finite either.
        (start + end < MAX_SIZE).then(|| Self {
            ends,
            longest: longest_step(ends),
            error: CERTAIN + ROUNDED_END * if start > end { start } else { end },
            skin,
        })
    }

    #[inline(always)]
    fn point(&self, fraction: f64) -> [f64; 3] {
        point_at(self.ends, fraction)
    }

    #[inline(always)]
    fn stretch(&self, from: f64, to: f64) -> Stretch {
        Stretch {
            from,
            to,
            near: self.point(from),
            far: self.point(to),
        }
    }
}

/// A part of a segment: where it begins and ends, as fractions, and these points.
struct Stretch {
    from: f64,
    to: f64,
    near: [f64; 3],
    far: [f64; 3],
}

/// The fast form of a hull in a model.
#[derive(Clone, Copy)]
pub(crate) struct Fast<'a> {
    blocks: Blocks<'a>,
    nodes: &'a [[u8; LocalRecord::SIZE]],
}

impl<'a> Fast<'a> {
    /// The fast form of a hull of the file; none if the file has none.
    #[inline(always)]
    pub(crate) fn new(map: &View<'a>, model: usize, hull: HullId) -> Option<Self> {
        Some(Self {
            blocks: Blocks::new(map, model, hull)?,
            nodes: map.locals().all_bytes().as_chunks().0,
        })
    }

    #[inline(always)]
    fn node(&self, number: u32) -> Option<LocalRecord> {
        Some(LocalRecord::read(self.nodes.get(number as usize)?))
    }

    /// Walks a segment, which is to keep a skin from what it hits.
    #[inline(always)]
    pub(crate) fn walk(&self, ends: &[[f64; 3]; 2], skin: f64) -> Found {
        let Some(segment) = Segment::new(ends, skin) else {
            return Found::Unclear;
        };
        let Some(block) = self.blocks.block(self.blocks.place(&ends[0])) else {
            return Found::Unclear;
        };
        if !block.holds(self.blocks.place(&ends[1])) {
            return self.walk_blocks(&segment, block);
        }
        let whole = Stretch {
            from: 0.0,
            to: 1.0,
            near: ends[0],
            far: ends[1],
        };
        self.walk_stretch(&segment, block.root, whole)
    }

    /// Walks a segment from block to block.
    #[inline(never)]
    fn walk_blocks(&self, segment: &Segment<'_>, block: Block) -> Found {
        let mut way = Way::new(&self.blocks, segment.ends, block);
        let mut from = 0.0;
        for _ in 0..way.max_steps() {
            let exit = way.exit(from);
            let root = way.block.root;
            // Before the walk, so that its nodes and the next block are waited for together.
            let goes_on = way.go_on(&exit);
            if !root.is_empty() {
                let stretch = segment.stretch(from, exit.end);
                match self.walk_stretch(segment, root, stretch) {
                    Found::Nothing => {}
                    found => return found,
                }
            }
            if exit.at >= 1.0 {
                return Found::Nothing;
            }
            if !goes_on {
                break;
            }
            from = exit.at;
        }
        // It leaves the grid.
        Found::Unclear
    }

    /// Walks a stretch of a segment down a local tree.
    #[inline(always)]
    fn walk_stretch(
        &self,
        segment: &Segment<'_>,
        mut part: LocalChild,
        mut stretch: Stretch,
    ) -> Found {
        let (first, end) = (stretch.from, stretch.to);
        let mut crossings = Crossings::new();
        let mut entered = None;
        loop {
            while !part.is_leaf() {
                match self.step(segment, part, &mut stretch, &mut crossings) {
                    Some(child) => part = child,
                    None => return Found::Unclear,
                }
            }
            if part.is_solid() {
                let counts =
                    stretch.to == 1.0 || (stretch.to - stretch.from) * segment.longest > LONG;
                return match entered {
                    Some(crossing) if counts => self.enter(segment, &crossing, &crossings, first),
                    _ => Found::Unclear,
                };
            }
            let Some((crossing, next)) = crossings.pop() else {
                return Found::Nothing;
            };
            stretch = segment.stretch(crossing.at, next.map_or(end, |next| next.at));
            part = crossing.beyond;
            entered = Some(*crossing);
        }
    }

    /// Goes one node down. Where its plane divides the stretch, that becomes its near part. None if the
    /// reference decides.
    #[inline(always)]
    fn step(
        &self,
        segment: &Segment<'_>,
        part: LocalChild,
        stretch: &mut Stretch,
        crossings: &mut Crossings,
    ) -> Option<LocalChild> {
        let node = self.node(part.index())?;
        let normal = exact_normal(node.normal);
        let [front, back] = node.children.map(LocalChild);
        let ahead = |point: &[f64; 3]| dot(&normal, point) - node.dist;
        let [near, far] = [ahead(&stretch.near), ahead(&stretch.far)];
        if near > segment.error && far > segment.error {
            return Some(front);
        }
        if near < -segment.error && far < -segment.error {
            return Some(back);
        }
        let [d_start, d_end] = segment.ends.each_ref().map(ahead);
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
        stretch.far = segment.point(at);
        let crossing = Crossing {
            at,
            approach: d_start - d_end,
            node: part.index(),
            beyond,
        };
        crossings.push(crossing).then_some(child)
    }

    /// The entry into solid through a plane, of a stretch that began at a fraction.
    #[inline(always)]
    fn enter(
        &self,
        segment: &Segment<'_>,
        crossing: &Crossing,
        crossings: &Crossings,
        first: f64,
    ) -> Found {
        let Some(node) = self.node(crossing.node) else {
            return Found::Unclear;
        };
        let plane = LocalPlane(node.plane);
        // Of two planes that nearly coincide, the reference says which one is entered.
        if plane.has_twin() {
            return Found::Unclear;
        }
        let wanted = (crossing.at - segment.skin / crossing.approach.abs()).max(0.0);
        Found::Solid(Entry {
            fraction: crossing.at,
            wanted,
            is_clear: wanted >= first && crossings.is_clear(wanted, segment.error),
            plane: turned(
                exact_normal(node.normal),
                node.dist,
                plane.index(),
                crossing.approach > 0.0,
            ),
        })
    }

    /// Whether a point is solid; none if the reference decides.
    #[inline(always)]
    pub(crate) fn is_solid(&self, point: &[f64; 3]) -> Option<bool> {
        // Not true for what is not finite either.
        let is_small = size_of(point) < MAX_SIZE;
        let block = self.blocks.block(self.blocks.place(point))?;
        let mut part = block.root;
        while !part.is_leaf() {
            let node = self.node(part.index())?;
            let ahead = dot(&exact_normal(node.normal), point) - node.dist;
            part = LocalChild(if ahead > ON_PLANE {
                node.children[0]
            } else if ahead < -ON_PLANE {
                node.children[1]
            } else {
                return None;
            });
        }
        is_small.then(|| part.is_solid())
    }
}

/// Sum of the absolute coordinates of a point.
#[inline(always)]
fn size_of(point: &[f64; 3]) -> f64 {
    point[0].abs() + point[1].abs() + point[2].abs()
}
