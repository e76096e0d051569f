//! What was hit: finds the brush, side and surface that a trace met. The tree's nodes list
//! the sides that have faces in their planes and cells; of those in the plane of the trace, the side
//! whose expanded brush holds the place of the hit is named. The trace itself knows nothing of this.

use onion_format::{Child, HullRecord, MAX_DEPTH, NodePlane, SIDE_LOOKS_BACK, SideRecord};

use crate::brushes::{Brush, Side, Surface};
use crate::coordinate::{Coordinate, widened};
use crate::error::Unsupported;
use crate::hull::HullId;
use crate::map::OnionMap;
use crate::model::Model;
use crate::plane::{distance, unit_normal};
use crate::segment::{longest_step, point_at};
use crate::stack::Stack;
use crate::tolerance::{NEAR, PLACE_ROUNDING, SAME_PLANE};
use crate::trace::Trace;
use crate::vector::{dot, support};

/// What a trace met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit<'a> {
    /// The brush.
    pub brush: Brush,
    /// The side in whose plane the hull was stopped.
    pub side: Side<'a>,
}

impl<'a> Hit<'a> {
    /// What the side looks like and is made of.
    pub fn surface(&self) -> Surface<'a> {
        self.side.surface
    }

    /// What the brush is made of, as bits of the map's contents.
    pub fn contents(&self) -> u32 {
        self.brush.contents
    }
}

impl<D: AsRef<[u8]>> OnionMap<D> {
    /// [`Model::hit`] in the world.
    ///
    /// # Errors
    /// As there.
    pub fn hit<T: Coordinate>(
        &self,
        hull: HullId,
        trace: &Trace<T>,
    ) -> Result<Option<Hit<'_>>, Unsupported> {
        self.world().hit(hull, trace)
    }
}

impl<'a> Model<'a> {
    /// What a trace of a hull in this model met; none if it met nothing.
    ///
    /// Where faces of several brushes coincide, that of the lowest brush is named. A hull is stopped by a
    /// bevel at edges and corners; then the side is the face that the bevel belongs to, of those at the
    /// edge or corner the one that it is nearest to, and [`Side::is_bevel`] is set. A patch is named by its
    /// surface. Takes about as long as a short trace, longer where many brushes have faces in one plane.
    ///
    /// # Errors
    /// [`Unsupported::NoHitData`] if the file was compiled without surfaces, and
    /// [`Unsupported::NoSuchHull`] for a hull of another map.
    pub fn hit<T: Coordinate>(
        &self,
        hull: HullId,
        trace: &Trace<T>,
    ) -> Result<Option<Hit<'a>>, Unsupported> {
        if !self.map.has_hit_data() {
            return Err(Unsupported::NoHitData);
        }
        let record = self.map.hull_record(hull);
        let record = record.ok_or(Unsupported::NoSuchHull)?;
        Ok(self.hit_of(hull, &record, trace))
    }

    fn hit_of<T: Coordinate>(
        &self,
        hull: HullId,
        record: &HullRecord,
        trace: &Trace<T>,
    ) -> Option<Hit<'a>> {
        let plane = trace.plane?;
        self.map.planes.get(plane.number as usize)?;
        let segment = [widened(trace.start), widened(trace.end)];
        let mut search = Search {
            model: self,
            root: self.map.root_of(self.index, hull),
            contents: record.contents,
            mins: widened(record.mins),
            maxs: widened(record.maxs),
            plane: Some(plane.number),
            normal: widened(plane.normal),
            at: point_at(&segment, trace.hit_fraction),
            near: NEAR + longest_step(&segment) * PLACE_ROUNDING,
        };
        let mut found = search.side();
        if found.is_none_or(|(outside, _)| outside > search.near) {
            // Where several planes are crossed at once a trace may name one that is another brush's.
            search.plane = None;
            let other = search.side();
            found = other
                .filter(|other| found.is_none_or(|found| other.0 < found.0))
                .or(found);
        }
        let (_, side) = found?;
        let (brush, _) = self.map.brush_of_side(side)?;
        Some(Hit {
            brush: self.map.brush(brush)?,
            side: self.map.side(side)?,
        })
    }
}

