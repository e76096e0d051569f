//! Dumps of stages, read back as an editor or a viewer reads them: brushes match the stage, skins are closed, and the
//! leaves of a tree fill its box and are solid where their names say so.

use std::collections::BTreeMap;

use glam::DVec3;
use onion_compiler::brush;
use onion_compiler::expand::expand;
use onion_compiler::{CompileOptions, Fill, Grouping, Report, compile};
use onion_geometry::{Cell, PlaneSet};
use onion_maps::Map;
use onion_tests::cases::sample_cases;
use onion_tests::subject::{self, HULLS};
use onion_views::dump::{DumpStage, dump};

fn options(fill: Fill) -> CompileOptions {
    CompileOptions {
        fill,
        grouping: Grouping::One,
        ..CompileOptions::new(subject::hulls(&HULLS))
    }
}

fn dumped(map: &Map, fill: Fill, stage: DumpStage) -> String {
    dump(map, &options(fill), stage).unwrap()
}

fn report(map: &Map, fill: Fill) -> Report {
    compile(map, &options(fill)).unwrap().report
}

fn sample_maps() -> impl Iterator<Item = (&'static str, &'static Map)> {
    let samples = sample_cases().iter();
    samples.map(|case| (case.name.as_str(), &case.map))
}

/// Three points of a plane, clockwise from its front, and a texture.
type MapFace = ([DVec3; 3], String);

/// Reads the layers of a `.map` file: for each its name and its brushes.
fn read_map(text: &str) -> Vec<(String, Vec<Vec<MapFace>>)> {
    let mut layers: Vec<(String, Vec<Vec<MapFace>>)> = Vec::new();
    let mut depth = 0;
    for line in text.lines().filter(|line| !line.starts_with("//")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["{"] => {
                depth += 1;
                match depth {
                    1 => layers.push(Default::default()),
                    2 => layers.last_mut().unwrap().1.push(Vec::new()),
                    _ => panic!("nothing is in a brush"),
                }
            }
            ["}"] => depth -= 1,
            ["(", ..] => {
                assert_eq!((depth, words.len()), (2, 24), "{line}");
                let point = |at: usize| {
                    let numbers = [1, 2, 3].map(|axis| words[5 * at + axis].parse().unwrap());
                    assert_eq!((words[5 * at], words[5 * at + 4]), ("(", ")"));
                    DVec3::from_array(numbers)
                };
                let face = ([0, 1, 2].map(point), words[15].to_owned());
                layers.last_mut().unwrap().1.last_mut().unwrap().push(face);
            }
            _ => {
                assert_eq!(depth, 1, "{line}");
                let mut parts = line.split('"').skip(1).step_by(2);
                if parts.next() == Some("_tb_name") {
                    layers.last_mut().unwrap().0 = parts.next().unwrap().to_owned();
                }
            }
        }
    }
    assert_eq!(depth, 0);
    assert!(layers.remove(0).1.is_empty(), "the world has layers alone");
    layers
}

/// Checks that a brush that was read has the planes of a cell, as precisely as its corners in f64 allow.
fn assert_planes(set: &PlaneSet, cell: &Cell, brush: &[MapFace], place: &str) {
    assert_eq!(brush.len(), cell.planes().count(), "{place}");
    for (plane, ([a, b, c], _)) in cell.planes().zip(brush) {
        let plane = &set[plane];
        for point in [a, b, c] {
            let off = plane.normal.dot(*point) - plane.dist;
            assert!(off.abs() < 1e-9, "{place}: {off}");
        }
        // Quake's tools define the normal by points that run clockwise.
        let normal = (*a - *b).cross(*c - *b);
        assert!(normal.dot(plane.normal) > 0.0, "{place}: {normal}");
    }
}

