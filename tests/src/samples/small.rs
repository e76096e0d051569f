//! The nine small sample maps, one behavior each.
//!
//! In: nothing. Out: their descriptions. All of them are closed rooms with a start position; the
//! numbers are in map units, and the facts in `sample-maps/*.toml` are derived from them.

use super::brush::{Brush, Vec3};
use super::map::{Map, Shader};

/// Makes all of them.
pub fn maps() -> Vec<Map> {
    vec![
        room(),
        low_tunnel(),
        ramp_stairs(),
        wedge(),
        touching(),
        slivers(),
        patch_arch(),
        door(),
        clip_water(),
    ]
}

/// Makes six walls around 512 x 512 x 256 units.
fn room() -> Map {
    let mut m = Map::new("room", "Six walls");
    m.room([-256.0, -256.0, 0.0], [256.0, 256.0, 256.0]);
    m.spawn([0, 0, 24], 0);
    m
}

/// Makes two rooms joined by a tunnel 64 wide and 40 high.
fn low_tunnel() -> Map {
    let mut m = Map::new("low_tunnel", "Duck");
    m.room([-320.0, -128.0, 0.0], [320.0, 128.0, 160.0]);
    let wall = Shader::Wall;
    m.cuboid(wall, [-64.0, -128.0, 0.0], [64.0, -32.0, 160.0]);
    m.cuboid(wall, [-64.0, 32.0, 0.0], [64.0, 128.0, 160.0]);
    m.cuboid(wall, [-64.0, -32.0, 40.0], [64.0, 32.0, 160.0]);
    m.spawn([-200, 0, 24], 0);
    m
}

/// Makes a ramp that rises one unit in two, and eight steps of 16 units, up to the same platform.
fn ramp_stairs() -> Map {
    let mut m = Map::new("ramp_stairs", "Two ways up");
    m.room([-384.0, -192.0, 0.0], [384.0, 192.0, 256.0]);
    let trim = Shader::Trim;
    m.cuboid(trim, [128.0, -192.0, 0.0], [384.0, 192.0, 128.0]);
    let outline = [[-128.0, 0.0], [128.0, 0.0], [128.0, 128.0]];
    m.add(trim, Brush::bar_y(&outline, -160.0, -32.0));
    for i in 0..8 {
        let x = -128.0 + 32.0 * f64::from(i);
        let top = 16.0 * f64::from(i + 1);
        m.cuboid(trim, [x, 32.0, 0.0], [x + 32.0, 160.0, top]);
    }
    m.spawn([-300, 0, 24], 0);
    m
}

/// Makes a vertical knife, and a blade with a tilted edge: both need planes that are not among their faces before a
/// box can be traced against them.
fn wedge() -> Map {
    let mut m = Map::new("wedge", "Mind the edges");
    m.room([-256.0, -256.0, 0.0], [256.0, 256.0, 256.0]);
    let knife = [[-128.0, 32.0], [0.0, 128.0], [-32.0, 160.0]];
    m.add(Shader::Trim, Brush::column(&knife, 0.0, 128.0));
    // The sharp edge runs from the first to the second corner, along (2, 1, 2).
    let blade = [
        [16.0, -120.0, 16.0],
        [112.0, -72.0, 112.0],
        [116.0, -112.0, 20.0],
        [108.0, -80.0, 12.0],
    ];
    m.add(Shader::Trim, Brush::hull(&blade));
    m.spawn([-200, -200, 24], 45);
    m
}

/// Makes brushes side by side, stacked, overlapping, one inside another, duplicated, and two that share only an edge.
fn touching() -> Map {
    let mut m = Map::new("touching", "Seams");
    m.room([-256.0, -256.0, 0.0], [256.0, 256.0, 192.0]);
    let boxes: [(Vec3, Vec3); 13] = [
        // Side by side: the seam is the plane x = 0.
        ([-64.0, 64.0, 0.0], [0.0, 128.0, 64.0]),
        ([0.0, 64.0, 0.0], [64.0, 128.0, 64.0]),
        // Overlapping.
        ([-160.0, -64.0, 0.0], [-96.0, 0.0, 96.0]),
        ([-128.0, -32.0, 0.0], [-64.0, 32.0, 64.0]),
        // Nested; the third one shares the planes x = 96 and z = 96, facing the same way.
        ([96.0, -96.0, 0.0], [192.0, 0.0, 96.0]),
        ([120.0, -72.0, 24.0], [168.0, -24.0, 72.0]),
        ([96.0, -64.0, 0.0], [128.0, -32.0, 96.0]),
        // Stacked: the seam is the plane z = 32.
        ([-200.0, 128.0, 0.0], [-136.0, 192.0, 32.0]),
        ([-200.0, 128.0, 32.0], [-136.0, 192.0, 64.0]),
        // The same brush twice.
        ([160.0, 128.0, 0.0], [200.0, 168.0, 40.0]),
        ([160.0, 128.0, 0.0], [200.0, 168.0, 40.0]),
        // Only an edge in common: the line x = 0, y = -168.
        ([-32.0, -200.0, 0.0], [0.0, -168.0, 64.0]),
        ([0.0, -168.0, 0.0], [32.0, -136.0, 64.0]),
    ];
    for (mins, maxs) in boxes {
        m.cuboid(Shader::Trim, mins, maxs);
    }
    m.spawn([0, 0, 24], 90);
    m
}

