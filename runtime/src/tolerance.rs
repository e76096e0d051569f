//! Every tolerance of the crate in one place, with its name, its unit, the reason for its size, and which must be
//! larger than which. Limits that are not about rounding, such as the length of a search, are where they are used.

use onion_format::OUTSIDE_MARGIN;

/// `2^-bits`.
const fn half_to_the(bits: u32) -> f64 {
    1.0 / (1u64 << bits) as f64
}

/// A point this near to a plane is on it, in units: what rounding leaves of the signed distance of a point
/// of the plane, at most 2^-32 within 2^17 units of the origin, twice over. A shape that is no deeper than
/// this inside of a brush touches it.
pub(crate) const ON_PLANE: f64 = half_to_the(31);

/// A stretch of solid that is shorter than this counts as touched, in units along the longest
/// axis of the segment. Planes that were to meet in one line were rounded apart when they were
/// made, and their crossings again here; what opens between them is below 2^-28 units for planes
/// that do not meet at a glancing angle. This leaves a factor of 16 and is still far below
/// anything a map means. A segment that ends in solid always enters it.
pub(crate) const GRAZE: f64 = half_to_the(24);

/// Stretches that are this long along the segment's longest axis, in units, are surely longer than what
/// the reference walk takes for touching.
pub(crate) const LONG: f64 = 2.0 * GRAZE;

/// How far inside of the grid a segment from outside enters it, in units: half of what is as outside there, and far
/// above what rounds off in such a place.
pub(crate) const BEYOND_GRID: f64 = OUTSIDE_MARGIN / 2.0;

/// A point may touch a face of a block that is this near, in blocks: far above [`ON_PLANE`], even in blocks of a unit.
pub(crate) const NEAR_FACE: f64 = half_to_the(28);

/// Ends whose absolute coordinates add up to this or more are for the reference, in units: below it, places on a
/// segment round off by less than a quarter of [`GRAZE`].
pub(crate) const MAX_SIZE: f64 = (1u64 << 24) as f64;

/// Places this near to a plane may lie in the cells on both sides, in units: what traces take for
/// touching ([`GRAZE`] along an axis), what rounds off in a place, and planes that meet at an angle.
pub(crate) const NEAR: f64 = half_to_the(20);

/// Boxes around brushes count as this much larger on each side, in units: far above what rounds off on the
/// way of a box within 2^17 units, for nothing may be missed.
pub(crate) const BOX_MARGIN: f64 = half_to_the(16);

/// How far inside a cell a place with room is looked for, in units: well above what f32 coordinates
/// round off within 2^15 units of the origin, well below what a player sees.
pub(crate) const INSET: f64 = half_to_the(7);

/// A search for a place with room is done when no turn moves it by more than this, in units.
pub(crate) const STEADY: f64 = INSET / 16.0;

/// How far a move keeps off each plane it has met, in units: half the margin of a trace, many times what
/// rounding does to a place in a large map, so that sliding along a plane does not meet it again.
pub(crate) const NUDGE: f64 = DEFAULT_MARGIN / 2.0;

/// Default distance that a trace keeps from the plane it hits, in units.
pub const DEFAULT_MARGIN: f64 = half_to_the(5);

/// The shortest distance at which an agent looks for a way out of solid, in units: twice the margin of a
/// trace, so that it is clear of what it was in.
pub(crate) const FIRST_UNSTICK: f64 = 2.0 * DEFAULT_MARGIN;

/// How far below an agent its ground may be, in units: Quake III's. Far more than the margin that a trace
/// keeps from a slope, too little to see.
pub(crate) const GROUND_REACH: f64 = 8.0 * DEFAULT_MARGIN;

const _: () = {
    assert!(ON_PLANE < GRAZE);
    assert!(GRAZE < LONG);
    assert!(LONG < NEAR);
    assert!(NEAR < BOX_MARGIN);
    assert!(BOX_MARGIN < STEADY);
    assert!(STEADY < INSET);
    assert!(INSET < NUDGE);
    assert!(NUDGE < DEFAULT_MARGIN);
    assert!(DEFAULT_MARGIN < FIRST_UNSTICK);
    assert!(FIRST_UNSTICK < GROUND_REACH);
};

