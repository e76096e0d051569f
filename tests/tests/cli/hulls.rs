//! The text of `--hull` and `--origin`: the boxes and contents that it stands for, and the texts that
//! are refused.

use serde_json::json;

use crate::folder::*;

/// A `--hull` option and further options, and the box they stand for: both corners in a row. A box no taller than 24
/// is centered, because its origin would be above its head; zero in a corner is not an error.
const RESOLUTIONS: &str = "\
    stand:16x56 => -16 -16 -24 16 16 32
    crouch:16x32 => -16 -16 -24 16 16 8
    small:8x16 => -8 -8 -8 8 8 8
    edge:8x24 => -8 -8 -12 8 8 12
    feet:16x56@feet => -16 -16 0 16 16 56
    center:16x56@center => -16 -16 -28 16 16 28
    n:16x56@40 => -16 -16 -40 16 16 16
    half:16x56@0.5 => -16 -16 -0.5 16 16 55.5
    all:16x56 --origin feet => -16 -16 0 16 16 56
    all:8x16 --origin 10 => -8 -8 -10 8 8 6
    own:16x56@center --origin feet => -16 -16 -28 16 16 28
    long:mins=-15,-15,-24:maxs=15,15,32 => -15 -15 -24 15 15 32
    long:mins=-15,-15,-24:maxs=15,15,32 --origin feet => -15 -15 -24 15 15 32
    round:cylinder:16x56 => -16 -16 -24 16 16 32
    round:16x56:sides=8:cylinder => -16 -16 -24 16 16 32
    round:cylinder:15.3x20@feet:sides=32 => -15.299805 -15.299805 0 15.299805 15.299805 20
    round:cylinder:1.5x3 => -1.5 -1.5 -1.5 1.5 1.5 1.5
    skew:mins=0,0,0:maxs=10,14,1:side=4,3:side=-1,4 => 0 0 0 10 14 1
    point:point => 0 0 0 0 0 0
    line:mins=0,0,0:maxs=0,0,56 => 0 0 0 0 0 56";

#[test]
fn hulls_resolve_to_boxes() {
    let folder = Folder::with_map("room");
    for (options, corners) in RESOLUTIONS
        .lines()
        .map(|line| line.split_once(" => ").unwrap())
    {
        folder.succeed(&format!("map.bsp --hull {options}"));
        let hulls = folder.hulls();
        assert_eq!(hulls.len(), 1, "{options}");
        let corners = corners.split(' ').map(|x| x.parse().unwrap());
        let corners: Vec<f64> = corners.collect();
        assert_eq!(hulls[0]["mins"], json!(corners[..3]), "mins of {options}");
        assert_eq!(hulls[0]["maxs"], json!(corners[3..]), "maxs of {options}");
    }
}

/// The sides of an octagon around a circle of 16 units are half as long as 16 (root 2 - 1) = 6.6274; 4.6863 of that is
/// along each axis on the slanted ones. In steps of 1/2048, the slanted sides are 9,597 long on both axes, and the
/// others 2^15 - 2 * 9,597: one step more would put the slanted sides at (2^15 - 9,598) root 2 < 2^15.
#[test]
fn an_octagon_around_a_cylinder() {
    let folder = Folder::with_map("room");
    folder.succeed("map.bsp --hull round:cylinder:16x56:sides=8");
    let sides: Vec<[f32; 2]> = serde_json::from_value(folder.hulls()[0]["sides"].clone()).unwrap();
    let [long, short] = [13_574.0, 9_597.0];
    let steps = [[long, 0.0], [short, short], [0.0, long], [-short, short]];
    assert_eq!(sides, steps.map(|half| half.map(|at| at / 2048.0)));
}

