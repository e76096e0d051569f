//! `onion.h` matches the library: sizes, offsets and numbers are the same in both languages, and the library exports
//! the functions of the header and nothing else.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::mem::{align_of, offset_of, size_of};
use std::process::Command;

use onion::{
    AgentClassState, AgentState, FitResult, FloorInfo, FollowerState, GroundResult, HitResult,
    HullInfo, LinkInfo, LinkedHandle, LinkedPortal, LinkedTraceResult, MapMemory, ModelHandle,
    ModelInfo, MoverState, PathCostsState, PathPointState, PathResult, PoseState, Progress,
    RideResult, SceneHandle, ScratchMemory, ShapeSpec, ShapeTraceResult, SourceKind, Status,
    TraceResult, TransitionKind, TransitionResult,
};
use onion_runtime::LoadError;
use onion_runtime::movement::{WalkSettings, WaterLevel};
use onion_runtime::navigation::LinkKind;
use onion_tests::command;
use onion_tests::skips::skip;
use tempfile::TempDir;

use super::{C_FLAGS, c_compiler, interface, library, succeed};

/// Layouts of structs: for each its name in C, its type, size and alignment, and the offset and size of each member.
/// They are the interface: once released, none may change.
macro_rules! layouts {
    ($($name:literal $kind:ty, $size:literal, $align:literal {
        $($field:ident $offset:literal, $field_size:literal;)*
    })*) => {
        /// Returns the differences between the table and the layouts in Rust.
        fn wrong_layouts() -> Vec<String> {
            let mut wrong = Vec::new();
            let mut check = |what: String, actual: usize, expected: usize| if actual != expected {
                wrong.push(format!("{what} is {actual}, not {expected}"));
            };
            $(
                check(format!("size of {}", $name), size_of::<$kind>(), $size);
                check(format!("alignment of {}", $name), align_of::<$kind>(), $align);
                let sum = [$($field_size),*].iter().sum::<usize>();
                check(format!("members of {}: what is not padding", $name), sum, $size);
                $(
                    let field = concat!($name, ".", stringify!($field));
                    check(format!("offset of {field}"), offset_of!($kind, $field), $offset);
                    let actual = size_of_field(|kind: &$kind| &kind.$field);
                    check(format!("size of {field}"), actual, $field_size);
                )*
            )*
            wrong
        }

        /// Returns the table as conditions in C.
        fn c_layouts() -> Vec<String> {
            let mut conditions = Vec::new();
            $(
                conditions.push(format!("sizeof({}) == {}", $name, $size));
                let probe = concat!("struct { char at; ", $name, " value; }");
                conditions.push(format!("offsetof({probe}, value) == {}", $align));
                $(
                    let field = stringify!($field);
                    conditions.push(format!("offsetof({}, {field}) == {}", $name, $offset));
                    conditions.push(format!("sizeof((({} *)0)->{field}) == {}", $name, $field_size));
                )*
            )*
            conditions
        }

        const STRUCTS: &[&str] = &[$($name),*];
    };
}

fn size_of_field<S, F>(_: impl Fn(&S) -> &F) -> usize {
    size_of::<F>()
}

