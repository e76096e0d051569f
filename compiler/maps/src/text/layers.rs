//! Leaves out the layers that TrenchBroom leaves out of an export, those with `_tb_layer_omit_from_export`, with all of
//! their entities. Layers and groups are entities with a `_tb_type` and a `_tb_id`. An entity or a group refers by id
//! to the layer or group that contains it. If that does not exist, it is in the default layer, whose keys are those of
//! worldspawn.

use std::collections::HashMap;

use super::syntax::TextEntity;
use crate::parts::MapEntity;

/// The key of a layer that is left out.
const OMIT: &str = "_tb_layer_omit_from_export";

/// Removes the entities of layers that are left out. Worldspawn stays, without its brushes.
pub fn leave_out(entities: &mut Vec<TextEntity>) {
    let layers = Layers::of(entities);
    let omitted = entities.iter().map(|entity| layers.omit(&entity.keys));
    let mut omitted = omitted.collect::<Vec<bool>>().into_iter();
    entities.retain_mut(|entity| {
        let is_omitted = omitted.next() == Some(true);
        if is_omitted {
            entity.brushes.clear();
            entity.patches.clear();
        }
        !is_omitted || is_world(&entity.keys)
    });
}

/// All layers, with whether each is left out, and all groups.
struct Layers<'a> {
    omitted: HashMap<&'a str, bool>,
    omits_default: bool,
    groups: HashMap<&'a str, &'a MapEntity>,
}

impl<'a> Layers<'a> {
    fn of(entities: &'a [TextEntity]) -> Self {
        let all = || entities.iter().map(|entity| &entity.keys);
        let of_type = |kind: &'static str| {
            let all = all().filter(move |keys| value(keys, "_tb_type") == Some(kind));
            all.filter_map(|keys| Some((value(keys, "_tb_id")?, keys)))
        };
        let layers = of_type("_tb_layer");
        Self {
            omitted: layers.map(|(id, keys)| (id, is_on(keys, OMIT))).collect(),
            omits_default: all().any(|keys| is_world(keys) && is_on(keys, OMIT)),
            groups: of_type("_tb_group").collect(),
        }
    }

    fn omit(&self, mut keys: &'a MapEntity) -> bool {
        if value(keys, "_tb_type") == Some("_tb_layer") {
            return is_on(keys, OMIT);
        }
        // Groups that contain each other are in no layer.
        for _ in 0..=self.groups.len() {
            let layer = value(keys, "_tb_layer").and_then(|layer| self.omitted.get(layer));
            if let Some(&omitted) = layer {
                return omitted;
            }
            let group = value(keys, "_tb_group").and_then(|group| self.groups.get(group));
            let Some(group) = group else {
                break;
            };
            keys = group;
        }
        self.omits_default
    }
}

pub fn is_world(keys: &MapEntity) -> bool {
    value(keys, "classname") == Some("worldspawn")
}

fn value<'a>(keys: &'a MapEntity, key: &str) -> Option<&'a str> {
    keys.get(key).map(String::as_str)
}

/// Whether a key is set, and its value is neither empty nor `0`.
pub fn is_on(keys: &MapEntity, key: &str) -> bool {
    value(keys, key).is_some_and(|value| value != "0" && !value.is_empty())
}
