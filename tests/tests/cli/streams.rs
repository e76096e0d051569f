//! `-` is standard input in place of a file to read, and standard output in place of a file to write; the report goes
//! to the place that the user names.

use serde_json::Value;

use crate::folder::*;

const HULLS: &str = "--hull stand:16x56 --hull crouch:16x32 --hull point:point";

#[test]
fn a_map_from_standard_input_is_compiled_to_standard_output() {
    let folder = Folder::with_onion("room");
    let map = folder.read("map.bsp");
    let compiled = folder.read("map.onion");
    for arguments in [
        format!("- {HULLS}"),
        format!("compile {HULLS} -o - -"),
        format!("map.bsp {HULLS} --output=-"),
    ] {
        let output = folder.pipe(&arguments, &map);
        assert!(output.status.success(), "{arguments}");
        assert!(output.stdout == compiled, "{arguments}: other bytes");
        let report = String::from_utf8(output.stderr).unwrap();
        assert!(report.contains("wrote standard output: "), "{report}");
        assert_eq!(folder.names(), ["map.bsp", "map.onion"], "{arguments}");
    }
    let output = folder.pipe(&format!("- {HULLS} -q -o piped.onion"), &map);
    assert!(output.status.success());
    assert!(output.stdout.is_empty() && output.stderr.is_empty());
    assert!(folder.read("piped.onion") == compiled);
}

#[test]
fn compiled_maps_and_batches_come_from_standard_input() {
    let folder = Folder::with_onion("room");
    let compiled = folder.read("map.onion");
    folder.write("points.csv", "x,y,z\n0,0,24\n");
    folder.write("segments.csv", "sx,sy,sz,ex,ey,ez\n0,0,24,400,0,24\n");
    let table = [
        ("info NAME --json", "map.onion"),
        ("verify NAME map.bsp", "map.onion"),
        ("verify map.onion NAME", "map.bsp"),
        ("point NAME --at 0,0,24", "map.onion"),
        ("point map.onion --batch NAME", "points.csv"),
        ("trace map.onion --hull stand --batch NAME", "segments.csv"),
        ("trace NAME --hull stand --batch segments.csv", "map.onion"),
    ];
    for (arguments, name) in table {
        let named = folder.succeed(&arguments.replace("NAME", name));
        let piped = folder.pipe(&arguments.replace("NAME", "-"), &folder.read(name));
        assert!(piped.status.success(), "{arguments}");
        assert_eq!(String::from_utf8(piped.stdout).unwrap(), named);
        assert!(piped.stderr.is_empty(), "{arguments}");
    }
    folder.fail("point - --batch -", USAGE, &["only one file"]);
    folder.fail("verify - -", USAGE, &["only one file"]);
    let half = folder.pipe("info -", &compiled[..compiled.len() / 2]);
    assert_eq!(half.status.code(), Some(BAD_INPUT));
    let message = String::from_utf8(half.stderr).unwrap();
    assert!(message.contains("error: standard input: "), "{message}");
}

#[test]
fn the_json_report_goes_where_it_is_told() {
    let folder = Folder::with_map("room");
    let command = "map.bsp --hull stand:16x56";
    let text = folder.succeed(&format!("{command} --json=report.json"));
    // The text is printed too.
    assert_says(&text, &["wrote map.onion"]);
    let file: Value = folder.read_json("report.json");
    let printed = folder.succeed_json(&format!("{command} --json=-"));
    assert_eq!(file["costs"], printed["costs"]);
    assert_eq!(
        folder.succeed_json(&format!("{command} --json -q"))["n_nodes"],
        file["n_nodes"]
    );
    let info = folder.succeed("info map.onion --json=info.json");
    assert_eq!(info, folder.succeed("info map.onion"));
    let file: Value = folder.read_json("info.json");
    assert_eq!(file, folder.succeed_json("info map.onion --json"));

    let message = &["--json=", "name another file"];
    folder.fail(&format!("{command} --json -o -"), USAGE, message);
    folder.fail(&format!("{command} --json=map.onion"), USAGE, message);
    let message = &[
        "cannot write map.bsp: it is an input of this command",
        "with --json",
    ];
    folder.fail(&format!("{command} --json=map.bsp"), CANNOT_WRITE, message);
}

#[test]
fn quiet_and_verbose_say_less_and_more() {
    let folder = Folder::with_map("room");
    let command = "map.bsp --hull stand:16x56";
    assert_eq!(folder.succeed(&format!("{command} -q")), "");
    let brief = folder.succeed(&format!("{command} --force"));
    let verbose = folder.succeed(&format!("{command} --verbose"));
    let mut lines = verbose.lines();
    for line in brief.lines() {
        assert!(
            lines.any(|other| other == line),
            "{line} is not in\n{verbose}"
        );
    }
    for stage in [
        "tree: ",
        "groups: ",
        "nodes by hull: ",
        "audit: ",
        "seconds: ",
    ] {
        assert!(verbose.contains(stage) && !brief.contains(stage), "{stage}");
    }
    folder.fail(
        &format!("{command} -q -v"),
        USAGE,
        &["--quiet", "--verbose"],
    );
}
