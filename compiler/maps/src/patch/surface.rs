//! The true surface of a patch: a grid of control points. Each block of three by three points, which shares a row or
//! column with the next block, is a biquadratic Bézier *span*. A rectangle of a span has control points of its own, by
//! polar forms (Ramshaw, "Blossoming", 1987), and lies in their convex hull.

use std::ops::Range;

use glam::{DVec3, Vec3};
use onion_geometry::grid;

use crate::parts::Patch;

/// The control points of the four quarters of a rectangle of a span, row by row. Where a rectangle bends in one
/// direction, they are no farther from its chord than the surface is; those of the whole rectangle are twice as far.
pub type Control = [DVec3; 25];

/// The control values of a span, or of a rectangle of one, row by row.
pub type Net = [DVec3; 9];

/// Control points and normals of a patch.
pub struct PatchSurface {
    /// Number of control points in a row.
    width: usize,
    /// Spans in a row and in a column: one for each two control points after the first.
    pub n_spans: [usize; 2],
    /// Control points, row by row, in units.
    points: Vec<DVec3>,
    /// The normal at each control point.
    normals: Vec<DVec3>,
}

impl PatchSurface {
    pub fn new(patch: &Patch) -> Self {
        let exact = |values: &[[f32; 3]]| {
            let values = values.iter().map(|&value| Vec3::from(value));
            values.map(Vec3::as_dvec3).collect()
        };
        Self {
            width: patch.width,
            n_spans: [(patch.width - 1) / 2, (patch.height - 1) / 2],
            points: exact(&patch.points),
            normals: exact(&patch.normals),
        }
    }

    pub fn points(&self) -> impl Iterator<Item = DVec3> + Clone {
        self.points.iter().copied()
    }

    pub fn normals(&self) -> impl Iterator<Item = DVec3> {
        self.normals.iter().copied()
    }

    /// Returns the control points of a rectangle of a span.
    pub fn control(&self, span: [usize; 2], rectangle: [[f64; 2]; 2]) -> Control {
        quartered(&restricted(&self.net(span), rectangle))
    }

    pub fn net(&self, span: [usize; 2]) -> Net {
        self.values(&self.points, span)
    }

    pub fn normal_net(&self, span: [usize; 2]) -> Net {
        self.values(&self.normals, span)
    }

    /// Returns the points where spans meet or the surface ends, each once. For each it returns the position, the steps
    /// to the control points beside it along rows and columns, and its normals on the visible side: those that the map
    /// gives, and those of each span. If an edge is a single point, all of its control points are treated as one.
    pub fn corners(&self) -> impl Iterator<Item = (DVec3, Vec<DVec3>, Vec<DVec3>)> {
        let [columns, rows] = self.n_spans.map(|n_spans| 0..n_spans + 1);
        let ends = places(columns, rows);
        let numbers = ends.map(|[column, row]| 2 * (row * self.width + column));
        let is_first = |at: &usize| !self.points[..*at].contains(&self.points[*at]);
        numbers.filter(is_first).map(move |at| {
            let place = self.points[at];
            let here = (0..self.points.len()).filter(|&other| self.points[other] == place);
            let mut normals = Vec::new();
            let mut steps = Vec::new();
            for at in here {
                normals.push(self.normals[at]);
                for [a, diagonal, b] in self.around(at) {
                    steps.extend([a, b].into_iter().filter(|step| *step != DVec3::ZERO));
                    // Where control points coincide, or three of them are on a line, the diagonal gives the normals.
                    let crosses = match a.cross(b) {
                        DVec3::ZERO => vec![a.cross(diagonal), diagonal.cross(b)],
                        cross => vec![cross],
                    };
                    let crosses = crosses.into_iter().filter(|cross| *cross != DVec3::ZERO);
                    // The product is zero where either side may be the visible one; then no direction counts as behind.
                    normals.extend(crosses.map(|cross| cross * cross.dot(self.normals[at])));
                }
            }
            (place, steps, normals)
        })
    }

    /// Returns the steps from a control point to its neighbors in each of the up to four quarters around it: along its
    /// row, along the diagonal, and along its column.
    fn around(&self, at: usize) -> impl Iterator<Item = [DVec3; 3]> {
        let (column, row) = (at % self.width, at / self.width);
        let beside = |at: usize, n: usize| {
            let both = [at.checked_sub(1), (at + 1 < n).then_some(at + 1)];
            both.into_iter().flatten()
        };
        let columns = beside(column, self.width);
        let rows = beside(row, self.points.len() / self.width);
        let quarters = rows.flat_map(move |y| columns.clone().map(move |x| [x, y]));
        quarters.map(move |[x, y]| {
            let step = |[column, row]: [usize; 2]| {
                self.points[row * self.width + column] - self.points[at]
            };
            [[x, row], [x, y], [column, y]].map(step)
        })
    }

