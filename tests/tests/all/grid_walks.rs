//! Walking links against a walk over a grid by traces of the box alone, which starts below the entities of a map: where
//! the box steps from one place to the next and back, it stands on floors, and links lead both ways.

use std::collections::{BTreeMap, HashMap, HashSet};

use onion_compiler::Fill;
use onion_runtime::{HullId, Model, OnionMap};
use onion_tests::cases::{Case, real_cases, sample_cases};
use onion_tests::fixtures::{assert_none_wrong, compiled};
use onion_tests::triggers::Triggers;
use rayon::prelude::*;

/// Distance between neighboring places, in units.
const GRID: f64 = 16.0;
/// How far a box steps up and down, in units, and the least z of the normals it stands on: those of Quake III.
const STEP: f64 = 18.0;
const MIN_GROUND_Z: f64 = 0.7;
/// How far below an entity the walk may start, in units.
const BELOW: f64 = 400.0;
/// Places above each other are farther apart than this, in units.
const SAME: f64 = 3.0;
/// The part of the places that may be on no floor: strips without width on lines of the grid.
const NO_FLOOR: f64 = 0.01;
/// Maps with steps over which no links lead, and how many there are: onto slivers of curved floors to which no wider
/// floor leads from there.
const WITHOUT_LINKS: [(&str, usize); 2] = [("oa_shouse.bsp", 19), ("islanddm.bsp", 43)];
/// A box moves from one place to the next in this many steps, as an agent does in its ticks: in a single one it would
/// cross slopes that are too steep to stand on.
const PARTS: i32 = 4;

/// The places that the box gets to, and the steps between them.
#[derive(Default)]
struct Walk {
    places: Vec<[f64; 3]>,
    steps: HashSet<[usize; 2]>,
    columns: BTreeMap<[i32; 2], Vec<usize>>,
}

impl Walk {
    /// Returns the number of the place in a column at a height, which is added if it is new.
    fn place(&mut self, column: [i32; 2], z: f64) -> usize {
        let places = &mut self.places;
        let numbers = self.columns.entry(column).or_default();
        let mut known = numbers.iter().copied();
        known
            .find(|&at| (places[at][2] - z).abs() < SAME)
            .unwrap_or_else(|| {
                let [x, y] = column.map(|at| f64::from(at) * GRID);
                places.push([x, y, z]);
                numbers.push(places.len() - 1);
                places.len() - 1
            })
    }

    /// Walks from the places below the entities of a map.
    fn new(map: &OnionMap<Vec<u8>>, hull: HullId, triggers: &Triggers) -> Self {
        let (world, mut walk) = (map.world(), Self::default());
        for entity in map.entities().unwrap() {
            let origin = entity.get("origin").unwrap_or_default().split(' ');
            let origin = Vec::from_iter(origin.filter_map(|at| at.parse::<f64>().ok()));
            let &[x, y, z] = &origin[..] else { continue };
            let column = [x, y].map(|at| (at / GRID).round() as i32);
            let [x, y] = column.map(|at| f64::from(at) * GRID);
            if let Some(height) = ground(&world, hull, [x, y, z + STEP / 2.0], BELOW) {
                walk.place(column, height);
            }
        }
        let mut number = 0;
        while number < walk.places.len() {
            let at = walk.places[number];
            let column = [at[0], at[1]].map(|along| (along / GRID) as i32);
            // The game takes a box along that touches a trigger.
            let is_free = !triggers.are_touched(hull.index(), at, -1.0);
            for [dx, dy] in [[1, 0], [-1, 0], [0, 1], [0, -1]]
                .into_iter()
                .filter(|_| is_free)
            {
                let [by_x, by_y] = [dx, dy].map(|by| f64::from(by) * GRID / f64::from(PARTS));
                let end = (0..PARTS).try_fold(at, |[x, y, z], _| {
                    let to = [x + by_x, y + by_y];
                    Some([to[0], to[1], step(&world, hull, [x, y, z], to)?])
                });
                if let Some([_, _, height]) = end {
                    let next = walk.place([column[0] + dx, column[1] + dy], height);
                    walk.steps.insert([number, next]);
                }
            }
            number += 1;
        }
        walk
    }
}

