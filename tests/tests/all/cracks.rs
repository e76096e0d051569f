//! Cracks that do not count for a hull without extent: slits of known widths, worked out by hand; random maps against
//! a flood fill of small cells, which uses no trees, planes or portals; planted faults; and real maps, where a point
//! leaks only if a small box does.

use glam::DVec3;
use onion_compiler::Compiled;
use onion_compiler::audit::seal::is_out_of_reach;
use onion_compiler::brush::BrushSource;
use onion_compiler::bsp::Tree;
use onion_compiler::bsp::leaf_tree::Chart;
use onion_compiler::cost::BrushCost;
use onion_compiler::error::VerifyError;
use onion_compiler::fill::FillOutcome;
use onion_compiler::fill::kept::CUBE;
use onion_compiler::fill::seeds::Fill;
use onion_compiler::verify::verify;
use onion_format::HullSet;
use onion_geometry::{self, Bounds, ExactPlane, PlaneSet};
use onion_runtime::{OnionMap, Source};
use onion_tests::cases::{all_cases, other_cases};
use onion_tests::effort::Cases;
use onion_tests::fixtures::{compiled, made};
use onion_tests::planted::{claim_filled, leaves, with_leaf, with_options};
use onion_tests::random::Random;
use onion_tests::rooms;
use onion_tests::samples::{Brush, Map, Shader};
use onion_tests::subject;

const WALL: Shader = Shader::Wall;

/// Compiles and verifies a map for a point.
fn sealed(map: &Map, seal: &str) -> (onion_maps::Map, Compiled) {
    let parsed = made(map);
    let compiled = compiled(&parsed, &["bullet:point"], |options| {
        options.fill = Fill::default();
        options.seal = seal.parse().unwrap();
    });
    let proven = verify(&compiled.bytes, &parsed);
    assert!(proven.is_ok(), "{}: {proven:?}", map.name);
    (parsed, compiled)
}

fn is_solid(compiled: &Compiled, at: [f64; 3]) -> bool {
    let onion = subject::load(compiled);
    onion.world().solidity(at).contains(0)
}

fn is_filled(compiled: &Compiled) -> bool {
    compiled.report.filling[0].outcome == FillOutcome::Filled
}

/// Puts a crack from floor to ceiling in the east wall of a map's first room: without a seal, a point gets out of the
/// map.
fn crack_the_east_wall(map: &mut Map) {
    let wall = &mut map.models[0].brushes[3].0;
    let (mins, maxs) = (wall.mins, wall.maxs);
    let beside = 7.0 + CRACK;
    *wall = Brush::cuboid(mins, [maxs[0], 7.0, maxs[2]]);
    map.cuboid(WALL, [mins[0], beside, mins[2]], maxs);
}

/// Makes chambers with a crack in the far wall of the last.
fn chambers(slits: &[f64]) -> Map {
    let mut map = closed_chambers(slits);
    crack_the_east_wall(&mut map);
    map
}

/// Makes chambers of 64 units in a row along x, with slits of these widths in the walls between them, and a start in
/// the first. The slits are as high as the room, and the walls 16 thick.
fn closed_chambers(slits: &[f64]) -> Map {
    let mut map = Map::new("chambers", "Slits");
    let far = 80.0 * slits.len() as f64 + 64.0;
    map.room([0.0, -32.0, 0.0], [far, 32.0, 64.0]);
    for (number, &width) in slits.iter().enumerate() {
        let near = 80.0 * number as f64 + 64.0;
        map.cuboid(WALL, [near, -32.0, 0.0], [near + 16.0, 7.0, 64.0]);
        map.cuboid(WALL, [near, 7.0 + width, 0.0], [near + 16.0, 32.0, 64.0]);
    }
    map.spawn([32, 0, 24], 0);
    map
}

/// Returns the middle of a chamber.
fn chamber(number: usize) -> [f64; 3] {
    [80.0 * number as f64 + 32.0, 3.0, 20.0]
}

const STEP: f64 = 1.0 / 64.0;

/// The width of the crack that leads out of the map: any seal except 0 closes it.
const CRACK: f64 = 1.0 / 256.0;