/// The largest fraction below 1: a crossing with the end point truly behind it stays before the
/// end, so that a solid end is always found.
pub(crate) const BELOW_ONE: f64 = 1.0 - f64::EPSILON / 2.0;

/// Crossings at one point differ by less than this fraction of the segment, from the rounding of
/// two quotients of distances that have lost a few bits to cancellation.
pub(crate) const SAME_CROSSING: f64 = 64.0 * f64::EPSILON;

/// What rounding moves a place on a segment, relative to the segment's length.
pub(crate) const PLACE_ROUNDING: f64 = 4.0 * f64::EPSILON;

/// A stretch whose ends come out farther than this from a plane is certainly on one side of it, in units, if
/// what rounds off is added ([`ROUNDED_END`]): above four times [`LONG`] times the root of three.
pub(crate) const CERTAIN: f64 = half_to_the(20);

/// Four times what rounding the end of a trace to f32 moves it along any normal, relative to the sum of its
/// absolute coordinates. What rounds off in f64 is below 2^-25 of this.
pub(crate) const ROUNDED_END: f64 = half_to_the(22);

/// A look at whether a plane is a face at a point, in units.
#[derive(Clone, Copy)]
pub(crate) struct Probe {
    /// How far in front of and behind the plane: well above rounding.
    pub(crate) ahead: f64,
    /// How far around the point: far enough that another plane through the point is seen to be
    /// another.
    pub(crate) around: f64,
}

/// Looks below what maps are made of, and again below the slivers between pieces of patches, which
/// were to meet in a line and miss it by a few millionths of a unit.
pub(crate) const PROBES: [Probe; 2] = [
    Probe {
        ahead: half_to_the(13),
        around: half_to_the(7),
    },
    Probe {
        ahead: half_to_the(27),
        around: half_to_the(18),
    },
];

/// A velocity that goes into a plane at less than this angle, in radians, does not go into it, and two
/// planes that meet at less than this angle are as one: a twentieth of a degree, far above what rounding
/// does to normals and far below what anybody notices.
pub(crate) const SAME_ANGLE: f64 = half_to_the(10);

/// An agent in a corner that a move would take less far than this, in units, stays where it is: twice what keeps it
/// off two walls.
pub(crate) const AT_REST: f64 = 4.0 * NUDGE;

/// Slower than this is standing, in units a second: what rounding leaves of a velocity straight into a
/// wall is far less, what anybody sees far more.
pub(crate) const SLOWEST: f64 = half_to_the(4);

#[cfg(feature = "shapes")]
pub(crate) use shapes::*;

/// Tolerances of shapes.
#[cfg(feature = "shapes")]
mod shapes {
    use super::{NEAR, ON_PLANE, half_to_the};

    /// What a shape that is touched may move towards the brush in a step, in units: far less than is
    /// called inside, and above what rounding leaves of a distance.
    pub(crate) const SLACK: f64 = ON_PLANE / 4.0;

    /// A step that is shorter than this for the fastest part of the shape has met the brush, in units: how
    /// much too early that may be.
    pub(crate) const CLOSE: f64 = NEAR;

    /// The part of the margin that what turns may lack.
    pub(crate) const MARGIN_PART: f64 = half_to_the(6);

    /// How far the ends of an edge may differ along a bevel through the edge, for each unit of the edge:
    /// twice the grid of the bevel's normal, which is 2^-30.
    pub(crate) const BEVEL_TILT: f64 = half_to_the(29);

    /// Axes of a box may be this far from perpendicular unit vectors, as a cosine or a part of the length;
    /// they are straightened. Enough for axes that were rounded to f32 and multiplied a few times.
    pub(crate) const AXES_TOLERANCE: f64 = half_to_the(10);

    const _: () = {
        assert!(SLACK < ON_PLANE);
        assert!(ON_PLANE < CLOSE);
    };
}
