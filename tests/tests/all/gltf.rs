//! Scenes of glTF: sample maps exported with both up axes and scaled compile to the solidity of their BSP files; a
//! mesh that is not a convex collision mesh is refused by name; and no bytes make the reader panic.

use onion_maps::ReadOptions;
use onion_runtime::{Aabb, LinkedPortal, OnionMap};
use onion_tests::effort::is_long;
use onion_tests::fixtures::loaded;
use onion_tests::random::Random;
use onion_tests::samples::{self, Map, Scene, Up, scene};
use onion_tests::{facts, subject};
use serde_json::json;

/// Largest rounding error of a corner after scaling, in units: f32 within 2048 units, three axes, and the resulting
/// tilt of faces.
const ROUNDING: f64 = 1.0 / 256.0;

fn sample(name: &str) -> Map {
    let mut maps = samples::maps().into_iter();
    maps.find(|map| map.name == name).unwrap()
}

fn options(up: Up, scale: f64) -> ReadOptions {
    ReadOptions {
        up: match up {
            Up::Y => onion_maps::Up::Y,
            Up::Z => onion_maps::Up::Z,
        },
        scale: 1.0 / scale,
        ..ReadOptions::default()
    }
}

fn compiled(bytes: &[u8], options: &ReadOptions) -> OnionMap<Vec<u8>> {
    let map = onion_maps::parse(bytes, options).unwrap();
    assert_eq!(map.warnings, []);
    loaded(&map, &subject::HULLS)
}

/// Returns the sample room as a scene.
fn room() -> Scene {
    scene(&sample("room"), Up::Z, 1.0)
}

/// Reads a scene with its z axis up; fails with a message.
fn read(scene: &Scene) -> Result<onion_maps::Map, String> {
    onion_maps::parse(&scene.glb(), &options(Up::Z, 1.0)).map_err(|error| error.to_string())
}

fn solidity(map: &OnionMap<Vec<u8>>, model: usize, points: &[[f64; 3]]) -> Vec<u64> {
    let model = map.model(model).unwrap();
    let all = points.iter().map(|point| model.solidity(*point).bits());
    all.collect()
}

/// Picks points around a model.
fn points(map: &OnionMap<Vec<u8>>, model: usize, n_points: usize) -> Vec<[f64; 3]> {
    let mut random = Random::new(model as u64);
    let Aabb { mins, maxs } = map.model(model).unwrap().bounds();
    let [mins, maxs] = [mins, maxs].map(|corner| corner.map(f64::from));
    let (mins, maxs) = (mins.map(|low| low - 64.0), maxs.map(|high| high + 64.0));
    let point = |_| random.point(mins, maxs);
    (0..n_points).map(point).collect()
}

/// Whether the solidity of a map changes within the rounding error of a scale around a point.
fn is_at_a_border(map: &OnionMap<Vec<u8>>, model: usize, point: [f64; 3]) -> bool {
    let steps = [-ROUNDING, 0.0, ROUNDING];
    let around = steps
        .iter()
        .flat_map(|x| steps.iter().flat_map(move |y| steps.map(|z| [*x, *y, z])));
    let around: Vec<[f64; 3]> = around
        .map(|step| std::array::from_fn(|axis| point[axis] + step[axis]))
        .collect();
    let all = solidity(map, model, &around);
    all.iter().any(|own| *own != all[0])
}