#[test]
fn what_is_behind_a_narrow_slit_is_solid() {
    let eighth = 0.125;
    for (slits, n_open) in [
        (vec![eighth - STEP], 1),
        (vec![eighth], 1),
        (vec![eighth + STEP], 2),
        (vec![eighth + STEP, 4.0 * eighth, eighth - STEP, 1.0], 3),
        (vec![8.0, STEP, 8.0], 2),
    ] {
        let map = chambers(&slits);
        let (_, compiled) = sealed(&map, "0.125");
        assert!(is_filled(&compiled));
        for number in 0..=slits.len() {
            let solid = is_solid(&compiled, chamber(number));
            assert_eq!(solid, number >= n_open, "{slits:?}, chamber {number}");
        }
        // Without a seal all of them are open, and with a wider seal only the first.
        let (_, open) = sealed(&map, "0");
        let (_, shut) = sealed(&map, "10");
        for number in 0..=slits.len() {
            assert!(!is_solid(&open, chamber(number)));
            assert_eq!(is_solid(&shut, chamber(number)), number > 0);
        }
    }
}

/// A point that does not get out of the map passes through every crack.
#[test]
fn cracks_that_do_not_lead_out_stay_open() {
    let (_, compiled) = sealed(&closed_chambers(&[CRACK, STEP]), "0.125");
    assert!(is_filled(&compiled));
    for number in 0..3 {
        assert!(!is_solid(&compiled, chamber(number)), "chamber {number}");
    }
    assert!(is_solid(&compiled, [72.0, -20.0, 20.0]), "in a wall");
    assert!(is_solid(&compiled, [32.0, 0.0, 90.0]), "above the ceiling");
}

/// The solid that closes a slit belongs to a brush beside it.
#[test]
fn a_closed_slit_has_the_name_of_a_brush_beside_it() {
    let mut n_named = 0;
    for axis in 0..2 {
        let mut map = chambers(&[STEP, STEP]);
        // The same chambers, turned to run along y.
        let turn = |at: [f64; 3]| {
            if axis == 0 {
                at
            } else {
                [-at[1], at[0], at[2]]
            }
        };
        if axis == 1 {
            for (brush, _) in &mut map.models[0].brushes {
                let (low, high) = (turn(brush.mins), turn(brush.maxs));
                *brush = Brush::cuboid([high[0], low[1], low[2]], [low[0], high[1], high[2]]);
            }
            map.entities.pop();
            map.spawn([0, 32, 24], 0);
        }
        let (_, compiled) = sealed(&map, "0.125");
        let onion = subject::load(&compiled);
        let hull = onion.find_hull("bullet").unwrap();
        let [start, end] = [32.0, 112.0].map(|x| turn([x, 7.0 + STEP / 2.0, 20.0]));
        let trace = onion.world().trace(hull, start, end);
        let depth = trace.hit_fraction * 80.0 - 32.0;
        assert!((-0.1..=16.1).contains(&depth), "closed {depth} units deep");
        // The brushes are the six of the room and those beside two slits; the hit names one of the first two of the
        // latter.
        if let Some(hit) = onion.world().hit(hull, &trace).unwrap() {
            let source = hit.brush.source;
            assert!(matches!(source, Source::Brush(6 | 7)), "{source:?}");
            n_named += 1;
        }
    }
    assert!(n_named > 0, "a cap that lies in a wall has the wall's name");
}

/// A brush far away from a slit is charged no node of the solid that closes the slit, even if it is the map's first
/// brush.
#[test]
fn a_closed_slit_costs_what_is_beside_it() {
    let mut map = chambers(&[STEP]);
    let far = (Brush::cuboid([-900.0; 3], [-800.0; 3]), WALL);
    map.models[0].brushes.insert(0, far);
    let (_, compiled) = sealed(&map, "0.125");
    let costs = compiled.report.costs.brushes;
    let is_far = |cost: &BrushCost| cost.source == BrushSource::Brush(0);
    assert!(costs.len() > 2 && !costs.iter().any(is_far), "{costs:?}");
}

/// Makes two rooms with a slit between them along x = y, whose sides are `apart` from each other along x.
fn diagonal(apart: f64) -> Map {
    let mut map = Map::new("diagonal", "A slit");
    map.room([-128.0, -128.0, 0.0], [128.0, 128.0, 64.0]);
    let half = apart / 2.0;
    let outlines = [
        [
            [-32.0, -32.0 + half],
            [32.0, 32.0 + half],
            [32.0, 128.0],
            [-32.0, 128.0],
        ],
        [
            [-32.0, -128.0],
            [32.0, -128.0],
            [32.0, 32.0 - half],
            [-32.0, -32.0 - half],
        ],
    ];
    for outline in outlines {
        map.add(WALL, Brush::column(&outline, 0.0, 64.0));
    }
    crack_the_east_wall(&mut map);
    map.spawn([-100, 0, 24], 0);
    map
}

