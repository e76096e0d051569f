//! Models by number: bounds, origin and entity of each. A model is what other calls ask; the world is number
//! 0.

use onion_runtime::{Model, OnionMap};

use crate::pointer::{MapIn, Out};
use crate::status::Status;

/// `ONION_NO_ENTITY`: the entity of a model that no entity shows.
pub const NO_ENTITY: u32 = u32::MAX;

/// `onion_model_info`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "onion.h tells what they are")]
pub struct ModelInfo {
    pub origin: [f32; 3],
    pub mins: [f32; 3],
    pub maxs: [f32; 3],
    pub entity: u32,
}

impl From<Model<'_>> for ModelInfo {
    fn from(model: Model<'_>) -> Self {
        let (mins, maxs) = model.bounds();
        Self {
            origin: model.origin(),
            mins,
            maxs,
            entity: model.entity().unwrap_or(NO_ENTITY),
        }
    }
}

/// The model of this number.
#[inline]
pub(crate) fn model<'a>(map: &'a OnionMap<&[u8]>, model: u32) -> Result<Model<'a>, Status> {
    map.model(model as usize).ok_or(Status::Model)
}

/// `OnionMap::n_models`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_model_count(map: MapIn, count: Out<u32>) -> Status {
    Status::of(|| {
        let count = count.place()?;
        count.write(map.get()?.n_models() as u32);
        Ok(())
    })
}

/// What `Model` tells of itself.
#[unsafe(no_mangle)]
pub extern "C" fn onion_get_model_info(map: MapIn, model: u32, info: Out<ModelInfo>) -> Status {
    Status::of(|| {
        let info = info.place()?;
        info.write(self::model(map.get()?, model)?.into());
        Ok(())
    })
}
