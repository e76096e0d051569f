//! The fast form changes no answer: every answer of a file is compared, bit for bit, with that of the same
//! file without it, filled or not, in all models, for f32 and f64. The one exception is counted: a segment
//! that is aimed at an edge may name another plane of it. Faults planted in its records are refused when the file is
//! loaded, or found when it is verified.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use onion_format::{
    BlockRecord, Child, GridRecord, LocalChild, LocalPlane, LocalRecord, MAX_REACH, NORMAL_ONE,
    NodePlane, NodeRecord, PlaneRecord, Record, RootRecord, TwinRecord,
};
use onion_runtime::{Coordinate, HullId, Model, OnionMap, Trace};
use onion_tests::cases::{Case, all_cases, real_cases, sample_case};
use onion_tests::effort::{Cases, is_long};
use onion_tests::planted::{self, count, records, with, without_fast_form};
use onion_tests::queries::{KINDS, Queries, Segment, along, dot};
use onion_tests::random::Random;
use onion_tests::samples;
use onionc::error::VerifyError;
use onionc::verify::verify;

/// Queries of each kind for each hull of a real map.
const QUERIES: Cases = Cases::new(1_000, 10_000);

/// What a trace says, bit for bit.
fn bits<T: Coordinate>(trace: &Trace<T>) -> impl PartialEq + std::fmt::Debug + use<T> {
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

/// A model of a file, and of the file without its fast form.
struct Pair<'a> {
    models: [Model<'a>; 2],
    hulls: [HullId; 2],
}

/// How many traces, and as many points, were compared.
static COMPARED: AtomicUsize = AtomicUsize::new(0);

/// How many of these traces, aimed at an edge, named different planes of it.
static EXCEPTED: AtomicUsize = AtomicUsize::new(0);

/// Only one of this many traces may name another plane.
const RARE: usize = 2_000_000;

/// How far apart both traces may enter solid, in units: what the runtime takes for touching.
const TOUCHING: f64 = 1.0 / (1 << 24) as f64;

/// Whether two traces of a segment enter solid at places so near to each other that both planes are touched.
fn meet<T: Coordinate>(traces: &[Trace<T>; 2], [start, end]: [[f64; 3]; 2]) -> bool {
    let [ours, theirs] = traces.each_ref().map(|trace| trace.hit_fraction);
    let longest = step(start, end).map(f64::abs);
    let longest = longest.into_iter().fold(0.0, f64::max);
    traces.iter().all(|trace| trace.plane.is_some()) && (ours - theirs).abs() * longest <= TOUCHING
}

impl Pair<'_> {
    fn check<T: Coordinate>(&self, start: [T; 3], end: [T; 3]) {
        self.compare(start, end, false);
    }

    fn compare<T: Coordinate>(&self, start: [T; 3], end: [T; 3], is_aimed: bool) {
        let [fast, plain] = &self.models;
        let [hull, plain_hull] = self.hulls;
        for (from, to) in [(start, end), (end, start)] {
            COMPARED.fetch_add(1, Ordering::Relaxed);
            let traces = [
                fast.trace(hull, from, to),
                plain.trace(plain_hull, from, to),
            ];
            let [ours, expected] = traces.each_ref().map(bits);
            let kept = [fast.hull(hull), plain.hull(plain_hull)];
            let shown = [from, to].map(|point| point.map(Coordinate::widen));
            let is_solid = plain.is_solid(plain_hull, from);
            assert_eq!(fast.is_solid(hull, from), is_solid, "{shown:?}");
            if is_aimed && ours != expected && meet(&traces, shown) {
                EXCEPTED.fetch_add(1, Ordering::Relaxed);
                continue;
            }
            assert!(ours == expected, "{ours:?} {expected:?} {shown:?}");
            for kept in kept {
                assert!(bits(&kept.trace(from, to)) == expected, "{shown:?}");
                assert_eq!(kept.is_solid(from), is_solid, "{shown:?}");
            }
        }
    }

    /// A segment as it is, on whole numbers, in f32, along an axis, from where its trace ended, and along
    /// what it hit.
    fn check_all(&self, [start, end]: Segment) {
        self.check(start, end);
        let [whole_start, whole_end] = [start, end].map(|point| point.map(f64::round));
        self.check(whole_start, whole_end);
        let narrow = |point: [f64; 3]| point.map(|component| component as f32);
        self.check(narrow(start), narrow(end));
        self.check(whole_start, [whole_end[0], whole_start[1], whole_start[2]]);
        let hit = self.models[1]
            .with_skin(0.0)
            .trace(self.hulls[1], start, end);
        self.check(hit.end_pos, end);
        if let Some(plane) = hit.plane {
            let [x, y, z] = plane.normal;
            self.check(
                hit.end_pos,
                [
                    hit.end_pos[0] + 64.0 * (y - z),
                    hit.end_pos[1] + 64.0 * (z - x),
                    hit.end_pos[2] + 64.0 * (x - y),
                ],
            );
        }
    }
}

