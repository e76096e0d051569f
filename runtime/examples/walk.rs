//! Walks an agent through a compiled map and prints its way as CSV, one line per tick. The walk is a list of wished
//! velocities.
//!
//! # Usage
//! ```text
//! cargo run -p onion-runtime --example walk -- MAP.onion HULL X,Y,Z WISH...
//! ```
//!
//! The agent has the hull of that name and starts with its origin at X,Y,Z. Each WISH is a horizontal velocity such
//! as 320,0 in units per second, and lasts one second; a single integer instead is a seed of ten random ones.

use std::process::ExitCode;

use onion_runtime::OnionMap;
use onion_runtime::movement::{Agent, WalkSettings};

const TICKS_A_SECOND: u8 = 60;
/// Running speed of random wishes, in units per second.
const RUNNING_SPEED: f32 = 320.0;
/// Length of a walk with random wishes, in seconds.
const RANDOM_WISHES: usize = 10;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match walk(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("walk: error: {error}");
            eprintln!(
                "usage: walk MAP.onion HULL X,Y,Z WISH... (X,Y for a second each, or a seed)"
            );
            ExitCode::FAILURE
        }
    }
}

fn walk(arguments: &[String]) -> Result<(), String> {
    let [path, hull, start, wishes @ ..] = arguments else {
        return Err("too few arguments".to_owned());
    };
    let bytes = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    let map = OnionMap::from_bytes(&bytes).map_err(|error| format!("{path}: {error}"))?;
    let hull = map
        .find_hull(hull)
        .ok_or("the map was not compiled for this hull")?;
    let mut agent = Agent::new(hull, numbers::<3>(start)?);
    let world = map.world();
    if world.is_solid(hull, agent.position) {
        eprintln!("walk: the start is in solid; the agent gets out if it can");
    }

    let settings = WalkSettings::default();
    let tick = 1.0 / f32::from(TICKS_A_SECOND);
    let mut seconds = 0.0;
    println!("seconds,x,y,z,speed_x,speed_y,speed_z,on_ground,met_something");
    for wish in parsed(wishes)? {
        for _ in 0..TICKS_A_SECOND {
            let met = agent.walk(&world, &settings, wish, tick);
            seconds += tick;
            let Agent {
                position: [x, y, z],
                velocity: [u, v, w],
                on_ground,
                ..
            } = agent;
            let (stands, met) = (on_ground.is_some(), met.is_some());
            println!("{seconds:.3},{x},{y},{z},{u},{v},{w},{stands},{met}");
        }
    }
    Ok(())
}

/// Returns the wished velocities, in units per second.
fn parsed(wishes: &[String]) -> Result<Vec<[f32; 2]>, String> {
    match wishes {
        [seed] if !seed.contains(',') => {
            let seed = seed
                .parse()
                .map_err(|_| format!("{seed} is no whole number"))?;
            Ok(random_wishes(seed))
        }
        [] => Err("no wish".to_owned()),
        _ => wishes.iter().map(|wish| numbers(wish)).collect(),
    }
}

fn random_wishes(seed: u64) -> Vec<[f32; 2]> {
    let mut bits = seed;
    let mut wish = || {
        // Knuth's linear congruential generator; the high bits are the random ones.
        bits = bits
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let angle = (bits >> 40) as f32 / (1u32 << 24) as f32 * std::f32::consts::TAU;
        [angle.cos() * RUNNING_SPEED, angle.sin() * RUNNING_SPEED]
    };
    (0..RANDOM_WISHES).map(|_| wish()).collect()
}

/// Parses `N` numbers separated by commas.
fn numbers<const N: usize>(text: &str) -> Result<[f32; N], String> {
    let numbers: Result<Vec<f32>, _> = text.split(',').map(str::parse).collect();
    let numbers = numbers.ok().and_then(|numbers| numbers.try_into().ok());
    numbers.ok_or_else(|| format!("{text} is not {N} numbers with commas between them"))
}
