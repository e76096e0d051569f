//! Hits in hard cases: bevels, edges, faces side by side, slanted seams, shaders of single sides, files without hit
//! data, and other groups of hulls.

use onion_format::BrushRecord;
use onion_maps::{Halfspace, MapBrush, MapSide};
use onion_runtime::{OnionMap, Source, Unsupported};
use onion_tests::cases::sample_case;
use onion_tests::fixtures::{compiled, made};
use onion_tests::oracle::vec3::{add, cross, dot, length, scale, sub};
use onion_tests::planted::{count, edit};
use onion_tests::random::Random;
use onion_tests::samples::{self, Brush, Shader};
use onion_tests::subject::{self, HULLS, PRISMS};

use super::{SAME_DIST, SAME_NORMAL, answer, hit_by, in_one_tree, one_tree};

/// Bits of contents, as in Quake III.
const SOLID: u32 = 1;
const WATER: u32 = 32;

/// A hull never hits a brush whose contents do not stop it, whatever the file names at the node.
#[test]
fn what_cannot_stop_a_hull_is_never_named() {
    let compiled = compiled(&sample_case("room").map, &HULLS, one_tree);
    let into_floor = [[0.0, 0.0, 100.0], [0.0, 0.0, 0.0]];
    for (contents, is_named) in [(SOLID, true), (SOLID | WATER, true), (WATER, false)] {
        let mut file = compiled.bytes.clone();
        for brush in 0..count(&file, BrushRecord::TAG) {
            edit::<BrushRecord>(&mut file, brush, |brush| brush.contents = contents);
        }
        let onion = OnionMap::from_bytes(file).unwrap();
        let hit = hit_by(&onion, 0, "stand", into_floor);
        assert_eq!(hit.is_some(), is_named, "{contents}: {hit:?}");
    }
}

/// Planes before expansion, worked out by hand: the ramp rises one unit in two from (-128, 0, 0); the knife's edge is
/// at (0, 128).
#[test]
fn planes_are_those_of_the_brush() {
    let onto_ramp = [[0.0, -96.0, 200.0], [0.0, -96.0, 50.0]];
    let at_knife = [[100.0, 120.0, 24.0], [0.0, 120.0, 24.0]];
    for (name, segment, normal, dist) in [
        ("ramp_stairs", onto_ramp, [-1.0, 0.0, 2.0], 128.0),
        ("wedge", at_knife, [1.0, 0.0, 0.0], 0.0),
    ] {
        // The distance by which a hull moves planes is a whole number of steps of their grid only if its corners are
        // coarse.
        let odd = "odd:mins=-15.99951171875,-16,-24:maxs=16,16.00048828125,32.00048828125";
        let hulls = [&HULLS[..], &[odd], &PRISMS].concat();
        let file = in_one_tree(&sample_case(name).map, &hulls);
        let hit = hit_by(&file, 0, "stand", segment).unwrap();
        // At the knife, the side of a prism that faces it is too narrow.
        for hull in ["odd", "round", "many", "within", "skew"] {
            if hull == "odd" || name == "ramp_stairs" {
                let other = hit_by(&file, 0, hull, segment).unwrap();
                assert_eq!(hit.plane, other.plane, "{name} {hull}");
            }
        }
        let length = normal.iter().map(|x: &f64| x * x).sum::<f64>().sqrt();
        let off = (0..3).map(|axis| (hit.plane.0[axis] - normal[axis] / length).abs());
        assert!(off.fold(0.0, f64::max) < SAME_NORMAL, "{hit:?}");
        assert!((hit.plane.1 - dist / length).abs() < SAME_DIST, "{hit:?}");
    }
}

