//! Rooms: empty boxes in which agents move, with sides that are solid all along. A segment within a room meets
//! nothing, and one that leaves the room through such a side enters solid there. A room is empty, and its walls are
//! solid, for a little more than its record states; this slack exceeds the rounding error of coordinates as f32, in
//! which points are compared with it.

use onion_format::{BlockRecord, Field, NO_ROOM, NO_WALL, ROOM_ONE, Record, RoomRecord};
use wide::f32x4;

use super::{Entry, Found};
use crate::file::hull::HullId;
use crate::file::view::View;
use crate::math::coordinate::{Coordinate, widened};
use crate::math::plane::turned;
use crate::math::segment::{DOMAIN, point_at, quotient};
use crate::tolerance::CERTAIN;

/// The lanes of a point, as a bitmask.
const POINT: u32 = 0b111;

/// The rooms of a hull in a model.
#[derive(Clone, Copy)]
pub(crate) struct Rooms<'a> {
    /// Lower corner of the grid, in units.
    origin: [f32; 3],
    /// Blocks per unit.
    density: f32,
    /// Number of blocks along each axis.
    counts: [u32; 3],
    /// The blocks from the grid's first one on, which name the rooms of their points.
    blocks: &'a [[u8; BlockRecord::SIZE]],
    /// The grid's own rooms.
    rooms: &'a [[u8; RoomRecord::SIZE]],
}

impl<'a> Rooms<'a> {
    /// Returns the rooms of a hull of the file, or `None` if the file has no blocks.
    pub(crate) fn new(map: &View<'a>, model: usize, hull: HullId) -> Option<Self> {
        let grids = map.grids();
        let own = model * map.layout.n_hulls + hull.index();
        let (grid, next) = (grids.get(own)?, grids.get(own + 1));
        let blocks = map.blocks().all_bytes().as_chunks().0;
        let rooms: &[_] = map.rooms().all_bytes().as_chunks().0;
        let end_room = next.map_or(rooms.len(), |next| next.first_room as usize);
        Some(Self {
            origin: grid.origin,
            density: 1.0 / grid.size,
            counts: grid.counts,
            blocks: blocks.get(grid.first as usize..)?,
            rooms: rooms.get(grid.first_room as usize..end_room)?,
        })
    }

    /// Answers a segment, which is to keep a margin from what it hits, from the rooms of its start's block.
    #[inline(always)]
    pub(crate) fn ask<T: Coordinate>(&self, ends: [[T; 3]; 2], margin: f64) -> Found {
        let [start, end] = ends.map(lanes);
        let [first, second] = self.near(start);
        let room = match self.room(first) {
            Some(room) if room.holds(start) => room,
            // A block that names one room names it first, so the second is looked at only if the first one fails.
            Some(_) => match self.room(second) {
                Some(room) if room.holds(start) => room,
                _ => return Found::Unclear,
            },
            None => return Found::Unclear,
        };
        if room.holds(end) {
            Found::Nothing
        } else {
            self.hit(&room, end, ends.map(widened), margin)
        }
    }

    /// Returns the numbers of the rooms of a point's block.
    #[inline(always)]
    fn near(&self, point: f32x4) -> [u16; 2] {
        let [ox, oy, oz] = self.origin;
        let place = (point - f32x4::new([ox, oy, oz, 0.0])) * self.density;
        // Numbers of -1 and less are out of range, those nearer to 0 are in the first block, and NaN becomes 0: the
        // rooms that are found decide whether they hold the point. Those of a neighboring block are just as valid.
        let [x, y, z, _] = place.fast_trunc_int().to_array().map(|along| along as u32);
        let [nx, ny, nz] = self.counts;
        if x >= nx || y >= ny || z >= nz {
            return [NO_ROOM; 2];
        }
        let row = z.wrapping_mul(ny).wrapping_add(y) as usize;
        let index = row.wrapping_mul(nx as usize).wrapping_add(x as usize);
        let block = self.blocks.get(index);
        block.map_or([NO_ROOM; 2], |block| BlockRecord::read(block).rooms)
    }

