//! Blocks and rooms change no answer: every answer of a file is compared, bit for bit, with the answer of the same
//! file without them, filled or not, in all models, for f32 and f64, for segments in all directions. Faults planted
//! in them are refused when the file is loaded, or found when it is verified.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use onion_compiler::error::VerifyError;
use onion_compiler::verify::verify;
use onion_format::{
    BlockRecord, GridRecord, MAX_REACH, NO_WALL, NORMAL_ONE, PlaneRecord, ROOM_ONE, Record,
    RoomRecord, Start,
};
use onion_runtime::{Coordinate, HullId, Model, OnionMap, Trace};
use onion_tests::cases::{Case, all_cases, sample_case};
use onion_tests::effort::{Cases, is_long};
use onion_tests::fixtures::many_hulls;
use onion_tests::oracle::vec3::sub;
use onion_tests::planted::{self, count, records, with, without_blocks};
use onion_tests::queries::{KINDS, Queries, Segment, along, dot};
use onion_tests::random::Random;
use onion_tests::samples::{self, Brush, Shader};

/// Queries of each kind for each hull of a real map.
const QUERIES: Cases = Cases::new(1_000, 10_000);

/// Returns the fields of a trace, bit for bit.
pub(crate) fn bits<T: Coordinate>(trace: &Trace<T>) -> impl PartialEq + std::fmt::Debug + use<T> {
    let plane = trace.plane.map(|plane| {
        let normal = plane.normal.map(|component| component.widen().to_bits());
        (normal, plane.dist.to_bits(), plane.number)
    });
    (
        [trace.fraction, trace.hit_fraction].map(f64::to_bits),
        trace.end_pos.map(|component| component.widen().to_bits()),
        plane,
        [trace.start_solid, trace.all_solid],
    )
}

/// Loads a file, and the same file without its blocks.
pub(crate) fn with_and_without(file: &[u8]) -> [OnionMap<Vec<u8>>; 2] {
    [file.to_vec(), without_blocks(file)].map(|file| OnionMap::from_bytes(file).unwrap())
}

/// A model of a file, and the same model without its blocks.
pub(crate) struct Pair<'a> {
    pub models: [Model<'a>; 2],
    pub hulls: [HullId; 2],
}

impl<'a> Pair<'a> {
    pub fn new(maps: &'a [OnionMap<Vec<u8>>; 2], model: usize, hull: usize) -> Self {
        let maps = maps.each_ref();
        Self {
            models: maps.map(|map| map.model(model).unwrap()),
            hulls: maps.map(|map| map.hulls().nth(hull).unwrap().id),
        }
    }
}

/// Number of traces that were compared, and also of points.
static COMPARED: AtomicUsize = AtomicUsize::new(0);

impl Pair<'_> {
    fn check<T: Coordinate>(&self, start: [T; 3], end: [T; 3]) {
        let [fast, plain] = &self.models;
        let [hull, plain_hull] = self.hulls;
        for (from, to) in [(start, end), (end, start)] {
            COMPARED.fetch_add(1, Ordering::Relaxed);
            let traces = [
                fast.trace(hull, from, to),
                plain.trace(plain_hull, from, to),
            ];
            let [ours, expected] = traces.each_ref().map(bits);
            let kept = [fast.view(hull), plain.view(plain_hull)];
            let shown = [from, to].map(|point| point.map(Coordinate::widen));
            let is_solid = plain.is_solid(plain_hull, from);
            assert_eq!(fast.is_solid(hull, from), is_solid, "{shown:?}");
            assert!(ours == expected, "{ours:?} {expected:?} {shown:?}");
            for kept in kept {
                assert!(bits(&kept.trace(from, to)) == expected, "{shown:?}");
                assert_eq!(kept.is_solid(from), is_solid, "{shown:?}");
            }
        }
    }

    /// Checks a segment as it is, on whole numbers, in f32, along an axis, from the end of its trace, and along the
    /// surface it hit.
    fn check_all(&self, [start, end]: Segment) {
        self.check(start, end);
        let [whole_start, whole_end] = [start, end].map(|point| point.map(f64::round));
        self.check(whole_start, whole_end);
        let narrow = |point: [f64; 3]| point.map(|component| component as f32);
        self.check(narrow(start), narrow(end));
        self.check(whole_start, [whole_end[0], whole_start[1], whole_start[2]]);
        let free = self.models[1].with_margin(0.0);
        let hit = free.trace(self.hulls[1], start, end);
        self.check(hit.end_pos, end);
        if let Some(plane) = hit.plane {
            let [x, y, z] = plane.normal;
            self.check(hit.end_pos, along(hit.end_pos, [y - z, z - x, x - y], 64.0));
        }
    }
}