/// Makes very thin brushes and a needle.
fn slivers() -> Map {
    const T32: f64 = 1.0 / 32.0;
    const T1024: f64 = 1.0 / 1024.0;
    let mut m = Map::new("slivers", "Paper walls");
    m.room([-256.0, -256.0, 0.0], [256.0, 256.0, 256.0]);
    let trim = Shader::Trim;
    m.cuboid(trim, [64.0, -128.0, 0.0], [64.0 + T32, 128.0, 128.0]);
    m.cuboid(trim, [-128.0, 128.0, 0.0], [0.0, 128.0 + T1024, 128.0]);
    m.cuboid(trim, [-192.0, -64.0, 96.0], [-96.0, 64.0, 96.0 + T1024]);
    let post = [-160.0, 160.0, 0.0];
    m.cuboid(trim, post, [post[0] + T32, post[1] + T32, 200.0]);
    let needle = [
        [-4.0, -100.0, 0.0],
        [4.0, -100.0, 0.0],
        [4.0, -92.0, 0.0],
        [-4.0, -92.0, 0.0],
        [0.0, -96.0, 128.0],
    ];
    m.add(trim, Brush::hull(&needle));
    m.spawn([0, 0, 24], 0);
    m
}

/// Makes a corridor under a vault made of four patches, between two open ends.
fn patch_arch() -> Map {
    let mut m = Map::new("patch_arch", "Under the vault");
    m.room([-256.0, -160.0, 0.0], [256.0, 160.0, 256.0]);
    let wall = Shader::Wall;
    m.cuboid(wall, [-128.0, 128.0, 0.0], [128.0, 160.0, 256.0]);
    m.cuboid(wall, [-128.0, -160.0, 0.0], [128.0, -128.0, 256.0]);
    m.vault(1, 0.0, 128.0, 32.0, &[-128.0, 0.0, 128.0]);
    m.spawn([-200, 0, 24], 0);
    m
}

/// Makes a door that fills a doorway, and a lift with a mast whose brushes are relative to its origin.
fn door() -> Map {
    let mut m = Map::new("door", "Doors are models");
    m.room([-256.0, -128.0, 0.0], [256.0, 128.0, 160.0]);
    let wall = Shader::Wall;
    m.cuboid(wall, [-8.0, -128.0, 0.0], [8.0, -32.0, 160.0]);
    m.cuboid(wall, [-8.0, 32.0, 0.0], [8.0, 128.0, 160.0]);
    m.cuboid(wall, [-8.0, -32.0, 96.0], [8.0, 32.0, 160.0]);
    let panel = Brush::cuboid([-4.0, -32.0, 0.0], [4.0, 32.0, 96.0]);
    m.door(None, 90, vec![panel]);
    let plate = Brush::cuboid([-32.0, -32.0, 0.0], [32.0, 32.0, 16.0]);
    let mast = Brush::cuboid([-4.0, -4.0, 16.0], [4.0, 4.0, 64.0]);
    m.door(Some([160, 64, 0]), -1, vec![plate, mast]);
    m.spawn([-200, 0, 24], 0);
    m
}

/// Makes a wall for players only, a pillar with a wider hull for players, water and lava.
fn clip_water() -> Map {
    let mut m = Map::new("clip_water", "Who is stopped by what");
    m.room([-256.0, -256.0, 0.0], [256.0, 256.0, 192.0]);
    let clip = Shader::Clip;
    m.cuboid(clip, [64.0, -256.0, 0.0], [72.0, 256.0, 192.0]);
    m.cuboid(clip, [96.0, 80.0, 0.0], [160.0, 144.0, 64.0]);
    m.cuboid(Shader::Trim, [112.0, 96.0, 0.0], [144.0, 128.0, 64.0]);
    m.cuboid(Shader::Water, [-192.0, -128.0, 0.0], [-64.0, 128.0, 64.0]);
    m.cuboid(Shader::Lava, [-192.0, 160.0, 0.0], [-64.0, 240.0, 32.0]);
    m.spawn([0, 0, 24], 0);
    m
}
