//! Seeds are the positions where agents enter the world, for each hull; space that no seed reaches is filled. This
//! module lists the classes of entities that have seeds.
//!
//! # Where a seed is
//! An agent seldom stands exactly where its entity does: items stand in floors, and Quake III lifts players by 9 units
//! when they start. So a seed is the entity's origin, lifted by the smallest integer number of units that frees the
//! hull. The lift is at most the distance from the box's origin down to its feet, as if the entity stood on the floor,
//! plus 9 units.

use onion_geometry::grid::DIST_ONE;
use onion_geometry::relation::{location, remainder};
use onion_geometry::{Cell, ExactPlane, Location, PlaneSet, PointH};
use onion_maps::{Map, PointEntity, Warning};

use crate::expand::HullSolid;
use crate::hull::HullSpec;
use crate::id::HullIndex;

/// The class of linked portals, where agents come out.
pub const LINKED_PORTAL: &str = "info_linked_portal";

/// The classes of entities where agents enter the world, in games of the Quake family; `*` stands for any ending.
/// Items, weapons and flags count because a player is meant to get there.
pub const CLASSES: [&str; 16] = [
    "info_player_*",
    "info_spectator_*",
    "info_teleport_destination",
    "misc_teleporter_dest",
    LINKED_PORTAL,
    "target_position",
    "team_*",
    "item_*",
    "weapon_*",
    "ammo_*",
    "holdable_*",
    "key_*",
    "monster_*",
    "dom_*",
    "nexball_*",
    "onslaught_*",
];

/// The part of the maximum lift of a seed beyond the distance from the box's origin to its feet, in units: the lift of
/// players in Quake III.
pub const EXTRA_LIFT: u32 = 9;

/// Whether unreachable space is filled, and the entities that agents start from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fill {
    /// Fill nothing.
    Off,
    /// Fill the space that cannot be reached from entities of these classes; `*` at the end of a class stands for any
    /// ending, and case does not matter.
    From(Vec<String>),
}

impl Default for Fill {
    fn default() -> Self {
        Self::From(CLASSES.map(str::to_owned).to_vec())
    }
}

impl Fill {
    /// Whether agents start from entities of a class.
    pub fn names(&self, class: &str) -> bool {
        let Self::From(classes) = self else {
            return false;
        };
        let class = class.to_ascii_lowercase();
        classes.iter().any(|pattern| {
            let pattern = pattern.to_ascii_lowercase();
            match pattern.strip_suffix('*') {
                Some(beginning) => class.starts_with(beginning),
                None => class == pattern,
            }
        })
    }
}

/// A position where an agent enters the world.
#[derive(Clone, Debug)]
pub struct Seed {
    /// The hull.
    pub hull: HullIndex,
    /// Number of the entity in the map.
    pub entity: usize,
    /// The position of the hull's origin; it may touch solid, but is not inside it.
    pub point: PointH,
}

/// Returns the seeds of all hulls in the world, ordered by hull and entity. Adds planes to the set where brushes meet
/// in a seed.
pub fn seeds(
    map: &Map,
    fill: &Fill,
    world: &[HullSolid],
    hulls: &[HullSpec],
    planes: &mut PlaneSet,
    warnings: &mut Vec<Warning>,
) -> Vec<Seed> {
    let origins = origins(map, fill, warnings);
    let mut seeds = Vec::new();
    for ((id, hull), solid) in HullIndex::first(hulls.len()).zip(hulls).zip(world) {
        for &(entity, origin) in &origins {
            seeds.extend(
                free_position(planes, solid, hull, origin).map(|position| Seed {
                    hull: id,
                    entity,
                    point: PointH::on_grid(position),
                }),
            );
        }
    }
    seeds
}

/// Returns the seeds of a cube that stands in for a hull without extent, a point, ordered by entity. At each seed of
/// the point, the cube is centered on it if it has room there. Otherwise it is placed wherever it has room with a
/// corner or the middle of an edge or a face at the seed.
pub fn seeds_of_cube(
    map: &Map,
    fill: &Fill,
    [(cube, in_cube), (point, in_point)]: [(&HullSpec, &HullSolid); 2],
    planes: &mut PlaneSet,
) -> Vec<Seed> {
    let mut seeds = Vec::new();
    // The same origins were already warned about for the point.
    for (entity, origin) in origins(map, fill, &mut Vec::new()) {
        let Some(position) = free_position(planes, in_point, point, origin) else {
            continue;
        };
        let mut positions = vec![position];
        if !is_free(planes, in_cube, position) {
            positions = positions_around(position, cube, point);
            positions.retain(|&position| is_free(planes, in_cube, position));
        }
        seeds.extend(positions.into_iter().map(|position| Seed {
            hull: HullIndex::FIRST,
            entity,
            point: PointH::on_grid(position),
        }));
    }
    seeds
}

