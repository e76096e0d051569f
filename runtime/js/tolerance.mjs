// Every tolerance of these modules, with its unit and the reason for its size. Names and values are those of
// `tolerance.rs` in the runtime and in `onion-format`, which also assert their order. Limits that are not about
// rounding, such as the length of a search, are next to their uses.

/** A point this near to a plane is on it, in units: twice the rounding error of a distance within 2^17 units. */
export const ON_PLANE = 2 ** -31;
/**
 * A stretch of solid up to this length is only touched, in units along the longest axis of the segment: 16 times the
 * gaps between planes that should meet in one line, and far below any detail of a map.
 */
export const GRAZE = 2 ** -24;
/** Places this near to a plane may be in the cells on both sides, in units: above `GRAZE` and all rounding. */
export const NEAR = 2 ** -20;
/** Boxes around brushes are enlarged by this on each side, in units, far above rounding: no brush may be missed. */
export const BOX_MARGIN = 2 ** -16;
/** The length of a stored normal may differ from 1 by this, far more than the rounding of its components needs. */
export const NORMAL_LENGTH_ERROR = 2 ** -10;

/** The largest fraction below 1: a crossing stays before an end that is behind the plane, so a solid end is found. */
export const BELOW_ONE = 1 - 2 ** -53;
/** Crossings at one point differ by at most this fraction of the segment: they are quotients of rounded distances. */
export const SAME_CROSSING = 2 ** -46;
/** Rounding error of a place on a segment, relative to the segment's length. */
export const PLACE_ROUNDING = 2 ** -50;

/**
 * Distances of a test whether a plane is a face at a point, in units: `ahead` of and behind the plane, and `around` the
 * point. The first is below the detail of maps, the second below the slivers between pieces of patches.
 */
export const PROBES = [{ ahead: 2 ** -13, around: 2 ** -7 }, { ahead: 2 ** -27, around: 2 ** -18 }];

/** Default distance that a trace keeps from the plane it hits, in units. */
export const DEFAULT_MARGIN = 2 ** -5;
/** Distance that a move keeps from each plane it has met, in units: half a margin, so that it meets none twice. */
export const NUDGE = DEFAULT_MARGIN / 2;
/** Shortest distance at which an agent looks for a way out of solid, in units: twice the margin, so it gets clear. */
export const FIRST_UNSTICK = 2 * DEFAULT_MARGIN;
/** Maximum distance of an agent from its ground, in units: far above the margin, too little to see. */
export const GROUND_REACH = 8 * DEFAULT_MARGIN;
/** An agent in a corner stays if a move takes it less far, in units: twice the distance that keeps it off two walls. */
export const AT_REST = 4 * NUDGE;
/** Vectors at less than this angle, in radians, are parallel: far above the rounding of normals, too little to see. */
export const SAME_ANGLE = 2 ** -10;
/** Normals of pushes of one mover are the same if the cosine of their angle differs from 1 by less than this. */
export const SAME_PUSH = 2 ** -10;
/** A step must take an agent farther than a slide by this factor, in squares of distances: rounding decides no tie. */
export const FARTHER = 1 + 2 ** -10;
/** A velocity below this is standing, in units per second: far above rounding, far below the visible. */
export const SLOWEST = 2 ** -4;
/** An agent that leaves a surface faster than this does not stand on it, in units per second: far below a jump. */
export const LEAVING_SPEED = 10;

/** A walker this near to a point of its path, as seen from above, has arrived there, in units: above all rounding. */
export const ARRIVED = 2 ** -6;
/** Distance that paths keep from the corners they turn around, in units: there may be a ledge. Too little to see. */
export const FROM_CORNER = 2 ** -3;
/** A place this near to a floor, as seen from above, is on it, in units: no strip left out between two is as wide. */
export const ON_FLOOR = 2 ** -8;
/** A straight part of a path this near to a corner, in units, turns there: its ends may be moved, and traces keep off. */
export const TOUCHES = FROM_CORNER + 2 ** -4;
/** Rounding error of the ends of links on an edge of 2^11 units: files store them in 65,535ths of an edge. */
export const ROUNDED = 2 ** -5;
/** Where a link rises or falls by more than this, it leads over a step, in units. */
export const LEVEL = 2 ** -4;
/** A walker that climbs stops this far above the point that it climbs to, in units: nothing stops it on its way across. */
export const CLEARANCE = 2 ** -3;
/** A walker that obstacles stop this near to a point has arrived there, in units: corners of walls are points. */
export const STOPPED_NEAR = 1;

/** Distance that a touching shape may move towards the brush in a step, in units: far less than what is inside. */
export const SLACK = ON_PLANE / 4;
/** A shape whose step is shorter than this has met the brush, in units: a contact is at most this much too early. */
export const CLOSE = NEAR;
/** The motion into a mover that is allowed during a tick, in units: far above rounding, far below the margin. */
export const GIVE = NEAR;
/** Moments of a tick that are nearer to each other count as one, as a part of the tick. */
export const AT_ONCE = 2 ** -20;
/** The part of the margin that may be missing from a mover that turns. */
export const MARGIN_PART = 2 ** -6;
/** Minimum step of a search for the way out of a brush, as a part of the way: how much too late that may be found. */
export const LEAVING_STEP = 2 ** -10;
/** Difference between the ends of an edge along a bevel through it, for each unit of the edge: two steps of normals. */
export const BEVEL_TILT = 2 ** -29;
/** Deviation of a box's axes from perpendicular unit vectors that is corrected, as a cosine or a part of the length. */
export const AXES_TOLERANCE = 2 ** -10;
