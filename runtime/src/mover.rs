//! Movers: models that move and turn while a hull moves, and a world made of a map's world and its movers;
//! the first thing that is met out. All move from their poses at the beginning of a tick to those at its
//! end.
//!
//! A model that is not turned is traced with its own tree, in its own space, by the motion of the hull
//! relative to it. One that is turned needs the brushes: in its space the hull's box is a box that is
//! turned, and the planes of the sum of the two are made anew (not those of the box that is not turned, as
//! in Quake III, whose comment says that this is wrong). One that turns meanwhile is met by steps that are
//! never too long.

use onion_format::{HullRecord, Record};

use crate::boxes::Sweep;
use crate::hit::Hit;
use crate::map::{HullId, Model, OnionMap};
use crate::movement::{self, Tracer};
use crate::point::in_domain;
use crate::pose::{Course, Pose};
use crate::shape::solid::Solid;
use crate::shape::turning::{Placed, Turning};
use crate::shape::vector::length;
use crate::shape::{Shape, ShapeTrace};
use crate::trace::{Coordinate, DEFAULT_SKIN, MAX_RETREATS, widened};
use crate::walk::point_at;

/// A model that moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mover {
    /// Number of the model; not 0, which is the world.
    pub model: usize,
    /// Its pose at the beginning of the tick.
    pub from: Pose,
    /// Its pose at the end: it moves evenly, and turns evenly about one axis, the shorter way.
    pub to: Pose,
}

impl Mover {
    /// A model that stands still.
    pub const fn still(model: usize, pose: Pose) -> Self {
        Self {
            model,
            from: pose,
            to: pose,
        }
    }
}

/// The world of a map with some of its models where they are now.
#[derive(Clone, Copy)]
pub struct Scene<'a, 'm> {
    /// The map.
    pub map: OnionMap<'a>,
    /// The models that are there beside the world.
    pub movers: &'m [Mover],
}

/// Answer to a trace in a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneTrace<'a, T> {
    /// Where the hull was stopped, and by what. `start_solid` is set if it starts in anything.
    pub trace: ShapeTrace<'a, T>,
    /// The mover that was hit, by its number in the scene; none for the world and for nothing.
    pub mover: Option<usize>,
}

/// What one of the things in a scene does to a motion; the fields as in a trace.
#[derive(Clone, Copy)]
struct Met<'a> {
    start_solid: bool,
    all_solid: bool,
    fraction: f64,
    hit_fraction: f64,
    /// Against the motion, in the world.
    normal: Option<[f64; 3]>,
    hit: Option<Hit<'a>>,
}

impl Met<'_> {
    const NOTHING: Self = Self {
        start_solid: false,
        all_solid: false,
        fraction: 1.0,
        hit_fraction: 1.0,
        normal: None,
        hit: None,
    };

    const ALL_SOLID: Self = Self {
        start_solid: true,
        all_solid: true,
        fraction: 0.0,
        ..Self::NOTHING
    };
}

/// A hull that moves.
struct Motion<'h> {
    hull: HullId,
    record: &'h HullRecord,
    ends: [[f64; 3]; 2],
    skin: f64,
}

