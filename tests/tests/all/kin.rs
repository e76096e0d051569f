//! Formats without sample files: rewrites a map in another format of the same family, which must
//! read the same.

use onion_tests::cases::{Case, all_cases, other_cases, sample_case};
use onion_tests::subject;

/// Converts a part of a file's lumps to another format.
type Change = fn(&[u8]) -> Vec<u8>;

/// A format that differs from another in the sizes of records and the places of lumps.
struct Kin {
    name: &'static str,
    /// The first bytes of a file, up to its directory.
    start: &'static [u8],
    n_lumps: usize,
    /// Lumps whose records change: number in the other format, record size, conversion.
    changes: &'static [(usize, usize, Change)],
    /// Numbers of lumps here and in the other format, if any moves.
    places: &'static [(usize, usize)],
}

impl Kin {
    const PLAIN: Self = Self {
        name: "",
        start: b"",
        n_lumps: 0,
        changes: &[],
        places: &[],
    };

    /// Returns the number of a lump in the other format, which has `n_lumps`, or `None` if it has no such lump.
    fn other(&self, number: usize, n_lumps: usize) -> Option<usize> {
        if self.places.is_empty() {
            return (number < n_lumps).then_some(number);
        }
        let place = self.places.iter().find(|(own, _)| *own == number)?;
        Some(place.1)
    }
}