/// A cube fits between two planes along x = y that are farther apart along x than twice its side.
#[test]
fn slits_that_are_not_axial_are_as_narrow_as_the_cube_finds_them() {
    for (apart, is_shut) in [
        (0.03125, true),
        (0.25 - STEP, true),
        (0.25 + STEP, false),
        (1.0, false),
    ] {
        let (_, compiled) = sealed(&diagonal(apart), "0.125");
        assert!(is_filled(&compiled));
        assert!(!is_solid(&compiled, [-100.0, 1.0, 30.0]), "{apart}");
        assert_eq!(is_solid(&compiled, [100.0, 1.0, 30.0]), is_shut, "{apart}");
    }
}

/// Two rooms overlap in a corner one unit wide, a crack for a cube of 1.5 units. A cube in that corner of the first
/// room reaches into the second, to places where the cube has room but where it does not get.
#[test]
fn a_room_behind_a_narrow_corner_is_solid() {
    let mut map = Map::new("corner", "Rooms that overlap in a corner");
    map.room([0.0; 3], [15.0, 15.0, 8.0]);
    map.cuboid(WALL, [8.0, 0.0, 0.0], [15.0, 7.0, 8.0]);
    map.cuboid(WALL, [0.0, 8.0, 0.0], [7.0, 15.0, 8.0]);
    crack_the_east_wall(&mut map);
    map.spawn([2, 2, 2], 0);
    let (_, compiled) = sealed(&map, "1.5");
    assert!(is_filled(&compiled));
    let solid = [[3.0, 4.0, 4.0], [12.0, 11.0, 4.0]].map(|at| is_solid(&compiled, at));
    assert_eq!(solid, [false, true]);
}

/// A start in a slit does not count, and a start that touches walls does.
#[test]
fn a_start_needs_room_for_the_cube() {
    let mut map = chambers(&[STEP]);
    map.entities.pop();
    map.entities.push(vec![
        ("classname", "info_player_deathmatch".to_owned()),
        ("origin", format!("72 {} 24", 7.0 + STEP / 2.0)),
    ]);
    let (_, compiled) = sealed(&map, "0.125");
    assert_eq!(compiled.report.filling[0].outcome, FillOutcome::NoSeed);
    let warning = &compiled.report.warnings[0].message;
    assert!(warning.contains("has no room"), "{warning}");
    for origin in [[0, 0, 24], [0, -32, 24], [0, -32, 0], [64, 7, 20]] {
        let mut map = chambers(&[STEP]);
        map.entities.pop();
        map.spawn(origin, 0);
        let (_, compiled) = sealed(&map, "0.125");
        assert!(is_filled(&compiled), "{origin:?}");
        assert!(!is_solid(&compiled, chamber(0)) && is_solid(&compiled, chamber(1)));
    }
}

/// The faults are every flipped leaf of maps with cracks, a seal that is not recorded, and a wrong seal.
#[test]
fn faults_are_found() {
    // The diagonal slit is closed in the same way by a wider seal.
    let slits = [
        (chambers(&[0.5, STEP]), &["0", "2", "0.0078125"][..]),
        (diagonal(0.125), &["0", "0.0078125"]),
    ];
    for (map, others) in slits {
        let (parsed, compiled) = sealed(&map, "0.125");
        for leaf in leaves(&compiled.bytes) {
            let wrong = with_leaf(&compiled.bytes, leaf, 1);
            assert!(OnionMap::from_bytes(&wrong).is_ok());
            let found = verify(&wrong, &parsed);
            assert!(found.is_err(), "{}: leaf {leaf}", map.name);
        }
        for other in others {
            let wrong = with_options(&compiled.bytes, &[&format!("--seal={other}")]);
            let found = verify(&wrong, &parsed);
            assert!(found.is_err(), "{}: {other}", map.name);
        }
    }
    let (parsed, compiled) = sealed(&chambers(&[0.5]), "1");
    let file = subject::load(&compiled);
    assert!(file.inspect().options().eq(["--seal=1"]));
    assert!(verify(&with_options(&compiled.bytes, &[]), &parsed).is_err());
}

