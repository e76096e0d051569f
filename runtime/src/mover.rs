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
use crate::point::in_domain;
use crate::pose::{Course, Pose, length};
use crate::shape::solid::Solid;
use crate::shape::turning::{Meeting, meeting};
use crate::shape::{Shape, ShapeTrace};
use crate::trace::{Coordinate, MAX_RETREATS, widened};
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

/// Where a hull is stopped by one of the things in a scene.
#[derive(Clone, Copy)]
struct Stop<'a> {
    hit_fraction: f64,
    /// Against the motion, in the world.
    normal: [f64; 3],
    /// How fast hull and thing approach each other there: units for all of the motion.
    approach: f64,
    hit: Option<Hit<'a>>,
}

/// What one of the things in a scene does to a motion.
#[derive(Clone, Copy)]
struct Met<'a> {
    start_solid: bool,
    /// Whether it is inside all of the way.
    all_solid: bool,
    /// Until when it is inside, if it starts there.
    left_solid: f64,
    stop: Option<Stop<'a>>,
}

impl Met<'_> {
    const NOTHING: Self = Self {
        start_solid: false,
        all_solid: false,
        left_solid: 0.0,
        stop: None,
    };

    const ALL_SOLID: Self = Self {
        start_solid: true,
        all_solid: true,
        ..Self::NOTHING
    };
}

/// A hull that moves.
struct Motion<'h> {
    hull: HullId,
    record: &'h HullRecord,
    ends: [[f64; 3]; 2],
}

