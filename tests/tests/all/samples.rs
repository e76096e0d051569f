//! Checks of the sample maps.
//!
//! In: the maps as described and as written, and the files kept in `sample-maps/`. Out: a failed test if a file is
//! malformed, if a written brush differs from the described one, or if the committed files differ from the output of
//! the code.

use onion_tests::oracle::vec3::{cross, dot, sub};
use onion_tests::samples::*;

/// Returns the corners of an intersection of half-spaces, by brute force over triples of planes.
fn corners(planes: &[([f64; 3], f64)]) -> Vec<Vec3> {
    let mut found: Vec<Vec3> = Vec::new();
    for (i, a) in planes.iter().enumerate() {
        for (j, b) in planes.iter().enumerate().skip(i + 1) {
            for c in planes.iter().skip(j + 1) {
                let (ab, bc, ca) = (cross(a.0, b.0), cross(b.0, c.0), cross(c.0, a.0));
                let det = dot(ab, c.0);
                if det.abs() < 1e-6 {
                    continue;
                }
                let at = |k: usize| (a.1 * bc[k] + b.1 * ca[k] + c.1 * ab[k]) / det;
                let p = [at(0), at(1), at(2)];
                let inside = planes.iter().all(|q| dot(q.0, p) <= q.1 + 1e-3 / 16.0);
                let near = |q: &Vec3| (0..3).all(|k| (p[k] - q[k]).abs() < 1e-4);
                if inside && !found.iter().any(near) {
                    found.push(p);
                }
            }
        }
    }
    found
}

/// Returns six times the volume of the hull of a face set around an inner point.
fn volume(brush: &Brush) -> f64 {
    brush
        .faces
        .iter()
        .flat_map(|f| f.winding.windows(2).skip(1).map(|w| (f.winding[0], w)))
        .map(|(a, w)| {
            let from = |p: Vec3| sub(p, brush.corners[0]);
            // Clockwise from outside, so the sign is reversed.
            -dot(from(a), cross(from(w[0]), from(w[1])))
        })
        .sum()
}

#[test]
fn committed_files_are_what_the_code_writes() {
    for (name, bytes) in files() {
        let path = dir().join(&name);
        let on_disk = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        assert!(
            on_disk == bytes,
            "{name} is stale: cargo run -p onion-tests --bin make-samples"
        );
    }
}

#[test]
fn every_map_has_its_facts() {
    for map in maps() {
        let path = dir().join(format!("{}.toml", map.name));
        let text =
            std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let count = |head: &str| text.lines().filter(|l| l.trim() == head).count();
        let least = if map.name == "courtyard" { 25 } else { 6 };
        assert!(count("[[trace]]") >= least, "{}: too few traces", map.name);
        assert!(count("[[point]]") >= 6, "{}: too few points", map.name);
        let facts = count("[[trace]]") + count("[[point]]");
        let starting = |key: &str| text.lines().filter(|l| l.starts_with(key)).count();
        assert_eq!(starting("why = "), facts, "{}: why", map.name);
        for hull in ["stand", "crouch", "point"] {
            assert!(starting(&format!("hull = \"{hull}\"")) > 0, "{hull}");
        }
    }
}

// Long: one statement for each thing that a reader relies on.
#[test]
fn written_files_read_back() {
    for map in maps() {
        let name = map.name;
        let file = read(&write(&map)).unwrap_or_else(|e| panic!("{name}: {e}"));
        let brushes: usize = map.models.iter().map(|m| m.brushes.len()).sum();
        let patches: usize = map.models.iter().map(|m| m.patches.len()).sum();
        assert_eq!(file.brushes.len(), brushes, "{name}");
        assert_eq!(file.models.len(), map.models.len(), "{name}");
        let count = file.surfaces.iter().filter(|s| s.0[2] == 2).count();
        assert_eq!(count, patches, "{name}");
        assert_eq!(file.nodes.len(), 1, "{name}");
        assert_eq!(file.leafs.len(), 2, "{name}");
        assert_eq!(file.planes.len() % 2, 0, "{name}");
        for pair in file.planes.chunks_exact(2) {
            let wide = pair[0].0.map(f64::from);
            assert!((dot(wide, wide) - 1.0).abs() < 1e-6, "{name}: not unit");
            assert_eq!(pair[1].0, pair[0].0.map(|x| -x), "{name}: no pair");
            assert_eq!(pair[1].1, -pair[0].1, "{name}: no pair");
            let first = pair[0].0.iter().find(|&&x| x != 0.0);
            assert!(first.is_some_and(|&x| x > 0.0), "{name}: pair order");
        }
        for (k, plane) in file.planes.iter().enumerate() {
            assert!(!file.planes[..k].contains(plane), "{name}: repeated plane");
        }
        assert!(file.entities.starts_with("{\n\"classname\" \"worldspawn\""));
        assert!(file.entities.contains("info_player_deathmatch"));
        for k in 1..file.models.len() {
            assert!(file.entities.contains(&format!("\"model\" \"*{k}\"")));
        }
        // The models take the brushes and surfaces consecutively.
        let (mut surface, mut brush) = (0, 0);
        for (_, range) in &file.models {
            assert_eq!([range[0], range[2]], [surface, brush], "{name}");
            surface += range[1];
            brush += range[3];
        }
        assert_eq!(surface as usize, file.surfaces.len(), "{name}");
        assert_eq!(brush as usize, file.brushes.len(), "{name}");
        // The leafs together hold every brush and surface of the world, and nothing else.
        let world = file.models[0].1;
        let mut seen: Vec<i32> = file.leaf_brushes.clone();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen, (0..world[3]).collect::<Vec<_>>(), "{name}");
        let mut seen = file.leaf_surfaces.clone();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen, (0..world[1]).collect::<Vec<_>>(), "{name}");
        let ends = file.leafs[1];
        assert_eq!(file.leafs[0][1], ends[0], "{name}");
        assert_eq!(
            (ends[0] + ends[1]) as usize,
            file.leaf_surfaces.len(),
            "{name}"
        );
        assert_eq!(
            (ends[2] + ends[3]) as usize,
            file.leaf_brushes.len(),
            "{name}"
        );
        assert_eq!(file.nodes[0][1..], [-1, -2], "{name}");
    }
}

