//! Linked portals: a scene in which pairs of openings are one opening. Each call wraps one of
//! `onion_runtime::LinkedWorld`, or of an agent that moves in it. A call copies the portals to its stack and makes the
//! runtime's world there.

/// The C type `onion_linked_portal`.
pub use onion_runtime::LinkedPortal;
use onion_runtime::movement::{Stop, WalkSettings, World};
use onion_runtime::{Coordinate, HullId, LinkedWorld, OnionMap, Scene};

use crate::agent::AgentState;
use crate::pointer::{In, InOut, LinkedHandle, MapIn, Out};
use crate::precision::{PointIn, PointOut, export_in_both_precisions};
use crate::status::Status;

/// `ONION_MAX_LINKED_PORTALS`: the number of portals that fits into a call's stack, which a map may have.
pub const MAX_LINKED_PORTALS: usize = 256;

/// The C types `onion_linked_trace_result` and `onion_linked_trace_result_double`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "onion.h tells what they are")]
pub struct LinkedTraceResult<T> {
    pub fraction: f64,
    pub end_pos: [T; 3],
    pub normal: [T; 3],
    pub object: u32,
    pub hit: u8,
    pub reserved: [u8; 3],
}

impl<T: Default + Copy> From<Stop<T>> for LinkedTraceResult<T> {
    fn from(stop: Stop<T>) -> Self {
        let met = stop.met.map(|met| (met.normal, met.object));
        let (normal, object) = met.unwrap_or_default();
        Self {
            fraction: stop.fraction,
            end_pos: stop.end_pos,
            normal,
            object,
            hit: stop.met.is_some().into(),
            reserved: [0; 3],
        }
    }
}

/// `onion_linked_trace_result *`, or its twin.
pub type LinkedTraceOut<T> = Out<LinkedTraceResult<T>>;

/// The world of a call.
type Linked<'a> = LinkedWorld<'a, Scene<'a, 'a>>;

impl LinkedHandle {
    fn is_right(&self, portal: &LinkedPortal) -> bool {
        let mut numbers = portal.center.iter().chain(&portal.half_size);
        let is_finite = numbers.all(|number| number.is_finite());
        is_finite && portal.facing < 4 && (portal.partner as usize) < self.n_portals
    }

