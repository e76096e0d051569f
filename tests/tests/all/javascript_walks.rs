//! Agents that walk in JavaScript (`runtime/js/movement.mjs`) are after each tick where those of the runtime are, to
//! the last bit: random walkers in sample maps, who run, jump, crouch and sometimes start in solid. Skipped where
//! there is no `node`.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use onion_runtime::movement::{Agent, WalkSettings};
use onion_runtime::{HullId, OnionMap};
use onion_tests::cases::{Case, sample_cases};
use onion_tests::random::Random;
use onion_tests::skips::skip;
use tempfile::TempDir;

/// Walkers of each map, and their ticks.
const WALKERS: u64 = 24;
const TICKS: usize = 120;

/// Walks as a file says: a line `start HULL x y z` for each walker, then one for each tick: `HULL jump wx wy dt`.
/// Prints the bits of each place and velocity.
const WALK: &str = r#"
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
const [folder, file, script] = process.argv.slice(-3);
const { fromBytes } = await import(pathToFileURL(folder + "/onion.mjs"));
const { Agent, WALK_SETTINGS } = await import(pathToFileURL(folder + "/movement.mjs"));
const map = fromBytes(readFileSync(file));
const bits = (numbers) => Buffer.from(new Float64Array(numbers).buffer).toString("hex");
const lines = [];
let agent;
for (const line of readFileSync(script, "utf8").trimEnd().split("\n")) {
  const words = line.split(" ");
  if (words[0] === "start") {
    agent = new Agent(map.hulls[+words[1]], words.slice(2).map(Number));
    continue;
  }
  const [hull, jump, x, y, dt] = words.map(Number);
  if (jump > 0) agent.jump(jump);
  agent.switchStance(map, map.hulls[hull]);
  const met = agent.walk(map, WALK_SETTINGS, [x, y], dt);
  const stands = agent.onGround ?? [0, 0, 0];
  lines.push(bits([...agent.position, ...agent.velocity, ...stands, ...(met ?? [0, 0, 0])]));
}
console.log(lines.join("\n"));
"#;

/// What a walker does in a tick.
struct Tick {
    hull: usize,
    jump: f64,
    wish: [f64; 2],
    dt: f64,
}

fn tick(random: &mut Random, before: Option<&Tick>) -> Tick {
    let is_kept = before.is_some() && random.below(8) > 0;
    let mut sign = || f64::from(random.below(3) as u32) - 1.0;
    let wish = match before {
        Some(before) if is_kept => before.wish,
        _ => [sign() * 320.0, sign() * 237.5],
    };
    Tick {
        hull: usize::from(random.below(6) == 0),
        jump: if random.below(12) == 0 { 270.0 } else { 0.0 },
        wish,
        dt: [1.0 / 60.0, 1.0 / 60.0, 1.0 / 17.0][random.below(3)],
    }
}

/// Walks, and adds what is done to a script and what becomes of it to the answers.
fn walk(
    map: &OnionMap<&[u8]>,
    start: [f64; 3],
    random: &mut Random,
    script: &mut String,
    answers: &mut String,
) -> usize {
    let hulls: Vec<HullId> = map.hulls().map(|hull| hull.id).collect();
    let mut agent = Agent::new(hulls[0], start);
    let [x, y, z] = start;
    writeln!(script, "start 0 {x} {y} {z}").unwrap();
    let mut last = None;
    let mut n_met = 0;
    for _ in 0..TICKS {
        let tick = tick(random, last.as_ref());
        let Tick {
            hull,
            jump,
            wish: [x, y],
            dt,
        } = tick;
        writeln!(script, "{hull} {jump} {x} {y} {dt}").unwrap();
        if jump > 0.0 {
            agent.jump(jump);
        }
        agent.switch_stance(map, hulls[hull]);
        let met = agent.walk(map, &WalkSettings::default(), tick.wish, dt);
        n_met += usize::from(met.is_some());
        let [met, ground] =
            [met, agent.on_ground].map(|met| met.map_or([0.0; 3], |met| met.normal));
        let numbers = [agent.position, agent.velocity, ground, met];
        for number in numbers.as_flattened() {
            for byte in number.to_le_bytes() {
                write!(answers, "{byte:02x}").unwrap();
            }
        }
        answers.push('\n');
        last = Some(tick);
    }
    n_met
}

fn check(case: &Case, folder: &Path) -> usize {
    let compiled = case.filled();
    let map = OnionMap::from_bytes(&*compiled.bytes).unwrap();
    let (mins, maxs) = map.world().bounds();
    let [mut script, mut answers] = [String::new(), String::new()];
    let mut n_met = 0;
    for number in 0..WALKERS {
        let mut random = Random::new(number);
        let mut place = || {
            [0, 1, 2].map(|k| {
                let [from, to] = [mins[k], maxs[k]].map(|end| f64::from(end) / 8.0);
                (random.between(from, to)).round() * 8.0
            })
        };
        let stand = map.hulls().next().unwrap().id;
        // Most start in the air; where that fails ten times, in solid.
        let mut start = place();
        for _ in 0..10 {
            if map.is_solid(stand, start) {
                start = place();
            }
        }
        n_met += walk(&map, start, &mut random, &mut script, &mut answers);
    }
    let [file, script_path] = ["map.onion", "script.txt"].map(|name| folder.join(name));
    fs::write(&file, &compiled.bytes).unwrap();
    fs::write(&script_path, script).unwrap();
    let modules = concat!(env!("CARGO_MANIFEST_DIR"), "/../runtime/js");
    let output = Command::new("node")
        .args(["--input-type=module", "--eval", WALK, "--", modules])
        .args([&file, &script_path])
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {errors}", case.name);
    let found = String::from_utf8(output.stdout).unwrap();
    for (number, (found, answer)) in found.lines().zip(answers.lines()).enumerate() {
        let place = (number / TICKS, number % TICKS);
        assert_eq!(found, answer, "{}: walker and tick {place:?}", case.name);
    }
    assert_eq!(found.lines().count(), WALKERS as usize * TICKS);
    n_met
}

#[test]
fn walkers_are_where_the_runtime_has_them() {
    if Command::new("node").arg("--version").output().is_err() {
        return skip("agents in JavaScript: no node on the PATH");
    }
    let folder = TempDir::new().unwrap();
    let n_met: usize = sample_cases()
        .iter()
        .map(|case| check(case, folder.path()))
        .sum();
    assert!(n_met > 5_000, "only {n_met} ticks met something");
}