/// Returns the height of the ground below a free place.
fn ground(world: &Model<'_>, hull: HullId, from: [f64; 3], by: f64) -> Option<f64> {
    let [x, y, z] = from;
    let trace = world.trace(hull, from, [x, y, z - by]);
    let is_ground = !trace.start_solid && trace.plane?.normal[2] >= MIN_GROUND_Z;
    is_ground.then_some(trace.end_pos[2])
}

/// Moves the box across, or up, across and down. Returns the height where it stands.
fn step(world: &Model<'_>, hull: HullId, from: [f64; 3], [to_x, to_y]: [f64; 2]) -> Option<f64> {
    let [x, y, z] = from;
    let top = world.trace(hull, from, [x, y, z + STEP]).end_pos[2];
    let is_free = |z: &f64| world.trace(hull, [x, y, *z], [to_x, to_y, *z]).fraction >= 1.0;
    let height = [z, top].into_iter().find(is_free)?;
    ground(world, hull, [to_x, to_y, height], height - z + STEP)
}

/// Returns the floors that links lead to from a floor. From floors that are too narrow to walk along, none lead on.
fn reached(map: &OnionMap<Vec<u8>>, from: u32) -> HashSet<u32> {
    let (mut found, mut open) = (HashSet::from([from]), vec![from]);
    while let Some(floor) = open.pop() {
        for link in map.links_from(floor) {
            if found.insert(link.to) && !link.only_to_goal {
                open.push(link.to);
            }
        }
    }
    found
}

/// Returns what is wrong with the floors and links of a map.
fn faults(case: &Case) -> Vec<String> {
    let file = compiled(&case.map, &["stand:16x56"], |options| {
        (options.fill, options.floors) = (Fill::default(), true);
        let walker = "walker:stand:jump=0:drop=0:swim=0:climb=0:avoid=none".parse();
        options.agents = vec![walker.unwrap()];
    });
    let map = OnionMap::from_bytes(file.bytes).unwrap();
    let hull = map.find_hull("stand").unwrap();
    let triggers = Triggers::new(&case.bytes, &case.map.entities, &map);
    let walk = Walk::new(&map, hull, &triggers);
    let floor_at = |at: &[f64; 3]| Some(map.floor_at(hull, *at, 1.0)?.0.number);
    let floors = Vec::from_iter(walk.places.iter().map(floor_at));
    let mut leads: HashMap<u32, HashSet<u32>> = HashMap::new();
    let both_ways = walk
        .steps
        .iter()
        .filter(|&&[a, b]| walk.steps.contains(&[b, a]));
    let (mut n_steps, mut wrong) = (0, Vec::new());
    for &[from, to] in both_ways {
        let (Some(start), Some(end)) = (floors[from], floors[to]) else {
            continue;
        };
        n_steps += 1;
        if !leads
            .entry(start)
            .or_insert_with(|| reached(&map, start))
            .contains(&end)
        {
            wrong.push(format!(
                "{}: {:?} to {:?}",
                case.name, walk.places[from], walk.places[to]
            ));
        }
    }
    let off = floors.iter().filter(|floor| floor.is_none()).count();
    let (n_places, n_wrong) = (floors.len(), wrong.len());
    println!(
        "{}: {n_wrong} of {n_steps} steps, {off} of {n_places} places on no floor",
        case.name
    );
    if off as f64 > NO_FLOOR * n_places as f64 {
        wrong.push(format!(
            "{}: {off} of {n_places} places on no floor",
            case.name
        ));
    } else if WITHOUT_LINKS.contains(&(&case.name, n_wrong)) {
        wrong.clear();
    }
    wrong
}

#[test]
fn links_lead_where_a_box_steps_on_a_grid() {
    let cases = Vec::from_iter(sample_cases().iter().chain(real_cases()));
    let wrong: Vec<String> = cases
        .par_iter()
        .flat_map_iter(|case| faults(case))
        .collect();
    assert_none_wrong("steps without links", &wrong);
}
