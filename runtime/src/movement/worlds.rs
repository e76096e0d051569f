//! The worlds that agents can walk in: models of maps, views of hulls, and scenes. Each of them implements
//! [`World`].

use super::world::{Footing, Ground, Stop, World};
use crate::file::hull::HullId;
use crate::hit::Hit;
use crate::hull_view::HullView;
use crate::math::aabb::Aabb;
use crate::math::coordinate::Coordinate;
use crate::model::Model;
use crate::trace::Trace;

/// Keeps numbers and bits and no names, so that an agent does not borrow the map.
impl From<Hit<'_>> for Footing {
    fn from(hit: Hit<'_>) -> Self {
        let surface = hit.side.surface;
        Self {
            brush: hit.brush.number,
            contents: hit.brush.contents,
            surface: surface.number,
            surface_flags: surface.flags,
        }
    }
}

impl<T: Coordinate> Stop<T> {
    /// Returns the stop of a trace in an object.
    fn of(trace: &Trace<T>, object: u32, footing: Option<Footing>) -> Self {
        Self {
            fraction: trace.fraction,
            end_pos: trace.end_pos,
            // A trace does not know how fast an object moves; riding does, and sets the velocity.
            met: trace.plane.map(|plane| Ground {
                normal: plane.normal,
                object,
                velocity: [T::default(); 3],
                footing,
            }),
        }
    }
}

/// Queries the model alone, in its own space. Its number is that of the object that agents meet.
impl<T: Coordinate> World<T> for Model<'_> {
    #[inline]
    fn trace(&self, hull: HullId, start: [T; 3], end: [T; 3]) -> Stop<T> {
        // Only ground has a footing. Looking it up takes about as long as the trace, so walls do without.
        // A file has fewer models than `u32` has values.
        Stop::of(
            &Model::trace(self, hull, start, end),
            self.index as u32,
            None,
        )
    }

    fn trace_ground(&self, hull: HullId, start: [T; 3], end: [T; 3]) -> Stop<T> {
        let trace = Model::trace(self, hull, start, end);
        // An error means that the file has no hit data.
        let hit = self.hit(hull, &trace).unwrap_or(None);
        Stop::of(&trace, self.index as u32, hit.map(Footing::from))
    }

    #[inline]
    fn is_solid(&self, hull: HullId, point: [T; 3]) -> bool {
        Model::is_solid(self, hull, point)
    }

    fn bounds(&self, hull: HullId) -> Option<Aabb<f32>> {
        let record = self.map.hull_record(hull)?;
        Some(Aabb::new(record.mins, record.maxs))
    }

    fn contents(&self, point: [T; 3]) -> u32 {
        // An error means that the file has no shapes of brushes.
        self.contents_at(point).unwrap_or(0)
    }
}

/// Queries the model of the view; the view's own hull is traced faster than others.
impl<T: Coordinate> World<T> for HullView<'_> {
    #[inline]
    fn trace(&self, hull: HullId, start: [T; 3], end: [T; 3]) -> Stop<T> {
        if hull != self.hull {
            return World::trace(&self.model, hull, start, end);
        }
        let trace = HullView::trace(self, start, end);
        Stop::of(&trace, self.model.index as u32, None)
    }

    fn trace_ground(&self, hull: HullId, start: [T; 3], end: [T; 3]) -> Stop<T> {
        self.model.trace_ground(hull, start, end)
    }

    #[inline]
    fn is_solid(&self, hull: HullId, point: [T; 3]) -> bool {
        if hull == self.hull {
            HullView::is_solid(self, point)
        } else {
            Model::is_solid(&self.model, hull, point)
        }
    }

    fn bounds(&self, hull: HullId) -> Option<Aabb<f32>> {
        // Any hull, because an agent may change to another one than that of the view.
        World::<T>::bounds(&self.model, hull)
    }

    fn contents(&self, point: [T; 3]) -> u32 {
        World::contents(&self.model, point)
    }
}

#[cfg(feature = "shapes")]
mod scenes {
    use super::super::ride::object;
    use super::{Aabb, Coordinate, Footing, Ground, HullId, Model, Stop, World};
    use crate::math::coordinate::widened;
    use crate::scene::Scene;

    /// For agents that walk among movers, all of which stand still where their ways end.
    /// [`Agent::ride`](crate::movement::Agent::ride) moves agents with the movers.
    impl<T: Coordinate> World<T> for Scene<'_, '_> {
        fn trace(&self, hull: HullId, start: [T; 3], end: [T; 3]) -> Stop<T> {
            let trace = self.trace_after(1.0, hull, start, end);
            Stop {
                fraction: trace.fraction,
                end_pos: trace.end_pos,
                met: trace.normal.map(|normal| Ground {
                    normal,
                    object: object(trace.mover),
                    velocity: [T::default(); 3],
                    footing: trace.hit.map(Footing::from),
                }),
            }
        }

        fn is_solid(&self, hull: HullId, point: [T; 3]) -> bool {
            // A hull of another map has room nowhere.
            self.map.hull_record(hull).is_none()
                || self.is_solid_after(1.0, hull, widened(point), 1.0)
        }

        fn bounds(&self, hull: HullId) -> Option<Aabb<f32>> {
            // All models have the same hulls.
            World::<T>::bounds(&Model::new(self.map, 0), hull)
        }

        fn contents(&self, point: [T; 3]) -> u32 {
            // Where movers and the map overlap, an agent is in the contents of all of them.
            let of_movers = self.movers.iter().map(|mover| {
                let point = mover.to.to_model(point);
                World::<T>::contents(&Model::new(self.map, mover.model), point)
            });
            let of_map = World::contents(&Model::new(self.map, 0), point);
            of_movers.fold(of_map, |all, contents| all | contents)
        }
    }
}
