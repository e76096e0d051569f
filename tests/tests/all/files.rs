//! The file: hostile bytes give an error or the correct answers, the specification agrees with the code, golden files
//! still load, and the same input gives the same bytes.

use std::cell::Cell;
use std::fs;

use onion_compiler::hull::HullSpec;
use onion_compiler::options::arguments::{self, Recorded};
use onion_compiler::{Fill, Grouping, compile};
use onion_format::{
    AgentRecord, BlockRecord, BoxRecord, BoxesRecord, BrushRecord, CHECKSUM_OFFSET, CHUNK_ORDER,
    ChoiceRecord, CornerRecord, EdgeRecord, EntityRecord, FaceRecord, FieldSpec, FloorCornerRecord,
    FloorLinksRecord, FloorPlaceRecord, FloorRecord, GridRecord, GroupRecord, HEADER_SIZE, HitAt,
    HitRecord, HullRecord, InfoRecord, LinkRecord, ModelRecord, NodeRecord, OPTIONAL_CHUNKS,
    OptionsRecord, PlaneRecord, PrismRecord, Record, RoomRecord, RootRecord, SideRecord,
    SolidRecord, SurfaceRecord, TextRecord,
};
use onion_maps::Map;
use onion_runtime::shape::Shape;
use onion_runtime::{Aabb, HullId, Mover, OnionMap, Pose, Scene};
use onion_tests::cases::{all_cases, sample_case};
use onion_tests::effort::is_long;
use onion_tests::fixtures::{compiled, loaded, made};
use onion_tests::fuzz::ask_for_ways;
use onion_tests::planted::{count, edit, record, records, sign};
use onion_tests::random::Random;
use onion_tests::strange::golden;
use onion_tests::{samples, subject};

fn specification() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../format-spec/FORMAT.md");
    fs::read_to_string(path).unwrap()
}

/// Compiles a sample map with all optional chunks: one hull is a prism.
fn whole_sample(name: &str) -> Vec<u8> {
    let map = &sample_case(name).map;
    let prism = "diamond:mins=-16,-16,-24:maxs=16,16,32:side=8,8:side=-8,8";
    let hulls = [&subject::HULLS[..], &[prism]].concat();
    compiled(map, &hulls, |options| {
        (options.brushes, options.floors) = (true, true);
    })
    .bytes
}

#[test]
fn a_cut_file_is_an_error() {
    let file = whole_sample("room");
    for length in 0..file.len() {
        let cut = OnionMap::from_bytes(&file[..length]);
        assert!(cut.is_err(), "cut to {length} bytes");
    }
    let longer = [file.as_slice(), &[0]].concat();
    assert!(OnionMap::from_bytes(&longer).is_err());
}

#[test]
fn a_flipped_byte_is_an_error() {
    let mut file = whole_sample("room");
    for at in 0..file.len() {
        for flip in [0xff, 0x01, 0x80] {
            file[at] ^= flip;
            let flipped = OnionMap::from_bytes(&file);
            assert!(flipped.is_err(), "byte {at} flipped by {flip:#x}");
            file[at] ^= flip;
        }
    }
    assert!(OnionMap::from_bytes(&file).is_ok());
}

/// With the checksum corrected, only the structure protects: loading gives an error, or a map on which no query
/// panics or fails to end.
#[test]
fn a_flipped_byte_behind_the_checksum_never_panics() {
    for name in ["low_tunnel", "door"] {
        flip_every_byte(whole_sample(name));
    }
}

fn flip_every_byte(mut file: Vec<u8>) {
    let mut n_loaded = 0;
    for at in 0..file.len() {
        let saved = file.clone();
        file[at] ^= 0x55;
        sign(&mut file);
        if let Ok(map) = OnionMap::from_bytes(&file) {
            n_loaded += 1;
            ask_everything(&map);
        }
        file = saved;
    }
    assert!(n_loaded > 0, "planes may have other distances");
}

/// Bytes that may change after a map was made from them.
struct Changing<'a>(Cell<&'a [u8]>);

impl AsRef<[u8]> for &Changing<'_> {
    fn as_ref(&self) -> &[u8] {
        self.0.get()
    }
}