/// Returns the positions of a cube in which, on each axis, its center or one of its sides is at a point.
fn positions_around(position: [i64; 3], cube: &HullSpec, point: &HullSpec) -> Vec<[i64; 3]> {
    let offsets = |axis: usize| {
        let below = point.mins[axis] - cube.mins[axis];
        let above = cube.maxs[axis] - point.maxs[axis];
        [0.0, below, -above].map(|units| (f64::from(units) * DIST_ONE as f64) as i64)
    };
    let [x, y, z] = [0, 1, 2].map(offsets);
    let moved = |number: usize| {
        let by = [x[number % 3], y[number / 3 % 3], z[number / 9]];
        std::array::from_fn(|axis| position[axis] + by[axis])
    };
    (0..27).map(moved).collect()
}

/// Returns the origins of the entities that agents start from, in 2^-36 units, each with the entity's number.
fn origins(map: &Map, fill: &Fill, warnings: &mut Vec<Warning>) -> Vec<(usize, [i64; 3])> {
    let entities = map.points.iter().filter(|point| fill.names(&point.class));
    let mut numbered = |entity: &PointEntity| Some((entity.number, grid_origin(entity, warnings)?));
    entities.filter_map(&mut numbered).collect()
}

/// Converts an origin to 2^-36 units, or warns and returns `None` if it is outside the world. Components from 2^-12 on
/// are converted exactly because they are f32; smaller ones are rounded.
fn grid_origin(entity: &PointEntity, warnings: &mut Vec<Warning>) -> Option<[i64; 3]> {
    let PointEntity { number, origin, .. } = entity;
    if !is_in_world(entity) {
        let message = "its origin is outside the world; no agent starts there";
        warnings.push(Warning::new(format!("entity {number}"), message));
        return None;
    }
    Some(origin.map(|at| (f64::from(at) * DIST_ONE as f64).round() as i64))
}

/// Whether an entity's origin is within the limit of coordinates. No agent starts from an entity outside it.
pub(super) fn is_in_world(entity: &PointEntity) -> bool {
    let mut origin = entity.origin.iter();
    origin.all(|&at| f64::from(at).abs() <= onion_format::WORLD_LIMIT)
}

/// Returns the lowest free position of a hull at or above an origin, in 2^-36 units, or `None` if it has no room.
fn free_position(
    planes: &mut PlaneSet,
    solid: &HullSolid,
    hull: &HullSpec,
    [x, y, z]: [i64; 3],
) -> Option<[i64; 3]> {
    let most = (-hull.mins[2]).max(0.0).ceil() as i64 + i64::from(EXTRA_LIFT);
    let mut positions = (0..=most).map(|lift| [x, y, z + lift * DIST_ONE]);
    positions.find(|&position| is_free(planes, solid, position))
}

/// Whether a point is not inside solid. If it lies on the surfaces of several brushes, these are cut out of a small box
/// around it; it is free if any remaining part touches it.
fn is_free(planes: &mut PlaneSet, solid: &HullSolid, position: [i64; 3]) -> bool {
    let point = PointH::on_grid(position);
    let mut touched = Vec::new();
    for number in solid.index.around(point.position) {
        let brush = &solid.brushes[number as usize];
        match location(planes, &point, brush.planes.iter().copied()) {
            Location::Back => return false,
            Location::On => touched.push(brush),
            Location::Front => {}
        }
    }
    if touched.len() < 2 {
        return true;
    }
    let mut rest = vec![box_around(planes, position)];
    for brush in touched {
        let sides = || brush.planes.iter().copied();
        let parts = rest.into_iter();
        rest = parts
            .flat_map(|part| remainder(planes, part, sides()))
            .collect();
    }
    let mut rest = rest.iter();
    rest.any(|part| location(planes, &point, part.planes()) != Location::Front)
}

/// Returns the cube with edges of two units around a point.
fn box_around(planes: &mut PlaneSet, position: [i64; 3]) -> Cell {
    let sides = std::array::from_fn(|side| {
        let (axis, forward) = (side / 2, side % 2 == 1);
        let outward = if forward {
            position[axis]
        } else {
            -position[axis]
        };
        planes.insert(ExactPlane::axial(axis, forward, outward + DIST_ONE))
    });
    Cell::from_box(planes, sides)
}
