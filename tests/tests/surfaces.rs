//! What was hit: facts worked out by hand, and every kind of hit on every map against the oracle's names.
//! `ONION_HITS` says how many hits a map gets; then large maps are checked as well.

use onion_runtime::{Coordinate, HullId, Model, OnionMap, Source, Trace};
use onion_tests::maps::{RealMap, real_maps, say};
use onion_tests::oracle::{Name, NamedWorld, Names, OracleShaders};
use onion_tests::planted::as_version_2;
use onion_tests::queries::{Kind, Queries, Segment};
use onion_tests::random::Random;
use onion_tests::samples::{self, Brush, Shader};
use onion_tests::subject::{self, HULLS, OracleWorlds};
use onionc::hull::HullSpec;
use onionc::map::{Map, MapBrush, MapSide};
use onionc::seeds::Fill;
use onionc::{CompileOptions, Compiled, compile};
use rayon::prelude::*;

/// Hits of a map unless `ONION_HITS` says otherwise.
const HITS: usize = 3_000;

/// Larger maps take longer to compile than to check, and are left out unless `ONION_HITS` is set.
const LARGE: usize = 1_000_000;

/// One hit in so many is in an inline model, where a map has some.
const INLINE: usize = 8;

/// One trace in so many is in single precision.
const SINGLE: usize = 4;

/// Segments that are tried for a hit.
const TRIES: usize = 64;

/// At most one hit in so many may be of a brush that the segment only would enter by rounding.
const MOST_TOUCHED: usize = 5_000;

/// Normals of one plane computed on two routes agree to this.
const SAME_NORMAL: f64 = 1e-5;

/// And distances to this, in units, as far away as maps reach.
const SAME_DIST: f64 = 0.01;

const KINDS: [Kind; 3] = [Kind::Walk, Kind::Shot, Kind::Uniform];

/// What is asked of a map.
struct Case<'a> {
    map: &'a Map,
    fill: Fill,
    grouping: &'a str,
    surfaces: bool,
}

impl<'a> Case<'a> {
    fn new(map: &'a Map) -> Self {
        Self {
            map,
            fill: Fill::Off,
            grouping: "one",
            surfaces: true,
        }
    }

    fn compile(&self, hulls: &[HullSpec]) -> Compiled {
        let options = CompileOptions {
            fill: self.fill.clone(),
            grouping: self.grouping.parse().unwrap(),
            surfaces: self.surfaces,
            ..CompileOptions::new(hulls.to_vec())
        };
        compile(self.map, &options).unwrap()
    }
}

/// An answer, as far as it is comparable.
#[derive(Clone, Debug, PartialEq)]
struct Answer {
    source: Source,
    model: usize,
    entity: Option<u32>,
    side: u32,
    is_bevel: bool,
    plane: ([f64; 3], f64),
    looks: Looks,
    contents: u32,
}

/// Name, flags and contents of a surface.
type Looks = (Vec<u8>, u32, u32);

fn answer<T: Coordinate>(
    model: &Model<'_>,
    hull: HullId,
    [start, end]: [[T; 3]; 2],
    trace: &Trace<T>,
) -> Option<Answer> {
    let hit = model.hit(hull, start, end, trace)?;
    let surface = hit.surface();
    Some(Answer {
        source: hit.brush.source,
        model: hit.brush.model,
        entity: hit.brush.entity,
        side: hit.side.number,
        is_bevel: hit.side.is_bevel,
        plane: (hit.side.normal, hit.side.dist),
        looks: (surface.name_bytes.to_vec(), surface.flags, surface.contents),
        contents: hit.contents(),
    })
}

/// What a hull hits, the same in both precisions.
fn hit_by(
    onion: &OnionMap<'_>,
    model: usize,
    hull: &str,
    [start, end]: [[f32; 3]; 2],
) -> Option<Answer> {
    let model = onion.model(model).unwrap();
    let hull = onion.hull(hull).unwrap();
    let trace = model.trace(hull, start, end);
    let named = answer(&model, hull, [start, end], &trace);
    let wide = [start, end].map(|end| end.map(f64::from));
    let trace = model.trace_f64(hull, wide[0], wide[1], 0.0);
    assert_eq!(named, answer(&model, hull, wide, &trace));
    named
}