#[test]
fn scenes_are_as_solid_as_their_maps() {
    let n_points = if is_long() { 1_000_000 } else { 30_000 };
    let mut n_solid = 0;
    for name in [
        "room",
        "low_tunnel",
        "ramp_stairs",
        "wedge",
        "touching",
        "slivers",
        "door",
        "clip_water",
    ] {
        let map = sample(name);
        let bsp = compiled(&samples::write(&map), &ReadOptions::default());
        for (up, scale) in [
            (Up::Y, 1.0),
            (Up::Z, 1.0),
            (Up::Y, 1.0 / 32.0),
            (Up::Z, 4.0),
            (Up::Y, 0.0254),
        ] {
            let bytes = scene(&map, up, scale).glb();
            let own = compiled(&bytes, &options(up, scale));
            assert_eq!(own.n_models(), bsp.n_models(), "{name}");
            for model in 0..bsp.n_models() {
                let points = points(&bsp, model, n_points / bsp.n_models());
                let expected = solidity(&bsp, model, &points);
                let found = solidity(&own, model, &points);
                n_solid += expected.iter().filter(|solidity| **solidity != 0).count();
                let is_exact = scale.log2().fract() == 0.0;
                for ((point, expected), found) in points.iter().zip(expected).zip(found) {
                    let is_same = expected == found;
                    let is_explained = !is_exact && is_at_a_border(&bsp, model, *point);
                    let what = format!("{name} {up:?} {scale}: {model} {point:?}");
                    assert!(is_same || is_explained, "{what}");
                }
            }
        }
    }
    assert!(n_solid > n_points);
}

/// The scene has the facts of the sample map `door`, which were worked out for its BSP file.
#[test]
fn the_sample_scene_has_the_facts_of_its_map() {
    let bytes = std::fs::read(samples::dir().join("door.glb")).unwrap();
    assert_eq!(bytes, samples::door_scene(), "make-samples writes it");
    let in_meters = ReadOptions {
        scale: 32.0,
        ..ReadOptions::default()
    };
    let map = compiled(&bytes, &in_meters);
    let hull = |name: &str| map.find_hull(name).unwrap();
    let facts = facts::read("door");
    for fact in &facts.trace {
        let model = map.model(fact.model).unwrap();
        let trace = model.trace(hull(&fact.hull), fact.start, fact.end);
        let error = (trace.hit_fraction - fact.hit_fraction.value()).abs();
        assert!(error <= 1e-9 || fact.tolerance > 0.0, "{}", fact.why);
        assert_eq!(trace.start_solid, fact.start_solid, "{}", fact.why);
    }
    for fact in &facts.point {
        let model = map.model(fact.model).unwrap();
        let solid = model.is_solid(hull(&fact.hull), fact.at);
        assert_eq!(solid, fact.solid, "{}", fact.why);
    }
    assert!(facts.trace.len() > 5);
}

#[test]
fn nodes_are_entities_and_models() {
    let map = sample("door");
    let (up, scale) = (Up::Y, 1.0 / 32.0);
    let own = compiled(&scene(&map, up, scale).glb(), &options(up, scale));
    let entities: Vec<_> = own.entities().unwrap().collect();
    assert_eq!(entities.len(), map.entities.len());
    for (entity, keys) in entities.iter().zip(&map.entities) {
        for (key, value) in keys {
            assert_eq!(entity.get(key), Some(&**value), "{entity:?}");
        }
        let model = keys.iter().find(|(key, _)| *key == "model");
        let number = entity.model().map(|model| format!("*{}", model.index()));
        assert_eq!(number.as_ref(), model.map(|(_, name)| name));
    }
}

/// A builder without an editor of entities gives the keys as extras of empty nodes.
#[test]
fn linked_portals_are_empty_nodes_with_extras() {
    let mut scene = room();
    for (at, angle, own, target) in [(-32.0, 0, "a", "b"), (32.0, 180, "b", "a")] {
        let node = json!({
            "name": "info_linked_portal.001",
            "translation": [at, 0.0, 64.0],
            "extras": { "angle": angle, "size": "64 96", "targetname": own, "target": target },
        });
        let nodes = scene.json["nodes"].as_array_mut().unwrap();
        nodes.push(node);
        let number = nodes.len() - 1;
        let roots = scene.json["scenes"][0]["nodes"].as_array_mut().unwrap();
        roots.push(json!(number));
    }
    let map = compiled(&scene.glb(), &options(Up::Z, 1.0));
    let portals: Result<Vec<_>, _> = map.linked_portals().unwrap().collect();
    let portal = |x, facing, partner| LinkedPortal {
        center: [x, 0.0, 64.0],
        facing,
        half_size: [32.0, 48.0],
        partner,
    };
    assert_eq!(portals.unwrap(), [portal(-32.0, 0, 1), portal(32.0, 2, 0)]);
}