/// Everything is solid in bytes whose length or checksum changed; if they are the same, every query still ends.
#[test]
fn bytes_may_change_behind_a_map() {
    let file = golden("low_tunnel");
    let changing = Changing(Cell::new(&file));
    let map = OnionMap::from_bytes(&changing).unwrap();
    let hull = map.hulls().next().unwrap().id;
    let free = [-200.0, 0.0, 24.0f32];
    assert!(!map.world().is_solid(hull, free));
    let mut other = file.clone();
    edit::<PlaneRecord>(&mut other, 1, |plane| plane.dist += 1.0);
    for other in [&other[..], &file[1..], &[]] {
        changing.0.set(other);
        assert!(map.world().is_solid(hull, free) && map.world().trace(hull, free, free).all_solid);
        assert!(map.world().view(hull).is_solid(free) && map.world().solidity(free).contains(0));
    }
    let mut n_changed = 0;
    let mut change = |change: &mut dyn FnMut(&mut Vec<u8>)| {
        let mut other = file.clone();
        change(&mut other);
        other[CHECKSUM_OFFSET..][..8].copy_from_slice(&file[CHECKSUM_OFFSET..][..8]);
        let changing = Changing(Cell::new(&file));
        let map = OnionMap::from_bytes(&changing).unwrap();
        let hulls: Vec<_> = map.hulls().map(|hull| hull.id).collect();
        changing.0.set(&other);
        ask_all(&map, &hulls, false);
        n_changed += 1;
    };
    for at in (HEADER_SIZE..file.len()).step_by(3) {
        change(&mut |file| file[at] ^= 0xff);
    }
    // A node that leads to itself.
    for node in 0..count(&file, NodeRecord::TAG) {
        change(&mut |file| edit::<NodeRecord>(file, node, |own| own.back = node as u32));
    }
    for choice in 0..count(&file, ChoiceRecord::TAG) {
        let own = HitAt::choice(choice as u32).0;
        change(&mut |file| edit::<ChoiceRecord>(file, choice, |choice| choice.hits = [own; 2]));
    }
    for number in 0..count(&file, BoxRecord::TAG) {
        change(&mut |file| edit::<BoxRecord>(file, number, |own| own.second = number as u32));
    }
    for grid in 0..count(&file, GridRecord::TAG) {
        change(&mut |file| edit::<GridRecord>(file, grid, |grid| grid.counts = [u32::MAX; 3]));
    }
    assert!(n_changed > 3_800, "{n_changed}");
}

/// Every byte of the floors and links may change: a search ends, whatever it finds, and so does a walk.
#[test]
fn links_may_change_behind_a_map() {
    let file = whole_sample("low_tunnel");
    let mut n_changed = 0;
    let chunks = [
        (FloorRecord::TAG, FloorRecord::SIZE),
        (FloorCornerRecord::TAG, FloorCornerRecord::SIZE),
        (FloorPlaceRecord::TAG, FloorPlaceRecord::SIZE),
        (AgentRecord::TAG, AgentRecord::SIZE),
        (FloorLinksRecord::TAG, FloorLinksRecord::SIZE),
        (LinkRecord::TAG, LinkRecord::SIZE),
    ];
    for (tag, size) in chunks {
        let first = records(&file, tag);
        for at in first..first + count(&file, tag) * size {
            let mut other = file.clone();
            other[at] ^= 0x55;
            let changing = Changing(Cell::new(&file));
            let map = OnionMap::from_bytes(&changing).unwrap();
            let hulls: Vec<_> = map.hulls().map(|hull| hull.id).collect();
            changing.0.set(&other);
            let ends = [[-200.0, 0.0, 24.0], [200.0, 0.0, 24.0]];
            for hull in hulls {
                ask_for_ways(&map, hull, ends, &mut Random::new(at as u64));
            }
            n_changed += 1;
        }
    }
    assert!(n_changed > 900, "{n_changed}");
}

fn ask_everything(map: &OnionMap<impl AsRef<[u8]>>) {
    let hulls: Vec<_> = map.hulls().map(|hull| hull.id).collect();
    ask_all(map, &hulls, true);
}

