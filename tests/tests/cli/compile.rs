//! `onionc MAP`: the file it writes and its place, its report, and its failures at the limits that the
//! user sets.

use onion_tests::samples::{self, Brush, Face, Shader, Vec3};

use crate::folder::*;

#[test]
fn the_verbatim_command_writes_beside_the_map() {
    let folder = Folder::with_map("courtyard");
    let report = folder.succeed("map.bsp --hull stand:16x56 --hull crouch:16x32");
    assert_eq!(folder.names(), ["map.bsp", "map.onion"]);
    let size = format!("{} bytes", folder.read("map.onion").len());
    let expected = [
        "hull stand: mins -16 -16 -24, maxs 16 16 32",
        "hull crouch: mins -16 -16 -24, maxs 16 16 8",
        "wrote map.onion: ",
        &size,
        "every leaf proven for every hull",
    ];
    assert_says(&report, &expected);
    assert_eq!(folder.read("map.bsp"), sample_bytes("courtyard"));
}

#[test]
fn output_goes_where_it_is_told() {
    let folder = Folder::with_map("room");
    folder.make_folder("elsewhere");
    folder.succeed("map.bsp --hull stand:16x56 -o elsewhere/short.onion");
    folder.succeed("map.bsp --hull stand:16x56 --output elsewhere/long.onion");
    assert_eq!(folder.names(), ["elsewhere", "map.bsp"], "nothing beside");
    let short = folder.read("elsewhere/short.onion");
    assert!(!short.is_empty());
    assert_eq!(short, folder.read("elsewhere/long.onion"));
}

#[test]
fn an_older_output_is_replaced() {
    let folder = Folder::with_map("room");
    folder.succeed("map.bsp --hull crouch:16x32");
    folder.succeed("map.bsp --hull stand:16x56");
    assert_eq!(folder.hulls().len(), 1);
    assert_eq!(folder.names(), ["map.bsp", "map.onion"]);
}

#[test]
fn the_json_report_agrees_with_the_file() {
    let folder = Folder::with_map("courtyard");
    let report = folder.succeed_json("map.bsp --hull stand:16x56 --hull point:point --json");
    assert_keys(&report, &["hulls", "n_nodes", "n_leaves", "bytes", "audit"]);
    assert_eq!(report["hulls"].as_array().unwrap().len(), 2);
    assert_eq!(report["audit"]["impure"], 0);
    assert_eq!(report["bytes"], folder.read("map.onion").len());
    let info = folder.succeed_json("info map.onion --json");
    for key in ["n_nodes", "n_leaves", "bytes"] {
        assert_eq!(report[key], info[key], "{key}");
    }
}

#[test]
fn reports_tell_what_costs_what() {
    let folder = Folder::with_map("door");
    let command = "map.bsp --hull stand:16x56 --hull crouch:16x32";
    let text = folder.succeed(&format!("{command} -v"));
    let brushes = text.lines().filter(|line| line.contains(" added "));
    assert_eq!(brushes.clone().count(), 5, "the most costly:\n{text}");
    let report = folder.succeed_json(&format!("{command} --json"));
    let costs = &report["costs"];
    assert_keys(costs, &["hulls", "n_uncharged", "brushes"]);
    assert_keys(
        &costs["hulls"][1],
        &["hull", "n_nodes", "n_shared", "bytes"],
    );
    let [stand, crouch] = [0, 1].map(|hull| &costs["hulls"][hull]["n_nodes"]);
    let share = |nodes: &serde_json::Value| {
        (100.0 * nodes.as_f64().unwrap() / report["n_nodes"].as_f64().unwrap()).round()
    };
    let [a, b] = [stand, crouch].map(share);
    let by_hull =
        format!("nodes by hull: stand {stand} ({a}%), crouch {crouch} ({b}%), uncharged ");
    assert!(text.contains(&by_hull), "{by_hull:?} is not in\n{text}");
    let keys = ["brush", "model", "entity", "center", "n_nodes", "bytes"];
    let all = costs["brushes"].as_array().unwrap();
    assert_eq!(all.len(), 12, "every brush of the map has a face");
    for (cost, line) in all.iter().zip(brushes) {
        assert_keys(cost, &keys);
        let brush = format!("brush {} ", cost["brush"]);
        let nodes = format!(" added {} nodes", cost["n_nodes"]);
        assert!(line.starts_with(&brush) && line.ends_with(&nodes), "{line}");
    }
}

