//! Traces: a segment in, where a hull may move to out, with the plane it meets.
//!
//! Two questions share one walk. [`Model::find_first_transition`] answers as Golodetz's listing 5
//! does; [`Model::trace`] answers as a game wants it: backed off from what was hit, and never
//! ending in solid if it did not start there.

use core::ops::ControlFlow;

use onion_format::KNOWN_HULLS;

use crate::map::{HullId, LeafId, Model, OnionMap, distance, unit_normal};
use crate::point::{in_domain, is_solid};
use crate::quick::{Found, Quick};
use crate::walk::{Part, Passage, Segment, parts, point_at, walk};

/// Distance that a trace keeps from the plane it hits, in units, unless told otherwise.
pub const DEFAULT_SKIN: f64 = 1.0 / 32.0;

/// How often a trace that rounding put into solid is shortened before it stays at its start.
pub(crate) const MAX_RETREATS: i32 = 12;

/// A plane that was met, turned against the motion: `dot(normal, p) - dist` is not negative at
/// the start of the segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane<T> {
    /// Unit normal.
    pub normal: [T; 3],
    /// Distance from the origin along the normal, in units.
    pub dist: f64,
    /// Number of the plane in the file, which has it facing one way or the other.
    pub number: u32,
}

/// Answer to a trace of points with coordinates of type `T`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trace<T> {
    /// Part of the segment that the hull can move, 0 to 1; 1 if nothing was hit, and 0 if the
    /// segment is all solid.
    pub fraction: f64,
    /// Part of the segment before the hull enters solid from empty, without back-off, 0 to 1; 1 if
    /// it never does.
    pub hit_fraction: f64,
    /// Where the hull can move to. If the start is not solid, neither is this.
    pub end_pos: [T; 3],
    /// The plane that was hit; none if nothing was hit or the segment is all solid.
    pub plane: Option<Plane<T>>,
    /// Whether the start is solid.
    pub start_solid: bool,
    /// Whether the whole segment is solid.
    pub all_solid: bool,
}

impl Trace<f32> {
    /// A trace that goes nowhere and meets nothing, to fill places for answers with.
    pub const EMPTY: Self = Self {
        fraction: 1.0,
        hit_fraction: 1.0,
        end_pos: [0.0; 3],
        plane: None,
        start_solid: false,
        all_solid: false,
    };
}

/// A place where a segment passes between empty and solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Part of the segment before the crossing, 0 to 1.
    pub fraction: f64,
    /// The point on the segment.
    pub point: [f64; 3],
    /// The plane that is crossed; none only where rounding left no plane to name.
    pub plane: Option<Plane<f64>>,
    /// The leaf before the crossing.
    pub from: Option<LeafId>,
    /// The leaf after the crossing.
    pub to: LeafId,
}

/// The first change of solidity along a segment (Golodetz, section 4, listing 5).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Transition {
    /// The whole segment is empty.
    Empty,
    /// The whole segment is solid, or is not finite.
    Solid,
    /// The segment starts in empty and enters solid.
    EnterSolid(Crossing),
    /// The segment starts in solid and leaves it.
    LeaveSolid(Crossing),
}

