//! Decides whether a piece reaches too far in front of a patch. A point in front of the surface lies along the normal
//! of the nearest point of the surface; beyond an edge, it lies in a direction between that normal and the outward
//! direction of the edge. So a piece keeps within the error if it is disjoint from all points that are farther than the
//! error from the surface in such directions. Parts of the surface, with their directions, are divided until a face of
//! the piece separates each of them from it.

use std::cell::OnceCell;
use std::f64::consts::{FRAC_PI_2, PI};
use std::rc::Rc;

use glam::DVec3;
use onion_geometry::Bounds;
use smallvec::SmallVec;

use super::surface::{Net, PatchSurface, beyond, halves, places, quartered, quarters, seen_from};
use crate::solid::ConvexSolid;

/// Maximum number of divisions of a part. A piece that needs more counts as one that reaches too far.
const MAX_DIVISIONS: usize = 128;

/// Directions of a part are halved before its other dimensions while they span more than this angle, in radians.
const NARROW_CONE: f64 = 0.25;

/// The space in front of the surface of a patch, within a range of distances.
pub struct Front {
    /// The parts of the surface, its edges and its corners, which together see all of the space.
    zones: Vec<Zone>,
    /// Minimum and maximum distance from the surface, in units.
    range: [f64; 2],
}

/// A part of the surface with the values that are needed repeatedly.
struct Zone {
    /// The part, with the directions over it.
    part: Part,
    /// Box around the part, without the space in front of it.
    bounds: Bounds,
    /// A cone around the directions over it; `None` if there are no directions.
    cone: Option<Cone>,
    /// The parts into which it is divided, made when they are needed.
    parts: OnceCell<Vec<Zone>>,
}

/// A place where spans meet, or the surface ends in a point.
struct SurfaceCorner {
    /// The position, in units.
    place: DVec3,
    /// The steps along the surface from there.
    steps: Vec<DVec3>,
    /// The normals there, on the visible side.
    normals: Vec<DVec3>,
}

/// A part of the surface with directions over it.
#[expect(
    clippy::large_enum_variant,
    reason = "few of the parts of a patch are corners"
)]
enum Part {
    /// A rectangle of a span: its control points, and its normals on the visible side.
    Inside { net: Net, normals: Net },
    /// A part of a side of a span.
    Edge(Edge),
    /// A corner, and three directions around the directions of the part.
    Corner(Rc<SurfaceCorner>, [DVec3; 3]),
}

/// A part of a side of a span with some of the directions over it.
#[derive(Clone, Copy)]
struct Edge {
    /// The rectangle of which the part is the first row.
    net: Net,
    /// Its normals, on the visible side.
    normals: Net,
    /// The rectangle beyond the side, if there is one.
    next: Option<Net>,
    /// The angles from the normal to the way out, in radians.
    angles: [f64; 2],
}

/// All directions within an angle of an axis.
struct Cone {
    /// Unit vector; zero in the cone of all directions around no axis.
    axis: DVec3,
    /// Angle in radians, at most half a turn.
    angle: f64,
    /// Sine and cosine of the angle, which every test of a piece needs.
    turn: (f64, f64),
}

impl Front {
    /// Returns the space in front of a surface, at distances from `range[0]` to `range[1]`, in units.
    pub fn new(surface: &PatchSurface, range: [f64; 2]) -> Self {
        let [columns, rows] = surface.n_spans.map(|n_spans| 0..n_spans);
        let mut parts = Vec::new();
        for span in places(columns, rows) {
            let (net, normals) = (surface.net(span), surface.normal_net(span));
            parts.push(Part::Inside { net, normals });
            let edges = (0..4).map(|side| {
                let next = beyond(span, side, surface.n_spans);
                let next = next.map(|next| leaving(&opposite(&surface.net(next), side)));
                Part::Edge(Edge {
                    net: leaving(&turned(&net, side)),
                    normals: turned(&normals, side),
                    next,
                    angles: [0.0, FRAC_PI_2],
                })
            });
            // An edge that is a point is a corner.
            let has_length = |edge: &Part| edge.points().iter().any(|at| *at != edge.points()[0]);
            parts.extend(edges.filter(has_length));
        }
        let octants: [[DVec3; 3]; 8] = std::array::from_fn(|octant| {
            let sign = |axis: usize| if octant >> axis & 1 == 0 { 1.0 } else { -1.0 };
            [0, 1, 2].map(|axis| DVec3::AXES[axis] * sign(axis))
        });
        parts.extend(surface.corners().flat_map(|(place, steps, normals)| {
            let corner = Rc::new(SurfaceCorner {
                place,
                steps,
                normals,
            });
            octants.map(|octant| Part::Corner(corner.clone(), octant))
        }));
        Self {
            zones: parts.into_iter().map(Zone::new).collect(),
            range,
        }
    }

