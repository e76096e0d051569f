//! Traces of one hull, in both precisions: along one segment, or along many in one call. Segments come in
//! as pairs of points, results go out as `OnionTrace`.

use onion_format::MAX_GROUP;
use onion_runtime::Trace;

use crate::pointer::{In, ModelHandle, Out};
use crate::status::Status;
use crate::trace_result::TraceResult;

/// Wraps `Model::trace`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_trace(
    model: In<ModelHandle>,
    hull: u64,
    start: In<[f32; 3]>,
    end: In<[f32; 3]>,
    trace: Out<TraceResult<f32>>,
) -> Status {
    Status::of(|| {
        let (trace, start, end) = (trace.place()?, start.read()?, end.read()?);
        let asked = model.read()?;
        let (model, hull) = asked.with(hull)?;
        trace.write(model.trace(hull, start, end).into());
        Ok(())
    })
}

/// Wraps `Model::trace` in double precision.
#[unsafe(no_mangle)]
pub extern "C" fn onion_trace_double(
    model: In<ModelHandle>,
    hull: u64,
    start: In<[f64; 3]>,
    end: In<[f64; 3]>,
    trace: Out<TraceResult<f64>>,
) -> Status {
    Status::of(|| {
        let (trace, start, end) = (trace.place()?, start.read()?, end.read()?);
        let asked = model.read()?;
        let (model, hull) = asked.with(hull)?;
        trace.write(model.trace(hull, start, end).into());
        Ok(())
    })
}

/// Wraps `Model::trace_hulls`, with up to `MAX_GROUP` hulls at a time.
#[unsafe(no_mangle)]
pub extern "C" fn onion_trace_hulls(
    model: In<ModelHandle>,
    hulls: In<u64>,
    count: usize,
    start: In<[f32; 3]>,
    end: In<[f32; 3]>,
    traces: Out<TraceResult<f32>>,
) -> Status {
    Status::of(|| {
        let mut places = traces.places(count)?;
        let (start, end) = (start.read()?, end.read()?);
        let mut numbers = hulls.read_many(count)?;
        let asked = model.read()?;
        let model = asked.get()?;
        hulls
            .read_many(count)?
            .try_for_each(|hull| asked.hull(hull).map(drop))?;

        // Placeholders for the hulls to come.
        let first = asked.map.get()?.inspect().hull_id(0);
        let mut ids = [first.ok_or(Status::Hull)?; MAX_GROUP];
        let mut traces = [Trace::default(); MAX_GROUP];
        loop {
            let mut n_hulls = 0;
            for (id, number) in ids.iter_mut().zip(&mut numbers) {
                *id = asked.hull(number)?;
                n_hulls += 1;
            }
            let ids = ids.get(..n_hulls).unwrap_or(&[]);
            model.trace_hulls(ids, start, end, &mut traces);
            for (trace, place) in traces.iter().take(n_hulls).zip(&mut places) {
                place.write((*trace).into());
            }
            if n_hulls < MAX_GROUP {
                return Ok(());
            }
        }
    })
}

/// Runs [`onion_trace`] on many segments.
#[unsafe(no_mangle)]
pub extern "C" fn onion_trace_batch(
    model: In<ModelHandle>,
    hull: u64,
    starts: In<[f32; 3]>,
    ends: In<[f32; 3]>,
    count: usize,
    traces: Out<TraceResult<f32>>,
) -> Status {
    Status::of(|| {
        let places = traces.places(count)?;
        let segments = starts.read_many(count)?.zip(ends.read_many(count)?);
        let asked = model.read()?;
        let (model, hull) = asked.with(hull)?;
        for ((start, end), place) in segments.zip(places) {
            place.write(model.trace(hull, start, end).into());
        }
        Ok(())
    })
}

/// Runs [`onion_trace_double`] on many segments.
#[unsafe(no_mangle)]
pub extern "C" fn onion_trace_batch_double(
    model: In<ModelHandle>,
    hull: u64,
    starts: In<[f64; 3]>,
    ends: In<[f64; 3]>,
    count: usize,
    traces: Out<TraceResult<f64>>,
) -> Status {
    Status::of(|| {
        let places = traces.places(count)?;
        let segments = starts.read_many(count)?.zip(ends.read_many(count)?);
        let asked = model.read()?;
        let (model, hull) = asked.with(hull)?;
        for ((start, end), place) in segments.zip(places) {
            place.write(model.trace(hull, start, end).into());
        }
        Ok(())
    })
}
