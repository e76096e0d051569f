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
    /// `Model::trace` of many segments.
    onion_trace_batch, onion_trace_batch_double = trace_batch(
        model: In<ModelHandle>, hull: u64; starts: PointIn, ends: PointIn; count: usize; traces: TraceOut
    );
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

fn trace_batch<T: Coordinate>(
    model: In<ModelHandle>,
    hull: u64,
    starts: PointIn<T>,
    ends: PointIn<T>,
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
