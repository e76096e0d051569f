//! Shapes among the brushes of a model: a shape and its motion in; its first contact with a brush out. Brushes are
//! found by their boxes and tested one by one, nearest first (Ostgard, "Quake 3 BSP Collision Detection", section 4;
//! Puig, "Ray-BSP Collision Detection").

use super::cast::{Passage, Touch, cast_wide, overlaps};
use super::kinds::Shape;
use super::solid::Solid;
use crate::boxes::{SEARCH_ALL, SEARCH_OVER, Sweep};
use crate::error::Unsupported;
use crate::hit::Hit;
use crate::math::coordinate::{Coordinate, narrowed, widened};
use crate::math::segment::{in_domain, point_at, retreat};
use crate::math::vector::{dot, sub};
use crate::model::Model;

/// The answer to a trace of a shape, or to a trace in a [`Scene`](crate::Scene), between points with coordinates of
/// type `T`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeTrace<'a, T> {
    /// The part of the segment that the shape can move, 0 to 1: 1 if nothing was hit, 0 if the segment is all solid.
    pub fraction: f64,
    /// The part of the segment before the shape enters a brush, without back-off, 0 to 1; 1 if it never does.
    pub hit_fraction: f64,
    /// The end of the shape's move, in units. If the start is not solid, neither is this.
    pub end_pos: [T; 3],
    /// Unit normal of the plane between the shape and what it hit, facing the motion; `None` if nothing was hit or the
    /// segment is all solid.
    pub normal: Option<[T; 3]>,
    /// Whether the start is inside a brush.
    pub start_solid: bool,
    /// Whether the whole segment is inside brushes.
    pub all_solid: bool,
    /// The brush and side that were hit; `None` if nothing was hit or the segment is all solid, and for traces in
    /// scenes also if the file has no hit data ([`OnionMap::has_hit_data`](crate::OnionMap::has_hit_data)).
    pub hit: Option<Hit<'a>>,
    /// The mover that was hit, by its number in the scene; `None` if it was the world, or nothing.
    pub mover: Option<usize>,
}

impl<T> ShapeTrace<'_, T> {
    /// Returns the answer for a motion that meets nothing.
    pub(crate) fn free(end_pos: [T; 3]) -> Self {
        Self {
            fraction: 1.0,
            hit_fraction: 1.0,
            end_pos,
            normal: None,
            start_solid: false,
            all_solid: false,
            hit: None,
            mover: None,
        }
    }

    /// Returns the answer for a motion that never leaves solid.
    pub(crate) fn all_solid(start: [T; 3]) -> Self {
        Self {
            fraction: 0.0,
            start_solid: true,
            all_solid: true,
            ..Self::free(start)
        }
    }
}

/// The solid parts of a motion.
#[derive(Clone, Copy)]
struct SolidParts {
    /// Fraction up to which the motion is inside of brushes from its start.
    covered: f64,
    /// Whether the motion begins inside a brush.
    start_solid: bool,
    /// The first brush that is entered after that, as the fraction, the contact and the number of the brush.
    entry: Option<(f64, Touch<f64>, u32)>,
}

