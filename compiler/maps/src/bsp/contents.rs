//! Maps the contents of each game to ours, so that the hulls' defaults do the right thing for each game: [`SOLID`] and
//! [`PLAYERCLIP`] stop boxes, [`SOLID`] and [`SHOTCLIP`] stop points. Contents that stop agents but not shots are
//! clips. Contents that stop both are solid and also keep their own name. Bits that no query needs are dropped, because
//! ours may mean something else.

use crate::contents::*;

/// The translation of a game's contents bits to ours.
pub struct Table {
    /// Bits that mean the same in ours, and are copied.
    same: Contents,
    /// Bits that mean something else in ours, with their translations.
    others: &'static [&'static [(u32, Contents)]],
}

impl Table {
    /// Translates bits of the game into ours.
    pub fn translate(&self, bits: u32) -> Contents {
        let others = self.others.iter().copied().flatten();
        let others = others.filter(|(theirs, _)| bits & theirs != 0);
        others.fold(bits & self.same, |all, (_, ours)| all | ours)
    }
}

/// Contents that stop agents and let shots through.
const CLIP: Contents = PLAYERCLIP | MONSTERCLIP;

/// Bits with one meaning in most games since Quake II.
const COMMON: Contents =
    SOLID | SLIME | WATER | AREAPORTAL | PLAYERCLIP | MONSTERCLIP | ORIGIN | DETAIL;

/// Bits of Quake II and of games that kept them; windows are as solid as walls.
const OF_QUAKE2: &[(u32, Contents)] = &[
    (0x2, SOLID | WINDOW),
    (0xfc_0000, CURRENT),
    (0x1000_0000, TRANSLUCENT),
    (0x2000_0000, LADDER),
];

/// Quake III, whose bits are ours.
pub const QUAKE3: Table = Table {
    same: !0,
    others: &[],
};

/// Star Wars Jedi Knight II, Jedi Academy and Soldier of Fortune II (`surfaceflags.h`).
pub const RAVEN: Table = Table {
    same: SOLID | DETAIL,
    others: &[&[
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
        (0x8000_0000, TRANSLUCENT),
    ]],
};

/// Quake II (`q_shared.h`).
pub const QUAKE2: Table = Table {
    same: COMMON | LAVA | FOG,
    others: &[OF_QUAKE2],
};

/// SiN: fences stop agents.
pub const SIN: Table = Table {
    others: &[OF_QUAKE2, &[(0x4, CLIP)]],
    ..QUAKE2
};

/// Daikatana (`qfiles.h`): the meaning of its bits `CLEAR`, `NOT_SOLID` and `NO_SHOOT` for a brush is not documented.
pub const DAIKATANA: Table = Table {
    others: &[OF_QUAKE2, &[(0x400, FOG), (0x4000_0000, MONSTERCLIP)]],
    ..QUAKE2
};

/// The Source engine (`bspflags.h`): grates stop agents.
pub const SOURCE: Table = Table {
    same: COMMON,
    others: &[OF_QUAKE2, &[(0x8, CLIP)]],
};

/// Ritual's games (`surfaceflags.h`): Heavy Metal FAKK 2, Alice and Elite Force II.
pub const RITUAL: Table = Table {
    same: COMMON | LAVA | FOG | TRANSLUCENT | NODROP,
    others: &[&[(0x8_0000, SHOTCLIP)]],
};

/// Medal of Honor: Allied Assault (`surfaceflags.h` of OpenMoHAA): fences stop agents.
pub const MEDAL: Table = Table {
    same: RITUAL.same | BOTCLIP | TRIGGER,
    others: &[&[(0x2, LADDER), (0x2000, CLIP), (0x4_0000, SHOTCLIP)]],
};

/// UFO: Alien Invasion: bits 8 to 15 say in which levels a brush is shown.
pub const UFO: Table = Table {
    same: SOLID | WATER | ORIGIN | DETAIL,
    others: &[&[
        (0x2, SOLID | WINDOW),
        (0x1_0000, CLIP),
        (0x200_0000, SHOTCLIP),
        (0x1000_0000, TRANSLUCENT),
    ]],
};

/// Translates the contents of a brush or leaf of Quake or Half-Life, which are a negative number, or returns `None` if
/// the number means nothing. The sky stops agents, and shots fly into it until they meet the wall behind.
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
