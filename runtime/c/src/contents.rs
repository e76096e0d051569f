//! The contents at a point, in both precisions: those of all brushes that contain the point. The brushes are not
//! expanded.

use onion_runtime::Coordinate;

use crate::pointer::{In, ModelHandle, Out};
use crate::status::Status;

/// `ONION_ALL_CONTENTS`: the contents at points that are not finite, or beyond 2^30 units.
pub const ALL_CONTENTS: u32 = u32::MAX;

/// Wraps `Model::contents_at`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_contents_at(
    model: In<ModelHandle>,
    point: In<[f32; 3]>,
    contents: Out<u32>,
) -> Status {
    Status::of(|| {
        let point = point.read()?;
        contents_at(model, point, contents)
    })
}

/// Wraps `Model::contents_at` in double precision.
#[unsafe(no_mangle)]
pub extern "C" fn onion_contents_at_double(
    model: In<ModelHandle>,
    point: In<[f64; 3]>,
    contents: Out<u32>,
) -> Status {
    Status::of(|| {
        let point = point.read()?;
        contents_at(model, point, contents)
    })
}

fn contents_at<T: Coordinate>(
    model: In<ModelHandle>,
    point: [T; 3],
    contents: Out<u32>,
) -> Result<(), Status> {
    let contents = contents.place()?;
    contents.write(model.read()?.get()?.contents_at(point)?);
    Ok(())
}
