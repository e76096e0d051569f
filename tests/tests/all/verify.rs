//! `verify` proves a file against its map, from the bytes alone, and finds planted faults: wrong
//! bits, moved planes, another map.

use onion_compiler::error::VerifyError;
use onion_compiler::{CompileOptions, Grouping, verify};
use onion_format::{
    AgentRecord, BoxRecord, BrushRecord, CornerRecord, EdgeRecord, FloorCornerRecord,
    FloorLinksRecord, FloorPlaceRecord, FloorRecord, HitRecord, InfoRecord, LinkRecord,
    ModelRecord, PlaneRecord, Record, SideRecord, SurfaceRecord,
};
use onion_maps::Map;
use onion_runtime::OnionMap;
use onion_tests::cases::{real_cases, sample_case, sample_cases};
use onion_tests::planted::{
    count, edit, leaves, links, record, records, replace, replace_links, solidity_of, with,
    with_chunks, with_leaf, with_options,
};
use onion_tests::{fixtures, subject};

fn sample(name: &str) -> &'static Map {
    &sample_case(name).map
}

/// Compiles a sample map in one tree for all hulls.
fn compiled(name: &str) -> Vec<u8> {
    let one_tree = |options: &mut CompileOptions| options.grouping = Grouping::One;
    fixtures::compiled(sample(name), &subject::HULLS, one_tree).bytes
}

#[test]
fn compiled_maps_are_proven() {
    for case in sample_cases() {
        let name = &case.name;
        let audit = verify(&case.unfilled().bytes, &case.map);
        let audit = audit.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(audit.leaf_hulls > 0 && audit.impure == 0, "{name}");
    }
    for case in real_cases() {
        let proven = verify(&case.unfilled().bytes, &case.map);
        assert!(proven.is_ok(), "{}: {proven:?}", case.name);
    }
}

#[test]
fn every_wrong_bit_is_found() {
    let (map, file) = (sample("wedge"), compiled("wedge"));
    for leaf in leaves(&file) {
        for bit in [1, 2, 4] {
            let found = verify(&with_leaf(&file, leaf, bit), map);
            let one = matches!(found, Err(VerifyError::WrongLeaf { impure: 1, .. }));
            assert!(one, "leaf {leaf}, bit {bit}: {found:?}");
            // By itself it may disagree with the summary in the node above.
            let at = solidity_of(&file, leaf);
            let alone = verify(&with(&file, at, &[file[at] ^ bit]), map);
            assert!(alone.is_err(), "{alone:?}");
        }
    }
    assert!(leaves(&file).count() > 10);
}

#[test]
fn every_moved_plane_is_found() {
    let (map, file) = (sample("ramp_stairs"), compiled("ramp_stairs"));
    let planes = records(&file, PlaneRecord::TAG);
    for plane in 0..count(&file, PlaneRecord::TAG) {
        let at = planes + plane * PlaneRecord::SIZE + 16;
        let dist = f64::from_le_bytes(*file[at..].first_chunk().unwrap());
        // By the smallest step of the format.
        let moved = dist + 1.0 / (1u64 << 36) as f64;
        let found = verify(&with(&file, at, &moved.to_le_bytes()), map);
        assert!(found.is_err(), "plane {plane}");
    }
}

/// Verification divides patches again with the settings of the file.
#[test]
fn another_patch_error_is_known() {
    let map = sample("patch_arch");
    let n_pieces = [0.25, 4.0].map(|patch_error| {
        let compiled = fixtures::compiled(map, &subject::HULLS, |options| {
            options.patch_error = patch_error;
        });
        let proven = verify(&compiled.bytes, map);
        assert!(proven.is_ok(), "{patch_error}: {proven:?}");
        compiled.report.n_patch_pieces
    });
    assert!(n_pieces[0] > n_pieces[1], "{n_pieces:?}");
}

#[test]
fn another_map_is_refused() {
    let file = compiled("room");
    let other = verify(&file, sample("door"));
    assert!(matches!(other, Err(VerifyError::OtherMap { .. })));
    let other = verify(&file, sample("wedge"));
    assert!(matches!(other, Err(VerifyError::WrongLeaf { .. })));
    let cut = verify(&file[1..], sample("room"));
    assert!(matches!(cut, Err(VerifyError::Load(_))));
}

