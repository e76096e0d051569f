//! The text of map editors: each notation for a face gives the same exact planes, entities become the same models as
//! in map compilers, and contents follow the game. The facts are worked out by hand.

use nalgebra::Vector3;
use onion_compiler::brush;
use onion_geometry::grid::{DIST_ONE, NORMAL_ONE};
use onion_geometry::{ExactPlane, PlaneSet};
use onion_maps::contents::{CLIPHULL1, CLIPHULL3, LAVA, PLAYERCLIP, SOLID, TRIGGER};
use onion_maps::game::Game;
use onion_maps::{Halfspace, Map, MapEntity, ReadOptions, Up, parse};
use onion_tests::cases::sample_case;
use onion_tests::fixtures::{compiled, loaded};
use onion_tests::subject;

/// Three points, clockwise from outside, and the equation of the same plane, for the faces of a wedge: where x and y
/// are above 0, z is between -8 and 0.5, and 3x + 4y is below 60.
const WEDGE: [([[f64; 3]; 3], [f64; 4]); 5] = [
    (
        [[0., 0., 0.], [0., 1., 0.], [0., 0., 1.]],
        [-1., 0., 0., 0.],
    ),
    (
        [[0., 0., 0.], [0., 0., 1.], [1., 0., 0.]],
        [0., -1., 0., 0.],
    ),
    (
        [[0., 0., -8.], [1., 0., -8.], [0., 1., -8.]],
        [0., 0., -1., -8.],
    ),
    (
        [[0., 0., 0.5], [0., 1., 0.5], [1., 0., 0.5]],
        [0., 0., 1., -0.5],
    ),
    (
        [[20., 0., 0.], [20., 0., 1.], [0., 15., 0.]],
        [0.6, 0.8, 0., -12.],
    ),
];

