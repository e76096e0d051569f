//! Arrays and the vectors of glam, nalgebra and mint go into every public call that takes points, in both precisions,
//! without a conversion or an annotation; answers convert back to them. All give the same bits.

use std::ops::ControlFlow;

use onion_runtime::movement::{Agent, WalkSettings, World, clip_velocity};
use onion_runtime::shape::{Shape, cast, overlaps, separation};
use onion_runtime::{Aabb, HullSet, Mover, OnionMap, Pose, Scene};
use onion_tests::oracle::box_planes;
use onion_tests::solid::Solid;

use super::Level;

/// Answers as text: floats are written so that different bits give different text.
type Answers = Vec<String>;

/// Defines a function that calls everything with the vectors of a library.
macro_rules! every_call {
    ($name:ident: $scalar:ty, $vector:ty, $v2:expr, $v3:expr, $v4:expr) => {
        // Long: one public call a line.
        fn $name(level: &Level) -> Answers {
            let (v2, v3, v4) = ($v2, $v3, $v4);
            let mut answers = Answers::new();
            macro_rules! tell {
                ($answer:expr) => {
                    answers.push(format!("{} {:?}", stringify!($answer), $answer))
                };
            }
            let Level { map, stand, crouch } = level;
            let (stand, crouch) = (*stand, *crouch);
            let [start, end] = [[-100.0, 3.0, 24.0], [100.0, 5.0, 24.0]].map(&v3);
            let [mins, maxs] = [[-16.0, -16.0, -24.0], [16.0, 16.0, 32.0]].map(&v3);

            // The map, and its world.
            tell!(map.require_hull("stand", Aabb::new(mins, maxs)));
            tell!(map.world().trace(stand, start, end));
            tell!(map.world().is_solid(stand, start));
            let world = map.world().with_margin(0.25);
            let trace = world.trace(stand, start, end);
            tell!(trace);
            tell!(world.hit(stand, &trace));
            let back: $vector = trace.end_pos.into();
            tell!(world.is_solid(stand, back));
            let kept = world.view(stand);
            tell!(kept.trace(start, end));
            tell!(kept.is_solid(start));
            let mut solid = [false; 2];
            world.is_solid_batch(stand, &[start, end], &mut solid);
            tell!(solid);
            let mut solidity = [HullSet::EMPTY; 2];
            world.solidity_batch(&[start, end], &mut solidity);
            tell!(solidity);
            tell!(world.solidity(start));
            tell!(world.leaf_at(start));
            tell!(world.contents_at(start));
            tell!(world.hulls_that_fit(start));
            tell!(world.switched_position(stand, crouch, start));
            tell!(world.nearest_fit(stand, start, 64.0));
            tell!(world.find_first_transition(stand, start, end));
            let mut transitions = Vec::new();
            world.transitions(stand, start, end, |transition| {
                transitions.push(transition);
                ControlFlow::Continue(())
            });
            tell!(transitions);
            let mut leaves = Vec::new();
            world.leaves_in_box(stand, Aabb::new(start, v3([100.0, 50.0, 60.0])), |leaf| {
                leaves.push(leaf);
                ControlFlow::Continue(())
            });
            tell!(leaves);
            let inspect = map.inspect();
            tell!(inspect.deepest_holding(0, stand, Aabb::new(start, v3([0.0, 50.0, 60.0]))));

            // Shapes.
            let shapes = [
                Shape::axial_box(Aabb::new(mins, maxs)),
                Shape::sphere(v3([0.0, 0.0, 8.0]), 12.0),
                Shape::capsule(v3([0.0, 0.0, -8.0]), v3([0.0, 0.0, 16.0]), 12.0),
                Shape::oriented_box(
                    v3([0.0, 0.0, 4.0]),
                    v3([16.0, 16.0, 28.0]),
                    [[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]].map(&v3),
                ),
            ];
            let cube = Solid::new(&box_planes([-8.0; 3], [8.0; 3])).unwrap();
            for shape in shapes.map(Result::unwrap) {
                tell!(world.trace_shape(&shape, 1, start, end));
                tell!(world.shape_is_solid(&shape, 1, start));
                tell!(cast(&shape, start, end, &cube));
                tell!(overlaps(&shape, start, &cube));
                tell!(separation(&shape, start, &cube));
            }

            // Poses and scenes.
            let pose = Pose::turned(start, v3([0.0, 0.0, 1.0]), 0.5).unwrap();
            let pose = pose.with_origin(v3([1.0, 2.0, 3.0]));
            tell!(pose);
            tell!(pose.origin::<$scalar>());
            tell!(pose.to_model(start));
            tell!(pose.to_world(start));
            tell!(pose.turn_to_model(start));
            tell!(pose.turn_to_world(start));
            let turned = Pose::quaternion(v3([0.0; 3]), v4([0.0, 0.0, 0.6, 0.8])).unwrap();
            let movers = [
                Mover::still(1, Pose::at(v3([0.0, 0.0, 8.0]))),
                Mover::still(2, turned),
            ];
            let scene = Scene::new(map, &movers).unwrap();
            tell!(scene.trace(stand, start, end));
            tell!(scene.is_solid(stand, start, 0.5));

            // Agents.
            let settings = WalkSettings::default();
            tell!(settings.is_ground(v3([0.0, 0.6, 0.8])));
            tell!(clip_velocity(v3([3.0, 4.0, -5.0]), v3([0.0, 0.0, 1.0])));
            let mut agent = Agent::new(stand, start);
            for _ in 0..60 {
                tell!(agent.walk(&map.world(), &settings, v2([300.0, 10.0]), 0.0125));
            }
            agent.jump(270.0);
            tell!(agent.walk(&scene, &settings, v2([300.0, 10.0]), 0.0125));
            tell!(agent.step_slide(&world, &settings, 0.0125));
            tell!(agent);
            let position: $vector = agent.position.into();
            tell!(map.world().is_solid(stand, position));
            tell!(World::<$scalar>::bounds(&map.world(), stand));
            answers
        }
    };
}

