//! The entities in files are the entities of their maps, as a plain reader of the text returns them; models and
//! entities refer to each other; and a file compiled with `--no-entities` reports that it has none.

use onion_compiler::error::VerifyError;
use onion_compiler::verify;
use onion_format::{Field, TextRecord};
use onion_runtime::{Aabb, OnionMap, Scene, Unsupported};
use onion_tests::cases::{all_cases, sample_case, sample_cases};
use onion_tests::fixtures::{compiled, loaded};
use onion_tests::planted::edit;
use onion_tests::subject::{self, HULLS};

/// Reads the keys and values of the entities of an IBSP file: quoted texts between braces. A repeated key keeps its
/// last value.
fn entities_of(bytes: &[u8]) -> Vec<Vec<(String, String)>> {
    let [start, length] = [8, 12].map(|at| u32::read(bytes, at) as usize);
    let lump = &bytes[start..start + length];
    let text: String = match std::str::from_utf8(lump) {
        Ok(text) => text.to_owned(),
        Err(_) => lump.iter().map(|&byte| char::from(byte)).collect(),
    };
    let mut entities = Vec::new();
    let mut key = None;
    for (number, part) in text.trim_end_matches('\0').split('"').enumerate() {
        if number % 2 == 0 {
            let opened = part.matches('{').count();
            entities.extend(std::iter::repeat_n(Vec::new(), opened));
            continue;
        }
        let Some(key) = key.take() else {
            key = Some(part.to_owned());
            continue;
        };
        let pairs: &mut Vec<(String, String)> = entities.last_mut().unwrap();
        match pairs.iter_mut().find(|(own, _)| *own == key) {
            Some((_, value)) => *value = part.to_owned(),
            None => pairs.push((key, part.to_owned())),
        }
    }
    entities
}

#[test]
fn entities_are_those_of_the_map() {
    let mut n_pairs = 0;
    for case in all_cases() {
        let expected = entities_of(&case.bytes);
        let entities = case.onion().entities().unwrap();
        assert_eq!(entities.len(), expected.len(), "{}", case.name);
        for (number, (entity, expected)) in (0..).zip(entities.zip(expected)) {
            assert_eq!(entity.number(), number);
            let pairs = entity.pairs();
            let pairs = pairs.map(|(key, value)| (key.to_owned(), value.to_owned()));
            assert_eq!(pairs.collect::<Vec<_>>(), expected, "{}", case.name);
            for (key, value) in &expected {
                assert_eq!(entity.get(key), Some(&**value));
                n_pairs += 1;
            }
            assert_eq!(entity.get("no such key"), None);
        }
    }
    assert!(n_pairs > 50);
}

#[test]
fn models_and_entities_know_each_other() {
    let mut n_models = 0;
    for case in all_cases() {
        let map = case.onion();
        for index in 1..map.n_models() {
            let model = map.model(index).unwrap();
            let Some(entity) = model.entity() else {
                continue;
            };
            let name = format!("*{index}");
            assert_eq!(entity.get("model"), Some(&*name), "{}", case.name);
            assert_eq!(entity.model().map(|model| model.index()), Some(index));
            n_models += 1;
        }
        let worldspawn = map.entity(0).unwrap();
        assert!(worldspawn.model().is_none(), "no entity shows the world");
        assert!(map.world().entity().is_none());
    }
    assert!(n_models > 0);
}

/// The sample map's door closes the way at its origin, and the world alone does not.
#[test]
fn movers_at_rest_are_where_their_entities_put_them() {
    for case in sample_cases() {
        let map = case.onion();
        let movers: Vec<_> = map.movers().collect();
        assert_eq!(movers.len() + 1, map.n_models());
        let scene = Scene::new(map, &movers).unwrap();
        for (index, mover) in (1..).zip(&movers) {
            assert_eq!(mover.model, index);
            assert_eq!(mover.from, mover.to);
            let model = map.model(index).unwrap();
            let Aabb { mins, maxs } = model.bounds();
            let origin = model.origin();
            let middle: [f32; 3] =
                std::array::from_fn(|axis| origin[axis] + (mins[axis] + maxs[axis]) / 2.0);
            let stand = map.find_hull("stand").unwrap();
            assert!(scene.is_solid(stand, middle, 0.0), "{}", case.name);
        }
    }
    let door = loaded(&sample_case("door").map, &HULLS);
    let n_doors = door.entities().unwrap();
    let n_doors = n_doors.filter(|entity| entity.get("classname") == Some("func_door"));
    assert_eq!(n_doors.count(), door.movers().len());
}

