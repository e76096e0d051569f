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
//! In a block the walk is that of [`crate::quick`]: f32 with a bound on the error, f64 from the original ends
//! for planes on the way, and the reference where crossings coincide. A plane of the tree that was left out of a
//! block may nearly coincide with one that stayed. The node names such planes, its twins, and where one of them is
//! crossed together with the entry, the tree names the plane.
//!
//! One case is not proven: a plane that was left out, at a larger angle, that the segment crosses within
//! `GRAZE` of its entry. The reference counts both as touched; it is expected to name the plane with a face
//! there, as this walk does, and the long test of the fast form (some 10^8 traces) found no other answer.

use onion_format::{LocalChild, LocalRecord, PlaneRecord, Record, TwinRecord};

use crate::blocks::{Block, Blocks, Way};
use crate::filter::{self, Split, point_error, rounded, segment_error, split};
use crate::hull::HullId;
use crate::plane::distance;
use crate::segment::{longest_step, point_at};
use crate::stack::Stack;
use crate::tolerance::{LONG, ON_PLANE};
use crate::view::View;

/// Sides of planes that can wait at once; few stretches have four.
const MAX_SIDES: usize = 8;

/// What a fast walk found.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Found {
    /// The whole segment is empty.
    Nothing,
    /// The segment starts in empty and enters solid at a fraction, through the plane of a number.
    Solid(f64, u32),
    /// Ask the reference.
    Unclear,
}

/// The far side of a plane that divides a stretch: where it begins on the segment, what it is, and its node.
/// It ends where the next side that waits begins.
#[derive(Clone, Copy, Default)]
struct Waiting {
    from: f64,
    part: LocalChild,
    node: LocalChild,
}

