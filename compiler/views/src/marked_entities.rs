//! The entities of a compiled file that agents start from or are meant to get to, with their positions. Pictures mark
//! them, and reports name the nearest of them.

use glam::DVec3;
use onion_compiler::fill::seeds::Fill;
use onion_geometry::Bounds;
use onion_runtime::{Entity, OnionMap, Unsupported};

use crate::boxes;
use crate::items::{ItemFamily, begins};

/// The role of an entity for an agent. In pictures, marks of roles earlier in this list are above those of later ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MarkedKind {
    /// An entity that agents start from.
    Start,
    /// An entity that agents pick up.
    Item,
    /// A monster or another character.
    Monster,
    /// Another entity that agents get to, such as the destination of a teleporter.
    Target,
}

/// An entity with a position.
#[derive(Clone, Debug)]
pub struct MarkedEntity {
    /// Its number in the map.
    pub number: u32,
    /// Its `classname`.
    pub class: String,
    /// Its role, by its class.
    pub kind: MarkedKind,
    /// Its position, in units.
    pub place: DVec3,
    /// The box that an agent touches to take the item, relative to the position; a point for other entities.
    pub bounds: Bounds,
    /// The direction that it faces, in degrees from x to y.
    pub angle: f64,
}

/// Returns the entities of a file that agents start from or are meant to get to; empty if it has no entities.
pub fn reached<D: AsRef<[u8]>>(map: &OnionMap<D>) -> Vec<MarkedEntity> {
    let Ok(entities) = map.entities() else {
        return Vec::new();
    };
    let classes = Fill::default();
    let placed = entities.filter_map(|entity| placed(&entity));
    let named = placed.filter(|entity| classes.names(&entity.class));
    with_boxes_of_items(named.collect())
}

/// Returns all entities of a file that have a position; that of an entity with brushes is the middle of the box around
/// them, which is its box.
///
/// # Errors
/// The file holds no entities.
pub fn all<D: AsRef<[u8]>>(map: &OnionMap<D>) -> Result<Vec<MarkedEntity>, Unsupported> {
    let found = map
        .entities()?
        .filter_map(|entity| with_brushes(&entity).or_else(|| placed(&entity)));
    Ok(with_boxes_of_items(found.collect()))
}

/// Gives the items among some entities their boxes.
fn with_boxes_of_items(mut found: Vec<MarkedEntity>) -> Vec<MarkedEntity> {
    let game = ItemFamily::of(found.iter().map(|entity| entity.class.as_str()));
    let items = found.iter_mut().filter(|entity| {
        entity.kind == MarkedKind::Item && entity.bounds.mins == entity.bounds.maxs
    });
    items.for_each(|entity| entity.bounds = game.item(&entity.class));
    found
}

impl MarkedKind {
    /// Returns the role of entities of a class.
    fn of(class: &str) -> Self {
        let class = class.to_ascii_lowercase();
        let begins = |beginnings| begins(&class, beginnings);
        let starts = [
            "info_player",
            "info_spectator",
            "team_ctf_redplayer",
            "team_ctf_blueplayer",
        ];
        if begins(&starts) || class.contains("spawn") {
            Self::Start
        } else if begins(&["item_", "weapon_", "ammo_", "holdable_", "key_", "team_ctf"]) {
            Self::Item
        } else if begins(&["monster_"]) {
            Self::Monster
        } else {
            Self::Target
        }
    }
}

impl MarkedEntity {
    /// Returns the middle of its box, at the height of its origin.
    pub fn middle(&self) -> DVec3 {
        let Bounds { mins, maxs } = self.bounds;
        self.place + ((mins + maxs) / 2.0).with_z(0.0)
    }
}

/// Returns an entity with the box around its brushes, or `None` if it has none or no class.
fn with_brushes(entity: &Entity<'_>) -> Option<MarkedEntity> {
    let model = entity.model()?;
    let Bounds { mins, maxs } = boxes::of_model(&model);
    let half = (maxs - mins) / 2.0;
    let class = entity.get("classname")?;
    (half.max_element() > 0.0).then(|| MarkedEntity {
        number: entity.number(),
        class: class.to_owned(),
        kind: MarkedKind::of(class),
        place: boxes::vector(model.origin()) + mins + half,
        bounds: Bounds {
            mins: -half,
            maxs: half,
        },
        angle: 0.0,
    })
}

/// Returns an entity with its position, or `None` if it has no class or no origin of three finite numbers.
fn placed(entity: &Entity<'_>) -> Option<MarkedEntity> {
    let numbers = entity.get("origin")?.split_whitespace();
    let numbers: Vec<f64> = numbers.map_while(|word| word.parse().ok()).collect();
    let place = DVec3::from_array(<[f64; 3]>::try_from(numbers).ok()?);
    let class = entity.get("classname")?;
    let angle = entity.get("angle").and_then(|angle| angle.parse().ok());
    place.is_finite().then_some(MarkedEntity {
        number: entity.number(),
        class: class.to_owned(),
        kind: MarkedKind::of(class),
        place,
        bounds: boxes::ORIGIN,
        angle: angle.filter(|angle: &f64| angle.is_finite()).unwrap_or(0.0),
    })
}
