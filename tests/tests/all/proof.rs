//! Proofs of levels, against facts worked out by hand: a pit that no agent gets out of, items at the limit of a jump
//! and under a shelf, starts in the pit, a tunnel that is too low for an ogre, and patterns of classes.

use onion_compiler::Fill;
use onion_maps::Map;
use onion_runtime::OnionMap;
use onion_tests::cases::sample_case;
use onion_tests::fixtures::{compiled, made};
use onion_tests::{rooms, samples};
use onion_views::proof::{Conditions, FloorPlace, Pattern, Proof, ProofError, prove};

const HULLS: [&str; 3] = ["stand:16x56", "crouch:16x32", "ogre:32x88"];

fn with_links(map: &Map) -> OnionMap<Vec<u8>> {
    let file = compiled(map, &HULLS, |options| {
        options.fill = Fill::default();
        options.floors = true;
        options.agents = vec!["human:stand,crouch".parse().unwrap()];
    });
    OnionMap::from_bytes(file.bytes).unwrap()
}

fn proven(
    map: &OnionMap<Vec<u8>>,
    requirements: &[&str],
    change: impl FnOnce(&mut Conditions),
) -> Proof {
    let mut conditions = Conditions {
        requirements: requirements
            .iter()
            .map(|text| text.parse().unwrap())
            .collect(),
        agents: vec!["human".to_owned()],
        ..Conditions::default()
    };
    change(&mut conditions);
    prove(map, &conditions).unwrap()
}

/// Returns the classes of the entities that are not reached, each with the heights of the starts.
fn missing(proof: &Proof) -> Vec<(&str, Vec<f64>)> {
    let missing = proof.missing.iter().map(|missing| {
        let from = missing.from.iter().map(|start| start.at[2]);
        (missing.entity.class.as_str(), from.collect())
    });
    missing.collect()
}

#[test]
fn items_within_a_jump_are_reached() {
    let map = with_links(&made(&rooms::pit()));
    let proof = proven(&map, &["item_* from info_player_*"], |_| ());
    assert_eq!(
        missing(&proof),
        [("item_haste", vec![120.0]), ("item_regen", vec![120.0])]
    );
    assert_eq!(proof.missing[0].entity.at, [-100.0, 180.0, 215.0]);
    assert_eq!((proof.n_broken(), proof.stranded.len()), (2, 0));
    // Origins come within 16 of the walls and the shelf, and leave the terrace 16 beyond its edge.
    let [human] = &proof.agents[..] else {
        panic!("{proof:?}")
    };
    assert_eq!((human.starts, human.reached), (1, 480.0 * 480.0));
    assert_eq!(
        human.floor - human.reached,
        160.0 * 160.0,
        "the shelf is out of reach"
    );
}

/// From the pit, only what is in it is reached.
#[test]
fn every_start_counts_unless_any_is_enough() {
    let mut pit = rooms::pit();
    pit.spawn([160, 100, 24], 0);
    let map = with_links(&made(&pit));
    let near = [
        "item_health from info_player_*",
        "item_armor_shard from info_player_*",
    ];
    let proof = proven(&map, &near, |_| ());
    assert_eq!(missing(&proof), [("item_health", vec![24.0])]);
    assert_eq!(proof.missing[0].require, near[0]);
    let proof = proven(&map, &["item_* from any info_player_*"], |_| ());
    let both = vec![120.0, 24.0];
    assert_eq!(
        missing(&proof),
        [("item_haste", both.clone()), ("item_regen", both)]
    );
}

#[test]
fn a_pit_is_a_trap_unless_agents_start_there() {
    let mut pit = rooms::pit();
    let map = with_links(&made(&pit));
    let proof = proven(&map, &[], |conditions| conditions.forbids_traps = true);
    let [trap] = &proof.traps[..] else {
        panic!("{proof:?}")
    };
    let [at, near] = [trap.place.at, [160.0, 0.0, 24.0]];
    assert_eq!(at, near);
    let near = trap.place.near.clone().unwrap();
    assert_eq!(
        (near.class.as_str(), near.distance),
        ("item_armor_shard", 8.0)
    );
    let expected = FloorPlace {
        area: 160.0 * 480.0,
        // Where agents stand and where they crouch.
        floors: 2,
        at,
        mins: [80.0, -240.0, 24.0],
        maxs: [240.0, 240.0, 24.0],
        near: Some(near),
    };
    assert_eq!(trap.place, expected);
    pit.spawn([160, 100, 24], 0);
    let map = with_links(&made(&pit));
    let proof = proven(&map, &[], |conditions| conditions.forbids_traps = true);
    assert_eq!(proof.traps, []);
    // Not if they start elsewhere.
    let proof = proven(&map, &[], |conditions| {
        (conditions.forbids_traps, conditions.starts) =
            (true, Some("item_health".parse().unwrap()));
    });
    assert_eq!(proof.traps.len(), 1);
}

