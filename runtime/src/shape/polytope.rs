//! Convex sets of any corners: the corners in; what traces need of their convex hull out. A set has a volume, but no
//! symmetry, so supports and normals are those of the reflected set, whose sum with a brush is traced.
//!
//! Corners that are nearly in a plane or on a line may give faces and edges that do not exist. They do no harm: all
//! planes touch the sum of set and brush from outside, so needless ones cut nothing off.

use crate::math::vector::{Vector, cross, direction, dot, length, scale, sub};
use crate::tolerance::ON_PLANE;

/// The most corners of a set; more would not fit into the bits of a face.
const MAX_CORNERS: usize = 32;
/// At least the faces of a set with the most corners, which are 60 triangles.
const MAX_FACES: usize = 2 * MAX_CORNERS;
/// At least the edges of a set with the most corners, which are 90.
const MAX_EDGES: usize = 3 * MAX_CORNERS;

/// A set of corners, relative to the middle of the box around them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Polytope {
    /// The corners, in units. Some may lie inside of the hull of the others; they change nothing.
    corners: List<Vector, MAX_CORNERS>,
    /// Three corners of each face, counterclockwise from outside.
    faces: List<[u8; 3], MAX_FACES>,
    /// The ends of one edge in each direction.
    edges: List<[u8; 2], MAX_EDGES>,
}

/// Up to `N` values.
#[derive(Clone, Copy, Debug, PartialEq)]
struct List<T, const N: usize> {
    /// The values; those from `len` on are unused.
    values: [T; N],
    /// Number of values in use.
    len: usize,
}

/// A face, while the hull is made.
#[derive(Clone, Copy, Default)]
struct Face {
    /// Three corners, counterclockwise from outside: those of the largest triangle that was found in its plane.
    corners: [u8; 3],
    /// Unit normal, facing outward.
    normal: Vector,
    /// Twice the area of the triangle.
    area: f64,
    /// A bit for each corner in the plane.
    touching: u32,
}

impl Polytope {
    /// Returns the convex hull of finite corners, or `None` if they are too many, all in a plane, or so close to each
    /// other that rounding hides which faces they have.
    pub(super) fn new(corners: impl IntoIterator<Item = Vector>) -> Option<Self> {
        let mut polytope = Self {
            corners: List::new(),
            faces: List::new(),
            edges: List::new(),
        };
        for corner in corners {
            polytope.corners.push(corner)?;
        }
        // All planes through three corners are tried, which is simple and, for at most 32 corners, fast enough.
        let faces = polytope.find_faces()?;
        for face in faces.iter() {
            polytope.faces.push(face.corners)?;
        }
        for b in 0..polytope.corners.len as u8 {
            for a in 0..b {
                // Two corners are an edge if two faces share them. So are the ends of a diagonal that rounding splits a
                // face along, which is harmless.
                let holds_both = |face: &&Face| face.touching >> a & face.touching >> b & 1 == 1;
                if faces.iter().filter(holds_both).count() > 1 {
                    polytope.add_edge([a, b])?;
                }
            }
        }
        Some(polytope)
    }

    /// Returns the faces: the planes through three corners that no corner is in front of.
    fn find_faces(&self) -> Option<List<Face, MAX_FACES>> {
        let mut faces = List::new();
        for c in 0..self.corners.len as u8 {
            for b in 0..c {
                for a in 0..b {
                    for face in [[a, b, c], [a, c, b]].map(|corners| self.face(corners)) {
                        // A plane with all corners bounds no volume.
                        let is_flat =
                            |face: &Face| face.touching.count_ones() == self.corners.len as u32;
                        match face {
                            Some(face) if is_flat(&face) => return None,
                            Some(face) => face.add_to(&mut faces)?,
                            None => {}
                        }
                    }
                }
            }
        }
        (faces.len > 0).then_some(faces)
    }

