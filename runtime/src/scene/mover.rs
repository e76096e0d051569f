//! Movers: models that move and turn. This module finds how a mover affects a hull that moves at the same time.
//!
//! A mover that is not turned is traced with its own tree, in its own space, by the motion of the hull relative to
//! it. A turned mover needs its brushes: in its space the hull's box is turned, and the planes of the Minkowski sum
//! are computed from scratch. (Quake III uses the planes of the box that is not turned; its own comment calls this
//! wrong.) A mover that turns during the move is traced by conservative advancement.

use onion_format::HullRecord;

use crate::boxes::{SEARCH_ALL, Sweep};
use crate::file::hull::HullId;
use crate::file::view::View;
use crate::math::aabb::Aabb;
use crate::math::segment::{in_domain, point_at};
use crate::math::vector::{Vector, add, cross, dot, length, opposite, sub};
use crate::model::Model;
use crate::scene::pose::{Course, Pose};
use crate::shape::{Placed, Shape, ShapeTrace, Solid, Turning};
use crate::tolerance::SAME_ANGLE;

/// A model that moves. Needs the feature `shapes`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mover {
    /// Number of the model; not 0, which is the world.
    pub model: usize,
    /// Its pose at the beginning of the tick.
    pub from: Pose,
    /// Its pose at the end of the tick. It moves at a constant velocity, and turns about one axis at a constant rate,
    /// the shorter way.
    pub to: Pose,
}

impl Mover {
    /// Whether it is turned at any moment; only a turned mover needs brushes.
    pub(crate) fn is_turned(&self) -> bool {
        Course::new(self.from, self.to).is_turned()
    }

    /// Whether a hull overlaps the mover's model at a moment of its way.
    pub(crate) fn holds(
        &self,
        model: &Model<'_>,
        (hull, record): (HullId, &HullRecord),
        point: [f64; 3],
        moment: f64,
    ) -> bool {
        let course = Course::new(self.from, self.to);
        let pose = course.at(moment);
        let at = pose.to_model(point);
        // A tree is faster than brushes, and knows the space that filling made solid.
        if !course.is_turned() {
            return model.is_solid(hull, at);
        }
        // Scenes with turned movers are made only from files that hold brushes.
        let shape = model
            .map
            .hull_shape(hull)
            .turned(|half| pose.turn_to_model(half));
        let inside = model.shape_is_solid(&shape, record.contents, at);
        inside.unwrap_or(true)
    }

    /// Returns the mover on the rest of its way, from a moment on.
    pub(crate) fn after(&self, moment: f64) -> Self {
        // The velocities are constant, so the rest of a way is a way of its own. One that is not shortened is not
        // rounded.
        if moment <= 0.0 || self.from == self.to {
            return *self;
        }
        Self {
            from: Course::new(self.from, self.to).at(moment),
            ..*self
        }
    }

    /// Returns the place, at the end of its way, of a point that it carries from a moment on.
    pub(crate) fn carried(&self, point: Vector, moment: f64) -> Vector {
        let Self { from, to, .. } = self.after(moment);
        // A mover that stands still carries nothing, not even by rounding.
        if from == to {
            return point;
        }
        to.to_world(from.to_model::<f64>(point))
    }

    /// Returns the motion of a point that it carries, at the end of its way, in units per tick.
    pub(crate) fn motion_at(&self, point: Vector) -> Vector {
        let turn = Course::new(self.from, self.to).turn();
        let arm = sub(&point, &self.to.origin());
        add(&self.drift(), &cross(&turn, &arm))
    }

