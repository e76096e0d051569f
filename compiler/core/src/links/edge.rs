//! An edge of a floor after the first pass, which finds the floors where agents walk on: its links to these, and the
//! parts that are open.

use onion_format::LinkRecord;

use super::line::{Line, Part};

/// An edge of a floor, and the links over it to floors where the agent walks on.
pub(super) struct Edge {
    pub(super) line: Line,
    pub(super) walks: Vec<LinkRecord>,
    /// The parts that are left.
    pub(super) open: Vec<Part>,
    /// The parts that paths go around, like walls: those without links, and those that lead into triggers.
    pub(super) around: Vec<Part>,
}
