//! Changes of solidity along a segment: the first, all of them, and the end of the solid at the start, in both
//! precisions.

use core::ops::ControlFlow;

use onion_runtime::{Crossing, LeafId, Transition};

use crate::point::NO_LEAF;
use crate::pointer::{In, ModelHandle, Out};
use crate::status::Status;

/// The C type `onion_transition_kind`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "onion.h tells what they are")]
pub enum TransitionKind {
    Empty = 0,
    Solid = 1,
    EnterSolid = 2,
    LeaveSolid = 3,
}

/// The C type `onion_transition`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "onion.h tells what they are")]
pub struct TransitionResult {
    pub fraction: f64,
    pub dist: f64,
    pub point: [f64; 3],
    pub normal: [f64; 3],
    pub kind: TransitionKind,
    pub from_leaf: u32,
    pub to_leaf: u32,
    pub has_plane: u8,
    pub reserved: [u8; 3],
}

impl TransitionResult {
    /// Returns the answer for a segment that crosses nothing.
    fn uncrossed(kind: TransitionKind) -> Self {
        Self {
            fraction: 1.0,
            dist: 0.0,
            point: [0.0; 3],
            normal: [0.0; 3],
            kind,
            from_leaf: NO_LEAF,
            to_leaf: NO_LEAF,
            has_plane: 0,
            reserved: [0; 3],
        }
    }

    fn crossed(kind: TransitionKind, crossing: &Crossing<f64>) -> Self {
        let number = |leaf: LeafId| leaf.index() as u32;
        let (normal, dist) = match crossing.plane {
            Some(plane) => (plane.normal, plane.dist),
            None => Default::default(),
        };
        Self {
            fraction: crossing.fraction,
            dist,
            point: crossing.point,
            normal,
            from_leaf: crossing.from.map_or(NO_LEAF, number),
            to_leaf: number(crossing.to),
            has_plane: crossing.plane.is_some().into(),
            ..Self::uncrossed(kind)
        }
    }
}

impl From<Transition<f64>> for TransitionResult {
    fn from(transition: Transition<f64>) -> Self {
        match &transition {
            Transition::Empty => Self::uncrossed(TransitionKind::Empty),
            Transition::Solid => Self::uncrossed(TransitionKind::Solid),
            Transition::EnterSolid(at) => Self::crossed(TransitionKind::EnterSolid, at),
            Transition::LeaveSolid(at) => Self::crossed(TransitionKind::LeaveSolid, at),
        }
    }
}

/// Wraps `Model::find_first_transition`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_find_first_transition(
    model: In<ModelHandle>,
    hull: u64,
    start: In<[f32; 3]>,
    end: In<[f32; 3]>,
    transition: Out<TransitionResult>,
) -> Status {
    Status::of(|| {
        let (transition, start, end) = (transition.place()?, start.read()?, end.read()?);
        let asked = model.read()?;
        let (model, hull) = asked.with(hull)?;
        let [start, end] = [start, end].map(|end| end.map(f64::from));
        transition.write(model.find_first_transition(hull, start, end).into());
        Ok(())
    })
}

/// Wraps `Model::find_first_transition` in double precision.
#[unsafe(no_mangle)]
pub extern "C" fn onion_find_first_transition_double(
    model: In<ModelHandle>,
    hull: u64,
    start: In<[f64; 3]>,
    end: In<[f64; 3]>,
    transition: Out<TransitionResult>,
) -> Status {
    Status::of(|| {
        let (transition, start, end) = (transition.place()?, start.read()?, end.read()?);
        let asked = model.read()?;
        let (model, hull) = asked.with(hull)?;
        let found = model.find_first_transition(hull, start, end);
        transition.write(found.into());
        Ok(())
    })
}

/// Wraps `Model::transitions`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_transitions(
    model: In<ModelHandle>,
    hull: u64,
    start: In<[f32; 3]>,
    end: In<[f32; 3]>,
    transitions: Out<TransitionResult>,
    capacity: usize,
    count: Out<usize>,
) -> Status {
    Status::of(|| {
        let ends = [start.read()?, end.read()?].map(|end| end.map(f64::from));
        all_transitions(model, hull, ends, transitions, capacity, count)
    })
}

/// Wraps `Model::transitions` in double precision.
#[unsafe(no_mangle)]
pub extern "C" fn onion_transitions_double(
    model: In<ModelHandle>,
    hull: u64,
    start: In<[f64; 3]>,
    end: In<[f64; 3]>,
    transitions: Out<TransitionResult>,
    capacity: usize,
    count: Out<usize>,
) -> Status {
    Status::of(|| {
        let ends = [start.read()?, end.read()?];
        all_transitions(model, hull, ends, transitions, capacity, count)
    })
}

/// Writes the first `capacity` transitions, and the number of all of them.
fn all_transitions(
    model: In<ModelHandle>,
    hull: u64,
    [start, end]: [[f64; 3]; 2],
    transitions: Out<TransitionResult>,
    capacity: usize,
    count: Out<usize>,
) -> Result<(), Status> {
    let (mut places, count) = (transitions.places(capacity)?, count.place()?);
    let asked = model.read()?;
    let (model, hull) = asked.with(hull)?;
    let mut n_transitions = 0;
    model.transitions(hull, start, end, |transition| {
        if let Some(place) = places.next() {
            place.write(transition.into());
        }
        n_transitions += 1;
        ControlFlow::Continue(())
    });
    count.write(n_transitions);
    Ok(())
}

/// Wraps `Transition::fraction_left_solid`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_fraction_left_solid(
    model: In<ModelHandle>,
    hull: u64,
    start: In<[f32; 3]>,
    end: In<[f32; 3]>,
    fraction: Out<f64>,
) -> Status {
    Status::of(|| {
        let (fraction, start, end) = (fraction.place()?, start.read()?, end.read()?);
        let asked = model.read()?;
        let (model, hull) = asked.with(hull)?;
        let [start, end] = [start, end].map(|end| end.map(f64::from));
        let first = model.find_first_transition(hull, start, end);
        fraction.write(first.fraction_left_solid());
        Ok(())
    })
}

/// Wraps `Transition::fraction_left_solid` in double precision.
#[unsafe(no_mangle)]
pub extern "C" fn onion_fraction_left_solid_double(
    model: In<ModelHandle>,
    hull: u64,
    start: In<[f64; 3]>,
    end: In<[f64; 3]>,
    fraction: Out<f64>,
) -> Status {
    Status::of(|| {
        let (fraction, start, end) = (fraction.place()?, start.read()?, end.read()?);
        let asked = model.read()?;
        let (model, hull) = asked.with(hull)?;
        let first = model.find_first_transition(hull, start, end);
        fraction.write(first.fraction_left_solid());
        Ok(())
    })
}