#[test]
fn brushes_are_read_back() {
    let mut n_brushes = 0;
    for (name, map) in sample_maps() {
        let mut set = PlaneSet::default();
        let models = brush::build(map, 4.0, &mut set, &mut Vec::new()).unwrap();
        let layers = read_map(&dumped(map, Fill::Off, DumpStage::Brush));
        assert_eq!(layers.len(), models.len(), "{name}");
        for ((layer, found), brushes) in layers.iter().zip(&models) {
            assert_eq!(found.len(), brushes.len(), "{name}, {layer}");
            for (faces, brush) in found.iter().zip(brushes) {
                let place = format!("{name}, {layer}, {}", brush.source);
                assert_planes(&set, &brush.cell, faces, &place);
                for ((_, texture), face) in faces.iter().zip(&brush.faces) {
                    let surface = &map.surfaces[face.surface as usize].name;
                    let surface = String::from_utf8(surface.clone()).unwrap();
                    assert_eq!(surface, format!("textures/{texture}"), "{place}");
                }
                n_brushes += 1;
            }
        }
    }
    assert!(n_brushes > 100, "{n_brushes}");
}

#[test]
fn expanded_brushes_are_read_back_by_hull() {
    for (name, map) in sample_maps() {
        let hulls = subject::hulls(&HULLS);
        let mut set = PlaneSet::default();
        let models = brush::build(map, 4.0, &mut set, &mut Vec::new()).unwrap();
        let (_, cells) = expand(&models, &hulls, &mut set);
        let layers = read_map(&dumped(map, Fill::Off, DumpStage::Expand));
        assert_eq!(layers.len(), models.len() * hulls.len(), "{name}");
        let cells = cells.iter().flatten();
        for (number, ((layer, found), cells)) in layers.iter().zip(cells).enumerate() {
            let hull = &hulls[number % hulls.len()].name;
            assert!(layer.starts_with(hull.as_str()), "{name}: {layer}");
            assert_eq!(found.len(), cells.len(), "{name}, {layer}");
            for (faces, cell) in found.iter().zip(cells) {
                assert_planes(&set, cell, faces, &format!("{name}, {layer}"));
                assert!(faces.iter().all(|(_, texture)| texture == hull));
            }
        }
    }
}

/// Reads the objects of an `.obj` file by name: for each its groups, and for each group its faces.
fn read_obj(text: &str) -> BTreeMap<String, Vec<Vec<Vec<DVec3>>>> {
    let mut objects: BTreeMap<String, Vec<Vec<Vec<DVec3>>>> = BTreeMap::new();
    let mut object = String::new();
    let mut vertices = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (keyword, rest) = line.split_once(' ').unwrap();
        match keyword {
            "o" => {
                object = rest.to_owned();
                assert!(objects.insert(object.clone(), Vec::new()).is_none());
            }
            "g" => objects.get_mut(&object).unwrap().push(Vec::new()),
            "v" => {
                let numbers: Vec<f64> = rest.split(' ').map(|at| at.parse().unwrap()).collect();
                vertices.push(DVec3::from_slice(&numbers));
            }
            "f" => {
                let corners = rest.split(' ').map(|number| {
                    let back: i64 = number.parse().unwrap();
                    vertices[(vertices.len() as i64 + back) as usize]
                });
                let groups = objects.get_mut(&object).unwrap();
                groups.last_mut().unwrap().push(corners.collect());
            }
            _ => panic!("{line}"),
        }
    }
    objects
}

/// Returns twice the area times the normal of a face.
fn twice_area(face: &[DVec3]) -> DVec3 {
    let fan = face[1..].windows(2);
    fan.map(|pair| (pair[0] - face[0]).cross(pair[1] - face[0]))
        .sum()
}

/// Returns six times the volume inside faces that look outward.
fn six_volumes(faces: &[Vec<DVec3>]) -> f64 {
    let parts = faces.iter().map(|face| twice_area(face).dot(face[0]));
    parts.sum()
}

