//! The plugin: it registers the loader of levels, compares their hulls with those that the game requires, and moves
//! walkers and the ways of movers in each tick of the fixed clock.

use bevy_app::{App, FixedUpdate, Plugin};
use bevy_asset::AssetApp;
use bevy_ecs::schedule::{IntoScheduleConfigs, SystemSet};

use onion_runtime::Aabb;

use crate::level::{OnionLevel, OnionLoader, RequiredHull};
use crate::mover::{begin_ways, end_ways};
use crate::space::MapSpace;
use crate::walker::{ride, walk};

/// Levels as assets, walkers and movers. Needs Bevy's `AssetPlugin`, and `TimePlugin` for walkers and movers.
#[derive(Default, Debug)]
pub struct OnionPlugin {
    hulls: Vec<RequiredHull>,
}

impl OnionPlugin {
    /// Requires a hull with this box, relative to its origin and in units of the map: a level without it fails to
    /// load. So a game and a map that disagree are found when the level loads, not when a player is stuck.
    #[must_use]
    pub fn require(mut self, name: &str, mins: [f32; 3], maxs: [f32; 3]) -> Self {
        self.hulls.push(RequiredHull {
            name: name.to_owned(),
            bounds: Aabb::new(mins, maxs),
        });
        self
    }
}

/// The systems in `FixedUpdate`, in their order. A game that steers walkers there does so before
/// [`OnionSystems::Walk`], and it moves movers before [`OnionSystems::Ride`].
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OnionSystems {
    /// Movers carry and push walkers.
    Ride,
    /// Walkers take a tick.
    Walk,
}

impl Plugin for OnionPlugin {
    fn build(&self, app: &mut App) {
        let hulls = self.hulls.clone();
        app.init_asset::<OnionLevel>()
            .register_asset_loader(OnionLoader { hulls })
            .init_resource::<MapSpace>()
            .configure_sets(
                FixedUpdate,
                (OnionSystems::Ride, OnionSystems::Walk).chain(),
            )
            .add_systems(
                FixedUpdate,
                (
                    (begin_ways, ride).chain().in_set(OnionSystems::Ride),
                    (end_ways, walk).chain().in_set(OnionSystems::Walk),
                ),
            );
    }
}