/// No rounding moves a side into the cylinder, or an edge out of it, by whole numbers; nor far away from it.
#[test]
fn prisms_are_around_or_within_their_cylinders() {
    let mut n_fits = 0;
    for steps in (1..600).chain([30_001, 32_768, 81_919, 8_388_608]) {
        for (n_sides, place) in [8, 16, 32]
            .into_iter()
            .flat_map(|n| [(n, ""), (n, ":within")])
        {
            let radius = f64::from(steps) / 2048.0;
            let option = format!("a:cylinder:{radius}x1:sides={n_sides}{place}");
            let hull = match onion_compiler::hull::resolve(&[option.parse().unwrap()], None) {
                Ok(hulls) => hulls.into_iter().next().unwrap(),
                Err(error) => {
                    let is_small = error.to_string().contains("too small for") && steps < 600;
                    assert!(is_small, "{option}: {error}");
                    continue;
                }
            };
            n_fits += 1;
            let halves = hull
                .sides
                .iter()
                .map(|half| half.map(|at| (at * 2048.0) as i128));
            let halves: Vec<[i128; 2]> = halves.collect();
            assert_eq!(halves.len(), n_sides / 2, "{option}");
            let dot = |[a, b]: [i128; 2], [c, d]: [i128; 2]| a * c + b * d;
            let square = i128::from(steps).pow(2);
            let mut corner = [0, 1].map(|axis| halves.iter().map(|half| half[axis]).sum());
            for half in halves {
                let far = dot(corner, corner);
                // The side's distance from the center, times half its length.
                let area = dot(corner, [half[1], -half[0]]);
                let near = area * area / dot(half, half);
                let is_fit = match place {
                    "" => area * area >= square * dot(half, half),
                    _ => far <= square,
                };
                assert!(is_fit, "{option}");
                let [near, far] = [near, far].map(|square| (square as f64).sqrt());
                let slack = (std::f64::consts::PI / n_sides as f64).cos();
                let is_close =
                    near > f64::from(steps) * slack - 20.0 && far < f64::from(steps) / slack + 20.0;
                assert!(is_close, "{option}: {near} to {far}");
                corner = [0, 1].map(|axis| corner[axis] - 2 * half[axis]);
            }
        }
    }
    assert!(n_fits > 3_000, "{n_fits}");
}

/// The file has all that makes a prism: it is proven against the map, compiled again by its own options, and named.
#[test]
fn prisms_are_in_the_file() {
    let folder = Folder::with_map("door");
    let hulls = "--hull round:cylinder:16x56:within --hull six:mins=-16,-14,0:maxs=16,14,56:side=8,0:side=4,7:side=-4,7";
    folder.succeed(&format!("map.bsp --brushes {hulls}"));
    folder.succeed("verify map.onion map.bsp");
    let info = folder.succeed("info map.onion");
    assert_says(
        &info,
        &[
            "six: mins -16 -14 0, maxs 16 14 56, 6 sides, blocked by",
            ", 16 sides,",
        ],
    );
    let first = folder.read("map.onion");
    let sides = |hull: &serde_json::Value| {
        let halves = hull["sides"].as_array().unwrap().iter();
        halves
            .map(|half| format!(":side={},{}", half[0], half[1]))
            .collect::<String>()
    };
    let explicit = folder.hulls().into_iter().map(|hull| {
        let [mins, maxs] =
            ["mins", "maxs"].map(|key| hull[key].to_string().replace(['[', ']'], ""));
        let name = hull["name"].as_str().unwrap();
        format!(" --hull {name}:mins={mins}:maxs={maxs}{}", sides(&hull))
    });
    folder.succeed(&format!(
        "map.bsp --brushes{}",
        explicit.collect::<String>()
    ));
    assert!(folder.read("map.onion") == first);
}

#[test]
fn hulls_resolve_to_contents() {
    let folder = Folder::with_map("room");
    let table = [
        ("box:16x56", 0x1_0001_u32),
        ("box:mins=0,0,0:maxs=1,1,1", 0x1_0001),
        ("box:cylinder:16x56:sides=8", 0x1_0001),
        ("point:point", 0x2001),
        ("box:16x56:contents=solid", 1),
        ("point:point:contents=solid+playerclip", 0x1_0001),
        ("water:point:contents=water", 32),
        ("monster:16x56:contents=solid+monsterclip", 0x2_0001),
        ("hex:16x56:contents=0x10001", 0x1_0001),
        ("decimal:16x56:contents=33", 33),
        ("mixed:16x56:contents=water+0x8", 40),
        ("top:point:contents=0x80000000", 0x8000_0000),
    ];
    for (option, contents) in table {
        folder.succeed(&format!("map.bsp --hull {option}"));
        assert_eq!(folder.hulls()[0]["contents"], contents, "{option}");
    }
}