layouts! {
    "onion_map" MapMemory, 640, 8 {
        opaque 0, 640;
    }
    "onion_hull_info" HullInfo, 72, 8 {
        hull 0, 8;
        name 8, 33;
        filled 41, 1;
        reserved 42, 2;
        mins 44, 12;
        maxs 56, 12;
        contents 68, 4;
    }
    "onion_model" ModelHandle, 24, 8 {
        map 0, 8;
        margin 8, 8;
        index 16, 4;
        reserved 20, 4;
    }
    "onion_model_info" ModelInfo, 40, 4 {
        origin 0, 12;
        mins 12, 12;
        maxs 24, 12;
        entity 36, 4;
    }
    "onion_trace_result" TraceResult<f32>, 88, 8 {
        fraction 0, 8;
        hit_fraction 8, 8;
        dist 16, 8;
        start 24, 12;
        end 36, 12;
        end_pos 48, 12;
        normal 60, 12;
        plane 72, 4;
        start_solid 76, 1;
        all_solid 77, 1;
        hit 78, 1;
        reserved 79, 9;
    }
    "onion_trace_result_double" TraceResult<f64>, 136, 8 {
        fraction 0, 8;
        hit_fraction 8, 8;
        dist 16, 8;
        start 24, 24;
        end 48, 24;
        end_pos 72, 24;
        normal 96, 24;
        plane 120, 4;
        start_solid 124, 1;
        all_solid 125, 1;
        hit 126, 1;
        reserved 127, 9;
    }
    "onion_hit_result" HitResult, 48, 4 {
        brush 0, 4;
        contents 4, 4;
        source_kind 8, 4;
        source 12, 4;
        side 16, 4;
        surface 20, 4;
        surface_flags 24, 4;
        surface_contents 28, 4;
        model 32, 4;
        entity 36, 4;
        found 40, 1;
        is_bevel 41, 1;
        reserved 42, 6;
    }
    "onion_fit_result" FitResult, 16, 4 {
        point 0, 12;
        found 12, 1;
        reserved 13, 3;
    }
    "onion_floor" FloorInfo, 40, 8 {
        normal 0, 24;
        dist 24, 8;
        n_corners 32, 4;
        reserved 36, 4;
    }
    "onion_walk_settings" WalkSettings, 20, 4 {
        step_height 0, 4;
        min_ground_z 4, 4;
        gravity 8, 4;
        air_control 12, 4;
        max_unstick 16, 4;
    }
    "onion_ground" GroundResult, 48, 4 {
        normal 0, 12;
        velocity 12, 12;
        object 24, 4;
        brush 28, 4;
        contents 32, 4;
        surface 36, 4;
        surface_flags 40, 4;
        found 44, 1;
        has_surface 45, 1;
        reserved 46, 2;
    }
    "onion_ride" RideResult, 8, 4 {
        crushed_by 0, 4;
        pushed_by 4, 4;
    }
    "onion_agent" AgentState, 128, 8 {
        stance 0, 8;
        position 8, 12;
        velocity 20, 12;
        ground 32, 48;
        met 80, 48;
    }
    "onion_shape" ShapeSpec, 136, 8 {
        kind 0, 4;
        n_sides 4, 4;
        a 8, 24;
        b 32, 24;
        axes 56, 72;
        radius 128, 8;
    }
    "onion_shape_trace_result" ShapeTraceResult<f32>, 96, 8 {
        fraction 0, 8;
        hit_fraction 8, 8;
        end_pos 16, 12;
        normal 28, 12;
        met 40, 48;
        mover 88, 4;
        start_solid 92, 1;
        all_solid 93, 1;
        hit 94, 1;
        reserved 95, 1;
    }
    "onion_shape_trace_result_double" ShapeTraceResult<f64>, 120, 8 {
        fraction 0, 8;
        hit_fraction 8, 8;
        end_pos 16, 24;
        normal 40, 24;
        met 64, 48;
        mover 112, 4;
        start_solid 116, 1;
        all_solid 117, 1;
        hit 118, 1;
        reserved 119, 1;
    }
    "onion_pose" PoseState, 56, 8 {
        origin 0, 24;
        rotation 24, 32;
    }
    "onion_mover" MoverState, 120, 8 {
        from 0, 56;
        to 56, 56;
        model 112, 4;
        reserved 116, 4;
    }
    "onion_scene" SceneHandle, 32, 8 {
        map 0, 8;
        movers 8, 8;
        n_movers 16, 8;
        margin 24, 8;
    }
    "onion_agent_class" AgentClassState, 104, 8 {
        hulls 0, 8;
        speed 8, 8;
        jump 16, 8;
        drop 24, 8;
        swim 32, 8;
        climb 40, 8;
        settings 48, 20;
        name 68, 33;
        reserved 101, 3;
    }
    "onion_link" LinkInfo, 64, 8 {
        right 0, 16;
        left 16, 16;
        across 32, 16;
        from 48, 4;
        to 52, 4;
        kind 56, 4;
        turns 60, 2;
        only_to_goal 62, 1;
        upright 63, 1;
    }
    "onion_path_costs" PathCostsState, 40, 8 {
        crouched 0, 8;
        switch_stance 8, 8;
        drop 16, 8;
        jump 24, 8;
        climb 32, 8;
    }
    "onion_path_point" PathPointState, 40, 8 {
        position 0, 24;
        hull 24, 8;
        floor 32, 4;
        kind 36, 4;
    }
    "onion_path_result" PathResult, 24, 8 {
        length 0, 8;
        cost 8, 8;
        n_points 16, 4;
        reserved 20, 4;
    }
    "onion_path_scratch" ScratchMemory, 128, 8 {
        opaque 0, 128;
    }
    "onion_path_follower" FollowerState, 24, 8 {
        nearest 0, 8;
        waited 8, 8;
        next 16, 4;
        has_jumped 20, 1;
        reserved 21, 3;
    }
    "onion_linked_portal" LinkedPortal, 48, 8 {
        center 0, 24;
        half_size 24, 16;
        facing 40, 4;
        partner 44, 4;
    }
    "onion_linked_world" LinkedHandle, 48, 8 {
        scene 0, 32;
        portals 32, 8;
        n_portals 40, 8;
    }
    "onion_linked_trace_result" LinkedTraceResult<f32>, 40, 8 {
        fraction 0, 8;
        end_pos 8, 12;
        normal 20, 12;
        object 32, 4;
        hit 36, 1;
        reserved 37, 3;
    }
    "onion_linked_trace_result_double" LinkedTraceResult<f64>, 64, 8 {
        fraction 0, 8;
        end_pos 8, 24;
        normal 32, 24;
        object 56, 4;
        hit 60, 1;
        reserved 61, 3;
    }
    "onion_transition" TransitionResult, 80, 8 {
        fraction 0, 8;
        dist 8, 8;
        point 16, 24;
        normal 40, 24;
        kind 64, 4;
        from_leaf 68, 4;
        to_leaf 72, 4;
        has_plane 76, 1;
        reserved 77, 3;
    }
}

