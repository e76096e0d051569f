//! Walkers: entities that walk in a level as an [`Agent`] of the runtime does, one tick for each tick of Bevy's fixed
//! clock. The game sets their wished velocity and reads their position from their `Transform`.

use std::borrow::Cow;
use std::collections::HashMap;

use bevy_asset::{AssetId, Assets};
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::system::{Query, Res, SystemParam};
use bevy_math::Vec3;
use bevy_time::Time;
use bevy_transform::components::Transform;
use onion_runtime::movement::{Agent, Ground, WalkSettings, World};
use onion_runtime::navigation::{PathError, Progress};
use onion_runtime::{HullId, Mover, OnionMap, Scene};

use crate::errand::Errand;
use crate::hull::HullHandle;
use crate::level::OnionLevel;
use crate::mover::LevelMovers;
use crate::space::MapSpace;

/// Walks, falls, climbs steps, swims and crouches in a level, and rides on its [movers](crate::LevelMover).
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
    /// Wished velocity, in meters per second; its vertical part is ignored unless it swims.
    pub wish: Vec3,
    /// Whether it moves without gravity, in any direction. A game sets it in water and on ladders.
    pub swims: bool,
    /// The parameters of its movement, in units of the map.
    pub settings: WalkSettings,
    /// Speed of a requested jump, in meters per second.
    jump: Option<f32>,
    errand: Option<Errand>,
    state: Option<State>,
    met: Option<Ground<f32>>,
    crushed_by: Option<Entity>,
}

/// The state of a walker between ticks.
#[derive(Clone, Debug)]
struct State {
    agent: Agent<f32>,
    /// Name of the agent's hull.
    stance: Cow<'static, str>,
    /// The `Transform` that the last tick wrote.
    shown: Vec3,
    /// The mover that the agent's ground belongs to: the numbers of movers may change between ticks.
    carrier: Option<Entity>,
}

/// What a walker meets in a tick of `dt` seconds.
struct Around<'a> {
    map: &'a OnionMap<Vec<u8>>,
    /// The wished hull.
    hull: HullId,
    entities: &'a [Entity],
    movers: &'a [Mover],
    space: MapSpace,
    dt: f32,
}

impl Walker {
    /// Returns a walker at rest in the air, at the entity's `Transform`. If there is ground under it, it stands after
    /// the first tick.
    pub fn new(hull: HullHandle) -> Self {
        Self {
            hull,
            wish: Vec3::ZERO,
            swims: false,
            settings: WalkSettings::default(),
            jump: None,
            errand: None,
            state: None,
            met: None,
            crushed_by: None,
        }
    }

    /// Jumps in the next tick with this vertical speed, in meters per second, if it stands then.
    pub fn jump(&mut self, speed: f32) {
        self.jump = Some(speed);
    }

    /// Sends the walker to a place: an origin of its current hull, on a floor or at most a step above one. The next
    /// tick searches a path, and the walker follows it as
    /// [`PathFollower`](onion_runtime::navigation::PathFollower) does, with the settings of its class of agents.
    /// `wish`, `jump`, `hull`, `swims` and `settings` have no effect until the errand [ends](Self::errand) or the game
    /// [stops](Self::stop) it. Calling this again with the same goal changes nothing. The level must be compiled with
    /// `--floors`.
    pub fn go_to(&mut self, goal: Vec3) {
        let goes_there = |errand: &Errand| errand.goes_on() && errand.goal() == goal;
        if !self.errand.as_ref().is_some_and(goes_there) {
            self.errand = Some(Errand::new(goal));
        }
    }

    /// Ends its errand: `wish` moves it again.
    pub fn stop(&mut self) {
        self.errand = None;
    }

