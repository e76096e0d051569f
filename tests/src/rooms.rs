//! Rooms for tests of filling: one that holds a sealed room, and one with a way out. Code builds them, so that a test
//! can add what it needs.

use crate::samples::{Brush, Map, Shader};

/// Makes a room with a smaller closed room in it, and a start in the larger one.
pub fn with_pocket() -> Map {
    let mut m = Map::new("pocket", "A room in a room");
    m.room([-256.0, -256.0, 0.0], [256.0, 256.0, 256.0]);
    m.room([32.0, -64.0, 0.0], [160.0, 64.0, 128.0]);
    m.spawn([-100, 0, 24], 0);
    m
}

/// Makes a room whose east wall has a hole from the floor up, `half` units to both sides.
pub fn with_hole(half: f64, height: f64) -> Map {
    let mut m = Map::new("hole", "A way out");
    let wall = Shader::Wall;
    m.cuboid(wall, [-144.0, -144.0, -16.0], [144.0, 144.0, 0.0]);
    m.cuboid(wall, [-144.0, -144.0, 128.0], [144.0, 144.0, 144.0]);
    m.cuboid(wall, [-144.0, -144.0, 0.0], [-128.0, 144.0, 128.0]);
    m.cuboid(wall, [-128.0, -144.0, 0.0], [144.0, -128.0, 128.0]);
    m.cuboid(wall, [-128.0, 128.0, 0.0], [144.0, 144.0, 128.0]);
    m.cuboid(wall, [128.0, -128.0, 0.0], [144.0, -half, 128.0]);
    m.cuboid(wall, [128.0, half, 0.0], [144.0, 128.0, 128.0]);
    if half > 0.0 && height < 128.0 {
        m.cuboid(wall, [128.0, -half, height], [144.0, half, 128.0]);
    }
    m.spawn([-64, 0, 24], 0);
    m
}

/// A room of 512 by 512 with a terrace of 96 over its western part, up to x = 64, where an agent starts; the rest is a
/// pit. An agent on the terrace reaches up to 96 + 56, and 45 higher when it jumps: 197. Boxes of items reach 15 around
/// their origins, and a unit more counts as a touch, so an item may be at 213.
pub fn pit() -> Map {
    let mut pit = Map::new("pit", "A pit");
    pit.room([-256.0, -256.0, 0.0], [256.0, 256.0, 256.0]);
    let wall = Shader::Wall;
    pit.cuboid(wall, [-256.0, -256.0, 0.0], [64.0, 256.0, 96.0]);
    // A shelf over the terrace, too high to jump on.
    pit.cuboid(wall, [-164.0, -214.0, 160.0], [-36.0, -86.0, 164.0]);
    pit.spawn([-200, 0, 120], 0);
    for (class, at) in [
        ("item_health", [-100, 0, 112]),
        ("item_armor_shard", [160, 0, 16]),
        ("item_quad", [-100, 100, 212]),
        ("item_haste", [-100, 180, 215]),
        // A jump would reach it at 168, but for the shelf at 160.
        ("item_regen", [-100, -150, 183]),
    ] {
        pit.point_entity(class, at, 0);
    }
    pit
}

/// A room of 512 by 512 with a terrace of 160 over its eastern part, from x = 64, and a closed room beyond. A jump pad
/// throws agents from around (-112, 0) onto the terrace, and a teleporter there puts them into the other room.
pub fn carried() -> Map {
    let mut map = Map::new("carried", "A jump pad and a teleporter");
    map.room([-256.0, -256.0, 0.0], [256.0, 256.0, 384.0]);
    map.room([512.0, -128.0, 0.0], [768.0, 128.0, 128.0]);
    map.cuboid(Shader::Wall, [64.0, -256.0, 0.0], [256.0, 256.0, 160.0]);
    map.spawn([-200, 0, 24], 0);
    let pad = Brush::cuboid([-136.0, -24.0, 0.0], [-88.0, 24.0, 8.0]);
    map.trigger("trigger_push", pad, "target_position", [48, 0, 260]);
    let frame = Brush::cuboid([200.0, 200.0, 160.0], [240.0, 240.0, 224.0]);
    map.trigger(
        "trigger_teleport",
        frame,
        "misc_teleporter_dest",
        [640, 0, 24],
    );
    map
}