/// The game puts a model where its record says, and shows the entity that it names.
#[test]
fn every_wrong_model_is_found() {
    let (map, file) = (sample("door"), compiled("door"));
    for model in 0..2 {
        let changes: [fn(&mut ModelRecord); 4] = [
            |model| model.entity = 0,
            |model| model.mins[0] -= 1.0,
            |model| model.maxs[1] += 1.0,
            |model| model.origin[2] += 1.0,
        ];
        for change in changes {
            let mut wrong = file.clone();
            edit(&mut wrong, model, change);
            let found = verify(&wrong, map);
            let is_found =
                matches!(found, Err(VerifyError::WrongModel { number }) if number == model);
            // The world is shown by entity 0.
            let same = wrong == file;
            assert!(is_found != same, "{model}: {found:?}");
        }
    }
    let mut wrong = file.clone();
    edit::<InfoRecord>(&mut wrong, 0, |info| info.leaf_hulls += 1);
    assert!(matches!(
        verify(&wrong, map),
        Err(VerifyError::WrongCount { .. })
    ));
}

/// A file without a part that its options say it has is refused, and one with a part that they leave out.
#[test]
fn parts_are_those_of_the_options() {
    let map = sample("door");
    type Change = fn(&mut CompileOptions);
    let flags: [(&str, Change); 5] = [
        ("--no-entities", |options| options.entities = false),
        ("--no-surfaces", |options| options.surfaces = false),
        ("--no-fast", |options| options.fast = false),
        ("--brushes", |options| options.brushes = true),
        ("--floors", |options| options.floors = true),
    ];
    for (flag, change) in flags {
        let file = fixtures::compiled(map, &subject::HULLS, change).bytes;
        assert!(verify(&file, map).is_ok(), "{flag}");
        let loaded = OnionMap::from_bytes(&file[..]).unwrap();
        let options = loaded.inspect().options().filter(|option| *option != flag);
        let other = with_options(&file, &Vec::from_iter(options));
        let found = verify(&other, map);
        assert!(
            matches!(found, Err(VerifyError::OtherPart(_))),
            "{flag}: {found:?}"
        );
    }
}

/// Corners, edges and boxes of brushes are compared with the map.
#[test]
fn every_wrong_shape_is_found() {
    fn check<R: Record>(file: &[u8], map: &Map, change: fn(&mut R)) {
        for number in 0..count(file, R::TAG) {
            let mut wrong = file.to_vec();
            edit(&mut wrong, number, change);
            let tag = String::from_utf8_lossy(&R::TAG).into_owned();
            assert!(verify(&wrong, map).is_err(), "{tag} {number}");
        }
    }
    let map = sample("wedge");
    let file = fixtures::compiled(map, &["stand:16x56"], |options| options.brushes = true).bytes;
    assert!(verify(&file, map).is_ok());
    check::<CornerRecord>(&file, map, |corner| {
        corner.position[0] = corner.position[0].next_up();
    });
    check::<EdgeRecord>(&file, map, |edge| edge.faces.swap(0, 1));
    check::<BoxRecord>(&file, map, |node| node.maxs[2] = node.maxs[2].next_down());
}

/// Each number of a floor is compared with the map, and so is the presence of floors.
#[test]
fn every_wrong_floor_is_found() {
    let map = sample("ramp_stairs");
    let hulls = ["stand:16x56", "crouch:16x32"];
    let file = fixtures::compiled(map, &hulls, |options| options.floors = true).bytes;
    assert!(verify(&file, map).is_ok());
    let is_found = |wrong: &[u8]| verify(wrong, map).is_err();
    for floor in 0..count(&file, FloorRecord::TAG) {
        let other = (floor + 1) % count(&file, FloorRecord::TAG);
        let plane = record::<FloorRecord>(&file, other).plane;
        let mut wrong = file.clone();
        edit::<FloorRecord>(&mut wrong, floor, |floor| floor.plane = plane);
        assert!(is_found(&wrong) != (wrong == file), "floor {floor}");
    }
    for corner in 0..count(&file, FloorCornerRecord::TAG) {
        let mut wrong = file.clone();
        edit::<FloorCornerRecord>(&mut wrong, corner, |corner| {
            corner.place = corner.place.saturating_sub(1);
        });
        assert!(
            verify(&wrong, map).is_err() != (wrong == file),
            "corner {corner}"
        );
    }
    // The boxes in the middle of the ranges of both hulls may be larger than they should be.
    let n_floors = [0, 1].map(|hull| {
        let floors = 0..count(&file, FloorRecord::TAG);
        floors
            .filter(|&floor| record::<FloorRecord>(&file, floor).hull() == hull)
            .count()
    });
    for middle in [n_floors[0] / 2, n_floors[0] + n_floors[1] / 2] {
        let mut wrong = file.clone();
        edit::<FloorRecord>(&mut wrong, middle, |floor| {
            floor.maxs[2] = floor.maxs[2].next_up();
        });
        let found = verify(&wrong, map);
        assert!(
            matches!(found, Err(VerifyError::WrongFloors(_))),
            "{found:?}"
        );
    }
    let mut bare = file.clone();
    replace::<FloorCornerRecord>(&mut bare, &[]);
    replace::<FloorPlaceRecord>(&mut bare, &[]);
    replace::<FloorRecord>(&mut bare, &[]);
    assert!(is_found(&bare));
}