/// Distances of a point from a border of a room, in units.
const MISSES: [f64; 9] = [
    0.0, 1e-9, 1e-6, 1e-3, 0.0078125, 0.015625, 0.03125, 0.25, 8.0,
];

impl Pair<'_> {
    /// Checks a segment between points at the borders, edges and corners of a room, close to them, or inside.
    fn check_room(&self, room: &RoomRecord, random: &mut Random) {
        let mut point = || {
            let [mins, maxs] = [room.mins, room.maxs].map(|corner| corner.map(f64::from));
            let mut point = random.point(mins, maxs);
            for axis in 0..3 {
                let miss = MISSES[random.below(MISSES.len())] * [1.0, -1.0][random.below(2)];
                match random.below(4) {
                    0 => point[axis] = mins[axis] + miss,
                    1 => point[axis] = maxs[axis] + miss,
                    _ => {}
                }
            }
            point
        };
        let [start, end] = [point(), point()];
        let narrow = |point: [f64; 3]| point.map(|component| component as f32);
        self.check(start, end);
        self.check(narrow(start), narrow(end));
        // Longer, through the same border.
        self.check(start, along(start, sub(end, start), 4.0));
        // A move that is shorter than the margin.
        let length = MISSES[random.below(MISSES.len())];
        self.check(start, along(start, random.direction(), length));
    }
}

/// Largest distance between the hit of a segment and its meeting with another plane, in units.
const NEAR: f64 = 32.0;

/// Number of planes that are tried with the plane of a hit.
const TRIED: usize = 3;

impl Pair<'_> {
    /// Checks segments that enter solid where the plane that they hit meets another plane of the file at any angle,
    /// or close to that: both are touched.
    fn check_meetings(
        &self,
        [start, end]: Segment,
        planes: &[([f64; 3], f64)],
        random: &mut Random,
    ) {
        let free = self.models[1].with_margin(0.0);
        let hit = free.trace(self.hulls[1], start, end);
        let Some(plane) = hit.plane else {
            return;
        };
        let place = along(start, sub(end, start), hit.hit_fraction);
        let first = random.below(planes.len());
        let (before, after) = planes.split_at(first);
        let near = after.iter().chain(before).filter_map(|&(normal, dist)| {
            let apart = dot(normal, place) - dist;
            let on_line = normal_in_plane(normal, plane.normal)?;
            let meeting = along(place, on_line, -apart / dot(normal, on_line));
            let way = sub(meeting, place);
            (dot(way, way) < NEAR * NEAR).then_some(meeting)
        });
        for meeting in near.take(TRIED) {
            let miss = 1.0 / (1u64 << (20 + random.below(10))) as f64;
            let miss = along(meeting, random.direction(), miss);
            for target in [meeting, miss] {
                self.check(start, along(start, sub(target, start), 1.5));
            }
        }
    }
}

/// Returns the part of a normal that lies in another plane, or `None` if the two are nearly parallel.
fn normal_in_plane(normal: [f64; 3], other: [f64; 3]) -> Option<[f64; 3]> {
    let part = along(normal, other, -dot(normal, other));
    (dot(part, part) > 1e-6).then_some(part)
}

