//! Teleporters, jump pads, water, ladders and what hurts agents as a game has them, written apart from the compiler:
//! where an agent touches one, by the oracle's expansion, and what happens to it in a tick. In: a map's file and
//! entities. Out: agents moved or thrown, and whether they are hurt, swim or climb.

use onion_maps::MapEntity;
use onion_runtime::movement::Agent;
use onion_runtime::navigation::{LinkKind, PathFollower, PathPoint};
use onion_runtime::{Coordinate, OnionMap};

use crate::oracle::{HullWorld, OracleBrush, OracleModel, expand, read_models, vertices};

/// Gravity of Quake III, in units per second squared.
const GRAVITY: f64 = 800.0;

/// The height from which agents fall that are put at an entity in the floor, at most, in units.
const HIGHEST: usize = 48;

/// Lava and slime: bits of contents that all formats share.
const HURTS: u32 = 0x8 | 0x10;

/// Water: a bit of contents that all formats share.
const WATER: u32 = 0x20;

/// Agents are hurt in lava and slime up to this height above their feet, in units.
const WET: f64 = 1.0;

/// What agents touch in a map.
pub struct Triggers(Vec<Trigger>);

/// What happens to agents that touch something.
#[derive(Clone, Copy, PartialEq)]
enum Effect {
    Throws,
    Puts,
    Hurts,
    Swims,
    Climbs,
}

struct Trigger {
    effect: Effect,
    /// For each hull, the places of its origin where it touches the brushes.
    touched: Vec<HullWorld>,
    /// The origin of the entity that it targets.
    target: [f64; 3],
    /// The middle of the box around its brushes.
    middle: [f64; 3],
}

impl Trigger {
    /// Returns the brushes, given which part of a hull touches them: its corners relative to the origin.
    fn new(
        effect: Effect,
        brushes: &[&OracleBrush],
        map: &OnionMap<Vec<u8>>,
        part: impl Fn([[f64; 3]; 2]) -> [[f64; 3]; 2],
    ) -> Self {
        let touched = map.hulls().map(|hull| {
            let corners = [hull.bounds.mins, hull.bounds.maxs].map(|at| at.map(f64::from));
            let [mins, maxs] = part(corners);
            let solids = brushes
                .iter()
                .filter_map(|brush| expand(&brush.planes, mins, maxs));
            HullWorld::new(solids.collect())
        });
        let points = brushes.iter().filter_map(|brush| vertices(&brush.planes));
        let points: Vec<[f64; 3]> = points.flatten().collect();
        let end = |axis: usize, sign: f64| {
            let along = points.iter().map(|point| point[axis] * sign);
            along.fold(f64::NEG_INFINITY, f64::max) * sign
        };
        Self {
            effect,
            touched: touched.collect(),
            target: [0.0; 3],
            middle: [0, 1, 2].map(|axis| (end(axis, 1.0) + end(axis, -1.0)) / 2.0),
        }
    }

    fn of_entity(
        entity: &MapEntity,
        entities: &[MapEntity],
        models: &[OracleModel],
        map: &OnionMap<Vec<u8>>,
    ) -> Option<Self> {
        let key = |name: &str| entity.get(name).map(String::as_str).unwrap_or_default();
        let effect = match key("classname") {
            "trigger_push" => Effect::Throws,
            "trigger_teleport" => Effect::Puts,
            "trigger_hurt" => Effect::Hurts,
            "func_ladder" => Effect::Climbs,
            _ => return None,
        };
        let model = key("model").trim_start_matches('*').parse::<usize>().ok()?;
        let brushes = Vec::from_iter(&models.get(model)?.brushes);
        let own = Self::new(effect, &brushes, map, |whole| whole);
        if !own.moves() {
            return Some(own);
        }
        let target = entities.iter().find(|other| {
            let name = other.get("targetname");
            name.is_some_and(|name| name == key("target")) && other.contains_key("origin")
        })?;
        let numbers = target["origin"].split_whitespace();
        let numbers: Vec<f64> = numbers.map(|number| number.parse().unwrap()).collect();
        Some(Self {
            target: [numbers[0], numbers[1], numbers[2]],
            ..own
        })
    }

    fn moves(&self) -> bool {
        matches!(self.effect, Effect::Throws | Effect::Puts)
    }
}

