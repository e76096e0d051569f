//! Makes the sides of a convex brush from the triangles of a mesh, and proves that the mesh is closed and convex.
//!
//! Corners are rounded to the grid of points; after that, everything is exact. Each face gets a plane on the grid with
//! all corners behind it or on it, so the brush is never smaller than the mesh. A mesh is convex if no plane had to
//! move farther for this than rounding explains ([`MESH_ERROR`]). It is closed if its triangles traverse each edge
//! equally often in both directions. Finally, the corners of the brush are checked: none may stick out of the mesh.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use glam::DVec3;
use nalgebra::Vector3;
use onion_format::WORLD_LIMIT;
use onion_geometry::ExactPlane;
use onion_geometry::grid::{DIST_BITS, NORMAL_BITS, POINT_BITS, POINT_ONE, point};

use crate::parts::{Halfspace, MapSide};
use crate::solid::{ConvexSolid, to_triangle};
use crate::tolerance::{MESH_ERROR, MESH_ROUNDING};

/// A corner on the grid of points.
type Corner = [i64; 3];

/// A triangle of a mesh: its corners in units, counterclockwise from outside, and its surface.
pub(super) type Triangle = ([DVec3; 3], u32);

/// The error about a mesh without a volume.
const FLAT: &str = "it encloses no volume";

/// The sides of a convex mesh, and whether it had to be corrected.
pub(super) struct MeshSides {
    pub(super) sides: Vec<MapSide>,
    /// Whether its faces pointed inward and were flipped.
    pub(super) was_turned: bool,
}

struct Exact {
    corners: [Corner; 3],
    /// Its exact normal, not of unit length.
    normal: Vector3<i128>,
    /// Twice its area, in the precision of `f64`.
    size: f64,
    /// Number of its surface in the map.
    surface: u32,
}

/// Returns the sides of a mesh of these triangles.
///
/// # Errors
/// The reason why the mesh is not a convex brush.
pub(super) fn sides(triangles: &[Triangle]) -> Result<MeshSides, String> {
    let exact = triangles.iter().map(rounded);
    let mut exact = exact.collect::<Result<Vec<_>, _>>()?;
    check_closed(&exact)?;
    let volume = volume(&exact);
    if volume == 0 {
        return Err(FLAT.to_owned());
    }
    let was_turned = volume < 0;
    if was_turned {
        for triangle in &mut exact {
            triangle.corners.swap(1, 2);
            triangle.normal = -triangle.normal;
        }
    }
    let error = mesh_error(&exact);
    let faces = faces(&exact, error)?;
    check_corners(&faces, &exact, error)?;
    let sides = faces.into_iter().map(|(plane, surface)| MapSide {
        halfspace: Halfspace::Behind(plane),
        surface,
    });
    Ok(MeshSides {
        sides: sides.collect(),
        was_turned,
    })
}

/// Returns the distance by which rounding may move faces apart, in units.
fn mesh_error(triangles: &[Exact]) -> f64 {
    let corners = triangles.iter().flat_map(|triangle| triangle.corners);
    let farthest = corners.flatten().map(i64::abs).max().unwrap_or(0);
    MESH_ERROR + MESH_ROUNDING * farthest as f64 / POINT_ONE as f64
}

