//! Divides the spans of a patch until every cell keeps within the error, into as few columns and rows as a
//! greedy search finds.

use super::mesh::Sheet;
use super::plates;
use super::run::Run;

/// Most steps across one span, whatever the error asked for.
const MAX_STEPS: usize = 64;

/// Steps for each column and each row of spans. Spans are looked at again while others raise their steps, which may
/// do harm to them.
pub fn steps(sheet: &Sheet, error: f64) -> [Vec<usize>; 2] {
    let n_spans = sheet.n_spans();
    let mut steps = n_spans.map(|n_spans| vec![1; n_spans]);
    let mut is_open = true;
    while is_open {
        is_open = false;
        for row in 0..n_spans[1] {
            for column in 0..n_spans[0] {
                let now = [steps[0][column], steps[1][row]];
                let found = refine(sheet, [column, row], now, error);
                is_open |= found != now;
                steps[0][column] = found[0];
                steps[1][row] = found[1];
            }
        }
    }
    steps
}

/// Raises the steps of one span from those that others need until its cells keep within the error, each time along
/// the axis where twice as many would help more; one more may do harm where the border's edges begin elsewhere.
fn refine(sheet: &Sheet, span: [usize; 2], least: [usize; 2], error: f64) -> [usize; 2] {
    let mut steps = least;
    while steps != [MAX_STEPS; 2] {
        let now = excess(sheet, span, steps, error);
        if now <= 0.0 {
            break;
        }
        let [across, down] = [0, 1].map(|axis| {
            let mut twice = steps;
            twice[axis] *= 2;
            match steps[axis] < MAX_STEPS {
                true => excess(sheet, span, twice, error),
                false => f64::INFINITY,
            }
        });
        let axis = match down == across {
            true => usize::from(steps[1] < steps[0]),
            false => usize::from(down < across),
        };
        // Some at a time where there are many: trying takes time.
        steps[axis] = (steps[axis] + 1 + steps[axis] / 4).min(MAX_STEPS);
    }
    // What one axis needed at first may have become needless with the other's.
    for axis in [0, 1] {
        let mut fewer = steps;
        fewer[axis] -= 1;
        while fewer[axis] >= least[axis] && excess(sheet, span, fewer, error) <= 0.0 {
            steps = fewer;
            fewer[axis] -= 1;
        }
    }
    steps
}

/// By how much the worst cell of a span misses the error, in units; not above 0 if none does. A cell for which
/// no piece can be made is one for plates.
fn excess(sheet: &Sheet, span: [usize; 2], steps: [usize; 2], error: f64) -> f64 {
    let cells = sheet.cells(span, steps);
    let excess = cells.map(|cell| {
        let plates = plates::excess(&cell, error);
        if plates <= 0.0 || cell.is_narrow() {
            return plates;
        }
        let run = Run::alone(&cell);
        match run.excess(error) {
            excess if excess <= 0.0 && run.piece(error).is_none() => plates,
            excess => excess.min(plates),
        }
    });
    excess.fold(f64::NEG_INFINITY, f64::max)
}
