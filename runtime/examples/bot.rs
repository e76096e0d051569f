//! A bot that finds its way from an entity of a map to another, both by the names of their classes. Doors are open in
//! its world; a game that has them shut passes its `Scene` in place of the map's world, and opens them.
//!
//! # Run it
//!
//! ```text
//! onionc sample-maps/game.map --hull stand:16x56 --hull crouch:16x32 --floors
//! cargo run -p onion-runtime --features navigation --example bot -- \
//!     sample-maps/game.onion info_player_start item_health
//! ```

use onion_runtime::OnionMap;
use onion_runtime::movement::Agent;
use onion_runtime::navigation::{PathCosts, PathFollower, Progress};

/// Ticks per second.
const RATE: u32 = 60;
/// How far from an item an agent that takes it may be, in units.
const REACH: f64 = 64.0;
/// Points of the longest path.
const MAX_POINTS: usize = 256;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match &arguments[..] {
        [path, start, goal] => std::fs::read(path)
            .map_err(|error| format!("{path}: {error}").into())
            .and_then(|file| walk(file, start, goal)),
        _ => Err(
            "usage: bot FILE START GOAL, such as level.onion info_player_start item_health".into(),
        ),
    };
    if let Err(error) = outcome {
        eprintln!("error: {error}");
        std::process::exit(1);
    }
}

/// Walks from the first entity of a class to the first one of another. Returns where it ends.
pub(crate) fn walk(file: Vec<u8>, start: &str, goal: &str) -> Result<[f64; 3]> {
    let map = OnionMap::from_bytes(file)?;
    let class = map
        .agents()
        .next()
        .ok_or("no links: compile the map with --floors")?;
    let ends = [origin(&map, start)?, origin(&map, goal)?];

    // Entities are not on floors, so the nearest ones count, for the first stance that has some.
    let stances = map
        .hulls()
        .filter(|hull| class.hulls.contains(hull.id.index()));
    let near = |hull, end| Some(map.nearest_floor(hull, end, REACH)?.1);
    let found = stances.map(|hull| hull.id).find_map(|hull| {
        let [start, goal] = ends.map(|end| near(hull, end));
        Some((hull, start?, goal?))
    });
    let (hull, start, goal) = found.ok_or("an end is farther than 64 units from any floor")?;

    // A game keeps this memory, and the points until the bot is there.
    let mut scratch = vec![Default::default(); map.path_scratch()];
    let mut points = vec![Default::default(); MAX_POINTS];
    let path = map.path(
        hull,
        start,
        goal,
        &PathCosts::default(),
        &mut scratch,
        &mut points,
    )?;
    let points = &points[..path.n_points];
    println!("a path of {:.0} units", path.length);

    let mut bot = Agent::new(points[0].hull, points[0].position);
    let mut follower = PathFollower::new();
    for tick in 0.. {
        if tick % RATE == 0 {
            let (stance, next) = (map.hull(bot.stance), points.get(follower.next));
            let stance = stance.map(|hull| hull.name.to_string()).unwrap_or_default();
            let next = next.map(|point| point.kind);
            println!(
                "{:3} s at {:.0?}, {stance}, next {next:?}",
                tick / RATE,
                bot.position
            );
        }
        let dt = 1.0 / f64::from(RATE);
        match follower.walk(&mut bot, &map.world(), &class, points, dt) {
            Progress::Following => {}
            Progress::Arrived => break,
            Progress::Stuck => return Err("something is in the way: find another path".into()),
        }
    }
    println!("there, at {:.0?}", bot.position);
    Ok(bot.position)
}

/// Returns the position of the first entity of a class.
fn origin(map: &OnionMap<Vec<u8>>, class: &str) -> Result<[f64; 3]> {
    let entity = map
        .entities()?
        .find(|entity| entity.get("classname") == Some(class))
        .ok_or_else(|| format!("the map has no {class}"))?;
    let text = entity
        .get("origin")
        .ok_or_else(|| format!("{class} has no origin"))?;
    let numbers: std::result::Result<Vec<f64>, _> =
        text.split_whitespace().map(str::parse).collect();
    <[f64; 3]>::try_from(numbers?).map_err(|_| format!("{class}: {text} is not a position").into())
}
