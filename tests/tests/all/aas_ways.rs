//! The ways of Quake III's bots as witnesses: van Waveren's compiler listed where a bot gets from one area of a map to
//! another. Each of these ways is looked for among our paths, and where there is none that is about as short, a simple
//! driver of this module tries to get there. If it does, our compiler or search should have found a way.

use std::collections::BTreeMap;
use std::fs;

use onion_compiler::Fill;
use onion_runtime::movement::{Agent, WalkSettings};
use onion_runtime::navigation::{Path, PathCosts, PathPoint, PathScratch};
use onion_runtime::{HullId, OnionMap};
use onion_tests::aas::{Aas, HULLS, Way, WayKind};
use onion_tests::effort::has_large_maps;
use onion_tests::fixtures::compiled;
use onion_tests::maps;
use onion_tests::oracle::HullWorld;
use onion_tests::skips::skip;
use onion_tests::subject::{self, OracleWorlds};
use onion_tests::triggers::Triggers;
use rayon::prelude::*;

/// Maps with bot files, each with the share of its executable ways that may be missing: as many as are missing now. The
/// goal is 1% on each. The first [`FEW`] are in every run.
const MAPS: [(&str, f64); 8] = [
    ("oa085/ps37ctf2", 0.005),
    ("oa088/oa_bases3", 0.0),
    ("oa088/aggressor", 0.0),
    ("oa088/am_lavaarena", 0.0025),
    ("oa088/mlca1", 0.008),
    ("oa088/pul1ctf", 0.0025),
    ("oa088/pxlfan", 0.0025),
    ("oa088/sleekgrinder", 0.0145),
];
const FEW: usize = 2;

/// The share of a map's ways that neither we nor the driver may have: with a worse driver, fewer ways would be missing.
const MOST_REFUTED: f64 = 0.01;
/// The share of a map's ways with both ends on floors, at least. Others start in triggers, water or the air.
const LEAST_ON_FLOORS: f64 = 0.85;
/// The share of a map's ways that start near their areas, at least: jump pads and teleporters start in their middle.
const LEAST_NEAR_AREAS: f64 = 0.9;

/// Bots jump off with [`JUMP`] where gravity is 800 units per second squared, and fall from the highest ledge of these
/// files, which is 853 units high.
const CLASS: &str = "bot:normal,crouch:jump=45.5625:drop=1024";
/// In units per second.
const JUMP: f32 = 270.0;

/// A place counts as on a floor that is no farther than this, in units: the areas of bot files end at other faces than
/// our floors. The driver has arrived within this distance as seen from above.
const NEAR: f64 = 24.0;
/// Nor may the floor be higher or lower than this, in units: a step.
const STEP: f64 = 18.0;
/// Bot files are rounded, so that their places may be so far below floors, in units.
const ROUNDED: f64 = 1.0;
/// A path may be this many units longer than twice the way as the crow flies: a way around a pillar is as good.
const DETOUR: f64 = 64.0;
/// Agents start this far above floors, in units: twice the margin of traces.
const HOVERS: f64 = 1.0 / 16.0;

/// Ticks per second of the driver.
const RATE: f64 = 60.0;
/// The driver gives up after this long beyond the time that the way takes at its speed, in seconds: twice the time of a
/// fall from the highest ledge.
const PATIENCE: f64 = 3.0;
/// The speeds of the driver, in units per second.
const SPEEDS: [f64; 6] = [320.0, 240.0, 160.0, 100.0, 60.0, 30.0];
/// How far before and beside the start of a way the driver starts, in units.
const BEFORE: [f64; 5] = [0.0, 8.0, 24.0, 48.0, 80.0];
const BESIDE: [f64; 5] = [0.0, 6.0, -6.0, 16.0, -16.0];

/// What became of a way.
#[derive(Clone, Debug, PartialEq)]
enum Fate {
    /// A path leads there.
    There,
    /// A longer path leads there, and the driver does not get there.
    Longer,
    /// No path leads there, and the driver does not get there.
    Refuted,
    /// The driver gets there, and no path leads there that is about as short: what is known of it.
    Missing(String),
    /// Its start or end is on no floor that paths start from.
    Off(Off),
}