impl<'a> Scene<'a, '_> {
    /// Moves a hull from `start` towards `end` while the movers move, keeping `skin` units from what it
    /// hits; no mover counts whose number is 0 or not in the map.
    ///
    /// If the start is in nothing, the end is in nothing: not where the hull is stopped, with the movers
    /// where they are at that moment (`fraction` of their ways). What it starts in does not stop it, so that
    /// whoever a door closes on can get out; if something holds it all the way, it does not move. A hull is
    /// stopped at most 1/256 unit too early by what turns meanwhile, and within rounding by anything else.
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
        };
        let mut trace = ShapeTrace {
            fraction: 1.0,
            hit_fraction: 1.0,
            end_pos: end,
            normal: None,
            start_solid: false,
            all_solid: false,
            hit: None,
        };
        let mut mover = None;
        let mut left_solid = 0.0f64;
        let world = motion.met_by(&self.map.world(), &motion.ends);
        let movers = self
            .movers()
            .map(|(number, mover)| (Some(number), motion.met(&self.map, mover)));
        for (number, met) in [(None, Some(world))].into_iter().chain(movers) {
            let met = met?;
            trace.start_solid |= met.start_solid;
            trace.all_solid |= met.all_solid;
            left_solid = left_solid.max(met.left_solid);
            let Some(stop) = met.stop else {
                continue;
            };
            let back_off = skin.max(0.0) / stop.approach;
            let fraction = (stop.hit_fraction - back_off).max(met.left_solid);
            if fraction < trace.fraction || (trace.normal.is_none() && fraction <= trace.fraction) {
                trace.fraction = fraction;
                trace.hit_fraction = stop.hit_fraction;
                trace.normal = Some(stop.normal.map(T::narrow));
                trace.hit = stop.hit;
                mover = number;
            }
        }
        if trace.all_solid {
            trace = ShapeTrace {
                fraction: 0.0,
                hit_fraction: 1.0,
                end_pos: start,
                normal: None,
                hit: None,
                ..trace
            };
            return Some(SceneTrace { trace, mover: None });
        }
        if trace.normal.is_some() {
            (trace.fraction, trace.end_pos) = self.retreat(&motion, &trace, start);
        }
        Some(SceneTrace { trace, mover })
    }

    /// Whether a hull is in something at a moment of the movers' ways, 0 to 1. None as for traces.
    pub fn is_solid(&self, hull: HullId, point: [f64; 3], moment: f64) -> Option<bool> {
        let record = HullRecord::read(self.map.hulls.get(hull.index())?);
        if self.map.world().is_solid_f64(hull, point) {
            return Some(true);
        }
        for (_, mover) in self.movers() {
            let Some(model) = self.map.model(mover.model) else {
                continue;
            };
            let pose = Course::new(mover.from, mover.to).at(moment);
            let inside = if pose.is_turned() {
                let shape = turned_box(&record, &pose);
                model.shape_is_solid(&shape?, record.contents, pose.to_model(point))?
            } else {
                model.is_solid_f64(hull, pose.to_model(point))
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
        } else if mover.from.is_turned() {
            self.met_by_turned(&model, mover.from, relative)
        } else {
            Some(self.met_by(&model, &relative))
        }
    }

    /// By a model that is not turned.
    fn met_by<'a>(&self, model: &Model<'a>, &[start, end]: &[[f64; 3]; 2]) -> Met<'a> {
        let trace = model.trace_f64(self.hull, start, end, 0.0);
        let stop = trace.plane.map(|plane| Stop {
            hit_fraction: trace.hit_fraction,
            normal: plane.normal,
            approach: approach(&plane.normal, &[start, end]),
            hit: model.hit(self.hull, start, end, &trace),
        });
        Met {
            start_solid: trace.start_solid,
            all_solid: trace.all_solid,
            left_solid: if trace.start_solid {
                model.fraction_left_solid(self.hull, start, end)
            } else {
                0.0
            },
            stop,
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
        let trace = model.trace_shape(&shape, self.record.contents, start, end, 0.0)?;
        let stop = trace.normal.map(|normal| Stop {
            hit_fraction: trace.hit_fraction,
            normal: pose.turn_to_world(normal),
            approach: approach(&normal, &[start, end]),
            hit: trace.hit,
        });
        Some(Met {
            start_solid: trace.start_solid,
            all_solid: trace.all_solid,
            left_solid: if trace.start_solid {
                trace.fraction
            } else {
                0.0
            },
            stop,
        })
    }

    /// By a model that turns meanwhile.
    fn met_by_turning<'a>(&self, model: &Model<'a>, course: &Course) -> Option<Met<'a>> {
        if !model.map.has_brushes() {
            return None;
        }
        let place = |moment: f64| {
            let pose = course.at(moment);
            let point = pose.to_model(point_at(&self.ends, moment));
            // A hull's box with straight axes is a shape.
            let shape = turned_box(self.record, &pose).unwrap_or(Shape::POINT);
            (shape, point)
        };
        let [start, end] = [0.0, 1.0].map(|moment| point_at(&self.ends, moment));
        let [from, to] = [0.0, 1.0].map(|moment| course.at(moment).origin);
        let away = |a: &[f64; 3], b: &[f64; 3]| [0, 1, 2].map(|axis| a[axis] - b[axis]);
        let [first, last] = [away(&start, &from), away(&end, &to)];
        // The box reaches no farther from its origin than its farthest corner does.
        let corner = [0, 1, 2].map(|axis| {
            let [mins, maxs] = [self.record.mins, self.record.maxs].map(|side| side[axis].abs());
            f64::from(mins.max(maxs))
        });
        let reach = length(&corner);
        let farthest = length(&first).max(length(&last)) + reach;
        let speed = length(&away(&last, &first)) + course.angle * farthest;
        // All that it may touch: no place on its way is farther than half of the way from its middle.
        let (_, middle) = place(0.5);
        let sweep = Sweep {
            mins: [-(speed / 2.0 + reach); 3],
            maxs: [speed / 2.0 + reach; 3],
            ..Sweep::of_point(middle)
        };
        let mut met = Met::NOTHING;
        let mut limit = 1.0;
        model.brushes_near(&sweep, |number| {
            let solid = Solid::new(&model.map, number);
            let blocks = |solid: &Solid<'_>| solid.record.contents & self.record.contents != 0;
            if let Some(solid) = solid.filter(blocks) {
                match meeting(&solid, place, speed, limit) {
                    None => {}
                    Some(Meeting::Inside) => met.start_solid = true,
                    Some(Meeting::At(moment, touch)) => {
                        limit = moment;
                        met.stop = Some(Stop {
                            hit_fraction: moment,
                            normal: course.at(moment).turn_to_world(touch.normal),
                            // No part is faster, so that less than the skin may be kept, and never more.
                            approach: speed,
                            hit: model.touched(number, &touch),
                        });
                    }
                }
            }
            // Boxes know nothing of moments.
            1.0
        });
        Some(met)
    }
}

/// How fast a motion approaches a plane: units for all of it.
fn approach(normal: &[f64; 3], [start, end]: &[[f64; 3]; 2]) -> f64 {
    let along = |axis: usize| normal[axis] * (start[axis] - end[axis]);
    along(0) + along(1) + along(2)
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