/// Every whole number that the header names: its value in the header, and its value in Rust.
const NUMBERS: &[(&str, u32, u32)] = &[
    ("ONION_OK", 0, Status::Ok as u32),
    ("ONION_ERROR_POINTER", 1, Status::Pointer as u32),
    ("ONION_ERROR_NOT_LOADED", 2, Status::NotLoaded as u32),
    ("ONION_ERROR_COUNT", 3, Status::Count as u32),
    ("ONION_ERROR_MODEL", 4, Status::Model as u32),
    ("ONION_ERROR_HULL", 5, Status::Hull as u32),
    ("ONION_ERROR_BOX", 6, Status::Box as u32),
    ("ONION_ERROR_LEAF", 7, Status::Leaf as u32),
    ("ONION_ERROR_NO_BRUSHES", 8, Status::NoBrushes as u32),
    ("ONION_ERROR_SURFACE", 9, Status::Surface as u32),
    ("ONION_ERROR_NO_HIT_DATA", 10, Status::NoHitData as u32),
    ("ONION_ERROR_ENTITY", 11, Status::Entity as u32),
    ("ONION_ERROR_NO_ENTITIES", 12, Status::NoEntities as u32),
    ("ONION_ERROR_SHAPE", 13, Status::Shape as u32),
    ("ONION_ERROR_POSE", 14, Status::Pose as u32),
    ("ONION_ERROR_PORTAL", 15, Status::Portal as u32),
    ("ONION_ERROR_FLOOR", 16, Status::Floor as u32),
    ("ONION_ERROR_NO_FLOORS", 17, Status::NoFloors as u32),
    ("ONION_ERROR_AGENT_CLASS", 18, Status::AgentClass as u32),
    ("ONION_ERROR_LINK", 19, Status::Link as u32),
    ("ONION_ERROR_NO_LINKS", 20, Status::NoLinks as u32),
    ("ONION_ERROR_NO_AGENT", 21, Status::NoAgent as u32),
    ("ONION_ERROR_NO_START", 22, Status::NoStart as u32),
    ("ONION_ERROR_NO_GOAL", 23, Status::NoGoal as u32),
    ("ONION_ERROR_NO_WAY", 24, Status::NoWay as u32),
    ("ONION_ERROR_PATH_SCRATCH", 25, Status::PathScratch as u32),
    ("ONION_ERROR_PATH_POINTS", 26, Status::PathPoints as u32),
    ("ONION_ERROR_PATH_POINT", 27, Status::PathPoint as u32),
    ("ONION_ERROR_FILE_MAGIC", 32, Status::FileMagic as u32),
    (
        "ONION_ERROR_FILE_TRUNCATED",
        33,
        Status::FileTruncated as u32,
    ),
    ("ONION_ERROR_FILE_VERSION", 34, Status::FileVersion as u32),
    ("ONION_ERROR_FILE_LENGTH", 35, Status::FileLength as u32),
    ("ONION_ERROR_FILE_CHECKSUM", 36, Status::FileChecksum as u32),
    ("ONION_ERROR_FILE_CHUNK", 37, Status::FileChunk as u32),
    ("ONION_ERROR_FILE_RECORD", 38, Status::FileRecord as u32),
    ("ONION_ERROR_FILE_OTHER", 39, Status::FileOther as u32),
    ("ONION_STATUS_SIZE", 0x7fff_ffff, 0x7fff_ffff),
    ("ONION_VERSION", 0x00_01_00, onion::VERSION),
    ("ONION_HULL_NAME_SIZE", 33, onion::HULL_NAME_SIZE as u32),
    ("ONION_NO_ENTITY", 0xffff_ffff, onion::NO_ENTITY),
    ("ONION_NO_PLANE", 0xffff_ffff, onion::NO_PLANE),
    (
        "ONION_SURFACE_NAME_SIZE",
        65,
        onion::SURFACE_NAME_SIZE as u32,
    ),
    ("ONION_SOURCE_BRUSH", 0, SourceKind::Brush as u32),
    ("ONION_SOURCE_PATCH", 1, SourceKind::Patch as u32),
    ("ONION_SOURCE_KIND_SIZE", 0x7fff_ffff, 0x7fff_ffff),
    ("ONION_ALL_CONTENTS", 0xffff_ffff, onion::ALL_CONTENTS),
    ("ONION_NO_LEAF", 0xffff_ffff, onion::NO_LEAF),
    ("ONION_NO_FLOOR", 0xffff_ffff, onion::NO_FLOOR),
    ("ONION_WATER_DRY", 0, WaterLevel::Dry as u32),
    ("ONION_WATER_FEET", 1, WaterLevel::Feet as u32),
    ("ONION_WATER_WAIST", 2, WaterLevel::Waist as u32),
    ("ONION_WATER_EYES", 3, WaterLevel::Eyes as u32),
    ("ONION_WATER_LEVEL_SIZE", 0x7fff_ffff, 0x7fff_ffff),
    ("ONION_SHAPE_BOX", 0, onion::SHAPE_BOX),
    ("ONION_SHAPE_CAPSULE", 1, onion::SHAPE_CAPSULE),
    ("ONION_SHAPE_TURNED_BOX", 2, onion::SHAPE_TURNED_BOX),
    ("ONION_SHAPE_CYLINDER", 3, onion::SHAPE_CYLINDER),
    ("ONION_SHAPE_KIND_SIZE", 0x7fff_ffff, 0x7fff_ffff),
    ("ONION_NO_MOVER", 0xffff_ffff, onion::NO_MOVER),
    ("ONION_MAX_MOVERS", 512, onion::MAX_MOVERS as u32),
    ("ONION_NO_AGENT_CLASS", 0xffff_ffff, onion::NO_AGENT_CLASS),
    ("ONION_LINK_WALK", 0, LinkKind::Walk as u32),
    ("ONION_LINK_CROUCH", 1, LinkKind::Crouch as u32),
    ("ONION_LINK_STAND", 2, LinkKind::Stand as u32),
    ("ONION_LINK_DROP", 3, LinkKind::Drop as u32),
    ("ONION_LINK_JUMP", 4, LinkKind::Jump as u32),
    ("ONION_LINK_SWIM", 5, LinkKind::Swim as u32),
    ("ONION_LINK_CLIMB", 6, LinkKind::Climb as u32),
    ("ONION_LINK_TELEPORT", 7, LinkKind::Teleport as u32),
    ("ONION_LINK_JUMP_PAD", 8, LinkKind::JumpPad as u32),
    ("ONION_LINK_LIFT", 9, LinkKind::Lift as u32),
    ("ONION_LINK_KIND_SIZE", 0x7fff_ffff, 0x7fff_ffff),
    ("ONION_FOLLOWING", 0, Progress::Following as u32),
    ("ONION_ARRIVED", 1, Progress::Arrived as u32),
    ("ONION_STUCK", 2, Progress::Stuck as u32),
    ("ONION_PROGRESS_SIZE", 0x7fff_ffff, 0x7fff_ffff),
    (
        "ONION_MAX_LINKED_PORTALS",
        256,
        onion::MAX_LINKED_PORTALS as u32,
    ),
    ("ONION_EMPTY", 0, TransitionKind::Empty as u32),
    ("ONION_SOLID", 1, TransitionKind::Solid as u32),
    ("ONION_ENTER_SOLID", 2, TransitionKind::EnterSolid as u32),
    ("ONION_LEAVE_SOLID", 3, TransitionKind::LeaveSolid as u32),
    ("ONION_TRANSITION_KIND_SIZE", 0x7fff_ffff, 0x7fff_ffff),
];

