//! Whether a piece reaches too far in front of a patch. A point in front of the surface lies on the normal through the
//! nearest place of the surface; beyond an edge, in a direction between the normal and the way out of the edge. So a
//! piece keeps within the error if it is disjoint from everything that is farther in front than the error along such
//! directions. Parts of the surface, with the directions over them, are divided until a face of the piece separates
//! each of them from it.

use std::f64::consts::{FRAC_PI_2, PI};

use glam::DVec3;
use smallvec::SmallVec;

use super::solid::Solid;
use super::surface::{Net, Surface, part};
use crate::geometry::Bounds;

/// How often a part may be divided. A piece that needs more is taken for one that reaches too far.
const MAX_DIVISIONS: usize = 128;

/// The directions of a part are halved until their cone is this narrow, in radians, before its other sizes are.
const NARROW_CONE: f64 = 0.25;

/// Signs of the axes in each octant.
const OCTANTS: [[f64; 3]; 8] = [
    [1.0, 1.0, 1.0],
    [-1.0, 1.0, 1.0],
    [1.0, -1.0, 1.0],
    [-1.0, -1.0, 1.0],
    [1.0, 1.0, -1.0],
    [-1.0, 1.0, -1.0],
    [1.0, -1.0, -1.0],
    [-1.0, -1.0, -1.0],
];

/// The surface of a patch, as parts.
pub struct Front {
    parts: Vec<Part<'static>>,
    corners: Vec<Corner>,
}

/// A place where spans meet, or the surface ends in a point.
struct Corner {
    place: DVec3,
    /// The ways along the surface from there.
    steps: Vec<DVec3>,
    /// The normals there, on the visible side.
    normals: Vec<DVec3>,
}

/// A part of the surface with directions over it.
#[derive(Clone, Copy)]
#[expect(
    clippy::large_enum_variant,
    reason = "few are kept, on a stack that is short"
)]
enum Part<'a> {
    /// A rectangle of a span: control points, and normals on the visible side.
    Inside(Net, Net),
    /// A part of a side of a span: the rectangle of which it is the first row, normals, the rectangle beyond it if
    /// there is one, and the angles from the normal to the way out, in radians.
    Edge(Net, Net, Option<Net>, [f64; 2]),
    /// A corner, and three directions around those that are meant.
    Corner(&'a Corner, [DVec3; 3]),
}

/// All directions within an angle of an axis.
struct Cone {
    axis: DVec3,
    /// In radians.
    angle: f64,
}

impl Front {
    /// The parts of a surface.
    pub fn new(surface: &Surface) -> Self {
        let [columns, rows] = surface.n_spans;
        let mut parts = Vec::new();
        for span in (0..rows).flat_map(|row| (0..columns).map(move |column| [column, row])) {
            let (net, normals) = (surface.net(span), surface.normal_net(span));
            parts.push(Part::Inside(net, normals));
            let edges = (0..4).map(|side| {
                let next = surface.neighbor(span, side);
                let next = next.map(|next| opposite(&surface.net(next), side));
                let [net, normals] = [net, normals].map(|net| turned(&net, side));
                Part::Edge(net, normals, next, [0.0, FRAC_PI_2])
            });
            // An edge that is a point is a corner.
            parts.extend(
                edges.filter(|edge| edge.points().iter().any(|at| *at != edge.points()[0])),
            );
        }
        Self {
            parts,
            corners: surface
                .corners()
                .map(|(place, steps, normals)| Corner {
                    place,
                    steps,
                    normals,
                })
                .collect(),
        }
    }

    /// Whether a piece may have points in front, at distances within a range. `distance` says how far a point is from
    /// the surface, at most.
    pub fn may_reach(
        &self,
        piece: &Solid,
        range: [f64; 2],
        distance: impl Fn(DVec3) -> f64,
    ) -> bool {
        let mut open = Vec::new();
        let octants = OCTANTS.map(|signs| [0, 1, 2].map(|axis| DVec3::AXES[axis] * signs[axis]));
        let corners = self.corners.iter();
        let corners = corners.flat_map(|corner| octants.map(|octant| Part::Corner(corner, octant)));
        for first in self.parts.iter().copied().chain(corners) {
            open.push((first, range));
            let mut left = MAX_DIVISIONS;
            while let Some((part, range)) = open.pop() {
                if part.is_apart(piece, range) || part.is_nearer(range, &distance) {
                    continue;
                }
                if left == 0 {
                    return true;
                }
                left -= 1;
                part.divide(range, &mut open);
            }
        }
        false
    }
}

