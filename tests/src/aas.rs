//! A second reference for the method, the bot files (`.aas`, EAAS version 5) that van Waveren's own compiler made of
//! Quake III maps: they record for each place whether a standing and a crouching box fit there, and the ways that a bot
//! goes from area to area. This module reads such a file, queries it and a compiled map at random places, and sorts the
//! differences by their explanation.

use std::fmt;

use onion_runtime::{Aabb, HullId, OnionMap};

use crate::oracle::HullWorld;
use crate::random::Random;
use crate::subject::{self, OracleWorlds};

/// The boxes of the file's presence types, each with the contents that block it: solid, player clips and bot clips.
pub const HULLS: [&str; 2] = [
    "normal:mins=-15,-15,-24:maxs=15,15,32:contents=solid+playerclip+0x400000",
    "crouch:mins=-15,-15,-24:maxs=15,15,16:contents=solid+playerclip+0x400000",
];

/// The presence types of these boxes, as bits.
const PRESENCE: [u32; 2] = [2, 4];

/// Lumps: the number, and the record size in bytes.
const PLANES: (usize, usize) = (2, 20);
const AREAS: (usize, usize) = (7, 48);
const SETTINGS: (usize, usize) = (8, 28);
const WAYS: (usize, usize) = (9, 44);
const NODES: (usize, usize) = (10, 12);

/// Distance in units within which a face of an expanded brush explains a difference: the bot compiler moves vertices
/// by up to a quarter of a unit, and closes gaps as narrow as that; a place that is nearer than that along a slope is
/// this near to the face.
const AT_FACE: f64 = 1.0;
/// Distance in units within which a piece of a patch explains a difference: the bot compiler makes its own facets of
/// a curved surface; ours are up to 4 units from it, and the edges of expanded ones are farther.
const AT_PATCH: f64 = 12.0;
/// Limit on the number of nodes on a path.
const DEEPEST: usize = 4096;

/// The bits of a way's travel type that are its kind.
const KIND: i32 = 0x00ff_ffff;

/// A bot file.
pub struct Aas {
    planes: Vec<([f64; 3], f64)>,
    nodes: Vec<[i32; 3]>,
    presence: Vec<u32>,
    /// The ways from area to area of the kinds in [`WayKind`].
    pub ways: Vec<Way>,
}

/// A way from one area to another, a "reachability".
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Way {
    /// How the bot goes.
    pub kind: WayKind,
    /// Origin of the standing box where the way starts, in units.
    pub start: [f64; 3],
    /// The same where it ends.
    pub end: [f64; 3],
    /// Whether there is water, lava or slime in the area where it starts or that where it ends.
    pub is_wet: bool,
    /// Lower and upper corner of the area where it starts.
    pub area: [[f64; 3]; 2],
    /// Whether there is ground in that area.
    pub is_grounded: bool,
}

/// How a bot goes where it is not in water, by the number of the travel type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WayKind {
    /// It walks.
    Walk = 2,
    /// It crouches.
    Crouch = 3,
    /// It jumps onto something higher than a step.
    BarrierJump = 4,
    /// It jumps over a gap.
    Jump = 5,
    /// It walks off a ledge.
    Ledge = 7,
    /// A teleporter takes it along.
    Teleport = 10,
    /// A lift takes it up.
    Lift = 11,
    /// A jump pad throws it.
    JumpPad = 18,
}

impl WayKind {
    /// All kinds.
    pub const ALL: [Self; 8] = [
        Self::Walk,
        Self::Crouch,
        Self::BarrierJump,
        Self::Jump,
        Self::Ledge,
        Self::Teleport,
        Self::Lift,
        Self::JumpPad,
    ];

    /// Whether the game takes the bot along.
    pub fn is_carried(self) -> bool {
        matches!(self, Self::Teleport | Self::Lift | Self::JumpPad)
    }
}

/// The contents of areas with water, lava or slime.
const WET: i32 = 1 | 2 | 4;
/// The flag of areas with ground.
const GROUNDED: i32 = 1;

impl Aas {
    /// Reads a file. Returns `None` if it is of another kind or damaged.
    pub fn new(bytes: &[u8]) -> Option<Self> {
        let mut file = bytes.to_vec();
        if !file.starts_with(b"EAAS\x05\0\0\0") {
            return None;
        }
        for (number, byte) in file.get_mut(8..124)?.iter_mut().enumerate() {
            *byte ^= (number * 119) as u8;
        }
        let word = |record: &[u8], at: usize| {
            i32::from_le_bytes(record[4 * at..4 * at + 4].try_into().unwrap())
        };
        let lump = |(number, size): (usize, usize)| {
            let place = file.get(12 + 8 * number..20 + 8 * number)?;
            let [first, length] = [0, 1].map(|at| word(place, at) as usize);
            Some(
                file.get(first..first.checked_add(length)?)?
                    .chunks_exact(size),
            )
        };
        let number = |record: &[u8], at: usize| f64::from(f32::from_bits(word(record, at) as u32));
        let point = |record: &[u8], first: usize| [0, 1, 2].map(|at| number(record, first + at));
        let plane = |record: &[u8]| (point(record, 0), number(record, 3));
        let all_ways = Vec::from_iter(lump(WAYS)?);
        let settings = Vec::from_iter(lump(SETTINGS)?);
        let is_wet = |area: usize| Some(word(settings.get(area)?, 0) & WET != 0);
        let (mut ways, mut n_ways) = (Vec::new(), 0);
        for (number, area) in lump(AREAS)?.enumerate() {
            let own = settings.get(number)?;
            let [n_own, first] = [5, 6].map(|at| word(own, at) as usize);
            n_ways += n_own;
            for record in all_ways.get(first..first.checked_add(n_own)?)? {
                let number_of_kind = word(record, 9) & KIND;
                let mut kinds = WayKind::ALL.into_iter();
                let Some(kind) = kinds.find(|kind| *kind as i32 == number_of_kind) else {
                    continue;
                };
                ways.push(Way {
                    kind,
                    start: point(record, 3),
                    end: point(record, 6),
                    is_wet: is_wet(number)? || is_wet(word(record, 0) as usize)?,
                    area: [point(area, 3), point(area, 6)],
                    is_grounded: word(own, 1) & GROUNDED != 0,
                });
            }
        }
        // The first way belongs to no area.
        if n_ways + 1 != all_ways.len() {
            return None;
        }
        Some(Self {
            ways,
            planes: lump(PLANES)?.map(plane).collect(),
            nodes: lump(NODES)?
                .map(|record| [0, 1, 2].map(|at| word(record, at)))
                .collect(),
            presence: lump(SETTINGS)?
                .map(|record| word(record, 2) as u32)
                .collect(),
        })
    }