/// Why the start or the end of a way is on no floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Off {
    /// It starts in a trigger, where the game takes agents along.
    Trigger,
    /// In water, lava or slime, where bots swim.
    Wet,
    /// A brush is there.
    Solid,
    /// No brush is there, but agents do not get there.
    Filled,
    /// The ground is too steep.
    Steep,
    /// There is no ground, or it belongs to a model.
    Air,
}

/// A map with what judges its ways.
struct Court {
    map: OnionMap<Vec<u8>>,
    hulls: [HullId; 2],
    triggers: Triggers,
    /// The oracle's world of the standing hull.
    world: HullWorld,
}

/// Memory for paths.
struct Memory(Vec<PathScratch>, Vec<PathPoint>);

/// A place of an agent's origin: on a floor, or where the driver stands.
#[derive(Clone, Copy, Debug)]
struct Place {
    at: [f64; 3],
    hull: HullId,
}

/// How the driver goes: its speed in units per second, and how far it runs before it jumps, in units.
#[derive(Clone, Copy)]
struct Drive {
    speed: f64,
    jumps_after: Option<f64>,
}

impl Court {
    fn new(bytes: &[u8]) -> Self {
        let parsed = subject::parse(bytes);
        let file = compiled(&parsed, &HULLS, |options| {
            options.fill = Fill::default();
            options.floors = true;
            options.agents = vec![CLASS.parse().unwrap()];
        });
        let map = OnionMap::from_bytes(file.bytes).unwrap();
        let oracle = OracleWorlds::new(bytes, &parsed);
        Self {
            hulls: ["normal", "crouch"].map(|name| map.find_hull(name).unwrap()),
            triggers: Triggers::new(bytes, &parsed.entities, &map),
            world: oracle.world(0, &subject::hulls(&HULLS)[0]),
            map,
        }
    }

    fn memory(&self) -> Memory {
        Memory(
            vec![PathScratch::default(); self.map.path_scratch()],
            vec![PathPoint::default(); 1024],
        )
    }

    /// Returns the place on a floor for a position of a bot file: under it, or the nearest one.
    fn place(&self, at: [f64; 3]) -> Option<Place> {
        let [x, y, z] = at;
        let mut places = self.hulls.into_iter().filter_map(|hull| {
            let under = self.map.floor_at(hull, [x, y, z + ROUNDED], STEP + ROUNDED);
            let near = || self.map.nearest_floor(hull, at, NEAR);
            let (_, at) = under.or_else(near)?;
            Some(Place { at, hull })
        });
        places.find(|place| (place.at[2] - z).abs() <= STEP)
    }

    fn path(&self, from: &Place, to: &Place, memory: &mut Memory) -> Option<Path> {
        let Memory(scratch, points) = memory;
        let (hull, costs) = (self.hulls[0], PathCosts::default());
        let path = self.map.path(hull, from.at, to.at, &costs, scratch, points);
        path.ok()
    }

    fn is_in_trigger(&self, place: &Place) -> bool {
        let [x, y, z] = place.at;
        let index = place.hull.index();
        self.triggers
            .are_touched(index, [x, y, z + HOVERS], -HOVERS)
    }

    /// Why a position is on no floor.
    fn off(&self, [x, y, z]: [f64; 3]) -> Off {
        let (world, hull) = (self.map.world(), self.hulls[0]);
        let raised = [x, y, z + ROUNDED];
        if world.is_solid(hull, raised) {
            let is_brush = self.world.solid(raised, 0.0);
            return if is_brush { Off::Solid } else { Off::Filled };
        }
        let has_ground = world.trace(hull, raised, [x, y, z - STEP]).fraction < 1.0;
        if has_ground { Off::Steep } else { Off::Air }
    }

