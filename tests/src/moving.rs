//! Boxes and convex solids that move and turn: a solid's corners, the poses of its model and the motion of a box in,
//! the gap between the two at any moment out.
//!
//! Method: nalgebra's quaternions turn the corners. The gap is the largest gap along any axis that can separate two
//! convex polytopes (face normals, cross products of edges), computed from the corners alone.

use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};
use onion_runtime::{Hull, Pose};

use crate::oracle::convex::{Plane, polytope};
use crate::oracle::vec3::{V3, length, lerp, sub};

/// Shorter cross products of unit vectors mean parallel edges, which face normals separate.
const PARALLEL: f64 = 1e-9;

/// A convex solid by its corners.
#[derive(Clone, Debug)]
pub struct Corners {
    points: Vec<Vector3<f64>>,
    /// Unit normals of the faces.
    pub normals: Vec<Vector3<f64>>,
    /// Directions of the edges, each once.
    edges: Vec<Vector3<f64>>,
    /// The numbers of the corners of each face.
    pub faces: Vec<Vec<usize>>,
    middle: Vector3<f64>,
    radius: f64,
}

impl Corners {
    /// Computes the corners of a solid, or `None` if it has no volume.
    pub fn new(planes: &[Plane]) -> Option<Self> {
        let solid = polytope(planes)?;
        let middle = Vector3::from(solid.center);
        let points: Vec<_> = solid
            .points
            .iter()
            .map(|&point| Vector3::from(point) + middle)
            .collect();
        let mut edges = Vec::new();
        for face in &solid.faces {
            let next = face.ring.iter().cycle().skip(1);
            for (&a, &b) in face.ring.iter().zip(next) {
                if a < b {
                    edges.push((points[b] - points[a]).normalize());
                }
            }
        }
        let far = points.iter().map(|point| (point - middle).norm());
        Some(Self {
            radius: far.fold(0.0, f64::max),
            points,
            normals: solid
                .faces
                .iter()
                .map(|face| Vector3::from(face.normal))
                .collect(),
            edges,
            faces: solid.faces.into_iter().map(|face| face.ring).collect(),
            middle,
        })
    }

    /// Returns the corners, in the model's space.
    pub fn points(&self) -> impl Iterator<Item = V3> {
        self.points.iter().map(|&point| point.into())
    }

    /// Returns an upper bound on the distance of a corner from the origin of the model, in units.
    pub fn reach(&self) -> f64 {
        self.middle.norm() + self.radius
    }

    /// Returns how far the solid reaches along a direction of its own space, and the corners within `within` of that
    /// extreme.
    pub fn farthest(&self, direction: V3, within: f64) -> (f64, Vec<usize>) {
        let direction = Vector3::from(direction);
        let along: Vec<f64> = self
            .points
            .iter()
            .map(|point| direction.dot(point))
            .collect();
        let most = along.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let near = (0..along.len()).filter(|&corner| along[corner] > most - within);
        (most, near.collect())
    }
}

/// A box or an upright prism about the point that moves.
#[derive(Clone, Copy, Debug)]
pub struct MovingBox {
    /// Lower corner.
    pub mins: V3,
    /// Upper corner.
    pub maxs: V3,
    /// Half of every second side of a prism's base, then zeros; only zeros for a box.
    pub halves: [[f64; 2]; 16],
    /// Start of the point.
    pub start: V3,
    /// End of the point.
    pub end: V3,
}

impl MovingBox {
    /// Makes a body with the size of a hull.
    pub fn new(hull: &Hull<'_>, start: V3, end: V3) -> Self {
        let mut halves = [[0.0; 2]; 16];
        let places = halves.iter_mut().zip(hull.sides());
        places.for_each(|(place, half)| *place = half.map(f64::from));
        Self {
            mins: hull.bounds.mins.map(f64::from),
            maxs: hull.bounds.maxs.map(f64::from),
            halves,
            start,
            end,
        }
    }

    /// Returns the sides of a prism.
    fn sides(&self) -> impl Iterator<Item = Vector3<f64>> {
        let sides = self.halves.iter().filter(|half| **half != [0.0; 2]);
        sides.map(|&[x, y]| Vector3::new(x, y, 0.0))
    }

    /// Returns the position of the point at a moment, 0 to 1.
    pub fn at(&self, moment: f64) -> V3 {
        lerp(self.start, self.end, moment)
    }
}

/// The motion of a model: its origin moves along a line, and it turns about one axis.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// Start of the origin.
    pub from: V3,
    /// End of the origin.
    pub to: V3,
    /// Rotation at the start.
    pub first: UnitQuaternion<f64>,
    /// Axis of the turn in the world; its length is the angle in radians.
    pub turn: Vector3<f64>,
}