impl Part<'_> {
    /// Whether nothing in its directions, at distances within a range, is in a piece, as a face of it shows.
    fn is_apart(&self, piece: &Solid, range: [f64; 2]) -> bool {
        let points = self.points();
        let bounds = Bounds::around(points.iter().copied());
        let far = DVec3::splat(range[1]);
        let [low, high] = [bounds.mins - far, bounds.maxs + far];
        if low.cmpgt(piece.bounds.maxs).any() || high.cmplt(piece.bounds.mins).any() {
            return true;
        }
        let Some(cone) = self.cone() else {
            return true;
        };
        piece.faces.iter().any(|&(normal, dist)| {
            let products = points.iter().map(|point| normal.dot(*point));
            let gap = products.fold(f64::INFINITY, f64::min) - dist;
            let rise = cone.least(normal);
            gap + rise * range[usize::from(rise < 0.0)] >= 0.0
        })
    }

    /// Whether all that lies in its directions, at distances within a range, is nearer to another place.
    fn is_nearer(&self, range: [f64; 2], distance: &impl Fn(DVec3) -> f64) -> bool {
        let Some(cone) = self.cone() else {
            return true;
        };
        let points = Bounds::around(self.points().iter().copied());
        let middle = range[0].midpoint(range[1]);
        let off = (points.maxs - points.mins).length() / 2.0
            + (range[1] - middle)
            + range[1] * cone.angle;
        // Far places are divided before it pays to look.
        let center = points.mins.midpoint(points.maxs) + cone.axis * middle;
        off < range[0] && distance(center) + off < range[0]
    }

    /// Points whose convex hull the part lies in.
    fn points(&self) -> &[DVec3] {
        match self {
            Self::Inside(net, _) => net,
            Self::Edge(net, ..) => &net[..3],
            Self::Corner(corner, _) => std::slice::from_ref(&corner.place),
        }
    }

    /// A cone around its directions; none if it has none.
    fn cone(&self) -> Option<Cone> {
        match self {
            Self::Inside(net, normals) => Some(Cone::of_normals(net, normals, 3)),
            Self::Edge(net, normals, next, angles) => {
                let normal = Cone::of_normals(net, normals, 1);
                let along = Cone::around(&[net[1] - net[0], net[2] - net[1]]);
                let out = along.axis.cross(normal.axis).normalize_or_zero();
                let inward = net[3] + net[4] + net[5] - net[0] - net[1] - net[2];
                let out = if out.dot(inward) > 0.0 { -out } else { out };
                // Where the surface has no normal at its edge, nothing is known of what is beyond.
                if out == DVec3::ZERO {
                    return None;
                }
                let (sin, cos) = angles[0].midpoint(angles[1]).sin_cos();
                let cone = Cone {
                    axis: (normal.axis * cos + out * sin).normalize_or(normal.axis),
                    angle: (angles[1] - angles[0]) / 2.0 + normal.angle + along.angle,
                };
                // What lies in a direction that leads over the next span is nearer to that.
                let leads_over = |next: &Net| {
                    [0, 1, 2]
                        .iter()
                        .all(|&at| cone.least(next[3 + at] - next[at]) > 0.0)
                };
                (!next.as_ref().is_some_and(leads_over)).then_some(cone)
            }
            Self::Corner(corner, directions) => {
                let cone = Cone::around(directions);
                let leads_over = corner.steps.iter().any(|step| cone.least(*step) > 0.0);
                let is_behind = corner
                    .normals
                    .iter()
                    .all(|normal| cone.least(-*normal) > 0.0);
                (!leads_over && !is_behind).then_some(cone)
            }
        }
    }

    /// Divides the part, its directions or its range, whatever is largest.
    fn divide(self, range: [f64; 2], open: &mut Vec<(Self, [f64; 2])>) {
        let points = self.points();
        let size = Bounds::around(points.iter().copied());
        let size = (size.maxs - size.mins).length();
        let angle = self.cone().map_or(0.0, |cone| cone.angle);
        let turn = angle * range[1];
        let middle = range[0].midpoint(range[1]);
        match self {
            _ if range[1] - range[0] > size.max(turn) => {
                open.extend([[range[0], middle], [middle, range[1]]].map(|range| (self, range)));
            }
            Self::Inside(net, normals) => {
                let parts = quartered(&net).into_iter().zip(quartered(&normals));
                open.extend(parts.map(|(net, normals)| (Self::Inside(net, normals), range)));
            }
            Self::Edge(net, normals, next, [low, high]) => {
                let half = low.midpoint(high);
                if high - low > NARROW_CONE || (high - low) * range[1] > size {
                    let halves = [[low, half], [half, high]];
                    open.extend(
                        halves.map(|angles| (Self::Edge(net, normals, next, angles), range)),
                    );
                } else {
                    let nexts = next.map_or([None; 2], |next| halved(&next).map(Some));
                    let parts = halved(&net).into_iter().zip(halved(&normals)).zip(nexts);
                    open.extend(parts.map(|((net, normals), next)| {
                        (Self::Edge(net, normals, next, [low, high]), range)
                    }));
                }
            }
            Self::Corner(corner, [a, b, c]) => {
                let [ab, bc, ca] = [a + b, b + c, c + a].map(DVec3::normalize);
                let triangles = [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]];
                open.extend(triangles.map(|of| (Self::Corner(corner, of), range)));
            }
        }
    }
}