/// Runs every query: each ends, and answers about a checked file make sense.
fn ask_all(map: &OnionMap<impl AsRef<[u8]>>, hulls: &[HullId], is_checked: bool) {
    let points = [
        [0.0, 0.0, 24.0],
        [1e30, f32::NAN, 0.0],
        [-300.0, 200.0, 8.0],
        [f32::INFINITY, 0.0, 0.0],
        [f32::MAX, f32::MIN, 1e-40],
    ];
    for &hull in hulls {
        let ends = [[-200.0, 0.0, 24.0], [200.0, 0.0, 24.0]];
        ask_for_ways(map, hull, ends, &mut Random::new(2));
        for start in points {
            map.world().solidity(start);
            map.world().leaf_at(start);
            for end in points {
                let trace = map.world().trace(hull, start, end);
                assert!(!is_checked || (0.0..=1.0).contains(&trace.fraction));
                map.world().find_first_transition(hull, start, end);
                ask_about_brushes(map, hull, [start, end], is_checked);
            }
        }
    }
}

/// Runs every query that the optional chunks affect.
fn ask_about_brushes(
    map: &OnionMap<impl AsRef<[u8]>>,
    hull: HullId,
    [start, end]: [[f32; 3]; 2],
    is_checked: bool,
) {
    let world = map.world();
    let _ = world.hit(hull, &map.world().trace(hull, start, end));
    let _ = world.contents_at(start);
    let shapes = [
        Shape::POINT,
        Shape::axial_box(Aabb::new([-9.0, -8.0, -7.0], [6.0, 5.0, 4.0])).unwrap(),
        Shape::sphere([0.0; 3], 12.0).unwrap(),
        Shape::capsule([0.0; 3], [3.0, 0.0, 30.0], 7.0).unwrap(),
    ];
    for shape in &shapes {
        let world = world.with_margin(0.03);
        let trace = world.trace_shape(shape, u32::MAX, start, end);
        let makes_sense = trace.is_ok_and(|trace| (0.0..=1.0).contains(&trace.fraction));
        assert!(makes_sense || !is_checked);
    }
    let turned = Pose::turned([40.0, 0.0, 0.0], [1.0, 2.0, 3.0], 1.0).unwrap();
    let mut movers = [Mover::still(1, Pose::at([0.0; 3]))];
    movers[0].to = turned;
    if let Ok(scene) = Scene::new(map, &movers) {
        scene.trace(hull, start, end);
    }
}

#[test]
fn points_that_are_no_points_are_all_solid() {
    let map = loaded(&sample_case("room").map, &subject::HULLS);
    let hull = map.find_hull("stand").unwrap();
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30] {
        for axis in 0..3 {
            let mut point = [0.0, 0.0, 100.0];
            point[axis] = bad;
            for segment in [[point, [0.0; 3]], [[0.0, 0.0, 100.0], point]] {
                let trace = map.world().trace(hull, segment[0], segment[1]);
                assert!(trace.all_solid && trace.start_solid && trace.fraction == 0.0);
                let [end, start] = [trace.end_pos, segment[0]].map(|at| at.map(f32::to_bits));
                assert_eq!(end, start);
            }
            assert!(map.world().is_solid(hull, point));
            assert_eq!(map.world().leaf_at(point), None);
        }
    }
}

#[test]
fn the_same_bytes_for_any_number_of_threads_and_every_run() {
    // The first compile had as many threads as the machine; `determinism` tries other numbers of threads.
    for (number, case) in all_cases().enumerate() {
        let threads = if is_long() && number % 2 == 0 { 1 } else { 3 };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().unwrap();
        let bytes = pool.install(|| case.compile(Fill::default()).bytes);
        let name = &case.name;
        assert!(bytes == case.filled().bytes, "{name}: {threads} threads");
    }
}

/// A kind of records: its table in the specification, and its records.
struct Kind {
    heading: String,
    rows: Vec<String>,
    /// Whether a record reads back what it wrote, field by field.
    is_written_as_read: bool,
}

