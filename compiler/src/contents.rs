//! Contents: what a brush is made of, as bits, and their names on the command line (Quake III's
//! `surfaceflags.h`).

/// Contents bits.
pub type Contents = u32;

/// Blocks everything.
pub const SOLID: Contents = 1;
/// Blocks players only.
pub const PLAYERCLIP: Contents = 0x1_0000;

/// Names of contents bits, as the command line takes them.
const NAMES: [(&str, Contents); 16] = [
    ("solid", SOLID),
    ("lava", 8),
    ("slime", 16),
    ("water", 32),
    ("fog", 64),
    ("areaportal", 0x8000),
    ("playerclip", PLAYERCLIP),
    ("monsterclip", 0x2_0000),
    ("teleporter", 0x4_0000),
    ("jumppad", 0x8_0000),
    ("clusterportal", 0x10_0000),
    ("donotenter", 0x20_0000),
    ("botclip", 0x40_0000),
    ("mover", 0x80_0000),
    ("trigger", 0x4000_0000),
    ("nodrop", 0x8000_0000),
];

/// Contents of a list such as `solid+playerclip`; a number such as `0x10001` names bits directly.
///
/// # Errors
/// The part that names no contents.
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

/// A list that [`from_names`] reads back.
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

/// All the names that [`from_names`] takes, for messages.
pub fn all_names() -> String {
    NAMES.map(|(name, _)| name).join(", ")
}
