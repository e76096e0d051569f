//! BSP files of a few records, made by hand after the layouts of the games' headers, each with one feature. The
//! expected result is worked out by hand too: the contents of places in each model, and the warnings.

use onion_geometry::grid::{DIST_ONE, NORMAL_ONE};
use onion_maps::contents::{
    AREAPORTAL, CURRENT, Contents, DETAIL, FOG, LADDER, LAVA, MONSTERCLIP, ORIGIN, PLAYERCLIP,
    SHOTCLIP, SKY, SLIME, SOLID, TRANSLUCENT, TRIGGER, WATER, WINDOW,
};
use onion_maps::{Halfspace, Map, MapSide, ReadOptions, parse};

/// Another entity that shows the same model elsewhere.
const SECOND_DOOR: &str = "{ \"classname\" \"func_door\" \"model\" \"*1\" \"origin\" \"0 9 0\" }\n";

const CLIP: Contents = PLAYERCLIP | MONSTERCLIP;

/// A world, and a door that shows the first inline model 1,000 units away.
const ENTITIES: &str = "{ \"classname\" \"worldspawn\" }\n\
    { \"classname\" \"func_door\" \"model\" \"*1\" \"origin\" \"1000 0 0\" }\n";

fn ints(numbers: &[i32]) -> Vec<u8> {
    numbers.iter().flat_map(|x| x.to_le_bytes()).collect()
}

fn shorts(numbers: &[i32]) -> Vec<u8> {
    let bytes = numbers.iter().flat_map(|&x| (x as u16).to_le_bytes());
    bytes.collect()
}

fn floats(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|x| x.to_le_bytes()).collect()
}

/// Fills a record up to its size.
fn padded(mut record: Vec<u8>, size: usize, filler: u8) -> Vec<u8> {
    record.resize(size, filler);
    record
}

/// Writes indices as wide or short numbers.
fn indices(is_wide: bool, numbers: &[i32]) -> Vec<u8> {
    if is_wide {
        ints(numbers)
    } else {
        shorts(numbers)
    }
}

/// Makes a file of lumps one after the other; lumps that are not given are empty.
fn file(start: &[u8], n_lumps: usize, lumps: &[(usize, Vec<u8>)]) -> Vec<u8> {
    let mut body = Vec::new();
    let header = start.len() + 8 * n_lumps;
    let mut directory = vec![0; n_lumps];
    for (index, bytes) in lumps {
        directory[*index] = body.len();
        body.extend(bytes);
    }
    let entry = |index: usize| {
        let lump = lumps.iter().find(|lump| lump.0 == index);
        let length = lump.map_or(0, |(_, bytes)| bytes.len());
        ints(&[(header + directory[index]) as i32, length as i32])
    };
    let entries: Vec<u8> = (0..n_lumps).flat_map(entry).collect();
    [start, &entries, &body].concat()
}

fn read(bytes: &[u8]) -> Map {
    parse(bytes, &ReadOptions::default()).unwrap()
}

fn refusal(bytes: &[u8]) -> String {
    let refused = parse(bytes, &ReadOptions::default());
    refused.unwrap_err().to_string()
}

/// Returns the contents of a place in a model: those of all brushes that contain it.
fn at(map: &Map, model: usize, place: [f64; 3]) -> Contents {
    let is_behind = |side: &MapSide| match side.halfspace {
        Halfspace::Behind(plane) => {
            let normal = plane.normal.map(|x| x as f64 / NORMAL_ONE as f64);
            let product: f64 = normal.iter().zip(place).map(|(a, b)| a * b).sum();
            product <= plane.dist as f64 / DIST_ONE as f64
        }
        Halfspace::World => true,
        Halfspace::Nothing => false,
    };
    let brushes = map.models[model].brushes.iter();
    let around = brushes.filter(|brush| brush.sides.iter().all(is_behind));
    around.fold(0, |all, brush| all | brush.contents)
}

/// A format of the Quake family: the sizes of its records, and whether numbers of nodes are wide.
struct Quake {
    start: &'static [u8],
    is_wide: bool,
    node: usize,
    leaf: usize,
    model: usize,
}

const BSP_29: Quake = Quake {
    start: b"\x1d\0\0\0",
    is_wide: false,
    node: 24,
    leaf: 28,
    model: 64,
};

