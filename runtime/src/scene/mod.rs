//! Scenes: a map's world and its movers. A trace in a scene moves a hull among them and finds what it meets first,
//! while the movers go from their poses at the beginning of a tick to those at its end.

pub(crate) mod mover;
pub(crate) mod pose;

use core::fmt;

use crate::error::Unsupported;
use crate::file::hull::HullId;
use crate::file::view::View;
use crate::map::OnionMap;
use crate::math::coordinate::{Coordinate, narrowed, widened};
use crate::math::segment::retreat;
use crate::model::Model;
use crate::scene::mover::{Motion, Mover};
use crate::scene::pose::Pose;
use crate::shape::ShapeTrace;
use crate::tolerance::DEFAULT_MARGIN;

/// The world of a map, with some of its models at their current poses.
///
/// Store the map and the movers, not the scene: move the movers and make a new scene for each tick, which costs next
/// to nothing. Answers borrow only the map, so they may outlive the scene. Needs the feature `shapes`.
#[derive(Clone, Copy)]
pub struct Scene<'a, 'm> {
    /// The file that the world and the movers' models are in.
    pub(crate) map: View<'a>,
    /// The models that move, each with its way in this tick; models that are not among them are not in the scene.
    pub(crate) movers: &'m [Mover],
    /// Distance that traces keep from what they hit, in units.
    margin: f64,
}

impl<D: AsRef<[u8]>> OnionMap<D> {
    /// Returns all models except the world, such as doors and lifts, at rest where the map's entities put them, model
    /// 1 first. A game keeps them, moves some of them, and makes a [`Scene`] of all.
    pub fn movers(&self) -> impl ExactSizeIterator<Item = Mover> + use<'_, D> {
        let map = self.view();
        (1..map.models().len()).map(move |index| {
            let origin = Model::new(map, index).origin();
            Mover::still(index, Pose::at(origin))
        })
    }
}

/// Prints the movers.
impl fmt::Debug for Scene<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scene")
            .field("movers", &self.movers)
            .finish_non_exhaustive()
    }
}

impl<'a, 'm> Scene<'a, 'm> {
    /// Returns a scene of the world of a map and these models.
    ///
    /// # Errors
    /// [`Unsupported::NoSuchModel`] for a mover that is the world or not in the map, and
    /// [`Unsupported::NoBrushShapes`] if a mover is turned at any moment and the file was compiled without
    /// `--brushes`.
    pub fn new<D: AsRef<[u8]>>(
        map: &'a OnionMap<D>,
        movers: &'m [Mover],
    ) -> Result<Self, Unsupported> {
        let n_models = map.n_models();
        for mover in movers {
            if mover.model == 0 || mover.model >= n_models {
                return Err(Unsupported::NoSuchModel(mover.model));
            }
            // A mover that is never turned is traced by its tree, for which every file is enough.
            if mover.is_turned() && !map.has_brush_shapes() {
                return Err(Unsupported::NoBrushShapes);
            }
        }
        Ok(Self {
            map: map.view(),
            movers,
            margin: DEFAULT_MARGIN,
        })
    }

    /// Returns the same scene with another margin; see [`Model::with_margin`].
    #[must_use]
    pub fn with_margin(self, margin: f64) -> Self {
        Self {
            margin: margin.max(0.0),
            ..self
        }
    }