fn texts(numbers: &[f64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(f64::to_string).collect();
    format!("( {} )", numbers.join(" "))
}

/// Writes the wedge with a texture, in the notations that have points, and as equations.
fn wedge(texture: &str, style: &str, shift: f64) -> String {
    let face = |(points, equation): &([[f64; 3]; 3], [f64; 4])| {
        let points = points.map(|[x, y, z]| texts(&[x + shift, y, z])).join(" ");
        match style {
            "standard" => format!("{points} {texture} 0 0 0 0.5 0.5"),
            "flags" => format!("{points} {texture} 0 0 0 0.5 0.5 0 0 0"),
            "valve" => format!("{points} {texture} [ 1 0 0 0 ] [ 0 -1 0 0 ] 0 1 1"),
            "brushDef" => format!("{points} ( ( 1 0 0 ) ( 0 1 0 ) ) {texture} 0 0 0"),
            _ => format!(
                "{} ( ( 1 0 0 ) ( 0 1 0 ) ) \"{texture}\" 0 0 0",
                texts(equation)
            ),
        }
    };
    let faces: Vec<String> = WEDGE.iter().map(face).collect();
    match style {
        "brushDef" | "brushDef3" => format!("{{\n{style}\n{{\n{}\n}}\n}}\n", faces.join("\n")),
        _ => format!("{{\n{}\n}}\n", faces.join("\r\n")),
    }
}

fn entity(class: &str, keys: &str, brushes: &str) -> String {
    format!("{{\n\"classname\" \"{class}\" // its class\n{keys}\n{brushes}}}\n")
}

fn world(brushes: &str) -> String {
    entity("worldspawn", "", brushes)
}

/// Writes a wedge of wall, in the usual notation.
fn wall(shift: f64) -> String {
    wedge("wall", "standard", shift)
}

/// Writes a patch of columns of three points.
fn patch(kind: &str, sizes: &str, columns: &[[[i32; 3]; 3]]) -> String {
    let point = |[x, y, z]: [i32; 3]| format!("( {x} {y} {z} 0 0 )");
    let column = |points: &[[i32; 3]; 3]| format!("( {} )", points.map(point).join(" "));
    let columns: Vec<String> = columns.iter().map(column).collect();
    let columns = columns.join("\n");
    format!("{{\n{kind}\n{{\nwall\n( {sizes} )\n(\n{columns}\n)\n}}\n}}\n")
}

/// Writes a patch whose columns run along x and rows against y, so that it is visible from below.
fn sheet(kind: &str, sizes: &str, heights: [i32; 3]) -> String {
    let [a, b, c] = heights;
    let column = |x| [[x, 64, a], [x, 32, b], [x, 0, c]];
    patch(kind, sizes, &[0, 32, 64].map(column))
}

fn flat_sheet() -> String {
    sheet("patchDef2", "3 3 0 0 0", [8; 3])
}

/// Returns the numbers of the brushes of each model.
fn counts(map: &Map) -> Vec<usize> {
    map.models.iter().map(|model| model.brushes.len()).collect()
}

fn read(text: &str, game: &str) -> Map {
    let options = ReadOptions {
        game: Game::named(game).cloned(),
        ..ReadOptions::default()
    };
    parse(text.as_bytes(), &options).unwrap()
}

fn planes(map: &Map, model: usize, brush: usize) -> Vec<ExactPlane> {
    let sides = map.models[model].brushes[brush].sides.iter();
    let plane = |halfspace| match halfspace {
        Halfspace::Behind(plane) => plane,
        other => panic!("{other:?}"),
    };
    sides.map(|side| plane(side.halfspace)).collect()
}

#[test]
fn all_ways_of_writing_give_the_same_planes() {
    let tenths = |n: i64| (n as f64 * NORMAL_ONE as f64 / 10.0).round() as i64;
    let plane = |x, y, z, halves: i64| ExactPlane {
        normal: Vector3::new(tenths(x), tenths(y), tenths(z)),
        dist: halves * DIST_ONE / 2,
    };
    let expected = [
        plane(-10, 0, 0, 0),
        plane(0, -10, 0, 0),
        plane(0, 0, -10, 16),
        plane(0, 0, 10, 1),
        plane(6, 8, 0, 24),
    ];
    for style in ["standard", "flags", "valve", "brushDef", "brushDef3"] {
        let map = read(&world(&wedge("wall", style, 0.0)), "quake3");
        assert_eq!(planes(&map, 0, 0), expected, "{style}");
    }
}

/// A plane without an exact place on the grid is rounded the same way for any points that define it.
#[test]
fn a_plane_is_the_same_by_all_of_its_points() {
    let face = |a: [f64; 3], b: [f64; 3], c: [f64; 3]| {
        format!("{} {} {} wall 0 0 0 1 1", texts(&a), texts(&b), texts(&c))
    };
    // All are on the plane x + 2y + 3z = 6.
    let near = face([6., 0., 0.], [0., 0., 2.], [0., 3., 0.]);
    let far = face([4006., -2000., 0.], [-8.25, 0.75, 4.25], [6., 300., -200.]);
    let rest = WEDGE[..3].iter().map(|([a, b, c], _)| face(*a, *b, *c));
    let rest: Vec<String> = rest.collect();
    let of = |own: String| {
        let brush = format!("{{\n{}\n{own}\n}}\n", rest.join("\n"));
        planes(&read(&world(&brush), "quake"), 0, 0)[3]
    };
    // The same plane far out, where products have more than 127 bits, and near, with more decimals than are
    // significant.
    let huge = face(
        [6e15, -3e15, 2.0],
        [-3e15, 0., 1e15 + 2.],
        [0., 3e15 + 3., -2e15],
    );
    let long =
        "( +6.000 +0 0.0000000000000000000000 ) ( 00 0 2 ) ( 0.00 3 -0 ) wall 0 0 0 1 1".to_owned();
    let near = of(near);
    for other in [far, huge, long].map(of) {
        assert!(
            near == other || near == other.flipped(),
            "{near:?} {other:?}"
        );
    }
}

/// An axial plane halfway between two places on the grid goes to the one farther from zero.
/// The magnitude of the least exponent of 64 bits has 65.
#[test]
fn the_least_exponent_is_no_number() {
    let wall = "( 0 0 0 ) ( 0 1 0 ) ( 1 0 1e-9223372036854775808 ) wall 0 0 0 1 1";
    let text = world(&format!("{{\n{wall}\n}}\n"));
    let read = onion_maps::parse(text.as_bytes(), &ReadOptions::default());
    let message = read.unwrap_err().to_string();
    assert!(message.contains("e-9223372036854775808"), "{message}");
}

/// Doom 3's faces are equations and have no points.
#[test]
fn a_face_without_a_direction_is_told_as_it_is_written() {
    let points = "( 0 0 0 ) ( 1 1 1 ) ( 2 2 2 ) wall 0 0 0 1 1\n".repeat(4);
    let equations = "( 0 0 0 5 ) ( ( 1 0 0 ) ( 0 1 0 ) ) \"wall\" 0 0 0\n".repeat(4);
    let on_a_line = "the three points of its face 0 lie on a line; left out";
    let no_normal = "the normal of its face 0 is zero; left out";
    for (brush, told) in [
        (format!("{{\n{points}}}\n"), on_a_line),
        (format!("{{\nbrushDef3\n{{\n{equations}}}\n}}\n"), no_normal),
    ] {
        let map = parse(world(&brush).as_bytes(), &ReadOptions::default()).unwrap();
        let messages: Vec<_> = map.warnings.iter().map(|own| &*own.message).collect();
        assert!(messages.contains(&told), "{messages:?}");
    }
}

#[test]
fn ties_are_rounded_away_from_zero() {
    let rest = WEDGE[1..].iter();
    let face =
        |numbers: &[f64]| format!("{} ( ( 1 0 0 ) ( 0 1 0 ) ) \"wall\" 0 0 0", texts(numbers));
    let rest: Vec<String> = rest.map(|(_, equation)| face(equation)).collect();
    for sign in [1, -1] {
        // 2^37 x = 2^43 + 1, so x is 64 plus half a step of the grid.
        let numbers = [
            (1u64 << 37) as f64,
            0.,
            0.,
            -f64::from(sign) * 8796093022209.0,
        ];
        let own = face(&numbers);
        let brush = format!("{{\nbrushDef3\n{{\n{own}\n{}\n}}\n}}\n", rest.join("\n"));
        let plane = planes(&read(&world(&brush), "doom3"), 0, 0)[0];
        let expected = i64::from(sign) * (64 * DIST_ONE + 1);
        assert_eq!(plane, ExactPlane::axial(0, true, expected));
    }
}

#[test]
fn entities_become_models_as_their_game_has_it() {
    let origin = wedge("origin", "standard", 200.0);
    let clip_and_hint = wedge("clip", "standard", 0.0) + &wedge("hint", "standard", 0.0);
    let text = [
        world(&wall(0.0)),
        entity("func_detail", "", &wedge("wall", "valve", 100.0)),
        entity("func_door", "", &(wall(200.0) + &origin)),
        entity("trigger_once", "", &wedge("trigger", "standard", 0.0)),
        entity("func_illusionary", "", &wall(0.0)),
        entity("func_group", "", &clip_and_hint),
    ];
    let map = read(&text.concat(), "quake");
    assert_eq!(map.warnings, []);
    assert_eq!(counts(&map), [3, 1, 1, 0], "world, door, trigger, illusion");
    let contents = |model: usize| map.models[model].brushes.iter().map(|brush| brush.contents);
    assert!(contents(0).take(2).all(|contents| contents == SOLID));
    let clip = contents(0).next_back().unwrap();
    assert_eq!(clip & (SOLID | PLAYERCLIP), PLAYERCLIP);
    assert_eq!(contents(2).next(), Some(TRIGGER));
    // The middle of the origin brush, whose corners are 200 0 -8 and 220 15 0.5.
    assert_eq!(map.models[1].origin, [210.0, 7.5, -3.75]);
    assert_eq!(map.models[1].entity, Some(2));
    let door = planes(&map, 1, 0);
    assert_eq!(door[0].dist, 10 * DIST_ONE);
    assert_eq!(door[3].dist, 17 * DIST_ONE / 4);
}

/// The cross product of its columns and rows points down.
#[test]
fn a_patch_is_seen_from_its_visible_side() {
    let map = subject::parse(world(&flat_sheet()).as_bytes());
    let patch = &map.models[0].patches[0];
    assert_eq!(patch.points[0], [0.0, 64.0, 8.0]);
    assert_eq!(patch.points[1], [32.0, 64.0, 8.0]);
    let up = patch.normals[0][2];
    let is_flat = patch.normals.iter().all(|normal| normal[2] == up);
    assert!(is_flat, "{:?}", patch.normals);
    assert_eq!(up, -1.0);
    let door = world("") + &entity("func_door", "", &flat_sheet());
    assert_eq!(subject::parse(door.as_bytes()).models[1].patches.len(), 1);
    assert!(map.format.contains("quake3"), "{}", map.format);
}

/// Doom 3 writes the level of detail of a patch, which does not affect its shape.
#[test]
fn patches_of_doom_3_are_those_of_quake_3() {
    let patch = |kind: &str, sizes: &str| {
        let text = sheet(kind, sizes, [8, 40, 8]).replace("wall", "\"wall\"");
        let map = subject::parse(world(&text).as_bytes());
        assert_eq!(map.warnings, []);
        (map.format, map.models[0].patches[0].clone())
    };
    let (game, of_quake3) = patch("patchDef2", "3 3 0 0 0");
    assert_eq!(game, "map text, quake3");
    let (game, of_doom3) = patch("patchDef3", "3 3 8 4 0 0 0");
    assert_eq!(game, "map text, doom3");
    assert_eq!(of_doom3.points, of_quake3.points);
    let middle = [[0.0, 32.0, 40.0], [32.0, 32.0, 40.0]];
    assert_eq!(of_doom3.points[3..5], middle);
    assert_eq!(of_doom3.normals, of_quake3.normals);
}

/// A key gives the contents of an entity's brushes, whatever its class and textures are, but brushes with empty
/// contents stay empty. The contents stop hulls that name them, and no others.
#[test]
fn mappers_choose_the_hulls_of_an_entity() {
    let keys = |contents: &str| format!("\"_contents\" \"{contents}\"");
    let wall_and_hint = wall(0.0) + &wedge("hint", "standard", 0.0);
    let clip = wedge("cliphull3", "standard", 200.0);
    let text = [
        world(""),
        entity("func_group", &keys("CLIPHULL1+cliphull3"), &wall_and_hint),
        entity("func_wall", &keys("none"), &wall(100.0)),
        entity("func_detail", &keys("stone"), &clip),
    ];
    let map = read(&text.concat(), "halflife");
    let contents: Vec<u32> = map.models[0].brushes.iter().map(|b| b.contents).collect();
    assert_eq!(contents, [CLIPHULL1 | CLIPHULL3, CLIPHULL3]);
    assert_eq!(map.models[1].brushes.len(), 0);
    let [warning] = &map.warnings[..] else {
        panic!("{:?}", map.warnings);
    };
    assert!(warning.message.contains("\"stone\""), "{warning:?}");
    let hulls = [
        "point:point:contents=cliphull1",
        "stand:16x56",
        "small:1x2:contents=solid+cliphull3",
    ];
    let onion = loaded(&map, &hulls);
    let solid = |x: f64| {
        let solidity = onion.model(0).unwrap().solidity([x, 1.0, -1.0]);
        [0, 1, 2].map(|hull| solidity.contains(hull))
    };
    assert_eq!(solid(1.0), [true, false, true]);
    assert_eq!(solid(201.0), [false, false, true]);
}

/// Contents and keys that request hulls without effect give a warning.
#[test]
fn contents_that_stop_no_hull_are_told() {
    let clip = wedge("cliphull2", "standard", 100.0);
    let text = [
        world(&wall(0.0)),
        entity("func_detail", "", &clip),
        entity("func_wall", "\"_hulls\" \"1\"", &wall(200.0)),
    ];
    let map = read(&text.concat(), "halflife");
    let warnings = |hull: &str| {
        let told = compiled(&map, &[hull], |_| ()).report.warnings.into_iter();
        told.map(|warning| warning.message).collect::<Vec<_>>()
    };
    let told = warnings("stand:16x56");
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].contains("\"_hulls\" is not read"), "{told:?}");
    let stops = told[1].contains("1 brush made of cliphull2 stop");
    assert!(stops, "{told:?}");
    let told = warnings("stand:16x56:contents=solid+cliphull2");
    assert_eq!(told.len(), 1, "{told:?}");
}

