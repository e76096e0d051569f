//! Movement: the behavior of agents on sample maps, each fact worked out by hand from the numbers of the map. Random
//! walkers are in `walkers`.

use std::cell::Cell;

use onion_runtime::movement::{
    Agent, Ground, MAX_BUMPS, MAX_TRACES, Stop, WalkSettings, World, clip_velocity,
};
use onion_runtime::{Aabb, HullId, OnionMap};
use onion_tests::cases::sample_case;
use onion_tests::fixtures::{loaded, made, many_hulls};
use onion_tests::random::Random;
use onion_tests::samples::{Brush, Map, Shader};
use onion_tests::subject::HULLS;

/// The distance that a trace keeps from the surface it hits, in units.
const MARGIN: f32 = 1.0 / 32.0;
/// Largest distance of an agent from a wall that it slides along, in units: twice the margin.
const NEAR: f32 = 1.0 / 16.0;
/// Length of a tick, in seconds.
const TICK: f32 = 1.0 / 60.0;
/// Origin of a box that stands on a floor at height 0.
const ON_FLOOR: f32 = 24.0 + MARGIN;

fn sample(name: &str) -> OnionMap<Vec<u8>> {
    loaded(&sample_case(name).map, &HULLS)
}

/// Compiles a hall between two corners, with the brushes that `furnish` adds.
fn hall(mins: [f64; 3], maxs: [f64; 3], furnish: impl FnOnce(&mut Map)) -> OnionMap<Vec<u8>> {
    let mut hall = Map::new("hall", "A hall");
    hall.room(mins, maxs);
    furnish(&mut hall);
    loaded(&made(&hall), &HULLS)
}

/// Returns the default settings, changed.
fn with(change: impl FnOnce(&mut WalkSettings)) -> WalkSettings {
    let mut settings = WalkSettings::default();
    change(&mut settings);
    settings
}

/// Makes an agent in the standing stance that moves.
fn moving(map: &OnionMap<Vec<u8>>, position: [f32; 3], velocity: [f32; 3]) -> Agent<f32> {
    let mut agent = Agent::new(map.find_hull("stand").unwrap(), position);
    agent.velocity = velocity;
    agent
}

/// Makes an agent that stands at a position on the floor.
fn standing(map: &OnionMap<Vec<u8>>, position: [f32; 3]) -> Agent<f32> {
    let mut agent = moving(map, position, [0.0; 3]);
    for _ in 0..30 {
        agent.walk(&map.world(), &WalkSettings::default(), [0.0; 2], TICK);
    }
    assert!(agent.on_ground.is_some(), "{agent:?}");
    agent
}

/// Walks for `seconds` seconds; `each` sees the agent after every tick.
fn walk(
    agent: &mut Agent<f32>,
    map: &OnionMap<impl AsRef<[u8]>>,
    settings: &WalkSettings,
    wish: [f32; 2],
    seconds: f32,
    mut each: impl FnMut(&Agent<f32>),
) {
    for _ in 0..(seconds / TICK).round() as usize {
        agent.walk(&map.world(), settings, wish, TICK);
        assert!(
            !map.world().is_solid(agent.stance, agent.position),
            "{agent:?}"
        );
        each(agent);
    }
}

fn is_on_ground(agent: &Agent<f32>) {
    assert!(agent.on_ground.is_some(), "{agent:?}");
}

#[track_caller]
fn assert_near(found: f32, expected: f32, tolerance: f32) {
    let off = (found - expected).abs();
    assert!(off <= tolerance, "{found} is not {expected}: off by {off}");
}

#[test]
fn velocities_are_clipped() {
    // (3, 4, -5) against a floor loses the fall; against (0.6, 0, 0.8) it loses the 1.8 - 4 = -2.2 units along the
    // normal: (3 + 1.32, 4, -5 + 1.76).
    let (falling, floor) = ([3.0, 4.0, -5.0], [0.0, 0.0, 1.0]);
    assert_eq!(clip_velocity(falling, floor), [3.0, 4.0, 0.0]);
    let clipped = clip_velocity(falling, [0.6, 0.0, 0.8]);
    for (found, expected) in clipped.into_iter().zip([4.32, 4.0, -3.24]) {
        assert_near(found, expected, 1e-6);
    }
    // A velocity away from the plane or along it loses nothing.
    for velocity in [[3.0, 4.0, 5.0], [3.0, 4.0, 0.0]] {
        assert_eq!(clip_velocity(velocity, floor), velocity);
    }
    // An invalid plane takes nothing.
    for invalid in [0.0, f32::NAN] {
        assert_eq!(clip_velocity(falling, [invalid; 3]), falling);
    }
}

