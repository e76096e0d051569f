//! Every tolerance of the crate in one place, with its name, its unit, the reason for its size, and its order relative
//! to the others. Limits that are not about rounding, such as the length of a search, are next to their uses.

use onion_format::OUTSIDE_MARGIN;

/// Returns `2^-bits`.
const fn half_to_the(bits: u32) -> f64 {
    1.0 / (1u64 << bits) as f64
}

/// A point this near to a plane is on it, in units: twice the rounding error of the signed distance of a point of the
/// plane, which is at most 2^-32 within 2^17 units of the origin. A shape that is no deeper than this inside of a
/// brush touches it.
pub(crate) const ON_PLANE: f64 = half_to_the(31);

/// A stretch of solid that is shorter than this counts as touched, in units along the longest axis of the segment.
/// Planes that should meet in one line were rounded apart when they were made, and their crossings are rounded again
/// here; the gap that opens between them is below 2^-28 units for planes that do not meet at a glancing angle. This
/// leaves a factor of 16 and is still far below any detail of a map. A segment that ends in solid always enters it.
pub(crate) const GRAZE: f64 = half_to_the(24);

/// Stretches that are this long along the segment's longest axis, in units, are certainly longer than those that the
/// reference walk counts as touching.
pub(crate) const LONG: f64 = 2.0 * GRAZE;

/// Depth inside of the grid at which a segment from outside enters it, in units: half of the margin that has the
/// solidity of the outside, and far above the rounding error of such a place.
pub(crate) const BEYOND_GRID: f64 = OUTSIDE_MARGIN / 2.0;

/// A point this near to a face of a block may touch it, in blocks: far above [`ON_PLANE`], even in blocks of one unit.
pub(crate) const NEAR_FACE: f64 = half_to_the(28);

/// Ends whose absolute coordinates add up to this or more go to the reference, in units: below it, the rounding error
/// of places on a segment is less than a quarter of [`GRAZE`].
pub(crate) const MAX_SIZE: f64 = (1u64 << 24) as f64;

/// Places this near to a plane may be in the cells on both sides, in units: it covers the touching distance of traces
/// ([`GRAZE`] along an axis), the rounding error of a place, and planes that meet at an angle.
pub(crate) const NEAR: f64 = half_to_the(20);

/// Rounding error of the ends of links, in units. Files store them in 65,535ths of an edge, so this is the error on an
/// edge of 2^11 units; on longer edges, paths along walls may be missed.
#[cfg(feature = "navigation")]
pub(crate) const ROUNDED: f64 = half_to_the(5);

/// Boxes around brushes are enlarged by this on each side, in units: far above the rounding error on the way of a box
/// within 2^17 units, because no brush may be missed.
pub(crate) const BOX_MARGIN: f64 = half_to_the(16);

/// Depth inside a cell at which a place with room is searched, in units: well above the rounding error of f32
/// coordinates within 2^15 units of the origin, well below the visible.
pub(crate) const INSET: f64 = half_to_the(7);

/// A search for a place with room has converged when no iteration moves the place by more than this, in units.
pub(crate) const STEADY: f64 = INSET / 16.0;

/// Distance that a move keeps from each plane it has met, in units: half the margin of a trace, and many times the
/// rounding error of a place in a large map, so that sliding along a plane does not meet it again.
pub(crate) const NUDGE: f64 = DEFAULT_MARGIN / 2.0;

/// Default distance that a trace keeps from the plane it hits, in units.
pub const DEFAULT_MARGIN: f64 = half_to_the(5);

/// Shortest distance at which an agent looks for a way out of solid, in units: twice the margin of a trace, so that
/// the agent is clear of the solid it was in.
pub(crate) const FIRST_UNSTICK: f64 = 2.0 * DEFAULT_MARGIN;

/// Maximum distance of an agent from its ground, in units: Quake III's. Far more than the margin that a trace keeps
/// from a slope, too little to see.
pub(crate) const GROUND_REACH: f64 = 8.0 * DEFAULT_MARGIN;