/// Of two brushes with a side in one plane, the one that stops the hull is hit, not the clip before it in the file.
#[test]
fn what_does_not_stop_a_hull_is_not_hit() {
    let mut map = samples::Map::new("clip", "Clip before wall");
    map.cuboid(Shader::Clip, [0.0, 0.0, 0.0], [64.0, 64.0, 64.0]);
    map.cuboid(Shader::Wall, [0.0, 0.0, 0.0], [64.0, 32.0, 64.0]);
    let hulls = ["point:point", "clip:point:contents=playerclip"];
    let onion = in_one_tree(&made(&map), &hulls);
    let segment = [[-50.0, 16.0, 32.0], [50.0, 16.0, 32.0]];
    for (hull, contents) in [("point", 1), ("clip", 0x1_0000)] {
        let hit = hit_by(&onion, 0, hull, segment).unwrap();
        assert_eq!(hit.contents & 0x1_0001, contents, "{hull}: {hit:?}");
    }
}

/// Bevels at corners and edges of two brushes whose planes single precision holds exactly, so that no axial side gets
/// a face by rounding error.
#[test]
fn bevels_are_named_after_the_nearest_face() {
    let mut map = samples::Map::new("corners", "Corners");
    // A quarter of a pyramid with the tip (1024, -1024, 128): sides +x (1), +y (3), -z (4) and a slope (6)
    // that falls as steeply to -x as to -y.
    let corners = [
        [1024.0, -1024.0, 0.0],
        [896.0, -1024.0, 0.0],
        [1024.0, -1152.0, 0.0],
        [1024.0, -1024.0, 128.0],
    ];
    map.add(Shader::Trim, Brush::hull(&corners));
    // A roof whose ridge is at x = 0, z = 128: the slopes are equally near.
    let roof = [[-128.0, 0.0], [128.0, 0.0], [0.0, 128.0]];
    map.add(Shader::Roof, Brush::bar_y(&roof, -64.0, 64.0));
    let onion = in_one_tree(&made(&map), &HULLS);
    for (start, end, brush, side, normal) in [
        ([1027, -1020, 300], [1027, -1020, 0], 0, 6, [0, 0, 1]), // The tip, and its corners at -x and -y.
        ([700, -1020, 10], [1024, -1020, 10], 0, 6, [-1, 0, 0]),
        ([1028, -1300, 10], [1028, -1024, 10], 0, 6, [0, -1, 0]),
        ([3, 0, 300], [3, 0, 0], 1, 6, [0, 0, 1]), // The ridge, where the slopes (6 and 7) are equally near.
        ([200, 0, 10], [0, 0, 10], 1, 7, [1, 0, 0]), // The eaves, where the bottom and a slope meet.
        ([-200, 0, 10], [0, 0, 10], 1, 6, [-1, 0, 0]),
    ] {
        let segment = [start, end].map(|end| end.map(|at: i16| f32::from(at)));
        let hit = hit_by(&onion, 0, "stand", segment).unwrap();
        let named = (hit.source, hit.side, hit.is_bevel, hit.plane.0);
        let normal = normal.map(|at: i16| f64::from(at));
        let expected = (Source::Brush(brush), side, true, normal);
        assert_eq!(named, expected, "{segment:?}");
    }
}

/// The side of a prism that meets an upright edge of a box head on is as near to one of its faces as to the other: the
/// lower-numbered one is named, in whichever order the brush has them.
#[test]
fn of_two_faces_as_near_to_a_bevel_the_first_is_named() {
    let side = |axis: usize, is_upper: bool| {
        let mut normal = [0.0; 3];
        normal[axis] = if is_upper { 1.0 } else { -1.0 };
        let surface = 0;
        let halfspace = Halfspace::stored(normal, 32.0);
        MapSide { halfspace, surface }
    };
    let mut map = sample_case("room").map.clone();
    for order in [[0, 1, 2], [1, 0, 2], [2, 1, 0]] {
        let sides = order.map(|axis| [false, true].map(|is_upper| side(axis, is_upper)));
        map.models[0].brushes = vec![MapBrush {
            number: 0,
            contents: 1,
            sides: sides.as_flattened().to_vec(),
        }];
        let onion = in_one_tree(&map, &PRISMS);
        for (x, y) in [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)] {
            let segment = [100.0, 20.0].map(|far| [far * x, far * y, 0.0]);
            let hit = hit_by(&onion, 0, "round", segment).unwrap();
            let number = |axis: usize, at: f32| {
                let pair = order.iter().position(|&own| own == axis).unwrap();
                2 * pair as u32 + u32::from(at > 0.0)
            };
            let first = number(0, x).min(number(1, y));
            assert_eq!(
                (hit.side, hit.is_bevel),
                (first, true),
                "{order:?}: {hit:?}"
            );
        }
    }
}