    /// Returns the state of its errand: whether it follows the path, has arrived or is stuck, or why there is no path.
    /// `None` if it has no errand.
    pub fn errand(&self) -> Option<Result<Progress, PathError>> {
        self.errand.as_ref().map(Errand::progress)
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

    /// Returns the mover that it stands on, or `None` if it stands on none.
    pub fn stands_on(&self) -> Option<Entity> {
        let state = self.state.as_ref()?;
        state.agent.on_ground.and(state.carrier)
    }

    /// Returns the mover that would end the last tick inside it, for lack of room to give way, or `None`. The game lets
    /// that mover [wait](crate::LevelMover::start) between [`OnionSystems::Ride`](crate::OnionSystems::Ride) and
    /// [`OnionSystems::Walk`](crate::OnionSystems::Walk), or takes the walker's health.
    pub fn crushed_by(&self) -> Option<Entity> {
        self.crushed_by
    }

    /// Returns its state, with the hull's id in the level as it is now, moved to where the game has put it since the
    /// last tick.
    fn placed(&mut self, around: &Around<'_>, place: Vec3) -> &mut State {
        let state = self.state.get_or_insert_with(|| State {
            agent: Agent::new(around.hull, around.space.to_map(place)),
            stance: self.hull.name.clone(),
            shown: place,
            carrier: None,
        });
        if state.shown != place {
            state.agent.position = around.space.to_map(place);
            state.agent.on_ground = None;
        }
        match around.map.find_hull(&state.stance) {
            Some(stance) => state.agent.stance = stance,
            None => (state.agent.stance, state.stance) = (around.hull, self.hull.name.clone()),
        }
        state
    }

    /// Goes through a tick with the movers, from a place in Bevy's world. Returns the new place.
    fn ride(&mut self, around: &Around<'_>, place: Vec3) -> Vec3 {
        let settings = self.settings;
        let state = self.placed(around, place);
        state.find_carrier(around.entities);
        let mut crushed_by = None;
        if let Some(scene) = around.scene() {
            let ride = state.agent.ride(&scene, &settings, around.dt);
            crushed_by = ride.crushed_by.map(|number| around.entities[number]);
        }
        let place = state.show(around);
        self.crushed_by = crushed_by;
        place
    }

    /// Moves for a tick from a place in Bevy's world, among movers that stand still. Returns the new place.
    fn walk(&mut self, around: &Around<'_>, place: Vec3) -> Vec3 {
        let (settings, name, jump) = (self.settings, self.hull.name.clone(), self.jump.take());
        let (wish, swims) = (around.space.to_map(self.wish), self.swims);
        let mut errand = self.errand.take();
        let state = self.placed(around, place);
        let agent = &mut state.agent;
        let (view, scene) = (around.map.world().view(around.hull), around.scene());
        let world: &dyn World<f32> = match &scene {
            Some(scene) => scene,
            None => &view,
        };
        let met = if let Some(errand) = errand.as_mut().filter(|errand| errand.goes_on()) {
            let goal = around.space.to_map(errand.goal());
            errand.walk(agent, around.map, world, goal, around.dt);
            let stance = around
                .map
                .hull(agent.stance)
                .map(|hull| hull.name.to_owned());
            state.stance = stance.map_or(name, Cow::Owned);
            None
        } else {
            if let Some(speed) = jump {
                agent.jump(speed * around.space.units_per_meter);
            }
            if agent.switch_stance(world, around.hull) {
                state.stance = name;
            }
            if swims {
                agent.swim(world, &settings, wish, around.dt)
            } else {
                agent.walk(world, &settings, [wish[0], wish[1]], around.dt)
            }
        };
        let place = state.show(around);
        (self.met, self.errand) = (met, errand);
        place
    }
}

impl Around<'_> {
    /// Returns the scene of the movers, or `None` if there are none: the world alone is faster.
    fn scene(&self) -> Option<Scene<'_, '_>> {
        let scene = Scene::new(self.map, self.movers).ok()?;
        (!self.movers.is_empty()).then_some(scene)
    }
}

impl State {
    /// Gives its ground the number that the carrier has in this tick. If the carrier is gone, it stands on nothing.
    fn find_carrier(&mut self, entities: &[Entity]) {
        let Some(carrier) = self.carrier else { return };
        let number = entities.iter().position(|&entity| entity == carrier);
        self.agent.on_ground = self.agent.on_ground.and_then(|ground| {
            let object = number? as u32 + 1;
            Some(Ground { object, ..ground })
        });
    }

    /// Remembers where the tick has put it, and on what. Returns its place in Bevy's world.
    fn show(&mut self, around: &Around<'_>) -> Vec3 {
        let ground = self.agent.on_ground;
        self.carrier = ground.and_then(|ground| {
            let number = (ground.object as usize).checked_sub(1)?;
            around.entities.get(number).copied()
        });
        self.shown = around.space.to_bevy(self.agent.position);
        self.shown
    }
}

/// Lets the movers carry and push all walkers.
pub(crate) fn ride(
    clock: Clock<'_>,
    movers: LevelMovers<'_, '_>,
    walkers: Query<'_, '_, (&mut Walker, &mut Transform)>,
) {
    clock.tick(&movers, walkers, Walker::ride);
}

/// Moves all walkers by one tick.
pub(crate) fn walk(
    clock: Clock<'_>,
    movers: LevelMovers<'_, '_>,
    walkers: Query<'_, '_, (&mut Walker, &mut Transform)>,
) {
    clock.tick(&movers, walkers, Walker::walk);
}

/// What both parts of a tick need.
#[derive(SystemParam)]
pub(crate) struct Clock<'w> {
    time: Res<'w, Time>,
    space: Res<'w, MapSpace>,
    levels: Res<'w, Assets<OnionLevel>>,
}

impl Clock<'_> {
    /// Takes a part of a tick with all walkers whose levels are loaded.
    fn tick(
        &self,
        movers: &LevelMovers<'_, '_>,
        mut walkers: Query<'_, '_, (&mut Walker, &mut Transform)>,
        part: impl Fn(&mut Walker, &Around<'_>, Vec3) -> Vec3,
    ) {
        let mut of_levels = HashMap::<AssetId<OnionLevel>, _>::new();
        for (mut walker, mut transform) in &mut walkers {
            let handle = walker.hull.level.clone();
            let Some((level, hull)) = walker.hull.get(&self.levels) else {
                continue;
            };
            let of_level = of_levels.entry(handle.id());
            let (entities, movers) = of_level.or_insert_with(|| movers.of(&handle));
            let around = Around {
                map: level.map(),
                hull,
                entities,
                movers,
                space: *self.space,
                dt: self.time.delta_secs(),
            };
            transform.translation = part(&mut walker, &around, transform.translation);
        }
    }
}
