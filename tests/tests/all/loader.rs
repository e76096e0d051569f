//! Every rule of the format for records is kept by the loader: for each one a file that breaks it, all else being as
//! it was and the checksum right, is refused with the number of the record that is wrong.

use onion_format::{
    BoxRecord, BoxesRecord, BrushRecord, Child, ChoiceRecord, CornerRecord, EdgeRecord,
    EntityRecord, FaceRecord, GroupRecord, HitAt, HitRecord, HullRecord, InfoRecord, LeafRecord,
    MAX_DEPTH, ModelRecord, N_CHUNKS_OFFSET, NORMAL_ONE, NodeRecord, OptionsRecord, PlaneRecord,
    Record, RootRecord, SideRecord, SolidRecord, SurfaceRecord, TextRecord, VERSION_OFFSET,
};
use onion_runtime::{LoadError, OnionMap};
use onion_tests::planted::{append, count, edit, record, replace, resize, restate};
use onion_tests::{samples, subject};
use onionc::seeds::Fill;
use onionc::{CompileOptions, compile};

/// A rule: what breaks it, the record that is found to be wrong, and the fault.
type Rule = (&'static str, [u8; 4], fn(&mut Vec<u8>) -> usize);

/// A world and a door, with all optional chunks.
fn file(grouping: &str) -> Vec<u8> {
    let mut samples = samples::all().into_iter();
    let (_, map) = samples.find(|(name, _)| *name == "door").unwrap();
    let options = CompileOptions {
        fill: Fill::Off,
        brushes: true,
        grouping: grouping.parse().unwrap(),
        ..CompileOptions::new(subject::hulls(&subject::HULLS))
    };
    compile(&subject::parse(&map), &options).unwrap().bytes
}

fn refusal(file: &[u8]) -> Option<LoadError> {
    OnionMap::from_bytes(file).err()
}

fn assert_refused(right: &[u8], rules: &[Rule]) {
    assert_eq!(refusal(right), None);
    for (breaks, tag, plant) in rules {
        let mut wrong = right.to_vec();
        let index = plant(&mut wrong);
        let expected = LoadError::BadRecord { tag: *tag, index };
        assert_eq!(refusal(&wrong), Some(expected), "{breaks}");
    }
}

/// Changes a record; returns its number.
fn change<R: Record>(file: &mut [u8], index: usize, change: impl FnOnce(&mut R)) -> usize {
    edit(file, index, change);
    index
}

fn last<R: Record>(file: &[u8]) -> usize {
    count(file, R::TAG) - 1
}

/// Number of a choice that leads to another one.
fn choice_of_choices(file: &[u8]) -> usize {
    let leads_on = |&number: &usize| {
        let choice = record::<ChoiceRecord>(file, number);
        choice.hits.iter().any(|&hit| HitAt(hit).is_choice())
    };
    (0..count(file, ChoiceRecord::TAG)).find(leads_on).unwrap()
}

#[test]
fn rules_for_hulls_and_options() {
    let rules: [Rule; 13] = [
        ("an option that is no UTF-8", OptionsRecord::TAG, |file| {
            change::<OptionsRecord>(file, 2, |option| option.byte = 0xff)
        }),
        ("an unknown flag", HullRecord::TAG, |file| {
            change::<HullRecord>(file, 1, |hull| hull.flags = 2)
        }),
        ("an empty name", HullRecord::TAG, |file| {
            change::<HullRecord>(file, 1, |hull| hull.name = [0; 32])
        }),
        ("a name with more behind its end", HullRecord::TAG, |file| {
            change::<HullRecord>(file, 1, |hull| hull.name[31] = b'x')
        }),
        ("a name that is no UTF-8", HullRecord::TAG, |file| {
            change::<HullRecord>(file, 1, |hull| hull.name[0] = 0xff)
        }),
        ("a name that is repeated", HullRecord::TAG, |file| {
            let name = record::<HullRecord>(file, 0).name;
            change::<HullRecord>(file, 2, |hull| hull.name = name)
        }),
        ("corners the wrong way round", HullRecord::TAG, |file| {
            change::<HullRecord>(file, 1, |hull| hull.mins[1] = hull.maxs[1] + 1.0)
        }),
        ("a corner that is no number", HullRecord::TAG, |file| {
            change::<HullRecord>(file, 1, |hull| hull.maxs[2] = f32::NAN)
        }),
        ("a lower corner too far out", HullRecord::TAG, |file| {
            change::<HullRecord>(file, 1, |hull| hull.mins[0] = -4_097.0)
        }),
        ("an upper corner too far out", HullRecord::TAG, |file| {
            change::<HullRecord>(file, 1, |hull| hull.maxs[0] = 4_097.0)
        }),
        ("no hull", HullRecord::TAG, |file| {
            replace::<HullRecord>(file, &[]);
            0
        }),
        ("a hull in two groups", GroupRecord::TAG, |file| {
            append::<GroupRecord>(file);
            1
        }),
        ("a hull in no group", GroupRecord::TAG, |file| {
            edit::<GroupRecord>(file, 0, |group| group.hulls = 3);
            1
        }),
    ];
    assert_refused(&file("one"), &rules);
    let rules: [Rule; 2] = [
        ("groups out of order", GroupRecord::TAG, |file| {
            let [first, second] = [0, 1].map(|group| record::<GroupRecord>(file, group));
            edit::<GroupRecord>(file, 0, |group| *group = second);
            edit::<GroupRecord>(file, 1, |group| *group = first);
            0
        }),
        ("a root of a second group", RootRecord::TAG, |file| {
            change::<RootRecord>(file, 4, |root| root.root += 1)
        }),
    ];
    assert_refused(&file("each"), &rules);
}

#[test]
fn rules_for_entities() {
    let rules: [Rule; 8] = [
        ("a text that is no UTF-8", TextRecord::TAG, |file| {
            change::<TextRecord>(file, 3, |text| text.byte = 0xff)
        }),
        ("bytes before the first entity", EntityRecord::TAG, |file| {
            change::<EntityRecord>(file, 0, |entity| entity.first = 1)
        }),
        ("an end within a value", EntityRecord::TAG, |file| {
            edit::<EntityRecord>(file, 1, |entity| entity.first -= 1);
            0
        }),
        ("an end after a key", EntityRecord::TAG, |file| {
            let key = b"classname\0".len() as u32;
            edit::<EntityRecord>(file, 1, |entity| entity.first += key);
            0
        }),
        ("an end beyond the text", EntityRecord::TAG, |file| {
            edit::<EntityRecord>(file, 1, |entity| entity.first = u32::MAX);
            0
        }),
        (
            "an entity that ends before it begins",
            EntityRecord::TAG,
            |file| {
                edit::<EntityRecord>(file, 2, |entity| entity.first = 0);
                1
            },
        ),
        ("a text without an end", EntityRecord::TAG, |file| {
            let text = last::<TextRecord>(file);
            edit::<TextRecord>(file, text, |text| text.byte = b'x');
            last::<EntityRecord>(file)
        }),
        ("a text of no entity", EntityRecord::TAG, |file| {
            replace::<EntityRecord>(file, &[]);
            0
        }),
    ];
    assert_refused(&file("one"), &rules);
}

#[test]
fn entities_may_be_none_or_empty() {
    let mut none = file("one");
    replace::<EntityRecord>(&mut none, &[]);
    replace::<TextRecord>(&mut none, &[]);
    let none = OnionMap::from_bytes(none).unwrap();
    assert_eq!(none.entities().unwrap().len(), 0);
    assert!(none.entity(0).is_none());
    let mut empty = file("one");
    let records = [EntityRecord { first: 0 }; 3];
    replace::<EntityRecord>(&mut empty, &records);
    replace::<TextRecord>(&mut empty, &[]);
    let empty = OnionMap::from_bytes(empty).unwrap();
    let n_pairs = |map: &OnionMap<Vec<u8>>| {
        let entities = map.entities().unwrap();
        entities
            .map(|entity| entity.pairs().count())
            .collect::<Vec<_>>()
    };
    assert_eq!(n_pairs(&empty), [0, 0, 0]);
}

#[test]
fn rules_for_models_and_planes() {
    let rules: [Rule; 13] = [
        ("a tree too many", RootRecord::TAG, |file| {
            append::<RootRecord>(file);
            count(file, RootRecord::TAG)
        }),
        ("a root that is not next", RootRecord::TAG, |file| {
            change::<RootRecord>(file, 1, |root| root.root += 1)
        }),
        ("bounds that are not finite", ModelRecord::TAG, |file| {
            change::<ModelRecord>(file, 1, |model| model.mins[2] = f32::NEG_INFINITY)
        }),
        ("an origin that is no number", ModelRecord::TAG, |file| {
            change::<ModelRecord>(file, 1, |model| model.origin[0] = f32::NAN)
        }),
        ("a normal that is too long", PlaneRecord::TAG, |file| {
            change::<PlaneRecord>(file, 1, |plane| {
                (plane.normal, plane.axis) = ([NORMAL_ONE / 100 * 101, 0, 0], 3);
            })
        }),
        ("a normal that is too short", PlaneRecord::TAG, |file| {
            change::<PlaneRecord>(file, 1, |plane| {
                (plane.normal, plane.axis) = ([NORMAL_ONE / 100 * 99, 0, 0], 3);
            })
        }),
        ("a normal that looks back", PlaneRecord::TAG, |file| {
            change::<PlaneRecord>(file, 1, |plane| {
                (plane.normal, plane.axis) = ([0, -NORMAL_ONE, 0], 3);
            })
        }),
        ("an axis that is another one", PlaneRecord::TAG, |file| {
            change::<PlaneRecord>(file, 1, |plane| {
                (plane.normal, plane.axis) = ([0, NORMAL_ONE, 0], 2);
            })
        }),
        ("an axis that is not named", PlaneRecord::TAG, |file| {
            change::<PlaneRecord>(file, 1, |plane| {
                (plane.normal, plane.axis) = ([0, NORMAL_ONE, 0], 3);
            })
        }),
        ("a distance that is too long", PlaneRecord::TAG, |file| {
            change::<PlaneRecord>(file, 1, |plane| plane.dist = -131_072.0)
        }),
        ("a distance that is no number", PlaneRecord::TAG, |file| {
            change::<PlaneRecord>(file, 1, |plane| plane.dist = f64::NAN)
        }),
        ("a distance between steps", PlaneRecord::TAG, |file| {
            change::<PlaneRecord>(file, 1, |plane| plane.dist = (-37f64).exp2())
        }),
        ("no model", ModelRecord::TAG, |file| {
            replace::<ModelRecord>(file, &[]);
            replace::<RootRecord>(file, &[]);
            0
        }),
    ];
    assert_refused(&file("one"), &rules);
}

// Long: a table, one row for each rule.
#[test]
fn rules_for_trees() {
    let rules: [Rule; 17] = [
        ("a plane that is not there", NodeRecord::TAG, |file| {
            let n_planes = count(file, PlaneRecord::TAG) as u32;
            change::<NodeRecord>(file, 1, |node| node.plane = n_planes)
        }),
        ("another normal than the plane's", NodeRecord::TAG, |file| {
            change::<NodeRecord>(file, 1, |node| node.normal[0] += 0.5)
        }),
        ("another dist than the plane's", NodeRecord::TAG, |file| {
            change::<NodeRecord>(file, 1, |node| node.dist += 0.5)
        }),
        ("a front child that is not next", NodeRecord::TAG, |file| {
            edit::<NodeRecord>(file, 0, |node| node.children[0] += 1);
            1
        }),
        ("a back child that is not next", NodeRecord::TAG, |file| {
            let back = record::<NodeRecord>(file, 0).children[1];
            edit::<NodeRecord>(file, 0, |node| node.children[1] += 1);
            Child(back).index() as usize
        }),
        ("solid, but not all of it", NodeRecord::TAG, |file| {
            change::<NodeRecord>(file, 0, |node| {
                (node.resolved, node.solid) = ([0; 2], [1, 0]);
            })
        }),
        (
            "known of a hull that is not there",
            NodeRecord::TAG,
            |file| change::<NodeRecord>(file, 0, |node| node.resolved[0] |= 1 << 3),
        ),
        (
            "known on both sides of a hull that is not there",
            NodeRecord::TAG,
            |file| {
                change::<NodeRecord>(file, 0, |node| {
                    node.resolved = node.resolved.map(|known| known | 1 << 3);
                })
            },
        ),
        ("known above and not below", NodeRecord::TAG, |file| {
            edit::<NodeRecord>(file, 0, |node| node.resolved = [7; 2]);
            1
        }),
        ("a node too many", NodeRecord::TAG, |file| {
            append::<NodeRecord>(file);
            last::<NodeRecord>(file)
        }),
        ("a leaf too many", LeafRecord::TAG, |file| {
            append::<LeafRecord>(file);
            last::<LeafRecord>(file)
        }),
        ("a leaf that is not as is known", LeafRecord::TAG, |file| {
            change::<LeafRecord>(file, 0, |leaf| leaf.solidity ^= 1)
        }),
        (
            "solid for a hull that is not there",
            LeafRecord::TAG,
            |file| change::<LeafRecord>(file, 0, |leaf| leaf.solidity |= 1 << 40),
        ),
        ("another depth", InfoRecord::TAG, |file| {
            change::<InfoRecord>(file, 0, |info| info.depth += 1)
        }),
        ("no patch error", InfoRecord::TAG, |file| {
            change::<InfoRecord>(file, 0, |info| info.patch_error = 0.0)
        }),
        ("a patch error without end", InfoRecord::TAG, |file| {
            change::<InfoRecord>(file, 0, |info| info.patch_error = f32::INFINITY)
        }),
        ("two compiles", InfoRecord::TAG, |file| {
            append::<InfoRecord>(file);
            0
        }),
    ];
    assert_refused(&file("one"), &rules);
}

/// A tree of nodes one below the other, each with a leaf in front.
fn tower(n_nodes: u32) -> Vec<u8> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/low_tunnel-bare.onion");
    let mut file = std::fs::read(path).unwrap();
    let root = record::<NodeRecord>(&file, 0);
    let node = |index: u32| NodeRecord {
        children: [
            Child::leaf(index).0,
            if index + 1 < n_nodes {
                Child::node(index + 1).0
            } else {
                Child::leaf(n_nodes).0
            },
        ],
        ..root
    };
    let nodes: Vec<_> = (0..n_nodes).map(node).collect();
    let leaf = |number| LeafRecord {
        solidity: u64::from(number % 2),
    };
    let leaves: Vec<_> = (0..=n_nodes).map(leaf).collect();
    replace(&mut file, &nodes);
    replace(&mut file, &leaves);
    edit::<InfoRecord>(&mut file, 0, |info| info.depth = n_nodes);
    restate(&mut file);
    file
}

