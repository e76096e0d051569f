//! Links and paths: facts worked out by hand; on sample maps and real maps agents that walk random paths; an oracle of
//! its own, a graph of places that see each other, which seldom finds a shorter way; and agents that wander, which
//! get nowhere where no path leads to.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use onion_compiler::Fill;
use onion_maps::{Map, MapEntity};
use onion_runtime::movement::{Agent, WalkSettings};
use onion_runtime::navigation::{
    AgentClass, Floor, LinkKind, Path, PathCosts, PathError, PathFollower, PathPoint, PathScratch,
    Progress,
};
use onion_runtime::{Aabb, HullId, OnionMap, Scene};
use onion_tests::cases::{Case, real_cases, sample_case, sample_cases};
use onion_tests::effort::Cases;
use onion_tests::fixtures::{compiled, made};
use onion_tests::lifts::Lifts;
use onion_tests::random::Random;
use onion_tests::triggers::Triggers;
use onion_tests::{rooms, samples};
use rayon::prelude::*;

use crate::floors::point_of;

const PATHS: Cases = Cases::new(100, 3_000);
/// Ticks of an agent that wanders.
const WANDERED: Cases = Cases::new(2_000, 100_000);
/// Ticks per second at which agents walk paths.
const RATES: [f32; 3] = [20.0, 60.0, 125.0];
/// The hulls of three classes: a player, a large and a small monster.
const HULLS: [&str; 4] = ["stand:16x56", "crouch:16x32", "ogre:32x96", "imp:12x32"];
const CLASSES: [&str; 3] = ["human:stand,crouch", "ogre-class:ogre", "imp-class:imp"];
/// An agent at the end of its path is no farther from it than this, in units: a wall may be there.
const ARRIVED: f64 = 1.0;
/// No path of a test starts or ends on a floor narrower than this, in units: agents slip off in their first tick.
const SLIVER: f64 = 1.0 / 16.0;
/// Agents are this far above floors at most, in units.
const HOVERS: f64 = 1.0 / 16.0;
/// Agents that climb are this far outside of the ladder at most, or their waists above the water, in units.
const OFF: f64 = 1.5;
/// The part of the cases on real maps that may fail: goals in strips of a few 1/128 units beside walls, and ways over
/// patches where corners of several floors are nearer to each other than paths keep away from them.
const LEFT_OVER: f64 = 0.002;
/// The part of the paths that may be longer than the oracle's: they cross links in the direction of their goal.
const LONGER: f64 = 0.03;
/// Distance of the oracle's places from the corners of floors, in units: more than paths keep.
const FROM_CORNER: f64 = 0.5;

/// Compiles a map with the links of a player and two monsters.
pub(crate) fn with_links(map: &Map) -> OnionMap<Vec<u8>> {
    with_links_of(map, &CLASSES)
}

/// Compiles a map with the links of classes of agents.
fn with_links_of(map: &Map, classes: &[&str]) -> OnionMap<Vec<u8>> {
    let file = compiled(map, &HULLS, |options| {
        options.fill = Fill::default();
        options.floors = true;
        let classes = classes.iter().map(|class| class.parse().unwrap());
        options.agents = classes.collect();
    });
    OnionMap::from_bytes(file.bytes).unwrap()
}

/// A map, and memory for the paths in it.
struct Paths<'a> {
    map: &'a OnionMap<Vec<u8>>,
    scratch: Vec<PathScratch>,
    points: Vec<PathPoint>,
}

impl<'a> Paths<'a> {
    fn new(map: &'a OnionMap<Vec<u8>>) -> Self {
        Self {
            map,
            scratch: vec![PathScratch::default(); map.path_scratch()],
            points: vec![PathPoint::default(); 1024],
        }
    }

    fn find(
        &mut self,
        hull: HullId,
        ends: [[f64; 3]; 2],
        costs: &PathCosts,
    ) -> Result<(Path, &[PathPoint]), PathError> {
        let [start, goal] = ends;
        let (scratch, points) = (&mut self.scratch, &mut self.points);
        let path = self.map.path(hull, start, goal, costs, scratch, points)?;
        Ok((path, &self.points[..path.n_points]))
    }
}

/// The triggers and lifts of a map, which move agents.
struct Game {
    triggers: Triggers,
    lifts: Lifts,
}

impl Game {
    fn new(bytes: &[u8], entities: &[MapEntity], map: &OnionMap<Vec<u8>>) -> Self {
        Self {
            triggers: Triggers::new(bytes, entities, map),
            lifts: Lifts::new(bytes, entities),
        }
    }

    /// Returns whether an agent at a position touches a trigger or a lift.
    fn moves(&self, map: &OnionMap<Vec<u8>>, stance: HullId, at: [f64; 3]) -> bool {
        let is_touched = self.triggers.are_touched(stance.index(), at, -HOVERS);
        is_touched || self.lifts.are_touched(&around(map, stance, at))
    }
}

