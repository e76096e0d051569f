//! `onionc info`: the properties of a compiled map, for people to read and, with `--json`, for
//! programs.

use crate::folder::*;

#[test]
fn info_tells_what_is_in_a_file() {
    let folder = Folder::with_onion("door");
    let info = folder.succeed_json("info map.onion --json");
    assert_keys(
        &info,
        &[
            "n_nodes", "n_leaves", "n_planes", "bytes", "hulls", "groups", "models", "audit",
        ],
    );
    assert_keys(&info["audit"], &["leaf_hulls"]);
    assert_eq!(info["models"].as_array().unwrap().len(), 3, "{info:#}");
    let hulls = info["hulls"].as_array().unwrap();
    for hull in hulls {
        assert_keys(hull, &["name", "mins", "maxs", "contents"]);
    }
    let names = texts(&info["hulls"], "name");
    assert_eq!(names, ["stand", "crouch", "point"], "in the order given");

    let text = folder.succeed("info map.onion");
    assert_says(
        &text,
        &[" nodes", " leaves", "hull stand", "hull point", " proven"],
    );
}
