//! A patch, which is a grid of Bézier control points, becomes thin convex pieces behind its visible side.
//! Their facets are at most `error` units from the surface.
//!
//! # How close, and where the pieces meet
//! On a triangle over a parameter step (h, k), linear interpolation of a surface S errs by at most
//! (h² |Suu| + 2hk |Suv| + k² |Svv|) / 8; for a biquadratic piece the second derivatives are bounded by the
//! second differences of its control points. Facets are extruded away from the visible side, so a player
//! meets the facet itself and never something in front of it. Neighbors are mitered: both end at the plane
//! through their common edge and the surface normals there, so that no gap opens behind the edge, not even a
//! line.

use glam::DVec3;

use super::parts::Patch;
use crate::geometry::{Plane, grid};
use crate::tolerance::{COPLANAR, NARROW, OVERLAP};

/// Thickness of a piece, in units.
const THICKNESS: f64 = 1.0;

/// Most steps across one biquadratic piece, whatever the error asked for.
const MAX_STEPS: usize = 64;

/// Least cosine between a facet's normal and the surface normal at its edge for which it is
/// mitered; beyond 60 degrees a mitered side would be longer than the facet is wide.
const MIN_MITER: f64 = 0.5;

/// The convex pieces of a patch, each as planes facing outward; none if it has no area. `error` is
/// in units, above 0.
pub fn pieces(patch: &Patch, error: f64) -> Vec<Vec<Plane>> {
    let control = Grid::new(patch.width, patch.height, &patch.points);
    let normals = Grid::new(patch.width, patch.height, &patch.normals);
    let (columns, rows) = steps(&control, error);
    let us = parameters(&columns);
    let vs = parameters(&rows);
    let corner = |u: usize, v: usize| Corner {
        point: control.evaluate(us[u], vs[v]),
        normal: normals.evaluate(us[u], vs[v]).normalize_or_zero(),
        at: [u, v],
    };
    let last = [us.len() - 1, vs.len() - 1];
    let mut all_facets = Vec::new();
    for v in 1..vs.len() {
        for u in 1..us.len() {
            let quad = [(u - 1, v - 1), (u, v - 1), (u, v), (u - 1, v)];
            all_facets.extend(facets(quad.map(|(u, v)| corner(u, v))));
        }
    }
    if all_facets.iter().all(|facet| is_narrow(facet)) {
        return Vec::new();
    }
    let pieces = all_facets
        .into_iter()
        .filter_map(|facet| piece(facet, last));
    pieces.collect()
}

/// A corner of a facet.
#[derive(Clone, Copy)]
struct Corner {
    point: DVec3,
    /// Unit normal of the surface on its visible side, or zero.
    normal: DVec3,
    /// Column and row of the corner.
    at: [usize; 2],
}

impl Corner {
    /// Whether the edge to another corner lies on the border of a patch with these last columns
    /// and rows.
    fn shares_border(&self, other: &Self, last: [usize; 2]) -> bool {
        (0..2).any(|axis| {
            let at = self.at[axis];
            at == other.at[axis] && (at == 0 || at == last[axis])
        })
    }
}

/// Control values in rows.
struct Grid {
    width: usize,
    height: usize,
    values: Vec<DVec3>,
}

impl Grid {
    fn new(width: usize, height: usize, values: &[[f32; 3]]) -> Self {
        let values = values
            .iter()
            .map(|&value| DVec3::from_array(value.map(f64::from)));
        Self {
            width,
            height,
            values: values.collect(),
        }
    }

    fn at(&self, column: usize, row: usize) -> DVec3 {
        self.values[row * self.width + column]
    }

    /// The value at parameters from 0 to the number of pieces in each direction.
    fn evaluate(&self, u: f64, v: f64) -> DVec3 {
        let (column, u) = piece_of(u, self.width);
        let (row, v) = piece_of(v, self.height);
        let along_u = |row| quadratic(u, [0, 1, 2].map(|step| self.at(column + step, row)));
        quadratic(v, [row, row + 1, row + 2].map(along_u))
    }
}