const QUAKES: [Quake; 5] = [
    BSP_29,
    Quake {
        start: b"\x1e\0\0\0",
        ..BSP_29
    },
    Quake {
        model: 80,
        ..BSP_29
    },
    Quake {
        start: b"BSP2",
        is_wide: true,
        node: 44,
        leaf: 44,
        ..BSP_29
    },
    Quake {
        start: b"2PSB",
        is_wide: true,
        node: 32,
        leaf: 32,
        ..BSP_29
    },
];

/// The records of a file of the Quake family.
struct Tree<'a> {
    /// Normal and distance of planes, in the order of the nodes that have them.
    planes: &'a [[f32; 4]],
    /// Children in front of and behind each node's plane; leaves are -1, -2, ...
    nodes: &'a [[i32; 2]],
    /// Contents of leaves.
    leaves: &'a [i32],
    /// Root, first face, and number of faces of each model.
    models: &'a [[i32; 3]],
}

/// One plane, x = 0, with leaf 1 in front of it and leaf 0 behind; a door with its own tree.
const HALVES: Tree<'_> = Tree {
    planes: &[[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 16.0]],
    nodes: &[[-2, -1], [-2, -1]],
    leaves: &[-2, -1],
    models: &[[0, 0, 3], [1, 3, 2]],
};

impl Quake {
    fn lumps(&self, tree: &Tree<'_>) -> Vec<(usize, Vec<u8>)> {
        let plane = |plane: &[f32; 4]| [floats(plane), ints(&[0])].concat();
        let node = |(number, children): (usize, &[i32; 2])| {
            let children = indices(self.is_wide, children);
            padded([ints(&[number as i32]), children].concat(), self.node, 0xa5)
        };
        let leaf = |kind: &i32| padded(ints(&[*kind]), self.leaf, 0xa5);
        let model = |[root, first, count]: &[i32; 3]| {
            let bounds = floats(&[-64.0, -64.0, -64.0, 64.0, 64.0, 64.0, 0.0, 0.0, 0.0]);
            let model = [bounds, ints(&[*root])].concat();
            let model = padded(model, self.model - 8, 0xa5);
            [model, ints(&[*first, *count])].concat()
        };
        vec![
            (1, tree.planes.iter().flat_map(plane).collect()),
            (5, tree.nodes.iter().enumerate().flat_map(node).collect()),
            (10, tree.leaves.iter().flat_map(leaf).collect()),
            (14, tree.models.iter().flat_map(model).collect()),
            (0, ENTITIES.as_bytes().to_vec()),
        ]
    }

    /// Makes a file of this format.
    fn file(&self, tree: &Tree<'_>) -> Vec<u8> {
        file(self.start, 15, &self.lumps(tree))
    }

    /// Makes a file whose two leaves have these contents.
    fn with_leaves(&self, leaves: [i32; 2]) -> Vec<u8> {
        self.file(&Tree {
            leaves: &leaves,
            ..HALVES
        })
    }
}

/// The numbers come from id's and Valve's headers.
#[test]
fn leaves_of_hull_0_become_brushes_of_their_contents() {
    for (kind, contents) in [
        (-1, 0),
        (-2, SOLID),
        (-3, WATER),
        (-4, SLIME),
        (-5, LAVA),
        (-6, CLIP | SKY),
        (-7, 0),
        (-8, CLIP),
        (-9, WATER | CURRENT),
        (-14, WATER | CURRENT),
        (-15, TRANSLUCENT),
        (-16, LADDER),
    ] {
        for quake in &QUAKES {
            let map = read(&quake.with_leaves([kind, -1]));
            let what = format!("{kind} of {}", map.format);
            assert_eq!(at(&map, 0, [-8.0, 40.0, 0.0]), contents, "{what}");
            assert_eq!(at(&map, 0, [8.0, 0.0, 0.0]), 0, "{what}");
            assert_eq!(map.models.len(), 2, "{what}");
            assert_eq!(at(&map, 1, [8.0, 8.0, 0.0]), contents, "{what}");
            assert_eq!(at(&map, 1, [-8.0, 24.0, 0.0]), 0, "{what}");
            assert_eq!(map.models[1].origin, [1000.0, 0.0, 0.0], "{what}");
            let messages = map.warnings.iter().map(|own| &own.message);
            let n_empty = messages.filter(|own| own.contains("nothing in it")).count();
            let expected = usize::from(contents == 0);
            assert_eq!(n_empty, expected, "{what}: {:?}", map.warnings);
        }
    }
    for kind in [-17, 0, 1, i32::MIN] {
        let message = refusal(&BSP_29.with_leaves([kind, -1]));
        let is_named = message.contains("leaf 0") && message.contains(&kind.to_string());
        assert!(is_named, "{message}");
    }
}

