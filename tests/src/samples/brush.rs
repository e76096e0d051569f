//! Makes convex brushes from their corners.
//!
//! In: a handful of corner points (whole numbers, or dyadic fractions for boxes).
//! Out: the faces of their convex hull, each with an outward unit normal, a distance and its
//! corners clockwise as seen from outside, which is how Quake III orders them.

pub use crate::oracle::vec3::V3 as Vec3;
use crate::oracle::vec3::add;
pub(super) use crate::oracle::vec3::{cross, dot, sub};

/// One face of a brush: the brush lies where `normal . p <= dist`.
#[derive(Clone, Debug)]
pub struct Face {
    /// Unit normal, pointing out of the brush.
    pub normal: Vec3,
    /// Distance of the plane from the origin along the normal.
    pub dist: f64,
    /// Corners, clockwise seen from outside.
    pub winding: Vec<Vec3>,
}

/// A convex solid.
#[derive(Clone, Debug)]
pub struct Brush {
    /// Least coordinates.
    pub mins: Vec3,
    /// Greatest coordinates.
    pub maxs: Vec3,
    /// The corners.
    pub corners: Vec<Vec3>,
    /// The real faces (no bevels).
    pub faces: Vec<Face>,
}

/// Negates a vector without making negative zeros.
pub(super) fn neg(a: Vec3) -> Vec3 {
    a.map(|x| if x == 0.0 { 0.0 } else { -x })
}

impl Brush {
    /// Makes an axial box.
    pub fn cuboid(mins: Vec3, maxs: Vec3) -> Brush {
        let mut points = Vec::new();
        for i in 0..8 {
            let pick = |axis: usize| {
                if i >> axis & 1 == 0 {
                    mins[axis]
                } else {
                    maxs[axis]
                }
            };
            points.push([pick(0), pick(1), pick(2)]);
        }
        Brush::hull(&points)
    }

    /// Makes a column over a convex outline in the x-y plane.
    pub fn column(outline: &[[f64; 2]], z0: f64, z1: f64) -> Brush {
        let mut points = Vec::new();
        for z in [z0, z1] {
            points.extend(outline.iter().map(|p| [p[0], p[1], z]));
        }
        Brush::hull(&points)
    }

    /// Makes a bar along x over a convex outline in the y-z plane.
    pub fn bar_x(outline: &[[f64; 2]], x0: f64, x1: f64) -> Brush {
        let mut points = Vec::new();
        for x in [x0, x1] {
            points.extend(outline.iter().map(|p| [x, p[0], p[1]]));
        }
        Brush::hull(&points)
    }

    /// Makes a bar along y over a convex outline in the x-z plane.
    pub fn bar_y(outline: &[[f64; 2]], y0: f64, y1: f64) -> Brush {
        let mut points = Vec::new();
        for y in [y0, y1] {
            points.extend(outline.iter().map(|p| [p[0], y, p[1]]));
        }
        Brush::hull(&points)
    }

    /// Makes the convex hull of points that are all corners of it. The sums are exact for coordinates that are whole
    /// numbers of map size, so no tolerance is needed.
    pub fn hull(points: &[Vec3]) -> Brush {
        let mut mins = points[0];
        let mut maxs = points[0];
        for p in points {
            for axis in 0..3 {
                mins[axis] = mins[axis].min(p[axis]);
                maxs[axis] = maxs[axis].max(p[axis]);
            }
        }
        let mut faces = Vec::new();
        let mut seen: Vec<Vec<usize>> = Vec::new();
        let n = points.len();
        for i in 0..n {
            for j in i + 1..n {
                for k in j + 1..n {
                    let raw = cross(sub(points[j], points[i]), sub(points[k], points[i]));
                    let side = |p: &Vec3| dot(raw, sub(*p, points[i]));
                    let above = points.iter().any(|p| side(p) > 0.0);
                    let below = points.iter().any(|p| side(p) < 0.0);
                    if dot(raw, raw) == 0.0 || above == below {
                        continue;
                    }
                    let on: Vec<usize> = (0..n).filter(|&m| side(&points[m]) == 0.0).collect();
                    if seen.contains(&on) {
                        continue;
                    }
                    let out = if above { neg(raw) } else { raw };
                    faces.push(face(out, on.iter().map(|&m| points[m]).collect()));
                    seen.push(on);
                }
            }
        }
        assert!(faces.len() >= 4, "a brush needs a volume");
        let used = |p: &Vec3| faces.iter().any(|f| f.winding.contains(p));
        assert!(points.iter().all(used), "every point must be a corner");
        Brush {
            mins,
            maxs,
            corners: points.to_vec(),
            faces,
        }
    }

    /// Returns the same brush moved by a vector.
    pub fn moved(&self, by: Vec3) -> Brush {
        let points = self.corners.iter().map(|&p| add(p, by));
        Brush::hull(&points.collect::<Vec<_>>())
    }
}

/// Makes a face from an outward vector and the corners on its plane, which it puts in order.
fn face(out: Vec3, mut points: Vec<Vec3>) -> Face {
    let length = dot(out, out).sqrt();
    let normal = out.map(|x| if x == 0.0 { 0.0 } else { x / length });
    let dist = dot(normal, points[0]);
    let mut winding = vec![points.remove(0)];
    while !points.is_empty() {
        let from = winding[winding.len() - 1];
        // The next corner clockwise has every other corner on its right.
        let next = points.iter().position(|&q| {
            let turn = |p: Vec3| dot(cross(sub(q, from), sub(p, from)), out);
            points
                .iter()
                .chain(&winding)
                .all(|&p| p == q || p == from || turn(p) < 0.0)
        });
        match next {
            Some(at) => winding.push(points.remove(at)),
            None => panic!("a point is in the middle of an edge"),
        }
    }
    Face {
        normal,
        dist,
        winding,
    }
}
