//! Maps that many tests query: sample maps and real ones in; compiled files and the oracle's worlds of every model
//! and hull out. Each is made once, when the first test asks for it.

use std::sync::{LazyLock, OnceLock};

use onion_compiler::CompileOptions;
use onion_compiler::Compiled;
use onion_compiler::compile;
use onion_compiler::fill::seeds::Fill;
use onion_compiler::hull::HullSpec;
use onion_maps::{Map, ReadOptions};
use onion_runtime::{HullId, Model, OnionMap};
use serde_json::json;

use crate::effort::is_long;
use crate::maps::{RealMap, other_maps, real_maps, sample_maps, text_maps};
use crate::oracle::HullWorld;
use crate::random::Random;
use crate::samples::{self, Up};
use crate::subject::{self, HULLS, OracleWorlds, PRISMS};

/// A map and everything made from it.
pub struct Case {
    /// Name of the map, for messages.
    pub name: String,
    /// The map's file.
    pub bytes: Vec<u8>,
    /// The map as the compiler reads it.
    pub map: Map,
    /// Its hulls, in the order of the file.
    pub hulls: Vec<HullSpec>,
    grouping: String,
    unfilled: OnceLock<Compiled>,
    filled: OnceLock<Compiled>,
    onion: OnceLock<OnionMap<Vec<u8>>>,
    oracle: OnceLock<OracleWorlds>,
    /// The oracle's worlds, by model and then by hull.
    worlds: Vec<Vec<OnceLock<HullWorld>>>,
}

/// One hull in one model of a map, with the oracle's world of it.
pub struct Subject<'a> {
    /// Map, model and hull, for messages.
    pub name: String,
    /// The map.
    pub map: &'a OnionMap<Vec<u8>>,
    /// Number of the model.
    pub index: usize,
    /// The model.
    pub model: Model<'a>,
    /// The hull.
    pub hull: HullId,
    /// The solid part of the model for this hull.
    pub world: &'a HullWorld,
    /// The divisor for the number of a map's queries that this model gets: the world gets all of them, and the other
    /// models together get the same number.
    share: usize,
}

impl Case {
    /// Returns a map with hulls from the text of `--hull` options and groups from the text of `--group`.
    pub fn new(name: &str, bytes: &[u8], hulls: &[&str], grouping: &str) -> Self {
        Self::of_map(name, bytes, subject::parse(bytes), hulls, grouping)
    }

    /// Does the same for the hulls of most tests, in one group.
    fn of(map: &RealMap) -> Self {
        Self::new(&map.name, &map.bytes, &HULLS, "one")
    }

    /// Does the same for a map that was already read from the bytes.
    fn of_map(name: &str, bytes: &[u8], map: Map, hulls: &[&str], grouping: &str) -> Self {
        let hulls = subject::hulls(hulls);
        let of_model = |_| hulls.iter().map(|_| OnceLock::new()).collect();
        Self {
            name: name.to_owned(),
            bytes: bytes.to_vec(),
            worlds: map.models.iter().map(of_model).collect(),
            map,
            hulls,
            grouping: grouping.to_owned(),
            unfilled: OnceLock::new(),
            filled: OnceLock::new(),
            onion: OnceLock::new(),
            oracle: OnceLock::new(),
        }
    }

    /// Returns the map compiled with its brushes and without filling: space that cannot be reached is empty, as it is
    /// for the oracle.
    pub fn unfilled(&self) -> &Compiled {
        self.unfilled.get_or_init(|| self.compile(Fill::Off))
    }

    /// Returns the map compiled with its brushes and the default filling.
    pub fn filled(&self) -> &Compiled {
        self.filled.get_or_init(|| self.compile(Fill::default()))
    }

    /// Compiles the map with its brushes again.
    pub fn compile(&self, fill: Fill) -> Compiled {
        let options = CompileOptions {
            fill,
            brushes: true,
            grouping: self.grouping.parse().unwrap(),
            ..CompileOptions::new(self.hulls.clone())
        };
        compile(&self.map, &options).unwrap()
    }

    /// Returns the unfilled map, loaded.
    pub fn onion(&self) -> &OnionMap<Vec<u8>> {
        let load = || OnionMap::from_bytes(self.unfilled().bytes.clone()).unwrap();
        self.onion.get_or_init(load)
    }

    /// Returns the map as the oracle reads it.
    pub fn oracle(&self) -> &OracleWorlds {
        let read = || OracleWorlds::new(&self.bytes, &self.map);
        self.oracle.get_or_init(read)
    }

    /// Returns the oracle's world of a model for a hull.
    pub fn world(&self, model: usize, hull: HullId) -> &HullWorld {
        let hull = hull.index();
        let make = || self.oracle().world(model, &self.hulls[hull]);
        self.worlds[model][hull].get_or_init(make)
    }

    /// Returns every hull in every model.
    pub fn subjects(&self) -> impl Iterator<Item = Subject<'_>> {
        let map = self.onion();
        let others = (map.n_models() - 1).max(1);
        (0..map.n_models()).flat_map(move |index| {
            map.hulls().map(move |hull| Subject {
                name: format!("{} model {index} {}", self.name, hull.name),
                map,
                index,
                model: map.model(index).unwrap(),
                hull: hull.id,
                world: self.world(index, hull.id),
                share: if index == 0 { 1 } else { others },
            })
        })
    }
}

