//! Makes the sides of a convex brush from the triangles of a mesh, and proves that the mesh is closed and convex.
//!
//! Corners are rounded to the grid of points; after that, everything is exact. Each face gets a plane on the grid
//! with all corners behind it or on it, so the brush is never smaller than the mesh. A mesh is convex if no plane had
//! to move farther for this than rounding explains ([`MESH_ERROR`]). It is closed if its triangles traverse each edge
//! equally often in both directions. Finally, the corners of the brush are checked: none may stick out of the mesh.

use std::collections::BTreeMap;
use std::fmt;

use glam::DVec3;
use nalgebra::Vector3;
use onion_format::WORLD_LIMIT;
use onion_geometry::grid::{DIST_BITS, NORMAL_BITS, POINT_BITS, POINT_ONE, point};
use onion_geometry::{Bounds, Cell, ExactPlane, PlaneId, PlaneSet};

use crate::parts::{Halfspace, MapSide};
use crate::tolerance::{MESH_ERROR, MESH_ROUNDING};

/// A corner on the grid of points.
type Corner = [i64; 3];

/// A triangle of a mesh: its corners in units, counterclockwise from outside, and its surface.
pub(super) type Triangle = ([DVec3; 3], u32);

/// The sides of a convex mesh, with what was odd about it.
pub(super) struct Sides {
    pub(super) sides: Vec<MapSide>,
    /// Whether its faces pointed inward and were flipped.
    pub(super) was_turned: bool,
}

/// The reason why a mesh is not a convex brush.
#[derive(Debug)]
pub(super) enum Fault {
    Outside(DVec3),
    Flat,
    Open([Corner; 2]),
    /// `corner` is `by` units in front of a face that has the corner `face`.
    Dented {
        corner: Corner,
        face: Corner,
        by: f64,
    },
    /// The planes of the faces meet at a point `by` units away from the mesh.
    SticksOut {
        at: DVec3,
        by: f64,
    },
}

/// A face of the brush: its plane and its surface.
struct Face {
    plane: ExactPlane,
    surface: u32,
}

impl From<Face> for MapSide {
    fn from(face: Face) -> Self {
        Self {
            halfspace: Halfspace::Behind(face.plane),
            surface: face.surface,
        }
    }
}

/// A triangle on the grid.
struct Exact {
    corners: [Corner; 3],
    /// Its exact normal, not of unit length.
    normal: Vector3<i128>,
    /// Twice its area, in the precision of `f64`.
    size: f64,
    surface: u32,
}

/// Returns the sides of a mesh of these triangles.
pub(super) fn sides(triangles: &[Triangle]) -> Result<Sides, Fault> {
    let mut exact = triangles
        .iter()
        .map(rounded)
        .collect::<Result<Vec<_>, _>>()?;
    check_closed(&exact)?;
    let volume = volume(&exact);
    if volume == 0 {
        return Err(Fault::Flat);
    }
    let was_turned = volume < 0;
    if was_turned {
        exact.iter_mut().for_each(Exact::turn);
    }
    let error = mesh_error(&exact);
    let faces = faces(&exact, error)?;
    check_corners(&faces, &exact, error)?;
    Ok(Sides {
        sides: faces.into_iter().map(MapSide::from).collect(),
        was_turned,
    })
}

/// Returns the distance by which rounding may move faces apart, in units.
fn mesh_error(triangles: &[Exact]) -> f64 {
    let corners = triangles.iter().flat_map(|triangle| triangle.corners);
    let farthest = corners.flatten().map(i64::abs).max().unwrap_or(0);
    MESH_ERROR + MESH_ROUNDING * farthest as f64 / POINT_ONE as f64
}

fn rounded((corners, surface): &Triangle) -> Result<Exact, Fault> {
    for corner in corners {
        let is_inside = corner.abs().max_element() <= WORLD_LIMIT;
        // Written so that NaN fails.
        if !corner.is_finite() || !is_inside {
            return Err(Fault::Outside(*corner));
        }
    }
    let corners = corners.map(|corner| corner.to_array().map(point));
    let [a, b, c] = corners.map(wide);
    let normal = (b - a).cross(&(c - a));
    Ok(Exact {
        corners,
        normal,
        size: normal.map(|component| component as f64).norm(),
        surface: *surface,
    })
}