#[test]
fn hulls_that_are_not_understood_are_usage_errors() {
    Folder::with_map("room").fail_each(
        USAGE,
        r#"
        map.bsp --hull stand => --hull & NAME:RxH
        map.bsp --hull :16x56 => --hull & 1 to 32 letters
        map.bsp --hull st!nd:16x56 => --hull & 1 to 32 letters
        map.bsp --hull a23456789012345678901234567890123:16x56 => --hull & 1 to 32 letters
        map.bsp --hull a: => --hull & write RxH
        map.bsp --hull a:16 => --hull & write RxH
        map.bsp --hull a:16x => --hull & cannot read "16x"; write half-width x height, such as 16x56
        map.bsp --hull a:32x32x56 => --hull & cannot read "32x32x56"; write half-width
        map.bsp --hull a:16xtall => --hull & "16xtall"; write half-width
        map.bsp --hull a:16xnan => --hull & "16xnan"; write half-width
        map.bsp --hull a:16xinf => --hull & "16xinf"; write half-width
        map.bsp --hull a:max=1,1,1 => --hull & "max=1,1,1"; write RxH
        map.bsp --hull a:16x56@head => --hull & "head" is not an origin; write feet, center, or units above the feet
        map.bsp --hull a:16x56@ => --hull & "" is not an origin
        map.bsp --hull a:point@24 => --hull & a point is its own origin; write a:point, without @
        map.bsp --hull a:mins=0,0,0 => --hull & mins= without maxs=; write both
        map.bsp --hull a:maxs=0,0,0 => --hull & maxs= without mins=; write both
        map.bsp --hull a:mins=0,0:maxs=1,1,1 => --hull & "0,0"
        map.bsp --hull a:mins=0,0,no:maxs=1,1,1 => --hull & "no"
        map.bsp --hull a:mins=2,0,0:maxs=1,1,1 => --hull & inside out
        map.bsp --hull a:-16x56 => --hull & half-width and height must be above 0
        map.bsp --hull a:16x-1 => --hull & half-width and height must be above 0
        map.bsp --hull a:0x56 => --hull & half-width and height must be above 0
        map.bsp --hull a:16x0 => --hull & half-width and height must be above 0
        map.bsp --hull a:0x0 => --hull & NAME:point is a point
        map.bsp --hull a:mins=0,0,0:mins=0,0,0:maxs=1,1,1 => --hull & mins= is written twice
        map.bsp --hull a:mins=0,0,0:maxs=1,1,1:maxs=1,1,1 => --hull & maxs= is written twice
        map.bsp --hull a:16x56:24x60 => --hull & the size is written twice; write it once
        map.bsp --hull a:16x56:point => --hull & the size is written twice
        map.bsp --hull a:16x56:mins=0,0,0 => --hull & a size and corners; write either RxH or point, or mins= and maxs=
        map.bsp --hull a:mins=0,0,0:16x56 => --hull & a size and corners
        map.bsp --hull a:maxs=1,1,1:16x56 => --hull & a size and corners
        map.bsp --hull a:cylinder:16x56:mins=0,0,0:maxs=1,1,1 => --hull & a size and corners
        map.bsp --hull a:1x1:contents=solid:contents=water => --hull & contents= is written twice
        map.bsp --hull a:0.0001x56 => --hull & narrower than 1/2048 unit
        map.bsp --hull a:mins=0,0,0:maxs=1,0.0001,1 => --hull & narrower than 1/2048 unit
        map.bsp --hull a:16x5000 => --hull & 4096
        map.bsp --hull a:16x56:contents=stone => --hull & use solid, window
        map.bsp --hull a:16x56:contents= => --hull & use solid, window
        map.bsp --hull a:16x56:contents=solid+ => --hull & use solid, window
        map.bsp --hull a:16x56:contents=0 => --hull & use solid, window
        map.bsp --hull a:16x56 --origin waist => --origin & "waist" is not an origin"#,
    );
}

