//! Checks floors: their hulls, planes and corners exist, and they look up. The compiler computes exactly where hulls
//! stand, and `onionc verify` makes the floors of the map again; a file damaged later fails its checksum.

use onion_format::{DIST_LIMIT, FACE_LOOKS_BACK, FloorCornerRecord, FloorRecord};

use crate::error::{LoadError, require};
use crate::file::view::View;

/// Checks the chunks of floors, if the file has them.
pub(super) fn check(map: &View<'_>) -> Result<(), LoadError> {
    let (mut hull, mut n_corners) = (0, 0);
    for (index, floor) in map.floors().iter().enumerate() {
        let is_hull = (floor.hull as usize) < map.layout.n_hulls && hull <= floor.hull;
        require::<FloorRecord>(is_hull, index, "its hull exists, in the order of hulls")?;
        hull = floor.hull;
        let exists = ((floor.plane & !FACE_LOOKS_BACK) as usize) < map.planes.len();
        let is_up = exists && map.facing_plane(floor.plane).0[2] > 0.0;
        require::<FloorRecord>(is_up, index, "its plane exists, and it looks up")?;
        let follows = floor.first_corner as usize == n_corners && floor.n_corners >= 3;
        n_corners = usize::saturating_add(n_corners, floor.n_corners as usize);
        let rule = "3 or more corners, which follow those before and exist";
        let exist = n_corners <= map.floor_corners().len();
        require::<FloorRecord>(follows && exist, index, rule)?;
    }
    let all = map.floor_corners();
    require::<FloorCornerRecord>(n_corners == all.len(), n_corners, "it belongs to a floor")?;
    for (index, corner) in all.iter().enumerate() {
        // Written so that NaN fails.
        let is_near = corner.place.iter().all(|at| at.abs() < DIST_LIMIT);
        require::<FloorCornerRecord>(is_near, index, "within 2^17 units of the origin")?;
    }
    Ok(())
}