/// The blade's edge from (16, -120, 16) along (2, 1, 2): single precision leaves the side +z a face of a few
/// millionths of a unit at the edge's end, nearer to the bevel than the edge's own faces, but not at the edge.
#[test]
fn an_edge_is_not_named_after_a_side_at_its_end() {
    let onion = in_one_tree(&sample_case("wedge").map, &HULLS);
    let down = [[64.0, -96.0, 184.0], [64.0, -96.0, 24.0]];
    let hit = hit_by(&onion, 0, "stand", down).unwrap();
    let off = hit.plane.0[2] - 0.5f64.sqrt();
    assert!(off.abs() < SAME_NORMAL, "{hit:?}");
    // The planes x - 16y + 7z = 2048 and -7x + 16y - z = -2048 are equally near.
    let own = hit.is_bevel && [6, 7].contains(&hit.side);
    assert!(hit.source == Source::Brush(7) && own, "{hit:?}");
}

/// Two brushes side by side, with tops in one plane: where a hull is on both, the hit names the first.
#[test]
fn of_faces_side_by_side_the_right_one_is_named() {
    let left = ([-128.0, -128.0, -64.0], [0.0, 128.0, 0.0], Shader::Floor);
    let right = ([0.0, -128.0, -64.0], [128.0, 128.0, 0.0], Shader::Trim);
    let hulls = [
        "stand:16x56",
        "point:point",
        "wide:48x8",
        // Extends 24 to +x of its origin, and so meets the right brush 24 before the seam.
        "odd:mins=-8,-8,-8:maxs=24,8,8",
    ];
    for (order, first) in [
        ([left, right], Shader::Floor),
        ([right, left], Shader::Trim),
    ] {
        let mut map = samples::Map::new("seam", "Two floors");
        for (mins, maxs, shader) in order {
            map.cuboid(shader, mins, maxs);
        }
        let onion = in_one_tree(&made(&map), &hulls);
        let (floor, trim) = (Shader::Floor, Shader::Trim);
        let cases = [
            ("stand", -16.5, floor),
            ("stand", -15.5, first),
            ("stand", 0.0, first),
            ("stand", 15.5, first),
            ("stand", 16.5, trim),
            ("point", -0.5, floor),
            ("point", 0.5, trim),
            ("wide", -48.5, floor),
            ("wide", -47.5, first),
            ("wide", 47.5, first),
            ("wide", 48.5, trim),
            ("odd", -24.5, floor),
            ("odd", -23.5, first),
            ("odd", 7.5, first),
            ("odd", 8.5, trim),
        ];
        for (hull, x, shader) in cases {
            let hit = hit_by(&onion, 0, hull, [[x, 1.0, 100.0], [x, 1.0, -20.0]]).unwrap();
            let name = std::str::from_utf8(&hit.looks.0).unwrap();
            assert_eq!(name, shader.name(), "{hull} at {x}");
            let number = usize::from(shader != first) as u32;
            assert_eq!((hit.source, hit.side), (Source::Brush(number), 5));
        }
    }
}