/// The room extends to 256, the box 16 ahead: contact at 240.
#[test]
fn a_wall_stops_and_a_corner_stops() {
    let map = sample("room");
    let settings = WalkSettings::default();
    let mut agent = standing(&map, [0.0, 0.0, 24.0]);
    assert_near(agent.position[2], ON_FLOOR, MARGIN);
    walk(&mut agent, &map, &settings, [320.0, 0.0], 1.0, |_| {});
    assert_near(agent.position[0], 240.0, NEAR);
    let there = agent.position;
    walk(&mut agent, &map, &settings, [320.0, 0.0], 1.0, |agent| {
        assert_eq!(agent.position, there);
        assert_eq!(agent.velocity, [0.0; 3]);
    });
    walk(&mut agent, &map, &settings, [200.0, 300.0], 2.0, |_| {});
    let there = agent.position;
    assert_near(there[0], 240.0, NEAR);
    assert_near(there[1], 240.0, NEAR);
    walk(&mut agent, &map, &settings, [200.0, 300.0], 1.0, |agent| {
        assert_eq!(agent.position, there);
    });
}

/// One slide into a corner meets both walls and the floor: x reaches 240 after 0.8 seconds, y after 1.2,
/// z reaches 24 after 0.76.
#[test]
fn one_slide_meets_a_whole_corner() {
    let map = sample("room");
    let mut agent = moving(&map, [0.0, 0.0, 100.0], [300.0, 200.0, -100.0]);
    let first = agent
        .slide(&map.world(), &WalkSettings::default(), 2.0)
        .unwrap();
    assert_eq!(first.normal, [0.0, 0.0, 1.0]);
    for (at, expected) in agent.position.into_iter().zip([240.0, 240.0, 24.0]) {
        assert_near(at, expected, NEAR);
    }
    assert_eq!(agent.velocity, [0.0; 3]);
}

/// A wall that leans over the agent presses it down; the floor does not yield. The remaining direction is the line in
/// which they meet, along y.
#[test]
fn creases_are_followed() {
    // Its face runs from (128, 0) up to (32, 128), its normal is (-0.8, 0, -0.6).
    let outline = [[128.0, 0.0], [256.0, 0.0], [256.0, 128.0], [32.0, 128.0]];
    let map = hall([-256.0, -256.0, 0.0], [256.0, 256.0, 128.0], |hall| {
        hall.add(Shader::Trim, Brush::bar_y(&outline, -256.0, 256.0));
    });
    let settings = WalkSettings::default();
    let mut agent = standing(&map, [-100.0, -200.0, 24.0]);
    walk(
        &mut agent,
        &map,
        &settings,
        [200.0, 100.0],
        2.0,
        is_on_ground,
    );
    // The head, 56 up and 16 ahead, meets the wall at x = 128 - 0.75 * 56 = 86: x = 70.
    assert_near(agent.position[0], 70.0, 0.1);
    assert_near(agent.position[1], 0.0, 0.5);
    assert_near(agent.velocity[1], 100.0, 1e-3);
}

/// A wall leaves the part of a velocity along the wall, even in the tick of the contact.
#[test]
fn walls_keep_the_speed_along_them() {
    let map = sample("room");
    let settings = WalkSettings::default();
    let mut agent = standing(&map, [200.0, -200.0, 24.0]);
    let mut ticks = 0.0;
    walk(&mut agent, &map, &settings, [200.0, 100.0], 3.0, |agent| {
        ticks += 1.0;
        assert_near(agent.position[1], -200.0 + 100.0 * TICK * ticks, 0.01);
        assert_eq!(agent.velocity[1], 100.0);
    });
    assert_near(agent.position[0], 240.0, NEAR);

    // The knife of the wedge map has a face with normal (0.6, -0.8, 0), which the box meets at y = 52 when x = -64.
    // The direction along the face is (0.8, 0.6): 200 north are 0.6 * 200 = 120 along it, (96, 72).
    let map = sample("wedge");
    let mut agent = standing(&map, [-64.0, 0.0, 24.0]);
    walk(&mut agent, &map, &settings, [0.0, 200.0], 0.25, |_| {});
    assert_near(agent.position[1], 50.0, 0.01);
    walk(&mut agent, &map, &settings, [0.0, 200.0], 0.05, |_| {});
    let before = agent.position;
    walk(&mut agent, &map, &settings, [0.0, 200.0], 0.5, |agent| {
        assert_near(agent.velocity[0], 96.0, 1e-3);
        assert_near(agent.velocity[1], 72.0, 1e-3);
    });
    assert_near(agent.position[0] - before[0], 48.0, NEAR);
    assert_near(agent.position[1] - before[1], 36.0, NEAR);
}

