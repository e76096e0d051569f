//! Traces of shapes among the brushes of a model, in both precisions, and whether the interior of a shape overlaps a
//! brush. Traces in scenes return the same struct.

use onion_runtime::Coordinate;
use onion_runtime::shape::ShapeTrace;

use crate::hit::HitResult;
use crate::pointer::{In, ModelHandle, Out};
use crate::precision::{PointIn, export_in_both_precisions};
use crate::scene_state::NO_MOVER;
use crate::shape::ShapeSpec;
use crate::status::Status;

/// `onion_shape_trace_result *`, or its twin.
pub type ShapeTraceOut<T> = Out<ShapeTraceResult<T>>;

/// The C types `onion_shape_trace_result` and `onion_shape_trace_result_double`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "onion.h tells what they are")]
pub struct ShapeTraceResult<T> {
    pub fraction: f64,
    pub hit_fraction: f64,
    pub end_pos: [T; 3],
    pub normal: [T; 3],
    pub met: HitResult,
    pub mover: u32,
    pub start_solid: u8,
    pub all_solid: u8,
    pub hit: u8,
    pub reserved: u8,
}

impl<T: Default + Copy> From<ShapeTrace<'_, T>> for ShapeTraceResult<T> {
    fn from(trace: ShapeTrace<'_, T>) -> Self {
        Self {
            fraction: trace.fraction,
            hit_fraction: trace.hit_fraction,
            end_pos: trace.end_pos,
            normal: trace.normal.unwrap_or_default(),
            met: trace.hit.map_or(HitResult::NONE, HitResult::from),
            mover: trace.mover.map_or(NO_MOVER, |mover| mover as u32),
            start_solid: trace.start_solid.into(),
            all_solid: trace.all_solid.into(),
            hit: trace.normal.is_some().into(),
            reserved: 0,
        }
    }
}

export_in_both_precisions! {
    /// `Model::trace_shape`.
    onion_trace_shape, onion_trace_shape_double = trace_shape(
        model: In<ModelHandle>, shape: In<ShapeSpec>, contents: u32;
        start: PointIn, end: PointIn, trace: ShapeTraceOut;
    );
    /// `Model::shape_is_solid`.
    onion_shape_is_solid, onion_shape_is_solid_double = shape_is_solid(
        model: In<ModelHandle>, shape: In<ShapeSpec>, contents: u32; point: PointIn; solid: Out<u8>
    );
}

fn trace_shape<T: Coordinate>(
    model: In<ModelHandle>,
    shape: In<ShapeSpec>,
    contents: u32,
    start: PointIn<T>,
    end: PointIn<T>,
    trace: ShapeTraceOut<T>,
) -> Result<(), Status> {
    let trace = trace.place()?;
    let (shape, start, end) = (shape.read()?, start.read()?, end.read()?);
    let asked = model.read()?;
    let answer = asked
        .get()?
        .trace_shape(&shape.shape()?, contents, start, end)?;
    trace.write(answer.into());
    Ok(())
}

fn shape_is_solid<T: Coordinate>(
    model: In<ModelHandle>,
    shape: In<ShapeSpec>,
    contents: u32,
    point: PointIn<T>,
    solid: Out<u8>,
) -> Result<(), Status> {
    let (solid, shape, point) = (solid.place()?, shape.read()?, point.read()?);
    let asked = model.read()?;
    let answer = asked
        .get()?
        .shape_is_solid(&shape.shape()?, contents, point)?;
    solid.write(answer.into());
    Ok(())
}
