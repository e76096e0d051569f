//! Maps the contents of each game to ours, so that the hulls' defaults do the right thing for each game: [`SOLID`]
//! and [`PLAYERCLIP`] stop boxes, [`SOLID`] and [`SHOTCLIP`] stop points. Contents that stop agents but not shots are
//! clips. Contents that stop both are solid and also keep their own name. Bits that no query needs are dropped,
//! because ours may mean something else.

use crate::contents::*;

/// Bits of a game, with their translations.
pub type Table = &'static [(u32, Contents)];

/// Translates some bits of a game into ours.
pub fn translate(bits: u32, table: Table) -> Contents {
    let known = table.iter().filter(|(theirs, _)| bits & theirs != 0);
    known.fold(0, |all, (_, ours)| all | ours)
}

/// Contents that stop agents and let shots through.
const CLIP: Contents = PLAYERCLIP | MONSTERCLIP;

/// Star Wars Jedi Knight II, Jedi Academy and Soldier of Fortune II (`surfaceflags.h`).
pub const RAVEN: Table = &[
    (0x1, SOLID),
    (0x2, LAVA),
    (0x4, WATER),
    (0x8, FOG),
    (0x10, PLAYERCLIP),
    (0x20, MONSTERCLIP),
    (0x40, BOTCLIP),
    (0x80, SHOTCLIP),
    (0x400, TRIGGER),
    (0x800, NODROP),
    (0x2000, LADDER),
    (0x2_0000, SLIME),
    (0x8_0000, TELEPORTER),
    (0x800_0000, DETAIL),
    (0x8000_0000, TRANSLUCENT),
];

/// Quake II (`q_shared.h`): windows are as solid as walls.
pub const QUAKE2: Table = &[
    (0x1, SOLID),
    (0x2, SOLID | WINDOW),
    (0x8, LAVA),
    (0x10, SLIME),
    (0x20, WATER),
    (0x40, FOG),
    (0x8000, AREAPORTAL),
    (0x1_0000, PLAYERCLIP),
    (0x2_0000, MONSTERCLIP),
    (0xfc_0000, CURRENT),
    (0x100_0000, ORIGIN),
    (0x800_0000, DETAIL),
    (0x1000_0000, TRANSLUCENT),
    (0x2000_0000, LADDER),
];

/// SiN's bits besides those of Quake II: fences stop agents.
pub const SIN: Table = &[(0x4, CLIP)];

/// Daikatana (`qfiles.h`): the meaning of its bits `CLEAR`, `NOT_SOLID` and `NO_SHOOT` for a brush is not documented.
pub const DAIKATANA: Table = &[
    (0x1, SOLID),
    (0x2, SOLID | WINDOW),
    (0x8, LAVA),
    (0x10, SLIME),
    (0x20, WATER),
    (0x440, FOG),
    (0x8000, AREAPORTAL),
    (0x1_0000, PLAYERCLIP),
    (0x4002_0000, MONSTERCLIP),
    (0xfc_0000, CURRENT),
    (0x100_0000, ORIGIN),
    (0x800_0000, DETAIL),
    (0x1000_0000, TRANSLUCENT),
    (0x2000_0000, LADDER),
];

/// The Source engine (`bspflags.h`): grates stop agents.
pub const SOURCE: Table = &[
    (0x1, SOLID),
    (0x2, SOLID | WINDOW),
    (0x8, CLIP),
    (0x10, SLIME),
    (0x20, WATER),
    (0x8000, AREAPORTAL),
    (0x1_0000, PLAYERCLIP),
    (0x2_0000, MONSTERCLIP),
    (0xfc_0000, CURRENT),
    (0x100_0000, ORIGIN),
    (0x800_0000, DETAIL),
    (0x1000_0000, TRANSLUCENT),
    (0x2000_0000, LADDER),
];

/// Ritual's games (`surfaceflags.h`): Heavy Metal FAKK 2, Alice and Elite Force II.
pub const RITUAL: Table = &[
    (0x1, SOLID),
    (0x8, LAVA),
    (0x10, SLIME),
    (0x20, WATER),
    (0x40, FOG),
    (0x8000, AREAPORTAL),
    (0x1_0000, PLAYERCLIP),
    (0x2_0000, MONSTERCLIP),
    (0x8_0000, SHOTCLIP),
    (0x100_0000, ORIGIN),
    (0x800_0000, DETAIL),
    (0x2000_0000, TRANSLUCENT),
    (0x8000_0000, NODROP),
];

/// Medal of Honor: Allied Assault (`surfaceflags.h` of OpenMoHAA): fences stop agents.
pub const MEDAL: Table = &[
    (0x1, SOLID),
    (0x2, LADDER),
    (0x8, LAVA),
    (0x10, SLIME),
    (0x20, WATER),
    (0x40, FOG),
    (0x2000, CLIP),
    (0x8000, AREAPORTAL),
    (0x1_0000, PLAYERCLIP),
    (0x2_0000, MONSTERCLIP),
    (0x4_0000, SHOTCLIP),
    (0x40_0000, BOTCLIP),
    (0x100_0000, ORIGIN),
    (0x800_0000, DETAIL),
    (0x2000_0000, TRANSLUCENT),
    (0x4000_0000, TRIGGER),
    (0x8000_0000, NODROP),
];

/// UFO: Alien Invasion: bits 8 to 15 say in which levels a brush is shown.
pub const UFO: Table = &[
    (0x1, SOLID),
    (0x2, SOLID | WINDOW),
    (0x20, WATER),
    (0x1_0000, CLIP),
    (0x100_0000, ORIGIN),
    (0x200_0000, SHOTCLIP),
    (0x800_0000, DETAIL),
    (0x1000_0000, TRANSLUCENT),
];

/// Translates the contents of a brush or leaf of Quake or Half-Life, which are a negative number, or returns `None`
/// if the number means nothing. The sky stops agents, and shots fly into it until they meet the wall behind.
pub fn quake(number: i32) -> Option<Contents> {
    Some(match number {
        // Empty; and the origin of an entity, which is no longer in the map.
        -1 | -7 => 0,
        -2 => SOLID,
        -3 => WATER,
        -4 => SLIME,
        -5 => LAVA,
        -6 => CLIP | SKY,
        -8 => CLIP,
        -14..=-9 => WATER | CURRENT,
        -15 => TRANSLUCENT,
        -16 => LADDER,
        _ => return None,
    })
}
