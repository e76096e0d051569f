//! Exports, read by other programs: the `gltf` crate reads the scenes that our own writer wrote. The skin of a room
//! encloses exactly the space of the room less the box, worked out by hand.

use onion_tests::cases::{Case, sample_case};
use onion_tests::fixtures::{loaded, made};
use onion_tests::oracle::vec3::{V3, cross, dot, length, sub};
use onion_tests::random::Random;
use onion_tests::samples;
use onion_views::export::{ExportFormat, ExportPart, Object, objects, union, write};
use onion_views::walls;

fn export(case: &Case, parts: &[ExportPart]) -> Vec<Object> {
    let map = onion_runtime::OnionMap::from_bytes(&case.filled().bytes[..]).unwrap();
    objects(&map, &walls::of_file(&map), parts, None)
}

/// Returns area and volume of triangles that face outward.
fn measure(triangles: &[[V3; 3]]) -> [f64; 2] {
    let [mut area, mut volume] = [0.0; 2];
    for &[a, b, c] in triangles {
        let normal = cross(sub(b, a), sub(c, a));
        area += length(normal) / 2.0;
        volume += dot(a, normal) / 6.0;
    }
    [area, volume]
}

/// Reads the triangles of the objects of a scene by name, in the axes of the map.
fn read(bytes: &[u8]) -> Vec<(String, Vec<[V3; 3]>)> {
    let scene = gltf::Gltf::from_slice(bytes).unwrap();
    let blob = scene.blob.as_deref().unwrap();
    let vectors = |accessor: gltf::Accessor<'_>| {
        let start = accessor.view().unwrap().offset() + accessor.offset();
        let bytes = &blob[start..start + accessor.count() * 12];
        let floats = bytes.as_chunks::<4>().0.iter();
        let floats: Vec<f64> = floats.map(|at| f32::from_le_bytes(*at).into()).collect();
        let vectors = floats.as_chunks::<3>().0.iter();
        vectors.map(|&[x, y, z]| [x, -z, y]).collect::<Vec<V3>>()
    };
    let nodes = scene.document.nodes().map(|node| {
        let primitive = node.mesh().unwrap().primitives().next().unwrap();
        let positions = vectors(primitive.get(&gltf::Semantic::Positions).unwrap());
        let normals = vectors(primitive.get(&gltf::Semantic::Normals).unwrap());
        let (triangles, rest) = positions.as_chunks::<3>();
        assert!(rest.is_empty() && normals.len() == positions.len());
        for (&[a, b, c], normal) in triangles.iter().zip(normals.iter().step_by(3)) {
            let looks = dot(cross(sub(b, a), sub(c, a)), *normal);
            assert!(looks >= 0.0, "{a:?} {b:?} {c:?}");
        }
        (node.name().unwrap().to_owned(), triangles.to_vec())
    });
    nodes.collect()
}

#[test]
fn the_skin_of_a_room_is_the_room_less_the_box() {
    let objects = export(sample_case("room"), &[ExportPart::Skins]);
    let scene = read(&write(&objects, ExportFormat::Glb));
    // The room is 512 x 512 x 256; the boxes are 32 x 32, and 56, 32 and 0 high.
    for (hull, [width, height]) in [
        ("stand", [480.0, 200.0]),
        ("crouch", [480.0, 224.0]),
        ("point", [512.0, 256.0]),
    ] {
        let name = format!("skin.{hull}.model0");
        let (_, triangles) = scene.iter().find(|(own, _)| *own == name).unwrap();
        let [area, volume] = measure(triangles);
        assert_eq!(area, 2.0 * width * width + 4.0 * width * height, "{hull}");
        // Faces point into the room.
        let error = volume / (width * width * height) + 1.0;
        assert!(error.abs() < 1e-9, "{hull}: {volume}");
    }
}