    /// Whether a piece may have points in front of the surface, at distances within the range. `is_near` returns
    /// whether a point is proven to be within a distance of the surface.
    pub fn may_reach(&self, piece: &ConvexSolid, is_near: impl Fn(DVec3, f64) -> bool) -> bool {
        let mut open = Vec::new();
        for first in &self.zones {
            open.push((first, self.range));
            let mut left = MAX_DIVISIONS;
            while let Some((zone, range)) = open.pop() {
                let Some(cone) = &zone.cone else {
                    continue;
                };
                if zone.is_apart(cone, piece, range) || zone.is_nearer(cone, range, &is_near) {
                    continue;
                }
                if left == 0 {
                    return true;
                }
                left -= 1;
                if range[1] - range[0] > zone.size().max(cone.angle * range[1]) {
                    let middle = range[0].midpoint(range[1]);
                    let halves = [[range[0], middle], [middle, range[1]]];
                    open.extend(halves.map(|range| (zone, range)));
                } else {
                    let far = self.range[1];
                    let parts = zone.parts.get_or_init(|| zone.divided(far));
                    open.extend(parts.iter().map(|part| (part, range)));
                }
            }
        }
        false
    }
}

impl Zone {
    /// Computes the box and the cone of a part.
    fn new(part: Part) -> Self {
        Self {
            bounds: Bounds::around(part.points().iter().copied()),
            cone: part.cone(),
            part,
            parts: OnceCell::new(),
        }
    }

    /// Returns the length of a diagonal of its box, in units.
    fn size(&self) -> f64 {
        (self.bounds.maxs - self.bounds.mins).length()
    }

    /// Whether a face of a piece proves that nothing in the region's directions, at distances within a range, is in the
    /// piece.
    fn is_apart(&self, cone: &Cone, piece: &ConvexSolid, range: [f64; 2]) -> bool {
        let far = DVec3::splat(range[1]);
        let [low, high] = [self.bounds.mins - far, self.bounds.maxs + far];
        if low.cmpgt(piece.bounds.maxs).any() || high.cmplt(piece.bounds.mins).any() {
            return true;
        }
        piece.faces.iter().any(|&(normal, dist)| {
            let products = self.part.points().iter().map(|point| normal.dot(*point));
            let gap = products.fold(f64::INFINITY, f64::min) - dist;
            let rise = cone.least(normal);
            gap + rise * range[usize::from(rise < 0.0)] >= 0.0
        })
    }

    /// Whether all points in its directions, at distances within a range, are nearer to another point of the surface.
    fn is_nearer(
        &self,
        cone: &Cone,
        range: [f64; 2],
        is_near: &impl Fn(DVec3, f64) -> bool,
    ) -> bool {
        let middle = range[0].midpoint(range[1]);
        let off = self.size() / 2.0 + (range[1] - middle) + range[1] * cone.angle;
        let center = self.bounds.mins.midpoint(self.bounds.maxs) + cone.axis * middle;
        // The test takes time, so it is made only if the zone is small enough to pass.
        off < range[0] && is_near(center, range[0] - off)
    }

    /// Divides it or its directions, whichever is larger at the distance `far`.
    fn divided(&self, far: f64) -> Vec<Self> {
        let parts = match &self.part {
            Part::Inside { net, normals } => {
                let [nets, normals] = [net, normals].map(|net| quarters(&quartered(net)));
                let parts = nets.into_iter().zip(normals);
                let parts = parts.map(|(net, normals)| Part::Inside { net, normals });
                parts.collect()
            }
            Part::Edge(edge) => {
                let [low, high] = edge.angles;
                let half = low.midpoint(high);
                let edges = if high - low > NARROW_CONE || (high - low) * far > self.size() {
                    [[low, half], [half, high]].map(|angles| Edge { angles, ..*edge })
                } else {
                    let [nets, normals] = [edge.net, edge.normals].map(|net| halves(&net));
                    let next = edge.next.map(|next| halves(&next));
                    [0, 1].map(|half| Edge {
                        net: nets[half],
                        normals: normals[half],
                        next: next.map(|next| next[half]),
                        ..*edge
                    })
                };
                Vec::from(edges.map(Part::Edge))
            }
            Part::Corner(corner, [a, b, c]) => {
                let [ab, bc, ca] = [a + b, b + c, c + a].map(DVec3::normalize);
                let triangles = [[*a, ab, ca], [ab, *b, bc], [ca, bc, *c], [ab, bc, ca]];
                Vec::from(triangles.map(|of| Part::Corner(corner.clone(), of)))
            }
        };
        parts.into_iter().map(Self::new).collect()
    }
}

impl Part {
    /// Returns points whose convex hull contains the part.
    fn points(&self) -> &[DVec3] {
        match self {
            Self::Inside { net, .. } => net,
            Self::Edge(edge) => &edge.net[..3],
            Self::Corner(corner, _) => std::slice::from_ref(&corner.place),
        }
    }