/// A room of 512 by 512 with a terrace of 160 over its eastern part, from x = 64. Beside the terrace is a lift of 128
/// by 128 whose top is as high, and `lip` units above the ground when it is down.
pub fn lift(lip: i32) -> Map {
    let mut map = Map::new("lift", "A lift beside a terrace");
    map.room([-256.0, -256.0, 0.0], [256.0, 256.0, 384.0]);
    map.cuboid(Shader::Wall, [64.0, -256.0, 0.0], [256.0, 256.0, 160.0]);
    map.spawn([-200, 0, 24], 0);
    let plate = Brush::cuboid([-64.0, -64.0, 144.0], [64.0, 64.0, 160.0]);
    map.lift(160 - lip, plate);
    map
}

/// Two halls with a tunnel of 128 units between them, 40 high, whose ground is 16 higher than theirs.
pub fn low_step() -> Map {
    let mut map = Map::new("low_step", "A tunnel up a step");
    map.room([-256.0, -128.0, 0.0], [256.0, 128.0, 128.0]);
    let wall = Shader::Wall;
    map.cuboid(wall, [-64.0, -128.0, 0.0], [64.0, 128.0, 16.0]);
    map.cuboid(wall, [-64.0, -128.0, 56.0], [64.0, 128.0, 128.0]);
    map.spawn([-200, 0, 24], 0);
    map
}

/// A room of 512 by 512 with a terrace of 160 over its eastern part, from x = 64. A jump pad beside the terrace throws
/// agents straight up, 260 units from around (24, 0).
pub fn thrown_up() -> Map {
    let mut map = Map::new("thrown_up", "A jump pad beside a terrace");
    map.room([-256.0, -256.0, 0.0], [256.0, 256.0, 384.0]);
    map.cuboid(Shader::Wall, [64.0, -256.0, 0.0], [256.0, 256.0, 160.0]);
    map.spawn([-200, 0, 24], 0);
    let pad = Brush::cuboid([0.0, -24.0, 0.0], [48.0, 24.0, 8.0]);
    map.trigger("trigger_push", pad, "target_position", [24, 0, 264]);
    map
}

/// A terrace of 128, up to x = -65, where an agent starts, and beyond a gap, from x = 65, a room 112 high under a slab
/// that is as high as the terrace. The gap is 512 deep, more than agents survive.
pub fn under_slab() -> Map {
    let mut map = Map::new("under_slab", "A room under a slab beyond a gap");
    map.room([-256.0, -256.0, -512.0], [256.0, 256.0, 384.0]);
    let wall = Shader::Wall;
    map.cuboid(wall, [-256.0, -256.0, -512.0], [-65.0, 256.0, 128.0]);
    map.cuboid(wall, [65.0, -256.0, -512.0], [256.0, 256.0, 0.0]);
    map.cuboid(wall, [65.0, -256.0, 112.0], [256.0, 256.0, 128.0]);
    map.spawn([-200, 0, 152], 0);
    map
}

/// A room of 512 by 512. Lava, half a unit deep, divides it from its southern wall up to y = 128, from x = -64 to 64.
/// Between the lava and the northern wall stands what hurts agents that touch it, from y = `from` on.
pub fn lava(from: f64) -> Map {
    let mut map = Map::new("lava", "A way between lava and a trigger");
    map.room([-256.0, -256.0, 0.0], [256.0, 256.0, 256.0]);
    map.cuboid(Shader::Lava, [-64.0, -256.0, 0.0], [64.0, 128.0, 0.5]);
    map.spawn([-200, 0, 24], 0);
    let hurts = Brush::cuboid([-64.0, from, 0.0], [64.0, 256.0, 64.0]);
    map.trigger("trigger_hurt", hurts, "info_notnull", [0, 0, 64]);
    map
}

