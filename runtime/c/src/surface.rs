//! Surfaces by number: their count, and the names that the map gives them. Hits refer to surfaces by
//! these numbers.

use onion_format::MAX_SURFACE_NAME;

use crate::pointer::{MapIn, Out};
use crate::status::Status;

/// `ONION_SURFACE_NAME_SIZE`: size of a surface's name in bytes, with the terminator.
pub const SURFACE_NAME_SIZE: usize = MAX_SURFACE_NAME + 1;

/// Returns the number of surfaces.
#[unsafe(no_mangle)]
pub extern "C" fn onion_surface_count(map: MapIn, count: Out<u32>) -> Status {
    Status::of(|| {
        let count = count.place()?;
        count.write(map.get()?.inspect().surfaces().count() as u32);
        Ok(())
    })
}

/// Returns the name of `OnionMap::surface`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_get_surface_name(
    map: MapIn,
    surface: u32,
    name: Out<[u8; SURFACE_NAME_SIZE]>,
) -> Status {
    Status::of(|| {
        let place = name.place()?;
        let surface = map.get()?.surface(surface).ok_or(Status::Surface)?;
        let mut name = [0; SURFACE_NAME_SIZE];
        // The last byte stays 0, whatever the name.
        let bytes = surface.name_bytes.iter().take(MAX_SURFACE_NAME);
        name.iter_mut()
            .zip(bytes)
            .for_each(|(to, byte)| *to = *byte);
        place.write(name);
        Ok(())
    })
}