/// If no agent comes in, or if the cube gets out, a point is not filled: a file that claims otherwise is wrong.
#[test]
fn a_point_that_is_filled_without_a_reason_is_found() {
    let mut nobody = chambers(&[0.5]);
    nobody.entities.pop();
    for map in [nobody, rooms::with_hole(20.0, 60.0)] {
        let (parsed, compiled) = sealed(&map, "0.125");
        assert!(!is_filled(&compiled));
        for is_kept in [true, false] {
            let error = verify(&claim_filled(&compiled.bytes, |_| is_kept), &parsed).err();
            let is_found = matches!(error, Some(VerifyError::WrongLeaf { .. }));
            assert!(is_found, "{}, {is_kept}: {error:?}", map.name);
        }
    }
}

/// Cubes that reach 8 units to each side have their centers in front of x = 0, so they only touch a solid that ends
/// at -8.
#[test]
fn what_a_cube_reaches_ends_where_the_cube_does() {
    let mut planes = PlaneSet::default();
    let plane = planes.insert(ExactPlane::whole(0, true, 0));
    let leaf = |solidity| Tree::Leaf { solidity };
    let tree = Tree::Node {
        plane,
        faces: [false; 2],
        owners: Box::default(),
        shared: Box::default(),
        children: Box::new([leaf(HullSet::EMPTY), leaf(CUBE.alone())]),
    };
    let chart = Chart::new(&tree, CUBE.alone());
    let cube = &subject::hulls(&["cube:8x16@center"])[0];
    for (end, is_out) in [(-9.0, true), (-8.0, true), (-7.0, false), (5.0, false)] {
        let bounds = Bounds {
            mins: DVec3::splat(-24.0),
            maxs: DVec3::new(end, 24.0, 24.0),
        };
        let sides = bounds.insert_planes(&mut planes);
        let cell = onion_geometry::Cell::from_box(&planes, sides);
        let found = is_out_of_reach(chart.whole(&planes), cube, &cell);
        assert_eq!(found, is_out, "up to {end}");
    }
}

/// In real maps a point leaks only if a box of 0.1 units does.
#[test]
fn a_point_leaks_only_with_a_small_box() {
    for case in all_cases().chain(other_cases()) {
        let point = &case.filled().report.filling[2];
        if matches!(point.outcome, FillOutcome::Leaks { .. }) {
            let small = ["small:0.05x0.1@center:contents=solid"];
            let fill = Fill::default();
            let small = compiled(&case.map, &small, |options| options.fill = fill);
            let outcome = &small.report.filling[0].outcome;
            let leaks = matches!(outcome, FillOutcome::Leaks { .. });
            assert!(leaks, "{}: {outcome:?}", case.name);
        }
    }
}

/// Number of cells along a unit.
const FINE: i32 = 4;

/// The width of the seal for random maps, and the distance that a cube of that width reaches from its center, in
/// cells.
const WIDTH: &str = "1.5";
const REACH: i32 = 3;

/// Edge of a random room, in units.
const ROOM: i32 = 10;

const RANDOM_MAPS: Cases = Cases::new(20, 60);

/// Corners of a box, in units.
type IntBox = [[i32; 3]; 2];

/// The expected solidity of a cell for a point.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Cell {
    /// A brush, space that has room only for a cube out of reach, or space that leads to no cube in reach.
    Solid,
    /// Space inside a cube in reach, or a niche beside such space.
    Empty,
    /// Space that leads both to a cube in reach and to one out of reach.
    Either,
}

/// Random maps of whole-numbered boxes, in which gaps of one unit are cracks, agree with the flood fill.
#[test]
fn random_cracks_agree_with_a_flood_of_small_cells() {
    let (mut n_filled, mut seen) = (0, [0; 3]);
    for seed in 0..RANDOM_MAPS.count() as u64 {
        let (map, boxes, start) = random_map(&mut Random::new(seed));
        let (_, compiled) = sealed(&map, WIDTH);
        let outcome = &compiled.report.filling[0].outcome;
        let expected = Cells::new(&boxes).fill(start);
        let expected = match (expected, outcome) {
            (Expected::NoSeed, FillOutcome::NoSeed) => continue,
            (Expected::Leaks, FillOutcome::Leaks { .. }) => continue,
            (Expected::Filled(cells), FillOutcome::Filled) => cells,
            _ => panic!("seed {seed}: {outcome:?}"),
        };
        n_filled += 1;
        let onion = subject::load(&compiled);
        for (index, &expected) in expected.iter().enumerate() {
            let center = Cells::at(index).map(|low| (f64::from(low) + 0.5) / f64::from(FINE));
            let solid = onion.world().solidity(center).contains(0);
            let found = if solid { Cell::Solid } else { Cell::Empty };
            let is_right = expected == Cell::Either || expected == found;
            assert!(
                is_right,
                "seed {seed}, {center:?}: {found:?}, not {expected:?}"
            );
            seen[expected as usize] += 1;
        }
    }
    assert!(n_filled > RANDOM_MAPS.count() / 3, "only {n_filled}");
    assert!(seen.iter().all(|&n| n > 1000), "{seen:?}");
}