/// Traces of two billion units cross the tops of two brushes exactly where these meet: the rounding error on the way,
/// up to 2^-22 units, does not decide which one is named; the numbers of the brushes do.
#[test]
fn a_seam_is_hit_from_far_away() {
    let boxes = [-128.0, 0.0].map(|x| ([x, -128.0, -64.0], [x + 128.0, 128.0, 0.0]));
    for order in [[0, 1], [1, 0]] {
        let mut map = samples::Map::new("seam", "Two floors");
        for (mins, maxs) in order.map(|number| boxes[number]) {
            map.cuboid(Shader::Floor, mins, maxs);
        }
        let onion = in_one_tree(&made(&map), &["point:point"]);
        let hull = onion.find_hull("point").unwrap();
        let world = onion.world().with_margin(0.0);
        let mut random = Random::new(19);
        for _ in 0..500 {
            let way = [1 + random.below(1 << 14), (1 << 14) + random.below(1 << 14)];
            let most = (1 << 30) / way[1];
            let mut end = |side: f64| {
                let times = (most - random.below(most / 4)) as f64 * side;
                [way[0] as f64 * times, 1.0, way[1] as f64 * times]
            };
            let trace = world.trace(hull, end(1.0), end(-1.0));
            let hit = answer(&world, hull, &trace).unwrap();
            assert_eq!((hit.source, hit.side), (Source::Brush(0), 5), "{trace:?}");
        }
    }
}

/// A point falls on the tip of a flat wedge, just beside the ridge where a slope begins, and on the seam between the
/// two brushes that make up the wedge. Around there the slope has four times as much of a face as the wedge, and is
/// the first brush, but the top of the wedge was hit.
#[test]
fn the_face_is_in_the_plane_that_was_hit() {
    let mut map = samples::Map::new("tip", "A tip beside a slope");
    let slope = [[0.0, 0.0], [64.0, 0.0], [0.0, 64.0]];
    map.add(Shader::Roof, Brush::bar_y(&slope, -64.0, 64.0));
    for far in [-26.0, 26.0] {
        let corners = [[0.0, 0.0], [-64.0, 0.0], [-64.0, far]];
        let corners = corners.map(|[x, y]| [0.0, 64.0].map(|z| [x, y, z]));
        map.add(Shader::Floor, Brush::hull(corners.as_flattened()));
    }
    let onion = in_one_tree(&made(&map), &["point:point"]);
    let x = -(0.5f32.powi(21));
    let down = [[x, 0.0, 100.0], [x, 0.0, 0.0]];
    let hit = hit_by(&onion, 0, "point", down).unwrap();
    let named = (hit.source, hit.plane, hit.is_bevel);
    assert_eq!(named, (Source::Brush(1), ([0.0, 0.0, 1.0], 64.0), false));
}

/// Points fall on the tip of a wedge, and on an edge of a tetrahedron, where traces meet several planes at once and
/// name one that has no face there. Nothing else is near, so the hit names that brush, and a side through that point.
#[test]
fn where_the_plane_has_no_face_another_is_named() {
    let mut tip = samples::Map::new("tip", "The tip of a wedge");
    let wedge = [[72.0, 24.0], [72.0, 32.0], [32.0, 32.0]];
    tip.add(Shader::Wall, Brush::bar_y(&wedge, 40.0, 80.0));
    let others = [
        ([[16.0, 0.0], [40.0, 0.0], [16.0, 16.0]], [24.0, 40.0]),
        ([[40.0, 8.0], [72.0, 8.0], [40.0, 16.0]], [32.0, 72.0]),
    ];
    for (outline, [from, to]) in others {
        tip.add(Shader::Wall, Brush::bar_x(&outline, from, to));
    }
    let on_tip = [
        [-27.61162780262238, 60.33826933881683, 38.8073693467071],
        [91.61161316029909, 59.66173063576363, 25.192630653642304],
    ];
    let mut edge = samples::Map::new("edge", "An edge of a tetrahedron");
    let [front, back] = [
        [[56, 32, 8], [16, 8, 24], [16, 0, 40], [0, 32, 8]],
        [[0, 32, 0], [8, 0, 16], [24, 16, 32], [24, 0, 0]],
    ];
    for corners in [back, front] {
        let corners = corners.map(|corner| corner.map(f64::from));
        edge.add(Shader::Wall, Brush::hull(&corners));
    }
    let on_edge = [
        [60.18750045614506, 56.00000000395056, 56.000000143624014],
        [-19.81249954385494, 16.00000000395056, -23.999999856375986],
    ];
    for (map, segment, number) in [(tip, on_tip, 0), (edge, on_edge, 1)] {
        let onion = in_one_tree(&made(&map), &["point:point"]);
        let hull = onion.find_hull("point").unwrap();
        let world = onion.world().with_margin(0.0);
        let trace = world.trace(hull, segment[0], segment[1]);
        let hit = answer(&world, hull, &trace).unwrap();
        assert_eq!(hit.source, Source::Brush(number), "{}", map.name);
        let (normal, dist) = hit.plane;
        let off = dot(normal, trace.end_pos) - dist;
        assert!(off.abs() < SAME_NORMAL, "{}: {off}", map.name);
        assert_ne!(trace.plane.unwrap().normal, normal, "{}", map.name);
    }
}