#[test]
fn what_is_too_large_is_not_written() {
    let folder = Folder::with_onion("courtyard");
    let command = "map.bsp --hull stand:16x56 --hull crouch:16x32";
    let report = folder.succeed_json(&format!("{command} -o free.onion --json"));
    let [nodes, bytes] = ["n_nodes", "bytes"].map(|key| report[key].as_u64().unwrap());
    let within = format!("{command} -o within.onion --max-nodes {nodes} --max-bytes {bytes}");
    folder.succeed(&within);
    assert_eq!(folder.read("within.onion"), folder.read("free.onion"));

    let [worst, tenth, next] = [0, 9, 10].map(|rank| {
        let cost = &report["costs"]["brushes"][rank];
        match cost.get("brush") {
            Some(number) => format!("\n  brush {number} at ("),
            None => format!("\n  patch surface {} at (", cost["patch"]),
        }
    });
    let table = [("nodes", nodes), ("bytes", bytes)];
    for (what, size) in table {
        let arguments = format!("{command} --max-{what} {}", size - 1);
        let figures = format!("{size} {what}, but the limit is {}; ", size - 1);
        let option = format!("raise --max-{what}\n");
        let by_hull = "\n  nodes by hull: stand ";
        let words = ["map.bsp: ", &figures, &option, by_hull, &worst, &tenth];
        folder.fail(&arguments, FAILED, &words);
        let stderr = folder.run(&arguments).stderr;
        assert!(!stderr.contains(&next), "ten are enough: {stderr}");
    }
    // `map.onion` existed before and is untouched; without it, none is made.
    let empty = Folder::with_map("courtyard");
    empty.fail(&format!("{command} --max-nodes 0"), FAILED, &["limit is 0"]);
    folder.fail(&format!("{command} --max-nodes few"), USAGE, &["few"]);
}

#[test]
fn hulls_are_grouped_as_told() {
    let folder = Folder::with_map("low_tunnel");
    let hulls = "--hull stand:16x56 --hull crouch:16x32 --hull point:point --no-fill";
    let groups_of = |option: &str| {
        let options = format!("{hulls} {option} --compare-groups --json");
        let report = folder.succeed_json(&format!("map.bsp {options}"));
        let info = folder.succeed_json("info map.onion --json");
        assert_eq!(report["groups"], info["groups"], "{option}");
        folder.succeed("verify map.onion map.bsp");
        (info["groups"].as_str().unwrap().to_owned(), report)
    };
    let (kinds, report) = groups_of("");
    assert_eq!(kinds, "stand+crouch,point");
    assert_eq!(report["rival"]["groups"], "stand+crouch+point");
    let (one, report) = groups_of("--group one");
    assert_eq!(one, "stand+crouch+point");
    let rival = &report["rival"];
    assert_eq!(rival["groups"], "stand+crouch,point");
    let (auto, grouped) = groups_of("--group auto");
    assert_eq!(auto, "stand+crouch,point");
    assert_eq!(grouped["n_nodes"], rival["n_nodes"], "what was foretold");
    assert_eq!(grouped["rival"]["n_nodes"], report["n_nodes"]);
    assert_eq!(groups_of("--group each").0, "stand,crouch,point");
    assert_eq!(
        groups_of("--group point+crouch,stand").0,
        "stand,crouch+point"
    );
    let text = folder.succeed(&format!("map.bsp {hulls} -v"));
    assert!(!text.contains("(with --group"), "only if asked: {text}");
    let text = folder.succeed(&format!("map.bsp {hulls} -v --compare-groups"));
    assert_says(&text, &["(with --group stand+crouch+point: "]);
    for (group, word) in [
        ("stand+crouch", "point is in no group"),
        ("stand+crouch,point,stand", "named twice"),
        ("all", "no hull is named \"all\""),
    ] {
        let arguments = format!("map.bsp {hulls} --group {group}");
        folder.fail(&arguments, USAGE, &["--group", word]);
    }
}