/// How far from where a segment hits a plane another plane may meet that, in units.
const NEAR: f64 = 32.0;

/// Planes that are tried with what a segment hits.
const TRIED: usize = 3;

impl Pair<'_> {
    /// Segments that enter solid where the plane that they hit meets another plane of the file, at whatever angle,
    /// or nearly there: both are touched, and the other one may be a plane that the fast form leaves out.
    fn check_meetings(
        &self,
        [start, end]: Segment,
        planes: &[([f64; 3], f64)],
        random: &mut Random,
    ) {
        let free = self.models[1].with_skin(0.0);
        let hit = free.trace(self.hulls[1], start, end);
        let Some(plane) = hit.plane else {
            return;
        };
        let place = along(start, step(start, end), hit.hit_fraction);
        let first = random.below(planes.len());
        let (before, after) = planes.split_at(first);
        let near = after.iter().chain(before).filter_map(|&(normal, dist)| {
            let apart = dot(normal, place) - dist;
            let on_line = normal_in_plane(normal, plane.normal)?;
            let meeting = along(place, on_line, -apart / dot(normal, on_line));
            let way = step(place, meeting);
            (dot(way, way) < NEAR * NEAR).then_some(meeting)
        });
        for meeting in near.take(TRIED) {
            let miss = 1.0 / (1u64 << (20 + random.below(10))) as f64;
            let miss = along(meeting, random.direction(), miss);
            for target in [meeting, miss] {
                self.compare(start, along(start, step(start, target), 1.5), true);
            }
        }
    }
}

/// The part of a normal that lies in a plane with another one; none if they are nearly parallel.
fn normal_in_plane(normal: [f64; 3], other: [f64; 3]) -> Option<[f64; 3]> {
    let part = along(normal, other, -dot(normal, other));
    (dot(part, part) > 1e-6).then_some(part)
}

/// What leads from a point to another.
fn step(from: [f64; 3], to: [f64; 3]) -> [f64; 3] {
    along(to, from, -1.0)
}