    /// Runs a query on the world as seen from a place, with no more of the stack than its portals need.
    fn ask<T: Coordinate, R>(
        &self,
        eye: [T; 3],
        question: impl FnOnce(&Linked<'_>) -> R,
    ) -> Result<R, Status> {
        match self.n_portals {
            0..=8 => self.ask_of::<8, T, R>(eye, question),
            9..=MAX_LINKED_PORTALS => self.ask_of::<MAX_LINKED_PORTALS, T, R>(eye, question),
            _ => Err(Status::Count),
        }
    }

    #[inline(never)]
    fn ask_of<const N: usize, T: Coordinate, R>(
        &self,
        eye: [T; 3],
        question: impl FnOnce(&Linked<'_>) -> R,
    ) -> Result<R, Status> {
        let mut portals = [LinkedPortal::default(); N];
        let given = self.portals.read_many(self.n_portals)?;
        portals
            .iter_mut()
            .zip(given)
            .for_each(|(place, portal)| *place = portal);
        let portals = portals.get(..self.n_portals).ok_or(Status::Count)?;
        if !portals.iter().all(|portal| self.is_right(portal)) {
            return Err(Status::Portal);
        }
        self.scene
            .ask(|scene| question(&LinkedWorld::new(scene, portals, eye)))
    }
}

/// Wraps `OnionMap::linked_portals`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_linked_portals(
    map: MapIn,
    portals: Out<LinkedPortal>,
    capacity: usize,
    count: Out<usize>,
) -> Status {
    Status::of(|| {
        let (count, places) = (count.place()?, portals.places(capacity)?);
        let map = map.get()?;
        let mut all = [LinkedPortal::default(); MAX_LINKED_PORTALS];
        let mut n_portals = 0;
        for portal in OnionMap::linked_portals(map)? {
            let portal = portal?;
            *all.get_mut(n_portals).ok_or(Status::Count)? = portal;
            n_portals += 1;
        }
        count.write(n_portals);
        for (portal, place) in all.into_iter().take(n_portals).zip(places) {
            place.write(portal);
        }
        Ok(())
    })
}

export_in_both_precisions! {
    /// Runs `World::trace` in a linked world, seen from the start.
    onion_linked_trace, onion_linked_trace_double = linked_trace(
        world: In<LinkedHandle>, hull: u64; start: PointIn, end: PointIn, trace: LinkedTraceOut;
    );
    /// Wraps `LinkedWorld::place`.
    onion_linked_place, onion_linked_place_double = linked_place(
        world: In<LinkedHandle>; eye: PointIn, point: PointIn, place: PointOut; quarters: Out<u8>
    );
}

fn linked_trace<T: Coordinate>(
    world: In<LinkedHandle>,
    hull: u64,
    start: PointIn<T>,
    end: PointIn<T>,
    trace: LinkedTraceOut<T>,
) -> Result<(), Status> {
    let trace = trace.place()?;
    let (start, end) = (start.read()?, end.read()?);
    let asked = world.read()?;
    let hull = asked.scene.hull(hull)?;
    let stop = asked.ask(start, |world| world.trace(hull, start, end))?;
    trace.write(stop.into());
    Ok(())
}

fn linked_place<T: Coordinate>(
    world: In<LinkedHandle>,
    eye: PointIn<T>,
    point: PointIn<T>,
    place: PointOut<T>,
    quarters: Out<u8>,
) -> Result<(), Status> {
    let (place, quarters) = (place.place()?, quarters.place()?);
    let (eye, point) = (eye.read()?, point.read()?);
    let (real, turns) = world.read()?.ask(eye, |world| world.place(point))?;
    place.write(real);
    quarters.write(turns);
    Ok(())
}

/// Runs `Agent::walk` and `LinkedWorld::arrive`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_linked_agent_walk(
    world: In<LinkedHandle>,
    settings: In<WalkSettings>,
    wish_velocity: In<[f32; 2]>,
    dt: f32,
    agent: InOut<AgentState>,
    quarters: Out<u8>,
) -> Status {
    Status::of(|| {
        let (settings, wish) = (settings.read()?, wish_velocity.read()?);
        tick(world, agent, quarters, |state, stance, world| {
            state.walked(stance, world, settings, (wish, dt))
        })
    })
}

/// Runs `Agent::swim` and `LinkedWorld::arrive`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_linked_agent_swim(
    world: In<LinkedHandle>,
    settings: In<WalkSettings>,
    wish_velocity: In<[f32; 3]>,
    dt: f32,
    agent: InOut<AgentState>,
    quarters: Out<u8>,
) -> Status {
    Status::of(|| {
        let (settings, wish) = (settings.read()?, wish_velocity.read()?);
        tick(world, agent, quarters, |state, stance, world| {
            state.swum(stance, world, settings, (wish, dt))
        })
    })
}

/// Moves an agent for a tick in the space of the place where it begins, and puts it where it really is.
fn tick(
    world: In<LinkedHandle>,
    agent: InOut<AgentState>,
    quarters: Out<u8>,
    moved: impl FnOnce(AgentState, HullId, &Linked<'_>) -> AgentState,
) -> Result<(), Status> {
    let (state, place) = agent.read()?;
    let quarters = quarters.place()?;
    let asked = world.read()?;
    let stance = asked.scene.hull(state.stance)?;
    let (arrived, turns) = asked.ask(state.position, |world| {
        moved(state, stance, world).arrived(stance, world)
    })?;
    place.write(arrived);
    quarters.write(turns);
    Ok(())
}