/// What must be named.
struct Fact {
    map: &'static str,
    model: usize,
    hull: &'static str,
    segment: [[f32; 3]; 2],
    source: Source,
    side: u32,
    is_bevel: bool,
    shader: Shader,
    why: &'static str,
}

/// Every sample brush has its six axial sides first: -x, +x, -y, +y, -z, +z; a room's brushes are floor,
/// ceiling, and the walls at -x, +x, -y, +y, and what stands in it comes after them.
const FACTS: [Fact; 15] = [
    Fact {
        map: "room",
        model: 0,
        hull: "stand",
        segment: [[3.0, 5.0, 100.0], [3.0, 5.0, 0.0]],
        source: Source::Brush(0),
        side: 5,
        is_bevel: false,
        shader: Shader::Floor,
        why: "falls on the floor",
    },
    Fact {
        map: "room",
        model: 0,
        hull: "point",
        segment: [[3.0, 5.0, 100.0], [3.0, 5.0, 300.0]],
        source: Source::Brush(1),
        side: 4,
        is_bevel: false,
        shader: Shader::Wall,
        why: "shoots at the ceiling",
    },
    Fact {
        map: "room",
        model: 0,
        hull: "crouch",
        segment: [[0.0, 9.0, 60.0], [300.0, 9.0, 60.0]],
        source: Source::Brush(3),
        side: 0,
        is_bevel: false,
        shader: Shader::Wall,
        why: "runs against the wall at +x",
    },
    Fact {
        map: "ramp_stairs",
        model: 0,
        hull: "stand",
        segment: [[0.0, -96.0, 200.0], [0.0, -96.0, 50.0]],
        source: Source::Brush(7),
        side: 6,
        is_bevel: false,
        shader: Shader::Trim,
        why: "falls on the ramp: of its sides, -x and +z only touch edges, and its slope comes first after \
              the axial ones",
    },
    Fact {
        map: "ramp_stairs",
        model: 0,
        hull: "point",
        segment: [[-16.0, 96.0, 200.0], [-16.0, 96.0, 50.0]],
        source: Source::Brush(11),
        side: 5,
        is_bevel: false,
        shader: Shader::Trim,
        why: "falls on the fourth step, from x = -32 to 0",
    },
    Fact {
        map: "wedge",
        model: 0,
        hull: "stand",
        segment: [[100.0, 120.0, 24.0], [0.0, 120.0, 24.0]],
        source: Source::Brush(6),
        side: 8,
        is_bevel: true,
        shader: Shader::Trim,
        why: "meets the knife's edge (0, 128) with its west side, where the side +x only touches it: of the \
              faces there (1, 1, 0) / 1.41, the third, is nearer to +x than (0.6, -0.8, 0), the first",
    },
    Fact {
        map: "wedge",
        model: 0,
        hull: "point",
        segment: [[-64.0, -48.0, 24.0], [-64.0, 152.0, 24.0]],
        source: Source::Brush(6),
        side: 6,
        is_bevel: false,
        shader: Shader::Trim,
        why: "a point has no bevels",
    },
    Fact {
        map: "door",
        model: 1,
        hull: "point",
        segment: [[-50.0, 3.0, 50.0], [50.0, 3.0, 50.0]],
        source: Source::Brush(9),
        side: 0,
        is_bevel: false,
        shader: Shader::Door,
        why: "the door's panel follows nine brushes of the world",
    },
    Fact {
        map: "door",
        model: 2,
        hull: "point",
        segment: [[20.0, 3.0, 100.0], [20.0, 3.0, 0.0]],
        source: Source::Brush(10),
        side: 5,
        is_bevel: false,
        shader: Shader::Door,
        why: "the lift's plate, in its own space",
    },
    Fact {
        map: "door",
        model: 2,
        hull: "stand",
        segment: [[0.0, -100.0, 50.0], [0.0, 0.0, 50.0]],
        source: Source::Brush(11),
        side: 2,
        is_bevel: false,
        shader: Shader::Door,
        why: "the lift's mast, above its plate: the box reaches down to 26",
    },
    Fact {
        map: "clip_water",
        model: 0,
        hull: "crouch",
        segment: [[0.0, 0.0, 60.0], [100.0, 0.0, 60.0]],
        source: Source::Brush(6),
        side: 0,
        is_bevel: false,
        shader: Shader::Clip,
        why: "the wall for players",
    },
    // Under the vault a wall's draw surfaces, six for each of eight brushes, come first; then for either half
    // of its length the patch at +y and the one at -y.
    Fact {
        map: "patch_arch",
        model: 0,
        hull: "point",
        segment: [[-64.0, 60.0, 24.0], [-64.0, 60.0, 250.0]],
        source: Source::Patch(48),
        side: 0,
        is_bevel: false,
        shader: Shader::Roof,
        why: "patch at -x, +y",
    },
    Fact {
        map: "patch_arch",
        model: 0,
        hull: "point",
        segment: [[-64.0, -60.0, 24.0], [-64.0, -60.0, 250.0]],
        source: Source::Patch(49),
        side: 0,
        is_bevel: false,
        shader: Shader::Roof,
        why: "patch at -x, -y",
    },
    Fact {
        map: "patch_arch",
        model: 0,
        hull: "point",
        segment: [[64.0, 60.0, 24.0], [64.0, 60.0, 250.0]],
        source: Source::Patch(50),
        side: 0,
        is_bevel: false,
        shader: Shader::Roof,
        why: "patch at +x, +y",
    },
    Fact {
        map: "wedge",
        model: 0,
        hull: "stand",
        segment: [[-100.0, -120.0, 24.0], [100.0, -120.0, 24.0]],
        source: Source::Brush(7),
        side: 7,
        is_bevel: true,
        shader: Shader::Trim,
        why: "meets the lower corner of the blade, (16, -120, 16), at x = 0; along -x the normals of the faces \
              there are 0.400 for the second, (-7, 16, -1) / 17.5, and below 0 for the first and the third",
    },
];

