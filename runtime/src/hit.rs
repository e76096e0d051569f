//! Hits: finds the brush, side and surface that a trace met. The nodes of the tree store the sides that have faces in
//! their planes and cells. At the border of a cell, or if a trace meets several planes at once, probes around the hit
//! decide between the sides. The trace itself does not touch this data.

use onion_format::{
    Child, DIST_ONE, HULL_ONE, HitAt, HitTest, HullRecord, MAX_DEPTH, NORMAL_ONE, NodePlane,
    PlaneRecord, PrismRecord,
};

use crate::error::Unsupported;
use crate::file::brushes::{Brush, Side};
use crate::file::hull::HullId;
use crate::file::records::Records;
use crate::file::stack::Stack;
use crate::math::coordinate::{Coordinate, widened};
use crate::math::plane::{distance, unit_normal};
use crate::math::probes::probes;
use crate::math::segment::{longest_step, point_at};
use crate::math::vector::{along, dot, opposite};
use crate::model::Model;
use crate::tolerance::{NEAR, ON_PLANE, PLACE_ROUNDING, PROBES};
use crate::trace::Trace;
use crate::walk::descend::is_solid_at;

/// The brush and the side that a trace hit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit<'a> {
    /// The brush.
    pub brush: Brush,
    /// The side in whose plane the hull was stopped.
    pub side: Side<'a>,
}

impl<'a> Model<'a> {
    /// Returns the brush and side that a trace of a hull in this model hit, or `None` if it hit nothing, or if the
    /// hull belongs to another map.
    ///
    /// If faces of several brushes coincide, the hit is the one of the lowest-numbered brush. At edges and corners,
    /// bevels stop a hull. The side is then the face that the bevel belongs to (of the faces at the edge or corner,
    /// the one with the nearest normal), and [`Side::is_bevel`] is set. A patch is named by its surface. The call
    /// takes about as long as a short trace, longer at the borders of faces.
    ///
    /// # Errors
    /// [`Unsupported::NoHitData`] if the file was compiled without surfaces.
    pub fn hit<T: Coordinate>(
        &self,
        hull: HullId,
        trace: &Trace<T>,
    ) -> Result<Option<Hit<'a>>, Unsupported> {
        if !self.map.has_hit_data() {
            return Err(Unsupported::NoHitData);
        }
        Ok(self.hit_of(hull, trace))
    }

    /// Returns the brush, side and surface that a trace met, or `None` if it met nothing or the file names no face
    /// there. The trace must be one of this model and hull.
    fn hit_of<T: Coordinate>(&self, hull: HullId, trace: &Trace<T>) -> Option<Hit<'a>> {
        let record = self.map.hull_record(hull)?;
        let plane = trace.plane?;
        // A trace of another map may name any plane.
        self.map.planes.get(plane.number as usize)?;
        let segment = [widened(trace.start), widened(trace.end)];
        let search = FaceSearch {
            model: self,
            root: self.map.root_of(self.index, hull),
            hull,
            contents: record.contents,
            normal: widened(plane.normal),
        };
        let at = point_at(&segment, trace.hit_fraction);
        // The longer the segment, the farther off its points are rounded.
        let near = NEAR + longest_step(&segment) * PLACE_ROUNDING;
        let face = search.face(plane.number, &at, near)?;
        let record_of_plane = self.map.plane(face.plane);
        let sides = self.map.prism_of(hull.index());
        let moved_back = moved_back(&record_of_plane, face.looks_front, &record, sides);
        let brush = self.map.brush_of_side(face.hit.index())?;
        Some(Hit {
            brush: self.map.brush(brush)?,
            side: (self.map).side(face.hit.index(), face.hit.is_bevel(), moved_back)?,
        })
    }
}

