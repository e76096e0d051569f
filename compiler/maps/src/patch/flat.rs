//! Converts a flat patch to plates. The patch is the polygon that its border encloses, however its parameters run
//! inside; a few convex polygons cover this polygon, and each becomes a plate. A patch is not converted if it is not
//! flat, its border intersects itself or has too many corners, or the surface reaches beyond the border.

use std::ops::Range;

use glam::{DVec2, DVec3};
use onion_geometry::{ExactPlane, grid};

use super::border::outline;
use super::mesh::{CHAIN, THICKNESS};
use super::polygon::{ConvexHull, Polygon};
use super::surface::{Net, PatchSurface, places, quartered, quarters};
use crate::tolerance::OVERLAP;

/// Maximum number of corners of a border: the time for dividing it grows with the third power of their number.
const MAX_CORNERS: usize = 256;

/// Maximum number of times that a part of a span is quartered to prove that it is within the border.
const MAX_HALVINGS: usize = 10;

/// A plane with a coordinate system in it.
struct Frame {
    /// The point of the plane at (0, 0).
    origin: DVec3,
    /// Unit normal, on the visible side.
    normal: DVec3,
    /// Unit vectors in the plane; with the normal, they are right-handed.
    axes: [DVec3; 2],
}

/// The border of a block of spans.
struct FlatBorder {
    /// The plane of the border.
    frame: Frame,
    /// The spans of the block: columns and rows.
    block: [Range<usize>; 2],
    /// Corners on the grid of points, counterclockwise seen from the visible side.
    corners: Vec<DVec3>,
    /// Upper bound on the distance of control points from the plane, in units.
    off: f64,
}

/// Returns the pieces of a flat patch, each as its planes, within `error` units of the patch, or `None` if the patch
/// cannot be converted.
pub fn pieces(surface: &PatchSurface, error: f64) -> Option<Vec<Vec<ExactPlane>>> {
    block_pieces(surface, surface.n_spans.map(|n_spans| 0..n_spans), error)
}

/// Returns the pieces of a block of spans. If its border intersects itself, as that of a ring does, the block is
/// halved.
fn block_pieces(
    surface: &PatchSurface,
    block: [Range<usize>; 2],
    error: f64,
) -> Option<Vec<Vec<ExactPlane>>> {
    let border = FlatBorder::new(surface, &block, error)?;
    if let Some(pieces) = border.pieces(surface, error) {
        return Some(pieces);
    }
    let axis = usize::from(block[0].len() < block[1].len());
    let Range { start, end } = block[axis];
    if end - start < 2 {
        return None;
    }
    let [first, second] = [start..(start + end) / 2, (start + end) / 2..end].map(|part| {
        let mut block = block.clone();
        block[axis] = part;
        block_pieces(surface, block, error)
    });
    Some([first?, second?].concat())
}

impl FlatBorder {
    /// Returns a block of spans whose border, to within a small part of the error, is a polygon in a plane. Returns
    /// `None` if the patch is not flat, folds over, or has too few or too many corners.
    fn new(surface: &PatchSurface, block: &[Range<usize>; 2], error: f64) -> Option<Self> {
        let mut corners = outline(surface, block, error * CHAIN);
        if !(3..=MAX_CORNERS).contains(&corners.len()) {
            return None;
        }
        let origin = corners[0];
        let pairs = corners.windows(2);
        // The sum of a fan is normal to the polygon even where single corners are in a line.
        let area: DVec3 = pairs
            .map(|pair| (pair[0] - origin).cross(pair[1] - origin))
            .sum();
        let up = area.try_normalize()?;
        let side = up.dot(surface.normals().sum());
        let normal = if side < 0.0 { -up } else { up };
        if side < 0.0 {
            corners.reverse();
        }
        let across = normal.any_orthonormal_vector();
        let frame = Frame {
            origin,
            normal,
            axes: [across, normal.cross(across)],
        };
        let offs = surface
            .points()
            .map(|point| (point - origin).dot(normal).abs());
        let off = offs.fold(0.0, f64::max);
        // Where the patch folds over, the space behind one layer is in front of another layer.
        let is_folded = surface.normals().any(|own| own.dot(normal) < 0.0);
        let is_near = !is_folded || (error * (1.0 - CHAIN)).hypot(THICKNESS) <= error;
        (off <= error * CHAIN && is_near).then_some(Self {
            frame,
            corners,
            block: block.clone(),
            off,
        })
    }

