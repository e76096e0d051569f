//! Every tolerance of views, with its unit and the reason for its size, from the smallest to the largest. None of
//! them decides what is solid: geometry is exact. They define what counts as the same in two files.

/// Length along a line, in units, below which space that is solid in one file and empty in another is not a
/// difference: traces in two trees report the same place to within far less.
pub const SAME_PLACE: f64 = 1.0 / 256.0;