#[test]
fn a_buffer_may_be_beside_the_scene_or_in_it() {
    let folder = tempfile::TempDir::new().unwrap();
    let scene = scene(&sample("room"), Up::Y, 1.0);
    std::fs::write(folder.path().join("room map.bin"), &scene.buffer).unwrap();
    let beside = ReadOptions {
        folder: Some(folder.path().to_owned()),
        ..ReadOptions::default()
    };
    let expected = onion_maps::parse(&scene.glb(), &beside).unwrap().models[0]
        .brushes
        .len();
    let read = onion_maps::parse(&scene.gltf("room%20map.bin"), &beside).unwrap();
    assert_eq!(read.models[0].brushes.len(), expected);
    let unknown = ReadOptions::default();
    let base64 = |data: &str| format!("data:application/octet-stream;base64,{data}");
    let no_file = "is not a file beside the scene";
    for (uri, options, why) in [
        ("room%20map.bin", &unknown, "whose folder is unknown"),
        ("../room.bin", &unknown, no_file),
        ("/dev/zero", &unknown, no_file),
        ("http://localhost/room.bin", &unknown, no_file),
        (&base64("AAAA"), &unknown, "it has 3 bytes instead of"),
        (&base64("*"), &unknown, "its data URI is wrong"),
        ("data:,x", &unknown, "is not in base64"),
        ("other.bin", &beside, "cannot read \"other.bin\""),
    ] {
        let error = onion_maps::parse(&scene.gltf(uri), options).unwrap_err();
        assert!(error.to_string().contains(why), "{uri}: {error}");
    }
}

/// A fault: its name, the text of the error, and a function that plants it.
type Fault = (&'static str, &'static str, fn(&mut Scene));

/// Sets a coordinate in the first mesh, whose positions come first.
fn set(scene: &mut Scene, corner: usize, axis: usize, to: f32) {
    let at = 12 * corner + 4 * axis;
    scene.buffer[at..at + 4].copy_from_slice(&to.to_le_bytes());
}

fn first_mesh(scene: &Scene) -> usize {
    let nodes = scene.json["nodes"].as_array().unwrap();
    nodes.iter().position(|node| node["mesh"] == 0).unwrap()
}

