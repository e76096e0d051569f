//! Maps to ask the same questions of: sample maps and small real ones in, compiled files with the
//! oracle's worlds of every model and hull out. They are made once for all tests of a program.

use std::sync::LazyLock;

use onion_runtime::{HullId, Model, OnionMap};
use onionc::hull::HullSpec;
use onionc::seeds::Fill;
use onionc::{CompileOptions, Compiled, compile};

use crate::maps::real_maps;
use crate::oracle::HullWorld;
use crate::random::Random;
use crate::samples;
use crate::subject::{self, HULLS, OracleWorlds};

/// Real maps with larger files take longer to compile than to ask, in bytes.
const LARGEST_FILE: usize = 950_000;

/// A compiled map.
pub struct Case {
    name: String,
    compiled: Compiled,
    /// Its hulls, in the order of the file.
    pub specs: Vec<HullSpec>,
    /// The oracle's worlds, model by model and in each hull by hull.
    worlds: Vec<Vec<HullWorld>>,
}

/// One hull in one model of a map, with the oracle's world of it.
pub struct Subject<'a> {
    /// Map, model and hull, for messages.
    pub name: String,
    /// The map.
    pub map: OnionMap<'a>,
    /// Number of the model.
    pub index: usize,
    /// The model.
    pub model: Model<'a>,
    /// The hull.
    pub hull: HullId,
    /// What is solid.
    pub world: &'a HullWorld,
    /// The part of a map's questions that this model gets: all for the world, and the other models share
    /// as many.
    share: usize,
}

impl Case {
    /// Compiles a map, unfilled, with hulls from the text of `--hull` options and groups from that of
    /// `--groups`.
    pub fn new(name: &str, bytes: &[u8], hulls: &[&str], grouping: &str) -> Self {
        let map = subject::parse(bytes);
        let specs = subject::hulls(hulls);
        let options = CompileOptions {
            fill: Fill::Off,
            grouping: grouping.parse().unwrap(),
            ..CompileOptions::new(specs.clone())
        };
        let compiled = compile(&map, &options).unwrap();
        let worlds = OracleWorlds::new(bytes, &map);
        let n_models = subject::load(&compiled).n_models();
        let of_model = |model| specs.iter().map(|spec| worlds.world(model, spec)).collect();
        Self {
            name: name.to_owned(),
            worlds: (0..n_models).map(of_model).collect(),
            compiled,
            specs,
        }
    }

    /// The loaded file.
    pub fn map(&self) -> OnionMap<'_> {
        subject::load(&self.compiled)
    }

    /// The oracle's world of a model for a hull.
    pub fn world(&self, model: usize, hull: HullId) -> &HullWorld {
        &self.worlds[model][hull.index()]
    }

    /// Every hull in every model.
    pub fn subjects(&self) -> impl Iterator<Item = Subject<'_>> {
        let map = self.map();
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
    /// How many of a map's questions this model gets.
    pub fn share_of(&self, n_questions: usize) -> usize {
        n_questions / self.share
    }

    /// The random numbers of a question, the same in every run.
    pub fn random(&self, kind: usize, number: usize) -> Random {
        let numbers = [self.index, self.hull.index(), kind, number];
        let mix = |seed, number| Random::new(seed ^ number as u64).bits();
        Random::new(numbers.into_iter().fold(0, mix))
    }
}

/// All sample maps, one of them again with a tree for each hull, and the smaller real maps.
pub fn cases() -> &'static [Case] {
    static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
        let samples = samples::all();
        let of_sample = |(name, bytes): &(&str, Vec<u8>)| Case::new(name, bytes, &HULLS, "one");
        let mut cases: Vec<Case> = samples.iter().map(of_sample).collect();
        let (name, bytes) = samples.iter().find(|sample| sample.0 == "wedge").unwrap();
        cases.push(Case::new(
            &format!("{name}, a tree each"),
            bytes,
            &HULLS,
            "each",
        ));
        let small = real_maps();
        let small = small.iter().filter(|map| map.bytes.len() <= LARGEST_FILE);
        cases.extend(small.map(|map| Case::new(&map.name, &map.bytes, &HULLS, "one")));
        cases
    });
    &CASES
}
