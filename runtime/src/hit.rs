//! What was hit: a trace that met something in, the brush, side and surface out. The tree's nodes list
//! the sides that have faces in their planes and cells; of those in the plane of the trace, the side
//! whose expanded brush holds the place of the hit is named. The trace itself knows nothing of this.

use onion_format::{
    Child, FaceRecord, HullRecord, MAX_DEPTH, NodePlane, Record, SIDE_LOOKS_BACK, SideRecord,
};

use crate::brushes::{Brush, Side, Surface};
use crate::map::{HullId, Model, distance, dot, unit_normal};
use crate::trace::{Coordinate, Trace, widened};
use crate::walk::{longest_step, point_at};

/// Places this near to a plane may lie in the cells on both sides, in units: what traces take for
/// touching (2^-24 along an axis), what rounds off in a place, and planes that meet at an angle.
const NEAR: f64 = 1.0 / (1u64 << 20) as f64;

/// What rounding moves a place on a segment, relative to the segment's length.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Planes whose distances differ by less are the same, in units: a support is rounded up to 2^-36.
const SAME_PLANE: f64 = 1.0 / (1u64 << 32) as f64;

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

impl<'a> Model<'a> {
    /// What a trace of a hull in this model, from `start` towards `end`, met. None if it met nothing, or
    /// the file was compiled without surfaces.
    ///
    /// Where faces of several brushes coincide, that of the lowest brush is named. A hull is stopped by a
    /// bevel at edges and corners; then the side is the face that the bevel belongs to, of those at the
    /// edge or corner the one that it is nearest to, and [`Side::is_bevel`] is set. A patch is named by its
    /// surface. Takes about as long as a short trace, longer where many brushes have faces in one plane.
    pub fn hit<T: Coordinate>(
        &self,
        hull: HullId,
        start: [T; 3],
        end: [T; 3],
        trace: &Trace<T>,
    ) -> Option<Hit<'a>> {
        let plane = trace.plane?;
        self.map.planes.get(plane.number as usize)?;
        let segment = [widened(start), widened(end)];
        let mut search = Search {
            model: self,
            hull,
            plane: Some(plane.number),
            normal: plane.normal.map(T::widen),
            at: point_at(&segment, trace.hit_fraction),
            near: NEAR + longest_step(&segment) * ROUNDING,
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
        let (brush, _) = self.map.brushes.brush_of_side(side)?;
        Some(Hit {
            brush: self.map.brush(brush)?,
            side: self.map.side(side)?,
        })
    }
}

/// A face to find.
struct Search<'a> {
    model: &'a Model<'a>,
    hull: HullId,
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
        let mut pending = [Child(0); MAX_DEPTH + 1];
        let mut n_pending = 0;
        let mut at = map.root_of(self.model.index, self.hull);
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
                // Each node of a path leaves one: a stack of the greatest depth always has room.
                if let (true, Some(slot)) = (ahead.abs() <= self.near, pending.get_mut(n_pending)) {
                    *slot = back;
                    n_pending += 1;
                }
            }
            match n_pending.checked_sub(1).and_then(|last| pending.get(last)) {
                Some(&next) => {
                    at = next;
                    n_pending -= 1;
                }
                None => return best,
            }
        }
    }

    /// Finds a side among those of a node that is nearer than the best so far; of several that are as near,
    /// the first.
    fn nearest(&self, node: u32, plane: u32, best: &mut Option<(f64, u32)>) {
        let brushes = &self.model.map.brushes;
        let node = node as usize;
        let [first, end] = [node, node + 1].map(|node| brushes.first_face(node));
        for bytes in brushes.faces.get(first..end).unwrap_or(&[]) {
            let FaceRecord { side } = FaceRecord::read(bytes);
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
        let hull = HullRecord::read(map.hulls.get(self.hull.index())?);
        let side = SideRecord::read(map.brushes.sides.get(number as usize)?);
        let (_, brush) = map.brushes.brush_of_side(number)?;
        let ahead = |side: &SideRecord| {
            let (normal, dist) = map.side_plane(side);
            (normal, dist + support(&hull, &normal))
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
            && brush.contents & hull.contents != 0;
        is_plane.then(|| {
            let sides = map.brushes.sides_of(&brush).iter();
            let distances = sides.map(|bytes| {
                let (normal, dist) = ahead(&SideRecord::read(bytes));
                dot(&normal, &self.at) - dist
            });
            distances.fold(0.0, f64::max)
        })
    }
}

/// How far a hull's box reaches against a normal from its origin, in units.
fn support(hull: &HullRecord, normal: &[f64; 3]) -> f64 {
    let reach = |axis: usize| {
        let corner = if normal[axis] > 0.0 {
            hull.mins[axis]
        } else {
            hull.maxs[axis]
        };
        -normal[axis] * f64::from(corner)
    };
    reach(0) + reach(1) + reach(2)
}
