//! Reports which space the hulls of a compiled file reach: entities without room, floors where a crouching agent fits
//! and a standing one does not, and, with the map, sealed pockets, leaks and gaps that leave a hull no room. In: a
//! file. Out: positions and boxes, for designers and tools.
//!
//! Floors are sampled on a grid with the runtime's own queries: areas are estimates, but each position is exact.

mod low;
mod place;
mod sealed;
mod seams;

use glam::DVec3;
use onion_compiler::error::VerifyError;
use onion_compiler::fill::seeds::{EXTRA_LIFT, LINKED_PORTAL};
use onion_compiler::options::arguments::recorded_stances;
use onion_format::HullSet;
use onion_geometry::Bounds;
use onion_runtime::{Hull, OnionMap};
use serde::Serialize;

use crate::boxes;
use crate::floors::{self, Floors};
use crate::marked_entities::{self, MarkedEntity, MarkedKind};
use crate::sample_grid::SampleGrid;
pub(crate) use place::nearest;
pub use place::{LowPlace, Near};
pub use sealed::{Pocket, SealedPockets, WayOut, sealed};
pub use seams::{Seam, SeamKind, seams};

/// Offsets from an item at which a hull is tried, as fractions of the distance at which their boxes touch; the first is
/// at the item.
const BESIDE_ITEM: [f64; 5] = [0.0, -0.5, 0.5, -0.9375, 0.9375];
/// Classes of entities at which agents appear, besides those from which they start.
const ARRIVALS: [&str; 3] = [
    "info_teleport_destination",
    "misc_teleporter_dest",
    LINKED_PORTAL,
];

/// The reach of the hulls of a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reach {
    /// Spacing of the grid's points, in units.
    pub step: f64,
    /// The hulls, in the order of the file.
    pub hulls: Vec<HullReach>,
    /// Entities that agents start from or get to, without room for some hulls, the most urgent first.
    pub stuck: Vec<Stuck>,
    /// Floors where a hull fits and a larger one does not, the largest first.
    pub low: Vec<LowPlace>,
    /// The sealed pockets of the map, and its leaks; `None` if the map was not examined.
    #[serde(flatten)]
    pub sealed: Option<SealedPockets>,
    /// Gaps that leave a hull no room, ordered by kind and then by area; `None` if the map was not examined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seams: Option<Vec<Seam>>,
}

/// The reach of a hull.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HullReach {
    /// Name of the hull.
    pub hull: String,
    /// Whether the space that it cannot reach is solid.
    pub filled: bool,
    /// Area of the floor on which it can stand, in square units; `None` if it is a point.
    pub floor: Option<f64>,
}

/// An entity without room.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stuck {
    /// Number of the entity in the map.
    pub entity: u32,
    /// Its class.
    pub class: String,
    /// Its position, in units.
    pub origin: [f64; 3],
    /// Whether agents appear there, at a start, from a teleporter or through a linked portal.
    pub is_arrival: bool,
    /// The hulls that have no room there.
    pub hulls: Vec<String>,
}

/// Examines a file.
///
/// # Errors
/// The file records options that are not a compiler's.
pub fn reach<D: AsRef<[u8]> + Sync>(map: &OnionMap<D>) -> Result<Reach, VerifyError> {
    let stances = recorded_stances(map)?;
    let grid = floors::grid_over(map);
    let entities = marked_entities::reached(map);
    let floors = map.hulls().map(|hull| {
        let has_floors = !is_point(&hull);
        has_floors.then(|| Floors::of(map, &hull, &grid))
    });
    let floors: Vec<Option<Floors>> = floors.collect();
    let hulls = map.hulls().zip(&floors).map(|(hull, floors)| HullReach {
        hull: hull.name.to_owned(),
        filled: hull.filled,
        floor: floors.as_ref().map(|floors| floors.area(&grid)),
    });
    Ok(Reach {
        step: grid.step,
        hulls: hulls.collect(),
        stuck: stuck(map, &entities),
        low: low_places(map, &stances, &floors, &grid, &entities),
        sealed: None,
        seams: None,
    })
}

