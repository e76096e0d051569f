//! The larger sample map: a walled courtyard with one of each feature.
//!
//! In: nothing. Out: its description. It holds a house with a door and a gable roof, a bunker with
//! a crouching tunnel, a terrace with ramp, stairs and railing, a colonnade, a gate with an arch of
//! patches, and a pool. North is +y, the ground is z = 0.

use super::brush::{Brush, Vec3};
use super::map::{Map, Shader};

const FLOOR: Shader = Shader::Floor;
const WALL: Shader = Shader::Wall;
const TRIM: Shader = Shader::Trim;
const ROOF: Shader = Shader::Roof;

/// Builds the map.
pub fn courtyard() -> Map {
    let mut m = Map::new("courtyard", "The courtyard");
    sky(&mut m);
    ground(&mut m);
    outer_walls(&mut m);
    house(&mut m);
    bunker(&mut m);
    terrace(&mut m);
    colonnade(&mut m);
    gate(&mut m);
    crates(&mut m);
    m.spawn([-512, 512, 128], 270);
    m.spawn([448, 448, 24], 180);
    m.spawn([0, -640, 24], 90);
    m.spawn([640, -256, 24], 180);
    m.spawn([-640, 0, 24], 0);
    m
}

/// Adds a closed box around everything.
fn sky(m: &mut Map) {
    let sky = Shader::Sky;
    m.cuboid(sky, [-816.0, -816.0, 512.0], [816.0, 816.0, 528.0]);
    m.cuboid(sky, [-816.0, -816.0, -64.0], [-800.0, 816.0, 512.0]);
    m.cuboid(sky, [800.0, -816.0, -64.0], [816.0, 816.0, 512.0]);
    m.cuboid(sky, [-800.0, -816.0, -64.0], [800.0, -800.0, 512.0]);
    m.cuboid(sky, [-800.0, 800.0, -64.0], [800.0, 816.0, 512.0]);
}

/// Adds ground slabs around a pool of 256 x 256 x 48, with two steps out of it on its east side.
fn ground(m: &mut Map) {
    let slabs: [(Vec3, Vec3); 5] = [
        ([-800.0, -800.0, -64.0], [-640.0, 800.0, 0.0]),
        ([-384.0, -800.0, -64.0], [800.0, 800.0, 0.0]),
        ([-640.0, -800.0, -64.0], [-384.0, -640.0, 0.0]),
        ([-640.0, -384.0, -64.0], [-384.0, 800.0, 0.0]),
        ([-640.0, -640.0, -64.0], [-384.0, -384.0, -48.0]),
    ];
    for (mins, maxs) in slabs {
        m.cuboid(FLOOR, mins, maxs);
    }
    m.cuboid(TRIM, [-416.0, -544.0, -48.0], [-384.0, -480.0, -16.0]);
    m.cuboid(TRIM, [-448.0, -544.0, -48.0], [-416.0, -480.0, -32.0]);
    // The water overlaps the steps: brushes of different contents may overlap.
    let surface = [-384.0, -384.0, -8.0];
    m.cuboid(Shader::Water, [-640.0, -640.0, -48.0], surface);
}

/// Adds walls 32 thick and 256 high with ten merlons each.
fn outer_walls(m: &mut Map) {
    m.cuboid(WALL, [-800.0, -800.0, 0.0], [-768.0, 800.0, 256.0]);
    m.cuboid(WALL, [768.0, -800.0, 0.0], [800.0, 800.0, 256.0]);
    m.cuboid(WALL, [-768.0, -800.0, 0.0], [768.0, -768.0, 256.0]);
    m.cuboid(WALL, [-768.0, 768.0, 0.0], [768.0, 800.0, 256.0]);
    for i in 0..10 {
        let a = -744.0 + 160.0 * f64::from(i);
        let b = a + 48.0;
        m.cuboid(WALL, [-800.0, a, 256.0], [-784.0, b, 288.0]);
        m.cuboid(WALL, [784.0, a, 256.0], [800.0, b, 288.0]);
        m.cuboid(WALL, [a, -800.0, 256.0], [b, -784.0, 288.0]);
        m.cuboid(WALL, [a, 784.0, 256.0], [b, 800.0, 288.0]);
    }
}