impl<'a> Model<'a> {
    /// Moves a shape of any size from `start` towards `end` among the brushes that have any of the `contents`, and
    /// stops it the model's margin in front of the plane it hits.
    ///
    /// Answers are exact up to rounding in f64. For the box of a compiled hull they are those of [`Model::trace`],
    /// with these differences:
    /// * Brushes are tested one by one. So a point passes along the seam of two brushes that only touch, and a box
    ///   passes between two brushes that are exactly its width apart. To keep rays from slipping through a floor of
    ///   many brushes, trace a small box.
    /// * Space that filling made solid is not solid here.
    /// * The time grows with the number of brushes near the way, because each of them is tested.
    ///
    /// A motion that is not finite or leaves 2^30 units is all solid.
    ///
    /// # Errors
    /// [`Unsupported::NoBrushShapes`] if the file was compiled without `--brushes`.
    #[cfg_attr(docsrs, doc(cfg(feature = "shapes")))]
    pub fn trace_shape<T: Coordinate>(
        &self,
        shape: &Shape,
        contents: u32,
        start: impl Into<[T; 3]>,
        end: impl Into<[T; 3]>,
    ) -> Result<ShapeTrace<'a, T>, Unsupported> {
        if !self.map.has_brush_shapes() {
            return Err(Unsupported::NoBrushShapes);
        }
        Ok(self.trace_among_brushes(shape, contents, start.into(), end.into()))
    }

    /// Runs [`Model::trace_shape`] in a file that has the shapes of brushes.
    fn trace_among_brushes<T: Coordinate>(
        &self,
        shape: &Shape,
        contents: u32,
        start: [T; 3],
        end: [T; 3],
    ) -> ShapeTrace<'a, T> {
        let ends = [start, end].map(widened);
        let mut trace = ShapeTrace::free(end);
        let course = ends
            .iter()
            .all(in_domain)
            .then(|| self.course(shape, contents, &ends));
        let Some(course) = course.filter(|course| course.covered < 1.0) else {
            return ShapeTrace::all_solid(start);
        };
        trace.start_solid = course.start_solid;
        let Some((hit_fraction, touch, brush)) = course.entry else {
            return trace;
        };
        // How much nearer to the plane the whole motion would come, in units.
        let approach = dot(&touch.normal, &sub(&ends[0], &ends[1]));
        // The approach of a graze may round to zero; then any margin takes it back to its start.
        let back_off = self.margin / approach.max(f64::MIN_POSITIVE);
        let wanted = (hit_fraction - back_off).max(course.covered);
        trace.hit_fraction = hit_fraction;
        trace.normal = Some(narrowed(touch.normal));
        trace.hit = self.touched(brush, &touch);
        (trace.fraction, trace.end_pos) = if course.start_solid {
            (wanted, narrowed(point_at(&ends, wanted)))
        } else {
            let is_solid = |point, _| self.any_brush_holds(shape, contents, point);
            retreat(start, &ends, wanted, is_solid)
        };
        trace
    }

    /// Whether a shape at a point is inside a brush that has any of the `contents`; touching is free.
    ///
    /// # Errors
    /// [`Unsupported::NoBrushShapes`] if the file was compiled without `--brushes`.
    #[cfg_attr(docsrs, doc(cfg(feature = "shapes")))]
    pub fn shape_is_solid<T: Coordinate>(
        &self,
        shape: &Shape,
        contents: u32,
        point: impl Into<[T; 3]>,
    ) -> Result<bool, Unsupported> {
        if !self.map.has_brush_shapes() {
            return Err(Unsupported::NoBrushShapes);
        }
        Ok(self.any_brush_holds(shape, contents, widened(point.into())))
    }

    /// Runs [`Model::shape_is_solid`] in a file that has the shapes of brushes.
    fn any_brush_holds(&self, shape: &Shape, contents: u32, point: [f64; 3]) -> bool {
        if !in_domain(&point) {
            return true;
        }
        let mut is_solid = false;
        self.solids_near(shape, contents, &[point; 2], |_, solid| {
            is_solid = overlaps(shape, point, solid);
            if is_solid { SEARCH_OVER } else { SEARCH_ALL }
        });
        is_solid
    }

    /// Calls `on_solid` for the brushes with any of the contents that a motion may touch, nearest first. Each call
    /// returns the limit of the search, as in [`Model::brushes_near`].
    fn solids_near(
        &self,
        shape: &Shape,
        contents: u32,
        &[start, end]: &[[f64; 3]; 2],
        mut on_solid: impl FnMut(u32, &Solid<'_>) -> f64,
    ) {
        // The box finds brushes that may be near, and the shape decides.
        let bounds = shape.bounds();
        let sweep = Sweep { start, end, bounds };
        let mut limit = SEARCH_ALL;
        self.brushes_near(&sweep, |number| {
            let solid = Solid::new(self.map, number);
            if let Some(solid) = solid.filter(|solid| solid.record.contents & contents != 0) {
                limit = on_solid(number, &solid);
            }
            limit
        });
    }

    /// Returns the solid parts of a motion whose ends are in the domain.
    fn course(&self, shape: &Shape, contents: u32, ends: &[[f64; 3]; 2]) -> SolidParts {
        let mut course = SolidParts {
            covered: 0.0,
            start_solid: false,
            entry: None,
        };
        // Usually one iteration; if the start is inside, one for each brush that continues where another ends.
        loop {
            let covered = course.covered;
            // An entry of the last iteration may lie in what is now known to be covered.
            course.entry = None;
            self.solids_near(shape, contents, ends, |number, solid| {
                course.add(number, cast_wide(shape, *ends, solid));
                // Brushes farther than the first entry neither precede it nor add to the stretch before it.
                course.entry.map_or(SEARCH_ALL, |(fraction, ..)| fraction)
            });
            if course.covered == covered || course.covered >= 1.0 {
                return course;
            }
        }
    }

    /// Returns the hit of a shape that touched a brush.
    pub(crate) fn touched(&self, brush: u32, touch: &Touch<f64>) -> Option<Hit<'a>> {
        let solid = self.map.solids().get(brush as usize)?;
        let face = self.map.faces_of(&solid).get(touch.face)?;
        let plane = self.map.face_plane(&face);
        Some(Hit {
            brush: self.map.brush(brush)?,
            // Named by the face itself, so it is never a bevel.
            side: self.map.side(face.side, false, plane)?,
        })
    }
}

impl SolidParts {
    /// Adds the passage of the motion through a brush.
    fn add(&mut self, number: u32, passage: Option<Passage<f64>>) {
        let Some(Passage {
            enter,
            leave,
            touch,
        }) = passage
        else {
            return;
        };
        match touch {
            // Inside from the start, or from a place where the motion is still inside of others.
            None => {
                self.start_solid = true;
                self.covered = self.covered.max(leave);
            }
            // The motion enters this brush before it has left another one, so it was never free.
            Some(_) if self.start_solid && enter <= self.covered => {
                self.covered = self.covered.max(leave);
            }
            Some(touch) => {
                let is_first =
                    |(first, _, other)| enter < first || (enter == first && number < other);
                // Of several that are entered at once, the lowest number counts: the search meets them in an order that
                // depends on their boxes.
                if self.entry.is_none_or(is_first) {
                    self.entry = Some((enter, touch, number));
                }
            }
        }
    }
}