/// Thirty thousand units out, places are whole multiples of 1/512 unit, and every tick rounds an agent slightly into
/// the wall or off it, always in the same direction. The wall runs along (3, 4): a wish of 60 east is 36 along it,
/// (21.6, 28.8).
#[test]
fn rounding_stops_nobody_at_a_wall() {
    let wedge = [[31000.0, -1000.0], [31750.0, -1000.0], [31750.0, 0.0]];
    let [mins, maxs] = [[30000.0, -1000.0, 0.0], [32000.0, 1000.0, 256.0]];
    let map = hall(mins, maxs, |far| {
        far.add(Shader::Trim, Brush::column(&wedge, 0.0, 256.0));
    });
    let settings = WalkSettings::default();
    for number in 0..20u8 {
        let speed = 60.0 + f32::from(number);
        let mut agent = standing(&map, [31000.0, -940.0, 24.0]);
        walk(&mut agent, &map, &settings, [speed, 0.0], 2.0, |_| {});
        let mut last = agent.position;
        walk(&mut agent, &map, &settings, [speed, 0.0], 20.0, |agent| {
            let north = agent.position[1] - last[1];
            assert_near(north, 0.48 * speed * TICK, NEAR);
            last = agent.position;
        });
        assert_near(agent.velocity[0], 0.36 * speed, 1e-3);
        assert_near(agent.velocity[1], 0.48 * speed, 1e-3);
    }
}

/// A wall that runs northeast, in the northwestern corner of a hall: moved by the box, it is the line y = x + 224,
/// which meets the western wall, moved to x = -240, at y = -16. An agent pushes almost straight into it, so that next
/// to nothing of its wish is along it, in ticks long enough to reach the corner in one.
#[test]
fn who_pushes_into_a_blunt_corner_gets_there() {
    let outline = [[-256.0, 0.0], [0.0, 256.0], [-256.0, 256.0]];
    let map = hall([-256.0, -256.0, 0.0], [256.0, 256.0, 256.0], |hall| {
        hall.add(Shader::Trim, Brush::column(&outline, 0.0, 256.0));
    });
    for y in [707.0, 707.1, 707.2, 707.5] {
        let mut agent = standing(&map, [-239.0, -60.0, 24.0]);
        for _ in 0..4 {
            agent.walk(&map.world(), &WalkSettings::default(), [-707.3, y], 0.05);
        }
        assert_near(agent.position[0], -240.0, 2.0 * NEAR);
        assert_near(agent.position[1], -16.0, 2.0 * NEAR);
    }
}

/// A stair with steps of 18 units, the largest step height, that are just as deep, at 10 ticks a second: two steps in
/// each tick, up and down, at full speed.
#[test]
fn long_ticks_take_several_steps() {
    let map = hall([-512.0, -128.0, 0.0], [1024.0, 128.0, 512.0], |hall| {
        for step in 0..20 {
            let at = 18.0 * f64::from(step);
            let end = if step == 19 { 1024.0 } else { at + 18.0 };
            hall.cuboid(Shader::Trim, [at, -128.0, 0.0], [end, 128.0, at + 18.0]);
        }
    });
    let settings = WalkSettings::default();
    for wish in [[320.0, 0.0], [250.0, 20.0]] {
        let mut agent = standing(&map, [-100.0, -60.0, 24.0]);
        let mut ticks = 0.0;
        while agent.position[0] < 400.0 {
            agent.walk(&map.world(), &settings, wish, 0.1);
            ticks += 1.0;
            let flat = -100.0 + wish[0] * 0.1 * ticks;
            assert!(agent.position[0] > flat - 2.0, "{agent:?} {ticks}");
            is_on_ground(&agent);
        }
        assert_near(agent.position[2], 360.0 + ON_FLOOR, MARGIN);
        let top = agent.position[0];
        for tick in 1..=15 {
            agent.walk(&map.world(), &settings, [-320.0, 0.0], 0.1);
            is_on_ground(&agent);
            assert_near(agent.position[0], top - 32.0 * tick as f32, 2.0);
        }
        assert_near(agent.position[2], ON_FLOOR, MARGIN);
    }
}

/// Eight steps of 16 from x = -128 to a platform 128 high from x = 128 on; the first riser stops a box that cannot
/// step at x = -144.
#[test]
fn stairs_are_climbed_by_those_who_step_high_enough() {
    let map = sample("ramp_stairs");
    for step_height in [16.0, 18.0, 40.0] {
        let settings = with(|own| own.step_height = step_height);
        let mut agent = standing(&map, [-300.0, 96.0, 24.0]);
        let mut ticks = 0.0;
        walk(&mut agent, &map, &settings, [200.0, 0.0], 2.5, |agent| {
            ticks += 1.0;
            assert!(agent.on_ground.is_some(), "{agent:?}");
            // Steps cost no time, except for the margin of each.
            assert_near(agent.position[0], -300.0 + 200.0 * TICK * ticks, 1.0);
        });
        assert_near(agent.position[2], 128.0 + ON_FLOOR, MARGIN);

        // And back down, without a tick in the air: from 199 to -301.
        walk(
            &mut agent,
            &map,
            &settings,
            [-200.0, 0.0],
            2.5,
            is_on_ground,
        );
        assert_near(agent.position[0], -300.0, 2.0);
        assert_near(agent.position[2], ON_FLOOR, MARGIN);
    }
    for step_height in [0.0, 15.0, 15.9] {
        let settings = with(|own| own.step_height = step_height);
        let mut agent = standing(&map, [-300.0, 96.0, 24.0]);
        walk(&mut agent, &map, &settings, [200.0, 0.0], 2.5, |_| {});
        assert_near(agent.position[0], -144.0, NEAR);
        assert_near(agent.position[2], ON_FLOOR, MARGIN);

        // Down from the platform it falls from step to step, except for the distance that counts as touching the
        // ground.
        agent.position = [200.0, 96.0, 152.0];
        let mut falls = 0;
        walk(&mut agent, &map, &settings, [-200.0, 0.0], 2.5, |agent| {
            falls += usize::from(agent.on_ground.is_none());
        });
        assert!(falls > 8 || step_height > 15.0, "{falls}");
        assert_near(agent.position[2], ON_FLOOR, MARGIN);
    }
}