// Long: a table, a fault in each row.
#[test]
#[rustfmt::skip]
fn what_is_no_collision_mesh_is_refused_by_name() {
    // The first mesh is a floor, a box whose corner 0 is the lowest on all axes.
    let faults: [Fault; 19] = [
        ("a hole", "node 0 (\"UCX_0_00\"): it is not closed", |scene| {
            scene.json["accessors"][1]["count"] = json!(33);
        }),
        ("a dent", "it is not convex: its corner (", |scene| set(scene, 0, 2, -1.0)),
        ("no volume", "encloses no volume", |scene| {
            let node = first_mesh(scene);
            scene.json["nodes"][node]["scale"] = json!([1, 0, 1]);
        }),
        ("no number", "is not within 65536 units", |scene| set(scene, 0, 0, f32::NAN)),
        ("too far out", "is not within 65536 units", |scene| set(scene, 0, 0, -70_000.0)),
        ("an index too large", "index 7 of a corner is beyond its 7 positions", |scene| {
            scene.json["accessors"][0]["count"] = json!(7);
        }),
        ("a count too large", "beyond the end of their buffer", |scene| {
            scene.json["accessors"][0]["count"] = json!(u32::MAX);
        }),
        ("a hostile count", "a convex mesh may have 512 triangles", |scene| {
            scene.json["accessors"][1]["count"] = json!(u32::MAX);
        }),
        ("an offset too large", "beyond the end of their buffer", |scene| {
            scene.json["accessors"][0]["byteOffset"] = json!(1u64 << 62);
        }),
        ("a view too large", "beyond the end of their buffer", |scene| {
            scene.json["bufferViews"][0]["byteLength"] = json!(1u64 << 62);
        }),
        ("another view", "not valid glTF", |scene| {
            scene.json["accessors"][0]["bufferView"] = json!(10_000);
        }),
        ("positions that are not there", "mesh 0: it refers to accessor 10000", |scene| {
            scene.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = json!(10_000);
        }),
        ("a buffer too large", "bytes instead of", |scene| {
            scene.json["buffers"][0]["byteLength"] = json!(1 << 20);
        }),
        ("a buffer beyond all limits", "the most that is read", |scene| {
            scene.json["buffers"][0]["byteLength"] = json!(1u64 << 40);
        }),
        ("positions of bytes", "its positions are not three f32 numbers", |scene| {
            scene.json["accessors"][0]["componentType"] = json!(5121);
        }),
        ("lines", "it is made of Lines", |scene| {
            scene.json["meshes"][0]["primitives"][0]["mode"] = json!(1);
        }),
        ("a node below itself", "it is below two nodes, or below itself", |scene| {
            let node = first_mesh(scene);
            scene.json["nodes"][node]["children"] = json!([node]);
        }),
        ("unknown contents", "its contents \"jelly\": ", |scene| {
            let node = first_mesh(scene);
            scene.json["nodes"][node]["extras"] = json!({ "contents": "jelly" });
        }),
        ("no scene", "the file has no scene", |scene| {
            scene.json["scenes"] = json!([]);
            scene.json.as_object_mut().unwrap().remove("scene");
        }),
    ];
    let right = room();
    assert!(read(&right).is_ok());
    for (what, why, plant) in faults {
        let mut wrong = right.clone();
        plant(&mut wrong);
        let error = read(&wrong).unwrap_err();
        assert!(error.contains(why), "{what}: {error}");
    }
}

/// Returns the coordinate of a corner of the first mesh.
fn get(scene: &Scene, corner: usize, axis: usize) -> f32 {
    let at = 12 * corner + 4 * axis;
    f32::from_le_bytes(scene.buffer[at..at + 4].try_into().unwrap())
}

/// A corner that is pushed in makes a dent, unless rounding error explains it: a millimeter in scenes of meters.
#[test]
fn dents_are_refused_that_rounding_does_not_explain() {
    let right = room();
    for (depth, is_dent) in [
        (1.0, true),
        (1.0 / 16.0, true),
        (1.0 / 128.0, true),
        (1.0 / 2048.0, false),
        (1.0 / 65536.0, false),
    ] {
        let mut own = right.clone();
        let z = get(&own, 0, 2);
        set(&mut own, 0, 2, z + depth);
        let found = read(&own).err();
        let is_told = found
            .as_ref()
            .is_some_and(|error| error.contains("not convex"));
        assert_eq!(
            (found.is_some(), is_told),
            (is_dent, is_dent),
            "{depth}: {found:?}"
        );
    }
}

/// A face cuts off the tip of a wedge lower than rounding error explains; without the face, the sides of the wedge
/// meet farther out the sharper it is.
#[test]
fn wedges_whose_sides_meet_outside_are_refused() {
    let right = room();
    for (height, is_refused) in [(1.0, false), (1.0 / 64.0, false), (1.0 / 2048.0, true)] {
        let mut own = right.clone();
        let along = |axis: usize| (0..8).map(move |corner| (corner, axis));
        let extreme = |axis: usize, pick: fn(f32, f32) -> f32| {
            let all = along(axis).map(|(corner, axis)| get(&right, corner, axis));
            all.reduce(pick).unwrap()
        };
        let (end, bottom) = (extreme(0, f32::max), extreme(2, f32::min));
        for corner in (0..8).filter(|&corner| get(&right, corner, 0) == end) {
            if get(&right, corner, 2) > bottom {
                set(&mut own, corner, 2, bottom + height);
            }
        }
        let found = read(&own).err();
        let is_told = found
            .as_ref()
            .is_some_and(|error| error.contains("too narrow"));
        assert_eq!(
            (found.is_some(), is_told),
            (is_refused, is_refused),
            "{height}: {found:?}"
        );
    }
}

