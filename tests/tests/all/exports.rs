//! Exports, read by others: the scene by the `gltf` crate, whose writer is our own. The skin of a room encloses exactly
//! the space of the room less the box, worked out by hand.

use onion_tests::cases::{Case, sample_case};
use onionc::export::{Format, Object, Part, objects, write};
use onionc::walls;

type Vector = [f64; 3];

fn export(case: &Case, parts: &[Part]) -> Vec<Object> {
    let map = onion_runtime::OnionMap::from_bytes(&case.filled().bytes[..]).unwrap();
    objects(&map, &walls::of_file(&map), parts)
}

fn cross(a: Vector, b: Vector) -> Vector {
    [0, 1, 2].map(|k| a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3])
}

fn dot(a: Vector, b: Vector) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn sub(a: Vector, b: Vector) -> Vector {
    [0, 1, 2].map(|k| a[k] - b[k])
}

/// Area and volume of triangles that face outward.
fn measure(triangles: &[[Vector; 3]]) -> [f64; 2] {
    let [mut area, mut volume] = [0.0; 2];
    for &[a, b, c] in triangles {
        let normal = cross(sub(b, a), sub(c, a));
        area += dot(normal, normal).sqrt() / 2.0;
        volume += dot(a, normal) / 6.0;
    }
    [area, volume]
}

/// The triangles of the objects of a scene by name, in the axes of the map.
fn read(bytes: &[u8]) -> Vec<(String, Vec<[Vector; 3]>)> {
    let scene = gltf::Gltf::from_slice(bytes).unwrap();
    let blob = scene.blob.as_deref().unwrap();
    let vectors = |accessor: gltf::Accessor<'_>| {
        let start = accessor.view().unwrap().offset() + accessor.offset();
        let bytes = &blob[start..start + accessor.count() * 12];
        let floats = bytes
            .chunks(4)
            .map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap()));
        let floats: Vec<f64> = floats.map(f64::from).collect();
        let (vectors, _) = floats.as_chunks::<3>();
        vectors
            .iter()
            .map(|&[x, y, z]| [x, -z, y])
            .collect::<Vec<Vector>>()
    };
    let nodes = scene.document.nodes().map(|node| {
        let primitive = node.mesh().unwrap().primitives().next().unwrap();
        let positions = vectors(primitive.get(&gltf::Semantic::Positions).unwrap());
        let normals = vectors(primitive.get(&gltf::Semantic::Normals).unwrap());
        let (triangles, rest) = positions.as_chunks::<3>();
        assert!(rest.is_empty() && normals.len() == positions.len());
        for (&[a, b, c], normal) in triangles.iter().zip(normals.iter().step_by(3)) {
            assert!(
                dot(cross(sub(b, a), sub(c, a)), *normal) >= 0.0,
                "{a:?} {b:?} {c:?}"
            );
        }
        (node.name().unwrap().to_owned(), triangles.to_vec())
    });
    nodes.collect()
}

#[test]
fn the_skin_of_a_room_is_the_room_less_the_box() {
    let objects = export(sample_case("room"), &[Part::Skins]);
    let scene = read(&write(&objects, Format::Glb));
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
        // Faces look into the room.
        let error = volume / (width * width * height) + 1.0;
        assert!(error.abs() < 1e-9, "{hull}: {volume}");
    }
}

#[test]
fn all_formats_have_the_same_polygons() {
    let objects = export(
        sample_case("courtyard"),
        &[Part::Skins, Part::Walls, Part::Costliest],
    );
    let n_polygons: usize = objects.iter().map(|object| object.polygons.len()).sum();
    let scene = read(&write(&objects, Format::Glb));
    let names = scene.iter().map(|(name, _)| name.as_str());
    assert!(names.eq(objects.iter().map(|object| object.name.as_str())));
    let prefixes = ["skin.stand", "walls.model0", "brush "];
    for prefix in prefixes {
        assert!(
            scene.iter().any(|(name, _)| name.starts_with(prefix)),
            "{prefix}"
        );
    }
    let n_triangles: usize = scene.iter().map(|(_, triangles)| triangles.len()).sum();
    let n_corners: usize = objects
        .iter()
        .flat_map(|object| &object.polygons)
        .map(|(_, corners)| corners.len())
        .sum();
    assert_eq!(n_triangles, n_corners - 2 * n_polygons);

    let obj = String::from_utf8(write(&objects, Format::Obj)).unwrap();
    let count = |word: &str| obj.lines().filter(|line| line.starts_with(word)).count();
    assert_eq!([count("f "), count("v ")], [n_polygons, n_corners]);

    let prt = String::from_utf8(write(&objects, Format::Prt)).unwrap();
    let mut lines = prt.lines();
    assert_eq!(lines.next(), Some("PRT1"));
    assert_eq!(lines.nth(1), Some(n_polygons.to_string().as_str()));
    assert_eq!(lines.count(), n_polygons);
}

/// A wall encloses what its brush does, and none is inside out.
#[test]
fn walls_have_a_volume() {
    let objects = export(sample_case("courtyard"), &[Part::Costliest]);
    for (name, triangles) in read(&write(&objects, Format::Glb)) {
        if name.starts_with("brush ") {
            let [area, volume] = measure(&triangles);
            assert!(area > 0.0 && volume > 0.0, "{name}: {area} {volume}");
        }
    }
}
