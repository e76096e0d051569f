//! A stretch of a segment goes down a local tree: node by node to the near side of each plane that divides it, and
//! back up to what lies beyond, until it enters solid or all of it is empty.

use onion_format::{LocalChild, LocalPlane, Record, TwinRecord};

use super::crossings::{Crossing, Crossings};
use super::segment::Segment;
use super::trees::Trees;
use crate::filter::{Split, split};
use crate::plane::{Plane, exact_normal, turned};
use crate::tolerance::LONG;

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

impl Entry {
    /// Whether it is known where a trace ends that stops here.
    #[inline(always)]
    pub(crate) fn is_settled(&self) -> bool {
        self.is_clear || self.wanted <= 0.0
    }
}

/// A part of a segment: where it begins and ends, as fractions. They are apart: a pair is read at once, before both
/// are written.
pub(super) struct Stretch {
    pub(super) from: f64,
    pub(super) to: f64,
}

impl Trees<'_> {
    /// Walks a stretch of a segment down a local tree.
    #[inline(always)]
    pub(super) fn walk(
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
        let [front, back] = node.children;
        let [d_start, d_end] = segment.distances(node.normal, node.dist);
        let approach = d_start - d_end;
        let near = d_start - approach * stretch.from;
        let far = d_start - approach * stretch.to;
        if near > segment.error && far > segment.error {
            return self.child(part, front);
        }
        if near < -segment.error && far < -segment.error {
            return self.child(part, back);
        }
        let range = [stretch.from, stretch.to];
        let (at, child, beyond) = match split([d_start, d_end], segment.longest, range) {
            Split::Both(at, 0) => (at, front, back),
            Split::Both(at, _) => (at, back, front),
            Split::One(side) => {
                crossings.is_near = true;
                return self.child(part, if side == 0 { front } else { back });
            }
            Split::Unclear => return None,
        };
        stretch.to = at;
        let crossing = Crossing {
            at,
            approach,
            node: part.index(),
            beyond: self.child(part, beyond)?,
        };
        let child = self.child(part, child)?;
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
                let segment = *segment;
                self.first_of_list(&segment, first, crossing.at)?
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
        let (own, twins) = self.twins_from(first)?.split_first()?;
        for bytes in twins {
            let twin = TwinRecord::read(bytes);
            let plane = self.plane(twin.index())?;
            let distances = segment.distances(plane.normal, plane.dist);
            match split(distances, segment.longest, [fraction; 2]) {
                Split::One(_) if twin.is_last() => return Some(TwinRecord::read(own).index()),
                Split::One(_) => {}
                Split::Both(..) | Split::Unclear => return None,
            }
        }
        None
    }
}