/// Walks a path in a game with triggers and lifts. Whether the agent arrives.
fn arrives(
    map: &OnionMap<Vec<u8>>,
    game: &Game,
    class: &AgentClass,
    points: &[PathPoint],
    rate: f32,
) -> bool {
    let (triggers, mut lifts) = (&game.triggers, game.lifts.clone());
    let (world, dt) = (map.world(), 1.0 / rate);
    let [x, y, z] = points[0].position.map(|at| at as f32);
    let mut agent = Agent::new(points[0].hull, [x, y, z + 1.0 / 16.0]);
    agent.on_ground = agent.ground(&world, &class.settings);
    let mut follower = PathFollower::new();
    let length: f64 = points
        .windows(2)
        .map(|pair| apart(pair[0].position, pair[1].position))
        .sum();
    let n_ticks = (length / class.speed + 8.0 * points.len() as f64) * f64::from(rate);
    for _ in 0..n_ticks as usize {
        let at = agent.position.map(f64::from);
        if triggers.hurt(agent.stance.index(), at, HOVERS) {
            return false;
        }
        triggers.act(map, &mut agent);
        let progress = match lifts.is_empty() {
            true => follower.walk(&mut agent, &world, class, points, dt),
            false => {
                let movers = lifts.tick(&around(map, agent.stance, at), f64::from(dt));
                let scene = Scene::new(map, &movers).unwrap();
                let ride = agent.ride(&scene, &class.settings, dt);
                if ride.crushed_by.is_some() {
                    return false;
                }
                follower.walk(&mut agent, &scene, class, points, dt)
            }
        };
        let climbs = points
            .get(follower.next)
            .filter(|next| next.kind.is_climb());
        if let Some(next) = climbs.filter(|_| agent.on_ground.is_none() && !follower.has_jumped) {
            let at = agent.position.map(f64::from);
            if !triggers.hold(next.kind, agent.stance.index(), at, -OFF) {
                return false;
            }
        }
        match progress {
            Progress::Following => {}
            Progress::Stuck => return false,
            Progress::Arrived => {
                let end = points[points.len() - 1].position;
                let at = agent.position.map(f64::from);
                return apart(at, end) < ARRIVED && (at[2] - end[2]).abs() < ARRIVED;
            }
        }
    }
    false
}

/// Returns the box around an agent.
fn around(map: &OnionMap<Vec<u8>>, stance: HullId, position: [f64; 3]) -> Aabb<f64> {
    let hull = map.hulls().find(|hull| hull.id == stance).unwrap();
    let at = |corner: [f32; 3]| [0, 1, 2].map(|axis| f64::from(corner[axis]) + position[axis]);
    Aabb::new(at(hull.bounds.mins), at(hull.bounds.maxs))
}

/// Returns the distance of two places as seen from above.
fn apart(a: [f64; 3], b: [f64; 3]) -> f64 {
    (b[0] - a[0]).hypot(b[1] - a[1])
}

/// The pad throws from z = 24 with 640 units per second upward and 200 to the east, and the terrace is 160 higher:
/// agents come down 258 units east of where they were, on floor from x = 48 to 240. From the other room, nothing leads
/// back.
#[test]
fn a_jump_pad_and_a_teleporter_take_a_player_along() {
    let made_map = rooms::carried();
    let map = with_links(&made(&made_map));
    let read = made(&made_map);
    let game = Game::new(&samples::write(&made_map), &read.entities, &map);
    let mut paths = Paths::new(&map);
    let stand = map.find_hull("stand").unwrap();
    let class = map.agent_of(stand).unwrap();
    let costs = PathCosts::default();
    let ends = [[-200.0, 0.0, 24.0], [640.0, 100.0, 24.0]];
    let (_, points) = paths.find(stand, ends, &costs).unwrap();
    let kinds: Vec<LinkKind> = points.iter().map(|point| point.kind).collect();
    use LinkKind::{JumpPad, Teleport, Walk};
    assert_eq!(kinds, [Walk, Walk, JumpPad, Walk, Teleport, Walk]);
    let landing = &points[2].position;
    assert!((landing[0] - 146.0).abs() < 45.0 && landing[1].abs() < 45.0 && landing[2] == 184.0);
    assert_eq!(points[4].position, [640.0, 0.0, 24.0]);
    let nothing = Game::new(&[], &[], &map);
    for rate in RATES {
        assert!(arrives(&map, &game, &class, points, rate), "{rate}");
        assert!(!arrives(&map, &nothing, &class, points, rate), "{rate}");
    }
    let [start, goal] = ends;
    let back = paths.find(stand, [goal, start], &costs);
    assert_eq!(back.map(|(path, _)| path), Err(PathError::NoWay));
    // Around the pad, whose region is 80 by 80: 62.5, 80 and 51.2 units.
    let (path, points) = paths
        .find(stand, [start, [-40.0, 0.0, 24.0]], &costs)
        .unwrap();
    assert!((193.6..195.0).contains(&path.length), "{path:?}");
    for rate in RATES {
        assert!(arrives(&map, &game, &class, points, rate), "{rate}");
    }
}