#[test]
fn facts_hold() {
    for (name, bytes) in samples::all() {
        let map = subject::parse(&bytes);
        for case in [Fill::Off, Fill::default()] {
            let case = Case {
                fill: case,
                ..Case::new(&map)
            };
            let compiled = case.compile(&subject::hulls(&HULLS));
            let onion = subject::load(&compiled);
            for fact in FACTS.iter().filter(|fact| fact.map == name) {
                let hit = hit_by(&onion, fact.model, fact.hull, fact.segment);
                let hit = hit.unwrap_or_else(|| panic!("{name}: {}", fact.why));
                let shader = fact.shader;
                let looks = (
                    shader.name().as_bytes().to_vec(),
                    shader.flags() as u32,
                    shader.contents() as u32,
                );
                assert_eq!(hit.source, fact.source, "{name}: {}: {hit:?}", fact.why);
                assert_eq!(hit.looks, looks, "{name}: {}", fact.why);
                assert_eq!(hit.contents, shader.contents() as u32);
                // The first entity is the world's, and then come the doors.
                let entity = (fact.model > 0).then_some(fact.model as u32);
                assert_eq!((hit.model, hit.entity), (fact.model, entity));
                if matches!(fact.source, Source::Brush(_)) {
                    let side = (hit.side, hit.is_bevel);
                    assert_eq!(side, (fact.side, fact.is_bevel), "{name}: {}", fact.why);
                }
            }
        }
    }
}

