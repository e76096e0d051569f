//! `onionc diff`: the space that became solid or empty, against volumes worked out by hand, the other differences,
//! and the picture of their places.

use std::io::Cursor;

use onion_tests::samples::{Brush, Map, Shader, text, write};
use serde_json::Value;

use crate::folder::*;

/// Colors of space that is solid now, and of space that was solid before.
const COLORS: [[u8; 3]; 2] = [[0xD8, 0x1F, 0x3F], [0x14, 0xA8, 0x74]];

/// Makes a room, and the same room with a block on its floor.
fn folder_of_rooms() -> Folder {
    let mut map = Map::new("room", "A room");
    map.room([-256.0, -256.0, 0.0], [256.0, 256.0, 256.0]);
    map.spawn([-100, 0, 24], 0);
    let folder = Folder::new();
    folder.write("empty.bsp", write(&map));
    map.cuboid(Shader::Wall, [64.0, 64.0, 0.0], [128.0, 128.0, 64.0]);
    folder.write("block.bsp", write(&map));
    let hulls = "--hull stand:16x56 --hull point:point";
    folder.succeed(&format!("empty.bsp block.bsp {hulls}"));
    folder
}

fn place(diff: &Value, hull: usize) -> &Value {
    let places = diff["hulls"][hull]["places"].as_array().unwrap();
    assert_eq!(places.len(), 1, "{places:#?}");
    &places[0]
}

#[test]
fn a_block_is_what_became_solid() {
    let folder = folder_of_rooms();
    let there = folder.succeed_json("diff empty.onion block.onion --json");
    let back = folder.succeed_json("diff block.onion empty.onion --json");
    // The block grows by the box's half-width on all sides. The floor is solid up to 24 anyway, the block up to 64 +
    // 24.
    let stand = 96.0 * 96.0 * 64.0;
    let point = 64.0 * 64.0 * 64.0;
    for (hull, volume) in [stand, point].into_iter().enumerate() {
        for (diff, field, change) in [
            (&there, "became_solid", "solid"),
            (&back, "became_empty", "empty"),
        ] {
            let found = diff["hulls"][hull][field].as_f64().unwrap();
            assert!((found - volume).abs() < 1.0, "{found} for {volume}");
            assert_eq!(place(diff, hull)["change"], change);
        }
        assert_eq!(there["hulls"][hull]["became_empty"], 0.0);
    }
    for (field, expected) in [("mins", [48.0, 48.0, 24.0]), ("maxs", [144.0, 144.0, 88.0])] {
        let corner = &place(&there, 0)[field];
        let corner = [0, 1, 2].map(|axis| corner[axis].as_f64().unwrap().round());
        assert_eq!(corner, expected, "{field}");
    }
    assert_eq!(place(&there, 0)["near"]["class"], "info_player_deathmatch");
}

#[test]
fn options_and_counts_that_differ_are_told() {
    let folder = folder_of_rooms();
    folder.succeed("empty.bsp --hull stand:16x48 --hull crouch:16x32 --hull point:point --no-fill -o other.onion");
    let diff = folder.succeed_json("diff empty.onion other.onion --json");
    let options = |field: &str| texts(&diff[field], "").join("\n");
    assert_eq!(diff["same_map"], true);
    assert_eq!(
        options("options_before"),
        "--hull=stand:mins=-16,-16,-24:maxs=16,16,32:contents=solid+playerclip\n--hull=point:mins=0,0,0:maxs=0,0,0:contents=solid+shotclip"
    );
    let now = options("options_now");
    assert_says(&now, &["maxs=16,16,24", "--hull=crouch:"]);
    let n_unfilled = now.matches("(not filled)").count();
    assert!(now.ends_with("--no-fill") && n_unfilled == 3, "{now}");
    let names = texts(&diff["hulls"], "hull");
    assert_eq!(names, ["stand", "point"], "hulls that both have");
    // The space outside of the room was filled; above its floor, the lower box has 8 more units.
    assert!(diff["hulls"][0]["became_empty"].as_f64().unwrap() > 480.0 * 480.0 * 8.0);
    let text = folder.succeed("diff empty.onion other.onion");
    assert_says(
        &text,
        &[
            "before: --hull=stand:",
            "now: --no-fill",
            "bytes: ",
            "nodes: ",
            "became empty",
        ],
    );
    let text = folder.succeed("diff block.onion block.onion");
    assert_eq!(text, "nothing differs\n");
}

