//! The contents at a point, in both precisions: those of all brushes that contain the point. The brushes are not
//! expanded.

use onion_runtime::Coordinate;

use crate::pointer::{In, ModelHandle, Out};
use crate::precision::{PointIn, export_in_both_precisions};
use crate::status::Status;

/// `ONION_ALL_CONTENTS`: the contents at points that are not finite, or beyond 2^30 units.
pub const ALL_CONTENTS: u32 = u32::MAX;

export_in_both_precisions! {
    /// `Model::contents_at`.
    onion_contents_at, onion_contents_at_double =
        contents_at(model: In<ModelHandle>; point: PointIn; contents: Out<u32>);
}

fn contents_at<T: Coordinate>(
    model: In<ModelHandle>,
    point: PointIn<T>,
    contents: Out<u32>,
) -> Result<(), Status> {
    let (point, contents) = (point.read()?, contents.place()?);
    contents.write(model.read()?.get()?.contents_at(point)?);
    Ok(())
}
