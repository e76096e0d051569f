//! Part of stage 5, floors: finds triggers, the brush models that are teleporters and jump pads or hurt agents, lifts,
//! liquids and ladders. Lava and the like count as triggers that hurt. Entities and brushes go in; where an agent
//! touches each, and where it is sent, come out. The classes and keys are those of Quake, Quake III and Half-Life.

use glam::DVec3;
use onion_geometry::{Bounds, PlaneSet};
use onion_maps::contents::{self, Contents};
use onion_maps::entities::vector;
use onion_maps::{Map, Warning};

use super::lifts::{self, Lift};
use super::volumes::Volume;
use crate::brush::ModelBrushes;
use crate::hull::{Abilities, AgentSpec, HullSpec, classes};
use crate::options::CompileOptions;
use crate::tolerance::{HOVERING, LADDER_REACH, WET};

/// The contents in which agents swim, unless they avoid them.
const LIQUIDS: Contents = contents::WATER | contents::SLIME | contents::LAVA;

/// The triggers, lifts, liquids and ladders of a map.
#[derive(Clone, Debug, Default)]
pub struct Volumes {
    /// The triggers, in the order of the map's models, behind all brushes of the world that agents avoid.
    pub triggers: Vec<Trigger>,
    /// The lifts, in the order of the map's models.
    pub lifts: Vec<Lift>,
    /// The liquids in which an agent puts its feet.
    pub liquids: Volume,
    /// The ladders.
    pub ladders: Volume,
}

impl Volumes {
    /// Returns the volumes at whose borders floors end, and whether each hurts agents: triggers, and after them lifts.
    pub fn bordered(&self) -> impl Iterator<Item = (&Volume, bool)> {
        let triggers = self.triggers.iter();
        let triggers = triggers.map(|trigger| (&trigger.volume, trigger.effect == Effect::Hurt));
        triggers.chain(self.lifts.iter().map(|lift| (&lift.volume, false)))
    }
}

/// A brush model that is a teleporter or a jump pad or hurts agents, or all brushes of the world that they avoid.
#[derive(Clone, Debug)]
pub struct Trigger {
    /// Its effect on agents that touch it.
    pub effect: Effect,
    /// Where agents touch it.
    pub volume: Volume,
}

/// The effect of a trigger on agents that touch it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Effect {
    /// It puts them at this position, that of its target, in units.
    Teleport(DVec3),
    /// It throws them along an arc whose highest point is this far from its start, in units: as far as the target is
    /// from the middle of the model.
    JumpPad(DVec3),
    /// It hurts them, so they keep out of it.
    Hurt,
    /// It is a ladder.
    Climb,
}