#[test]
fn skins_are_closed() {
    for (name, map) in sample_maps() {
        let objects = read_obj(&dumped(map, Fill::Off, DumpStage::Union));
        let mut n_faces = 0;
        for (object, brushes) in &objects {
            let faces: Vec<&Vec<DVec3>> = brushes.iter().flatten().collect();
            let rest: DVec3 = faces.iter().map(|face| twice_area(face)).sum();
            let area: f64 = faces.iter().map(|face| twice_area(face).length()).sum();
            assert!(rest.length() < 1e-9 * area, "{name}, {object}: {rest}");
            n_faces += faces.len();
        }
        assert_eq!(n_faces, report(map, Fill::Off).n_faces, "{name}");
    }
}

#[test]
fn filled_skins_lack_the_faces_that_were_dropped() {
    let mut n_dropped = 0;
    for (name, map) in sample_maps() {
        let report = report(map, Fill::default());
        let dropped = report.filling.iter().map(|hull| hull.n_faces_dropped);
        let dropped: usize = dropped.sum();
        let objects = read_obj(&dumped(map, Fill::default(), DumpStage::Fill));
        let n_faces = objects.values().flatten().map(Vec::len).sum::<usize>();
        assert_eq!(n_faces + dropped, report.n_faces, "{name}");
        n_dropped += dropped;
    }
    assert!(n_dropped > 100, "{n_dropped}");
}

/// Returns the model of an object, and the hulls for which its leaves are solid, from its name.
fn named(object: &str) -> (usize, Vec<&str>) {
    let parts: Vec<&str> = object.split('.').collect();
    let model = parts[1].strip_prefix("model").unwrap().parse().unwrap();
    match parts[2..] {
        ["empty"] => (model, Vec::new()),
        ["solid", hulls] => (model, hulls.split('+').collect()),
        _ => panic!("{object}"),
    }
}

#[test]
fn leaves_fill_their_box_and_are_what_they_say() {
    for (name, map) in sample_maps() {
        for fill in [Fill::Off, Fill::default()] {
            let compiled = compile(map, &options(fill.clone())).unwrap();
            let file = subject::load(&compiled);
            let objects = read_obj(&dumped(map, fill, DumpStage::Tree));
            let mut boxes: BTreeMap<usize, (DVec3, DVec3, f64)> = BTreeMap::new();
            let (mut n_leaves, mut n_asked) = (0, 0);
            for (object, leaves) in &objects {
                let (model, hulls) = named(object);
                let around = (DVec3::INFINITY, DVec3::NEG_INFINITY, 0.0);
                let around = boxes.entry(model).or_insert(around);
                n_leaves += leaves.len();
                for leaf in leaves {
                    let corners: Vec<DVec3> = leaf.iter().flatten().copied().collect();
                    let inside = corners.iter().sum::<DVec3>() / corners.len() as f64;
                    for corner in corners {
                        *around = (around.0.min(corner), around.1.max(corner), around.2);
                    }
                    let six_volumes = six_volumes(leaf);
                    assert!(six_volumes > 0.0, "{name}, {object}");
                    around.2 += six_volumes / 6.0;
                    let areas = leaf.iter().map(|face| twice_area(face).length());
                    // Points of thinner leaves are practically on their planes.
                    if six_volumes < 1e-6 * areas.sum::<f64>() {
                        continue;
                    }
                    n_asked += 1;
                    let place = format!("{name}, {object} at {inside}");
                    for hull in file.hulls() {
                        let solid = hulls.contains(&hull.name);
                        let model = file.model(model).unwrap();
                        assert_eq!(model.is_solid(hull.id, inside.to_array()), solid, "{place}");
                    }
                }
            }
            assert_eq!(n_leaves, compiled.report.n_leaves, "{name}");
            assert!(n_asked * 10 > n_leaves * 9, "{name}: {n_asked}");
            for (mins, maxs, volume) in boxes.values() {
                let whole = (*maxs - *mins).element_product();
                assert!(
                    (volume / whole - 1.0).abs() < 1e-9,
                    "{name}: {volume} of {whole}"
                );
            }
        }
    }
}
