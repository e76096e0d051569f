//! The contents of textures, face flags and classes in each game. Each row names the source that it follows: the
//! compilers of the games, and shader files for the editors. A brush of one texture, or of several, is put into a
//! map's text, and the reader must give it the same contents as that compiler.

use onion_compiler::hull::{HullOption, resolve};
use onion_maps::contents::{
    AREAPORTAL, BOTCLIP, CLIPHULL1, CLIPHULL2, CLIPHULL3, CURRENT, Contents, FOG, LADDER, LAVA,
    MONSTERCLIP, NODROP, PLAYERCLIP, SHOTCLIP, SKY, SLIME, SOLID, TRANSLUCENT, TRIGGER, WATER,
    WINDOW,
};
use onion_maps::game::Game;
use onion_maps::{ReadOptions, parse};

/// Contents that stop agents alone, and the same with the sky.
const CLIP: Contents = PLAYERCLIP | MONSTERCLIP;
const ABOVE: Contents = CLIP | SKY;

/// Brushes as they are written: the textures of their six faces, where the last one continues; and their contents, 0
/// if the brush is not a brush of the map.
type Row = (&'static [&'static str], Contents);

/// `TextureContents` of `common/bspfile.cc`, and `Brush_GetContents` of `qbsp/map.cc`, in ericw-tools.
const QUAKE: [Row; 18] = [
    (&["wall"], SOLID),
    (&["trigger"], SOLID),
    (&["skip"], SOLID),
    (&["null"], SOLID),
    (&["{fence"], SOLID),
    (&["clip"], CLIP),
    (&["CLIP"], CLIP),
    (&["clipper"], SOLID),
    (&["origin"], 0),
    (&["hint"], 0),
    (&["hint", "hintskip"], 0),
    (&["hintskip", "wall"], SOLID),
    (&["*water1"], WATER),
    (&["*lava1"], LAVA),
    (&["*slime0"], SLIME),
    (&["*teleport"], WATER),
    (&["sky1"], ABOVE),
    (&["wall", "sky1"], SOLID),
];

/// `TextureContents`, `CheckBrushContents` and `CreateBrush` of `sdHLCSG/brush.cpp`, and `ParseBrush` of its
/// `map.cpp`, in SDHLT; the same in VHLT. A row has only combinations that these compilers accept.
const HALF_LIFE: [Row; 61] = [
    (&["wall"], SOLID),
    (&["{fence"], SOLID),
    (&["aaatrigger"], SOLID),
    (&["black"], SOLID),
    (&["*water"], SOLID),
    (&["null"], SOLID),
    (&["null", "wall"], SOLID),
    (&["NULL", "!water"], WATER),
    (&["bevel"], SOLID),
    (&["bevel", "null"], SOLID),
    (&["bevelbrush"], SOLID),
    (&["solidhint"], SOLID),
    (&["solidhint", "null"], SOLID),
    (&["bevelhint"], SOLID),
    (&["hint"], 0),
    (&["hint_old"], 0),
    (&["hint", "skip"], 0),
    (&["splitface"], 0),
    (&["splitface", "null"], 0),
    (&["boundingbox"], 0),
    (&["origin"], 0),
    (&["originbrush"], 0),
    (&["skip"], 0),
    (&["wall", "wall", "skip", "wall"], 0),
    (&["null", "skip2", "null"], 0),
    (&["wall", "contentempty", "wall"], 0),
    (&["wall", "contentwater", "wall"], WATER),
    (&["null", "contentwater_2", "skip"], WATER),
    (&["null", "skip", "contentwater"], 0),
    (&["wall", "contentsky", "wall"], ABOVE),
    (&["skip", "contentsolid"], 0),
    (&["!water", "contentsolid", "!water"], SOLID),
    (&["sky"], ABOVE),
    (&["skybox"], ABOVE),
    (&["env_sky"], ABOVE),
    (&["sky", "null"], ABOVE),
    (&["null", "sky"], ABOVE),
    (&["sky", "wall"], SOLID),
    (&["clip"], CLIP),
    (&["CLIPBEVEL"], CLIP),
    (&["clipbevelbrush"], CLIP),
    (&["null", "clip", "null"], CLIP),
    (&["wall", "wall", "clip"], CLIP),
    (&["cliphull1"], CLIPHULL1),
    (&["cliphull2"], CLIPHULL2),
    (&["CLIPHULL3x"], CLIPHULL3),
    (&["cliphull4"], CLIP),
    (&["noclip"], SHOTCLIP),
    (&["nullnoclip"], SHOTCLIP),
    (&["wall", "noclip", "wall"], SHOTCLIP),
    (&["sky", "noclip"], SKY),
    (&["!water1"], WATER),
    (&["!cur_90x"], WATER | CURRENT),
    (&["!cur_0"], WATER | CURRENT),
    (&["!cur_180"], WATER | CURRENT),
    (&["!cur_270"], WATER | CURRENT),
    (&["!cur_up"], WATER | CURRENT),
    (&["!cur_dwn"], WATER | CURRENT),
    (&["!LAVA_red"], LAVA),
    (&["!slime"], SLIME),
    (&["@glass"], TRANSLUCENT),
];