/// Planes before expansion, by hand: the ramp rises one unit in two from (-128, 0, 0); the knife's edge is at
/// (0, 128).
#[test]
fn planes_are_those_of_the_brush() {
    let cases = [
        (
            "ramp_stairs",
            [[0.0, -96.0, 200.0], [0.0, -96.0, 50.0]],
            [-1.0, 0.0, 2.0],
            128.0,
        ),
        (
            "wedge",
            [[100.0, 120.0, 24.0], [0.0, 120.0, 24.0]],
            [1.0, 0.0, 0.0],
            0.0,
        ),
    ];
    for (name, segment, normal, dist) in cases {
        let (_, bytes) = samples::all()
            .into_iter()
            .find(|map| map.0 == name)
            .unwrap();
        let map = subject::parse(&bytes);
        let compiled = Case::new(&map).compile(&subject::hulls(&HULLS));
        let hit = hit_by(&subject::load(&compiled), 0, "stand", segment).unwrap();
        let length = normal.iter().map(|x: &f64| x * x).sum::<f64>().sqrt();
        let off = (0..3).map(|axis| (hit.plane.0[axis] - normal[axis] / length).abs());
        assert!(off.fold(0.0, f64::max) < SAME_NORMAL, "{hit:?}");
        assert!((hit.plane.1 - dist / length).abs() < SAME_DIST, "{hit:?}");
    }
}

/// Bevels at corners and edges of two brushes whose planes single precision holds exactly, so that no axial
/// side has a face by rounding.
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
    // A roof whose ridge is at x = 0, z = 128: the slopes are alike.
    let roof = [[-128.0, 0.0], [128.0, 0.0], [0.0, 128.0]];
    map.add(Shader::Roof, Brush::bar_y(&roof, -64.0, 64.0));
    let map = subject::parse(&samples::write(&map));
    let compiled = Case::new(&map).compile(&subject::hulls(&HULLS));
    let onion = subject::load(&compiled);
    let cases = [
        (
            "the tip",
            [[1027.0, -1020.0, 300.0], [1027.0, -1020.0, 0.0]],
            0,
            6,
            [0.0, 0.0, 1.0],
        ),
        (
            "the corner at -x",
            [[700.0, -1020.0, 10.0], [1024.0, -1020.0, 10.0]],
            0,
            6,
            [-1.0, 0.0, 0.0],
        ),
        (
            "the corner at -y",
            [[1028.0, -1300.0, 10.0], [1028.0, -1024.0, 10.0]],
            0,
            6,
            [0.0, -1.0, 0.0],
        ),
        // Faces there are the slopes (6 and 7), as near as each other.
        (
            "the ridge",
            [[3.0, 0.0, 300.0], [3.0, 0.0, 0.0]],
            1,
            6,
            [0.0, 0.0, 1.0],
        ),
        // Of the bottom and a slope, the slope.
        (
            "an eave",
            [[200.0, 0.0, 10.0], [0.0, 0.0, 10.0]],
            1,
            7,
            [1.0, 0.0, 0.0],
        ),
        (
            "the other eave",
            [[-200.0, 0.0, 10.0], [0.0, 0.0, 10.0]],
            1,
            6,
            [-1.0, 0.0, 0.0],
        ),
    ];
    for (what, segment, brush, side, normal) in cases {
        let hit = hit_by(&onion, 0, "stand", segment).unwrap();
        let named = (hit.source, hit.side, hit.is_bevel, hit.plane.0);
        assert_eq!(named, (Source::Brush(brush), side, true, normal), "{what}");
    }
}

/// The blade's edge from (16, -120, 16) along (2, 1, 2): single precision leaves the side +z a face of a few
/// millionths of a unit at the edge's end, nearer to the bevel than the edge's own faces, but not at the edge.
#[test]
fn an_edge_is_not_named_after_a_side_at_its_end() {
    let (_, bytes) = samples::all()
        .into_iter()
        .find(|map| map.0 == "wedge")
        .unwrap();
    let map = subject::parse(&bytes);
    let compiled = Case::new(&map).compile(&subject::hulls(&HULLS));
    let down = [[64.0, -96.0, 184.0], [64.0, -96.0, 24.0]];
    let hit = hit_by(&subject::load(&compiled), 0, "stand", down).unwrap();
    assert!(
        (hit.plane.0[2] - 0.5f64.sqrt()).abs() < SAME_NORMAL,
        "{hit:?}"
    );
    // The planes x - 16y + 7z = 2048 and -7x + 16y - z = -2048 are as near as each other.
    let own = hit.is_bevel && [6, 7].contains(&hit.side);
    assert!(hit.source == Source::Brush(7) && own, "{hit:?}");
}