/// The whole map is on one side of a plane that is farther out than the world extends.
#[test]
fn planes_beyond_the_world_have_all_on_their_inner_side() {
    for (normal, dist, is_behind) in [
        (1.0, 1e6, true),
        (1.0, -1e6, false),
        (-1.0, 1e6, true),
        (-1.0, -1e6, false),
        (1.0, 3e38, true),
        (-1.0, -3e38, false),
    ] {
        for leaves in [[-2, -1], [-1, -2]] {
            let map = read(&BSP_29.file(&Tree {
                planes: &[[normal, 0.0, 0.0, dist], [0.0, 1.0, 0.0, 16.0]],
                leaves: &leaves,
                ..HALVES
            }));
            let is_solid = leaves[usize::from(!is_behind)] == -2;
            let expected = if is_solid { SOLID } else { 0 };
            let found = at(&map, 0, [0.0; 3]);
            assert_eq!(found, expected, "{normal} {dist} {leaves:?}");
        }
    }
}

/// The length of a normal may be off by 2^-10, in either direction.
#[test]
fn normals_are_units_within_their_tolerance() {
    for (part, is_right) in [(0.9, true), (1.1, false)] {
        for sign in [-1.0, 1.0] {
            let x = 1.0 + sign * part / 1024.0;
            let bytes = BSP_29.file(&Tree {
                planes: &[[x, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 16.0]],
                ..HALVES
            });
            let read = parse(&bytes, &ReadOptions::default());
            assert_eq!(read.is_ok(), is_right, "{part} {sign}");
        }
    }
}

/// Models of Quake and Hexen II differ only in size, and the first faces of models reveal it.
#[test]
fn the_size_of_models_is_told_by_their_faces() {
    let hexen = &QUAKES[2];
    for models in [
        &[[0, 0, 3], [1, 3, 2]][..],
        // A model without faces, such as one of clips.
        &[[0, 0, 3], [1, 0, 0]],
        &[[0, 0, 3], [1, 3, 0], [1, 3, 1]],
        // As long as 5 models of Hexen II, or 4 of Quake.
        &[[0, 0, 3], [1, 3, 1], [1, 0, 0], [1, 4, 2]],
        &[[0, 0, 3], [1, 3, 1], [1, 7, 0], [1, 4, 2], [1, 6, 2]],
    ] {
        for quake in [&BSP_29, hexen] {
            let map = read(&quake.file(&Tree { models, ..HALVES }));
            let what = format!("{models:?} of {} bytes", quake.model);
            assert_eq!(map.models.len(), models.len(), "{what}");
            assert_eq!(at(&map, 1, [8.0, 8.0, 0.0]), SOLID, "{models:?}");
        }
    }
}

/// Makes a brush of BRUSHLIST: its box, its contents, and other planes.
fn listed(mins: f32, maxs: f32, kind: i16, planes: &[[f32; 4]]) -> Vec<u8> {
    let count = shorts(&[i32::from(kind), planes.len() as i32]);
    let planes: Vec<u8> = planes.iter().flat_map(|plane| floats(plane)).collect();
    [floats(&[mins, mins, mins, maxs, maxs, maxs]), count, planes].concat()
}

/// Makes a file with the extension BSPX, whose only other lump comes first; `n_spaces` follow the entities.
fn with_list(n_spaces: usize, list: &[u8]) -> Vec<u8> {
    let mut lumps = BSP_29.lumps(&HALVES);
    lumps.last_mut().unwrap().1.extend(vec![b' '; n_spaces]);
    let mut bytes = file(BSP_29.start, 15, &lumps);
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    let start = bytes.len() as i32 + 8 + 2 * 32;
    let name = |name: &str| padded(name.as_bytes().to_vec(), 24, 0);
    let others = [7u8; 12];
    bytes.extend([b"BSPX".to_vec(), ints(&[2])].concat());
    bytes.extend([name("RGBLIGHTING"), ints(&[start, 12])].concat());
    bytes.extend([name("BRUSHLIST"), ints(&[start + 12, list.len() as i32])].concat());
    bytes.extend([&others, list].concat());
    bytes
}

