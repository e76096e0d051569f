//! Filling: space that no agent can reach is solid, hull by hull, and no other space changes. Hand-made rooms,
//! planted faults, the way out of maps that leak, and real maps against themselves unfilled.

use onion_compiler::error::VerifyError;
use onion_compiler::fill::FillOutcome;
use onion_compiler::hull::{AgentSpec, HullSpec};
use onion_compiler::{Compiled, Fill, Grouping, verify};
use onion_runtime::OnionMap;
use onion_tests::cases::{all_cases, sample_case, sample_cases};
use onion_tests::effort::Cases;
use onion_tests::fixtures::{self, made};
use onion_tests::oracle::vec3::sub;
use onion_tests::planted::{
    claim_filled, leaves, restate, solidity_of, with_leaf, with_options, without_blocks,
};
use onion_tests::queries::along;
use onion_tests::random::Random;
use onion_tests::rooms;
use onion_tests::samples::{Map, Shader};
use onion_tests::subject::{self, HULLS};

/// Number of segments for each hull of a map that are traced in its filled and in its unfilled tree.
const SEGMENTS: Cases = Cases::new(5_000, 20_000);

/// Points in the main room, in the sealed pocket within it, and outside.
const IN_ROOM: [f64; 3] = [-100.0, 10.0, 60.0];
const IN_POCKET: [f64; 3] = [96.0, 10.0, 60.0];
const OUTSIDE: [[f64; 3]; 4] = [
    [-300.0, 0.0, 60.0],
    [0.0, 0.0, 330.0],
    [0.0, 0.0, -1000.0],
    [90_000.0, -90_000.0, 50.0],
];

fn classes(names: &[&str]) -> Fill {
    Fill::From(names.iter().map(|&name| name.to_owned()).collect())
}

fn agents(classes: &[&str]) -> Vec<AgentSpec> {
    classes.iter().map(|class| class.parse().unwrap()).collect()
}

/// Compiles a map in one tree for all hulls.
fn in_one_tree(map: &onion_maps::Map, fill: Fill) -> Compiled {
    fixtures::compiled(map, &HULLS, |options| {
        options.fill = fill;
        options.grouping = Grouping::One;
    })
}

/// Compiles a map for some hulls, with the usual filling.
fn filled_for(map: &onion_maps::Map, hulls: &[&str]) -> Compiled {
    fixtures::compiled(map, hulls, |options| options.fill = Fill::default())
}

fn compiled(map: &Map, fill: &Fill) -> Compiled {
    let parsed = made(map);
    let compiled = in_one_tree(&parsed, fill.clone());
    let proven = verify(&compiled.bytes, &parsed);
    assert!(proven.is_ok(), "{}: {proven:?}", map.name);
    compiled
}

/// Returns the hulls for which a point of the world is solid.
fn solidity(compiled: &Compiled, point: [f64; 3]) -> u64 {
    subject::load(compiled).world().solidity(point).bits()
}

/// Returns the names of the filled hulls, on which the file and the report agree.
fn filled(compiled: &Compiled) -> Vec<String> {
    let file = subject::load(compiled);
    let in_file = file.hulls().filter(|hull| hull.filled);
    let in_file: Vec<String> = in_file.map(|hull| hull.name.to_owned()).collect();
    let hulls = compiled.report.filling.iter();
    let reported = hulls.filter(|hull| hull.outcome == FillOutcome::Filled);
    let reported: Vec<String> = reported.map(|hull| hull.hull.clone()).collect();
    assert_eq!(in_file, reported);
    in_file
}

#[test]
fn the_void_and_sealed_pockets_are_filled() {
    let compiled = compiled(&rooms::with_pocket(), &Fill::default());
    assert_eq!(filled(&compiled), ["stand", "crouch", "point"]);
    assert!(compiled.leak.is_none() && compiled.report.warnings.is_empty());
    assert_eq!(solidity(&compiled, IN_ROOM), 0);
    assert_eq!(solidity(&compiled, IN_POCKET), 0b111);
    for outside in OUTSIDE {
        assert_eq!(solidity(&compiled, outside), 0b111, "{outside:?}");
    }
}