/// As in map compilers, the first entity is the world if none is worldspawn.
#[test]
fn a_map_without_worldspawn_has_a_world() {
    let first = entity("__init", "", &wall(0.0));
    let both = first + &entity("func_door", "", &wall(64.0));
    assert_eq!(counts(&read(&both, "quake3")), [1, 1]);
    let all = both + &world("");
    assert_eq!(counts(&read(&all, "quake3")), [0, 1, 1]);
}

#[test]
fn a_table_of_the_users_goes_before_its_base() {
    let table = "base = \"quake3\"\ntextures = [{ ends = \"fence\", contents = \"none\" }]";
    let game = Game::from_table("mine.toml", table).unwrap();
    assert_eq!(game.texture("textures/clown/Fence").contents, 0);
    assert_eq!(game.texture("common/clip").contents, PLAYERCLIP);
    assert_eq!(game.texture("clown/fence_post").contents, SOLID);
    let table = "base = \"quake3\"\ntextures = [{ is = \"common/clip\", contents = \"none\" }]";
    let game = Game::from_table("mine.toml", table).unwrap();
    assert_eq!(game.texture("common/clip").contents, 0);
    // Its first face decides for a brush, as in the base; in a game without a base any other face does.
    let own = Game::from_table("mine.toml", &table.replace("base = \"quake3\"", "")).unwrap();
    let ranks = [game, own].map(|game| game.texture("common/clip").rank);
    assert_eq!(ranks, [0, i8::MIN]);
    // A rank takes precedence over the numbers of Quake II's faces.
    for (rank, n_brushes) in [(0, 1), (1, 0)] {
        let rule = format!("{{ is = \"wall\", contents = \"none\", rank = {rank} }}");
        let table = format!("base = \"quake2\"\ntextures = [{rule}]");
        let options = ReadOptions {
            game: Game::from_table("mine.toml", &table).ok(),
            ..ReadOptions::default()
        };
        let text = world(&wedge("wall", "flags", 0.0));
        let map = parse(text.as_bytes(), &options).unwrap();
        assert_eq!(map.models[0].brushes.len(), n_brushes, "{rank}");
    }
    for (wrong, word) in [
        ("base = \"doom\"", "quake3"),
        ("textures = [{ is = \"a\", contents = \"stone\" }]", "solid"),
        ("textures = [{ contents = \"none\" }]", "exactly one"),
        ("textures = [{ is = \"a\" }]", "contents"),
        ("texture = []", "unknown field"),
        (
            "textures = []\n[[entities]]\nis = \"a\"\ncontents = \"b\"",
            "mine.toml, line 2: unknown contents",
        ),
        ("\nbase = \"doom\"", "mine.toml, line 2: base"),
    ] {
        let error = Game::from_table("mine.toml", wrong).unwrap_err();
        assert!(error.contains(word), "{wrong}: {error}");
    }
}