/// Wherever the last lump ends, the extension begins at the next multiple of four.
#[test]
fn brush_lists_are_read_behind_lumps_of_any_length() {
    let slope = 0.5f32.sqrt();
    let world = [
        ints(&[1, 0, 2, 1]),
        listed(-32.0, 32.0, -2, &[[slope, slope, 0.0, 0.0]]),
        listed(100.0, 110.0, -8, &[]),
    ];
    let door = [
        ints(&[1, 1, 2, 0]),
        listed(50.0, 58.0, -99, &[]),
        listed(0.0, 8.0, -3, &[]),
    ];
    let list = [world.concat(), door.concat()].concat();
    for n_spaces in 0..4 {
        let map = read(&with_list(n_spaces, &list));
        assert_eq!(map.format, "BSP 29 with BRUSHLIST", "{n_spaces}");
        for (model, place, contents) in [
            (0, [-20.0, 10.0, 0.0], SOLID),
            (0, [20.0, -10.0, 0.0], 0),
            (0, [-33.0, 0.0, 0.0], 0),
            (0, [105.0, 105.0, 105.0], CLIP),
            (0, [4.0, 4.0, 4.0], 0),
            (1, [4.0, 4.0, 4.0], WATER),
            (1, [54.0, 54.0, 54.0], 0),
        ] {
            assert_eq!(at(&map, model, place), contents, "{model} {place:?}");
        }
        let [warning] = &map.warnings[..] else {
            panic!("{:?}", map.warnings)
        };
        assert_eq!(warning.place, "brush 2");
        // Omitted brushes are counted.
        assert_eq!(map.models[1].brushes[0].number, 3);
        assert!(warning.message.contains("-99"), "{warning:?}");
    }
    let no_unit = listed(0.0, 8.0, -2, &[[2.0, 0.0, 0.0, 1.0]]);
    let no_unit = [ints(&[1, 0, 1, 0]), no_unit].concat();
    for (list, why) in [
        (ints(&[2, 0, 0, 0]), "its version is 2"),
        (ints(&[1, 2, 0, 0]), "model 2"),
        (ints(&[1, 0, -1, 0]), "-1 brushes"),
        (ints(&[1, 0, 1, 0]), "it has 16 bytes"),
        (no_unit, "unit normal"),
    ] {
        let message = refusal(&with_list(0, &list));
        assert!(message.contains(why), "{why}: {message}");
    }
}

/// Makes planes of boxes 16 units wide around x = 100 * number: the six sides of each.
fn planes_of_boxes(n_boxes: usize, size: usize) -> Vec<u8> {
    let mut planes = Vec::new();
    for number in 0..n_boxes {
        for axis in 0..3 {
            for sign in [-1.0, 1.0] {
                let mut normal = [0.0; 3];
                normal[axis] = sign;
                let middle = 100.0 * (number as f32) * f32::from(axis == 0);
                let [x, y, z] = normal;
                let plane = floats(&[x, y, z, sign * middle + 8.0]);
                planes.extend(padded(plane, size, 0));
            }
        }
    }
    planes
}

/// A format of the Quake II family: lumps, the sizes of leaves and texinfos, and whether numbers are wide.
struct Quake2 {
    start: &'static [u8],
    n_lumps: usize,
    is_wide: bool,
    node: usize,
    texinfo: usize,
    /// Size of a side, in bytes.
    side: usize,
    /// Its lump, its record size, and the offset of the range of brushes.
    leaf: [usize; 3],
    /// Number of models that make up the world.
    n_world: usize,
}

const IBSP_38: Quake2 = Quake2 {
    start: b"IBSP\x26\0\0\0",
    n_lumps: 19,
    is_wide: false,
    node: 28,
    texinfo: 76,
    side: 4,
    leaf: [8, 28, 24],
    n_world: 1,
};

const QBSP_38: Quake2 = Quake2 {
    start: b"QBSP\x26\0\0\0",
    is_wide: true,
    node: 44,
    side: 8,
    leaf: [8, 52, 44],
    ..IBSP_38
};

/// SiN's format; its other format, and Daikatana's, which begins the same way, have the same letters.
const SIN: Quake2 = Quake2 {
    start: b"RBSP\x01\0\0\0",
    texinfo: 180,
    side: 8,
    ..IBSP_38
};

