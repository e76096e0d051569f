//! The boxes of items, by game. An agent takes an item by touching its box. In Quake, boxes of ammunition and health
//! have a corner at the entity's origin; in other games, boxes are around the origin. A compiled file does not name its
//! game, but classes that only one game has identify it.

use glam::DVec3;
use onion_geometry::Bounds;

/// A family of games whose items have the same boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemFamily {
    /// Quake and mods of it.
    Quake,
    /// Half-Life and mods of it.
    HalfLife,
    /// Quake II, Quake III and games made from them.
    Other,
}

/// Prefixes of classes that only Quake has.
const QUAKE: [&str; 7] = [
    "item_armor1",
    "item_armor2",
    "item_armorinv",
    "item_spikes",
    "item_artifact_",
    "item_sigil",
    "weapon_supernailgun",
];
/// Prefixes of classes that only Half-Life has.
const HALF_LIFE: [&str; 7] = [
    "item_healthkit",
    "item_battery",
    "item_suit",
    "item_longjump",
    "weapon_9mm",
    "weapon_crowbar",
    "ammo_9mm",
];
/// Prefixes of Quake's classes whose box has a corner at the origin.
const AT_CORNER: [&str; 6] = [
    "item_health",
    "item_shells",
    "item_spikes",
    "item_rockets",
    "item_cells",
    "item_weapon",
];

impl ItemFamily {
    /// Returns the family of games that has entities of these classes.
    pub fn of<'a>(classes: impl Iterator<Item = &'a str>) -> Self {
        let mut classes = classes.map(str::to_ascii_lowercase);
        let game = classes.find_map(|class| {
            let is_quake = begins(&class, &QUAKE).then_some(Self::Quake);
            is_quake.or_else(|| begins(&class, &HALF_LIFE).then_some(Self::HalfLife))
        });
        game.unwrap_or(Self::Other)
    }

    /// Returns the box of an item around its origin, in units: in Quake as `items.qc` sets it, and 15 wider to each
    /// side along x and y (`SV_LinkEdict`); in Half-Life as `items.cpp`, `weapons.cpp` and `airtank.cpp` have it; in
    /// Quake II and III as `droptofloor` and `ITEM_RADIUS` have it.
    pub fn item(self, class: &str) -> Bounds {
        let class = class.to_ascii_lowercase();
        let [mins, maxs] = match self {
            Self::Quake if begins(&class, &AT_CORNER) => [[-15, -15, 0], [47, 47, 56]],
            Self::Quake if begins(&class, &["weapon_", "item_armor"]) => {
                [[-31, -31, 0], [31, 31, 56]]
            }
            Self::Quake => [[-31, -31, -24], [31, 31, 32]],
            Self::HalfLife if class.starts_with("weapon_") => [[-24, -24, 0], [24, 24, 16]],
            Self::HalfLife if class == "item_airtank" => [[-16, -16, 0], [16, 16, 36]],
            Self::HalfLife => [[-16, -16, 0], [16, 16, 16]],
            Self::Other => [[-15, -15, -15], [15, 15, 15]],
        };
        let [mins, maxs] = [mins, maxs].map(|corner| DVec3::from_array(corner.map(f64::from)));
        Bounds { mins, maxs }
    }
}

/// Whether a class begins with one of some texts.
pub fn begins(class: &str, beginnings: &[&str]) -> bool {
    beginnings
        .iter()
        .any(|beginning| class.starts_with(beginning))
}
