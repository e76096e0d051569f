//! The same map gives the same bytes on every machine, and after every change that is not meant to change them: the
//! digests of compiled maps are those in `golden/digests.txt`, which `ONION_BLESS=1` rewrites, and those of maps with
//! links in `golden/links.txt`. The choice of planes, the order of records and the names of faces affect no answer, so
//! no other test notices when they change; neither when the compiler finds fewer links.

use onion_compiler::{Compiled, Fill};
use onion_tests::cases::{Case, cases, sample_cases};
use onion_tests::fixtures::{assert_golden, compiled, made};
use onion_tests::rooms;
use onion_tests::samples::{self, Brush, Map, Shader};
use onion_tests::subject::HULLS;

/// Makes a column with 65 sides on a parabola, whose planes would form a chain in a tree that did not halve it.
fn bowl() -> Case {
    let mut map = Map::new("bowl", "A brush of many sides");
    map.room([-384.0, -64.0, 0.0], [384.0, 384.0, 128.0]);
    let corner = |x: i32| [f64::from(8 * x), f64::from(x * x) / 4.0];
    let outline: Vec<_> = (-32..=32).map(corner).collect();
    map.add(Shader::Trim, Brush::column(&outline, 0.0, 64.0));
    map.spawn([-300, 0, 24], 0);
    Case::new(map.name, &samples::write(&map), &HULLS, "one")
}

fn row(name: &str, kind: &str, compiled: &Compiled) -> String {
    let digest = blake3::hash(&compiled.bytes).to_hex();
    let n_bytes = compiled.bytes.len();
    format!("{name}, {kind}: {n_bytes} bytes, {}\n", &digest[..16])
}

#[test]
fn maps_are_compiled_to_the_bytes_that_are_kept() {
    let bowl = bowl();
    let grouped = cases().find(|case| case.name.ends_with("a tree each"));
    let unfilled = sample_cases().iter().chain([&bowl]).chain(grouped);
    let unfilled = unfilled.map(|case| row(&case.name, "not filled", case.unfilled()));
    let filled = sample_cases().iter();
    let filled = filled.map(|case| row(&case.name, "filled", case.filled()));
    let table: String = unfilled.chain(filled).collect();
    assert_golden("digests.txt", table.as_bytes());
}

/// For three classes of agents: a player, a large and a small monster.
#[test]
fn links_are_those_that_are_kept() {
    let rooms = [
        rooms::pit(),
        rooms::carried(),
        rooms::thrown_up(),
        rooms::lift(8),
        rooms::under_slab(),
        rooms::lava(152.0),
        rooms::pool(),
        rooms::winding(),
        rooms::low_step(),
    ];
    let rooms = rooms.map(|map| (map.name.to_owned(), made(&map)));
    let samples = sample_cases()
        .iter()
        .map(|case| (case.name.clone(), case.map.clone()));
    let hulls = ["stand:16x56", "crouch:16x32", "ogre:32x96", "imp:12x32"];
    let table: String = samples
        .chain(rooms)
        .map(|(name, map)| {
            let compiled = compiled(&map, &hulls, |options| {
                (options.fill, options.floors) = (Fill::default(), true);
                let classes = ["human:stand,crouch", "ogres:ogre", "imps:imp"];
                options.agents = classes.map(|class| class.parse().unwrap()).to_vec();
            });
            row(&name, "with links", &compiled)
        })
        .collect();
    assert_golden("links.txt", table.as_bytes());
}