/// TrenchBroom's layers and groups, each an entity that may have its own brushes, and the parts of them that it
/// exports.
#[test]
fn what_trenchbroom_omits_is_left_out() {
    let wall = wedge("wall", "valve", 0.0);
    let lying_in = |keys: &str| {
        let start = format!("{keys}\n\"origin\" \"0 0 0\"");
        entity("func_door", keys, &wall)
            + &entity("func_group", keys, &wall)
            + &entity("info_player_start", &start, "")
    };
    let made = |kind: &str, id: u32, keys: &str| {
        let keys = format!("\"_tb_type\" \"_tb_{kind}\"\n\"_tb_id\" \"{id}\"\n{keys}");
        entity("func_group", &keys, &wall)
    };
    const OMIT: &str = "\"_tb_layer_omit_from_export\" \"1\"";
    let layer = |id: u32| format!("\"_tb_layer\" \"{id}\"");
    let group = |id: u32| format!("\"_tb_group\" \"{id}\"");
    let groups = [
        made("layer", 3, OMIT),
        made("layer", 4, "\"_tb_layer_omit_from_export\" \"0\""),
        // Groups in groups, and one in itself; numbers of layers and groups may be the same.
        made("group", 5, &layer(3)),
        made("group", 6, &group(5)),
        made("group", 3, &layer(4)),
        made("group", 8, &group(9)),
        made("group", 9, &group(8)),
    ];
    let in_layer_3 = 3;
    for (keys, is_exported) in [
        (String::new(), true),
        (layer(4), true),
        (layer(3), false),
        (layer(77), true),
        (group(5), false),
        (group(6), false),
        (group(3), true),
        (group(8), true),
        (group(77), true),
    ] {
        for omits_default in [false, true] {
            let omit = if omits_default { OMIT } else { "" };
            let world = entity("worldspawn", omit, &wall);
            let text = [world, lying_in(&keys), groups.concat()].concat();
            let map = read(&text, "quake");
            let in_default = keys.is_empty() || keys.contains("77") || keys == group(8);
            let is_exported = is_exported && !(omits_default && in_default);
            let what = format!("{keys} {omits_default}");
            let is_door = |own: &&MapEntity| own["classname"] == "func_door";
            let doors = map.entities.iter().filter(is_door).count();
            let n_exported = usize::from(is_exported);
            assert_eq!([map.points.len(), doors], [n_exported; 2], "{what}");
            // Layer 4 and group 3 are exported with their own brush, groups 8 and 9 with the default layer.
            let own = if omits_default { 2 } else { 5 } + n_exported;
            assert_eq!(map.models[0].brushes.len(), own, "{what}");
            let n_groups = groups.len() - in_layer_3 - if omits_default { 2 } else { 0 };
            let n_entities = 1 + n_groups + if is_exported { 3 } else { 0 };
            assert_eq!(map.entities.len(), n_entities, "{what}");
            assert_eq!(map.models.len(), 1 + n_exported, "{what}");
            assert_eq!(map.entities[0]["classname"], "worldspawn");
        }
    }
}

