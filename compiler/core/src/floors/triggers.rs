//! Part of stage 5, floors: finds triggers, the brush models that are teleporters and jump pads or hurt agents, and
//! expands their brushes for each hull like those of the world. Lava and the like count as triggers that hurt. Entities
//! and brushes go in; the regions in which an agent touches a trigger, and where the trigger sends it, come out. The
//! classes and keys are those of Quake and Quake III.

use glam::DVec3;
use onion_geometry::{Bounds, Cell, PlaneId, PlaneSet};
use onion_maps::entities::vector;
use onion_maps::{Map, MapModel, Warning};

use crate::brush::ModelBrushes;
use crate::expand;
use crate::hull::{AgentSpec, HullSpec, classes};
use crate::id::HullIndex;
use crate::options::CompileOptions;
use crate::tolerance::{HOVERING, WET};

/// A brush model that is a teleporter or a jump pad or hurts agents, or all brushes of the world that they avoid.
#[derive(Clone, Debug)]
pub struct Trigger {
    /// What it does with agents that touch it.
    pub effect: Effect,
    /// For each hull, the positions of an agent's origin at which the agent touches it.
    regions: Vec<Vec<Region>>,
}

/// What a trigger does with agents that touch it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Effect {
    /// It puts them at this position, that of its target, in units.
    Teleport(DVec3),
    /// It throws them along an arc whose highest point is this far from its start, in units: as far as the target is
    /// from the middle of the model.
    JumpPad(DVec3),
    /// It hurts them, so they keep out of it.
    Hurt,
}

/// A brush of a trigger, expanded.
#[derive(Clone, Debug)]
struct Region {
    sides: Vec<PlaneId>,
    /// Outward unit normal of each side, and its distance from the origin in units.
    faces: Vec<(DVec3, f64)>,
    bounds: Bounds,
}

impl Trigger {
    /// Returns the sides of its brushes for a hull, facing outward, and the box around each.
    pub fn brushes(&self, hull: HullIndex) -> impl Iterator<Item = (&[PlaneId], &Bounds)> {
        let regions = self.regions.get(hull.index()).into_iter().flatten();
        regions.map(|region| (&region.sides[..], &region.bounds))
    }

    /// Returns whether an agent of a hull touches the trigger while its origin moves along a segment, given by its two
    /// ends in units (Cyrus and Beck, 1978). Both ends may be the same.
    pub fn is_touched(&self, hull: usize, way: [[f64; 3]; 2]) -> bool {
        let [from, to] = way.map(DVec3::from_array);
        let mut regions = self.regions.get(hull).into_iter().flatten();
        regions.any(|region| {
            let [mut start, mut end] = [0.0, 1.0];
            for (normal, dist) in &region.faces {
                match [from, to].map(|at| normal.dot(at) - dist) {
                    [a, b] if a >= 0.0 && b >= 0.0 => return false,
                    [a, b] if a >= 0.0 => start = f64::max(start, a / (a - b)),
                    [a, b] if b >= 0.0 => end = f64::min(end, a / (a - b)),
                    _ => {}
                }
            }
            start < end
        })
    }
}

impl Effect {
    /// Returns how far the highest point of an agent's flight is from where a jump pad throws it, in units; for a
    /// others, 0.
    pub fn way(&self) -> DVec3 {
        match self {
            Self::JumpPad(way) => *way,
            Self::Teleport(_) | Self::Hurt => DVec3::ZERO,
        }
    }

    /// Returns the velocity with which a jump pad throws agents, in units per second, where they fall with `gravity`
    /// units per second squared; `None` for other triggers, or if its height is not above 0.
    pub fn velocity(&self, gravity: f64) -> Option<DVec3> {
        let Self::JumpPad(way) = self else {
            return None;
        };
        let seconds = (2.0 * way.z / gravity).sqrt();
        let horizontal = way.with_z(0.0) / seconds;
        (seconds > 0.0).then(|| horizontal.with_z(seconds * gravity))
    }
}