/// Returns the normals and distances of the planes of a file.
fn planes_of(map: &OnionMap<Vec<u8>>) -> Vec<([f64; 3], f64)> {
    let unit = |component| f64::from(component) / f64::from(NORMAL_ONE);
    let planes = map.inspect().planes();
    planes
        .map(|plane| (plane.normal.map(unit), plane.dist))
        .collect()
}

/// Compares a file with the same file without its blocks.
fn check_file(case: &Case, bytes: &[u8], n_queries: usize) {
    let maps = with_and_without(bytes);
    assert!(maps[1].inspect().n_bytes() < bytes.len());
    let planes = planes_of(&maps[0]);
    let n_hulls = maps[0].hulls().count();
    for model in 0..maps[0].n_models() {
        let n_queries = n_queries / if model == 0 { 1 } else { 20 };
        for hull in 0..n_hulls {
            let pair = Pair::new(&maps, model, hull);
            let own = case.onion().hulls().nth(hull).unwrap();
            let Some(queries) = Queries::new(case.world(model, own.id)) else {
                continue;
            };
            let mut random = Random::new((model * 64 + hull) as u64);
            for kind in KINDS {
                for _ in 0..n_queries {
                    let query = queries.query(kind, &mut random);
                    pair.check_all(query);
                    pair.check_meetings(query, &planes, &mut random);
                }
            }
            let number = model * n_hulls + hull;
            let grid = maps[0].inspect().grids().nth(number).unwrap();
            let rooms = rooms_of(&maps[0], number);
            for number in 0..if rooms.is_empty() { 0 } else { 2 * n_queries } {
                pair.check_room(&rooms[number % rooms.len()], &mut random);
            }
            assert!(grid.is_solid_outside().is_some());
            let border = around(&grid);
            // At the border of the grid, outside, beyond the bounds of the grid's knowledge, and far outside.
            for [mins, maxs] in [border, [[-20_000.0; 3], [20_000.0; 3]], EDGE, FAR] {
                for _ in 0..n_queries / 10 {
                    let mut point = || random.point(mins, maxs);
                    pair.check_all([point(), point()]);
                }
            }
            for _ in 0..n_queries / 10 {
                let mut point = || on_border(&border, &mut random);
                pair.check_all([point(), point()]);
            }
        }
    }
}

/// Returns the rooms of a grid.
fn rooms_of(map: &OnionMap<Vec<u8>>, grid: usize) -> Vec<RoomRecord> {
    let mut firsts = map.inspect().grids().map(|grid| grid.first_room as usize);
    let first = firsts.nth(grid).unwrap();
    let rooms = map.inspect().rooms();
    let end = firsts.next().unwrap_or(rooms.len());
    rooms.take(end).skip(first).collect()
}

/// The bounds of a grid's statement about its outside, on one axis.
const EDGE: [[f64; 3]; 2] = [[131_000.0, -64.0, -64.0], [131_100.0, 64.0, 64.0]];

/// Beyond the domain of queries.
const FAR: [[f64; 3]; 2] = [[-2e9; 3], [2e9; 3]];

/// Returns a box slightly larger than a grid.
fn around(grid: &GridRecord) -> [[f64; 3]; 2] {
    let size = f64::from(grid.size);
    let mins = grid.origin.map(f64::from);
    let maxs = along(mins, grid.counts.map(f64::from), size);
    [mins.map(|x| x - 64.0), maxs.map(|x| x + 64.0)]
}

/// Picks a point on the border of a grid, or close to it, given the box around the grid.
fn on_border(around: &[[f64; 3]; 2], random: &mut Random) -> [f64; 3] {
    let mut point = random.point(around[0], around[1]);
    let (axis, side) = (random.below(3), random.below(2));
    let miss = [0.0, 0.1, -0.1, 1e-9, -1e-9][random.below(5)];
    point[axis] = around[side][axis] + [64.0, -64.0][side] + miss;
    point
}

