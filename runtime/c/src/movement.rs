//! Walking agents: ticks of sliding, stepping, falling and standing. An agent is a plain struct of the caller's,
//! which a call reads, moves by `onion_runtime::movement` and writes back.

use onion_runtime::movement::{Agent, WalkSettings};

use crate::agent::{AgentState, GroundResult, Settings};
use crate::pointer::{In, InOut, ModelHandle, Out};
use crate::status::Status;

impl AgentState {
    /// The agent, in a model's map.
    fn agent(&self, model: &ModelHandle) -> Result<Agent<f32>, Status> {
        let mut agent = Agent::new(model.hull(self.stance)?, self.position);
        agent.velocity = self.velocity;
        agent.on_ground = self.ground.into();
        Ok(agent)
    }

    /// The state with what moved of an agent.
    fn moved(self, agent: &Agent<f32>) -> Self {
        Self {
            position: agent.position,
            velocity: agent.velocity,
            ground: agent.on_ground.into(),
            ..self
        }
    }
}

/// `WalkSettings::default`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_default_walk_settings(settings: Out<Settings>) -> Status {
    Status::of(|| {
        let usual = WalkSettings::default();
        settings.place()?.write(Settings {
            step_height: usual.step_height,
            min_ground_z: usual.min_ground_z,
            gravity: usual.gravity,
            air_control: usual.air_control,
            max_unstick: usual.max_unstick,
        });
        Ok(())
    })
}

/// `Agent::new`.
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

/// `Agent::walk`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_agent_walk(
    model: In<ModelHandle>,
    settings: In<Settings>,
    wish_velocity: In<[f32; 2]>,
    dt: f32,
    agent: InOut<AgentState>,
) -> Status {
    Status::of(|| {
        let (state, place) = agent.read()?;
        let (settings, wish) = (settings.read()?, wish_velocity.read()?);
        let asked = model.read()?;
        let mut agent = state.agent(&asked)?;
        let met = agent.walk(&asked.get()?, &settings.into(), wish, dt);
        place.write(AgentState {
            met: met.into(),
            ..state.moved(&agent)
        });
        Ok(())
    })
}

/// `Agent::jump`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_agent_jump(
    speed: f32,
    agent: InOut<AgentState>,
    jumped: Out<u8>,
) -> Status {
    Status::of(|| {
        let (mut state, place) = agent.read()?;
        let jumped = jumped.place()?;
        let stands = state.ground.found != 0;
        if stands {
            state.velocity[2] = speed;
            state.ground = GroundResult::default();
        }
        place.write(state);
        jumped.write(stands.into());
        Ok(())
    })
}

/// `Agent::switch_stance`.
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
        let mut agent = state.agent(&asked)?;
        let fits = agent.switch_stance(&asked.get()?, asked.hull(to)?);
        let stance = if fits { to } else { state.stance };
        place.write(AgentState {
            stance,
            ..state.moved(&agent)
        });
        switched.write(fits.into());
        Ok(())
    })
}
