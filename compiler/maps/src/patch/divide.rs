//! Divides the spans of a patch until every cell keeps within the error, into as few columns and rows as a greedy
//! search finds.

use super::mesh::{PatchCell, PatchSheet};
use super::plates;
use super::run::{Run, WALLS, Walls};

/// Maximum number of steps across one span, however small the error.
const MAX_STEPS: usize = 4096;

/// A greedy search for the numbers of columns and rows into which spans are divided.
pub struct Divider<'a> {
    pub sheet: &'a PatchSheet,
    /// The greatest distance of the cells from the surface, in units.
    pub error: f64,
    /// Whether plates must be proven for each cell.
    pub has_plates: bool,
    /// Limit on the number of cells.
    pub most: usize,
}

impl Divider<'_> {
    /// Returns the number of steps in each column and in each row of spans, or `None` if they make more than `most`
    /// cells. A span is examined again when its neighbors need more steps, because these may increase its error.
    pub fn steps(&self) -> Option<[Vec<usize>; 2]> {
        let n_spans = self.sheet.n_spans();
        let mut steps = n_spans.map(|n_spans| vec![1; n_spans]);
        // The steps with which each span keeps within the error.
        let mut done = vec![[0; 2]; n_spans[0] * n_spans[1]];
        let mut is_open = true;
        while is_open {
            is_open = false;
            for (at, done) in done.iter_mut().enumerate() {
                let span = [at % n_spans[0], at / n_spans[0]];
                let now = [0, 1].map(|axis| steps[axis][span[axis]]);
                if *done != now {
                    *done = self.refine(span, now);
                    is_open |= *done != now;
                    for axis in [0, 1] {
                        steps[axis][span[axis]] = done[axis];
                    }
                }
                let [columns, rows] = [0, 1].map(|axis| steps[axis].iter().sum::<usize>());
                if columns * rows > self.most {
                    return None;
                }
            }
        }
        Some(steps)
    }

    /// Raises the steps of one span, from those that other spans need, until its cells keep within the error. Each time
    /// it raises the axis on which halving the worst cell helps more. The error is not monotonic: with one more step,
    /// edges of the border begin elsewhere, and some cells may get worse.
    fn refine(&self, span: [usize; 2], least: [usize; 2]) -> [usize; 2] {
        let mut steps = least;
        while steps != [MAX_STEPS; 2] && steps[0].saturating_mul(steps[1]) <= self.most {
            let Some(worst) = self.worst(span, steps) else {
                break;
            };
            let [across, down] = [0, 1].map(|axis| {
                if steps[axis] < MAX_STEPS {
                    self.halved(span, steps, worst, axis)
                } else {
                    f64::INFINITY
                }
            });
            let axis = if down == across {
                usize::from(steps[1] < steps[0])
            } else {
                usize::from(down < across)
            };
            // Many steps are raised by several at a time, because each attempt takes time.
            steps[axis] = (steps[axis] + 1 + steps[axis] / 4).min(MAX_STEPS);
        }
        // Steps on one axis may have become unnecessary because of those on the other.
        for axis in [0, 1] {
            let mut fewer = steps;
            fewer[axis] -= 1;
            while fewer[axis] >= least[axis] && self.is_near(span, fewer) {
                steps = fewer;
                fewer[axis] -= 1;
            }
        }
        steps
    }

    /// Whether all cells of a span keep within the error.
    fn is_near(&self, span: [usize; 2], steps: [usize; 2]) -> bool {
        let mut cells = self.sheet.cells(span, steps);
        cells.all(|cell| self.excess(&cell) <= 0.0)
    }

    /// Returns the column and row of the cell of a span that exceeds the error most, or `None` if no cell does.
    fn worst(&self, span: [usize; 2], steps: [usize; 2]) -> Option<[usize; 2]> {
        let cells = self.sheet.cells(span, steps);
        let excesses = cells.map(|cell| self.excess(&cell)).enumerate();
        let missing = excesses.filter(|(_, excess)| *excess > 0.0);
        let (at, _) = missing.max_by(|a, b| a.1.total_cmp(&b.1))?;
        Some([at % steps[0], at / steps[0]])
    }

    /// Returns the distance by which the worse half of a cell exceeds the error, in units.
    fn halved(&self, span: [usize; 2], steps: [usize; 2], cell: [usize; 2], axis: usize) -> f64 {
        let (mut twice, mut half) = (steps, cell);
        twice[axis] *= 2;
        half[axis] *= 2;
        let first = self.sheet.cell_at(span, twice, half);
        half[axis] += 1;
        let second = self.sheet.cell_at(span, twice, half);
        f64::max(self.excess(&first), self.excess(&second))
    }

    /// Returns the distance by which a cell exceeds the error, in units; not above 0 if it keeps within the error. If
    /// no piece can be made for a cell, the error of its plates counts.
    fn excess(&self, cell: &PatchCell) -> f64 {
        let plates = plates::excess(cell, self.error);
        if plates <= 0.0 || cell.is_narrow() || self.has_plates {
            return plates;
        }
        let is_solid = |&walls: &Walls| Run::alone(cell, walls).piece(self.error).is_some();
        match Run::alone(cell, Walls::Mitered).excess(self.error) {
            excess if excess <= 0.0 && !WALLS.iter().any(is_solid) => plates,
            excess => excess.min(plates),
        }
    }
}
