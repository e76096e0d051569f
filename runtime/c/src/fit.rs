//! Room for hulls: the hulls that fit at a point, whether one fits in place of another, and the nearest place with
//! room.

use onion_runtime::Coordinate;

use crate::pointer::{In, ModelHandle, Out};
use crate::precision::{PointIn, export_in_both_precisions};
use crate::status::Status;

/// The C type `onion_fit_result`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "onion.h tells what they are")]
pub struct FitResult {
    pub point: [f32; 3],
    pub found: u8,
    pub reserved: [u8; 3],
}

impl From<Option<[f32; 3]>> for FitResult {
    fn from(point: Option<[f32; 3]>) -> Self {
        Self {
            point: point.unwrap_or_default(),
            found: point.is_some().into(),
            reserved: [0; 3],
        }
    }
}

export_in_both_precisions! {
    /// `Model::hulls_that_fit`.
    onion_hulls_that_fit, onion_hulls_that_fit_double =
        hulls_that_fit(model: In<ModelHandle>; point: PointIn; hulls: Out<u64>);
}

fn hulls_that_fit<T: Coordinate>(
    model: In<ModelHandle>,
    point: PointIn<T>,
    hulls: Out<u64>,
) -> Result<(), Status> {
    let (hulls, point) = (hulls.place()?, point.read()?);
    hulls.write(model.read()?.get()?.hulls_that_fit(point).bits());
    Ok(())
}

/// Wraps `Model::switched_position`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_switched_position(
    model: In<ModelHandle>,
    from: u64,
    to: u64,
    point: In<[f32; 3]>,
    fit: Out<FitResult>,
) -> Status {
    Status::of(|| {
        let (fit, point) = (fit.place()?, point.read()?);
        let asked = model.read()?;
        let (model, from, to) = (asked.get()?, asked.hull(from)?, asked.hull(to)?);
        fit.write(model.switched_position(from, to, point).into());
        Ok(())
    })
}

/// Wraps `Model::nearest_fit`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_nearest_fit(
    model: In<ModelHandle>,
    hull: u64,
    point: In<[f32; 3]>,
    radius: f32,
    fit: Out<FitResult>,
) -> Status {
    Status::of(|| {
        let (fit, point) = (fit.place()?, point.read()?);
        let asked = model.read()?;
        let (model, hull) = asked.with(hull)?;
        fit.write(model.nearest_fit(hull, point, radius).into());
        Ok(())
    })
}