impl Model<'_> {
    /// Moves a hull from `start` towards `end`, keeping [`DEFAULT_SKIN`] from what it hits.
    /// Points are the origin of the hull's box, in units of the model's space.
    #[inline]
    pub fn trace(
        &self,
        hull: HullId,
        start: impl Into<[f32; 3]>,
        end: impl Into<[f32; 3]>,
    ) -> Trace<f32> {
        self.trace_with_skin(hull, start, end, DEFAULT_SKIN)
    }

    /// [`Model::trace`] that keeps `skin` units from the plane it hits; a skin that is negative or
    /// not a number counts as 0.
    pub fn trace_with_skin(
        &self,
        hull: HullId,
        start: impl Into<[f32; 3]>,
        end: impl Into<[f32; 3]>,
        skin: f64,
    ) -> Trace<f32> {
        trace_f32(&self.map, self.index, hull, start.into(), end.into(), skin)
    }

    /// [`Model::trace_with_skin`] in double precision.
    pub fn trace_f64(&self, hull: HullId, start: [f64; 3], end: [f64; 3], skin: f64) -> Trace<f64> {
        let tracer = Tracer::new(&self.map, self.index, hull, skin);
        tracer.trace(start, end)
    }

    /// [`Model::trace`] for several hulls along one segment, in one walk for those that share a tree; of
    /// as many as there are both hulls and places for answers. A hull may be named twice.
    pub fn trace_hulls(
        &self,
        hulls: &[HullId],
        start: impl Into<[f32; 3]>,
        end: impl Into<[f32; 3]>,
        traces: &mut [Trace<f32>],
    ) {
        let (start, end) = (start.into(), end.into());
        for group in 0..self.map.n_groups() {
            let of_group = self.map.hulls_of_group(group);
            let asked = hulls.iter().zip(traces.iter());
            let asked = asked.fold(0, |asked, (hull, _)| asked | hull.bit()) & of_group;
            let found = self.find_for(group, asked, &[start, end].map(widened));
            for (&hull, trace) in hulls.iter().zip(traces.iter_mut()) {
                if hull.bit() & of_group != 0 {
                    let tracer = Tracer::new(&self.map, self.index, hull, DEFAULT_SKIN);
                    let found = found.get(hull.index()).copied();
                    *trace = tracer.answer(found.unwrap_or(Found::Unclear), start, end);
                }
            }
        }
        for (&hull, trace) in hulls.iter().zip(traces) {
            if hull.index() >= self.map.hulls.len() {
                *trace = self.trace(hull, start, end);
            }
        }
    }

    /// What quick walks find along a segment for those of some hulls of a group that nodes know of.
    fn find_for(&self, group: usize, hulls: u64, ends: &[[f64; 3]; 2]) -> [Found; KNOWN_HULLS] {
        let known = hulls & ((1 << KNOWN_HULLS) - 1);
        let quick = Quick::new(&self.map, known).filter(|_| known != 0);
        let (Some(quick), Some(root)) = (quick, self.map.root(self.index, group)) else {
            return [Found::Unclear; KNOWN_HULLS];
        };
        let mut found = [Found::Nothing; KNOWN_HULLS];
        quick.walk(root, ends, |mut hulls, what| {
            while hulls != 0 {
                let hull = hulls.trailing_zeros() as usize;
                found[hull % KNOWN_HULLS] = what;
                hulls &= hulls - 1;
            }
        });
        found
    }

    /// First change of solidity for a hull along a segment; exact, without back-off.
    pub fn find_first_transition(
        &self,
        hull: HullId,
        start: impl Into<[f32; 3]>,
        end: impl Into<[f32; 3]>,
    ) -> Transition {
        self.find_first_transition_f64(hull, start.into().map(f64::from), end.into().map(f64::from))
    }

    /// [`Model::find_first_transition`] in double precision.
    pub fn find_first_transition_f64(
        &self,
        hull: HullId,
        start: [f64; 3],
        end: [f64; 3],
    ) -> Transition {
        let mut first = Transition::Solid;
        self.transitions(hull, start, end, |transition| {
            first = transition;
            ControlFlow::Break(())
        });
        first
    }

    /// All changes of solidity for a hull along a segment, in order, until told to stop; if there are
    /// none, once what all of it is. Exact, without back-off.
    pub fn transitions(
        &self,
        hull: HullId,
        start: [f64; 3],
        end: [f64; 3],
        mut on_transition: impl FnMut(Transition) -> ControlFlow<()>,
    ) {
        let ends = [start, end];
        let mut whole = Some(Transition::Solid);
        if ends.iter().all(in_domain) {
            let root = self.map.root_of(self.index, hull);
            let segment = Segment::new(ends);
            parts(&self.map, root, hull.bit(), &segment, |part, from| {
                let (passage, change): (_, fn(Crossing) -> Transition) = match part {
                    Part::Empty(passage) if passage.fraction == 0.0 => {
                        whole = Some(Transition::Empty);
                        return ControlFlow::Continue(());
                    }
                    Part::Empty(passage) => (passage, Transition::LeaveSolid),
                    Part::Solid(passage) => (passage, Transition::EnterSolid),
                };
                whole = None;
                on_transition(change(self.crossing(&ends, passage, from)))
            });
        }
        if let Some(whole) = whole {
            // There is nothing to stop any more.
            let _ = on_transition(whole);
        }
    }

    /// Part of a segment that a hull has to move to leave the solid it starts in, 0 to 1: 0 if it does not
    /// start in solid, 1 if it never leaves it (Source's `fractionleftsolid`).
    pub fn fraction_left_solid(&self, hull: HullId, start: [f64; 3], end: [f64; 3]) -> f64 {
        match self.find_first_transition_f64(hull, start, end) {
            Transition::Empty | Transition::EnterSolid(_) => 0.0,
            Transition::LeaveSolid(crossing) => crossing.fraction,
            Transition::Solid => 1.0,
        }
    }

    fn crossing(&self, ends: &[[f64; 3]; 2], to: Passage, from: Option<LeafId>) -> Crossing {
        let plane = to.plane.map(|at| facing(&self.map, at.plane, ends).0);
        Crossing {
            fraction: to.fraction,
            point: point_at(ends, to.fraction),
            plane,
            from,
            to: to.leaf,
        }
    }
}

