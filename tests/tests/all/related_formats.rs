//! Formats without sample files: rewrites a map in a related format of the same family, which must read the same.
//! Other sizes of records and other places of lumps are all that tells relatives apart.

use onion_maps::Map;
use onion_tests::cases::{Case, all_cases, other_cases, sample_case};
use onion_tests::subject;

/// Lumps whose records change: number in the other format, record size, conversion.
type Changes = &'static [Change];
type Change = (usize, usize, fn(&[u8]) -> Vec<u8>);

/// A format that differs from another in the sizes of records and the places of lumps.
struct Related {
    name: &'static str,
    /// The first bytes of a file, up to its directory or to a checksum before that.
    start: &'static [u8],
    n_lumps: usize,
    /// Numbers of the lumps that are [`MOVED`] in the other format; empty if all have the same number there.
    places: &'static [usize],
    changes: Changes,
}

/// The numbers of Quake III's lumps that move in Ritual's formats. A second one of entities stands for terrain.
const MOVED: [usize; 9] = [1, 2, 13, 10, 9, 8, 7, 0, 0];

const fn related(
    name: &'static str,
    start: &'static [u8],
    n_lumps: usize,
    changes: Changes,
) -> Related {
    Related {
        name,
        start,
        n_lumps,
        places: &[],
        changes,
    }
}

