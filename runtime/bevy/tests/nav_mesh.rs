//! The mesh for path crates: triangles that are counterclockwise as seen from above, share corners, and join the floors
//! of a level. The level is the sample map `ramp_stairs`, and the answers are those of the runtime.
#![cfg(feature = "skins")]

use std::collections::{HashMap, HashSet};

use bevy_math::Vec3;
use bevy_mesh::Mesh;
use onion_bevy::{LevelNavMesh, LinkKind, MapSpace, OnionLevel};
use onion_compiler::hull::{HullOption, resolve};
use onion_compiler::{CompileOptions, compile};
use onion_maps::ReadOptions;

const MAP: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../sample-maps/ramp_stairs.bsp"
);

fn level() -> OnionLevel {
    let map = onion_maps::parse(&std::fs::read(MAP).unwrap(), &ReadOptions::default()).unwrap();
    let hulls = ["stand:16x56", "crouch:16x32"];
    let hulls = hulls.map(|hull| hull.parse::<HullOption>().unwrap());
    let options = CompileOptions {
        floors: true,
        ..CompileOptions::new(resolve(&hulls, None).unwrap())
    };
    OnionLevel::from_bytes(compile(&map, &options).unwrap().bytes).unwrap()
}

#[test]
fn stairs_and_a_ramp_join_the_ground_and_the_platform() {
    let level = level();
    let class = level.map().agents().next().unwrap();
    let LevelNavMesh { mesh, links } = LevelNavMesh::new(&level, &class, MapSpace::default());
    let corners = mesh.attribute(Mesh::ATTRIBUTE_POSITION).unwrap();
    let corners: Vec<Vec3> = corners
        .as_float3()
        .unwrap()
        .iter()
        .map(|&at| at.into())
        .collect();
    let numbers: Vec<usize> = mesh.indices().unwrap().iter().collect();
    let mut owners: HashMap<[usize; 2], usize> = HashMap::new();
    let triangles = numbers.as_chunks::<3>().0;
    for (number, &[a, b, c]) in triangles.iter().enumerate() {
        let normal = (corners[b] - corners[a]).cross(corners[c] - corners[a]);
        assert!(normal.y > 0.0, "seen from below");
        for edge in [[a, b], [b, c], [c, a]] {
            assert!(owners.insert(edge, number).is_none(), "two on one side");
        }
    }
    // The ground is at 0, the platform 128 units above it.
    let at = |height: f32| {
        let mut numbers = 0..triangles.len();
        numbers
            .find(|&number| triangles[number].iter().all(|&at| corners[at].y == height))
            .unwrap()
    };
    let (mut reached, mut open) = (HashSet::from([at(0.0)]), vec![at(0.0)]);
    while let Some(number) = open.pop() {
        let [a, b, c] = triangles[number];
        let others = [[b, a], [c, b], [a, c]].into_iter();
        let others = others.filter_map(|edge| owners.get(&edge));
        open.extend(others.filter(|&&other| reached.insert(other)));
    }
    assert!(reached.contains(&at(4.0)), "no way up on foot");
    let is_down = |link: &onion_bevy::LevelNavLink| link.start.y > link.end.y;
    let mut drops = links.iter().filter(|link| link.kind == LinkKind::Drop);
    assert!(drops.clone().count() > 5 && drops.all(is_down));
}
