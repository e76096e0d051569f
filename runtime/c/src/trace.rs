//! Traces, in both precisions: for one hull or several in one walk, along one segment or many in one
//! call.

use onion_format::KNOWN_HULLS;
use onion_runtime::{DEFAULT_SKIN, HullId, Model, Trace};

use crate::hull::hull_id;
use crate::model::model;
use crate::pointer::{In, MapIn, Out};
use crate::status::Status;
use crate::trace_result::TraceResult;

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
