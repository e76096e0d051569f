//! Contents: bits that define what a brush is made of and which hulls it blocks, with their names. The bits are those
//! of Quake III (`surfaceflags.h`), plus some that Quake III leaves unused and that represent contents of other games.
//! The compiler translates the contents of other formats to these bits, so they mean the same in every file.

/// Contents bits.
pub type Contents = u32;

/// Blocks everything.
pub const SOLID: Contents = 0x1;
/// A window, which is solid too.
pub const WINDOW: Contents = 0x2;
/// Blocks only one hull, as Half-Life's clip textures `CLIPHULL1` to `CLIPHULL3` do. The three bits are those of
/// Quake III's bodies, which no brush has, and one that Quake III does not use.
pub const CLIPHULL1: Contents = 0x4;
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
/// A jump pad, for bots.
pub const JUMPPAD: Contents = 0x8_0000;
/// Divides the areas of bots.
pub const CLUSTERPORTAL: Contents = 0x10_0000;
/// Where bots do not go.
pub const DONOTENTER: Contents = 0x20_0000;
/// Blocks bots only.
pub const BOTCLIP: Contents = 0x40_0000;
/// A mover, for bots.
pub const MOVER: Contents = 0x80_0000;
/// Marks the origin of an entity.
pub const ORIGIN: Contents = 0x100_0000;
/// Like [`CLIPHULL1`], for another hull.
pub const CLIPHULL2: Contents = 0x200_0000;
/// Like [`CLIPHULL1`], for another hull.
pub const CLIPHULL3: Contents = 0x400_0000;
/// All contents that block only one hull.
pub const CLIPHULLS: Contents = CLIPHULL1 | CLIPHULL2 | CLIPHULL3;
/// Detail, which was left out when the map was divided for drawing.
pub const DETAIL: Contents = 0x800_0000;
/// Can be seen through.
pub const TRANSLUCENT: Contents = 0x2000_0000;
/// Sets something off when touched.
pub const TRIGGER: Contents = 0x4000_0000;
/// Items that fall in are lost.
pub const NODROP: Contents = 0x8000_0000;

/// All contents bits with their names, as the command line and the headers of other languages spell them.
pub const NAMES: [(&str, Contents); 27] = [
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
    ("jumppad", JUMPPAD),
    ("clusterportal", CLUSTERPORTAL),
    ("donotenter", DONOTENTER),
    ("botclip", BOTCLIP),
    ("cliphull1", CLIPHULL1),
    ("cliphull2", CLIPHULL2),
    ("cliphull3", CLIPHULL3),
    ("mover", MOVER),
    ("origin", ORIGIN),
    ("detail", DETAIL),
    ("translucent", TRANSLUCENT),
    ("trigger", TRIGGER),
    ("nodrop", NODROP),
];
