//! Random shapes and motions past a brush: most are aimed at it, often along its faces and edges or just touching
//! them, where wrong answers are likely. A seed in, the same shapes and motions on every machine out.

use onion_runtime::Aabb;
use onion_runtime::shape::Shape;

use crate::oracle::Body;
use crate::oracle::vec3::{V3, add, basis, cross, dot, length, lerp, scale, sub, unit};
use crate::random::Random;
use crate::solid::Solid;

/// A shape for the runtime, and the same shape for the oracle.
#[derive(Clone, Debug)]
pub struct Mover {
    /// The kind of shape, as an index into [`KINDS`].
    pub kind: usize,
    /// The shape for the runtime.
    pub shape: Shape,
    /// The same shape for the oracle.
    pub body: Body,
}

/// The kinds of shapes.
pub const KINDS: [&str; 9] = [
    "point",
    "box",
    "flat box",
    "ball",
    "capsule",
    "bare segment",
    "oriented box",
    "cylinder",
    "convex set",
];

const AXES: [V3; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

impl Mover {
    /// Makes a shape of a kind, from a tenth of a unit to a hundred units large.
    pub fn random(kind: usize, solid: &Solid, random: &mut Random) -> Self {
        let size = 10f64.powf(random.between(-1.0, 2.0));
        let center = random.point([-size; 3], [size; 3]);
        let half = random.point([0.0; 3], [size; 3]);
        let (shape, body) = match KINDS[kind] {
            "point" => (Shape::POINT, rod([[0.0; 3]; 2])),
            "ball" => {
                let ends = [center; 2];
                let shape = Shape::sphere(center, size).unwrap();
                (shape, Body::Capsule { ends, radius: size })
            }
            "capsule" => {
                let ends = segment(size, solid, random);
                let radius = size * random.between(0.05, 2.0);
                let [a, b] = ends;
                let shape = Shape::capsule(a, b, radius).unwrap();
                (shape, Body::Capsule { ends, radius })
            }
            "bare segment" => {
                let [a, b] = segment(size, solid, random);
                (Shape::capsule(a, b, 0.0).unwrap(), rod([a, b]))
            }
            "oriented box" => {
                let axes = frame(random.direction(), random);
                let half = match random.below(4) {
                    0 => half.map(|half| half * random.below(2) as f64),
                    _ => half,
                };
                let shape = Shape::oriented_box(center, half, axes).unwrap();
                (shape, Body::Box { center, half, axes })
            }
            "cylinder" => {
                let [radius, _, half_height] = half;
                let n_sides = [8, 16, 32][random.below(3)];
                let body = Body::Cylinder {
                    center,
                    radius,
                    half_height,
                    n_sides,
                };
                let shape = Shape::cylinder(center, radius, half_height, n_sides).unwrap();
                (shape, body)
            }
            "convex set" => loop {
                let points = set(center, size, random);
                // Points on a grid may lie in a plane.
                if let Ok(shape) = Shape::convex(&points) {
                    break (shape, Body::Set(points));
                }
            },
            name => {
                let flat = |half: f64| half * random.below(2) as f64;
                let half = if name == "box" { half } else { half.map(flat) };
                let shape =
                    Shape::axial_box(Aabb::new(sub(center, half), add(center, half))).unwrap();
                let axes = AXES;
                (shape, Body::Box { center, half, axes })
            }
        };
        Self { kind, shape, body }
    }

    /// Returns the distance that the shape reaches along a direction from the point that moves.
    pub fn reach(&self, direction: V3) -> f64 {
        match self.body {
            Body::Set(ref points) => {
                let along = points.iter().map(|&point| dot(direction, point));
                along.fold(f64::NEG_INFINITY, f64::max)
            }
            Body::Capsule { ends, radius } => {
                let [a, b] = ends.map(|end| dot(direction, end));
                a.max(b) + radius
            }
            Body::Box { center, half, axes } => {
                let part = |axis: usize| dot(axes[axis], direction).abs() * half[axis];
                dot(center, direction) + part(0) + part(1) + part(2)
            }
            Body::Cylinder {
                center,
                radius,
                half_height,
                n_sides,
            } => {
                // Halfway between the middles of two sides.
                let step = std::f64::consts::PI / n_sides as f64;
                let corners = (0..n_sides).map(|side| ((2 * side + 1) as f64 * step).sin_cos());
                let along = corners.map(|(sin, cos)| cos * direction[0] + sin * direction[1]);
                let most = along.fold(f64::NEG_INFINITY, f64::max) * radius / step.cos();
                dot(center, direction) + most + half_height * direction[2].abs()
            }
        }
    }

    /// Makes a motion of the shape past a brush.
    pub fn motion(&self, solid: &Solid, random: &mut Random) -> [V3; 2] {
        let target = self.target(solid, random);
        let direction = direction(solid, random);
        let size = 1.0 + length(sub(solid.vertices[0], target));
        let [before, after] = [0, 1].map(|_| size * 10f64.powf(random.between(-2.0, 1.5)));
        let before = if random.below(8) == 0 { 0.0 } else { before };
        let after = if random.below(8) == 0 { 0.0 } else { after };
        let motion = [-before, after].map(|at| add(target, scale(direction, at)));
        match random.below(8) {
            0 => motion.map(|end| end.map(f64::round)),
            _ => motion,
        }
    }

    /// Picks a place near the brush: touching a face from outside, give or take a little, or anywhere.
    fn target(&self, solid: &Solid, random: &mut Random) -> V3 {
        let count = solid.vertices.len();
        let mut corner = || solid.vertices[random.below(count)];
        let [a, b, c, d] = [corner(), corner(), corner(), corner()];
        let inside = lerp(
            lerp(a, b, random.unit()),
            lerp(c, d, random.unit()),
            random.unit(),
        );
        let face = solid.faces[random.below(solid.faces.len())];
        match random.below(4) {
            0 => inside,
            1 | 2 => {
                let gap = [0.0, 1e-7, -1e-7, 1e-3, -1e-3, 0.1, -0.1][random.below(7)];
                let below = dot(face.normal, inside) - face.dist;
                let lift = self.reach(scale(face.normal, -1.0)) - below + gap;
                add(inside, scale(face.normal, lift))
            }
            _ => {
                let away = random.direction();
                let far = self.reach(scale(away, -1.0)) + self.reach(away);
                let from = if random.below(2) == 0 {
                    a
                } else {
                    lerp(a, b, 0.5)
                };
                add(from, scale(away, far * random.unit()))
            }
        }
    }
}

/// Picks a direction of motion: any, along an axis, or along an edge or a face, the last three perhaps with a tilt.
fn direction(solid: &Solid, random: &mut Random) -> V3 {
    let tilt = match random.below(3) {
        0 => 0.0,
        _ => 10f64.powf(random.between(-9.0, 0.0)),
    };
    let tilted = |base: V3, random: &mut Random| {
        let wanted = add(base, scale(random.direction(), tilt));
        unit(wanted, 0.0).unwrap_or(base)
    };
    match random.below(4) {
        0 => random.direction(),
        1 => {
            let sign = random.between(-1.0, 1.0).signum();
            scale(AXES[random.below(3)], sign)
        }
        2 => {
            let [a, b] = solid.edges[random.below(solid.edges.len())].ends;
            let along = unit(sub(b, a), 0.0).unwrap_or(AXES[0]);
            tilted(along, random)
        }
        _ => {
            let normal = solid.faces[random.below(solid.faces.len())].normal;
            let [along, _, _] = frame(normal, random);
            tilted(along, random)
        }
    }
}

/// Makes the segment of a capsule: upright, along an edge of the brush, or any.
fn segment(size: f64, solid: &Solid, random: &mut Random) -> [V3; 2] {
    let along = match random.below(3) {
        0 => AXES[2],
        1 => {
            let [a, b] = solid.edges[random.below(solid.edges.len())].ends;
            unit(sub(b, a), 0.0).unwrap_or(AXES[0])
        }
        _ => random.direction(),
    };
    let from = random.point([-size; 3], [size; 3]);
    [from, add(from, scale(along, size * random.unit()))]
}

/// Makes the corners of a convex set: anywhere, perhaps in a thin slice; on a coarse grid, where many lie in planes and
/// on lines, and some twice; or of a turned pyramid, frustum or prism.
fn set(center: V3, size: f64, random: &mut Random) -> Vec<V3> {
    let [x, y, z] = frame(random.direction(), random);
    let place = |[a, b, c]: V3| {
        let across = add(scale(x, a * size), scale(y, b * size));
        add(center, add(across, scale(z, c * size)))
    };
    let n_corners = 4 + random.below(6);
    match random.below(3) {
        0 => {
            let thin = 10f64.powf(random.between(-3.0, 0.0));
            let mut corner = || place(random.point([-1.0, -1.0, -thin], [1.0, 1.0, thin]));
            (0..n_corners).map(|_| corner()).collect()
        }
        1 => {
            let mut step = || random.below(3) as f64 - 1.0;
            let mut corner = || add(center.map(f64::round), [step(), step(), step()]);
            (0..n_corners).map(|_| corner()).collect()
        }
        _ => {
            let n_sides = 3 + random.below(3);
            let narrower = random.below(4) as f64 / 2.0;
            let corner = |number: usize| {
                let angle = (number / 2) as f64 / n_sides as f64 * std::f64::consts::TAU;
                let (sin, cos) = angle.sin_cos();
                match number % 2 {
                    0 => place([cos, sin, -0.5]),
                    _ => place([cos * narrower, sin * narrower, 0.5]),
                }
            };
            (0..2 * n_sides).map(corner).collect()
        }
    }
}

/// Returns three orthogonal unit vectors, the last of them given.
fn frame(last: V3, random: &mut Random) -> [V3; 3] {
    let (u, v) = basis(last);
    let (sin, cos) = random.between(0.0, std::f64::consts::TAU).sin_cos();
    let first = add(scale(u, cos), scale(v, sin));
    [first, cross(last, first), last]
}

/// Returns a segment as a box without width.
fn rod([a, b]: [V3; 2]) -> Body {
    let along = sub(b, a);
    let last = unit(along, 0.0).unwrap_or(AXES[2]);
    let (u, v) = basis(last);
    Body::Box {
        center: lerp(a, b, 0.5),
        half: [0.0, 0.0, length(along) / 2.0],
        axes: [u, v, last],
    }
}