/// Returns the floors where a hull stands and the next larger stance of its agent does not, for all hulls, the largest
/// first.
fn low_places<D: AsRef<[u8]>>(
    map: &OnionMap<D>,
    stances: &[HullSet],
    floors: &[Option<Floors>],
    grid: &SampleGrid,
    entities: &[MarkedEntity],
) -> Vec<LowPlace> {
    let pairs = larger_and_next(map, stances)
        .into_iter()
        .flat_map(|[larger, smaller]| {
            let [wide, fits] = [&larger, &smaller].map(|hull| floors[hull.id.index()].as_ref());
            let both = wide.zip(fits);
            let low = both.map(|(wide, fits)| low::without(fits, wide, [&larger, &smaller], grid));
            low.unwrap_or_default()
        });
    let mut low: Vec<LowPlace> = pairs.collect();
    for place in &mut low {
        place.near = nearest(entities, place.at);
    }
    low.sort_by(|one, other| other.area.total_cmp(&one.area));
    low
}

/// Whether a hull has no extent.
fn is_point(hull: &Hull<'_>) -> bool {
    hull.bounds.mins == hull.bounds.maxs
}

/// Returns pairs of a hull and the next smaller stance of the same agent.
fn larger_and_next<'a, D: AsRef<[u8]>>(
    map: &'a OnionMap<D>,
    stances: &[HullSet],
) -> Vec<[Hull<'a>; 2]> {
    let volume = |hull: &Hull<'_>| boxes::of_hull(hull).volume();
    let mut hulls: Vec<_> = map.hulls().filter(|hull| !is_point(hull)).collect();
    hulls.sort_by(|one, other| volume(other).total_cmp(&volume(one)));
    let pairs = hulls.iter().enumerate().filter_map(|(number, larger)| {
        let mut smaller = hulls[number + 1..].iter();
        let same = stances[larger.id.index()];
        let next = smaller.find(|smaller| same.contains(smaller.id.index()))?;
        Some([*larger, *next])
    });
    pairs.collect()
}

/// Returns the entities for which some hull has no room, the most urgent first.
fn stuck<D: AsRef<[u8]>>(map: &OnionMap<D>, entities: &[MarkedEntity]) -> Vec<Stuck> {
    let mut urgent: Vec<&MarkedEntity> = entities.iter().collect();
    urgent.sort_by_key(|entity| urgency(entity));
    let found = urgent.into_iter().map(|entity| {
        let hulls = map.hulls().filter(|hull| !has_room(map, hull, entity));
        Stuck {
            entity: entity.number,
            class: entity.class.clone(),
            origin: entity.place.to_array(),
            is_arrival: urgency(entity) == 0,
            hulls: hulls.map(|hull| hull.name.to_owned()).collect(),
        }
    });
    found.filter(|stuck| !stuck.hulls.is_empty()).collect()
}

/// Returns the rank of an entity: 0 where agents appear, 1 for items, 2 for monsters, 3 for others.
fn urgency(entity: &MarkedEntity) -> u8 {
    let is_arrival = ARRIVALS.contains(&entity.class.to_ascii_lowercase().as_str());
    match entity.kind {
        MarkedKind::Start => 0,
        MarkedKind::Target if is_arrival => 0,
        MarkedKind::Item => 1,
        MarkedKind::Monster => 2,
        MarkedKind::Target => 3,
    }
}

/// Whether a hull has room at an entity, lifted as fill lifts seeds, or at an item while touching its box.
fn has_room<D: AsRef<[u8]>>(map: &OnionMap<D>, hull: &Hull<'_>, entity: &MarkedEntity) -> bool {
    let most = f64::from(-hull.bounds.mins[2]).max(0.0).ceil() as u32 + EXTRA_LIFT;
    // In steps of a unit, as fill lifts seeds, so that both find the same entities stuck.
    let lifts = (0..=most).map(f64::from);
    let middle = entity.middle();
    let Bounds { mins, maxs } = boxes::touching(entity.bounds, boxes::of_hull(hull));
    let half = (maxs - mins) / 2.0;
    // Agents take an item by touching its box; they need not fit at its middle.
    let beside = match entity.kind {
        MarkedKind::Item => &BESIDE_ITEM[..],
        _ => &BESIDE_ITEM[..1],
    };
    let mut places = beside
        .iter()
        .flat_map(|&x| beside.iter().map(move |&y| [x, y]));
    places.any(|[x, y]| {
        let place = middle + DVec3::new(x * half.x, y * half.y, 0.0);
        let mut places = lifts.clone().map(|lift| place + DVec3::Z * lift);
        places.any(|place| !map.world().is_solid(hull.id, place.to_array()))
    })
}