/// The ramp rises one unit in two from x = -128; the front foot edge of a box, 16 ahead, rests on it when the origin
/// is at z = 24 + (x + 144) / 2. Its normal is (-1, 0, 2) / sqrt 5: 0.894.
#[test]
fn walkable_ramps_are_ground() {
    let map = sample("ramp_stairs");
    let settings = WalkSettings::default();
    let mut agent = standing(&map, [-300.0, -96.0, 24.0]);
    let mut ticks = 0.0;
    let mut each = |agent: &Agent<f32>| {
        ticks += 1.0;
        let x = -300.0 + 200.0 * TICK * ticks;
        let rise = ((x + 144.0) / 2.0).clamp(0.0, 128.0);
        assert_near(agent.position[0], x, 0.2);
        assert_near(agent.position[2], ON_FLOOR + rise, 0.2);
        assert!(agent.on_ground.is_some(), "{agent:?}");
    };
    walk(&mut agent, &map, &settings, [200.0, 0.0], 1.5, &mut each);
    let there = agent.position;
    assert_eq!(agent.on_ground.unwrap().object, 0);
    assert_near(agent.on_ground.unwrap().normal[2], 0.8944, 1e-4);
    // At the same horizontal speed up the slope: half of 200 upward.
    assert_near(agent.velocity[0], 200.0, 1e-3);
    assert_near(agent.velocity[2], 100.0, 1e-3);
    walk(&mut agent, &map, &settings, [0.0; 2], 1.0, |agent| {
        for (at, before) in agent.position.into_iter().zip(there) {
            assert_near(at, before, MARGIN);
        }
        assert!(agent.on_ground.is_some());
    });
    walk(&mut agent, &map, &settings, [200.0, 0.0], 1.0, &mut each);
    assert_near(agent.position[2], 128.0 + ON_FLOOR, MARGIN);
    // Down without a tick in the air.
    walk(
        &mut agent,
        &map,
        &settings,
        [-300.0, 0.0],
        1.5,
        is_on_ground,
    );
    assert_near(agent.position[2], ON_FLOOR, MARGIN);
}

/// The same ramp for agents that stand only on slopes whose normal has a z of at least 0.95.
#[test]
fn steep_slopes_are_no_ground() {
    let map = sample("ramp_stairs");
    let mut settings = with(|own| own.min_ground_z = 0.95);
    // It stops at the foot, both head-on and at an angle, where it slides along the foot.
    let mut agent = standing(&map, [-300.0, -130.0, 24.0]);
    walk(&mut agent, &map, &settings, [300.0, 0.0], 2.0, |agent| {
        assert_near(agent.position[2], ON_FLOOR, NEAR);
    });
    assert_near(agent.position[0], -144.0, 0.1);
    walk(&mut agent, &map, &settings, [300.0, 30.0], 1.0, |agent| {
        assert_near(agent.position[2], ON_FLOOR, NEAR);
    });
    assert_near(agent.position[1], -100.0, 0.5);

    // On the ramp it does not stand, but slides down: 800 * sin * cos = 800 * 0.4 = 320 units a second
    // squared along x, so from x = 0 the 144 units to the foot take 0.95 seconds.
    settings.air_control = 0.0;
    agent = Agent::new(agent.stance, [0.0, -96.0, 96.0 + MARGIN]);
    walk(&mut agent, &map, &settings, [0.0; 2], 0.5, |agent| {
        assert!(agent.on_ground.is_none(), "{agent:?}");
    });
    assert_near(agent.position[0], -40.0, 0.5);
    // An agent that wishes to go up slides down as well.
    settings.air_control = 1.0;
    agent = Agent::new(agent.stance, [0.0, -96.0, 97.0]);
    let mut height = agent.position[2];
    walk(&mut agent, &map, &settings, [300.0, 0.0], 0.5, |agent| {
        assert!(agent.position[2] < height, "{agent:?}");
        height = agent.position[2];
    });
    walk(&mut agent, &map, &settings, [0.0; 2], 2.0, |_| {});
    assert!(agent.position[0] < -143.0, "{agent:?}");
    assert_near(agent.position[2], ON_FLOOR, NEAR);
    assert!(agent.on_ground.is_some());
}

