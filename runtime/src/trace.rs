//! Traces: a segment in, where a hull may move to out, with the plane it meets.
//!
//! Two questions share one walk. [`Model::find_first_transition`] answers as Golodetz's listing 5
//! does; [`Model::trace`] answers as a game wants it: backed off from what was hit, and never
//! ending in solid if it did not start there.

use crate::map::{HullId, LeafId, Model, distance, unit_normal};
use crate::point::in_domain;
use crate::walk::{Passage, Segment, Stop, point_at, walk};

/// Distance that a trace keeps from the plane it hits, in units, unless told otherwise.
pub const DEFAULT_SKIN: f64 = 1.0 / 32.0;

/// How often a trace that rounding put into solid is shortened before it stays at its start.
const MAX_RETREATS: i32 = 12;

/// A plane that was met, turned against the motion: `dot(normal, p) - dist` is not negative at
/// the start of the segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane<T> {
    /// Unit normal.
    pub normal: [T; 3],
    /// Distance from the origin along the normal, in units.
    pub dist: f64,
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
        self.trace_between(hull, [start.into(), end.into()], skin)
    }

    /// [`Model::trace_with_skin`] in double precision.
    pub fn trace_f64(&self, hull: HullId, start: [f64; 3], end: [f64; 3], skin: f64) -> Trace<f64> {
        self.trace_between(hull, [start, end], skin)
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
        let segment = [start, end];
        if !segment.iter().all(in_domain) {
            return Transition::Solid;
        }
        let found = walk(
            &self.map,
            self.root(hull),
            hull.bit(),
            Stop::Leaf,
            &Segment::new(segment),
        );
        let crossing = |passage: Passage, from| Crossing {
            fraction: passage.fraction,
            point: point_at(&segment, passage.fraction),
            plane: passage.plane.map(|at| self.facing(at.plane, &segment).0),
            from,
            to: passage.leaf,
        };
        match (found.empty, found.solid) {
            (None, _) => Transition::Solid,
            (Some(empty), _) if empty.fraction > 0.0 => {
                Transition::LeaveSolid(crossing(empty, found.first))
            }
            (Some(_), Some(solid)) => Transition::EnterSolid(crossing(solid, found.last_empty)),
            (Some(_), None) => Transition::Empty,
        }
    }

    /// How far down traces of a hull go: in a tree of its own, nodes have nothing to say about it.
    fn stop(&self, hull: HullId) -> Stop {
        if self.map.shares_tree(hull) {
            Stop::Resolved
        } else {
            Stop::Leaf
        }
    }

    fn trace_between<T: Coordinate>(
        &self,
        hull: HullId,
        [start, end]: [[T; 3]; 2],
        skin: f64,
    ) -> Trace<T> {
        let segment = [start.map(T::widen), end.map(T::widen)];
        let all_solid = Trace {
            fraction: 0.0,
            hit_fraction: 1.0,
            end_pos: start,
            plane: None,
            start_solid: true,
            all_solid: true,
        };
        if !segment.iter().all(in_domain) {
            return all_solid;
        }
        let found = walk(
            &self.map,
            self.root(hull),
            hull.bit(),
            self.stop(hull),
            &Segment::new(segment),
        );
        let Some(empty) = found.empty else {
            return all_solid;
        };
        let start_solid = empty.fraction > 0.0;
        let Some(solid) = found.solid else {
            return Trace {
                fraction: 1.0,
                hit_fraction: 1.0,
                end_pos: end,
                plane: None,
                start_solid,
                all_solid: false,
            };
        };

        let plane = solid.plane.map(|at| self.facing(at.plane, &segment));
        let back_off = plane.map_or(0.0, |(_, approach)| skin.max(0.0) / approach);
        let wanted = (solid.fraction - back_off).max(empty.fraction);
        let (fraction, end_pos) = if start_solid {
            (wanted, point_at(&segment, wanted).map(T::narrow))
        } else {
            self.retreat(hull, start, &segment, wanted)
        };
        Trace {
            fraction,
            hit_fraction: solid.fraction,
            end_pos,
            plane: plane.map(|(Plane { normal, dist }, _)| Plane {
                normal: normal.map(T::narrow),
                dist,
            }),
            start_solid,
            all_solid: false,
        }
    }

    /// The end of a trace at `wanted` or, where rounding to `T` would put it into solid, nearer to
    /// the start, which is not solid: every try doubles the retreat, the last one goes all the way.
    fn retreat<T: Coordinate>(
        &self,
        hull: HullId,
        start: [T; 3],
        segment: &[[f64; 3]; 2],
        wanted: f64,
    ) -> (f64, [T; 3]) {
        let mut fraction = wanted;
        for retreats in 1..=MAX_RETREATS {
            if fraction <= 0.0 {
                break;
            }
            let point = point_at(segment, fraction).map(T::narrow);
            if !self.is_solid_f64(hull, point.map(T::widen)) {
                return (fraction, point);
            }
            fraction = wanted - wanted * f64::from(1 << retreats) / f64::from(1 << MAX_RETREATS);
        }
        (0.0, start)
    }

    /// A plane turned against the motion, and how fast the segment approaches it: units of
    /// distance from start to end.
    fn facing(&self, plane: u32, segment: &[[f64; 3]; 2]) -> (Plane<f64>, f64) {
        let record = self.map.plane(plane);
        let [d_start, d_end] = segment.map(|point| distance(&record, &point));
        let (normal, dist) = (unit_normal(&record), record.dist);
        if d_start >= d_end {
            (Plane { normal, dist }, d_start - d_end)
        } else {
            let normal = normal.map(|component| 0.0 - component);
            (
                Plane {
                    normal,
                    dist: 0.0 - dist,
                },
                d_end - d_start,
            )
        }
    }
}

/// A coordinate of a query: `f32` or `f64`.
trait Coordinate: Copy {
    fn widen(self) -> f64;
    fn narrow(wide: f64) -> Self;
}

impl Coordinate for f32 {
    fn widen(self) -> f64 {
        f64::from(self)
    }
    fn narrow(wide: f64) -> Self {
        wide as Self
    }
}

impl Coordinate for f64 {
    fn widen(self) -> f64 {
        self
    }
    fn narrow(wide: f64) -> Self {
        wide
    }
}
