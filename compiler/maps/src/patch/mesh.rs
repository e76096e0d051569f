//! Divides a patch into a mesh of cells, each of which is a rectangle of a span. A cell has corners, which neighbors
//! share to the last bit, normals there, and control points, whose convex hull contains the true surface.

use std::cell::OnceCell;

use glam::DVec3;
use onion_geometry::Bounds;

use super::border::{Border, side_of};
use super::surface::{Control, PatchSurface, on_grid, places, quarters, value};
use crate::solid::to_triangle;
use crate::tolerance::NARROW;

/// The part of the error that the border's edges may use; the rest is for the cells along it.
pub const CHAIN: f64 = 1.0 / 16.0;

/// Thickness of a piece behind the points of its border, in units.
pub const THICKNESS: f64 = 1.0;

/// A corner of a cell.
#[derive(Clone, Copy, Debug)]
pub struct PatchCorner {
    /// Its position, on the grid of points.
    pub point: DVec3,
    /// Unit normal of the surface on its visible side, or zero.
    pub normal: DVec3,
}

/// A rectangle of a span, with four corners. Side `k` leads from corner `k` to the next.
#[derive(Clone, Debug)]
pub struct PatchCell {
    pub corners: [PatchCorner; 4],
    /// Points of the patch's border on each side, between the corners.
    pub between: [Vec<DVec3>; 4],
    /// Control points of each side that lies on the patch's border.
    pub borders: [Option<[DVec3; 5]>; 4],
    /// Control points: the true surface lies in their convex hull.
    pub control: Control,
    /// Unit normal on the visible side; `None` if the cell has no extent.
    pub normal: Option<DVec3>,
    /// Whether the corners run counterclockwise seen from the visible side.
    pub counterclockwise: bool,
    /// Twice the area, in square units.
    pub area: f64,
    /// Upper bound on the distance, in units, between the surface and triangles with corners on it, at the same
    /// parameters.
    pub bend: f64,
    /// Box around it, in units.
    bounds: Bounds,
    /// The result of `straightness()`, once it is computed.
    straightness: OnceCell<f64>,
    /// Points of the surface, in units, once they are computed.
    samples: OnceCell<Vec<DVec3>>,
}

/// A mesh of cells, row by row.
pub struct Mesh {
    /// Number of cells in a row and in a column.
    pub size: [usize; 2],
    pub cells: Vec<PatchCell>,
}

/// A surface with its border, which is to be divided into cells.
pub struct PatchSheet {
    surface: PatchSurface,
    border: Border,
}

impl PatchSheet {
    /// Creates a sheet of a surface, whose border is approximated within an error.
    pub fn new(surface: PatchSurface, error: f64) -> Self {
        let border = Border::new(&surface, error * CHAIN);
        Self { surface, border }
    }

    pub fn n_spans(&self) -> [usize; 2] {
        self.surface.n_spans
    }

    /// Returns the cells of a span that is divided into `steps` columns and rows, row by row.
    pub fn cells(&self, span: [usize; 2], steps: [usize; 2]) -> impl Iterator<Item = PatchCell> {
        places(0..steps[0], 0..steps[1]).map(move |at| self.cell_at(span, steps, at))
    }

    /// Returns the cell at a column and a row of a span that is divided into `steps`.
    pub fn cell_at(&self, span: [usize; 2], steps: [usize; 2], at: [usize; 2]) -> PatchCell {
        let part = |axis: usize| {
            let n_steps = steps[axis] as f64;
            [at[axis] as f64 / n_steps, (at[axis] + 1) as f64 / n_steps]
        };
        self.cell(span, [part(0), part(1)])
    }

    /// Returns the mesh with the given number of columns for each column of spans, and of rows for each row of spans.
    pub fn mesh(&self, steps: &[Vec<usize>; 2]) -> Mesh {
        let mut cells = Vec::new();
        for (span_row, &rows) in steps[1].iter().enumerate() {
            let spans = steps[0].iter().enumerate();
            let across: Vec<(Vec<PatchCell>, usize)> = spans
                .map(|(column, &n)| (self.cells([column, span_row], [n, rows]).collect(), n))
                .collect();
            for row in 0..rows {
                for (of_span, n) in &across {
                    cells.extend_from_slice(&of_span[row * n..(row + 1) * n]);
                }
            }
        }
        let size = [0, 1].map(|axis: usize| steps[axis].iter().sum());
        Mesh { size, cells }
    }

