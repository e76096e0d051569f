//! Models by number: the bounds, origin and entity of each. Other calls take a model and query it; model 0 is the
//! world of the map.

use onion_runtime::{Aabb, DEFAULT_MARGIN, HullId, Model};

use crate::hull::hull_id;
use crate::pointer::{In, MapIn, ModelHandle, Out};
use crate::status::Status;

/// `ONION_NO_ENTITY`: the entity of a model that no entity shows.
pub const NO_ENTITY: u32 = u32::MAX;

/// The C type `onion_model_info`.
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
        let Aabb { mins, maxs } = model.bounds();
        Self {
            origin: model.origin(),
            mins,
            maxs,
            entity: model.entity_number().unwrap_or(NO_ENTITY),
        }
    }
}

impl ModelHandle {
    /// Returns the model. It is made for each call, because games set the margin in their handle.
    #[inline]
    pub(crate) fn get(&self) -> Result<Model<'_>, Status> {
        let model = self.map.get()?.model(self.index as usize);
        Ok(model.ok_or(Status::Model)?.with_margin(self.margin))
    }

    /// Returns the model, and a hull of its map.
    #[inline]
    pub(crate) fn with(&self, hull: u64) -> Result<(Model<'_>, HullId), Status> {
        Ok((self.get()?, self.hull(hull)?))
    }

    /// Returns a hull of the model's map.
    #[inline]
    pub(crate) fn hull(&self, hull: u64) -> Result<HullId, Status> {
        hull_id(self.map.get()?, hull)
    }
}

/// Wraps `OnionMap::model`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_get_model(map: MapIn, index: u32, model: Out<ModelHandle>) -> Status {
    Status::of(|| {
        let place = model.place()?;
        let model = ModelHandle {
            map,
            margin: DEFAULT_MARGIN,
            index,
            reserved: 0,
        };
        model.get()?;
        place.write(model);
        Ok(())
    })
}

/// Wraps `OnionMap::world`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_world(map: MapIn, model: Out<ModelHandle>) -> Status {
    onion_get_model(map, 0, model)
}

/// Wraps `OnionMap::n_models`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_model_count(map: MapIn, count: Out<u32>) -> Status {
    Status::of(|| {
        let count = count.place()?;
        count.write(map.get()?.n_models() as u32);
        Ok(())
    })
}

/// Returns the number of the model's entity, its origin and its bounds.
#[unsafe(no_mangle)]
pub extern "C" fn onion_get_model_info(model: In<ModelHandle>, info: Out<ModelInfo>) -> Status {
    Status::of(|| {
        let (info, model) = (info.place()?, model.read()?);
        info.write(model.get()?.into());
        Ok(())
    })
}
