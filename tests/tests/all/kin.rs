//! Formats of which there are no files: a map that is read is written anew as the other format has it, and must
//! be read alike.

use onion_tests::cases::{Case, all_cases, other_cases};
use onion_tests::subject;

/// A part of a file's lumps is other in another format.
type Change = fn(&[u8]) -> Vec<u8>;

/// A format that differs from another in the sizes of records.
struct Kin {
    name: &'static str,
    /// What a file begins with, up to its directory.
    start: &'static [u8],
    n_lumps: usize,
    /// Lumps whose records change: number, bytes of a record, how.
    changes: &'static [(usize, usize, Change)],
}

/// A map as another format has it; its own directory begins at a byte and has so many lumps.
fn rewrite(bytes: &[u8], directory: usize, n_lumps: usize, kin: &Kin) -> Vec<u8> {
    let mut file = kin.start.to_vec();
    let mut body = Vec::new();
    let header = file.len() + 8 * kin.n_lumps;
    for number in 0..kin.n_lumps {
        let mut lump = if number < n_lumps {
            lump(bytes, directory, number)
        } else {
            &[]
        }
        .to_vec();
        for (_, size, change) in kin.changes.iter().filter(|change| change.0 == number) {
            lump = lump.chunks_exact(*size).flat_map(change).collect();
        }
        for place in [header + body.len(), lump.len()] {
            file.extend((place as i32).to_le_bytes());
        }
        body.extend(lump);
    }
    file.extend(body);
    file
}

fn lump(bytes: &[u8], directory: usize, number: usize) -> &[u8] {
    let int = |at: usize| i32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let at = directory + 8 * number;
    &bytes[int(at)..][..int(at + 4)]
}

/// Asserts that a map of another format has the same models.
fn assert_same(case: &Case, kin: &Kin, bytes: &[u8]) {
    let map = subject::parse(bytes);
    let models = |map: &onionc::map::Map| format!("{:?}", map.models);
    let what = format!("{} as {}: {}", case.name, kin.name, map.format);
    assert!(models(&map) == models(&case.map), "{what}");
    assert_eq!(map.points.len(), case.map.points.len(), "{what}");
}

/// A record with other bytes put in at places, from the last to the first.
fn with(record: &[u8], parts: &[(usize, usize)]) -> Vec<u8> {
    let mut record = record.to_vec();
    for &(at, length) in parts {
        // Bytes that nobody may take for what follows.
        record.splice(at..at, std::iter::repeat_n(0xa5, length));
    }
    record
}

const RAVEN_SIDE: (usize, usize, Change) = (9, 8, |side| with(side, &[(8, 4)]));
const RAVEN_VERT: (usize, usize, Change) = (10, 44, |vert| with(vert, &[(44, 12), (28, 24)]));
const RAVEN_SURFACE: (usize, usize, Change) =
    (13, 104, |surface| with(surface, &[(40, 36), (28, 8)]));

const KIN_OF_QUAKE3: [Kin; 4] = [
    Kin {
        name: "IBSP 47",
        start: b"IBSP\x2f\0\0\0",
        n_lumps: 18,
        changes: &[],
    },
    Kin {
        name: "IBSP 48",
        start: b"IBSP\x30\0\0\0",
        n_lumps: 17,
        changes: &[RAVEN_SIDE],
    },
    Kin {
        name: "RBSP 1",
        start: b"RBSP\x01\0\0\0",
        n_lumps: 18,
        changes: &[
            RAVEN_SIDE,
            RAVEN_VERT,
            RAVEN_SURFACE,
            (1, 72, raven_contents),
        ],
    },
    Kin {
        name: "FBSP 1",
        start: b"FBSP\x01\0\0\0",
        n_lumps: 18,
        changes: &[RAVEN_SIDE, RAVEN_VERT, RAVEN_SURFACE],
    },
];

/// A shader with contents as Raven numbers them.
fn raven_contents(shader: &[u8]) -> Vec<u8> {
    const NUMBERS: [(u32, u32); 7] = [
        (0x1, 0x1),
        (0x8, 0x2),
        (0x20, 0x4),
        (0x40, 0x8),
        (0x1_0000, 0x10),
        (0x2_0000, 0x20),
        (0x10, 0x2_0000),
    ];
    let ours = u32::from_le_bytes(shader[68..72].try_into().unwrap());
    let theirs = NUMBERS.iter().filter(|(own, _)| ours & own != 0);
    let theirs = theirs.fold(0, |all, (_, theirs)| all | theirs);
    [&shader[..68], &theirs.to_le_bytes()].concat()
}