/// Returns the triggers of a map, in the order of its models, if the options ask for floors. Adds planes to the set,
/// and warnings for triggers that lead nowhere.
pub fn find(
    map: &Map,
    options: &CompileOptions,
    brushes: &[ModelBrushes],
    planes: &mut PlaneSet,
    warnings: &mut Vec<Warning>,
) -> Vec<Trigger> {
    if !options.floors {
        return Vec::new();
    }
    let hulls = Vec::from_iter(options.hulls.iter().map(touching));
    let mut triggers = vec![Trigger {
        effect: Effect::Hurt,
        regions: regions(&brushes[0], &wading(options), planes),
    }];
    for (model, brushes) in map.models.iter().zip(brushes) {
        let Some(number) = model.entity.filter(|_| !brushes.is_empty()) else {
            continue;
        };
        match effect(map, model, number as usize, brushes) {
            None => {}
            Some(Err(problem)) => warnings.push(Warning::new(
                format!("entity {number}"),
                format!("{problem}, so floors and links leave it out"),
            )),
            Some(Ok(effect)) => triggers.push(Trigger {
                effect,
                regions: regions(brushes, &hulls, planes),
            }),
        }
    }
    triggers
}

/// Returns a hull as it touches triggers: they stop nothing, whatever they are made of.
fn touching(hull: &HullSpec) -> HullSpec {
    let [x, y, z] = hull.maxs;
    HullSpec {
        contents: u32::MAX,
        maxs: [x, y, z + HOVERING],
        ..hull.clone()
    }
}

/// Returns what the hulls put into liquids, with the contents that their agents avoid: the feet under their origins, as
/// Quake III's players do.
fn wading(options: &CompileOptions) -> Vec<HullSpec> {
    let classes = classes(&options.hulls, &options.agents);
    let feet = |hull: &HullSpec| {
        let own = |class: &&AgentSpec| class.hulls.contains(&hull.name);
        let feet = hull.mins[2];
        HullSpec {
            mins: [0.0, 0.0, feet],
            maxs: [0.0, 0.0, feet + WET],
            sides: Vec::new(),
            contents: classes
                .iter()
                .find(own)
                .map_or(0, |class| class.abilities.avoid),
            ..hull.clone()
        }
    };
    options.hulls.iter().map(feet).collect()
}

/// The problem of a trigger whose brushes are elsewhere than the map has them.
const MOVED: &str = "its model has an origin";

/// Returns what the entity of a model does with agents that touch it, or what is wrong with it; `None` for all other
/// classes.
fn effect(
    map: &Map,
    model: &MapModel,
    entity: usize,
    brushes: &ModelBrushes,
) -> Option<Result<Effect, &'static str>> {
    let entity = map.entities.get(entity)?;
    let class = entity.get("classname")?;
    let is_moved = model.origin != [0.0; 3];
    if class == "trigger_hurt" {
        return Some(if is_moved {
            Err(MOVED)
        } else {
            Ok(Effect::Hurt)
        });
    }
    let is_teleporter = class == "trigger_teleport";
    if !is_teleporter && class != "trigger_push" {
        return None;
    }
    // Without one, Half-Life's trigger_push is a wind.
    let target = entity.get("target")?;
    let corners = brushes.iter().flat_map(|brush| brush.cell.vertices());
    let Bounds { mins, maxs } = Bounds::of(corners.map(|corner| corner.position));
    let effect = place_of(map, target).map(|place| match is_teleporter {
        true => Effect::Teleport(place),
        false => Effect::JumpPad(place - (mins + maxs) / 2.0),
    });
    Some(effect.and_then(|effect| match is_moved {
        true => Err(MOVED),
        false => Ok(effect),
    }))
}

/// Returns the place of the entity with a name.
fn place_of(map: &Map, name: &str) -> Result<DVec3, &'static str> {
    let named = map.entities.iter().filter(|entity| {
        let own = entity.get("targetname");
        own.is_some_and(|own| own == name)
    });
    let places = named.filter_map(|entity| vector(entity.get("origin")?));
    match Vec::from_iter(places)[..] {
        [] => Err("nothing at a point has its target as a name"),
        [place] => Ok(DVec3::from_array(place.map(f64::from))),
        _ => Err("it leads to one of several places"),
    }
}

/// Returns where the origins of agents are that touch some brushes, for each hull.
fn regions(brushes: &ModelBrushes, hulls: &[HullSpec], planes: &mut PlaneSet) -> Vec<Vec<Region>> {
    let (_, cells) = expand::expand_model(brushes, hulls, planes);
    let planes = &*planes;
    let region = |cell: &Cell| Region {
        sides: cell.planes().collect(),
        faces: Vec::from_iter(
            cell.planes()
                .map(|side| (planes[side].normal, planes[side].dist)),
        ),
        bounds: cell.bounds(),
    };
    let of_hull = |cells: &Vec<Cell>| cells.iter().map(region).collect();
    cells.iter().map(of_hull).collect()
}