    /// Returns the face through three corners, counterclockwise from outside, if no corner is in front of it.
    fn face(&self, corners: [u8; 3]) -> Option<Face> {
        let (normal, area) = direction(&self.area_vector(corners))?;
        let mut touching = 0;
        for (number, corner) in self.corners.iter().enumerate() {
            let ahead = dot(&normal, &sub(corner, &self.corner(corners[0])));
            if ahead > ON_PLANE {
                return None;
            }
            // Corners that are in the plane within rounding belong to the face, which is then found once and not once
            // for each triangle.
            touching |= u32::from(ahead >= -ON_PLANE) << number;
        }
        Some(Face {
            corners,
            normal,
            area,
            touching,
        })
    }

    /// Adds the direction of an edge, unless there is one that is parallel within rounding error at both of their ends.
    fn add_edge(&mut self, ends: [u8; 2]) -> Option<()> {
        let own = self.edge(ends);
        let is_parallel = |other: Vector| {
            length(&cross(&own, &other)) <= ON_PLANE * length(&own).min(length(&other))
        };
        if length(&own) <= ON_PLANE || self.edges().any(is_parallel) {
            return Some(());
        }
        self.edges.push(ends)
    }

    /// Returns a corner by its number, in units.
    fn corner(&self, number: u8) -> Vector {
        self.corners.values[usize::from(number)]
    }

    /// Returns the vector from the second to the first of two corners.
    fn edge(&self, [a, b]: [u8; 2]) -> Vector {
        sub(&self.corner(a), &self.corner(b))
    }

    /// Returns the vector out of a face that is as long as twice the area of three of its corners.
    fn area_vector(&self, [a, b, c]: [u8; 3]) -> Vector {
        cross(&self.edge([b, a]), &self.edge([c, a]))
    }

    /// Returns the corners.
    pub(super) fn corners(&self) -> impl Iterator<Item = Vector> {
        self.corners.iter().copied()
    }

    /// Returns the directions of the edges.
    pub(super) fn edges(&self) -> impl Iterator<Item = Vector> {
        self.edges.iter().map(|&ends| self.edge(ends))
    }

    /// Returns the unit normals of the reflected set's faces.
    pub(super) fn normals(&self) -> impl Iterator<Item = Vector> {
        let vectors = self.faces.iter().map(|&corners| self.area_vector(corners));
        vectors.filter_map(|vector| Some(scale(&direction(&vector)?.0, -1.0)))
    }

    /// Returns the extent of the reflected set along a direction, times the direction's length.
    pub(super) fn support(&self, direction: &Vector) -> f64 {
        let along = self.corners.iter().map(|corner| -dot(direction, corner));
        along.fold(f64::NEG_INFINITY, f64::max)
    }
}

impl Face {
    /// Adds the face to others, unless its corners are in the plane of one of them. The larger triangle stays.
    fn add_to(self, faces: &mut List<Face, MAX_FACES>) -> Option<()> {
        let is_known = |known: &&mut Face| {
            let mut corners = self.corners.iter();
            corners.all(|corner| known.touching >> corner & 1 == 1)
                && dot(&known.normal, &self.normal) > 0.0
        };
        let Some(known) = faces.values.iter_mut().take(faces.len).find(is_known) else {
            return faces.push(self);
        };
        // The largest triangle has the normal that rounding disturbs least.
        if self.area > known.area {
            *known = self;
        }
        Some(())
    }
}

impl<T: Copy + Default, const N: usize> List<T, N> {
    /// Returns the empty list.
    fn new() -> Self {
        Self {
            values: [T::default(); N],
            len: 0,
        }
    }

    /// Adds a value, or returns `None` if there is no place for it.
    fn push(&mut self, value: T) -> Option<()> {
        *self.values.get_mut(self.len)? = value;
        self.len += 1;
        Some(())
    }

    /// Returns the values in use, in the order in which they were added.
    fn iter(&self) -> impl Iterator<Item = &T> {
        self.values.iter().take(self.len)
    }
}
