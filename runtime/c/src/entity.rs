//! Entities by number: their keys and values. These are zero-terminated strings in the bytes of the file, so that C
//! reads them in place.

use core::ffi::c_char;
use core::ptr::null;

use onion_runtime::{Entity, OnionMap};

use crate::pointer::{Characters, MapIn, Out};
use crate::status::Status;

/// Returns an entity of a map.
fn entity<'a>(map: &'a OnionMap<&'static [u8]>, number: u32) -> Result<Entity<'a>, Status> {
    if !map.has_entities() {
        return Err(Status::NoEntities);
    }
    map.entity(number).ok_or(Status::Entity)
}

/// Returns the start of a key or value in the file, where a zero byte follows it. The pointer has the provenance of
/// the whole file: a pointer derived from `text` must not be read beyond the text.
fn start(map: &OnionMap<&'static [u8]>, text: &str) -> *const c_char {
    let file = map.into_bytes();
    let at = text.as_ptr().addr().wrapping_sub(file.as_ptr().addr());
    file.get(at..).map_or(null(), |rest| rest.as_ptr().cast())
}

/// Counts `OnionMap::entities`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_entity_count(map: MapIn, count: Out<u32>) -> Status {
    Status::of(|| {
        let count = count.place()?;
        count.write(map.get()?.entities()?.len() as u32);
        Ok(())
    })
}

/// Wraps `Entity::get`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_entity_value(
    map: MapIn,
    number: u32,
    key: Characters,
    value: Out<*const c_char>,
) -> Status {
    Status::of(|| {
        let value = value.place()?;
        key.check()?;
        let map = map.get()?;
        let mut pairs = entity(map, number)?.pairs();
        let found = pairs.find(|(own, _)| key.is(own));
        value.write(found.map_or(null(), |(_, value)| start(map, value)));
        Ok(())
    })
}

/// Returns one of `Entity::pairs`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_entity_pair(
    map: MapIn,
    number: u32,
    index: u32,
    key: Out<*const c_char>,
    value: Out<*const c_char>,
) -> Status {
    Status::of(|| {
        let (key, value) = (key.place()?, value.place()?);
        let map = map.get()?;
        let pair = entity(map, number)?.pairs().nth(index as usize);
        key.write(pair.map_or(null(), |(key, _)| start(map, key)));
        value.write(pair.map_or(null(), |(_, value)| start(map, value)));
        Ok(())
    })
}