    fn judge(&self, way: &Way, memory: &mut Memory) -> Fate {
        let ends = [start_of(way), way.end];
        let [start, end] = match ends.map(|at| self.place(at).ok_or(at)) {
            [Ok(start), Ok(end)] => [start, end],
            _ if way.is_wet => return Fate::Off(Off::Wet),
            [Err(at), _] | [_, Err(at)] => return Fate::Off(self.off(at)),
        };
        if !way.kind.is_carried() && self.is_in_trigger(&start) {
            return Fate::Off(Off::Trigger);
        }
        let path = self.path(&start, &end, memory);
        if is_short(way, path, [start.at, end.at]) {
            return Fate::There;
        }
        let Some([from, rests]) = self.drive(way, [&start, &end], memory) else {
            return if path.is_some() {
                Fate::Longer
            } else {
                Fate::Refuted
            };
        };
        // The end may lie at the edge of a floor, so that paths to it go a long way back.
        if is_short(way, self.path(&start, &rests, memory), [start.at, rests.at]) {
            return Fate::There;
        }
        let length = path.map_or("none".to_owned(), |path| format!("{:.0}", path.length));
        let floors = [start, end].map(|place| {
            let near = self.map.nearest_floor(place.hull, place.at, ROUNDED);
            near.map_or(u32::MAX, |(floor, _)| floor.number)
        });
        let links = self.map.links_from(floors[0]);
        let direct = links.filter(|link| link.to == floors[1]);
        let direct = Vec::from_iter(direct.map(|link| link.kind));
        Fate::Missing(format!(
            "{:.1?} to {:.1?}, floors {floors:?}, links {direct:?}, path {length}, driven {:.1?} to {:.1?}",
            way.start, way.end, from.at, rests.at
        ))
    }

    /// Drives agents from the start of a way, or places near it to which paths lead, to its end. Returns the places
    /// where one started that got there, and where it then stands.
    fn drive(
        &self,
        way: &Way,
        [start, end]: [&Place; 2],
        memory: &mut Memory,
    ) -> Option<[Place; 2]> {
        let [dx, dy] = [0, 1].map(|axis| end.at[axis] - start.at[axis]);
        let length = dx.hypot(dy).max(f64::MIN_POSITIVE);
        let [dx, dy] = [dx / length, dy / length];
        let offsets = BESIDE
            .iter()
            .flat_map(|&side| BEFORE.map(|before| [before, side]));
        for [before, side] in offsets {
            let [x, y, z] = start.at;
            let [x, y] = [x - dx * before - dy * side, y - dy * before + dx * side];
            let from = if [before, side] == [0.0; 2] {
                *start
            } else if let Some((_, at)) =
                self.map.floor_at(start.hull, [x, y, z + STEP], 2.0 * STEP)
            {
                Place { at, ..*start }
            } else {
                continue;
            };
            let longest = 2.0 * before.hypot(side) + DETOUR;
            let run_up = self.path(start, &from, memory);
            let is_near = run_up.is_some_and(|path| path.length <= longest);
            if !way.kind.is_carried() && (!is_near || self.is_in_trigger(&from)) {
                continue;
            }
            // At the start of the way, or before it would leave the ground.
            let jumps: &[Option<f64>] = match way.kind {
                WayKind::BarrierJump | WayKind::Jump => &[Some(before), Some(f64::INFINITY), None],
                _ => &[None],
            };
            for &jumps_after in jumps {
                let drives = SPEEDS.map(|speed| Drive { speed, jumps_after });
                let mut rests = drives
                    .into_iter()
                    .filter_map(|drive| self.rest(way, [&from, end], drive));
                if let Some(rests) = rests.next() {
                    return Some([from, rests]);
                }
            }
            // The game takes agents along from everywhere in a trigger.
            if way.kind.is_carried() {
                break;
            }
        }
        None
    }