/// The mouth of the tunnel is at x = -64, its ceiling at 40, its far end at 64.
#[test]
fn a_low_tunnel_is_for_those_who_crouch() {
    let map = sample("low_tunnel");
    let [stand, crouch] = ["stand", "crouch"].map(|name| map.find_hull(name).unwrap());
    let settings = WalkSettings::default();
    let east = [200.0, 0.0];
    let mut agent = standing(&map, [-200.0, 0.0, 24.0]);
    walk(&mut agent, &map, &settings, east, 1.0, |_| {});
    assert_near(agent.position[0], -80.0, NEAR);
    assert!(agent.switch_stance(&map.world(), crouch));
    assert_eq!(agent.stance, crouch);
    let mut inside = 0;
    walk(&mut agent, &map, &settings, east, 1.0, |agent| {
        // The box is under the ceiling from -80 to 80.
        let mut other = *agent;
        let stands_up = other.switch_stance(&map.world(), stand);
        let x = agent.position[0];
        if (x.abs() - 80.0).abs() < NEAR {
            // At either end, within the margin.
        } else if x.abs() < 80.0 {
            inside += 1;
            assert!(!stands_up, "{agent:?}");
            assert_eq!(other, *agent);
        } else {
            assert!(stands_up, "{agent:?}");
        }
    });
    assert!(inside > 40, "{inside}");
    assert_near(agent.position[0], 120.0, 1.0);
    assert!(agent.switch_stance(&map.world(), stand));
    assert_eq!(agent.stance, stand);
}

/// The origins of these boxes with the same feet are 24, 24 and 8 units above them.
#[test]
fn feet_stay_when_stances_change() {
    let mut room = Map::new("room", "Six walls");
    room.room([-256.0, -256.0, 0.0], [256.0, 256.0, 256.0]);
    let room = made(&room);
    let map = loaded(&room, &["stand:16x56", "crouch:16x32", "ball:8x16@8"]);
    let [stand, crouch, ball] =
        ["stand", "crouch", "ball"].map(|name| map.find_hull(name).unwrap());
    let mut agent = Agent::new(stand, [10.0, 20.0, 100.0]);
    let stances = [
        (crouch, 100.0),
        (ball, 84.0),
        (ball, 84.0),
        (stand, 100.0),
        (ball, 84.0),
    ];
    for (stance, height) in stances {
        assert!(agent.switch_stance(&map.world(), stance));
        assert_eq!(agent.position, [10.0, 20.0, height]);
        assert_eq!(agent.stance, stance);
    }
    // A ball in a corner touches the walls at 248: no room for the 16 units of the others.
    agent.position = [248.0, 0.0, 84.0];
    assert!(!agent.switch_stance(&map.world(), stand));
    assert_eq!((agent.stance, agent.position), (ball, [248.0, 0.0, 84.0]));
    // A hull of another map is not a hull of this one.
    let others = many_hulls(5, |hull| format!("h{hull}:{}x40", 8 + hull));
    let foreign = loaded(&room, &others).find_hull("h4").unwrap();
    assert!(!agent.switch_stance(&map.world(), foreign));
    assert_eq!(agent.stance, ball);
}

/// A step of 16 under a ceiling of 64: above the step there is room for 32, but not for 56.
#[test]
fn steps_need_room_above() {
    let map = hall([-128.0, -64.0, 0.0], [128.0, 64.0, 64.0], add_step);
    let settings = WalkSettings::default();
    let mut agent = standing(&map, [-100.0, 0.0, 24.0]);
    walk(&mut agent, &map, &settings, [200.0, 0.0], 1.0, |_| {});
    assert_near(agent.position[0], -16.0, NEAR);
    agent.switch_stance(&map.world(), map.find_hull("crouch").unwrap());
    walk(&mut agent, &map, &settings, [200.0, 0.0], 0.5, |_| {});
    assert_near(agent.position[0], 84.0, 1.0);
    assert_near(agent.position[2], 16.0 + ON_FLOOR, MARGIN);
}

/// Adds a step of 16 at x = 0.
fn add_step(hall: &mut Map) {
    hall.cuboid(Shader::Trim, [0.0, -64.0, 0.0], [128.0, 64.0, 16.0]);
}

/// A step of 16 at x = 0 and, from x = 40, a slope of 53 degrees on it. An agent that runs 50 units a tick would land
/// on the slope, but takes the step all the same. The front of the box stops where the slope begins.
#[test]
fn the_fast_take_steps_before_slopes() {
    let slope = [[40.0, 16.0], [112.0, 16.0], [112.0, 112.0]];
    let map = hall([-128.0, -64.0, 0.0], [128.0, 64.0, 256.0], |hall| {
        add_step(hall);
        hall.add(Shader::Trim, Brush::bar_y(&slope, -64.0, 64.0));
    });
    let mut agent = standing(&map, [-17.0, 0.0, 24.0]);
    for _ in 0..20 {
        agent.walk(&map.world(), &WalkSettings::default(), [1000.0, 0.0], 0.05);
    }
    assert_near(agent.position[0], 24.0, NEAR);
    assert_near(agent.position[2], 16.0 + ON_FLOOR, NEAR);
}

