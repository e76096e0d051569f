//! The contents of points: facts worked out by hand, and many points of every map against the planes of all
//! brushes.

use onion_runtime::shape::Shape;
use onion_runtime::{Model, OnionMap, Source};
use onion_tests::cases::{Case, all_cases};
use onion_tests::effort::Cases;
use onion_tests::oracle::vec3::{V3, add, dot, lerp, scale};
use onion_tests::oracle::{Plane, read_ibsp, vertices};
use onion_tests::random::Random;

use super::{LAVA, PLAYERCLIP, SHELL, SOLID, WATER, sample};

/// Contents of triggers, as in FORMAT.md.
const TRIGGER: u32 = 0x4000_0000;

/// Number of points of each map.
const POINTS: Cases = Cases::new(2_000, 10_000);

#[test]
fn contents_at_places_of_the_sample_maps() {
    let onion = sample("clip_water");
    let world = onion.model(0).unwrap();
    let in_both = SOLID | PLAYERCLIP;
    for (at, contents, why) in [
        ([0.0, 0.0, 100.0], 0, "in the open"),
        ([260.0, 0.0, 100.0], SOLID, "in the wall from 256 to 272"),
        ([-128.0, 0.0, 32.0], WATER, "in the water"),
        ([-64.0, 0.0, 32.0], 0, "at its side"),
        ([-128.0, 0.0, 64.0], 0, "on its surface"),
        ([-128.0, 200.0, 16.0], LAVA, "in the lava"),
        ([68.0, 0.0, 100.0], PLAYERCLIP, "in the clip wall"),
        ([128.0, 112.0, 32.0], in_both, "in the pillar and its clip"),
        ([100.0, 112.0, 32.0], PLAYERCLIP, "only in the clip brush"),
        ([0.0, 0.0, 9000.0], 0, "outside"),
    ] {
        assert_eq!(world.contents_at(at), Ok(contents), "{why}");
    }
    // The models of doors contain only their own brushes; the lift is about its origin.
    let onion = sample("door");
    let contents = |model, at| onion.model(model).unwrap().contents_at(at);
    assert_eq!(contents(0, [0.0, 0.0, 50.0]), Ok(0));
    assert_eq!(contents(1, [0.0, 0.0, 50.0]), Ok(SOLID));
    assert_eq!(contents(1, [0.0, 64.0, 50.0]), Ok(0));
    assert_eq!(contents(2, [0.0, 0.0, 50.0]), Ok(SOLID));
    assert_eq!(contents(2, [160.0, 64.0, 8.0]), Ok(0));
    for wrong in [f64::NAN, f64::INFINITY, -2f64.powi(31)] {
        assert_eq!(contents(0, [0.0, wrong, 0.0]), Ok(u32::MAX));
    }
}

#[test]
fn contents_are_those_of_the_brushes_around_a_point() {
    let mut seen = 0;
    for case in all_cases() {
        seen |= check_contents(case);
    }
    let wanted = SOLID | LAVA | WATER | PLAYERCLIP;
    assert_eq!(seen & wanted, wanted, "{seen:x}");
}

/// Compares many points of a map, and returns all contents that were found.
fn check_contents(case: &Case) -> u32 {
    let onion = case.onion();
    let models = read_ibsp(&case.bytes).unwrap();
    let mut random = Random::new(7);
    let mut seen = 0;
    for (index, own) in models.iter().enumerate() {
        let model = onion.model(index).unwrap();
        // Only the class reveals that brushes are a trigger's, whose contents are solid in many files.
        let trigger = is_trigger(&model).then_some(TRIGGER);
        let own = own.brushes.iter();
        let of_map = own.map(|own| (trigger.unwrap_or(own.contents), own.planes.clone()));
        let brushes = onion
            .inspect()
            .brushes()
            .filter(|brush| brush.model == index);
        let pieces = brushes.filter(|brush| matches!(brush.source, Source::Patch(_)));
        let of_patches = pieces.map(|brush| (brush.contents, faces(onion, brush.number)));
        let brushes: Vec<(u32, Vec<Plane>)> = of_map.chain(of_patches).collect();
        let solids: Vec<(u32, Vec<V3>)> = brushes
            .iter()
            .filter_map(|(contents, planes)| Some((*contents, vertices(planes)?)))
            .collect();
        let share = if index == 0 { 1 } else { models.len() - 1 };
        for _ in 0..POINTS.count().div_ceil(share) {
            let point = place(&solids, &mut random);
            let found = model.contents_at(point).unwrap();
            let [outer, inner] = [SHELL, -SHELL].map(|shell| contents_of(&brushes, point, shell));
            let is_right = found & !outer == 0 && inner & !found == 0;
            assert!(is_right, "{} model {index} {point:?}: {found:x}", case.name);
            seen |= found;
            let solid = model.shape_is_solid(&Shape::POINT, WATER | SOLID, point);
            assert_eq!(solid, Ok(found & (WATER | SOLID) != 0), "{point:?}");
        }
    }
    seen
}

/// Whether a model belongs to a trigger.
pub(crate) fn is_trigger(model: &Model<'_>) -> bool {
    let class = model.entity().and_then(|entity| entity.get("classname"));
    class.is_some_and(|class| class.starts_with("trigger_"))
}

/// Returns the planes of a brush of a file, without bevels.
fn faces(onion: &OnionMap<impl AsRef<[u8]>>, brush: u32) -> Vec<Plane> {
    let faces = onion.inspect().sides(brush).filter(|side| !side.is_bevel);
    faces.map(|side| (side.normal, side.dist)).collect()
}

/// Picks a place in or near a brush, with rare contents as often as others.
fn place(solids: &[(u32, Vec<V3>)], random: &mut Random) -> V3 {
    let Some(mut solid) = solids.get(random.below(solids.len().max(1))) else {
        return random.point([-100.0; 3], [100.0; 3]);
    };
    for _ in 0..8 * random.below(2) {
        if solid.0 != SOLID {
            break;
        }
        solid = &solids[random.below(solids.len())];
    }
    let corners = &solid.1;
    let mut corner = || corners[random.below(corners.len())];
    let [a, b, c] = [corner(), corner(), corner()];
    let inside = lerp(lerp(a, b, random.unit()), c, random.unit());
    let off = [0.0, 0.001, 1.0, 50.0][random.below(4)];
    add(inside, scale(random.direction(), off))
}

/// Returns all contents around a point, by planes moved outward.
fn contents_of(brushes: &[(u32, Vec<Plane>)], point: V3, grow: f64) -> u32 {
    let inside = |planes: &[Plane]| {
        let mut planes = planes.iter();
        planes.all(|&(normal, dist)| dot(normal, point) - dist < grow)
    };
    let around = brushes.iter().filter(|(_, planes)| inside(planes));
    around.fold(0, |contents, (own, _)| contents | own)
}
