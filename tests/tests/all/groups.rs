//! Groups of hulls: the choice of hulls that share a tree, answers that do not depend on it, and proofs of files with
//! several trees.

use onion_compiler::group::grouping::Grouping;
use onion_compiler::verify::verify;
use onion_compiler::{Compiled, Fill};
use onion_format::NodeRecord;
use onion_maps::Map;
use onion_runtime::{Aabb, OnionMap};
use onion_tests::cases::sample_case;
use onion_tests::effort::is_long;
use onion_tests::fixtures::{self, made, many_hulls};
use onion_tests::maps::real_maps;
use onion_tests::planted::{count, leaves, record, records, solidity_of, with};
use onion_tests::random::Random;
use onion_tests::{samples, subject};

/// Returns the largest size of real maps that are compiled many times, in bytes.
fn most_bytes() -> usize {
    if is_long() { 1 << 19 } else { 1 << 17 }
}

const HULLS: [&str; 4] = ["stand:16x56", "crouch:16x32", "point:point", "big:32x72"];

fn sample(name: &str) -> &'static Map {
    &sample_case(name).map
}

fn compiled(map: &Map, grouping: &str, fill: Fill) -> Compiled {
    fixtures::compiled(map, &HULLS, |options| {
        options.fill = fill;
        options.grouping = grouping.parse().unwrap();
    })
}

fn groups(file: &OnionMap<impl AsRef<[u8]>>) -> Vec<u64> {
    (0..file.inspect().n_groups())
        .map(|group| file.inspect().hulls_of_group(group).bits())
        .collect()
}

#[test]
fn groups_are_those_that_were_asked_for() {
    let map = sample("room");
    let cases: [(&str, &[u64]); 5] = [
        ("one", &[0b1111]),
        ("each", &[0b0001, 0b0010, 0b0100, 0b1000]),
        ("big+point,crouch+stand", &[0b0011, 0b1100]),
        ("point,crouch+big+stand", &[0b1011, 0b0100]),
        // One tree for all has the fewest nodes in a map of walls only.
        ("auto", &[0b1111]),
    ];
    for (grouping, expected) in cases {
        let compiled = compiled(map, grouping, Fill::Off);
        assert_eq!(groups(&subject::load(&compiled)), expected, "{grouping}");
    }
}

/// This holds for any number of hulls: two, three, four or eight.
#[test]
fn auto_has_no_more_nodes_than_one_tree_or_each() {
    const EIGHT: [&str; 8] = [
        "stand:16x56",
        "crouch:16x32",
        "point:point",
        "big:32x72",
        "small:8x16",
        "wide:24x64",
        "giant:48x96",
        "slim:12x40",
    ];
    let names = ["room", "low_tunnel", "wedge", "ramp_stairs", "courtyard"];
    let maps = names.map(|name| (name.to_owned(), sample(name).clone()));
    let real = real_maps()
        .into_iter()
        .filter(|map| map.bytes.len() < most_bytes());
    let real = real.map(|map| (map.name, subject::parse(&map.bytes)));
    for (name, map) in maps.into_iter().chain(real) {
        for n_hulls in [2, 3, 4, 8] {
            let nodes = |grouping: Grouping| {
                let compiled = fixtures::compiled(&map, &EIGHT[..n_hulls], |options| {
                    options.fill = Fill::default();
                    options.grouping = grouping;
                    options.fast = false;
                });
                subject::load(&compiled).inspect().n_nodes()
            };
            let [auto, one, each] = [Grouping::Auto, Grouping::One, Grouping::Each].map(nodes);
            assert!(
                auto <= one.min(each),
                "{name}, {n_hulls} hulls: {auto}, {one}, {each}"
            );
        }
    }
}

/// Pillars on a wide floor, which makes the hulls similar: of the candidates, `auto` has to take the last.
#[test]
fn auto_takes_a_tree_for_each_where_that_is_cheapest() {
    let mut map = samples::Map::new("pillars", "Pillars");
    let wall = samples::Shader::Wall;
    map.cuboid(wall, [-3000.0, -3000.0, -16.0], [3000.0, 3000.0, 0.0]);
    for (x, y) in (0..3).flat_map(|x| (0..2).map(move |y| (x, y))) {
        let low = [60 * x + 7 * y % 13, 60 * y + 5 * x % 11, 0].map(f64::from);
        map.cuboid(wall, low, [low[0] + 16.0, low[1] + 16.0, 64.0]);
    }
    let map = made(&map);
    let report = |grouping: &str| {
        let hulls = ["thin:4x56", "wide:12x56"];
        let compiled = fixtures::compiled(&map, &hulls, |options| {
            options.grouping = grouping.parse().unwrap();
            options.compare_groups = true;
        });
        compiled.report
    };
    let [one, each, auto] = ["one", "each", "auto"].map(report);
    assert!(one.other_grouping.is_none(), "the hulls are similar");
    assert!(
        each.n_nodes < one.n_nodes,
        "{}, {}",
        each.n_nodes,
        one.n_nodes
    );
    assert_eq!((auto.n_nodes, auto.groups), (each.n_nodes, each.groups));
}