    /// Returns the motion along a normal that keeps a hull out of the mover when the two touch at a moment, in units
    /// per tick: that of the fastest part of the mover that may touch the hull there, and for a mover that turns, what
    /// its parts gain from then on.
    pub(crate) fn push(&self, hull: &Shape, point: Vector, normal: Vector, moment: f64) -> f64 {
        let course = Course::new(self.from, self.to);
        let turn = course.turn();
        let lean = cross(&normal, &turn);
        let corner = hull.corner(|half| {
            let ahead = dot(&normal, half);
            if ahead.abs() > SAME_ANGLE * length(half) {
                ahead > 0.0
            } else {
                // The whole edge or face of the hull may touch.
                dot(&lean, half) < 0.0
            }
        });
        let arm = sub(&add(&point, &corner), &course.at(moment).origin());
        // Taylor's series of the part's way along the normal, for what is left of the tick: its velocity, which is
        // added last; half of its acceleration, if that leads against the hull; and a bound on all that follows, as no
        // third derivative exceeds the cube of the angle times the arm.
        let left = 1.0 - moment;
        let gained = dot(&normal, &cross(&turn, &cross(&turn, &arm))).max(0.0) * left / 2.0;
        let angle = course.angle;
        let more = angle * angle * angle * length(&arm) * left * left / 6.0;
        dot(&self.drift(), &normal) + dot(&lean, &arm) + gained + more
    }

    /// Returns the motion of its origin, in units per tick.
    fn drift(&self) -> Vector {
        sub(&self.to.origin(), &self.from.origin())
    }

    /// Returns a mover that stands still.
    pub const fn still(model: usize, pose: Pose) -> Self {
        Self {
            model,
            from: pose,
            to: pose,
        }
    }
}

/// A moving hull.
pub(crate) struct Motion {
    /// The hull that moves.
    pub(crate) hull: HullId,
    /// Its box or prism and its contents, as the file has them.
    pub(crate) record: HullRecord,
    /// Where its origin is at the start and at the end of the tick if nothing is in the way, in units of the world.
    pub(crate) ends: [[f64; 3]; 2],
    /// Distance to keep from what it hits, in units.
    pub(crate) margin: f64,
}