/// The textures' own contents in the game's `.wal` files, which qbsp3 uses if a face has no contents of its own. The
/// folder of a texture does not matter.
const QUAKE2: [Row; 13] = [
    (&["e1u1/floor1_1"], SOLID),
    (&["e1u1/trigger"], SOLID),
    (&["trigger"], SOLID),
    (&["e1u1/clip"], CLIP),
    (&["clip"], CLIP),
    (&["e2u3/clip_mon"], MONSTERCLIP),
    (&["e1u1/clipper"], SOLID),
    (&["e1u1/origin"], 0),
    (&["e1u1/hint"], 0),
    (&["e1u1/hint", "e1u1/skip"], 0),
    (&["e1u1/hint", "e1u1/floor1_1"], SOLID),
    (&["e1u1/skip"], 0),
    (&["e1u1/skip", "e1u1/floor1_1"], SOLID),
];

/// `scripts/common.shader` of GtkRadiant's Q3Pack, with the parameters of surfaces in `q3map2/games.cpp`.
const QUAKE3: [Row; 50] = [
    (&["base_wall/concrete"], SOLID),
    (&["textures/base_wall/concrete"], SOLID),
    (&["common/caulk"], SOLID),
    (&["common/cushion"], SOLID),
    (&["common/invisible"], SOLID),
    (&["common/mirror1"], SOLID),
    (&["common/mirror2"], SOLID),
    (&["common/noimpact"], SOLID),
    (&["common/nolightmap"], SOLID),
    (&["common/portal"], SOLID),
    (&["common/timportal"], SOLID),
    (&["common/slick"], SOLID),
    (&["common/terrain"], SOLID),
    (&["common/terrain2"], SOLID),
    (&["common/trigger"], SOLID),
    (&["common/weapclip"], SOLID),
    (&["skies/blue"], SOLID),
    (&["common/clip"], PLAYERCLIP),
    (&["textures/common/clip"], PLAYERCLIP),
    (&["walls/clip"], SOLID),
    (&["common/full_clip"], PLAYERCLIP),
    (&["common/metalclip"], PLAYERCLIP),
    (&["common/missileclip"], PLAYERCLIP),
    (&["common/botclip"], BOTCLIP),
    (&["common/nodrop"], NODROP),
    (&["common/clusterportal"], 0x10_0000),
    (&["common/donotenter"], 0x20_0000),
    (&["common/areaportal"], AREAPORTAL),
    (&["common/nodraw", "common/areaportal"], AREAPORTAL),
    (&["common/origin"], 0),
    (&["common/hint"], 0),
    (&["common/hint", "common/skip"], 0),
    (&["common/hintlocal"], 0),
    (&["common/hintskip"], 0),
    (&["common/skip"], 0),
    (&["common/antiportal"], 0),
    (&["common/lightgrid"], 0),
    (&["common/nodraw"], 0),
    (&["common/nodrawnonsolid"], 0),
    (&["common/watercaulk"], WATER),
    (&["common/slimecaulk"], SLIME),
    (&["common/lavacaulk"], LAVA),
    (&["common/alpha_75"], 0),
    // As many maps use them, without their scripts.
    (&["liquids/clear_calm1"], WATER),
    (&["liquids/lavahell"], LAVA),
    (&["liquids/slime1"], SLIME),
    (&["fogs/hellfog"], FOG),
    // `EmitBrushes` of `q3map2/writebsp.c` writes the shader of the first face.
    (&["common/nodraw", "common/caulk"], 0),
    (&["common/caulk", "common/nodraw"], SOLID),
    (&["common/clip", "common/caulk"], PLAYERCLIP),
];