/// A side may have another shader than its brush and the brush's other sides.
#[test]
fn a_side_has_its_own_shader() {
    let mut bytes = sample_case("room").bytes.clone();
    // The first side of the wall at +x, a floor's shader (number 0) for a wall's (number 1): lump 9 holds
    // planes and shaders of sides, six for each of the three brushes before.
    let word = |bytes: &[u8], at: usize| i32::from_le_bytes(*bytes[at..].first_chunk().unwrap());
    let at = word(&bytes, 8 + 9 * 8) as usize + 18 * 8 + 4;
    assert_eq!(word(&bytes, at), 1);
    bytes[at] = 0;
    let onion = in_one_tree(&subject::parse(&bytes), &HULLS);
    for (end, name) in [(300.0, Shader::Floor), (-300.0, Shader::Wall)] {
        let hit = hit_by(&onion, 0, "stand", [[0.0, 0.0, 60.0], [end, 0.0, 60.0]]).unwrap();
        assert_eq!(hit.looks.0, name.name().as_bytes());
    }
}

/// There is no name without a hit, in traces that are all solid, and in files without hit data.
#[test]
fn nothing_is_named_without_a_hit_or_without_surfaces() {
    let map = &sample_case("room").map;
    let with = in_one_tree(map, &HULLS);
    let without = compiled(map, &HULLS, |options| options.surfaces = false).bytes;
    let without = OnionMap::from_bytes(without).unwrap();
    assert!(without.inspect().n_bytes() < with.inspect().n_bytes());
    assert_eq!([&with, &without].map(OnionMap::has_hit_data), [true, false]);
    for hull in ["stand", "crouch", "point"] {
        let into_floor = [[0.0, 0.0, 100.0], [0.0, 0.0, 0.0]];
        // A point ends on the floor, touching it.
        let named = hit_by(&with, 0, hull, into_floor);
        assert_eq!(named.is_some(), hull != "point", "{hull}");
        let (id, [start, end]) = (without.find_hull(hull).unwrap(), into_floor);
        let trace = without.world().trace(id, start, end);
        let hit = without.world().hit(id, &trace);
        assert_eq!(hit, Err(Unsupported::NoHitData), "{hull}");
        let free = [[0.0, 0.0, 100.0], [9.0, 0.0, 90.0]];
        let in_floor = [[0.0, 0.0, -4.0], [9.0, 0.0, -6.0]];
        for segment in [free, in_floor] {
            assert!(hit_by(&with, 0, hull, segment).is_none());
        }
    }
}