/// First control point of the piece of a parameter, and the parameter within the piece.
fn piece_of(parameter: f64, n_points: usize) -> (usize, f64) {
    let n_pieces = (n_points - 1) / 2;
    let piece = (parameter as usize).min(n_pieces - 1);
    (2 * piece, parameter - piece as f64)
}

/// The quadratic Bézier curve of three control points. At 0 and 1 exactly the end points, so
/// that patches that share an edge meet.
fn quadratic(t: f64, [a, b, c]: [DVec3; 3]) -> DVec3 {
    let s = 1.0 - t;
    a * (s * s) + b * (2.0 * s * t) + c * (t * t)
}

/// Steps for each column and each row of pieces, so that the facets keep within the error. A
/// whole column of pieces has the same steps, so that pieces meet along their edges.
fn steps(control: &Grid, error: f64) -> (Vec<usize>, Vec<usize>) {
    let mut columns = vec![1; (control.width - 1) / 2];
    let mut rows = vec![1; (control.height - 1) / 2];
    for (row, row_steps) in rows.iter_mut().enumerate() {
        for (column, column_steps) in columns.iter_mut().enumerate() {
            let at = |x, y| control.at(2 * column + x, 2 * row + y);
            let flat = is_flat(&[0, 1, 2].map(|y| [0, 1, 2].map(|x| at(x, y))).concat());
            let bends_u = [0, 1, 2].map(|y| bend(flat, [0, 1, 2].map(|x| at(x, y))));
            let bends_v = [0, 1, 2].map(|x| bend(flat, [0, 1, 2].map(|y| at(x, y))));
            let twists = [(0, 0), (1, 0), (0, 1), (1, 1)]
                .map(|(x, y)| at(x, y) - at(x + 1, y) - at(x, y + 1) + at(x + 1, y + 1))
                .map(|twist| if flat { 0.0 } else { twist.length() });
            let most = |errors: &[f64]| errors.iter().copied().fold(0.0, f64::max);
            let errors = [most(&bends_u), most(&bends_v), most(&twists)];
            refine(column_steps, row_steps, errors, error);
        }
    }
    (columns, rows)
}

/// How far a curve bends away from its chord. In a flat piece only the outline matters, and so only
/// what leads away from the chord's line.
fn bend(flat: bool, [a, b, c]: [DVec3; 3]) -> f64 {
    let difference = (a - b * 2.0 + c) / 4.0;
    match (c - a).try_normalize() {
        Some(chord) if flat => difference.reject_from_normalized(chord).length(),
        _ => difference.length(),
    }
}

/// Raises the steps of one piece until its error bound is met.
fn refine(n: &mut usize, m: &mut usize, [u, v, twist]: [f64; 3], error: f64) {
    let bound = |n: usize, m: usize| {
        let (n, m) = (n as f64, m as f64);
        u / (n * n) + v / (m * m) + twist / (n * m)
    };
    while bound(*n, *m) > error && (*n < MAX_STEPS || *m < MAX_STEPS) {
        let more_columns = bound(*n + 1, *m) <= bound(*n, *m + 1);
        if *m == MAX_STEPS || (more_columns && *n < MAX_STEPS) {
            *n += 1;
        } else {
            *m += 1;
        }
    }
}

/// The parameters of a row of pieces with these steps, from 0 to their number.
fn parameters(steps: &[usize]) -> Vec<f64> {
    let inner = steps.iter().enumerate().flat_map(|(piece, &steps)| {
        (0..steps).map(move |step| piece as f64 + step as f64 / steps as f64)
    });
    inner.chain([steps.len() as f64]).collect()
}

fn is_flat(points: &[DVec3]) -> bool {
    let normal =
        area_normal(points[0], points[2], points[8]) + area_normal(points[0], points[8], points[6]);
    let Some(normal) = normal.try_normalize() else {
        return false;
    };
    let ahead = |point: &DVec3| normal.dot(*point - points[0]).abs();
    points.iter().map(ahead).fold(0.0, f64::max) <= COPLANAR
}

