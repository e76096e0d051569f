//! Traces of one hull, in both precisions: along one segment, or along many in one call. Segments come in
//! as pairs of points, results go out as `onion_trace_result` or its twin in double precision.

use onion_runtime::Coordinate;

use crate::pointer::{In, ModelHandle};
use crate::precision::{PointIn, TraceOut, export_in_both_precisions};
use crate::status::Status;

export_in_both_precisions! {
    /// `Model::trace`.
    onion_trace, onion_trace_double =
        trace(model: In<ModelHandle>, hull: u64; start: PointIn, end: PointIn, trace: TraceOut;);
}

fn trace<T: Coordinate>(
    model: In<ModelHandle>,
    hull: u64,
    start: PointIn<T>,
    end: PointIn<T>,
    trace: TraceOut<T>,
) -> Result<(), Status> {
    let (trace, start, end) = (trace.place()?, start.read()?, end.read()?);
    let asked = model.read()?;
    let (model, hull) = asked.with(hull)?;
    trace.write(model.trace(hull, start, end).into());
    Ok(())
}

/// `Model::trace` of many segments.
#[unsafe(no_mangle)]
pub extern "C" fn onion_trace_batch(
    model: In<ModelHandle>,
    hull: u64,
    starts: PointIn<f32>,
    ends: PointIn<f32>,
    count: usize,
    traces: TraceOut<f32>,
) -> Status {
    Status::of(|| trace_batch(model, hull, [starts, ends], count, traces))
}

/// `Model::trace` of many segments in double precision.
#[unsafe(no_mangle)]
pub extern "C" fn onion_trace_batch_double(
    model: In<ModelHandle>,
    hull: u64,
    starts: PointIn<f64>,
    ends: PointIn<f64>,
    count: usize,
    traces: TraceOut<f64>,
) -> Status {
    Status::of(|| trace_batch(model, hull, [starts, ends], count, traces))
}

fn trace_batch<T: Coordinate>(
    model: In<ModelHandle>,
    hull: u64,
    [starts, ends]: [PointIn<T>; 2],
    count: usize,
    traces: TraceOut<T>,
) -> Result<(), Status> {
    let places = traces.places(count)?;
    let segments = starts.read_many(count)?.zip(ends.read_many(count)?);
    let asked = model.read()?;
    let (model, hull) = asked.with(hull)?;
    for ((start, end), place) in segments.zip(places) {
        place.write(model.trace(hull, start, end).into());
    }
    Ok(())
}