/// Two brushes side by side, with tops in one plane: where a hull stands on both, the first is named.
#[test]
fn of_faces_side_by_side_the_right_one_is_named() {
    let left = ([-128.0, -128.0, -64.0], [0.0, 128.0, 0.0], Shader::Floor);
    let right = ([0.0, -128.0, -64.0], [128.0, 128.0, 0.0], Shader::Trim);
    let hulls = [
        "stand:16x56",
        "point:point",
        "wide:48x8",
        // Reaches 24 to +x of its origin, and so comes to the right brush 24 before the seam.
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
        let map = subject::parse(&samples::write(&map));
        let compiled = Case::new(&map).compile(&subject::hulls(&hulls));
        let onion = subject::load(&compiled);
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

/// A side may have another shader than its brush and the brush's other sides.
#[test]
fn a_side_has_its_own_shader() {
    let (_, mut bytes) = samples::all().swap_remove(0);
    // The first side of the wall at +x, a floor's shader (number 0) for a wall's (number 1): lump 9 holds
    // planes and shaders of sides, six for each of the three brushes before.
    let word = |bytes: &[u8], at: usize| i32::from_le_bytes(*bytes[at..].first_chunk().unwrap());
    let at = word(&bytes, 8 + 9 * 8) as usize + 18 * 8 + 4;
    assert_eq!(word(&bytes, at), 1);
    bytes[at] = 0;
    let map = subject::parse(&bytes);
    let compiled = Case::new(&map).compile(&subject::hulls(&HULLS));
    let onion = subject::load(&compiled);
    for (end, name) in [(300.0, Shader::Floor), (-300.0, Shader::Wall)] {
        let hit = hit_by(&onion, 0, "stand", [[0.0, 0.0, 60.0], [end, 0.0, 60.0]]).unwrap();
        assert_eq!(hit.looks.0, name.name().as_bytes());
    }
}

/// Nothing is named where nothing is hit, where all is solid, and in files that do not tell.
#[test]
fn nothing_is_named_without_a_hit_or_without_surfaces() {
    let (_, bytes) = samples::all().swap_remove(0);
    let map = subject::parse(&bytes);
    let hulls = subject::hulls(&HULLS);
    let with = Case::new(&map).compile(&hulls);
    let without = Case {
        surfaces: false,
        ..Case::new(&map)
    };
    let without = without.compile(&hulls);
    let old = as_version_2(&with.bytes);
    assert!(without.bytes.len() < with.bytes.len());
    let files = [&with.bytes, &without.bytes, &old].map(|file| OnionMap::from_bytes(file).unwrap());
    assert_eq!(files.map(|file| file.has_surfaces()), [true, false, false]);
    for hull in ["stand", "crouch", "point"] {
        let into_floor = [[0.0, 0.0, 100.0], [0.0, 0.0, 0.0]];
        let named = files.map(|file| hit_by(&file, 0, hull, into_floor).is_some());
        // A point ends on the floor, touching it.
        assert_eq!(named, [hull != "point", false, false], "{hull}");
        let free = [[0.0, 0.0, 100.0], [9.0, 0.0, 90.0]];
        let in_floor = [[0.0, 0.0, -4.0], [9.0, 0.0, -6.0]];
        for segment in [free, in_floor] {
            assert!(hit_by(&files[0], 0, hull, segment).is_none());
        }
    }
}

/// Each hull in a tree of its own, or all in one: the same names, bit for bit but for rounding of planes.
#[test]
fn names_do_not_depend_on_groups() {
    for name in ["room", "touching", "ramp_stairs", "courtyard"] {
        let (_, bytes) = samples::all()
            .into_iter()
            .find(|map| map.0 == name)
            .unwrap();
        let map = subject::parse(&bytes);
        let files = ["one", "each", "stand+point,crouch"].map(|grouping| {
            let case = Case {
                grouping,
                ..Case::new(&map)
            };
            case.compile(&subject::hulls(&HULLS))
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

/// Two brushes back to back at a slant, as a real map has them: normals that differ in the last bit are one
/// plane, and a point in it belongs to either brush.
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
    let brush = |(number, sides): (usize, [([f32; 3], f32); 10])| MapBrush {
        number,
        contents: 1,
        sides: sides
            .map(|(normal, dist)| MapSide {
                normal,
                dist,
                surface: 0,
            })
            .to_vec(),
    };
    let mut map = subject::parse(&samples::all()[0].1);
    map.models[0].brushes = [near, far].into_iter().enumerate().map(brush).collect();
    let compiled = Case::new(&map).compile(&subject::hulls(&["point:point", "crouch:16x32"]));
    let onion = subject::load(&compiled);
    // The first lies where x + y is 740 to 784 and x - y is 8 to 52, the second where these are 692 to 740
    // and 40 to 52; of the two, a box that falls on the second's middle meets the first as well.
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

/// Hits of a map, by how they were judged.
#[derive(Default)]
struct Counts {
    hits: usize,
    /// With more than one right answer.
    ties: usize,
    /// Ties that are not of faces in one plane, of which only the first is right.
    open: usize,
    /// Of planes that are no faces.
    bevels: usize,
    patches: usize,
    /// Of brushes that the segment touches but does not enter.
    touched: usize,
    wrong: Vec<String>,
}

impl Counts {
    fn add(mut self, other: Counts) -> Counts {
        self.hits += other.hits;
        self.ties += other.ties;
        self.open += other.open;
        self.bevels += other.bevels;
        self.patches += other.patches;
        self.touched += other.touched;
        self.wrong.extend(other.wrong);
        self
    }
}

/// A hull in a model of a file, and the oracle's world of it.
struct Subject<'a> {
    model: Model<'a>,
    index: usize,
    hull: HullId,
    world: &'a NamedWorld,
    shaders: &'a OracleShaders,
    seed: u64,
}

impl Subject<'_> {
    fn check(&self, n_hits: usize) -> Counts {
        let Some(queries) = Queries::new(self.world.world()) else {
            return Counts::default();
        };
        let hits = (0..n_hits).into_par_iter();
        hits.map(|number| self.check_hit(&queries, number))
            .reduce(Counts::default, Counts::add)
    }

    /// The first hit of some random segments.
    fn check_hit(&self, queries: &Queries<'_>, number: usize) -> Counts {
        let mut random = Random::new(self.seed << 32 ^ number as u64);
        for _ in 0..TRIES {
            let segment = queries.query(KINDS[number % KINDS.len()], &mut random);
            let (segment, fraction, answer) = self.trace(segment, number.is_multiple_of(SINGLE));
            let Some(fraction) = fraction else {
                if answer.is_some() {
                    return wrong(format!("{segment:?} hits nothing, but {answer:?}"));
                }
                continue;
            };
            let [start, end] = segment;
            let names = self.world.names(start, end, fraction);
            return match self.judge(&names, answer.as_ref()) {
                Ok(counts) => counts,
                Err(what) => wrong(format!(
                    "model {} {:?} {segment:?} at {fraction}: {what}: {answer:?}, not of {names:?}",
                    self.index, self.hull
                )),
            };
        }
        Counts::default()
    }

    /// The segment as traced, the fraction at which it hits, and what it is said to hit.
    fn trace(&self, segment: Segment, single: bool) -> (Segment, Option<f64>, Option<Answer>) {
        let (model, hull) = (&self.model, self.hull);
        if single {
            let ends = segment.map(|end| end.map(|at| at as f32));
            let trace = model.trace(hull, ends[0], ends[1]);
            let fraction = trace.plane.map(|_| trace.hit_fraction);
            let segment = ends.map(|end| end.map(f64::from));
            (segment, fraction, answer(model, hull, ends, &trace))
        } else {
            let trace = model.trace_f64(hull, segment[0], segment[1], 0.0);
            let fraction = trace.plane.map(|_| trace.hit_fraction);
            (segment, fraction, answer(model, hull, segment, &trace))
        }
    }

    fn judge(&self, names: &Names, answer: Option<&Answer>) -> Result<Counts, String> {
        let answer = answer.ok_or("nothing is named")?;
        let is_answer = |name: &&Name| self.agrees(name, answer);
        let entered = names.entered.iter().find(is_answer);
        let touched = names.touched.iter().find(is_answer);
        if entered.or(touched).is_none() {
            return Err(self.difference(names, answer).to_owned());
        }
        let first = names.entered.first().map(source);
        // Normals of bevels are rounded to a grid of 2^-30, so that of planes that would coincide one may be
        // the first by a hundredth of a millionth of a unit.
        let is_exact = names.in_one_plane && !answer.is_bevel;
        if is_exact && first != Some(answer.source) {
            return Err("not the first of faces that coincide".to_owned());
        }
        if answer.model != self.index || answer.entity != self.model.entity() {
            return Err("another model or entity".to_owned());
        }
        Ok(Counts {
            hits: 1,
            ties: usize::from(!names.is_unique()),
            open: usize::from(!names.is_unique() && !names.in_one_plane),
            bevels: usize::from(answer.is_bevel),
            patches: usize::from(matches!(answer.source, Source::Patch(_))),
            touched: usize::from(entered.is_none()),
            wrong: Vec::new(),
        })
    }

    /// In what a wrong answer differs from all right ones.
    fn difference(&self, names: &Names, answer: &Answer) -> &'static str {
        let all = || names.entered.iter().chain(&names.touched);
        let brush = |name: &&Name| source(name) == answer.source;
        let plane = |name: &&Name| brush(name) && same_plane(name, answer);
        let side =
            |name: &Name| matches!(name, Name::Side { side, .. } if *side as u32 == answer.side);
        let bevel = |name: &Name| matches!(name, Name::Side { is_bevel: true, .. });
        if all().next().is_none() {
            "nothing is there"
        } else if !all().any(|name| brush(&name)) {
            "another brush"
        } else if all().any(|name| brush(&name) && matches!(name, Name::Patch { .. })) {
            "another surface for a patch"
        } else if !all().any(|name| plane(&name)) {
            "another plane"
        } else if !all()
            .filter(plane)
            .any(|name| bevel(name) == answer.is_bevel)
        {
            "a bevel for a face, or the reverse"
        } else if !all().filter(plane).any(side) {
            let shader = |name: &Name| match *name {
                Name::Side { shader, .. } | Name::Patch { shader, .. } => shader,
            };
            if all()
                .filter(plane)
                .any(|name| self.looks(shader(name)) == answer.looks)
            {
                "another side of the same surface"
            } else {
                "another side"
            }
        } else {
            "another surface or contents"
        }
    }

    fn looks(&self, shader: usize) -> Looks {
        let shader = &self.shaders.shaders[shader];
        (shader.name.clone(), shader.flags, shader.contents)
    }

    /// Whether an answer is what a name says, to the bits of its surface.
    fn agrees(&self, name: &Name, answer: &Answer) -> bool {
        let agrees = |shader: usize, contents: u32| {
            answer.source == source(name)
                && answer.looks == self.looks(shader)
                && answer.contents == contents
        };
        match *name {
            Name::Patch {
                shader, contents, ..
            } => agrees(shader, contents),
            Name::Side {
                side,
                shader,
                contents,
                is_bevel,
                ..
            } => {
                agrees(shader, contents)
                    && (answer.side as usize, answer.is_bevel) == (side, is_bevel)
                    && same_plane(name, answer)
            }
        }
    }
}

/// Whether an answer has the plane of a side.
fn same_plane(name: &Name, answer: &Answer) -> bool {
    let &Name::Side {
        plane: (normal, dist),
        ..
    } = name
    else {
        return false;
    };
    let off = (0..3).map(|axis| (normal[axis] - answer.plane.0[axis]).abs());
    off.fold(0.0, f64::max) < SAME_NORMAL && (dist - answer.plane.1).abs() < SAME_DIST
}

fn source(name: &Name) -> Source {
    match *name {
        Name::Side { brush, .. } => Source::Brush(brush as u32),
        Name::Patch { surface, .. } => Source::Patch(surface as u32),
    }
}

fn wrong(what: String) -> Counts {
    Counts {
        hits: 1,
        wrong: vec![what],
        ..Counts::default()
    }
}

/// Checks hits of all hulls in all models of the files of a map; returns what is wrong.
fn check_map(real: &RealMap, n_hits: usize, groupings: &[&str]) -> Vec<String> {
    let map = subject::parse(&real.bytes);
    let worlds = OracleWorlds::new(&real.bytes, &map);
    let hulls = subject::hulls(&HULLS);
    let files: Vec<Compiled> = [Fill::Off, Fill::default()]
        .into_iter()
        .flat_map(|fill| {
            groupings
                .iter()
                .map(move |&grouping| (fill.clone(), grouping))
        })
        .map(|(fill, grouping)| {
            let case = Case {
                fill,
                grouping,
                ..Case::new(&map)
            };
            case.compile(&hulls)
        })
        .collect();
    let share = n_hits.div_ceil(files.len() * hulls.len());
    let mut all = Counts::default();
    for index in 0..map.models.len() {
        let inline = map.models.len() - 1;
        let in_inline = if inline == 0 { 0 } else { share / INLINE };
        let n_hits = match index {
            0 => share - in_inline,
            _ => in_inline.div_ceil(inline),
        };
        for (number, spec) in hulls.iter().enumerate() {
            let world = worlds.named_world(index, spec);
            for (file, compiled) in files.iter().enumerate() {
                let onion = subject::load(compiled);
                let subject = Subject {
                    model: onion.model(index).unwrap(),
                    index,
                    hull: onion.hull(&spec.name).unwrap(),
                    world: &world,
                    shaders: worlds.shaders(),
                    seed: ((index * 16 + file) * 64 + number) as u64,
                };
                all = all.add(subject.check(n_hits));
            }
        }
    }
    say(&format!(
        "{}: {} hits, {} ties ({} open), {} bevels, {} patches, {} touched, {} wrong",
        real.name,
        all.hits,
        all.ties,
        all.open,
        all.bevels,
        all.patches,
        all.touched,
        all.wrong.len()
    ));
    let enough = all.hits >= n_hits / 2 && all.touched * MOST_TOUCHED <= all.hits;
    assert!(enough, "{}: too few hits, or too many unsure", real.name);
    let name = |what| format!("{} {what}", real.name);
    all.wrong.into_iter().map(name).collect()
}

/// All wrong answers of all maps.
fn assert_none(wrong: &[String]) {
    let first = &wrong[..wrong.len().min(5)];
    assert!(wrong.is_empty(), "{} wrong: {first:#?}", wrong.len());
}

/// How many hits a map gets, and whether that was asked for.
fn hits() -> (usize, bool) {
    match std::env::var("ONION_HITS") {
        Ok(hits) => (hits.parse().unwrap(), true),
        Err(_) => (HITS, false),
    }
}

#[test]
fn hits_in_sample_maps_have_the_names_of_the_oracle() {
    let mut wrong = Vec::new();
    for (name, bytes) in samples::all() {
        let name = name.to_owned();
        wrong.extend(check_map(
            &RealMap { name, bytes },
            hits().0,
            &["one", "each"],
        ));
    }
    assert_none(&wrong);
}

#[test]
fn hits_in_real_maps_have_the_names_of_the_oracle() {
    let (n_hits, all) = hits();
    let (checked, large): (Vec<_>, Vec<_>) = real_maps()
        .into_iter()
        .partition(|map| all || map.bytes.len() < LARGE);
    let mut wrong = Vec::new();
    for map in checked {
        wrong.extend(check_map(&map, n_hits, &["one"]));
    }
    if !large.is_empty() {
        say(&format!(
            "{} large maps are skipped; set ONION_HITS",
            large.len()
        ));
    }
    assert_none(&wrong);
}
