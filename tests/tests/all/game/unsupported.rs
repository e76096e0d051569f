//! Queries that a file cannot answer: an error with a name, never the answer to another query; and hulls of other
//! files, for which everything is solid.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use onion_runtime::movement::{Agent, WalkSettings};
use onion_runtime::shape::Shape;
use onion_runtime::{
    Aabb, HullError, HullSet, Mover, OnionMap, Pose, Scene, Transition, Unsupported,
};

use super::Level;

const WALK: [[f32; 3]; 2] = [[-100.0, 0.0, 24.0], [100.0, 0.0, 24.0]];

#[test]
fn files_say_what_they_lack() {
    let Level { map, stand, .. } = Level::sample("door", false);
    let (world, [start, end]) = (map.world(), WALK);
    assert!(!map.has_hit_data() && !map.has_brush_shapes());
    let trace = world.trace(stand, start, end);
    assert_eq!(world.hit(stand, &trace), Err(Unsupported::NoHitData));
    let lacking = Unsupported::NoBrushShapes;
    assert_eq!(world.contents_at(start), Err(lacking));
    let shape = Shape::POINT;
    assert_eq!(world.trace_shape(&shape, 1, start, end), Err(lacking));
    assert_eq!(world.shape_is_solid(&shape, 1, start), Err(lacking));
    let turned = Pose::turned([0.0; 3], [0.0, 0.0, 1.0], 1.0).unwrap();
    let scene = Scene::new(&map, &[Mover::still(1, turned)]).map(drop);
    assert_eq!(scene, Err(lacking));
    for error in [Unsupported::NoHitData, lacking] {
        let text = error.to_string();
        assert!(text.contains("compile") && text.contains("--"), "{text}");
    }
    // A file with hit data reports that a miss hit nothing.
    let whole = Level::door();
    let trace = whole.map.world().trace(whole.stand, start, start);
    assert_eq!(whole.map.world().hit(whole.stand, &trace), Ok(None));
}

/// Every call with a hull of another file, in places that are empty for the same hull of this file.
#[test]
fn hulls_of_other_files_find_everything_solid() {
    let level = Level::door();
    let [foreign, other] = ["low_tunnel", "room"].map(|name| Level::sample(name, true));
    let (map, world, [start, end]) = (&level.map, level.map.world(), WALK);
    assert!(!map.world().is_solid(level.stand, start));
    let bare = Level::sample("door", false);
    for hull in [foreign.stand, other.crouch, bare.stand] {
        let trace = map.world().trace(hull, start, end);
        assert!(trace.all_solid && trace.start_solid && trace.fraction == 0.0);
        assert_eq!((trace.end_pos, trace.plane), (start, None));
        assert_eq!(world.view(hull).trace(start, end), trace);
        assert!(world.view(hull).is_solid(start));
        assert!(map.world().is_solid(hull, start) && world.is_solid(hull, end));
        let mut solid = [false; 2];
        world.is_solid_batch(hull, &WALK, &mut solid);
        assert_eq!(solid, [true; 2]);
        let transition = world.find_first_transition(hull, start, end);
        assert_eq!(transition, Transition::Solid);
        assert_eq!(transition.fraction_left_solid(), 1.0);
        assert_eq!(world.nearest_fit(hull, start, 1e9), None);
        assert_eq!(world.switched_position(hull, level.stand, start), None);
        assert_eq!(world.switched_position(level.stand, hull, start), None);
        let mut n_leaves = 0;
        world.leaves_in_box(hull, Aabb::new(start, [100.0, 1.0, 25.0]), |_| {
            n_leaves += 1;
            ControlFlow::Continue(())
        });
        assert_eq!(n_leaves, 0);
        assert_eq!(map.hull(hull), None);
        assert_eq!(map.hull_from_bits(hull.to_bits()), None);
        assert_eq!(world.hit(hull, &trace), Ok(None));
        let inspect = map.inspect();
        assert_eq!(
            inspect.deepest_holding(0, hull, Aabb::new(start, start)),
            None
        );

        let movers = [Mover::still(1, Pose::at([0.0, 0.0, 500.0]))];
        let scene = Scene::new(map, &movers).unwrap();
        let answer = scene.trace(hull, start, end);
        assert!(answer.all_solid && answer.end_pos == start);
        assert!(scene.is_solid(hull, start, 0.0));
        let mut agent = Agent::new(hull, start);
        agent.walk(&map.world(), &WalkSettings::default(), [320.0, 0.0], 0.1);
        assert_eq!(agent.position, start);
        let mut agent = Agent::new(level.stand, start);
        assert!(!agent.switch_stance(&map.world(), hull));
    }
}

