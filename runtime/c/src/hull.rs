//! Hulls by number and by name: their boxes, their contents, and the check that a hull is the one that a game
//! expects.

use onion_format::MAX_HULL_NAME;
use onion_runtime::{Aabb, Hull, HullId, OnionMap};

use crate::pointer::{Characters, In, MapIn, Out};
use crate::status::Status;

/// `ONION_HULL_NAME_SIZE`: size of a hull's name in bytes, with the terminator.
pub const HULL_NAME_SIZE: usize = MAX_HULL_NAME + 1;

/// The C type `onion_hull_info`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "onion.h tells what they are")]
pub struct HullInfo {
    pub hull: u64,
    pub name: [u8; HULL_NAME_SIZE],
    pub filled: u8,
    pub reserved: [u8; 2],
    pub mins: [f32; 3],
    pub maxs: [f32; 3],
    pub contents: u32,
}

impl From<Hull<'_>> for HullInfo {
    fn from(hull: Hull<'_>) -> Self {
        let mut name = [0; HULL_NAME_SIZE];
        // The last byte stays 0, whatever the name.
        let bytes = hull.name.bytes().take(MAX_HULL_NAME);
        name.iter_mut().zip(bytes).for_each(|(to, byte)| *to = byte);
        Self {
            hull: hull.id.to_bits(),
            name,
            filled: hull.filled.into(),
            reserved: [0; 2],
            mins: hull.bounds.mins,
            maxs: hull.bounds.maxs,
            contents: hull.contents,
        }
    }
}

/// Returns the id of a hull of this map.
#[inline]
pub(crate) fn hull_id(map: &OnionMap<&[u8]>, hull: u64) -> Result<HullId, Status> {
    map.hull_from_bits(hull).ok_or(Status::Hull)
}

/// Returns the number of hulls.
#[unsafe(no_mangle)]
pub extern "C" fn onion_hull_count(map: MapIn, count: Out<u32>) -> Status {
    Status::of(|| {
        let count = count.place()?;
        count.write(map.get()?.hulls().count() as u32);
        Ok(())
    })
}

/// Returns a hull of `OnionMap::hulls`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_get_hull_info(map: MapIn, index: u32, info: Out<HullInfo>) -> Status {
    Status::of(|| {
        let info = info.place()?;
        let found = map.get()?.hulls().nth(index as usize);
        info.write(found.ok_or(Status::Hull)?.into());
        Ok(())
    })
}

/// Wraps `OnionMap::find_hull`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_find_hull(map: MapIn, name: Characters, hull: Out<u64>) -> Status {
    Status::of(|| {
        let (hull, name) = (hull.place()?, name.read()?);
        let map = map.get()?;
        let found = name.text().and_then(|name| map.find_hull(name));
        hull.write(found.ok_or(Status::Hull)?.to_bits());
        Ok(())
    })
}

/// Wraps `OnionMap::require_hull`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_require_hull(
    map: MapIn,
    name: Characters,
    mins: In<[f32; 3]>,
    maxs: In<[f32; 3]>,
    hull: Out<u64>,
) -> Status {
    Status::of(|| {
        let (hull, name) = (hull.place()?, name.read()?);
        let bounds = Aabb::new(mins.read()?, maxs.read()?);
        let map = map.get()?;
        let name = name.text().ok_or(Status::Hull)?;
        hull.write(map.require_hull(name, bounds)?.to_bits());
        Ok(())
    })
}
