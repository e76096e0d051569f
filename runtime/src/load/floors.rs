//! Checks floors: their hulls, planes and corners exist, they look up, and the boxes of the tree hold them. The
//! compiler computes exactly where hulls stand, and `onionc verify` makes the floors of the map again; a file damaged
//! later fails its checksum.

use onion_format::{DIST_LIMIT, FACE_LOOKS_BACK, FloorCornerRecord, FloorPlaceRecord, FloorRecord};

use crate::error::{LoadError, require};
use crate::file::floors::{FLOOR_STACK, FloorRange};
use crate::file::stack::Stack;
use crate::file::view::View;
use crate::math::aabb::Aabb;
use crate::math::plane::height;

/// Checks the chunks of floors, if the file has them.
pub(super) fn check(map: &View<'_>) -> Result<(), LoadError> {
    let mut hull = 0;
    for (index, floor) in map.floors().iter().enumerate() {
        let is_hull = (floor.hull() as usize) < map.layout.n_hulls && hull <= floor.hull();
        require::<FloorRecord>(is_hull, index, "its hull exists, in the order of hulls")?;
        hull = floor.hull();
        let exists = ((floor.plane & !FACE_LOOKS_BACK) as usize) < map.planes.len();
        let is_up = exists && map.facing_plane(floor.plane).0[2] > 0.0;
        require::<FloorRecord>(is_up, index, "its plane exists, and it looks up")?;
        let corners = map.floor_graph().corners(index as u32);
        let has_corners = corners.is_some_and(|corners| corners.len() >= 3);
        let begins = index > 0 || floor.first_corner() == 0;
        let rule = "3 or more corners, which follow those before and exist";
        require::<FloorRecord>(has_corners && begins, index, rule)?;
    }
    check_places(map)?;
    let hulls = (0..map.layout.n_hulls).filter_map(|hull| map.hull_id(hull));
    hulls
        .map(|hull| map.floors_of(hull))
        .try_for_each(|range| check_boxes(map, range))
}

/// Checks that corners belong to floors, that each place belongs to a corner, in the order in which corners first have
/// them, and that places are finite.
fn check_places(map: &View<'_>) -> Result<(), LoadError> {
    let places = map.floor_places();
    let mut n_places = 0;
    for (index, corner) in map.floor_corners().iter().enumerate() {
        let place = corner.place as usize;
        let exists = place <= n_places && place < places.len() && !map.floors().is_empty();
        let rule = "it belongs to a floor, and its place exists, in the order of first use";
        require::<FloorCornerRecord>(exists, index, rule)?;
        n_places = n_places.max(place + 1);
    }
    let is_used = n_places == places.len();
    require::<FloorPlaceRecord>(is_used, n_places, "it belongs to a corner")?;
    for (index, place) in places.iter().enumerate() {
        // Written so that NaN fails.
        let is_near = place.at.iter().all(|at| at.abs() < DIST_LIMIT);
        require::<FloorPlaceRecord>(is_near, index, "within 2^17 units of the origin")?;
    }
    Ok(())
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
        let holds = own.is_within(&around) && holds_corners(map, middle, &own.widened());
        let rule = "a box around all floors of its range";
        require::<FloorRecord>(holds, middle as usize, rule)?;
        let halves = range.halves(middle).into_iter();
        let halves = halves.filter(|half| half.middle().is_some());
        halves.for_each(|half| _ = pending.push((half, own)));
    }
    Ok(())
}

/// Whether a box holds the corners of a floor.
fn holds_corners(map: &View<'_>, floor: u32, bounds: &Aabb<f64>) -> bool {
    let (record, graph) = (map.floors().get(floor as usize), map.floor_graph());
    let Some((record, corners)) = record.zip(graph.corners(floor)) else {
        return false;
    };
    let (normal, dist) = map.facing_plane(record.plane);
    let holds = |[x, y]: [f64; 2]| bounds.holds(&[x, y, height(&normal, dist, [x, y])]);
    corners
        .iter()
        .all(|corner| graph.place(corner).is_some_and(holds))
}
