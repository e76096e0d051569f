//! The loader checks every rule of the format: it refuses a file that breaks one, with the number of the wrong
//! record, and loads files at the edges of rules.

use std::collections::HashSet;

use onion_format::{CHUNK_ORDER, OPTIONAL_CHUNKS};
use onion_runtime::{LoadError, OnionMap};
use onion_tests::rules::{broken, edges, right};

#[test]
fn every_rule_is_kept() {
    for grouping in ["one", "each"] {
        assert!(OnionMap::from_bytes(right(grouping)).is_ok(), "{grouping}");
    }
    let mut chunks = HashSet::new();
    for rule in broken() {
        let error = OnionMap::from_bytes(&rule.bytes).err();
        assert_eq!(error.as_ref(), Some(&rule.error), "{}", rule.breaks);
        if let LoadError::BadRecord { tag, .. } = rule.error {
            chunks.insert(tag);
        }
    }
    let all = CHUNK_ORDER
        .into_iter()
        .chain(OPTIONAL_CHUNKS.map(<[_]>::to_vec).concat());
    for tag in all {
        assert!(chunks.contains(&tag), "{}", String::from_utf8_lossy(&tag));
    }
}

#[test]
fn files_at_the_edges_of_rules_load() {
    for (name, file) in edges() {
        let map = OnionMap::from_bytes(file).map_err(|error| format!("{name}: {error}"));
        let map = map.unwrap();
        if let Some(n_entities) = ["no entities", "entities without keys"]
            .iter()
            .position(|own| *own == name)
        {
            let entities = map.entities().unwrap();
            assert_eq!(
                entities.map(|entity| entity.pairs().count()).sum::<usize>(),
                0
            );
            assert_eq!(map.entities().unwrap().len(), 3 * n_entities);
        }
    }
}
