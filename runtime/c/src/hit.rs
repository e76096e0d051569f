//! Hits, in both precisions: the brush, side and surface that a trace met. This is a separate query, so that traces
//! do not pay for it.

use onion_runtime::{Coordinate, Hit, Source};

use crate::model::NO_ENTITY;
use crate::pointer::{In, ModelHandle, Out};
use crate::precision::{TraceIn, export_in_both_precisions};
use crate::status::Status;

/// The C type `onion_source_kind`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "onion.h tells what they are")]
pub enum SourceKind {
    Brush = 0,
    Patch = 1,
}

/// The C type `onion_hit_result`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "onion.h tells what they are")]
pub struct HitResult {
    pub brush: u32,
    pub contents: u32,
    pub source_kind: SourceKind,
    pub source: u32,
    pub side: u32,
    pub surface: u32,
    pub surface_flags: u32,
    pub surface_contents: u32,
    pub model: u32,
    pub entity: u32,
    pub found: u8,
    pub is_bevel: u8,
    pub reserved: [u8; 6],
}

impl HitResult {
    /// The answer of a trace that hit nothing. All zero but for the entity, because 0 is a number of an entity.
    pub(crate) const NONE: Self = Self {
        brush: 0,
        contents: 0,
        source_kind: SourceKind::Brush,
        source: 0,
        side: 0,
        surface: 0,
        surface_flags: 0,
        surface_contents: 0,
        model: 0,
        entity: NO_ENTITY,
        found: 0,
        is_bevel: 0,
        reserved: [0; 6],
    };
}

impl From<Hit<'_>> for HitResult {
    fn from(hit: Hit<'_>) -> Self {
        let (source_kind, source) = match hit.brush.source {
            Source::Brush(number) => (SourceKind::Brush, number),
            Source::Patch(number) => (SourceKind::Patch, number),
        };
        let surface = hit.side.surface;
        Self {
            brush: hit.brush.number,
            contents: hit.brush.contents,
            source_kind,
            source,
            side: hit.side.number,
            surface: surface.number,
            surface_flags: surface.flags,
            surface_contents: surface.contents,
            model: hit.brush.model as u32,
            entity: hit.brush.entity.unwrap_or(NO_ENTITY),
            found: 1,
            is_bevel: hit.side.is_bevel.into(),
            reserved: [0; 6],
        }
    }
}

export_in_both_precisions! {
    /// `Model::hit`.
    onion_hit, onion_hit_double =
        find_hit(model: In<ModelHandle>, hull: u64; trace: TraceIn; hit: Out<HitResult>);
}

fn find_hit<T: Coordinate>(
    model: In<ModelHandle>,
    hull: u64,
    trace: TraceIn<T>,
    hit: Out<HitResult>,
) -> Result<(), Status> {
    let (hit, trace) = (hit.place()?, trace.read()?);
    let asked = model.read()?;
    let (model, hull) = asked.with(hull)?;
    let found = model.hit(hull, &trace.into())?;
    hit.write(found.map_or(HitResult::NONE, HitResult::from));
    Ok(())
}