#[test]
fn all_formats_have_the_same_polygons() {
    let parts = [ExportPart::Skins, ExportPart::Walls, ExportPart::Costliest];
    let objects = export(sample_case("courtyard"), &parts);
    let n_polygons: usize = objects.iter().map(|object| object.polygons.len()).sum();
    let scene = read(&write(&objects, ExportFormat::Glb));
    let names = scene.iter().map(|(name, _)| name.as_str());
    assert!(names.eq(objects.iter().map(|object| object.name.as_str())));
    for prefix in ["skin.stand", "walls.model0", "brush "] {
        let mut names = scene.iter().map(|(name, _)| name);
        assert!(names.any(|name| name.starts_with(prefix)), "{prefix}");
    }
    let n_triangles: usize = scene.iter().map(|(_, triangles)| triangles.len()).sum();
    let polygons = objects.iter().flat_map(|object| &object.polygons);
    let n_corners: usize = polygons.map(|(_, corners)| corners.len()).sum();
    assert_eq!(n_triangles, n_corners - 2 * n_polygons);

    let obj = String::from_utf8(write(&objects, ExportFormat::Obj)).unwrap();
    let count = |word: &str| obj.lines().filter(|line| line.starts_with(word)).count();
    assert_eq!([count("f "), count("v ")], [n_polygons, n_corners]);

    let prt = String::from_utf8(write(&objects, ExportFormat::Prt)).unwrap();
    let mut lines = prt.lines();
    assert_eq!(lines.next(), Some("PRT1"));
    assert_eq!(lines.nth(1), Some(n_polygons.to_string().as_str()));
    assert_eq!(lines.count(), n_polygons);
}

/// Whether a place is strictly inside a convex solid of an object.
fn holds(faces: &[(glam::DVec3, Vec<glam::DVec3>)], at: V3) -> bool {
    let at = glam::DVec3::from(at);
    let mut faces = faces.iter();
    faces.all(|(normal, corners)| normal.dot(at - corners[0]) < 0.0)
}

/// Leaves fill the box around everything solid, each place once, and agree with the runtime at random places.
#[test]
fn leaves_are_what_the_runtime_answers() {
    let case = sample_case("courtyard");
    let map = onion_runtime::OnionMap::from_bytes(&case.filled().bytes[..]).unwrap();
    let leaves = objects(&map, &[], &[ExportPart::Leaves], None);
    let hulls: Vec<_> = map.hulls().collect();
    let mut random = Random::new(7);
    let mut counts = [0; 2];
    for hull in &hulls {
        let tree = |object: &&Object| {
            let name = object.name.split('.').nth(1).unwrap();
            object.name.contains(".model0.") && name.split('+').any(|own| own == hull.name)
        };
        let own: Vec<&Object> = leaves.iter().filter(tree).collect();
        for _ in 0..500 {
            let at = random.point([-800.0, -800.0, -20.0], [800.0, 800.0, 400.0]);
            let found = own.iter().filter(|object| {
                let mut rest = &object.polygons[..];
                let is_solid = !object.brushes.is_empty();
                let n_cells = object.brushes.iter();
                is_solid
                    && n_cells.clone().any(|&n_faces| {
                        let (faces, others) = rest.split_at(n_faces);
                        rest = others;
                        holds(faces, at)
                    })
            });
            let found: Vec<_> = found.collect();
            assert!(found.len() <= 1, "{at:?} is in {} kinds", found.len());
            let solid = found.first().is_some_and(|object| {
                let kind = object.name.rsplit('.').next().unwrap();
                kind.split('+').any(|own| own == hull.name)
            });
            assert_eq!(
                solid,
                map.world().is_solid(hull.id, at),
                "{} at {at:?}",
                hull.name
            );
            counts[usize::from(solid)] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
    // Every triangle of every cell faces outward.
    read(&write(&leaves, ExportFormat::Glb));
}

/// Two boxes of 64 side by side, and one box of 32 by 32 by 56 that goes around them: 160 by 96 by 120.
#[test]
fn a_union_is_what_expanded_brushes_are_together() {
    let mut boxes = samples::Map::new("boxes", "Two boxes");
    boxes.cuboid(samples::Shader::Wall, [0.0; 3], [64.0; 3]);
    boxes.cuboid(samples::Shader::Wall, [64.0, 0.0, 0.0], [128.0, 64.0, 64.0]);
    let map = made(&boxes);
    let file = loaded(&map, &["stand:16x56"]);
    let objects = union(&file, &map).unwrap();
    let scene = read(&write(&objects, ExportFormat::Glb));
    let [(name, triangles)] = &scene[..] else {
        panic!("{} objects", scene.len())
    };
    assert_eq!(name, "union.stand.model0");
    let area = 2.0 * (160.0 * 96.0 + 160.0 * 120.0 + 96.0 * 120.0);
    assert_eq!(measure(triangles), [area, 160.0 * 96.0 * 120.0]);
}

/// A wall encloses the volume of its brush, and none is inside out.
#[test]
fn walls_have_a_volume() {
    let objects = export(sample_case("courtyard"), &[ExportPart::Costliest]);
    for (name, triangles) in read(&write(&objects, ExportFormat::Glb)) {
        if name.starts_with("brush ") {
            let [area, volume] = measure(&triangles);
            assert!(area > 0.0 && volume > 0.0, "{name}: {area} {volume}");
        }
    }
}