/// Asserts that the shortest path of a player has points of these kinds, and that the player arrives.
fn assert_path(made_map: &samples::Map, ends: [[f64; 3]; 2], kinds: &[LinkKind]) {
    let read = made(made_map);
    let map = with_links(&read);
    let game = Game::new(&samples::write(made_map), &read.entities, &map);
    let stand = map.find_hull("stand").unwrap();
    let class = map.agent_of(stand).unwrap();
    let mut paths = Paths::new(&map);
    let (_, points) = paths.find(stand, ends, &PathCosts::default()).unwrap();
    let found: Vec<LinkKind> = points.iter().map(|point| point.kind).collect();
    assert_eq!(found, kinds);
    for rate in RATES {
        assert!(arrives(&map, &game, &class, points, rate), "{rate}");
    }
}

/// In the space of the hull, the solid part ends at (16, -16), and there the steps meet, where they have no width.
#[test]
fn a_player_climbs_a_winding_stair() {
    let made_map = rooms::winding();
    let ends = [[24.0, -200.0, 24.0], [-200.0, 200.0, 96.0]];
    let map = with_links(&made(&made_map));
    let stand = map.find_hull("stand").unwrap();
    let mut paths = Paths::new(&map);
    for ends in [ends, [ends[1], ends[0]]] {
        let (path, points) = paths.find(stand, ends, &PathCosts::default()).unwrap();
        let corner = [16.0, -16.0];
        let around = ends.map(|[x, y, _]| (x - corner[0]).hypot(y - corner[1]));
        assert!(path.length < around[0] + around[1] + 2.0, "{path:?}");
        assert_path(&made_map, ends, &vec![LinkKind::Walk; points.len()]);
    }
}

/// For players, the first pillar ends at x = 16 and y = 16, and the other begins `overlap` before that on both axes. If
/// that is less than 1/4 unit, paths go 1/8 inside of the corner of the first, then 1/8 beyond x = 16 and 1/8 inside of
/// the southern edge of the other; otherwise, one turn is enough.
#[test]
fn a_player_crosses_where_two_floors_touch_in_a_corner() {
    for (overlap, n_points) in [(1.0 / 64.0, 4), (1.0 / 16.0, 4), (5.0 / 16.0, 3)] {
        let made_map = rooms::pillars(overlap);
        let map = with_links(&made(&made_map));
        let stand = map.find_hull("stand").unwrap();
        let ends = [[-80.0, 0.0, 24.0], [120.0, 40.0, 24.0]];
        let mut paths = Paths::new(&map);
        let (_, points) = paths.find(stand, ends, &PathCosts::default()).unwrap();
        if n_points == 4 {
            let turns = [1, 2].map(|number| points[number].position);
            let expected = [[15.875, 15.875, 24.0], [16.125, 16.125 - overlap, 24.0]];
            assert_eq!(turns, expected);
        }
        assert_path(&made_map, ends, &vec![LinkKind::Walk; n_points]);
    }
}

/// For players, the ramp rises by half a unit per unit from (-144, -16) on, so its side is a step up to x = -108: the
/// straight way at x = -109 leads over a step of 17.5. At x = -107 it is half a unit too high, so the way bends by a
/// unit, and by at most the 1/8 that paths keep away from corners and 1/64: files round the ends of links to 1/65,535
/// of the edge, which is at most 512 long.
#[test]
fn a_player_steps_onto_the_side_of_a_ramp() {
    let made_map = rooms::ramp();
    let map = with_links(&made(&made_map));
    let stand = map.find_hull("stand").unwrap();
    let mut paths = Paths::new(&map);
    let bent = |by: f64| 184.0_f64.hypot(by) + 116.0_f64.hypot(by);
    for (x, bends) in [
        (-109.0, [0.0, 0.0]),
        (-107.0, [1.0, 1.0 + 1.0 / 8.0 + 1.0 / 64.0]),
    ] {
        let ends = [[x, -200.0, 24.0], [x, 100.0, 24.0 + (x + 144.0) / 2.0]];
        for ends in [ends, [ends[1], ends[0]]] {
            let (path, points) = paths.find(stand, ends, &PathCosts::default()).unwrap();
            let [least, most] = bends.map(bent);
            assert!(
                (least - 1e-9..=most + 1e-9).contains(&path.length),
                "{path:?}"
            );
            assert_path(&made_map, ends, &vec![LinkKind::Walk; points.len()]);
        }
    }
}