impl Subject<'_> {
    /// Returns the number of a map's `n_questions` queries that this model gets.
    pub fn share_of(&self, n_questions: usize) -> usize {
        n_questions / self.share
    }

    /// Returns the random numbers for a query, the same in every run.
    pub fn random(&self, kind: usize, number: usize) -> Random {
        let numbers = [self.index, self.hull.index(), kind, number];
        let mix = |seed, number| Random::new(seed ^ number as u64).bits();
        Random::new(numbers.into_iter().fold(0, mix))
    }
}

/// Returns all sample maps.
pub fn sample_cases() -> &'static [Case] {
    static CASES: LazyLock<Vec<Case>> =
        LazyLock::new(|| sample_maps().iter().map(Case::of).collect());
    &CASES
}

/// Returns the sample maps with hulls that are prisms, and in the long run ten of the smaller real maps.
pub fn prism_cases() -> &'static [Case] {
    static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
        let mut real = if is_long() { real_maps() } else { Vec::new() };
        real.sort_by_key(|map| map.bytes.len());
        let step = (real.len() / 20).max(1);
        let maps = sample_maps();
        let maps = maps.iter().chain(real.iter().step_by(step).take(10));
        let case = |map: &RealMap| Case::new(&map.name, &map.bytes, &PRISMS, "one");
        maps.map(case).collect()
    });
    &CASES
}

/// Returns a sample map.
pub fn sample_case(name: &str) -> &'static Case {
    let mut samples = sample_cases().iter();
    samples.find(|case| case.name == name).unwrap()
}

/// Returns the real maps.
pub fn real_cases() -> &'static [Case] {
    static CASES: LazyLock<Vec<Case>> =
        LazyLock::new(|| real_maps().iter().map(Case::of).collect());
    &CASES
}

/// Returns the real maps of other formats than Quake III's.
pub fn other_cases() -> &'static [Case] {
    static CASES: LazyLock<Vec<Case>> =
        LazyLock::new(|| other_maps().iter().map(Case::of).collect());
    &CASES
}

/// Returns the sample maps as text, and the real maps that are text.
pub fn text_cases() -> &'static [Case] {
    static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
        let samples = samples::all_texts().into_iter();
        let samples = samples.map(|(name, text)| RealMap {
            name: format!("{name}.map"),
            bytes: text.into_bytes(),
        });
        let maps = samples.chain(text_maps());
        maps.map(|map| Case::of(&map)).collect()
    });
    &CASES
}

/// Returns sample maps as glTF scenes: with both up axes, in other units, and with turned and stretched nodes.
pub fn scene_cases() -> &'static [Case] {
    static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
        let maps = samples::maps();
        let maps = maps.iter().filter(|map| map.models[0].patches.is_empty());
        let kinds = [
            (Up::Y, 1.0 / 32.0, false),
            (Up::Z, 0.0254, false),
            (Up::Y, 1.0 / 32.0, true),
        ];
        let cases = maps.flat_map(|map| {
            // The narrowest faces cannot be told apart in other units.
            let kinds = if map.name == "slivers" {
                &kinds[..1]
            } else {
                &kinds
            };
            let case = |&(up, scale, is_turned)| scene_case(map, up, scale, is_turned);
            kinds.iter().map(case).collect::<Vec<_>>()
        });
        cases.collect()
    });
    &CASES
}

fn scene_case(map: &samples::Map, up: Up, scale: f64, is_turned: bool) -> Case {
    let mut scene = samples::scene(map, up, scale);
    for node in scene.json["nodes"].as_array_mut().unwrap() {
        if is_turned && node["children"].is_array() {
            node["rotation"] = json!([0.1, -0.3, 0.2, 0.9273618495495703]);
            node["scale"] = json!([1.5, 1.25, 0.75]);
        }
    }
    let options = ReadOptions {
        up: if up == Up::Y {
            onion_maps::Up::Y
        } else {
            onion_maps::Up::Z
        },
        scale: 1.0 / scale,
        ..ReadOptions::default()
    };
    let bytes = scene.glb();
    let turned = if is_turned { ", turned" } else { "" };
    let name = format!("{}.glb, {up:?} up, {scale}{turned}", map.name);
    let map = onion_maps::parse(&bytes, &options).unwrap();
    Case::of_map(&name, &bytes, map, &HULLS, "one")
}

/// Returns all sample maps and the real maps.
pub fn all_cases() -> impl Iterator<Item = &'static Case> {
    sample_cases().iter().chain(real_cases())
}

/// Returns all sample maps, one of them again with a tree for each hull, and the real maps.
pub fn cases() -> impl Iterator<Item = &'static Case> {
    static GROUPED: LazyLock<Case> = LazyLock::new(|| {
        let case = sample_case("wedge");
        let name = format!("{}, a tree each", case.name);
        Case::new(&name, &case.bytes, &HULLS, "each")
    });
    sample_cases().iter().chain([&*GROUPED]).chain(real_cases())
}
