//! Hits of traces in the sample maps: brush, side and surface of each fact were worked out by hand from the map's own
//! text.

use onion_compiler::Fill;
use onion_runtime::{OnionMap, Source};
use onion_tests::cases::sample_cases;
use onion_tests::fixtures::compiled;
use onion_tests::samples::Shader;
use onion_tests::subject::HULLS;

use super::{hit_by, one_tree};

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
///
/// Under the vault a wall's draw surfaces, six for each of eight brushes, come first; then, for each half of its
/// length, the patch at +y and the one at -y.
///
/// The columns are map, model and hull; start and end; brush or patch, side, and whether that is a bevel; shader. The
/// reason is in the line below.
const FACTS: &str = "\
room        0 stand     3    5  100     3    5    0  brush  0 5 face  Floor
    falls on the floor
room        0 point     3    5  100     3    5  300  brush  1 4 face  Wall
    shoots at the ceiling
room        0 crouch    0    9   60   300    9   60  brush  3 0 face  Wall
    runs against the wall at +x
ramp_stairs 0 stand     0  -96  200     0  -96   50  brush  7 6 face  Trim
    falls on the ramp: of its sides, -x and +z only touch edges, and its slope comes first after the axial ones
ramp_stairs 0 point   -16   96  200   -16   96   50  brush 11 5 face  Trim
    falls on the fourth step, from x = -32 to 0
wedge       0 stand   100  120   24     0  120   24  brush  6 8 bevel Trim
    meets the knife's edge (0, 128) with its west side, where the side +x only touches it: of the faces there \
    (1, 1, 0) / 1.41, the third, is nearer to +x than (0.6, -0.8, 0), the first
wedge       0 point   -64  -48   24   -64  152   24  brush  6 6 face  Trim
    a point has no bevels
wedge       0 stand  -100 -120   24   100 -120   24  brush  7 7 bevel Trim
    meets the lower corner of the blade, (16, -120, 16), at x = 0; along -x the normals of the faces there are 0.400 \
    for the second, (-7, 16, -1) / 17.5, and below 0 for the first and the third
door        1 point   -50    3   50    50    3   50  brush  9 0 face  Door
    the door's panel follows nine brushes of the world
door        2 point    20    3  100    20    3    0  brush 10 5 face  Door
    the lift's plate, in its own space
door        2 stand     0 -100   50     0    0   50  brush 11 2 face  Door
    the lift's mast, above its plate: the box reaches down to 26
clip_water  0 crouch    0    0   60   100    0   60  brush  6 0 face  Clip
    the wall for players
patch_arch  0 point   -64   60   24   -64   60  250  patch 48 0 face  Roof
    patch at -x, +y
patch_arch  0 point   -64  -60   24   -64  -60  250  patch 49 0 face  Roof
    patch at -x, -y
patch_arch  0 point    64   60   24    64   60  250  patch 50 0 face  Roof
    patch at +x, +y";

fn facts() -> Vec<Fact> {
    let lines: Vec<_> = FACTS.lines().collect();
    let (pairs, _) = lines.as_chunks();
    let fact = |&[row, why]: &[&'static str; 2]| {
        let words: Vec<_> = row.split_whitespace().collect();
        let [
            map,
            model,
            hull,
            a,
            b,
            c,
            d,
            e,
            f,
            kind,
            source,
            side,
            look,
            shader,
        ] = words[..]
        else {
            panic!("{row}")
        };
        let source = source.parse().unwrap();
        let shaders = [
            Shader::Floor,
            Shader::Wall,
            Shader::Trim,
            Shader::Door,
            Shader::Clip,
            Shader::Roof,
        ];
        let mut shaders = shaders.into_iter();
        Fact {
            map,
            model: model.parse().unwrap(),
            hull,
            segment: [[a, b, c], [d, e, f]].map(|end| end.map(|at| at.parse().unwrap())),
            source: match kind {
                "brush" => Source::Brush(source),
                _ => Source::Patch(source),
            },
            side: side.parse().unwrap(),
            is_bevel: look == "bevel",
            shader: shaders.find(|own| format!("{own:?}") == shader).unwrap(),
            why: why.trim_start(),
        }
    };
    pairs.iter().map(fact).collect()
}

#[test]
fn facts_hold() {
    let facts = facts();
    assert_eq!(facts.len(), 15);
    for case in sample_cases() {
        let name = &case.name;
        for fill in [Fill::Off, Fill::default()] {
            let compiled = compiled(&case.map, &HULLS, |options| {
                one_tree(options);
                options.fill = fill;
            });
            let onion = OnionMap::from_bytes(compiled.bytes).unwrap();
            for fact in facts.iter().filter(|fact| fact.map == name) {
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