#[test]
fn trees_are_as_deep_as_the_format_allows() {
    let most = MAX_DEPTH as u32;
    assert_eq!(refusal(&tower(most)), None);
    let expected = LoadError::BadRecord {
        tag: NodeRecord::TAG,
        index: MAX_DEPTH,
    };
    assert_eq!(refusal(&tower(most + 1)), Some(expected));
}

#[test]
fn rules_for_brushes_and_sides() {
    let rules: [Rule; 10] = [
        (
            "a surface's name with more behind its end",
            SurfaceRecord::TAG,
            |file| change::<SurfaceRecord>(file, 1, |surface| surface.name[63] = b'x'),
        ),
        ("a model that is not there", BrushRecord::TAG, |file| {
            let n_models = count(file, ModelRecord::TAG) as u32;
            let brush = last::<BrushRecord>(file);
            change::<BrushRecord>(file, brush, |brush| brush.model = n_models)
        }),
        ("brushes out of order", BrushRecord::TAG, |file| {
            edit::<BrushRecord>(file, 0, |brush| brush.model = 1);
            1
        }),
        ("an unknown kind", BrushRecord::TAG, |file| {
            change::<BrushRecord>(file, 1, |brush| brush.kind = 2)
        }),
        ("made of nothing", BrushRecord::TAG, |file| {
            change::<BrushRecord>(file, 1, |brush| brush.contents = 0)
        }),
        ("sides from the second on", BrushRecord::TAG, |file| {
            change::<BrushRecord>(file, 0, |brush| brush.first_side = 1)
        }),
        ("a brush without sides", BrushRecord::TAG, |file| {
            let first = record::<BrushRecord>(file, 1).first_side;
            change::<BrushRecord>(file, 2, |brush| brush.first_side = first)
        }),
        ("sides that are not there", BrushRecord::TAG, |file| {
            let n_sides = count(file, SideRecord::TAG) as u32;
            let brush = last::<BrushRecord>(file);
            change::<BrushRecord>(file, brush, |brush| brush.first_side = n_sides)
        }),
        ("a side that is there twice", SideRecord::TAG, |file| {
            let number = record::<SideRecord>(file, 0).number;
            change::<SideRecord>(file, 1, |side| side.number = number)
        }),
        (
            "a side's surface that is not there",
            SideRecord::TAG,
            |file| {
                let n_surfaces = count(file, SurfaceRecord::TAG) as u32;
                change::<SideRecord>(file, 1, |side| side.surface = n_surfaces)
            },
        ),
    ];
    assert_refused(&file("one"), &rules);
}