#[test]
fn a_pocket_with_an_item_stays_empty() {
    let mut map = rooms::with_pocket();
    // It is inside the floor as expanded for boxes.
    map.point_entity("item_health", [96, 0, 16], 0);
    let compiled = compiled(&map, &Fill::default());
    assert_eq!(filled(&compiled), ["stand", "crouch", "point"]);
    assert_eq!(solidity(&compiled, IN_POCKET), 0);
    assert_eq!(solidity(&compiled, OUTSIDE[0]), 0b111);
}

#[test]
fn without_filling_nothing_but_brushes_is_solid() {
    let compiled = compiled(&rooms::with_pocket(), &Fill::Off);
    assert!(filled(&compiled).is_empty());
    for point in OUTSIDE.into_iter().chain([IN_ROOM, IN_POCKET]) {
        assert_eq!(solidity(&compiled, point), 0, "{point:?}");
    }
}

#[test]
fn classes_to_fill_from_can_be_named() {
    let mut map = rooms::with_pocket();
    map.point_entity("light_torch", [96, 0, 64], 0);
    let cases = [
        (&["light_torch"][..], 0b111, 0),
        (&["LIGHT_*"], 0b111, 0),
        (&["light_*", "info_player_deathmatch"], 0, 0),
        (&["info_player_deathmatch"], 0, 0b111),
    ];
    for (names, in_room, in_pocket) in cases {
        let compiled = compiled(&map, &classes(names));
        assert_eq!(filled(&compiled).len(), 3, "{names:?}");
        assert_eq!(solidity(&compiled, IN_ROOM), in_room, "{names:?}");
        assert_eq!(solidity(&compiled, IN_POCKET), in_pocket, "{names:?}");
    }
}

#[test]
fn a_map_without_a_start_is_not_filled() {
    let fill = classes(&["info_nobody"]);
    let compiled = compiled(&rooms::with_pocket(), &fill);
    assert!(filled(&compiled).is_empty());
    let hulls = &compiled.report.filling;
    assert!(hulls.iter().all(|hull| hull.outcome == FillOutcome::NoSeed));
    assert_eq!(compiled.report.warnings.len(), 3);
    assert_eq!(solidity(&compiled, OUTSIDE[0]), 0);
}

/// Seeds are on the surfaces of brushes, and where several meet.
#[test]
fn a_start_may_touch_brushes() {
    for origin in [[-112, 0, 24], [-112, -112, 24], [-128, -128, 0]] {
        let mut map = rooms::with_hole(0.0, 128.0);
        map.entities.pop();
        map.spawn(origin, 0);
        let compiled = compiled(&map, &Fill::default());
        let hulls = filled(&compiled);
        // At the corner of the room no box fits, at any height.
        let n_filled = if origin[0] == -112 { 3 } else { 1 };
        assert_eq!(hulls.len(), n_filled, "{origin:?}: {hulls:?}");
    }
}

#[test]
fn points_and_boxes_leak_by_themselves() {
    let cases = [
        (rooms::with_hole(4.0, 8.0), &["stand", "crouch"][..]),
        // An agent that crouches out of the map can stand up there.
        (rooms::with_hole(20.0, 40.0), &[]),
        (rooms::with_hole(20.0, 60.0), &[]),
        // A hole exactly as wide as the boxes is closed for them.
        (rooms::with_hole(16.0, 128.0), &["stand", "crouch"]),
    ];
    for (map, tight) in cases {
        let compiled = compiled(&map, &Fill::default());
        assert_eq!(filled(&compiled), tight);
        let leaking = 0b111 & !((1 << tight.len()) - 1);
        assert_eq!(solidity(&compiled, OUTSIDE[0]), 0b111 & !leaking);
        assert_eq!(solidity(&compiled, [0.0, 0.0, 24.5]), 0);
        let warnings = compiled.report.warnings.iter();
        let leaks = warnings.filter(|warning| warning.message.contains("the map leaks"));
        assert_eq!(leaks.count(), 3 - tight.len());
        check_way_out(&map, &compiled, tight.len());
    }
}

