//! Cylinders as hulls: a radius and a number of sides in; the halves of a prism's sides on the grid of hulls' corners
//! out. The prism lies around the cylinder or within it, by whole numbers, so no rounding error can put it across.

use onion_runtime::shape::ring;

/// A vector in the xy plane, in steps of 1/2048 unit.
type Half = [i64; 2];

/// Returns halves of the sides of a prism with 8, 16 or 32 sides around a circle, with four sides that face the axes at
/// exactly the radius, or `None` if the circle is too small for this number of sides.
pub(super) fn around(radius: i64, n_sides: usize) -> Option<Vec<Half>> {
    let directions: Vec<[f64; 2]> = ring(n_sides)?.collect();
    let reach: f64 = directions.iter().map(|[_, y]| y).sum();
    let quarter = directions.len() / 2;
    shrunk(radius as f64 / reach, |length| {
        let mut halves = rounded(&directions, length);
        // The sides that face the axes get what the other sides leave of the extent along their axis.
        for (side, axis) in [(0, 0), (quarter, 1)] {
            halves[side][axis] = 0;
            halves[side][axis] = radius - extent(&halves, axis);
        }
        let is_around = halves[0][0] > 0
            && halves[quarter][1] > 0
            && halves.iter().all(|side| is_beyond(&halves, side, radius));
        is_around.then_some(halves)
    })
}

/// Returns halves of the sides of a prism with 8, 16 or 32 sides and its edges within a circle, or `None` if the circle
/// is too small for this number of sides.
pub(super) fn within(radius: i64, n_sides: usize) -> Option<Vec<Half>> {
    let directions: Vec<[f64; 2]> = ring(n_sides)?.collect();
    let [x, y] = [0, 1].map(|axis| directions.iter().map(|at| at[axis]).sum::<f64>());
    // Not `hypot`, which differs between machines.
    let corner = (x * x + y * y).sqrt();
    shrunk(radius as f64 / corner, |length| {
        let halves = rounded(&directions, length);
        let square = |[x, y]: Half| x * x + y * y;
        let is_within = corners(&halves).all(|corner| square(corner) <= radius * radius);
        is_within.then_some(halves)
    })
}

/// Tries a length and shorter ones, step by step, until one gives a convex base.
fn shrunk(length: f64, of: impl Fn(f64) -> Option<Vec<Half>>) -> Option<Vec<Half>> {
    let mut lengths = (0..).map(|step| length - f64::from(step));
    lengths
        .by_ref()
        .take_while(|&length| length >= 1.0)
        .filter_map(of)
        .find(|halves| is_convex(halves))
}

/// Whether each side turns to the left of the one before it.
fn is_convex(halves: &[Half]) -> bool {
    let mut pairs = halves.windows(2);
    pairs.all(|pair| pair[0][0] * pair[1][1] > pair[0][1] * pair[1][0])
}

fn rounded(directions: &[[f64; 2]], length: f64) -> Vec<Half> {
    let half = |at: &[f64; 2]| at.map(|component| (component * length).round() as i64);
    directions.iter().map(half).collect()
}

/// Returns half of the extent along an axis, in steps of 1/2048 unit.
pub(super) fn extent(halves: &[Half], axis: usize) -> i64 {
    halves.iter().map(|half| half[axis].abs()).sum()
}

/// Whether a side is at least as far from the center as the radius.
fn is_beyond(halves: &[Half], [x, y]: &Half, radius: i64) -> bool {
    // The distance times the length of the side; below 2^50, so its square fits.
    let area: i64 = halves
        .iter()
        .map(|half| (half[0] * y - half[1] * x).abs())
        .sum();
    let [area, radius, square] = [area, radius, x * x + y * y].map(i128::from);
    area * area >= radius * radius * square
}

/// Returns half of the corners of the base; the others are opposite.
fn corners(halves: &[Half]) -> impl Iterator<Item = Half> {
    let first = [0, 1].map(|axis| halves.iter().map(|half| half[axis]).sum::<i64>());
    halves.iter().scan(first, |corner, half| {
        let [x, y] = *corner;
        *corner = [x - 2 * half[0], y - 2 * half[1]];
        Some([x, y])
    })
}