    /// Returns a cone around its directions, or `None` if there are no directions.
    fn cone(&self) -> Option<Cone> {
        match self {
            Self::Inside { net, normals } => Some(Cone::of_normals(net, normals, 3)),
            Self::Edge(edge) => {
                let net = &edge.net;
                let normal = Cone::of_normals(net, &edge.normals, 1);
                let along = Cone::around(&[net[1] - net[0], net[2] - net[1]]);
                let out = along.axis.cross(normal.axis).normalize_or_zero();
                let inward = net[3] + net[4] + net[5] - net[0] - net[1] - net[2];
                let out = if out.dot(inward) > 0.0 { -out } else { out };
                // Without a normal at the edge, there is no bound on the space beyond it.
                if out == DVec3::ZERO {
                    return None;
                }
                let [low, high] = edge.angles;
                let (sin, cos) = low.midpoint(high).sin_cos();
                let cone = Cone::new(
                    (normal.axis * cos + out * sin).normalize_or(normal.axis),
                    (high - low) / 2.0 + normal.angle + along.angle,
                );
                // A point in a direction over the next span is nearer to that span.
                let leads_over = |next: &Net| {
                    let mut ways = (0..3).map(|at| next[3 + at] - next[at]);
                    ways.all(|way| cone.least(way) > 0.0)
                };
                (!edge.next.as_ref().is_some_and(leads_over)).then_some(cone)
            }
            Self::Corner(corner, directions) => {
                let cone = Cone::around(directions);
                let leads_over = corner.steps.iter().any(|step| cone.least(*step) > 0.0);
                let mut normals = corner.normals.iter();
                let is_behind = normals.all(|normal| cone.least(-*normal) > 0.0);
                (!leads_over && !is_behind).then_some(cone)
            }
        }
    }
}

impl Cone {
    /// Returns the directions within an angle in radians of an axis, which is a unit vector.
    fn new(axis: DVec3, angle: f64) -> Self {
        let angle = angle.min(PI);
        let turn = angle.sin_cos();
        Self { axis, angle, turn }
    }

    /// Returns a cone around vectors, or the cone of all directions if they are zero.
    fn around(vectors: &[DVec3]) -> Self {
        let units = vectors.iter().filter_map(|vector| vector.try_normalize());
        let units: SmallVec<[DVec3; 36]> = units.collect();
        let axis = units.iter().sum::<DVec3>().normalize_or_zero();
        let least = units.iter().map(|unit| unit.dot(axis)).fold(1.0, f64::min);
        let angle = if axis == DVec3::ZERO {
            PI
        } else {
            least.clamp(-1.0, 1.0).acos()
        };
        Self::new(axis, angle)
    }

    /// Returns a cone around the normals over the first rows of a net. These are cross products of differences between
    /// its control points, on the visible side.
    fn of_normals(net: &Net, normals: &Net, n_rows: usize) -> Self {
        let along =
            (0..n_rows).flat_map(|row| [0, 1].map(|at| net[3 * row + at + 1] - net[3 * row + at]));
        let along: SmallVec<[DVec3; 6]> = along.collect();
        let across = (0..n_rows.min(2))
            .flat_map(|row| [0, 1, 2].map(|at| net[3 * row + at + 3] - net[3 * row + at]));
        let crosses = across.flat_map(|across| along.iter().map(move |along| along.cross(across)));
        let crosses: SmallVec<[DVec3; 36]> = crosses.collect();
        let mut cone = Self::around(&crosses);
        let normals = &normals[..3 * n_rows];
        if cone.axis.dot(normals.iter().sum()) < 0.0 {
            cone.axis = -cone.axis;
        }
        // Only directions within a half-space contain everything between them. Where these and the given normals do not
        // face the same way everywhere, either side may be the visible one.
        let is_turned = |normal: &DVec3| cone.least(*normal) < 0.0;
        if cone.angle >= FRAC_PI_2 || normals.iter().any(is_turned) {
            return Self::new(cone.axis, PI);
        }
        cone
    }

    /// Returns the least dot product of a vector and a unit vector in the cone.
    fn least(&self, vector: DVec3) -> f64 {
        let (length, along) = (vector.length(), vector.dot(self.axis));
        let (sin, cos) = self.turn;
        // The cone contains the direction opposite to the vector.
        if along <= -length * cos {
            return -length;
        }
        let across = (length * length - along * along).max(0.0).sqrt();
        along * cos - across * sin
    }
}

/// Returns a net whose first row is a side of another net, and whose columns lead away from that side. Sides are
/// numbered as in a cell, so on the last two the first row runs against the parameter.
fn turned(net: &Net, side: usize) -> Net {
    rearranged(net, side, side >= 2)
}

/// Returns the net on the other side of a side, with the same first row.
fn opposite(net: &Net, side: usize) -> Net {
    rearranged(net, (side + 2) % 4, side >= 2)
}

/// Returns a net as seen from a side, with each row reversed if `from_end` is set.
fn rearranged(net: &Net, side: usize, from_end: bool) -> Net {
    std::array::from_fn(|at| {
        let along = if from_end { 2 - at % 3 } else { at % 3 };
        net[seen_from(side, 3, [along, at / 3])]
    })
}

/// Returns a net whose second row differs from its first. Where they coincide, the net describes the same surface with
/// another parameter.
fn leaving(net: &Net) -> Net {
    let mut net = *net;
    if net[..3] == net[3..6] {
        for at in 0..3 {
            net[3 + at] = net[at].midpoint(net[6 + at]);
        }
    }
    net
}