impl Motion {
    /// Returns the first contact with a mover, as if nothing else were there; the normal is in the world's space.
    pub(crate) fn met<'a>(&self, map: View<'a>, mover: &Mover) -> ShapeTrace<'a, f64> {
        let model = Model::new(map, mover.model);
        let course = Course::new(mover.from, mover.to);
        let [start, end] = self.ends;
        let origins = [mover.from.origin(), mover.to.origin()];
        if ![start, end].iter().chain(&origins).all(in_domain) {
            return ShapeTrace::all_solid(start);
        }
        // In the mover's own space the mover stands still, and a mover that does not turn leaves the hull a straight
        // way.
        let relative = [mover.from.to_model(start), mover.to.to_model(end)];
        if course.angle > 0.0 {
            self.met_by_turning(&model, &course)
        } else if course.is_turned() {
            self.met_by_turned(&model, mover.from, relative)
        } else {
            self.met_by(&model, relative)
        }
    }

    /// Returns the first contact with a model that is not turned.
    pub(crate) fn met_by<'a>(
        &self,
        model: &Model<'a>,
        [start, end]: [[f64; 3]; 2],
    ) -> ShapeTrace<'a, f64> {
        let trace = model.with_margin(self.margin).trace(self.hull, start, end);
        ShapeTrace {
            start_solid: trace.start_solid,
            all_solid: trace.all_solid,
            fraction: trace.fraction,
            hit_fraction: trace.hit_fraction,
            normal: trace.plane.map(|plane| plane.normal),
            // An error means that the file has no hit data, as `has_hit_data` reports.
            hit: model.hit(self.hull, &trace).unwrap_or(None),
            ..ShapeTrace::free(trace.end_pos)
        }
    }

    /// Returns the first contact with a model that is turned by a constant rotation.
    fn met_by_turned<'a>(
        &self,
        model: &Model<'a>,
        pose: Pose,
        [start, end]: [[f64; 3]; 2],
    ) -> ShapeTrace<'a, f64> {
        // In the model's space the hull is turned, and not the model: so the brushes are used as the file has them.
        let shape = self.shape(model).turned(|half| pose.turn_to_model(half));
        let model = model.with_margin(self.margin);
        // Scenes with turned movers are made only from files that hold brushes.
        let trace = model
            .trace_shape(&shape, self.record.contents, start, end)
            .unwrap_or(ShapeTrace::all_solid(start));
        ShapeTrace {
            normal: trace.normal.map(|normal| pose.turn_to_world(normal)),
            ..trace
        }
    }

    /// Returns the first contact with a model that turns during the move.
    fn met_by_turning<'a>(&self, model: &Model<'a>, course: &Course) -> ShapeTrace<'a, f64> {
        // No part of the hull is farther from its origin than the farthest corner of its box.
        let corner = [0, 1, 2].map(|axis| {
            let [mins, maxs] = [self.record.mins, self.record.maxs].map(|side| side[axis].abs());
            f64::from(mins.max(maxs))
        });
        let reach = length(&corner);
        let turning = self.turning(self.shape(model), course, reach);
        // Bounds everything that it may touch: no place of its way is farther from the middle than half of the way.
        let wide = turning.speed / 2.0 + reach;
        let sweep = Sweep {
            bounds: Aabb::new([-wide; 3], [wide; 3]),
            ..Sweep::of_point((turning.place)(0.5).point)
        };
        let each = |on_solid: &mut dyn FnMut(u32, &Solid<'_>)| {
            model.brushes_near(&sweep, |number| {
                let solid = Solid::new(model.map, number);
                let blocks = |solid: &Solid<'_>| solid.record.contents & self.record.contents != 0;
                if let Some(solid) = solid.filter(blocks) {
                    on_solid(number, &solid);
                }
                // Boxes have no times, so the limit stays at the end.
                SEARCH_ALL
            });
        };
        // The brushes that the hull starts in do not stop it, so the search for an obstacle begins where it leaves
        // them.
        let left = left_solid(&turning, each);
        if left >= 1.0 {
            return ShapeTrace::all_solid(self.ends[0]);
        }
        let mut met = ShapeTrace {
            start_solid: left > 0.0,
            ..ShapeTrace::free(self.ends[1])
        };
        each(&mut |number, solid| {
            if let Some((moment, touch)) = turning.meets(solid, left, met.hit_fraction) {
                // The limit of the next search: a brush counts only if it is met earlier.
                met.hit_fraction = moment;
                met.fraction = turning.keeps(solid, left, moment, self.margin);
                met.normal = Some(course.at(moment).turn_to_world(touch.normal));
                met.hit = model.touched(number, &touch);
            }
        });
        met
    }

    /// Returns the shape of the hull.
    fn shape(&self, model: &Model<'_>) -> Shape {
        model.map.hull_shape(self.hull)
    }

    /// Returns the way of the hull in the space of a turning model, given the reach of the hull from its origin.
    fn turning(
        &self,
        shape: Shape,
        course: &Course,
        reach: f64,
    ) -> Turning<impl Fn(f64) -> Placed> {
        let away = |moment| {
            let origin = course.at(moment).origin();
            sub(&point_at(&self.ends, moment), &origin)
        };
        let [first, last] = [away(0.0), away(1.0)];
        let drift = sub(&last, &first);
        // The way between the two is straight, so an end is farthest.
        let farthest = length(&first).max(length(&last)) + reach;
        Turning {
            place: move |moment| {
                let pose = course.at(moment);
                Placed {
                    shape: shape.turned(|half| pose.turn_to_model(half)),
                    point: pose.to_model(point_at(&self.ends, moment)),
                    drift: pose.turn_to_model(drift),
                    // In the model's space it is the hull that turns, the other way.
                    spin: opposite(pose.turn_to_model(course.turn())),
                }
            },
            farthest,
            // As if all of the drift and all of the turn led the same way: an upper bound.
            speed: length(&drift) + course.angle * farthest,
        }
    }
}

/// Returns the moment when a hull is out of all brushes that it starts in, and of those that it is in at that moment:
/// 0 if it starts in none, 1 if it stays inside.
fn left_solid<P: Fn(f64) -> Placed>(
    turning: &Turning<P>,
    each: impl Fn(&mut dyn FnMut(u32, &Solid<'_>)),
) -> f64 {
    let mut left = 0.0f64;
    loop {
        let before = left;
        each(&mut |_, solid| left = turning.leaves(solid, left));
        // Each iteration advances, or is the last.
        if left == before || left >= 1.0 {
            return left;
        }
    }
}