/// Adds a house of 384 x 384 in the northeast: doorway to the west, two windows to the south, gable roof.
fn house(m: &mut Map) {
    // West wall with the doorway.
    m.cuboid(WALL, [256.0, 256.0, 0.0], [272.0, 416.0, 160.0]);
    m.cuboid(WALL, [256.0, 480.0, 0.0], [272.0, 640.0, 160.0]);
    m.cuboid(WALL, [256.0, 416.0, 112.0], [272.0, 480.0, 160.0]);
    // East and north walls.
    m.cuboid(WALL, [624.0, 256.0, 0.0], [640.0, 640.0, 160.0]);
    m.cuboid(WALL, [272.0, 624.0, 0.0], [624.0, 640.0, 160.0]);
    // South wall: sill, lintel, and three piers between the windows.
    m.cuboid(WALL, [272.0, 256.0, 0.0], [624.0, 272.0, 48.0]);
    m.cuboid(WALL, [272.0, 256.0, 112.0], [624.0, 272.0, 160.0]);
    m.cuboid(WALL, [272.0, 256.0, 48.0], [336.0, 272.0, 112.0]);
    m.cuboid(WALL, [400.0, 256.0, 48.0], [496.0, 272.0, 112.0]);
    m.cuboid(WALL, [560.0, 256.0, 48.0], [624.0, 272.0, 112.0]);
    // Two halves of the roof, rising one in two to the ridge over y = 448, and a chimney in it.
    let south = [[240.0, 160.0], [448.0, 160.0], [448.0, 264.0]];
    let north = [[448.0, 160.0], [656.0, 160.0], [448.0, 264.0]];
    m.add(ROOF, Brush::bar_x(&south, 240.0, 656.0));
    m.add(ROOF, Brush::bar_x(&north, 240.0, 656.0));
    m.cuboid(TRIM, [544.0, 528.0, 192.0], [592.0, 576.0, 304.0]);
    // A table.
    m.cuboid(TRIM, [512.0, 512.0, 32.0], [592.0, 592.0, 40.0]);
    m.cuboid(TRIM, [544.0, 544.0, 0.0], [560.0, 560.0, 32.0]);
    // The door: 64 wide, 112 high, 8 thick, around its origin at the middle of the threshold.
    let panel = Brush::cuboid([-4.0, -32.0, 0.0], [4.0, 32.0, 112.0]);
    let knob = Brush::cuboid([-8.0, -24.0, 40.0], [-4.0, -20.0, 44.0]);
    m.door(Some([264, 448, 0]), 90, vec![panel, knob]);
}

/// Adds a block in the southeast with a tunnel 64 wide and 40 high from south to north.
fn bunker(m: &mut Map) {
    m.cuboid(WALL, [320.0, -640.0, 0.0], [416.0, -448.0, 96.0]);
    m.cuboid(WALL, [480.0, -640.0, 0.0], [576.0, -448.0, 96.0]);
    m.cuboid(WALL, [416.0, -640.0, 40.0], [480.0, -448.0, 96.0]);
}

/// Adds a terrace 96 high in the northwest: six steps on its south side, a ramp on its east side, and a railing on
/// the south side whose gaps stop only players.
fn terrace(m: &mut Map) {
    m.cuboid(FLOOR, [-640.0, 384.0, 0.0], [-384.0, 640.0, 96.0]);
    for i in 0..6 {
        let y = 240.0 + 24.0 * f64::from(i);
        let top = 16.0 * f64::from(i + 1);
        m.cuboid(TRIM, [-576.0, y, 0.0], [-448.0, y + 24.0, top]);
    }
    let ramp = [[-384.0, 0.0], [-192.0, 0.0], [-384.0, 96.0]];
    m.add(TRIM, Brush::bar_y(&ramp, 448.0, 576.0));
    for x in [-640.0, -448.0] {
        m.cuboid(Shader::Clip, [x, 384.0, 96.0], [x + 64.0, 392.0, 160.0]);
        m.cuboid(TRIM, [x, 386.0, 128.0], [x + 64.0, 390.0, 132.0]);
        for post in [0.0, 30.0, 60.0] {
            let mins = [x + post, 386.0, 96.0];
            m.cuboid(TRIM, mins, [x + post + 4.0, 390.0, 128.0]);
        }
    }
}

