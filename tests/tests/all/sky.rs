//! Points fly into the sky of Quake's maps, and the space behind it is solid in the BSP file, because the compiler
//! has filled the outside. In a map's text the sky closes the map. The tests use rooms of brushes, some of them made
//! of sky.

use onion_compiler::fill::FillOutcome;
use onion_compiler::fill::seeds::Fill;
use onion_maps::game::Game;
use onion_maps::{ReadOptions, parse};
use onion_tests::{fixtures, subject};

/// A brush of 16 units around a room of 128 units in all directions, and its texture.
type Wall = ([i32; 3], [i32; 3], &'static str);

const ROOM: [([i32; 3], [i32; 3]); 6] = [
    ([-80, -80, -80], [80, 80, -64]),
    ([-80, -80, 64], [80, 80, 80]),
    ([-80, -80, -64], [-64, 80, 64]),
    ([64, -80, -64], [80, 80, 64]),
    ([-64, -80, -64], [64, -64, 64]),
    ([-64, 64, -64], [64, 80, 64]),
];

fn brush((mins, maxs, texture): Wall) -> String {
    let mut text = String::from("{\n");
    for axis in 0..3 {
        for corner in [mins, maxs] {
            let mut points = [corner; 3];
            let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
            let [one, other] = if corner == mins {
                [next, last]
            } else {
                [last, next]
            };
            points[1][one] += 1;
            points[2][other] += 1;
            for [x, y, z] in points {
                text += &format!("( {x} {y} {z} ) ");
            }
            text += &format!("{texture} 0 0 0 1 1\n");
        }
    }
    text + "}\n"
}

/// Whether a point and a small box are filled in a room with these walls, and whether each place is solid for
/// the point.
fn compiled(
    textures: [&'static str; 6],
    n_walls: usize,
    places: &[[f64; 3]],
) -> (Vec<bool>, Vec<bool>) {
    let walls = ROOM.into_iter().zip(textures).take(n_walls);
    let walls = walls.map(|((mins, maxs), texture)| (mins, maxs, texture));
    compiled_for(&["bullet:point", "box:4x8@center"], walls, places)
}

/// Does the same for other hulls and brushes.
fn compiled_for(
    hulls: &[&str],
    brushes: impl Iterator<Item = Wall>,
    places: &[[f64; 3]],
) -> (Vec<bool>, Vec<bool>) {
    let brushes: String = brushes.map(brush).collect();
    let text = format!(
        "{{\n\"classname\" \"worldspawn\"\n{brushes}}}\n\
         {{\n\"classname\" \"info_player_start\"\n\"origin\" \"0 0 0\"\n}}\n"
    );
    let options = ReadOptions {
        game: Game::named("quake").cloned(),
        ..ReadOptions::default()
    };
    let map = parse(text.as_bytes(), &options).unwrap();
    let compiled = fixtures::compiled(&map, hulls, |options| options.fill = Fill::default());
    let outcomes = compiled.report.filling.iter().map(|hull| &hull.outcome);
    let filled = outcomes.map(|outcome| *outcome == FillOutcome::Filled);
    let onion = subject::load(&compiled);
    let world = onion.world();
    let solid = places.iter().map(|at| world.solidity(*at).contains(0));
    (filled.collect(), solid.collect())
}

#[test]
fn the_sky_closes_a_map_for_points() {
    const WALL: [&str; 6] = ["wall"; 6];
    const OPEN: [&str; 6] = ["wall", "sky1", "sky1", "sky1", "sky1", "sky1"];
    let one = |at: usize| {
        let mut textures = WALL;
        textures[at] = "sky1";
        textures
    };
    // In the room, and behind each wall.
    let mut places = vec![[0.0; 3], [63.0, 63.0, 63.0]];
    let behind = places.len();
    for distance in [82.0, 200.0] {
        for axis in 0..3 {
            for sign in [-1.0, 1.0] {
                let mut place = [0.0; 3];
                place[axis] = sign * distance;
                places.push(place);
            }
        }
    }
    for textures in [WALL, OPEN].into_iter().chain((0..6).map(one)) {
        let (filled, solid) = compiled(textures, 6, &places);
        assert_eq!(filled, [true, true], "{textures:?}");
        assert_eq!(solid[..2], [false, false], "{textures:?}");
        let is_closed = solid[behind..].iter().all(|&solid| solid);
        assert!(is_closed, "{textures:?}: {solid:?}");
    }
    // Without a ceiling, it leaks.
    for (textures, n_walls) in [(WALL, 5), (OPEN, 5)] {
        let (filled, _) = compiled(textures, n_walls, &places);
        assert_eq!(filled, [false, false]);
    }
}

/// A map that only the sky surrounds, beyond the box around everything that stops a point.
#[test]
fn the_sky_closes_a_map_that_is_an_island() {
    let island = ([-8, -8, -24], [8, 8, -16], "wall");
    let sky = ROOM.map(|(mins, maxs)| (mins, maxs, "sky1"));
    let places = [
        [0.0; 3],
        [63.0, 63.0, 63.0],
        [0.0, 0.0, -20.0],
        [0.0, 0.0, 81.0],
        [200.0, 0.0, 0.0],
    ];
    let brushes = sky.into_iter().chain([island]);
    let (filled, solid) = compiled_for(&["bullet:point"], brushes, &places);
    assert_eq!(filled, [true]);
    assert_eq!(solid, [false, false, true, true, true]);
}