#[test]
fn names_that_are_no_hulls_or_not_all_are_refused() {
    let hulls = subject::hulls(&HULLS);
    let cases = [
        ("stand+crouch,point", "big"),
        ("stand+crouch,point,big,tall", "tall"),
        ("stand+crouch,point,big,stand", "stand"),
        ("stand,,crouch+point+big", "\"\""),
    ];
    for (text, word) in cases {
        let error = text.parse::<Grouping>().unwrap().check(&hulls).unwrap_err();
        assert!(error.to_string().contains(word), "{text}: {error}");
    }
}

/// Asserts that answers do not depend on groups. Planes are the same in all trees, so fractions are too, up to the
/// rounding error of a crossing.
fn assert_same_answers(name: &str, map: &Map, fill: &Fill) {
    let one = compiled(map, "one", fill.clone());
    let one = subject::load(&one);
    for grouping in ["auto", "each", "stand+point,crouch+big"] {
        let several = compiled(map, grouping, fill.clone());
        let several = subject::load(&several);
        let mut random = Random::new(7);
        for number in 0..5_000 {
            let [start, end] = [0, 1].map(|_| random.point([-600.0; 3], [600.0; 3]));
            let what = format!("{name} {grouping} {number}");
            let solidity = [&one, &several].map(|map| map.world().solidity(start));
            assert_eq!(solidity[0], solidity[1], "{what}: {start:?}");
            for hull in one.hulls() {
                let traces = [&one, &several].map(|map| {
                    let hull = map.find_hull(hull.name).unwrap();
                    map.world().with_margin(0.0).trace(hull, start, end)
                });
                let [a, b] = traces.map(|trace| trace.hit_fraction);
                assert!((a - b).abs() < 1e-12, "{what}: {traces:?}");
                let own = several.find_hull(hull.name).unwrap();
                let solid = several.world().is_solid(own, start);
                assert_eq!(solid, solidity[0].contains(hull.id.index()), "{what}");
            }
        }
    }
}

#[test]
fn answers_do_not_depend_on_groups() {
    for name in ["room", "low_tunnel", "wedge", "ramp_stairs", "courtyard"] {
        assert_same_answers(name, sample(name), &Fill::Off);
        assert_same_answers(name, sample(name), &Fill::default());
    }
    let largest = real_maps().into_iter().max_by_key(|map| map.bytes.len());
    if let Some(real) = largest {
        assert_same_answers(&real.name, &subject::parse(&real.bytes), &Fill::default());
    }
}

/// More hulls than half a word has bits: each is solid where the larger ones are not.
#[test]
fn forty_hulls_are_told_apart() {
    let map = sample("room");
    let hulls = many_hulls(40, |hull| format!("h{hull}:{}x{}", 4 + hull, 16 + 2 * hull));
    let compiled = fixtures::compiled(map, &hulls, |_| ());
    assert!(verify(&compiled.bytes, map).unwrap().impure == 0);
    let onion = subject::load(&compiled);
    let expected = [0, 8, 16, 24, 32].map(|first| 0xff << first);
    assert_eq!(groups(&onion), expected);
    // With growing distance from a wall, hull after hull has room for its half-width.
    let Aabb { mins, maxs } = onion.world().bounds();
    let (from, to) = (mins[0], maxs[0]);
    let solid = |x: f32| onion.world().solidity([x, 0.0, 100.0]).bits();
    let inside = (0..4000).map(|step| from + (to - from) * step as f32 / 4000.0);
    let sets: std::collections::BTreeSet<u64> = inside.map(solid).collect();
    assert!(sets.len() >= 40, "{} sets of hulls", sets.len());
}