impl Exact {
    fn turn(&mut self) {
        self.corners.swap(1, 2);
        self.normal = -self.normal;
    }
}

fn wide(corner: Corner) -> Vector3<i128> {
    Vector3::from(corner).map(i128::from)
}

/// Checks that each edge is traversed equally often in both directions.
fn check_closed(triangles: &[Exact]) -> Result<(), Fault> {
    let mut edges: BTreeMap<[Corner; 2], i64> = BTreeMap::new();
    for Exact { corners, .. } in triangles {
        for at in 0..3 {
            let (from, to) = (corners[at], corners[(at + 1) % 3]);
            let (edge, way) = if from < to {
                ([from, to], 1)
            } else {
                ([to, from], -1)
            };
            *edges.entry(edge).or_default() += if from == to { 0 } else { way };
        }
    }
    match edges.into_iter().find(|&(_, count)| count != 0) {
        Some((edge, _)) => Err(Fault::Open(edge)),
        None => Ok(()),
    }
}

/// Returns six times the volume, negative if the faces point inward.
fn volume(triangles: &[Exact]) -> i128 {
    let Some(first) = triangles.first() else {
        return 0;
    };
    let origin = wide(first.corners[0]);
    let part = |triangle: &Exact| (wide(triangle.corners[0]) - origin).dot(&triangle.normal);
    triangles.iter().map(part).sum()
}

/// Returns the faces. The largest triangles come first, and a triangle in the plane of a larger one belongs to its
/// face.
fn faces(triangles: &[Exact], error: f64) -> Result<Vec<Face>, Fault> {
    let corners = distinct_corners(triangles);
    let mut faces: Vec<Face> = Vec::new();
    let mut worst = 0.0;
    let mut fault = None;
    for triangle in by_size(triangles) {
        let is_in = |face: &Face| {
            let looks_alike = triangle.normal.dot(&face.plane.normal.map(i128::from)) > 0;
            looks_alike && depth(&face.plane, triangle) <= error
        };
        if faces.iter().any(is_in) {
            continue;
        }
        let plane = plane_around(triangle, &corners)?;
        let by = depth(&plane, triangle);
        if by > error && by > worst {
            let farthest = corners.iter().min_by_key(|&&corner| below(&plane, corner));
            worst = by;
            fault = Some(Fault::Dented {
                corner: *farthest.unwrap_or(&triangle.corners[0]),
                face: triangle.corners[0],
                by,
            });
        }
        faces.push(Face {
            plane,
            surface: triangle.surface,
        });
    }
    fault.map_or(Ok(faces), Err)
}

/// Returns the triangles that have an area, the largest first.
fn by_size(triangles: &[Exact]) -> Vec<&Exact> {
    let has_area = |triangle: &&Exact| triangle.normal != Vector3::zeros();
    let mut by_size: Vec<&Exact> = triangles.iter().filter(has_area).collect();
    by_size.sort_by(|a, b| b.size.total_cmp(&a.size));
    by_size
}

fn distinct_corners(triangles: &[Exact]) -> Vec<Corner> {
    let mut corners: Vec<Corner> = triangles.iter().flat_map(|own| own.corners).collect();
    corners.sort_unstable();
    corners.dedup();
    corners
}

/// Returns the plane with a triangle's normal that has all corners behind it or on it.
fn plane_around(triangle: &Exact, corners: &[Corner]) -> Result<ExactPlane, Fault> {
    let normal = DVec3::from_array(triangle.normal.map(|component| component as f64).into());
    let plane = ExactPlane::around(normal.normalize(), corners.iter().copied());
    // Corners are within the world, and therefore so are their planes.
    plane.ok_or(Fault::Flat)
}

