//! The gap between a convex solid and a body, by another method than the runtime's.
//!
//! In: a solid as planes, a body (a ball, a capsule, a box with any axes, a cylinder of flat sides, a convex set). Out:
//! [`Gap`], which gives the distance between the body at any place and the solid, negative where the two overlap; along
//! a straight motion it is a convex function. Method: for balls and capsules the least distance between their inner
//! segment and each polygon of the solid. For boxes, space is rotated until the box is axial; there the sum with the
//! solid is the result of [`expand`], a hull of shifted corners.

use super::convex::{Plane, Polytope, polytope};
use super::expand::{AXES, Expanded, Summand, expand, expand_by};
use super::vec3::{V3, add, cross, dot, length, scale, sub};

/// The moving body, relative to the point that moves.
#[derive(Clone, Debug)]
pub enum Body {
    /// All points within a radius of a segment.
    Capsule {
        /// The ends of the segment.
        ends: [V3; 2],
        /// Above zero.
        radius: f64,
    },
    /// A box with axes of its own.
    Box {
        /// Its center.
        center: V3,
        /// Half its size along each of its axes.
        half: V3,
        /// Orthogonal unit vectors.
        axes: [V3; 3],
    },
    /// An upright prism with a regular base.
    Cylinder {
        /// Its center.
        center: V3,
        /// Distance of the sides from the center.
        radius: f64,
        /// Half its height.
        half_height: f64,
        /// Number of sides, one of which is parallel to the x axis.
        n_sides: usize,
    },
    /// The convex hull of a few points.
    Set(Vec<V3>),
}

/// A body and a solid.
#[derive(Debug)]
pub struct Gap {
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Capsule {
        solid: Polytope,
        ends: [V3; 2],
        radius: f64,
    },
    Box {
        /// The sum, in the frame of the box.
        sum: Box<Expanded>,
        /// The solid, in the same frame.
        solid: Polytope,
        axes: [V3; 3],
    },
}

impl Kind {
    /// Takes a sum in the frame of these axes.
    fn of_sum(sum: Expanded, axes: [V3; 3]) -> Option<Self> {
        Some(Kind::Box {
            solid: polytope(&sum.planes)?,
            sum: Box::new(sum),
            axes,
        })
    }
}

impl Gap {
    /// Prepares a body and a solid. Returns `None` if the solid has no interior.
    pub fn new(planes: &[Plane], body: &Body) -> Option<Self> {
        let kind = match *body {
            Body::Set(ref points) => {
                Kind::of_sum(expand_by(planes, &Summand::of_points(points))?, AXES)?
            }
            Body::Capsule { ends, radius } => Kind::Capsule {
                solid: polytope(planes)?,
                ends,
                radius,
            },
            Body::Box { center, half, axes } => {
                let turned: Vec<Plane> = planes.iter().map(|&(n, d)| (turn(&axes, n), d)).collect();
                let center = turn(&axes, center);
                let sum = expand(&turned, sub(center, half), add(center, half))?;
                Kind::of_sum(sum, axes)?
            }
            Body::Cylinder {
                center,
                radius,
                half_height,
                n_sides,
            } => {
                let step = std::f64::consts::TAU / n_sides as f64;
                let sides = (0..n_sides / 2).map(|side| (side as f64 * step).sin_cos());
                let half = radius * (step / 2.0).tan();
                let halves: Vec<_> = sides.map(|(sin, cos)| [half * cos, half * sin]).collect();
                let half = [radius, radius, half_height];
                let summand = Summand::new(sub(center, half), add(center, half), &halves)?;
                Kind::of_sum(expand_by(planes, &summand)?, AXES)?
            }
        };
        Some(Self { kind })
    }

