//! The library's version, and loading, which makes a map from a file's bytes in the caller's memory. The map borrows
//! the bytes.

use onion_runtime::OnionMap;

use crate::pointer::{FileBytes, MapIn, MapOut, Out};
use crate::status::Status;

/// Parses a part of the package's version.
const fn part(text: &str) -> u32 {
    match u32::from_str_radix(text, 10) {
        Ok(part) if part < 256 => part,
        _ => panic!("a part of the version does not fit a byte"),
    }
}

/// `ONION_VERSION`: major, minor and patch, a byte each.
pub const VERSION: u32 = part(env!("CARGO_PKG_VERSION_MAJOR")) << 16
    | part(env!("CARGO_PKG_VERSION_MINOR")) << 8
    | part(env!("CARGO_PKG_VERSION_PATCH"));

/// Returns the library's version.
#[unsafe(no_mangle)]
pub extern "C" fn onion_version() -> u32 {
    VERSION
}

/// Wraps `OnionMap::from_bytes`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_load(map: MapOut, bytes: FileBytes, size: usize) -> Status {
    let bytes = bytes.get(size);
    let loaded = bytes.and_then(|bytes| Ok(OnionMap::from_bytes(bytes)?));
    Status::of(|| map.write(loaded))
}

/// Wraps `Inspect::version`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_file_version(map: MapIn, version: Out<u32>) -> Status {
    Status::of(|| {
        let version = version.place()?;
        version.write(map.get()?.inspect().version());
        Ok(())
    })
}