/// With a tree for each hull, or one for all, the names are the same, bit for bit except for rounding of planes.
#[test]
fn names_do_not_depend_on_groups() {
    for name in ["room", "touching", "ramp_stairs", "courtyard"] {
        let map = &sample_case(name).map;
        let files = ["one", "each", "stand+point,crouch"].map(|grouping| {
            let grouping = grouping.parse().unwrap();
            compiled(map, &HULLS, |options| options.grouping = grouping)
        });
        let files = files.each_ref().map(subject::load);
        let mut random = Random::new(5);
        let mut n_hits = 0;
        for _ in 0..2_000 {
            let segment = [0, 1].map(|_| random.point([-300.0; 3], [300.0; 3]));
            let segment = segment.map(|end| end.map(|at| at as f32));
            for hull in ["stand", "crouch", "point"] {
                let [one, each, pair] = files.map(|file| hit_by(&file, 0, hull, segment));
                assert_eq!(one, each, "{name} {hull} {segment:?}");
                assert_eq!(one, pair, "{name} {hull} {segment:?}");
                n_hits += usize::from(one.is_some());
            }
        }
        assert!(n_hits > 500, "{name}: {n_hits}");
    }
}

/// Two brushes side by side whose slopes are one plane, though one's normal is longer: the hit names the face that is
/// hit, not the one that gave the tree's plane its numbers.
#[test]
fn faces_in_a_plane_of_other_numbers_are_named() {
    const S: f32 = 0.707_106_77;
    // Behind x + y = 0, from x = 0 to 50 and from there to 100.
    let brush = |normal: f32, from: f32| {
        [
            ([-1.0, 0.0, 0.0], -from),
            ([1.0, 0.0, 0.0], from + 50.0),
            ([0.0, -1.0, 0.0], 200.0),
            ([0.0, 0.0, -1.0], 0.0),
            ([0.0, 0.0, 1.0], 64.0),
            ([normal, normal, 0.0], 0.0),
        ]
    };
    for [first, second] in [[S, S.next_up()], [S.next_up(), S]] {
        let onion = with_planes([&brush(first, 0.0), &brush(second, 50.0)]);
        for (hull, number, x) in [
            ("point", 0, 10.0),
            ("point", 1, 90.0),
            ("crouch", 0, 10.0),
            ("crouch", 1, 90.0),
        ] {
            let segment = [[x + 80.0, 80.0 - x, 32.0], [x - 10.0, -10.0 - x, 32.0]];
            let hit = hit_by(&onion, 0, hull, segment).unwrap();
            let named = (hit.source, hit.side, hit.is_bevel);
            assert_eq!(named, (Source::Brush(number), 5, false), "{hull} at {x}");
        }
    }
}

/// Compiles brushes behind planes with stored normals and distances, for two hulls.
fn with_planes(brushes: [&[([f32; 3], f32)]; 2]) -> OnionMap<Vec<u8>> {
    let brush = |(number, sides): (usize, &[([f32; 3], f32)])| {
        let sides = sides.iter().map(|&(normal, dist)| MapSide {
            halfspace: Halfspace::stored(normal, dist),
            surface: 0,
        });
        MapBrush {
            number,
            contents: 1,
            sides: sides.collect(),
        }
    };
    with_brushes(brushes.into_iter().enumerate().map(brush).collect())
}

fn with_brushes(brushes: Vec<MapBrush>) -> OnionMap<Vec<u8>> {
    let mut map = sample_case("room").map.clone();
    map.models[0].brushes = brushes;
    in_one_tree(&map, &["point:point", "crouch:16x32", "stand:16x56"])
}