/// Each number of the places of corners is compared with the map.
#[test]
fn every_wrong_place_is_found() {
    let map = sample("ramp_stairs");
    let hulls = ["stand:16x56", "crouch:16x32"];
    let file = fixtures::compiled(map, &hulls, |options| options.floors = true).bytes;
    // A place that moves out of the box around a floor is found by loading.
    let mut n_named = 0;
    let n_places = count(&file, FloorPlaceRecord::TAG);
    for place in 0..n_places {
        let found = [f64::next_up, f64::next_down].map(|nudge: fn(f64) -> f64| {
            let mut wrong = file.clone();
            edit::<FloorPlaceRecord>(&mut wrong, place, |place| {
                place.at[1] = nudge(place.at[1]);
            });
            verify(&wrong, map)
        });
        let is_named = |found: &Result<_, _>| matches!(found, Err(VerifyError::WrongFloors(_)));
        assert!(found.iter().all(Result::is_err), "place {place}: {found:?}");
        n_named += usize::from(found.iter().any(is_named));
    }
    assert!(2 * n_named > n_places, "{n_named} of {n_places}");
}

/// Compiles the tunnel, in which agents crouch and stand up, for two classes of agents.
fn tunnel_with_links() -> Vec<u8> {
    let hulls = ["stand:16x56", "crouch:16x32", "ogre:32x88"];
    let change = |options: &mut CompileOptions| {
        options.floors = true;
        options.agents = vec!["human:stand,crouch:jump=56:drop=300".parse().unwrap()];
    };
    fixtures::compiled(sample("low_tunnel"), &hulls, change).bytes
}

fn with_links(file: &[u8], links: &[(u32, LinkRecord)]) -> Vec<u8> {
    let mut file = file.to_vec();
    replace_links(&mut file, links);
    file
}

/// Each number of a link is compared with those of the links that agents take in the map.
#[test]
fn every_wrong_link_is_found() {
    let (map, file) = (sample("low_tunnel"), tunnel_with_links());
    assert!(verify(&file, map).is_ok());
    let right = links(&file);
    let kinds = [0, 1, 2].map(|kind| right.iter().filter(|link| link.1.kind() == kind).count());
    assert!(
        kinds[0] > 0 || kinds[1] > 0 && kinds[1] == kinds[2],
        "{kinds:?}"
    );
    let changes: [fn(&mut LinkRecord); 7] = [
        |link| link.leads ^= 1,
        |link| link.leads ^= 1 << 24,
        |link| link.leads ^= 2 << 28,
        |link| link.edge ^= 1,
        |link| link.part[0] += 1,
        |link| link.part[1] -= 1,
        |link| link.across ^= 1,
    ];
    let check = |wrong: &[u8], number: usize| {
        let found = verify(wrong, map);
        let is_found = match &found {
            Err(VerifyError::WrongLinks { number: first }) => *first == number,
            Err(VerifyError::Load(_)) => true,
            _ => wrong == file,
        };
        assert!(is_found, "link {number}: {found:?}");
    };
    for number in 0..right.len() {
        for change in changes {
            let mut wrong = file.clone();
            edit(&mut wrong, number, change);
            check(&wrong, number);
        }
    }
    // The first link of a floor may be said to leave the floor before.
    for floor in 1..count(&file, FloorLinksRecord::TAG) {
        let first = record::<FloorLinksRecord>(&file, floor).first;
        let mut wrong = file.clone();
        edit::<FloorLinksRecord>(&mut wrong, floor, |own| own.first += 1);
        check(&wrong, first as usize);
    }
}