/// A world may be in several parts; together they are the first model.
#[test]
fn all_worldspawns_are_the_world() {
    let part = |shift: f64| world(&wall(shift));
    let door = entity("func_door", "", &wall(64.0));
    for (text, n_brushes) in [
        (part(0.0) + &door, vec![1, 1]),
        (part(0.0) + &door + &part(100.0), vec![2, 1]),
        (part(0.0) + &part(100.0) + &part(200.0) + &door, vec![3, 1]),
    ] {
        let map = read(&text, "quake");
        assert_eq!(counts(&map), n_brushes);
        let messages = map.warnings.iter().map(|own| &own.message);
        let warned = messages.filter(|own| own.contains("another worldspawn"));
        let expected = usize::from(n_brushes[0] > 1);
        assert_eq!(warned.count(), expected, "{:?}", map.warnings);
    }
}

/// The origin of a model is the middle of its first origin brush, in sixteenths; brushes and patches are
/// stored around it.
#[test]
fn origin_brushes_move_all_of_their_model() {
    let origin = |shift: f64| wedge("common/origin", "standard", shift);
    let key = "\"origin\" \"4 5 6\"";
    // The middle of a wedge is 10 7.5 -3.75.
    let several = "several origin brushes; the first one counts";
    for (keys, brushes, x, warning) in [
        ("", origin(0.0), 10.0, None),
        (key, origin(0.0), 10.0, None),
        ("", origin(0.03), 10.0, None),
        ("", origin(0.04), 10.0625, None),
        ("", origin(-20.04), -10.0625, None),
        ("", origin(64.0) + &origin(0.0), 74.0, Some(several)),
        (key, String::new(), 4.0, None),
        ("", String::new(), 0.0, None),
    ] {
        let (y, z) = match (brushes.is_empty(), keys.is_empty()) {
            (false, _) => (7.5, -3.75),
            (true, false) => (5.0, 6.0),
            (true, true) => (0.0, 0.0),
        };
        let brushes = wall(0.0) + &brushes + &flat_sheet();
        let text = world(&wall(0.0)) + &entity("func_door", keys, &brushes);
        let map = read(&text, "quake3");
        let [_, door] = &map.models[..] else {
            panic!("{keys} {x}")
        };
        assert_eq!(door.origin, [x, y, z]);
        assert_eq!(door.patches[0].points[1], [32.0 - x, 64.0 - y, 8.0 - z]);
        let dist = (f64::from(x) * DIST_ONE as f64) as i64;
        assert_eq!(planes(&map, 1, 0)[0].dist, dist);
        let found = map.warnings.first().map(|warning| &*warning.message);
        assert_eq!(found, warning, "{x}");
    }
}