#[test]
fn prisms_that_are_not_understood_are_usage_errors() {
    Folder::with_map("room").fail_each(
        USAGE,
        r#"
        map.bsp --hull a:cylinder:5000x56 => --hull & 4096
        map.bsp --hull a:cylinder:1e9x56 => --hull & 4096
        map.bsp --hull a:cylinder:1e300x56:within => --hull & 4096
        map.bsp --hull a:cylinder:16x0.0001 => --hull & an upright prism & a box with a height
        map.bsp --hull a:cylinder:0x56 => --hull & half-width and height must be above 0
        map.bsp --hull a:cylinder:0.0001x56 => --hull & too small for 16 sides & 1/2048 unit
        map.bsp --hull a:cylinder:0.01x56:sides=32:within => --hull & too small for 32 sides
        map.bsp --hull a:cylinder:16x56:sides=12 => --hull & a cylinder has 8, 16 or 32 sides, not "12"
        map.bsp --hull a:cylinder:16x56:sides= => --hull & 8, 16 or 32 sides, not ""
        map.bsp --hull a:cylinder:16x56:sides=8:sides=8 => --hull & sides= is written twice
        map.bsp --hull a:cylinder:cylinder:16x56 => --hull & cylinder is written twice
        map.bsp --hull a:within:cylinder:16x56:within => --hull & within is written twice
        map.bsp --hull a:cylinder=:16x56 => --hull & "cylinder="; write RxH
        map.bsp --hull a:cylinder => --hull & need a size; write NAME:cylinder:RxH
        map.bsp --hull a:cylinder:point => --hull & need a size
        map.bsp --hull a:16x56:sides=8 => --hull & need a size
        map.bsp --hull a:16x56:within => --hull & need a size
        map.bsp --hull a:cylinder:mins=0,0,0:maxs=1,1,1 => --hull & need a size
        map.bsp --hull a:side=1,0:side=0,1 => --hull & side= without mins= and maxs=; write the box
        map.bsp --hull a:16x56:side=1,0:side=0,1 => --hull & side= without mins= and maxs=
        map.bsp --hull a:mins=0,0,0:side=1,0 => --hull & mins= without maxs=; write both
        map.bsp --hull a:mins=0,0,0:maxs=2,2,1:side=1 => --hull & cannot read "1"
        map.bsp --hull a:mins=0,0,0:maxs=2,2,1:side=1,x => --hull & "x" is not a number
        map.bsp --hull a:mins=0,0,0:maxs=2,0,1:side=1,0 => --hull & half of each of 2 to 16 sides, counterclockwise
        map.bsp --hull a:mins=0,0,0:maxs=2,2,1:side=0,1:side=1,0 => --hull & an upright prism
        map.bsp --hull a:mins=0,0,0:maxs=2,2,1:side=1,0:side=0,-1 => --hull & an upright prism
        map.bsp --hull a:mins=0,0,0:maxs=2,2,1:side=-1,0:side=0,1 => --hull & an upright prism
        map.bsp --hull a:mins=0,0,0:maxs=4,2,1:side=1,0:side=1,0:side=0,1 => --hull & an upright prism
        map.bsp --hull a:mins=0,0,0:maxs=2,3,1:side=1,0:side=0,1 => --hull & an upright prism
        map.bsp --hull a:mins=0,0,0:maxs=3,2,1:side=1,0:side=0,1 => --hull & an upright prism
        map.bsp --hull a:mins=0,0,1:maxs=2,2,1:side=1,0:side=0,1 => --hull & a box with a height"#,
    );
}

#[test]
fn hulls_are_told_apart_and_counted() {
    let folder = Folder::with_map("room");
    let arguments = "map.bsp --hull stand:16x56 --hull stand:16x32";
    folder.fail(arguments, USAGE, &["--hull stand", "its own name"]);
    let hulls = |count: usize| {
        let options = (0..count).map(|number| format!(" --hull h{number}:{}x56", number + 1));
        format!("map.bsp{}", options.collect::<String>())
    };
    folder.fail(&hulls(65), USAGE, &["65 hulls", "at most 64"]);
    folder.succeed(&hulls(64));
    assert_eq!(folder.hulls().len(), 64, "64 are not too many");
}

/// A width other than 0 never becomes 0, and a cube that stands in for a point is exactly as wide as requested.
#[test]
fn a_seal_is_as_wide_as_it_says() {
    let folder = Folder::with_map("room");
    for width in ["0.0001", "1e-9", "-0.125", "inf", "wide"] {
        folder.fail(
            &format!("map.bsp --hull point:point --seal {width}"),
            USAGE,
            &["--seal"],
        );
    }
    let point = onion_compiler::hull::resolve(&["point:point".parse().unwrap()], None).unwrap();
    for steps in [1u16, 2, 3, 255, 256] {
        let width = f64::from(steps) / 2048.0;
        let cube = point[0].widened(width.to_string().parse().unwrap());
        assert_eq!(
            [0, 1, 2].map(|axis| f64::from(cube.extent(axis))),
            [width; 3]
        );
    }
}