    /// Returns a room of the grid. Corners are read with a fourth lane, the number behind them, which is ignored.
    #[inline(always)]
    fn room(&self, number: u16) -> Option<Room<'a>> {
        let bytes = self.rooms.get(usize::from(number))?;
        let lane = |at| f32::read(bytes, at);
        let lanes = |at| f32x4::new([lane(at), lane(at + 4), lane(at + 8), lane(at + 12)]);
        Some(Room {
            bytes,
            mins: lanes(0),
            maxs: lanes(12),
        })
    }

    /// Returns the hit on the wall through which a segment that starts in a room leaves it.
    #[inline(always)]
    fn hit(&self, room: &Room<'_>, end: f32x4, ends: [[f64; 3]; 2], margin: f64) -> Found {
        // A bit for each axis along which the end is beyond a side, and whether that is the upper one.
        let upper = end.simd_gt(room.maxs).to_bitmask();
        let mut axes = (upper | end.simd_lt(room.mins).to_bitmask()) & POINT;
        // Ends beyond the domain are solid, as the reference says.
        let is_near = end.abs().simd_lt(f32x4::splat(DOMAIN as f32)).to_bitmask() & POINT;
        // The end may be outside along several axes: the wall that is hit is crossed inside along the others.
        while axes != 0 && is_near == POINT {
            let axis = axes.trailing_zeros() as usize;
            axes &= axes - 1;
            let is_upper = upper >> axis & 1 != 0;
            let Some((number, dist)) = room.wall(axis, is_upper) else {
                continue;
            };
            let ahead = [ends[0][axis] - dist, ends[1][axis] - dist];
            let is_crossed = ahead[1].abs() > CERTAIN && (ahead[1] > 0.0) == is_upper;
            let fraction = quotient(ahead[0], ahead[1]);
            // Along the axis of the wall, rounding may put the hit on either side, so only the other two count.
            let hit = room.inside(lanes(point_at(&ends, fraction)));
            if !is_crossed || hit | 1 << axis != POINT {
                continue;
            }
            let approach = ahead[0] - ahead[1];
            let stop_at = (fraction - margin / approach.abs()).max(0.0);
            return Found::Solid(Entry {
                fraction,
                stop_at,
                is_clear: room.holds(lanes(point_at(&ends, stop_at))),
                plane: turned(AXES[axis], dist, number, !is_upper),
            });
        }
        Found::Unclear
    }
}

/// Normals of axial planes, as in files.
const AXES: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// A room.
struct Room<'a> {
    /// The record, whose walls are read only if the segment leaves the room.
    bytes: &'a [u8; RoomRecord::SIZE],
    /// The lower corner, in units; the fourth lane is ignored.
    mins: f32x4,
    /// The upper corner, as `mins`.
    maxs: f32x4,
}

impl Room<'_> {
    /// Returns the number of a wall's plane and its distance from the origin, which loading has checked.
    #[inline(always)]
    fn wall(&self, axis: usize, is_upper: bool) -> Option<(u32, f64)> {
        // Read by offset: first the two corners, then the planes of the walls, two for each axis.
        let (corner, outward) = if is_upper { (12, 1.0) } else { (0, -1.0) };
        let face = f32::read(self.bytes, corner + 4 * axis);
        let number = u32::read(self.bytes, 24 + 8 * axis + 4 * usize::from(is_upper));
        // The plane itself is not read: it is one step of the rooms' grid behind the side, as loading has checked.
        let dist = f64::from(face) + outward / f64::from(ROOM_ONE);
        (number != NO_WALL).then_some((number, dist))
    }

    /// Returns the axes along which a point is inside, as a bitmask.
    #[inline(always)]
    fn inside(&self, point: f32x4) -> u32 {
        (point.simd_ge(self.mins) & point.simd_le(self.maxs)).to_bitmask() & POINT
    }

    /// Whether a point is inside along all axes.
    #[inline(always)]
    fn holds(&self, point: f32x4) -> bool {
        self.inside(point) == POINT
    }
}

/// Returns a point rounded to f32, in which it is compared with rooms; the fourth lane repeats the third.
#[inline(always)]
fn lanes<T: Coordinate>([x, y, z]: [T; 3]) -> f32x4 {
    let narrow = |along: T| along.widen() as f32;
    f32x4::new([narrow(x), narrow(y), narrow(z), narrow(z)])
}
