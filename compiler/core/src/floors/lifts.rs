//! Part of stage 5, floors: finds lifts, the brush models that go up when an agent steps onto them. Entities and
//! brushes go in; where an agent touches each lift that is down, and how far it goes up, come out. Class and keys
//! (`func_plat`) are those of the Quake family and Half-Life: in the map, a lift is up.

use onion_format::HULL_LIMIT;
use onion_geometry::{Bounds, PlaneSet};
use onion_maps::contents::Contents;
use onion_maps::{Map, MapEntity, Warning};

use super::volumes::Volume;
use crate::brush::ModelBrushes;
use crate::hull::HullSpec;
use crate::tolerance::HOVERING;

/// A lift goes up by this much less than its own height, in units, unless its entity says otherwise.
const LIP: f64 = 8.0;

/// A brush model that goes up when an agent steps onto it.
#[derive(Clone, Debug)]
pub struct Lift {
    /// Number of the model.
    pub model: usize,
    /// How far it goes up, in units.
    pub rise: f64,
    /// The box around its brushes when it is up, as in the map.
    pub top: Bounds,
    /// Where agents touch it when it is down.
    pub volume: Volume,
}

/// Returns the lifts of a map, in the order of its models. Adds planes to the set, and warnings for those left out.
pub fn find(
    map: &Map,
    hulls: &[HullSpec],
    brushes: &[ModelBrushes],
    planes: &mut PlaneSet,
    warnings: &mut Vec<Warning>,
) -> Vec<Lift> {
    let mut lifts = Vec::new();
    for (index, (model, brushes)) in map.models.iter().zip(brushes).enumerate() {
        let number = model.entity.filter(|_| !brushes.is_empty());
        let entity = number.and_then(|number| map.entities.get(number as usize));
        let Some(entity) = entity.filter(|entity| is_lift(entity)) else {
            continue;
        };
        let corners = brushes.iter().flat_map(|brush| brush.cell.vertices());
        let top = Bounds::of(corners.map(|corner| corner.position));
        let Some(rise) = rise(entity, &top) else {
            continue;
        };
        if model.origin != [0.0; 3] {
            let place = format!("entity {}", number.unwrap_or_default());
            let problem = "its model has an origin, so floors and links leave it out";
            warnings.push(Warning::new(place, problem));
            continue;
        }
        lifts.push(Lift {
            model: index,
            rise,
            top,
            volume: Volume::new(brushes, &raised(hulls, rise), planes),
        });
    }
    lifts
}

/// Returns whether an entity is a lift that agents start. One with a name is started by something else.
fn is_lift(entity: &MapEntity) -> bool {
    let class = entity.get("classname");
    class.is_some_and(|class| class == "func_plat") && !entity.contains_key("targetname")
}

/// Returns how far a lift goes up, in units, or `None` if it does not.
fn rise(entity: &MapEntity, top: &Bounds) -> Option<f64> {
    let number = |key: &str| entity.get(key)?.trim().parse::<f32>().ok().map(f64::from);
    let own = top.maxs.z - top.mins.z - number("lip").unwrap_or(LIP);
    let height = number("height").filter(|height| *height > 0.0);
    let rise = height.unwrap_or(own);
    (rise > 0.0 && rise < HULL_LIMIT).then_some(rise)
}

/// Returns hulls relative to a lift that is `rise` units lower than in the map.
fn raised(hulls: &[HullSpec], rise: f64) -> Vec<HullSpec> {
    let raised = |hull: &HullSpec| {
        let up = |[x, y, z]: [f32; 3], by: f32| [x, y, z + rise as f32 + by];
        HullSpec {
            contents: Contents::MAX,
            mins: up(hull.mins, 0.0),
            maxs: up(hull.maxs, HOVERING),
            ..hull.clone()
        }
    };
    hulls.iter().map(raised).collect()
}