/// An agent that drops from the terrace comes down before the step, and walks on over it. It could leap onto the step,
/// too, but no link says so, because the way would be the same.
#[test]
fn a_player_drops_before_a_step_and_walks_on() {
    use LinkKind::{Drop, Walk};
    let made_map = rooms::terrace();
    let map = with_links(&made(&made_map));
    let stand = map.find_hull("stand").unwrap();
    let ends = [[-100.0, 0.0, 152.0], [200.0, 0.0, 32.0]];
    let (terrace, _) = map.nearest_floor(stand, ends[0], 1.0).unwrap();
    let links = map.links_from(terrace.number);
    let falls = links.filter(|link| !link.kind.is_on_foot());
    let heights = falls.map(|link| map.floor(link.to).unwrap().height([32.0, 0.0]));
    assert_eq!(heights.collect::<Vec<_>>(), [24.0]);
    let mut paths = Paths::new(&map);
    let (path, _) = paths.find(stand, ends, &PathCosts::default()).unwrap();
    assert!((path.length - 300.0).abs() < 1e-9, "{path:?}");
    assert_path(&made_map, ends, &[Walk, Walk, Drop, Walk]);
}

/// The pad throws up 260 units and nowhere else, so that an agent that does not steer comes down on it again. The edge
/// of the terrace, 160 higher, is 24 units from its middle.
#[test]
fn a_player_thrown_straight_up_steers_onto_a_terrace() {
    use LinkKind::{JumpPad, Walk};
    let ends = [[-200.0, 0.0, 24.0], [200.0, 0.0, 184.0]];
    assert_path(&rooms::thrown_up(), ends, &[Walk, Walk, JumpPad, Walk]);
}

/// The lift is 8 units above the ground when it is down, and a player steps onto it. Without the lift there is no way
/// up, nor if it is more than a step above the ground.
#[test]
fn a_player_rides_a_lift_onto_a_terrace() {
    use LinkKind::{Lift, Walk};
    let ends = [[-200.0, 0.0, 24.0], [200.0, 0.0, 184.0]];
    let made_map = rooms::lift(8);
    assert_path(&made_map, ends, &[Walk, Walk, Walk, Lift, Walk]);
    let map = with_links(&made(&made_map));
    let class = map.agent_of(map.find_hull("stand").unwrap()).unwrap();
    let mut paths = Paths::new(&map);
    let stand = map.find_hull("stand").unwrap();
    let (_, points) = paths.find(stand, ends, &PathCosts::default()).unwrap();
    let nothing = Game::new(&[], &[], &map);
    assert!(!arrives(&map, &nothing, &class, points, RATES[0]));
    let high = with_links(&made(&rooms::lift(19)));
    let stand = high.find_hull("stand").unwrap();
    let found = Paths::new(&high)
        .find(stand, ends, &PathCosts::default())
        .map(|(path, _)| path);
    assert_eq!(found, Err(PathError::NoWay));
}

/// A player that comes while the lift is up waits beside it, for longer than the two seconds after which others are
/// stuck, and is not under it when it comes down, 8 units above the ground or one. If it stays up for longer
/// than 32 seconds, the player is stuck.
#[test]
fn a_player_waits_beside_a_lift_that_is_up() {
    let ends = [[-200.0, 0.0, 24.0], [200.0, 0.0, 184.0]];
    for above in [8, 1] {
        let made_map = rooms::lift(above);
        let read = made(&made_map);
        let map = with_links(&read);
        let stand = map.find_hull("stand").unwrap();
        let class = map.agent_of(stand).unwrap();
        let mut paths = Paths::new(&map);
        let (_, points) = paths.find(stand, ends, &PathCosts::default()).unwrap();
        let mut game = Game::new(&samples::write(&made_map), &read.entities, &map);
        let lifts = game.lifts.clone();
        for (seconds, comes_down) in [(0.5, true), (6.0, true), (36.0, false)] {
            game.lifts = lifts.clone().raised(seconds);
            for rate in RATES {
                let arrives = arrives(&map, &game, &class, points, rate);
                assert_eq!(arrives, comes_down, "{above}, {seconds}, {rate}");
            }
        }
    }
}

/// Players run over the edge at x = -49. At x = 49, 98 units on, they have fallen 37 units, and their heads, 146 high,
/// touch the side of the slab from 112 to 128. When they have fallen 72 units, they get below it: 128 units take 0.57
/// seconds, in which they run 181 units.
#[test]
fn a_player_runs_over_an_edge_to_a_floor_under_a_slab() {
    use LinkKind::{Drop, Walk};
    let ends = [[-200.0, 0.0, 152.0], [200.0, 0.0, 24.0]];
    assert_path(&rooms::under_slab(), ends, &[Walk, Walk, Drop, Walk]);
}

