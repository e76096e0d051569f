//! Walking agents: ticks of sliding, stepping, falling and standing. An agent is a plain struct in the caller's
//! memory, which a call reads, moves by `onion_runtime::movement` and writes back.

use onion_runtime::movement::{Agent, Ground, Ride, WalkSettings, WaterLevel, World};
use onion_runtime::{HullId, HullView, LinkedWorld, Scene};

use crate::agent::{AgentState, GroundResult};
use crate::pointer::{In, InOut, ModelHandle, Out};
use crate::status::Status;

impl AgentState {
    /// Returns the agent, given the hull of its stance.
    pub(crate) fn agent(&self, stance: HullId) -> Agent<f32> {
        let mut agent = Agent::new(stance, self.position);
        agent.velocity = self.velocity;
        agent.on_ground = self.ground.into();
        agent
    }

    /// Returns the state with the moved agent's position, velocity and ground.
    pub(crate) fn moved(self, agent: &Agent<f32>) -> Self {
        Self {
            position: agent.position,
            velocity: agent.velocity,
            ground: agent.on_ground.into(),
            ..self
        }
    }

    /// Returns the state after a tick.
    pub(crate) fn walked<W: World<f32>>(
        self,
        stance: HullId,
        world: &W,
        settings: WalkSettings,
        (wish, dt): ([f32; 2], f32),
    ) -> Self {
        let mut agent = self.agent(stance);
        let met = agent.walk(world, &settings, wish, dt).into();
        Self {
            met,
            ..self.moved(&agent)
        }
    }

    /// Returns the state after a tick of a scene's movers, and what they did.
    pub(crate) fn ridden(
        self,
        stance: HullId,
        scene: &Scene<'_, '_>,
        settings: WalkSettings,
        dt: f32,
    ) -> (Self, Ride) {
        let mut agent = self.agent(stance);
        let ride = agent.ride(scene, &settings, dt);
        (self.moved(&agent), ride)
    }

    /// Returns the state after a tick of swimming.
    pub(crate) fn swum<W: World<f32>>(
        self,
        stance: HullId,
        world: &W,
        settings: WalkSettings,
        (wish, dt): ([f32; 3], f32),
    ) -> Self {
        let mut agent = self.agent(stance);
        let met = agent.swim(world, &settings, wish, dt).into();
        Self {
            met,
            ..self.moved(&agent)
        }
    }

    /// Returns the state where an agent really is that has moved in a linked world, and the quarter turns.
    pub(crate) fn arrived<W: World<f32>>(
        self,
        stance: HullId,
        world: &LinkedWorld<'_, W>,
    ) -> (Self, u8) {
        let mut agent = self.agent(stance);
        let quarters = world.arrive(&mut agent);
        (self.moved(&agent), quarters)
    }

    /// Returns the agent's depth in liquids of these contents.
    pub(crate) fn water_level<W: World<f32>>(
        &self,
        stance: HullId,
        world: &W,
        liquids: u32,
    ) -> WaterLevel {
        self.agent(stance).water_level(world, liquids)
    }

    /// Returns the state with another hull, or `None` if that hull does not fit.
    pub(crate) fn switched<W: World<f32>>(
        self,
        stance: HullId,
        world: &W,
        to: HullId,
    ) -> Option<Self> {
        let mut agent = self.agent(stance);
        agent.switch_stance(world, to).then(|| Self {
            stance: to.to_bits(),
            ..self.moved(&agent)
        })
    }
}

/// Wraps `WalkSettings::default`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_default_walk_settings(settings: Out<WalkSettings>) -> Status {
    Status::of(|| {
        settings.place()?.write(WalkSettings::default());
        Ok(())
    })
}

/// Wraps `Agent::new`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_agent_init(
    stance: u64,
    position: In<[f32; 3]>,
    agent: Out<AgentState>,
) -> Status {
    Status::of(|| {
        let (agent, position) = (agent.place()?, position.read()?);
        agent.write(AgentState {
            stance,
            position,
            velocity: [0.0; 3],
            ground: GroundResult::default(),
            met: GroundResult::default(),
        });
        Ok(())
    })
}

/// Wraps `Agent::walk`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_agent_walk(
    model: In<ModelHandle>,
    settings: In<WalkSettings>,
    wish_velocity: In<[f32; 2]>,
    dt: f32,
    agent: InOut<AgentState>,
) -> Status {
    Status::of(|| {
        let (settings, wish) = (settings.read()?, wish_velocity.read()?);
        tick(model, agent, |state, stance, world| {
            state.walked(stance, world, settings, (wish, dt))
        })
    })
}

/// Wraps `Agent::swim`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_agent_swim(
    model: In<ModelHandle>,
    settings: In<WalkSettings>,
    wish_velocity: In<[f32; 3]>,
    dt: f32,
    agent: InOut<AgentState>,
) -> Status {
    Status::of(|| {
        let (settings, wish) = (settings.read()?, wish_velocity.read()?);
        tick(model, agent, |state, stance, world| {
            state.swum(stance, world, settings, (wish, dt))
        })
    })
}

/// Moves an agent for a tick in the view that its hull has of a model, which is faster than the model itself.
fn tick(
    model: In<ModelHandle>,
    agent: InOut<AgentState>,
    moved: impl FnOnce(AgentState, HullId, &HullView<'_>) -> AgentState,
) -> Result<(), Status> {
    let (state, place) = agent.read()?;
    let asked = model.read()?;
    let (model, stance) = asked.with(state.stance)?;
    place.write(moved(state, stance, &model.view(stance)));
    Ok(())
}

/// Wraps `Agent::water_level`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_agent_water_level(
    model: In<ModelHandle>,
    liquids: u32,
    agent: In<AgentState>,
    level: Out<WaterLevel>,
) -> Status {
    Status::of(|| {
        let (level, state) = (level.place()?, agent.read()?);
        let asked = model.read()?;
        let (model, stance) = asked.with(state.stance)?;
        level.write(state.water_level(stance, &model, liquids));
        Ok(())
    })
}

/// Does the same as `Agent::jump`, for which the caller would have to pass the map of its stance.
#[unsafe(no_mangle)]
pub extern "C" fn onion_agent_jump(
    speed: f32,
    agent: InOut<AgentState>,
    jumped: Out<u8>,
) -> Status {
    Status::of(|| {
        let (mut state, place) = agent.read()?;
        let jumped = jumped.place()?;
        let ground: Option<Ground<f32>> = state.ground.into();
        if let Some(ground) = ground {
            let [x, y, _] = state.velocity;
            state.velocity = ground.velocity_in_world([x, y, speed]);
            state.ground = GroundResult::default();
        }
        place.write(state);
        jumped.write(ground.is_some().into());
        Ok(())
    })
}

/// Wraps `Agent::switch_stance`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_agent_switch_stance(
    model: In<ModelHandle>,
    to: u64,
    agent: InOut<AgentState>,
    switched: Out<u8>,
) -> Status {
    Status::of(|| {
        let (state, place) = agent.read()?;
        let switched = switched.place()?;
        let asked = model.read()?;
        let (model, stance) = asked.with(state.stance)?;
        let moved = state.switched(stance, &model, asked.hull(to)?);
        place.write(moved.unwrap_or(state));
        switched.write(moved.is_some().into());
        Ok(())
    })
}