impl<'a> Scene<'a, '_> {
    /// Moves a hull from `start` towards `end` while the movers move, keeping `skin` units from what it
    /// hits; no mover counts whose number is 0 or not in the map.
    ///
    /// If the start is in nothing, the end is in nothing: not where the hull is stopped, with the movers
    /// where they are at that moment (`fraction` of their ways). What it starts in does not stop it, so that
    /// whoever a door closes on can get out; if something holds it all the way, it does not move. A hull is
    /// stopped within 2^-20 units of what turns meanwhile, and within rounding of anything else; what turns
    /// holds a hull that it closed on for up to 1/1024 of the way longer. Of the skin a little less may be
    /// kept from what turns, never more.
    ///
    /// What turns takes some looks, a few usually, at each brush near the way.
    ///
    /// None if a mover is turned and the file was compiled without `--brushes`, or has no such hull.
    pub fn trace<T: Coordinate>(
        &self,
        hull: HullId,
        start: [T; 3],
        end: [T; 3],
        skin: f64,
    ) -> Option<SceneTrace<'a, T>> {
        let record = HullRecord::read(self.map.hulls.get(hull.index())?);
        let motion = Motion {
            hull,
            record: &record,
            ends: [start, end].map(widened),
            skin: skin.max(0.0),
        };
        let mut trace = ShapeTrace::free(end);
        let mut mover = None;
        let world = motion.met_by(&self.map.world(), &motion.ends);
        let movers = self
            .movers()
            .map(|(number, mover)| (Some(number), motion.met(&self.map, mover)));
        for (number, met) in [(None, Some(world))].into_iter().chain(movers) {
            let met = met?;
            trace.start_solid |= met.start_solid;
            trace.all_solid |= met.all_solid;
            let is_first = trace.normal.is_none() || met.hit_fraction < trace.hit_fraction;
            if let Some(normal) = met.normal.filter(|_| is_first) {
                trace.fraction = met.fraction;
                trace.hit_fraction = met.hit_fraction;
                trace.normal = Some(normal.map(T::narrow));
                trace.hit = met.hit;
                mover = number;
            }
        }
        if trace.all_solid {
            let trace = ShapeTrace::all_solid(start);
            return Some(SceneTrace { trace, mover: None });
        }
        if trace.normal.is_some() {
            (trace.fraction, trace.end_pos) = self.retreat(&motion, &trace, start);
        }
        Some(SceneTrace { trace, mover })
    }

    /// Whether a hull is in something at a moment of the movers' ways, 0 to 1; what is before counts as 0,
    /// and so does what is not a number, what is after as 1. None as for traces.
    pub fn is_solid(&self, hull: HullId, point: [f64; 3], moment: f64) -> Option<bool> {
        let moment = if moment.is_nan() {
            0.0
        } else {
            moment.clamp(0.0, 1.0)
        };
        let record = HullRecord::read(self.map.hulls.get(hull.index())?);
        if self.map.world().is_solid_f64(hull, point) {
            return Some(true);
        }
        for (_, mover) in self.movers() {
            let Some(model) = self.map.model(mover.model) else {
                continue;
            };
            let course = Course::new(mover.from, mover.to);
            let pose = course.at(moment);
            let at = pose.to_model(point);
            let inside = if course.is_turned() {
                let shape = turned_box(&record, &pose)?;
                model.shape_is_solid(&shape, record.contents, at)?
            } else {
                model.is_solid_f64(hull, at)
            };
            if inside {
                return Some(true);
            }
        }
        Some(false)
    }

    fn movers(&self) -> impl Iterator<Item = (usize, &Mover)> {
        let movers = self.movers.iter().enumerate();
        movers.filter(|(_, mover)| mover.model != 0)
    }

    /// The end of a trace that was stopped, taken back where rounding puts it into something.
    fn retreat<T: Coordinate>(
        &self,
        motion: &Motion<'_>,
        trace: &ShapeTrace<'_, T>,
        start: [T; 3],
    ) -> (f64, [T; 3]) {
        let wanted = trace.fraction;
        let mut fraction = wanted;
        for retreats in 1..=MAX_RETREATS {
            let point = point_at(&motion.ends, fraction).map(T::narrow);
            let is_solid = || self.is_solid(motion.hull, widened(point), fraction);
            if trace.start_solid || is_solid() == Some(false) {
                return (fraction, point);
            }
            fraction = wanted - wanted * f64::from(1 << retreats) / f64::from(1 << MAX_RETREATS);
            if fraction <= 0.0 {
                break;
            }
        }
        (0.0, start)
    }
}

