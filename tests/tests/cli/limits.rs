//! Limits that a user meets: the memory of a run, and the distance of a map from the origin. Anything beyond them is
//! refused, or left out with a warning.

use onion_tests::samples::{Map, Shader, text};

use crate::folder::*;

#[test]
fn memory_that_is_not_enough_is_named() {
    let folder = Folder::with_map("courtyard");
    let hulls = "--hull stand:16x56";
    if cfg!(target_os = "linux") {
        let words = ["takes more than 1M of memory", "--max-memory"];
        for limit in ["1M", "1024K", "1048576"] {
            let arguments = format!("map.bsp {hulls} --max-memory {limit}");
            folder.fail(&arguments, FAILED, &words);
        }
        folder.write("old.json", "{\n  \"schema\": 1\n}\n");
        folder.run(&format!(
            "map.bsp {hulls} --max-memory 1M --report old.json"
        ));
        let report: serde_json::Value = folder.read_json("old.json");
        assert_eq!(report["error"]["exit_code"], FAILED, "{report:#}");
        let message = report["error"]["message"].as_str().unwrap();
        assert!(message.contains("--max-memory"), "{message}");
        assert_eq!(report["maps"], serde_json::json!([]));
    }
    for wrong in ["0", "0G", "much", "-1", "1GG", "G", "99999999999999999999"] {
        let arguments = format!("map.bsp {hulls} --max-memory={wrong}");
        folder.fail(&arguments, USAGE, &["--max-memory", "2G"]);
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
    let mut map = Map::new("far", "Far boxes");
    for [mins, maxs] in [near, far, out] {
        map.cuboid(Shader::Wall, mins, maxs);
    }
    folder.write("map.map", text(&map));
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
