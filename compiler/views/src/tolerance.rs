//! Every tolerance of views, with its unit and the reason for its size, from the smallest to the largest. None of them
//! decides which space is solid: geometry is exact. They define which positions are the same in two files, and which
//! gaps are seams.

use onion_geometry::tolerance::ON_SKIN;
use onion_runtime::DEFAULT_MARGIN;

/// Difference of two unit normals, in a component or in the cosine of their angle, within which they are equal: above
/// the rounding error of two bevels, 2^-28.
pub const SAME_NORMAL: f64 = 1.0 / (1u64 << 20) as f64;

/// Height above a side of an expanded brush, in units, within which a position is on it: far above rounding error
/// (2^-35 within 2^16 units), far below the width of any gap that a map is built with.
pub const ON_SIDE: f64 = 1.0 / (1u64 << 20) as f64;

/// Length of an interval, in units, up to which a difference between two files is ignored: traces in two trees report
/// the same position to within far less.
pub const SAME_PLACE: f64 = 1.0 / 256.0;

/// Distance up to which a place is on a line of a floor's outline in a navigation mesh, in units: lines of two floors
/// that agents walk across are rounded apart by less.
pub const SAME_LINE: f64 = 1.0 / 64.0;

/// Part of a floor's area that taller stances may leave uncovered before a navigation mesh has the floor: rounding.
pub const UNCOVERED: f64 = 1.0 / 1024.0;

/// Distance up to which corners of a navigation mesh are one, in units: its coordinates are f32, whose steps are 1/128
/// unit at 65,536.
pub const SAME_CORNER: f64 = 1.0 / 16.0;

/// Width of the fine grid of corners that polygons of a navigation mesh have in common, in units: f32 has it
/// everywhere.
pub const FINE_CELL: f64 = 1.0 / 128.0;

/// Width of a triangle of a navigation mesh as seen from above up to which it is left out, in units: the rounding of
/// f32 may turn it over, at most 2^-23 of its length.
pub const THINNEST: f64 = 1.0 / 64.0;

/// Distance by which risers of a navigation mesh lean, in units: so that they are not thin as seen from above, and
/// corners beside them stay beside them.
pub const RISER_LEAN: f64 = SAME_CORNER;

/// Distance up to which the ends of two edges of a navigation mesh are the same as seen from above, in units: each may
/// be as far from where the other floor has its corner.
pub const SAME_EDGE: f64 = 2.0 * SAME_CORNER;

/// Distance up to which an off-mesh connection ends beside its floor, in units; it begins this far inside.
pub const BESIDE_FLOOR: f64 = 0.5;

/// Width of the cells in which Godot looks for common corners of a navigation mesh, in units: 1/64 meter; Godot allows
/// 1/100.
pub const CELL: f64 = 0.5;

/// Maximum width of a seam beyond the hull's, in units: the distance that traces keep from each of its two sides.
pub const SEAM_ROOM: f64 = 2.0 * DEFAULT_MARGIN;

/// Distance beside a seam at which a hull must be free, in units: beyond the seam, in the same room.
pub const BESIDE_SEAM: f64 = 0.25;

/// Height above a floor within which an agent on the ground stands on it, in units: far above the margin of traces.
pub const ON_FLOOR: f64 = 0.5;

/// Distance up to which an agent touches an entity, in units: engines of the Quake family link both with boxes that are
/// larger by this, because agents keep a margin from what they touch.
pub const TOUCH: f64 = 1.0;

/// Difference in height up to which corners of a navigation mesh are one, in units: two steps of the grid, so that no
/// riser is lost in it.
pub const SAME_LEVEL: f64 = 2.0 * CELL;

/// Distance within which links of a navigation mesh find the polygons of their ends, in units: above the distance at
/// which they are beside an edge, and what the grid moves.
pub const LINK_RADIUS: f64 = 2.0;

/// Minimum dot product of two directions that count as the same: they are within 60 degrees.
pub const SAME_DIRECTION: f64 = 0.5;

/// Minimum area of a part of a floor that only one class of agents reaches, in square units; smaller parts are
/// rounding.
pub const MIN_AREA: f64 = 1.0;

/// Minimum area of a part of a seam, in square units; smaller parts are not ways.
pub const MIN_SEAM_AREA: f64 = 1.0;

const _: () = assert!(SAME_NORMAL > 1.0 / (1u64 << 28) as f64);
const _: () = assert!(ON_SIDE > 1.0 / (1u64 << 35) as f64);
const _: () = assert!(DEFAULT_MARGIN < ON_FLOOR && ON_FLOOR < TOUCH);
const _: () =
    assert!(SAME_PLACE < SAME_LINE && SAME_LINE < SAME_CORNER && SAME_CORNER < BESIDE_FLOOR);
const _: () = assert!(BESIDE_FLOOR + CELL < LINK_RADIUS && SAME_EDGE < CELL);
const _: () = assert!(ON_SIDE < ON_SKIN && ON_SKIN < SAME_PLACE);
const _: () = assert!(SAME_PLACE < SEAM_ROOM && SEAM_ROOM < BESIDE_SEAM);