fn area_normal(a: DVec3, b: DVec3, c: DVec3) -> DVec3 {
    (b - a).cross(c - a)
}

/// A quadrilateral as one facet if it is flat and convex, otherwise as two triangles.
fn facets(quad: [Corner; 4]) -> Vec<Vec<Corner>> {
    let [a, b, c, d] = quad;
    let points = quad.map(|corner| corner.point);
    let normal = fan_normal(&quad);
    let turn = |at: usize| {
        let [p, q, r] = [0, 1, 2].map(|step| points[(at + step) % 4]);
        normal.dot(area_normal(p, q, r))
    };
    if let Some(unit) = normal.try_normalize()
        && (0..4).all(|at| turn(at) > 0.0)
        && points
            .iter()
            .all(|&point| unit.dot(point - a.point).abs() <= COPLANAR)
    {
        return vec![quad.to_vec()];
    }
    vec![vec![a, b, c], vec![a, c, d]]
}

/// Normal of a facet, twice as long as its area.
fn fan_normal(facet: &[Corner]) -> DVec3 {
    let pairs = facet[1..].windows(2);
    let triangle = |pair: &[Corner]| area_normal(facet[0].point, pair[0].point, pair[1].point);
    pairs.map(triangle).sum()
}

/// Unit normal of a facet on its visible side. That of a narrow facet is mostly noise: it looks
/// where the surface does.
fn front_normal(facet: &[Corner], visible: DVec3) -> Option<DVec3> {
    if !is_narrow(facet) {
        return fan_normal(facet).try_normalize();
    }
    let along = longest_edge(facet).try_normalize()?;
    visible.reject_from_normalized(along).try_normalize()
}

fn is_narrow(facet: &[Corner]) -> bool {
    fan_normal(facet).length() <= NARROW * longest_edge(facet).length()
}

fn longest_edge(facet: &[Corner]) -> DVec3 {
    let edges = (0..facet.len()).map(|at| facet[(at + 1) % facet.len()].point - facet[at].point);
    let longest = edges.max_by(|a, b| a.length().total_cmp(&b.length()));
    longest.unwrap_or_default()
}

/// A facet extruded away from its visible side; none if it has no area.
fn piece(mut facet: Vec<Corner>, last: [usize; 2]) -> Option<Vec<Plane>> {
    let visible: DVec3 = facet.iter().map(|corner| corner.normal).sum();
    if fan_normal(&facet).dot(visible) < 0.0 {
        facet.reverse();
    }
    let front = front_normal(&facet, visible)?;
    // The plane with a normal that holds the facet moved along an offset.
    let supporting = |normal: DVec3, offset: DVec3| {
        let moved = facet
            .iter()
            .map(|corner| (corner.point + offset).to_array());
        Plane::supporting(normal, moved.map(|point| point.map(grid::point)))
    };
    let mut planes = vec![
        supporting(front, DVec3::ZERO)?,
        supporting(-front, front * -THICKNESS)?,
    ];
    // Planes a little away from the piece: they close slivers whose sides are all but parallel.
    for normal in DVec3::AXES.iter().flat_map(|&axis| [-axis, axis]) {
        planes.push(supporting(normal, normal * (2.0 * THICKNESS))?);
    }
    for (at, from) in facet.iter().enumerate() {
        let to = &facet[(at + 1) % facet.len()];
        let overlap = if from.shares_border(to, last) {
            OVERLAP
        } else {
            0.0
        };
        if let Some(outward) = side_normal(from, to, front) {
            planes.push(supporting(outward, outward * overlap)?);
        }
    }
    Some(planes)
}

/// Outward normal of the side behind an edge. Neighbors get the same one, turned around.
fn side_normal(from: &Corner, to: &Corner, front: DVec3) -> Option<DVec3> {
    let surface = (from.normal + to.normal).normalize_or_zero();
    let miter = if surface.dot(front) < MIN_MITER {
        front
    } else {
        surface
    };
    (to.point - from.point).cross(miter).try_normalize()
}
