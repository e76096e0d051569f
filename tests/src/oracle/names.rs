//! The correct names for a segment's hit: brush, side and shader, or patch.
//!
//! In: expanded solids with the bodies they come from, a segment, and the fraction at which the tested program says
//! that it hits. Out: [`Names`], all the correct answers. Method: for every solid that the segment enters at the
//! place of the hit, find the supporting planes that pass there and face the motion; a face of the brush names its
//! side, any other plane touches the brush in an edge or a corner and names the face there whose normal is nearest.
//! Nothing is taken from the sum's facets, which merge what is almost coplanar, so slivers give several names.

use super::convex::{Polytope, area_vector, polytope};
use super::expand::{Expanded, Summand, push_edge_normals};
use super::ibsp::OracleBrush;
use super::vec3::{V3, bounds, dot, length, lerp, sub};
use super::world::{HullWorld, outside_by};

/// Planes this near to the place of a hit are hit as well, in units along their normals.
const SAME_PLACE: f64 = 1e-5;
/// Corners this near to a supporting plane are touched by it, in units; where the choice between the two tolerances
/// matters, both give correct answers.
const TOUCHED: [f64; 2] = [1e-7, 1e-5];
/// A face narrower than this may as well be an edge, in units.
const NARROW: f64 = 1e-4;
/// Cosines of angles between normals that differ by less are the same: normals are stored in f32.
const SAME_ANGLE: f64 = 1e-6;
/// A place this far inside all planes but one is in the middle of a face, in units.
const IN_FACE: f64 = 1e-3;
/// Planes of different brushes that differ by less are one plane, in units.
const SAME_PLANE: f64 = 1e-9;

/// The source of an expanded solid.
#[derive(Clone, Debug)]
pub enum Body {
    /// A brush.
    Brush(Box<Faces>),
    /// A piece of a patch.
    Patch {
        /// Index of the patch among the draw surfaces.
        surface: usize,
        /// Index of its shader.
        shader: usize,
        /// Content bits of its shader.
        contents: u32,
    },
}

/// The faces of a brush: those of its sides that have an area.
#[derive(Clone, Debug)]
pub struct Faces {
    /// The brush's number in the file.
    brush: usize,
    contents: u32,
    shape: Polytope,
    /// For each face of the shape, the numbers of its side and of the side's shader.
    sides: Vec<(usize, usize)>,
    /// Whether each face is narrower than [`NARROW`].
    narrow: Vec<bool>,
}

/// A correct answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Name {
    /// A side of a brush.
    Side {
        /// The brush's number in the file.
        brush: usize,
        /// The side's number in the brush.
        side: usize,
        /// Number of the side's shader.
        shader: usize,
        /// Content bits of the brush.
        contents: u32,
        /// Whether the plane is not one of the brush's faces.
        is_bevel: bool,
        /// The plane that was hit, before the box moved it outward.
        plane: (V3, f64),
    },
    /// A patch.
    Patch {
        /// Its index among the draw surfaces.
        surface: usize,
        /// Number of its shader.
        shader: usize,
        /// Content bits of its shader.
        contents: u32,
    },
}

impl Name {
    /// Whether both name the same thing, even if it is hit in different planes.
    pub fn same(&self, other: &Name) -> bool {
        let key = |name: &Name| match *name {
            Name::Side {
                brush,
                side,
                is_bevel,
                ..
            } => (Some((brush, side, is_bevel)), 0),
            Name::Patch { surface, .. } => (None, surface),
        };
        key(self) == key(other)
    }
}

/// The correct answers for a hit.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Names in solids that the segment enters, in the order of the solids.
    pub entered: Vec<Name>,
    /// Names in solids that it would enter only if rounding error made them larger.
    pub touched: Vec<Name>,
    /// Whether the segment enters the middles of faces in exactly one plane: then rounding error does not excuse
    /// another face than the first.
    pub in_one_plane: bool,
}

