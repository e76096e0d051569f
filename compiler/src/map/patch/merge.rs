//! Groups the cells of a mesh into few runs: rectangles that grow as long as one convex piece keeps within the
//! error for all of their cells. A cell for which no such piece can be made gets a block or plates.

use std::ops::Range;

use super::block;
use super::check::Check;
use super::mesh::{Cell, Mesh};
use super::plates;
use super::run::{Outline, Run, WALLS, Walls};
use crate::geometry::Plane;

/// Most cells of a run: their number squared is the work of trying it.
const MAX_CELLS: usize = 64;

/// The pieces of a mesh, each as its planes: the fewer of what growing along rows first and growing along columns first
/// makes. None if the check is not strict and finds that one is wrong.
pub fn pieces(mesh: &Mesh, check: &Check) -> Option<Vec<Vec<Plane>>> {
    let along = grown(mesh, 0, check)?;
    // A single row grows along one axis only.
    if mesh.size.contains(&1) {
        return Some(along);
    }
    let across = grown(mesh, 1, check)?;
    let n_planes = |pieces: &[Vec<Plane>]| pieces.iter().map(Vec::len).sum::<usize>();
    Some(if n_planes(&across) < n_planes(&along) {
        across
    } else {
        along
    })
}

/// Pieces whose runs grow along an axis first.
fn grown(mesh: &Mesh, axis: usize, check: &Check) -> Option<Vec<Vec<Plane>>> {
    let mut free = vec![true; mesh.cells.len()];
    let mut pieces = Vec::new();
    while let Some(first) = free.iter().position(|&free| free) {
        let start = [first % mesh.size[0], first / mesh.size[0]];
        let mut block = start.map(|at| at..at + 1);
        let mut piece = mesh.piece(&block, check);
        for axis in [axis, 1 - axis] {
            while piece.is_some() && block[axis].end < mesh.size[axis] {
                let mut longer = block.clone();
                longer[axis].end += 1;
                if !mesh.places(&longer).all(|at| free[at])
                    || mesh.places(&longer).count() > MAX_CELLS
                {
                    break;
                }
                let Some(found) = mesh.piece(&longer, check) else {
                    break;
                };
                (piece, block) = (Some(found), longer);
            }
        }
        for at in mesh.places(&block) {
            free[at] = false;
        }
        match piece {
            Some(piece) if check.is_strict || check.passes(&mesh.block(&block), &piece) => {
                pieces.push(piece);
            }
            Some(_) => return None,
            None => {
                let cell = &mesh.cells[first];
                // A cell that was to have a piece of its own got neighbors with which there is none.
                if plates::excess(cell, check.error) > 0.0 {
                    return None;
                }
                pieces.extend(block::pieces(cell, check.error));
            }
        }
    }
    Some(pieces)
}

impl Mesh {
    /// The numbers of the cells in a rectangle.
    fn places(&self, block: &[Range<usize>; 2]) -> impl Iterator<Item = usize> {
        let [columns, rows] = block.clone();
        let width = self.size[0];
        rows.flat_map(move |row| columns.clone().map(move |column| row * width + column))
    }

    /// One piece for the cells in a rectangle, if it keeps within the error.
    fn piece(&self, block: &[Range<usize>; 2], check: &Check) -> Option<Vec<Plane>> {
        let runs = WALLS.iter().map(|&walls| self.run(block, walls));
        runs.map(|run| run.piece(check)).find_map(|piece| piece)
    }

    /// The cells in a rectangle.
    fn block(&self, block: &[Range<usize>; 2]) -> Vec<&Cell> {
        self.places(block).map(|at| &self.cells[at]).collect()
    }

    /// The run of the cells in a rectangle.
    fn run(&self, block: &[Range<usize>; 2], walls: Walls) -> Run<'_> {
        let cells = self.block(block);
        let [columns, rows] = block;
        let lower = columns.clone().map(|column| ([column, rows.start], 0));
        let right = rows.clone().map(|row| ([columns.end - 1, row], 1));
        let upper = columns
            .clone()
            .rev()
            .map(|column| ([column, rows.end - 1], 2));
        let left = rows.clone().rev().map(|row| ([columns.start, row], 3));
        let sides = lower.chain(right).chain(upper).chain(left);
        let outline = sides.map(|(at, side)| Outline {
            cell: self.cell(at),
            side,
            neighbor: self.neighbor(at, side),
        });
        Run::new(cells, outline.collect(), walls)
    }

    fn cell(&self, [column, row]: [usize; 2]) -> &Cell {
        &self.cells[row * self.size[0] + column]
    }

    fn neighbor(&self, [column, row]: [usize; 2], side: usize) -> Option<&Cell> {
        let at = match side {
            0 => [column, row.checked_sub(1)?],
            1 => [column + 1, row],
            2 => [column, row + 1],
            _ => [column.checked_sub(1)?, row],
        };
        let is_inside = at[0] < self.size[0] && at[1] < self.size[1];
        is_inside.then(|| self.cell(at))
    }
}
