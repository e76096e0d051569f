//! Checks floors: their hulls, planes and corners exist, they look up, and the boxes of the tree hold them. The
//! compiler computes exactly where hulls stand, and `onionc verify` makes the floors of the map again; a file damaged
//! later fails its checksum.

use onion_format::{DIST_LIMIT, FACE_LOOKS_BACK, FloorCornerRecord, FloorRecord};

use crate::error::{LoadError, require};
use crate::file::floors::{FLOOR_STACK, FloorRange};
use crate::file::stack::Stack;
use crate::file::view::View;
use crate::math::aabb::Aabb;
use crate::math::plane::height;

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
    let hulls = (0..map.layout.n_hulls).filter_map(|hull| map.hull_id(hull));
    hulls
        .map(|hull| map.floors_of(hull))
        .try_for_each(|range| check_boxes(map, range))
}

/// Checks that the floor in the middle of each range has a box around all floors of the range: around its own corners,
/// and the boxes in the middle of the halves.
fn check_boxes(map: &View<'_>, all: FloorRange) -> Result<(), LoadError> {
    let mut places = [(all, Aabb::ALL); FLOOR_STACK];
    let mut pending = Stack::on(&mut places);
    pending.push((all, Aabb::ALL));
    while let Some((range, around)) = pending.pop() {
        let middle = range.middle();
        let floor = middle.and_then(|middle| map.floors().get(middle as usize));
        // Ranges without floors end the walk.
        let (Some(middle), Some(floor)) = (middle, floor) else {
            continue;
        };
        let own = Aabb::new(floor.mins, floor.maxs);
        let holds = own.is_within(&around) && holds_corners(map, &floor, &own.widened());
        let rule = "a box around all floors of its range";
        require::<FloorRecord>(holds, middle as usize, rule)?;
        let halves = range.halves(middle).into_iter();
        let halves = halves.filter(|half| half.middle().is_some());
        halves.for_each(|half| _ = pending.push((half, own)));
    }
    Ok(())
}

/// Whether a box holds the corners of a floor.
fn holds_corners(map: &View<'_>, floor: &FloorRecord, bounds: &Aabb<f64>) -> bool {
    let (normal, dist) = map.facing_plane(floor.plane);
    let (first, count) = (floor.first_corner as usize, floor.n_corners as usize);
    let corners = map.floor_corners().slice(first, count);
    corners.is_some_and(|corners| {
        corners.iter().all(|corner| {
            let [x, y] = corner.place;
            bounds.holds(&[x, y, height(&normal, dist, [x, y])])
        })
    })
}