#[test]
fn a_damaged_map_leaves_the_last_good_output() {
    let folder = Folder::with_onion("room");
    let good = folder.read("map.onion");
    folder.write("map.bsp", &sample_bytes("room")[..2000]);
    let arguments = "map.bsp --hull stand:16x56";
    folder.fail(arguments, BAD_INPUT, &["map.bsp", "get it again"]);
    assert_eq!(folder.read("map.onion"), good);
    assert_eq!(folder.hulls().len(), 3, "it still loads");
}

/// Makes a convex column of 300 sides over a parabola: no side divides the others, so a tree is as deep as the number
/// of sides unless other planes divide them. It is made face by face, because `Brush::hull` would take half a minute.
fn column() -> Brush {
    let outline = (-150..150).map(f64::from).map(|x| [x, x * x]);
    let outline: Vec<[f64; 2]> = outline.collect();
    let at = |height: f64| outline.iter().map(move |&[x, y]| [x, y, height]);
    let [low, high]: [Vec<Vec3>; 2] = [0.0, 64.0].map(|height| at(height).collect());
    let cap = |z: f64, dist: f64, winding: Vec<Vec3>| Face {
        normal: [0.0, 0.0, z],
        dist,
        winding,
    };
    let mut faces = vec![
        cap(-1.0, 0.0, low.clone()),
        cap(1.0, 64.0, high.iter().rev().copied().collect()),
    ];
    for from in 0..outline.len() {
        let to = (from + 1) % outline.len();
        let [dx, dy] = [0, 1].map(|axis| outline[to][axis] - outline[from][axis]);
        let normal = [dy / dx.hypot(dy), -dx / dx.hypot(dy), 0.0];
        faces.push(Face {
            normal,
            dist: normal[0] * low[from][0] + normal[1] * low[from][1],
            winding: vec![low[from], high[from], high[to], low[to]],
        });
    }
    Brush {
        mins: [-150.0, 0.0, 0.0],
        maxs: [149.0, 22_500.0, 64.0],
        corners: [low, high].concat(),
        faces,
    }
}

#[test]
fn a_column_of_many_sides_makes_no_deep_tree() {
    let folder = Folder::new();
    let mut map = samples::Map::new("column", "A column of 300 sides");
    map.add(Shader::Wall, column());
    folder.write("column.bsp", samples::write(&map));
    let hulls = "--hull stand:16x56 --hull point:point";
    let report = folder.succeed_json(&format!("column.bsp {hulls} --no-fill --json"));
    let costs = &report["costs"];
    assert_eq!(costs["brushes"].as_array().unwrap().len(), 1);
    let charged = costs["brushes"][0]["n_nodes"].as_u64().unwrap();
    let uncharged = costs["n_uncharged"].as_u64().unwrap();
    assert!(uncharged > 0, "planes that are no side of it");
    assert_eq!(Some(charged + uncharged), report["n_nodes"].as_u64());
    let info = folder.succeed_json("info column.onion --json");
    let depth = info["depth"].as_u64().unwrap();
    assert!(depth < 100, "{depth}");
}

#[test]
fn stages_are_dumped_instead_of_compiling() {
    let folder = Folder::with_map("courtyard");
    for (stage, file, start) in [
        ("brush", "map.brush.map", "// Game: Quake 3\n"),
        ("expand", "map.expand.map", "// Game: Quake 3\n"),
        ("union", "map.union.obj", "# in units"),
        ("fill", "map.fill.obj", "# in units"),
        ("tree", "map.tree.obj", "# in units"),
    ] {
        let command = format!("map.bsp --hull stand:16x56 --dump {stage}");
        assert_eq!(folder.succeed(&command), format!("wrote {file}\n"));
        let text = folder.read_text(file);
        assert!(text.starts_with(start), "{file}");
        assert_eq!(folder.succeed(&format!("{command} -o -")), text, "{file}");
    }
    assert!(!folder.names().contains(&"map.onion".to_owned()));
    let command = "map.bsp --hull stand:16x56 --dump";
    folder.fail(&format!("{command} audit"), USAGE, &["brush, expand"]);
    folder.fail(&format!("{command} tree --json"), USAGE, &["--json"]);
}