/// Makes a room with walls of two units, now and then with a slit or a hole to the outside, boxes in it, and a start.
fn random_map(random: &mut Random) -> (Map, Vec<IntBox>, [i32; 3]) {
    let mut boxes: Vec<IntBox> = Vec::new();
    for axis in 0..3 {
        for low in [-2, ROOM] {
            let mut wall = [[-2; 3], [ROOM + 2; 3]];
            (wall[0][axis], wall[1][axis]) = (low, low + 2);
            boxes.push(wall);
        }
    }
    // The ceiling in two parts, with a gap of 0 to 2 units.
    let [_, _, _, _, _, ceiling] = boxes[..] else {
        unreachable!("a room has six walls")
    };
    let edge = 2 + random.below(6) as i32;
    let gap = [0, 1, 1, 2][random.below(4)];
    boxes[5][1][0] = edge;
    boxes.push([[edge + gap, ceiling[0][1], ceiling[0][2]], ceiling[1]]);
    // A wall with a slit, and clutter.
    let [at, slit] = [3, 1].map(|low| low + random.below(5) as i32);
    boxes.push([[at, 0, 0], [at + 1, slit, ROOM]]);
    boxes.push([[at, slit + 1, 0], [at + 1, ROOM, ROOM]]);
    for _ in 0..random.below(12) {
        let low: [i32; 3] = std::array::from_fn(|_| random.below(ROOM as usize) as i32);
        let high = low.map(|at| (at + 1 + random.below(5) as i32).min(ROOM + 1));
        boxes.push([low, high]);
    }
    let mut map = Map::new("random", "Cracks");
    for corners in &boxes {
        let [low, high] = corners.map(|corner| corner.map(f64::from));
        map.cuboid(WALL, low, high);
    }
    let start = std::array::from_fn(|_| 1 + random.below(ROOM as usize - 1) as i32);
    map.spawn(start, 0);
    (map, boxes, start)
}

/// The expected outcome for a random map.
enum Expected {
    NoSeed,
    Leaks,
    /// The expected solidity of each cell for a point.
    Filled(Vec<Cell>),
}

/// Small cells around a random map.
struct Cells {
    /// Whether each cell is in a brush.
    brush: Vec<bool>,
    /// Whether each cell has no room for the center of a cube.
    shut: Vec<bool>,
}

impl Cells {
    const FIRST: i32 = -6 * FINE;
    const SIZE: i32 = (ROOM + 12) * FINE;

    fn new(boxes: &[IntBox]) -> Self {
        let grown_by = |reach: i32| {
            let mut solid = vec![false; Self::SIZE.pow(3) as usize];
            for [low, high] in boxes {
                let [low, high] = [
                    low.map(|at| at * FINE - reach),
                    high.map(|at| at * FINE + reach),
                ];
                for x in low[0]..high[0] {
                    for y in low[1]..high[1] {
                        (low[2]..high[2]).for_each(|z| solid[Self::index([x, y, z])] = true);
                    }
                }
            }
            solid
        };
        Self {
            brush: grown_by(0),
            shut: grown_by(REACH),
        }
    }

    fn index(at: [i32; 3]) -> usize {
        let [x, y, z] = at.map(|at| at - Self::FIRST);
        ((z * Self::SIZE + y) * Self::SIZE + x) as usize
    }

    fn at(index: usize) -> [i32; 3] {
        let index = index as i32;
        let at = [index, index / Self::SIZE, index / Self::SIZE.pow(2)];
        at.map(|at| at % Self::SIZE + Self::FIRST)
    }

    /// Returns the cells around a corner of cells that are not `taken`.
    fn free_around(at: [i32; 3], taken: &[bool]) -> Vec<usize> {
        let corners = 0..8;
        let around = corners.map(|corner| {
            let below = [0, 1, 2].map(|axis| corner >> axis & 1);
            Self::index(std::array::from_fn(|axis| at[axis] - below[axis]))
        });
        around.filter(|&cell| !taken[cell]).collect()
    }