/// A room of 512 by 512 whose southwestern part is solid. Eight steps of 8 lead around the origin, from the southeast
/// up to a terrace of 72 in the northwest. For players, all of them meet in the corner of the solid part.
pub fn winding() -> Map {
    let mut map = Map::new("winding", "A winding stair");
    map.room([-256.0, -256.0, 0.0], [256.0, 256.0, 256.0]);
    let wall = Shader::Wall;
    map.cuboid(wall, [-256.0, -256.0, 0.0], [0.0, -32.0, 256.0]);
    map.cuboid(wall, [-256.0, -32.0, 0.0], [0.0, 256.0, 72.0]);
    // The outer corners of the steps, on whole units.
    let outer: [[f64; 2]; 9] = [
        [256.0, 0.0],
        [256.0, 51.0],
        [256.0, 106.0],
        [256.0, 171.0],
        [256.0, 256.0],
        [171.0, 256.0],
        [106.0, 256.0],
        [51.0, 256.0],
        [0.0, 256.0],
    ];
    for (number, ends) in (1..).zip(outer.windows(2)) {
        let step = Brush::column(
            &[[0.0, 0.0], ends[0], ends[1]],
            0.0,
            8.0 * f64::from(number),
        );
        map.add(wall, step);
    }
    map.spawn([200, -200, 24], 0);
    map
}

/// A room of 512 by 512 whose northern half, from y = 0, has a ramp from (-128, 0) up to (128, 128).
pub fn ramp() -> Map {
    let mut map = Map::new("ramp", "A ramp with a side to step onto");
    map.room([-256.0, -256.0, 0.0], [256.0, 256.0, 256.0]);
    let outline = [[-128.0, 0.0], [128.0, 0.0], [128.0, 128.0]];
    map.add(Shader::Wall, Brush::bar_y(&outline, 0.0, 256.0));
    map.spawn([-200, -200, 24], 0);
    map
}

/// A room of 512 by 512 with a terrace of 128 over its western half, and a step of 8 from x = 64 on.
pub fn terrace() -> Map {
    let mut map = Map::new("terrace", "A terrace before a step");
    map.room([-256.0, -256.0, 0.0], [256.0, 256.0, 256.0]);
    let wall = Shader::Wall;
    map.cuboid(wall, [-256.0, -256.0, 0.0], [0.0, 256.0, 128.0]);
    map.cuboid(wall, [64.0, -256.0, 0.0], [256.0, 256.0, 8.0]);
    map.spawn([-100, 0, 152], 0);
    map
}

/// A pit of 512 with two pillars whose corners are 32 units less `overlap` apart on both axes, so that the floors of
/// players on them have a square of that size in common.
pub fn pillars(overlap: f64) -> Map {
    let mut map = Map::new("pillars", "Two pillars corner to corner");
    map.room([-256.0, -256.0, -512.0], [256.0, 256.0, 256.0]);
    let near = 32.0 - overlap;
    map.cuboid(Shader::Wall, [-96.0, -96.0, -512.0], [0.0, 0.0, 0.0]);
    map.cuboid(
        Shader::Wall,
        [near, near, -512.0],
        [near + 96.0, near + 96.0, 0.0],
    );
    map.spawn([-48, -48, 24], 0);
    map
}

/// A room with shores of 128 in the west, up to x = -144, and in the east, from x = 144. Between them, water is 120
/// deep. From x = 240 on, a terrace is 416 high, and a ladder in the middle of the room leads up from the shore.
pub fn pool() -> Map {
    let mut map = Map::new("pool", "A pool and a ladder");
    map.room([-384.0, -128.0, 0.0], [384.0, 128.0, 640.0]);
    let wall = Shader::Wall;
    map.cuboid(wall, [-384.0, -128.0, 0.0], [-144.0, 128.0, 128.0]);
    map.cuboid(wall, [144.0, -128.0, 0.0], [240.0, 128.0, 128.0]);
    map.cuboid(wall, [240.0, -128.0, 0.0], [384.0, 128.0, 416.0]);
    map.cuboid(Shader::Water, [-144.0, -128.0, 0.0], [144.0, 128.0, 120.0]);
    map.spawn([-300, 0, 152], 0);
    let ladder = Brush::cuboid([236.0, -16.0, 128.0], [240.0, 16.0, 416.0]);
    map.trigger("func_ladder", ladder, "info_notnull", [300, 0, 440]);
    map
}
