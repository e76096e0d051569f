//! Traces, in both precisions: for one hull or several in one walk, along one segment or many in one
//! call.

use onion_format::KNOWN_HULLS;
use onion_runtime::{DEFAULT_SKIN, HullId, Model, Plane, Trace};

use crate::hull::hull_id;
use crate::model::model;
use crate::pointer::{In, MapIn, Out};
use crate::status::Status;

/// `ONION_NO_PLANE`: the number of the plane of a trace that hit none.
pub const NO_PLANE: u32 = u32::MAX;

/// `onion_trace_result` and `onion_trace_result_double`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "onion.h tells what they are")]
pub struct TraceResult<T> {
    pub fraction: f64,
    pub hit_fraction: f64,
    pub dist: f64,
    pub end_pos: [T; 3],
    pub normal: [T; 3],
    pub plane: u32,
    pub start_solid: u8,
    pub all_solid: u8,
    pub hit: u8,
    pub reserved: [u8; 9],
}

impl<T: Default + Copy> From<Trace<T>> for TraceResult<T> {
    #[inline]
    fn from(trace: Trace<T>) -> Self {
        let (normal, dist, number) = match trace.plane {
            Some(plane) => (plane.normal, plane.dist, plane.number),
            None => ([T::default(); 3], 0.0, NO_PLANE),
        };
        Self {
            fraction: trace.fraction,
            hit_fraction: trace.hit_fraction,
            dist,
            end_pos: trace.end_pos,
            normal,
            plane: number,
            start_solid: trace.start_solid.into(),
            all_solid: trace.all_solid.into(),
            hit: trace.plane.is_some().into(),
            reserved: [0; 9],
        }
    }
}

impl<T> TraceResult<T> {
    /// The trace of a segment.
    pub(crate) fn trace(self, start: [T; 3], end: [T; 3]) -> Trace<T> {
        let plane = Plane {
            normal: self.normal,
            dist: self.dist,
            number: self.plane,
        };
        Trace {
            start,
            end,
            fraction: self.fraction,
            hit_fraction: self.hit_fraction,
            end_pos: self.end_pos,
            plane: (self.hit != 0).then_some(plane),
            start_solid: self.start_solid != 0,
            all_solid: self.all_solid != 0,
        }
    }
}

/// `Model::trace`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_trace(
    map: MapIn,
    model: u32,
    hull: u32,
    start: In<[f32; 3]>,
    end: In<[f32; 3]>,
    trace: Out<TraceResult<f32>>,
) -> Status {
    onion_trace_with_skin(map, model, hull, start, end, DEFAULT_SKIN, trace)
}

/// `Model::trace` with a skin.
#[unsafe(no_mangle)]
pub extern "C" fn onion_trace_with_skin(
    map: MapIn,
    model: u32,
    hull: u32,
    start: In<[f32; 3]>,
    end: In<[f32; 3]>,
    skin: f64,
    trace: Out<TraceResult<f32>>,
) -> Status {
    Status::of(|| {
        let (trace, start, end) = (trace.place()?, start.read()?, end.read()?);
        let (model, hull) = model_and_hull(&map, model, hull)?;
        trace.write(model.with_skin(skin).trace(hull, start, end).into());
        Ok(())
    })
}

/// `Model::trace` in double precision.
#[unsafe(no_mangle)]
pub extern "C" fn onion_trace_double(
    map: MapIn,
    model: u32,
    hull: u32,
    start: In<[f64; 3]>,
    end: In<[f64; 3]>,
    skin: f64,
    trace: Out<TraceResult<f64>>,
) -> Status {
    Status::of(|| {
        let (trace, start, end) = (trace.place()?, start.read()?, end.read()?);
        let (model, hull) = model_and_hull(&map, model, hull)?;
        trace.write(model.with_skin(skin).trace(hull, start, end).into());
        Ok(())
    })
}

/// `Model::trace_hulls`, some hulls at a time: as many as can share a walk.
#[unsafe(no_mangle)]
pub extern "C" fn onion_trace_hulls(
    map: MapIn,
    model: u32,
    hulls: In<u32>,
    count: usize,
    start: In<[f32; 3]>,
    end: In<[f32; 3]>,
    traces: Out<TraceResult<f32>>,
) -> Status {
    Status::of(|| {
        let mut places = traces.places(count)?;
        let (start, end) = (start.read()?, end.read()?);
        let mut numbers = hulls.read_many(count)?;
        let map = map.get()?;
        let model = self::model(map, model)?;
        hulls
            .read_many(count)?
            .try_for_each(|hull| hull_id(map, hull).map(drop))?;

        let mut ids = [hull_id(map, 0)?; KNOWN_HULLS];
        let mut traces = [Trace::default(); KNOWN_HULLS];
        loop {
            let mut n_hulls = 0;
            for (id, number) in ids.iter_mut().zip(&mut numbers) {
                *id = hull_id(map, number)?;
                n_hulls += 1;
            }
            let ids = ids.get(..n_hulls).unwrap_or(&[]);
            model.trace_hulls(ids, start, end, &mut traces);
            for (trace, place) in traces.iter().take(n_hulls).zip(&mut places) {
                place.write((*trace).into());
            }
            if n_hulls < KNOWN_HULLS {
                return Ok(());
            }
        }
    })
}

/// Many of [`onion_trace_with_skin`].
#[unsafe(no_mangle)]
pub extern "C" fn onion_trace_batch(
    map: MapIn,
    model: u32,
    hull: u32,
    starts: In<[f32; 3]>,
    ends: In<[f32; 3]>,
    count: usize,
    skin: f64,
    traces: Out<TraceResult<f32>>,
) -> Status {
    Status::of(|| {
        let places = traces.places(count)?;
        let segments = starts.read_many(count)?.zip(ends.read_many(count)?);
        let (model, hull) = model_and_hull(&map, model, hull)?;
        for ((start, end), place) in segments.zip(places) {
            place.write(model.with_skin(skin).trace(hull, start, end).into());
        }
        Ok(())
    })
}

/// Many of [`onion_trace_double`].
#[unsafe(no_mangle)]
pub extern "C" fn onion_trace_batch_double(
    map: MapIn,
    model: u32,
    hull: u32,
    starts: In<[f64; 3]>,
    ends: In<[f64; 3]>,
    count: usize,
    skin: f64,
    traces: Out<TraceResult<f64>>,
) -> Status {
    Status::of(|| {
        let places = traces.places(count)?;
        let segments = starts.read_many(count)?.zip(ends.read_many(count)?);
        let (model, hull) = model_and_hull(&map, model, hull)?;
        for ((start, end), place) in segments.zip(places) {
            place.write(model.with_skin(skin).trace(hull, start, end).into());
        }
        Ok(())
    })
}

/// What a query is about.
#[inline]
pub(crate) fn model_and_hull<'a>(
    map: &'a MapIn,
    model: u32,
    hull: u32,
) -> Result<(Model<'a>, HullId), Status> {
    let map = map.get()?;
    Ok((self::model(map, model)?, hull_id(map, hull)?))
}