    /// Returns the expected outcome for a point that starts at a place in whole units.
    fn fill(&self, start: [i32; 3]) -> Expected {
        let lifted = (0..=9).map(|lift| [start[0], start[1], start[2] + lift].map(|at| at * FINE));
        let mut lifted = lifted.filter(|at| !Self::free_around(*at, &self.brush).is_empty());
        let Some(place) = lifted.next() else {
            return Expected::NoSeed;
        };
        let own = Self::free_around(place, &self.brush);
        let own = Self::spread(&own, |cell| !self.brush[cell]);
        if !own[0] {
            let cell = |is_reached: bool| if is_reached { Cell::Empty } else { Cell::Solid };
            return Expected::Filled(own.into_iter().map(cell).collect());
        }
        let seeds = self.seeds(place);
        match self.flood(&seeds) {
            _ if seeds.is_empty() => Expected::NoSeed,
            None => Expected::Leaks,
            Some(cells) => Expected::Filled(cells),
        }
    }

    /// Returns the cells in which the center of a cube starts for a place of a point.
    fn seeds(&self, place: [i32; 3]) -> Vec<usize> {
        let centered = Self::free_around(place, &self.shut);
        if !centered.is_empty() {
            return centered;
        }
        let by = [-REACH, 0, REACH];
        let moved = |number: usize| {
            let by = [by[number % 3], by[number / 3 % 3], by[number / 9]];
            let at = std::array::from_fn(|axis| place[axis] + by[axis]);
            Self::free_around(at, &self.shut)
        };
        (0..27).flat_map(moved).collect()
    }

    /// Returns the cells next to a cell, within the border.
    fn neighbors(index: usize) -> impl Iterator<Item = usize> {
        let at = Self::at(index);
        (0..6).filter_map(move |side| {
            let mut next = at;
            next[side / 2] += if side % 2 == 0 { 1 } else { -1 };
            let inside = Self::FIRST..Self::FIRST + Self::SIZE;
            inside.contains(&next[side / 2]).then(|| Self::index(next))
        })
    }

    /// Returns the cells reachable from some cells through open ones.
    fn spread(from: &[usize], is_open: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut reached = vec![false; Self::SIZE.pow(3) as usize];
        let mut pending = from.to_vec();
        while let Some(cell) = pending.pop() {
            if is_open(cell) && !std::mem::replace(&mut reached[cell], true) {
                pending.extend(Self::neighbors(cell));
            }
        }
        reached
    }

    /// Returns the solidity of each cell for a point, or `None` if the cube gets out.
    fn flood(&self, seeds: &[usize]) -> Option<Vec<Cell>> {
        let centers = Self::spread(seeds, |cell| !self.shut[cell]);
        if centers[0] {
            return None;
        }
        let covered = dilated(&centers);
        let is_room = |cell: usize| !self.shut[cell] && !centers[cell];
        let is_between = |cell: usize| !self.brush[cell] && !covered[cell] && !is_room(cell);
        let beside = |is_side: &dyn Fn(usize) -> bool| {
            let all = 0..covered.len();
            let sides = all.filter(|&cell| is_side(cell)).flat_map(Self::neighbors);
            let sides: Vec<usize> = sides.collect();
            Self::spread(&sides, is_between)
        };
        let near_covered = beside(&|cell| covered[cell] && !self.brush[cell]);
        let near_room = beside(&is_room);
        let cells = (0..covered.len()).map(|cell| match () {
            () if self.brush[cell] => Cell::Solid,
            () if is_room(cell) && covered[cell] => Cell::Either,
            () if is_room(cell) => Cell::Solid,
            () if covered[cell] => Cell::Empty,
            () if !near_covered[cell] => Cell::Solid,
            () if near_room[cell] => Cell::Either,
            () => Cell::Empty,
        });
        Some(cells.collect())
    }
}

/// Returns the cells that a cube contains whose center is in one of `centers`.
fn dilated(centers: &[bool]) -> Vec<bool> {
    let mut cells = centers.to_vec();
    for axis in 0..3 {
        let stride = Cells::SIZE.pow(axis) as isize;
        let held = |cell: usize| {
            (-REACH..=REACH).any(|by| {
                let other = cell as isize + by as isize * stride;
                cells.get(other as usize).is_some_and(|&held| held)
            })
        };
        cells = (0..cells.len()).map(held).collect();
    }
    cells
}