/// Counts the pixels of each color of changes in a picture.
fn pixels(folder: &Folder, name: &str) -> [usize; 2] {
    let bytes = folder.read(name);
    let mut reader = png::Decoder::new(Cursor::new(&bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    COLORS.map(|color| pixels.chunks(3).filter(|pixel| *pixel == color).count())
}

#[test]
fn the_picture_shows_where() {
    let folder = folder_of_rooms();
    folder.succeed("diff empty.onion block.onion block.bsp -o there.png --hull stand");
    folder.succeed("diff block.onion empty.onion -o back.png --hull stand");
    folder.succeed("diff empty.onion block.onion -o above.png --slice z=120");
    let [gained, none] = pixels(&folder, "there.png");
    let [none_back, lost] = pixels(&folder, "back.png");
    assert_eq!([none, none_back], [0, 0]);
    assert_eq!(pixels(&folder, "above.png"), [0, 0]);
    // The same square except for its outline, which is drawn on space that is solid in either; 96 units of some 600
    // each way.
    assert!(gained > 20_000 && lost > 20_000, "{gained} {lost}");
}

#[test]
fn what_is_wrong_is_told() {
    let folder = folder_of_rooms();
    folder.fail_each(
        USAGE,
        "diff empty.onion => NOW
         diff empty.onion block.onion -o a.png --hull fly => fly & stand, point
         diff empty.onion block.onion --slice z=3 => --output",
    );
    folder.fail("diff empty.onion none.onion", CANNOT_READ, &["none.onion"]);
    folder.fail_each(
        BAD_INPUT,
        "diff empty.onion block.bsp => block.bsp & not a compiled map",
    );
    folder.fail_each(
        CANNOT_WRITE,
        "diff empty.onion block.onion -o block.onion => an input of this command",
    );
}

/// Blocks that touch at a corner are one place, in both diagonals, whose point is in the highest; a missing block
/// beside them is another place. A model that moved with its entity is compared in its own space.
// Long: a map of all these blocks, and the report on each.
#[test]
fn places_are_what_touches_and_became_the_same() {
    let walls = |blocks: &[[[f64; 3]; 2]]| {
        let mut map = Map::new("blocks", "Blocks on a floor");
        map.cuboid(Shader::Floor, [-256.0, -256.0, -16.0], [256.0, 256.0, 0.0]);
        for [mins, maxs] in blocks {
            map.cuboid(Shader::Wall, *mins, *maxs);
        }
        write(&map)
    };
    let block = |x: f64, y: f64, height: f64| [[x, y, 0.0], [x + 16.0, y + 16.0, height]];
    let gone = block(0.0, 16.0, 16.0);
    let new = [
        block(-16.0, -16.0, 16.0),
        block(16.0, -16.0, 48.0),
        block(0.0, 0.0, 16.0),
    ];
    let folder = Folder::new();
    folder.write("old.bsp", walls(&[gone]));
    folder.write("new.bsp", walls(&new));
    folder.succeed("old.bsp new.bsp --hull point:point --no-fill");
    let diff = folder.succeed_json("diff old.onion new.onion --json");
    let places = diff["hulls"][0]["places"].as_array().unwrap();
    assert_eq!(
        texts(&diff["hulls"][0]["places"], "change"),
        ["solid", "empty"]
    );
    let volume = |place: &Value| place["volume"].as_f64().unwrap().round();
    let volumes: Vec<f64> = places.iter().map(volume).collect();
    assert_eq!(volumes, [80.0, 16.0].map(|height| height * 16.0 * 16.0));
    let at = |axis: usize| places[0]["at"][axis].as_f64().unwrap();
    assert!(at(0) > 16.0 && at(1) < 0.0, "{:?}", places[0]);

    let lift = |height: f64| {
        let mut map = Map::new("lift", "A block and a lift");
        let [mins, maxs] = [[0.0; 3], [16.0, 16.0, height]];
        map.cuboid(Shader::Wall, mins, maxs);
        // Far away in the world, and at its origin in its own space.
        map.door(Some([1024, 1024, 0]), 0, vec![Brush::cuboid(mins, maxs)]);
        text(&map)
    };
    folder.write("low.map", lift(16.0));
    folder.write("high.map", lift(32.0));
    folder.succeed("low.map high.map --hull point:point --no-fill");
    let diff = folder.succeed_json("diff low.onion high.onion --json");
    let places = diff["hulls"][0]["places"].as_array().unwrap();
    let models: Vec<&Value> = places.iter().map(|place| &place["model"]).collect();
    assert_eq!(models, [0, 1]);
}