/// Returns the plane of a side, facing outward, as normal and distance: the plane of a node moved back by the hull's
/// support. The support is rounded up to the grid of distances, as the compiler does it.
fn moved_back(
    plane: &PlaneRecord,
    looks_front: bool,
    hull: &HullRecord,
    sides: Records<'_, PrismRecord>,
) -> ([f64; 3], f64) {
    // In whole numbers, so that the plane is the compiler's to the last bit; products are at most some 2^53.
    let outward = if looks_front { 1 } else { -1 };
    let grid = |units: f32| (units * HULL_ONE) as i64;
    let of_box = [0, 1, 2].map(|axis| {
        let normal = -outward * i64::from(plane.normal[axis]);
        let [mins, maxs] = [hull.mins, hull.maxs].map(|corner| normal * grid(corner[axis]));
        [mins.max(maxs), mins + maxs]
    });
    let [[x, twice_x], [y, twice_y], [z, _]] = of_box;
    let across = sides.iter().map(|side| {
        let along = [0, 1].map(|axis| i64::from(plane.normal[axis]) * grid(side.half[axis]));
        (along[0] + along[1]).abs()
    });
    // A prism reaches from its center as far as the halves of its sides do.
    let reach = if sides.is_empty() {
        x + y + z
    } else {
        (twice_x + twice_y) / 2 + across.sum::<i64>() + z
    };
    // Normals are multiples of 2^-30, corners of 2^-11, distances of 2^-36 units.
    const STEP: i64 = (NORMAL_ONE as f64 * HULL_ONE as f64 / DIST_ONE) as i64;
    let support = divided_up(reach, STEP);
    let dist = outward * (plane.dist * DIST_ONE) as i64 - support;
    let normal = unit_normal(plane);
    let normal = if looks_front {
        normal
    } else {
        opposite(normal)
    };
    (normal, dist as f64 / DIST_ONE)
}

/// Divides a number by a positive one and rounds up.
fn divided_up(number: i64, by: i64) -> i64 {
    let opposite = (-number).div_euclid(by);
    -opposite
}

/// The parameters of a search for a face.
struct FaceSearch<'a> {
    /// The model that the trace was made in.
    model: &'a Model<'a>,
    /// The tree of the hull's group, or a leaf in its place.
    root: Child,
    /// The hull that was traced, by whose box or prism faces are moved outward.
    hull: HullId,
    /// Contents that block the hull.
    contents: u32,
    /// Normal of the plane that was hit; a face that faces away from it is not the one that was hit.
    normal: [f64; 3],
}

/// A face of a side at a point.
#[derive(Clone, Copy)]
struct FaceAt {
    /// The side, or one of its bevels.
    hit: HitAt,
    /// Number of the plane that contains it.
    plane: u32,
    /// Whether it faces the front of that plane.
    looks_front: bool,
    /// Whether no other face is as near.
    is_sure: bool,
}