    /// Returns the distance between the solid and the body with its point at `at`. If they overlap: for a box, minus
    /// the least depth; for a capsule, a number between that and minus its radius.
    pub fn at(&self, at: V3) -> f64 {
        match &self.kind {
            Kind::Capsule {
                solid,
                ends,
                radius,
            } => {
                let at = sub(at, solid.center);
                segment_gap(solid, ends.map(|end| add(end, at))) - radius
            }
            Kind::Box { sum, axes, .. } => {
                let at = turn(axes, at);
                let ahead = |&(n, d): &Plane| (dot(n, at) - d) / length(n);
                sum.planes
                    .iter()
                    .map(ahead)
                    .fold(f64::NEG_INFINITY, f64::max)
            }
        }
    }

    /// Returns the true distance, also for boxes; zero if they overlap.
    pub fn distance(&self, at: V3) -> f64 {
        match &self.kind {
            Kind::Capsule { .. } => self.at(at).max(0.0),
            Kind::Box { solid, axes, .. } => {
                let at = sub(turn(axes, at), solid.center);
                segment_gap(solid, [at; 2])
            }
        }
    }
}

/// Returns a vector in the frame of these axes.
fn turn(axes: &[V3; 3], v: V3) -> V3 {
    axes.map(|axis| dot(axis, v))
}

/// Returns the distance of a segment from a solid, both relative to the solid's center; zero if they overlap.
fn segment_gap(solid: &Polytope, ends: [V3; 2]) -> f64 {
    if overlap(solid, ends) {
        return 0.0;
    }
    let mut least = f64::INFINITY;
    for face in &solid.faces {
        let ring: Vec<V3> = face.ring.iter().map(|&i| solid.points[i]).collect();
        let next = ring.iter().cycle().skip(1);
        let sides: Vec<[V3; 2]> = ring.iter().zip(next).map(|(&a, &b)| [a, b]).collect();
        for &side in &sides {
            least = least.min(segments_gap(side, ends));
        }
        for end in ends {
            let above = dot(face.normal, sub(end, ring[0]));
            let inside =
                |[a, b]: &[V3; 2]| dot(cross(sub(*b, *a), sub(end, *a)), face.normal) >= 0.0;
            if sides.iter().all(inside) {
                least = least.min(above.abs());
            }
        }
    }
    least
}

/// Whether a segment passes through a solid: its part inside all planes is not empty.
fn overlap(solid: &Polytope, [a, b]: [V3; 2]) -> bool {
    let (mut enter, mut leave) = (0.0f64, 1.0f64);
    for face in &solid.faces {
        let origin = solid.points[face.ring[0]];
        let [da, db] = [a, b].map(|end| dot(face.normal, sub(end, origin)));
        if da >= 0.0 && db >= 0.0 {
            return false;
        }
        if da > 0.0 {
            enter = enter.max(da / (da - db));
        } else if db > 0.0 {
            leave = leave.min(da / (da - db));
        }
    }
    enter < leave
}

/// Returns the distance of two segments: the distance of their lines if it is attained between the ends, or else the
/// least distance of an end to the other segment.
fn segments_gap([a, b]: [V3; 2], [c, d]: [V3; 2]) -> f64 {
    let ends = [
        point_gap(a, [c, d]),
        point_gap(b, [c, d]),
        point_gap(c, [a, b]),
        point_gap(d, [a, b]),
    ];
    let least = ends.into_iter().fold(f64::INFINITY, f64::min);
    let (u, v, w) = (sub(b, a), sub(d, c), sub(a, c));
    let (uu, uv, vv) = (dot(u, u), dot(u, v), dot(v, v));
    let (uw, vw) = (dot(u, w), dot(v, w));
    let bottom = uu * vv - uv * uv;
    let (s, t) = ((uv * vw - vv * uw) / bottom, (uu * vw - uv * uw) / bottom);
    if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
        let between = sub(add(a, scale(u, s)), add(c, scale(v, t)));
        return least.min(length(between));
    }
    least
}

/// Returns the distance of a point from a segment.
fn point_gap(p: V3, [a, b]: [V3; 2]) -> f64 {
    let along = sub(b, a);
    let squared = dot(along, along);
    let t = if squared > 0.0 {
        (dot(sub(p, a), along) / squared).clamp(0.0, 1.0)
    } else {
        0.0
    };
    length(sub(p, add(a, scale(along, t))))
}