const _: () = {
    // A stretch within the thickness of a plane counts as a touch, and a long stretch never does.
    assert!(ON_PLANE < GRAZE);
    assert!(GRAZE < LONG);
    assert!(LONG < NEAR);
    // A block is at least one unit long.
    assert!(NEAR_FACE >= 8.0 * ON_PLANE);
    assert!(BOX_MARGIN < BEYOND_GRID);
    assert!(NEAR < BOX_MARGIN);
    assert!(BOX_MARGIN < STEADY);
    assert!(STEADY < INSET);
    assert!(INSET < NUDGE);
    assert!(NUDGE < DEFAULT_MARGIN);
    // An agent that was freed is clear of the solid, and one that was lifted still finds its ground.
    assert!(DEFAULT_MARGIN < FIRST_UNSTICK);
    assert!(FIRST_UNSTICK < GROUND_REACH);
};

/// The largest fraction below 1. A crossing stays before the end if the end point is truly behind the plane, so that a
/// solid end is always found.
pub(crate) const BELOW_ONE: f64 = 1.0 - f64::EPSILON / 2.0;

/// Crossings at one point differ by less than this fraction of the segment, because of the rounding error of two
/// quotients of distances that have lost a few bits to cancellation.
pub(crate) const SAME_CROSSING: f64 = 64.0 * f64::EPSILON;

/// Rounding error of a place on a segment, relative to the segment's length.
pub(crate) const PLACE_ROUNDING: f64 = 4.0 * f64::EPSILON;

/// A stretch whose ends have computed distances above this from a plane is certainly on one side of it, in units, if
/// the rounding error is added ([`ROUNDED_END`]): above four times [`LONG`] times the root of three.
pub(crate) const CERTAIN: f64 = half_to_the(20);

/// Four times the distance by which rounding the end of a trace to f32 moves it along any normal, relative to the sum
/// of its absolute coordinates. The rounding error in f64 is below 2^-25 of this.
pub(crate) const ROUNDED_END: f64 = half_to_the(22);

/// The distances of a test whether a plane is a face at a point, in units.
#[derive(Clone, Copy)]
pub(crate) struct Probe {
    /// Distance in front of and behind the plane, in units: well above rounding error.
    pub(crate) ahead: f64,
    /// Distance around the point, in units: far enough to distinguish another plane through the point.
    pub(crate) around: f64,
}

const _: () = {
    // Crossings at one place differ by the rounding of both.
    assert!(PLACE_ROUNDING < SAME_CROSSING);
    assert!(BELOW_ONE < 1.0);
    assert!(PLACE_ROUNDING * MAX_SIZE <= GRAZE / 4.0);
    // Squared, because no root is constant: 48 is 16 times 3.
    assert!(CERTAIN * CERTAIN > 48.0 * LONG * LONG);
    // Rounding to f32 moves a coordinate by at most half of its epsilon.
    assert!(ROUNDED_END >= 2.0 * f32::EPSILON as f64);
};

/// First a probe below the detail of maps, then one below the slivers between pieces of patches, which should meet in
/// a line and miss it by a few millionths of a unit.
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

/// A velocity that goes into a plane at less than this angle, in radians, counts as not going into it, and two planes
/// that meet at less than this angle count as one: a twentieth of a degree, far above the rounding error of normals
/// and far below the noticeable.
pub(crate) const SAME_ANGLE: f64 = half_to_the(10);

/// A step must take an agent farther than a slide by this factor, in squares of distances: far above the rounding
/// error of positions near the origin, so that rounding decides no tie, and far below what a step gains.
pub(crate) const FARTHER: f64 = 1.0 + half_to_the(10);

/// An agent in a corner stays where it is if a move would take it less far than this, in units: twice the distance
/// that keeps it off two walls.
pub(crate) const AT_REST: f64 = 4.0 * NUDGE;

/// A velocity below this is standing, in units per second: the rounding error that remains of a velocity straight into
/// a wall is far less, the slowest visible speed is far more.
pub(crate) const SLOWEST: f64 = half_to_the(4);

/// An agent that leaves a surface faster than this does not stand on it, in units per second: well below a jump, well
/// above the effect of slopes and rounding. Quake III uses the same value.
pub(crate) const LEAVING_SPEED: f64 = 10.0;

const _: () = {
    // To be pushed off a wall must not count as moving on.
    assert!(NUDGE < AT_REST);
    // An agent that stands still leaves nothing.
    assert!(SLOWEST < LEAVING_SPEED);
};