every_call!(arrays_f32: f32, [f32; 3], |v: [f32; 2]| v, |v: [f32; 3]| v, |v: [f32; 4]| v);
every_call!(arrays_f64: f64, [f64; 3], |v: [f64; 2]| v, |v: [f64; 3]| v, |v: [f64; 4]| v);
every_call!(glam_f32: f32, glam::Vec3, glam::Vec2::from_array, glam::Vec3::from_array, glam::Quat::from_array);
every_call!(glam_f64: f64, glam::DVec3, glam::DVec2::from_array, glam::DVec3::from_array, glam::DQuat::from_array);
every_call!(nalgebra_f32: f32, nalgebra::Vector3<f32>, nalgebra::Vector2::<f32>::from, nalgebra::Vector3::<f32>::from, nalgebra::Vector4::<f32>::from);
every_call!(nalgebra_f64: f64, nalgebra::Vector3<f64>, nalgebra::Vector2::<f64>::from, nalgebra::Vector3::<f64>::from, nalgebra::Vector4::<f64>::from);
every_call!(mint_f32: f32, mint::Vector3<f32>, mint::Vector2::<f32>::from, mint::Vector3::<f32>::from, mint::Quaternion::<f32>::from);
every_call!(mint_f64: f64, mint::Vector3<f64>, mint::Vector2::<f64>::from, mint::Vector3::<f64>::from, mint::Quaternion::<f64>::from);

#[test]
fn vectors_of_all_libraries_give_the_same_bits() {
    let level = Level::door();
    let [narrow, wide] = [arrays_f32(&level), arrays_f64(&level)];
    assert!(narrow.len() > 100 && narrow.len() == wide.len());
    assert!(narrow != wide, "the precisions differ");
    for other in [glam_f32, nalgebra_f32, mint_f32] {
        assert_eq!(other(&level), narrow);
    }
    for other in [glam_f64, nalgebra_f64, mint_f64] {
        assert_eq!(other(&level), wide);
    }
}

/// A literal without a type has the type of the answer.
#[test]
fn literals_have_the_type_of_the_answer() {
    let Level { map, stand, .. } = Level::door();
    let (start, end) = ([-100.0, 0.0, 24.0], [100.0, 0.0, 24.0]);
    let ask = |map: &OnionMap<Vec<u8>>| -> [f32; 3] {
        map.world()
            .trace(stand, [-100.0, 0.0, 24.0], [100.0, 0.0, 24.0])
            .end_pos
    };
    let exact: [f64; 3] = map.world().trace(stand, start, end).end_pos;
    assert_eq!(ask(&map), exact.map(|at| at as f32));
}