impl Names {
    /// Whether there is only one correct answer.
    pub fn is_unique(&self) -> bool {
        let all = || self.entered.iter().chain(&self.touched);
        all().all(|name| all().all(|other| name.same(other)))
    }
}

/// The expanded solids of one model for one summand, with names.
#[derive(Clone, Debug)]
pub struct NamedWorld {
    world: HullWorld,
    bodies: Vec<Body>,
    summand: Summand,
}

impl NamedWorld {
    /// Takes solids that were expanded by this summand.
    pub fn new(solids: Vec<(Expanded, Body)>, summand: Summand) -> Self {
        let (solids, bodies) = solids.into_iter().unzip();
        NamedWorld {
            world: HullWorld::new(solids),
            bodies,
            summand,
        }
    }

    /// Returns the solids without names.
    pub fn world(&self) -> &HullWorld {
        &self.world
    }

    /// Returns the correct names for a segment that hits at a fraction.
    pub fn names(&self, start: V3, end: V3, fraction: f64) -> Names {
        let (at, step) = (lerp(start, end, fraction), sub(end, start));
        let solids = |grow: f64| {
            let mut solids: Vec<usize> = self
                .world
                .spans(start, end, grow)
                .iter()
                .map(|s| s.solid)
                .collect();
            solids.retain(|&solid| outside_by(&self.world.solids()[solid], at).abs() <= SAME_PLACE);
            solids.sort_unstable();
            solids
        };
        let entered = solids(0.0);
        let mut names = Names::default();
        let mut planes = Vec::new();
        for &solid in &entered {
            let found = self.names_in(solid, at, step);
            if !found.is_empty() {
                planes.push(self.plane_in_middle(solid, at));
            }
            names.entered.extend(found);
        }
        for solid in solids(SAME_PLACE)
            .into_iter()
            .filter(|solid| !entered.contains(solid))
        {
            names.touched.extend(self.names_in(solid, at, step));
        }
        names.in_one_plane = names.touched.is_empty()
            && planes.iter().all(|&plane| match (plane, planes[0]) {
                (Some((n, d)), Some((first, dist))) => {
                    length(sub(n, first)) <= SAME_PLANE && (d - dist).abs() <= SAME_PLANE
                }
                _ => false,
            });
        names
    }

    /// Returns the names of one solid for a hit at `at`.
    fn names_in(&self, solid: usize, at: V3, step: V3) -> Vec<Name> {
        match &self.bodies[solid] {
            Body::Brush(faces) => faces.names(&self.summand, at, step),
            &Body::Patch {
                surface,
                shader,
                contents,
            } => {
                let name = Name::Patch {
                    surface,
                    shader,
                    contents,
                };
                let planes = &self.world.solids()[solid].planes;
                let hit = planes
                    .iter()
                    .any(|&(n, d)| dot(n, step) < 0.0 && (dot(n, at) - d).abs() <= SAME_PLACE);
                hit.then_some(name).into_iter().collect()
            }
        }
    }

    /// Returns the plane of a solid that passes by a place, if the place is in the middle of a face.
    fn plane_in_middle(&self, solid: usize, at: V3) -> Option<(V3, f64)> {
        let planes = self.world.solids()[solid].planes.iter();
        let mut near = planes.filter(|(n, d)| dot(*n, at) - d > -IN_FACE);
        near.next().filter(|_| near.next().is_none()).copied()
    }
}

impl Body {
    /// Returns the body of a brush, or `None` if it has no interior.
    pub fn brush(brush: &OracleBrush) -> Option<Body> {
        let mut shape = polytope(&brush.planes)?;
        // The world box bounds only degenerate brushes.
        shape.faces.retain(|face| face.plane < brush.planes.len());
        let sides = shape
            .faces
            .iter()
            .map(|face| (face.plane, brush.shaders[face.plane]));
        let narrow = shape.faces.iter().map(|face| {
            let ring: Vec<V3> = face.ring.iter().map(|&i| shape.points[i]).collect();
            let extent = bounds(&ring).map_or(0.0, |(lo, hi)| length(sub(hi, lo)));
            length(area_vector(&ring)) <= NARROW * extent
        });
        Some(Body::Brush(Box::new(Faces {
            brush: brush.number,
            contents: brush.contents,
            sides: sides.collect(),
            narrow: narrow.collect(),
            shape,
        })))
    }
}

