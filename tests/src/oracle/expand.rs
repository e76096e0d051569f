//! Minkowski sum of a convex solid and the reflected box or prism of an agent.
//!
//! In: a brush's planes (or bare points) and the agent's [`Summand`]. Out: an [`Expanded`]: the origins at which the
//! closed box or prism touches the brush, as planes and as corners. Method: the sum is the hull of all vertex +
//! corner. A facet of it is a face of the brush, a face of the agent, or edge x edge, so those normals are the
//! candidates. Every candidate gets the distance of the farthest point, so no candidate can cut anything off. Of those
//! whose farthest points span an area, only the ones needed stay: coplanar facets are merged.

use super::convex::{Plane, Polytope, area_vector, polytope};
use super::vec3::{V3, add, basis, bounds, cross, dot, length, scale, sub, unit};

/// A point this close to a supporting plane lies on it, in units.
const ON_FACET: f64 = 1e-7;
/// A facet narrower than this counts as an edge, in units.
const NARROWEST: f64 = 1e-9;
/// A corner this far in front of an omitted plane brings the plane back, in units.
const STICKING_OUT: f64 = 3e-9;
/// Corners closer than this are one corner.
const SAME_POINT: f64 = 3e-8;
/// Grid cells per unit for planar hulls: a power of two, 7.5e-9 units a cell.
const GRID: f64 = 134_217_728.0;
/// Candidates that differ by less, per axis, are one.
const SAME_NORMAL: f64 = 1e-13;