impl Kind {
    fn of<R: Record>() -> Self {
        let tag = String::from_utf8(R::TAG.to_vec()).unwrap();
        let row =
            |field: FieldSpec| format!("| {} | {} | {} |", field.offset, field.kind, field.name);
        let unit = if R::SIZE == 1 { "byte" } else { "bytes" };
        let bytes: Vec<u8> = (1..=R::SIZE as u8).collect();
        let mut written = vec![0; R::SIZE];
        R::read(&bytes).write(&mut written);
        Self {
            heading: format!("`{tag}`, {} {unit} a record", R::SIZE),
            rows: R::fields().map(row).collect(),
            is_written_as_read: written == bytes,
        }
    }
}

/// Returns all kinds of records, in the order of the file.
fn kinds() -> [Kind; 31] {
    [
        Kind::of::<InfoRecord>(),
        Kind::of::<OptionsRecord>(),
        Kind::of::<HullRecord>(),
        Kind::of::<ModelRecord>(),
        Kind::of::<GroupRecord>(),
        Kind::of::<RootRecord>(),
        Kind::of::<PlaneRecord>(),
        Kind::of::<NodeRecord>(),
        Kind::of::<PrismRecord>(),
        Kind::of::<FloorRecord>(),
        Kind::of::<FloorCornerRecord>(),
        Kind::of::<FloorPlaceRecord>(),
        Kind::of::<EntityRecord>(),
        Kind::of::<TextRecord>(),
        Kind::of::<GridRecord>(),
        Kind::of::<BlockRecord>(),
        Kind::of::<RoomRecord>(),
        Kind::of::<SurfaceRecord>(),
        Kind::of::<BrushRecord>(),
        Kind::of::<SideRecord>(),
        Kind::of::<HitRecord>(),
        Kind::of::<ChoiceRecord>(),
        Kind::of::<SolidRecord>(),
        Kind::of::<FaceRecord>(),
        Kind::of::<CornerRecord>(),
        Kind::of::<EdgeRecord>(),
        Kind::of::<BoxesRecord>(),
        Kind::of::<BoxRecord>(),
        Kind::of::<AgentRecord>(),
        Kind::of::<FloorLinksRecord>(),
        Kind::of::<LinkRecord>(),
    ]
}

#[test]
fn records_are_written_as_they_are_read() {
    for kind in kinds() {
        assert!(kind.is_written_as_read, "{}", kind.heading);
    }
}

#[test]
fn the_specification_agrees_with_the_code() {
    let text = specification();
    let optional = OPTIONAL_CHUNKS.iter().copied().flatten().copied();
    let tags: Vec<[u8; 4]> = CHUNK_ORDER.into_iter().chain(optional).collect();
    assert_eq!(kinds().len(), tags.len());
    for (Kind { heading, rows, .. }, tag) in kinds().iter().zip(tags) {
        let tag = std::str::from_utf8(&tag).unwrap();
        assert!(heading.contains(tag));
        let mut sections = text.split("\n### ");
        let section = sections.find(|section| section.starts_with(heading));
        let section = section.unwrap_or_else(|| panic!("FORMAT.md has no section {heading:?}"));
        let (section, _) = section.split_once("\n## ").unwrap_or((section, ""));
        let found = section.lines().filter(|line| line.starts_with("| "));
        let found: Vec<&str> = found.filter(|line| !line.starts_with("| offset")).collect();
        assert_eq!(found.len(), rows.len(), "{heading}: {found:?}");
        for (found, row) in found.iter().zip(rows) {
            let is_row = found.starts_with(row.as_str());
            assert!(is_row, "{heading}: {found:?} is not {row:?}");
        }
    }
    assert!(text.contains(&format!("version {}", onion_format::VERSION)));
    assert!(text.contains(std::str::from_utf8(&onion_format::MAGIC).unwrap()));
}

