//! Contents: bits for the materials of a brush, with names for the command line. The bits are those of Quake III
//! (`surfaceflags.h`), plus some that Quake III leaves unused and that represent contents of other games. Readers of
//! other formats translate to these bits.

/// Contents bits.
pub type Contents = u32;

/// Blocks everything.
pub const SOLID: Contents = 0x1;
/// A window, which is solid too.
pub const WINDOW: Contents = 0x2;
/// Lava.
pub const LAVA: Contents = 0x8;
/// Slime.
pub const SLIME: Contents = 0x10;
/// Water.
pub const WATER: Contents = 0x20;
/// Fog, and the mist of Quake II.
pub const FOG: Contents = 0x40;
/// A ladder.
pub const LADDER: Contents = 0x400;
/// The sky, in games that distinguish it.
pub const SKY: Contents = 0x800;
/// A liquid that flows.
pub const CURRENT: Contents = 0x1000;
/// Blocks shots only.
pub const SHOTCLIP: Contents = 0x2000;
/// Separates areas that doors shut off from each other.
pub const AREAPORTAL: Contents = 0x8000;
/// Blocks players only.
pub const PLAYERCLIP: Contents = 0x1_0000;
/// Blocks monsters only.
pub const MONSTERCLIP: Contents = 0x2_0000;
/// A teleporter.
pub const TELEPORTER: Contents = 0x4_0000;
/// Blocks bots only.
pub const BOTCLIP: Contents = 0x40_0000;
/// Marks the origin of an entity.
pub const ORIGIN: Contents = 0x100_0000;
/// Detail, which was left out when the map was divided for drawing.
pub const DETAIL: Contents = 0x800_0000;
/// Blocks only one hull, as Half-Life's clip textures `CLIPHULL1` to `CLIPHULL3` do. The three bits are those of Quake
/// III's bodies, which no brush has, and one that is free.
pub const CLIPHULL1: Contents = 0x4;
/// Like [`CLIPHULL1`], for another hull.
pub const CLIPHULL2: Contents = 0x200_0000;
/// Like [`CLIPHULL1`], for another hull.
pub const CLIPHULL3: Contents = 0x400_0000;
/// All contents that block only one hull.
pub const CLIPHULLS: Contents = CLIPHULL1 | CLIPHULL2 | CLIPHULL3;
/// Can be seen through.
pub const TRANSLUCENT: Contents = 0x2000_0000;
/// Sets something off when touched.
pub const TRIGGER: Contents = 0x4000_0000;
/// Items that fall in are lost.
pub const NODROP: Contents = 0x8000_0000;

/// Names of contents bits, as the command line accepts them.
const NAMES: [(&str, Contents); 27] = [
    ("solid", SOLID),
    ("window", WINDOW),
    ("lava", LAVA),
    ("slime", SLIME),
    ("water", WATER),
    ("fog", FOG),
    ("ladder", LADDER),
    ("sky", SKY),
    ("current", CURRENT),
    ("shotclip", SHOTCLIP),
    ("areaportal", AREAPORTAL),
    ("playerclip", PLAYERCLIP),
    ("monsterclip", MONSTERCLIP),
    ("teleporter", TELEPORTER),
    ("jumppad", 0x8_0000),
    ("clusterportal", 0x10_0000),
    ("donotenter", 0x20_0000),
    ("botclip", BOTCLIP),
    ("cliphull1", CLIPHULL1),
    ("cliphull2", CLIPHULL2),
    ("cliphull3", CLIPHULL3),
    ("mover", 0x80_0000),
    ("origin", ORIGIN),
    ("detail", DETAIL),
    ("translucent", TRANSLUCENT),
    ("trigger", TRIGGER),
    ("nodrop", NODROP),
];

/// Parses a list such as `solid+playerclip`; a number such as `0x10001` sets bits directly.
///
/// # Errors
/// The list has an unknown name; the message says which names exist.
pub fn from_names(list: &str) -> Result<Contents, String> {
    let mut bits = 0;
    for part in list.split('+') {
        let named = NAMES
            .iter()
            .find(|(name, _)| *name == part)
            .map(|&(_, bits)| bits);
        let number = || match part.strip_prefix("0x") {
            Some(digits) => u32::from_str_radix(digits, 16).ok(),
            None => part.parse().ok(),
        };
        match named.or_else(number) {
            Some(0) | None => return Err(part.to_owned()),
            Some(part) => bits |= part,
        }
    }
    Ok(bits)
}

/// Parses a list as [`from_names`] does, and also accepts `none`.
///
/// # Errors
/// The list has an unknown name; the message says which names exist.
pub fn from_names_or_none(list: &str) -> Result<Contents, String> {
    match list {
        "none" => Ok(0),
        _ => from_names(list).map_err(|unknown| {
            let names = all_names();
            format!("unknown contents {unknown:?}; use none, {names}")
        }),
    }
}

/// Formats contents as a list that [`from_names`] reads back.
pub fn to_names(bits: Contents) -> String {
    let mut parts = Vec::new();
    let mut rest = bits;
    for (name, bit) in NAMES {
        if rest & bit != 0 {
            parts.push(name.to_owned());
            rest &= !bit;
        }
    }
    if rest != 0 || parts.is_empty() {
        parts.push(format!("{rest:#x}"));
    }
    parts.join("+")
}

/// Returns all names that [`from_names`] accepts, for messages.
pub fn all_names() -> String {
    NAMES.map(|(name, _)| name).join(", ")
}