pub const AXES: [V3; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// What a solid is expanded by: an agent's box or upright prism, reflected in its origin.
#[derive(Clone, Debug)]
pub struct Summand {
    /// Corners without duplicates.
    pub corners: Vec<V3>,
    /// Directions of edges, and perhaps of more.
    edges: Vec<V3>,
}

impl Summand {
    /// Takes the corners of an agent's box, and half of every second side of its base if it is a prism: the base is
    /// the sum of these, in both directions, about the center of the box. Returns `None` if the box is inside out or
    /// not finite.
    pub fn new(mins: V3, maxs: V3, halves: &[[f64; 2]]) -> Option<Self> {
        let corners = reflected_corners(mins, maxs)?;
        if halves.is_empty() {
            let edges = AXES.to_vec();
            return Some(Self { corners, edges });
        }
        let sides: Vec<V3> = halves.iter().map(|&[x, y]| [x, y, 0.0]).collect();
        let [x, y, _] = scale(add(mins, maxs), -0.5);
        let mut base = vec![[x, y, 0.0]];
        for &side in &sides {
            let both = base.iter().flat_map(|&p| [add(p, side), sub(p, side)]);
            base = flat_hull(&both.collect::<Vec<_>>(), AXES[2]);
        }
        let ends = base
            .iter()
            .flat_map(|p| [-maxs[2], -mins[2]].map(|z| [p[0], p[1], z]));
        Some(Self {
            corners: ends.collect(),
            edges: [sides, vec![AXES[2]]].concat(),
        })
    }

    /// Takes the corners of a convex set, and perhaps points inside of it. Every two of them count as an edge, so it is
    /// for a handful of points.
    pub fn of_points(points: &[V3]) -> Self {
        let corners: Vec<V3> = points.iter().map(|&p| scale(p, -1.0)).collect();
        let pairs = corners.iter().enumerate();
        let edges = pairs.flat_map(|(i, &a)| corners[..i].iter().map(move |&b| sub(a, b)));
        let edges = edges.collect();
        Self { corners, edges }
    }

    /// Returns the corners, reflected in the origin.
    pub fn corners(&self) -> &[V3] {
        &self.corners
    }

    /// Returns the distance that it reaches along a direction.
    pub fn reach(&self, direction: V3) -> f64 {
        let along = self.corners.iter().map(|&p| dot(direction, p));
        along.fold(f64::NEG_INFINITY, f64::max)
    }
}

/// The sum of one solid and one [`Summand`].
#[derive(Clone, Debug)]
pub struct Expanded {
    /// One plane per facet, with unit normals outward and without redundant planes.
    pub planes: Vec<Plane>,
    /// The corners without duplicates. Where planes are almost coplanar, also some points between corners.
    pub vertices: Vec<V3>,
    /// Volume, in cubic units.
    pub volume: f64,
    /// Lowest coordinates of the corners.
    pub mins: V3,
    /// Highest coordinates of the corners.
    pub maxs: V3,
}

/// Expands a brush by a box. Returns `None` if the brush has no interior, or if the box is inside out or not finite.
pub fn expand(planes: &[Plane], mins: V3, maxs: V3) -> Option<Expanded> {
    expand_by(planes, &Summand::new(mins, maxs, &[])?)
}

/// Expands a brush. Returns `None` if the brush has no interior.
pub fn expand_by(planes: &[Plane], summand: &Summand) -> Option<Expanded> {
    let brush = polytope(planes)?;
    let mut directions: Vec<V3> = brush.faces.iter().map(|f| f.normal).collect();
    push_edge_normals(&mut directions, &brush.points, &brush.edges(), summand);
    hull_of_sum(&brush.points, brush.center, &directions, summand)
}

/// Expands the hull of bare points by a box.
pub fn expand_points(points: &[V3], mins: V3, maxs: V3) -> Option<Expanded> {
    expand_points_by(points, &Summand::new(mins, maxs, &[])?)
}

/// Expands the hull of bare points, which may be flat (a triangle of a patch) or a single point.
///
/// Tries every pair as an edge and every triple as a face, so it is for a handful of points. Returns `None` if the
/// sum has no interior.
pub fn expand_points_by(points: &[V3], summand: &Summand) -> Option<Expanded> {
    let (lo, hi) = bounds(points)?;
    let center = scale(add(lo, hi), 0.5);
    let local: Vec<V3> = points.iter().map(|&p| sub(p, center)).collect();
    let mut directions = Vec::new();
    let mut pairs = Vec::new();
    for (i, &a) in local.iter().enumerate() {
        for (j, &b) in local.iter().enumerate().skip(i + 1) {
            pairs.push((i, j));
            for &c in &local[j + 1..] {
                if let Some(n) = unit(cross(sub(b, a), sub(c, a)), 1e-9) {
                    directions.extend([n, scale(n, -1.0)]);
                }
            }
        }
    }
    push_edge_normals(&mut directions, &local, &pairs, summand);
    hull_of_sum(&local, center, &directions, summand)
}

/// Adds both signs of the cross products of the summand's edges, with each other and with those of the solid.
pub(super) fn push_edge_normals(
    directions: &mut Vec<V3>,
    points: &[V3],
    edges: &[(usize, usize)],
    summand: &Summand,
) {
    let own = edges.iter().map(|&(a, b)| sub(points[b], points[a]));
    for edge in summand.edges.iter().copied().chain(own) {
        for &other in &summand.edges {
            // This length is the width of the facet per unit of the other edge.
            let Some(n) = unit(cross(edge, other), 1e-9) else {
                continue;
            };
            let is_new = |n: &V3| {
                let same = |m: &V3| (0..3).all(|k| (m[k] - n[k]).abs() < SAME_NORMAL);
                !directions.iter().any(same)
            };
            let new: Vec<V3> = [n, scale(n, -1.0)].into_iter().filter(is_new).collect();
            directions.extend(new);
        }
    }
}

/// A supporting plane of the sum, and the points of the sum on it.
struct Facet {
    normal: V3,
    dist: f64,
    /// Counterclockwise seen from outside.
    corners: Vec<V3>,
}

impl Facet {
    /// Whether both facets lie in one plane, or nearly.
    fn same_plane(&self, other: &Facet) -> bool {
        let lies_in = |f: &Facet, g: &Facet| {
            let off = |&p: &V3| (dot(g.normal, p) - g.dist).abs();
            f.corners.iter().all(|p| off(p) <= ON_FACET)
        };
        dot(self.normal, other.normal) > 0.9999 && lies_in(self, other) && lies_in(other, self)
    }
}

/// Returns the hull of all `point + corner`, given at least the normals of its facets.
fn hull_of_sum(
    points: &[V3],
    center: V3,
    directions: &[V3],
    summand: &Summand,
) -> Option<Expanded> {
    let facet = |&n: &V3| facet(points, &summand.corners, n);
    let facets: Vec<Facet> = directions.iter().filter_map(facet).collect();
    let (chosen, outer) = needed(&facets)?;

    let mut vertices: Vec<V3> = Vec::new();
    for &p in chosen.iter().flat_map(|f| &f.corners) {
        if !vertices.iter().any(|&q| length(sub(p, q)) < SAME_POINT) {
            vertices.push(p);
        }
    }
    for v in &mut vertices {
        *v = add(*v, center);
    }
    let (lo, hi) = bounds(&vertices)?;
    let planes = chosen
        .iter()
        .map(|f| (f.normal, f.dist + dot(f.normal, center)));
    Some(Expanded {
        planes: planes.collect(),
        vertices,
        volume: outer.volume(),
        mins: lo,
        maxs: hi,
    })
}

/// Omits facets that other facets make redundant. Returns the rest and the solid inside them.
///
/// Being almost coplanar with another facet, or having no polygon, is only a guess: where planes meet at small
/// angles, omitting one can grow a spike. So a facet is put back if a corner of the remaining solid sticks out of its
/// plane.
fn needed(facets: &[Facet]) -> Option<(Vec<&Facet>, Polytope)> {
    let plane = |f: &Facet| (f.normal, f.dist);
    let planes: Vec<Plane> = facets.iter().map(plane).collect();
    let all = polytope(&planes)?;
    let mut chosen: Vec<&Facet> = Vec::new();
    for f in all.faces.iter().filter_map(|face| facets.get(face.plane)) {
        if !chosen.iter().any(|c| c.same_plane(f)) {
            chosen.push(f);
        }
    }
    loop {
        let planes: Vec<Plane> = chosen.iter().map(|&f| plane(f)).collect();
        let outer = polytope(&planes)?;
        let beyond = |f: &&Facet| {
            let ahead = |&p: &V3| dot(f.normal, add(p, outer.center)) - f.dist;
            outer
                .points
                .iter()
                .map(ahead)
                .fold(f64::NEG_INFINITY, f64::max)
        };
        let worst = facets
            .iter()
            .max_by(|f, g| beyond(f).total_cmp(&beyond(g)))?;
        // A chosen facet can be the worst only by rounding error; then nothing is left to do.
        if beyond(&worst) <= STICKING_OUT || chosen.iter().any(|c| std::ptr::eq(*c, worst)) {
            return Some((chosen, outer));
        }
        chosen.push(worst);
    }
}

/// Returns the corners of `[-maxs, -mins]` without duplicates, or `None` if the box is inside out or not finite.
fn reflected_corners(mins: V3, maxs: V3) -> Option<Vec<V3>> {
    let mut corners = vec![[0.0; 3]];
    for k in 0..3 {
        let extent = maxs[k] - mins[k];
        if !extent.is_finite() || extent < 0.0 {
            return None;
        }
        let ends = [-maxs[k], -mins[k]];
        let ends = if extent > 0.0 { &ends[..] } else { &ends[..1] };
        let with_end = |&end: &f64| {
            corners.iter().map(move |&c: &V3| {
                let mut c = c;
                c[k] = end;
                c
            })
        };
        corners = ends.iter().flat_map(with_end).collect();
    }
    Some(corners)
}

/// Returns the supporting facet in one direction, or `None` if only an edge or a corner is there.
fn facet(points: &[V3], other: &[V3], normal: V3) -> Option<Facet> {
    let (far_points, d_points) = farthest(points, normal);
    let (far_corners, d_corners) = farthest(other, normal);
    if far_points.len() * far_corners.len() < 3 {
        return None;
    }
    let sums: Vec<V3> = far_points
        .iter()
        .flat_map(|&p| far_corners.iter().map(move |&c| add(p, c)))
        .collect();
    let corners = flat_hull(&sums, normal);
    let area = length(area_vector(&corners));
    let (lo, hi) = bounds(&corners)?;
    (area > NARROWEST * length(sub(hi, lo))).then_some(Facet {
        normal,
        dist: d_points + d_corners,
        corners,
    })
}

/// Returns the points farthest along `normal`, and their distance.
fn farthest(points: &[V3], normal: V3) -> (Vec<V3>, f64) {
    let far = points
        .iter()
        .map(|&p| dot(normal, p))
        .fold(f64::NEG_INFINITY, f64::max);
    let on = |p: &V3| dot(normal, *p) >= far - ON_FACET;
    (points.iter().copied().filter(on).collect(), far)
}

/// Returns the corners of the hull of points in one plane, counterclockwise seen from the normal's tip.
///
/// Coordinates are snapped to a fine grid, so that Andrew's monotone chain is exact in integers: with rounded turns,
/// points on an edge parallel to the sweep line can push out its ends.
pub fn flat_hull(points: &[V3], normal: V3) -> Vec<V3> {
    let (u, v) = basis(normal);
    let snap = |axis: V3, p: V3| (dot(axis, p) * GRID).round() as i128;
    let mut flat: Vec<(i128, i128, usize)> = Vec::with_capacity(points.len());
    for (i, &p) in points.iter().enumerate() {
        flat.push((snap(u, p), snap(v, p), i));
    }
    flat.sort_unstable();
    flat.dedup_by_key(|p| (p.0, p.1));
    let mut ring: Vec<(i128, i128, usize)> = Vec::new();
    // The lower side going right, then the upper side going left.
    for pass in 0..2 {
        let base = ring.len();
        for i in 0..flat.len() {
            let p = if pass == 0 {
                flat[i]
            } else {
                flat[flat.len() - 1 - i]
            };
            while ring.len() >= base + 2 {
                let (a, b) = (ring[ring.len() - 2], ring[ring.len() - 1]);
                let turn = (b.0 - a.0) * (p.1 - a.1) - (b.1 - a.1) * (p.0 - a.0);
                if turn > 0 {
                    break;
                }
                ring.pop();
            }
            ring.push(p);
        }
        ring.pop();
    }
    without_straight_corners(ring.into_iter().map(|(_, _, i)| points[i]).collect())
}

/// Drops corners that snapping left within its own error of a straight edge.
fn without_straight_corners(mut ring: Vec<V3>) -> Vec<V3> {
    let mut i = 0;
    while ring.len() > 3 && i < ring.len() {
        let (a, b) = (ring[(i + ring.len() - 1) % ring.len()], ring[i]);
        let (chord, arm) = (sub(ring[(i + 1) % ring.len()], a), sub(b, a));
        let squared = dot(chord, chord);
        let between = 0.0 <= dot(arm, chord) && dot(arm, chord) <= squared;
        if between && length(cross(arm, chord)) <= 3.0 / GRID * squared.sqrt() {
            ring.remove(i);
        } else {
            i += 1;
        }
    }
    ring
}
