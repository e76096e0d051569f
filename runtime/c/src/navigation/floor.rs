//! Floors: where hulls stand. The numbers of a hull's floors, a floor and its corners by its number in the file; the
//! floor under a position, the nearest one, and a random place, in both precisions.

use onion_runtime::navigation::Floor;
use onion_runtime::{Coordinate, HullId, OnionMap};

use crate::hull::hull_id;
use crate::pointer::{MapIn, Out};
use crate::precision::{PointIn, PointOut, export_in_both_precisions};
use crate::status::Status;

/// `ONION_NO_FLOOR`: the number of no floor.
pub const NO_FLOOR: u32 = u32::MAX;

/// The C type `onion_floor`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "onion.h tells what they are")]
pub struct FloorInfo {
    pub normal: [f64; 3],
    pub dist: f64,
    pub n_corners: u32,
    pub reserved: u32,
}

impl From<Floor<'_>> for FloorInfo {
    fn from(floor: Floor<'_>) -> Self {
        Self {
            normal: floor.normal,
            dist: floor.dist,
            n_corners: floor.corners().len() as u32,
            reserved: 0,
        }
    }
}

/// Returns a map whose file holds floors.
fn with_floors(map: &MapIn) -> Result<&OnionMap<&'static [u8]>, Status> {
    let map = map.get()?;
    map.has_floors().then_some(map).ok_or(Status::NoFloors)
}

fn floor(map: &MapIn, number: u32) -> Result<Floor<'_>, Status> {
    let floor = with_floors(map)?.floor(number);
    floor.ok_or(Status::Floor)
}

/// Returns the numbers of `OnionMap::floors`, which follow one another.
#[unsafe(no_mangle)]
pub extern "C" fn onion_floors(map: MapIn, hull: u64, first: Out<u32>, count: Out<u32>) -> Status {
    Status::of(|| {
        let (first, count) = (first.place()?, count.place()?);
        let map = with_floors(&map)?;
        let mut floors = map.floors(hull_id(map, hull)?).map(|floor| floor.number);
        let start = floors.next();
        first.write(start.unwrap_or_default());
        count.write(start.map_or(0, |_| 1 + floors.count()) as u32);
        Ok(())
    })
}

/// Wraps `OnionMap::floor`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_get_floor(map: MapIn, number: u32, info: Out<FloorInfo>) -> Status {
    Status::of(|| {
        let info = info.place()?;
        info.write(floor(&map, number)?.into());
        Ok(())
    })
}

/// Wraps `Floor::corners`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_floor_corners(
    map: MapIn,
    number: u32,
    corners: Out<[f64; 3]>,
    capacity: usize,
    count: Out<usize>,
) -> Status {
    Status::of(|| {
        let (count, places) = (count.place()?, corners.places(capacity)?);
        let floor = floor(&map, number)?;
        count.write(floor.corners().len());
        for (corner, place) in floor.corners().zip(places) {
            place.write(corner);
        }
        Ok(())
    })
}

export_in_both_precisions! {
    /// Wraps `OnionMap::floor_at`.
    onion_floor_at, onion_floor_at_double = floor_at(
        map: MapIn, hull: u64; position: PointIn; reach: f64, number: Out<u32>; point: PointOut
    );
    /// Wraps `OnionMap::nearest_floor`.
    onion_nearest_floor, onion_nearest_floor_double = nearest_floor(
        map: MapIn, hull: u64; position: PointIn; max_distance: f64, number: Out<u32>; point: PointOut
    );
    /// Wraps `OnionMap::random_place`.
    onion_random_place, onion_random_place_double = random_place(
        map: MapIn, hull: u64; random: PointIn; number: Out<u32>; point: PointOut
    );
}

fn floor_at<T: Coordinate>(
    map: MapIn,
    hull: u64,
    position: PointIn<T>,
    reach: f64,
    number: Out<u32>,
    point: PointOut<T>,
) -> Result<(), Status> {
    answer(
        (map, hull),
        position,
        (number, point),
        |map, hull, position| map.floor_at(hull, position, reach),
    )
}

fn nearest_floor<T: Coordinate>(
    map: MapIn,
    hull: u64,
    position: PointIn<T>,
    max_distance: f64,
    number: Out<u32>,
    point: PointOut<T>,
) -> Result<(), Status> {
    answer(
        (map, hull),
        position,
        (number, point),
        |map, hull, position| map.nearest_floor(hull, position, max_distance),
    )
}

fn random_place<T: Coordinate>(
    map: MapIn,
    hull: u64,
    random: PointIn<T>,
    number: Out<u32>,
    point: PointOut<T>,
) -> Result<(), Status> {
    answer((map, hull), random, (number, point), |map, hull, random| {
        map.random_place(hull, random)
    })
}

/// A floor and its point.
type FloorPlace<'a> = Option<(Floor<'a>, [f64; 3])>;

/// Writes the floor and the point that a query of three numbers returns.
fn answer<T: Coordinate>(
    (map, hull): (MapIn, u64),
    numbers: PointIn<T>,
    (number, point): (Out<u32>, PointOut<T>),
    query: impl for<'a> Fn(&'a OnionMap<&'static [u8]>, HullId, [f64; 3]) -> FloorPlace<'a>,
) -> Result<(), Status> {
    let (number, point) = (number.place()?, point.place()?);
    let numbers = numbers.read()?.map(T::widen);
    let map = with_floors(&map)?;
    let found = query(map, hull_id(map, hull)?, numbers);
    let (index, place) = found.map_or((NO_FLOOR, [0.0; 3]), |(floor, place)| (floor.number, place));
    number.write(index);
    point.write(place.map(T::narrow));
    Ok(())
}