/// A riser of 16 at x = 0, contact at -16: an agent that still rises takes no step.
#[test]
fn whoever_rises_in_the_air_takes_no_step() {
    let map = hall([-128.0, -64.0, 0.0], [128.0, 64.0, 192.0], add_step);
    for (rise, expected) in [(50.0, -16.0), (-1.0, -10.0)] {
        let mut agent = moving(&map, [-20.0, 0.0, 26.0], [100.0, 0.0, rise]);
        agent.step_slide(&map.world(), &WalkSettings::default(), 0.1);
        assert_near(agent.position[0], expected, NEAR);
        // An agent that lands on the step no longer falls.
        assert_eq!(agent.velocity[2], rise.max(0.0));
    }
}

/// A jump at 270 units a second rises 270^2 / (2 * 800) = 45.5625 units and takes 0.675 seconds; a fall from rest is
/// 400 t^2. Neither depends on the length of a tick.
#[test]
fn jumps_and_falls_do_not_depend_on_the_tick() {
    let map = sample("room");
    let settings = WalkSettings::default();
    for rate in [4000.0f32, 1000.0, 125.0, 60.0, 20.0] {
        let tick = 1.0 / rate;
        let mut agent = standing(&map, [0.0, 0.0, 24.0]);
        let floor = agent.position[2];
        assert!(agent.jump(270.0));
        assert!(!agent.jump(270.0), "in the air");
        let (mut highest, mut n_ticks) = (0.0f32, 0);
        while agent.on_ground.is_none() {
            agent.walk(&map.world(), &settings, [0.0; 2], tick);
            highest = highest.max(agent.position[2] - floor);
            n_ticks += 1;
            assert!(n_ticks < 4000);
        }
        // The highest tick is at most half a tick from the top: 400 * (tick / 2)^2.
        assert!(highest < 45.57, "{highest}");
        assert!(highest > 45.55 - 100.0 * tick * tick, "{highest}");
        assert_near(n_ticks as f32 * tick, 0.675, tick + 0.001);

        let mut agent = Agent::new(agent.stance, [0.0, 0.0, 200.0]);
        for ticks in 1..=(0.5 / tick) as usize {
            agent.walk(&map.world(), &settings, [0.0; 2], tick);
            let time = ticks as f32 * tick;
            assert_near(agent.position[2], 200.0 - 400.0 * time * time, 0.02);
        }
    }
}

/// In the air an agent keeps its velocity; air control moves it toward the wish.
#[test]
fn the_air_gives_control_by_and_by() {
    let map = sample("room");
    let agent = moving(&map, [0.0, 0.0, 200.0], [100.0, 0.0, 0.0]);
    let after = |air_control| {
        let settings = with(|own| own.air_control = air_control);
        let mut agent = agent;
        agent.walk(&map.world(), &settings, [0.0, 100.0], 0.25);
        agent.velocity
    };
    // 1/s for 1/4 s: 0.25 / 1.25 = 1/5 of the way.
    assert_eq!(after(0.0)[..2], [100.0, 0.0]);
    assert_near(after(1.0)[0], 80.0, 1e-3);
    assert_near(after(1.0)[1], 20.0, 1e-3);
    assert_near(after(1000.0)[1], 99.6, 0.01);
}

/// The room's floor is at 0, with contact at 24; its east wall is at 256, with contact at 240.
#[test]
fn agents_get_out_of_solid() {
    let map = sample("room");
    let stand = map.find_hull("stand").unwrap();
    let settings = WalkSettings::default();
    // Feet half a unit in the floor: the first free place that is tried is half a unit higher.
    let mut agent = Agent::new(stand, [10.0, 20.0, 23.5]);
    agent.walk(&map.world(), &settings, [0.0; 2], TICK);
    assert_eq!(agent.position[..2], [10.0, 20.0]);
    assert_near(agent.position[2], ON_FLOOR, NEAR);
    // In two walls at once: a place a quarter of a unit away from both.
    let mut agent = Agent::new(stand, [240.25, 240.25, 100.0]);
    agent.walk(&map.world(), &settings, [0.0; 2], TICK);
    assert_eq!(agent.position[..2], [240.0, 240.0]);
    // Ten units in the wall: 16 is the first distance that suffices.
    let mut agent = Agent::new(stand, [250.0, 0.0, 100.0]);
    agent.walk(&map.world(), &settings, [0.0; 2], TICK);
    assert_eq!(agent.position[..2], [234.0, 0.0]);

    // Without unsticking it stays, unless its wish takes it out within the tick: 320 / 60 is too little, 320 / 20 =
    // 16 is enough. It does not fall.
    let settings = with(|own| own.max_unstick = 0.0);
    let mut agent = Agent::new(stand, [250.0, 0.0, 100.0]);
    agent.walk(&map.world(), &settings, [-320.0, 0.0], 1.0 / 60.0);
    assert_eq!(agent.position, [250.0, 0.0, 100.0]);
    agent.walk(&map.world(), &settings, [-320.0, 0.0], 1.0 / 20.0);
    assert_near(agent.position[0], 234.0, 1e-3);
    assert_eq!(agent.position[2], 100.0);
    assert!(!map.world().is_solid(stand, agent.position));
    // A move that is solid all the way stops the agent and sets its velocity to zero.
    let stuck = [250.0, 0.0, 100.0];
    let mut agent = moving(&map, stuck, [100.0, 0.0, 0.0]);
    agent.slide(&map.world(), &settings, TICK);
    assert_eq!((agent.position, agent.velocity), (stuck, [0.0; 3]));
}

