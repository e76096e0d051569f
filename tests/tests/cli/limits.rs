//! Limits that a user meets: the memory of a run, and the distance of a map from the origin. Anything beyond them is
//! refused, or left out with a warning.

use crate::folder::*;

/// Makes a box as text of a map editor, between two corners.
fn cuboid([x, y, z]: [f64; 3], [u, v, w]: [f64; 3]) -> String {
    let points = [
        [[x, y, z], [x, y + 1.0, z], [x, y, z + 1.0]],
        [[x, y, z], [x, y, z + 1.0], [x + 1.0, y, z]],
        [[x, y, z], [x + 1.0, y, z], [x, y + 1.0, z]],
        [[u, v, w], [u, v, w + 1.0], [u, v + 1.0, w]],
        [[u, v, w], [u + 1.0, v, w], [u, v, w + 1.0]],
        [[u, v, w], [u, v + 1.0, w], [u + 1.0, v, w]],
    ];
    let face = |points: [[f64; 3]; 3]| {
        let points = points.map(|[x, y, z]| format!("( {x} {y} {z} )"));
        format!("{} wall 0 0 0 1 1\n", points.join(" "))
    };
    format!("{{\n{}}}\n", points.map(face).concat())
}

/// Makes the text of a map of boxes.
fn text(boxes: &[[[f64; 3]; 2]]) -> String {
    let brushes: String = boxes
        .iter()
        .map(|[low, high]| cuboid(*low, *high))
        .collect();
    format!("{{\n\"classname\" \"worldspawn\"\n{brushes}}}\n")
}

#[test]
fn memory_that_is_not_enough_is_named() {
    let folder = Folder::with_map("courtyard");
    let hulls = "--hull stand:16x56";
    if cfg!(target_os = "linux") {
        let words = ["takes more than 1M of memory", "--max-memory"];
        for limit in ["1M", "1024K", "1048576"] {
            folder.fail(
                &format!("map.bsp {hulls} --max-memory {limit}"),
                FAILED,
                &words,
            );
        }
    }
    if cfg!(target_os = "linux") {
        folder.write("old.json", "{\n  \"schema\": 1\n}\n");
        folder.run(&format!(
            "map.bsp {hulls} --max-memory 1M --report old.json"
        ));
        let report: serde_json::Value = serde_json::from_slice(&folder.read("old.json")).unwrap();
        assert_eq!(report["error"]["exit_code"], FAILED, "{report:#}");
        let message = report["error"]["message"].as_str().unwrap();
        assert!(message.contains("--max-memory"), "{message}");
        assert_eq!(report["maps"], serde_json::json!([]));
    }
    for wrong in ["0", "0G", "much", "-1", "1GG", "G", "99999999999999999999"] {
        let words = ["--max-memory", "2G"];
        folder.fail(
            &format!("map.bsp {hulls} --max-memory={wrong}"),
            USAGE,
            &words,
        );
    }
    folder.succeed(&format!("map.bsp {hulls} --max-memory 2G --quiet"));
}

/// Boxes up to 65,536 units from the origin are whole, to the last bit of an f64; boxes beyond are left out with a
/// warning.
#[test]
fn the_world_ends_at_2_to_the_16() {
    const END: f64 = 65_536.0;
    let folder = Folder::new();
    let near = [[END - 8.0, -8.0, -8.0], [END - 1.0, 8.0, 8.0]];
    let far = [[-END - 8.0, -8.0, -8.0], [-END + 8.0, 8.0, 8.0]];
    let out = [[1e5, 0.0, 0.0], [1.1e5, 64.0, 64.0]];
    folder.write("map.map", text(&[near, far, out]));
    let run = folder.run("map.map --hull p:point --hull stand:16x56 --no-fill");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let warning = "do not close within 65536 units of the origin";
    assert!(run.stderr.contains(warning), "{}", run.stderr);
    let outside = "it lies outside of the world, which ends 65536 units from the origin";
    assert_eq!(run.stderr.matches(outside).count(), 1, "{}", run.stderr);
    assert!(!run.stderr.contains("enclose no volume"), "{}", run.stderr);
    assert_eq!(run.stderr.matches("left out").count(), 2, "{}", run.stderr);
    let points = [
        ("65527.999,0,0", "0"),
        ("65528.001,0,0", "1"),
        ("65534.999,7.9,-7.9", "1"),
        ("65535.001,0,0", "0"),
        ("-65535,0,0", "0"),
        ("105000,1,1", "0"),
        ("1073741824,0,0", "0"),
        ("1073741825,0,0", "1"),
    ];
    for (at, solid) in points {
        let rows = folder.rows(&format!("point map.onion --at={at}"), "p,stand");
        assert_eq!(rows[0].split(',').next(), Some(solid), "{at}");
    }
}