/// Returns the distance of a corner below a plane, in units of the grids of normals and points.
fn below(plane: &ExactPlane, corner: Corner) -> i128 {
    let dist = i128::from(plane.dist) << (NORMAL_BITS + POINT_BITS - DIST_BITS);
    dist - plane.normal.map(i128::from).dot(&wide(corner))
}

/// Returns the distance of a triangle's lowest corner below a plane, in units.
fn depth(plane: &ExactPlane, triangle: &Exact) -> f64 {
    let depths = triangle.corners.map(|corner| below(plane, corner));
    let deepest = depths.into_iter().max().unwrap_or(0);
    deepest as f64 / (1u64 << (NORMAL_BITS + POINT_BITS)) as f64
}

/// Checks that no corner of the brush is farther from the mesh than rounding explains.
fn check_corners(faces: &[Face], triangles: &[Exact], error: f64) -> Result<(), Fault> {
    let mut planes = PlaneSet::default();
    let limit = DVec3::splat(WORLD_LIMIT);
    let world = Bounds {
        mins: -limit,
        maxs: limit,
    }
    .insert_planes(&mut planes);
    let ids: Vec<PlaneId> = faces.iter().map(|face| planes.insert(face.plane)).collect();
    let cell = Cell::from_planes(&planes, world, ids).ok_or(Fault::Flat)?;
    let corners = triangles.iter().flat_map(|own| own.corners);
    let corners: Vec<DVec3> = corners.map(in_units).collect();
    for vertex in cell.vertices() {
        let at = vertex.position;
        // Most are at a corner of the mesh, which takes less time to check.
        if corners.iter().any(|corner| at.distance(*corner) <= error) {
            continue;
        }
        let (triangles, _) = corners.as_chunks::<3>();
        let distances = triangles.iter().map(|triangle| distance(at, *triangle));
        let by = distances.fold(f64::INFINITY, f64::min);
        if by > error {
            return Err(Fault::SticksOut { at, by });
        }
    }
    Ok(())
}

fn in_units(corner: Corner) -> DVec3 {
    DVec3::from_array(corner.map(|at| at as f64 / POINT_ONE as f64))
}

/// Returns the distance of a point from a triangle (Ericson, Real-Time Collision Detection, 5.1.5): the nearest point
/// is in the triangle if it is on the inner side of all its edges, and otherwise on one of them.
fn distance(point: DVec3, [a, b, c]: [DVec3; 3]) -> f64 {
    let normal = (b - a).cross(c - a);
    let is_inner = |from: DVec3, to: DVec3| (to - from).cross(point - from).dot(normal) >= 0.0;
    if normal != DVec3::ZERO && is_inner(a, b) && is_inner(b, c) && is_inner(c, a) {
        return (point - a).dot(normal.normalize()).abs();
    }
    let to_edge = |from: DVec3, to: DVec3| {
        let edge = to - from;
        let along = (point - from).dot(edge) / edge.length_squared();
        let along = if along.is_nan() {
            0.0
        } else {
            along.clamp(0.0, 1.0)
        };
        point.distance(from + edge * along)
    };
    to_edge(a, b).min(to_edge(b, c)).min(to_edge(c, a))
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = |corner: &Corner| {
            let [x, y, z] = corner.map(|at| at as f64 / POINT_ONE as f64);
            format!("({x} {y} {z})")
        };
        match self {
            Self::Outside(at) => write!(
                f,
                "its corner {at} is not within {WORLD_LIMIT} units of the origin; move it, or use --scale"
            ),
            Self::Flat => f.write_str("it encloses no volume"),
            Self::Open([from, to]) => write!(
                f,
                "it is not closed: the edge from {} to {} lacks a face on one side; fill the hole",
                place(from),
                place(to)
            ),
            Self::Dented { corner, face, by } => write!(
                f,
                "it is not convex: its corner {} is {by:.6} units in front of the face at {}; make its convex hull, \
                 or split it",
                place(corner),
                place(face)
            ),
            Self::SticksOut { at, by } => write!(
                f,
                "its faces are too narrow: their planes meet at {at}, {by:.6} units outside of it; merge corners that \
                 are near to each other"
            ),
        }
    }
}
