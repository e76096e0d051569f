//! Makes models from the entities of a text map, as map compilers do: entities that belong to the world are merged into
//! it, every other entity with brushes or patches becomes a model that the entity shows, and origin brushes set the
//! origin of such a model.

use super::brush::{MadeOf, Materials, brush, origin_of, patch};
use super::decimal::Decimal;
use super::layers::{self, is_on, is_world};
use super::syntax::{MapText, TextEntity};
use crate::contents::{self, Contents};
use crate::entities;
use crate::game::Game;
use crate::parts::{Map, MapEntity, MapModel, Warning};

/// Maximum length of a key's value without a warning, in bytes; engines read far less.
const LONG_VALUE: usize = 1 << 16;

/// The key with which an entity sets the contents of its brushes.
const CONTENTS_KEY: &str = "_contents";

/// The key with which Half-Life's compilers let boxes pass an entity's brushes.
const NOCLIP_KEY: &str = "zhlt_noclip";

/// Keys of other compilers that choose other brushes or other hulls for them to block, with advice on each.
const FOREIGN_KEYS: [(&str, &str); 2] = [
    ("_hulls", "choose hulls with \"_contents\""),
    (
        "zhlt_usemodel",
        "its own brushes are compiled, not the model that it names",
    ),
];

/// Makes a map from a text; `line` returns the number of the line that contains a byte.
pub fn build<'a>(mut text: MapText<'a>, game: &'a Game, line: &'a dyn Fn(usize) -> usize) -> Map {
    layers::leave_out(&mut text.entities);
    let mut builder = Builder {
        materials: Materials::new(game),
        game,
        line,
        models: vec![MapModel::default()],
        warnings: Vec::new(),
        worlds: worlds(&text.entities),
    };
    if let Some(&second) = builder.worlds.get(1) {
        let message = "another worldspawn; its brushes belong to the world too";
        let (place, at) = (format!("entity {second}"), text.entities[second].at);
        builder.warn(&place, at, message);
    }
    for (at, kind) in &text.unknown {
        let message = format!("{kind:?} is not a kind of brush or patch; left out");
        builder.warn("a part of an entity", *at, &message);
    }
    let entities = text.entities.iter().enumerate();
    let entities = entities.map(|(number, entity)| builder.entity(number, entity));
    let entities: Vec<MapEntity> = entities.collect();
    let mut map = Map {
        models: builder.models,
        surfaces: builder.materials.surfaces(),
        warnings: builder.warnings,
        ..Map::default()
    };
    entities::place(&mut map, entities);
    map
}

struct Builder<'a> {
    game: &'a Game,
    line: &'a dyn Fn(usize) -> usize,
    materials: Materials<'a>,
    models: Vec<MapModel>,
    warnings: Vec<Warning>,
    /// The numbers of the entities whose brushes belong to the world, in order.
    worlds: Vec<usize>,
}

/// Returns the numbers of the entities of class worldspawn or, if there are none, of the first entity, as map compilers
/// do.
fn worlds(entities: &[TextEntity]) -> Vec<usize> {
    let worlds = (0..entities.len()).filter(|&number| is_world(&entities[number].keys));
    let worlds: Vec<usize> = worlds.collect();
    if worlds.is_empty() { vec![0] } else { worlds }
}