/// Checks that the way out begins at the entity, ends outside of all brushes, has no gaps, and stays out of solid in
/// one stance or the other.
fn check_way_out(map: &Map, leaking: &Compiled, first_hull: usize) {
    let leak = leaking.leak.as_ref().unwrap();
    assert_eq!(leak.hull.index(), first_hull);
    let unfilled = compiled(map, &Fill::Off);
    let points = leak.points();
    assert_eq!(points[0], [-64.0, 0.0, 24.0]);
    let last = points[points.len() - 1];
    assert!(last.iter().any(|at| at.abs() > 144.0), "{last:?}");
    for pair in points.windows(2) {
        let step = (0..3).map(|axis| (pair[1][axis] - pair[0][axis]).powi(2));
        assert!(step.sum::<f64>().sqrt() <= 4.0 + 1e-9, "{pair:?}");
    }
    for point in points {
        let stances = if leak.hull.index() < 2 { 0b011 } else { 0b100 };
        let solid = solidity(&unfilled, point) & stances;
        assert_ne!(solid, stances, "{point:?}");
    }
}

/// Flips every bit of every leaf of a filled map: fills reachable leaves, and opens void.
#[test]
fn every_leaf_that_is_wrongly_filled_is_found() {
    let wedge = sample_case("wedge").map.clone();
    for map in [wedge, made(&rooms::with_pocket())] {
        let file = in_one_tree(&map, Fill::default()).bytes;
        for leaf in leaves(&file) {
            for bit in [1, 2, 4] {
                let wrong = with_leaf(&file, leaf, bit);
                assert!(OnionMap::from_bytes(&wrong).is_ok());
                let found = verify(&wrong, &map);
                assert!(found.is_err(), "leaf {leaf}, bit {bit}");
            }
        }
    }
}

/// Returns a file whose recorded options are without one and with more.
fn with_other_options(file: &[u8], without: &str, more: &[&str]) -> Vec<u8> {
    let loaded = OnionMap::from_bytes(file).unwrap();
    let options = loaded.inspect().options();
    let options = options.filter(|option| *option != without);
    let options: Vec<&str> = options.chain(more.iter().copied()).collect();
    with_options(file, &options)
}

#[test]
fn a_leaking_hull_that_is_filled_is_found() {
    let map = rooms::with_hole(20.0, 60.0);
    let parsed = made(&map);
    let file = compiled(&map, &Fill::Off);
    let start = subject::load(&file).world().leaf_at([-64.0, 0.0, 24.0]);
    let start = start.unwrap();
    let unfilled = with_other_options(&file.bytes, "--no-fill", &[]);
    let is_kept: [&dyn Fn(usize) -> bool; 3] =
        [&|_| true, &|_| false, &|leaf| leaf == start.index()];
    for (is_kept, what) in is_kept.iter().zip(["nothing", "all", "all but the start"]) {
        let error = verify(&claim_filled(&unfilled, is_kept), &parsed).err();
        let is_found = matches!(error, Some(VerifyError::WrongLeaf { .. }));
        assert!(is_found, "{what} is filled: {error:?}");
    }
    // Without seeds nothing is reachable, so nothing may be filled.
    let tight = rooms::with_pocket();
    let parsed = made(&tight);
    let file = compiled(&tight, &Fill::default()).bytes;
    assert!(verify(&file, &parsed).is_ok());
    for option in ["--fill-from=info_nobody", "--no-fill"] {
        let wrong = with_other_options(&file, "", &[option]);
        assert!(verify(&wrong, &parsed).is_err(), "{option}");
    }
}

/// Filling does not change the space that a hull can reach: traces from there hit the same.
#[test]
fn traces_from_where_agents_come_are_those_of_the_unfilled_tree() {
    let mut n_compared = 0;
    for case in all_cases() {
        let (filled, unfilled) = (case.filled(), case.unfilled());
        let hulls = filled.report.filling.iter();
        n_compared += hulls.filter(|hull| hull.n_seeds > 0).count();
        let [n, n_unfilled] = [filled, unfilled].map(|compiled| compiled.report.n_nodes);
        println!("{}: {n} nodes, {n_unfilled} unfilled", case.name);
        for hull in &filled.report.filling {
            println!("{} {hull:?}", case.name);
        }
        let origins: Vec<_> = case.map.points.iter().map(|point| point.origin).collect();
        compare(&case.name, filled, unfilled, &origins);
    }
    assert!(n_compared >= sample_cases().len(), "{n_compared} filled");
}