impl FaceSearch<'_> {
    /// Returns the face at a point where a plane was hit. The point counts as on both sides of planes within `near`.
    fn face(&self, plane: u32, at: &[f64; 3], near: f64) -> Option<FaceAt> {
        // The face at the point itself counts if no other plane is as near.
        let there = self.face_in(plane, at, near);
        let sure = there.filter(|face| face.is_sure);
        // Where several planes are crossed at once, a trace may name one that has no face there.
        sure.or_else(|| Some(self.face_around(plane, at)?.1))
            .or_else(|| self.face_in_any(at, near))
            .or(there)
    }

    /// Returns the face in a plane at a point. If there are several candidates, the one of the lowest-numbered side
    /// is returned.
    fn face_in(&self, plane: u32, at: &[f64; 3], near: f64) -> Option<FaceAt> {
        let mut found: Option<FaceAt> = None;
        self.visit(at, near, |node, own| {
            if own != plane {
                return false;
            }
            if let Some(next) = self.face_of(node, plane, at, near) {
                let is_same = |face: FaceAt| face.is_sure && next.is_sure && face.hit == next.hit;
                let lowest = first(found, next);
                let is_sure = next.is_sure && found.is_none_or(is_same);
                found = Some(FaceAt { is_sure, ..lowest });
            }
            // Below this node, its plane bounds all cells.
            true
        });
        found
    }

    /// Returns the first face in a plane that probes around a point find, with the number of probes that find any.
    fn face_around(&self, plane: u32, at: &[f64; 3]) -> Option<(usize, FaceAt)> {
        let normal = unit_normal(&self.model.map.plane(plane));
        // Toward where the trace came from: a face has empty space there, and solid behind.
        let outward = if self.looks_front(&normal) {
            normal
        } else {
            opposite(normal)
        };
        // The close probe first: it sees faces that are smaller than the reach of the wide one, which is asked only
        // where the close one finds none.
        PROBES.iter().rev().find_map(|probe| {
            let is_solid = |point, ahead| {
                let point = along(point, &outward, ahead);
                is_solid_at(&self.model.map, self.root, self.hull.bit, &point)
            };
            let around = probes(at, &normal, probe.around);
            let points = around
                .iter()
                .filter(|point| is_solid(point, -probe.ahead) && !is_solid(point, probe.ahead));
            let faces = points.filter_map(|point| self.face_in(plane, point, ON_PLANE));
            faces.fold(None, |best, next| {
                let (count, face) = best.unwrap_or((0, next));
                Some((count + 1, first(Some(face), next)))
            })
        })
    }

    /// Returns the face in any plane at a point: in the plane with a face at the most probes.
    fn face_in_any(&self, at: &[f64; 3], near: f64) -> Option<FaceAt> {
        let mut best: Option<(usize, FaceAt)> = None;
        self.visit(at, near, |_, plane| {
            let record = self.model.map.plane(plane);
            if distance(&record, at).abs() <= near {
                let around = self.face_around(plane, at);
                let is_better = |(count, face): (usize, FaceAt)| {
                    best.is_none_or(|(most, other)| {
                        count > most || count == most && face.hit.index() < other.hit.index()
                    })
                };
                best = around.filter(|&around| is_better(around)).or(best);
            }
            false
        });
        Some(best?.1)
    }

    /// Visits the nodes whose cells contain a point or are within `near` of it, with the numbers of their planes.
    /// Skips everything below a node for which `ends` returns true.
    fn visit(&self, point: &[f64; 3], near: f64, mut ends: impl FnMut(u32, u32) -> bool) {
        let map = &self.model.map;
        // Each node of a path pushes one entry, so a stack of the maximum depth always has room.
        let mut stored = [self.root; MAX_DEPTH];
        let mut pending = Stack::on(&mut stored);
        let mut at = Some(self.root);
        while let Some(child) = at.take().or_else(|| pending.pop()) {
            if child.is_leaf() {
                continue;
            }
            let node = map.node(child.index());
            if ends(child.index(), NodePlane(node.plane).index()) {
                continue;
            }
            let ahead = distance(&map.plane_of(&node), point);
            let [front, back] = node.children(child.index());
            // A point near the plane counts as on both sides: the front is next, the back waits.
            at = Some(if ahead >= -near { front } else { back });
            if ahead.abs() <= near {
                pending.push(back);
            }
        }
    }

    /// Returns the face in the plane of a node at a point, or `None` if no brush that blocks the hull has one there.
    fn face_of(&self, node: u32, plane: u32, at: &[f64; 3], near: f64) -> Option<FaceAt> {
        let map = &self.model.map;
        let looks_front = self.looks_front(&unit_normal(&map.plane(plane)));
        let mut hit = HitAt(map.hits().get(node as usize)?.hit);
        let mut is_sure = true;
        // A choice has a higher number than the choices that it leads to. If the bytes have changed since loading
        // checked them, one may not: then nothing is hit.
        let mut choices = map.choices().len() as u32;
        while hit.is_choice() {
            if hit.index() >= choices {
                return None;
            }
            choices = hit.index();
            let choice = map.choices().get(hit.index() as usize)?;
            let is_first = match HitTest::from_bits(choice.test)? {
                HitTest::Plane(number) => {
                    let ahead = distance(&map.plane(number), at);
                    // So near to the plane between two faces, the point may belong to either.
                    is_sure &= ahead.abs() > near;
                    ahead >= 0.0
                }
                HitTest::Hull(number) => self.hull.index() < number as usize,
                HitTest::Look => looks_front,
            };
            let [first, second] = choice.hits;
            hit = HitAt(if is_first { first } else { second });
        }
        if hit.is_nothing() {
            return None;
        }
        let brush = map.brush_of_side(hit.index())?;
        let brush = map.brushes().get(brush as usize)?;
        // The hulls of a group share nodes, and brushes with other contents may have faces in them.
        (brush.contents & self.contents != 0).then_some(FaceAt {
            hit,
            plane,
            looks_front,
            is_sure,
        })
    }

    /// Whether the face that was hit faces the front of a plane with this normal.
    fn looks_front(&self, normal: &[f64; 3]) -> bool {
        dot(normal, &self.normal) > 0.0
    }
}

/// Returns the one of two faces whose side has the lower number.
fn first(found: Option<FaceAt>, next: FaceAt) -> FaceAt {
    match found {
        Some(face) if face.hit.index() <= next.hit.index() => face,
        _ => next,
    }
}
