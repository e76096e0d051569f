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

#[test]
fn hulls_resolve_to_contents() {
    let folder = Folder::with_map("room");
    let table = [
        ("box:16x56", 0x1_0001_u32),
        ("box:mins=0,0,0:maxs=1,1,1", 0x1_0001),
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
        map.bsp --hull a:16x56:16x32 => --hull & "16x32"
        map.bsp --hull a:mins=0,0,0 => --hull & mins= without maxs=; write both
        map.bsp --hull a:maxs=0,0,0 => --hull & maxs= without mins=; write both
        map.bsp --hull a:16x56:maxs=1,1,1 => --hull & NAME:mins=X,Y,Z:maxs=X,Y,Z
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