/// The shortest way leads around the lava, 136 units to the side and 128 along it: 2 times 186.8 and 128 units. The
/// trigger keeps boxes 16 units away, so one that begins 16 units farther on leaves no room. An agent that avoids
/// nothing walks straight through the lava.
#[test]
fn players_walk_around_lava_and_what_hurts() {
    let ends = [[-200.0, 0.0, 24.0], [200.0, 0.0, 24.0]];
    let length = |from: f64, class: &str| {
        let map = with_links_of(&made(&rooms::lava(from)), &[class]);
        let stand = map.find_hull("stand").unwrap();
        let mut paths = Paths::new(&map);
        let found = paths.find(stand, ends, &PathCosts::default());
        found.map(|(path, _)| path.length)
    };
    let around = length(152.0, "human:stand,crouch").unwrap();
    assert!((501.5..502.5).contains(&around), "{around}");
    assert_eq!(length(144.0, "human:stand,crouch"), Err(PathError::NoWay));
    assert_eq!(length(152.0, "human:stand,crouch:avoid=none"), Ok(400.0));
    // The trigger covers the lava as well.
    let hurt = length(-272.0, "human:stand,crouch:avoid=water");
    assert_eq!(hurt, Err(PathError::NoWay));
    assert_eq!(length(-272.0, "human:stand,crouch:avoid=none"), Ok(400.0));
    assert_path(&rooms::lava(152.0), ends, &[LinkKind::Walk; 4]);
}

/// Where a player stands upright, its waist is 4 above its origin. From the shore at 128 it gets into the water, 120
/// deep, and out of it at the other shore, 8 above the water, then up the ladder, 288 high. The way back leads down the
/// ladder, because a fall from so high up hurts. Agents that do not swim or climb, or hardly, do not get there.
#[test]
fn players_swim_through_a_pool_and_climb_a_ladder() {
    use LinkKind::{Climb, Drop, Swim, Walk};
    let [west, east] = [[-300.0, 0.0, 152.0], [300.0, 0.0, 440.0]];
    let there = [Walk, Walk, Drop, Walk, Swim, Walk, Climb, Walk];
    assert_path(&rooms::pool(), [west, east], &there);
    let back = [Walk, Walk, Climb, Walk, Drop, Walk, Swim, Walk];
    assert_path(&rooms::pool(), [east, west], &back);
    for without in ["swim=0", "climb=0", "swim=1e-30", "climb=1e-30"] {
        let class = format!("human:stand,crouch:{without}");
        let map = with_links_of(&made(&rooms::pool()), &[&class]);
        let stand = map.find_hull("stand").unwrap();
        let found = Paths::new(&map)
            .find(stand, [west, east], &PathCosts::default())
            .map(|(path, _)| path);
        assert_eq!(found, Err(PathError::NoWay), "{class}");
    }
}

/// A fall with next to no gravity would take years.
#[test]
fn links_are_found_with_next_to_no_gravity() {
    let file = compiled(&made(&rooms::pit()), &["stand:16x56"], |options| {
        options.floors = true;
        options.agents = vec!["float:stand:gravity=1e-30".parse().unwrap()];
    });
    let map = OnionMap::from_bytes(file.bytes).unwrap();
    assert!(map.has_links());
    let links = (0..map.n_links() as u32).filter_map(|number| map.link(number));
    assert!(links.filter(|link| !link.kind.is_on_foot()).count() == 0);
}

/// Two halls 224 units long where players stand, with a tunnel of 160 units between them where they crouch, in a
/// straight line. A unit of crouching costs 2, so the tunnel and the unit to stand up in add 161.
#[test]
fn a_player_crouches_through_the_tunnel() {
    let map = with_links(&sample_case("low_tunnel").map);
    let mut paths = Paths::new(&map);
    let stand = map.find_hull("stand").unwrap();
    let ends = [[-200.0, 0.0, 24.0], [200.0, 0.0, 24.0]];
    let (path, points) = paths.find(stand, ends, &PathCosts::default()).unwrap();
    let kinds: Vec<LinkKind> = points.iter().map(|point| point.kind).collect();
    use LinkKind::{Crouch, Stand, Walk};
    assert_eq!(kinds, [Walk, Walk, Crouch, Walk, Stand, Walk]);
    assert_eq!((points[0].position, points[5].position), (ends[0], ends[1]));
    assert!((path.length - 400.0).abs() < 1e-9, "{path:?}");
    assert!((path.cost - path.length - 160.0).abs() < 2.0, "{path:?}");
    let class = map.agent_of(stand).unwrap();
    assert_eq!(map.agent_name(&class), Some("human"));
    let case = sample_case("low_tunnel");
    let game = Game::new(&case.bytes, &case.map.entities, &map);
    let mut rates = RATES.into_iter();
    assert!(rates.all(|rate| arrives(&map, &game, &class, points, rate)));
    // The tunnel is 32 wide and 40 high, less than an ogre.
    let ogre = map.find_hull("ogre").unwrap();
    let ends = [[0.0, 0.0, 24.0], [0.0, 0.0, 24.0]];
    let refused = paths
        .find(ogre, ends, &PathCosts::default())
        .map(|(path, _)| path);
    assert_eq!(refused, Err(PathError::NoStart));
}

/// The tunnel begins behind a step, so a player crouches in front of it and walks up, and down again.
#[test]
fn a_player_crouches_into_a_tunnel_up_a_step() {
    use LinkKind::{Crouch, Stand, Walk};
    let ends = [[-200.0, 0.0, 24.0], [200.0, 0.0, 24.0]];
    let kinds = [Walk, Walk, Crouch, Walk, Stand, Walk];
    assert_path(&rooms::low_step(), ends, &kinds);
}