const DAIKATANA: Quake2 = Quake2 {
    start: b"IBSP\x29\0\0\0",
    leaf: [8, 32, 24],
    ..IBSP_38
};

const IBSP_78: Quake2 = Quake2 {
    start: b"IBSP\x4e\0\0\0",
    n_lumps: 17,
    texinfo: 72,
    leaf: [9, 24, 18],
    n_world: 259,
    ..IBSP_38
};

impl Quake2 {
    /// Makes a file of boxes with these contents. The first model has a node with two leaves, which both list all
    /// boxes except the last, from the last to the first; the last model has the last box and the first, after its
    /// own leaf; models between have none.
    fn file(&self, contents: &[i32]) -> Vec<u8> {
        let number = |numbers: &[i32]| indices(self.is_wide, numbers);
        let n_boxes = contents.len() as i32;
        let brush = |(number, contents): (i32, &i32)| ints(&[6 * number, 6, *contents]);
        // Every other side is without a texinfo.
        let side = |plane: i32| {
            let numbers = number(&[plane, if plane % 2 == 0 { 0 } else { -1 }]);
            padded(numbers, self.side, 0)
        };
        let leaf = |[first, count]: [i32; 2]| {
            let [_, size, at] = self.leaf;
            padded([vec![0xa5; at], number(&[first, count])].concat(), size, 0)
        };
        let [leaf_lump, ..] = self.leaf;
        let lists: Vec<i32> = (0..n_boxes - 1).rev().chain([n_boxes - 1]).collect();
        // Leaf 0 is empty.
        let leaves = [[0, 0], [0, n_boxes - 1], [0, n_boxes - 1], [n_boxes - 2, 2]];
        let model = |number: usize| {
            let root = match number {
                0 => 0,
                last if last == self.n_world => -4,
                _ => -1,
            };
            padded([vec![0; 36], ints(&[root])].concat(), 48, 0)
        };
        file(
            self.start,
            self.n_lumps,
            &[
                (0, ENTITIES.as_bytes().to_vec()),
                (1, planes_of_boxes(contents.len(), 20)),
                (4, padded(ints(&[0, -2, -3]), self.node, 0)),
                (5, vec![0; self.texinfo]),
                (leaf_lump, leaves.into_iter().flat_map(leaf).collect()),
                (10, number(&lists)),
                (13, (0..=self.n_world).flat_map(model).collect()),
                (14, (0..).zip(contents).flat_map(brush).collect()),
                (15, (0..6 * n_boxes).flat_map(side).collect()),
            ],
        )
    }
}

/// The bits come from the games' `q_shared.h` and `defines.h`.
// Long: a table, one row for each kind of bits.
#[test]
fn brushes_of_quake_2_have_the_contents_of_their_bits() {
    const QUAKE2: [(i32, Contents); 18] = [
        (0x1, SOLID),
        (0x2, SOLID | WINDOW),
        (0x4, 0),
        (0x8, LAVA),
        (0x10, SLIME),
        (0x20, WATER),
        (0x40, FOG),
        (0x8000, AREAPORTAL),
        (0x1_0000, PLAYERCLIP),
        (0x2_0000, MONSTERCLIP),
        (0x4_0000, CURRENT),
        (0x80_0000, CURRENT),
        (0x100_0000, ORIGIN),
        (0x800_0000, DETAIL),
        (0x1000_0000, TRANSLUCENT),
        (0x2000_0000, LADDER),
        (0x3_0001, SOLID | CLIP),
        (0x4000_0000, 0),
    ];
    const UFO: [(i32, Contents); 8] = [
        (0x1, SOLID),
        (0x2, SOLID | WINDOW),
        (0x20, WATER),
        (0x100, 0),
        (0x8001, SOLID),
        (0x1_0000, CLIP),
        (0x200_0000, SHOTCLIP),
        (0x800_0000, DETAIL),
    ];
    // Fences stop agents.
    const OF_SIN: [(i32, Contents); 3] = [(0x1, SOLID), (0x4, CLIP), (0x20, WATER)];
    const FOGGY: [(i32, Contents); 2] = [(0x400, FOG), (0x4000_0000, MONSTERCLIP)];
    let of_daikatana = [&[(0x1, SOLID), (0x4, 0)], &FOGGY[..]].concat();
    let in_ibsp_41 = Quake2 {
        start: DAIKATANA.start,
        ..SIN
    };
    let formats: [(Quake2, &[(i32, Contents)]); 6] = [
        (IBSP_38, &QUAKE2),
        (QBSP_38, &QUAKE2),
        (IBSP_78, &UFO),
        (SIN, &OF_SIN),
        (in_ibsp_41, &OF_SIN),
        (DAIKATANA, &of_daikatana),
    ];
    for (format, rows) in formats {
        let (bits, expected): (Vec<i32>, Vec<Contents>) = rows.iter().copied().unzip();
        let map = read(&format.file(&bits));
        assert_eq!(map.warnings, [], "{}", map.format);
        assert_eq!(map.models.len(), 2, "{}", map.format);
        for (number, (bits, contents)) in rows.iter().enumerate() {
            let place = [100.0 * number as f64 + 7.5, -7.5, 0.0];
            let is_last = number + 1 == rows.len();
            let [inside, other] = if is_last { [1, 0] } else { [0, 1] };
            let what = format!("{bits:#x} of {}", map.format);
            assert_eq!(at(&map, inside, place), *contents, "{what}");
            // The first brush belongs to both models.
            let there = if number == 0 { *contents } else { 0 };
            assert_eq!(at(&map, other, place), there, "{what}");
        }
        // A brush in two leaves is one brush, and brushes are in the order of the file, not of the leaves.
        for model in &map.models {
            let is_sorted = model.brushes.is_sorted_by_key(|brush| brush.number);
            assert!(is_sorted, "{}", map.format);
        }
        let n_brushes: usize = map.models.iter().map(|model| model.brushes.len()).sum();
        let n_solid = expected.iter().filter(|&&own| own != 0).count();
        assert_eq!(n_brushes, n_solid + 1, "{}", map.format);
    }
}