    fn cell(&self, span: [usize; 2], [us, vs]: [[f64; 2]; 2]) -> PatchCell {
        let control = self.surface.control(span, [us, vs]);
        let places = [
            [us[0], vs[0]],
            [us[1], vs[0]],
            [us[1], vs[1]],
            [us[0], vs[1]],
        ];
        let corners = places.map(|at| PatchCorner {
            point: on_grid(self.corner(span, at)),
            normal: self.surface.normal(span, at),
        });
        let on_border = [0, 1, 2, 3].map(|side| self.is_on_border(span, places[side], side));
        let between = std::array::from_fn(|side| {
            if on_border[side] {
                let along = side % 2;
                let points = self.border.between(side, span[along], [us, vs][along]);
                points.into_iter().map(on_grid).collect()
            } else {
                Vec::new()
            }
        });
        let border = |side: usize| on_border[side].then(|| side_of(&control, side));
        PatchCell::new(corners, between, [0, 1, 2, 3].map(border), control)
    }

    /// Whether a parameter of a span is on a side of the patch; sides are numbered as in a cell.
    fn is_on_border(&self, span: [usize; 2], at: [f64; 2], side: usize) -> bool {
        let axis = 1 - side % 2;
        if side == 1 || side == 2 {
            at[axis] == 1.0 && span[axis] + 1 == self.surface.n_spans[axis]
        } else {
            at[axis] == 0.0 && span[axis] == 0
        }
    }

    /// Returns a corner of a cell; on the border of the patch, it is a point of the border's chain.
    fn corner(&self, span: [usize; 2], at: [f64; 2]) -> DVec3 {
        match (0..4).find(|&side| self.is_on_border(span, at, side)) {
            Some(side) => self.border.point(side, span[side % 2], at[side % 2]),
            None => self.surface.point(span, at),
        }
    }
}

impl PatchCell {
    fn new(
        corners: [PatchCorner; 4],
        between: [Vec<DVec3>; 4],
        borders: [Option<[DVec3; 5]>; 4],
        control: Control,
    ) -> Self {
        let fan = fan_normal(&corners);
        let visible: DVec3 = corners.map(|corner| corner.normal).iter().sum();
        let counterclockwise = fan.dot(visible) >= 0.0;
        let front = if counterclockwise { fan } else { -fan };
        let longest = longest_edge(&corners);
        // The normal of a narrow cell is mostly rounding error, so the normals of the surface give its direction.
        let normal = if fan.length() > NARROW * longest.length() {
            front.try_normalize()
        } else {
            let along = longest.try_normalize();
            along.and_then(|along| visible.reject_from_normalized(along).try_normalize())
        };
        Self {
            between,
            borders,
            control,
            normal,
            counterclockwise,
            area: fan.length(),
            bend: bend(&control),
            bounds: Bounds::around(control.iter().copied()),
            straightness: OnceCell::new(),
            samples: OnceCell::new(),
            corners,
        }
    }

    /// Returns a lower bound, at least 0, on the cosines between a unit normal and the normals of the true surface.
    pub fn lean(&self, normal: DVec3) -> f64 {
        let away = self.normal.map_or(1.0, |own| own.dot(normal)).min(1.0);
        let turn = *self.straightness.get_or_init(|| self.straightness());
        if away + turn <= 0.0 {
            return 0.0;
        }
        // The cosine of the sum of the two angles.
        let sines = (1.0 - away * away) * (1.0 - turn * turn);
        (away * turn - sines.max(0.0).sqrt()).max(0.0)
    }

    /// Returns a lower bound on the cosines between the cell's normal and the normals of the true surface and of the
    /// corners, which the map has rounded; 1 if the cell has no normal.
    fn straightness(&self) -> f64 {
        let Some(normal) = self.normal else {
            return 1.0;
        };
        let side = if self.counterclockwise { 1.0 } else { -1.0 };
        let bent = self.corners.iter().map(|corner| corner.normal);
        let bent = bent.filter(|normal| *normal != DVec3::ZERO);
        bent.map(|bent| bent.dot(normal))
            .fold(straightness(&self.control, normal * side), f64::min)
    }

    pub fn is_narrow(&self) -> bool {
        self.area <= NARROW * longest_edge(&self.corners).length()
    }

    /// Returns the corner after a side's first one.
    pub fn next(&self, side: usize) -> &PatchCorner {
        &self.corners[(side + 1) % 4]
    }

    /// Returns the corners, with the points of the border between them, around the cell.
    pub fn outline(&self) -> Vec<DVec3> {
        let sides = self.corners.iter().zip(&self.between);
        let points = sides.flat_map(|(corner, between)| {
            std::iter::once(corner.point).chain(between.iter().copied())
        });
        points.collect()
    }