    /// Drives an agent straight from one place to another. Returns where it is when it has got there.
    fn rest(&self, way: &Way, [from, to]: [&Place; 2], mut drive: Drive) -> Option<Place> {
        let (world, settings, dt) = (self.map.world(), WalkSettings::default(), 1.0 / RATE);
        let [x, y, z] = from.at;
        let mut agent = Agent::new(from.hull, [x, y, z + HOVERS].map(|at| at as f32));
        agent.on_ground = agent.ground(&world, &settings);
        // The start of a short way must not count as its end.
        let is_high = (way.end[2] - way.start[2]).abs() > STEP;
        let near = if is_high {
            NEAR
        } else {
            NEAR.min(apart(way.start, way.end) / 2.0)
        };
        let lowest = from.at[2].min(to.at[2]) - 2.0 * STEP;
        let mut was_carried = !way.kind.is_carried();
        let n_ticks = (apart(from.at, to.at) / drive.speed + PATIENCE) * RATE;
        for _ in 0..n_ticks as usize {
            let at = agent.position.map(f64::from);
            let here = Place {
                at,
                hull: agent.stance,
            };
            let left = apart(at, to.at);
            let (is_there, has_ground) = (
                left <= near && (at[2] - to.at[2]).abs() <= STEP,
                agent.on_ground.is_some(),
            );
            if is_there && has_ground && was_carried {
                return Some(here);
            }
            if has_ground && at[2] < lowest {
                return None;
            }
            if way.kind.is_carried() {
                let before = agent;
                self.triggers.act(&self.map, &mut agent);
                was_carried |= agent != before;
            } else if self.is_in_trigger(&here) {
                return None;
            }
            let pace = drive.speed.min(left / dt) / left.max(f64::MIN_POSITIVE);
            let wish = match way.kind.is_carried() && agent.velocity[2] > 0.0 {
                // It lets itself be thrown.
                true => [agent.velocity[0], agent.velocity[1]],
                false => [0, 1].map(|axis| ((to.at[axis] - at[axis]) * pace) as f32),
            };
            if let Some(after) = drive.jumps_after.filter(|_| has_ground) {
                let mut next = agent;
                next.walk(&world, &settings, wish, dt as f32);
                let is_stopped = apart(next.position.map(f64::from), at) < drive.speed * dt / 2.0;
                if apart(from.at, at) >= after || next.on_ground.is_none() || is_stopped {
                    agent.velocity = [wish[0], wish[1], 0.0];
                    agent.jump(JUMP);
                    drive.jumps_after = None;
                }
            }
            agent.walk(&world, &settings, wish, dt as f32);
        }
        None
    }
}

/// Returns where a way starts: if the game takes bots along, on the ground of its area, because the file has the middle
/// of the trigger.
fn start_of(way: &Way) -> [f64; 3] {
    if !way.kind.is_carried() || !way.is_grounded {
        return way.start;
    }
    let [mins, maxs] = way.area;
    let [x, y] = [0, 1].map(|axis| way.start[axis].clamp(mins[axis], maxs[axis]));
    [x, y, mins[2]]
}

/// Whether a path from one end of a way to the other is about as short as the way: for a search, a jump or a drop costs
/// as much as a walk of some length, and the compiler makes no link where such a walk leads.
fn is_short(way: &Way, path: Option<Path>, [start, end]: [[f64; 3]; 2]) -> bool {
    let costs = PathCosts::default();
    let cost = match way.kind {
        WayKind::BarrierJump | WayKind::Jump => costs.jump,
        WayKind::Ledge => costs.drop,
        WayKind::Lift => costs.climb,
        _ => 0.0,
    };
    let straight = apart(start, end).hypot(end[2] - start[2]);
    let longest = 2.0 * straight + DETOUR + cost;
    path.is_some_and(|path| way.kind.is_carried() || path.length <= longest)
}

/// Returns the distance of two places as seen from above.
fn apart(a: [f64; 3], b: [f64; 3]) -> f64 {
    (b[0] - a[0]).hypot(b[1] - a[1])
}

