//! Code that all readers of BSP files share: it makes sides from stored planes and finishes a map, that is, reads the
//! entities, puts each inline model where its entity places it, and collects warnings about oddities.

use crate::entities;
use crate::error::MapError;
use crate::game::Game;
use crate::parts::{Halfspace, Map, MapSide};
use crate::tolerance::NORMAL_SQUARED_ERROR;

/// Makes a side from a stored plane, given by its normal and distance; `place` describes the side for errors.
pub fn side(
    [a, b, c, dist]: [f32; 4],
    surface: u32,
    place: impl Fn() -> String,
) -> Result<MapSide, MapError> {
    let normal = [a, b, c];
    let length_squared: f32 = normal.iter().map(|component| component * component).sum();
    // Written so that NaN fails.
    if (length_squared - 1.0).abs() <= NORMAL_SQUARED_ERROR && dist.is_finite() {
        return Ok(MapSide {
            halfspace: Halfspace::stored(normal, dist),
            surface,
        });
    }
    let problem =
        format!("normal {normal:?} and distance {dist} are not a plane with a unit normal");
    Err(MapError::bad_number(place(), problem))
}

/// Reads the entities, moves each model to the origin that its entity gives, and sets the contents of models where the
/// game defines them for their entity's class; empty contents empty the model.
pub fn finish(map: &mut Map, entity_text: &[u8], game: &str) {
    let entities = entities::parse(entity_text, &mut map.warnings);
    entities::place(map, entities);
    let game = Game::built_in(game);
    for model in &mut map.models {
        let entity = model.entity.map(|number| &map.entities[number as usize]);
        let class = entity.and_then(|entity| entity.get("classname"));
        let Some(contents) = class.and_then(|class| game.entity(class).contents) else {
            continue;
        };
        if contents == 0 {
            model.brushes.clear();
            model.patches.clear();
        }
        for brush in &mut model.brushes {
            brush.contents = contents;
        }
        for patch in &mut model.patches {
            patch.contents = contents;
        }
    }
}

/// Returns the four letters with which a file begins and the version after them, or `None` if it is too short.
pub fn magic(bytes: &[u8]) -> Option<([u8; 4], i32)> {
    let (letters, rest) = bytes.split_first_chunk()?;
    Some((*letters, i32::from_le_bytes(*rest.first_chunk()?)))
}