/// A segment on its way.
struct Segment<'a> {
    ends: &'a [[f64; 3]; 2],
    /// The ends, rounded.
    start: [f32; 3],
    end: [f32; 3],
    /// Length along the longest axis, in units.
    longest: f64,
    /// Bound on the error of signed distances in f32, in units; see [`crate::filter`].
    error: f32,
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
    fn node(&self, part: LocalChild) -> Option<LocalRecord> {
        Some(LocalRecord::read(self.nodes.get(part.index() as usize)?))
    }

    #[inline(always)]
    fn plane(&self, number: u32) -> Option<PlaneRecord> {
        Some(PlaneRecord::read(self.planes.get(number as usize)?))
    }

    /// Walks a segment.
    #[inline(always)]
    pub(crate) fn walk(&self, ends: &[[f64; 3]; 2]) -> Found {
        let Some(segment) = Segment::new(ends) else {
            return Found::Unclear;
        };
        let Some(block) = self.blocks.holding(&segment.start) else {
            return Found::Unclear;
        };
        if self.blocks.reaches(&block, &segment.end) {
            let whole = Stretch {
                from: 0.0,
                to: 1.0,
                near: segment.start,
                far: segment.end,
            };
            return self.walk_stretch(&segment, block.root, whole);
        }
        self.walk_blocks(&segment, block)
    }

    /// Walks a segment from block to block.
    fn walk_blocks(&self, segment: &Segment<'_>, block: Block) -> Found {
        let mut way = Way::new(&self.blocks, segment.ends, block);
        let (mut from, mut near) = (0.0, segment.start);
        for _ in 0..way.max_steps() {
            if !way.block.root.is_empty() {
                let to = way.end();
                let far = if to < 1.0 {
                    segment.point(to)
                } else {
                    segment.end
                };
                let stretch = Stretch {
                    from,
                    to,
                    near,
                    far,
                };
                match self.walk_stretch(segment, way.block.root, stretch) {
                    Found::Nothing => {}
                    found => return found,
                }
            }
            if way.exit() >= 1.0 {
                return Found::Nothing;
            }
            from = way.exit().max(from);
            near = segment.point(from);
            if !way.go_on(&near) {
                break;
            }
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
        let mut places = [Waiting::default(); MAX_SIDES];
        let mut waiting = Stack::on(&mut places);
        let end = stretch.to;
        let mut entered = None;
        loop {
            while !part.is_leaf() {
                match self.step(segment, part, &mut stretch) {
                    Step::Into(child) => part = child,
                    Step::Both(child, side) if waiting.push(side) => part = child,
                    Step::Both(..) | Step::Unclear => return Found::Unclear,
                }
            }
            if part.is_solid() {
                let counts =
                    stretch.to == 1.0 || (stretch.to - stretch.from) * segment.longest > LONG;
                let entered = entered.filter(|_| counts);
                let entry = entered.and_then(|node| self.entry(segment, node, stretch.from));
                return entry.unwrap_or(Found::Unclear);
            }
            let Some(next) = waiting.pop() else {
                return Found::Nothing;
            };
            let to = waiting.last().map_or(end, |beyond| beyond.from);
            stretch = segment.stretch(next.from, to);
            entered = Some(next.node);
            part = next.part;
        }
    }

    /// Goes one node down. Where its plane divides the stretch, that becomes its near part.
    #[inline(always)]
    fn step(&self, segment: &Segment<'_>, part: LocalChild, stretch: &mut Stretch) -> Step {
        let Some(node) = self.node(part) else {
            return Step::Unclear;
        };
        let [near, far] = [ahead(&node, &stretch.near), ahead(&node, &stretch.far)];
        if near > segment.error && far > segment.error {
            return Step::Into(LocalChild(node.children[0]));
        }
        if near < -segment.error && far < -segment.error {
            return Step::Into(LocalChild(node.children[1]));
        }
        let Some(plane) = self.plane(node.plane) else {
            return Step::Unclear;
        };
        match split(
            &plane,
            segment.ends,
            segment.longest,
            [stretch.from, stretch.to],
        ) {
            Split::One(side) => Step::Into(LocalChild(node.children[side])),
            Split::Both(fraction, side) => {
                stretch.to = fraction;
                stretch.far = segment.point(fraction);
                let beyond = Waiting {
                    from: fraction,
                    part: LocalChild(node.children[side ^ 1]),
                    node: part,
                };
                Step::Both(LocalChild(node.children[side]), beyond)
            }
            Split::Unclear => Step::Unclear,
        }
    }

    /// The entry into solid through the plane of a node at a fraction; none if a twin is crossed there too.
    #[inline(always)]
    fn entry(&self, segment: &Segment<'_>, node: LocalChild, fraction: f64) -> Option<Found> {
        let node = self.node(node)?;
        if node.twins != LocalRecord::NO_TWINS {
            self.has_no_twin_at(segment, node.twins, fraction)?;
        }
        Some(Found::Solid(fraction, node.plane))
    }

    /// Something if none of some twins is crossed at a fraction.
    #[inline(never)]
    fn has_no_twin_at(&self, segment: &Segment<'_>, first: u32, fraction: f64) -> Option<()> {
        for bytes in self.twins.get(first as usize..)? {
            let twin = TwinRecord::read(bytes);
            let plane = self.plane(twin.index())?;
            match split(&plane, segment.ends, segment.longest, [fraction; 2]) {
                Split::One(_) if twin.is_last() => return Some(()),
                Split::One(_) => {}
                Split::Both(..) | Split::Unclear => return None,
            }
        }
        None
    }

    /// Whether a point is solid; none if the reference decides.
    #[inline(always)]
    pub(crate) fn is_solid(&self, point: &[f64; 3]) -> Option<bool> {
        let rounded = rounded(point);
        let error = point_error(&rounded);
        let mut part = self.blocks.holding(&rounded)?.root;
        while !part.is_leaf() {
            let node = self.node(part)?;
            let ahead = ahead(&node, &rounded);
            let side = if ahead > error {
                0
            } else if ahead < -error {
                1
            } else {
                let dist = distance(&self.plane(node.plane)?, point);
                if dist.abs() <= ON_PLANE {
                    return None;
                }
                usize::from(dist < 0.0)
            };
            part = LocalChild(node.children[side]);
        }
        Some(part.is_solid())
    }
}

/// A step down a local tree.
enum Step {
    /// All of the stretch is in a child.
    Into(LocalChild),
    /// Its near part is in a child, and the rest beyond the plane.
    Both(LocalChild, Waiting),
    /// The reference decides.
    Unclear,
}

/// A part of a segment: where it begins and ends, as fractions, and these points, rounded.
#[derive(Clone, Copy)]
struct Stretch {
    from: f64,
    to: f64,
    near: [f32; 3],
    far: [f32; 3],
}

impl<'a> Segment<'a> {
    /// A segment; none if it is for the reference.
    #[inline(always)]
    fn new(ends: &'a [[f64; 3]; 2]) -> Option<Self> {
        let [start, end] = [rounded(&ends[0]), rounded(&ends[1])];
        Some(Self {
            ends,
            start,
            end,
            longest: longest_step(ends),
            error: segment_error(&start, &end)?,
        })
    }

    #[inline(always)]
    fn point(&self, fraction: f64) -> [f32; 3] {
        rounded(&point_at(self.ends, fraction))
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

/// Signed distance of a point in front of a node's plane, in units.
#[inline(always)]
fn ahead(node: &LocalRecord, point: &[f32; 3]) -> f32 {
    filter::ahead(node.normal, node.dist, point)
}
