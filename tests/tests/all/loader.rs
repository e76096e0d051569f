//! The loader checks every rule of the format: it refuses a file that breaks one, with the number of the wrong
//! record, and loads files at the edges of rules.

use std::collections::HashSet;

use onion_format::{
    BlockRecord, BoxRecord, BoxesRecord, CHUNK_ORDER, Child, GridRecord, InfoRecord, MAX_BOX_DEPTH,
    ModelRecord, NO_ROOM, NodePlane, NodeRecord, OPTIONAL_CHUNKS, PlaneRecord, Record, RoomRecord,
    RootRecord, Start,
};
use onion_runtime::{LoadError, OnionMap};
use onion_tests::cases::sample_case;
use onion_tests::planted::{count, edit, record, replace, with_chunks};
use onion_tests::rules::{broken, edges, prisms, right};
use onion_tests::subject::{self, HULLS};

/// Returns the error of a file, without the text of the rule.
fn error_of(file: &[u8]) -> Option<LoadError> {
    let mut error = OnionMap::from_bytes(file).err()?;
    if let LoadError::BadRecord { rule, .. } = &mut error {
        assert!(!rule.is_empty());
        *rule = "";
    }
    Some(error)
}

#[test]
fn every_rule_is_kept() {
    for grouping in ["one", "each"] {
        assert!(OnionMap::from_bytes(right(grouping)).is_ok(), "{grouping}");
    }
    assert!(OnionMap::from_bytes(prisms()).is_ok());
    let mut chunks = HashSet::new();
    for rule in broken() {
        assert_eq!(error_of(&rule.bytes), Some(rule.error), "{}", rule.breaks);
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

/// Makes a file of many models, each with a tree of its own for each of three hulls. Every second tree has one node if
/// `with_nodes` is set; all others are leaves. Every grid has one block, which starts at the node.
fn many_models(n_models: usize, with_nodes: bool) -> Vec<u8> {
    fn repeated<R: Record>(n_records: usize, record: impl Fn(u32) -> R) -> Vec<u8> {
        let mut bytes = vec![0; n_records * R::SIZE];
        let places = bytes.chunks_mut(R::SIZE).zip(0..);
        places.for_each(|(place, index)| record(index).write(place));
        bytes
    }
    let right = right("each");
    let n_trees = 3 * n_models;
    let has_node = |tree: u32| with_nodes && tree % 2 == 1;
    let plane = record::<PlaneRecord>(&right, 0);
    let node = NodeRecord {
        normal: plane.normal,
        plane: NodePlane::new(0, true, false).0,
        dist: plane.dist,
        back: NodeRecord::LEAF_BITS[0] | NodeRecord::LEAF_BITS[1],
        resolved: [1; 2],
        solid: [0, 1],
    };
    with_chunks(&right, |tag, old| {
        Some(match tag {
            InfoRecord::TAG => repeated(1, |_| InfoRecord {
                depth: with_nodes.into(),
                ..InfoRecord::read(old)
            }),
            ModelRecord::TAG => repeated(n_models, |_| ModelRecord::read(old)),
            RootRecord::TAG => repeated(n_trees, |tree| RootRecord {
                root: if has_node(tree) {
                    tree / 2
                } else {
                    Child::leaf(0).0
                },
            }),
            NodeRecord::TAG => repeated(usize::from(with_nodes) * (n_trees / 2), |_| node),
            GridRecord::TAG => repeated(n_trees, |grid| GridRecord {
                origin: [0.0; 3],
                size: 64.0,
                counts: [1; 3],
                first: grid,
                first_room: 0,
                outside: GridRecord::UNKNOWN,
            }),
            BlockRecord::TAG => repeated(n_trees, |block| BlockRecord {
                start: if has_node(block) {
                    block / 2
                } else {
                    Start::EMPTY.0
                },
                reach: 0,
                rooms: [NO_ROOM; 2],
            }),
            RoomRecord::TAG => Vec::new(),
            _ if OPTIONAL_CHUNKS[2..].concat().contains(&tag) => return None,
            _ => old.to_vec(),
        })
    })
}

/// With time that is quadratic in the number of models, this would take minutes.
#[test]
fn a_file_of_many_models_loads_in_linear_time() {
    const MANY: usize = 200_000;
    for with_nodes in [false, true] {
        let mut file = many_models(MANY, with_nodes);
        let map = OnionMap::from_bytes(&file[..]).unwrap();
        assert_eq!(map.n_models(), MANY);
        // A block of a leaf starts at the next tree's node, or at a node that is not there.
        edit::<BlockRecord>(&mut file, 2, |block| block.start = 1);
        let (tag, index, rule) = (BlockRecord::TAG, 2, "");
        let expected = LoadError::BadRecord { tag, index, rule };
        assert_eq!(error_of(&file), Some(expected));
    }
}

/// In a chain to the right, a search that goes to the nearer child first has as many boxes still to visit as the chain
/// is long.
#[test]
fn a_chain_of_boxes_is_as_deep_as_it_is_long() {
    let map = subject::parse(&sample_case("courtyard").bytes);
    let mut file = subject::compile_with_brushes(&map, subject::hulls(&HULLS)).bytes;
    let n_boxes = record::<BoxesRecord>(&file, 0).n_boxes as usize;
    let mut boxes: Vec<BoxRecord> = (0..count(&file, BoxRecord::TAG))
        .map(|number| record(&file, number))
        .collect();
    let root = boxes[0];
    let leaves = boxes[..n_boxes].iter().filter(|own| own.second == 0);
    let brushes: Vec<u32> = leaves.map(|leaf| leaf.brush).collect();
    assert!(brushes.len() > MAX_BOX_DEPTH + 1);
    for (at, own) in boxes[..n_boxes].iter_mut().enumerate() {
        *own = if at % 2 == 1 || at + 1 == n_boxes {
            BoxRecord {
                second: 0,
                brush: brushes[at / 2],
                ..root
            }
        } else {
            BoxRecord {
                second: at as u32 + 2,
                brush: 0,
                ..root
            }
        };
    }
    replace(&mut file, &boxes);
    let (tag, index, rule) = (BoxRecord::TAG, 2 * MAX_BOX_DEPTH, "");
    assert_eq!(
        error_of(&file),
        Some(LoadError::BadRecord { tag, index, rule })
    );
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
