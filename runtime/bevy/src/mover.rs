//! Movers: entities that show a model of a level which moves and turns, such as a door or a lift. Walkers meet them,
//! ride on them and are pushed by them. The game sets their `Transform`s; how far each gets in a tick of the fixed
//! clock is what the runtime's scenes take as its way.

use bevy_asset::{Assets, Handle};
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::system::{Query, Res, SystemParam};
use bevy_transform::components::Transform;
use onion_runtime::{Mover, Scene};

use crate::level::OnionLevel;
use crate::space::MapSpace;

/// A model of a level that moves.
///
/// The entity's `Transform`, which must have no parent that moves it, is where the origin of the model is, and how the
/// model is turned; its scale is ignored. A model at rest is at its [origin](onion_runtime::Model::origin), which in
/// most maps is 0. A game moves it in `FixedUpdate` before [`OnionSystems::Ride`](crate::OnionSystems::Ride). Levels in
/// which movers turn must be compiled with `--brushes`.
#[derive(Component, Clone, Debug)]
#[require(Transform)]
pub struct LevelMover {
    /// The level.
    pub level: Handle<OnionLevel>,
    /// Number of the model; not 0, which is the world.
    pub model: usize,
    /// Where it is at the beginning of the tick and at its end.
    way: Option<[Transform; 2]>,
}

impl LevelMover {
    /// Returns a mover that shows this model of a level.
    pub fn new(level: Handle<OnionLevel>, model: usize) -> Self {
        Self {
            level,
            model,
            way: None,
        }
    }

    /// Returns its `Transform` at the beginning of the tick, or `None` before its first tick. A mover that gets it back
    /// after [`OnionSystems::Ride`](crate::OnionSystems::Ride) waits for this tick, for example because it
    /// [crushes](crate::Walker::crushed_by) a walker.
    pub fn start(&self) -> Option<Transform> {
        self.way.map(|[start, _]| start)
    }
}

/// The movers of levels on their ways through the last tick, for queries of the runtime.
#[derive(SystemParam)]
pub struct LevelMovers<'w, 's> {
    space: Res<'w, MapSpace>,
    levels: Res<'w, Assets<OnionLevel>>,
    movers: Query<'w, 's, (Entity, &'static LevelMover)>,
}

impl LevelMovers<'_, '_> {
    /// Returns the movers of a level, for a [`Scene`], and their entities in the same order. Movers that the level
    /// cannot have are left out: those with the number of no model, and, without `--brushes`, those that are turned.
    pub fn of(&self, level: &Handle<OnionLevel>) -> (Vec<Entity>, Vec<Mover>) {
        let Some(loaded) = self.levels.get(level) else {
            return Default::default();
        };
        let of_level = self.movers.iter().filter(|(_, it)| it.level == *level);
        let mut movers: Vec<_> = of_level
            .filter_map(|(entity, it)| Some((entity, self.mover(it)?)))
            .filter(|(_, mover)| Scene::new(loaded.map(), std::slice::from_ref(mover)).is_ok())
            .collect();
        // Queries have no order that lasts.
        movers.sort_by_key(|(entity, mover)| (mover.model, *entity));
        movers.into_iter().unzip()
    }

    fn mover(&self, mover: &LevelMover) -> Option<Mover> {
        let [from, to] = mover.way?.map(|end| self.space.pose_to_map(&end));
        Some(Mover {
            model: mover.model,
            from: from?,
            to: to?,
        })
    }
}

/// Begins the tick: each mover has gone from where it was to where the game has put it since.
pub(crate) fn begin_ways(mut movers: Query<'_, '_, (&mut LevelMover, &Transform)>) {
    for (mut mover, place) in &mut movers {
        let start = mover.way.map_or(*place, |[_, end]| end);
        mover.way = Some([start, *place]);
    }
}

/// Ends the ways where the game has put the movers since walkers rode on them.
pub(crate) fn end_ways(mut movers: Query<'_, '_, (&mut LevelMover, &Transform)>) {
    for (mut mover, place) in &mut movers {
        let start = mover.start().unwrap_or(*place);
        mover.way = Some([start, *place]);
    }
}