/// Rewrites a map in another format; its own directory begins at byte `directory` and has `n_lumps` lumps.
fn rewrite(bytes: &[u8], directory: usize, n_lumps: usize, kin: &Kin) -> Vec<u8> {
    let mut file = kin.start.to_vec();
    let mut body = Vec::new();
    let header = file.len() + 8 * kin.n_lumps;
    for number in 0..kin.n_lumps {
        let other = kin.other(number, n_lumps);
        let mut lump = other
            .map_or(&[][..], |other| lump(bytes, directory, other))
            .to_vec();
        for (_, size, change) in kin.changes.iter().filter(|change| Some(change.0) == other) {
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
    let models = |map: &onion_maps::Map| format!("{:?}", map.models);
    let what = format!("{} as {}: {}", case.name, kin.name, map.format);
    assert!(models(&map) == models(&case.map), "{what}");
    assert_eq!(map.points.len(), case.map.points.len(), "{what}");
}

/// Returns a record with filler bytes inserted at places, from the last to the first.
fn with(record: &[u8], parts: &[(usize, usize)]) -> Vec<u8> {
    let mut record = record.to_vec();
    for &(at, length) in parts {
        // Bytes that a reader must not take for the fields after them.
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
        ..Kin::PLAIN
    },
    Kin {
        name: "IBSP 48",
        start: b"IBSP\x30\0\0\0",
        n_lumps: 17,
        changes: &[RAVEN_SIDE],
        ..Kin::PLAIN
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
        ..Kin::PLAIN
    },
    Kin {
        name: "FBSP 1",
        start: b"FBSP\x01\0\0\0",
        n_lumps: 18,
        changes: &[RAVEN_SIDE, RAVEN_VERT, RAVEN_SURFACE],
        ..Kin::PLAIN
    },
];

/// The places of Quake III's lumps in Ritual's games.
const FAKK: &[(usize, usize)] = &[
    (0, 1),
    (1, 2),
    (3, 13),
    (4, 10),
    (10, 9),
    (11, 8),
    (13, 7),
    (14, 0),
];
const MEDAL: &[(usize, usize)] = &[
    (0, 1),
    (1, 2),
    (3, 13),
    (4, 10),
    (11, 9),
    (12, 8),
    (13, 7),
    (14, 0),
];
/// The same with a lump of fog.
const OLD_MEDAL: &[(usize, usize)] = &[
    (0, 1),
    (1, 2),
    (3, 13),
    (4, 10),
    (11, 9),
    (12, 8),
    (14, 7),
    (15, 0),
];
const ELITE: &[(usize, usize)] = &[
    (0, 1),
    (1, 2),
    (5, 13),
    (6, 10),
    (12, 9),
    (13, 8),
    (15, 7),
    (16, 0),
];

const MEDAL_CHANGES: &[(usize, usize, Change)] = &[
    (1, 72, |shader| with(shader, &[(72, 68)])),
    RAVEN_SIDE,
    RITUAL_SURFACE,
];

const RITUAL_SHADER: (usize, usize, Change) = (1, 72, |shader| with(shader, &[(72, 4)]));
const RITUAL_SURFACE: (usize, usize, Change) = (13, 104, |surface| with(surface, &[(104, 4)]));

/// Swaps the first two numbers of a record.
fn swapped(record: &[u8]) -> Vec<u8> {
    [&record[4..8], &record[..4], &record[8..]].concat()
}

/// Ritual's games, which number contents as Quake III does, except for some that are left out here.
const RITUAL: [Kin; 7] = [
    Kin {
        name: "FAKK 2",
        start: b"FAKK\x0c\0\0\0\xa5\xa5\xa5\xa5",
        n_lumps: 20,
        changes: &[RITUAL_SHADER, RITUAL_SURFACE],
        places: FAKK,
    },
    Kin {
        name: "Alice",
        start: b"FAKK\x2a\0\0\0\xa5\xa5\xa5\xa5",
        n_lumps: 20,
        changes: &[RITUAL_SHADER, RITUAL_SURFACE],
        places: FAKK,
    },
    Kin {
        name: "Elite Force II",
        start: b"EF2!\x14\0\0\0\xa5\xa5\xa5\xa5",
        n_lumps: 30,
        changes: &[
            RITUAL_SHADER,
            (8, 12, swapped),
            (9, 8, swapped),
            // Lightmaps, normal, color in another order, and an extra word.
            (10, 44, |vert| {
                let [place, light, normal] = [&vert[..20], &vert[20..28], &vert[28..]];
                [place, normal, &[0xa5; 4], light].concat()
            }),
            (13, 104, |surface| with(surface, &[(104, 28)])),
        ],
        places: ELITE,
    },
    Kin {
        name: "Allied Assault's beta",
        start: b"2015\x11\0\0\0\xa5\xa5\xa5\xa5",
        n_lumps: 28,
        changes: MEDAL_CHANGES,
        places: OLD_MEDAL,
    },
    Kin {
        name: "Allied Assault's demo",
        start: b"2015\x12\0\0\0\xa5\xa5\xa5\xa5",
        n_lumps: 28,
        changes: MEDAL_CHANGES,
        places: OLD_MEDAL,
    },
    Kin {
        name: "Allied Assault",
        start: b"2015\x13\0\0\0\xa5\xa5\xa5\xa5",
        n_lumps: 28,
        changes: MEDAL_CHANGES,
        places: MEDAL,
    },
    Kin {
        name: "Breakthrough",
        start: b"EALA\x15\0\0\0\xa5\xa5\xa5\xa5",
        n_lumps: 28,
        changes: MEDAL_CHANGES,
        places: MEDAL,
    },
];

#[test]
fn games_of_ritual_are_read_alike() {
    // The contents that all of them number the same way.
    const KNOWN: u32 = 0x2903_8079;
    let mut n_patches = 0;
    for case in all_cases() {
        let brushes = case.map.models.iter().flat_map(|model| &model.brushes);
        let patches = || case.map.models.iter().flat_map(|model| &model.patches);
        let contents = brushes.map(|brush| brush.contents);
        let mut contents = contents.chain(patches().map(|patch| patch.contents));
        if contents.any(|bits| bits & !KNOWN != 0) {
            continue;
        }
        for kin in &RITUAL {
            assert_same(case, kin, &rewrite(&case.bytes, 8, 17, kin));
        }
        n_patches += patches().count();
    }
    assert!(n_patches > 0, "no map has patches");
}

/// Terrain is not a brush; reading a map with terrain gives a warning.
#[test]
fn terrain_and_displacements_are_told() {
    let warnings = |bytes: &[u8]| format!("{:?}", subject::parse(bytes).warnings);
    let sample = sample_case("room");
    let plain = &RITUAL[5];
    assert!(!warnings(&rewrite(&sample.bytes, 8, 17, plain)).contains("terrain"));
    let terrain = Kin {
        places: &[
            (0, 1),
            (1, 2),
            (3, 13),
            (4, 10),
            (11, 9),
            (12, 8),
            (13, 7),
            (14, 0),
            (22, 0),
        ],
        ..RITUAL[5]
    };
    assert!(warnings(&rewrite(&sample.bytes, 8, 17, &terrain)).contains("terrain"));
    for case in quake2_cases() {
        let has = |file: &Source| warnings(&file.of(&case.bytes)).contains("displacements");
        let with_some = Source {
            displacements: &[0xa5; 176],
            ..VBSP_20
        };
        assert!(!has(&VBSP_20) && has(&with_some));
    }
}

/// Converts the contents of a shader to Raven's numbers.
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

/// Only the flags and names of SiN's textures are known; sides have an extra word.
const SIN: [(usize, usize, Change); 2] = [
    (5, 76, |texinfo| {
        let [flags, name] = [&texinfo[..36], &texinfo[40..72]];
        [flags, name, &[0; 32], &[0xa5; 80]].concat()
    }),
    (15, 4, |side| with(side, &[(4, 4)])),
];

const KIN_OF_QUAKE2: [Kin; 3] = [
    Kin {
        name: "SiN's RBSP 1",
        start: b"RBSP\x01\0\0\0",
        n_lumps: 20,
        changes: &SIN,
        ..Kin::PLAIN
    },
    Kin {
        name: "SiN's IBSP 41",
        start: b"IBSP\x29\0\0\0",
        n_lumps: 20,
        changes: &SIN,
        ..Kin::PLAIN
    },
    DAIKATANA,
];

const DAIKATANA: Kin = Kin {
    name: "Daikatana",
    start: b"IBSP\x29\0\0\0",
    n_lumps: 21,
    changes: &[(8, 28, |leaf| with(leaf, &[(28, 4)]))],
    ..Kin::PLAIN
};

/// The settings for writing a map of Quake II as one of the Source engine.
#[derive(Clone, Copy)]
struct Source {
    version: u8,
    /// Whether the version of a lump comes before its offset, as in Left 4 Dead 2.
    version_first: bool,
    /// Size of a leaf, in bytes.
    leaf: usize,
    displacements: &'static [u8],
}

const VBSP_20: Source = Source {
    version: 20,
    version_first: false,
    leaf: 32,
    displacements: &[],
};

const SOURCE: [Source; 4] = [
    VBSP_20,
    Source {
        version: 21,
        ..VBSP_20
    },
    Source {
        version: 21,
        version_first: true,
        ..VBSP_20
    },
    Source {
        version: 19,
        leaf: 56,
        ..VBSP_20
    },
];

impl Source {
    fn of(&self, bytes: &[u8]) -> Vec<u8> {
        let lumps = self.lumps(bytes);
        let mut file = [&b"VBSP"[..], &[self.version, 0, 0, 0]].concat();
        let mut start = 8 + 16 * lumps.len() as i32 + 4;
        for (number, lump) in lumps.iter().enumerate() {
            let version = i32::from(number == 10 && self.leaf == 32);
            let place = [start, lump.len() as i32];
            let entry = match self.version_first {
                true => [version, place[0], place[1], 0],
                false => [place[0], place[1], version, 0],
            };
            file.extend(entry.map(i32::to_le_bytes).concat());
            start += lump.len() as i32;
        }
        file.extend([7, 0, 0, 0]);
        file.extend(lumps.concat());
        file
    }

    fn lumps(&self, bytes: &[u8]) -> Vec<Vec<u8>> {
        let records = |number, size, change: &dyn Fn(&[u8]) -> Vec<u8>| {
            let records = lump(bytes, 8, number).chunks_exact(size);
            records.flat_map(change).collect::<Vec<u8>>()
        };
        let same = |number| lump(bytes, 8, number).to_vec();
        let mut lumps = vec![Vec::new(); 64];
        for (own, other) in [(0, 0), (1, 1), (14, 13), (17, 10), (18, 14)] {
            lumps[own] = same(other);
        }
        lumps[5] = records(4, 28, &|node| with(node, &[(28, 4)]));
        lumps[10] = records(8, 28, &|leaf| with(leaf, &[(28, self.leaf - 28)]));
        lumps[19] = records(15, 4, &|side| with(side, &[(4, 4)]));
        lumps[26] = self.displacements.to_vec();
        // Each texinfo has its own texture, and these are in the opposite order.
        let infos: Vec<&[u8]> = lump(bytes, 8, 5).chunks_exact(76).collect();
        for (number, info) in (0i32..).zip(&infos) {
            let other = infos.len() as i32 - 1 - number;
            lumps[6].extend([&[0xa5; 64], &info[32..36], &other.to_le_bytes()].concat());
            lumps[2].extend([&[0xa5; 12], &number.to_le_bytes()[..], &[0xa5; 16]].concat());
            lumps[44].extend((33 * number).to_le_bytes());
            lumps[43].extend([&infos[other as usize][40..72], &[0]].concat());
        }
        lumps
    }
}

/// Returns the maps of Quake II.
fn quake2_cases() -> impl Iterator<Item = &'static Case> {
    other_cases()
        .iter()
        .filter(|case| case.map.format == "IBSP 38")
}

/// Returns a map of Quake II without the contents that other games number differently: lava, mist and auxiliary.
fn without_lava(bytes: &[u8]) -> Vec<u8> {
    let int = |at: usize| i32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let (start, length) = (int(8 + 8 * 14), int(12 + 8 * 14));
    let mut bytes = bytes.to_vec();
    for brush in bytes[start..start + length].chunks_exact_mut(12) {
        brush[8] &= !0x4c;
    }
    bytes
}

#[test]
fn maps_of_the_source_engine_are_read_alike() {
    for case in quake2_cases() {
        let bytes = without_lava(&case.bytes);
        let parts = |map: &onion_maps::Map| format!("{:?}{:?}", map.models, map.surfaces);
        let expected = parts(&subject::parse(&bytes));
        for source in &SOURCE {
            let map = subject::parse(&source.of(&bytes));
            assert_eq!(map.format, format!("VBSP {}", source.version));
            assert!(parts(&map) == expected, "{} as {}", case.name, map.format);
        }
        // Planes, nodes, brushes and their sides.
        for lump in [1, 5, 18, 19] {
            let mut packed = VBSP_20.of(&bytes);
            let start = packed[8 + 16 * lump..].first_chunk().unwrap();
            let start = u32::from_le_bytes(*start) as usize;
            packed[start..start + 4].copy_from_slice(b"LZMA");
            let error = onion_maps::parse(&packed, &Default::default()).unwrap_err();
            assert!(error.to_string().contains("bspzip -repack"), "{error}");
        }
    }
}

#[test]
fn kin_of_quake_2_are_read_alike() {
    for case in quake2_cases() {
        for kin in &KIN_OF_QUAKE2 {
            let bytes = rewrite(&case.bytes, 8, 19, kin);
            assert_same(case, kin, &bytes);
            let names = |map: &onion_maps::Map| format!("{:?}", map.surfaces);
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
        ..Kin::PLAIN
    },
    Kin {
        name: "Hexen II's 29",
        start: b"\x1d\0\0\0",
        n_lumps: 15,
        changes: &[(14, 64, |model| with(model, &[(52, 16)]))],
        ..Kin::PLAIN
    },
];

/// Widens a node to 32-bit children and faces.
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
        // Blue Shift swaps entities and planes.
        let plain = Kin {
            name: "30",
            start: b"\x1e\0\0\0",
            n_lumps: 15,
            ..Kin::PLAIN
        };
        let mut bytes = rewrite(&case.bytes, 4, 15, &plain);
        assert_same(case, &plain, &bytes);
        let (entities, planes) = bytes[4..20].split_at_mut(8);
        entities.swap_with_slice(planes);
        assert_same(case, &plain, &bytes);
    }
}

/// The maps of Soldier of Fortune begin like those of Quake III; most of their lumps are unknown.
#[test]
fn soldier_of_fortune_is_named() {
    let kin = Kin {
        name: "Soldier of Fortune",
        start: b"IBSP\x2e\0\0\0",
        n_lumps: 22,
        ..Kin::PLAIN
    };
    let mut maps = other_cases().iter();
    let Some(case) = maps.find(|case| case.map.format == "IBSP 38") else {
        return;
    };
    let bytes = rewrite(&case.bytes, 8, 19, &kin);
    let error = onion_maps::parse(&bytes, &Default::default()).unwrap_err();
    let message = error.to_string();
    assert!(
        message.contains("the first Soldier of Fortune"),
        "{message}"
    );
}
