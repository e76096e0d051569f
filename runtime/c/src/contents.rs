//! What the place of a point is made of, in both precisions: the contents of all brushes that hold the
//! point.

use onion_runtime::Coordinate;

use crate::model::model;
use crate::pointer::{In, MapIn, Out};
use crate::status::Status;

/// `ONION_ALL_CONTENTS`: the contents of points that are not finite, or beyond 2^30 units.
pub const ALL_CONTENTS: u32 = u32::MAX;

/// `Model::contents_at`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_contents_at(
    map: MapIn,
    model: u32,
    point: In<[f32; 3]>,
    contents: Out<u32>,
) -> Status {
    Status::of(|| {
        let point = point.read()?;
        contents_at(map, model, point, contents)
    })
}

/// `Model::contents_at` in double precision.
#[unsafe(no_mangle)]
pub extern "C" fn onion_contents_at_double(
    map: MapIn,
    model: u32,
    point: In<[f64; 3]>,
    contents: Out<u32>,
) -> Status {
    Status::of(|| {
        let point = point.read()?;
        contents_at(map, model, point, contents)
    })
}

fn contents_at<T: Coordinate>(
    map: MapIn,
    model: u32,
    point: [T; 3],
    contents: Out<u32>,
) -> Result<(), Status> {
    let contents = contents.place()?;
    let model = self::model(map.get()?, model)?;
    contents.write(model.contents_at(point)?);
    Ok(())
}