/// Doom 3 (`idMapBrush::Parse` and `idMapPatch::Parse`) takes equations relative to the origin of their entity, and
/// points of patches and of other brushes as places in the world.
#[test]
fn equations_are_around_the_origin() {
    let patch = sheet("patchDef3", "3 3 4 4 0 0 0", [8; 3]);
    let key = "\"origin\" \"100 5 6\"";
    for (style, east) in [("brushDef3", 0), ("brushDef", -100)] {
        let brushes = wedge("wall", style, 0.0) + &patch;
        let text = world(&brushes) + &entity("func_door", key, &brushes);
        let map = read(&text, "doom3");
        assert_eq!(map.models[1].origin, [100.0, 5.0, 6.0], "{style}");
        assert_eq!(planes(&map, 1, 0)[0].dist, -east * DIST_ONE, "{style}");
        assert_eq!(map.models[1].patches[0].points[1], [-68.0, 59.0, 2.0]);
    }
}

/// A map in which nothing is solid is most often a mistake, and an option without effect is always one.
#[test]
fn what_has_no_effect_is_told() {
    let with_game = ReadOptions {
        game: Game::named("quake").cloned(),
        ..ReadOptions::default()
    };
    let of_scenes = ReadOptions {
        up: Up::Z,
        scale: 32.0,
        all_meshes: true,
        ..ReadOptions::default()
    };
    let door = entity("func_door", "", &wall(0.0));
    let sample = &sample_case("room").bytes;
    let of_map = "the map: it has neither brushes nor patches";
    let of_world = "the world: it has neither brushes nor patches";
    for (bytes, expected) in [
        (world(""), &[of_map][..]),
        (world(&wedge("hint", "standard", 0.0)), &[of_map]),
        (world("") + &door, &[of_world]),
        (world(&wall(0.0)), &[]),
    ] {
        assert_told(&parse(bytes.as_bytes(), &with_game).unwrap(), expected);
    }
    assert_told(
        &parse(sample, &with_game).unwrap(),
        &["quake has no effect"],
    );
    let idle = ["--up", "--scale", "--all-meshes"];
    assert_told(&parse(sample, &of_scenes).unwrap(), &idle);
    assert_told(&parse(sample, &ReadOptions::default()).unwrap(), &[]);
}

