//! Files of Quake III with single odd records, made from a sample map: patches that share all their points, a grid
//! larger than its points, and a model that two entities show.

use onion_maps::ReadOptions;
use onion_tests::{rooms, samples, subject};

/// Returns the sample with a vault, its first patch changed.
fn with_patch(change: impl Fn(&mut [u8])) -> Vec<u8> {
    let mut samples = samples::all().into_iter();
    let (_, mut bytes) = samples.find(|(name, _)| *name == "patch_arch").unwrap();
    let int = |bytes: &[u8], at: usize| {
        i32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
    };
    let [start, length] = [8 + 8 * 13, 12 + 8 * 13].map(|at| int(&bytes, at));
    let mut surfaces = (start..start + length).step_by(104);
    let at = surfaces.find(|&at| int(&bytes, at + 8) == 2).unwrap();
    change(&mut bytes[at..at + 104]);
    bytes
}

fn refusal(bytes: &[u8]) -> String {
    let error = onion_maps::parse(bytes, &ReadOptions::default()).unwrap_err();
    error.to_string()
}

#[test]
fn a_grid_larger_than_its_points_is_refused() {
    assert!(onion_maps::parse(&with_patch(|_| ()), &ReadOptions::default()).is_ok());
    let few = with_patch(|surface| surface[16..20].copy_from_slice(&8i32.to_le_bytes()));
    let message = refusal(&few);
    assert!(
        message.contains("needs 9 control points, but it has 8"),
        "{message}"
    );
}

/// Otherwise a small file could request any amount of memory.
#[test]
fn shared_points_do_not_multiply() {
    let many = 100_000_000i32.to_le_bytes();
    let message = refusal(&with_patch(|surface| {
        surface[16..20].copy_from_slice(&many)
    }));
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
    let map = subject::parse(&samples::write(&map));
    assert_eq!(map.models[1].origin, [10.0, 0.0, 0.0]);
}