#[test]
fn kin_of_quake_3_are_read_alike() {
    let mut n_patches = 0;
    for case in all_cases() {
        // Contents that Raven does not have would be lost.
        let brushes = case.map.models.iter().flat_map(|model| &model.brushes);
        let known = 0x3_0079;
        let is_known = brushes
            .map(|brush| brush.contents)
            .all(|bits| bits & !known == 0);
        for kin in KIN_OF_QUAKE3
            .iter()
            .filter(|kin| is_known || kin.name != "RBSP 1")
        {
            assert_same(case, kin, &rewrite(&case.bytes, 8, 17, kin));
        }
        n_patches += case
            .map
            .models
            .iter()
            .map(|model| model.patches.len())
            .sum::<usize>();
    }
    assert!(n_patches > 0, "no map has patches");
}

/// What is known of SiN's textures are their flags and names; sides have a word more.
const SIN: [(usize, usize, Change); 2] = [
    (5, 76, |texinfo| {
        let [flags, name] = [&texinfo[..36], &texinfo[40..72]];
        [flags, name, &[0; 32], &[0xa5; 80]].concat()
    }),
    (15, 4, |side| with(side, &[(4, 4)])),
];

const KIN_OF_QUAKE2: [Kin; 2] = [
    Kin {
        name: "SiN's RBSP 1",
        start: b"RBSP\x01\0\0\0",
        n_lumps: 20,
        changes: &SIN,
    },
    Kin {
        name: "SiN's IBSP 41",
        start: b"IBSP\x29\0\0\0",
        n_lumps: 20,
        changes: &SIN,
    },
];

#[test]
fn kin_of_quake_2_are_read_alike() {
    for case in other_cases()
        .iter()
        .filter(|case| case.map.format == "IBSP 38")
    {
        for kin in &KIN_OF_QUAKE2 {
            let bytes = rewrite(&case.bytes, 8, 19, kin);
            assert_same(case, kin, &bytes);
            let names = |map: &onionc::map::Map| format!("{:?}", map.surfaces);
            assert_eq!(
                names(&subject::parse(&bytes)),
                names(&case.map),
                "{}",
                case.name
            );
        }
    }
}

const KIN_OF_QUAKE: [Kin; 2] = [
    Kin {
        name: "2PSB",
        start: b"2PSB",
        n_lumps: 15,
        changes: &[(5, 24, wide_node), (10, 28, |leaf| with(leaf, &[(24, 4)]))],
    },
    Kin {
        name: "Hexen II's 29",
        start: b"\x1d\0\0\0",
        n_lumps: 15,
        changes: &[(14, 64, |model| with(model, &[(52, 16)]))],
    },
];

/// A node whose children have 32 bits, and whose faces do.
fn wide_node(node: &[u8]) -> Vec<u8> {
    let child = |at: usize| i32::from(i16::from_le_bytes([node[at], node[at + 1]]));
    let children = [child(4), child(6)].map(i32::to_le_bytes);
    [&node[..4], children.as_flattened(), &node[8..20], &[0; 8]].concat()
}

#[test]
fn kin_of_quake_are_read_alike() {
    let is_plain = |case: &&Case| case.map.format.starts_with("BSP 29, ");
    for case in other_cases().iter().filter(is_plain) {
        for kin in &KIN_OF_QUAKE {
            assert_same(case, kin, &rewrite(&case.bytes, 4, 15, kin));
        }
        // Blue Shift has entities and planes the other way around.
        let plain = Kin {
            name: "30",
            start: b"\x1e\0\0\0",
            n_lumps: 15,
            changes: &[],
        };
        let mut bytes = rewrite(&case.bytes, 4, 15, &plain);
        assert_same(case, &plain, &bytes);
        let (entities, planes) = bytes[4..20].split_at_mut(8);
        entities.swap_with_slice(planes);
        assert_same(case, &plain, &bytes);
    }
}

/// The maps of Soldier of Fortune begin like those of Quake III; nothing is known of most of their lumps.
#[test]
fn soldier_of_fortune_is_named() {
    let kin = Kin {
        name: "Soldier of Fortune",
        start: b"IBSP\x2e\0\0\0",
        n_lumps: 22,
        changes: &[],
    };
    let mut maps = other_cases().iter();
    let Some(case) = maps.find(|case| case.map.format == "IBSP 38") else {
        return;
    };
    let bytes = rewrite(&case.bytes, 8, 19, &kin);
    let error = onionc::map::parse(&bytes, &Default::default()).unwrap_err();
    let message = error.to_string();
    assert!(
        message.contains("the first Soldier of Fortune"),
        "{message}"
    );
}