    /// Returns the control points of a side of a span; sides are numbered as in a cell.
    pub fn side(&self, span: [usize; 2], side: usize) -> [DVec3; 3] {
        let net = self.net(span);
        [0, 1, 2].map(|at| net[seen_from(side, 3, [at, 0])])
    }

    pub fn point(&self, span: [usize; 2], at: [f64; 2]) -> DVec3 {
        value(&self.net(span), at)
    }

    /// Returns the unit normal on the visible side at a parameter of a span, or zero.
    pub fn normal(&self, span: [usize; 2], at: [f64; 2]) -> DVec3 {
        value(&self.normal_net(span), at).normalize_or_zero()
    }

    fn values(&self, values: &[DVec3], [column, row]: [usize; 2]) -> Net {
        std::array::from_fn(|at| values[(2 * row + at / 3) * self.width + 2 * column + at % 3])
    }
}

/// Returns the control values of the quarters of a span or a part of it.
pub fn quartered(net: &Net) -> Control {
    let rows = halved_rows(net);
    let columns: [_; 5] = std::array::from_fn(|column| halved(rows.map(|row| row[column])));
    std::array::from_fn(|at| columns[at % 5][at / 5])
}

pub fn quarters(control: &Control) -> [Net; 4] {
    [0, 2, 10, 12].map(|first| std::array::from_fn(|at| control[first + 5 * (at / 3) + at % 3]))
}

/// Returns the control values of both halves along the rows.
pub fn halves(net: &Net) -> [Net; 2] {
    let rows = halved_rows(net);
    [0, 2].map(|first| std::array::from_fn(|at| rows[at / 3][first + at % 3]))
}

fn halved_rows(net: &Net) -> [[DVec3; 5]; 3] {
    [0, 1, 2].map(|row| halved([0, 1, 2].map(|column| net[3 * row + column])))
}

pub fn value(control: &Net, at: [f64; 2]) -> DVec3 {
    restricted(control, at.map(|at| [at, at]))[0]
}

fn restricted(control: &Net, [us, vs]: [[f64; 2]; 2]) -> Net {
    let rows = [0, 1, 2].map(|row| part([0, 1, 2].map(|column| control[3 * row + column]), us));
    let columns = [0, 1, 2].map(|column| part(rows.map(|row| row[column]), vs));
    std::array::from_fn(|at| columns[at % 3][at / 3])
}

/// Returns the control values of both halves of a quadratic Bézier curve.
fn halved([a, b, c]: [DVec3; 3]) -> [DVec3; 5] {
    let [near, far] = [(a + b) / 2.0, (b + c) / 2.0];
    [a, near, (near + far) / 2.0, far, c]
}

/// Returns the control values of a part of a quadratic Bézier curve. Ends of the curve are kept exactly, so that spans
/// and patches that share an edge meet.
pub fn part(curve: [DVec3; 3], [from, to]: [f64; 2]) -> [DVec3; 3] {
    [[from, from], [from, to], [to, to]].map(|[s, t]| {
        let [a, b, c] = curve;
        a * ((1.0 - s) * (1.0 - t)) + b * ((1.0 - s) * t + s * (1.0 - t)) + c * (s * t)
    })
}

/// Returns the direction along an axis that is nearest to a normal.
pub fn upright(normal: DVec3) -> DVec3 {
    let size = normal.abs();
    match size.max_element() {
        most if most == size.z => DVec3::Z * normal.z.signum(),
        most if most == size.y => DVec3::Y * normal.y.signum(),
        _ => DVec3::X * normal.x.signum(),
    }
}

/// Rounds a point to the nearest point of the grid.
pub fn on_grid(point: DVec3) -> DVec3 {
    point.map(|units| grid::point(units) as f64 / grid::POINT_ONE as f64)
}

/// Returns the positions of a grid, each as column and row, row by row.
pub fn places(
    columns: Range<usize>,
    rows: Range<usize>,
) -> impl Iterator<Item = [usize; 2]> + Clone {
    rows.flat_map(move |row| columns.clone().map(move |column| [column, row]))
}

/// Returns the position across a side from a position in a grid, or `None` at its edge; sides are numbered as in a
/// cell.
pub fn beyond([column, row]: [usize; 2], side: usize, size: [usize; 2]) -> Option<[usize; 2]> {
    let next = match side {
        0 => [column, row.checked_sub(1)?],
        1 => [column + 1, row],
        2 => [column, row + 1],
        _ => [column.checked_sub(1)?, row],
    };
    (next[0] < size[0] && next[1] < size[1]).then_some(next)
}

/// Returns the index of a value in a square of `n` rows and columns, as seen from a side: `along` steps in the
/// direction of the side's parameter, and `away` steps from the side. Sides are numbered as in a cell.
pub fn seen_from(side: usize, n: usize, [along, away]: [usize; 2]) -> usize {
    match side {
        0 => n * away + along,
        1 => n * along + n - 1 - away,
        2 => n * (n - 1 - away) + along,
        _ => n * along + away,
    }
}
