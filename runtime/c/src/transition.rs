//! Changes of solidity along a segment, in both precisions: the first one, or all of them. Answers are in double
//! precision.

use core::ops::ControlFlow;

use onion_runtime::{Coordinate, Crossing, LeafId, Transition};

use crate::point::NO_LEAF;
use crate::pointer::{In, ModelHandle, Out};
use crate::precision::{PointIn, export_in_both_precisions};
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

export_in_both_precisions! {
    /// `Model::find_first_transition`.
    onion_find_first_transition, onion_find_first_transition_double = find_first_transition(
        model: In<ModelHandle>, hull: u64; start: PointIn, end: PointIn; transition: Out<TransitionResult>
    );
    /// `Model::transitions`.
    onion_transitions, onion_transitions_double = transitions(
        model: In<ModelHandle>, hull: u64; start: PointIn, end: PointIn;
        transitions: Out<TransitionResult>, capacity: usize, count: Out<usize>
    );
}

fn find_first_transition<T: Coordinate>(
    model: In<ModelHandle>,
    hull: u64,
    start: PointIn<T>,
    end: PointIn<T>,
    transition: Out<TransitionResult>,
) -> Result<(), Status> {
    let (transition, start, end) = (transition.place()?, start.read()?, end.read()?);
    let asked = model.read()?;
    let (model, hull) = asked.with(hull)?;
    let [start, end] = [start, end].map(|end| end.map(T::widen));
    transition.write(model.find_first_transition(hull, start, end).into());
    Ok(())
}

/// Writes the first `capacity` transitions, and how many there are.
fn transitions<T: Coordinate>(
    model: In<ModelHandle>,
    hull: u64,
    start: PointIn<T>,
    end: PointIn<T>,
    transitions: Out<TransitionResult>,
    capacity: usize,
    count: Out<usize>,
) -> Result<(), Status> {
    let [start, end] = [start.read()?, end.read()?].map(|end| end.map(T::widen));
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