#[test]
fn written_brushes_are_the_described_ones() {
    for map in maps() {
        let name = map.name;
        let file = read(&write(&map)).unwrap();
        let described = map.models.iter().flat_map(|m| &m.brushes);
        for (number, (record, (brush, shader))) in file.brushes.iter().zip(described).enumerate() {
            let label = format!("{name} brush {number}");
            let [first, count, material] = record.map(|x| x as usize);
            assert_eq!(file.shaders[material].0, shader.name(), "{label}");
            assert_eq!(file.shaders[material].1, shader.flags(), "{label}");
            assert_eq!(file.shaders[material].2, shader.contents(), "{label}");
            let planes: Vec<_> = file.sides[first..first + count]
                .iter()
                .map(|s| file.planes[s[0] as usize])
                .map(|(n, d)| (n.map(f64::from), f64::from(d)))
                .collect();
            // Bounded: six axial sides first, in order.
            for k in 0..6 {
                let mut normal = [0.0; 3];
                normal[k / 2] = if k % 2 == 0 { -1.0 } else { 1.0 };
                assert_eq!(planes[k].0, normal, "{label}");
            }
            // It is not empty, it is closed, and the corners are inside.
            assert!(volume(brush) > 0.0, "{label}");
            for p in &brush.corners {
                for (n, d) in &planes {
                    assert!(dot(*n, *p) <= d + 1e-4, "{label}: {p:?} is outside");
                }
            }
            // The described faces lie on planes of the file.
            for face in &brush.faces {
                let on = |q: &&([f64; 3], f64)| {
                    let flat = |p: &Vec3| (dot(q.0, *p) - q.1).abs() < 1e-4;
                    dot(q.0, face.normal) > 0.999_999 && face.winding.iter().all(flat)
                };
                assert!(planes.iter().any(|q| on(&q)), "{label}: face lost");
            }
            // And the file's planes have no other corners. Thin boxes are left to the exact test
            // above: their corners are closer together than the tolerance.
            let thin = (0..3).any(|k| brush.maxs[k] - brush.mins[k] < 0.1);
            if !thin {
                let got = corners(&planes);
                assert_eq!(got.len(), brush.corners.len(), "{label}: {got:?}");
                for p in &brush.corners {
                    let near = |q: &Vec3| (0..3).all(|k| (p[k] - q[k]).abs() < 0.01);
                    assert!(got.iter().any(near), "{label}: corner lost");
                }
            }
        }
    }
}

#[test]
fn surfaces_face_the_right_way() {
    for map in maps() {
        let file = read(&write(&map)).unwrap();
        for (head, size) in &file.surfaces {
            let [
                shader,
                fog,
                kind,
                first_vertex,
                vertices,
                first_index,
                indices,
            ] = *head;
            assert!((shader as usize) < file.shaders.len());
            assert_eq!(fog, -1);
            let place = |k: i32| {
                let (p, n) = file.vertices[(first_vertex + k) as usize];
                (p.map(f64::from), n.map(f64::from))
            };
            if kind == 2 {
                assert_eq!((*size, vertices, indices), ([3, 3], 9, 0));
                // In the middle, the normal points to the axis of the arch, that is, down.
                let (_, normal) = place(4);
                assert!(normal[2] < -0.5, "{}: {normal:?}", map.name);
                continue;
            }
            assert_eq!((kind, *size), (1, [0, 0]));
            let list = &file.indices[first_index as usize..(first_index + indices) as usize];
            for t in list.chunks_exact(3) {
                let [a, b, c] = [place(t[0]), place(t[1]), place(t[2])];
                let n = cross(sub(b.0, a.0), sub(c.0, a.0));
                assert!(dot(n, a.1) < 0.0, "{}: triangle turned", map.name);
            }
        }
    }
}