#[test]
fn a_hull_of_another_map_has_no_paths() {
    let [map, other] = ["room", "wedge"].map(|name| with_links(&sample_case(name).map));
    let hull = other.find_hull("stand").unwrap();
    let found = Paths::new(&map)
        .find(hull, [[0.0; 3]; 2], &PathCosts::default())
        .map(|(path, _)| path);
    assert_eq!(found, Err(PathError::NoAgent));
}

/// Returns the floors of a hull without slivers.
fn wide_floors(map: &OnionMap<Vec<u8>>, hull: HullId) -> Vec<Floor<'_>> {
    let width = |floor: &Floor<'_>| {
        let corners: Vec<[f64; 3]> = floor.corners().collect();
        let ends = (0..corners.len()).map(|at| [corners[at], corners[(at + 1) % corners.len()]]);
        let widths = ends.map(|[a, b]| {
            let depth = |c: &[f64; 3]| {
                ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / apart(a, b)
            };
            corners.iter().map(depth).fold(0.0, f64::max)
        });
        widths.fold(f64::INFINITY, f64::min)
    };
    map.floors(hull)
        .filter(|floor| width(floor) >= SLIVER)
        .collect()
}

/// How often something held that should always hold, and the cases in which it did not.
#[derive(Default)]
struct Tally {
    n_cases: usize,
    failed: Vec<String>,
}

impl Tally {
    fn add(&mut self, holds: bool, context: impl FnOnce() -> String) {
        self.n_cases += 1;
        if !holds {
            self.failed.push(context());
        }
    }

    fn merge(mut self, other: Self) -> Self {
        self.n_cases += other.n_cases;
        self.failed.extend(other.failed);
        self
    }

    /// Checks that no more cases failed than this part of them.
    fn check(self, most: f64) {
        let n_failed = self.failed.len();
        println!("{n_failed} of {}: {:#?}", self.n_cases, self.failed);
        assert!(n_failed as f64 <= most * self.n_cases as f64 && self.n_cases > 0);
    }
}

/// Random paths of each class, which agents walk at each rate.
fn check_paths(case: &Case) -> Tally {
    let map = with_links(&case.map);
    let game = Game::new(&case.bytes, &case.map.entities, &map);
    let mut paths = Paths::new(&map);
    let mut random = Random::new(33);
    let mut tally = Tally::default();
    for class in map.agents() {
        let own = map
            .hulls()
            .find(|hull| class.hulls.contains(hull.id.index()));
        let hull = own.unwrap().id;
        let floors = wide_floors(&map, hull);
        for _ in 0..PATHS.count().min(10 * floors.len()) {
            let ends = [0, 1].map(|_| point_of(&floors[random.below(floors.len())], &mut random));
            // Nothing stands there.
            let above = ends.map(|[x, y, z]| [x, y, z + HOVERS]);
            if above.into_iter().any(|at| game.moves(&map, hull, at)) {
                continue;
            }
            let found = paths.find(hull, ends, &PathCosts::default());
            let context = format!("{}, {:?}: {ends:?}", case.name, map.agent_name(&class));
            match found {
                Ok((path, points)) => {
                    assert!(
                        path.length >= apart(ends[0], ends[1]) - ARRIVED,
                        "{context}"
                    );
                    // Points keep away from corners, which the cost does not count.
                    let longer = FROM_CORNER * points.len() as f64;
                    assert!(path.cost >= path.length - longer, "{context}: {path:?}");
                    for rate in RATES {
                        let arrives = arrives(&map, &game, &class, points, rate);
                        tally.add(arrives, || format!("{context}: {rate}"));
                    }
                }
                Err(PathError::NoWay) => {}
                Err(error) => tally.add(false, || format!("{context}: {error}")),
            }
        }
    }
    tally
}

/// Compares random paths with detours over the turning points of other paths: no detour may be shorter. The player
/// neither jumps nor drops, because such paths do not always leave a floor at the best place.
fn check_detours(case: &Case) -> Tally {
    let map = with_links_of(&case.map, &["walker:stand,crouch:jump=0:drop=0"]);
    let mut paths = Paths::new(&map);
    let mut random = Random::new(36);
    let mut tally = Tally::default();
    let hull = map.find_hull("stand").unwrap();
    let floors = wide_floors(&map, hull);
    for _ in 0..4 * PATHS.count() {
        let [start, goal, other] =
            [0; 3].map(|_| point_of(&floors[random.below(floors.len())], &mut random));
        let mut cost = |from: [f64; 3], to: [f64; 3]| {
            let found = paths.find(hull, [from, to], &PathCosts::default());
            found
                .ok()
                .map(|(path, points)| (path.cost, points.to_vec()))
        };
        let (Some((direct, _)), Some((_, points))) = (cost(start, goal), cost(start, other)) else {
            continue;
        };
        for turn in points.iter().filter(|turn| turn.hull == hull) {
            let at = turn.position;
            let (Some((there, _)), Some((on, _))) = (cost(start, at), cost(at, goal)) else {
                continue;
            };
            let is_longer = direct > (there + on) * 1.001 + FROM_CORNER;
            tally.add(!is_longer, || {
                let name = &case.name;
                format!("{name}: {start:?} to {goal:?} is {direct}, by {at:?} {there} and {on}")
            });
        }
    }
    tally
}