/// [`Model::trace`] in a model.
#[inline]
pub(crate) fn trace_f32(
    map: &OnionMap<'_>,
    model: usize,
    hull: HullId,
    start: [f32; 3],
    end: [f32; 3],
    skin: f64,
) -> Trace<f32> {
    let tracer = Tracer::new(map, model, hull, skin);
    tracer.trace(start, end)
}

/// How to trace: a hull in a model.
struct Tracer<'a> {
    map: &'a OnionMap<'a>,
    model: usize,
    hull: HullId,
    skin: f64,
}

impl<'a> Tracer<'a> {
    #[inline(always)]
    fn new(map: &'a OnionMap<'a>, model: usize, hull: HullId, skin: f64) -> Self {
        Self {
            map,
            model,
            hull,
            skin,
        }
    }

    #[inline(always)]
    fn trace<T: Coordinate>(&self, start: [T; 3], end: [T; 3]) -> Trace<T> {
        let mut found = Found::Unclear;
        if let Some(quick) = Quick::new(self.map, self.hull.bit()) {
            found = Found::Nothing;
            let root = self.map.root_of(self.model, self.hull);
            let ends = [widened(start), widened(end)];
            quick.walk(root, &ends, |_, what| found = what);
        }
        self.answer(found, start, end)
    }

    /// The answer when a quick walk found this.
    #[inline(always)]
    fn answer<T: Coordinate>(&self, found: Found, start: [T; 3], end: [T; 3]) -> Trace<T> {
        match found {
            Found::Nothing => all_empty(end),
            Found::Solid(hit) => {
                let ends = [widened(start), widened(end)];
                let plane = facing(self.map, hit.plane, &ends);
                let wanted = (hit.fraction - back_off(Some(&plane), self.skin)).max(0.0);
                let is_solid = |point: [f64; 3]| {
                    let quick = Quick::new(self.map, self.hull.bit());
                    let solid = quick.and_then(|quick| quick.solidity(hit.common, &point));
                    solid.map_or_else(|| self.is_solid(point), |solid| solid != 0)
                };
                let end = retreat(start, &ends, wanted, is_solid);
                stopped(hit.fraction, Some(plane), end, false)
            }
            Found::Unclear => self.trace_by_reference(start, end),
        }
    }

    /// The trace that decides every case, whatever is touched on the way.
    #[cold]
    #[inline(never)]
    fn trace_by_reference<T: Coordinate>(&self, start: [T; 3], end: [T; 3]) -> Trace<T> {
        let ends = [widened(start), widened(end)];
        if !ends.iter().all(in_domain) {
            return all_solid(start);
        }
        let root = self.map.root_of(self.model, self.hull);
        let found = walk(self.map, root, self.hull.bit(), &Segment::new(ends));
        let Some(empty) = found.empty else {
            return all_solid(start);
        };
        let start_solid = empty.fraction > 0.0;
        let Some(solid) = found.solid else {
            return Trace {
                start_solid,
                ..all_empty(end)
            };
        };
        let plane = solid.plane.map(|at| facing(self.map, at.plane, &ends));
        let wanted = (solid.fraction - back_off(plane.as_ref(), self.skin)).max(empty.fraction);
        let end = if start_solid {
            (wanted, point_at(&ends, wanted).map(T::narrow))
        } else {
            retreat(start, &ends, wanted, |point| self.is_solid(point))
        };
        stopped(solid.fraction, plane, end, start_solid)
    }