/// Makes a surface of Quake III with a grid of 3 by `height` points that starts at vertex 0, of which it has
/// `n_verts`.
fn surface(shader: i32, kind: i32, height: i32, n_verts: i32) -> Vec<u8> {
    let start = ints(&[shader, -1, kind, 0, n_verts, 0, 0]);
    [start, vec![0; 104 - 28 - 8], ints(&[3, height])].concat()
}

/// A brush has the contents of its own shader, and a model has the brushes and surfaces of its ranges.
// Long: the records of a file, and everything that is read from them.
#[test]
fn models_of_quake_3_have_the_parts_of_their_ranges() {
    let shader = |contents: u32| [vec![b's'; 64], ints(&[0, contents as i32])].concat();
    let brush = |[number, shader]: [i32; 2]| ints(&[6 * number, 6, shader]);
    let brushes = [[0, 0], [1, 1], [2, 2], [3, 0]].map(brush);
    let vert = |number: i32| {
        let place = [(number % 3) as f32, (number / 3) as f32, 0.0];
        [floats(&place), vec![0; 44 - 12]].concat()
    };
    let model = |ranges: [i32; 4]| [vec![0; 24], ints(&ranges)].concat();
    let surfaces = [
        surface(0, 1, 3, 9),
        surface(0, 2, 3, 9),
        surface(1, 2, 3, 9),
        surface(0, 2, 2, 9),
        surface(0, 9, 3, 9),
        surface(2, 2, 5, 15),
    ];
    let with = |surfaces: &[Vec<u8>]| {
        file(
            b"IBSP\x2e\0\0\0",
            17,
            &[
                (0, (ENTITIES.to_owned() + SECOND_DOOR).into_bytes()),
                (1, [SOLID, 0, PLAYERCLIP | DETAIL].map(shader).concat()),
                (2, planes_of_boxes(4, 16)),
                (7, [model([0, 5, 0, 3]), model([5, 1, 3, 1])].concat()),
                (8, brushes.concat()),
                (9, (0..24).flat_map(|plane| ints(&[plane, 1])).collect()),
                (10, (0..15).flat_map(vert).collect()),
                (13, surfaces.concat()),
            ],
        )
    };
    let map = read(&with(&surfaces));
    let contents =
        |model: usize| [0, 1, 2, 3].map(|x| at(&map, model, [100.0 * f64::from(x), 0.0, 0.0]));
    assert_eq!(contents(0), [SOLID, 0, PLAYERCLIP | DETAIL, 0]);
    assert_eq!(contents(1), [0, 0, 0, SOLID]);
    let patches = |model: usize| {
        let patches = map.models[model].patches.iter();
        let patches = patches.map(|patch| (patch.number, patch.contents));
        patches.collect::<Vec<_>>()
    };
    assert_eq!(patches(0), [(1, SOLID)]);
    assert_eq!(patches(1), [(5, PLAYERCLIP | DETAIL)]);
    assert_eq!(map.models[0].patches[0].points[5], [2.0, 1.0, 0.0]);
    let wide = &map.models[1].patches[0];
    assert_eq!([wide.width, wide.height], [3, 5]);
    // An entity that shows a model is not a point, and only the first that shows it owns the model.
    assert!(map.points.is_empty());
    let shown = (map.models[1].entity, map.models[1].origin);
    assert_eq!(shown, (Some(1), [1000.0, 0.0, 0.0]));
    let mut few = surfaces.clone();
    few[5] = surface(2, 2, 5, 9);
    let message = refusal(&with(&few));
    assert!(
        message.contains("needs 15 control points, but it has 9"),
        "{message}"
    );
    let places: Vec<&str> = map.warnings.iter().map(|warning| &*warning.place).collect();
    assert_eq!(places, ["patch surface 3", "surface 4"]);
}

