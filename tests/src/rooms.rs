//! Rooms for tests of filling: one that holds a sealed room, and one with a way out. Code builds them, so that a test
//! can add what it needs.

use crate::samples::{Map, Shader};

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