/// Crossings that are nearer than this along the longest axis of the segment count as one, in units.
const GRAZE: f64 = 1.0 / (1u64 << 24) as f64;

fn longest_step(start: [f64; 3], end: [f64; 3]) -> f64 {
    sub(end, start)
        .map(f64::abs)
        .into_iter()
        .fold(0.0, f64::max)
}

fn compare(name: &str, filled: &Compiled, unfilled: &Compiled, origins: &[[f32; 3]]) {
    let [filled, unfilled] = [filled, unfilled].map(subject::load);
    for hull in filled.hulls().filter(|hull| hull.filled) {
        let is_free = |point: &[f64; 3]| !filled.world().is_solid(hull.id, *point);
        let starts = origins.iter().map(|origin| origin.map(f64::from));
        let starts: Vec<_> = starts.filter(is_free).collect();
        assert!(!starts.is_empty(), "{name}: nothing can be reached");
        let mut random = Random::new(u64::from(hull.contents));
        let mut at = starts[0];
        for number in 0..SEGMENTS.count() {
            // A walk through reached space, restarted now and then.
            if number % 16 == 0 {
                at = starts[random.below(starts.len())];
            }
            let reach = [64.0, 512.0, 8192.0][number % 3];
            let end = along(at, random.direction(), random.between(0.0, reach));
            let [a, b] = [filled, unfilled].map(|map| {
                let hull = map.find_hull(hull.name).unwrap();
                map.world().with_margin(0.03).trace(hull, at, end)
            });
            let shown = format!("{name} {}: {at:?} to {end:?}", hull.name);
            let [plane, other] = [a, b].map(|trace| trace.plane.map(|at| (at.normal, at.dist)));
            assert_eq!(plane.is_some(), other.is_some(), "{shown}");
            assert_eq!(a.start_solid, b.start_solid, "{shown}");
            if plane == other {
                assert_eq!(a.hit_fraction, b.hit_fraction, "{shown}");
            } else {
                // Two faces nearly coincide, and filling changes which of them the tree names.
                let apart = (a.hit_fraction - b.hit_fraction).abs() * longest_step(at, end);
                assert!(apart < GRAZE, "{shown}: {apart} apart");
            }
            at = a.end_pos;
        }
    }
}

/// Random maps of whole-numbered boxes against a flood fill of unit cells, which uses no trees, planes or portals:
/// the same hulls leak, and every unit cell is solid for the same hulls.
#[test]
fn random_boxes_agree_with_a_flood_of_unit_cells() {
    let hulls = ["small:1x2@feet", "wide:2x3@1", "point:point"];
    let mut n_filled = 0;
    for seed in 0..RANDOM_MAPS.count() as u64 {
        let mut random = Random::new(seed);
        let (map, boxes, starts) = random_map(&mut random);
        let parsed = made(&map);
        let specs = subject::hulls(&hulls);
        // The boxes are stances of one agent, or agents of their own, which is the default for different widths.
        let is_one = seed % 2 == 0;
        let compiled = fixtures::compiled(&parsed, &hulls, |options| {
            options.fill = Fill::default();
            options.agents = agents(if is_one { &["both:small,wide"] } else { &[] });
        });
        let proven = verify(&compiled.bytes, &parsed);
        assert!(proven.is_ok(), "seed {seed}: {proven:?}");
        let onion = subject::load(&compiled);
        let world = onion.world();
        let cells = specs.iter().map(|hull| UnitCells::new(hull, &boxes));
        let cells: Vec<UnitCells> = cells.collect();
        let size = if is_one { 2 } else { 1 };
        let boxes = cells[..2].chunks(size).chain([&cells[2..]]);
        let floods = boxes.flat_map(|stances| UnitCells::flood(stances, &starts));
        for (number, (hull, flooded)) in specs.iter().zip(floods).enumerate() {
            let outcome = &compiled.report.filling[number].outcome;
            let context = format!("seed {seed}, hull {}", hull.name);
            match (&flooded, outcome) {
                (Flood::NoSeed, FillOutcome::NoSeed) => {}
                (Flood::Leak, FillOutcome::Leaks { .. }) => {}
                (Flood::Reached(_), FillOutcome::Filled) => n_filled += 1,
                _ => panic!("{context}: {outcome:?}"),
            }
            for at in UnitCells::all() {
                let expected = match &flooded {
                    Flood::Reached(reached) => !reached[UnitCells::index(at)],
                    _ => cells[number].solid[UnitCells::index(at)],
                };
                let center = at.map(|low| f64::from(low) + 0.5);
                let solid = world.solidity(center).contains(number);
                assert_eq!(solid, expected, "{context}: {center:?}");
            }
        }
    }
    assert!(n_filled > RANDOM_MAPS.count() / 2, "only {n_filled}");
}

