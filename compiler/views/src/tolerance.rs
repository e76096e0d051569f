//! Every tolerance of views, with its unit and the reason for its size, from the smallest to the largest. None of them
//! decides what is solid: geometry is exact. They tell what counts as the same in two files.

/// What is solid in one file and empty in another for less than this along a line, in units, is no difference between
/// them: traces in two trees name the same place to within far less.
pub const SAME_PLACE: f64 = 1.0 / 256.0;