impl Triggers {
    /// Finds them in a BSP file, which has been compiled.
    pub fn new(bytes: &[u8], entities: &[MapEntity], map: &OnionMap<Vec<u8>>) -> Self {
        let models = read_models(bytes).unwrap_or_default();
        let of_world = |contents: u32| {
            let world = models.iter().take(1).flat_map(|world| &world.brushes);
            let own = world.filter(|brush| brush.contents & contents != 0);
            own.collect::<Vec<&OracleBrush>>()
        };
        let feet = |[mins, _]: [[f64; 3]; 2]| [[0.0, 0.0, mins[2]], [0.0, 0.0, mins[2] + WET]];
        let waist = |[mins, maxs]: [[f64; 3]; 2]| [[0.0, 0.0, (mins[2] + maxs[2]) / 2.0]; 2];
        let liquids = [
            Trigger::new(Effect::Hurts, &of_world(HURTS), map, feet),
            Trigger::new(Effect::Swims, &of_world(WATER), map, waist),
        ];
        let own = entities
            .iter()
            .filter_map(|entity| Trigger::of_entity(entity, entities, &models, map));
        Self(liquids.into_iter().chain(own).collect())
    }

    /// Whether an agent of a hull, given by its index, touches a teleporter or a jump pad: by more than `by` units.
    pub fn are_touched(&self, hull: usize, position: [f64; 3], by: f64) -> bool {
        let mut moving = self.0.iter().filter(|trigger| trigger.moves());
        moving.any(|trigger| trigger.touched[hull].solid(position, -by))
    }

    /// Whether an agent of a hull is hurt that is more than `by` units deep in what hurts it.
    pub fn hurt(&self, hull: usize, position: [f64; 3], by: f64) -> bool {
        self.is_in(Effect::Hurts, hull, position, by)
    }

    /// Whether an agent of a hull can take a link that is a climb: it is in water to its waist, or at a ladder, by more
    /// than `by` units.
    pub fn hold(&self, kind: LinkKind, hull: usize, position: [f64; 3], by: f64) -> bool {
        let effect = match kind {
            LinkKind::Swim => Effect::Swims,
            _ => Effect::Climbs,
        };
        self.is_in(effect, hull, position, by)
    }

    fn is_in(&self, effect: Effect, hull: usize, position: [f64; 3], by: f64) -> bool {
        let mut own = self.0.iter().filter(|trigger| trigger.effect == effect);
        own.any(|trigger| trigger.touched[hull].solid(position, -by))
    }

    /// Does to an agent what the game does in a tick.
    pub fn act(&self, map: &OnionMap<Vec<u8>>, agent: &mut Agent<f32>) {
        let position = agent.position.map(f64::from);
        let mut moving = self.0.iter().filter(|trigger| trigger.moves());
        let touched = moving.find(|t| t.touched[agent.stance.index()].solid(position, 0.0));
        let Some(trigger) = touched else {
            return;
        };
        agent.on_ground = None;
        if trigger.effect == Effect::Throws {
            let way = [0, 1, 2].map(|axis| trigger.target[axis] - trigger.middle[axis]);
            let seconds = (way[2] * 2.0 / GRAVITY).sqrt();
            let [x, y] = [way[0] / seconds, way[1] / seconds];
            agent.velocity = [x, y, seconds * GRAVITY].map(|at| at as f32);
        } else {
            let [x, y, z] = trigger.target;
            let heights = (0..HIGHEST).map(|by| [x, y, z + by as f64]);
            let mut free = heights.filter(|at| !map.world().is_solid(agent.stance, *at));
            agent.position = free.next().unwrap_or(trigger.target).map(|at| at as f32);
            agent.velocity = [0.0; 3];
        }
    }
}

/// Takes an agent along that waits for it at a point of its path: throws it up, or puts it above the next point.
pub fn take_along<T: Coordinate>(
    agent: &mut Agent<T>,
    follower: &PathFollower,
    points: &[PathPoint],
) {
    let Some(next) = points.get(follower.next) else {
        return;
    };
    if follower.has_jumped || agent.on_ground.is_none() || !next.kind.is_carried() {
        return;
    }
    agent.on_ground = None;
    if next.kind == LinkKind::JumpPad {
        agent.velocity = [0.0, 0.0, 600.0].map(T::narrow);
    } else {
        let [x, y, z] = next.position;
        agent.position = [x, y, z + 1.0].map(T::narrow);
    }
}