/// Compares a file with itself without its fast form.
fn check_file(case: &Case, bytes: &[u8], n_queries: usize) {
    let plain = without_fast_form(bytes);
    assert!(plain.len() < bytes.len());
    let maps = [bytes, &plain[..]].map(|bytes| OnionMap::from_bytes(bytes).unwrap());
    let planes = maps[0].inspect().planes().map(|plane| {
        let unit = |component| f64::from(component) / f64::from(NORMAL_ONE);
        (plane.normal.map(unit), plane.dist)
    });
    let planes: Vec<_> = planes.collect();
    for model in 0..maps[0].n_models() {
        let n_queries = if model == 0 {
            n_queries
        } else {
            n_queries / 20
        };
        for (ours, theirs) in maps[0].hulls().zip(maps[1].hulls()) {
            let pair = Pair {
                models: [&maps[0], &maps[1]].map(|map| map.model(model).unwrap()),
                hulls: [ours.id, theirs.id],
            };
            let own = case.onion().hulls().nth(ours.id.index()).unwrap();
            let Some(queries) = Queries::new(case.world(model, own.id)) else {
                continue;
            };
            let mut random = Random::new((model * 64 + ours.id.index()) as u64);
            for kind in KINDS {
                for _ in 0..n_queries {
                    let query = queries.query(kind, &mut random);
                    pair.check_all(query);
                    pair.check_meetings(query, &planes, &mut random);
                }
            }
            let number = model * maps[0].hulls().count() + ours.id.index();
            let grid = maps[0].inspect().grids().nth(number).unwrap();
            assert!(grid.is_solid_outside().is_some());
            let border = around(&grid);
            // About the border of the grid, outside, where nothing is known any more, and far outside.
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

/// Where what a grid tells of its outside ends, on one axis.
const EDGE: [[f64; 3]; 2] = [[131_000.0, -64.0, -64.0], [131_100.0, 64.0, 64.0]];

/// Beyond what can be asked about.
const FAR: [[f64; 3]; 2] = [[-2e9; 3], [2e9; 3]];

/// A box a little larger than a grid.
fn around(grid: &GridRecord) -> [[f64; 3]; 2] {
    let size = f64::from(grid.size);
    let mins = grid.origin.map(f64::from);
    let end = |axis: usize| mins[axis] + f64::from(grid.counts[axis]) * size;
    [
        mins.map(|x| x - 64.0),
        [0, 1, 2].map(|axis| end(axis) + 64.0),
    ]
}

/// A point of the border of a grid, or nearly there, given the box around the grid.
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
    let n_excepted = EXCEPTED.load(Ordering::Relaxed);
    println!("{n_compared} traces and as many points: {n_excepted} name another plane of an edge");
    assert!(
        n_excepted * RARE <= n_compared,
        "{n_excepted} of {n_compared}"
    );
    assert!(!is_long() || n_compared > 10_000_000);
}

/// Many trees, and hulls that nodes do not know.
#[test]
fn groups_and_many_hulls_have_the_answers_of_the_tree() {
    let bytes = &sample_case("courtyard").bytes;
    let each = Case::new(
        "a tree each",
        bytes,
        &["stand:16x56", "point:point"],
        "each",
    );
    check_file(&each, &each.unfilled().bytes, 200);
    let hulls: Vec<String> = (0..10)
        .map(|hull| format!("h{hull}:{}x{}", 4 + 4 * hull, 16 + 6 * hull))
        .collect();
    let hulls: Vec<&str> = hulls.iter().map(String::as_str).collect();
    let many = Case::new("ten hulls", bytes, &hulls, "one");
    check_file(&many, &many.unfilled().bytes, 50);
}

/// Bars with tops that cross at small angles, so that planes have many twins; half of them cross in one line.
fn fan() -> &'static Case {
    static FAN: LazyLock<Case> = LazyLock::new(|| {
        let mut map = samples::Map::new("fan", "Tops that cross at small angles");
        let mut random = Random::new(3);
        for number in 0..40 {
            let mut steps = || random.below(9) as f64 - 4.0;
            let (low, high) = (steps(), steps());
            let high = if number % 2 == 0 { -low } else { high };
            let outline = [
                [-256.0, 0.0],
                [256.0, 0.0],
                [256.0, 64.0 + high],
                [-256.0, 64.0 + low],
            ];
            let from = 32.0 * random.below(12) as f64;
            let to = from + 64.0 + 32.0 * random.below(6) as f64;
            map.add(
                samples::Shader::Wall,
                samples::Brush::bar_y(&outline, from, to),
            );
        }
        Case::new(
            "fan",
            &samples::write(&map),
            &["point:point", "stand:16x56"],
            "one",
        )
    });
    &FAN
}

/// Where three planes and more nearly coincide, each of them counts.
#[test]
fn planes_with_many_twins_have_the_answers_of_the_tree() {
    let case = fan();
    let file = &case.unfilled().bytes;
    let n_nodes = count(file, LocalRecord::TAG);
    let lists = (0..n_nodes).filter_map(|node| list_of(file, node));
    let is_long = |&first: &u32| !twin(file, first + 1).is_last();
    let n_long = lists.filter(is_long).count();
    assert!(n_long > n_nodes / 20, "{n_long} of {n_nodes}");
    check_file(case, file, 500);
    let plain = without_fast_form(file);
    let maps = [file, &plain].map(|bytes| OnionMap::from_bytes(bytes).unwrap());
    let planes = maps[0].inspect().planes().map(|plane| {
        let unit = |component| f64::from(component) / f64::from(NORMAL_ONE);
        (plane.normal.map(unit), plane.dist)
    });
    let tops: Vec<_> = planes
        .filter(|(normal, _)| normal[2].abs() > 0.99)
        .collect();
    let mut random = Random::new(31);
    for hulls in maps[0].hulls().zip(maps[1].hulls()) {
        let pair = Pair {
            models: [&maps[0], &maps[1]].map(|map| map.model(0).unwrap()),
            hulls: [hulls.0.id, hulls.1.id],
        };
        for _ in 0..5_000 {
            let at = random.point([-256.0, 0.0, 160.0], [256.0, 512.0, 170.0]);
            let way = random.point([-200.0, -200.0, -160.0], [200.0, 200.0, -140.0]);
            pair.check_meetings([at, along(at, way, 1.0)], &tops, &mut random);
        }
    }
}

/// A file with one record of the fast form changed.
fn changed<R: Record>(file: &[u8], number: usize, change: impl FnOnce(&mut R)) -> Vec<u8> {
    let at = records(file, R::TAG) + number * R::SIZE;
    let mut record = R::read(&file[at..]);
    change(&mut record);
    let mut bytes = vec![0; R::SIZE];
    record.write(&mut bytes);
    with(file, at, &bytes)
}

/// Every child, every plane, every block, what it reaches and what is outside counts: change one, and the proof of the
/// file fails.
#[test]
fn every_single_fault_is_found() {
    let case = sample_case("low_tunnel");
    let file = &case.filled().bytes;
    let is_found = |file: &[u8], what: &str| {
        let error = verify(file, &case.map).err();
        assert!(
            matches!(error, Some(VerifyError::WrongBlock(_))),
            "{what}: {error:?}"
        );
    };
    assert!(verify(file, &case.map).is_ok());
    let [n_nodes, n_blocks] = [LocalRecord::TAG, BlockRecord::TAG].map(|tag| count(file, tag));
    for node in 0..n_nodes {
        let swapped = changed::<LocalRecord>(file, node, |node| node.children.swap(0, 1));
        is_found(&swapped, &format!("swapped children of node {node}"));
        let other = LocalRecord::read(
            &file[records(file, LocalRecord::TAG) + (node + 1) % n_nodes * LocalRecord::SIZE..],
        );
        let moved = changed::<LocalRecord>(file, node, |node| {
            node.children = if node.plane != other.plane {
                node.children
            } else {
                [node.children[1]; 2]
            };
            (node.normal, node.dist, node.plane) = (other.normal, other.dist, other.plane);
        });
        is_found(&moved, &format!("another plane at node {node}"));
    }
    for grid in 0..count(file, GridRecord::TAG) {
        let other = changed::<GridRecord>(file, grid, |grid| grid.outside ^= 1);
        is_found(&other, &format!("the other value outside of grid {grid}"));
    }
    for block in 0..n_blocks {
        let record = planted::record::<BlockRecord>(file, block);
        for root in [LocalChild::EMPTY, LocalChild::SOLID] {
            if record.root() != root {
                let other = changed::<BlockRecord>(file, block, |block| block.root = root.0);
                is_found(&other, &format!("another root of block {block}"));
            }
        }
        for side in 0..6 {
            if record.reach(side) < MAX_REACH && record.root() != LocalChild::SOLID {
                let other = changed::<BlockRecord>(file, block, |block| {
                    block.reach += 1 << (5 * side);
                });
                is_found(
                    &other,
                    &format!("block {block} reaches too far to side {side}"),
                );
            }
        }
    }
}

/// A node that divides nothing gives right answers, but its twins are not known unless its plane is one that the tree
/// has around: by one of a model's own planes it is proven, by one that only other models have it is refused.
#[test]
fn planes_that_the_tree_does_not_have_are_found() {
    let case = sample_case("door");
    let file = &case.filled().bytes;
    let (n_hulls, n_models) = (case.hulls.len(), count(file, RootRecord::TAG));
    let planes: Vec<_> = (0..n_models).map(|model| planes_of(file, model)).collect();
    let mut n_refused = 0;
    for (model, own) in planes.iter().enumerate() {
        let own_root = own.first().expect("a model has a node");
        let foreign = planes.iter().flatten().filter(|plane| !own.contains(plane));
        for &plane in foreign.chain([own_root]) {
            let planted = with_idle_node(file, model * n_hulls, plane);
            match verify(&planted, &case.map) {
                Ok(_) => assert_eq!(plane, *own_root, "model {model}"),
                Err(VerifyError::WrongBlock(what)) => {
                    assert!(what.ends_with("differs from its tree"), "{what}");
                    assert_ne!(plane, *own_root, "model {model}");
                    n_refused += 1;
                }
                Err(other) => panic!("{other:?}"),
            }
        }
    }
    assert!(n_refused > 0);
}

/// The planes of the nodes of a model's tree, that of the root first. For files with one group of hulls.
fn planes_of(file: &[u8], model: usize) -> Vec<u32> {
    let mut planes = Vec::new();
    let mut open = vec![Child(planted::record::<RootRecord>(file, model).root)];
    while let Some(child) = open.pop().filter(|child| !child.is_leaf()) {
        let node: NodeRecord = planted::record(file, child.index() as usize);
        planes.push(NodePlane(node.plane).index());
        let children = node.children.map(Child);
        open.extend(children.iter().filter(|child| !child.is_leaf()));
    }
    planes
}

/// The file with a node above the first block of a grid that has the same on both sides of a plane; no block reaches
/// another.
fn with_idle_node(file: &[u8], grid: usize, plane: u32) -> Vec<u8> {
    let first = planted::record::<GridRecord>(file, grid).first as usize;
    let mut blocks: Vec<BlockRecord> = (0..count(file, BlockRecord::TAG))
        .map(|block| planted::record(file, block))
        .collect();
    blocks.iter_mut().for_each(|block| block.reach = 0);
    let PlaneRecord { normal, dist, .. } = planted::record(file, plane as usize);
    let idle = LocalRecord {
        normal,
        plane: LocalPlane::Plane(plane).bits(),
        dist,
        children: [blocks[first].root; 2],
    };
    let n_nodes = count(file, LocalRecord::TAG);
    blocks[first].root = n_nodes as u32;
    let mut file = file.to_vec();
    planted::append::<LocalRecord>(&mut file);
    planted::edit(&mut file, n_nodes, |node| *node = idle);
    planted::replace(&mut file, &blocks);
    file
}

/// The number of a node of a map's file that has twins, for a few maps.
fn nodes_with_twins() -> impl Iterator<Item = (&'static Case, usize)> {
    let found = std::iter::once(fan())
        .chain(real_cases())
        .filter_map(|case| {
            let file = &case.filled().bytes;
            let node =
                (0..count(file, LocalRecord::TAG)).find(|&node| list_of(file, node).is_some());
            Some((case, node?))
        });
    found.take(4)
}

/// The number of the record of `TWIN` at which the list of a node begins, if it has twins.
fn list_of(file: &[u8], node: usize) -> Option<u32> {
    let at = records(file, LocalRecord::TAG) + node * LocalRecord::SIZE;
    match LocalRecord::read(&file[at..]).local_plane() {
        LocalPlane::Plane(_) => None,
        LocalPlane::List(first) => Some(first),
    }
}

/// A record of `TWIN`.
fn twin(file: &[u8], number: u32) -> TwinRecord {
    TwinRecord::read(&file[records(file, TwinRecord::TAG) + number as usize * TwinRecord::SIZE..])
}

/// A twin that is not told of is found: the whole list or one plane of it.
#[test]
fn a_hidden_twin_is_found() {
    for (case, node) in nodes_with_twins() {
        let file = &case.filled().bytes;
        let first = list_of(file, node).unwrap();
        let hidden = changed::<LocalRecord>(file, node, |node| {
            node.plane = LocalPlane::Plane(twin(file, first).index()).bits();
        });
        let other = changed::<TwinRecord>(file, first as usize + 1, |twin| twin.plane ^= 1);
        for file in [hidden, other] {
            let error = verify(&file, &case.map).err();
            assert!(
                matches!(error, Some(VerifyError::WrongBlock(_))),
                "{}: {error:?}",
                case.name
            );
        }
    }
}