/// Material keywords (`infoParms` of the engine's `Material.cpp`), as materials of that name use them in dhewm3's and
/// other free data; all faces together decide, as in `SetBrushContents` of `dmap/map.cpp` and in `ConvertBrush` of
/// `CollisionModel_load.cpp`.
const DOOM3: [Row; 39] = [
    (&["textures/base_wall/lfwall13"], SOLID),
    (&["textures/common/caulk"], SOLID),
    (&["textures/common/collision"], SOLID),
    (&["textures/common/full_clip"], SOLID),
    (&["textures/common/mirror"], SOLID),
    (&["textures/common/noimpact"], SOLID),
    (&["textures/common/nodrawsolid"], SOLID),
    (&["textures/common/slick"], SOLID),
    (&["textures/common/weapon_clip"], SOLID),
    (&["textures/common/origin"], SOLID), // There is no such material, and no contents for it.
    (&["textures/common/clip"], CLIP),
    (&["textures/common/clip_plusmovables"], CLIP),
    (&["textures/common/player_clip"], PLAYERCLIP),
    (&["textures/common/clip_player"], PLAYERCLIP),
    (&["textures/common/cushion"], PLAYERCLIP),
    (&["textures/common/entityGui"], PLAYERCLIP),
    (&["textures/common/entityGui2"], PLAYERCLIP),
    (&["textures/common/monster_clip"], MONSTERCLIP),
    (&["textures/common/ladder"], CLIP | LADDER),
    (&["textures/common/water"], WATER),
    (&["textures/common/moveable_clip"], 0),
    (&["textures/common/clip_moveables"], 0),
    (&["textures/common/ik_clip"], 0),
    (&["textures/common/nodraw"], 0),
    (&["textures/common/nodrop"], 0),
    (&["textures/common/shadow"], 0),
    (&["textures/common/shadow2"], 0),
    (&["textures/editor/aassolid"], 0),
    (&["textures/common/aasobstacle"], 0),
    (&["textures/editor/visportal"], 0),
    (&["textures/common/visportal"], 0),
    (&["textures/decals/splat9"], 0),
    (&["textures/common/trigonce"], TRIGGER),
    (&["textures/common/trig_hurt"], TRIGGER),
    (&["textures/common/nodraw", "textures/editor/visportal"], 0),
    (&["textures/common/nodraw", "textures/common/caulk"], SOLID),
    (&["textures/common/caulk", "textures/common/nodraw"], SOLID),
    (
        &["textures/common/clip", "textures/common/caulk"],
        CLIP | SOLID,
    ),
    (
        &[
            "textures/common/player_clip",
            "textures/common/monster_clip",
        ],
        CLIP,
    ),
];

/// Six faces around the origin, 64 units wide.
const BOX: [&str; 6] = [
    "( -32 0 0 ) ( -32 1 0 ) ( -32 0 1 )",
    "( 32 0 0 ) ( 32 0 1 ) ( 32 1 0 )",
    "( 0 -32 0 ) ( 0 -32 1 ) ( 1 -32 0 )",
    "( 0 32 0 ) ( 1 32 0 ) ( 0 32 1 )",
    "( 0 0 -32 ) ( 1 0 -32 ) ( 0 1 -32 )",
    "( 0 0 32 ) ( 0 1 32 ) ( 1 0 32 )",
];

/// Writes a brush of six faces, each a texture and the numbers after its alignment.
fn brush(faces: &[(&str, &str)]) -> String {
    let face = |(number, points): (usize, &&str)| {
        let (texture, flags) = faces[number.min(faces.len() - 1)];
        format!("{points} {texture} 0 0 0 1 1{flags}\n")
    };
    let faces: Vec<String> = BOX.iter().enumerate().map(face).collect();
    format!("{{\n{}}}\n", faces.concat())
}