/// The specification and the readers in other languages give all contents the bits that the code gives them.
#[test]
fn contents_have_the_same_bits_in_every_language() {
    let file = |path: &str| {
        let path = format!("{}/../{path}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).unwrap()
    };
    let languages = [
        ("format-spec/FORMAT.md", ["| ", " | ", " |"]),
        ("runtime/c/onion.h", ["#define ONION_CONTENTS_", " ", "u"]),
        ("runtime/js/contents.mjs", ["  ", ": ", ","]),
        ("runtime/python/onion/contents.py", ["", " = ", ""]),
    ];
    for (path, [before, between, after]) in languages {
        let text = file(path);
        for (name, bits) in onion_format::contents::NAMES {
            let name = if path.ends_with(".md") {
                name.to_owned()
            } else {
                name.to_ascii_uppercase()
            };
            let line = format!("\n{before}{name}{between}{bits:#x}{after}");
            assert!(text.contains(&line), "{path} lacks {line:?}");
        }
    }
    let declared = file("runtime/js/onion.d.mts");
    for (name, _) in onion_format::contents::NAMES {
        assert!(declared.contains(&format!("\"{}\"", name.to_ascii_uppercase())));
    }
}

/// The table in the specification has the limits of the code, and the bits by their values.
#[test]
fn the_specification_has_the_limits_and_bits_of_the_code() {
    use onion_format::*;
    let bit = |bits: u32| format!("2^{}", bits.trailing_zeros());
    let rows = [
        ("MAX_HULLS", MAX_HULLS.to_string()),
        ("MAX_GROUP", MAX_GROUP.to_string()),
        ("MAX_PRISM_SIDES", MAX_PRISM_SIDES.to_string()),
        ("MAX_HULL_NAME", MAX_HULL_NAME.to_string()),
        ("MAX_SURFACE_NAME", MAX_SURFACE_NAME.to_string()),
        ("HULL_LIMIT", HULL_LIMIT.to_string()),
        ("WORLD_LIMIT", WORLD_LIMIT.to_string()),
        ("DIST_LIMIT", DIST_LIMIT.to_string()),
        ("MAX_DEPTH", MAX_DEPTH.to_string()),
        ("MAX_BOX_DEPTH", MAX_BOX_DEPTH.to_string()),
        ("WHOLE_EDGE", WHOLE_EDGE.to_string()),
        ("ACROSS_UNIT", ACROSS_UNIT.to_string()),
        ("MAX_FLOORS", MAX_FLOORS.to_string()),
        ("MAX_FLOOR_CORNERS", MAX_FLOOR_CORNERS.to_string()),
        ("NUMBER_BITS", NUMBER_BITS.to_string()),
        ("FRONT_BIT", bit(NodePlane::FRONT_BIT)),
        ("BACK_BIT", bit(NodePlane::BACK_BIT)),
        ("LEAF_BIT", bit(Child::LEAF_BIT)),
        ("LEAF_BITS", NodeRecord::LEAF_BITS.map(bit).join(", ")),
        ("BEVEL_BIT", bit(HitAt::BEVEL_BIT)),
        ("CHOICE_BIT", bit(HitAt::CHOICE_BIT)),
        ("FACE_LOOKS_BACK", bit(FACE_LOOKS_BACK)),
        ("WHOLE_BIT", bit(Start::WHOLE_BIT)),
        ("MAX_REACH", MAX_REACH.to_string()),
        ("ROOM_LIMIT", ROOM_LIMIT.to_string()),
        ("OUTSIDE_LIMIT", OUTSIDE_LIMIT.to_string()),
        ("HULL_FILLED", bit(HULL_FILLED)),
    ];
    let text = specification();
    let (_, section) = text.split_once("## Limits and bits").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let found = section.lines().filter(|line| line.starts_with("| "));
    let found: Vec<&str> = found.filter(|line| !line.starts_with("| name")).collect();
    assert_eq!(found.len(), rows.len());
    for (found, (name, value)) in found.iter().zip(&rows) {
        let row = format!("| {name} | {value} |");
        assert!(found.starts_with(&row), "{found}, not {value}");
    }
    // The rows of fields that consist of bits say the same.
    let bit = |bits: u32, what: &str| format!("bit {}: {what}", bits.trailing_zeros());
    let number = format!("bits 0 to {}: number of the plane", NUMBER_BITS - 1);
    let marks = bit(NodePlane::FRONT_BIT, "some");
    let back = bit(FACE_LOOKS_BACK, "the face points to the plane's back");
    let leaf = bit(NodeRecord::LEAF_BITS[0], "the front child is a leaf");
    let filled = bit(HULL_FILLED, "the hull is filled");
    for (parts, n) in [
        (vec![&number], 2),
        (vec![&number, &marks], 1),
        (vec![&number, &back], 1),
        (vec![&leaf], 1),
        (vec![&filled], 1),
    ] {
        let has_all = |line: &&str| parts.iter().all(|part| line.contains(part.as_str()));
        assert_eq!(text.lines().filter(has_all).count(), n, "{parts:?}");
    }
    assert_eq!(1 << NUMBER_BITS, NodePlane::FRONT_BIT);
}

/// The hex dump in the specification equals the bytes of the golden file.
#[test]
fn the_worked_example_is_true() {
    let (text, file) = (specification(), golden("low_tunnel"));
    let (_, example) = text.split_once("## Worked example").unwrap();
    let mut n_lines = 0;
    for line in example.lines() {
        let hex = |text: &str| usize::from_str_radix(text, 16).ok();
        let Some(offset) = line.split("  ").next().and_then(hex) else {
            continue;
        };
        let bytes = line[4..39].split_whitespace();
        let bytes: Vec<usize> = bytes.map_while(hex).collect();
        assert!(!bytes.is_empty(), "{line}");
        for (at, byte) in bytes.iter().enumerate() {
            assert_eq!(usize::from(file[offset + at]), *byte, "{line}");
        }
        n_lines += 1;
    }
    assert!(n_lines > 10);
}

/// Files of every released version load and answer forever; see `tests/golden/README.md`.
#[test]
fn golden_files_load_and_answer() {
    for name in [
        "low_tunnel-bare",
        "low_tunnel-bare-groups",
        "low_tunnel-floors",
        "low_tunnel",
        "low_tunnel-groups",
    ] {
        let file = golden(name);
        let map = OnionMap::from_bytes(&file).unwrap();
        for fact in onion_tests::facts::read("low_tunnel").point {
            let hull = map.find_hull(&fact.hull).unwrap();
            let solid = map.world().solidity(fact.at).contains(hull.index());
            assert_eq!(solid, fact.solid, "{name}: {}", fact.why);
            assert_eq!(map.world().is_solid(hull, fact.at), fact.solid, "{name}");
        }
    }
    let map = &sample_case("low_tunnel").map;
    let now = compiled(map, &subject::HULLS, |options| {
        options.brushes = true;
        options.grouping = Grouping::One;
    });
    assert!(
        golden("low_tunnel") == now.bytes,
        "the golden files are not what the compiler writes; is that meant? see tests/golden/README.md"
    );
}

/// A bincode document, declared again here.
#[derive(bincode::Decode, bincode::Encode)]
struct Document {
    magic: [u8; 8],
    version: u32,
    zero: u32,
    length: u64,
    checksum: u64,
    chunks: Vec<Chunk>,
}

#[derive(bincode::Decode, bincode::Encode)]
struct Chunk {
    tag: [u8; 4],
    record_size: u32,
    records: Vec<u8>,
}

#[test]
fn a_whole_file_is_a_bincode_document() {
    let file = whole_sample("door");
    let layout = bincode::config::legacy();
    let (document, n_bytes): (Document, usize) = bincode::decode_from_slice(&file, layout).unwrap();
    assert_eq!(n_bytes, file.len());
    assert_eq!((document.magic, document.version), (onion_format::MAGIC, 1));
    assert_eq!((document.zero, document.length), (0, file.len() as u64));
    assert_eq!(document.checksum, onion_format::checksum(&file));
    let tags: Vec<_> = document.chunks.iter().map(|chunk| chunk.tag).collect();
    let optional = OPTIONAL_CHUNKS.iter().copied().flatten().copied();
    assert!(tags.into_iter().eq(CHUNK_ORDER.into_iter().chain(optional)));
    for chunk in &document.chunks {
        assert_eq!(chunk.records.len() % chunk.record_size as usize, 0);
    }
    assert!(bincode::encode_to_vec(&document, layout).unwrap() == file);
}

#[test]
fn other_options_are_damage() {
    for line in [
        "--game=doom",
        "--game=\"base\"",
        "--game=\"base = 'doom'\"",
        "--up=x",
        "--scale=0",
        "--scale=-1",
        "--scale=NaN",
        "--scale=inf",
        "--all-meshes=1",
        "--patch-error=near",
        "--hull=a:16x56",
        "",
    ] {
        let recorded = arguments::recorded(Vec::new(), ["--up=z", line].into_iter());
        assert!(recorded.is_err_and(|error| error.0 == line), "{line}");
    }
}

/// The options that a file records, with its hulls, compile its map to the same bytes.
#[test]
fn recorded_options_make_the_same_file() {
    let options: [(&[&str], &[&str]); 7] = [
        (&["stand:16x56", "crouch:16x32"], &["--no-fill"]),
        (
            &["a:8x16@4", "p:point:contents=water+0x100"],
            &["--group=each", "--brushes"],
        ),
        (&subject::PRISMS, &["--group=each", "--brushes"]),
        (
            &["a:mins=-1,-2,-3:maxs=3,2.5,1", "b:7x9"],
            &["--patch-error=0.7", "--group=b,a"],
        ),
        (
            &["a:16x56"],
            &["--fill-from=info_*", "--fill-from=door", "--no-surfaces"],
        ),
        (
            &["a:16x56"],
            &["--game=quake2", "--up=z", "--scale=0.1", "--all-meshes"],
        ),
        (
            &["a:16x56"],
            &[r#"--game="base = 'quake'\n# \"é\"\r\n""#, "--no-fast"],
        ),
    ];
    let map = &sample_case("door").map;
    for (hulls, lines) in options {
        let recorded = arguments::recorded(subject::hulls(hulls), lines.iter().copied()).unwrap();
        let Recorded { options, reading } = recorded;
        let map = Map {
            reading,
            ..map.clone()
        };
        let compiled = compile(&map, &options).unwrap();
        let file = subject::load(&compiled);
        assert!(file.inspect().options().eq(lines.iter().copied()));
        let hulls = file.hulls().map(HullSpec::from).collect();
        let again = arguments::recorded(hulls, file.inspect().options()).unwrap();
        assert!(compile(&map, &again.options).unwrap().bytes == compiled.bytes);
        assert!(file.inspect().compiler().starts_with("onionc "));
        assert_eq!(file.inspect().info().map_digest, map.digest);
    }
}

/// The coordinates of boxes are f32 numbers, and those of corners are not: so far out, boxes that were not rounded
/// outward would miss their corners by up to 1/512 unit.
#[test]
fn boxes_hold_the_corners_of_their_brushes() {
    let mut map = samples::Map::new("far", "Brushes far out");
    let mut random = Random::new(4);
    for _ in 0..12 {
        let mins = [50_000.0, -50_200.0, 40_000.0];
        let maxs = mins.map(|low| low + 200.0);
        let mut corner = || random.point(mins, maxs).map(f64::round);
        let corners: Vec<_> = (0..4).map(|_| corner()).collect();
        map.add(samples::Shader::Wall, samples::Brush::hull(&corners));
    }
    let file = compiled(&made(&map), &["point:point"], |options| {
        options.brushes = true
    })
    .bytes;
    let holds = |mins: [f32; 3], maxs: [f32; 3], at: [f64; 3]| {
        (0..3).all(|axis| f64::from(mins[axis]) <= at[axis] && at[axis] <= f64::from(maxs[axis]))
    };
    let model = record::<ModelRecord>(&file, 0);
    let boxes = (0..count(&file, BoxRecord::TAG)).map(|index| record::<BoxRecord>(&file, index));
    let mut n_corners = 0;
    for leaf in boxes.filter(|leaf| leaf.second == 0) {
        let solid = record::<SolidRecord>(&file, leaf.brush as usize);
        let first = solid.first_corner as usize;
        for corner in first..first + solid.n_corners as usize {
            let at = record::<CornerRecord>(&file, corner).position;
            let is_held = holds(leaf.mins, leaf.maxs, at) && holds(model.mins, model.maxs, at);
            assert!(is_held, "{at:?}");
            n_corners += 1;
        }
    }
    assert!(n_corners >= 40, "{n_corners}");
}