/// A link too few, one too many, one in the place of another, or no links at all.
#[test]
fn missing_and_added_links_are_found() {
    let (map, file) = (sample("low_tunnel"), tunnel_with_links());
    let right = links(&file);
    let is_found = |wrong: &[(u32, LinkRecord)], first: usize| {
        let found = verify(&with_links(&file, wrong), map);
        let is_found = matches!(found, Err(VerifyError::WrongLinks { number }) if number == first);
        assert!(is_found, "{first}: {found:?}");
    };
    let last = right.len() - 1;
    for number in 0..right.len() {
        let mut wrong = right.clone();
        let link = wrong.remove(number);
        is_found(&wrong, number);
        let (from, record) = link;
        let leads = LinkRecord::new(from, record.kind(), record.turns()).leads;
        wrong.insert(number, (from, LinkRecord { leads, ..record }));
        wrong.insert(number, link);
        is_found(&wrong, number + 1);
    }
    is_found(&[&right[..], &right[last..]].concat(), right.len());
    is_found(&[], 0);
    let without_links = with_chunks(&file, |tag, old| {
        let links = [AgentRecord::TAG, FloorLinksRecord::TAG, LinkRecord::TAG];
        let is_kept = !links.contains(&tag);
        is_kept.then(|| old.to_vec())
    });
    let found = verify(&without_links, map);
    assert!(matches!(found, Err(VerifyError::OtherPart("links"))));
}

/// Classes of agents are those of the options and hulls that the file records.
#[test]
fn every_wrong_class_of_agents_is_found() {
    let (map, file) = (sample("low_tunnel"), tunnel_with_links());
    let agents = [0, 1].map(|number| record::<AgentRecord>(&file, number));
    let names = agents.map(|agent| agent.name[0]);
    assert_eq!((names, count(&file, AgentRecord::TAG)), ([b'h', b'o'], 2));
    assert_eq!(agents.map(|agent| agent.hulls), [0b011, 0b100]);
    assert_eq!(
        agents.map(|agent| (agent.jump, agent.drop)),
        [(56.0, 300.0), (45.0, 256.0)]
    );
    let changes: [fn(&mut AgentRecord); 10] = [
        |agent| agent.name[0] = b'x',
        |agent| agent.hulls &= agent.hulls - 1,
        |agent| agent.speed += 1.0,
        |agent| agent.step += 1.0,
        |agent| agent.jump = agent.jump.next_down(),
        |agent| agent.drop = 0.0,
        |agent| agent.min_ground_z = agent.min_ground_z.next_up(),
        |agent| agent.gravity -= 1.0,
        |agent| agent.swim = 0.0,
        |agent| agent.climb = agent.climb.next_up(),
    ];
    for number in 0..2 {
        for (at, change) in changes.iter().enumerate() {
            let mut wrong = file.clone();
            edit(&mut wrong, number, change);
            let found = verify(&wrong, map);
            let is_found = match &found {
                Err(VerifyError::WrongAgents { number: first }) => *first == number,
                // A class without hulls.
                Err(VerifyError::Load(_)) => (number, at) == (1, 1),
                _ => false,
            };
            assert!(is_found, "class {number}, change {at}: {found:?}");
        }
    }
    for wrong in [
        &agents[..1],
        &[
            agents[0],
            agents[1],
            AgentRecord {
                hulls: 0,
                ..agents[0]
            },
        ],
    ] {
        let mut file = file.clone();
        replace(&mut file, wrong);
        let found = verify(&file, map);
        let is_found = matches!(
            found,
            Err(VerifyError::Load(_) | VerifyError::WrongAgents { number: 1 })
        );
        assert!(is_found, "{found:?}");
    }
}

/// Changing any single number of the file's hit data is detected, at loading or against the map.
#[test]
fn every_wrong_side_is_found() {
    let (map, file) = (sample("ramp_stairs"), compiled("ramp_stairs"));
    let mut n_tries = 0;
    let chunks = [
        (SurfaceRecord::TAG, SurfaceRecord::SIZE),
        (BrushRecord::TAG, BrushRecord::SIZE),
        (SideRecord::TAG, SideRecord::SIZE),
    ];
    for (tag, size) in chunks {
        let start = records(&file, tag);
        let n_records = count(&file, tag);
        for at in (start..start + n_records * size).step_by(4) {
            let wrong = with(&file, at, &[file[at] ^ 1]);
            let found = verify(&wrong, map);
            let is_found = matches!(
                found,
                Err(VerifyError::Load(_) | VerifyError::WrongBrush { .. })
            );
            assert!(is_found, "byte {at}: {found:?}");
            n_tries += 1;
        }
    }
    assert!(n_tries > 100);
}

/// The side named at a node has the node's plane: most of those that are changed to the next one do not.
#[test]
fn wrong_hits_at_nodes_are_found() {
    let (map, file) = (sample("ramp_stairs"), compiled("ramp_stairs"));
    let (start, n_records) = (records(&file, HitRecord::TAG), count(&file, HitRecord::TAG));
    let is_found = |record: &usize| {
        let at = start + record * HitRecord::SIZE;
        verify(&with(&file, at, &[file[at] ^ 1]), map).is_err()
    };
    let n_found = (0..n_records).filter(is_found).count();
    assert!(n_found > n_records * 3 / 4, "{n_found} of {n_records}");
}
