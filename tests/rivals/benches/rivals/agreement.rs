//! Whether rivals answer the same question: answers of the onion and of a rival in, the number of differences out.
//! Traces that start in solid are left out, because engines disagree about those.

use crate::rival::{Answer, Contender, Question, SINGLE_PRECISION, Segment};

/// Largest share of the queries on which an exact rival may differ: those that graze an edge.
pub const MAX_DIFFERENT: f64 = 0.005;

/// Fewer queries than this are not judged: in a map of one brush, which fills the box that queries come from, the
/// only starts that are not in solid are on its faces, and f32 cannot decide on which side.
const FEWEST: usize = 100;

/// The comparison of a rival's answers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Agreement {
    /// Queries that were compared.
    pub compared: usize,
    /// Number of those that were answered earlier than the exact answer by more than the tolerance, or as solid where
    /// it is empty, or with a normal along the motion.
    pub early: usize,
    /// Number of those that were answered later, or as empty where it is solid.
    pub late: usize,
}

impl Agreement {
    /// Compares a rival with the onion.
    pub fn new(
        question: Question,
        queries: &[Segment],
        exact: &[Answer],
        rival: &mut dyn Contender,
    ) -> Self {
        let mut agreement = Self::default();
        let answers = rival.answers(question, queries);
        for ((segment, exact), answer) in queries.iter().zip(exact).zip(&answers) {
            let later = match question {
                Question::Trace if exact.start_solid => continue,
                Question::Trace => {
                    (answer.hit_fraction - exact.hit_fraction) * length(segment) / rival.tolerance()
                }
                // The difference is beyond any tolerance, or zero.
                Question::Point => {
                    2.0 * (f32::from(exact.start_solid) - f32::from(answer.start_solid))
                }
            };
            agreement.compared += 1;
            agreement.early += usize::from(later < -1.0 || !faces_motion(segment, answer));
            agreement.late += usize::from(later > 1.0);
        }
        agreement
    }

    /// Whether an exact rival may differ this often.
    pub fn is_close(&self) -> bool {
        let most = self.compared as f64 * MAX_DIFFERENT;
        self.compared < FEWEST || (self.early + self.late) as f64 <= most
    }
}

/// Whether the normal of a hit faces against the motion, up to rounding error.
fn faces_motion(segment: &Segment, answer: &Answer) -> bool {
    let [start, end] = segment;
    let along = (0..3).map(|axis| (end[axis] - start[axis]) * answer.normal[axis]);
    along.sum::<f32>() <= SINGLE_PRECISION
}

fn length([start, end]: &Segment) -> f32 {
    let squares = (0..3).map(|axis| (end[axis] - start[axis]).powi(2));
    squares.sum::<f32>().sqrt()
}