/// Compares random paths with those of a search that takes all links, also those of a lower stance where a taller one
/// walks as well: it does so if a change of stance costs something, here next to nothing.
fn check_upright(case: &Case) -> Tally {
    let map = with_links(&case.map);
    let mut paths = Paths::new(&map);
    let mut random = Random::new(37);
    let mut tally = Tally::default();
    let hull = map.find_hull("stand").unwrap();
    let floors = wide_floors(&map, hull);
    let any = PathCosts {
        switch: 1e-6,
        ..PathCosts::default()
    };
    for _ in 0..8 * PATHS.count() {
        let ends = [0; 2].map(|_| point_of(&floors[random.below(floors.len())], &mut random));
        let [upright, any] = [PathCosts::default(), any].map(|costs| {
            let found = paths.find(hull, ends, &costs);
            found.map(|(path, _)| path.cost)
        });
        let holds = match (&upright, &any) {
            (Ok(upright), Ok(any)) => *upright <= any * 1.001,
            (upright, any) => upright == any,
        };
        tally.add(holds, || {
            format!("{}: {ends:?} {upright:?} {any:?}", case.name)
        });
    }
    tally
}

#[test]
fn upright_paths_are_as_good_as_any() {
    of_all(&Vec::from_iter(sample_cases()), check_upright).check(0.0);
    of_real_maps(check_upright, LEFT_OVER);
}

fn of_all(cases: &[&Case], check: impl Fn(&Case) -> Tally + Sync) -> Tally {
    let tallies = cases.par_iter().map(|case| check(case));
    tallies.reduce(Tally::default, Tally::merge)
}

/// Checks the real maps, if there are any; those that are missing are counted as skipped.
fn of_real_maps(check: impl Fn(&Case) -> Tally + Sync, most: f64) {
    let cases = Vec::from_iter(real_cases());
    if !cases.is_empty() {
        of_all(&cases, check).check(most);
    }
}

#[test]
fn paths_of_sample_maps_are_walked() {
    of_all(&Vec::from_iter(sample_cases()), check_paths).check(0.0);
}

#[test]
fn paths_of_real_maps_are_walked() {
    of_real_maps(check_paths, LEFT_OVER);
}

/// The oracle's ways: places near the corners of floors, and two more; the lengths of those between which an agent
/// walks straight.
struct SeenPlaces<'a> {
    map: &'a OnionMap<Vec<u8>>,
    class: AgentClass,
    hull: HullId,
    places: Vec<[f64; 3]>,
}

impl SeenPlaces<'_> {
    /// Whether an agent that walks straight on gets from one place to the other.
    fn sees(&self, from: [f64; 3], to: [f64; 3]) -> bool {
        let (world, settings) = (self.map.world(), WalkSettings::default());
        let [x, y, z] = from;
        let mut agent = Agent::new(self.hull, [x, y, z + 1.0 / 16.0]);
        agent.on_ground = agent.ground(&world, &settings);
        let (mut left, dt) = (apart(from, to), 1.0 / 60.0);
        while agent.on_ground.is_some() && left > 1.0 / 64.0 {
            let [x, y, _] = agent.position;
            let scale = self.class.speed.min(left / dt) / left;
            let wish = [(to[0] - x) * scale, (to[1] - y) * scale];
            agent.walk(&world, &settings, wish, dt);
            let before = std::mem::replace(&mut left, apart(agent.position, to));
            // Stopped, or slid along a wall: off the straight way.
            let way = apart(from, agent.position) + left - apart(from, to);
            if left > before - 1.0 / 64.0 || way > 1.0 / 64.0 {
                return false;
            }
        }
        left < FROM_CORNER
            && (agent.position[2] - to[2]).abs() < ARRIVED
            && agent.on_ground.is_some()
    }

    /// Returns the length of the shortest way from the first place to the last one over the others (Dijkstra).
    fn shortest(&self, seen: &[Vec<usize>], from: usize, to: usize) -> Option<f64> {
        let mut lengths = vec![f64::INFINITY; self.places.len()];
        // Lengths above 0 have bits in the order of the numbers.
        let mut open = BinaryHeap::from([(Reverse(0u64), from)]);
        while let Some((Reverse(bits), at)) = open.pop() {
            let length = f64::from_bits(bits);
            if length >= lengths[at] {
                continue;
            }
            lengths[at] = length;
            for &next in &seen[at] {
                let length = length + apart(self.places[at], self.places[next]);
                open.push((Reverse(length.to_bits()), next));
            }
        }
        lengths[to].is_finite().then_some(lengths[to])
    }
}

