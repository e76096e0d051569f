//! Rooms: empty boxes in which agents move, with sides that are solid all along. A segment that lies in a room meets
//! nothing, and one that leaves it through such a side enters solid there. A room is empty, and its walls are solid, a
//! little more than it tells, and that is more than coordinates lose as f32, in which points are compared with it.

use onion_format::{BlockRecord, Field, NO_ROOM, PlaneRecord, Record, RoomRecord};
use wide::f32x4;

use super::{Entry, Found};
use crate::coordinate::{Coordinate, widened};
use crate::hull::HullId;
use crate::plane::{exact_normal, turned};
use crate::segment::{in_domain, point_at, quotient};
use crate::tolerance::CERTAIN;
use crate::view::View;

/// The lanes of a point.
const POINT: u32 = 0b111;

/// The rooms of a hull in a model.
#[derive(Clone, Copy)]
pub(crate) struct Rooms<'a> {
    origin: [f32; 3],
    density: f32,
    counts: [u32; 3],
    blocks: &'a [[u8; BlockRecord::SIZE]],
    rooms: &'a [[u8; RoomRecord::SIZE]],
    planes: &'a [[u8; PlaneRecord::SIZE]],
}

impl<'a> Rooms<'a> {
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
            planes: map.planes,
        })
    }

    /// What the rooms of the block of its start tell of a segment, which is to keep a skin from what it hits.
    #[inline(always)]
    pub(crate) fn ask<T: Coordinate>(&self, ends: [[T; 3]; 2], skin: f64) -> Found {
        let [start, end] = ends.map(lanes);
        let [first, second] = self.near(start);
        let room = match self.room(first) {
            Some(room) if room.holds(start) => room,
            Some(_) => match self.room(second) {
                Some(room) if room.holds(start) => room,
                _ => return Found::Unclear,
            },
            None => return Found::Unclear,
        };
        if room.holds(end) {
            Found::Nothing
        } else {
            self.hit(&room, end, ends.map(widened), skin)
        }
    }

    /// The numbers of the rooms of a point's block.
    #[inline(always)]
    fn near(&self, point: f32x4) -> [u16; 2] {
        let [ox, oy, oz] = self.origin;
        let place = (point - f32x4::new([ox, oy, oz, 0.0])) * self.density;
        // Negative numbers, and those of points that are no numbers, are too large. If the point is in the block next
        // to this, the rooms are as good.
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

    #[inline(always)]
    fn room(&self, number: u16) -> Option<Room<'a>> {
        let bytes = self.rooms.get(usize::from(number))?;
        let lanes = |at| f32x4::new([0, 4, 8, 12].map(|lane: usize| f32::read(bytes, at + lane)));
        Some(Room {
            bytes,
            mins: lanes(0),
            maxs: lanes(12),
        })
    }

    /// The wall through which a segment that starts in a room leaves it.
    #[inline(always)]
    fn hit(&self, room: &Room<'_>, end: f32x4, ends: [[f64; 3]; 2], skin: f64) -> Found {
        let upper = end.simd_ge(room.maxs).to_bitmask();
        let mut axes = (upper | end.simd_le(room.mins).to_bitmask()) & POINT;
        while axes != 0 {
            let axis = axes.trailing_zeros();
            axes &= axes - 1;
            let number = room.wall(2 * axis + (upper >> axis & 1));
            let Some(plane) = self.planes.get(number as usize) else {
                continue;
            };
            let plane = PlaneRecord::read(plane);
            let ahead = ends.map(|[x, y, z]| {
                let along = match axis {
                    0 => x,
                    1 => y,
                    _ => z,
                };
                along - plane.dist
            });
            let is_crossed = ahead[1].abs() > CERTAIN && (ahead[0] < 0.0) != (ahead[1] < 0.0);
            if !is_crossed || !in_domain(&ends[1]) {
                continue;
            }
            let approach = ahead[0] - ahead[1];
            let fraction = quotient(ahead[0], ahead[1]);
            let hit = lanes(point_at(&ends, fraction));
            if room.inside(hit) | 1 << axis != POINT {
                continue;
            }
            let wanted = (fraction - skin / approach.abs()).max(0.0);
            let is_front = approach > 0.0;
            return Found::Solid(Entry {
                fraction,
                wanted,
                is_clear: room.holds(lanes(point_at(&ends, wanted))),
                plane: turned(exact_normal(plane.normal), plane.dist, number, is_front),
            });
        }
        Found::Unclear
    }
}

/// A room.
struct Room<'a> {
    bytes: &'a [u8; RoomRecord::SIZE],
    mins: f32x4,
    maxs: f32x4,
}

impl Room<'_> {
    /// The number of a side's plane.
    #[inline(always)]
    fn wall(&self, side: u32) -> u32 {
        u32::read(self.bytes, 24 + 4 * side as usize)
    }

    /// The axes along which a point is inside.
    #[inline(always)]
    fn inside(&self, point: f32x4) -> u32 {
        (point.simd_ge(self.mins) & point.simd_le(self.maxs)).to_bitmask() & POINT
    }

    #[inline(always)]
    fn holds(&self, point: f32x4) -> bool {
        self.inside(point) == POINT
    }
}

#[inline(always)]
fn lanes<T: Coordinate>([x, y, z]: [T; 3]) -> f32x4 {
    f32x4::new([x, y, z, z].map(|along| along.widen() as f32))
}