fn assert_told(map: &Map, expected: &[&str]) {
    assert_eq!(map.warnings.len(), expected.len(), "{:?}", map.warnings);
    for (warning, words) in map.warnings.iter().zip(expected) {
        let text = format!("{}: {}", warning.place, warning.message);
        assert!(text.contains(words), "{text}");
    }
}

/// Line endings of all systems have the same effect: they end a comment, and also a path whose last character would
/// escape the quote after it. Warnings count lines the same way.
#[test]
fn lines_end_as_on_any_system() {
    let lines = [
        "{ // the world",
        "\"classname\" \"worldspawn\"",
        "\"wad\" \"C:\\maps\\\"",
        "\"_hulls\" \"1\"",
        "}",
        "{",
        "\"classname\" \"func_wall\"",
        "\"_hulls\" \"1\"",
        "}",
    ];
    for end in ["\n", "\r\n", "\r"] {
        let map = read(&lines.join(end), "quake");
        assert_eq!(map.entities[0]["wad"], "C:\\maps\\", "{end:?}");
        let places = map.warnings.iter().map(|warning| &*warning.place);
        let places: Vec<&str> = places.take(2).collect();
        assert_eq!(places, ["entity 0, line 1", "entity 1, line 6"], "{end:?}");
    }
}

/// The only group of a map belongs to its layer, as one of many groups does.
#[test]
fn a_group_alone_is_left_out_with_its_layer() {
    let made = |keys: &str| entity("func_group", keys, &wedge("wall", "valve", 0.0));
    let layer =
        "\"_tb_type\" \"_tb_layer\"\n\"_tb_id\" \"2\"\n\"_tb_layer_omit_from_export\" \"1\"";
    let group = "\"_tb_type\" \"_tb_group\"\n\"_tb_id\" \"3\"\n\"_tb_layer\" \"2\"";
    let parts = [
        world(&wedge("wall", "valve", 0.0)),
        made(layer),
        made(group),
        made("\"_tb_group\" \"3\""),
    ];
    let map = read(&parts.concat(), "quake");
    assert_eq!(map.models[0].brushes.len(), 1, "that of the world");
}

