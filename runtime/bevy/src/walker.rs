//! Walkers: entities that walk in a level as an [`Agent`] of the runtime does, one tick for each tick of Bevy's fixed
//! clock. The game sets their wished velocity and reads their position from their `Transform`.

use std::borrow::Cow;

use bevy_asset::Assets;
use bevy_ecs::component::Component;
use bevy_ecs::system::{Query, Res};
use bevy_math::Vec3;
use bevy_time::Time;
use bevy_transform::components::Transform;
use onion_runtime::movement::{Agent, Ground, WalkSettings};
use onion_runtime::{HullId, OnionMap};

use crate::hull::HullHandle;
use crate::level::OnionLevel;
use crate::space::MapSpace;

/// Walks, falls, climbs steps and crouches in a level.
///
/// The entity's `Transform`, which must have no parent that moves it, is the origin of the hull's box. It is written
/// in `FixedUpdate`; a game that sets it anywhere else teleports the walker. A walker rests until the level is
/// loaded, and in a level that lacks the hull.
#[derive(Component, Clone, Debug)]
#[require(Transform)]
pub struct Walker {
    /// The wished hull. A game crouches by changing its name, and the walker changes its stance as soon as the box
    /// fits: see [`Walker::stance`].
    pub hull: HullHandle,
    /// Wished velocity, in meters per second; its vertical part is ignored.
    pub wish: Vec3,
    /// The parameters of its movement, in units of the map.
    pub settings: WalkSettings,
    /// Speed of a requested jump, in meters per second.
    jump: Option<f32>,
    state: Option<State>,
    met: Option<Ground<f32>>,
}

/// The state of a walker between ticks.
#[derive(Clone, Debug)]
struct State {
    agent: Agent<f32>,
    /// Name of the agent's hull.
    stance: Cow<'static, str>,
    /// The `Transform` that the last tick wrote.
    shown: Vec3,
}

impl Walker {
    /// Returns a walker at rest in the air, at the entity's `Transform`. If there is ground under it, it stands after
    /// the first tick.
    pub fn new(hull: HullHandle) -> Self {
        Self {
            hull,
            wish: Vec3::ZERO,
            settings: WalkSettings::default(),
            jump: None,
            state: None,
            met: None,
        }
    }

    /// Jumps in the next tick with this vertical speed, in meters per second, if it stands then.
    pub fn jump(&mut self, speed: f32) {
        self.jump = Some(speed);
    }

    /// Returns the name of its hull: the wished one, unless that does not fit at its position. `None` before its
    /// first tick.
    pub fn stance(&self) -> Option<&str> {
        let state = self.state.as_ref()?;
        Some(&state.stance)
    }

    /// Returns the agent, in the axes and units of the map: its velocity, and the ground that it stands on. `None`
    /// before its first tick.
    pub fn agent(&self) -> Option<&Agent<f32>> {
        let state = self.state.as_ref()?;
        Some(&state.agent)
    }

    /// Returns the same agent, to throw it or to stop it. Its position is set by the `Transform` instead.
    pub fn agent_mut(&mut self) -> Option<&mut Agent<f32>> {
        let state = self.state.as_mut()?;
        Some(&mut state.agent)
    }

    /// Returns the first surface that was in its way in the last tick, in the axes of the map, or `None` if nothing
    /// was.
    pub fn met(&self) -> Option<Ground<f32>> {
        self.met
    }

    /// Returns its state, with the hull's id in the level as it is now, moved to where the game has put it since the
    /// last tick.
    fn placed(
        &mut self,
        map: &OnionMap<Vec<u8>>,
        hull: HullId,
        place: Vec3,
        space: MapSpace,
    ) -> &mut State {
        let state = self.state.get_or_insert_with(|| State {
            agent: Agent::new(hull, space.to_map(place)),
            stance: self.hull.name.clone(),
            shown: place,
        });
        if state.shown != place {
            state.agent.position = space.to_map(place);
            state.agent.on_ground = None;
        }
        match map.find_hull(&state.stance) {
            Some(stance) => state.agent.stance = stance,
            None => (state.agent.stance, state.stance) = (hull, self.hull.name.clone()),
        }
        state
    }

    /// Moves for one tick of `dt` seconds from a place in Bevy's world. Returns the new place.
    fn tick(
        &mut self,
        map: &OnionMap<Vec<u8>>,
        hull: HullId,
        place: Vec3,
        (space, dt): (MapSpace, f32),
    ) -> Vec3 {
        let [x, y, _] = space.to_map(self.wish);
        let (settings, name, jump) = (self.settings, self.hull.name.clone(), self.jump.take());
        let State {
            agent,
            stance,
            shown,
        } = self.placed(map, hull, place, space);
        if let Some(speed) = jump {
            agent.jump(speed * space.units_per_meter);
        }
        let world = map.world().view(hull);
        if agent.switch_stance(&world, hull) {
            *stance = name;
        }
        let met = agent.walk(&world, &settings, [x, y], dt);
        *shown = space.to_bevy(agent.position);
        let shown = *shown;
        self.met = met;
        shown
    }
}

/// Moves all walkers by one tick.
pub(crate) fn walk(
    time: Res<'_, Time>,
    space: Res<'_, MapSpace>,
    levels: Res<'_, Assets<OnionLevel>>,
    mut walkers: Query<'_, '_, (&mut Walker, &mut Transform)>,
) {
    for (mut walker, mut transform) in &mut walkers {
        if let Some((level, hull)) = walker.hull.get(&levels) {
            let moment = (*space, time.delta_secs());
            transform.translation = walker.tick(level.map(), hull, transform.translation, moment);
        }
    }
}
