//! `onionc export` for map editors and for leaks: exported brushes, compiled again, are solid in the same places, and
//! the path of a leak follows the points in the file beside the compiled map.

use onion_tests::{rooms, samples};

use crate::folder::*;

/// The rod around the path is 2 units thick.
const HALF: f64 = 1.0;

#[test]
fn brushes_compile_to_the_same_places() {
    let folder = Folder::with_map("ramp_stairs");
    let hulls = "--hull stand:16x56 --hull point:point --no-fill --no-fast";
    folder.succeed(&format!("map.bsp {hulls}"));
    folder.succeed("export map.onion map.bsp --parts walls -o walls.map");
    folder.run(&format!("walls.map {hulls}"));
    let diff = folder.succeed_json("diff map.onion walls.onion --json");
    for hull in diff["hulls"].as_array().unwrap() {
        assert_eq!(hull["places"].as_array().unwrap().len(), 0, "{hull:#}");
    }
    assert_eq!(diff["hulls"].as_array().unwrap().len(), 2);
    folder.succeed("export map.onion map.bsp --parts costliest -o costs.map");
    let text = folder.read_text("costs.map");
    assert_says(&text, &[" nodes\"\n", "common/caulk"]);
}

/// The solid leaves of a tree become brushes that are solid where the tree is.
#[test]
fn leaves_compile_to_the_same_places() {
    let folder = Folder::with_map("ramp_stairs");
    let hulls = "--hull point:point --no-fill --no-fast";
    folder.succeed(&format!("map.bsp {hulls}"));
    folder.succeed("export map.onion --parts leaves -o leaves.map");
    folder.run(&format!("leaves.map {hulls}"));
    let diff = folder.succeed_json("diff map.onion leaves.onion --json");
    let places = diff["hulls"][0]["places"].as_array().unwrap();
    assert!(places.is_empty(), "{diff:#}");
}

#[test]
fn unions_need_the_map() {
    let folder = Folder::with_map("low_tunnel");
    folder.succeed("map.bsp --hull stand:16x56");
    folder.fail_each(
        USAGE,
        "export map.onion --parts union -o union.glb => needs the map
         export map.onion map.bsp --parts union -o union.map => surfaces",
    );
    folder.succeed("export map.onion map.bsp --parts union,skins -o union.obj");
    let text = folder.read_text("union.obj");
    let count = |name: &str| {
        let after = text.split(&format!("o {name}\n")).nth(1).unwrap();
        let own = after.split("\no ").next().unwrap();
        own.lines().filter(|line| line.starts_with("f ")).count()
    };
    // A union also has the outsides of walls.
    assert!(count("union.stand.model0") > count("skin.stand.model0"));
}

/// Portals of one hull are between leaves that are numbered for other programs. Such a file is replaced, those of other
/// compilers are not.
#[test]
fn portals_of_a_hull_are_between_leaves() {
    let folder = Folder::with_map("low_tunnel");
    folder.succeed("map.bsp --hull stand:16x56 --hull crouch:16x32");
    folder.succeed("export map.onion --parts portals -o crouch.prt");
    folder.succeed("export map.onion --parts portals --hull crouch -o crouch.prt");
    let text = folder.read_text("crouch.prt");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("PRT1"));
    let mut count = || lines.next().unwrap().trim().parse::<usize>().unwrap();
    let [n_leaves, n_portals] = [count(), count()];
    assert!(n_portals > 0);
    let mut largest = 0;
    for line in lines.by_ref() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let numbers: Vec<usize> = words[..3]
            .iter()
            .map(|word| word.parse().unwrap())
            .collect();
        assert_eq!(words.len(), 3 + 4 * numbers[0], "{line}");
        assert!(numbers[1] != numbers[2], "{line}");
        largest = numbers[1..].iter().copied().fold(largest, usize::max);
    }
    assert_eq!(n_leaves, largest + 1);
    assert_eq!(text.lines().count(), 3 + n_portals);

    folder.write("map.prt", text.replacen(" \n", "\n", 1));
    let words = ["map.prt", "of this kind by onionc"];
    folder.fail("export map.onion -o map.prt", CANNOT_WRITE, &words);
    folder.fail_each(
        USAGE,
        "export map.onion --parts portals --hull fly -o fly.prt => --hull fly & stand, crouch
         export map.onion --parts portals -o portals.map => surfaces",
    );
}

#[test]
fn the_path_of_a_leak_is_a_rod_along_its_points() {
    let folder = Folder::new();
    folder.write("map.bsp", samples::write(&rooms::with_hole(20.0, 80.0)));
    folder.run("map.bsp --hull stand:16x56");
    let points = folder.read_text("map.pts");
    let vector = |line: &str| -> Vec<f64> {
        line.split_whitespace()
            .map(|word| word.parse().unwrap())
            .collect()
    };
    let points: Vec<Vec<f64>> = points.lines().map(vector).collect();
    folder.succeed("export map.onion --parts leak -o leak.obj");
    let text = folder.read_text("leak.obj");
    let corners: Vec<Vec<f64>> = text
        .lines()
        .filter_map(|line| line.strip_prefix("v "))
        .map(vector)
        .collect();
    assert!(
        corners.len() >= 24 && corners.len().is_multiple_of(24),
        "six faces a beam"
    );
    let box_of = |points: &[Vec<f64>]| {
        [0, 1, 2].map(|k| {
            let along = points.iter().map(|point| point[k]);
            [
                along.clone().fold(f64::MAX, f64::min),
                along.fold(f64::MIN, f64::max),
            ]
        })
    };
    for (own, of_points) in box_of(&corners).iter().zip(box_of(&points)) {
        // Beams extend beyond their ends by less than their thickness, in any direction.
        assert!(
            own[0] < of_points[0] && own[0] > of_points[0] - 2.0 * HALF,
            "{own:?} {of_points:?}"
        );
        assert!(
            own[1] > of_points[1] && own[1] < of_points[1] + 2.0 * HALF,
            "{own:?} {of_points:?}"
        );
    }
    folder.succeed("export map.onion --parts leak,skins -o leak.glb");
    folder.succeed("export map.onion --parts leak -o leak.map");
    folder.succeed("leak.map --hull point:point --no-fill");
}

#[test]
fn what_cannot_be_exported_is_told() {
    Folder::with_onion("room").fail_each(
        USAGE,
        "export map.onion --parts leak -o a.glb => map.pts & leaks
         export map.onion --parts floors -o a.glb => no floors & --floors
         export map.onion -o a.map => skins & .prt",
    );
}