/// A face to find.
struct Search<'a> {
    model: &'a Model<'a>,
    root: Child,
    /// The hull's.
    contents: u32,
    mins: [f64; 3],
    maxs: [f64; 3],
    /// Number of the plane in which the face lies; any plane that holds the place if there is none.
    plane: Option<u32>,
    /// Normal of the plane that was hit, to which the face must not look from behind.
    normal: [f64; 3],
    /// Where the plane was hit.
    at: [f64; 3],
    /// How near to a plane that place may lie on both sides of it, in units.
    near: f64,
}

impl Search<'_> {
    /// The side whose expanded brush is nearest to the place: how far the place is outside of it, in units,
    /// and its number.
    fn side(&self) -> Option<(f64, u32)> {
        let map = &self.model.map;
        // Each node of a path leaves one: a stack of the greatest depth always has room.
        let mut places = [self.root; MAX_DEPTH];
        let mut pending = Stack::on(&mut places);
        let mut at = self.root;
        let mut best: Option<(f64, u32)> = None;
        loop {
            while !at.is_leaf() {
                let node = map.node(at.index());
                let plane = NodePlane(node.plane).index();
                let ahead = distance(&map.plane_of(&node), &self.at);
                let is_meant = match self.plane {
                    Some(meant) => plane == meant,
                    None => ahead.abs() <= self.near,
                };
                if is_meant {
                    self.nearest(at.index(), plane, &mut best);
                }
                let [front, back] = node.children.map(Child);
                at = if ahead >= -self.near { front } else { back };
                if ahead.abs() <= self.near {
                    pending.push(back);
                }
            }
            match pending.pop() {
                Some(next) => at = next,
                None => return best,
            }
        }
    }

    /// Finds a side among those of a node that is nearer than the best so far; of several that are as near,
    /// the first.
    fn nearest(&self, node: u32, plane: u32, best: &mut Option<(f64, u32)>) {
        let map = &self.model.map;
        let node = node as usize;
        let first = map.first_face(node);
        let count = map.first_face(node + 1).saturating_sub(first);
        let faces = map.faces().slice(first, count);
        for side in faces
            .iter()
            .flat_map(|faces| faces.iter())
            .map(|face| face.side)
        {
            let Some(outside) = self.distance_outside(side, plane) else {
                continue;
            };
            let is_better = best.is_none_or(|(least, number)| {
                outside < least - self.near || (outside <= least + self.near && side < number)
            });
            if is_better {
                *best = Some((outside, side));
            }
        }
    }

    /// How far the place is outside of the expanded brush of a side, in units; none if the side does not
    /// lie in the plane, looks away, or its brush does not block the hull.
    fn distance_outside(&self, number: u32, plane: u32) -> Option<f64> {
        let map = &self.model.map;
        let side = map.sides().get(number as usize)?;
        let (_, brush) = map.brush_of_side(number)?;
        let ahead = |side: &SideRecord| {
            let (normal, dist) = map.side_plane(side);
            // How far the hull's box reaches against the normal from its origin.
            (normal, dist - support(&normal, &self.maxs, &self.mins))
        };
        let node = map.plane(plane);
        let (normal, dist) = ahead(&side);
        let looks_here = dot(&normal, &self.normal) > 0.0;
        let [same, dist] = if side.plane & SIDE_LOOKS_BACK == 0 {
            [1.0, dist]
        } else {
            [-1.0, -dist]
        };
        let wanted = unit_normal(&node);
        let is_plane = (0..3).all(|axis| normal[axis] * same == wanted[axis])
            && (dist - node.dist).abs() <= SAME_PLANE
            && looks_here
            && brush.contents & self.contents != 0;
        is_plane.then(|| {
            let distances = map.sides_of(&brush).iter().map(|side| {
                let (normal, dist) = ahead(&side);
                dot(&normal, &self.at) - dist
            });
            distances.fold(0.0, f64::max)
        })
    }
}