impl<'h> Motion<'h> {
    /// What a mover does to the motion; none if it cannot be told.
    fn met<'a>(&self, map: &OnionMap<'a>, mover: &Mover) -> Option<Met<'a>> {
        let Some(model) = map.model(mover.model) else {
            return Some(Met::NOTHING);
        };
        let course = Course::new(mover.from, mover.to);
        if !self
            .ends
            .iter()
            .chain([&mover.from.origin, &mover.to.origin])
            .all(in_domain)
        {
            return Some(Met::ALL_SOLID);
        }
        let [start, end] = self.ends;
        let relative = [mover.from.to_model(start), mover.to.to_model(end)];
        if course.angle > 0.0 {
            self.met_by_turning(&model, &course)
        } else if course.is_turned() {
            self.met_by_turned(&model, mover.from, relative)
        } else {
            Some(self.met_by(&model, &relative))
        }
    }

    /// By a model that is not turned.
    fn met_by<'a>(&self, model: &Model<'a>, &[start, end]: &[[f64; 3]; 2]) -> Met<'a> {
        let trace = model.trace_f64(self.hull, start, end, self.skin);
        Met {
            start_solid: trace.start_solid,
            all_solid: trace.all_solid,
            fraction: trace.fraction,
            hit_fraction: trace.hit_fraction,
            normal: trace.plane.map(|plane| plane.normal),
            hit: model.hit(self.hull, start, end, &trace),
        }
    }

    /// By a model that is turned, all the time alike.
    fn met_by_turned<'a>(
        &self,
        model: &Model<'a>,
        pose: Pose,
        [start, end]: [[f64; 3]; 2],
    ) -> Option<Met<'a>> {
        let shape = turned_box(self.record, &pose)?;
        let trace = model.trace_shape(&shape, self.record.contents, start, end, self.skin)?;
        Some(Met {
            start_solid: trace.start_solid,
            all_solid: trace.all_solid,
            fraction: trace.fraction,
            hit_fraction: trace.hit_fraction,
            normal: trace.normal.map(|normal| pose.turn_to_world(normal)),
            hit: trace.hit,
        })
    }

    /// By a model that turns meanwhile.
    fn met_by_turning<'a>(&self, model: &Model<'a>, course: &Course) -> Option<Met<'a>> {
        if !model.map.has_brushes() {
            return None;
        }
        let away = |moment| {
            let (place, origin) = (point_at(&self.ends, moment), course.at(moment).origin);
            [0, 1, 2].map(|axis| place[axis] - origin[axis])
        };
        let [first, last] = [away(0.0), away(1.0)];
        let drift = [0, 1, 2].map(|axis| last[axis] - first[axis]);
        // The box reaches no farther from its origin than its farthest corner does.
        let corner = [0, 1, 2].map(|axis| {
            let [mins, maxs] = [self.record.mins, self.record.maxs].map(|side| side[axis].abs());
            f64::from(mins.max(maxs))
        });
        let reach = length(&corner);
        let farthest = length(&first).max(length(&last)) + reach;
        let turning = Turning {
            place: |moment| {
                let pose = course.at(moment);
                Placed {
                    // A hull's box with straight axes is a shape.
                    shape: turned_box(self.record, &pose).unwrap_or(Shape::POINT),
                    point: pose.to_model(point_at(&self.ends, moment)),
                    drift: pose.turn_to_model(drift),
                    // In the model's space it is the hull that turns, the other way.
                    spin: pose.turn_to_model(course.turn()).map(|part| 0.0 - part),
                }
            },
            farthest,
            speed: length(&drift) + course.angle * farthest,
        };
        // All that it may touch: no place on its way is farther than half of the way from its middle.
        let wide = turning.speed / 2.0 + reach;
        let sweep = Sweep {
            mins: [-wide; 3],
            maxs: [wide; 3],
            ..Sweep::of_point((turning.place)(0.5).point)
        };
        let each = |on_solid: &mut dyn FnMut(u32, &Solid<'_>)| {
            model.brushes_near(&sweep, |number| {
                let solid = Solid::new(&model.map, number);
                let blocks = |solid: &Solid<'_>| solid.record.contents & self.record.contents != 0;
                if let Some(solid) = solid.filter(blocks) {
                    on_solid(number, &solid);
                }
                // Boxes know nothing of moments.
                1.0
            });
        };
        let left = left_solid(&turning, each);
        if left >= 1.0 {
            return Some(Met::ALL_SOLID);
        }
        let mut met = Met {
            start_solid: left > 0.0,
            ..Met::NOTHING
        };
        each(&mut |number, solid| {
            if let Some((moment, touch)) = turning.meets(solid, left, met.hit_fraction) {
                met.hit_fraction = moment;
                met.fraction = turning.keeps(solid, left, moment, self.skin);
                met.normal = Some(course.at(moment).turn_to_world(touch.normal));
                met.hit = model.touched(number, &touch);
            }
        });
        Some(met)
    }
}

/// When a hull is out of all brushes that it starts in, and of those that it is in then: 0 if it starts in
/// none, 1 if it stays inside.
fn left_solid<P: Fn(f64) -> Placed>(
    turning: &Turning<P>,
    each: impl Fn(&mut dyn FnMut(u32, &Solid<'_>)),
) -> f64 {
    let mut left = 0.0f64;
    loop {
        let before = left;
        each(&mut |_, solid| left = turning.leaves(solid, left));
        // Each turn takes a step, or is the last.
        if left == before || left >= 1.0 {
            return left;
        }
    }
}

/// For agents that walk among movers: these stand still during a tick of many traces ([`Mover::still`]); how
/// agents are moved by them is the game's to say. What cannot be told stops them where they are.
impl Tracer for Scene<'_, '_> {
    fn trace(&self, hull: HullId, start: [f32; 3], end: [f32; 3]) -> movement::Contact {
        let Some(SceneTrace { trace, mover }) = self.trace(hull, start, end, DEFAULT_SKIN) else {
            return movement::Contact {
                fraction: 0.0,
                end_pos: start,
                surface: None,
            };
        };
        let mover = mover.and_then(|mover| self.movers.get(mover));
        let object = mover.map_or(0, |mover| mover.model as u32);
        movement::Contact {
            fraction: trace.fraction,
            end_pos: trace.end_pos,
            surface: trace
                .normal
                .map(|normal| movement::Surface { normal, object }),
        }
    }

    fn is_solid(&self, hull: HullId, point: [f32; 3]) -> bool {
        self.is_solid(hull, widened(point), 1.0) != Some(false)
    }

    fn mins(&self, hull: HullId) -> Option<[f32; 3]> {
        self.map.mins(hull)
    }
}

/// A hull's box in the space of a model.
fn turned_box(hull: &HullRecord, pose: &Pose) -> Option<Shape> {
    let [mins, maxs] = [hull.mins, hull.maxs].map(|corner| corner.map(f64::from));
    let center = [0, 1, 2].map(|axis| (mins[axis] + maxs[axis]) / 2.0);
    let half = [0, 1, 2].map(|axis| (maxs[axis] - mins[axis]) / 2.0);
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let axes = axes.map(|axis| pose.turn_to_model(axis));
    Shape::oriented_box(pose.turn_to_model(center), half, axes).ok()
}
