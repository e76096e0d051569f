//! Merges the cells of a mesh into few runs: rectangles that grow while one convex piece keeps within the error for all
//! of their cells. A cell for which no such piece can be made gets a block or plates.

use std::ops::Range;

use onion_geometry::ExactPlane;

use super::check::Check;
use super::mesh::{Mesh, PatchCell};
use super::run::{OutlineSide, Run, WALLS, Walls};
use super::surface::{beyond, places};
use super::{block, plates};

/// Maximum number of cells of a run: the time to make its piece grows with the square of their number.
const MAX_CELLS: usize = 64;

/// Returns the pieces of a mesh, each as its planes. Runs grow along rows first, and in a second attempt along columns
/// first; the attempt with fewer planes is returned. Returns `None` if a cell needs plates but its plates are not
/// proven.
pub fn pieces(mesh: &Mesh, check: &Check) -> Option<Vec<Vec<ExactPlane>>> {
    let along = grown(mesh, 0, check)?;
    // A single row grows along one axis only.
    if mesh.size.contains(&1) {
        return Some(along);
    }
    let across = grown(mesh, 1, check)?;
    let n_planes = |pieces: &Vec<Vec<ExactPlane>>| pieces.iter().map(Vec::len).sum::<usize>();
    // On a tie, the first attempt is taken.
    [along, across].into_iter().min_by_key(n_planes)
}

/// Returns pieces whose runs grow along an axis first. A run whose pieces fail the check is halved; a single cell that
/// fails becomes a block or plates.
fn grown(mesh: &Mesh, axis: usize, check: &Check) -> Option<Vec<Vec<ExactPlane>>> {
    let mut free = vec![true; mesh.cells.len()];
    let mut pieces = Vec::new();
    while let Some(first) = free.iter().position(|&free| free) {
        let mut block = mesh.longest(first, axis, &free, check.error);
        let passing = |block: &[Range<usize>; 2]| {
            let piece = mesh.piece(block, check.error)?;
            check.passes(&mesh.block(block), &piece).then_some(piece)
        };
        let mut made = passing(&block);
        while made.is_none() && mesh.places(&block).count() > 1 {
            let axis = usize::from(block[0].len() < block[1].len());
            block[axis].end -= block[axis].len() / 2;
            made = passing(&block);
        }
        for at in mesh.places(&block) {
            free[at] = false;
        }
        let cell = &mesh.cells[first];
        match made {
            Some(piece) => pieces.push(piece),
            // The cell was divided only until it had a piece of its own, but with its neighbors no piece is possible.
            None if plates::excess(cell, check.error) > 0.0 => return None,
            None => pieces.extend(block::pieces(cell, check.error)),
        }
    }
    Some(pieces)
}

impl Mesh {
    /// Returns the longest rectangle of free cells that has a piece. It begins with the cell `first` and grows along an
    /// axis before the other.
    fn longest(&self, first: usize, axis: usize, free: &[bool], error: f64) -> [Range<usize>; 2] {
        let start = [first % self.size[0], first / self.size[0]];
        let mut block = start.map(|at| at..at + 1);
        let is_made = |block: &_| self.piece(block, error).is_some();
        if !is_made(&block) {
            return block;
        }
        for axis in [axis, 1 - axis] {
            while block[axis].end < self.size[axis] {
                let mut longer = block.clone();
                longer[axis].end += 1;
                let is_free = self.places(&longer).all(|at| free[at]);
                let is_short = self.places(&longer).count() <= MAX_CELLS;
                if !is_free || !is_short || !is_made(&longer) {
                    break;
                }
                block = longer;
            }
        }
        block
    }

    /// Returns the numbers of the cells in a rectangle.
    fn places(&self, block: &[Range<usize>; 2]) -> impl Iterator<Item = usize> {
        let [columns, rows] = block.clone();
        places(columns, rows).map(|[column, row]| row * self.size[0] + column)
    }

    /// Returns a single piece for the cells in a rectangle, or `None` if no piece keeps within the error.
    fn piece(&self, block: &[Range<usize>; 2], error: f64) -> Option<Vec<ExactPlane>> {
        let mut runs = WALLS.iter().map(|&walls| self.run(block, walls));
        runs.find_map(|run| run.piece(error))
    }

    /// Returns the cells in a rectangle.
    fn block(&self, block: &[Range<usize>; 2]) -> Vec<&PatchCell> {
        self.places(block).map(|at| &self.cells[at]).collect()
    }

    /// Returns the run of the cells in a rectangle.
    fn run(&self, block: &[Range<usize>; 2], walls: Walls) -> Run<'_> {
        let cells = self.block(block);
        let [columns, rows] = block;
        let lower = columns.clone().map(|column| ([column, rows.start], 0));
        let right = rows.clone().map(|row| ([columns.end - 1, row], 1));
        let upper = columns.clone().map(|column| ([column, rows.end - 1], 2));
        let left = rows.clone().map(|row| ([columns.start, row], 3));
        let sides = lower.chain(right).chain(upper.rev()).chain(left.rev());
        let outline = sides.map(|(at, side)| OutlineSide {
            cell: self.cell(at),
            side,
            neighbor: beyond(at, side, self.size).map(|at| self.cell(at)),
        });
        Run::new(cells, outline.collect(), walls)
    }

    fn cell(&self, [column, row]: [usize; 2]) -> &PatchCell {
        &self.cells[row * self.size[0] + column]
    }
}
