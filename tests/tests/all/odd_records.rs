//! Files of Quake III with single odd records, made from a sample map: patches that share all their points, and a model
//! that two entities show.

use onion_maps::ReadOptions;
use onion_tests::cases::sample_case;
use onion_tests::fixtures::made;
use onion_tests::{rooms, samples};

/// Otherwise a small file could request any amount of memory.
#[test]
fn shared_points_do_not_multiply() {
    let mut bytes = sample_case("patch_arch").bytes.clone();
    let int = |bytes: &[u8], at: usize| {
        i32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
    };
    let [start, length] = [8 + 8 * 13, 12 + 8 * 13].map(|at| int(&bytes, at));
    let mut surfaces = (start..start + length).step_by(104);
    let patch = surfaces.find(|&at| int(&bytes, at + 8) == 2).unwrap();
    bytes[patch + 16..][..4].copy_from_slice(&100_000_000i32.to_le_bytes());
    let refused = onion_maps::parse(&bytes, &ReadOptions::default());
    let message = refused.unwrap_err().to_string();
    assert!(message.contains("lump drawverts"), "{message}");
}
#[test]
fn the_first_entity_of_a_model_counts() {
    let mut map = rooms::with_pocket();
    let mut samples = samples::maps().into_iter();
    let door = samples.find(|map| map.models.len() > 1).unwrap();
    map.models.push(door.models[1].clone());
    for origin in ["10 0 0", "500 0 0"] {
        map.entities.push(vec![
            ("classname", "func_door".into()),
            ("model", "*1".into()),
            ("origin", origin.into()),
        ]);
    }
    let map = made(&map);
    assert_eq!(map.models[1].origin, [10.0, 0.0, 0.0]);
}