#[test]
fn rules_for_hits() {
    let rules: [Rule; 7] = [
        ("a node too many", HitRecord::TAG, |file| {
            append::<HitRecord>(file);
            count(file, HitRecord::TAG)
        }),
        ("a side that is not there", HitRecord::TAG, |file| {
            let n_sides = count(file, SideRecord::TAG) as u32;
            change::<HitRecord>(file, 1, |node| node.hit = n_sides)
        }),
        ("a choice that is not there", HitRecord::TAG, |file| {
            let n_choices = count(file, ChoiceRecord::TAG) as u32;
            change::<HitRecord>(file, 1, |node| node.hit = HitAt::choice(n_choices).0)
        }),
        ("a choice that leads to itself", ChoiceRecord::TAG, |file| {
            let number = choice_of_choices(file);
            let own = HitAt::choice(number as u32).0;
            change::<ChoiceRecord>(file, number, |choice| choice.hits[1] = own)
        }),
        ("a choice by an unknown test", ChoiceRecord::TAG, |file| {
            change::<ChoiceRecord>(file, 0, |choice| choice.test = 3 << 30)
        }),
        (
            "a choice by a plane that is not there",
            ChoiceRecord::TAG,
            |file| {
                let n_planes = count(file, PlaneRecord::TAG) as u32;
                change::<ChoiceRecord>(file, 0, |choice| choice.test = n_planes)
            },
        ),
        ("a choice by a hull beyond all", ChoiceRecord::TAG, |file| {
            change::<ChoiceRecord>(file, 0, |choice| choice.test = 1 << 30 | 64)
        }),
    ];
    assert_refused(&file("one"), &rules);
}