impl Effect {
    /// Returns how far the highest point of an agent's flight is from where a jump pad throws it, in units; for
    /// others, 0.
    pub fn way(&self) -> DVec3 {
        match self {
            Self::JumpPad(way) => *way,
            _ => DVec3::ZERO,
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

/// Returns what agents touch in a map, if the options ask for floors. Adds planes to the set, and warnings for triggers
/// that lead nowhere.
pub fn find(
    map: &Map,
    options: &CompileOptions,
    brushes: &[ModelBrushes],
    planes: &mut PlaneSet,
    warnings: &mut Vec<Warning>,
) -> Volumes {
    if !options.floors {
        return Volumes::default();
    }
    let hulls = &options.hulls;
    let classes = classes(hulls, &options.agents);
    let avoided = contents_of(hulls, &classes, |class| class.avoid);
    let liquid = contents_of(hulls, &classes, |class| LIQUIDS & !class.avoid);
    // An agent that avoids nothing does not mind being hurt.
    let hurting = contents_of(hulls, &classes, |class| match class.avoid {
        0 => 0,
        _ => Contents::MAX,
    });
    let [any, ladder] = [Contents::MAX, contents::LADDER].map(|own| vec![own; hulls.len()]);
    let mut volumes = Volumes {
        triggers: vec![Trigger {
            effect: Effect::Hurt,
            volume: Volume::new(&brushes[0], &feet(hulls, &avoided), planes),
        }],
        lifts: lifts::find(map, hulls, brushes, planes, warnings),
        liquids: Volume::new(&brushes[0], &feet(hulls, &liquid), planes),
        ladders: Volume::new(&brushes[0], &climbing(hulls, &ladder), planes),
    };
    let hurt = touching(hulls, &hurting);
    let [touching, climbing] = [touching(hulls, &any), climbing(hulls, &any)];
    for (model, brushes) in map.models.iter().zip(brushes) {
        let Some(number) = model.entity.filter(|_| !brushes.is_empty()) else {
            continue;
        };
        let problem = match effect(map, number as usize, brushes) {
            None => continue,
            Some(_) if model.origin != [0.0; 3] => "its model has an origin",
            Some(Err(problem)) => problem,
            Some(Ok(Effect::Climb)) => {
                volumes.ladders.add(Volume::new(brushes, &climbing, planes));
                continue;
            }
            Some(Ok(effect)) => {
                let touches = match effect {
                    Effect::Hurt => &hurt,
                    _ => &touching,
                };
                let volume = Volume::new(brushes, touches, planes);
                volumes.triggers.push(Trigger { effect, volume });
                continue;
            }
        };
        warnings.push(Warning::new(
            format!("entity {number}"),
            format!("{problem}, so floors and links leave it out"),
        ));
    }
    volumes
}

/// Returns contents for each hull, those that `contents` returns for its class; none for points without a class.
fn contents_of(
    hulls: &[HullSpec],
    classes: &[AgentSpec],
    contents: impl Fn(&Abilities) -> Contents,
) -> Vec<Contents> {
    let of = |hull: &HullSpec| {
        let mut own = classes.iter();
        let own = own.find(|class| class.hulls.contains(&hull.name));
        own.map_or(0, |class| contents(&class.abilities))
    };
    hulls.iter().map(of).collect()
}

/// Returns hulls as they touch triggers of some contents.
fn touching(hulls: &[HullSpec], contents: &[Contents]) -> Vec<HullSpec> {
    let touching = |(hull, &contents): (&HullSpec, &Contents)| {
        let [x, y, z] = hull.maxs;
        HullSpec {
            contents,
            maxs: [x, y, z + HOVERING],
            ..hull.clone()
        }
    };
    hulls.iter().zip(contents).map(touching).collect()
}

/// Returns the boxes around hulls as they reach ladders of some contents.
fn climbing(hulls: &[HullSpec], contents: &[Contents]) -> Vec<HullSpec> {
    let climbing = |(hull, &contents): (&HullSpec, &Contents)| {
        let ([west, south, low], [east, north, high]) = (hull.mins, hull.maxs);
        HullSpec {
            contents,
            mins: [west - LADDER_REACH, south - LADDER_REACH, low],
            maxs: [east + LADDER_REACH, north + LADDER_REACH, high],
            sides: Vec::new(),
            ..hull.clone()
        }
    };
    hulls.iter().zip(contents).map(climbing).collect()
}

/// Returns what the hulls put into liquids of some contents: the feet under their origins, as Quake III's players do.
fn feet(hulls: &[HullSpec], contents: &[Contents]) -> Vec<HullSpec> {
    let feet = |(hull, &contents): (&HullSpec, &Contents)| {
        let feet = hull.mins[2];
        HullSpec {
            contents,
            mins: [0.0, 0.0, feet],
            maxs: [0.0, 0.0, feet + WET],
            sides: Vec::new(),
            ..hull.clone()
        }
    };
    hulls.iter().zip(contents).map(feet).collect()
}

/// Returns what the entity of a model does with agents that touch it, or what is wrong with it; `None` for all other
/// classes.
fn effect(
    map: &Map,
    entity: usize,
    brushes: &ModelBrushes,
) -> Option<Result<Effect, &'static str>> {
    let entity = map.entities.get(entity)?;
    let class = entity.get("classname")?;
    match class.as_str() {
        "func_ladder" => return Some(Ok(Effect::Climb)),
        "trigger_hurt" => return Some(Ok(Effect::Hurt)),
        "trigger_teleport" | "trigger_push" => {}
        _ => return None,
    }
    // Without one, Half-Life's trigger_push is a wind.
    let target = entity.get("target")?;
    let corners = brushes.iter().flat_map(|brush| brush.cell.vertices());
    let Bounds { mins, maxs } = Bounds::of(corners.map(|corner| corner.position));
    Some(place_of(map, target).map(|place| match class.as_str() {
        "trigger_teleport" => Effect::Teleport(place),
        _ => Effect::JumpPad(place - (mins + maxs) / 2.0),
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
