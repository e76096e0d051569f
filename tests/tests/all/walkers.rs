//! Random walkers: the oracle watches them in sample maps and real maps, and they push into the corners of random
//! rooms.

use onion_runtime::movement::{Agent, WalkSettings};
use onion_tests::effort::Cases;
use onion_tests::fixtures::{loaded, made};
use onion_tests::maps::{RealMap, real_maps};
use onion_tests::random::Random;
use onion_tests::samples::{self, Brush, Map, Shader};
use onion_tests::walkers::Course;

/// Largest distance of an agent from a wall that it slides along, in units: twice the margin of a trace.
const NEAR: f32 = 1.0 / 16.0;

/// Number of ticks of random walkers in each sample map; they swim in one of eight.
const SAMPLE_TICKS: Cases = Cases::new(20_000, 800_000);
/// Number of ticks in each real map.
const REAL_TICKS: Cases = Cases::new(15_000, 20_000);

fn watch(name: &str, bytes: &[u8], n_ticks: usize) -> usize {
    let outcome = Course::new(name, bytes).walk(n_ticks, 1);
    assert!(outcome.faults.is_empty(), "{}", outcome.faults.join("\n"));
    // Otherwise the test is empty: walkers walk, swim, are stopped, and crouch.
    if outcome.ticks > 0 {
        assert!(outcome.way > n_ticks as f64, "{outcome:?}");
        let rarest = [
            outcome.switches,
            outcome.refusals,
            outcome.stops,
            outcome.looks,
            outcome.swum,
        ];
        assert!(
            rarest.iter().all(|&count| count > n_ticks / 2_000),
            "{outcome:?}"
        );
    }
    outcome.ticks
}

#[test]
fn random_walkers_do_well_in_sample_maps() {
    for (name, bytes) in samples::all() {
        assert!(watch(name, &bytes, SAMPLE_TICKS.count()) >= SAMPLE_TICKS.count());
    }
}

#[test]
fn random_walkers_do_well_in_real_maps() {
    let maps = real_maps();
    let walk = |map: &RealMap| watch(&map.name, &map.bytes, REAL_TICKS.count());
    let n_walked = maps.iter().map(walk).filter(|&ticks| ticks > 0).count();
    let n_maps = maps.len();
    assert!(n_walked * 2 >= n_maps, "walked in {n_walked} of {n_maps}");
}

/// Makes a room full of corners: walls at any angle, slopes of all kinds, and niches between them.
fn corners(random: &mut Random) -> Map {
    let mut room = Map::new("corners", "Mind the corners");
    room.room([-304.0, -304.0, 0.0], [304.0, 304.0, 400.0]);
    for _ in 0..40 {
        let [x, y] = [0, 1].map(|_| random.between(-280.0, 280.0).round());
        let foot = random.between(-40.0, 120.0).max(0.0).round();
        let mut corner = |reach: f64| {
            let mut moved = |at: f64| (at + random.between(-reach, reach)).round();
            [x, y].map(|at| moved(at).clamp(-320.0, 320.0))
        };
        let outline = [corner(120.0), corner(120.0), corner(120.0)];
        let [top_x, top_y] = corner(60.0);
        let [[ax, ay], [bx, by], [cx, cy]] = outline;
        let twice_area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
        if twice_area.abs() < 4_000.0 {
            continue;
        }
        if foot > 60.0 {
            room.add(Shader::Wall, Brush::column(&outline, 0.0, foot));
        } else {
            let mut points = outline.map(|[x, y]| [x, y, foot]).to_vec();
            points.push([top_x, top_y, foot + random.between(30.0, 250.0).round()]);
            room.add(Shader::Wall, Brush::hull(&points));
        }
    }
    room.spawn([0, 0, 300], 0);
    room
}

/// Agents that push in one direction for 8 seconds then stand still, or make progress. One in 200 still goes back and
/// forth; of those that handled walls before ground, 10 in 200 did.
#[test]
fn few_agents_go_to_and_fro_in_corners() {
    const ROOMS: Cases = Cases::new(8, 400);
    const AGENTS: usize = 50;
    let mut random = Random::new(28);
    let settings = WalkSettings::default();
    let mut restless = 0;
    for _ in 0..ROOMS.count() {
        let map = loaded(&made(&corners(&mut random)), &["stand:16x56"]);
        let stand = map.find_hull("stand").unwrap();
        for rate in [10u16, 20, 60, 125, 250] {
            let dt = 1.0 / f32::from(rate);
            for _ in 0..AGENTS {
                let place = random.point([-280.0, -280.0, 26.0], [280.0, 280.0, 370.0]);
                let mut agent = Agent::new(stand, place.map(|x| x as f32));
                let [speed, turn] = [random.between(100.0, 320.0), random.between(0.0, 6.3)];
                let wish = [speed * turn.cos(), speed * turn.sin()].map(|x| x as f32);
                for _ in 0..8 * rate {
                    agent.walk(&map.world(), &settings, wish, dt);
                }
                let mut back = 0.0;
                for _ in 0..rate {
                    let before = agent;
                    agent.walk(&map.world(), &settings, wish, dt);
                    if before.on_ground.is_some() && agent.on_ground.is_some() {
                        let way = [0, 1].map(|k| agent.position[k] - before.position[k]);
                        back += (-(way[0] * wish[0] + way[1] * wish[1])).max(0.0);
                    }
                }
                restless += usize::from(back > NEAR * speed as f32);
            }
        }
    }
    let [restless, n_agents] = [restless, 5 * AGENTS * ROOMS.count()];
    assert!(100 * restless <= n_agents, "{restless} of {n_agents}");
}