/// Two brushes back to back at a slant, as in a real map: normals that differ in the last bit are one plane, and a
/// point in it belongs to either brush.
#[test]
fn brushes_back_to_back_at_a_slant_are_named() {
    const S: f32 = 0.707_106_77;
    let near = [
        ([-1.0, 0.0, 0.0], -390.0),
        ([1.0, 0.0, 0.0], 418.0),
        ([0.0, -1.0, 0.0], -344.0),
        ([0.0, 1.0, 0.0], 388.0),
        ([0.0, 0.0, -1.0], -288.0),
        ([0.0, 0.0, 1.0], 320.0),
        ([-S.next_up(), -S.next_up(), 0.0], -523.259_03),
        ([-S.next_down(), S.next_down(), 0.0], -5.656_853_7),
        ([S, -S, 0.0], 36.769_55),
        ([S, S, 0.0], 554.371_7),
    ];
    let far = [
        ([-1.0, 0.0, 0.0], -366.0),
        ([1.0, 0.0, 0.0], 396.0),
        ([0.0, -1.0, 0.0], -320.0),
        ([0.0, 1.0, 0.0], 350.0),
        ([0.0, 0.0, -1.0], -288.0),
        ([0.0, 0.0, 1.0], 320.0),
        ([S.next_up(), S.next_up(), 0.0], 523.259_03),
        ([S, -S, 0.0], 36.769_55),
        ([-S.next_up(), -S.next_up(), 0.0], -489.317_93),
        ([-S.next_up(), S.next_up(), 0.0], -28.284_273),
    ];
    let onion = with_planes([&near, &far]);
    // The first is where x + y is 740 to 784 and x - y is 8 to 52, the second where these are 692 to 740 and 40 to
    // 52; of the two, a box that falls on the second's middle meets the first as well.
    let cases = [
        ("point", [396.0, 366.0], 0),
        ("point", [381.0, 335.0], 1),
        ("crouch", [381.0, 335.0], 0),
    ];
    for (hull, [x, y], number) in cases {
        let hit = hit_by(&onion, 0, hull, [[x, y, 400.0], [x, y, 300.0]]).unwrap();
        let named = (hit.source, hit.side, hit.is_bevel);
        assert_eq!(named, (Source::Brush(number), 5, false), "{hull}");
    }
}

/// A ridge of 30,000 units between two steep faces (0 and 1), cut off at a slant (2). The bevel along it has a normal
/// on the grid, so only one end of the ridge touches it, sometimes at the start of the slant: the slant is nearer to
/// the bevel than the faces, but the bevel does not belong to it.
#[test]
fn a_bevel_of_a_long_edge_is_named_after_its_faces() {
    const LENGTH: f64 = 30_000.0;
    let unit = |v: [f64; 3]| scale(v, 1.0 / length(v));
    let mut random = Random::new(12);
    for _ in 0..8 {
        let along = unit([random.between(0.2, 1.0), 1.5, random.between(0.2, 0.8)]);
        let up = unit(sub([0.0, 0.0, 1.0], scale(along, along[2])));
        let turned = |degrees: f64, to| {
            let (sine, cosine) = degrees.to_radians().sin_cos();
            add(scale(up, cosine), scale(to, sine))
        };
        let across = cross(along, up);
        let [near, far] = [-0.5, 0.5].map(|part| scale(along, part * LENGTH));
        let sides = [
            (turned(60.0, across), near),
            (turned(-60.0, across), near),
            (turned(20.0, along), far),
            (scale(along, -1.0), near),
            (scale(up, -1.0), scale(up, -100.0)),
        ];
        let sides = sides.map(|(normal, at)| MapSide {
            halfspace: Halfspace::stored(normal.map(|x| x as f32), dot(normal, at) as f32),
            surface: 0,
        });
        let onion = with_brushes(vec![MapBrush {
            number: 0,
            contents: 1,
            sides: sides.to_vec(),
        }]);
        // The corner of the box that meets the ridge; along x any place between two corners would do.
        let bevel = unit(cross([1.0, 0.0, 0.0], along));
        let bevel = scale(bevel, bevel[2].signum());
        let corner = [0.0, if bevel[1] > 0.0 { -16.0 } else { 16.0 }, -24.0];
        let segment = [50.0, -50.0].map(|ahead| sub(scale(bevel, ahead), corner).map(|x| x as f32));
        let hit = hit_by(&onion, 0, "stand", segment).unwrap();
        let along_it = dot(hit.plane.0, bevel) > 0.999_999;
        assert!(along_it && hit.is_bevel, "{hit:?}");
        assert!(hit.side < 2, "{hit:?}");
    }
}
