//! Traces of boxes that were not compiled, in the tree of a hull, in both precisions. One call finds the hull that
//! suits a box best.

use onion_runtime::{Coordinate, ShiftedTrace};

use crate::pointer::{In, MapIn, ModelHandle, Out, Plain};
use crate::status::Status;
use crate::trace_result::TraceResult;

/// `onion_box_trace_result` and `onion_box_trace_result_double`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "onion.h tells what they are")]
pub struct BoxTraceResult<T> {
    pub trace: TraceResult<T>,
    pub latest: f64,
    pub max_error: f64,
}

impl<T: Default + Copy> From<ShiftedTrace<T>> for BoxTraceResult<T> {
    fn from(shifted: ShiftedTrace<T>) -> Self {
        Self {
            trace: shifted.trace.into(),
            latest: shifted.latest,
            max_error: shifted.max_error,
        }
    }
}

/// `Model::hull_within`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_hull_within(
    map: MapIn,
    mins: In<[f32; 3]>,
    maxs: In<[f32; 3]>,
    contents: u32,
    hull: Out<u64>,
) -> Status {
    Status::of(|| {
        let (hull, mins, maxs) = (hull.place()?, mins.read()?, maxs.read()?);
        let found = map.get()?.world().hull_within(mins, maxs, contents);
        hull.write(found.ok_or(Status::Hull)?.to_bits());
        Ok(())
    })
}

/// `Model::trace_box`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_trace_box(
    model: In<ModelHandle>,
    hull: u64,
    mins: In<[f32; 3]>,
    maxs: In<[f32; 3]>,
    start: In<[f32; 3]>,
    end: In<[f32; 3]>,
    trace: Out<BoxTraceResult<f32>>,
) -> Status {
    let bounds = [mins, maxs];
    Status::of(|| trace_box(model, hull, bounds, [start, end], trace))
}

/// `Model::trace_box` in double precision.
#[unsafe(no_mangle)]
pub extern "C" fn onion_trace_box_double(
    model: In<ModelHandle>,
    hull: u64,
    mins: In<[f32; 3]>,
    maxs: In<[f32; 3]>,
    start: In<[f64; 3]>,
    end: In<[f64; 3]>,
    trace: Out<BoxTraceResult<f64>>,
) -> Status {
    let bounds = [mins, maxs];
    Status::of(|| trace_box(model, hull, bounds, [start, end], trace))
}

fn trace_box<T: Coordinate + Default>(
    model: In<ModelHandle>,
    hull: u64,
    [mins, maxs]: [In<[f32; 3]>; 2],
    [start, end]: [In<[T; 3]>; 2],
    trace: Out<BoxTraceResult<T>>,
) -> Result<(), Status>
where
    [T; 3]: Plain,
{
    let trace = trace.place()?;
    let bounds = (mins.read()?, maxs.read()?);
    let (start, end) = (start.read()?, end.read()?);
    let asked = model.read()?;
    let (model, hull) = asked.with(hull)?;
    trace.write(model.trace_box(hull, bounds, start, end)?.into());
    Ok(())
}