/// However low the requirement for ground is, walls and ceilings do not count as ground.
#[test]
fn walls_and_ceilings_are_no_ground() {
    for min_ground_z in [-1.0, 0.0, 0.7] {
        let settings = with(|own| own.min_ground_z = min_ground_z);
        assert!(settings.is_ground([0.6f32, 0.0, 0.8]));
        assert!(!settings.is_ground([1.0f32, 0.0, 0.0]));
        assert!(!settings.is_ground([0.8f32, 0.0, -0.6]));
    }
}

// Long: one statement for each number that an agent has.
#[test]
fn what_is_not_finite_moves_nothing() {
    let map = sample("room");
    let agent = standing(&map, [0.0, 0.0, 24.0]);
    let settings = WalkSettings::default();
    for strange in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let unmoved = |mut agent: Agent<f32>, settings: &WalkSettings, wish: [f32; 2], dt: f32| {
            let before = agent.position.map(f32::to_bits);
            agent.velocity[1] = 50.0;
            assert_eq!(agent.walk(&map.world(), settings, wish, dt), None);
            assert_eq!(agent.position.map(f32::to_bits), before);
            assert_eq!(agent.velocity, [0.0; 3]);
        };
        unmoved(agent, &settings, [strange, 0.0], TICK);
        unmoved(agent, &settings, [0.0, strange], TICK);
        unmoved(agent, &settings, [100.0, 0.0], strange);
        for axis in 0..3 {
            let mut agent = agent;
            agent.position[axis] = strange;
            unmoved(agent, &settings, [100.0, 0.0], TICK);
        }
        let mut thrown = agent;
        thrown.velocity[2] = strange;
        for moved in [Agent::slide, Agent::step_slide] {
            let mut agent = thrown;
            moved(&mut agent, &map.world(), &settings, TICK);
            let expected = (thrown.position, [0.0; 3]);
            assert_eq!((agent.position, agent.velocity), expected);
            agent = thrown;
            agent.velocity = [100.0, 0.0, 0.0];
            moved(&mut agent, &map.world(), &settings, strange);
            assert_eq!(agent.position, thrown.position);
        }
        unmoved(thrown, &settings, [100.0, 0.0], TICK);
        for settings in [
            with(|own| own.gravity = strange),
            with(|own| own.air_control = strange),
        ] {
            unmoved(agent, &settings, [100.0, 0.0], TICK);
        }
        // Other settings only affect the way it moves.
        for number in 0..3 {
            let mut settings = settings;
            *[
                &mut settings.step_height,
                &mut settings.min_ground_z,
                &mut settings.max_unstick,
            ][number] = strange;
            let mut agent = agent;
            for _ in 0..200 {
                agent.walk(&map.world(), &settings, [300.0, 20.0], TICK);
                assert!(
                    !map.world().is_solid(agent.stance, agent.position),
                    "{agent:?}"
                );
            }
        }
    }
    // Zero and negative time.
    for dt in [0.0, -TICK] {
        let mut other = agent;
        other.walk(&map.world(), &settings, [100.0, 0.0], dt);
        assert_eq!(other, agent);
    }
    // Huge but finite numbers.
    let mut random = Random::new(5);
    for _ in 0..2_000 {
        let mut agent = agent;
        let mut huge =
            || (random.between(-1.0, 1.0) * 10f64.powf(random.between(0.0, 38.0))) as f32;
        agent.velocity = [huge(), huge(), huge()];
        agent.on_ground = None;
        for _ in 0..4 {
            agent.walk(&map.world(), &settings, [huge(), huge()], huge().abs());
            assert!(
                !map.world().is_solid(agent.stance, agent.position),
                "{agent:?}"
            );
        }
    }
}

/// A wrapper that counts the traces of another world.
struct Counted<W> {
    world: W,
    traces: Cell<usize>,
}

impl<W: World<f32>> World<f32> for Counted<W> {
    fn trace(&self, hull: HullId, start: [f32; 3], end: [f32; 3]) -> Stop<f32> {
        self.traces.set(self.traces.get() + 1);
        self.world.trace(hull, start, end)
    }

    fn is_solid(&self, hull: HullId, point: [f32; 3]) -> bool {
        self.world.is_solid(hull, point)
    }