fn rounded((corners, surface): &Triangle) -> Result<Exact, String> {
    for corner in corners {
        // The condition is true for NaN.
        if !corner.is_finite() || corner.abs().max_element() > WORLD_LIMIT {
            return Err(format!(
                "its corner {corner} is not within {WORLD_LIMIT} units of the origin; move it, or use --scale"
            ));
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

fn wide(corner: Corner) -> Vector3<i128> {
    Vector3::from(corner).map(i128::from)
}

/// Checks that each edge is traversed equally often in both directions.
fn check_closed(triangles: &[Exact]) -> Result<(), String> {
    let mut edges: BTreeMap<[Corner; 2], i64> = BTreeMap::new();
    for Exact { corners, .. } in triangles {
        // Both directions of an edge count under one key, so that they cancel out.
        for at in 0..3 {
            let (from, to) = (corners[at], corners[(at + 1) % 3]);
            *edges.entry([from.min(to), from.max(to)]).or_default() += match from.cmp(&to) {
                Ordering::Less => 1,
                Ordering::Equal => 0,
                Ordering::Greater => -1,
            };
        }
    }
    match edges.into_iter().find(|&(_, count)| count != 0) {
        Some((edge, _)) => {
            let [from, to] = edge.map(shown);
            Err(format!(
                "it is not closed: the edge from {from} to {to} lacks a face on one side; fill the hole"
            ))
        }
        None => Ok(()),
    }
}

fn shown(corner: Corner) -> String {
    let [x, y, z] = in_units(corner).to_array();
    format!("({x} {y} {z})")
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

/// Returns the planes of the faces with their surfaces. The largest triangles come first, and a triangle in the plane
/// of a larger one belongs to its face.
fn faces(triangles: &[Exact], error: f64) -> Result<Vec<(ExactPlane, u32)>, String> {
    let mut corners: Vec<Corner> = triangles.iter().flat_map(|own| own.corners).collect();
    corners.sort_unstable();
    corners.dedup();
    let has_area = |triangle: &&Exact| triangle.normal != Vector3::zeros();
    let mut by_size: Vec<&Exact> = triangles.iter().filter(has_area).collect();
    by_size.sort_by(|a, b| b.size.total_cmp(&a.size));
    let mut faces: Vec<(ExactPlane, u32)> = Vec::new();
    let mut worst = error;
    let mut fault = None;
    for triangle in by_size {
        let is_in = |(plane, _): &(ExactPlane, u32)| {
            let looks_alike = triangle.normal.dot(&plane.normal.map(i128::from)) > 0;
            looks_alike && depth(plane, triangle) <= error
        };
        if faces.iter().any(is_in) {
            continue;
        }
        // All corners are behind the plane or on it, and within the world. Therefore the plane is, too.
        let normal = DVec3::from_array(triangle.normal.map(|component| component as f64).into());
        let plane = ExactPlane::around(normal.normalize(), corners.iter().copied()).ok_or(FLAT)?;
        let by = depth(&plane, triangle);
        if by > worst {
            let farthest = corners.iter().min_by_key(|&&corner| below(&plane, corner));
            worst = by;
            fault = Some(format!(
                "it is not convex: its corner {} is {by:.6} units in front of the face at {}; make its convex hull, \
                 or split it",
                shown(*farthest.unwrap_or(&triangle.corners[0])),
                shown(triangle.corners[0])
            ));
        }
        faces.push((plane, triangle.surface));
    }
    fault.map_or(Ok(faces), Err)
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
fn check_corners(
    faces: &[(ExactPlane, u32)],
    triangles: &[Exact],
    error: f64,
) -> Result<(), String> {
    let brush = ConvexSolid::new(faces.iter().map(|(plane, _)| *plane)).ok_or(FLAT)?;
    let triangles = triangles.iter().map(|own| own.corners.map(in_units));
    let triangles: Vec<[DVec3; 3]> = triangles.collect();
    for at in brush.corners {
        // Most corners of the brush are corners of the mesh, which is a quicker test.
        let mut corners = triangles.as_flattened().iter();
        if corners.any(|corner| at.distance(*corner) <= error) {
            continue;
        }
        let distances = triangles.iter().map(|&triangle| to_triangle(triangle, at));
        let by = distances.fold(f64::INFINITY, f64::min);
        if by > error {
            return Err(format!(
                "its faces are too narrow: their planes meet at {at}, {by:.6} units outside of it; merge corners that \
                 are near to each other"
            ));
        }
    }
    Ok(())
}

fn in_units(corner: Corner) -> DVec3 {
    DVec3::from_array(corner.map(|at| at as f64 / POINT_ONE as f64))
}