impl Faces {
    /// Returns the sides whose planes, moved outward by the summand, pass by `at` and face the motion.
    fn names(&self, summand: &Summand, at: V3, step: V3) -> Vec<Name> {
        let at = sub(at, self.shape.center);
        let mut names: Vec<Name> = Vec::new();
        for normal in self.directions(summand) {
            let dist = self.support(normal);
            let passes = (dot(normal, at) - dist - summand.reach(normal)).abs() <= SAME_PLACE;
            if !passes || dot(normal, step) >= 0.0 {
                continue;
            }
            for (face, is_bevel) in self.sides_of(normal, dist) {
                let (side, shader) = self.sides[face];
                let name = Name::Side {
                    brush: self.brush,
                    side,
                    shader,
                    contents: self.contents,
                    is_bevel,
                    plane: (normal, dist + dot(normal, self.shape.center)),
                };
                names.push(name);
            }
        }
        names
    }

    /// Returns the normals that facets of the sum may have.
    fn directions(&self, summand: &Summand) -> Vec<V3> {
        let mut normals = self.shape.faces.iter().map(|face| face.normal).collect();
        push_edge_normals(
            &mut normals,
            &self.shape.points,
            &self.shape.edges(),
            summand,
        );
        normals
    }

    /// Returns the distance that the brush reaches along a normal.
    fn support(&self, normal: V3) -> f64 {
        let reach = self.shape.points.iter().map(|&p| dot(normal, p));
        reach.fold(f64::NEG_INFINITY, f64::max)
    }

    /// Returns the faces that a supporting plane may belong to, and whether it is a bevel of them.
    fn sides_of(&self, normal: V3, dist: f64) -> Vec<(usize, bool)> {
        let points = &self.shape.points;
        let mut found = Vec::new();
        for tolerance in TOUCHED {
            let touched = |p: V3| dist - dot(normal, p) <= tolerance;
            let whole = |face: &usize| {
                self.shape.faces[*face]
                    .ring
                    .iter()
                    .all(|&i| touched(points[i]))
            };
            let around = self.faces_around(touched, tolerance);
            let (own, others): (Vec<_>, Vec<_>) = around.iter().copied().partition(whole);
            found.extend(own.iter().map(|&face| (face, false)));
            // The plane of a narrow face may just as well touch an edge, of this face or of the others.
            if own.iter().all(|&face| self.narrow[face]) {
                let nearest = [around, others].map(|faces| self.nearest(faces, normal));
                found.extend(nearest.into_iter().flatten().map(|face| (face, true)));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Returns the faces whose normals are nearest to a normal.
    fn nearest(&self, mut faces: Vec<usize>, normal: V3) -> Vec<usize> {
        let nearness = |face: usize| dot(self.shape.faces[face].normal, normal);
        let all = faces.iter().map(|&face| nearness(face));
        let most = all.fold(f64::NEG_INFINITY, f64::max);
        faces.retain(|&face| nearness(face) >= most - SAME_ANGLE);
        faces
    }

    /// Returns the faces that hold all touched corners.
    fn faces_around(&self, touched: impl Fn(V3) -> bool, tolerance: f64) -> Vec<usize> {
        let points = self.shape.points.iter().copied();
        let corners: Vec<V3> = points.filter(|&p| touched(p)).collect();
        let holds = |face: &usize| {
            let face = &self.shape.faces[*face];
            let origin = self.shape.points[face.ring[0]];
            corners
                .iter()
                .all(|&p| dot(face.normal, sub(p, origin)).abs() <= tolerance)
        };
        (0..self.shape.faces.len()).filter(holds).collect()
    }
}