#[test]
fn answers_are_those_of_the_tree() {
    for case in all_cases() {
        let n_queries = QUERIES.count() / if case.bytes.len() < 100_000 { 4 } else { 1 };
        check_file(case, &case.unfilled().bytes, n_queries);
        check_file(case, &case.filled().bytes, n_queries / 4);
    }
    let n_compared = COMPARED.load(Ordering::Relaxed);
    println!("{n_compared} traces and as many points");
    assert!(!is_long() || n_compared > 10_000_000);
}

/// Many trees, and hulls without bits in the nodes.
#[test]
fn groups_and_many_hulls_have_the_answers_of_the_tree() {
    let bytes = &sample_case("courtyard").bytes;
    let hulls = ["stand:16x56", "point:point"];
    let each = Case::new("a tree each", bytes, &hulls, "each");
    check_file(&each, &each.unfilled().bytes, 200);
    let hulls = many_hulls(10, |hull| {
        format!("h{hull}:{}x{}", 4 + 4 * hull, 16 + 6 * hull)
    });
    let many = Case::new("ten hulls", bytes, &hulls, "one");
    check_file(&many, &many.unfilled().bytes, 50);
}

/// Returns bars with tops that cross at small angles, many of which nearly coincide; half of them cross in one line.
fn fan() -> &'static Case {
    static FAN: LazyLock<Case> = LazyLock::new(|| {
        let mut map = samples::Map::new("fan", "Tops that cross at small angles");
        let mut random = Random::new(3);
        for number in 0..40 {
            let mut steps = || random.below(9) as f64 - 4.0;
            let (low, high) = (steps(), steps());
            let high = if number % 2 == 0 { -low } else { high };
            let tops = [[256.0, 64.0 + high], [-256.0, 64.0 + low]];
            let outline = [[[-256.0, 0.0], [256.0, 0.0]], tops].concat();
            let from = 32.0 * random.below(12) as f64;
            let to = from + 64.0 + 32.0 * random.below(6) as f64;
            map.add(Shader::Wall, Brush::bar_y(&outline, from, to));
        }
        let hulls = ["point:point", "stand:16x56"];
        Case::new("fan", &samples::write(&map), &hulls, "one")
    });
    &FAN
}

/// Where three or more planes nearly coincide, each of them counts.
#[test]
fn planes_that_nearly_coincide_have_the_answers_of_the_tree() {
    let case = fan();
    let file = &case.unfilled().bytes;
    check_file(case, file, 500);
    let maps = with_and_without(file);
    let mut tops = planes_of(&maps[0]);
    tops.retain(|(normal, _)| normal[2].abs() > 0.99);
    let mut random = Random::new(31);
    for hull in 0..maps[0].hulls().count() {
        let pair = Pair::new(&maps, 0, hull);
        for _ in 0..5_000 {
            let at = random.point([-256.0, 0.0, 160.0], [256.0, 512.0, 170.0]);
            let way = random.point([-200.0, -200.0, -160.0], [200.0, 200.0, -140.0]);
            pair.check_meetings([at, along(at, way, 1.0)], &tops, &mut random);
        }
    }
}

/// Returns a file with one record of blocks changed.
fn changed<R: Record>(file: &[u8], number: usize, change: impl FnOnce(&mut R)) -> Vec<u8> {
    let mut record = planted::record::<R>(file, number);
    change(&mut record);
    let mut bytes = vec![0; R::SIZE];
    record.write(&mut bytes);
    with(file, records(file, R::TAG) + number * R::SIZE, &bytes)
}

/// Rooms end where their coordinates would be too large for f32.
#[test]
fn there_are_no_rooms_far_out() {
    // A floor near the origin, and one beyond the limit of rooms.
    let mut map = samples::Map::new("far", "Two floors");
    for at in [0.0, 33_000.0] {
        let maxs = [at + 27_000.0, 16_000.0, 8.0];
        map.cuboid(Shader::Wall, [at, 0.0, 0.0], maxs);
    }
    let case = Case::new("far", &samples::write(&map), &["stand:16x56"], "one");
    let file = OnionMap::from_bytes(&case.unfilled().bytes[..]).unwrap();
    let ends: Vec<f32> = file.inspect().rooms().map(|room| room.maxs[0]).collect();
    assert!(!ends.is_empty(), "no rooms");
    assert!(ends.iter().all(|&end| end < 33_000.0), "{ends:?}");
}