/// Each kind of error of a file has its own number.
#[test]
fn errors_of_files_have_numbers_of_their_own() {
    let record = LoadError::BadRecord {
        tag: *b"NODE",
        index: 3,
        rule: "",
    };
    for (error, number) in [
        (LoadError::BadMagic, 32),
        (LoadError::Truncated(5), 33),
        (LoadError::UnknownVersion(9), 34),
        (LoadError::BadLength(7), 35),
        (LoadError::BadChecksum, 36),
        (LoadError::BadChunk(40), 37),
        (record, 38),
    ] {
        assert_eq!(Status::from(error) as u32, number, "{error}");
    }
}

/// Returns the header without comments.
fn header() -> String {
    let text = fs::read_to_string(interface().join("onion.h")).unwrap();
    let mut parts = text.split("/*");
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |code, part| {
        code + part.split_once("*/").expect("a comment ends").1
    })
}

/// Writes a text that fails to compile unless all conditions hold.
fn c_assertions(conditions: &[String]) -> String {
    let mut text = "#include \"onion.h\"\n".to_owned();
    for (number, condition) in conditions.iter().enumerate() {
        writeln!(text, "typedef char holds_{number}[({condition}) ? 1 : -1];").unwrap();
    }
    text
}

/// Compiles a text as C or as C++; fails with the compiler's messages.
fn compiles(compiler: &str, language: &[&str], text: &str) -> Result<(), String> {
    let folder = TempDir::new().unwrap();
    let source = folder.path().join("text.c");
    fs::write(&source, text).unwrap();
    let mut command = Command::new(compiler);
    command.args(language).args(["-fsyntax-only", "-I"]);
    let output = command.arg(interface()).arg(source).output().unwrap();
    if output.status.success() {
        Ok(())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

#[test]
fn layouts_and_numbers_are_those_of_the_table_in_both_languages() {
    let mut wrong = wrong_layouts();
    for (name, c, rust) in NUMBERS {
        if c != rust {
            wrong.push(format!("{name} is {rust} in Rust, not {c}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let mut conditions = c_layouts();
    conditions.extend(NUMBERS.iter().map(|(name, c, _)| format!("{name} == {c}u")));
    for kind in [
        "onion_status",
        "onion_source_kind",
        "onion_water_level",
        "onion_shape_kind",
        "onion_link_kind",
        "onion_progress",
        "onion_transition_kind",
    ] {
        conditions.push(format!("sizeof({kind}) == 4"));
    }
    compiles(&c_compiler(), &C_FLAGS, &c_assertions(&conditions)).unwrap();
    // The compiler does reject a false condition.
    for condition in conditions {
        let (left, right) = condition.split_once("==").unwrap();
        let otherwise = format!("{left} == 1 + {right}");
        // One condition of each kind is enough, because each takes a compile.
        if ["onion_map", "onion_hull_info, filled", "ONION_OK"]
            .iter()
            .any(|what| left.contains(what))
        {
            compiles(&c_compiler(), &C_FLAGS, &c_assertions(&[otherwise])).unwrap_err();
        }
    }
}

#[test]
fn the_table_has_all_of_the_header() {
    let header = header();
    let word = |text: &str| {
        let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        text[..end.unwrap_or(text.len())].to_owned()
    };
    let structs: BTreeSet<_> = header.split("typedef struct ").skip(1).map(word).collect();
    assert_eq!(
        structs,
        STRUCTS.iter().map(|&name| name.to_owned()).collect()
    );

    let named = |line: &str| {
        let define = line.strip_prefix("#define ");
        let parts = match define {
            Some(define) => define.split_once(' '),
            None => line.trim().split_once(" = "),
        };
        parts.map(|(name, _)| name.to_owned())
    };
    let mut numbers: BTreeSet<_> = header.lines().filter_map(named).collect();
    assert!(
        numbers.remove("ONION_DEFAULT_MARGIN"),
        "a distance is none of the whole numbers"
    );
    // The bits of contents are compared in `files`.
    numbers.retain(|name| !name.starts_with("ONION_CONTENTS_"));
    assert_eq!(
        numbers,
        NUMBERS
            .iter()
            .map(|(name, ..)| (*name).to_owned())
            .collect()
    );
}

#[test]
fn the_header_is_also_one_of_cpp() {
    let Some(compiler) = command::compiler("CXX", &["c++", "g++", "clang++"]) else {
        skip("the header for C in C++: no C++ compiler, set CXX");
        return;
    };
    let text = "#include \"onion.h\"\n\
                extern \"C\" { typedef onion_status signature(onion_map *, const void *, size_t); }\n\
                signature *load = &onion_load;\n\
                onion_status status = ONION_OK;\n";
    let language = [
        "-x",
        "c++",
        "-std=c++11",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-pedantic",
    ];
    compiles(&compiler, &language, text).unwrap();
}

/// A declared function is a name before an opening parenthesis.
#[test]
fn the_library_exports_what_the_header_declares() {
    let header = header();
    let ends = header.match_indices('(').map(|(at, _)| &header[..at]);
    let names = ends.filter_map(|before| {
        let start = before.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
        before
            .get(start + 1..)
            .filter(|name| name.starts_with("onion_"))
    });
    let declared: BTreeSet<String> = names.map(str::to_owned).collect();
    assert!(declared.len() > 20, "{declared:?}");

    let mac = cfg!(target_os = "macos");
    let file = format!(
        "{}onion{}",
        std::env::consts::DLL_PREFIX,
        std::env::consts::DLL_SUFFIX
    );
    let options: &[&str] = if mac {
        &["-gU"]
    } else {
        &["-D", "--defined-only"]
    };
    let nm = std::env::var("NM").unwrap_or_else(|_| "nm".to_owned());
    let output = succeed(Command::new(nm).args(options).arg(library().join(file)));
    let symbols = String::from_utf8(output.stdout).unwrap();
    let name = |line: &str| {
        let name = line.split_whitespace().last()?;
        Some(
            name.strip_prefix('_')
                .filter(|_| mac)
                .unwrap_or(name)
                .to_owned(),
        )
    };
    let exported: BTreeSet<String> = symbols.lines().filter_map(name).collect();
    assert_eq!(exported, declared);
}