/// Returns a scene whose positions have other numbers before and after them, as most exporters write them.
fn interleaved(scene: &Scene, offset: usize, stride: usize) -> Scene {
    let mut own = scene.clone();
    let n_accessors = own.json["accessors"].as_array().unwrap().len();
    for number in 0..n_accessors {
        let accessor = &own.json["accessors"][number];
        if accessor["type"] != "VEC3" {
            continue;
        }
        let view = &own.json["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
        let [start, length] =
            ["byteOffset", "byteLength"].map(|key| view[key].as_u64().unwrap() as usize);
        let mut bytes = Vec::new();
        for position in own.buffer[start..start + length].to_vec().chunks(12) {
            let at = bytes.len() + offset;
            bytes.extend(vec![0xa5; stride]);
            bytes[at..at + 12].copy_from_slice(position);
        }
        let start = own.buffer.len().next_multiple_of(4);
        own.buffer.resize(start, 0);
        let views = own.json["bufferViews"].as_array_mut().unwrap();
        views.push(json!({
            "buffer": 0, "byteOffset": start, "byteLength": bytes.len(), "byteStride": stride,
        }));
        let view = views.len() - 1;
        own.json["accessors"][number]["bufferView"] = json!(view);
        own.json["accessors"][number]["byteOffset"] = json!(offset);
        own.buffer.extend(bytes);
    }
    own.json["buffers"][0]["byteLength"] = json!(own.buffer.len());
    own
}

#[test]
fn positions_may_be_interleaved() {
    let models = |scene: &Scene| {
        let map = read(scene).unwrap();
        assert_eq!(map.warnings, []);
        format!("{:?}", map.models)
    };
    for name in ["room", "door"] {
        let plain = scene(&sample(name), Up::Z, 1.0);
        let tight = [(0, 12), (0, 16), (0, 32), (0, 252)];
        for (offset, stride) in tight.into_iter().chain([(4, 16), (12, 24), (20, 48)]) {
            let own = interleaved(&plain, offset, stride);
            assert!(models(&own) == models(&plain), "{name} {offset} {stride}");
        }
    }
}

#[test]
fn meshes_are_chosen_by_name() {
    let mut own = room();
    let names = ["Wall-col", "Wall-COL", "wall_colonly", "WALL$ColOnly.001"];
    let nodes = own.json["nodes"].as_array_mut().unwrap();
    for (node, name) in nodes.iter_mut().zip(names.iter().cycle()) {
        node["name"] = json!(name);
    }
    let map = read(&own).unwrap();
    assert!(map.models[0].brushes.is_empty());
    let count = |words| {
        let messages = map.warnings.iter().map(|warning| &warning.message);
        messages.filter(|message| message.contains(words)).count()
    };
    assert_eq!(count("need not be convex"), 6);
    assert!(count("none of its 6 meshes is marked") > 0);
    let all = ReadOptions {
        all_meshes: true,
        ..options(Up::Z, 1.0)
    };
    let map = onion_maps::parse(&own.glb(), &all).unwrap();
    assert_eq!(map.models[0].brushes.len(), 6);
}

#[test]
fn faces_that_look_inward_are_turned_around() {
    let mut own = room();
    let view = &own.json["bufferViews"][1];
    let [start, length] =
        ["byteOffset", "byteLength"].map(|key| view[key].as_u64().unwrap() as usize);
    for triangle in own.buffer[start..start + length].chunks_mut(6) {
        triangle.swap(2, 4);
        triangle.swap(3, 5);
    }
    let map = read(&own).unwrap();
    let messages = map.warnings.iter().map(|warning| &*warning.message);
    assert!(messages.eq(["its faces look inward; turned around"]));
    // A mirrored node reverses its faces, and the reader reverses them back.
    let node = first_mesh(&own);
    own.json["nodes"][node]["scale"] = json!([-1, 1, 1]);
    let mirrored = read(&own).unwrap();
    assert_eq!(mirrored.warnings.len(), 1);
}

/// A box turned by any angle stays closed and convex, whatever the rounding error of its corners.
#[test]
fn turned_boxes_are_convex() {
    let mut random = Random::new(5);
    for _ in 0..200 {
        let mut own = scene(&sample("room"), Up::Z, 1.0 / 32.0);
        for node in own.json["nodes"].as_array_mut().unwrap() {
            let turn: [f32; 4] = std::array::from_fn(|_| random.unit() as f32 - 0.5);
            let length = turn.iter().map(|part| part * part).sum::<f32>().sqrt();
            node["rotation"] = json!(turn.map(|part| part / length));
            node["translation"] = json!([random.unit() * 100.0, 3.7, -0.001]);
        }
        let map = onion_maps::parse(&own.glb(), &options(Up::Z, 1.0 / 32.0)).unwrap();
        assert_eq!(map.models[0].brushes.len(), 6);
        for brush in &map.models[0].brushes {
            assert_eq!(brush.sides.len(), 6);
        }
    }
}

#[test]
fn no_bytes_make_the_reader_panic() {
    let right = scene(&sample("door"), Up::Y, 1.0).glb();
    let all = ReadOptions {
        all_meshes: true,
        ..ReadOptions::default()
    };
    let (mut n_read, mut n_refused) = (0, 0);
    let step = if is_long() { 1 } else { 7 };
    for at in (0..right.len()).step_by(step) {
        for flip in [0x01, 0x55, 0x80] {
            let mut wrong = right.clone();
            wrong[at] ^= flip;
            match onion_maps::parse(&wrong, &all) {
                Ok(_) => n_read += 1,
                Err(_) => n_refused += 1,
            }
        }
        let cut = onion_maps::parse(&right[..at], &all);
        assert!(cut.is_err(), "cut to {at} bytes");
    }
    assert!(n_read > 100 && n_refused > 100);
}

/// Two mirrors cancel out, and a mirror turns no face inward, wherever it is in the tree of nodes; a key that the
/// reader adds does not count as the author's.
#[test]
fn nodes_above_mirror_what_is_below() {
    let plain = scene(&sample("door"), Up::Z, 1.0);
    let expected = read(&plain).unwrap();
    for (above, below) in [
        ([-1.0, 1.0, 1.0], [1.0; 3]),
        ([-1.0, 1.0, 1.0], [1.0, -1.0, 1.0]),
    ] {
        let mut own = scene(&sample("door"), Up::Z, 1.0);
        let roots = own.json["scenes"][0]["nodes"].clone();
        let nodes = own.json["nodes"].as_array_mut().unwrap();
        for node in nodes.iter_mut() {
            if node["extras"]["classname"] == "func_door" {
                node["extras"]["model"] = json!("*7");
            }
        }
        let middle = nodes.len();
        nodes.push(json!({ "scale": below, "children": roots }));
        nodes.push(json!({ "scale": above, "children": [middle] }));
        own.json["scenes"][0]["nodes"] = json!([middle + 1]);
        let map = read(&own).unwrap();
        assert_eq!(map.warnings, []);
        let counts = |map: &onion_maps::Map| {
            let counts = map.models.iter().map(|model| model.brushes.len());
            counts.collect::<Vec<_>>()
        };
        assert_eq!(counts(&map), counts(&expected));
    }
}
