//! Converts half-spaces to the corners and faces of a convex solid.
//!
//! In: planes `n . p <= d` in any order, with duplicates, near-duplicates and redundant ones. Out: [`vertices`], or
//! inside the oracle a polytope with one polygon per contributing plane. Method: every plane starts as a large
//! square, which all other planes clip. This is done twice: once about the origin to locate the solid, then about its
//! center with a square barely larger than the solid, so that rounding error is relative to the solid's size. No size
//! threshold drops a thin solid; only one without interior (thinner than about 1e-7 units) counts as empty.

use super::vec3::{V3, add, basis, bounds, cross, dot, lerp, scale, sub};

/// Outward normal and distance: the half-space `n . p <= d`.
pub type Plane = (V3, f64);

/// Solids are cut off at this distance from the origin, so that unbounded input has an answer.
pub const WORLD: f64 = 262_144.0;
/// A point this far outside a plane still counts as on it, in units; far above rounding error.
const ON_PLANE: f64 = 1e-9;
/// Cosine between normals above which planes are treated as near-duplicates.
const NEARLY_PARALLEL: f64 = 0.999;
/// Points closer than this are one vertex.
const SAME_POINT: f64 = 1e-8;
/// The mean of the vertices must be this deep inside every plane, in units.
const INTERIOR: f64 = 1e-7;

/// A bounded convex solid with interior, stored relative to `center`.
#[derive(Clone, Debug)]
pub struct Polytope {
    pub center: V3,
    /// Corners, relative to `center`.
    pub points: Vec<V3>,
    pub faces: Vec<Face>,
}

/// One polygon of a [`Polytope`].
#[derive(Clone, Debug)]
pub struct Face {
    /// Index into the given planes, not counting zero normals; past their end for the world box.
    pub plane: usize,
    /// Unit outward normal.
    pub normal: V3,
    /// Indices into the points, counterclockwise seen from outside.
    pub ring: Vec<usize>,
}

impl Polytope {
    /// Returns the area vector of each face: its normal, with the area as its length.
    pub fn areas(&self) -> Vec<V3> {
        let area = |f: &Face| {
            let ring: Vec<V3> = f.ring.iter().map(|&i| self.points[i]).collect();
            area_vector(&ring)
        };
        self.faces.iter().map(area).collect()
    }