    #[inline(never)]
    fn is_solid(&self, point: [f64; 3]) -> bool {
        is_solid(self.map, self.model, self.hull, point)
    }
}

/// A plane turned against the motion, and how fast the segment approaches it: units of
/// distance from start to end.
#[inline(always)]
fn facing(map: &OnionMap<'_>, number: u32, segment: &[[f64; 3]; 2]) -> (Plane<f64>, f64) {
    let record = map.plane(number);
    let d_start = distance(&record, &segment[0]);
    let d_end = distance(&record, &segment[1]);
    let (normal, dist) = (unit_normal(&record), record.dist);
    if d_start >= d_end {
        let plane = Plane {
            normal,
            dist,
            number,
        };
        (plane, d_start - d_end)
    } else {
        let normal = normal.map(|component| 0.0 - component);
        (
            Plane {
                normal,
                dist: 0.0 - dist,
                number,
            },
            d_end - d_start,
        )
    }
}

/// The answer for a segment that is all solid, or that cannot be asked about.
fn all_solid<T: Coordinate>(start: [T; 3]) -> Trace<T> {
    Trace {
        fraction: 0.0,
        hit_fraction: 1.0,
        end_pos: start,
        plane: None,
        start_solid: true,
        all_solid: true,
    }
}

/// The answer for a segment that enters no solid.
#[inline(always)]
fn all_empty<T: Coordinate>(end: [T; 3]) -> Trace<T> {
    Trace {
        fraction: 1.0,
        hit_fraction: 1.0,
        end_pos: end,
        plane: None,
        start_solid: false,
        all_solid: false,
    }
}

/// The answer for a segment that enters solid, with how fast it approaches the plane that it meets.
#[inline(always)]
fn stopped<T: Coordinate>(
    hit_fraction: f64,
    plane: Option<(Plane<f64>, f64)>,
    (fraction, end_pos): (f64, [T; 3]),
    start_solid: bool,
) -> Trace<T> {
    Trace {
        fraction,
        hit_fraction,
        end_pos,
        plane: plane.map(|(plane, _)| Plane {
            normal: plane.normal.map(T::narrow),
            dist: plane.dist,
            number: plane.number,
        }),
        start_solid,
        all_solid: false,
    }
}

/// The part of a segment that keeps it `skin` units in front of a plane.
#[inline(always)]
fn back_off(plane: Option<&(Plane<f64>, f64)>, skin: f64) -> f64 {
    plane.map_or(0.0, |(_, approach)| skin.max(0.0) / approach)
}

/// The end of a trace at `wanted` or, where rounding to `T` would put it into solid, nearer to
/// the start, which is not solid: every try doubles the retreat, the last one goes all the way.
#[inline(always)]
pub(crate) fn retreat<T: Coordinate>(
    start: [T; 3],
    segment: &[[f64; 3]; 2],
    wanted: f64,
    is_solid: impl Fn([f64; 3]) -> bool,
) -> (f64, [T; 3]) {
    let mut fraction = wanted;
    for retreats in 1..=MAX_RETREATS {
        if fraction <= 0.0 {
            break;
        }
        let [x, y, z] = point_at(segment, fraction);
        let point = [T::narrow(x), T::narrow(y), T::narrow(z)];
        if !is_solid(widened(point)) {
            return (fraction, point);
        }
        fraction = wanted - wanted * f64::from(1 << retreats) / f64::from(1 << MAX_RETREATS);
    }
    (0.0, start)
}

#[inline(always)]
pub(crate) fn widened<T: Coordinate>([x, y, z]: [T; 3]) -> [f64; 3] {
    [x.widen(), y.widen(), z.widen()]
}

/// A coordinate of a query: `f32` or `f64`, and no other.
pub trait Coordinate: Copy + sealed::Sealed {
    /// The same number in double precision.
    fn widen(self) -> f64;
    /// The nearest number of this type.
    fn narrow(wide: f64) -> Self;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}

impl Coordinate for f32 {
    #[inline(always)]
    fn widen(self) -> f64 {
        f64::from(self)
    }
    #[inline(always)]
    fn narrow(wide: f64) -> Self {
        wide as Self
    }
}

impl Coordinate for f64 {
    #[inline(always)]
    fn widen(self) -> f64 {
        self
    }
    #[inline(always)]
    fn narrow(wide: f64) -> Self {
        wide
    }
}