const RANDOM_MAPS: Cases = Cases::new(60, 300);

/// Corners of a box of whole units.
type IntBox = [[i32; 3]; 2];

/// Makes a room 16 units wide, now and then with a hole, cluttered with boxes, and some starts.
fn random_map(random: &mut Random) -> (Map, Vec<IntBox>, Vec<[i32; 3]>) {
    let mut map = Map::new("random", "Boxes");
    let mut boxes: Vec<IntBox> = (0..3)
        .flat_map(|axis| {
            [-2, 16].map(|low| {
                let mut corners = [[-2; 3], [18; 3]];
                (corners[0][axis], corners[1][axis]) = (low, low + 2);
                corners
            })
        })
        .collect();
    if random.below(3) == 0 {
        // The upper end of the room, with a gap.
        boxes.retain(|corners| corners[0] != [-2, -2, 16]);
        let edge = 12 + random.below(5) as i32;
        boxes.push([[-2, -2, 16], [edge, 18, 18]]);
    }
    for _ in 0..random.below(30) {
        let low: [i32; 3] = std::array::from_fn(|_| random.below(15) as i32);
        let high = low.map(|at| (at + 1 + random.below(8) as i32).min(17));
        boxes.push([low, high]);
    }
    for corners in &boxes {
        let [low, high] = corners.map(|corner| corner.map(f64::from));
        map.cuboid(Shader::Wall, low, high);
    }
    let n_starts = 1 + random.below(3);
    let starts: Vec<[i32; 3]> = (0..n_starts)
        .map(|_| std::array::from_fn(|axis| 1 + random.below([15, 15, 4][axis]) as i32))
        .collect();
    for &start in &starts {
        map.spawn(start, 0);
    }
    (map, boxes, starts)
}

/// The unit cells around a random map, for a hull.
struct UnitCells {
    solid: Vec<bool>,
    most_lift: i32,
}

/// The outcome of a flood fill.
enum Flood {
    NoSeed,
    Leak,
    Reached(Vec<bool>),
}

impl UnitCells {
    const FIRST: i32 = -8;
    const SIZE: i32 = 34;

    fn new(hull: &HullSpec, boxes: &[IntBox]) -> Self {
        let [mins, maxs] = [hull.mins, hull.maxs].map(|corner| corner.map(|at| at as i32));
        let holds = |[low, high]: &IntBox, at: [i32; 3]| {
            (0..3).all(|axis| (low[axis] - maxs[axis]..high[axis] - mins[axis]).contains(&at[axis]))
        };
        let solid = Self::all().map(|at| boxes.iter().any(|corners| holds(corners, at)));
        Self {
            solid: solid.collect(),
            most_lift: -mins[2] + 9,
        }
    }

    fn all() -> impl Iterator<Item = [i32; 3]> {
        let size = Self::SIZE;
        (0..size.pow(3)).map(move |index| {
            [index % size, index / size % size, index / size / size].map(|at| at + Self::FIRST)
        })
    }

