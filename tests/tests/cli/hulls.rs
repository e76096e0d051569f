//! The text of `--hull` and `--origin`: the boxes and contents that it stands for, and the texts that
//! are refused.

use serde_json::json;

use crate::folder::*;

/// A `--hull` option and further options, and the box they stand for.
type Resolution = (&'static str, [f64; 3], [f64; 3]);

const RESOLUTIONS: [Resolution; 15] = [
    ("stand:16x56", [-16.0, -16.0, -24.0], [16.0, 16.0, 32.0]),
    ("crouch:16x32", [-16.0, -16.0, -24.0], [16.0, 16.0, 8.0]),
    // No taller than 24: centered, because its origin would be above its head.
    ("small:8x16", [-8.0, -8.0, -8.0], [8.0, 8.0, 8.0]),
    ("edge:8x24", [-8.0, -8.0, -12.0], [8.0, 8.0, 12.0]),
    ("feet:16x56@feet", [-16.0, -16.0, 0.0], [16.0, 16.0, 56.0]),
    (
        "center:16x56@center",
        [-16.0, -16.0, -28.0],
        [16.0, 16.0, 28.0],
    ),
    ("n:16x56@40", [-16.0, -16.0, -40.0], [16.0, 16.0, 16.0]),
    ("half:16x56@0.5", [-16.0, -16.0, -0.5], [16.0, 16.0, 55.5]),
    (
        "all:16x56 --origin feet",
        [-16.0, -16.0, 0.0],
        [16.0, 16.0, 56.0],
    ),
    ("all:8x16 --origin 10", [-8.0, -8.0, -10.0], [8.0, 8.0, 6.0]),
    (
        "own:16x56@center --origin feet",
        [-16.0, -16.0, -28.0],
        [16.0, 16.0, 28.0],
    ),
    (
        "long:mins=-15,-15,-24:maxs=15,15,32",
        [-15.0, -15.0, -24.0],
        [15.0, 15.0, 32.0],
    ),
    (
        "long:mins=-15,-15,-24:maxs=15,15,32 --origin feet",
        [-15.0, -15.0, -24.0],
        [15.0, 15.0, 32.0],
    ),
    ("point:point", [0.0; 3], [0.0; 3]),
    // Zero in a corner is not an error.
    ("line:mins=0,0,0:maxs=0,0,56", [0.0; 3], [0.0, 0.0, 56.0]),
];

#[test]
fn hulls_resolve_to_boxes() {
    let folder = Folder::with_map("room");
    for (options, mins, maxs) in RESOLUTIONS {
        folder.succeed(&format!("map.bsp --hull {options}"));
        let hulls = folder.hulls();
        assert_eq!(hulls.len(), 1, "{options}");
        assert_eq!(hulls[0]["mins"], json!(mins), "mins of {options}");
        assert_eq!(hulls[0]["maxs"], json!(maxs), "maxs of {options}");
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

/// Long: a table.
#[test]
fn hulls_that_are_not_understood_are_usage_errors() {
    let folder = Folder::with_map("room");
    let table = [
        ("stand", "NAME:RxH"),
        (":16x56", "1 to 32 letters"),
        ("st!nd:16x56", "1 to 32 letters"),
        ("a23456789012345678901234567890123:16x56", "1 to 32 letters"),
        ("a:", "write RxH"),
        ("a:16", "write RxH"),
        (
            "a:16x",
            "cannot read \"16x\"; write half-width x height, such as 16x56",
        ),
        ("a:32x32x56", "cannot read \"32x32x56\"; write half-width"),
        ("a:16xtall", "\"16xtall\"; write half-width"),
        ("a:16xnan", "\"16xnan\"; write half-width"),
        ("a:16xinf", "\"16xinf\"; write half-width"),
        ("a:max=1,1,1", "\"max=1,1,1\"; write RxH"),
        (
            "a:16x56@head",
            "\"head\" is not an origin; write feet, center, or units above the feet",
        ),
        ("a:16x56@", "\"\" is not an origin"),
        ("a:16x56:16x32", "\"16x32\""),
        ("a:mins=0,0,0", "mins= without maxs=; write both"),
        ("a:maxs=0,0,0", "maxs= without mins=; write both"),
        ("a:16x56:maxs=1,1,1", "NAME:mins=X,Y,Z:maxs=X,Y,Z"),
        ("a:mins=0,0:maxs=1,1,1", "\"0,0\""),
        ("a:mins=0,0,no:maxs=1,1,1", "\"no\""),
        ("a:mins=2,0,0:maxs=1,1,1", "inside out"),
        ("a:-16x56", "half-width and height must be above 0"),
        ("a:16x-1", "half-width and height must be above 0"),
        ("a:0x56", "half-width and height must be above 0"),
        ("a:16x0", "half-width and height must be above 0"),
        ("a:0x0", "NAME:point is a point"),
        (
            "a:mins=0,0,0:mins=0,0,0:maxs=1,1,1",
            "mins= is written twice",
        ),
        (
            "a:mins=0,0,0:maxs=1,1,1:maxs=1,1,1",
            "maxs= is written twice",
        ),
        (
            "a:1x1:contents=solid:contents=water",
            "contents= is written twice",
        ),
        ("a:0.0001x56", "narrower than 1/2048 unit"),
        ("a:mins=0,0,0:maxs=1,0.0001,1", "narrower than 1/2048 unit"),
        ("a:16x5000", "4096"),
        ("a:16x56:contents=stone", "use solid, "),
        ("a:16x56:contents=", "use solid, "),
        ("a:16x56:contents=solid+", "use solid, "),
        ("a:16x56:contents=0", "use solid, "),
    ];
    for (hull, advice) in table {
        let arguments = format!("map.bsp --hull {hull}");
        folder.fail(&arguments, USAGE, &["--hull", advice]);
    }
    let arguments = "map.bsp --hull a:16x56 --origin waist";
    folder.fail(
        arguments,
        USAGE,
        &["--origin", "\"waist\" is not an origin"],
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