#[test]
fn no_detour_of_real_maps_is_shorter_than_a_path() {
    of_real_maps(check_detours, 0.0);
}

/// No way over places that see each other costs less than a path.
#[test]
fn no_way_is_shorter_than_a_path() {
    let mut tally = Tally::default();
    for name in ["ramp_stairs", "courtyard", "wedge", "touching"] {
        let map = with_links(&sample_case(name).map);
        let hull = map.find_hull("stand").unwrap();
        let class = map.agent_of(hull).unwrap();
        let mut random = Random::new(34);
        let floors: Vec<_> = map.floors(hull).collect();
        let corners = floors.iter().flat_map(|floor| {
            let n = floor.corners().len() as f64;
            let center = floor
                .corners()
                .fold([0.0; 2], |sum, [x, y, _]| [sum[0] + x / n, sum[1] + y / n]);
            floor.corners().map(move |corner| {
                let [x, y] = [0, 1].map(|axis| center[axis] - corner[axis]);
                let part = (FROM_CORNER / x.hypot(y)).min(1.0);
                let place = [corner[0] + x * part, corner[1] + y * part];
                [place[0], place[1], floor.height(place)]
            })
        });
        let mut places: Vec<[f64; 3]> = corners.collect();
        let n_corners = places.len();
        places.extend((0..40).map(|_| point_of(&floors[random.below(floors.len())], &mut random)));
        let oracle = SeenPlaces {
            map: &map,
            class,
            hull,
            places,
        };
        let all = 0..oracle.places.len();
        let seen: Vec<Vec<usize>> = all
            .clone()
            .into_par_iter()
            .map(|from| {
                let others = all.clone().filter(|&to| to != from);
                others
                    .filter(|&to| oracle.sees(oracle.places[from], oracle.places[to]))
                    .collect()
            })
            .collect();
        let mut paths = Paths::new(&map);
        for from in n_corners..all.end {
            let to = n_corners + random.below(all.end - n_corners);
            let ends = [from, to].map(|place| oracle.places[place]);
            let Some(shortest) = oracle.shortest(&seen, from, to) else {
                continue;
            };
            let found = paths.find(hull, ends, &PathCosts::default());
            let found = found.map(|(path, _)| path);
            let is_short = found.is_ok_and(|path| path.cost <= 1.001 * shortest + FROM_CORNER);
            tally.add(is_short, || {
                format!("{name}: {ends:?}: {found:?}, {shortest}")
            });
        }
    }
    assert!(tally.n_cases >= 40, "{}", tally.n_cases);
    tally.check(LONGER);
}

/// Wherever an agent gets that wanders about, a path leads. It stops at a trigger, which takes it on or hurts it.
fn check_wandering(case: &Case) -> Tally {
    let mut tally = Tally::default();
    let map = with_links(&case.map);
    let game = Game::new(&case.bytes, &case.map.entities, &map);
    let (world, mut paths) = (map.world(), Paths::new(&map));
    let mut random = Random::new(35);
    let hull = map.find_hull("stand").unwrap();
    let class = map.agent_of(hull).unwrap();
    let floors = wide_floors(&map, hull);
    let mut n_ticks = WANDERED.count();
    while n_ticks > 0 && !floors.is_empty() {
        let start = point_of(&floors[random.below(floors.len())], &mut random);
        let mut agent = Agent::new(hull, [start[0], start[1], start[2] + 1.0 / 16.0]);
        agent.on_ground = agent.ground(&world, &class.settings);
        let (mut wish, mut highest) = ([0.0; 2], start[2]);
        for tick in 0..400 {
            n_ticks = n_ticks.saturating_sub(1);
            if tick % 20 == 0 {
                let [x, y, _] = random.direction();
                let speed = class.speed * random.unit();
                wish = [x, y].map(|part| part * speed);
            }
            agent.walk(&world, &class.settings, wish, 1.0 / 60.0);
            let [x, y, z] = agent.position;
            let at = [x, y, z].map(f64::from);
            let stance = agent.stance.index();
            if game.moves(&map, agent.stance, at) || game.triggers.hurt(stance, at, -HOVERS) {
                break;
            }
            if agent.on_ground.is_none() {
                highest = z.max(highest);
                continue;
            }
            // A fall from so high up has no link.
            if highest - z > class.drop {
                break;
            }
            highest = z;
            if tick % 20 == 19 {
                let found = paths.find(hull, [start, agent.position], &PathCosts::default());
                let error = found.map(|_| ()).err();
                let context = || {
                    format!(
                        "{}: {start:?} to {:?}: {error:?}",
                        case.name, agent.position
                    )
                };
                tally.add(error.is_none(), context);
            }
        }
    }
    tally
}

#[test]
fn paths_lead_wherever_agents_wander_in_sample_maps() {
    of_all(&Vec::from_iter(sample_cases()), check_wandering).check(0.0);
}

#[test]
fn paths_lead_wherever_agents_wander_in_real_maps() {
    of_real_maps(check_wandering, LEFT_OVER);
}