    fn index(at: [i32; 3]) -> usize {
        let [x, y, z] = at.map(|at| at - Self::FIRST);
        ((z * Self::SIZE + y) * Self::SIZE + x) as usize
    }

    /// Returns the cells around a point that are not solid.
    fn free_around(&self, [x, y, z]: [i32; 3]) -> Vec<[i32; 3]> {
        let corners = 0..8;
        let around = corners.map(|at| [x - (at & 1), y - (at >> 1 & 1), z - (at >> 2)]);
        around.filter(|&at| !self.solid[Self::index(at)]).collect()
    }

    /// Returns the cells in which a hull begins that is placed at a start.
    fn begin(&self, [x, y, z]: [i32; 3]) -> Vec<[i32; 3]> {
        let mut places = (0..=self.most_lift).map(|lift| self.free_around([x, y, z + lift]));
        places.find(|cells| !cells.is_empty()).unwrap_or_default()
    }

    /// Flood fills for the stances of one agent, which can change them in any cell.
    fn flood(stances: &[Self], starts: &[[i32; 3]]) -> Vec<Flood> {
        let mut pending = Vec::new();
        for (stance, cells) in stances.iter().enumerate() {
            let begin = starts.iter().flat_map(|&start| cells.begin(start));
            pending.extend(begin.map(|at| (stance, at)));
        }
        let all = |flood: fn() -> Flood| stances.iter().map(|_| flood()).collect();
        if pending.is_empty() {
            return all(|| Flood::NoSeed);
        }
        let mut reached = vec![vec![false; stances[0].solid.len()]; stances.len()];
        while let Some((stance, at)) = pending.pop() {
            let known = &mut reached[stance][Self::index(at)];
            if *known || stances[stance].solid[Self::index(at)] {
                continue;
            }
            *known = true;
            pending.extend((0..stances.len()).map(|other| (other, at)));
            for axis in 0..3 {
                for step in [-1, 1] {
                    let mut next = at;
                    next[axis] += step;
                    if !(Self::FIRST..Self::FIRST + Self::SIZE).contains(&next[axis]) {
                        return all(|| Flood::Leak);
                    }
                    pending.push((stance, next));
                }
            }
        }
        reached.into_iter().map(Flood::Reached).collect()
    }
}

/// Beyond a tunnel that is passable only by crouching, there is room to stand.
#[test]
fn who_crouches_through_can_stand_up() {
    let map = &sample_case("low_tunnel").map;
    let compiled = filled_for(map, &HULLS);
    assert_eq!(filled(&compiled).len(), 3);
    assert_eq!(solidity(&compiled, [200.0, 0.0, 24.0]), 0);
    assert_eq!(solidity(&compiled, [400.0, 0.0, 24.0]), 0b111);
    // Without the crouching hull, the standing box cannot get there.
    let alone = filled_for(map, &HULLS[..1]);
    assert_eq!(solidity(&alone, [-200.0, 0.0, 24.5]), 0);
    assert_eq!(solidity(&alone, [200.0, 0.0, 24.5]), 1);
}

/// A crab 32 units high gets through the same tunnel, but a player does not, unless both are stances of one agent.
#[test]
fn an_agent_does_not_reach_what_another_one_reaches() {
    let map = &sample_case("low_tunnel").map;
    let beyond = [200.0, 0.0, 24.0];
    let cases: [(&[&str], u64); 4] = [
        (&[], 0b001),
        (&["both:stand,crab"], 0),
        (&["player:stand", "crab:crab"], 0b001),
        (&["crab:crab"], 0b001),
    ];
    for (classes, expected) in cases {
        let hulls = ["stand:16x56", "crab:28x32"];
        let compiled = fixtures::compiled(map, &hulls, |options| {
            options.fill = Fill::default();
            options.agents = agents(classes);
        });
        assert_eq!(solidity(&compiled, beyond), expected, "{classes:?}");
        assert!(verify(&compiled.bytes, map).is_ok(), "{classes:?}");
    }
}