#[test]
fn rules_for_faces() {
    let rules: [Rule; 5] = [
        ("three faces", SolidRecord::TAG, |file| {
            change::<SolidRecord>(file, 1, |solid| {
                solid.n_bevels += solid.n_faces - 3;
                solid.n_faces = 3;
            })
        }),
        ("faces that do not follow", SolidRecord::TAG, |file| {
            change::<SolidRecord>(file, 1, |solid| solid.first_face += 1)
        }),
        ("a face too many", FaceRecord::TAG, |file| {
            append::<FaceRecord>(file);
            count(file, FaceRecord::TAG)
        }),
        (
            "a face's plane that is not there",
            FaceRecord::TAG,
            |file| {
                let n_planes = count(file, PlaneRecord::TAG) as u32;
                change::<FaceRecord>(file, 1, |face| face.plane = n_planes)
            },
        ),
        (
            "a face's side that is another brush's",
            FaceRecord::TAG,
            |file| {
                let first = record::<BrushRecord>(file, 1).first_side;
                change::<FaceRecord>(file, 1, |face| face.side = first)
            },
        ),
    ];
    assert_refused(&file("one"), &rules);
}

#[test]
fn rules_for_corners_and_edges() {
    let rules: [Rule; 13] = [
        ("a solid too many", SolidRecord::TAG, |file| {
            append::<SolidRecord>(file);
            count(file, SolidRecord::TAG)
        }),
        ("three corners", SolidRecord::TAG, |file| {
            change::<SolidRecord>(file, 1, |solid| solid.n_corners = 3)
        }),
        ("five edges", SolidRecord::TAG, |file| {
            change::<SolidRecord>(file, 1, |solid| solid.n_edges = 5)
        }),
        ("corners that do not follow", SolidRecord::TAG, |file| {
            change::<SolidRecord>(file, 1, |solid| solid.first_corner += 1)
        }),
        ("edges that do not follow", SolidRecord::TAG, |file| {
            change::<SolidRecord>(file, 1, |solid| solid.first_edge += 1)
        }),
        ("a corner too many", CornerRecord::TAG, |file| {
            append::<CornerRecord>(file);
            count(file, CornerRecord::TAG)
        }),
        ("an edge too many", EdgeRecord::TAG, |file| {
            append::<EdgeRecord>(file);
            count(file, EdgeRecord::TAG)
        }),
        ("a corner too far out", CornerRecord::TAG, |file| {
            change::<CornerRecord>(file, 1, |corner| corner.position[1] = -65_537.0)
        }),
        ("a corner that is no number", CornerRecord::TAG, |file| {
            change::<CornerRecord>(file, 1, |corner| corner.position[2] = f64::NAN)
        }),
        ("an edge from a corner to itself", EdgeRecord::TAG, |file| {
            change::<EdgeRecord>(file, 1, |edge| edge.corners[1] = edge.corners[0])
        }),
        ("an edge of a face with itself", EdgeRecord::TAG, |file| {
            change::<EdgeRecord>(file, 1, |edge| edge.faces[1] = edge.faces[0])
        }),
        (
            "an edge's corner that is another brush's",
            EdgeRecord::TAG,
            |file| {
                let n_corners = record::<SolidRecord>(file, 0).n_corners;
                change::<EdgeRecord>(file, 1, |edge| edge.corners[1] = n_corners)
            },
        ),
        ("an edge's face that is a bevel", EdgeRecord::TAG, |file| {
            let n_faces = record::<SolidRecord>(file, 0).n_faces;
            change::<EdgeRecord>(file, 1, |edge| edge.faces[1] = n_faces)
        }),
    ];
    assert_refused(&file("one"), &rules);
}

