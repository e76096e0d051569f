//! Teleporters, jump pads and what hurts agents as a game has them, written apart from the compiler: where an agent
//! touches one, by the oracle's expansion, and what happens to it in a tick. In: a map's file and entities. Out: agents
//! moved or thrown, and whether they are hurt.

use onion_maps::MapEntity;
use onion_runtime::movement::Agent;
use onion_runtime::navigation::{LinkKind, PathFollower, PathPoint};
use onion_runtime::{Coordinate, OnionMap};

use crate::oracle::{HullWorld, OracleBrush, expand, read_models};

/// Gravity of Quake III, in units per second squared.
const GRAVITY: f64 = 800.0;

/// The height from which agents fall that are put at an entity in the floor, at most, in units.
const HIGHEST: usize = 48;

/// Lava and slime: bits of contents that all formats share.
const HURTS: u32 = 0x8 | 0x10;

/// Agents are hurt in lava and slime up to this height above their feet, in units.
const WET: f64 = 1.0;

/// The teleporters, the jump pads and what hurts agents.
pub struct Triggers {
    moving: Vec<Trigger>,
    /// For each hull, the places of its origin where it is hurt.
    hurting: Vec<Vec<HullWorld>>,
}

struct Trigger {
    /// For each hull, the places of its origin where it touches the brushes.
    touched: Vec<HullWorld>,
    throws: bool,
    /// The origin of the entity that it targets.
    target: [f64; 3],
    /// The middle of the box around its brushes.
    middle: [f64; 3],
}

impl Triggers {
    /// Finds them in a BSP file, which has been compiled.
    pub fn new(bytes: &[u8], entities: &[MapEntity], map: &OnionMap<Vec<u8>>) -> Self {
        let models = read_models(bytes).unwrap_or_default();
        let mut moving = Vec::new();
        let world = models.iter().take(1).flat_map(|world| &world.brushes);
        let lava = world.filter(|brush| brush.contents & HURTS != 0);
        let lava: Vec<&OracleBrush> = lava.collect();
        let wading = map.hulls().map(|hull| {
            let feet = f64::from(hull.bounds.mins[2]);
            vec![world_of(&lava, [[0.0, 0.0, feet], [0.0, 0.0, feet + WET]])]
        });
        let mut hurting: Vec<Vec<HullWorld>> = wading.collect();
        for entity in entities {
            let key = |name: &str| entity.get(name).map(String::as_str).unwrap_or_default();
            let throws = key("classname") == "trigger_push";
            let model = key("model").trim_start_matches('*').parse::<usize>();
            let model = model.ok().and_then(|number| models.get(number));
            let target = entities.iter().find(|other| {
                let name = other.get("targetname");
                name.is_some_and(|name| name == key("target")) && other.contains_key("origin")
            });
            let Some(model) = model else {
                continue;
            };
            let brushes = Vec::from_iter(&model.brushes);
            let touched = map.hulls().map(|hull| {
                let ends = [hull.bounds.mins, hull.bounds.maxs];
                world_of(&brushes, ends.map(|end| end.map(f64::from)))
            });
            let touched: Vec<HullWorld> = touched.collect();
            if key("classname") == "trigger_hurt" {
                hurting
                    .iter_mut()
                    .zip(touched)
                    .for_each(|(all, own)| all.push(own));
                continue;
            }
            let Some(target) = target else {
                continue;
            };
            if !throws && key("classname") != "trigger_teleport" {
                continue;
            }
            let numbers = target["origin"].split_whitespace();
            let numbers: Vec<f64> = numbers.map(|number| number.parse().unwrap()).collect();
            // A box of no extent does not change a brush.
            let brushes = model.brushes.iter();
            let points = brushes.filter_map(|brush| crate::oracle::vertices(&brush.planes));
            let points: Vec<[f64; 3]> = points.flatten().collect();
            let end = |axis: usize, sign: f64| {
                let along = points.iter().map(|point| point[axis] * sign);
                along.fold(f64::NEG_INFINITY, f64::max) * sign
            };
            moving.push(Trigger {
                touched,
                throws,
                target: [numbers[0], numbers[1], numbers[2]],
                middle: [0, 1, 2].map(|axis| (end(axis, 1.0) + end(axis, -1.0)) / 2.0),
            });
        }
        Self { moving, hurting }
    }

    /// Whether an agent of a hull, given by its index, touches a teleporter or a jump pad: by more than `by` units.
    pub fn are_touched(&self, hull: usize, position: [f64; 3], by: f64) -> bool {
        let mut triggers = self.moving.iter();
        triggers.any(|trigger| trigger.touched[hull].solid(position, -by))
    }

    /// Whether an agent of a hull is hurt that is more than `by` units deep in what hurts it.
    pub fn hurt(&self, hull: usize, position: [f64; 3], by: f64) -> bool {
        let mut hurting = self.hurting.get(hull).into_iter().flatten();
        hurting.any(|world| world.solid(position, -by))
    }

    /// Does to an agent what the game does in a tick.
    pub fn act(&self, map: &OnionMap<Vec<u8>>, agent: &mut Agent<f32>) {
        let position = agent.position.map(f64::from);
        let mut triggers = self.moving.iter();
        let touched = triggers.find(|t| t.touched[agent.stance.index()].solid(position, 0.0));
        let Some(trigger) = touched else {
            return;
        };
        agent.on_ground = None;
        if trigger.throws {
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

/// Returns where a box, given by its corners relative to an agent's origin, touches brushes.
fn world_of(brushes: &[&OracleBrush], [mins, maxs]: [[f64; 3]; 2]) -> HullWorld {
    let solids = brushes
        .iter()
        .filter_map(|brush| expand(&brush.planes, mins, maxs));
    HullWorld::new(solids.collect())
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
