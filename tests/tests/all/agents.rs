//! Classes of agents: the text of `--agent` and the abilities that it stands for, texts that are refused, and the
//! classes and floors of files, with agents that are named and by default.

use onion_compiler::error::AgentError;
use onion_compiler::hull::{Abilities, AgentSpec, check_agents};
use onion_maps::contents;
use onion_runtime::OnionMap;
use onion_runtime::movement::WalkSettings;
use onion_tests::cases::sample_case;
use onion_tests::fixtures::compiled;
use onion_tests::subject;

/// Hulls of a player, of a monster, and of nothing that stands.
const HULLS: [&str; 4] = ["stand:16x56", "crouch:16x32", "ogre:32x88", "eye:point"];

fn class(text: &str) -> AgentSpec {
    text.parse().unwrap()
}

fn refused(text: &str) -> String {
    text.parse::<AgentSpec>().unwrap_err().to_string()
}

/// Compiles the tunnel with floors, for some classes of agents.
fn with_agents(agents: &[&str]) -> OnionMap<Vec<u8>> {
    let file = compiled(&sample_case("low_tunnel").map, &HULLS, |options| {
        options.floors = true;
        options.agents = agents.iter().map(|agent| class(agent)).collect();
    });
    OnionMap::from_bytes(file.bytes).unwrap()
}

/// Those of a player in Quake III: `g_speed`, `STEPSIZE`, a jump with `JUMP_VELOCITY` 270, whose square is 2 times
/// 45.56 times `g_gravity`, and `MIN_WALK_NORMAL`.
#[test]
fn abilities_have_defaults() {
    let human = class("human:stand,crouch");
    assert_eq!(human.name, "human");
    assert_eq!(human.hulls, ["stand", "crouch"]);
    let expected = Abilities {
        speed: 320.0,
        step: 18.0,
        jump: 45.0,
        drop: 256.0,
        slope: 0.7,
        gravity: 800.0,
        swim: 160.0,
        climb: 160.0,
        avoid: contents::LAVA | contents::SLIME,
    };
    assert_eq!(human.abilities, expected);
    assert_eq!(Abilities::default(), expected);
    // What the runtime's agents do by default.
    let settings = WalkSettings::default();
    assert_eq!(
        [
            settings.step_height,
            settings.min_ground_z,
            settings.gravity
        ],
        [expected.step, expected.slope, expected.gravity]
    );
}

#[test]
fn abilities_are_read_in_any_order() {
    let all = class(
        "a:b:gravity=600.5:climb=1.5:avoid=water:swim=0:slope=1:drop=0:jump=0:step=0:speed=65536",
    )
    .abilities;
    let expected = Abilities {
        speed: 65_536.0,
        step: 0.0,
        jump: 0.0,
        drop: 0.0,
        slope: 1.0,
        gravity: 600.5,
        swim: 0.0,
        climb: 1.5,
        avoid: contents::WATER,
    };
    assert_eq!(all, expected);
    let one = class("a:b,c:jump=5.6e1").abilities;
    assert_eq!(
        one,
        Abilities {
            jump: 56.0,
            ..Abilities::default()
        }
    );
}

/// Only what is not at its default is written, and each f32 comes back.
#[test]
fn abilities_are_written_as_they_are_read() {
    for (text, written) in [
        ("human:stand,crouch", "human:stand,crouch"),
        ("a:b:jump=45:drop=256.0:slope=0.7", "a:b"),
        ("a:b:drop=300:jump=56.50", "a:b:jump=56.5:drop=300"),
        (
            "a:b,c:gravity=0.1:step=1e-3",
            "a:b,c:step=0.001:gravity=0.1",
        ),
        ("a:b:slope=0.70000005", "a:b:slope=0.70000005"),
        ("a:b:speed=16777.217", "a:b:speed=16777.217"),
        ("a:b:avoid=slime+lava", "a:b"),
        ("a:b:avoid=none", "a:b:avoid=none"),
        ("a:b:avoid=water+0x8:drop=0", "a:b:drop=0:avoid=lava+water"),
    ] {
        let read = class(text);
        assert_eq!(read.to_string(), written);
        assert_eq!(class(written), read);
    }
}

#[test]
fn wrong_abilities_are_refused() {
    for part in [
        "",
        "jump",
        "jump=",
        "jump=x",
        "jump=-1",
        "jump=nan",
        "jump=inf",
        "jump=65537",
        "Jump=1",
        "jump =1",
        "fly=1",
        "speed=0",
        "gravity=0",
        "slope=0",
        "slope=1.1",
        "slope=-0.5",
        "step=-0.1",
        "drop=1e9",
        "avoid=",
        "avoid=fire",
        "avoid=none+lava",
        "=1",
        "jump=1=2",
    ] {
        let error = refused(&format!("human:stand:{part}"));
        let expected = format!("human: cannot read {part:?}; write speed=");
        assert!(error.starts_with(&expected), "{part}: {error}");
    }
    let error = refused("human:stand:jump=1:drop=1:jump=1");
    assert_eq!(error, "human: jump= is written twice; write it once");
    for text in ["", "human", ":stand", "a b:stand", "jump=1"] {
        let error = refused(text);
        assert!(
            error.starts_with(&format!("cannot read {text:?}; write NAME:HULL")),
            "{error}"
        );
    }
}