impl Way {
    /// Returns the pose at a moment.
    pub fn at(&self, moment: f64) -> Isometry3<f64> {
        let origin = lerp(self.from, self.to, moment);
        let turn = UnitQuaternion::from_scaled_axis(self.turn * moment);
        Isometry3::from_parts(Translation3::from(origin), turn * self.first)
    }

    /// Returns an upper bound on the distance in units that a corner of a solid moves relative to a box.
    pub fn speed(&self, solid: &Corners, body: &MovingBox) -> f64 {
        let [own, other] = [sub(self.to, self.from), sub(body.end, body.start)];
        length(sub(own, other)) + self.turn.norm() * solid.reach()
    }

    /// Returns the poses at both ends, for the runtime.
    pub fn poses(&self) -> [Pose; 2] {
        [0.0, 1.0].map(|moment| {
            let pose = self.at(moment);
            let turned = pose.rotation.coords;
            let origin = if moment == 0.0 { self.from } else { self.to };
            if self.turn == Vector3::zeros() && self.first == UnitQuaternion::identity() {
                return Pose::at(origin);
            }
            Pose::quaternion(origin, turned).unwrap()
        })
    }
}

/// A solid in a pose, and a box.
struct Pair {
    solid: Vec<Vector3<f64>>,
    lower: Vector3<f64>,
    upper: Vector3<f64>,
    sides: Vec<Vector3<f64>>,
}

impl Pair {
    /// Places a solid in a pose, and a box about a point.
    fn new(solid: &Corners, pose: &Isometry3<f64>, body: &MovingBox, at: V3) -> Self {
        let points = solid.points.iter();
        let placed = points.map(|point| (pose * Point3::from(*point)).coords);
        let [lower, upper] =
            [body.mins, body.maxs].map(|corner| Vector3::from(at) + Vector3::from(corner));
        Self {
            solid: placed.collect(),
            lower,
            upper,
            sides: body.sides().collect(),
        }
    }

    /// Returns the distance of the box in front of the solid along a unit vector, and its distance behind the solid.
    fn along(&self, axis: &Vector3<f64>) -> [f64; 2] {
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for point in &self.solid {
            let along = axis.dot(point);
            (least, most) = (least.min(along), most.max(along));
        }
        let [mut low, mut high] = [0.0; 2];
        for k in 0..3 {
            let [mut a, mut b] = [axis[k] * self.lower[k], axis[k] * self.upper[k]];
            if k < 2 && !self.sides.is_empty() {
                (a, b) = ((a + b) / 2.0, (a + b) / 2.0);
            }
            (low, high) = (low + a.min(b), high + a.max(b));
        }
        for side in &self.sides {
            let along = axis.dot(side).abs();
            (low, high) = (low - along, high + along);
        }
        [low - most, least - high]
    }
}

/// Returns the gap between a solid in a pose and a box about a point: negative if they overlap, never more than the
/// distance. If they are farther apart than `near`, the result is only known to be above `near`.
pub fn gap(solid: &Corners, pose: &Isometry3<f64>, body: &MovingBox, at: V3, near: f64) -> f64 {
    let [lower, upper] =
        [body.mins, body.maxs].map(|corner| Vector3::from(at) + Vector3::from(corner));
    let middle = pose * Point3::from(solid.middle);
    let apart = (middle.coords - (lower + upper) / 2.0).norm();
    let apart = apart - solid.radius - (upper - lower).norm() / 2.0;
    if apart > near {
        return apart;
    }
    let pair = Pair::new(solid, pose, body, at);
    let axes = [Vector3::x(), Vector3::y(), Vector3::z()];
    let sides = || body.sides().map(|side| side.normalize());
    let mut most = f64::NEG_INFINITY;
    for axis in axes
        .into_iter()
        .chain(sides().map(|side| side.cross(&Vector3::z())))
    {
        let [front, back] = pair.along(&axis);
        most = most.max(front).max(back);
    }
    for axis in solid.normals.iter().map(|normal| pose.rotation * normal) {
        most = most.max(pair.along(&axis)[0]);
    }
    if most > near {
        return most;
    }
    for edge in solid.edges.iter().map(|edge| pose.rotation * edge) {
        for axis in axes.into_iter().chain(sides()) {
            let across = edge.cross(&axis);
            let length = across.norm();
            if length > PARALLEL {
                let [front, back] = pair.along(&(across / length));
                most = most.max(front).max(back);
            }
        }
    }
    most
}

/// Returns the distance of a box about a point in front of a solid along a normal in the world.
pub fn gap_along(
    solid: &Corners,
    pose: &Isometry3<f64>,
    body: &MovingBox,
    at: V3,
    normal: V3,
) -> f64 {
    Pair::new(solid, pose, body, at).along(&Vector3::from(normal))[0]
}
