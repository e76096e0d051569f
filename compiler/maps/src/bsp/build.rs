//! Code that all readers of BSP files share: it makes sides from stored planes and finishes a map, that is, reads the
//! entities, puts each inline model where its entity places it, and collects warnings about oddities.

use super::lumps::{f32s, i32s};
use crate::contents::Contents;
use crate::entities;
use crate::error::MapError;
use crate::game::Game;
use crate::parts::{Halfspace, Map, MapModel, MapSide};

/// Largest deviation of a stored normal's squared length from 1.
const NORMAL_SQUARED_ERROR: f32 = 2.0 * onion_format::NORMAL_LENGTH_ERROR as f32;

/// Makes a side from a stored plane, which begins with normal and distance; `number` is the plane's.
pub fn side(plane: &[u8], number: i64, surface: u32) -> Result<MapSide, MapError> {
    let [a, b, c, dist] = f32s(plane, 0);
    side_of([a, b, c], dist, surface).ok_or_else(|| MapError::BadNumber {
        place: format!("plane {number}"),
        what: format!(
            "normal {:?} and distance {dist} are not a plane with a unit normal",
            [a, b, c]
        ),
    })
}

/// Makes a side, or returns `None` if the numbers are not those of a plane with a unit normal.
pub fn side_of(normal: [f32; 3], dist: f32, surface: u32) -> Option<MapSide> {
    let length_squared: f32 = normal.iter().map(|component| component * component).sum();
    // Written so that NaN fails.
    let is_plane = (length_squared - 1.0).abs() <= NORMAL_SQUARED_ERROR && dist.is_finite();
    is_plane.then(|| MapSide {
        halfspace: Halfspace::stored(normal, dist),
        surface,
    })
}

/// Reads the entities, moves each model to the origin that its entity gives, and sets the contents of models where
/// the game defines them for their entity's class.
pub fn finish(map: &mut Map, entity_text: &[u8], game: &str) {
    let entities = entities::parse(entity_text, &mut map.warnings);
    entities::place_models(map, &entities);
    let Some(game) = Game::named(game) else {
        unreachable!("{game} is built in");
    };
    for model in &mut map.models {
        let entity = model
            .entity
            .and_then(|number| entities.get(number as usize));
        let class = entity.and_then(|entity| entity.get("classname"));
        if let Some(contents) = class.and_then(|class| game.entity(class).contents) {
            make_of(model, contents);
        }
    }
    map.points = entities::points(&entities, &mut map.warnings);
    map.entities = entities;
}

/// Sets the contents of a model, regardless of its brushes and patches; empty contents empty the model.
fn make_of(model: &mut MapModel, contents: Contents) {
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

/// Returns the four letters with which a file begins and the version after them, or `None` if it is too short.
pub fn magic(bytes: &[u8]) -> Option<([u8; 4], i32)> {
    let start = bytes.first_chunk::<8>()?;
    let [version] = i32s(start, 4);
    Some(([start[0], start[1], start[2], start[3]], version))
}
