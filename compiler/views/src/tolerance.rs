//! Every tolerance of views, with its unit and the reason for its size, from the smallest to the largest. None of them
//! decides which space is solid: geometry is exact. They define which positions are the same in two files.

/// Length of an interval, in units, up to which a difference between two files is ignored: traces in two trees report
/// the same position to within far less.
pub const SAME_PLACE: f64 = 1.0 / 256.0;