/// Reads a map of a game, and returns the contents of its first model, and of the entity after it if that is not part
/// of the world.
fn read(game: &str, keys: &str, brush: &str) -> [Option<Contents>; 2] {
    let text = format!("{{\n\"classname\" \"worldspawn\"\n}}\n{{\n{keys}\n{brush}}}\n");
    let options = ReadOptions {
        game: Game::named(game).cloned(),
        ..ReadOptions::default()
    };
    let map = parse(text.as_bytes(), &options).unwrap();
    [0, 1].map(|model| {
        let model = map.models.get(model)?;
        Some(model.brushes.first().map_or(0, |brush| brush.contents))
    })
}

/// Whether contents stop a box, and a point, with the default hulls.
fn stops(contents: Contents) -> [bool; 2] {
    let hulls = ["stand:16x56", "bullet:point"].map(|hull| hull.parse::<HullOption>().unwrap());
    let hulls = resolve(&hulls, None).unwrap();
    [0, 1].map(|hull| hulls[hull].contents & contents != 0)
}

#[test]
fn brushes_are_made_of_what_their_compilers_make_of_them() {
    let tables: [(&str, &[Row]); 5] = [
        ("quake", &QUAKE),
        ("halflife", &HALF_LIFE),
        ("quake2", &QUAKE2),
        ("quake3", &QUAKE3),
        ("doom3", &DOOM3),
    ];
    for (game, rows) in tables {
        for &(textures, contents) in rows {
            let faces: Vec<_> = textures.iter().map(|&texture| (texture, "")).collect();
            let found = read(game, "\"classname\" \"func_group\"", &brush(&faces));
            assert_eq!(found, [Some(contents), None], "{game} {textures:?}");
        }
    }
}

/// Solid stops everything; clips stop agents alone; some contents stop shots alone, as only hull 0 of Half-Life does.
#[test]
fn contents_stop_boxes_and_points_as_in_the_games() {
    for (contents, expected) in [
        (SOLID, [true, true]),
        (SOLID | WINDOW, [true, true]),
        (CLIP, [true, false]),
        (ABOVE, [true, false]),
        (SHOTCLIP, [false, true]),
        (SKY, [false, false]),
        (WATER | CURRENT, [false, false]),
        (MONSTERCLIP, [false, false]),
        (BOTCLIP, [false, false]),
        (CLIPHULL1, [false, false]),
        (TRANSLUCENT, [false, false]),
        (TRIGGER, [false, false]),
    ] {
        assert_eq!(stops(contents), expected, "{contents:#x}");
    }
}

/// `ParseBrush` of qbsp3's `map.c`, `ParseTextureDef` and `face_get_contents` of ericw-tools: a face's own numbers,
/// even zeros, replace all properties of its texture; a face without visible contents is solid, such as a ladder;
/// hint and skip are empty, whatever the other properties of the face. The numbers of a face are contents and flags.
#[test]
fn faces_of_quake_2_decide_by_their_own_numbers() {
    for (faces, contents) in [
        (&[("wall", " 0 0 0")][..], SOLID),
        (&[("wall", " 134217728 0 0")], SOLID),
        (&[("wall", " 1 0 0")], SOLID),
        (&[("wall", " 2 0 0")], SOLID | WINDOW),
        (&[("wall", " 4 0 0")], 0),
        (&[("wall", " 134217732 0 0")], 0),
        (&[("wall", " 8 0 0")], LAVA),
        (&[("wall", " 16 0 0")], SLIME),
        (&[("wall", " 32 0 0")], WATER),
        (&[("wall", " 64 0 0")], FOG),
        (&[("wall", " 32768 0 0")], AREAPORTAL),
        (&[("wall", " 65536 0 0")], PLAYERCLIP),
        (&[("wall", " 131072 0 0")], MONSTERCLIP),
        (&[("wall", " 16777216 0 0")], 0),
        (&[("wall", " 536870912 0 0")], SOLID | LADDER),
        (&[("wall", " 536870944 0 0")], WATER | LADDER),
        (&[("clip", " 32 0 0")], WATER),
        (&[("clip", " 0 0 0")], SOLID),
        (&[("clip", " 134217728 0 0")], SOLID),
        (&[("e1u1/hint", " 0 0 0")], SOLID),
        (&[("skip", " 0 0 0")], SOLID),
        (&[("trigger", " 0 0 0")], SOLID),
        (&[("origin", " 0 0 0")], SOLID),
        (&[("wall", " 16777216 0 0"), ("wall", " 0 0 0")], 0),
        // Light and sky; hint; skip; both; and a hint of water.
        (&[("wall", " 0 1 300")], SOLID),
        (&[("wall", " 0 4 0")], SOLID),
        (&[("wall", " 0 256 0")], 0),
        (&[("wall", " 0 512 0")], 0),
        (&[("wall", " 1 768 0")], 0),
        (&[("wall", " 32 256 0")], 0),
        (&[("wall", " 0 512 0"), ("wall", " 0 0 0")], SOLID),
        (&[("wall", " 32 0 0"), ("wall", " 0 0 0")], WATER),
    ] {
        let found = read("quake2", "\"classname\" \"func_group\"", &brush(faces));
        assert_eq!(found, [Some(contents), None], "{faces:?}");
    }
}