    /// Returns the edges, each once, as indices into the points.
    pub fn edges(&self) -> Vec<(usize, usize)> {
        let mut edges: Vec<(usize, usize)> = Vec::new();
        for face in &self.faces {
            for (i, &a) in face.ring.iter().enumerate() {
                let b = face.ring[(i + 1) % face.ring.len()];
                edges.push((a.min(b), a.max(b)));
            }
        }
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    /// Computes the volume, by the divergence theorem.
    pub fn volume(&self) -> f64 {
        let areas = self.areas();
        let part = |(f, &a): (&Face, &V3)| dot(self.points[f.ring[0]], a) / 3.0;
        self.faces.iter().zip(&areas).map(part).sum()
    }
}

/// Returns the area times the normal of a planar polygon.
pub fn area_vector(polygon: &[V3]) -> V3 {
    let mut sum = [0.0; 3];
    for i in 2..polygon.len() {
        let (a, b) = (sub(polygon[i - 1], polygon[0]), sub(polygon[i], polygon[0]));
        sum = add(sum, scale(cross(a, b), 0.5));
    }
    sum
}

/// Returns the corners of the solid without duplicates, or `None` if the planes leave no interior.
pub fn vertices(planes: &[Plane]) -> Option<Vec<V3>> {
    let solid = polytope(planes)?;
    Some(solid.points.iter().map(|&p| add(p, solid.center)).collect())
}

/// Returns the corners and faces of the solid, or `None` if the planes leave no interior.
pub fn polytope(planes: &[Plane]) -> Option<Polytope> {
    let planes = normalized(planes)?;
    let rough: Vec<V3> = polygons(&planes, 2.0 * WORLD, 1e-6)
        .into_iter()
        .flatten()
        .collect();
    let (lo, hi) = bounds(&rough)?;
    // Whole numbers, so that moving the planes of an axial brush there is exact.
    let center = scale(add(lo, hi), 0.5).map(f64::round);
    let local: Vec<Plane> = planes
        .iter()
        .map(|&(n, d)| (n, d - dot(n, center)))
        .collect();
    let radius = 2.0 + 0.51 * dot(sub(hi, lo), sub(hi, lo)).sqrt();

    let mut points: Vec<V3> = Vec::new();
    let mut faces = Vec::new();
    for (plane, polygon) in polygons(&local, radius, ON_PLANE).iter().enumerate() {
        let mut ring: Vec<usize> = polygon.iter().map(|&p| intern(&mut points, p)).collect();
        ring.dedup();
        while ring.len() > 1 && ring.first() == ring.last() {
            ring.pop();
        }
        if ring.len() >= 3 && !faces.iter().any(|f: &Face| same_set(&f.ring, &ring)) {
            let normal = local[plane].0;
            faces.push(Face {
                plane,
                normal,
                ring,
            });
        }
    }
    let inner = mean(&points)?;
    let deep = local.iter().all(|&(n, d)| d - dot(n, inner) > INTERIOR);
    deep.then_some(Polytope {
        center,
        points,
        faces,
    })
}

/// Returns the planes with unit normals and the six planes of the world box, or `None` for hopeless input.
fn normalized(planes: &[Plane]) -> Option<Vec<Plane>> {
    let mut out = Vec::with_capacity(planes.len() + 6);
    for &(n, d) in planes {
        let finite = n.iter().all(|x| x.is_finite()) && d.is_finite();
        if !finite {
            return None;
        }
        let len = dot(n, n).sqrt();
        if len > 1e-12 {
            out.push((scale(n, 1.0 / len), d / len));
        } else if d <= 0.0 {
            // A zero normal does not depend on the point: either everything is inside, or nothing is.
            return None;
        }
    }
    for k in 0..3 {
        for sign in [1.0, -1.0] {
            let mut n = [0.0; 3];
            n[k] = sign;
            out.push((n, WORLD));
        }
    }
    Some(out)
}

/// Returns for every plane the polygon inside all other planes, which may be empty; reaches `radius` from the origin.
///
/// Of two nearly parallel planes each is clipped by their difference, a well-conditioned plane that is the same for
/// both up to sign, and without tolerance. So their polygons neither overlap nor leave a hole; of equal planes the
/// first wins.
fn polygons(planes: &[Plane], radius: f64, on_plane: f64) -> Vec<Vec<V3>> {
    let mut scratch = Vec::new();
    let mut all = Vec::with_capacity(planes.len());
    for (i, &(n, d)) in planes.iter().enumerate() {
        let (u, v) = basis(n);
        let (u, v) = (scale(u, 2.0 * radius), scale(v, 2.0 * radius));
        let middle = scale(n, d);
        let mut polygon = if d.abs() > 2.0 * radius {
            Vec::new()
        } else {
            vec![
                add(add(middle, u), v),
                add(sub(middle, u), v),
                sub(sub(middle, u), v),
                sub(add(middle, u), v),
            ]
        };
        for (j, &(other, e)) in planes.iter().enumerate() {
            if polygon.is_empty() {
                break;
            }
            if i == j {
                continue;
            }
            if dot(n, other) < NEARLY_PARALLEL {
                clip(&mut polygon, &mut scratch, (other, e), on_plane);
            } else {
                let between = (sub(other, n), e - d);
                let front = |&p: &V3| dot(between.0, p) - between.1 >= 0.0;
                let duplicate = |&p: &V3| dot(between.0, p) - between.1 == 0.0;
                if polygon.iter().all(front) && (j < i || !polygon.iter().all(duplicate)) {
                    polygon.clear();
                } else {
                    clip(&mut polygon, &mut scratch, between, 0.0);
                }
            }
        }
        all.push(polygon);
    }
    all
}

/// Keeps the part of the polygon behind the plane, points within `on_plane` of it unmoved.
fn clip(polygon: &mut Vec<V3>, scratch: &mut Vec<V3>, (n, d): Plane, on_plane: f64) {
    if polygon.iter().all(|&p| dot(n, p) - d <= on_plane) {
        return;
    }
    scratch.clear();
    for (i, &a) in polygon.iter().enumerate() {
        let b = polygon[(i + 1) % polygon.len()];
        let (da, db) = (dot(n, a) - d, dot(n, b) - d);
        if da <= on_plane {
            scratch.push(a);
        }
        // Always cut from the inner end, so that an edge gives the same point in either direction.
        if da < -on_plane && db > on_plane {
            scratch.push(lerp(a, b, da / (da - db)));
        } else if da > on_plane && db < -on_plane {
            scratch.push(lerp(b, a, db / (db - da)));
        }
    }
    std::mem::swap(polygon, scratch);
}

/// Returns the index of a point equal to `p` up to [`SAME_POINT`], which is added if there is none.
fn intern(points: &mut Vec<V3>, p: V3) -> usize {
    let near = |q: &V3| (0..3).all(|k| (q[k] - p[k]).abs() < SAME_POINT);
    points.iter().position(near).unwrap_or_else(|| {
        points.push(p);
        points.len() - 1
    })
}

/// Whether duplicate planes gave the same polygon twice.
fn same_set(a: &[usize], b: &[usize]) -> bool {
    a.len() == b.len() && a.iter().all(|i| b.contains(i))
}

fn mean(points: &[V3]) -> Option<V3> {
    let sum = points.iter().fold([0.0; 3], |s, &p| add(s, p));
    (!points.is_empty()).then(|| scale(sum, 1.0 / points.len() as f64))
}

/// Returns the planes of a box, for callers that build solids by hand.
pub fn box_planes(mins: V3, maxs: V3) -> Vec<Plane> {
    let mut planes = Vec::with_capacity(6);
    for k in 0..3 {
        let mut n = [0.0; 3];
        n[k] = 1.0;
        planes.push((n, maxs[k]));
        planes.push((scale(n, -1.0), -mins[k]));
    }
    planes
}