/// The numbers after a face's alignment are its contents and flags in every notation; each texture keeps the flags of
/// each of its faces, and integers too large for a float stay exact.
#[test]
fn flags_are_those_of_their_faces() {
    let read_with = |style: &str| {
        let faces = wedge("wall", style, 0.0);
        // In one of the notations every face has zeros already, which the flags replace.
        let with_numbers = |(at, line): (usize, &str)| {
            let flags = ["", " 8 16777217 3", " 8 2 3"].get(at).unwrap_or(&"");
            match line.strip_suffix(" 0 0 0").filter(|_| !flags.is_empty()) {
                Some(face) if style == "flags" => format!("{face}{flags}"),
                _ => format!("{line}{flags}"),
            }
        };
        let text: Vec<String> = faces.lines().enumerate().map(with_numbers).collect();
        assert_eq!(text.len(), 7);
        read(&world(&(text.join("\n") + "\n")), "quake2")
    };
    for style in ["flags", "valve"] {
        let map = read_with(style);
        let sides = map.models[0].brushes[0].sides.iter();
        let flags: Vec<u32> = sides
            .map(|side| map.surfaces[side.surface as usize].flags)
            .collect();
        assert_eq!(flags, [16_777_217, 2, 0, 0, 0], "{style}");
        assert_eq!(map.models[0].brushes[0].contents & LAVA, LAVA, "{style}");
    }
}

/// A mapper's choice of contents for an entity also applies to its patches.
#[test]
fn patches_are_made_of_what_their_entity_says() {
    for (keys, contents) in [("", SOLID), ("\"_contents\" \"trigger\"", TRIGGER)] {
        let text = world("") + &entity("func_wall", keys, &flat_sheet());
        let map = read(&text, "quake3");
        assert_eq!(map.models[1].patches[0].contents, contents, "{keys}");
    }
}

/// Patches whose points are on a line: forth and back, straight on, or all in one place.
#[test]
fn patches_without_an_area_are_left_out() {
    for columns in [[0, 64, 0], [0, 32, 64], [0, 0, 0]] {
        let column = |x| [[x, 8, 8]; 3];
        let patch = patch("patchDef2", "3 3 0 0 0", &columns.map(column));
        let map = read(&world(&patch), "quake3");
        let mut warnings = Vec::new();
        let made = brush::build(&map, 4.0, &mut PlaneSet::default(), &mut warnings).unwrap();
        assert!(made.iter().all(Vec::is_empty), "{columns:?}");
        let warnings = format!("{warnings:?}");
        assert!(warnings.contains("no area"), "{columns:?}: {warnings}");
    }
}

/// An entity's origin is three numbers, all of them finite.
#[test]
fn origins_are_finite() {
    let room = world(&wall(0.0));
    for (origin, is_place) in [
        ("1 2 -3.5", true),
        ("1 2", false),
        ("1 2 3 4", false),
        ("1 2 nan", false),
        ("inf 2 3", false),
        ("1 2e99 3", false),
    ] {
        let light = entity("light", &format!("\"origin\" \"{origin}\""), "");
        let map = read(&(room.clone() + &light), "quake3");
        assert_eq!(map.points.len(), usize::from(is_place), "{origin}");
        assert_eq!(map.warnings.is_empty(), is_place, "{origin}");
    }
}

/// Where a patch meets itself, its normals agree: those of a pipe point straight away from its axis.
#[test]
fn normals_go_on_behind_a_seam() {
    let circle = [1, 1, 0, -1, -1, -1, 0, 1, 1].into_iter();
    let circle = circle.zip([0, 1, 1, 1, 0, -1, -1, -1, 0]);
    let column = |(x, y)| [0, 64, 128].map(|z| [64 * x, 64 * y, z]);
    let columns: Vec<_> = circle.clone().map(column).collect();
    let patch = patch("patchDef2", "9 3 0 0 0", &columns);
    let map = read(&world(&patch), "quake3");
    let patch = &map.models[0].patches[0];
    for (at, (x, y)) in circle.enumerate() {
        let length = f64::from(x * x + y * y).sqrt();
        let [a, b, c] = patch.normals[at].map(f64::from);
        let away = (a * f64::from(x) + b * f64::from(y)) / length;
        assert!(away.abs() > 0.999_99 && c.abs() < 1e-6, "{at}: {a} {b} {c}");
    }
}
