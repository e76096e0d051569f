//! Paints the map itself: the slice in bands of color, with the outline of the skin of each hull, and the lit
//! surfaces beyond the slice.

use rayon::prelude::*;

use super::canvas::{Color, mix};
use super::palette;
use super::relief::Relief;
use super::solids::{DOOR, DOOR_WALL, FREE, GAINED, LOST, SAMPLES, Solids, WALL};
use super::view::View;

/// Distance over which space that is solid for all hulls fades into the paper, in pixels.
const FADE: f64 = 46.0;
/// Width of an outline, in samples.
const OUTLINE: isize = 3;

/// Returns the colors of a picture's pixels, row by row.
pub fn paint(view: &View, solids: &Solids, relief: &Relief, n_hulls: usize) -> Vec<Color> {
    let [width, height] = view.size;
    let depths = depths(view, solids, n_hulls);
    let is_cut = |x: usize, y: usize| {
        let middle = (SAMPLES / 2) as isize;
        let [x, y] = [x, y].map(|at| (at * SAMPLES) as isize + middle);
        solids.at(x, y) != FREE
    };
    let mut pixels = vec![palette::PAPER; width * height];
    let rows = pixels.par_chunks_mut(width).enumerate();
    rows.for_each(|(y, row)| {
        for (x, pixel) in row.iter_mut().enumerate() {
            let depth = depths[y * width + x];
            let samples = samples_of(x, y);
            let is_free = samples.clone().any(|(x, y)| solids.at(x, y) == FREE);
            let beyond = is_free.then(|| relief.color(x, y, is_cut));
            let colors = samples.map(|(x, y)| sample(solids, [x, y], beyond, depth, n_hulls));
            *pixel = average(colors);
        }
    });
    pixels
}

/// Returns the samples of a slice that a pixel covers.
fn samples_of(x: usize, y: usize) -> impl Iterator<Item = (isize, isize)> + Clone {
    let [x, y] = [x, y].map(|at| (at * SAMPLES) as isize);
    let each = 0..SAMPLES as isize;
    let rows = each.clone();
    rows.flat_map(move |row| each.clone().map(move |column| (x + column, y + row)))
}

/// Returns the average of the colors of a pixel's samples.
fn average(colors: impl Iterator<Item = Color>) -> Color {
    let sums = colors.fold([0u32; 3], |sums, color| {
        [0, 1, 2].map(|k| sums[k] + u32::from(color[k]))
    });
    let count = (SAMPLES * SAMPLES) as u32;
    sums.map(|sum| ((sum + count / 2) / count) as u8)
}

/// Returns the color of a sample: that of what is solid there or, in free space, `beyond`, the surface that is seen
/// behind the cut.
fn sample(
    solids: &Solids,
    [x, y]: [isize; 2],
    beyond: Option<Color>,
    depth: f64,
    n_hulls: usize,
) -> Color {
    let code = solids.at(x, y);
    let color = match code {
        FREE => return beyond.unwrap_or(palette::PAPER),
        WALL => palette::WALL,
        DOOR_WALL => palette::DOOR,
        GAINED => palette::GAINED,
        LOST => palette::LOST,
        DOOR => mix(palette::DOOR, [0xFF; 3], 0.55),
        _ if usize::from(code) == n_hulls => mix(palette::ROCK, palette::PAPER, depth / FADE),
        _ => palette::band(usize::from(code) - 1, n_hulls),
    };
    if is_outline(solids, code, x, y) {
        mix(color, palette::INK, 0.72)
    } else {
        color
    }
}

/// Whether a sample is within the width of an outline of one that is solid for fewer hulls.
fn is_outline(solids: &Solids, code: u8, x: isize, y: isize) -> bool {
    let mut ways = (-1..=1).flat_map(|right| (-1..=1).map(move |down| (right, down)));
    ways.any(|(right, down)| {
        let is_diagonal = right != 0 && down != 0;
        let step = if is_diagonal {
            OUTLINE * 2 / 3
        } else {
            OUTLINE
        };
        solids.at(x + right * step, y + down * step) < code
    })
}

/// Returns the depth of each pixel inside space that is solid for all hulls, in pixels; its contours are nearly
/// round.
fn depths(view: &View, solids: &Solids, n_hulls: usize) -> Vec<f64> {
    let [width, height] = view.size;
    let middle = (SAMPLES / 2) as isize;
    let is_rock = |number: usize| {
        let [x, y] = [number % width, number / width].map(|at| (at * SAMPLES) as isize + middle);
        usize::from(solids.at(x, y)) == n_hulls
    };
    let depths = (0..width * height).map(|number| if is_rock(number) { FADE } else { 0.0 });
    let mut depths: Vec<f64> = depths.collect();
    let steps = [(-1, 0, 1.0), (0, -1, 1.0), (-1, -1, 1.414), (1, -1, 1.414)];
    for number in (0..depths.len()).chain((0..depths.len()).rev()) {
        let [x, y] = [number % width, number / width].map(|at| at as isize);
        for (dx, dy, length) in steps.iter().flat_map(|&(x, y, l)| [(x, y, l), (-x, -y, l)]) {
            let [x, y] = [x + dx, y + dy];
            if x >= 0 && y >= 0 && x < width as isize && y < height as isize {
                let other = depths[y as usize * width + x as usize];
                depths[number] = depths[number].min(other + length);
            }
        }
    }
    depths
}