/// Returns a map and its bot file, or `None`, listed as skipped, if they are absent.
fn files(name: &str) -> Option<(Vec<u8>, Aas)> {
    let path = maps::folder().join(name);
    let files = ["bsp", "aas"].map(|extension| fs::read(path.with_extension(extension)));
    let [Ok(map), Ok(bots)] = files else {
        skip(&format!(
            "the ways of bots: a map of OpenArena with its bot file, {name}"
        ));
        return None;
    };
    Some((map, Aas::new(&bots).unwrap()))
}

#[test]
fn bot_ways_start_near_their_areas() {
    for (name, _) in &MAPS[..FEW] {
        let Some((_, aas)) = files(name) else {
            continue;
        };
        let is_near = |way: &&Way| {
            let [mins, maxs] = way.area;
            let near = |axis: usize| mins[axis] - NEAR..=maxs[axis] + NEAR;
            (0..3).all(|axis| near(axis).contains(&way.start[axis]))
        };
        let n_near = aas.ways.iter().filter(is_near).count();
        assert!(
            n_near as f64 >= LEAST_NEAR_AREAS * aas.ways.len() as f64,
            "{name}: {n_near}"
        );
        assert!(
            aas.ways.iter().any(|way| way.kind == WayKind::Ledge),
            "{name}"
        );
    }
}

#[test]
fn paths_lead_where_bots_go() {
    let n_maps = if has_large_maps() { MAPS.len() } else { FEW };
    println!("map, kind: ways, there, longer, refuted, missing, off floors");
    for (name, most_missing) in &MAPS[..n_maps] {
        let Some((bytes, aas)) = files(name) else {
            continue;
        };
        let court = Court::new(&bytes);
        let ways = aas.ways.par_iter();
        let fates = ways.map_init(|| court.memory(), |memory, way| court.judge(way, memory));
        let fates: Vec<Fate> = fates.collect();
        let count = |is: &dyn Fn(&Way, &Fate) -> bool| {
            let both = aas.ways.iter().zip(&fates);
            both.filter(|(way, fate)| is(way, fate)).count()
        };
        for kind in WayKind::ALL {
            let of = |is: fn(&Fate) -> bool| count(&|way, fate| way.kind == kind && is(fate));
            let counts = [
                of(|_| true),
                of(|fate| *fate == Fate::There),
                of(|fate| *fate == Fate::Longer),
                of(|fate| *fate == Fate::Refuted),
                of(|fate| matches!(fate, Fate::Missing(_))),
                of(|fate| matches!(fate, Fate::Off(_))),
            ];
            println!(
                "{name}, {kind:?}: {counts:?} {:?}",
                offs(&aas, &fates, kind)
            );
        }
        for (way, fate) in aas.ways.iter().zip(&fates) {
            if let Fate::Missing(what) = fate {
                println!("missing: {name}, {:?}: {what}", way.kind);
            }
        }
        let n_ways = fates.len() as f64;
        let n_there = count(&|_, fate| *fate == Fate::There);
        let n_missing = count(&|_, fate| matches!(fate, Fate::Missing(_)));
        let n_refuted = count(&|_, fate| matches!(fate, Fate::Longer | Fate::Refuted));
        let missing = n_missing as f64 / (n_missing + n_there) as f64;
        println!("{name}: {:.2}% are missing", 100.0 * missing);
        assert!(missing <= *most_missing, "{name}: {missing}");
        assert!(
            n_refuted as f64 <= MOST_REFUTED * n_ways,
            "{name}: {n_refuted}"
        );
        let n_on_floors = (n_there + n_missing + n_refuted) as f64;
        assert!(
            n_on_floors >= LEAST_ON_FLOORS * n_ways,
            "{name}: {n_on_floors}"
        );
    }
}

/// Returns how many ways of a kind are on no floor, for each reason.
fn offs(aas: &Aas, fates: &[Fate], kind: WayKind) -> BTreeMap<Off, usize> {
    let mut counts = BTreeMap::new();
    for (way, fate) in aas.ways.iter().zip(fates) {
        if let Fate::Off(why) = fate
            && way.kind == kind
        {
            *counts.entry(*why).or_insert(0) += 1;
        }
    }
    counts
}