/// In every block, the start of a walk and its reach matter; in every grid, its outside; in every room, its size and
/// the places of its walls: if one of them changes, the proof of the file fails. A walk may start higher in the tree,
/// but then the block reaches no other.
#[test]
fn every_single_fault_is_found() {
    for (name, hull) in [("low_tunnel", 0), ("patch_arch", 1)] {
        let case = sample_case(name);
        check_faults(case, &case.filled().bytes, hull);
    }
}

fn check_faults(case: &Case, file: &[u8], hull: usize) {
    let is_found = |file: &[u8], what: &str| {
        let error = verify(file, &case.map).err();
        let is_found = matches!(error, Some(VerifyError::WrongFastForm(_)));
        assert!(is_found, "{what}: {error:?}");
    };
    assert!(verify(file, &case.map).is_ok());
    for grid in 0..count(file, GridRecord::TAG) {
        let other = changed::<GridRecord>(file, grid, |grid| grid.outside ^= 1);
        is_found(&other, &format!("the other value outside of grid {grid}"));
    }
    check_room_faults(file, &is_found);
    let grid = planted::record::<GridRecord>(file, hull);
    let first = grid.first as usize;
    let n_blocks = grid.counts.iter().product::<u32>() as usize;
    for block in first..first + n_blocks {
        let record = planted::record::<BlockRecord>(file, block);
        let own = record.start();
        let below = Start(own.0 + 1);
        for start in [Start::EMPTY, Start::SOLID, below] {
            if own != start && (start != below || !own.is_whole()) {
                let other = changed::<BlockRecord>(file, block, |block| block.start = start.0);
                is_found(&other, &format!("another start of block {block}"));
            }
        }
        for side in 0..6 {
            if record.reach(side) < MAX_REACH && own != Start::SOLID {
                let farther = |block: &mut BlockRecord| block.reach += 1 << (5 * side);
                let other = changed::<BlockRecord>(file, block, farther);
                let what = format!("block {block} reaches too far to side {side}");
                is_found(&other, &what);
            }
        }
    }
}

fn check_room_faults(file: &[u8], is_found: &impl Fn(&[u8], &str)) {
    let planes = 0..count(file, PlaneRecord::TAG);
    let planes: Vec<PlaneRecord> = planes.map(|at| planted::record(file, at)).collect();
    for number in 0..count(file, RoomRecord::TAG) {
        let room = planted::record::<RoomRecord>(file, number);
        for side in 0..6 {
            let (axis, outward) = (side / 2, [-1.0, 1.0][side % 2]);
            let face = [room.mins, room.maxs][side % 2][axis] + outward / ROOM_ONE;
            let is_at =
                |plane: &PlaneRecord| plane.axis == axis as u32 && plane.dist == f64::from(face);
            let wall = planes.iter().position(is_at).map(|wall| wall as u32);
            let is_wall = room.walls[side] != NO_WALL;
            // Through the wall, or out of the map.
            let by = if is_wall { 1.0 / ROOM_ONE } else { 4096.0 };
            let larger = changed::<RoomRecord>(file, number, |room| {
                let corners = [&mut room.mins, &mut room.maxs];
                corners.into_iter().nth(side % 2).unwrap()[axis] += outward * by;
                room.walls[side] = NO_WALL;
            });
            is_found(&larger, &format!("room {number} is larger at side {side}"));
            if let Some(wall) = wall.filter(|_| !is_wall) {
                let other = changed::<RoomRecord>(file, number, |room| room.walls[side] = wall);
                is_found(&other, &format!("room {number} has a wall at side {side}"));
            }
        }
    }
}