/// A file is wrong that keeps the standing box out of the whole room beyond the tunnel: it could not get in by
/// itself, but an agent that crouches there could not stand up.
#[test]
fn a_stance_that_is_wrongly_filled_is_found() {
    let map = &sample_case("low_tunnel").map;
    // The stances are in one tree, or in trees of other groups.
    for grouping in [Grouping::One, Grouping::Each] {
        let compiled = fixtures::compiled(map, &HULLS, |options| {
            options.fill = Fill::default();
            options.grouping = grouping;
        });
        wrongly_filled_stance(map, &compiled);
    }
}

fn wrongly_filled_stance(map: &onion_maps::Map, compiled: &Compiled) {
    // The fast form would also depend on other leaves.
    let right = with_other_options(&without_blocks(&compiled.bytes), "", &["--no-fast"]);
    let file = OnionMap::from_bytes(&right).unwrap();
    let mut wrong = right.clone();
    let mut random = Random::new(1);
    for _ in 0..10_000 {
        // The standing box has left the tunnel from x = 80 on.
        let point = random.point([80.0, -112.0, 24.0], [304.0, 112.0, 128.0]);
        if let Some(leaf) = file.world().leaf_at(point.map(|at| at as f32)) {
            wrong[solidity_of(&right, leaf.index())] |= 1;
        }
    }
    restate(&mut wrong);
    let alone = OnionMap::from_bytes(&wrong).unwrap();
    assert_eq!(alone.world().solidity([-200.0, 0.0, 24.5]).bits(), 0);
    assert_eq!(alone.world().solidity([200.0, 0.0, 24.5]).bits(), 1);
    let proven = verify(&right, map);
    assert!(proven.is_ok(), "{proven:?}");
    let found = verify(&wrong, map);
    let is_found = matches!(found, Err(VerifyError::WrongLeaf { .. }));
    assert!(is_found, "{found:?}");
}

/// A place where agents start, but outside of the box of the tree, where no space is known to be empty.
#[test]
fn a_start_beyond_the_tree_is_found() {
    let file = compiled(&rooms::with_pocket(), &Fill::default()).bytes;
    let mut map = rooms::with_pocket();
    assert!(verify(&file, &made(&map)).is_ok());
    map.point_entity("item_health", [5000, 0, 0], 0);
    let found = verify(&file, &made(&map));
    let is_found = matches!(found, Err(VerifyError::WrongLeaf { .. }));
    assert!(is_found, "{found:?}");
}

/// Origins that are not valid places are reported and ignored.
#[test]
fn odd_origins_start_nothing() {
    let mut map = rooms::with_pocket();
    map.point_entity("item_far", [1_000_000, 0, 0], 0);
    for origin in ["nan 0 0", "1e39 0 0", "1 2", "here"] {
        map.entities.push(vec![
            ("classname", "item_odd".to_owned()),
            ("origin", origin.to_owned()),
        ]);
    }
    let compiled = compiled(&map, &Fill::default());
    assert_eq!(filled(&compiled).len(), 3);
    assert_eq!(compiled.report.warnings.len(), 5);
    assert_eq!(compiled.report.filling[0].n_seeds, 1);
}

/// A start is lifted out of the floor by the distance that the box reaches below its origin, in whole units, plus 9:
/// a box with its feet 24.5 units below its origin by 34, which fits from 24.5 on.
#[test]
fn starts_are_lifted_so_far_and_no_farther() {
    let hulls = ["half:mins=-16,-16,-24.5:maxs=16,16,32"];
    for (height, n_seeds) in [("-9.5", 1), ("-9.625", 0), ("-10", 0), ("-10.5", 0)] {
        let mut map = rooms::with_hole(0.0, 128.0);
        map.cuboid(Shader::Wall, [-144.0, -144.0, -80.0], [144.0, 144.0, -16.0]);
        map.entities.pop();
        map.entities.push(vec![
            ("classname", "info_player_start".to_owned()),
            ("origin", format!("0 0 {height}")),
        ]);
        let compiled = filled_for(&made(&map), &hulls);
        assert_eq!(compiled.report.filling[0].n_seeds, n_seeds, "{height}");
    }
}