#[test]
fn a_hull_that_is_missing_is_named_with_those_there_are() {
    let Level { map, stand, .. } = Level::door();
    let hull = map.hull(stand).unwrap();
    assert_eq!((hull.name, hull.id), ("stand", stand));
    assert_eq!(map.find_hull("stand"), Some(stand));
    assert_eq!(map.find_hull("prone"), None);
    let asked = [-8.0f32, -8.0, -24.0];
    let missing = map.require_hull("prone", Aabb::new(asked, [8.0, 8.0, 8.0]));
    let text = missing.unwrap_err().to_string();
    assert!(text.contains("prone"), "{text}");
    assert!(text.contains("stand, crouch, point"), "{text}");
    let other = map.require_hull("stand", Aabb::new(asked, [8.0, 8.0, 8.0]));
    let other = other.unwrap_err();
    assert!(matches!(other, HullError::OtherBox { .. }));
    let text = other.to_string();
    for part in ["stand", "[-16.0, -16.0, -24.0]", "[-8.0, -8.0, -24.0]"] {
        assert!(text.contains(part), "{text}");
    }
    // Text that does not fit is cut at a character boundary.
    let name = "ö".repeat(100);
    let missing = map
        .require_hull(&name, Aabb::new(asked, asked))
        .unwrap_err();
    let text = missing.to_string();
    assert!(text.contains("öö...") && text.contains("crouch"), "{text}");
}

/// An owner that returns other bytes from some call on.
struct Fickle {
    files: [Vec<u8>; 2],
    is_other: AtomicBool,
}

impl AsRef<[u8]> for Fickle {
    fn as_ref(&self) -> &[u8] {
        &self.files[usize::from(self.is_other.load(Ordering::Relaxed))]
    }
}

#[test]
fn bytes_that_change_are_all_solid() {
    let Level { map, stand, .. } = Level::door();
    let file = map.into_bytes();
    let mut flipped = file.clone();
    flipped[onion_format::CHECKSUM_OFFSET] ^= 1;
    let others = [
        Vec::new(),
        vec![0; 39],
        vec![0xff; file.len()],
        file[..file.len() - 1].to_vec(),
        flipped,
        Level::sample("room", true).map.into_bytes(),
    ];
    for other in others {
        let owner = Fickle {
            files: [file.clone(), other],
            is_other: AtomicBool::new(false),
        };
        let map = OnionMap::from_bytes(&owner).unwrap();
        let [start, end] = WALK;
        assert!(!map.world().is_solid(stand, start));
        // A query that began with the correct bytes ends with them.
        let before = map.world();
        let expected = before.trace(stand, start, end);
        let fickle = |is_other| owner.is_other.store(is_other, Ordering::Relaxed);
        fickle(true);
        assert_eq!(before.trace(stand, start, end), expected);
        let world = map.world();
        assert!(
            map.world().trace(stand, start, end).all_solid && map.world().is_solid(stand, start)
        );
        assert_eq!(world.solidity(start), HullSet::all(3));
        let mut solidity = [HullSet::EMPTY];
        world.solidity_batch(&[start], &mut solidity);
        assert_eq!(solidity, [HullSet::all(3)]);
        assert_eq!(world.hulls_that_fit(start), HullSet::EMPTY);
        assert!(world.hit(stand, &expected).is_err());
        assert!(world.contents_at(start).is_err());
        assert_eq!((map.n_models(), map.hulls().count()), (0, 0));
        assert!(Scene::new(&map, &[]).unwrap().is_solid(stand, start, 0.0));
        let printed = format!("{map:?} {:?}", map.inspect().info());
        assert!(printed.contains("hulls: []"), "{printed}");
        fickle(false);
        assert_eq!(map.world().trace(stand, start, end), expected);
    }
}