#[test]
fn a_file_without_entities_says_so() {
    let map = &sample_case("door").map;
    let bytes = compiled(map, &HULLS, |options| options.entities = false).bytes;
    assert!(verify(&bytes, map).is_ok());
    let file = OnionMap::from_bytes(bytes).unwrap();
    assert!(matches!(file.entities(), Err(Unsupported::NoEntities)));
    assert!(file.entity(0).is_none());
    let door = file.model(1).unwrap();
    assert!(door.entity().is_none());
    assert!(door.entity_number().is_some());
}

#[test]
fn a_text_that_is_not_utf8_keeps_all_its_bytes() {
    let mut bytes = sample_case("room").bytes.clone();
    let at = bytes.windows(7).position(|window| window == b"message");
    let at = at.unwrap() + b"message\" \"".len();
    bytes[at..at + 2].copy_from_slice(&[0xe9, 0x80]);
    let map = subject::parse(&bytes);
    let mut messages = map.warnings.iter().map(|warning| &warning.message);
    assert!(messages.any(|message| message.contains("Latin-1")));
    let file = loaded(&map, &HULLS);
    let message = file.entity(0).unwrap().get("message").unwrap();
    assert!(message.starts_with("\u{e9}\u{80}"), "{message:?}");
}

#[test]
fn verify_finds_other_entities() {
    let map = &sample_case("door").map;
    let right = compiled(map, &HULLS, |_| ()).bytes;
    let mut other = right.clone();
    edit::<TextRecord>(&mut other, 0, |text| text.byte = b'C');
    let found = verify(&other, map);
    assert!(matches!(found, Err(VerifyError::WrongEntity { number: 0 })));
    let mut fewer = map.clone();
    let last = fewer.entities.len() - 1;
    fewer.entities.pop();
    let found = verify(&right, &fewer);
    assert!(matches!(found, Err(VerifyError::WrongEntity { number }) if number == last));
    let mut more = map.clone();
    more.entities.push(more.entities[0].clone());
    let found = verify(&right, &more);
    assert!(matches!(found, Err(VerifyError::WrongEntity { number }) if number == last + 1));
}

/// A trigger's brushes are solid in many files, and only its class tells. It stops only hulls that trigger contents
/// block.
#[test]
fn models_of_triggers_are_no_walls() {
    let bytes = &sample_case("door").bytes;
    let mut words = bytes.windows(9);
    let at = words.position(|word| word == b"func_door").unwrap();
    let solid_for = |class: &[u8; 9]| {
        let mut bytes = bytes.clone();
        bytes[at..at + 9].copy_from_slice(class);
        let hulls = ["stand:16x56", "touch:1x2:contents=trigger"];
        let onion = loaded(&subject::parse(&bytes), &hulls);
        let model = onion.model(1).unwrap();
        let Aabb { mins, maxs } = model.bounds();
        let middle = [0, 1, 2].map(|axis| f64::from(mins[axis] + maxs[axis]) / 2.0);
        let solidity = model.solidity(middle);
        [0, 1].map(|hull| solidity.contains(hull))
    };
    assert_eq!(solid_for(b"func_door"), [true, false]);
    assert_eq!(solid_for(b"trigger_x"), [false, true]);
}

/// Keys differ by case, in whatever order they appear.
#[test]
fn keys_are_told_apart_by_case() {
    for keys in [["Target", "target"], ["target", "Target"]] {
        let pairs = keys.map(|key| format!("\"{key}\" \"of {key}\"")).join("\n");
        let text = format!("{{\n\"classname\" \"worldspawn\"\n{pairs}\n}}\n");
        let map = loaded(&subject::parse(text.as_bytes()), &["stand:16x56"]);
        let world = map.entity(0).unwrap();
        assert_eq!(world.get("target"), Some("of target"));
        assert_eq!(world.get("Target"), Some("of Target"));
        assert_eq!(world.get("TARGET"), None);
    }
}