// Long: a table, one row for each rule.
#[test]
fn rules_for_boxes() {
    let rules: [Rule; 13] = [
        ("a model too many", BoxesRecord::TAG, |file| {
            append::<BoxesRecord>(file);
            count(file, BoxesRecord::TAG)
        }),
        ("boxes that do not follow", BoxesRecord::TAG, |file| {
            change::<BoxesRecord>(file, 1, |boxes| boxes.first += 1)
        }),
        (
            "a number that is not that of the brushes",
            BoxesRecord::TAG,
            |file| change::<BoxesRecord>(file, 0, |boxes| boxes.n_boxes -= 2),
        ),
        ("a box too many", BoxRecord::TAG, |file| {
            append::<BoxRecord>(file);
            count(file, BoxRecord::TAG)
        }),
        (
            "a box that is larger than what it is in",
            BoxRecord::TAG,
            |file| {
                let around = record::<BoxRecord>(file, 0).maxs[0];
                change::<BoxRecord>(file, 1, |inner| inner.maxs[0] = around + 1.0)
            },
        ),
        (
            "a box that begins before what it is in",
            BoxRecord::TAG,
            |file| {
                let around = record::<BoxRecord>(file, 0).mins[1];
                change::<BoxRecord>(file, 1, |inner| inner.mins[1] = around - 1.0)
            },
        ),
        ("a box the wrong way round", BoxRecord::TAG, |file| {
            change::<BoxRecord>(file, 0, |root| root.mins[1] = root.maxs[1] + 1.0)
        }),
        ("a box that is no number", BoxRecord::TAG, |file| {
            change::<BoxRecord>(file, 0, |root| root.maxs[2] = f32::NAN)
        }),
        (
            "a brush in the middle of the tree",
            BoxRecord::TAG,
            |file| change::<BoxRecord>(file, 0, |root| root.brush = 1),
        ),
        (
            "a second child that is not where it is said to be",
            BoxRecord::TAG,
            |file| {
                let second = record::<BoxRecord>(file, 0).second;
                edit::<BoxRecord>(file, 0, |root| root.second += 1);
                second as usize - 1
            },
        ),
        ("a leaf where the tree goes on", BoxRecord::TAG, |file| {
            change::<BoxRecord>(file, 0, |root| root.second = 0)
        }),
        ("a brush that is not there", BoxRecord::TAG, |file| {
            let n_brushes = count(file, BrushRecord::TAG) as u32;
            let leaf = last::<BoxRecord>(file);
            change::<BoxRecord>(file, leaf, |leaf| leaf.brush = n_brushes)
        }),
        ("a brush of another model", BoxRecord::TAG, |file| {
            let leaf = last::<BoxRecord>(file);
            change::<BoxRecord>(file, leaf, |leaf| leaf.brush = 0)
        }),
    ];
    assert_refused(&file("one"), &rules);
}

#[test]
fn rules_for_the_file() {
    let right = file("one");
    let refused = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut wrong = right.clone();
        change(&mut wrong);
        resize(&mut wrong);
        refusal(&wrong)
    };
    let after_version = VERSION_OFFSET + 4;
    assert_eq!(
        refused(&|file| file[after_version] = 1),
        Some(LoadError::BadChunk(after_version))
    );
    let end = right.len();
    assert_eq!(
        refused(&|file| file.extend([0; 8])),
        Some(LoadError::BadChunk(end)),
        "bytes behind the last chunk"
    );
    assert_eq!(
        refused(&|file| file[N_CHUNKS_OFFSET] -= 1),
        Some(LoadError::BadChunk(end)),
        "a chunk that is not counted"
    );
}