    fn bounds(&self, hull: HullId) -> Option<Aabb<f32>> {
        self.world.bounds(hull)
    }
}

/// A world that blocks everywhere, with arbitrary normals.
struct Hostile(Cell<u64>);

impl World<f32> for Hostile {
    fn trace(&self, _: HullId, start: [f32; 3], _: [f32; 3]) -> Stop<f32> {
        let mut random = Random::new(self.0.get());
        self.0.set(random.bits());
        let mut normal = random.direction().map(|x| x as f32);
        match random.below(8) {
            0 => normal = [0.0; 3],
            1 => normal = [0.0, 0.0, 1e-30],
            2 => normal = normal.map(|x| x * 1e30),
            _ => {}
        }
        Stop {
            fraction: [0.0, 0.5, f64::NAN][random.below(3)],
            end_pos: start,
            met: Some(Ground {
                normal,
                object: 7,
                velocity: [0.0; 3],
                footing: None,
            }),
        }
    }

    fn is_solid(&self, _: HullId, _: [f32; 3]) -> bool {
        false
    }

    fn bounds(&self, _: HullId) -> Option<Aabb<f32>> {
        None
    }
}

#[test]
fn every_tick_is_bounded() {
    let map = sample("courtyard");
    let mut agent = moving(&map, [0.0, 0.0, 200.0], [0.0; 3]);
    let world = Counted {
        world: map.world(),
        traces: Cell::new(0),
    };
    let settings = WalkSettings::default();
    let mut random = Random::new(3);
    let mut most = 0;
    let mut busy =
        |agent: &mut Agent<f32>, world: &dyn Fn(&mut Agent<f32>), traces: &Cell<usize>| {
            traces.set(0);
            world(agent);
            most = most.max(traces.get());
            assert!(traces.get() <= MAX_TRACES, "{}", traces.get());
        };
    for _ in 0..20_000 {
        let wish = [0, 1].map(|_| random.between(-600.0, 600.0) as f32);
        let walk = |agent: &mut Agent<f32>| {
            agent.walk(&world, &settings, wish, 0.05);
        };
        busy(&mut agent, &walk, &world.traces);
    }
    let hostile = Counted {
        world: Hostile(Cell::new(1)),
        traces: Cell::new(0),
    };
    for round in 0..20_000 {
        let start = agent.position;
        let walk = |agent: &mut Agent<f32>| {
            let met = agent.walk(&hostile, &settings, [300.0, round as f32], 0.05);
            assert_eq!(met.unwrap().object, 7);
        };
        busy(&mut agent, &walk, &hostile.traces);
        assert_eq!(agent.position, start);
        assert!(agent.velocity.iter().all(|x| x.is_finite()), "{agent:?}");
    }
    assert!(most > MAX_BUMPS, "{most}");
}

/// Model 1 of the door map is a panel from x = -4 to 4: contact at -20. The obstacle is reported by the model's
/// number.
#[test]
fn models_are_worlds_too() {
    let map = sample("door");
    let panel = map.model(1).unwrap();
    let mut agent = moving(&map, [-100.0, 0.0, 40.0], [300.0, 0.0, 0.0]);
    let met = agent.slide(&panel, &WalkSettings::default(), 1.0).unwrap();
    assert_eq!((met.normal, met.object), ([-1.0, 0.0, 0.0], 1));
    assert_eq!(agent.velocity, [0.0; 3]);
    assert_near(agent.position[0], -20.0, NEAR);
    // In the world the doorway is open.
    agent.velocity = [300.0, 0.0, 0.0];
    assert_eq!(
        agent.slide(&map.world(), &WalkSettings::default(), 0.5),
        None
    );
    assert_near(agent.position[0], 130.0, 0.1);
}

/// In the view of a hull an agent is at the same place as in the map, to the last bit, whichever of its hulls it has.
#[test]
fn views_of_a_hull_are_worlds_too() {
    let map = sample("courtyard");
    let [stand, crouch] = ["stand", "crouch"].map(|hull| map.find_hull(hull).unwrap());
    let view = map.world().view(stand);
    let mut random = Random::new(3);
    let mut agents = [Agent::new(stand, [0.0f32, 0.0, 64.0]); 2];
    let mut way = 0.0;
    for tick in 0..3_000 {
        let wish = [0, 1].map(|_| random.between(-320.0, 320.0) as f32);
        let to = if tick % 100 < 60 { stand } else { crouch };
        let before = agents[0].position;
        let [in_map, in_view] = &mut agents;
        assert_eq!(
            in_map.switch_stance(&map.world(), to),
            in_view.switch_stance(&view, to)
        );
        let settings = WalkSettings::default();
        let met = in_map.walk(&map.world(), &settings, wish, TICK);
        assert_eq!(in_view.walk(&view, &settings, wish, TICK), met);
        assert_eq!(in_map, in_view);
        way += (in_map.position[0] - before[0]).abs();
    }
    assert!(way > 1_000.0, "{way}");
}