#[test]
fn files_with_several_trees_are_proven() {
    let map = sample("low_tunnel");
    for fill in [Fill::Off, Fill::default()] {
        for grouping in ["each", "auto", "stand+point,crouch+big"] {
            let file = compiled(map, grouping, fill.clone()).bytes;
            let audit = verify(&file, map).unwrap();
            assert!(audit.leaf_hulls > 0 && audit.impure == 0, "{grouping}");
            for leaf in leaves(&file) {
                let at = solidity_of(&file, leaf);
                for bit in 0..HULLS.len() {
                    let wrong = with(&file, at, &[file[at] ^ 1 << bit]);
                    let found = verify(&wrong, map);
                    assert!(found.is_err(), "{grouping}: leaf {leaf}, bit {bit}");
                }
            }
        }
    }
}

#[test]
fn what_nodes_know_must_be_true() {
    let file = compiled(sample("low_tunnel"), "one", Fill::Off).bytes;
    let nodes = records(&file, NodeRecord::TAG);
    let n_nodes = count(&file, NodeRecord::TAG);
    let mut n_claims = 0;
    for node in 0..n_nodes {
        for side in 0..2 {
            let resolved = nodes + node * NodeRecord::SIZE + NodeRecord::SIZE - 4 + side;
            let solid = resolved + 2;
            for hull in 0..HULLS.len() {
                let bit = 1u8 << hull;
                let claims = file[resolved] & bit != 0;
                n_claims += usize::from(claims);
                // Another answer, an answer for a leaf, and a missing answer for a node.
                let is_leaf = record::<NodeRecord>(&file, node).is_leaf(side);
                let at = if claims && !is_leaf { solid } else { resolved };
                let wrong = with(&file, at, &[file[at] ^ bit]);
                let found = OnionMap::from_bytes(&wrong);
                assert!(found.is_err(), "node {node}, side {side}, hull {hull}");
            }
        }
    }
    assert!(n_claims > 10, "{n_claims}");
}

#[test]
fn planes_in_nodes_must_be_those_of_the_map() {
    let file = compiled(sample("low_tunnel"), "one", Fill::Off).bytes;
    let nodes = records(&file, NodeRecord::TAG);
    for at in (0..16).step_by(4) {
        let mut number = f32::from_le_bytes(*file[nodes + at..].first_chunk().unwrap());
        number = number.next_up();
        let wrong = with(&file, nodes + at, &number.to_le_bytes());
        assert!(OnionMap::from_bytes(&wrong).is_err(), "byte {at} of a node");
    }
}

/// Returns the groups of similar hulls about one block.
fn similar(size: [f64; 3], hulls: &[&str]) -> String {
    let mut map = samples::Map::new("block", "A block");
    map.cuboid(samples::Shader::Wall, [0.0; 3], size);
    let compiled = fixtures::compiled(&made(&map), hulls, |options| {
        options.compare_groups = true;
    });
    let other = compiled.report.other_grouping;
    other.map_or_else(|| "all".to_owned(), |other| other.groups)
}

/// Hulls are similar if 65% of the area of both lies in common planes. About a slab of 1000 by 1000, two boxes with
/// the same height of 56 that reach 16 and 48 to all sides share 2 (1032^2 + 1096^2); the sides, 4 (1032 + 1096)
/// times the slab's height plus 56, must be at most 35/65 of that, so the height plus 56 at most 286.7.
#[test]
fn hulls_are_similar_by_the_area_that_they_share() {
    let hulls = ["thin:16x56", "wide:48x56"];
    assert_eq!(similar([1000.0, 1000.0, 230.0], &hulls), "all");
    assert_eq!(similar([1000.0, 1000.0, 231.0], &hulls), "thin,wide");
    let same = ["thin:16x56", "same:16x56"];
    assert_eq!(similar([1000.0, 1000.0, 231.0], &same), "all");
}

/// Of three hulls, two differ from the first in one side of the block each, and so from each other in both sides.
#[test]
fn groups_are_as_similar_as_their_hulls_are_in_the_mean() {
    let hulls = [
        "a:mins=-8,-8,-8:maxs=8,8,8",
        "b:mins=-12,-8,-8:maxs=8,8,8",
        "c:mins=-8,-12,-8:maxs=8,8,8",
    ];
    // Each of these sides is a fifth of the area: each pair with the first is 80% similar, and the third hull is 80%
    // and 60% similar to the others.
    assert_eq!(similar([1000.0, 1000.0, 2000.0], &hulls), "all");
    // A fifth and 27%: a and b are 80% similar, and c is 73% and 53% similar to them, 63% in the mean.
    assert_eq!(similar([300.0, 222.0, 2000.0], &hulls), "a+b,c");
}