    /// Moves a hull from `start` towards `end` while the movers move, and stops it the scene's margin in front of
    /// what it hits.
    ///
    /// If the hull does not start inside anything, it does not end inside anything: at its stop, it is free of the
    /// movers' positions at that moment (`fraction` of their ways). A solid or mover that the hull starts in does not
    /// stop it, so that an agent that a door closes on can get out; if something holds it all the way, it does not
    /// move.
    ///
    /// A hull is stopped within 2^-20 units of a mover that turns during the tick, and within rounding error of
    /// anything else. Such a mover holds a hull that it closed on for up to 1/1024 of the way longer, and the margin
    /// kept from it may be a little less, never more.
    ///
    /// A mover that turns costs a few steps for each brush near the way.
    pub fn trace<T: Coordinate>(
        &self,
        hull: HullId,
        start: impl Into<[T; 3]>,
        end: impl Into<[T; 3]>,
    ) -> ShapeTrace<'a, T> {
        self.trace_after(0.0, hull, start.into(), end.into())
    }

    /// Moves a hull while the movers move from a moment on to their ends; fractions are those of this rest.
    pub(crate) fn trace_after<T: Coordinate>(
        &self,
        moment: f64,
        hull: HullId,
        start: [T; 3],
        end: [T; 3],
    ) -> ShapeTrace<'a, T> {
        let Some(record) = self.map.hull_record(hull) else {
            return ShapeTrace::all_solid(start);
        };
        let motion = Motion {
            hull,
            record,
            ends: [widened(start), widened(end)],
            margin: self.margin,
        };
        // Each is met as if it were alone, and the first contact counts. At equal moments the world comes before
        // movers, and a mover before those with higher numbers.
        let mut trace = ShapeTrace::free(end);
        let world = motion.met_by(&self.world(), motion.ends);
        let movers = self.movers.iter().map(|mover| mover.after(moment));
        let movers = movers.map(|mover| motion.met(self.map, &mover));
        let movers = movers.enumerate().map(|(number, met)| (Some(number), met));
        for (mover, met) in [(None, world)].into_iter().chain(movers) {
            // Whatever holds the hull all the way leaves it no way out.
            if met.all_solid {
                return ShapeTrace::all_solid(start);
            }
            trace.start_solid |= met.start_solid;
            let is_first = trace.normal.is_none() || met.hit_fraction < trace.hit_fraction;
            if let Some(normal) = met.normal.filter(|_| is_first) {
                trace = ShapeTrace {
                    fraction: met.fraction,
                    hit_fraction: met.hit_fraction,
                    normal: Some(narrowed(normal)),
                    hit: met.hit,
                    mover,
                    ..trace
                };
            }
        }
        if trace.normal.is_some() {
            // Each contact keeps its own margin, but the end may be within that of another mover, and it is rounded to
            // the caller's type. So all are asked about the end, at their poses of that moment.
            let is_solid = |point: [f64; 3], fraction| {
                !trace.start_solid && self.is_solid_after(moment, hull, point, fraction)
            };
            (trace.fraction, trace.end_pos) =
                retreat(start, &motion.ends, trace.fraction, is_solid);
        }
        trace
    }

    /// Whether a hull is inside anything at a moment of the movers' ways, 0 to 1. Earlier moments and NaN count as 0,
    /// later ones as 1.
    pub fn is_solid<T: Coordinate>(
        &self,
        hull: HullId,
        point: impl Into<[T; 3]>,
        moment: f64,
    ) -> bool {
        // `clamp` keeps what is not a number.
        let moment = if moment.is_nan() {
            0.0
        } else {
            moment.clamp(0.0, 1.0)
        };
        self.is_solid_after(0.0, hull, widened(point.into()), moment)
    }

    /// Whether a hull is inside anything at a part of the movers' ways from a moment on.
    pub(crate) fn is_solid_after(
        &self,
        moment: f64,
        hull: HullId,
        point: [f64; 3],
        part: f64,
    ) -> bool {
        self.world().is_solid(hull, point) || self.holder(moment, hull, point, part).is_some()
    }

    /// Returns the first mover that a hull is inside of at a part of the movers' ways from a moment on.
    pub(crate) fn holder(
        &self,
        moment: f64,
        hull: HullId,
        point: [f64; 3],
        part: f64,
    ) -> Option<usize> {
        let record = self.map.hull_record(hull)?;
        self.movers.iter().position(|mover| {
            let model = Model::new(self.map, mover.model);
            let mover = mover.after(moment);
            mover.holds(&model, (hull, &record), point, part)
        })
    }

    /// Returns [`Mover::push`] of a mover that touches a hull at a point, along a normal; 0 for what is not there.
    pub(crate) fn push_of(
        &self,
        mover: usize,
        hull: HullId,
        (point, normal): ([f64; 3], [f64; 3]),
        moment: f64,
    ) -> f64 {
        let hull = self.map.hull_shape(hull);
        let mover = self.movers.get(mover);
        mover.map_or(0.0, |mover| mover.push(&hull, point, normal, moment))
    }

    /// Returns the scene's world without its movers.
    fn world(&self) -> Model<'a> {
        Model::new(self.map, 0)
    }
}