/// Adds six pillars along y = 0, alternately with eight and with twelve sides, each between two slabs.
fn colonnade(m: &mut Map) {
    let eight = [
        [24.0, 10.0],
        [10.0, 24.0],
        [-10.0, 24.0],
        [-24.0, 10.0],
        [-24.0, -10.0],
        [-10.0, -24.0],
        [10.0, -24.0],
        [24.0, -10.0],
    ];
    let twelve = [
        [24.0, 7.0],
        [18.0, 18.0],
        [7.0, 24.0],
        [-7.0, 24.0],
        [-18.0, 18.0],
        [-24.0, 7.0],
        [-24.0, -7.0],
        [-18.0, -18.0],
        [-7.0, -24.0],
        [7.0, -24.0],
        [18.0, -18.0],
        [24.0, -7.0],
    ];
    for i in 0..6 {
        let x = -400.0 + 160.0 * f64::from(i);
        m.cuboid(TRIM, [x - 32.0, -32.0, 0.0], [x + 32.0, 32.0, 16.0]);
        let outline: &[[f64; 2]] = if i % 2 == 0 { &eight } else { &twelve };
        let shaft = Brush::column(outline, 16.0, 176.0);
        m.add(WALL, shaft.moved([x, 0.0, 0.0]));
        m.cuboid(TRIM, [x - 32.0, -32.0, 176.0], [x + 32.0, 32.0, 192.0]);
    }
    // A beam over the eastern half.
    m.cuboid(ROOF, [48.0, -16.0, 192.0], [432.0, 16.0, 208.0]);
}

/// Adds a gate in the south: two piers, a lintel, an arch of four patches, and two wedges behind it.
fn gate(m: &mut Map) {
    m.cuboid(WALL, [-96.0, -512.0, 0.0], [-64.0, -448.0, 160.0]);
    m.cuboid(WALL, [64.0, -512.0, 0.0], [96.0, -448.0, 160.0]);
    m.cuboid(WALL, [-96.0, -512.0, 160.0], [96.0, -448.0, 192.0]);
    let east = [[64.0, 128.0], [64.0, 160.0], [32.0, 160.0]];
    let west = [[-64.0, 128.0], [-64.0, 160.0], [-32.0, 160.0]];
    m.add(ROOF, Brush::bar_y(&east, -504.0, -456.0));
    m.add(ROOF, Brush::bar_y(&west, -504.0, -456.0));
    m.vault(0, 0.0, 64.0, 96.0, &[-512.0, -480.0, -448.0]);
}

/// Adds three crates, one of them turned by 45 degrees, and a pyramid.
fn crates(m: &mut Map) {
    m.cuboid(TRIM, [-720.0, -256.0, 0.0], [-656.0, -192.0, 64.0]);
    m.cuboid(TRIM, [-720.0, -256.0, 64.0], [-672.0, -208.0, 112.0]);
    let turned = [
        [-560.0, -224.0],
        [-600.0, -184.0],
        [-640.0, -224.0],
        [-600.0, -264.0],
    ];
    m.add(TRIM, Brush::column(&turned, 0.0, 56.0));
    let pyramid = [
        [160.0, -320.0, 0.0],
        [288.0, -320.0, 0.0],
        [288.0, -192.0, 0.0],
        [160.0, -192.0, 0.0],
        [224.0, -256.0, 96.0],
    ];
    m.add(ROOF, Brush::hull(&pyramid));
}