/// Classes as in the games and their compilers, and the keys of mappers: the contents of a wall in the world, and in
/// the entity's own model.
#[test]
fn classes_and_keys_decide_for_their_brushes() {
    const NONE: [Option<Contents>; 2] = [Some(0), None];
    const WORLD: [Option<Contents>; 2] = [Some(SOLID), None];
    const ALL: &str = "quake halflife quake2 quake3";
    const MOST: &str = "quake halflife quake2";
    let own = |contents| [Some(0), Some(contents)];
    for (games, keys, texture, expected) in [
        (ALL, "func_group", "wall", WORLD),
        (MOST, "func_detail", "wall", WORLD),
        (MOST, "func_detail_wall", "wall", WORLD),
        (MOST, "func_detail_fence", "wall", WORLD),
        (MOST, "func_detail_illusionary", "wall", NONE),
        (MOST, "func_illusionary_visblocker", "wall", NONE),
        (ALL, "func_illusionary", "wall", own(0)),
        (ALL, "func_door", "wall", own(SOLID)),
        (ALL, "trigger_once", "wall", own(TRIGGER)),
        ("quake2", "func_areaportal", "wall", own(AREAPORTAL)),
        ("halflife", "func_ladder", "wall", own(LADDER)),
        ("halflife", "func_water", "!water", own(WATER)),
        ("halflife", "func_buyzone", "wall", own(TRIGGER)),
        ("halflife", "info_hullshape", "clip", own(0)),
        ("quake3", "_decal", "wall", NONE),
        ("quake3", "_skybox", "wall", own(0)),
        ("halflife", "func_wall zhlt_noclip=1", "wall", own(SHOTCLIP)),
        ("halflife", "func_wall zhlt_noclip=0", "wall", own(SOLID)),
        ("halflife", "func_wall zhlt_noclip=1", "clip", own(CLIP)),
        (
            "quake",
            "func_detail _contents=shotclip",
            "wall",
            [Some(SHOTCLIP), None],
        ),
        ("quake", "func_detail _contents=none", "wall", NONE),
        ("quake", "func_detail _contents=solid", "hint", NONE),
        ("quake", "func_detail _omitbrushes=1", "wall", NONE),
        ("quake", "FUNC_Detail", "wall", WORLD),
        (
            "quake",
            "trigger_once _contents=shotclip",
            "wall",
            own(SHOTCLIP),
        ),
    ] {
        let (class, key) = keys.split_once(' ').unwrap_or((keys, ""));
        let key = key.split_once('=');
        let key = key.map_or(String::new(), |(key, value)| {
            format!("\"{key}\" \"{value}\"")
        });
        let keys = format!("\"classname\" \"{class}\"\n{key}");
        for game in games.split(' ') {
            let found = read(game, &keys, &brush(&[(texture, "")]));
            assert_eq!(found, expected, "{game} {keys}");
        }
    }
}
