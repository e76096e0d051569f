//! Stage 14, links, finds the ways between floors: for each class of agents, lines on floors and the floors beyond
//! them. The runtime's own agent is driven across each on the finished file, and a way that it does not take is not
//! written (Golodetz, section 4, names the walking links of a navigation mesh; van Waveren's areas have the other
//! kinds).

mod arc;
mod beyond;
mod carried;
mod climbs;
mod corners;
mod depth;
mod detour;
mod drive;
mod edge;
mod ground;
mod landings;
mod lifts;
mod line;
mod piece;
mod upright;
mod way;
mod ways;

use onion_format::{AgentRecord, HullSet, LinkRecord};
use onion_runtime::OnionMap;
use onion_runtime::movement::WalkSettings;
use onion_runtime::navigation::AgentClass;
use rayon::prelude::*;

use crate::error::CompileError;
use crate::floors::triggers::Volumes;
use crate::hull::{self, HullSpec};
use crate::options::CompileOptions;
use crate::serialize::{OnionFile, padded};
use edge::Edge;
use ground::Ground;

/// Appends the classes of agents and their links to a file with floors, given the volumes of its map.
///
/// # Errors
/// The file does not load, which is a bug.
pub(crate) fn links(
    options: &CompileOptions,
    file: OnionFile,
    volumes: &Volumes,
) -> Result<OnionFile, CompileError> {
    if !options.floors {
        return Ok(file);
    }
    let map = OnionMap::from_bytes(&file.bytes).map_err(CompileError::SelfCheck)?;
    let (agents, links) = found(&map, options, volumes);
    let n_floors = map.inspect().floors().len();
    file.with_links(&agents, n_floors, &links)
}

/// Returns the classes of agents and the links of a file with floors, with the numbers of the floors that they leave,
/// in the order of these.
pub(crate) fn found<D: AsRef<[u8]> + Sync>(
    map: &OnionMap<D>,
    options: &CompileOptions,
    volumes: &Volumes,
) -> (Vec<AgentRecord>, Vec<(u32, LinkRecord)>) {
    let classes = hull::classes(&options.hulls, &options.agents);
    let records = classes.iter().map(|class| record(class, &options.hulls));
    let records = Vec::from_iter(records);
    let mut links = Vec::new();
    for (number, record) in (0..).zip(&records) {
        let ground = lifts::found(map, Ground::new(map, class_of(number, record), volumes));
        let edges = ground
            .floors
            .par_iter()
            .map(|floor| ways::walking(&ground, floor));
        let edges: Vec<_> = edges.collect();
        let of_floor =
            |edges: &Vec<Edge>| edges.iter().flat_map(|edge| edge.walks.clone()).collect();
        let walks = Vec::from_iter(edges.iter().map(of_floor));
        let floors = (0..edges.len()).into_par_iter();
        links.par_extend(floors.flat_map_iter(|floor| ways::from(&ground, &walks, &edges, floor)));
    }
    // Stable, so that the links of a floor keep the order in which they were found.
    links.sort_by_key(|&(from, _): &(u32, LinkRecord)| from);
    (records, links)
}

/// Returns the record of a class.
fn record(class: &hull::AgentSpec, hulls: &[HullSpec]) -> AgentRecord {
    let numbers = hulls.iter().enumerate();
    let own = numbers.filter(|(_, hull)| class.hulls.contains(&hull.name));
    let own: HullSet = own.map(|(number, _)| number).collect();
    let abilities = class.abilities;
    AgentRecord {
        name: padded(class.name.as_bytes()),
        hulls: own.bits(),
        speed: abilities.speed,
        step: abilities.step,
        jump: abilities.jump,
        drop: abilities.drop,
        min_ground_z: abilities.slope,
        gravity: abilities.gravity,
        swim: abilities.swim,
        climb: abilities.climb,
    }
}

/// Returns a class as the runtime reads it.
fn class_of(number: u32, record: &AgentRecord) -> AgentClass {
    AgentClass {
        number,
        hulls: HullSet::from_bits(record.hulls),
        speed: f64::from(record.speed),
        jump: f64::from(record.jump),
        drop: f64::from(record.drop),
        swim: f64::from(record.swim),
        climb: f64::from(record.climb),
        settings: WalkSettings {
            step_height: record.step,
            min_ground_z: record.min_ground_z,
            gravity: record.gravity,
            ..WalkSettings::default()
        },
    }
}