impl<'a> Builder<'a> {
    /// Takes the brushes of an entity, and returns its keys as a compiled map has them.
    fn entity(&mut self, number: usize, entity: &TextEntity<'a>) -> MapEntity {
        let name = format!("entity {number}");
        self.check_keys(&name, entity);
        let mut keys = entity.keys.clone();
        let has_brushes = !entity.brushes.is_empty() || !entity.patches.is_empty();
        if is_on(&keys, "_omitbrushes") {
            return keys;
        }
        let class = keys.get("classname").map_or("", String::as_str);
        let rule = self.game.entity(class);
        let made_of = MadeOf {
            contents: self.contents(&name, entity).or(rule.contents),
            noclip: is_on(&keys, NOCLIP_KEY),
        };
        if self.worlds.binary_search(&number).is_ok() || rule.world {
            self.add(0, entity, made_of, [Decimal::ZERO; 3]);
        } else if has_brushes {
            if class.is_empty() {
                let message = "it has brushes and no classname; compiled as a model";
                self.warn(&name, entity.at, message);
            }
            let model = self.models.len();
            self.models.push(MapModel::default());
            let origin = self.origin(&name, entity, &mut keys);
            self.add(model, entity, made_of, origin.unwrap_or([Decimal::ZERO; 3]));
            keys.insert("model".to_owned(), format!("*{model}"));
        }
        keys
    }

    fn check_keys(&mut self, name: &str, entity: &TextEntity) {
        for (key, value) in &entity.keys {
            if value.len() > LONG_VALUE {
                let message = format!("its key {key:?} has {} bytes", value.len());
                self.warn(name, entity.at, &message);
            }
            if let Some((_, advice)) = FOREIGN_KEYS.iter().find(|(foreign, _)| foreign == key) {
                let message = format!("its key {key:?} is not read; {advice}");
                self.warn(name, entity.at, &message);
            }
        }
    }

    /// Returns the contents that the mapper sets for an entity's brushes, regardless of its class and textures.
    fn contents(&mut self, name: &str, entity: &TextEntity) -> Option<Contents> {
        let names = entity.keys.get(CONTENTS_KEY)?;
        let contents = contents::from_names_or_none(&names.to_ascii_lowercase());
        let warn = |error: &String| {
            let message = format!("its key {CONTENTS_KEY:?} is ignored: {error}");
            self.warn(name, entity.at, &message);
        };
        contents.inspect_err(warn).ok()
    }

    /// Returns the origin of a model: the middle of its origin brush, which is then written to its key, or the value of
    /// its key.
    fn origin(
        &mut self,
        name: &str,
        entity: &TextEntity<'a>,
        keys: &mut MapEntity,
    ) -> Option<[Decimal; 3]> {
        let brushes = entity.brushes.iter();
        let mut origins = brushes.filter(|brush| self.materials.is_origin(brush));
        if let Some(brush) = origins.next() {
            if origins.next().is_some() {
                let message = "several origin brushes; the first one counts";
                self.warn(name, entity.at, message);
            }
            if let Some(center) = origin_of(brush) {
                let text = center.map(|number| number.to_string()).join(" ");
                keys.insert("origin".to_owned(), text);
                return Some(center);
            }
            let message = "its origin brush encloses no volume; ignored";
            self.warn(name, brush.at, message);
        }
        let numbers = keys.get("origin")?.split_whitespace();
        let numbers = numbers.map(|number| Decimal::parse(number.as_bytes()));
        numbers.collect::<Option<Vec<_>>>()?.try_into().ok()
    }

    /// Adds the brushes and patches of an entity to a model, around an origin.
    fn add(
        &mut self,
        model: usize,
        entity: &TextEntity<'a>,
        made_of: MadeOf,
        origin: [Decimal; 3],
    ) {
        for text in &entity.brushes {
            match brush(text, &mut self.materials, made_of, origin) {
                Ok(brush) => self.models[model].brushes.extend(brush),
                Err(message) => self.warn(&format!("brush {}", text.number), text.at, &message),
            }
        }
        for text in &entity.patches {
            match patch(text, &mut self.materials, made_of.contents, origin) {
                Ok(patch) => self.models[model].patches.extend(patch),
                Err(message) => self.warn(&format!("patch {}", text.number), text.at, &message),
            }
        }
    }

    fn warn(&mut self, what: &str, at: usize, message: &str) {
        let place = format!("{what}, line {}", (self.line)(at));
        self.warnings.push(Warning::new(place, message));
    }
}