    /// Whether a point is proven to be within a distance of the surface: near a sample point of it, or so near one of
    /// eight triangles with corners on it that the surface is within the distance as well.
    pub fn is_near(&self, point: DVec3, distance: f64) -> bool {
        let [low, high] = [self.bounds.mins - distance, self.bounds.maxs + distance];
        if point.cmplt(low).any() || point.cmpgt(high).any() {
            return false;
        }
        let samples = self.samples.get_or_init(|| samples(&self.control));
        let mut samples = samples.iter();
        if samples.any(|sample| sample.distance_squared(point) <= distance * distance) {
            return true;
        }
        let at = |column: usize, row: usize| self.control[5 * row + column];
        let corners = [[0, 0], [2, 0], [0, 2], [2, 2]];
        let mut triangles = corners.into_iter().flat_map(|[x, y]| {
            let [a, b, c, d] = [at(x, y), at(x + 2, y), at(x + 2, y + 2), at(x, y + 2)];
            [[a, b, c], [a, c, d]]
        });
        triangles.any(|triangle| to_triangle(triangle, point) + self.bend / 4.0 <= distance)
    }

    pub fn center(&self) -> DVec3 {
        let sum: DVec3 = self.corners.iter().map(|corner| corner.point).sum();
        sum / 4.0
    }
}

/// Returns an upper bound on the distance between the surface and triangles with corners on it, at the same parameters:
/// linear interpolation is off by at most an eighth of the second derivatives, which differences of control points
/// bound.
fn bend(control: &Control) -> f64 {
    let at = |[column, row]: [usize; 2]| control[5 * row + column];
    let lines = || (0..5).flat_map(|line| [0, 2].map(|from| (line, from)));
    let bent = |[a, b, c]: [DVec3; 3]| (a - b * 2.0 + c).length();
    let along = lines().map(|(row, from)| bent([0, 1, 2].map(|step| at([from + step, row]))));
    let across =
        lines().map(|(column, from)| bent([0, 1, 2].map(|step| at([column, from + step]))));
    let twisted = places(0..4, 0..4).map(|[column, row]| {
        let [right, above] = [column + 1, row + 1];
        (at([column, row]) - at([right, row]) - at([column, above]) + at([right, above])).length()
    });
    let most = |lengths: &mut dyn Iterator<Item = f64>| lengths.fold(0.0, f64::max);
    most(&mut { along }) + most(&mut { across }) + 4.0 * most(&mut { twisted })
}

/// Returns a lower bound on the cosines between a direction and the normals of a surface. A normal is the cross product
/// of two derivatives. These lie between the differences of control points, along rows and columns, of a quarter.
fn straightness(control: &Control, direction: DVec3) -> f64 {
    let differences = |quarter: usize, step: usize, across: usize| {
        let ways = (0..2).flat_map(move |along| (0..3).map(move |line| (along, line)));
        ways.map(move |(along, line)| {
            let at = quarter + along * step + line * across;
            control[at + step] - control[at]
        })
    };
    let crosses = [0, 2, 10, 12].into_iter().flat_map(|quarter| {
        differences(quarter, 1, 5)
            .flat_map(move |row| differences(quarter, 5, 1).map(move |column| row.cross(column)))
    });
    // Signed squares are in the same order as the cosines, and need no square roots.
    let squares = crosses.filter_map(|cross| {
        let (length, along) = (cross.length_squared(), cross.dot(direction));
        (length > 0.0).then(|| along * along.abs() / length)
    });
    let least = squares.fold(1.0, f64::min).max(-1.0);
    least.abs().sqrt().copysign(least)
}

/// Returns a grid of sample points of a surface.
fn samples(control: &Control) -> Vec<DVec3> {
    const STEPS: usize = 6;
    let share = |step: usize| step as f64 / STEPS as f64;
    let in_quarter = quarters(control);
    let all = places(0..STEPS + 1, 0..STEPS + 1)
        .flat_map(|place| in_quarter.map(|net| value(&net, place.map(share))));
    all.collect()
}

/// Returns the normal of a cell, whose length is twice the cell's area.
fn fan_normal(corners: &[PatchCorner; 4]) -> DVec3 {
    let [b, c, d] = [1, 2, 3].map(|at| corners[at].point - corners[0].point);
    b.cross(c) + c.cross(d)
}

fn longest_edge(corners: &[PatchCorner; 4]) -> DVec3 {
    longest([0, 1, 2, 3].map(|at| corners[(at + 1) % 4].point - corners[at].point))
}

/// Returns the longest edge; on a tie, the last one.
pub fn longest<const N: usize>(edges: [DVec3; N]) -> DVec3 {
    let by_length = |a: &DVec3, b: &DVec3| a.length_squared().total_cmp(&b.length_squared());
    edges.into_iter().max_by(by_length).unwrap_or_default()
}