impl Cone {
    /// A cone around vectors; all directions if they are zero.
    fn around(vectors: &[DVec3]) -> Self {
        let units = vectors.iter().filter_map(|vector| vector.try_normalize());
        let units: SmallVec<[DVec3; 36]> = units.collect();
        let axis = units.iter().sum::<DVec3>().normalize_or_zero();
        let least = units.iter().map(|unit| unit.dot(axis)).fold(1.0, f64::min);
        let angle = match axis == DVec3::ZERO {
            true => PI,
            false => least.clamp(-1.0, 1.0).acos(),
        };
        Self { axis, angle }
    }

    /// A cone around the normals over the first rows of a net, which are cross products of differences between its
    /// control points, on the visible side.
    fn of_normals(net: &Net, normals: &Net, n_rows: usize) -> Self {
        let along =
            (0..n_rows).flat_map(|row| [0, 1].map(|at| net[3 * row + at + 1] - net[3 * row + at]));
        let along: SmallVec<[DVec3; 6]> = along.collect();
        let across = (0..n_rows.min(2))
            .flat_map(|row| [0, 1, 2].map(|at| net[3 * row + at + 3] - net[3 * row + at]));
        let crosses = across.flat_map(|across| along.iter().map(move |along| along.cross(across)));
        let crosses: SmallVec<[DVec3; 36]> = crosses.collect();
        let mut cone = Self::around(&crosses);
        let visible: DVec3 = normals[..3 * n_rows].iter().sum();
        if cone.axis.dot(visible) < 0.0 {
            cone.axis = -cone.axis;
        }
        // Only directions within a half-space hold all that lies between them.
        if cone.angle >= FRAC_PI_2 {
            cone.angle = PI;
        }
        cone
    }

    /// Least product of a vector and a unit vector in the cone.
    fn least(&self, vector: DVec3) -> f64 {
        let length = vector.length();
        let away = vector.angle_between(self.axis) + self.angle;
        if self.axis == DVec3::ZERO || away.is_nan() {
            return -length;
        }
        away.min(PI).cos() * length
    }
}

/// A net whose first row is a side of another, and whose columns lead away from it; sides as those of a cell.
fn turned(net: &Net, side: usize) -> Net {
    std::array::from_fn(|number| {
        let [x, y] = [number % 3, number / 3];
        match side {
            0 => net[3 * y + x],
            1 => net[3 * x + 2 - y],
            2 => net[3 * (2 - y) + 2 - x],
            _ => net[3 * (2 - x) + y],
        }
    })
}

/// A net on the other side of a side, with the same first row.
fn opposite(net: &Net, side: usize) -> Net {
    std::array::from_fn(|number| {
        let [x, y] = [number % 3, number / 3];
        match side {
            0 => net[3 * (2 - y) + x],
            1 => net[3 * x + y],
            2 => net[3 * y + 2 - x],
            _ => net[3 * (2 - x) + 2 - y],
        }
    })
}

/// The control points of both halves along the rows.
fn halved(net: &Net) -> [Net; 2] {
    [[0.0, 0.5], [0.5, 1.0]].map(|range| {
        let rows = [0, 1, 2].map(|row| part([0, 1, 2].map(|column| net[3 * row + column]), range));
        std::array::from_fn(|at| rows[at / 3][at % 3])
    })
}

/// The control points of the four quarters.
fn quartered(net: &Net) -> [Net; 4] {
    let transposed = |net: &Net| std::array::from_fn(|at| net[3 * (at % 3) + at / 3]);
    let [left, right] =
        halved(net).map(|half| halved(&transposed(&half)).map(|net| transposed(&net)));
    [left[0], left[1], right[0], right[1]]
}