    /// Returns the presence types at a place, as bits; 0 in solid. Returns `None` if the file is damaged.
    pub fn presence(&self, place: [f64; 3]) -> Option<u32> {
        let mut at = 1;
        for _ in 0..DEEPEST {
            if at <= 0 {
                return match at {
                    0 => Some(0),
                    area => self.presence.get(-area as usize).copied(),
                };
            }
            let [plane, front, back] = *self.nodes.get(at as usize)?;
            let (normal, dist) = self.planes.get(plane as usize)?;
            let ahead: f64 = (0..3).map(|axis| normal[axis] * place[axis]).sum::<f64>() - dist;
            at = if ahead > 0.0 { front } else { back };
        }
        None
    }
}

/// The explanation for a place where one of the two has room and the other does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// No explanation is needed: both have room.
    Room,
    /// No explanation is needed: neither has room.
    Solid,
    /// A face of an expanded brush is near.
    Face,
    /// A piece of a patch is near.
    Patch,
    /// No brush is there; we filled it, and they did not.
    WeFilled,
    /// No brush is there; they filled it, and we did not.
    TheyFilled,
    /// A brush is there, in our map alone.
    OurBrush,
}

/// All explanations, in the order of [`Row::counts`].
pub const WHYS: [Why; 7] = [
    Why::Room,
    Why::Solid,
    Why::Face,
    Why::Patch,
    Why::WeFilled,
    Why::TheyFilled,
    Why::OurBrush,
];

/// The places of a map and a hull, counted by the explanation of the difference.
pub struct Row {
    /// The map and the hull.
    pub name: String,
    /// Places for each of [`WHYS`].
    pub counts: [usize; WHYS.len()],
    /// The first place for each explanation.
    pub first: [Option<[f64; 3]>; WHYS.len()],
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<24}", self.name)?;
        self.counts
            .iter()
            .try_for_each(|count| write!(f, " {count:>11}"))
    }
}

/// Compares random places in a map, for both hulls. Returns `None` if the bot file is damaged.
pub fn compare(name: &str, map: &[u8], aas: &[u8], n_places: usize) -> Option<Vec<Row>> {
    let aas = Aas::new(aas)?;
    let parsed = subject::parse(map);
    let specs = subject::hulls(&HULLS);
    let compiled = subject::compile_filled(&parsed, specs.clone(), Default::default());
    let onion = subject::load(&compiled);
    let worlds = OracleWorlds::new(map, &parsed);
    let rows = specs
        .iter()
        .zip(onion.hulls())
        .zip(PRESENCE)
        .map(|((spec, hull), bit)| {
            let judge = Judge {
                onion,
                hull: hull.id,
                world: worlds.world(0, spec),
                patches: worlds.patches(0, spec),
            };
            let mut row = Row {
                name: format!("{name} {}", spec.name),
                counts: [0; WHYS.len()],
                first: [None; WHYS.len()],
            };
            let Aabb { mins, maxs } = onion.world().bounds();
            let mut random = Random::new(1);
            for _ in 0..n_places {
                let place = random.point(mins.map(f64::from), maxs.map(f64::from));
                let why = judge.why(place, aas.presence(place)? & bit != 0);
                let column = WHYS.iter().position(|one| *one == why)?;
                row.counts[column] += 1;
                row.first[column].get_or_insert(place);
            }
            Some(row)
        });
    rows.collect()
}

struct Judge<'a> {
    onion: OnionMap<&'a [u8]>,
    hull: HullId,
    world: HullWorld,
    /// The pieces of patches alone.
    patches: HullWorld,
}

impl Judge<'_> {
    fn why(&self, place: [f64; 3], they_fit: bool) -> Why {
        let we_fit = !self.onion.world().is_solid(self.hull, place);
        if we_fit == they_fit {
            return if we_fit { Why::Room } else { Why::Solid };
        }
        if self.world.solid(place, AT_FACE) != self.world.solid(place, -AT_FACE) {
            return Why::Face;
        }
        if self.patches.solid(place, AT_PATCH) != self.patches.solid(place, -AT_PATCH) {
            return Why::Patch;
        }
        match (we_fit, self.world.solid(place, 0.0)) {
            (true, _) => Why::TheyFilled,
            (false, true) => Why::OurBrush,
            (false, false) => Why::WeFilled,
        }
    }
}
