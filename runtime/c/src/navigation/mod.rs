//! Navigation: where agents stand, the links between floors, paths over them, and agents that follow paths. Each call
//! wraps one of `onion_runtime::navigation`, or of a map.

mod agent_class;
mod floor;
mod follow;
mod link;
mod path;
mod reach;
mod state;

pub use agent_class::*;
pub use floor::*;
pub use follow::*;
pub use link::*;
pub use path::*;
pub use reach::*;
pub use state::*;