    /// Returns the pieces, or `None` if the border intersects itself or the surface reaches beyond it.
    fn pieces(&self, surface: &PatchSurface, error: f64) -> Option<Vec<Vec<ExactPlane>>> {
        let corners = self.corners.iter().map(|&corner| self.frame.place(corner));
        let polygon = Polygon::new(corners.collect())?;
        // The part that remains after the distances of surface and border from the plane and from each other.
        let error = error * (1.0 - CHAIN) - 2.0 * self.off - OVERLAP;
        let hulls = polygon.hulls(error)?;
        let cover = ConvexCover {
            polygon: &polygon,
            hulls: &hulls,
            error,
        };
        let in_plane = |point| self.frame.place(point).extend(0.0);
        let [columns, rows] = self.block.clone();
        let mut nets = places(columns, rows).map(|span| surface.net(span).map(in_plane));
        if !nets.all(|net| cover.holds(&net, MAX_HALVINGS)) {
            return None;
        }
        let pieces = hulls.iter().map(|hull| self.piece(&polygon, hull, error));
        pieces.collect()
    }

    /// Returns the planes of the plate behind a convex polygon.
    fn piece(&self, polygon: &Polygon, hull: &ConvexHull, error: f64) -> Option<Vec<ExactPlane>> {
        let points = hull.members.iter().map(|&number| self.corners[number]);
        let plane = |normal: DVec3, beyond: f64| {
            let moved = points.clone().map(|point| point + normal * beyond);
            ExactPlane::supporting(normal, moved.map(|point| point.to_array().map(grid::point)))
        };
        let edges = polygon.edges_of(hull, error - hull.dent).into_iter();
        let edges = edges.map(|[from, to]| {
            let edge = polygon.corner(to) - polygon.corner(from);
            let is_border = polygon.after(from) == to;
            plane(
                self.frame.outward(edge),
                if is_border { OVERLAP } else { 0.0 },
            )
        });
        let normal = self.frame.normal;
        let faces = [plane(normal, 0.0), plane(-normal, THICKNESS)];
        faces.into_iter().chain(edges).collect()
    }
}

/// Convex polygons that cover the border's polygon, with the permitted distance of the surface from them.
struct ConvexCover<'a> {
    /// The border in the coordinates of its plane.
    polygon: &'a Polygon,
    /// The convex polygons, which together hold the whole border.
    hulls: &'a [ConvexHull],
    /// The permitted distance, in units.
    error: f64,
}

impl ConvexCover<'_> {
    /// Whether a part of a surface is within the error of the cover. It is if its control points are, for one convex
    /// polygon; if the border is at least as far from their middle as they are; or if its quarters are within the
    /// error.
    fn holds(&self, net: &Net, halvings: usize) -> bool {
        let control = quartered(net);
        let places = control.map(|point| point.truncate());
        let is_near = |hull: &ConvexHull| {
            let near = |&place: &DVec2| self.polygon.outside(hull, place) + hull.dent <= self.error;
            places.iter().all(near)
        };
        // The middle of the 25 control points of the quarters; a part around it that is smaller than its depth is
        // inside.
        let middle = places[12];
        let reach = || {
            let distances = places.iter().map(|place| place.distance(middle));
            distances.fold(0.0, f64::max)
        };
        let mut hulls = self.hulls.iter();
        if hulls.any(is_near) || reach() <= self.polygon.depth(middle) + self.error {
            return true;
        }
        halvings > 0
            && quarters(&control)
                .iter()
                .all(|quarter| self.holds(quarter, halvings - 1))
    }
}

impl Frame {
    /// Returns the coordinates in the plane of the point of it that is nearest to a point.
    fn place(&self, point: DVec3) -> DVec2 {
        let [x, y] = self.axes.map(|axis| (point - self.origin).dot(axis));
        DVec2::new(x, y)
    }

    /// Returns the unit vector to the right of an edge, which points outward.
    fn outward(&self, edge: DVec2) -> DVec3 {
        (self.axes[0] * edge.y - self.axes[1] * edge.x).normalize_or_zero()
    }
}
