//! Hits of traces in the sample maps: brush, side and surface of each fact were worked out by hand from the map's own
//! text.

use onion_compiler::fill::seeds::Fill;
use onion_runtime::Source;
use onion_tests::samples::{self, Shader};
use onion_tests::subject::{self, HULLS};

use super::{Case, hit_by};

/// The expected hit of a trace.
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

/// Every sample brush has its six axial sides first: -x, +x, -y, +y, -z, +z; a room's brushes are floor, ceiling, and
/// the walls at -x, +x, -y, +y, and the objects in it come after them.
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
    // Under the vault a wall's draw surfaces, six for each of eight brushes, come first; then, for each half of its
    // length, the patch at +y and the one at -y.
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
                // The first entity is the world, and the doors come next.
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