const fn moved(
    name: &'static str,
    start: &'static [u8],
    n_lumps: usize,
    &(places, changes): &(&'static [usize], Changes),
) -> Related {
    Related {
        places,
        ..related(name, start, n_lumps, changes)
    }
}

impl Related {
    /// Returns the number of a lump in the other format, which has `n_lumps`, or `None` if it has no such lump.
    fn other(&self, number: usize, n_lumps: usize) -> Option<usize> {
        if self.places.is_empty() {
            return (number < n_lumps).then_some(number);
        }
        let place = self.places.iter().position(|own| *own == number)?;
        Some(MOVED[place])
    }

    /// Rewrites a map of the other format, whose directory begins at byte `directory` and has `n_lumps` lumps.
    fn rewrite(&self, bytes: &[u8], directory: usize, n_lumps: usize) -> Vec<u8> {
        let mut file = self.start.to_vec();
        if !self.places.is_empty() {
            file.extend([0xa5; 4]);
        }
        let mut body = Vec::new();
        let header = file.len() + 8 * self.n_lumps;
        for number in 0..self.n_lumps {
            let other = self.other(number, n_lumps);
            let lump = other.map_or(&[][..], |other| lump(bytes, directory, other));
            let mut lump = lump.to_vec();
            for (_, size, change) in self.changes.iter().filter(|own| Some(own.0) == other) {
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

    /// Asserts that a map has the same models when it is rewritten in this format.
    fn assert_same(&self, case: &Case, directory: usize, n_lumps: usize) -> Map {
        self.assert_same_file(case, &self.rewrite(&case.bytes, directory, n_lumps))
    }

    fn assert_same_file(&self, case: &Case, bytes: &[u8]) -> Map {
        let map = subject::parse(bytes);
        let models = |map: &Map| format!("{:?}", map.models);
        let what = format!("{} as {}: {}", case.name, self.name, map.format);
        assert!(models(&map) == models(&case.map), "{what}");
        assert_eq!(map.points.len(), case.map.points.len(), "{what}");
        map
    }
}

fn int(bytes: &[u8], at: usize) -> usize {
    i32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

fn lump(bytes: &[u8], directory: usize, number: usize) -> &[u8] {
    let at = directory + 8 * number;
    &bytes[int(bytes, at)..][..int(bytes, at + 4)]
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

const RAVEN_SIDE: Change = (9, 8, |side| with(side, &[(8, 4)]));
const RAVEN_VERT: Change = (10, 44, |vert| with(vert, &[(44, 12), (28, 24)]));
const RAVEN_SURFACE: Change = (13, 104, |surface| with(surface, &[(40, 36), (28, 8)]));

const RAVEN: Changes = &[RAVEN_SIDE, RAVEN_VERT, RAVEN_SURFACE];
const JEDI_KNIGHT: Changes = &[
    RAVEN_SIDE,
    RAVEN_VERT,
    RAVEN_SURFACE,
    (1, 72, raven_contents),
];

const OF_QUAKE3: [Related; 4] = [
    related("IBSP 47", b"IBSP\x2f\0\0\0", 18, &[]),
    related("IBSP 48", b"IBSP\x30\0\0\0", 17, &[RAVEN_SIDE]),
    related("RBSP 1", b"RBSP\x01\0\0\0", 18, JEDI_KNIGHT),
    related("FBSP 1", b"FBSP\x01\0\0\0", 18, RAVEN),
];

/// The lumps of Ritual's games, and their records.
const FAKK: (&[usize], Changes) = (&[0, 1, 3, 4, 10, 11, 13, 14], FAKK_CHANGES);
const MEDAL: (&[usize], Changes) = (&[0, 1, 3, 4, 11, 12, 13, 14], MEDAL_CHANGES);
/// The same with a lump of fog.
const OLD_MEDAL: (&[usize], Changes) = (&[0, 1, 3, 4, 11, 12, 14, 15], MEDAL_CHANGES);
const ELITE: (&[usize], Changes) = (&[0, 1, 5, 6, 12, 13, 15, 16], ELITE_CHANGES);

const FAKK_CHANGES: Changes = &[RITUAL_SHADER, RITUAL_SURFACE];
const MEDAL_CHANGES: Changes = &[
    (1, 72, |shader| with(shader, &[(72, 68)])),
    RAVEN_SIDE,
    RITUAL_SURFACE,
];
const ELITE_CHANGES: Changes = &[
    RITUAL_SHADER,
    (8, 12, swapped),
    (9, 8, swapped),
    // Lightmaps, normal, color in another order, and an extra word.
    (10, 44, |vert| {
        let [place, light, normal] = [&vert[..20], &vert[20..28], &vert[28..]];
        [place, normal, &[0xa5; 4], light].concat()
    }),
    (13, 104, |surface| with(surface, &[(104, 28)])),
];

const RITUAL_SHADER: Change = (1, 72, |shader| with(shader, &[(72, 4)]));
const RITUAL_SURFACE: Change = (13, 104, |surface| with(surface, &[(104, 4)]));

/// Swaps the first two numbers of a record.
fn swapped(record: &[u8]) -> Vec<u8> {
    [&record[4..8], &record[..4], &record[8..]].concat()
}

/// Ritual's games, which number contents as Quake III does, except for some that are left out here.
const RITUAL: [Related; 7] = [
    moved("FAKK 2", b"FAKK\x0c\0\0\0", 20, &FAKK),
    moved("Alice", b"FAKK\x2a\0\0\0", 20, &FAKK),
    moved("Elite Force II", b"EF2!\x14\0\0\0", 30, &ELITE),
    moved("Allied Assault's beta", b"2015\x11\0\0\0", 28, &OLD_MEDAL),
    moved("Allied Assault's demo", b"2015\x12\0\0\0", 28, &OLD_MEDAL),
    moved("Allied Assault", b"2015\x13\0\0\0", 28, &MEDAL),
    moved("Breakthrough", b"EALA\x15\0\0\0", 28, &MEDAL),
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
        for format in &RITUAL {
            format.assert_same(case, 8, 17);
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
    let has_terrain =
        |format: &Related| warnings(&format.rewrite(&sample.bytes, 8, 17)).contains("terrain");
    let terrain = Related {
        places: &[0, 1, 3, 4, 11, 12, 13, 14, 22],
        ..RITUAL[5]
    };
    assert!(!has_terrain(&RITUAL[5]) && has_terrain(&terrain));
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
fn relatives_of_quake_3_are_read_alike() {
    // Contents that Raven does not have would be lost.
    const KNOWN: u32 = 0x3_0079;
    let mut n_patches = 0;
    for case in all_cases() {
        let mut brushes = case.map.models.iter().flat_map(|model| &model.brushes);
        let is_known = brushes.all(|brush| brush.contents & !KNOWN == 0);
        for format in &OF_QUAKE3 {
            if is_known || format.name != "RBSP 1" {
                format.assert_same(case, 8, 17);
            }
        }
        let patches = case.map.models.iter().flat_map(|model| &model.patches);
        n_patches += patches.count();
    }
    assert!(n_patches > 0, "no map has patches");
}

/// Only the flags and names of SiN's textures are known; sides have an extra word.
const SIN: Changes = &[
    (5, 76, |texinfo| {
        let [flags, name] = [&texinfo[..36], &texinfo[40..72]];
        [flags, name, &[0; 32], &[0xa5; 80]].concat()
    }),
    (15, 4, |side| with(side, &[(4, 4)])),
];

const OF_QUAKE2: [Related; 3] = [
    related("SiN's RBSP 1", b"RBSP\x01\0\0\0", 20, SIN),
    related("SiN's IBSP 41", b"IBSP\x29\0\0\0", 20, SIN),
    related("Daikatana", b"IBSP\x29\0\0\0", 21, DAIKATANA),
];

const DAIKATANA: Changes = &[(8, 28, |leaf| with(leaf, &[(28, 4)]))];

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

const fn source(version: u8, version_first: bool, leaf: usize) -> Source {
    Source {
        version,
        version_first,
        leaf,
        displacements: &[],
    }
}

const VBSP_20: Source = source(20, false, 32);
const SOURCE: [Source; 4] = [
    VBSP_20,
    source(21, false, 32),
    source(21, true, 32),
    source(19, false, 56),
];

impl Source {
    fn of(&self, bytes: &[u8]) -> Vec<u8> {
        let lumps = self.lumps(bytes);
        let mut file = [&b"VBSP"[..], &[self.version, 0, 0, 0]].concat();
        let mut start = 8 + 16 * lumps.len() as i32 + 4;
        for (number, lump) in lumps.iter().enumerate() {
            let version = i32::from(number == 10 && self.leaf == 32);
            let place = [start, lump.len() as i32];
            let entry = if self.version_first {
                [version, place[0], place[1], 0]
            } else {
                [place[0], place[1], version, 0]
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
    let (start, length) = (int(bytes, 8 + 8 * 14), int(bytes, 12 + 8 * 14));
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
        let parts = |map: &Map| format!("{:?}{:?}", map.models, map.surfaces);
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
fn relatives_of_quake_2_are_read_alike() {
    for case in quake2_cases() {
        for format in &OF_QUAKE2 {
            let map = format.assert_same(case, 8, 19);
            let names = |map: &Map| format!("{:?}", map.surfaces);
            assert_eq!(names(&map), names(&case.map), "{}", case.name);
        }
    }
}

const OF_QUAKE: [Related; 2] = [
    related("2PSB", b"2PSB", 15, WIDE),
    related("Hexen II's 29", b"\x1d\0\0\0", 15, HEXEN),
];

const WIDE: Changes = &[(5, 24, wide_node), (10, 28, |leaf| with(leaf, &[(24, 4)]))];
const HEXEN: Changes = &[(14, 64, |model| with(model, &[(52, 16)]))];

/// Widens a node to 32-bit children and faces.
fn wide_node(node: &[u8]) -> Vec<u8> {
    let child = |at: usize| i32::from(i16::from_le_bytes([node[at], node[at + 1]]));
    let children = [child(4), child(6)].map(i32::to_le_bytes);
    [&node[..4], children.as_flattened(), &node[8..20], &[0; 8]].concat()
}

#[test]
fn relatives_of_quake_are_read_alike() {
    let is_plain = |case: &&Case| case.map.format.starts_with("BSP 29, ");
    for case in other_cases().iter().filter(is_plain) {
        for format in &OF_QUAKE {
            format.assert_same(case, 4, 15);
        }
        // Blue Shift swaps entities and planes.
        let plain = related("30", b"\x1e\0\0\0", 15, &[]);
        let mut bytes = plain.rewrite(&case.bytes, 4, 15);
        plain.assert_same_file(case, &bytes);
        let (entities, planes) = bytes[4..20].split_at_mut(8);
        entities.swap_with_slice(planes);
        plain.assert_same_file(case, &bytes);
    }
}

/// The maps of Soldier of Fortune begin like those of Quake III; most of their lumps are unknown.
#[test]
fn soldier_of_fortune_is_named() {
    let soldier = related("Soldier of Fortune", b"IBSP\x2e\0\0\0", 22, &[]);
    let Some(case) = quake2_cases().next() else {
        return;
    };
    let bytes = soldier.rewrite(&case.bytes, 8, 19);
    let error = onion_maps::parse(&bytes, &Default::default()).unwrap_err();
    let message = error.to_string();
    let names_it = message.contains("the first Soldier of Fortune");
    assert!(names_it, "{message}");
}
