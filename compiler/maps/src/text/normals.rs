//! Computes normals of a patch's control points on its visible side, which the text of a map does not contain. As in
//! Quake III's compiler, they point in the direction of the cross product of a step to the next column and a step to
//! the next row; the normal of a point is the mean of the normals of the corners that it forms with its neighbors.

use glam::{DVec3, Vec3};

/// The eight neighbors of a point, as steps of column and row, in order around it.
const CIRCLE: [[isize; 2]; 8] = [
    [0, 1],
    [1, 1],
    [1, 0],
    [1, -1],
    [0, -1],
    [-1, -1],
    [-1, 0],
    [-1, 1],
];

/// Maximum number of steps in one direction in search of a point at another position: rows of points may coincide.
const MAX_STEPS: isize = 3;

/// Maximum distance, in units, between points of opposite edges of a patch that meet in a seam.
const SEAM: f64 = 1.0;

/// Returns the normals of points in rows, zero where the surrounding points are on a line.
pub fn normals(width: usize, height: usize, points: &[[f32; 3]]) -> Vec<[f32; 3]> {
    let grid = Grid::new(width, height, points);
    let all = (0..height).flat_map(|row| (0..width).map(move |column| [column, row]));
    let normal = |[column, row]: [usize; 2]| grid.normal(column as isize, row as isize);
    all.map(|at| normal(at).as_vec3().to_array()).collect()
}

/// The points of a patch.
struct Grid {
    /// Number of points in a row, and of rows.
    size: [isize; 2],
    /// The points, row by row, in units.
    points: Vec<DVec3>,
    /// Whether the first column meets the last one, and the first row the last one.
    wraps: [bool; 2],
}

impl Grid {
    fn new(width: usize, height: usize, points: &[[f32; 3]]) -> Self {
        let points = points.iter().map(|&point| Vec3::from(point).as_dvec3());
        let points: Vec<DVec3> = points.collect();
        let near = |a: usize, b: usize| points[a].distance(points[b]) <= SEAM;
        let last_row = (height - 1) * width;
        let wraps = [
            (0..height).all(|row| near(row * width, row * width + width - 1)),
            (0..width).all(|column| near(column, last_row + column)),
        ];
        Self {
            size: [width as isize, height as isize],
            points,
            wraps,
        }
    }

    fn normal(&self, column: isize, row: isize) -> DVec3 {
        let here = self.points[(row * self.size[0] + column) as usize];
        let around = CIRCLE.map(|step| {
            let steps = 1..=MAX_STEPS;
            let mut there = steps.map_while(|n| self.at([column + n * step[0], row + n * step[1]]));
            there.find_map(|there| (there - here).try_normalize())
        });
        let corner = |at: usize| {
            let (from, to) = (around[at]?, around[(at + 1) % 8]?);
            to.cross(from).try_normalize()
        };
        let sum: DVec3 = (0..8).filter_map(corner).sum();
        sum.normalize_or_zero()
    }

    /// Returns the point at a column and row, which may be beyond a seam, or `None` if it is beyond an edge.
    fn at(&self, place: [isize; 2]) -> Option<DVec3> {
        let inside = |axis: usize| {
            let (at, size) = (place[axis], self.size[axis]);
            match self.wraps[axis] {
                _ if (0..size).contains(&at) => Some(at),
                // Both edges of a seam have the same points.
                true => Some(at.rem_euclid(size - 1)),
                false => None,
            }
        };
        let (column, row) = (inside(0)?, inside(1)?);
        Some(self.points[(row * self.size[0] + column) as usize])
    }
}