/// A place this near to a floor, as seen from above, is on it, in units: above the width of the strips between floors
/// that the compiler leaves out because they are too thin to stand on.
pub(crate) const ON_FLOOR: f64 = half_to_the(8);

/// A walker that is this near to a point of its path, as seen from above, has arrived there, in units: above the
/// rounding error of f32 within 2^15 units, below the distance that links keep from the ends of their lines.
#[cfg(feature = "navigation")]
pub(crate) const ARRIVED: f64 = half_to_the(6);

/// The distance that paths keep from the corners that they turn around, along the line of a link, in units: there may
/// be a ledge. Above the distance at which a walker has arrived, too little to see.
#[cfg(feature = "navigation")]
pub(crate) const FROM_CORNER: f64 = half_to_the(3);

/// A straight part of a path this near to a corner, in units, turns there: its ends may be moved by [`FROM_CORNER`],
/// and traces keep a margin from the corner.
#[cfg(feature = "navigation")]
pub(crate) const TOUCHES: f64 = FROM_CORNER + half_to_the(4);

/// Where a link rises or falls by more than this, it leads over a step, in units: far above rounding.
#[cfg(feature = "navigation")]
pub(crate) const LEVEL: f64 = half_to_the(4);

/// A walker that climbs stops this far above the point that it climbs to, in units: above the margin of traces, so that
/// nothing stops it on its way across.
#[cfg(feature = "navigation")]
pub(crate) const CLEARANCE: f64 = half_to_the(3);

/// A walker that obstacles stop this near to a point of its path has arrived there, in units: corners of walls are
/// points of paths, and traces keep a margin from them, more in acute corners.
#[cfg(feature = "navigation")]
pub(crate) const STOPPED_NEAR: f64 = 1.0;

#[cfg(feature = "navigation")]
const _: () = assert!(ARRIVED < FROM_CORNER && TOUCHES < STOPPED_NEAR);

#[cfg(feature = "shapes")]
pub(crate) use shapes::*;

/// Tolerances of shapes.
#[cfg(feature = "shapes")]
mod shapes {
    use super::{NEAR, ON_PLANE, half_to_the};

    /// Distance that a touching shape may move towards the brush in a step, in units: far less than the depth that
    /// counts as inside, and above the rounding error of a distance.
    pub(crate) const SLACK: f64 = ON_PLANE / 4.0;

    /// A step that is shorter than this for the fastest part of the shape has met the brush, in units: this bounds how
    /// much too early a contact may be.
    pub(crate) const CLOSE: f64 = NEAR;

    /// Pushes of one mover count as the same if the cosine of the angle between their normals differs from 1 by less
    /// than this, at about two and a half degrees: a mover that turns pushes with normals that change a little each
    /// time, and these must not fill the list.
    pub(crate) const SAME_PUSH: f64 = half_to_the(10);

    /// The motion into a mover that is allowed during a tick, in units: far above the rounding error of a place, and
    /// far below the margin.
    pub(crate) const GIVE: f64 = NEAR;

    /// Moments of a tick that are nearer to each other count as one, as a part of the tick.
    pub(crate) const AT_ONCE: f64 = half_to_the(20);

    /// The part of the margin that may be missing from a mover that turns.
    pub(crate) const MARGIN_PART: f64 = half_to_the(6);

    /// Minimum step of a search for the way out of a brush, as a part of the way. It bounds how much too late the way
    /// out is found, and the number of steps.
    pub(crate) const LEAVING_STEP: f64 = half_to_the(10);

    /// Difference allowed between the ends of an edge along a bevel through the edge, for each unit of the edge: twice
    /// the grid of the bevel's normal, which is 2^-30.
    pub(crate) const BEVEL_TILT: f64 = half_to_the(29);

    /// Deviation of a box's axes from perpendicular unit vectors that is corrected, as a cosine or a part of the
    /// length. Enough for axes that were rounded to f32 and multiplied a few times.
    pub(crate) const AXES_TOLERANCE: f64 = half_to_the(10);

    const _: () = {
        // A step within the slack turns no touch into an overlap.
        assert!(SLACK < ON_PLANE);
        // A shape that is close to a brush is still outside of it.
        assert!(ON_PLANE < CLOSE);
    };
}