#[test]
fn classes_match_the_hulls() {
    let hulls = subject::hulls(&HULLS);
    let check = |classes: &[&str]| {
        let classes: Vec<AgentSpec> = classes.iter().map(|text| class(text)).collect();
        check_agents(&classes, &hulls)
    };
    let right: [&[&str]; 5] = [
        &[],
        &["human:stand,crouch"],
        // The name of a hull that is in some class, or that does not stand.
        &["ogre:stand,crouch", "stand:ogre"],
        &["eye:stand"],
        &["human:stand,crouch,eye"],
    ];
    for classes in right {
        assert!(check(classes).is_ok(), "{classes:?}");
    }
    assert!(
        matches!(check(&["a:stand", "a:ogre"]), Err(AgentError::Repeated(name)) if name == "a")
    );
    assert!(matches!(check(&["ogre:stand"]), Err(AgentError::NameOfHull(name)) if name == "ogre"));
    assert!(
        matches!(check(&["a:stand,big"]), Err(AgentError::UnknownHull(_, hull)) if hull == "big")
    );
    assert!(matches!(check(&["a:"]), Err(AgentError::UnknownHull(_, hull)) if hull.is_empty()));
    for classes in [&["a:stand,stand"][..], &["a:stand", "b:crouch,stand"]] {
        assert!(matches!(check(classes), Err(AgentError::SharedHull(hull)) if hull == "stand"));
    }
}

/// Returns the names and hulls of the classes of a file.
fn classes(map: &OnionMap<Vec<u8>>) -> Vec<(&str, u64)> {
    let all = map.agents().map(|class| (class.hulls.bits(), class));
    all.map(|(hulls, class)| (map.agent_name(&class).unwrap(), hulls))
        .collect()
}

/// By default, boxes of one width are the stances of one agent, and points are agents of no class; named classes come
/// first, and a hull that none of them names is a class of its own.
#[test]
fn files_have_classes_of_all_hulls_that_stand() {
    assert_eq!(
        classes(&with_agents(&[])),
        [("stand", 0b011), ("ogre", 0b100)]
    );
    let one = with_agents(&["crab:crouch"]);
    assert_eq!(
        classes(&one),
        [("crab", 0b010), ("stand", 0b001), ("ogre", 0b100)]
    );
    let monsters = with_agents(&[
        "ogre:ogre:speed=200",
        "human:stand,crouch,eye:jump=56:slope=0.5",
    ]);
    assert_eq!(classes(&monsters), [("ogre", 0b100), ("human", 0b1011)]);
    let [ogre, human] = ["ogre", "human"].map(|name| monsters.find_agent(name).unwrap());
    assert_eq!([ogre.speed, human.speed], [200.0, 320.0]);
    assert_eq!([ogre.jump, human.jump], [45.0, 56.0]);
    assert_eq!(
        [ogre.settings.min_ground_z, human.settings.min_ground_z],
        [0.7, 0.5]
    );
    for hull in monsters.hulls() {
        let expected = if hull.name == "ogre" { ogre } else { human };
        assert_eq!(monsters.agent_of(hull.id), Some(expected), "{}", hull.name);
    }
    assert_eq!(monsters.find_agent("stand"), None);
}

/// A point has no floors, whether a class names it or not.
#[test]
fn points_have_no_floors() {
    for agents in [&[][..], &["spirit:eye"], &["human:stand,crouch,eye"]] {
        let map = with_agents(agents);
        for hull in map.hulls() {
            let has_floors = map.floors(hull.id).next().is_some();
            assert_eq!(has_floors, hull.name != "eye", "{}: {agents:?}", hull.name);
        }
    }
}

/// Ground is what is level enough for the class: a ramp that rises 1 in 2 has a normal of z = 2 / root 5 = 0.894.
#[test]
fn floors_are_as_steep_as_the_class_allows() {
    let n_slopes = |slope: &str| {
        let file = compiled(
            &sample_case("ramp_stairs").map,
            &["stand:16x56"],
            |options| {
                options.floors = true;
                options.agents = vec![class(&format!("human:stand:slope={slope}"))];
            },
        );
        let map = OnionMap::from_bytes(file.bytes).unwrap();
        let hull = map.hulls().next().unwrap().id;
        map.floors(hull)
            .filter(|floor| floor.normal[2] < 1.0)
            .count()
    };
    assert_eq!([n_slopes("0.9"), n_slopes("1")], [0, 0]);
    assert!(n_slopes("0.88") > 0 && n_slopes("0.5") >= n_slopes("0.88"));
}