/// The halls of the sample are 224 by 224 for the origins of players, and the tunnel 160 by 32. An ogre starts in the
/// western hall, where it has 192 by 192, and stays there.
#[test]
fn an_ogre_does_not_follow_through_the_tunnel() {
    let map = with_links(&sample_case("low_tunnel").map);
    let proof = proven(&map, &[], |conditions| conditions.agents.clear());
    let reached = proof
        .agents
        .iter()
        .map(|agents| (agents.agent.as_str(), agents.reached));
    let (hall, tunnel) = (224.0 * 224.0, 160.0 * 32.0);
    let expected = [("human", 2.0 * hall + tunnel), ("ogre", 192.0 * 192.0)];
    assert_eq!(reached.collect::<Vec<_>>(), expected);
    let [only] = &proof.only[..] else {
        panic!("{proof:?}")
    };
    assert_eq!(
        (only.agent.as_str(), only.other.as_str()),
        ("human", "ogre")
    );
    // The tunnel, and the eastern hall for two stances.
    assert_eq!((only.place.area, only.place.floors), (hall + tunnel, 3));
    assert_eq!((only.place.mins[0], only.place.maxs[0]), (-80.0, 304.0));
}

/// A block hangs 64 above a corner of the terrace: a player stands under it, as the floor goes on, and an ogre does
/// not. The ground under it is what boxes cover whose origins are within 16, half a player's width.
#[test]
fn a_corner_is_too_low_for_an_ogre() {
    let mut pit = rooms::pit();
    let block = [[-256.0, 128.0, 160.0], [-128.0, 256.0, 256.0]];
    pit.cuboid(samples::Shader::Wall, block[0], block[1]);
    let map = with_links(&made(&pit));
    let proof = proven(&map, &[], |conditions| conditions.agents.clear());
    let only: Vec<_> = proof
        .only
        .iter()
        .map(|only| (&*only.agent, &*only.other))
        .collect();
    assert_eq!(only, [("human", "ogre"), ("human", "ogre")]);
    // Under the shelf ogres have no room either, nor between it and the wall.
    let expected = [
        (160.0 * 170.0, [-180.0, -240.0], [-20.0, -70.0]),
        (128.0 * 128.0, [-240.0, 112.0], [-112.0, 240.0]),
    ];
    for (only, (area, mins, maxs)) in proof.only.iter().zip(expected) {
        let place = &only.place;
        let [x, y] = [0, 1].map(|k| [place.mins[k] - mins[k], place.maxs[k] - maxs[k]]);
        let off = [x, y].concat().into_iter();
        assert!(
            off.chain([place.area - area]).all(|off| off.abs() < 1e-6),
            "{place:?}"
        );
    }
}

/// Doors are entities with brushes: an agent gets to them if it touches the box around these.
#[test]
fn doors_are_reached_by_their_brushes() {
    let map = with_links(&sample_case("door").map);
    let proof = proven(&map, &["func_* from info_player_*"], |_| ());
    assert_eq!(proof.n_broken(), 0, "{proof:?}");
}

/// A start with its origin in a wall is stranded, and so is one that an ogre has no room at.
#[test]
fn starts_in_walls_are_stranded() {
    let mut pit = rooms::pit();
    pit.spawn([-264, 0, 120], 0);
    let map = with_links(&made(&pit));
    let requirements = [
        "item_health from info_player_*",
        "item_quad from info_player_*",
    ];
    let proof = proven(&map, &requirements, |_| ());
    let stranded: Vec<_> = proof
        .stranded
        .iter()
        .map(|stranded| stranded.entity.at)
        .collect();
    assert_eq!(stranded, [[-264.0, 0.0, 120.0]]);
    assert_eq!(missing(&proof), []);
    let proof = proven(&map, &["item_health from any info_player_*"], |_| ());
    assert_eq!(proof.n_broken(), 0);
}

#[test]
fn what_a_file_does_not_have_is_an_error() {
    let map = with_links(&sample_case("room").map);
    let error = |map: &OnionMap<Vec<u8>>, requirement: &str, agent: &str| {
        let conditions = Conditions {
            requirements: vec![requirement.parse().unwrap()],
            agents: vec![agent.to_owned()],
            ..Conditions::default()
        };
        prove(map, &conditions).unwrap_err()
    };
    let start = "info_player_* from info_player_*";
    let agents = ["imp".to_owned(), "human, ogre".to_owned()];
    let [imp, all] = agents;
    assert_eq!(error(&map, start, "imp"), ProofError::NoAgent(imp, all));
    let item = error(&map, "item_* from info_player_*", "human");
    assert!(matches!(item, ProofError::NoEntity(_, pattern, _) if pattern == "item_*"));
    let bare = compiled(&sample_case("room").map, &HULLS, |_| ());
    let bare = OnionMap::from_bytes(bare.bytes).unwrap();
    assert_eq!(error(&bare, start, "human"), ProofError::NoLinks);
}

#[test]
fn patterns_match_classes() {
    for (pattern, class, matches) in [
        ("item_*", "item_health", true),
        ("item_*", "Item_", true),
        ("item_*", "weapon_item_", false),
        ("ITEM_health", "item_health", true),
        ("item_health", "item_health_small", false),
        ("*", "worldspawn", true),
        ("*spawn", "team_CTF_redspawn", true),
        ("*spawn", "spawned", false),
        ("team_*spawn", "team_CTF_redspawn", true),
        ("a*a", "a", false),
        ("a*b*c", "a_c", false),
        ("a*b*c", "aabbcc", true),
        ("a*bc*bc", "abc", false),
        ("**", "x", true),
    ] {
        let parsed: Pattern = pattern.parse().unwrap();
        assert_eq!(parsed.matches(class), matches, "{pattern} {class}");
    }
    for wrong in [
        "",
        "item_*",
        "a from",
        "a from b c",
        "a from any b c",
        "a of b",
    ] {
        let parsed = wrong.parse::<onion_views::proof::Requirement>();
        assert!(parsed.is_err(), "{wrong}");
    }
}
