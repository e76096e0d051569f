// The bits of contents, with which brushes say what they are made of and hulls what blocks them. They are the same in
// every file, whatever game its map is of.

export const CONTENTS = Object.freeze({
  /** Blocks everything. */
  SOLID: 0x1,
  /** A window, which is solid too. */
  WINDOW: 0x2,
  /** Blocks only one hull, as Half-Life's clip textures CLIPHULL1 to CLIPHULL3 do. */
  CLIPHULL1: 0x4,
  /** Lava. */
  LAVA: 0x8,
  /** Slime. */
  SLIME: 0x10,
  /** Water. */
  WATER: 0x20,
  /** Fog, and the mist of Quake II. */
  FOG: 0x40,
  /** A ladder. */
  LADDER: 0x400,
  /** The sky, in games that distinguish it. */
  SKY: 0x800,
  /** A liquid that flows. */
  CURRENT: 0x1000,
  /** Blocks shots only. */
  SHOTCLIP: 0x2000,
  /** Separates areas that doors shut off from each other. */
  AREAPORTAL: 0x8000,
  /** Blocks players only. */
  PLAYERCLIP: 0x10000,
  /** Blocks monsters only. */
  MONSTERCLIP: 0x20000,
  /** A teleporter. */
  TELEPORTER: 0x40000,
  /** A jump pad, for bots. */
  JUMPPAD: 0x80000,
  /** Divides the areas of bots. */
  CLUSTERPORTAL: 0x100000,
  /** Where bots do not go. */
  DONOTENTER: 0x200000,
  /** Blocks bots only. */
  BOTCLIP: 0x400000,
  /** A mover, for bots. */
  MOVER: 0x800000,
  /** Marks the origin of an entity. */
  ORIGIN: 0x1000000,
  /** Like cliphull1, for another hull. */
  CLIPHULL2: 0x2000000,
  /** Like cliphull1, for another hull. */
  CLIPHULL3: 0x4000000,
  /** Detail, which was left out when the map was divided for drawing. */
  DETAIL: 0x8000000,
  /** Can be seen through. */
  TRANSLUCENT: 0x20000000,
  /** Sets something off when touched. */
  TRIGGER: 0x40000000,
  /** Items that fall in are lost. */
  NODROP: 0x80000000,
});
