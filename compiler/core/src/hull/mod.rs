//! A hull is a named convex shape with the contents that block it: a box, or an upright prism that stands for a
//! cylinder. Here the text of `--hull` options is read and the corners are put on the grid. Every hull is a sum of
//! segments, its edges. Agent classes say which hulls are the stances of one agent.

mod agent;
mod cylinder;
mod option;
mod spec;

pub use self::agent::{Abilities, AgentSpec, check_agents, classes, stances};
pub use self::option::{HullOption, Origin, resolve};
pub use self::spec::{HullEdges, HullSpec, SealWidth, check};