/// A format with a surface of nine control points; only its visible side defines the normals, whose offset differs by
/// format.
struct Quake3 {
    start: &'static [u8],
    /// Sizes of a side, of a vertex and of a surface, and the offsets of the normal in a vertex and of the size in a
    /// patch.
    sizes: [usize; 5],
    /// The contents bit that stops players.
    playerclip: u32,
}

const QUAKE_3: Quake3 = Quake3 {
    start: b"IBSP\x2e\0\0\0",
    sizes: [8, 44, 104, 28, 96],
    playerclip: PLAYERCLIP,
};

const RAVEN: Quake3 = Quake3 {
    start: b"RBSP\x01\0\0\0",
    sizes: [12, 80, 148, 52, 140],
    playerclip: 0x10,
};

impl Quake3 {
    /// Makes a file with a patch in each of two models, one control point of which is moved; the second model belongs
    /// to an entity of some class. Models without brushes may have any range of them.
    fn file(&self, class: &str, moved: f32) -> Vec<u8> {
        let [_, vert_size, surface_size, normal_at, size_at] = self.sizes;
        let vert = |number: usize| {
            let mut vert = vec![0; vert_size];
            let x = (number % 3) as f32 * 64.0;
            let x = if number == 4 { moved } else { x };
            vert[..12].copy_from_slice(&floats(&[x, (number / 3) as f32 * 64.0, 8.0]));
            vert[normal_at..][..12].copy_from_slice(&floats(&[0.0, 0.0, -1.0]));
            vert
        };
        let mut surface = padded(ints(&[0, -1, 2, 0, 9, 0, 0]), surface_size, 0);
        surface[size_at..][..8].copy_from_slice(&ints(&[3, 3]));
        let model = |ranges: [i32; 4]| [vec![0; 24], ints(&ranges)].concat();
        let entities = ENTITIES.replace("func_door", class);
        let shader = [vec![b's'; 64], ints(&[0, self.playerclip as i32])].concat();
        file(
            self.start,
            18,
            &[
                (0, entities.into_bytes()),
                (1, shader),
                (2, planes_of_boxes(1, 16)),
                (7, [model([0, 1, 999, 0]), model([1, 1, -7, 0])].concat()),
                (10, (0..9).flat_map(vert).collect()),
                (13, surface.repeat(2)),
            ],
        )
    }
}

/// The effect on patches of the format, of the class, and of a place outside of the world.
#[test]
fn patches_of_quake_3_are_as_their_formats_have_them() {
    for format in [&QUAKE_3, &RAVEN] {
        for (class, contents) in [("func_door", PLAYERCLIP), ("trigger_once", TRIGGER)] {
            let map = read(&format.file(class, 64.0));
            let patches = map.models.iter().map(|model| &model.patches[0]);
            let found: Vec<Contents> = patches.clone().map(|patch| patch.contents).collect();
            assert_eq!(found, [PLAYERCLIP, contents], "{} {class}", map.format);
            for patch in patches {
                assert_eq!(patch.normals, [[0.0, 0.0, -1.0]; 9], "{}", map.format);
            }
        }
        for side in [-70_000.0, 70_000.0, f32::NAN] {
            let message = refusal(&format.file("func_door", side));
            assert!(message.contains("outside the world"), "{message}");
        }
    }
}
