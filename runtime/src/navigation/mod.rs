//! Navigation: where agents can stand, and how they get from one place to another. Maps that were compiled with
//! `--floors` hold the [floors](Floor) of each hull, classes of agents, and [links](Link) between floors that the
//! compiler drove an agent across. `OnionMap::path` finds a way over them, and a `PathFollower` walks it.
//!
//! Hulls were expanded at compile time, so an agent is a point on its floors: no radius is needed, and a path may
//! touch the corners of walls (Golodetz, "Object-Environment Collision Detection using Onion BSPs", Overload 117,
//! names this use).

mod agents;
#[cfg(feature = "navigation")]
mod cone;
#[cfg(feature = "navigation")]
mod corner;
#[cfg(feature = "navigation")]
mod costs;
mod floors;
#[cfg(feature = "navigation")]
mod follow;
#[cfg(feature = "navigation")]
mod lifts;
#[cfg(feature = "navigation")]
mod links;
#[cfg(feature = "navigation")]
mod path;
mod places;
#[cfg(feature = "navigation")]
mod points;
#[cfg(feature = "navigation")]
mod reach;
#[cfg(feature = "navigation")]
mod scratch;
#[cfg(feature = "navigation")]
mod search;

pub use agents::AgentClass;
#[cfg(feature = "navigation")]
#[cfg_attr(docsrs, doc(cfg(feature = "navigation")))]
pub use costs::{PathCosts, PathError};
pub use floors::Floor;
#[cfg(feature = "navigation")]
#[cfg_attr(docsrs, doc(cfg(feature = "navigation")))]
pub use follow::{PathFollower, Progress};
#[cfg(feature = "navigation")]
#[cfg_attr(docsrs, doc(cfg(feature = "navigation")))]
pub use links::{Link, LinkKind};
#[cfg(feature = "navigation")]
#[cfg_attr(docsrs, doc(cfg(feature = "navigation")))]
pub use path::Path;
#[cfg(feature = "navigation")]
#[cfg_attr(docsrs, doc(cfg(feature = "navigation")))]
pub use points::PathPoint;
#[cfg(feature = "navigation")]
#[cfg_attr(docsrs, doc(cfg(feature = "navigation")))]
pub use scratch::PathScratch;
